# SPDX-License-Identifier: Apache-2.0
"""Files with scores of metrics.

Known files, compressed or not:

- submissions to the WMT metrics task, ``NAME.seg.score`` and ``NAME.sys.score``:
  metric, language pair, test set, system[, segment], score; since 2021 with domain and
  reference before the system;
- files of mt-metrics-eval, ``METRIC-REF.seg.score`` and ``METRIC-REF.sys.score``:
  system and score, segments in the order of the test set, ``None`` for no score;
- tables with a header: ``system`` and perhaps ``segment``, ``langpair``, ``metric``,
  ``testset``, ``domain``, ``reference``; ``score``, or one column per metric. A column
  ``id``, as in those of ``tertium score``, names the segment, and ``n/a`` says that
  the metric is undefined for it;
- the JSON of ``tertium score --segments``, where null says so;
- official rankings of WMT: system, score and rank range in brackets.

Scores of several test sets, or with several references, are never mixed: one must be
chosen (see :mod:`tertium.meta.files.choice`).
"""

from __future__ import annotations

import csv
import json
import math
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from tertium.data.formats.comma import csv_rows, separator_of
from tertium.data.lines import open_lines
from tertium.errors import FormatError, InputError
from tertium.judgements.formats.names import file_langpair, system_name
from tertium.meta.files.choice import ScoreChoice, ScoreRow
from tertium.meta.scores import MetricScores

__all__ = ["read_scores"]

_EXTENSION = re.compile(r"\.(gz|xz|bz2|zst)$")
#: Columns of tables that are not scores of a metric by its name.
_COLUMNS = {
    "system", "segment", "seg", "id", "langpair", "lp", "metric", "score",
    "testset", "reference", "ref", "domain",
}  # fmt: skip
_UNDEFINED = "n/a"  # what `tertium score` writes where a metric has no value
_LEVEL = re.compile(r"\.(seg|sys)\.score$")
_OFFICIAL = re.compile(r"^(\S+) (-?\d+(?:\.\d+)?) \([\d.]+, [\d.]+\)$")


def read_scores(
    paths: Iterable[str | os.PathLike[str]],
    *,
    langpair: str | None = None,
    segments: Sequence[str] | None = None,
    lower_is_better: Iterable[str] = (),
    testset: str | None = None,
    reference: str | None = None,
    domain: str | None = None,
) -> list[MetricScores]:
    """Return the scores in files, one object per metric and language pair.

    Parameters
    ----------
    paths : iterable of paths
    langpair : str, optional
        Read this language pair only; and that of files that name none.
    segments : sequence of str, optional
        The names of the segments, for files that only have them in order; numbers
        from 1 otherwise.
    lower_is_better : iterable of str
        Metrics whose scores fall with quality; the JSON of ``tertium score`` says so
        itself.
    testset, reference : str, optional
        Needed where files have scores of several test sets, or with several
        references. Metrics that use no reference stay.
    domain : str, optional
        The domain that scores are of; ``all`` by default, where systems have scores of
        several.

    Raises
    ------
    FormatError
        When a file or a row is not understood; with the line.
    InputError
        When a system or segment has two scores, a falling metric is unknown, or there
        are several test sets, references or domains to choose from.
    """
    choice = ScoreChoice(testset, reference, domain)
    rows: list[tuple[str, ScoreRow]] = []
    for path in paths:
        for row in _read(os.fspath(path), segments):
            if langpair is None or (row.langpair or langpair) == langpair:
                rows.append((os.fspath(path), row))
    system: dict[tuple[str, str | None], dict[str, float]] = defaultdict(dict)
    segment: dict[tuple[str, str | None], dict[str, dict[str, float]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    undefined: dict[tuple[str, str | None], dict[str, set[str]]] = defaultdict(
        lambda: defaultdict(set)
    )
    for path, row in choice.chosen(rows):
        key = row.metric, row.langpair or langpair
        if row.undefined:
            if row.segment is not None:
                undefined[key][row.system].add(row.segment)
            continue
        of = system[key] if row.segment is None else segment[key][row.system]
        place = row.system if row.segment is None else row.segment
        if of.setdefault(place, row.score) != row.score:
            what = (
                f"{row.metric} has two scores for {row.system}"
                f"{'' if row.segment is None else f', segment {row.segment}'}: "
                f"{of[place]} and {row.score}; keep one"
            )
            raise FormatError(what, path=path, line=row.line)
    falling = set(lower_is_better)
    names = {name for name, _ in (*system, *segment)}
    if falling - names:
        message = (
            f"no scores of {', '.join(sorted(falling - names))}, listed as falling "
            f"with quality; there are {', '.join(sorted(names)) or 'none'}"
        )
        raise InputError(message)
    falling |= {row.metric for _, row in rows if row.falls}
    keys = dict.fromkeys([*system, *segment])
    return [
        MetricScores(
            name,
            dict(system.get((name, pair), {})),
            {
                who: dict(values)
                for who, values in segment.get((name, pair), {}).items()
            },
            name not in falling,
            pair,
            undefined=undefined.get((name, pair), {}),
        )
        for name, pair in keys
    ]


def _read(path: str, segments: Sequence[str] | None) -> Iterator[ScoreRow]:
    name = _EXTENSION.sub("", Path(path).name)
    if name.endswith(".json"):
        yield from _read_json(path, segments)
        return
    level = _LEVEL.search(name)
    lines = open_lines(path)
    head = next(lines, None)
    if head is None:
        raise FormatError("the file is empty; give scores", path=path)
    rest = enumerate(lines, 2)
    separator = separator_of(head)
    cells = next(csv.reader([head], delimiter=separator), [])
    separated = "\t" not in head and len(cells) > 1
    if separated and _is_table(cells):
        rows = csv_rows(chain([head], lines), separator, path)
        yield from _read_table(path, cells, islice(rows, 1, None))
        return
    fields = _cut(head)
    if _is_table(fields):
        yield from _read_table(path, fields, ((n, _cut(line)) for n, line in rest))
        return
    numbered = [(1, head), *rest]
    if _OFFICIAL.match(head):
        yield from _read_official(path, numbered)
        return
    if level is None and len(fields) in (5, 6) and not _is_text(fields[-1]):
        # A submission under another name: a segment has one column more.
        yield from _read_wmt(path, numbered, len(fields) == 6)
        return
    if level is None:
        _check_header(path, cells if separated else fields)
        what = (
            "neither a header with `system` and `score` nor a name that ends in "
            ".seg.score or .sys.score; rename the file or add a header"
        )
        raise FormatError(what, path=path)
    by_segment = level[1] == "seg"
    if len(fields) == 2:
        yield from _read_mtme(
            path, numbered, _LEVEL.sub("", name), segments, by_segment
        )
    else:
        yield from _read_wmt(path, numbered, by_segment)


def _check_header(path: str, fields: Sequence[str]) -> None:
    """Raise an error if this is a header without the column `system`.

    Raises
    ------
    FormatError
        With the columns that there are, and those that may be meant.
    """
    names = [field.strip().lower() for field in fields]
    near = [field for field, name in zip(fields, names, strict=True) if _near(name)]
    if not near and not set(names) & _COLUMNS:
        return
    meant = [field for field in near if _near(field.strip().lower()) == "system"]
    cure = f"is {meant[0]!r} meant?" if meant else "add it"
    what = f"the header has no column `system`, only {', '.join(fields)}; {cure}"
    raise FormatError(what, path=path, line=1)


def _near(name: str) -> str | None:
    """Return the known column that an unknown one is spelt like, if there is one."""
    import difflib

    if name in _COLUMNS:
        return None
    if name in ("sys", "systems", "system_id", "systemid"):
        return "system"
    close = difflib.get_close_matches(name, sorted(_COLUMNS), n=1, cutoff=0.8)
    return close[0] if close else None


def _read_official(path: str, lines: Iterable[tuple[int, str]]) -> Iterator[ScoreRow]:
    """Rankings of WMT: lines of plus signs part clusters."""
    for number, line in lines:
        if not line.strip("+ "):
            continue
        match = _OFFICIAL.match(line)
        if match is None:
            what = f"{line!r} is not a system, its score and (best, worst) rank"
            raise FormatError(what, path=path, line=number)
        name, score = match[1], float(match[2])
        pair = file_langpair(name)
        yield ScoreRow("official", pair, system_name(name), None, score, number)


def _cut(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else line.split()


def _is_table(header: Sequence[str]) -> bool:
    return "system" in (name.lower() for name in header)


def _number(text: str, path: str, line: int) -> float | None:
    """Return a score; nothing for None and for deliberate non-numbers."""
    if text in ("None", "", "NA", _UNDEFINED):
        return None
    try:
        value = float(text)
    except ValueError:
        what = f"{text!r} is not a score; write a number, or None"
        raise FormatError(what, path=path, line=line) from None
    if not math.isfinite(value):
        what = f"{text} is not a score that can be ranked; write a number, or None"
        raise FormatError(what, path=path, line=line)
    return value


def _read_mtme(
    path: str,
    lines: Iterable[tuple[int, str]],
    name: str,
    segments: Sequence[str] | None,
    by_segment: bool,
) -> Iterator[ScoreRow]:
    seen: dict[str, int] = defaultdict(int)
    for number, line in lines:
        fields = _cut(line)
        if len(fields) != 2:
            what = f"{len(fields)} fields where two are due, system and score"
            raise FormatError(what, path=path, line=number)
        system, text = fields
        place = None
        if by_segment:
            at = seen[system]
            seen[system] += 1
            if segments is not None and at >= len(segments):
                what = f"{system} has more than the {len(segments)} segments there are"
                raise FormatError(what, path=path, line=number)
            place = segments[at] if segments is not None else str(at + 1)
        value = _number(text, path, number)
        if value is not None:
            yield ScoreRow(name, None, system, place, value, number)
    for system, count in seen.items():
        if segments is not None and count != len(segments):
            what = f"{system} has {count} scores for {len(segments)} segments"
            raise FormatError(f"{what}; give one per segment, or None", path=path)


def _read_wmt(
    path: str, lines: Iterable[tuple[int, str]], by_segment: bool
) -> Iterator[ScoreRow]:
    least = 6 if by_segment else 5
    for number, line in lines:
        fields = _cut(line)
        if len(fields) < least:
            what = (
                f"{len(fields)} fields; metric, language pair, test set, system, "
                f"{'segment, ' if by_segment else ''}score are due"
            )
            raise FormatError(what, path=path, line=number)
        metric, pair, testset = fields[:3]
        # From 2021 on there are domain and reference before the system. Of segments,
        # the number tells the layouts apart; of systems, the count of columns.
        if by_segment:
            skip = 0 if fields[4].isdecimal() else 2
        else:
            skip = 2 if _is_text(fields[4]) and len(fields) > least + 1 else 0
        system = fields[3 + skip]
        segment = fields[4 + skip] if by_segment else None
        value = _number(fields[4 + skip + by_segment], path, number)
        if value is not None:
            domain, reference = fields[3:5] if skip else (None, None)
            yield ScoreRow(
                metric,
                pair,
                system,
                segment,
                value,
                number,
                testset,
                reference,
                domain,
            )


def _is_text(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return field != "None"
    return False


def _read_table(
    path: str,
    header: Sequence[str],
    rows: Iterable[tuple[int, list[str]]],
) -> Iterator[ScoreRow]:
    names = [name.lower() for name in header]
    for place, name in enumerate(names, start=1):
        if (meant := _near(name)) is not None:
            what = (
                f"column {place} is called {header[place - 1]!r}; did you mean "
                f"{meant}? Otherwise rename it"
            )
            raise FormatError(what, path=path, line=1)
    values = [i for i, name in enumerate(names) if name == "score"] or [
        i for i, name in enumerate(names) if name not in _COLUMNS
    ]

    def at(row: Sequence[str], *wanted: str) -> str | None:
        for name in wanted:
            if name in names:
                return row[names.index(name)] or None
        return None

    if not values:
        what = (
            f"the header has no scores, only {', '.join(header)}; add a column "
            "`score`, or one per metric"
        )
        raise FormatError(what, path=path, line=1)
    default = _EXTENSION.sub("", Path(path).name).rsplit(".", 1)[0]
    number = 1
    for number, row in rows:
        if len(row) != len(header):
            what = f"{len(row)} fields where the header names {len(header)}"
            raise FormatError(what, path=path, line=number)
        system = at(row, "system")
        if system is None:
            raise FormatError("a row without a system", path=path, line=number)
        for i in values:
            metric = at(row, "metric") or (
                default if names[i] == "score" else header[i]
            )
            value = _number(row[i], path, number)
            undefined = row[i] == _UNDEFINED
            if value is not None or undefined:
                yield ScoreRow(
                    metric,
                    at(row, "langpair", "lp"),
                    system,
                    at(row, "id", "segment", "seg"),
                    float("nan") if value is None else value,
                    number,
                    at(row, "testset"),
                    at(row, "reference", "ref"),
                    at(row, "domain"),
                    undefined=undefined,
                )
    if number == 1:
        what = "there is a header, and no scores below it; give some"
        raise FormatError(what, path=path)


def _read_json(path: str, segments: Sequence[str] | None) -> Iterator[ScoreRow]:
    try:
        table = json.loads("\n".join(open_lines(path)))
        facts = table.get("metrics") or {}
        for system, scores in table["systems"].items():
            for metric, score in scores.items():
                falls = facts.get(metric, {}).get("higher_is_better") is False
                row = ScoreRow(metric, None, system, None, 0.0, 1, falls=falls)
                yield row._replace(score=float(score["score"]))
                values = score.get("segments") or ()
                names = segments or [str(i + 1) for i in range(len(values))]
                if values and len(values) != len(names):
                    what = f"{len(values)} scores for {len(names)} segments"
                    raise ValueError(what)
                for name, value in zip(names, values, strict=False):
                    # The metric has no value there, by its definition.
                    known = value is not None
                    number = float(value) if known else float("nan")
                    yield row._replace(segment=name, score=number, undefined=not known)
    except KeyError as error:
        what = f"no {error} where `tertium score -f json` writes one; give that, or TSV"
        raise FormatError(what, path=path) from None
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        what = f"not what `tertium score -f json` writes ({error}); give that, or TSV"
        raise FormatError(what, path=path) from None
