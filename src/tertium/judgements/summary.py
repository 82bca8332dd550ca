# SPDX-License-Identifier: Apache-2.0
"""How many judgements there are, by whom, of what: counts and shares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError
from tertium.judgements.records import NO_ERROR
from tertium.judgements.scales import CONTROL
from tertium.judgements.tables import Judgements, effective_rank

if TYPE_CHECKING:
    import polars as pl

__all__ = ["GROUPS", "Summary", "count_checks", "count_errors", "summarise"]

#: Columns that may group judgements.
GROUPS = (
    "langpair", "campaign", "judge", "system", "document", "segment", "part", "scale",
    "category", "severity", "side",
)  # fmt: skip


@dataclass(frozen=True)
class Summary:
    """The figures of one kind of judgements in one group.

    Parameters
    ----------
    kind : {"rankings", "ratings", "checks", "spans"}
        Checks are ratings of items that check the judge.
    group : dict of str to str
        The value of every grouping column; None where it is unknown.
    judges, systems, segments, judgements : int
    comparisons : int, optional
        Of two systems; rankings only.
    ties : float, optional
        The share of comparisons that are ties; None without comparisons.
    garbage : float, optional
        The share of ranked outputs that were thrown away.
    first, last : datetime, optional
    duration : float, optional
        The median of seconds for a judgement.
    """

    kind: str
    group: dict[str, str | None]
    judges: int
    systems: int
    segments: int
    judgements: int
    comparisons: int | None
    ties: float | None
    garbage: float | None
    first: datetime | None
    last: datetime | None
    duration: float | None


def summarise(
    judgements: Judgements, by: Sequence[str] = ("langpair", "campaign")
) -> list[Summary]:
    """Return the figures of judgements for every kind and group.

    Parameters
    ----------
    judgements : Judgements
    by : sequence of str
        Columns; a kind that lacks one of them is left out.

    Raises
    ------
    InputError
        When judgements cannot be grouped by a column.

    Examples
    --------
    >>> from tertium.judgements import Judgements
    >>> rankings, ratings = summarise(Judgements.read("demo"))
    >>> rankings.judges, rankings.judgements, ratings.judgements
    (6, 202, 400)
    """
    for column in by:
        if column not in GROUPS:
            message = f"cannot group by {column!r}; choose from {', '.join(GROUPS)}"
            raise InputError(message)
    found = []
    for kind, table in _kinds(judgements):
        if kind == "checks" and not count_checks(judgements):
            continue
        if not set(by) <= set(table.collect_schema().names()):
            continue
        if kind == "rankings":
            figures = _figures_of_rankings(table, by)
        else:
            figures = _figures(table, by, is_repeated=kind == "spans")
        for *values, row in _sorted(figures, by):
            group = dict(zip(by, values, strict=True))
            found.append(Summary(kind, group, **row))
    return found


def _kinds(judgements: Judgements) -> Iterator[tuple[str, pl.LazyFrame]]:
    """Yield the tables, with ratings that check judges apart."""
    import polars as pl

    for kind, table in judgements.tables().items():
        if kind != "ratings":
            yield kind, table
            continue
        is_check = pl.col("scale").cast(pl.String).str.ends_with(CONTROL)
        is_check = is_check.fill_null(value=False)
        yield kind, table.filter(~is_check)
        yield "checks", table.filter(is_check)


def count_checks(judgements: Judgements) -> int:
    """Return how many of the ratings check judges."""
    import polars as pl

    table = dict(_kinds(judgements))["checks"]
    return int(table.select(pl.len()).collect().item())


def count_errors(judgements: Judgements) -> int:
    """Return how many spans mark an error, and do not say that there is none."""
    import polars as pl

    severity = pl.col("severity").cast(pl.String).str.to_lowercase()
    is_error = ~severity.is_in(list(NO_ERROR)).fill_null(value=False)
    return int(judgements.spans.select(is_error.sum()).collect().item())


def _figures(
    table: pl.LazyFrame, by: Sequence[str], *, is_repeated: bool
) -> pl.DataFrame:
    """Return the figures of ratings or spans, a row for every group."""
    import polars as pl

    duration = pl.col("duration")
    if is_repeated:  # Every span of an output has the time for all of it.
        output = ("judge", "system", "campaign", "document", "segment", "time")
        duration = duration.filter(pl.struct(output).is_first_distinct())
    return (
        table.group_by(_keys(by))
        .agg(
            _judges=pl.col("judge").drop_nulls().n_unique(),
            _systems=pl.col("system").drop_nulls().n_unique(),
            _segments=pl.col("segment").n_unique(),
            _judgements=pl.len(),
            _comparisons=pl.lit(None),
            _ties=pl.lit(None),
            _garbage=pl.lit(None),
            _first=pl.col("time").min(),
            _last=pl.col("time").max(),
            _duration=duration.median(),
        )
        .collect()
    )


def _figures_of_rankings(table: pl.LazyFrame, by: Sequence[str]) -> pl.DataFrame:
    """Return the figures of rankings, a row for every group.

    Rankings are taken a part at a time, so that memory does not grow with them.
    """
    import polars as pl

    most = table.select(pl.col("ranking").max()).collect().item()
    parts = [
        _part(table.filter(pl.col("ranking").is_between(start, start + _PART - 1)), by)
        for start in range(0, 1 if most is None else most + 1, _PART)
    ]
    pairs = pl.col("pairs").sum()
    # Every pair stands in the rows of both its systems.
    each = pairs if "system" in by else pairs // 2
    keys = list(by) or ["all"]
    return (
        pl.concat(parts)
        .group_by(keys)
        .agg(
            _judges=_different("judges"),
            _systems=_different("systems"),
            _segments=_different("segments"),
            _judgements=pl.col("judgements").sum(),
            _comparisons=each,
            _ties=pl.when(pairs > 0).then(pl.col("tied").sum() / pairs),
            _garbage=pl.col("garbage").sum() / pl.col("rows").sum(),
            _first=pl.col("first").min(),
            _last=pl.col("last").max(),
            _duration=pl.col("durations").explode().median(),
        )
    )


_PART = 500_000


def _part(table: pl.LazyFrame, by: Sequence[str]) -> pl.DataFrame:
    """Return sums, and lists of what is counted, of some rankings."""
    import polars as pl

    start = pl.col("ranking").is_first_distinct()
    return (
        table.with_columns(effective_rank())
        .with_columns(
            pairs=pl.len().over("ranking").cast(pl.Int64) - 1,
            tied=pl.len().over("ranking", "rank").cast(pl.Int64) - 1,
        )
        .group_by(_keys(by))
        .agg(
            judges=pl.col("judge").unique().drop_nulls(),
            systems=pl.col("system").unique().drop_nulls(),
            segments=pl.col("segment").unique(),
            judgements=pl.col("ranking").n_unique().cast(pl.Int64),
            pairs=pl.col("pairs").sum(),
            tied=pl.col("tied").sum(),
            garbage=pl.col("garbage").sum().cast(pl.Int64),
            rows=pl.len().cast(pl.Int64),
            first=pl.col("time").min(),
            last=pl.col("time").max(),
            durations=pl.col("duration").filter(start).drop_nulls(),
        )
        .collect()
    )


def _keys(by: Sequence[str]) -> list[pl.Expr]:
    import polars as pl

    return [pl.col(column).cast(pl.String) for column in by] or [
        pl.lit("").alias("all")
    ]


def _different(column: str) -> pl.Expr:
    import polars as pl

    return pl.col(column).explode().drop_nulls().n_unique()


def _sorted(frame: pl.DataFrame, by: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the values of the group and the figures, in the order of the values."""
    for row in frame.sort(list(by) or ["all"]).iter_rows(named=True):
        figures = {name[1:]: value for name, value in row.items() if name[0] == "_"}
        yield (*(row[column] for column in by), figures)
