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

from tertium.judgements.estimates import codes, need_scipy
from tertium.judgements.segment_names import SEGMENT

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from tertium.judgements.estimates import Codes
    from tertium.judgements.tables import Judgements

__all__ = ["NEVER", "Outcomes", "every_two", "outcomes", "segment_codes"]

NEVER = -(2**63)

#: Where a judgement was made on: two of these are about the same segment.
PLACE = (SEGMENT[0], "langpair", *SEGMENT[1:])


@dataclass(frozen=True, eq=False)
class Outcomes:
    """What judges said of two candidates, one element of the arrays each.

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
    """Return what a table of rankings says of every two candidates.

    Notes
    -----
    A ranking of n candidates makes n(n-1)/2 statements. Sorting apart, time is
    linear in the statements.
    """
    need_scipy("agreement of judges")
    import polars as pl

    from tertium.judgements.tables import effective_rank

    columns = [
        "ranking",
        "candidate",
        "system",
        "text",
        "judge",
        "part",
        "time",
    ]
    frame = table.select([*columns, effective_rank(), *PLACE]).collect()
    named = frame["system"].is_not_null() | frame["text"].is_not_null()
    nameless = int((~named).sum())
    frame = frame.filter(named)
    judges, judge = judge_codes(frame["judge"])
    segment = segment_codes(frame)
    ranking = codes(frame["ranking"].to_numpy())
    part = codes(segment, physical(frame["part"]))
    member = codes(part, physical(frame["system"]))
    unknown = frame["system"].is_null().to_numpy()
    if unknown.any():  # texts count only where the system is not known
        text = np.where(unknown, physical(frame["text"]), -1)
        member = codes(member, text)
    candidate = _same(member, codes(ranking, frame["candidate"].to_numpy()))
    rank = frame["rank"].cast(pl.Int64).to_numpy()
    time = milliseconds(frame["time"])
    order = np.lexsort((rank, candidate, ranking))
    ranking, candidate = ranking[order], candidate[order]
    segment, judge, rank = segment[order], judge[order], rank[order]
    time = time[order]
    # Equal outputs that one ranking lists twice count once.
    first = np.ones(len(ranking), bool)
    first[1:] = (ranking[1:] != ranking[:-1]) | (candidate[1:] != candidate[:-1])
    ranking, candidate = ranking[first], candidate[first]
    segment, judge, rank = segment[first], judge[first], rank[first]
    time = time[first]
    left, right = every_two(ranking)
    pair = _pairs(candidate, segment, left, right)
    return Outcomes(
        judges,
        int(segment.max(initial=-1)) + 1,
        int(pair.max(initial=-1)) + 1,
        int(ranking.max(initial=-1)) + 1,
        segment[left],
        judge[left],
        ranking[left],
        pair,
        np.sign(rank[right] - rank[left]).astype(np.int8),
        time[left],
        nameless,
    )


def table_of(judgements: Judgements | pl.LazyFrame, name: str) -> pl.LazyFrame:
    """Return a table of judgements; a table stays what it is."""
    from tertium.judgements.tables import Judgements

    if isinstance(judgements, Judgements):
        return judgements.tables()[name]
    return judgements


def segment_codes(frame: pl.DataFrame) -> Codes:
    """Return a number for the segment of every row.

    Segments of the same name in other documents, language pairs or campaigns are
    other segments.
    """
    return codes(*(physical(frame[column]) for column in PLACE))


def judge_codes(column: pl.Series) -> tuple[tuple[str, ...], Codes]:
    """Return the judges, sorted, and the number of each row's; -1 for none."""
    import polars as pl

    names = sorted(column.unique().drop_nulls().cast(pl.String))
    return tuple(names), physical(column)


def physical(column: pl.Series) -> Codes:
    """Return a number for each name of a column, in the order of names; -1 for none.

    The numbers of categories themselves depend on what was read before, and with
    them the draws of a bootstrap would.
    """
    import polars as pl

    named = column.cast(pl.Categorical) if column.dtype == pl.String else column
    known = named.unique().drop_nulls()
    own = known.to_physical().cast(pl.Int64).to_numpy()
    by_name = np.argsort(np.array(known.cast(pl.String).to_list(), dtype=np.str_))
    order = np.argsort(own)
    place = np.empty(len(own), np.int64)
    place[by_name] = np.arange(len(own))
    rows = named.to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
    found: Codes = np.full(len(rows), -1, np.int64)
    there = rows >= 0
    found[there] = place[order][np.searchsorted(own[order], rows[there])]
    return found


def milliseconds(column: pl.Series) -> Codes:
    """Return times as numbers; :data:`NEVER` for none."""
    import polars as pl

    stamps = column.cast(pl.Datetime("ms")).cast(pl.Int64)
    found: Codes = stamps.fill_null(NEVER).to_numpy()
    return found


def _same(member: Codes, shown: Codes) -> Codes:
    """Return which candidate a row is about.

    Members (systems of a segment) that were ever shown as one candidate are one:
    connected components of the graph of members and shown candidates.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    if len(member) == 0:
        return member
    members, shows = int(member.max()) + 1, int(shown.max()) + 1
    ones = np.ones(len(member), np.int8)
    size = members + shows
    graph = coo_matrix((ones, (member, shown + members)), shape=(size, size))
    label = connected_components(graph, directed=False)[1]
    found: Codes = label[member].astype(np.int64)
    return found


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
    left, right = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for size in np.unique(sizes):
        own = starts[sizes == size]
        for a in range(size):
            for b in range(a + 1, size):
                left.append(own + a)
                right.append(own + b)
    return np.concatenate(left), np.concatenate(right)
