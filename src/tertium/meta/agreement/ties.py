# SPDX-License-Identifier: Apache-2.0
"""Kendall's tau of pairwise comparisons, with any treatment of ties.

A comparison of two translations falls into one of nine cells: the human outcome
(first better ``<``, tied ``=``, second better ``>``) by what the metric says. A
matrix of -1, 0, 1 and X says what a cell counts: with counts S and coefficients C,
tau = sum C S / sum S over the cells that are not X (Macháček and Bojar 2014).

Since tau depends on nine counts only, resampling comparisons with replacement is
drawing counts from a multinomial distribution: the same distribution of tau at a
cost that does not depend on the number of comparisons.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError, UnknownNameError
from tertium.stats.resample import check_run, interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]
    Vector: TypeAlias = Sequence[float] | Array

__all__ = [
    "TIE_MATRICES",
    "CellDifference",
    "Cells",
    "TieMatrix",
    "bootstrap_difference",
    "cell_numbers",
    "cells_from",
    "draw_taus",
    "signs_from_ratings",
    "tau",
    "taus",
    "tie_matrix",
]

_ROWS = "<=>"


@dataclass(frozen=True)
class TieMatrix:
    """What each of the nine cells counts.

    Attributes
    ----------
    values : tuple of three tuples of three
        Rows: judges say ``< = >``; columns: the metric does. -1, 0, 1, or None for a
        cell that is left out (X).
    name : str
    """

    values: tuple[tuple[int | None, ...], ...]
    name: str = "own"

    def __post_init__(self) -> None:
        values = tuple(tuple(row) for row in self.values)
        if [len(row) for row in values] != [3, 3, 3]:
            message = "a tie matrix has three rows of three cells"
            raise InputError(message)
        for r, row in enumerate(values):
            for c, value in enumerate(row):
                if value not in (-1, 0, 1, None):
                    message = (
                        f"cell ({_ROWS[r]}, {_ROWS[c]}) of a tie matrix is {value!r}; "
                        "use -1, 0, 1, or X for a cell that is left out"
                    )
                    raise InputError(message)
        object.__setattr__(self, "values", values)

    @classmethod
    def parse(cls, text: str, name: str = "own") -> TieMatrix:
        """Return the matrix written as nine words, row by row.

        Examples
        --------
        >>> TieMatrix.parse("1 0 -1  X X X  -1 0 1") == tie_matrix("wmt14")
        False
        >>> TieMatrix.parse("1 0 -1  X X X  -1 0 1", "wmt14") == tie_matrix("wmt14")
        True
        """
        words = text.replace(",", " ").replace(";", " ").split()
        known = {"1": 1, "+1": 1, "0": 0, "-1": -1, "x": None}
        if len(words) != 9 or any(word.lower() not in known for word in words):
            message = f"{text!r} is not a tie matrix; give nine of -1, 0, 1 and X"
            raise InputError(message)
        cells = [known[word.lower()] for word in words]
        return cls((tuple(cells[:3]), tuple(cells[3:6]), tuple(cells[6:])), name)

    def __str__(self) -> str:
        return "; ".join(
            " ".join("X" if value is None else str(value) for value in row)
            for row in self.values
        )


#: The matrices of the WMT metrics tasks (Macháček 2014, table of section 4.4). In
#: WMT12 a tie of the metric counts as wrong, in WMT13 it is left out, in WMT14 it
#: counts as half right; HTIES also rewards human ties. daRR (WMT17 to
#: WMT20) has the cells of WMT12 on comparisons that come from ratings at least 25
#: points apart (see :func:`signs_from_ratings`).
TIE_MATRICES = {
    name: TieMatrix.parse(text, name)
    for name, text in (
        ("wmt12", "1 -1 -1  X X X  -1 -1 1"),
        ("wmt13", "1  X -1  X X X  -1  X 1"),
        ("wmt14", "1  0 -1  X X X  -1  0 1"),
        ("hties", "1  0 -1  0 1 0  -1  0 1"),
        ("darr", "1 -1 -1  X X X  -1 -1 1"),
    )
}


def tie_matrix(name: str) -> TieMatrix:
    """Return a preset by its name, or the matrix written as nine words."""
    if name in TIE_MATRICES:
        return TIE_MATRICES[name]
    if len(name.split()) > 1:
        return TieMatrix.parse(name)
    raise UnknownNameError("tie matrix", name, TIE_MATRICES)


@dataclass(frozen=True)
class Cells:
    """How many comparisons fell into each cell.

    Attributes
    ----------
    counts : tuple of three tuples of three
        Rows: judges say ``< = >`` (first better, tied, second better); columns: the
        metric does.
    """

    counts: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        counts = tuple(tuple(int(count) for count in row) for row in self.counts)
        if [len(row) for row in counts] != [3, 3, 3] or min(map(min, counts)) < 0:
            message = "cells are three rows of three counts, none below 0"
            raise InputError(message)
        object.__setattr__(self, "counts", counts)

    def __add__(self, other: Cells) -> Cells:
        return Cells(
            tuple(
                tuple(a + b for a, b in zip(*rows, strict=True))
                for rows in zip(self.counts, other.counts, strict=True)
            )
        )

    @property
    def total(self) -> int:
        """The number of comparisons."""
        return sum(map(sum, self.counts))


def _sides(values: Vector, epsilon: float, what: str) -> NDArray[np.int64]:
    """Return 0 for ``<`` (a positive number: the first is better), 1, 2."""
    vector = np.asarray(values, dtype=np.float64)
    wrong = np.flatnonzero(np.isnan(vector))
    if wrong.size:
        message = (
            f"{what} {int(wrong[0])} is missing; leave out comparisons without scores"
        )
        raise InputError(message)
    return np.where(vector > epsilon, 0, np.where(vector < -epsilon, 2, 1))


def cells_from(
    human_signs: Vector, metric_differences: Vector, epsilon: float = 0.0
) -> Cells:
    """Count comparisons.

    Parameters
    ----------
    human_signs : sequence of float
        Positive where judges prefer the first translation, 0 for a tie.
    metric_differences : sequence of float
        Score of the first minus score of the second; higher scores are better.
    epsilon : float
        Differences up to this are ties of the metric.

    Examples
    --------
    >>> cells_from([1, 1, -1, 0], [0.5, 0.1, 0.0, -2.0]).counts
    ((2, 0, 0), (0, 0, 1), (0, 1, 0))
    """
    numbers = cell_numbers(human_signs, metric_differences, epsilon)
    counts = np.bincount(numbers, minlength=9).reshape(3, 3)
    return Cells(tuple(tuple(row) for row in counts.tolist()))


def cell_numbers(
    human_signs: Vector, metric_differences: Vector, epsilon: float = 0.0
) -> NDArray[np.int64]:
    """Return the cell of every comparison, 0 to 8, row by row (see `cells_from`)."""
    if not epsilon >= 0:
        message = f"epsilon must be 0 or more, not {epsilon}"
        raise InputError(message)
    rows = _sides(human_signs, 0.0, "human sign")
    columns = _sides(metric_differences, epsilon, "metric difference")
    if len(rows) != len(columns):
        message = (
            f"{len(rows)} human comparisons, {len(columns)} by the metric; give "
            "one of each"
        )
        raise InputError(message)
    return rows * 3 + columns


def signs_from_ratings(first: Array, second: Array, *, threshold: float) -> Array:
    """Return who is better by ratings: 1, -1, or 0 if they make no comparison.

    The rule of daRR (Bojar, Graham and Kamran 2017): only ratings far enough apart
    make a comparison, 25 points of 100. One that is missing (NaN) makes none.

    Examples
    --------
    >>> first, second = np.array([80.0, 50.0, 10.0]), np.array([50.0, 49.0, 35.0])
    >>> signs_from_ratings(first, second, threshold=25).tolist()
    [1.0, 0.0, -1.0]
    """
    apart = np.nan_to_num(first - second)
    signs: Array = np.where(np.abs(apart) >= threshold, np.sign(apart), 0.0)
    return signs


def tau(cells: Cells, matrix: TieMatrix) -> float | None:
    """Return tau of the counts, None if no counted cell holds a comparison.

    Examples
    --------
    >>> tau(Cells(((7, 2, 3), (1, 4, 2), (2, 1, 8))), tie_matrix("wmt13"))
    0.5
    """
    above = below = 0
    for counts, values in zip(cells.counts, matrix.values, strict=True):
        for count, value in zip(counts, values, strict=True):
            if value is not None:
                above += value * count
                below += count
    return above / below if below else None


def draw_taus(
    cells: Cells, matrix: TieMatrix, *, resamples: int = 1000, seed: int = SEED
) -> NDArray[np.float64]:
    """Return tau of resampled comparisons, NaN where it is not defined.

    O(resamples), whatever the number of comparisons.
    """
    drawn = _multinomial(np.array(cells.counts).ravel(), resamples, seed)
    return taus(drawn, matrix)


@dataclass(frozen=True)
class CellDifference:
    """A paired bootstrap of two metrics on the same comparisons.

    Attributes
    ----------
    difference : float
        tau of the first minus tau of the second.
    interval : pair of float
        Of the difference.
    p : float
        Two-sided, of no difference.
    """

    difference: float
    interval: tuple[float, float]
    p: float


def bootstrap_difference(
    human_signs: Vector,
    first: Vector,
    second: Vector,
    matrix: TieMatrix,
    *,
    epsilons: tuple[float, float] = (0.0, 0.0),
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
) -> CellDifference | None:
    """Return the paired bootstrap of two metrics' difference in tau.

    Two metrics and the judges have 27 cells together; sampling these keeps the pairing.

    Parameters
    ----------
    human_signs : sequence of float
        As in :func:`cells_from`.
    first, second : sequence of float
        Score differences of the two metrics.
    matrix : TieMatrix
    epsilons : pair of float
        Which differences are ties, for either metric.
    """
    sides = [
        _sides(human_signs, 0.0, "human sign"),
        _sides(first, epsilons[0], "difference of the first metric"),
        _sides(second, epsilons[1], "difference of the second metric"),
    ]
    if len({len(side) for side in sides}) > 1:
        message = f"comparisons differ in number: {[len(side) for side in sides]}"
        raise InputError(message)
    joint = np.bincount(sides[0] * 9 + sides[1] * 3 + sides[2], minlength=27)
    counts = np.concatenate(
        [joint[None], _multinomial(joint, resamples, seed)]
    ).reshape(-1, 3, 3, 3)
    one, other = (taus(counts.sum(axis=axis).reshape(-1, 9), matrix) for axis in (3, 2))
    differences = one - other
    observed = float(differences[0])
    drawn = differences[1:][~np.isnan(differences[1:])]
    if math.isnan(observed) or not len(drawn):
        return None
    from tertium.stats.paired import p_value

    return CellDifference(
        observed,
        interval(drawn, confidence=confidence),
        p_value(drawn - observed, observed),
    )


def _multinomial(
    counts: NDArray[np.int64], resamples: int, seed: int
) -> NDArray[np.int64]:
    check_run(resamples, seed)
    total = int(counts.sum())
    if total == 0:
        return np.zeros((resamples, len(counts)), dtype=np.int64)
    # NumPy promises never to change the numbers of this older interface.
    random = np.random.RandomState(np.random.MT19937(np.random.SeedSequence(seed)))
    return random.multinomial(total, counts / total, size=resamples).astype(np.int64)


def taus(
    counts: NDArray[np.int64] | NDArray[np.float64], matrix: TieMatrix
) -> NDArray[np.float64]:
    """Return tau of rows of nine counts, NaN where it is not defined."""
    flat = [value for row in matrix.values for value in row]
    weights = np.array([0 if value is None else value for value in flat])
    used = np.array([value is not None for value in flat])
    below = counts[:, used].sum(axis=1)
    out: NDArray[np.float64] = np.full(len(counts), np.nan)
    np.divide(counts @ weights, below, out=out, where=below > 0)
    return out
