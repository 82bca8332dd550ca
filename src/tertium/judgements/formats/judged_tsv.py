# SPDX-License-Identifier: Apache-2.0
"""Rankings in TSV: some named columns, then ``SYSTEM[,SYSTEM...]=RANK`` entries.

``hit seg judge duration system(s)=rank ...`` is how the rankings of WMT 2015 and 2016
are passed on; systems with equal output share one entry. The columns ``document``,
``time``, ``langpair`` and ``campaign`` may be there too. ``hit`` and unknown columns
are kept as metadata.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from tertium.data.formats.comma import cut_row, is_csv, read_table, write_table
from tertium.data.lines import display
from tertium.errors import FormatError, InputError
from tertium.judgements.formats.exporting import whole_rankings
from tertium.judgements.formats.format import (
    Format,
    ImportOptions,
    Numbered,
    unnumbered,
)
from tertium.judgements.formats.names import file_langpair
from tertium.judgements.formats.values import bad, check_places, moment, rank, seconds
from tertium.judgements.judgement import Place, Ranking
from tertium.judgements.tables import Judgements

__all__ = ["JUDGED"]

_UNRANKED = "=-1"
_ENTRIES = "system(s)=rank ..."
_HEAD = ("hit", "seg", "document", "judge", "time", "duration", "langpair", "campaign")
_FIELDS = {"seg", "judge", "duration", "document", "time", "langpair", "campaign"}


def _read(path: str, options: ImportOptions) -> Iterator[Numbered]:
    rows = read_table(path)
    header = next(rows, (1, [""]))[1]
    if "=" not in header[-1] or "seg" not in header:
        what = f"no header with the columns seg ... {_ENTRIES}; check the format"
        raise FormatError(what, path=display(path), line=1)
    columns = header[:-1]
    if len(set(columns)) != len(columns):
        what = "two columns have the same name; rename one"
        raise FormatError(what, path=display(path), line=1)
    options = options._replace(langpair=options.langpair or file_langpair(path))
    for number, cells in rows:
        if cells == [""]:
            continue
        try:
            yield number, _ranking(columns, cells, options)
        except ValueError as error:
            yield number, bad(number, error, "\t".join(cells))


def _ranking(
    columns: Sequence[str], cells: Sequence[str], options: ImportOptions
) -> Ranking:
    if len(cells) <= len(columns):
        message = f"{len(cells)} fields where {len(columns)} come before the systems"
        raise ValueError(message)
    values = dict(zip(columns, cells, strict=False))
    if not values["seg"]:
        message = "no segment: seg is empty"
        raise ValueError(message)
    entries = cells[len(columns) :]
    places = [
        _place(entry) for entry in entries if entry and not entry.endswith(_UNRANKED)
    ]
    check_places(places)
    rest = {k: v for k, v in values.items() if k not in _FIELDS and v}
    return Ranking(
        tuple(places),
        values["seg"],
        judge=values.get("judge") or None,
        document=values.get("document") or None,
        langpair=options.langpair or values.get("langpair") or None,
        campaign=options.campaign or values.get("campaign") or None,
        time=moment(values.get("time", "")),
        duration=seconds(values.get("duration", "")),
        meta=json.dumps(rest, ensure_ascii=False) if rest else None,
    )


def _place(entry: str) -> Place:
    names, equals, number = entry.rpartition("=")
    systems = tuple(names.split(","))
    rank_read = rank(number)
    if not equals or not all(systems) or rank_read is None:
        message = f"{entry!r} is not SYSTEM[,SYSTEM...]=RANK with a rank from 1"
        raise ValueError(message)
    return Place(systems, rank_read)


def _fits(path: str, head: Sequence[str]) -> bool:
    cells = cut_row(head[0], path) if head else []
    return "seg" in cells[:-1] and "=" in cells[-1]


def _write(judgements: Judgements, path: str) -> None:
    write_table(path, _rows(judgements, path))


def _rows(judgements: Judgements, path: str) -> Iterator[list[str]]:
    yield [*_HEAD, _ENTRIES]
    for ranking in whole_rankings(judgements, path):
        entries = []
        for systems, number, _, _ in ranking.places:
            for name in systems:
                if "," in name:
                    message = (
                        f"cannot write {path}: the system name {name!r} has a comma, "
                        "which separates names here; write tertium-jsonl"
                    )
                    raise InputError(message)
            entries.append(f"{','.join(systems)}={number}")
        cells = [
            _hit(ranking.meta),
            ranking.segment,
            ranking.document or "",
            ranking.judge or "",
            ranking.time.isoformat() if ranking.time else "",
            "" if ranking.duration is None else repr(ranking.duration),
            ranking.langpair or "",
            ranking.campaign or "",
            *entries,
        ]
        if not is_csv(path) and any("\t" in cell for cell in cells):
            message = (
                f"cannot write {path}: a name in segment {ranking.segment!r} has a "
                "tab; write tertium-jsonl"
            )
            raise InputError(message)
        yield cells


def _hit(meta: str | None) -> str:
    if meta is None:
        return ""
    try:
        content = json.loads(meta)
    except (ValueError, RecursionError):
        return ""
    return str(content.get("hit", "")) if isinstance(content, dict) else ""


JUDGED = Format(
    "judged-tsv",
    _fits,
    unnumbered(_read),
    _write,
    kinds=("rankings",),
    loses=("text", "other meta", "garbage mark"),
    numbered=_read,
)
