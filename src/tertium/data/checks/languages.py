# SPDX-License-Identifier: Apache-2.0
"""Texts that were mixed up: swapped files, transposed references, other languages.

No list of words is needed: two texts of one language share their frequent words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from statistics import mean

from tertium.data.checks.copies import copies_of_source
from tertium.data.checks.report import Finding
from tertium.data.checks.scripts import is_written_otherwise
from tertium.data.checks.view import ALIKE, Column, View, pooled, similarity, words

__all__ = ["find_language", "find_transposed"]

_ENOUGH = 60  # Words a text must have before its language is judged.
_FOREIGN = 0.15
_SAMPLE = 500
_CROWD = 20
_UNRELATED = 0.2


def find_transposed(view: View) -> Iterator[Finding]:
    """Yield files that were swapped, and references given the wrong way round."""
    yield from _transposed_references(view.testset.references)
    if view.source is None or not _is_enough(view.source.frequencies):
        return
    # Exact copies have findings of their own.
    texts = [c for c in view.targets if _is_judged(view, c)]
    systems = [c for c in view.systems if c in texts]
    if len(systems) > 1 and _reads_like_source(
        view, view.system_frequencies, view.reference_frequencies
    ):
        yield _transposed(
            "source",
            "reads like the systems, and the references do not; swap source and "
            "references",
            len(view.testset),
        )
        return
    for column in texts:
        if _reads_like_source(view, column.frequencies, _others(view, column)):
            other = "the references" if column in systems else "the systems"
            yield _transposed(
                column.where,
                f"reads like the source, not like {other}; is it the right file, or "
                f"were source and {other} swapped?",
                len(column),
            )
    yield from _swapped_systems(view, systems)


def _swapped_systems(view: View, systems: Sequence[Column]) -> Iterator[Finding]:
    source, references = view.source, view.reference_frequencies
    if source is None or similarity(source.frequencies, references) < ALIKE:
        return
    odd = [c for c in systems if similarity(c.frequencies, references) < _FOREIGN]
    # If all are odd, it is the reference, and it has a finding.
    for column in odd if len(odd) < len(systems) else []:
        yield _transposed(
            column.where,
            "reads unlike the references, and the source reads like them; were "
            "source and system swapped?",
            len(column),
        )


def find_language(view: View) -> Iterator[Finding]:
    """Yield texts that are in neither language."""
    references = view.reference_frequencies
    if not _is_enough(references):
        return
    source = Counter[str]() if view.source is None else view.source.frequencies
    if similarity(source, references) >= ALIKE:
        return
    odd = [
        column
        for column in view.systems
        if _is_judged(view, column)
        and similarity(column.frequencies, references) < _FOREIGN
        and similarity(column.frequencies, source) < ALIKE
        and not is_written_otherwise(view, column)
    ]
    if 1 < len(odd) == len(view.systems):
        odd = view.references
    for column in odd:
        other = "systems" if column in view.references else "references"
        yield Finding(
            "language",
            "warning",
            column.where,
            f"shares hardly a frequent word with the {other}; is it the right file and "
            "language?",
            count=len(column),
        )


def _reads_like_source(view: View, text: Counter[str], others: Counter[str]) -> bool:
    if view.source is None or not _is_enough(others):
        return False
    source = view.source.frequencies
    near = similarity(text, source)
    far = max(similarity(text, others), similarity(source, others))
    return near >= max(ALIKE, 2 * far)


def _others(view: View, column: Column) -> Counter[str]:
    """Return the words of the texts that should be in the same language."""
    if column in view.systems:
        near, far = view.systems, view.reference_frequencies
    else:
        near, far = view.references, view.system_frequencies
    return far or pooled([other for other in near if other is not column])


def _is_judged(view: View, column: Column) -> bool:
    copied = copies_of_source(view, column)
    return _is_enough(column.frequencies) and 2 * len(copied) <= len(column)


def _is_enough(frequencies: Counter[str]) -> bool:
    return sum(frequencies.values()) >= _ENOUGH


def _transposed_references(references: Sequence[tuple[str, ...]]) -> Iterator[Finding]:
    """Yield a finding if references of one segment differ like different segments."""
    width = min(map(len, references), default=0)
    if width < 2:
        return
    within = _mean_overlap(pair for refs in references for pair in pairwise(refs))
    across = _mean_overlap(
        pair for a, b in pairwise(references) for pair in zip(a, b, strict=False)
    )
    alone = len(references) == 1 and width >= _CROWD and within < _UNRELATED
    if alone or (across > within + 0.15 and across > 1.5 * within):
        yield _transposed(
            "references",
            f"{len(references)} segments with {width} references each look like "
            f"{width} segments with {len(references)}; give one tuple of references "
            "per segment",
            len(references),
        )


def _mean_overlap(pairs: Iterator[tuple[str, str]]) -> float:
    """Return the mean share of common words, 0 for too few pairs."""
    shares = []
    for a, b in islice(pairs, _SAMPLE):
        small, large = sorted((set(words(a)), set(words(b))), key=len)
        if len(small) >= 3:
            shares.append(len(small & large) / len(small))
    return mean(shares) if len(shares) >= 5 else 0.0


def _transposed(where: str, message: str, count: int) -> Finding:
    return Finding("transposed", "error", where, message, count)
