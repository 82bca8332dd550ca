# SPDX-License-Identifier: Apache-2.0
"""Texts that were mixed up: swapped files, transposed references, other languages.

No list of words is needed: two texts of one language share their frequent words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from statistics import mean

from tertium.data.checks.base import Check
from tertium.data.checks.report import Finding
from tertium.data.checks.scripts import is_written_otherwise
from tertium.data.checks.survey import Facts, Survey, pooled
from tertium.data.checks.view import ALIKE, View, similarity, words

__all__ = ["Language", "Transposed"]

_ENOUGH = 60  # Words a text must have before its language is judged.
_FOREIGN = 0.15
_SAMPLE = 500
_CROWD = 20
_UNRELATED = 0.2


class Transposed(Check):
    """Files that were swapped, and references given the wrong way round."""

    needs = frozenset({"frequencies", "copies"})

    def __init__(self) -> None:
        self.width: int | None = None
        self.first: list[tuple[str, ...]] = []  # As many as the sample needs.

    def look(self, view: View) -> None:
        """Take a chunk."""
        references = view.testset.references
        self.first += references[: _SAMPLE + 1 - len(self.first)]
        widths = [*map(len, references)]
        if self.width is not None:
            widths.append(self.width)
        self.width = min(widths, default=None)

    def findings(self, survey: Survey) -> Iterator[Finding]:
        """Yield both."""
        yield from _transposed_references(self.first, self.width or 0, survey.segments)
        if survey.source is None or not _is_enough(survey.source.frequencies):
            return
        # Exact copies have findings of their own.
        texts = [c for c in survey.targets if _is_judged(c)]
        systems = [c for c in survey.systems if c in texts]
        if len(systems) > 1 and _reads_like_source(
            survey, survey.system_frequencies, survey.reference_frequencies
        ):
            yield _transposed(
                "source",
                "reads like the systems, and the references do not; swap source and "
                "references",
                survey.segments,
            )
            return
        for column in texts:
            if _reads_like_source(survey, column.frequencies, _others(survey, column)):
                other = "the references" if column in systems else "the systems"
                yield _transposed(
                    column.where,
                    f"reads like the source, not like {other}; is it the right file, "
                    f"or were source and {other} swapped?",
                    len(column),
                )
        yield from _swapped_systems(survey, systems)


def _swapped_systems(survey: Survey, systems: Sequence[Facts]) -> Iterator[Finding]:
    source, references = survey.source, survey.reference_frequencies
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


class Language(Check):
    """Texts that are in neither language."""

    needs = frozenset({"frequencies", "characters", "copies"})

    def findings(self, survey: Survey) -> Iterator[Finding]:
        """Yield these texts."""
        references = survey.reference_frequencies
        if not _is_enough(references):
            return
        source = Counter[str]() if survey.source is None else survey.source.frequencies
        if similarity(source, references) >= ALIKE:
            return
        odd = [
            column
            for column in survey.systems
            if _is_judged(column)
            and similarity(column.frequencies, references) < _FOREIGN
            and similarity(column.frequencies, source) < ALIKE
            and not is_written_otherwise(survey, column)
        ]
        if 1 < len(odd) == len(survey.systems):
            odd = survey.references
        for column in odd:
            other = "systems" if column in survey.references else "references"
            yield Finding(
                "language",
                "warning",
                column.where,
                f"shares hardly a frequent word with the {other}; is it the right file "
                "and language?",
                count=len(column),
            )


def _reads_like_source(
    survey: Survey, text: Counter[str], others: Counter[str]
) -> bool:
    if survey.source is None or not _is_enough(others):
        return False
    source = survey.source.frequencies
    near = similarity(text, source)
    far = max(similarity(text, others), similarity(source, others))
    return near >= max(ALIKE, 2 * far)


def _others(survey: Survey, column: Facts) -> Counter[str]:
    """Return the words of the texts that should be in the same language."""
    if column in survey.systems:
        near, far = survey.systems, survey.reference_frequencies
    else:
        near, far = survey.references, survey.system_frequencies
    return far or pooled([other for other in near if other is not column])


def _is_judged(column: Facts) -> bool:
    return _is_enough(column.frequencies) and 2 * column.copies <= len(column)


def _is_enough(frequencies: Counter[str]) -> bool:
    return sum(frequencies.values()) >= _ENOUGH


def _transposed_references(
    references: Sequence[tuple[str, ...]], width: int, segments: int
) -> Iterator[Finding]:
    """Yield a finding if references of one segment differ like different segments."""
    if width < 2:
        return
    within = _mean_overlap(pair for refs in references for pair in pairwise(refs))
    across = _mean_overlap(
        pair for a, b in pairwise(references) for pair in zip(a, b, strict=False)
    )
    alone = segments == 1 and width >= _CROWD and within < _UNRELATED
    if alone or (across > within + 0.15 and across > 1.5 * within):
        yield _transposed(
            "references",
            f"{segments} segments with {width} references each look like "
            f"{width} segments with {segments}; give one tuple of references "
            "per segment",
            segments,
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
