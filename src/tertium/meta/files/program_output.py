# SPDX-License-Identifier: Apache-2.0
"""Scores as programs of neural metrics write them.

- COMET (``comet-score``): JSON of ``--to_json``, lists of segments by the file of the
  output, each with its score as ``COMET``; or the printed lines ``FILE, Segment N,
  score: X``, with N from 0;
- MetricX: JSON lines with ``prediction``, besides the fields of its input;
- any JSON lines with a number called ``score``, and perhaps ``system`` and ``segment``;
- one number per line.

Systems go by the names of their files, as in ``-i FILE``. Segments without a name are
in the order of the test set.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from tertium.data.formats.columns import system_name
from tertium.errors import FormatError
from tertium.meta.files.choice import ScoreRow

__all__ = [
    "COMET_LINE",
    "MetricName",
    "is_number",
    "json_row",
    "read_comet_json",
    "read_comet_text",
    "read_json_lines",
    "read_numbers",
]

#: The name of a segment that only has a place, from 0; with its line, for messages.
Place: TypeAlias = Callable[[str, int, int], str]
_Lines: TypeAlias = Iterable[tuple[int, str]]

COMET_LINE = re.compile(r"^(.+?)\t(?:Segment (\d+)\t)?score: (\S+)(?:\tvariance: .*)?$")
# What comet-score prints besides.
_COMET_ELSE = re.compile(r"^(Predictions saved in|CacheInfo|Seed set|Global seed)")
_TEXTS = {
    "src", "mt", "ref", "source", "hypothesis", "reference", "variance", "line",
}  # fmt: skip
_SYSTEM = ("system", "system_name", "system_id", "systemid", "sys")
_SEGMENT = ("id", "segment", "segment_id", "segmentid", "seg", "seg_id")
_SCORE = ("score", "prediction", "COMET")
_METRICS = {"prediction": "MetricX", "COMET": "COMET"}
_LONGEST = 60  # characters of a wrong score in messages


def is_number(text: str) -> bool:
    """Return whether a text is a number, finite or not.

    Examples
    --------
    >>> is_number("-0.5"), is_number("nan"), is_number("0.5x")
    (True, True, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return True


class MetricName(NamedTuple):
    """The metric of a file that names none, and whether that is the file's stem."""

    name: str
    by_stem: bool


def finite(value: object, path: str, line: int | None, where: str = "") -> float:
    """Return a score.

    Raises
    ------
    FormatError
        If it is not a finite number.
    """
    number = None
    if isinstance(value, (int, float, str)) and not isinstance(value, bool):
        # Integers may have more digits than Python turns into a text, or a float holds.
        try:
            number = float(value)
        except (ValueError, OverflowError):
            number = None
    if number is None or not math.isfinite(number):
        at = f"{where}: " if where else ""
        shown = _shown(value)
        what = f"{at}{shown} is not a score; write a finite number"
        raise FormatError(what, path=path, line=line)
    return number


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def read_comet_json(
    path: str, table: Mapping[str, Any], place: Place, *, whole_paths: bool = False
) -> Iterator[ScoreRow]:
    """Yield the scores of ``comet-score --to_json``: lists of segments by file.

    Parameters
    ----------
    path : str
    table : mapping
    place : callable
    whole_paths : bool
        Whether systems are called after their files with folder and extension.
    """
    names = {file: file for file in table} if whole_paths else _systems(table)
    for file, segments in table.items():
        if not isinstance(segments, list):
            what = f"{file!r} has {type(segments).__name__}, not a list of segments"
            raise FormatError(f"{what} as comet-score writes it", path=path)
        for at, segment in enumerate(segments):
            where = f"{file}, segment {at + 1}"
            if not isinstance(segment, dict):
                what = f"{where}: not an object with a score, such as COMET"
                raise FormatError(what, path=path)
            metric = _score_key(segment, path, None, where)
            score = finite(segment[metric], path, None, where)
            name = _METRICS.get(metric, metric)
            yield ScoreRow(name, None, names[file], place(file, at, 1), score, 1)


def read_comet_text(
    path: str, lines: _Lines, place: Place, *, whole_paths: bool = False
) -> Iterator[ScoreRow]:
    """Yield the scores that ``comet-score`` prints; see :func:`read_comet_json`."""
    matches = []
    for number, line in lines:
        match = COMET_LINE.match(line)
        if match is not None:
            matches.append((number, match))
        elif line.strip() and not _COMET_ELSE.match(line):
            what = f"{line[:60]!r} is not a line of comet-score: FILE, Segment N, score"
            raise FormatError(f"{what}: X; remove it", path=path, line=number)
    files = [match[1] for _, match in matches]
    names = {file: file for file in files} if whole_paths else _systems(files)
    for number, match in matches:
        score = finite(match[3], path, number)
        at = None if match[2] is None else place(match[1], int(match[2]), number)
        yield ScoreRow("COMET", None, names[match[1]], at, score, number)


def read_json_lines(
    path: str, lines: _Lines, place: Place, system: str | None, metric: MetricName
) -> Iterator[ScoreRow]:
    """Yield the scores of JSON lines, such as those of MetricX.

    Parameters
    ----------
    path : str
    lines : iterable of (int, str)
    place : callable
    system : str, optional
        The system of lines that name none.
    metric : MetricName
        The name of a metric whose scores are called ``score``.
    """
    rows = [
        (number, json_row(line, path, number)) for number, line in lines if line.strip()
    ]
    alone = system or system_name(path)
    named = [_first(row, _SYSTEM) for _, row in rows]
    systems = [alone if each is None else each for each in named]
    several = Counter(systems)
    seen: dict[str, int] = defaultdict(int)
    for label, who, (number, row) in zip(named, systems, rows, strict=True):
        key = _score_key(row, path, number)
        name = _first(row, ("metric",)) or _METRICS.get(key)
        segment = _first(row, _SEGMENT)
        # A lone score of a system that is named is that of the whole system.
        if segment is None and not (key == "score" and several[who] == 1):
            segment = place(who, seen[who], number)
            seen[who] += 1
        pair = _first(row, ("langpair", "lp"))
        score = finite(row[key], path, number)
        yield ScoreRow(
            name or metric.name,
            pair,
            who,
            segment,
            score,
            number,
            unnamed=label is None and system is None,
            by_stem=name is None and metric.by_stem,
        )


def read_numbers(
    path: str, lines: _Lines, place: Place, system: str | None, metric: MetricName
) -> Iterator[ScoreRow]:
    """Yield the scores of one system, one number per line."""
    who = system or system_name(path)
    numbered = list(lines)
    while numbered and not numbered[-1][1].strip():
        numbered.pop()
    for at, (number, line) in enumerate(numbered):
        score = finite(line.strip(), path, number)
        yield ScoreRow(
            metric.name,
            None,
            who,
            place(who, at, number),
            score,
            number,
            unnamed=system is None,
            by_stem=metric.by_stem,
        )


def _systems(files: Iterable[str]) -> dict[str, str]:
    """Return the names of systems, or their files where names are not unique."""
    names = {file: system_name(file) for file in files}
    counts = Counter(names.values())
    return {file: name if counts[name] == 1 else file for file, name in names.items()}


def json_row(line: str, path: str, number: int) -> dict[str, Any]:
    """Return the object of a line.

    Raises
    ------
    FormatError
        If it is something else.
    """
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        what = f"not JSON ({error}); give one object per line"
        raise FormatError(what, path=path, line=number) from None
    if not isinstance(row, dict):
        what = f"{line[:40]!r} is not an object; give one per line, with a score"
        raise FormatError(what, path=path, line=number)
    return row


def _first(row: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """Return the first of some fields that there is, as a text."""
    for name in names:
        if row.get(name) is not None:
            return str(row[name])
    return None


def _score_key(
    row: Mapping[str, Any], path: str, line: int | None, where: str = ""
) -> str:
    """Return the field that has the score: a known one, or the only number."""
    for name in _SCORE:
        if name in row:
            return name
    known = {*_TEXTS, *_SYSTEM, *_SEGMENT}
    numbers = [
        name
        for name, value in row.items()
        if name not in known
        and isinstance(value, (int, float))
        and not isinstance(value, bool)
    ]
    if len(numbers) == 1:
        return numbers[0]
    at = f"{where}: " if where else ""
    what = f"{at}no field `score` among {', '.join(row) or 'none'}; add it"
    raise FormatError(what, path=path, line=line)
