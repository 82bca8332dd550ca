# SPDX-License-Identifier: Apache-2.0
"""Kappa of rankings: the figure, its name, and agreement by chance.

κ = (P(A) - P(E)) / (1 - P(E)) with P(E) = P(=)² + 2((1 - P(=))/2)², where P(=) is the
share of ties (Macháček 2014, section 2.2.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from tertium.judgements.estimates import Estimate

if TYPE_CHECKING:
    from tertium.judgements.estimates import Floats

_Number = TypeVar("_Number", "float", "Floats")

__all__ = ["Kappa", "band", "chance_agreement", "kappa_of", "kappas_of"]

_ALL_TIES = "every comparison is a tie, so agreement by chance is certain"


def band(kappa: float) -> str:
    """Return what Landis and Koch (1977) call a kappa.

    Negative values are *slight* too, as in the thesis; Landis and Koch say poor.

    Examples
    --------
    >>> band(0.4), band(0.41), band(0.81)
    ('fair', 'moderate', 'almost perfect')
    """
    for limit, name in (
        (0.2, "slight"),
        (0.4, "fair"),
        (0.6, "moderate"),
        (0.8, "substantial"),
    ):
        if kappa <= limit:
            return name
    return "almost perfect"


def chance_agreement(ties: _Number) -> _Number:
    """Return P(E) of a share of ties.

    Examples
    --------
    >>> round(chance_agreement(2 / 12), 4)
    0.375
    """
    return ties**2 + 2 * ((1 - ties) / 2) ** 2


@dataclass(frozen=True)
class Kappa(Estimate):
    """A kappa with what it was made of.

    Parameters
    ----------
    agreed, compared : int
        Of how many comparisons, made twice, the outcome was the same.
    expected : float, optional
        P(E).
    """

    agreed: int = 0
    compared: int = 0
    expected: float | None = None

    @property
    def observed(self) -> float | None:
        """P(A)."""
        return self.agreed / self.compared if self.compared else None

    @property
    def band(self) -> str | None:
        """What Landis and Koch call it."""
        return None if self.value is None else band(self.value)

    def to_dict(self) -> dict[str, object]:
        """Return what JSON shows."""
        return super().to_dict() | {
            "agreed": self.agreed,
            "compared": self.compared,
            "observed": self.observed,
            "expected": self.expected,
            "band": self.band,
        }


def kappa_of(counts: Floats, ties: Floats, why: str) -> Kappa:
    """Return kappa of (agreed, compared) and (ties, comparisons)."""
    agreed, compared = (round(float(count)) for count in counts)
    if not ties[1]:
        return Kappa(None, reason="there are no rankings")
    expected = chance_agreement(float(ties[0] / ties[1]))
    if not compared:
        return Kappa(None, reason=why, expected=expected)
    if ties[0] == ties[1]:
        reason = _ALL_TIES
        return Kappa(
            None, reason=reason, agreed=agreed, compared=compared, expected=1.0
        )
    value = (agreed / compared - expected) / (1 - expected)
    return Kappa(value, agreed=agreed, compared=compared, expected=expected)


def kappas_of(counts: Floats, ties: Floats) -> Floats:
    """Return kappa of every resample; NaN where it has no value."""
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = chance_agreement(ties[:, 0] / ties[:, 1])
        observed = counts[:, 0] / counts[:, 1]
        values: Floats = (observed - expected) / (1 - expected)
    return values
