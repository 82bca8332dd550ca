# SPDX-License-Identifier: Apache-2.0
"""Checks that find mistakes in a test set before it is scored.

``check`` runs them and returns a ``Report`` of ``Finding``s. A check looks at texts
alone: it needs no language model, no list of words and no metric. All are linear in
the number of segments; ``identical-to-reference`` compares every system with every
reference, and a shift of up to three lines is looked for on both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from tertium.data.checks import characters, copies, languages, order, scripts, surface
from tertium.data.checks.report import SEVERITIES, Finding, Report, merged
from tertium.data.checks.view import View
from tertium.data.testset import Testset
from tertium.errors import UnknownNameError

__all__ = ["KINDS", "SEVERITIES", "Finding", "Report", "check"]

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

_CHECKS: dict[str, Callable[[View], Iterator[Finding]]] = {
    "empty": copies.find_empty,
    "copied-source": copies.find_copied_source,
    "source-as-reference": copies.find_source_as_reference,
    "identical-to-reference": copies.find_identical_to_reference,
    "identical-systems": copies.find_identical_systems,
    "duplicates": copies.find_duplicates,
    "ids": copies.find_repeated_ids,
    "shifted": order.find_shifted,
    "transposed": languages.find_transposed,
    "language": languages.find_language,
    "script": scripts.find_script,
    "tokenised": surface.find_tokenised,
    "separators": characters.find_separators,
    "encoding": characters.find_encoding,
    "normalisation": characters.find_normalisation,
    "length": surface.find_length,
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
    wanted, unwanted = list(KINDS) if only is None else list(only), set(skip)
    for kind in (*wanted, *unwanted):
        if kind not in KINDS:
            raise UnknownNameError("kind", kind, KINDS)
    view = View(testset)
    findings = [
        item
        for kind in KINDS
        if kind in wanted and kind not in unwanted
        for item in _CHECKS[kind](view)
    ]
    findings.sort(key=lambda item: SEVERITIES.index(item.severity))
    return Report(len(testset), merged(findings))
