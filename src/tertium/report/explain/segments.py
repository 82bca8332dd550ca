# SPDX-License-Identifier: Apache-2.0
"""Segments of a test set to explain: by number, or from a list of the worst."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium._messages import count, quote
from tertium.data.annotated import layer
from tertium.data.kept import pairs
from tertium.data.lines import StrPath, display, open_lines
from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.report.explain.explanation import (
    DEFAULT_METRICS,
    explain,
    explain_permutation,
)

if TYPE_CHECKING:
    from tertium.align.aligner import AlignerSettings
    from tertium.data.testset import Testset
    from tertium.report.explain.explained import Explanation
    from tertium.trees.parsers import Parser

__all__ = [
    "ListedSegment",
    "choose_segments",
    "explain_segments",
    "read_segment_list",
]

_MOST = 50


@dataclass(frozen=True)
class ListedSegment:
    """A segment of a list, and the place in a file that names it."""

    system: str
    segment: int
    metric: str = ""
    where: str = ""


def explain_segments(
    testset: Testset,
    *,
    segments: str | Sequence[int] | None = None,
    system: str | Sequence[str] | None = None,
    listed: Sequence[ListedSegment] | None = None,
    metrics: Sequence[str] = (),
    alignment: Mapping[str, str | bool] | AlignerSettings | None = None,
    parser: Parser | None = None,
    variant: str | None = None,
    reference: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Explanation]:
    """Yield why segments of a test set have their scores.

    Parameters
    ----------
    testset : Testset
        Outputs that bring a permutation are explained without texts.
    segments, system, listed
        As in :func:`choose_segments`.
    metrics : sequence of str
        By default those of `listed`, or else those of :func:`tertium.explain`.
    alignment, parser, variant, reference
        As in :func:`tertium.explain`.
    progress : callable, optional
        Called with the number of segments done.

    Raises
    ------
    InputError
        When there are no references, and as in :func:`choose_segments`.

    Examples
    --------
    >>> from tertium import Testset
    >>> testset = Testset.build(["we meet at noon"], {"A": ["at noon we meet"]})
    >>> [found] = explain_segments(testset, segments="1", metrics=["chrf"])
    >>> found.system, found.findings[0].text
    ('A', 'The block *at noon* moved before *we meet*.')
    """
    if not any(testset.references):
        message = "the test set has no references; give them"
        raise InputError(message, options=("references",))
    chosen = choose_segments(testset, segments=segments, system=system, listed=listed)
    specs = metrics or [
        spec for spec in dict.fromkeys(item.metric for item in listed or ()) if spec
    ]
    for done, (number, name) in enumerate(chosen, start=1):
        hyp = testset.systems[name][number - 1]
        perm = layer(hyp, "permutation")
        if isinstance(perm, tuple):
            yield explain_permutation(perm, metrics=specs, system=name, segment=number)
        else:
            yield explain(
                hyp,
                list(testset.references[number - 1]),
                metrics=specs or DEFAULT_METRICS,
                alignment=alignment,
                parser=parser,
                variant=variant,
                reference=reference,
                source=testset.sources[number - 1] if testset.sources else None,
                system=name,
                segment=number,
            )
        if progress is not None:
            progress(done)


def choose_segments(
    testset: Testset,
    *,
    segments: str | Sequence[int] | None = None,
    system: str | Sequence[str] | None = None,
    listed: Sequence[ListedSegment] | None = None,
    most: int | None = _MOST,
) -> Sequence[tuple[int, str]]:
    """Return segments and systems in the order in which to explain them.

    Parameters
    ----------
    testset : Testset
    segments : str or sequence of int, optional
        Numbers counted from 1, such as ``"3,7,10-12"``; by default all.
    system : str or sequence of str, optional
        By default all systems.
    listed : sequence of ListedSegment, optional
        A list instead of `segments`; see :func:`read_segment_list`.
    most : int, optional
        How many there may be if all are wanted; None for any number.

    Returns
    -------
    sequence of tuple of int and str
        Segment, counted from 1, and system.

    Raises
    ------
    InputError
        When the test set does not have a segment or system, or there are too many to
        explain them all.

    Examples
    --------
    >>> from tertium import Testset
    >>> testset = Testset.build(["a", "b"], {"A": ["a", "b"], "B": ["b", "a"]})
    >>> list(choose_segments(testset, segments="2"))
    [(2, 'A'), (2, 'B')]
    >>> list(choose_segments(testset, system="B"))
    [(1, 'B'), (2, 'B')]
    """
    wanted = [system] if isinstance(system, str) else list(system or testset.systems)
    for name in (*wanted, *(item.system for item in listed or ())):
        if name not in testset.systems:
            raise UnknownNameError("system", name, testset.systems)
    if listed is not None:
        for item in listed:
            _check_number(item.segment, len(testset), item.where)
        named = dict.fromkeys((item.segment, item.system) for item in listed)
        return [pair for pair in named if pair[1] in wanted]
    if segments is None:
        if most is not None and len(testset) * len(wanted) > most:
            message = (
                f"{count(len(testset), 'segment')} of {count(len(wanted), 'system')} "
                "are too many to explain; choose segments such as 3,7,10-12 and "
                "systems, or use the list that `tertium score --worst 20 -f tsv` makes"
            )
            raise InputError(message, options=("segments", "system", "list"))
        return pairs(range(1, len(testset) + 1), wanted)
    return pairs(_numbers(segments, len(testset)), wanted)


def _numbers(segments: str | Sequence[int], size: int) -> list[int]:
    """Return segment numbers, also from a text such as 3,7,10-12."""
    if not isinstance(segments, str):
        for number in segments:
            _check_number(number, size, "segments")
        return list(dict.fromkeys(segments))
    numbers: list[int] = []
    for part in segments.replace(",", " ").split():
        match = re.fullmatch(r"([0-9]{1,18})(?:-([0-9]{1,18}))?", part)
        if match is None:
            message = (
                f"{quote(part)} is not a segment number; write a list such as 3,7,10-12"
            )
            raise InputError(message)
        first = int(match[1])
        last = int(match[2]) if match[2] else first
        if last < first:
            message = f"{part} runs backwards; write {last}-{first}"
            raise InputError(message)
        for number in (first, last):  # before a long range is made
            _check_number(number, size, "segments")
        numbers += range(first, last + 1)
    if not numbers:
        message = "segments is empty; write a list such as 3,7,10-12"
        raise InputError(message, options=("segments",))
    return list(dict.fromkeys(numbers))


def _check_number(number: int, size: int, where: str) -> None:
    if not 1 <= number <= size:
        message = (
            f"{where}: there is no segment {number}; the test set has "
            f"{count(size, 'segment')}, counted from 1"
        )
        raise InputError(message)


def read_segment_list(path: StrPath) -> list[ListedSegment]:
    """Return the segments that a file of ``tertium score --worst N`` lists.

    It is the TSV, CSV or JSON of that command, or any table with the columns
    ``system`` and ``segment``.

    Parameters
    ----------
    path : str or path
        The file; ``-`` for standard input.

    Raises
    ------
    FormatError
        If it is neither.
    """
    name = display(path)
    text = "\n".join(open_lines(path))
    if text.lstrip().startswith("{"):
        return _from_json(text, name)
    return _from_table(text, name)


def _from_table(text: str, name: str) -> list[ListedSegment]:
    import csv
    import io

    from tertium.data.formats.comma import separator_of

    first = text.partition("\n")[0]
    separator = "\t" if "\t" in first else separator_of(first)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=separator))
    except csv.Error:  # a lone carriage return, say
        rows = []
    if not rows or not {"system", "segment"} <= set(rows[0]):
        message = (
            "this is not a list of segments; make one with `tertium score --worst 20 "
            "-f tsv`, or write a TSV or CSV with the columns system and segment"
        )
        raise FormatError(message, path=name, line=1)
    head = rows[0]
    listed = []
    for line, row in enumerate(rows[1:], start=2):
        if not row:
            continue
        if len(row) != len(head):
            message = f"{len(row)} columns, but the head has {len(head)}; give as many"
            raise FormatError(message, path=name, line=line)
        cells = dict(zip(head, row, strict=True))
        number = _number(cells["segment"], name, line)
        metric = cells.get("metric", "")
        listed.append(ListedSegment(cells["system"], number, metric, f"{name}:{line}"))
    return listed


def _from_json(text: str, name: str) -> list[ListedSegment]:
    import json

    try:
        return [
            ListedSegment(
                str(item["system"]),
                int(item["segment"]),
                str(item.get("metric", "")),
                name,
            )
            for item in json.loads(text)["worst"]
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        message = (
            "this JSON does not list segments; make it with `tertium score --worst 20 "
            "-f json`"
        )
        raise FormatError(message, path=name) from None


def _number(text: str, name: str, line: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        message = f"{quote(text)} is not a segment number; count segments from 1"
        raise FormatError(message, path=name, line=line)
    return int(text)
