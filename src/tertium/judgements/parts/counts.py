# SPDX-License-Identifier: Apache-2.0
"""Counts of a preparation, to look at before people are asked to judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tertium.judgements.parts.projection import Projection
from tertium.judgements.parts.sentences import Segmented

__all__ = ["ExtractionCounts", "ProjectionCounts", "SystemCounts"]


@dataclass(frozen=True)
class ExtractionCounts:
    """What was cut out of sentences.

    Parameters
    ----------
    sentences, words : int
    without_segments : int
        Sentences that have none.
    covered_words : int
        Words that are in a segment.
    lengths : dict of int to int
        How many segments have so many words.
    """

    sentences: int
    words: int
    without_segments: int
    covered_words: int
    lengths: dict[int, int]

    @classmethod
    def of(cls, sentences: Iterable[Segmented]) -> ExtractionCounts:
        """Count sentences, words and segments."""
        number = words = without = covered = 0
        lengths: Counter[int] = Counter()
        for sentence in sentences:
            number += 1
            words += len(sentence.words)
            without += not sentence.segments
            covered += len(sentence.words) - len(sentence.uncovered)
            lengths.update(map(len, sentence.segments))
        return cls(number, words, without, covered, dict(sorted(lengths.items())))

    @property
    def segments(self) -> int:
        """How many segments there are."""
        return sum(self.lengths.values())

    @property
    def segments_per_sentence(self) -> float | None:
        """Segments of a sentence in the mean, None without sentences."""
        return _share(self.segments, self.sentences)

    @property
    def coverage(self) -> float | None:
        """Share of words that are in a segment, None without words."""
        return _share(self.covered_words, self.words)


@dataclass(frozen=True)
class SystemCounts:
    """How the segments of one system were found.

    Parameters
    ----------
    system : str
    found, missing : int
        Segments with a translation, and those no link leads from.
    with_gaps : int
        Translations that are not in one piece.
    shared : int
        Translations that another system has too.
    """

    system: str
    found: int
    missing: int
    with_gaps: int
    shared: int


@dataclass(frozen=True)
class ProjectionCounts:
    """What systems made of segments.

    Parameters
    ----------
    sentences, segments : int
    translations : int
        Segments times systems, where a link leads to the output.
    missing : int
        Segments times systems, where none does.
    with_gaps : int
        Translations that are not in one piece.
    candidates : int
        Translations after equal ones of a segment were merged.
    single : int
        Segments with one candidate: there is nothing to rank.
    without_candidates : int
        Segments that no system translated.
    systems : tuple of SystemCounts
    """

    sentences: int
    segments: int
    translations: int
    missing: int
    with_gaps: int
    candidates: int
    single: int
    without_candidates: int
    systems: tuple[SystemCounts, ...]

    @classmethod
    def of(cls, projection: Projection) -> ProjectionCounts:
        """Count translations and candidates."""
        sizes = [
            len(own.candidates)
            for _, segments in projection.sentences
            for own in segments
        ]
        systems = _systems(projection)
        return cls(
            len(projection.sentences),
            len(sizes),
            len(projection.origins),
            len(projection.missing),
            sum(own.with_gaps for own in systems),
            sum(sizes),
            sizes.count(1),
            sizes.count(0),
            systems,
        )

    @property
    def candidates_per_segment(self) -> float | None:
        """Candidates of a segment in the mean, None without segments."""
        return _share(self.candidates, self.segments)

    @property
    def left(self) -> float | None:
        """Share of candidates among translations, None without any."""
        return _share(self.candidates, self.translations)


def _systems(projection: Projection) -> tuple[SystemCounts, ...]:
    found: Counter[str] = Counter()
    gaps: Counter[str] = Counter()
    shared: Counter[str] = Counter()
    missing = Counter(system for *_, system in projection.missing)
    keys = [
        (own.sentence, own.source_indices, own.image.text) for own in projection.origins
    ]
    writers = Counter(keys)
    for own, key in zip(projection.origins, keys, strict=True):
        found[own.system] += 1
        gaps[own.system] += own.image.has_gaps
        shared[own.system] += writers[key] > 1
    return tuple(
        SystemCounts(name, found[name], missing[name], gaps[name], shared[name])
        for name in projection.systems
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
