# SPDX-License-Identifier: Apache-2.0
"""Counts of a preparation, to look at before annotators start.

The keys of `to_dict` are those of the JSON that ``tertium parts`` prints. They say
*segments* where the rest of this package says *parts*, since programs read them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tertium.judgements.parts.projection import Projection
from tertium.judgements.parts.sentences import SentenceParts

__all__ = ["ExtractionCounts", "ProjectionCounts", "SystemCounts"]


@dataclass(frozen=True)
class ExtractionCounts:
    """What was cut out of sentences.

    Parameters
    ----------
    sentences, words : int
    without_parts : int
        Sentences that have none.
    covered_words : int
        Words that are in a part.
    lengths : dict of int to int
        The number of parts by their length in words.
    """

    sentences: int
    words: int
    without_parts: int
    covered_words: int
    lengths: dict[int, int]

    @classmethod
    def of(cls, sentences: Iterable[SentenceParts]) -> ExtractionCounts:
        """Count sentences, words and parts."""
        number = words = without = covered = 0
        lengths: Counter[int] = Counter()
        for sentence in sentences:
            number += 1
            words += len(sentence.words)
            without += not sentence.parts
            covered += len(sentence.words) - len(sentence.uncovered)
            lengths.update(map(len, sentence.parts))
        return cls(number, words, without, covered, dict(sorted(lengths.items())))

    @property
    def parts(self) -> int:
        """The number of parts."""
        return sum(self.lengths.values())

    @property
    def parts_per_sentence(self) -> float | None:
        """Mean number of parts per sentence, None without sentences."""
        return _share(self.parts, self.sentences)

    @property
    def coverage(self) -> float | None:
        """Share of words that are in a part, None without words."""
        return _share(self.covered_words, self.words)

    def to_dict(self) -> dict[str, object]:
        """Return the counts as JSON has them.

        Examples
        --------
        >>> ExtractionCounts(2, 9, 1, 3, {3: 1}).to_dict()["segments_per_sentence"]
        0.5
        """
        return {
            "sentences": self.sentences,
            "words": self.words,
            "segments": self.parts,
            "segments_per_sentence": self.parts_per_sentence,
            "covered_words": self.covered_words,
            "coverage": self.coverage,
            "without_segments": self.without_parts,
            "lengths": self.lengths,
        }


@dataclass(frozen=True)
class SystemCounts:
    """How many parts of the source one system's output has.

    Parameters
    ----------
    system : str
    found, missing : int
        Parts with a translation, and those without a link.
    with_gaps : int
        Translations that are not contiguous.
    shared : int
        Translations that another system has too.
    """

    system: str
    found: int
    missing: int
    with_gaps: int
    shared: int

    def to_dict(self) -> dict[str, int]:
        """Return the counts as JSON has them, without the name of the system."""
        return {
            "found": self.found,
            "missing": self.missing,
            "with_gaps": self.with_gaps,
            "shared": self.shared,
        }


@dataclass(frozen=True)
class ProjectionCounts:
    """How systems translated the parts.

    Parameters
    ----------
    sentences, parts : int
    translations : int
        Pairs of part and system with a link to the output.
    missing : int
        Pairs of part and system without one.
    with_gaps : int
        Translations that are not contiguous.
    candidates : int
        Translations after equal ones of a part were merged.
    single : int
        Parts with one candidate: there is nothing to rank.
    without_candidates : int
        Parts that no system translated.
    systems : tuple of SystemCounts
    """

    sentences: int
    parts: int
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
            len(part.candidates) for _, parts in projection.sentences for part in parts
        ]
        systems = _systems(projection)
        return cls(
            len(projection.sentences),
            len(sizes),
            len(projection.origins),
            len(projection.missing),
            sum(counts.with_gaps for counts in systems),
            sum(sizes),
            sizes.count(1),
            sizes.count(0),
            systems,
        )

    @property
    def candidates_per_part(self) -> float | None:
        """Mean number of candidates per part, None without parts."""
        return _share(self.candidates, self.parts)

    @property
    def left(self) -> float | None:
        """Candidates per translation, None without translations."""
        return _share(self.candidates, self.translations)

    def to_dict(self) -> dict[str, object]:
        """Return the counts as JSON has them."""
        return {
            "sentences": self.sentences,
            "segments": self.parts,
            "translations": self.translations,
            "missing": self.missing,
            "with_gaps": self.with_gaps,
            "candidates": self.candidates,
            "left": self.left,
            "candidates_per_segment": self.candidates_per_part,
            "single": self.single,
            "without_candidates": self.without_candidates,
            "systems": {counts.system: counts.to_dict() for counts in self.systems},
        }


def _systems(projection: Projection) -> tuple[SystemCounts, ...]:
    translated: Counter[str] = Counter()
    gaps: Counter[str] = Counter()
    shared: Counter[str] = Counter()
    missing = Counter(system for *_, system in projection.missing)
    keys = [
        (origin.sentence, origin.source_indices, origin.image.text)
        for origin in projection.origins
    ]
    writers = Counter(keys)
    for origin, key in zip(projection.origins, keys, strict=True):
        translated[origin.system] += 1
        gaps[origin.system] += origin.image.has_gaps
        shared[origin.system] += writers[key] > 1
    return tuple(
        SystemCounts(name, translated[name], missing[name], gaps[name], shared[name])
        for name in projection.systems
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
