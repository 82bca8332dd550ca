# SPDX-License-Identifier: Apache-2.0
"""How many judgements there are, by whom, of what: counts and shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from tertium.errors import InputError
from tertium.judgements.tables import Judgements

if TYPE_CHECKING:
    import polars as pl

__all__ = ["GROUPS", "Summary", "summarise"]

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
    kind : {"rankings", "ratings", "spans"}
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
    >>> from tertium.judgements import read_judgements
    >>> rankings, ratings = summarise(read_judgements("demo"))
    >>> rankings.judges, rankings.judgements, ratings.judgements
    (6, 202, 400)
    """
    import polars as pl

    for column in by:
        if column not in GROUPS:
            message = f"cannot group by {column!r}; choose from {', '.join(GROUPS)}"
            raise InputError(message)
    found = []
    for kind, table in judgements.tables().items():
        if not set(by) <= set(table.collect_schema().names()):
            continue
        keys = [pl.col(column).cast(pl.String) for column in by] or [
            pl.lit(0).alias("")
        ]
        if kind == "rankings":
            table, figures = _ranking_figures(table, each_system="system" in by)
        else:
            figures = {
                "judgements": pl.len(),
                "comparisons": pl.lit(None),
                "ties": pl.lit(None),
                "garbage": pl.lit(None),
                "duration": pl.col("duration").median(),
            }
        figures |= {
            "judges": pl.col("judge").drop_nulls().n_unique(),
            "systems": pl.col("system").drop_nulls().n_unique(),
            "segments": pl.col("segment").n_unique(),
            "first": pl.col("time").min(),
            "last": pl.col("time").max(),
        }
        named = {f"_{name}": what for name, what in figures.items()}
        rows = table.group_by(keys).agg(**named).sort(keys[0] if not by else list(by))
        for row in rows.collect().iter_rows(named=True):
            group = {column: row[column] for column in by}
            found.append(
                Summary(kind, group, **{name: row[f"_{name}"] for name in figures})
            )
    return found


def _ranking_figures(
    table: pl.LazyFrame, *, each_system: bool
) -> tuple[pl.LazyFrame, dict[str, pl.Expr]]:
    """Return rankings with the pairs and ties of every row, and what to sum up.

    Every pair stands in the rows of both its systems, so it counts twice unless
    each system has figures of its own.
    """
    import polars as pl

    worst = pl.when("garbage").then(2**15 - 1).otherwise(pl.col("rank"))
    counted = table.with_columns(_rank=worst.cast(pl.Int16)).with_columns(
        _pairs=pl.len().over("ranking").cast(pl.Int64) - 1,
        _tied=pl.len().over("ranking", "_rank").cast(pl.Int64) - 1,
    )
    pairs = pl.col("_pairs").sum()
    once = pl.col("duration").filter(pl.col("ranking").is_first_distinct())
    return counted, {
        "judgements": pl.col("ranking").n_unique(),
        "comparisons": pairs if each_system else pairs // 2,
        "ties": pl.when(pairs > 0).then(pl.col("_tied").sum() / pairs),
        "garbage": pl.col("garbage").cast(pl.Float64).mean(),
        "duration": once.median(),
    }
