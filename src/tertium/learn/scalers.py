# SPDX-License-Identifier: Apache-2.0
"""Scalers: from raw numbers to scores between 0 and 1.

========  ==================================  =======================================
kind      score                               what it needs
========  ==================================  =======================================
none      σ(raw)                              a bias that places the sigmoid
quasi     2 σ(raw - raw of the reference)     a linear ranker learnt with logistic loss
relative  1 + slope (raw - raw of the ref.)   what unrelated texts lose, which scores 0
linear    (slope · raw + intercept) / 100     direct assessment, 0-100; cut to 0-1
platt     σ(slope · raw + intercept)          direct assessment, or extremes
isotonic  a rising line through knots         direct assessment, 0-100
========  ==================================  =======================================

``anchor`` divides by the score of the reference against itself and cuts at 1, so that
an exact copy always scores exactly 1 (quasi does so by itself, and is only cut).
Every scaler rises, so no ranking of one reference changes, apart from ties. Below
`BEND`, ``relative`` is no longer a line but approaches 0 ever more slowly: the worst
texts are still told apart.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.learn._reading import number, numbers, only_keys, problem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows: TypeAlias = NDArray[np.float64]

__all__ = ["SCALERS", "Scaler", "sigmoid"]

SCALERS = ("none", "quasi", "relative", "linear", "platt", "isotonic")

#: The score below which ``relative`` is bent.
BEND = 0.1

# What a file holds of each kind, besides kind and anchor.
_KEYS = {
    "none": (),
    "quasi": (),
    "relative": ("slope",),
    "linear": ("slope", "intercept"),
    "platt": ("slope", "intercept"),
    "isotonic": ("knots", "levels"),
}


@dataclass(frozen=True)
class Scaler:
    """How raw numbers become scores.

    Attributes
    ----------
    kind : str
        One of `SCALERS`.
    slope, intercept : float
        Of linear and platt; the slope is above 0. Of relative the slope alone.
    knots, levels : tuples of float
        Of isotonic: raw numbers, rising, and the scores at them, not falling. In
        between lies a straight line; outside, the first and last score.
    anchor : bool
        Whether to divide by the score of the reference against itself.
    """

    kind: str = "none"
    slope: float = 1.0
    intercept: float = 0.0
    knots: tuple[float, ...] = ()
    levels: tuple[float, ...] = ()
    anchor: bool = False

    def __post_init__(self) -> None:
        if self.kind not in SCALERS:
            raise UnknownNameError("scaler", self.kind, SCALERS)
        if self.slope <= 0:
            raise InputError(
                f"scaler {self.kind} has slope {self.slope}; it must be above 0, or "
                f"better texts would score lower"
            )
        if self.kind == "isotonic":
            _check_knots(self.knots, self.levels)

    @property
    def needs_identity(self) -> bool:
        """Whether scores depend on the raw number of the reference against itself."""
        return self.anchor or self.kind in ("quasi", "relative")

    def score(self, raw: float, identity: float | None = None) -> float:
        """Return the score of one raw number, without NumPy.

        Parameters
        ----------
        raw : float
        identity : float, optional
            The raw number of the reference against itself.
        """
        if not self.needs_identity:
            return self._plain(raw)
        if identity is None:
            raise self._no_identity()
        if self.kind == "quasi":
            value = 2 * _sigmoid(raw - identity)
            return min(1.0, value) if self.anchor else value
        if self.kind == "relative":
            line = 1.0 + self.slope * (raw - identity)
            return min(1.0, line if line >= BEND else BEND * math.exp(line / BEND - 1))
        top = self._plain(identity)
        if top <= 0:  # as low as can be: only what equals a copy is as good as one
            return float(raw >= identity)
        return min(1.0, self._plain(raw) / top)

    def scores(self, raw: Rows, identity: Rows | float | None = None) -> Rows:
        """Return the score of every raw number.

        Parameters
        ----------
        raw : ndarray
        identity : ndarray or float, optional
            The raw number of each reference against itself, or one for all.
        """
        import numpy as np

        if not self.needs_identity:
            return self._plain_rows(raw)
        if identity is None:
            raise self._no_identity()
        copies = np.broadcast_to(np.asarray(identity, dtype=np.float64), raw.shape)
        if self.kind == "quasi":
            values = 2 * sigmoid(raw - copies)
            return np.minimum(values, 1.0) if self.anchor else values
        if self.kind == "relative":
            line = 1.0 + self.slope * (raw - copies)
            low = BEND * np.exp(np.minimum(line, BEND) / BEND - 1)
            return np.minimum(np.where(line >= BEND, line, low), 1.0)
        values, tops = self._plain_rows(raw), self._plain_rows(copies)
        ratio = values / np.where(tops > 0, tops, 1.0)
        return np.minimum(np.where(tops > 0, ratio, raw >= copies), 1.0)

    def line_slope(self, raw: float, identity: float) -> float | None:
        """Return how much score a text loses per raw number below that of a copy.

        None where the score is not on a line through that of a copy, which is 1.
        """
        if self.kind != "relative":
            return None
        line = 1.0 + self.slope * (raw - identity)
        return self.slope if BEND <= line <= 1.0 else None

    def to_json(self) -> dict[str, object]:
        """Return the scaler as a model file holds it."""
        values = {key: getattr(self, key) for key in _KEYS[self.kind]}
        lists = {k: list(v) if isinstance(v, tuple) else v for k, v in values.items()}
        return {"kind": self.kind, **lists, "anchor": self.anchor}

    @classmethod
    def from_json(cls, data: Mapping[str, object], *, path: str) -> Scaler:
        """Read what :meth:`to_json` wrote."""
        kind = data.get("kind")
        if not isinstance(kind, str) or kind not in SCALERS:
            raise problem(str(UnknownNameError("scaler", str(kind), SCALERS)), path)
        only_keys(data, ("kind", *_KEYS[kind], "anchor"), "scaler", path)
        anchor = data["anchor"]
        if not isinstance(anchor, bool):
            raise problem("scaler.anchor must be true or false", path)
        try:
            if kind == "isotonic":
                knots = numbers(data["knots"], None, "scaler.knots", path)
                levels = numbers(data["levels"], len(knots), "scaler.levels", path)
                return cls(kind, knots=knots, levels=levels, anchor=anchor)
            if "slope" in data:
                slope = number(data["slope"], "scaler.slope", path)
                if kind == "relative":
                    return cls(kind, slope, anchor=anchor)
                intercept = number(data["intercept"], "scaler.intercept", path)
                return cls(kind, slope, intercept, anchor=anchor)
            return cls(kind, anchor=anchor)
        except FormatError:
            raise
        except InputError as error:
            raise problem(str(error), path) from None

    # ------------------------------------------------------------ without anchor

    def _plain(self, raw: float) -> float:
        if self.kind == "none":
            return _sigmoid(raw)
        if self.kind == "isotonic":
            return self._between(raw)
        line = self.slope * raw + self.intercept
        return _sigmoid(line) if self.kind == "platt" else min(max(line / 100, 0), 1)

    def _between(self, raw: float) -> float:
        right = bisect_right(self.knots, raw)
        if right == 0:
            return self.levels[0]
        if right == len(self.knots):
            return self.levels[-1]
        low, high = self.knots[right - 1], self.knots[right]
        bottom, top = self.levels[right - 1], self.levels[right]
        # The same operations in the same order as np.interp.
        return (top - bottom) / (high - low) * (raw - low) + bottom

    def _plain_rows(self, raw: Rows) -> Rows:
        import numpy as np

        if self.kind == "none":
            return sigmoid(raw)
        if self.kind == "isotonic":
            return np.interp(raw, self.knots, self.levels)
        line = self.slope * raw + self.intercept
        return sigmoid(line) if self.kind == "platt" else np.clip(line / 100, 0, 1)

    def _no_identity(self) -> InputError:
        return InputError(
            f"scaler {self.kind}{' with anchor' * self.anchor} needs the features of "
            f"the reference against itself; pass identity"
        )


def sigmoid(values: Rows) -> Rows:
    """Return 1 / (1 + e^-x) of every value, without overflow."""
    import numpy as np

    small = np.exp(-np.abs(values))
    return np.where(values >= 0, 1.0, small) / (1.0 + small)


def _sigmoid(value: float) -> float:
    small = math.exp(-abs(value))
    return (1.0 if value >= 0 else small) / (1.0 + small)


def _check_knots(knots: tuple[float, ...], levels: tuple[float, ...]) -> None:
    """Check that the line of an isotonic scaler rises, within 0 to 1."""
    if not knots or len(knots) != len(levels):
        raise InputError(
            f"scaler isotonic has {len(knots)} knots and {len(levels)} levels; give "
            f"as many of either, and at least one"
        )
    if any(a >= b for a, b in pairwise(knots)):
        raise InputError("knots of scaler isotonic must rise; sort them")
    if any(a > b for a, b in pairwise(levels)):
        raise InputError("levels of scaler isotonic must not fall; fit it again")
    if levels[0] < 0 or levels[-1] > 1:
        raise InputError("levels of scaler isotonic must lie between 0 and 1")
