# SPDX-License-Identifier: Apache-2.0
"""Checks that find mistakes in a test set before it is scored.

``check`` runs them and returns a ``Report`` of ``Finding``s. A check looks at texts
alone: it needs no language model, no list of words and no metric. All are linear in
the number of segments; ``identical-to-reference`` compares every system with every
reference, and a shift of up to three lines is looked for on both sides. Chunks are
looked at twice, so that no more than one is held: see ``check_stream``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from tertium.data.checks import (
    characters,
    copies,
    languages,
    order,
    repeats,
    scripts,
    surface,
)
from tertium.data.checks.base import Check
from tertium.data.checks.report import SEVERITIES, Finding, Report, merged
from tertium.data.checks.survey import Survey
from tertium.data.checks.view import View
from tertium.data.testset import CHUNK, Testset, rechunk
from tertium.errors import UnknownNameError

__all__ = ["KINDS", "SEVERITIES", "Finding", "Report", "check", "check_stream"]

#: Called with what is counted, how many are done, and how many there are.
Progress: TypeAlias = "Callable[[str, int, int | None], None]"

#: Kind of mistake and what it is, in the order they are looked for.
KINDS = {
    "empty": "empty segments",
    "copied-source": "outputs that are the source",
    "source-as-reference": "references that are the source",
    "identical-to-reference": "systems that equal a reference",
    "identical-systems": "systems that equal each other",
    "duplicates": "repeated sources; one output for many segments",
    "ids": "segment ids that occur more than once",
    "shifted": "lines that moved against the other texts",
    "transposed": "swapped files; references the wrong way round",
    "language": "texts in neither language",
    "script": "letters of another script; look-alikes",
    "tokenised": "tokenised or escaped text on one side",
    "separators": "stray line separators, tabs, marks without width",
    "encoding": "UTF-8 that was read as another encoding",
    "normalisation": "normal forms or quotation marks that differ",
    "length": "segments far too long or short; loops",
}

_CHECKS: dict[str, Callable[[], Check]] = {
    "empty": copies.Empty,
    "copied-source": copies.CopiedSource,
    "source-as-reference": copies.SourceAsReference,
    "identical-to-reference": copies.IdenticalToReference,
    "identical-systems": copies.IdenticalSystems,
    "duplicates": repeats.Duplicates,
    "ids": repeats.SegmentIds,
    "shifted": order.Shifted,
    "transposed": languages.Transposed,
    "language": languages.Language,
    "script": scripts.Script,
    "tokenised": surface.Tokenised,
    "separators": characters.Separators,
    "encoding": characters.Encoding,
    "normalisation": characters.Normalisation,
    "length": surface.Length,
}


def check(
    testset: Testset, *, only: Iterable[str] | None = None, skip: Iterable[str] = ()
) -> Report:
    """Return the mistakes in a test set.

    Parameters
    ----------
    testset : Testset
        What to look at. Checks that need a source, or references, or systems are
        passed over without them.
    only : iterable of str, optional
        Look for these kinds alone; the kinds are in ``KINDS``.
    skip : iterable of str
        Do not look for these kinds.

    Returns
    -------
    Report
        The findings: errors first, then warnings, then notes.

    Raises
    ------
    UnknownNameError
        When a kind does not exist.

    Examples
    --------
    >>> testset = Testset.build(["a cat", "two dogs"], {"A": ["a cat", " "]})
    >>> check(testset)
    warning: system 'A': empty or only white space: segment 2; fill them, or drop \
these segments from every text [empty]
    1 finding in 2 segments: 1 warning
    """
    # Views are made anew for the second look: kept, their words would take far more
    # memory than the texts.
    return _check(lambda: _views(testset.chunks(CHUNK)), only, skip, None)


def check_stream(
    open_chunks: Callable[[], Iterable[Testset]],
    *,
    only: Iterable[str] | None = None,
    skip: Iterable[str] = (),
    progress: Progress | None = None,
) -> Report:
    """Return the mistakes in a test set that arrives in chunks; see :func:`check`.

    The report is the same whatever the chunks. Memory grows by 25 bytes per segment for
    hashes of sources, references and ids, and not at all without ``duplicates`` and
    ``ids``; languages are compared by at most 300,000 different words.

    Parameters
    ----------
    open_chunks : callable
        Returns the chunks from the start; called twice.
    only, skip
        As in :func:`check`.
    progress : callable, optional
        Called with what is counted, how many are done, and how many there are if that
        is known: "segments", and for the second look "segments again".

    Examples
    --------
    >>> from tertium.data import stream
    >>> check_stream(lambda: stream("demo", size=7)).summary()
    '1 finding in 60 segments: 1 warning'
    """
    return _check(lambda: _views(rechunk(open_chunks(), CHUNK)), only, skip, progress)


def _views(chunks: Iterable[Testset]) -> Iterator[View]:
    start = 0
    for chunk in chunks:
        yield View(chunk, start)
        start += len(chunk)


def _check(
    open_views: Callable[[], Iterable[View]],
    only: Iterable[str] | None,
    skip: Iterable[str],
    progress: Progress | None,
) -> Report:
    wanted, unwanted = list(KINDS) if only is None else list(only), set(skip)
    for kind in (*wanted, *unwanted):
        if kind not in KINDS:
            raise UnknownNameError("kind", kind, KINDS)
    checks = [
        _CHECKS[kind]() for kind in KINDS if kind in wanted and kind not in unwanted
    ]
    survey = Survey(frozenset().union(*(each.needs for each in checks)))
    done = 0
    for view in open_views():
        survey.look(view)
        for each in checks:
            each.look(view)
        done += len(view)
        if progress is not None:
            progress("segments", done, None)
    again = [each for each in checks if each.needs_another_look(survey)]
    done = 0
    for view in open_views() if again else ():
        for each in again:
            each.look_again(view, survey)
        done += len(view)
        if progress is not None:
            progress("segments again", done, survey.segments)
    findings = [item for each in checks for item in each.findings(survey)]
    findings.sort(key=lambda item: SEVERITIES.index(item.severity))
    return Report(survey.segments, merged(findings))
