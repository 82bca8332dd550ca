# SPDX-License-Identifier: Apache-2.0
"""Precision, recall and their means, as columns of features.

F_β = (1 + β²) P R / (β² P + R), 0 where the divisor is; G_β = (P R^β)^(1 / (1 + β)).
The symmetric form puts x = min(P, R) and y = max(P, R) in place of P and R in every
formula (Stanojević 2017, eq. 6.15).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["Shares", "read_value", "value_columns"]

_MEAN = re.compile(r"([fg])((?:0|[1-9][0-9]{0,2})(?:\.[0-9]{1,6})?)")
_SHARES = {True: ("min", "max"), False: ("p", "r")}


def read_value(value: str, *, symmetric: bool, where: str) -> tuple[str, float]:
    """Return what a value is: one of p, r, f and g, and its β.

    ``min`` is the symmetric form of p, and ``max`` of r.

    Raises
    ------
    InputError
        If it is none, or none of this form.

    Examples
    --------
    >>> read_value("f0.5", symmetric=True, where="here")
    ('f', 0.5)
    """
    names = _SHARES[symmetric]
    if value in names:
        return "pr"[names.index(value)], 1.0
    if match := _MEAN.fullmatch(value):
        return match[1], float(match[2])
    form = f"symmetric = {str(symmetric).lower()}"
    message = (
        f"{where}: {value!r} is not a value of units with {form}; write "
        f"{' or '.join(names)}, f1, f0.5 or g1"
    )
    raise InputError(message)


class Shares(NamedTuple):
    """Precision and recall of many segments, and what they were divided by."""

    p: Rows
    r: Rows
    hyp: Rows
    ref: Rows

    @classmethod
    def of(cls, common: tuple[Rows, Rows], units: tuple[Rows, Rows]) -> Shares:
        """Return the shares of units that both have; 0 where there is none.

        Parameters
        ----------
        common : pair of arrays
            Common units, as counted in the texts and in the references.
        units : pair of arrays
            All units of the texts and of the references.
        """
        import numpy as np

        p, r = (
            np.divide(shared, every, out=np.zeros_like(shared), where=every > 0)
            for shared, every in zip(common, units, strict=True)
        )
        return cls(p, r, *units)

    def or_else(self, other: Shares | None) -> Shares:
        """Return the shares, where neither text has units those of `other`.

        Without `other` they are 1 there: nothing is a perfect copy of nothing.
        """
        import numpy as np

        none = (self.hyp == 0) & (self.ref == 0)
        p, r = (1.0, 1.0) if other is None else (other.p, other.r)
        return Shares(
            np.where(none, p, self.p), np.where(none, r, self.r), self.hyp, self.ref
        )


def value_columns(
    values: Sequence[tuple[str, float]], shares: Shares, *, symmetric: bool
) -> list[Rows]:
    """Return one column a value, as :func:`read_value` reads them."""
    import numpy as np

    p, r = shares.p, shares.r
    if symmetric:
        p, r = np.minimum(p, r), np.maximum(p, r)
    columns = []
    for kind, beta in values:
        if kind in "pr":
            columns.append(p if kind == "p" else r)
        elif kind == "g":
            columns.append((p * r**beta) ** (1 / (1 + beta)))
        else:
            square = beta * beta
            divisor = square * p + r
            product = (1 + square) * p * r
            zeros = np.zeros_like(product)
            columns.append(np.divide(product, divisor, out=zeros, where=divisor > 0))
    return columns
