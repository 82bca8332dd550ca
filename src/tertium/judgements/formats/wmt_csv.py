# SPDX-License-Identifier: Apache-2.0
"""The ranking files of WMT: five systems a row, or, from 2015, two.

Ranks count from 1 (best); -1 says that a system was not ranked. System names such as
``newstest2014.cu-depfix.3452.en-cs`` lose test set and language pair.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence

from tertium.data.lines import open_lines
from tertium.judgements.formats.format import Format, Given
from tertium.judgements.records import Bad, Place, Ranking, Record

__all__ = ["FIVE_WAY", "PAIRWISE"]

_LANGUAGES = {
    "czech": "cs", "english": "en", "finnish": "fi", "french": "fr", "german": "de",
    "hindi": "hi", "romanian": "ro", "russian": "ru", "spanish": "es", "turkish": "tr",
    "latvian": "lv", "chinese": "zh", "estonian": "et", "hungarian": "hu",
    "ces": "cs", "cze": "cs", "eng": "en", "fin": "fi", "fre": "fr", "fra": "fr",
    "deu": "de", "ger": "de", "hin": "hi", "ron": "ro", "rus": "ru", "spa": "es",
    "tur": "tr", "hun": "hu",
}  # fmt: skip
_TESTSET = re.compile(r"^newstest\d{4}\.")
_PAIR = re.compile(r"\.[a-z]{2}-[a-z]{2}(\.txt)?$")


def system_name(text: str) -> str:
    """Return the name of a system without test set and language pair.

    Examples
    --------
    >>> system_name("newstest2014.cu-depfix.3452.en-cs")
    'cu-depfix.3452'
    """
    return _PAIR.sub("", _TESTSET.sub("", text))


def language(text: str) -> str:
    """Return the ISO code of a language given by name or code.

    Examples
    --------
    >>> language("Czech"), language("deu"), language("en")
    ('cs', 'de', 'en')
    """
    return _LANGUAGES.get(text.lower(), text.lower())


def _read(path: str, given: Given) -> Iterator[Record | Bad]:
    rows = csv.reader(f"{line}\n" for line in open_lines(path))
    header = next(rows)
    count = sum(bool(re.fullmatch(r"system\d+rank", name)) for name in header)
    for row in rows:
        if not row:
            continue
        if len(row) != len(header):
            reason = f"{len(row)} fields where the header names {len(header)}"
            yield Bad(rows.line_num, reason, ",".join(row))
            continue
        record = _record(dict(zip(header, row, strict=True)), count, given)
        if isinstance(record, str):
            yield Bad(rows.line_num, record, ",".join(row))
        else:
            yield record


def _record(row: Mapping[str, str], count: int, given: Given) -> Ranking | str:
    """Return the ranking of a row, or what is wrong with it."""
    places = []
    for i in range(1, count + 1):
        name, rank = row[f"system{i}Id"], row[f"system{i}rank"]
        if rank in ("-1", ""):
            continue
        if not rank.isdecimal() or int(rank) < 1 or int(rank) > 30_000:
            return f"rank {rank!r} of {name!r} is no number from 1; -1 is not ranked"
        if not name:
            return f"system {i} has a rank and no name"
        places.append(Place((system_name(name),), int(rank)))
    names = [place.systems[0] for place in places]
    if len(names) != len(set(names)):
        return f"a system is named twice: {', '.join(names)}"
    if len(places) < 2:
        return f"{len(places)} systems are ranked; a ranking has two at least"
    segment = row.get("segmentId") or row.get("srcIndex", "")
    if not segment or segment == "-1":
        return "no segment; segmentId is empty"
    langpair = f"{language(row['srclang'])}-{language(row['trglang'])}"
    return Ranking(
        tuple(places),
        segment,
        judge=row.get("judgeId") or None,
        document=row.get("documentId") or None,
        langpair=given.langpair or langpair,
        campaign=given.campaign,
    )


def _columns(head: Sequence[str]) -> set[str]:
    return set(head[0].split(",")) if head else set()


FIVE_WAY = Format(
    "wmt-csv",
    "WMT rankings, several systems a row (2007 to 2016)",
    lambda path, head: {"srclang", "system1Id", "system3Id"} <= _columns(head),  # noqa: ARG005
    _read,
)
PAIRWISE = Format(
    "wmt-pairs-csv",
    "WMT rankings, two systems a row",
    lambda path, head: {"srclang", "system1Id", "system2rank"} <= _columns(head),  # noqa: ARG005
    _read,
)
