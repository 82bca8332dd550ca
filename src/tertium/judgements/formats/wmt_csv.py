# SPDX-License-Identifier: Apache-2.0
"""The ranking files of WMT: five systems per row or, from 2015, two.

Ranks count from 1 (best); -1 says that a system was not ranked. System names such as
``newstest2014.cu-depfix.3452.en-cs`` lose test set and language pair. Rows of two
systems that share a ``rankingID`` and hold all pairs of a ranking become that ranking
again; names of equal outputs are joined there with ``+``.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING

from tertium.data.lines import display, open_lines
from tertium.errors import FormatError, InputError
from tertium.judgements.formats.exporting import ranked, whole_rankings, write_rows
from tertium.judgements.formats.format import (
    Format,
    ImportOptions,
    Numbered,
    unnumbered,
)
from tertium.judgements.formats.names import (
    file_langpair,
    is_wmt_name,
    language,
    system_name,
)
from tertium.judgements.formats.values import bad, check_places, rank
from tertium.judgements.judgement import Bad, Place, Ranking
from tertium.judgements.tables import Judgements

if TYPE_CHECKING:
    from _csv import Reader

__all__ = ["FIVE_WAY", "PAIRWISE"]

_MOST_SYSTEMS = 5
_NONE = ("", "-1")

Row = list[str]


class _Layout:
    """Where the columns are, and how a row becomes a ranking.

    Rows come by the million: columns are looked up once, not in every row.
    """

    def __init__(
        self, path: str, header: Sequence[str], options: ImportOptions
    ) -> None:
        names = {name.lower(): i for i, name in enumerate(header)}
        if len(names) != len(header):
            what = "two columns have the same name; rename one"
            raise FormatError(what, path=display(path), line=1)
        pairs = []
        for i in range(1, len(header)):
            columns = names.get(f"system{i}id"), names.get(f"system{i}rank")
            if columns[0] is not None and columns[1] is not None:
                pairs.append((columns[0], columns[1]))
        if len(pairs) < 2 or not {"segmentid", "srcindex"} & names.keys():
            what = (
                "no columns segmentId, system1Id, system1rank, system2Id and "
                "system2rank in the header; check the format"
            )
            raise FormatError(what, path=display(path), line=1)
        self.number = names.get("rankingid") if len(pairs) == 2 else None
        self.places_of = itemgetter(*(i for pair in pairs for i in pair))
        rest = ("segmentid", "srcindex", "judgeid", "documentid", "srclang", "trglang")
        # A column that is missing is the empty cell after the last one.
        self.rest_of = itemgetter(*(names.get(name, len(header)) for name in rest))
        self.campaign = options.campaign

        @cache
        def langpair(source: str, target: str) -> str | None:
            if options.langpair is not None:
                return options.langpair
            if source and target:
                return f"{language(source)}-{language(target)}"
            return file_langpair(path)

        self.langpair: Callable[[str, str], str | None] = langpair

    def read(self, row: Row) -> Ranking:
        """Return the ranking of a row, which ends in an empty cell."""
        places = _places(self.places_of(row))
        segment, index, judge, document, source, target = self.rest_of(row)
        if segment in _NONE:
            segment = index
            if segment in _NONE:
                message = "no segment: segmentId and srcIndex are empty"
                raise ValueError(message)
        return Ranking(
            places,
            segment,
            None,
            judge or None,
            None if document in _NONE else document,
            self.langpair(source, target),
            self.campaign,
        )


# Places repeat: equal ones are one object, which saves time and memory.
@lru_cache(maxsize=50_000)
def _places(cells: Sequence[str]) -> tuple[Place, ...]:
    """Return the places of systems and ranks that take turns."""
    places = []
    for name, text in zip(cells[::2], cells[1::2], strict=True):
        if text in _NONE:
            continue
        number = rank(text)
        if number is None:
            message = f"rank {text!r} of {name!r} is not an integer from 1"
            raise ValueError(message)
        if not name:
            message = f"rank {text} without a system"
            raise ValueError(message)
        places.append(Place(_systems(name), number))
    check_places(places)
    return tuple(places)


@cache
def _systems(text: str) -> tuple[str, ...]:
    """Return the systems of a cell, whose names may be joined by a plus."""
    parts = text.split("+")
    # A plus may stand in a name, too.
    if len(parts) > 1 and all(map(is_wmt_name, parts)):
        return tuple(map(system_name, parts))
    return (system_name(text),)


def _read(path: str, options: ImportOptions) -> Iterator[Numbered]:
    rows = csv.reader(f"{line}\n" for line in open_lines(path))
    try:
        yield from _rankings(rows, path, options)
    except csv.Error as error:
        what = f"not CSV ({error}); look for a quotation mark that is not closed"
        raise FormatError(what, path=display(path), line=rows.line_num) from None


def _rankings(rows: Reader, path: str, options: ImportOptions) -> Iterator[Numbered]:
    header = next(rows, None)
    if header is None:
        what = "the file is empty; a WMT ranking file starts with a header"
        raise FormatError(what, path=display(path))
    layout = _Layout(path, header, options)
    number = layout.number
    group: list[Ranking] = []
    current, first = None, 0
    for row in rows:
        if len(row) != len(header):
            if row:
                reason = f"{len(row)} fields where the header names {len(header)}"
                yield rows.line_num, Bad(rows.line_num, reason, _text(row))
            continue
        row.append("")
        try:
            ranking = layout.read(row)
        except ValueError as error:
            line = rows.line_num
            yield line, bad(line, error, _text(row[:-1]))
            continue
        if number is None or not row[number]:
            yield rows.line_num, ranking
        else:
            if row[number] == current:
                group.append(ranking)
                continue
            for joined in _joined(group):
                yield first, joined
            group, current, first = [ranking], row[number], rows.line_num
    for joined in _joined(group):
        yield first, joined


def _joined(group: list[Ranking]) -> list[Ranking]:
    """Return one ranking for all its pairs; the pairs if some are missing."""
    if len(group) < 2 or len({ranking[1:] for ranking in group}) > 1:
        return group
    places = list(dict.fromkeys(p for ranking in group for p in ranking.places))
    pairs = {frozenset(ranking.places) for ranking in group}
    names = [name for place in places for name in place.systems]
    whole = len(places) * (len(places) - 1) // 2
    if len(pairs) != len(group) or len(group) != whole or len(names) != len(set(names)):
        return group
    return [group[0]._replace(places=tuple(places))]


def _text(row: Row) -> str:
    """Return a row as CSV."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(row)
    return line.getvalue().removesuffix("\n")


def _columns(head: Sequence[str]) -> set[str]:
    return {name.strip('"').lower() for name in head[0].split(",")} if head else set()


def _fits(path: str, head: Sequence[str], *, several: bool) -> bool:  # noqa: ARG001
    columns = _columns(head)
    known = {"srclang", "system1id", "system2rank"} <= columns
    return known and ("system3id" in columns) is several


# --------------------------------------------------------------------- writing


def _write_five(judgements: Judgements, path: str) -> None:
    """Write five systems per row; a ranking of more systems does not fit."""
    head = ["srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"]
    slots = range(1, _MOST_SYSTEMS + 1)
    for i in slots:
        head += [f"system{i}Number", f"system{i}Id"]
    head += [f"system{i}rank" for i in slots]

    def rows() -> Iterator[Row]:
        numbers: dict[str, int] = {}
        for ranking in whole_rankings(judgements, path):
            places = ranked(ranking)
            if len(places) > _MOST_SYSTEMS:
                message = (
                    f"cannot write {path}: segment {ranking.segment} ranks "
                    f"{len(places)} systems, and a row holds {_MOST_SYSTEMS}; "
                    "write wmt-pairs-csv or tertium-jsonl"
                )
                raise InputError(message)
            missing = _MOST_SYSTEMS - len(places)
            row = [*_languages(ranking), ranking.segment, ranking.document or "-1"]
            row += [ranking.segment, ranking.judge or ""]
            for system, _ in places:
                row += [str(numbers.setdefault(system, len(numbers) + 1)), system]
            row += ["-1", ""] * missing
            row += [str(rank) for _, rank in places] + ["-1"] * missing
            yield row

    write_rows(path, head, rows())


def _write_pairs(judgements: Judgements, path: str) -> None:
    """Write two systems per row."""
    head = "srclang,trglang,srcIndex,segmentId,judgeId,system1Id,system1rank"
    head += ",system2Id,system2rank,rankingID"

    def rows() -> Iterator[Row]:
        for number, ranking in enumerate(whole_rankings(judgements, path), start=1):
            places = ranked(ranking)
            start = [*_languages(ranking), ranking.segment, ranking.segment]
            start.append(ranking.judge or "")
            for i, (system, system_rank) in enumerate(places):
                for other, its in places[i + 1 :]:
                    row = [system, str(system_rank), other, str(its), str(number)]
                    yield start + row

    write_rows(path, head.split(","), rows())


def _languages(ranking: Ranking) -> list[str]:
    source, _, target = (ranking.langpair or "").partition("-")
    return [source, target]


FIVE_WAY = Format(
    "wmt-csv",
    lambda path, head: _fits(path, head, several=True),
    unnumbered(_read),
    _write_five,
    kinds=("rankings",),
    numbered=_read,
    loses=("campaign", "time", "duration", "text", "meta", "garbage", "equal"),
)
PAIRWISE = Format(
    "wmt-pairs-csv",
    lambda path, head: _fits(path, head, several=False),
    unnumbered(_read),
    _write_pairs,
    kinds=("rankings",),
    numbered=_read,
    loses=(
        "alone",
        "document",
        "campaign",
        "time",
        "duration",
        "text",
        "meta",
        "garbage",
        "equal",
    ),
)
