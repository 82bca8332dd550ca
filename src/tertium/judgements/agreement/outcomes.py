# SPDX-License-Identifier: Apache-2.0
"""Rankings as statements on two candidates, ready to be held against each other.

Agreement compares *candidates*, not systems (Macháček 2014, section 2.2.1): outputs
that are equal were shown once and judged once. Candidates of two rankings are the
same if they have a system of the segment in common, or, where systems are unknown,
the same text. :class:`~tertium.judgements.comparisons.Comparisons` counts systems
instead, as rankings of systems need it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.judgements.estimates import codes, need_scipy
from tertium.judgements.segment_names import SEGMENT

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from tertium.judgements.comparisons import Comparisons
    from tertium.judgements.estimates import Codes
    from tertium.judgements.tables import Judgements

__all__ = [
    "NEVER",
    "Outcomes",
    "every_two",
    "outcomes",
    "outcomes_of",
    "segment_codes",
    "time_slices",
]

NEVER = -(2**63)

#: Where a judgement was made on: two of these are about the same segment.
PLACE = (SEGMENT[0], "langpair", *SEGMENT[1:])


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Outcomes of two candidates by judge, one element of the arrays each.

    Parameters
    ----------
    judges : tuple of str
        Sorted.
    segments, pairs, rankings : int
        How many there are of each.
    segment, judge, ranking, pair : array of int
        Judge -1 is unknown. A pair is two candidates of one segment (or of one
        part of it).
    sign : array of int
        1 where the first candidate of the pair is better, -1 where the second is,
        0 for a tie.
    time : array of int
        Milliseconds since 1970; :data:`NEVER` where unknown.
    nameless : int
        Places that were left out because neither system nor text is known.
    """

    judges: tuple[str, ...]
    segments: int
    pairs: int
    rankings: int
    segment: Codes
    judge: Codes
    ranking: Codes
    pair: Codes
    sign: NDArray[np.int8]
    time: Codes
    nameless: int = 0

    def __len__(self) -> int:
        return len(self.sign)

    def select(self, chosen: NDArray[np.bool_]) -> Outcomes:
        """Return the outcomes of a mask; all numbers keep their meaning."""
        return replace(
            self,
            segment=self.segment[chosen],
            judge=self.judge[chosen],
            ranking=self.ranking[chosen],
            pair=self.pair[chosen],
            sign=self.sign[chosen],
            time=self.time[chosen],
        )


def outcomes(table: pl.LazyFrame) -> Outcomes:
    """Return the outcomes of every two candidates in a table of rankings.

    Notes
    -----
    A ranking of n candidates makes n(n-1)/2 statements. Sorting apart, time is
    linear in the statements.
    """
    need_scipy("agreement of judges")
    import polars as pl

    from tertium.judgements.tables import effective_rank, in_order

    # Columns are read one by one, and let go as soon as they were used.
    known = pl.col("system").is_not_null() | pl.col("text").is_not_null()
    nameless = int(table.select((~known).sum()).collect().item())
    table = in_order(table.filter(known) if nameless else table)
    segment = segment_codes(table)
    candidate = _candidates(table, segment)
    ranking = codes(_column(table, pl.col("ranking")).to_numpy())
    # By candidate within rankings, so that two of them always come in one order.
    key = ranking * (int(candidate.max(initial=0)) + 1) + candidate
    order: Codes = np.argsort(key, kind="stable")
    ranking, candidate = ranking[order], candidate[order]
    rank = _column(table, effective_rank()).cast(pl.Int32).to_numpy()[order]
    first = np.ones(len(order), bool)
    first[1:] = np.diff(key[order]) != 0
    del key
    if not first.all():  # equal outputs that one ranking lists twice count once
        rank = np.minimum.reduceat(rank, np.flatnonzero(first))
        ranking, candidate, order = ranking[first], candidate[first], order[first]
    left, right = every_two(ranking)
    sign = np.sign(rank[right] - rank[left]).astype(np.int8)
    rankings, segments = int(ranking.max(initial=-1)) + 1, _number_of(segment)
    pair = _pairs(candidate, segment[order], left, right)
    ranking = ranking[left]
    row = order[left]
    del candidate, rank, right, left, order
    segment = segment[row]
    judges, judge = judge_codes(_column(table, pl.col("judge")))
    judge = judge[row]
    time = milliseconds(_column(table, pl.col("time")))
    return Outcomes(
        judges,
        segments,
        _number_of(pair),
        rankings,
        segment,
        judge,
        ranking,
        pair,
        sign,
        # Where no time is known, as often, one number stands for all.
        time[row] if (time != NEVER).any() else np.broadcast_to(NEVER, row.shape),
        nameless,
    )


def time_slices(outcomes: Outcomes, slices: int) -> tuple[Outcomes, Codes]:
    """Return the outcomes with a time, and the number of the slice of each.

    Slices hold about as many outcomes; there are fewer where times are few.
    """
    if slices < 1:
        message = f"slices must be at least 1, not {slices}"
        raise InputError(message)
    timed = outcomes.select(outcomes.time != NEVER)
    if not len(timed):
        return timed, np.zeros(0, np.int64)
    shares = np.arange(1, slices + 1) / slices
    cuts = np.unique(np.quantile(timed.time, shares, method="higher"))
    return timed, np.searchsorted(cuts, timed.time).astype(np.int64)


def _candidates(table: pl.LazyFrame, segment: Codes) -> Codes:
    """Return which candidate every row of a table is about."""
    import polars as pl

    part = codes(segment, physical(_column(table, pl.col("part"))))
    system = _column(table, pl.col("system"))
    member = codes(part, physical(system))
    if system.null_count():  # texts count only where the system is not known
        text = physical(_column(table, pl.col("text")))
        member = codes(member, np.where(system.is_null().to_numpy(), text, -1))
    shown = _column(table, pl.col("candidate")).to_numpy().astype(np.int64)
    ranking = _column(table, pl.col("ranking")).to_numpy().astype(np.int64)
    shown += (ranking - ranking.min(initial=0)) * (int(shown.max(initial=0)) + 1)
    return _same(member, shown)


def _column(table: pl.LazyFrame, what: pl.Expr) -> pl.Series:
    column: pl.Series = table.select(what.alias("found")).collect()["found"]
    return column


def _number_of(numbers: Codes) -> int:
    return int(numbers.max(initial=-1)) + 1


def outcomes_of(comparisons: Comparisons) -> Outcomes:
    """Return comparisons of systems as outcomes of candidates.

    Systems that were shown as one candidate of a segment are one, as in
    :func:`outcomes`. There are no times.
    """
    systems = max(1, len(comparisons.systems))
    segment = comparisons.segment.astype(np.int64)
    first = segment * systems + comparisons.first
    second = segment * systems + comparisons.second
    if comparisons.shared is not None and comparisons.shared.any():
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components

        one, other = first[comparisons.shared], second[comparisons.shared]
        size = int(second.max()) + 1  # the second is the larger one
        edges = (np.ones(len(one), np.int8), (one, other))
        graph = coo_matrix(edges, shape=(size, size))
        label = connected_components(graph, directed=False)[1].astype(np.int64)
        first, second = label[first], label[second]
    swap = first > second
    low, high = np.where(swap, second, first), np.where(swap, first, second)
    pair = codes(low, high)
    ranking = codes(comparisons.ranking)
    # Every two candidates once a ranking, however many systems each stands for.
    _, row = np.unique(ranking * (_number_of(pair) + 1) + pair, return_index=True)
    row = row[(low != high)[row]]
    sign = np.where(swap, -comparisons.outcome, comparisons.outcome)
    return Outcomes(
        comparisons.judges,
        len(comparisons.segments),
        _number_of(pair),
        _number_of(ranking),
        segment[row],
        comparisons.judge[row].astype(np.int64),
        ranking[row],
        pair[row],
        sign[row].astype(np.int8),
        np.broadcast_to(NEVER, row.shape),
    )


def table_of(judgements: Judgements | pl.LazyFrame, name: str) -> pl.LazyFrame:
    """Return a table of judgements; a table stays what it is."""
    from tertium.judgements.tables import Judgements

    if isinstance(judgements, Judgements):
        return judgements.tables()[name]
    return judgements


def segment_codes(table: pl.DataFrame | pl.LazyFrame) -> Codes:
    """Return a number for the segment of every row.

    Segments of the same name in other documents, language pairs or campaigns are
    other segments.
    """
    import polars as pl

    lazy = table.lazy()
    return codes(*(physical(_column(lazy, pl.col(column))) for column in PLACE))


def judge_codes(column: pl.Series) -> tuple[tuple[str, ...], Codes]:
    """Return the judges, sorted, and the number of each row's; -1 for none."""
    import polars as pl

    names = sorted(column.unique().drop_nulls().cast(pl.String))
    return tuple(names), physical(column)


def physical(column: pl.Series) -> Codes:
    """Return a number for each name of a column, in the order of names; -1 for none.

    The numbers of categories themselves depend on what was read before, and with
    them the samples of a bootstrap would.
    """
    import polars as pl

    named = column.cast(pl.Categorical) if column.dtype == pl.String else column
    known = named.unique().drop_nulls()
    codes = known.to_physical().cast(pl.Int64).to_numpy()
    by_name = np.argsort(np.array(known.cast(pl.String).to_list(), dtype=np.str_))
    # The last place is that of -1, for none.
    place = np.full(int(codes.max(initial=-1)) + 2, -1, np.int64)
    place[codes[by_name]] = np.arange(len(codes))
    rows = named.to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
    places: Codes = place[rows]
    return places


def milliseconds(column: pl.Series) -> Codes:
    """Return times as numbers; :data:`NEVER` for none."""
    import polars as pl

    stamps = column.cast(pl.Datetime("ms")).cast(pl.Int64)
    times: Codes = stamps.fill_null(NEVER).to_numpy()
    return times


def _same(member: Codes, shown: Codes) -> Codes:
    """Return which candidate a row is about.

    Members (systems of a segment) that were ever shown as one candidate are one:
    connected components of the graph of members that were shown together.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    if (np.diff(shown) > 0).all():
        return member  # nothing was ever shown as one
    order = np.argsort(shown, kind="stable")
    together = np.flatnonzero(np.diff(shown[order]) == 0)
    one, other = member[order[together]], member[order[together + 1]]
    size = _number_of(member)
    edges = (np.ones(len(one), np.int8), (one, other))
    graph = coo_matrix(edges, shape=(size, size))
    label = connected_components(graph, directed=False)[1]
    labels: Codes = label[member].astype(np.int64)
    return labels


def _pairs(candidate: Codes, segment: Codes, left: Codes, right: Codes) -> Codes:
    """Return a number for every two candidates that were compared.

    The second is counted within its segment, which keeps numbers small.
    """
    if not len(candidate):
        return left
    of_segment = np.zeros(int(candidate.max()) + 1, np.int64)
    of_segment[candidate] = segment
    order = np.argsort(of_segment, kind="stable")
    starts = np.searchsorted(of_segment[order], np.arange(int(segment.max()) + 2))
    local = np.empty(len(order), np.int64)
    local[order] = np.arange(len(order)) - starts[of_segment[order]]
    return codes(candidate[left] * (int(local.max()) + 1) + local[candidate[right]])


def every_two(ranking: Codes) -> tuple[Codes, Codes]:
    """Return every two rows of each ranking; rows are sorted by ranking.

    The Python loop runs over sizes of rankings and pairs of places.
    """
    starts = np.flatnonzero(np.r_[True, ranking[1:] != ranking[:-1]][: len(ranking)])
    sizes = np.diff(np.r_[starts, len(ranking)])
    left: list[Codes] = []
    right: list[Codes] = []
    for size in np.unique(sizes):
        first = starts[sizes == size]
        for a in range(size):
            for b in range(a + 1, size):
                left.append(first + a)
                right.append(first + b)
    if not left:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    if len(left) == 1:
        return left[0], right[0]
    return np.concatenate(left), np.concatenate(right)
