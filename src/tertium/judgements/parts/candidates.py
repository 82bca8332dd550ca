# SPDX-License-Identifier: Apache-2.0
"""Candidates of segment parts: who wrote them, and where they came from.

Judges of SegRanks see candidates without systems (Macháček 2014, section 2.1). What
they said is stored with texts only, until a table tells who produced which text.
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
        Their places in the source, from 0.
    candidates : tuple of str
        Different ones, in the order of the file.
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
        A TSV file without a header: sentence id, source, reference, source segment,
        candidate, indices.

    Raises
    ------
    FormatError
        At a row that cannot be read.

    Notes
    -----
    Rows belong together by sentence and indices, wherever they stand. Grouping
    adjacent rows alone splits some segments.
    """
    found: dict[tuple[str, tuple[int, ...]], tuple[str, str, str]] = {}
    texts: dict[tuple[str, tuple[int, ...]], dict[str, None]] = {}
    for line, cells in _cells(path):
        segment, source, reference, part, candidate, places = cells
        numbers = places.split()
        length = len(source.split())
        if not all(n.isascii() and n.isdigit() and int(n) < length for n in numbers):
            what = f"indices {places!r} are not places of {length} words, from 0"
            raise FormatError(f"{what}; correct them", path=display(path), line=line)
        key = segment, tuple(map(int, numbers))
        known = found.setdefault(key, (source, reference, part))
        if known != (source, reference, part):
            what = (
                f"source, reference or segment of sentence {segment} differ from an "
                "earlier row with the same indices; make them equal"
            )
            raise FormatError(what, path=display(path), line=line)
        texts.setdefault(key, {})[candidate] = None
    return [
        CandidateSet(key[0], *facts, key[1], tuple(texts[key]))
        for key, facts in found.items()
    ]


def _cells(path: str | os.PathLike[str]) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(open_lines(path), start=1):
        if not line:
            continue
        cells = line.split("\t")
        if len(cells) != _FIELDS or not all(cells):
            what = (
                f"{len(cells)} cells, or an empty one, where a row has {_FIELDS}: "
                "sentence id, source, reference, source segment, candidate, indices"
            )
            raise FormatError(what, path=display(path), line=number)
        yield number, cells


def attach_systems(judgements: Judgements, table: pl.DataFrame) -> Judgements:
    """Give candidates that are known by their text the systems that wrote them.

    Parameters
    ----------
    judgements : Judgements
    table : polars.DataFrame
        The columns ``segment``, ``part``, ``system`` and ``text``; ``part`` is empty
        where whole segments were judged. A text counts for every system that has it.

    Returns
    -------
    Judgements
        A candidate that no system has stays without one, and so out of comparisons;
        :func:`unmatched` lists such candidates.

    Raises
    ------
    InputError
        When a column is missing, or nothing fits.
    """
    import polars as pl

    missing = [name for name in _COLUMNS if name not in table.columns]
    if missing:
        message = f"the table of systems lacks {', '.join(missing)}; add it"
        raise InputError(message)
    own = judgements.rankings.collect_schema()
    unknown = pl.col("system").is_null() & pl.col("text").is_not_null()
    keys = ["segment", "part", "text"]
    wanted = (
        table.lazy()
        .select(pl.col(name).cast(pl.String) for name in _COLUMNS)
        .with_columns(pl.col("part").replace("", None))
        .unique(maintain_order=True)
        .rename({"system": "found"})
    )
    # The order of rows is that of the judgements, then that of the table.
    attached = (
        judgements.rankings.filter(unknown)
        .with_columns(pl.col("segment", "part").cast(pl.String))
        .join(
            wanted, on=keys, how="left", nulls_equal=True, maintain_order="left_right"
        )
        .with_columns(pl.col("found").alias("system"))
        .select(pl.col(name).cast(dtype) for name, dtype in own.items())
        .collect()
    )
    if len(attached) and attached["system"].null_count() == len(attached):
        message = (
            "no candidate has a system in the table; compare the names of segments, "
            "the parts and the texts"
        )
        raise InputError(message)
    rest = judgements.rankings.filter(~unknown)
    both = pl.concat([rest, attached.lazy()]).sort("ranking", maintain_order=True)
    return Judgements(both, judgements.ratings, judgements.spans)


class Unmatched(NamedTuple):
    """A candidate whose system is unknown: the ranking, from 0, and what it is."""

    ranking: int
    segment: str
    part: str | None
    text: str


def unmatched(judgements: Judgements) -> list[Unmatched]:
    """Return the ranked candidates that have a text and no system, in their order."""
    import polars as pl

    table = judgements.rankings
    number = table.select(pl.col("ranking").unique().sort()).collect()["ranking"]
    order = {ranking: place for place, ranking in enumerate(number)}
    found = (
        table.filter(pl.col("system").is_null() & pl.col("text").is_not_null())
        .select("ranking", pl.col("segment", "part").cast(pl.String), "text")
        .collect()
    )
    return [Unmatched(order[row[0]], *row[1:]) for row in found.iter_rows()]


def read_system_table(path: str | os.PathLike[str]) -> pl.DataFrame:
    """Return the table of who produced which candidate.

    Parameters
    ----------
    path : path
        A TSV file. Its header names the columns ``segment``, ``part``, ``system`` and
        ``text``; without a header they are sentence id, source segment, system and
        candidate, in this order. More columns are left out.

    Raises
    ------
    FormatError
        When columns are missing.
    """
    need_polars()
    import polars as pl

    columns: list[int] | None = None
    found: list[list[str]] = []
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
            what = f"{len(cells)} cells where a row has {', '.join(_COLUMNS)}; add them"
            raise FormatError(what, path=display(path), line=number)
        found.append([cells[i] for i in columns])
    return pl.DataFrame(found, schema=dict.fromkeys(_COLUMNS, pl.String), orient="row")
