# SPDX-License-Identifier: Apache-2.0
"""Rankings taken apart: every two systems of a ranking are compared once.

A candidate's rank counts for each system that produced it, so S systems of one
ranking give S(S-1)/2 comparisons, ties among equal outputs included (Macháček 2014,
section 3.1).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.judgements.segment_names import are_short, segment_names, with_names

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

__all__ = ["Comparisons", "Wins", "from_rankings"]

Codes: TypeAlias = "NDArray[np.int32]"
Matrix: TypeAlias = "NDArray[np.float64]"


@dataclass(frozen=True, eq=False)
class Wins:
    """How often each system was better than, or as good as, each other.

    Parameters
    ----------
    systems : tuple of str
    wins : matrix
        ``wins[i, j]``: how often i was better than j.
    ties : matrix
        Symmetric.
    """

    systems: tuple[str, ...]
    wins: Matrix
    ties: Matrix


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Comparisons of two systems, one element of every array each.

    Parameters
    ----------
    systems, segments, judges : tuple of str
        What the numbers in the arrays stand for. Segments that were judged in
        parts have one name per part, ``SEGMENT/PART``; those of several documents or
        campaigns say so (see :mod:`tertium.judgements.segment_names`).
    first, second : array of int
        Systems, ``first < second``.
    outcome : array of int
        1 where the first is better, -1 where the second is, 0 for a tie.
    segment, judge, ranking : array of int
        Judge -1 is unknown. Comparisons of one ranking stand together.
    shared : array of bool, optional
        Where both systems gave the same output, which was judged once.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    judges: tuple[str, ...]
    first: Codes
    second: Codes
    outcome: NDArray[np.int8]
    segment: Codes
    judge: Codes
    ranking: Codes
    shared: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.outcome)

    def select(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> Comparisons:
        """Return the comparisons of a mask, or of numbers, which may repeat."""
        return Comparisons(
            self.systems,
            self.segments,
            self.judges,
            self.first[chosen],
            self.second[chosen],
            self.outcome[chosen],
            self.segment[chosen],
            self.judge[chosen],
            self.ranking[chosen],
            None if self.shared is None else self.shared[chosen],
        )

    def renumbered(self, systems: tuple[str, ...], number: Codes) -> Comparisons:
        """Return the comparisons with other numbers for the systems.

        Parameters
        ----------
        systems : tuple of str
            The new names.
        number : array of int
            The new number of every system.
        """
        first, second = number[self.first], number[self.second]
        swap = first > second
        return replace(
            self,
            systems=systems,
            first=np.where(swap, second, first),
            second=np.where(swap, first, second),
            outcome=np.where(swap, -self.outcome, self.outcome),
        )

    def wins(self, weights: Matrix | None = None) -> Wins:
        """Return the table of wins and ties.

        Parameters
        ----------
        weights : array, optional
            How often each comparison counts in a resample.
        """
        n = len(self.systems)
        place = self.first.astype(np.int64) * n + self.second

        def count(outcome: int) -> Matrix:
            chosen = self.outcome == outcome
            chosen_weights = None if weights is None else weights[chosen]
            counts = np.bincount(place[chosen], chosen_weights, minlength=n * n)
            return counts.astype(np.float64).reshape(n, n)

        ties = count(0)
        return Wins(self.systems, count(1) + count(-1).T, ties + ties.T)


def from_rankings(
    table: pl.LazyFrame, names: pl.DataFrame | None = None
) -> Comparisons:
    """Return the comparisons of a table of rankings.

    Parameters
    ----------
    table : polars.LazyFrame
    names : polars.DataFrame, optional
        Of segments, by :func:`~tertium.judgements.segment_names.segment_names`,
        where several tables must share them.

    Notes
    -----
    Linear in the number of comparisons; the Python loop runs over sizes of
    rankings and pairs of places, not over rankings. Columns are read one by one:
    ten million comparisons of two take less than a gigabyte.
    """
    import polars as pl

    from tertium.judgements.tables import effective_rank, in_order

    table = table.filter(pl.col("system").is_not_null())
    table = in_order(table)
    ranking = _column(table, pl.col("ranking")).to_numpy().astype(np.int32, copy=False)
    rank = _column(table, effective_rank()).to_numpy()
    systems, system = _codes(_column(table, pl.col("system")))
    left, right = _places_of_pairs(ranking)
    outcome = np.sign(rank[right].astype(np.int32) - rank[left]).astype(np.int8)
    first, second = system[left], system[right]
    del rank, system
    shown = _column(table, pl.col("candidate")).to_numpy()
    shared = shown[left] == shown[right]
    del shown, right
    swap = first > second
    outcome[swap] *= -1
    first[swap], second[swap] = second[swap], first[swap]
    # No system is compared with itself, should it be there twice.
    twice = first == second
    segments, of_segment = _segments(table, names)
    of_segment = of_segment[left]
    judges, of_judge = _codes(_column(table, pl.col("judge")))
    of_judge = of_judge[left]
    ranking = ranking[left]
    del left, swap
    comparisons = Comparisons(
        systems,
        segments,
        judges,
        first,
        second,
        outcome,
        of_segment,
        of_judge,
        ranking,
        shared,
    )
    return comparisons.select(~twice) if twice.any() else comparisons


def _places_of_pairs(ranking: Codes) -> tuple[Codes, Codes]:
    """Return the rows of both sides of every pair, those of a ranking together."""
    starts = np.flatnonzero(np.r_[True, ranking[1:] != ranking[:-1]][: len(ranking)])
    starts = starts.astype(np.int32)
    sizes = np.diff(np.r_[starts, np.int32(len(ranking))])
    different = np.unique(sizes)
    first, second = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
    for size in different:
        starts_of_size = starts[sizes == size]
        for a in range(size):
            for b in range(a + 1, size):
                first.append(starts_of_size + np.int32(a))
                second.append(starts_of_size + np.int32(b))
    left, right = np.concatenate(first), np.concatenate(second)
    if len(different) == 1 and different[0] == 2:
        return left, right  # in order already
    order = np.argsort(left, kind="stable")
    return left[order], right[order]


def _segments(
    table: pl.LazyFrame, names: pl.DataFrame | None
) -> tuple[tuple[str, ...], Codes]:
    """Return the names of segments, sorted, and the number of each row's."""
    import polars as pl

    named = segment_names(table) if names is None else names
    if are_short(named):
        return _codes(_column(table, pl.col("segment")))  # by far the fastest
    segments = segment_names(table).drop("name").lazy()
    known = with_names(segments, named).collect().sort("name")
    numbered = known.drop("name").with_row_index("name").cast({"name": pl.Int32})
    rows = with_names(table, numbered).select("name").collect()["name"]
    return tuple(known["name"]), rows.to_numpy()


def _column(table: pl.LazyFrame, what: pl.Expr) -> pl.Series:
    column: pl.Series = table.select(what.alias("found")).collect()["found"]
    return column


def _codes(column: pl.Series) -> tuple[tuple[str, ...], Codes]:
    """Return the names of a column, sorted, and their numbers; -1 for none."""
    import polars as pl

    text = column.cast(pl.Categorical) if column.dtype == pl.String else column
    known = text.unique().drop_nulls().cast(pl.String).sort()
    places = text.cast(pl.Enum(known)).to_physical().cast(pl.Int32).fill_null(-1)
    return tuple(known), places.to_numpy()
