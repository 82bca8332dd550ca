# SPDX-License-Identifier: Apache-2.0
"""Lists of pairs: who was better on which segment.

Two forms, with tabs, commas or spaces between cells:

* ``seg better worse``, as the metrics tasks of WMT list comparisons; from 2017 on as
  ``LP DATA SID BETTER WORSE``;
* ``seg a b relation``, where the relation is ``<`` if a is better (its rank is
  lower), ``=`` for a tie and ``>`` if b is better.

Without a header the columns must be these, in this order.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from tertium.data.formats.comma import write_table
from tertium.data.lines import display, open_lines
from tertium.errors import FormatError, InputError
from tertium.judgements.formats.cells import cut
from tertium.judgements.formats.exporting import ranked, whole_rankings
from tertium.judgements.formats.format import (
    Format,
    ImportOptions,
    Numbered,
    unnumbered,
)
from tertium.judgements.formats.names import file_langpair, system_name
from tertium.judgements.judgement import Bad, Place, Ranking
from tertium.judgements.tables import Judgements

__all__ = ["PAIRS"]

_NAMES = {
    "seg": "segment", "segment": "segment", "sid": "segment", "segmentid": "segment",
    "id": "segment", "better": "better", "worse": "worse",
    "a": "a", "sysa": "a", "systema": "a", "system1": "a", "sys1": "a",
    "b": "b", "sysb": "b", "systemb": "b", "system2": "b", "sys2": "b",
    "relation": "relation", "outcome": "relation", "result": "relation",
    "lp": "langpair", "langpair": "langpair", "data": "campaign",
    "campaign": "campaign", "judge": "judge", "document": "document",
}  # fmt: skip
_RANKS = {"<": (1, 2), "=": (1, 1), ">": (2, 1)}
_BREAKS = frozenset("\t\n\r")
_BETTER = ["segment", "better", "worse"]
_RELATION = ["segment", "a", "b", "relation"]

Split = Callable[[str], list[str]]


def _splitter(line: str) -> Split:
    if "\t" in line:
        return lambda text: text.split("\t")
    for mark in ",;":
        if mark in line:
            return lambda text, mark=mark: [cell.strip() for cell in cut(text, mark)]  # type: ignore[misc]
    return str.split


def _header(line: str) -> list[str] | None:
    """Return what the columns hold if a line is a header."""
    names = [cell.strip().lower().replace("_", "") for cell in _splitter(line)(line)]
    columns = [_NAMES.get(name, "") for name in names]
    whole = "segment" in columns and len(set(columns) - {""}) == len(
        columns
    ) - columns.count("")
    pair = {"better", "worse"} <= set(columns) or {"a", "b", "relation"} <= set(columns)
    return columns if whole and pair else None


def _layout(line: str) -> list[str] | None:
    """Return the columns of a file without a header from its first line."""
    cells = _splitter(line)(line)
    if len(cells) == 4 and cells[3] in _RANKS:
        return _RELATION
    return _BETTER if len(cells) == 3 else None


def _read(path: str, options: ImportOptions) -> Iterator[Numbered]:
    options = options._replace(langpair=options.langpair or file_langpair(path))
    columns: list[str] | None = None
    split: Split = str.split
    for number, line in enumerate(open_lines(path), start=1):
        if not line.strip():
            continue
        if columns is None:
            split = _splitter(line)
            columns = _header(line)
            if columns is not None:
                continue
            columns = _layout(line)
            if columns is None:
                what = (
                    "neither seg, better, worse nor seg, a, b and one of < = >; "
                    "add a header that names the columns"
                )
                raise FormatError(what, path=display(path), line=number)
        try:
            cells = split(line)
        except ValueError as error:
            yield number, Bad(number, str(error), line)
            continue
        # The file of 2018 lacks the name of one column in its header.
        if len(cells) == 5 and columns == ["langpair", *_BETTER]:
            columns = ["langpair", "campaign", *_BETTER]
        if len(cells) != len(columns):
            reason = f"{len(cells)} fields where there should be {len(columns)}"
            yield number, Bad(number, reason, line)
            continue
        ranking: Ranking | Bad | str = _ranking(
            dict(zip(columns, cells, strict=True)), options
        )
        if isinstance(ranking, str):
            ranking = Bad(number, ranking, line)
        yield number, ranking


def _ranking(row: dict[str, str], options: ImportOptions) -> Ranking | str:
    """Return the ranking of a row, or what is wrong with it."""
    if "relation" in row:
        if row["relation"] not in _RANKS:
            return f"relation {row['relation']!r} is none of < = >"
        first, second = row["a"], row["b"]
        ranks = _RANKS[row["relation"]]
    else:
        first, second, ranks = row["better"], row["worse"], (1, 2)
    first, second = system_name(first), system_name(second)
    if not row["segment"] or not first or not second:
        return "segment or system is empty"
    if first == second:
        return f"{first!r} is compared with itself"
    return Ranking(
        (Place((first,), ranks[0]), Place((second,), ranks[1])),
        row["segment"],
        judge=row.get("judge") or None,
        document=row.get("document") or None,
        langpair=options.langpair or row.get("langpair") or None,
        campaign=options.campaign or row.get("campaign") or None,
    )


def _fits(path: str, head: Sequence[str]) -> bool:
    if not head or head[0].startswith("{"):  # JSON, whatever its commas
        return False
    if _header(head[0]) is not None:
        return True
    layout = _layout(head[0])
    # Three columns without a name could be anything, so the file must be named so.
    named = re.search(r"rank|pair|darr", os.path.basename(path), re.IGNORECASE)
    return layout == _RELATION or (layout == _BETTER and named is not None)


def _write(judgements: Judgements, path: str) -> None:
    """Write all pairs, ties included, in the second form.

    Cells of TSV are not quoted: the reader takes quotes as part of a name.
    """
    head = ["langpair", "campaign", "segment", "document", "judge", "a", "b"]
    write_table(path, chain([[*head, "relation"]], _pairs(judgements, path)))


def _pairs(judgements: Judgements, path: str) -> Iterator[list[str]]:
    for ranking in whole_rankings(judgements, path):
        places = ranked(ranking)
        start = [ranking.langpair, ranking.campaign, ranking.segment]
        start += [ranking.document, ranking.judge]
        cells = [cell or "" for cell in start]
        for cell in (*cells, *(name for name, _ in places)):
            if not _BREAKS.isdisjoint(cell):
                message = (
                    f"cannot write {path}: {cell!r} has a tab or a line break in it, "
                    "for which the format has no place; write tertium-jsonl"
                )
                raise InputError(message)
        for i, (first, rank) in enumerate(places):
            for second, other in places[i + 1 :]:
                relation = "<" if rank < other else ">" if rank > other else "="
                yield [*cells, first, second, relation]


PAIRS = Format(
    "pairs",
    _fits,
    unnumbered(_read),
    _write,
    numbered=_read,
    kinds=("rankings",),
    loses=("alone", "time", "duration", "text", "meta", "garbage", "equal", "ranks"),
)
