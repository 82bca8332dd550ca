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
- the JSON of ``tertium score --segments``, where null says so, and its shards (see
  :mod:`tertium.meta.files.score_shards`);
- output of COMET and MetricX, JSON lines, and one number per line (see
  :mod:`tertium.meta.files.program_output`);
- automatic scores of WMT 2025, by document (see
  :mod:`tertium.meta.files.wmt25_scores`);
- official rankings of WMT: system, score and rank range in brackets.

Formats are recognised by their content, whatever files are called. Scores of several
test sets, or with several references, are never mixed: one must be
chosen (see :mod:`tertium.meta.files.choice`).
"""

from __future__ import annotations

import csv
import json
import math
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from tertium.data.formats.comma import csv_rows, separator_of
from tertium.data.lines import open_lines
from tertium.errors import FormatError, InputError
from tertium.judgements.formats.names import file_langpair, system_name
from tertium.meta.files.choice import ScoreChoice, ScoreRow
from tertium.meta.files.direction import (
    check_directions,
    is_error_metric,
    seem_to_fall,
)
from tertium.meta.files.program_output import (
    COMET_LINE,
    MetricName,
    is_number,
    read_comet_json,
    read_comet_text,
    read_json_lines,
    read_numbers,
)
from tertium.meta.files.score_shards import (
    is_score_folder,
    is_score_shard,
    read_shard,
    read_shards,
)
from tertium.meta.files.wmt25_scores import (
    is_automatic_scores,
    read_automatic_scores,
)
from tertium.meta.scores import MetricScores

__all__ = ["ScoreFile", "read_scores", "score_file"]

_EXTENSION = re.compile(r"\.(gz|xz|bz2|zst)$")
#: Columns of tables that are not scores of a metric by its name.
_COLUMNS = {
    "system", "segment", "seg", "id", "langpair", "lp", "metric", "score",
    "testset", "reference", "ref", "domain",
}  # fmt: skip
#: Extensions that say nothing about the metric.
_PLAIN = {"txt", "score", "scores", "out", "tsv", "csv", "json", "jsonl", "log"}
_COMMON = "scores"  # the metric of files that are called after systems
_UNDEFINED = "n/a"  # what `tertium score` writes where a metric has no value
_LEVEL = re.compile(r"\.(seg|sys)\.score$")
_OFFICIAL = re.compile(r"^(\S+) (-?\d+(?:\.\d+)?) \([\d.]+, [\d.]+\)$")


class ScoreFile(NamedTuple):
    """A file with scores, and the system they are of, whatever the file calls it."""

    path: str
    system: str | None = None


def score_file(item: str | os.PathLike[str] | ScoreFile) -> ScoreFile:
    """Return a file from ``FILE`` or ``SYSTEM=FILE``.

    Examples
    --------
    >>> score_file("A=a.scores")
    ScoreFile(path='a.scores', system='A')
    """
    if isinstance(item, ScoreFile):
        return item
    text = os.fspath(item)
    name, equals, path = text.partition("=")
    # A file whose own name has an equals sign is meant as it stands.
    if not equals or not name or not path or os.path.exists(text):
        return ScoreFile(text)
    return ScoreFile(path, name)


def read_scores(
    paths: Iterable[str | os.PathLike[str] | ScoreFile],
    *,
    langpair: str | None = None,
    segments: Sequence[str] | None = None,
    lower_is_better: Iterable[str] = (),
    higher_is_better: Iterable[str] = (),
    testset: str | None = None,
    reference: str | None = None,
    domain: str | None = None,
    position_mark: str = "",
    whole_paths: bool = False,
) -> list[MetricScores]:
    """Return the scores in files, one object per metric and language pair.

    Parameters
    ----------
    paths : iterable of paths
        ``SYSTEM=FILE`` for a file with the scores of one system. Such files are of one
        metric if none is named in them, nor by an extension as in ``A.comet``.
    langpair : str, optional
        Read this language pair only; and that of files that name none.
    segments : sequence of str, optional
        The names of the segments, for files that only have them in order; numbers
        from 1 otherwise.
    lower_is_better : iterable of str
        Metrics whose scores fall with quality; the JSON of ``tertium score`` says so
        itself, and those of known error metrics (MetricX, TER, WER) do unless their
        mean is negative.
    higher_is_better : iterable of str
        Metrics whose scores rise with quality, whatever their name or file says.
    testset, reference : str, optional
        Needed where files have scores of several test sets, or with several
        references. Metrics that use no reference stay.
    domain : str, optional
        The domain that scores are of; ``all`` by default, where systems have scores of
        several.
    position_mark : str
        What the numbers of segments start with that only have a place in their file, to
        distinguish them from names.
    whole_paths : bool
        Whether systems that COMET calls by files keep folder and extension.

    Raises
    ------
    FormatError
        When a file or a row is not understood; with the line.
    InputError
        When a metric that falls or rises is unknown or said to do both, or there are
        several test sets, references
        or domains to choose from.
    """
    choice = ScoreChoice(testset, reference, domain)
    files = [score_file(item) for item in paths]
    rows: list[tuple[str, ScoreRow]] = []
    for file in files:
        for row in _read(file, segments, position_mark, whole_paths):
            if langpair is None or (row.langpair or langpair) == langpair:
                rows.append((file.path, row))
    rows = _joined_metrics(rows, files)
    system: dict[tuple[str, str | None], dict[str, float]] = defaultdict(dict)
    segment: dict[tuple[str, str | None], dict[str, dict[str, float]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    undefined: dict[tuple[str, str | None], dict[str, set[str]]] = defaultdict(
        lambda: defaultdict(set)
    )
    unnumbered: dict[tuple[str, str | None], dict[str, tuple[str, str, int]]]
    unnumbered = defaultdict(dict)
    for path, row in choice.chosen(rows):
        key = row.metric, row.langpair or langpair
        if row.undefined:
            if row.segment is not None:
                undefined[key][row.system].add(row.segment)
            continue
        if row.segment is not None and not row.segment.isdecimal():
            unnumbered[key].setdefault(row.system, (row.segment, path, row.line))
        of = system[key] if row.segment is None else segment[key][row.system]
        place = row.system if row.segment is None else row.segment
        if of.setdefault(place, row.score) != row.score:
            what = (
                f"{row.metric} has two scores for {row.system}"
                f"{'' if row.segment is None else f', segment {row.segment}'}: "
                f"{of[place]} and {row.score}; keep one"
            )
            if row.by_stem:
                what += ", or name metrics by extensions, as in A.comet and A.metricx"
            raise FormatError(what, path=path, line=row.line)
    falling, rising = set(lower_is_better), set(higher_is_better)
    check_directions(falling, rising)
    names = {name for name, _ in (*system, *segment)}
    for listed, how in ((falling, "falling"), (rising, "rising")):
        if listed - names:
            message = (
                f"no scores of {', '.join(sorted(listed - names))}, listed as {how} "
                f"with quality; there are {', '.join(sorted(names)) or 'none'}"
            )
            raise InputError(message)
    falling |= {row.metric for _, row in rows if row.falls} - rising
    guessed = {
        key
        for key in dict.fromkeys([*system, *segment])
        if key[0] not in falling | rising
        and seem_to_fall(key[0], _values(key, system, segment))
    }
    unnamed = {row.system for _, row in rows if row.unnamed}
    keys = dict.fromkeys([*system, *segment])
    return [
        MetricScores(
            name,
            dict(system.get((name, pair), {})),
            {
                who: dict(values)
                for who, values in segment.get((name, pair), {}).items()
            },
            name not in falling and (name, pair) not in guessed,
            pair,
            undefined=undefined.get((name, pair), {}),
            unnamed=unnamed & set(segment.get((name, pair), {})),
            guessed=(name, pair) in guessed,
            unnumbered=unnumbered.get((name, pair), {}),
        )
        for name, pair in keys
    ]


_Key = tuple[str, "str | None"]  # metric, language pair


def _values(
    key: _Key,
    system: Mapping[_Key, Mapping[str, float]],
    segment: Mapping[_Key, Mapping[str, Mapping[str, float]]],
) -> list[float]:
    """Return the scores of a metric: of segments, or else of systems."""
    by_segment = chain.from_iterable(v.values() for v in segment.get(key, {}).values())
    return list(by_segment) or list(system.get(key, {}).values())


def _joined_metrics(
    rows: list[tuple[str, ScoreRow]], files: Sequence[ScoreFile]
) -> list[tuple[str, ScoreRow]]:
    """Return rows in which files of one system each are of one metric.

    That is so if their names would make metrics that have other systems each.
    """
    single = {file.path for file in files if file.system is not None}
    systems: dict[str, set[str]] = defaultdict(set)
    for path, row in rows:
        if path in single and row.by_stem:
            systems[row.metric].add(row.system)
    if len({frozenset(some) for some in systems.values()}) <= 1:
        return rows
    return [
        (path, row._replace(metric=_COMMON) if path in single and row.by_stem else row)
        for path, row in rows
    ]


class _Places:
    """Names of segments that only have a place in their file.

    Parameters
    ----------
    path : str
    segments : sequence of str, optional
        Their names, if they are known.
    mark : str
        What their numbers start with otherwise.
    """

    def __init__(self, path: str, segments: Sequence[str] | None, mark: str) -> None:
        self._path, self._segments, self._mark = path, segments, mark
        self._counts: dict[str, int] = defaultdict(int)

    def __call__(self, system: str, at: int, line: int) -> str:
        """Return the name of the segment of a system at a place, from 0."""
        self._counts[system] = max(self._counts[system], at + 1)
        if self._segments is None:
            return f"{self._mark}{at + 1}"
        if at >= len(self._segments):
            count = len(self._segments)
            what = f"{system} has more than the {count} segments there are"
            raise FormatError(what, path=self._path, line=line)
        return self._segments[at]

    def check(self) -> None:
        """Raise an error if a system has too few scores."""
        if self._segments is None:
            return
        for system, count in self._counts.items():
            if count != len(self._segments):
                what = f"{system} has {count} scores for {len(self._segments)} segments"
                what = f"{what}; give one per segment, or None"
                raise FormatError(what, path=self._path)


def _read(
    file: ScoreFile, segments: Sequence[str] | None, mark: str, whole_paths: bool
) -> Iterator[ScoreRow]:
    place = _Places(file.path, segments, mark)
    named: str | None = None
    for row in _read_any(file, place, whole_paths):
        if file.system is None:
            yield row
            continue
        if named is not None and row.system != named:
            what = (
                f"scores of {named} and of {row.system}, and the file is given as that "
                f"of {file.system} alone; give one system per file, or omit "
                f"`{file.system}=`"
            )
            raise FormatError(what, path=file.path, line=row.line)
        named = row.system
        yield row._replace(system=file.system)
    place.check()


def _read_any(file: ScoreFile, place: _Places, whole_paths: bool) -> Iterator[ScoreRow]:
    path = file.path
    if is_score_folder(path):
        yield from read_shards(path, place)
        return
    name = _EXTENSION.sub("", Path(path).name)
    level = _LEVEL.search(name)
    lines = open_lines(path)
    head = next(lines, None)
    if head is None:
        raise FormatError("the file is empty; give scores", path=path)
    if head.lstrip().startswith(("{", "[")) or name.endswith(".json"):
        yield from _read_objects(file, [head, *lines], place, whole_paths)
        return
    rest = enumerate(lines, 2)
    separator = separator_of(head)
    cells = next(csv.reader([head], delimiter=separator), [])
    separated = "\t" not in head and len(cells) > 1
    if separated and _is_table(cells, file.system):
        rows = csv_rows(chain([head], lines), separator, path)
        yield from _read_table(file, cells, islice(rows, 1, None), place)
        return
    fields = _cut(head)
    if _is_table(fields, file.system):
        table = ((n, _cut(line)) for n, line in rest)
        yield from _read_table(file, fields, table, place)
        return
    numbered = [(1, head), *rest]
    if _OFFICIAL.match(head):
        yield from _read_official(path, numbered)
        return
    if any(COMET_LINE.match(line) for _, line in numbered[:20]):
        yield from read_comet_text(path, numbered, place, whole_paths=whole_paths)
        return
    if len(fields) == 1 and is_number(fields[0]):
        yield from read_numbers(path, numbered, place, file.system, _metric_name(path))
        return
    if level is None and len(fields) in (5, 6) and not _is_text(fields[-1]):
        # A submission under another name: a segment has one column more.
        yield from _read_wmt(path, numbered, len(fields) == 6)
        return
    if level is None and len(fields) == 2 and not _is_text(fields[1]):
        # A file of mt-metrics-eval under another name.
        systems = [_cut(line)[0] for _, line in numbered]
        by_segment = len(set(systems)) < len(systems)
        metric = _metric_name(path).name
        yield from _read_mtme(path, numbered, metric, place, by_segment)
        return
    if level is None:
        _check_header(path, cells if separated else fields)
        what = (
            "neither a header with `system` and `score` nor output of a metric that is "
            "known here; add a header, or give one number per line"
        )
        raise FormatError(what, path=path)
    by_segment = level[1] == "seg"
    if len(fields) == 2:
        yield from _read_mtme(path, numbered, _LEVEL.sub("", name), place, by_segment)
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

    if name in _COLUMNS or is_error_metric(name):
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


def _is_table(header: Sequence[str], system: str | None) -> bool:
    names = {name.lower() for name in header}
    return "system" in names or (system is not None and "score" in names)


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
    place: _Places,
    by_segment: bool,
) -> Iterator[ScoreRow]:
    seen: dict[str, int] = defaultdict(int)
    for number, line in lines:
        fields = _cut(line)
        if len(fields) != 2:
            what = f"{len(fields)} fields where two are due, system and score"
            raise FormatError(what, path=path, line=number)
        system, text = fields
        segment = None
        if by_segment:
            segment = place(system, seen[system], number)
            seen[system] += 1
        value = _number(text, path, number)
        if value is not None:
            yield ScoreRow(name, None, system, segment, value, number)


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
    file: ScoreFile,
    header: Sequence[str],
    rows: Iterable[tuple[int, list[str]]],
    place: _Places,
) -> Iterator[ScoreRow]:
    path = file.path
    names = [name.lower() for name in header]
    for column, name in enumerate(names, start=1):
        if (meant := _near(name)) is not None:
            what = (
                f"column {column} is called {header[column - 1]!r}; did you mean "
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
        system = at(row, "system") or file.system
        segment = at(row, "id", "segment", "seg")
        if segment is None and file.system is not None and "system" not in names:
            segment = place(file.system, number - 2, number)
        if system is None:
            raise FormatError("a row without a system", path=path, line=number)
        for i in values:
            metric = at(row, "metric") or (None if names[i] == "score" else header[i])
            value = _number(row[i], path, number)
            undefined = row[i] == _UNDEFINED
            if value is not None or undefined:
                yield ScoreRow(
                    metric or default,
                    at(row, "langpair", "lp"),
                    system,
                    segment,
                    float("nan") if value is None else value,
                    number,
                    at(row, "testset"),
                    at(row, "reference", "ref"),
                    at(row, "domain"),
                    undefined=undefined,
                    by_stem=metric is None,
                )
    if number == 1:
        what = "there is a header, and no scores below it; give some"
        raise FormatError(what, path=path)


def _metric_name(path: str) -> MetricName:
    """Return the metric of a file that does not name it: its extension, or its name."""
    name = _EXTENSION.sub("", Path(path).name)
    stem, dot, extension = name.rpartition(".")
    if dot and extension.lower() not in _PLAIN:
        return MetricName(extension, by_stem=False)
    if extension.lower() in ("score", "scores"):
        return MetricName(_COMMON, by_stem=False)
    return MetricName(stem or name, by_stem=True)


def _read_objects(
    file: ScoreFile, lines: list[str], place: _Places, whole_paths: bool
) -> Iterator[ScoreRow]:
    """JSON of Tertium or COMET, or JSON lines."""
    path = file.path
    if is_automatic_scores(lines[0]):
        yield from read_automatic_scores(path, enumerate(lines, 1), file.system)
        return
    if is_score_shard(lines[0]):
        yield from read_shard(path, enumerate(lines, 1), place)
        return
    try:
        table = json.loads("\n".join(lines))
    except (ValueError, RecursionError) as error:
        if len(lines) > 1 and _is_object(lines[0]):
            table = None
        else:
            what = f"not JSON ({error}); give what a metric wrote, or a table"
            raise FormatError(what, path=path) from None
    if (
        isinstance(table, dict)
        and table
        and all(isinstance(value, list) for value in table.values())
    ):
        yield from read_comet_json(path, table, place, whole_paths=whole_paths)
    elif isinstance(table, list) and table:
        rows = enumerate(map(json.dumps, table), 1)
        yield from read_json_lines(path, rows, place, file.system, _metric_name(path))
    elif table is None or (isinstance(table, dict) and "systems" not in table):
        numbered = enumerate(lines, 1) if table is None else [(1, json.dumps(table))]
        yield from read_json_lines(
            path, numbered, place, file.system, _metric_name(path)
        )
    else:
        yield from _read_json(path, table, place)


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _read_json(path: str, table: Any, place: _Places) -> Iterator[ScoreRow]:
    try:
        facts = table.get("metrics") or {}
        for system, scores in table["systems"].items():
            for metric, score in scores.items():
                falls = facts.get(metric, {}).get("higher_is_better") is False
                row = ScoreRow(metric, None, system, None, 0.0, 1, falls=falls)
                yield row._replace(score=float(score["score"]))
                for at, value in enumerate(score.get("segments") or ()):
                    # The metric has no value there, by its definition.
                    known = value is not None
                    number = float(value) if known else float("nan")
                    name = place(system, at, 1)
                    yield row._replace(segment=name, score=number, undefined=not known)
    except KeyError as error:
        what = f"no {error} where `tertium score -f json` writes one; give that, or TSV"
        raise FormatError(what, path=path) from None
    except FormatError:
        raise
    except (
        ValueError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
    ) as error:
        what = f"not what `tertium score -f json` writes ({error}); give that, or TSV"
        raise FormatError(what, path=path) from None
