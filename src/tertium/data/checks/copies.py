# SPDX-License-Identifier: Apache-2.0
"""Texts that are missing, or the same as another: empty or copied."""

from __future__ import annotations

from collections.abc import Iterator

from tertium.data.checks.base import Check, Tallies
from tertium.data.checks.report import Finding, degree, finding
from tertium.data.checks.survey import Facts, Survey, copies_of_source
from tertium.data.checks.tally import Tally
from tertium.data.checks.view import View, words

__all__ = [
    "CopiedSource",
    "Empty",
    "IdenticalSystems",
    "IdenticalToReference",
    "SourceAsReference",
]

_LONG = 4  # Shorter texts are often the same by right: names, figures, "Yes."
_MANY = 5
_MOST = 0.5


class Empty(Check):
    """Texts with empty segments."""

    def __init__(self) -> None:
        self.numbers = Tallies()
        self.grave: set[str] = set()

    def look(self, view: View) -> None:
        """Take a chunk."""
        for column in view.columns:
            empty = [n for n, text in column.items() if not text.strip()]
            self.numbers[column.where].extend(empty)
            if column in view.references and any(
                _has_no_reference(view, n) for n in empty
            ):
                self.grave.add(column.where)

    def findings(self, survey: Survey) -> Iterator[Finding]:
        """Yield texts with empty segments."""
        for column in survey.columns:
            numbers = self.numbers[column.where]
            if not numbers:
                continue
            grave = len(numbers) > _MOST * len(column) or column.where in self.grave
            yield finding(
                "empty",
                "error" if grave else "warning",
                where=column.where,
                what="empty or only white space",
                cure="fill them, or drop these segments from every text",
                numbers=numbers,
            )


def _has_no_reference(view: View, number: int) -> bool:
    # A segment without a source may well have no reference: a break in the text.
    lost = not any(ref.strip() for ref in view.refs_of(number))
    return lost and bool(view.source is None or view.source_of(number).strip())


class CopiedSource(Check):
    """Systems that leave segments as they are in the source."""

    needs = frozenset({"frequencies", "copies"})

    def __init__(self) -> None:
        self.numbers = Tallies()

    def look(self, view: View) -> None:
        """Take a chunk."""
        for column in view.systems:
            # Right where a reference does the same.
            self.numbers[column.where].extend(
                n
                for n in copies_of_source(view, column)
                if view.source_of(n) not in view.refs_of(n)
            )

    def findings(self, survey: Survey) -> Iterator[Finding]:
        """Yield systems with copies."""
        for column in survey.systems:
            numbers = self.numbers[column.where]
            most = column.copies > _MOST * len(column)
            if not numbers or (survey.one_language and not most):
                continue
            severity = degree(column.copies, len(column))
            share = _share(column.copies, column)
            yield finding(
                "copied-source",
                "warning" if survey.one_language else severity,
                where=column.where,
                what=f"output is the source, not translated ({share})",
                cure="is it the right file, and did the system run on all of it?",
                numbers=numbers,
            )


class SourceAsReference(Check):
    """References that are the source."""

    needs = frozenset({"frequencies"})

    def __init__(self) -> None:
        self.numbers = Tallies()

    def look(self, view: View) -> None:
        """Take a chunk."""
        for column in view.references:
            self.numbers[column.where].extend(copies_of_source(view, column))

    def findings(self, survey: Survey) -> Iterator[Finding]:
        """Yield references with copies."""
        for column in survey.references:
            numbers = self.numbers[column.where]
            most = len(numbers) > _MOST * len(column)
            if not numbers or (survey.one_language and not most):
                continue
            yield finding(
                "source-as-reference",
                "error" if most and not survey.one_language else "warning",
                where=column.where,
                what=f"the reference is the source ({_share(len(numbers), column)})",
                cure="give the translation",
                numbers=numbers,
            )


class IdenticalToReference(Check):
    """Systems that equal a reference, throughout or mostly."""

    needs = frozenset({"digest"})

    def __init__(self) -> None:
        self.equal: dict[tuple[str, str], Tally] = {}

    def look(self, view: View) -> None:
        """Take a chunk."""
        for column in view.systems:
            for reference in view.references:
                key = (column.where, reference.where)
                equal = self.equal.setdefault(key, Tally())
                for n, ref in reference.items():
                    text = column.texts[n - view.start - 1]
                    if text == ref and len(words(text)) >= _LONG:
                        equal.add(n)

    def findings(self, survey: Survey) -> Iterator[Finding]:
        """Yield systems with the reference that they equal."""
        for column in survey.systems:
            for reference in survey.references:
                equal = self.equal.get((column.where, reference.where), Tally())
                if column.digest == reference.digest:
                    severity = "error"
                elif len(equal) > _MOST * len(reference) and len(equal) >= _MANY:
                    severity = "warning"
                else:
                    continue
                share = _share(len(equal), reference)
                yield finding(
                    "identical-to-reference",
                    severity,
                    where=column.where,
                    what=f"equals {reference.where} ({share})",
                    cure="is it the reference file, or was the system trained on it?",
                    numbers=equal if equal else reference.numbers,
                )


class IdenticalSystems(Check):
    """Groups of systems with the same output throughout."""

    needs = frozenset({"digest"})

    def findings(self, survey: Survey) -> Iterator[Finding]:
        """Yield the groups."""
        groups: dict[bytes, list[Facts]] = {}
        for column in survey.systems:
            groups.setdefault(column.digest, []).append(column)
        for columns in groups.values():
            if len(columns) > 1 and survey.segments:
                names = (column.where.removeprefix("system ") for column in columns)
                yield Finding(
                    "identical-systems",
                    "warning",
                    f"systems {', '.join(names)}",
                    "the same output in every segment; was one file given twice?",
                    count=survey.segments,
                )


def _share(number: int, column: Facts) -> str:
    return f"{number:,} of {len(column):,} segments"
