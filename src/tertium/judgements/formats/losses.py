# SPDX-License-Identifier: Apache-2.0
"""What formats have no place for, and how many judgements lose it.

A format names its losses (:attr:`Format.loses`); :func:`lost` counts those that the
judgements at hand really have, so that a warning is never about nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.judgements.formats.format import Format
from tertium.judgements.scales import CONTROL, DOCUMENT
from tertium.judgements.tables import Judgements
from tertium.notes import Note

if TYPE_CHECKING:
    import polars as pl

__all__ = ["LOSSES", "lost"]

# {"hit": "x"} alone, which judged-tsv has a column for.
_HIT = r'^\{"hit": ?(?:"(?:[^"\\]|\\.)*"|\d+)\}$'


#: What a format can have no place for.
LOSSES = {
    name: Note(f"loss-{name.replace(' ', '-')}")
    for name in (
        "alone",
        "system",
        "judge",
        "document",
        "langpair",
        "campaign",
        "time",
        "duration",
        "text",
        "loose text",
        "meta",
        "other meta",
        "loose meta",
        "garbage",
        "garbage mark",
        "equal",
        "ranks",
        "averaged",
        "unlike",
    )
}


def _rows(name: str) -> pl.Expr:
    """Return which rows of a table have what would be lost."""
    import polars as pl

    rank, rows = pl.col("rank"), pl.len().over("ranking")
    low, high = rank.min().over("ranking"), rank.max().over("ranking")
    meta, scale = pl.col("meta"), pl.col("scale").cast(pl.String)
    special = {
        "alone": rows == 1,
        "loose text": pl.col("text").is_not_null() & pl.col("start").is_null(),
        "other meta": meta.is_not_null() & ~meta.str.contains(_HIT),
        "loose meta": meta.is_not_null() & ~meta.str.starts_with("{"),
        "garbage": pl.col("garbage"),
        "garbage mark": pl.col("garbage"),
        "equal": pl.len().over("ranking", "candidate") > 1,
        # Pairs are read back as the ranks 1 and 2, or 1 and 1.
        "ranks": (rows > 2) | (low != 1) | (high > 2),
        "averaged": pl.len().over("langpair", "scale", "system", "segment") > 1,
        "unlike": scale.str.ends_with(CONTROL) | scale.str.ends_with(DOCUMENT),
    }
    return special.get(name, pl.col(name).is_not_null())


def lost(judgements: Judgements, kind: Format) -> dict[str, int]:
    """Return what a format cannot hold of judgements, and of how many.

    Kinds of judgements that a format does not hold at all are not counted.

    Examples
    --------
    >>> from tertium.judgements import FORMATS, Judgements, Place, Ranking
    >>> places = (Place(("A",), 1), Place(("B",), 2, garbage=True))
    >>> found = Judgements.from_iterable([Ranking(places, "7", duration=3.5)])
    >>> lost(found, FORMATS["wmt-csv"])
    {'durations': 1, 'garbage (becomes the worst rank)': 1}
    """
    import polars as pl

    names = list(kind.loses)
    losses = dict.fromkeys(names, 0)
    for table in kind.kinds if names else ():
        flags = [_rows(name).alias(f"lost {name}") for name in names]
        rows = judgements.tables()[table].with_columns(flags)
        if table == "rankings":
            # A ranking loses something once, however many rows it has.
            rows = rows.group_by("ranking").agg(pl.col(r"^lost .*$").any())
        counts = rows.select(pl.col(r"^lost .*$").sum()).collect().row(0)
        for name, number in zip(names, counts, strict=True):
            losses[name] += int(number)
    return {str(LOSSES[name]): number for name, number in losses.items() if number}
