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
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from tertium.data.formats.comma import csv_rows, separator_of
from tertium.data.lines import open_lines
from tertium.errors import FormatError, InputError
from tertium.meta.files.choice import ScoreChoice, ScoreRow
from tertium.meta.files.direction import check_directions, seem_to_fall
from tertium.meta.files.metric_names import COMMON, metric_name, plain_name
from tertium.meta.files.mtme_scores import read_mtme
from tertium.meta.files.program_output import (
    COMET_LINE,
    is_number,
    read_comet_text,
    read_numbers,
)
from tertium.meta.files.score_fields import cut_fields, is_text
from tertium.meta.files.score_objects import read_objects
from tertium.meta.files.score_places import Places
from tertium.meta.files.score_shards import is_score_folder, read_shards
from tertium.meta.files.score_tables import check_header, is_table, read_table
from tertium.meta.files.wmt_rankings import is_official, read_official
from tertium.meta.files.wmt_scores import read_wmt
from tertium.meta.scores import MetricScores

__all__ = ["ScoreFile", "read_scores", "score_file"]

_LEVEL = re.compile(r"\.(seg|sys)\.score$")


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
                rows.append((row.path or file.path, row))
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
        (path, row._replace(metric=COMMON) if path in single and row.by_stem else row)
        for path, row in rows
    ]


def _read(
    file: ScoreFile, segments: Sequence[str] | None, mark: str, whole_paths: bool
) -> Iterator[ScoreRow]:
    place = Places(file.path, segments, mark)
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
            raise FormatError(what, path=row.path or file.path, line=row.line)
        named = row.system
        yield row._replace(system=file.system)
    place.check()


def _read_any(file: ScoreFile, place: Places, whole_paths: bool) -> Iterator[ScoreRow]:
    path = file.path
    if is_score_folder(path):
        yield from read_shards(path, place)
        return
    name = plain_name(path)
    level = _LEVEL.search(name)
    lines = open_lines(path)
    head = next(lines, None)
    if head is None:
        raise FormatError("the file is empty; give scores", path=path)
    if head.lstrip().startswith(("{", "[")) or name.endswith(".json"):
        yield from read_objects(path, file.system, [head, *lines], place, whole_paths)
        return
    rest = enumerate(lines, 2)
    separator = separator_of(head)
    cells = next(csv.reader([head], delimiter=separator), [])
    separated = "\t" not in head and len(cells) > 1
    if separated and is_table(cells, file.system):
        rows = csv_rows(chain([head], lines), separator, path)
        yield from read_table(path, file.system, cells, islice(rows, 1, None), place)
        return
    fields = cut_fields(head)
    if is_table(fields, file.system):
        table = ((n, cut_fields(line)) for n, line in rest)
        yield from read_table(path, file.system, fields, table, place)
        return
    numbered = [(1, head), *rest]
    if is_official(head):
        yield from read_official(path, numbered)
        return
    if any(COMET_LINE.match(line) for _, line in numbered[:20]):
        yield from read_comet_text(path, numbered, place, whole_paths=whole_paths)
        return
    if len(fields) == 1 and is_number(fields[0]):
        yield from read_numbers(path, numbered, place, file.system, metric_name(path))
        return
    if level is None and len(fields) in (5, 6) and not is_text(fields[-1]):
        # A submission under another name: a segment has one column more.
        yield from read_wmt(path, numbered, len(fields) == 6)
        return
    if level is None and len(fields) == 2 and not is_text(fields[1]):
        # A file of mt-metrics-eval under another name.
        systems = [cut_fields(line)[0] for _, line in numbered]
        by_segment = len(set(systems)) < len(systems)
        metric = metric_name(path).name
        yield from read_mtme(path, numbered, metric, place, by_segment)
        return
    if level is None:
        check_header(path, cells if separated else fields)
        what = (
            "neither a header with `system` and `score` nor output of a metric that is "
            "known here; add a header, or give one number per line"
        )
        raise FormatError(what, path=path)
    by_segment = level[1] == "seg"
    if len(fields) == 2:
        yield from read_mtme(path, numbered, _LEVEL.sub("", name), place, by_segment)
    else:
        yield from read_wmt(path, numbered, by_segment)
