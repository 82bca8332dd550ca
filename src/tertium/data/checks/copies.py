# SPDX-License-Identifier: Apache-2.0
"""Texts that are missing, or the same as another: empty, copied, repeated."""

from __future__ import annotations

from collections.abc import Iterator

from tertium._messages import quote
from tertium.data.checks.report import Finding, degree, finding
from tertium.data.checks.view import Column, View
from tertium.data.segment_ids import RepeatedIds

__all__ = [
    "copies_of_source",
    "find_copied_source",
    "find_duplicates",
    "find_empty",
    "find_identical_systems",
    "find_identical_to_reference",
    "find_repeated_ids",
    "find_source_as_reference",
]

_LONG = 4  # Shorter texts are often the same by right: names, figures, "Yes."
_MANY = 5
_MOST = 0.5


def find_empty(view: View) -> Iterator[Finding]:
    """Yield texts with empty segments."""
    for column in view.columns:
        numbers = [n for n, text in column.items() if not text.strip()]
        if not numbers:
            continue
        grave = len(numbers) > _MOST * len(column) or any(
            _has_no_reference(view, n) for n in numbers if column in view.references
        )
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
    lost = not any(ref.strip() for ref in view.testset.references[number - 1])
    return lost and bool(view.source is None or view.sources[number - 1].strip())


def copies_of_source(view: View, column: Column) -> list[int]:
    """Return the segments where a text is the source, though it is long enough."""
    if view.source is None:
        return []
    same = [n for n, text in column.items() if text == view.sources[n - 1]]
    return [n for n in same if len(view.source.words[n - 1]) >= _LONG]


def find_copied_source(view: View) -> Iterator[Finding]:
    """Yield systems that leave segments as they are in the source."""
    for column in view.systems:
        copied = copies_of_source(view, column)
        # Right where a reference does the same.
        refs = view.testset.references
        numbers = [n for n in copied if view.sources[n - 1] not in refs[n - 1]]
        most = len(copied) > _MOST * len(column)
        if not numbers or (view.one_language and not most):
            continue
        yield finding(
            "copied-source",
            "warning" if view.one_language else degree(len(copied), len(column)),
            where=column.where,
            what=f"output is the source, not translated ({_share(copied, column)})",
            cure="is it the right file, and did the system run on all of it?",
            numbers=numbers,
        )


def find_source_as_reference(view: View) -> Iterator[Finding]:
    """Yield references that are the source."""
    for column in view.references:
        numbers = copies_of_source(view, column)
        most = len(numbers) > _MOST * len(column)
        if not numbers or (view.one_language and not most):
            continue
        yield finding(
            "source-as-reference",
            "error" if most and not view.one_language else "warning",
            where=column.where,
            what=f"the reference is the source ({_share(numbers, column)})",
            cure="give the translation",
            numbers=numbers,
        )


def find_identical_to_reference(view: View) -> Iterator[Finding]:
    """Yield systems that equal a reference, throughout or mostly."""
    for column in view.systems:
        for reference in view.references:
            equal = [
                n
                for n, ref in reference.items()
                if column.texts[n - 1] == ref and len(column.words[n - 1]) >= _LONG
            ]
            if column.texts == reference.texts:
                severity = "error"
            elif len(equal) > _MOST * len(reference) and len(equal) >= _MANY:
                severity = "warning"
            else:
                continue
            yield finding(
                "identical-to-reference",
                severity,
                where=column.where,
                what=f"equals {reference.where} ({_share(equal, reference)})",
                cure="is it the reference file, or was the system trained on it?",
                numbers=equal or list(reference.numbers),
            )


def find_identical_systems(view: View) -> Iterator[Finding]:
    """Yield groups of systems with the same output throughout."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, hyps in view.testset.systems.items():
        groups.setdefault(tuple(hyps), []).append(name)
    for names in groups.values():
        if len(names) > 1 and len(view.testset):
            yield Finding(
                "identical-systems",
                "warning",
                f"systems {', '.join(map(repr, names))}",
                "the same output in every segment; was one file given twice?",
                count=len(view.testset),
            )


def find_duplicates(view: View) -> Iterator[Finding]:
    """Yield repeated sources, and outputs given for many different segments."""
    yield from _repeated_sources(view)
    asked = list(zip(view.sources, view.testset.references, strict=True))
    for column in view.systems:
        yield from _same_answer(column, asked)
    for column in view.references:
        yield from _same_answer(column, [(src, ()) for src in view.sources])


def find_repeated_ids(view: View) -> Iterator[Finding]:
    """Yield segments with the id of an earlier one, of the same document if any."""
    repeated = RepeatedIds()
    repeated.add(view.testset)
    if pairs := repeated.pairs():
        first, second = pairs[0]
        ids = view.testset.ids or []
        yield finding(
            "ids",
            "warning",
            where="ids",
            what=f"ids that are taken, such as {quote(ids[second - 1])} of segment "
            f"{first}",
            cure="judgements and layers are matched by id: give every segment its own",
            numbers=[number for _, number in pairs],
        )


def _repeated_sources(view: View) -> Iterator[Finding]:
    if view.source is None:
        return
    first: dict[str, int] = {}
    same: list[int] = []
    other: list[int] = []
    for number, src in view.source.items():
        before = first.setdefault(src, number)
        if before == number or len(view.source.words[number - 1]) < _LONG:
            continue
        refs = view.testset.references
        equal = refs[before - 1] == refs[number - 1]
        (same if equal else other).append(number)
    for numbers, which in ((same, "the same"), (other, "other")):
        if numbers:
            yield finding(
                "duplicates",
                "note",
                where="source",
                what=f"source repeated with {which} references",
                cure="they count twice; drop them unless that is meant",
                numbers=numbers,
            )


def _same_answer(
    column: Column, asked: list[tuple[str, tuple[str, ...]]]
) -> Iterator[Finding]:
    answers: dict[str, list[int]] = {}
    for number, text in column.items():
        if text.strip():
            answers.setdefault(text, []).append(number)
    for text, numbers in answers.items():
        if len(numbers) < max(_MANY, len(column) // 100):
            continue
        if len({asked[n - 1] for n in numbers}) >= max(_MANY, len(numbers) // 2):
            yield finding(
                "duplicates",
                "warning",
                where=column.where,
                what=f"{quote(text)} stands for many different segments",
                cure="did the system fail there?",
                numbers=numbers,
            )


def _share(numbers: list[int], column: Column) -> str:
    return f"{len(numbers):,} of {len(column):,} segments"
