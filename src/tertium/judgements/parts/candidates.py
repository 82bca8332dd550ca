# SPDX-License-Identifier: Apache-2.0
"""Candidate translations of parts, and the systems that wrote them.

SegRanks shows candidates without systems (Macháček 2014, section 2.1). Judgements are
stored with texts only, until a table names the systems that produced each text.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tertium.data.formats.comma import read_table
from tertium.data.lines import display, open_lines
from tertium.errors import FormatError, InputError
from tertium.judgements.tables import Judgements, need_polars

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "CandidateSet",
    "Unmatched",
    "attach_systems",
    "read_candidates",
    "read_system_table",
    "unmatched",
]

_COLUMNS = ("segment", "part", "system", "text")
_FIELDS = 6


@dataclass(frozen=True)
class CandidateSet:
    """A part of a source sentence with its different translations.

    Parameters
    ----------
    segment, source, reference : str
        The sentence: its name, the tokenised source and reference.
    part : str
        The words of the part.
    indices : tuple of int
        Their places in the source, counted from 0.
    candidates : tuple of str
        Without duplicates, in the order of the file.
    """

    segment: str
    source: str
    reference: str
    part: str
    indices: tuple[int, ...]
    candidates: tuple[str, ...]


def read_candidates(path: str | os.PathLike[str]) -> list[CandidateSet]:
    """Return the candidates of a SegRanks project.

    Parameters
    ----------
    path : path
        A TSV file without a header: sentence id, source, reference, part of the
        source, candidate, indices.

    Raises
    ------
    FormatError
        At an invalid row.

    Notes
    -----
    Rows are grouped by sentence and indices, wherever they are in the file. Grouping
    only adjacent rows would split some parts.
    """
    facts: dict[tuple[str, tuple[int, ...]], tuple[str, str, str]] = {}
    texts: dict[tuple[str, tuple[int, ...]], dict[str, None]] = {}
    for line, cells in _cells(path):
        segment, source, reference, part, candidate, places = cells
        numbers = places.split()
        length = len(source.split())
        if not all(n.isascii() and n.isdigit() and int(n) < length for n in numbers):
            what = f"indices {places!r} do not fit {length} words, counted from 0"
            raise FormatError(f"{what}; correct them", path=display(path), line=line)
        key = segment, tuple(map(int, numbers))
        known = facts.setdefault(key, (source, reference, part))
        if known != (source, reference, part):
            what = (
                f"source, reference or part of sentence {segment} differ from an "
                "earlier row with the same indices; make them equal"
            )
            raise FormatError(what, path=display(path), line=line)
        texts.setdefault(key, {})[candidate] = None
    return [
        CandidateSet(key[0], *columns, key[1], tuple(texts[key]))
        for key, columns in facts.items()
    ]


def _cells(path: str | os.PathLike[str]) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(open_lines(path), start=1):
        if not line:
            continue
        cells = line.split("\t")
        if len(cells) != _FIELDS or not all(cells):
            what = (
                f"{len(cells)} cells, or an empty one; a row has {_FIELDS}: sentence "
                "id, source, reference, part of the source, candidate, indices"
            )
            raise FormatError(what, path=display(path), line=number)
        yield number, cells


def attach_systems(judgements: Judgements, table: pl.DataFrame) -> Judgements:
    """Return judgements with the systems that wrote the judged texts.

    Parameters
    ----------
    judgements : Judgements
    table : polars.DataFrame
        The columns ``segment``, ``part``, ``system`` and ``text``; ``part`` is empty
        where whole segments were judged. A text counts for every system that wrote it.

    Returns
    -------
    Judgements
        A candidate that is not in the table stays without a system and is left out of
        comparisons; :func:`unmatched` lists such candidates.

    Raises
    ------
    InputError
        When a column is missing, or no candidate is in the table.
    """
    import polars as pl

    missing = [name for name in _COLUMNS if name not in table.columns]
    if missing:
        message = f"the system table lacks {', '.join(missing)}; add it"
        raise InputError(message)
    schema = judgements.rankings.collect_schema()
    unknown = pl.col("system").is_null() & pl.col("text").is_not_null()
    keys = ["segment", "part", "text"]
    wanted = (
        table.lazy()
        .select(pl.col(name).cast(pl.String) for name in _COLUMNS)
        .with_columns(pl.col("part").replace("", None))
        .unique(maintain_order=True)
        .rename({"system": "matched"})
    )
    # The order of rows is that of the judgements, then that of the table.
    attached = (
        judgements.rankings.filter(unknown)
        .with_columns(pl.col("segment", "part").cast(pl.String))
        .join(
            wanted, on=keys, how="left", nulls_equal=True, maintain_order="left_right"
        )
        .with_columns(pl.col("matched").alias("system"))
        .select(pl.col(name).cast(dtype) for name, dtype in schema.items())
        .collect()
    )
    if len(attached) and attached["system"].null_count() == len(attached):
        message = (
            "no candidate is in the system table; compare segment names, parts and "
            "texts"
        )
        raise InputError(message)
    rest = judgements.rankings.filter(~unknown)
    both = pl.concat([rest, attached.lazy()]).sort("ranking", maintain_order=True)
    return Judgements(both, judgements.ratings, judgements.spans)


class Unmatched(NamedTuple):
    """A candidate without a known system; rankings are counted from 0."""

    ranking: int
    segment: str
    part: str | None
    text: str


def unmatched(judgements: Judgements) -> list[Unmatched]:
    """Return the ranked candidates that have a text but no system, in order."""
    import polars as pl

    table = judgements.rankings
    number = table.select(pl.col("ranking").unique().sort()).collect()["ranking"]
    order = {ranking: place for place, ranking in enumerate(number)}
    rows = (
        table.filter(pl.col("system").is_null() & pl.col("text").is_not_null())
        .select("ranking", pl.col("segment", "part").cast(pl.String), "text")
        .collect()
    )
    return [Unmatched(order[row[0]], *row[1:]) for row in rows.iter_rows()]


def read_system_table(path: str | os.PathLike[str]) -> pl.DataFrame:
    """Return a table of systems and the candidates they wrote.

    Parameters
    ----------
    path : path
        A TSV file. Its header names the columns ``segment``, ``part``, ``system`` and
        ``text``; without a header they are sentence id, part of the source, system and
        candidate, in this order. Further columns are ignored.

    Raises
    ------
    FormatError
        When columns are missing.
    """
    need_polars()
    import polars as pl

    columns: list[int] | None = None
    rows: list[list[str]] = []
    for number, cells in read_table(path):
        if cells == [""]:
            continue
        if columns is None:
            named = all(name in cells for name in _COLUMNS)
            columns = (
                [cells.index(name) for name in _COLUMNS] if named else [0, 1, 2, 3]
            )
            if named:
                continue
        if len(cells) <= max(columns):
            what = f"{len(cells)} cells, but a row has {', '.join(_COLUMNS)}; add them"
            raise FormatError(what, path=display(path), line=number)
        rows.append([cells[i] for i in columns])
    return pl.DataFrame(rows, schema=dict.fromkeys(_COLUMNS, pl.String), orient="row")
