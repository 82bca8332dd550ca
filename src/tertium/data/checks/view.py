# SPDX-License-Identifier: Apache-2.0
"""The test set as the checks see it: columns of text, with their words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tertium.data.testset import Testset

__all__ = ["ALIKE", "UNSPACED", "Column", "View", "pooled", "similarity", "words"]

#: Scripts written without spaces, as a class for regular expressions; their
#: characters count as words. (Thai, Lao, Burmese, Khmer, kana, Han.)
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"

_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")

#: Texts of one language have a similarity of 0.68 to 0.99, others up to 0.13: system
#: with reference and system with source in five language pairs of WMT15.
ALIKE = 0.4


def words(text: str) -> list[str]:
    """Return the words in lower case, without punctuation.

    Examples
    --------
    >>> words("Don't stop: 東京!")
    ['don', 't', 'stop', '東', '京']
    """
    return _WORD.findall(text.lower())


@dataclass(frozen=True, eq=False)
class Column:
    """One text: the source, a reference, or a system.

    Segments may lack a second reference, so `numbers` has the segment (from 1) of
    every text.
    """

    where: str
    numbers: Sequence[int]
    texts: list[str]

    def __len__(self) -> int:
        return len(self.texts)

    def items(self) -> Iterator[tuple[int, str]]:
        """Yield number and text of every segment."""
        return zip(self.numbers, self.texts, strict=True)

    @cached_property
    def words(self) -> list[list[str]]:
        """The words of every text."""
        return [words(text) for text in self.texts]

    @cached_property
    def frequencies(self) -> Counter[str]:
        """How often every word occurs."""
        counts: Counter[str] = Counter()
        for segment in self.words:
            counts.update(segment)
        return counts

    @cached_property
    def characters(self) -> Counter[str]:
        """How often every character occurs."""
        return Counter("".join(self.texts))


class View:
    """The columns of a test set, and what several checks ask of them."""

    def __init__(self, testset: Testset) -> None:
        everywhere = range(1, len(testset) + 1)
        self.testset = testset
        self.sources: list[str] = testset.sources or [""] * len(testset)
        self.source = (
            None
            if testset.sources is None
            else Column("source", everywhere, testset.sources)
        )
        self.references = [
            _reference(testset, k)
            for k in range(max(map(len, testset.references), default=0))
        ]
        self.systems = [
            Column(f"system {name!r}", everywhere, hyps)
            for name, hyps in testset.systems.items()
        ]

    @property
    def columns(self) -> list[Column]:
        """All texts."""
        source = [] if self.source is None else [self.source]
        return [*source, *self.targets]

    @property
    def targets(self) -> list[Column]:
        """References and systems."""
        return [*self.references, *self.systems]

    @cached_property
    def reference_frequencies(self) -> Counter[str]:
        """How often every word occurs in all references."""
        return pooled(self.references)

    @cached_property
    def system_frequencies(self) -> Counter[str]:
        """How often every word occurs in all systems."""
        return pooled(self.systems)

    @cached_property
    def one_language(self) -> bool:
        """Whether source and target are the same language, as in simplification."""
        return self.source is not None and all(
            similarity(self.source.frequencies, column.frequencies) >= ALIKE
            for column in self.targets
        )


def pooled(columns: Sequence[Column]) -> Counter[str]:
    """Return how often every word occurs in some texts."""
    counts: Counter[str] = Counter()
    for column in columns:
        counts.update(column.frequencies)
    return counts


def similarity(a: Counter[str], b: Counter[str]) -> float:
    """Return the cosine of two lists of word frequencies.

    Examples
    --------
    >>> round(similarity(Counter("aab"), Counter("ab")), 3)
    0.949
    >>> similarity(Counter("aab"), Counter("c"))
    0.0
    """
    small, large = sorted((a, b), key=len)
    product = sum(n * large[word] for word, n in small.items() if word in large)
    if not product:
        return 0.0
    squares = [sum(n * n for n in counts.values()) for counts in (a, b)]
    return product / math.sqrt(squares[0] * squares[1])


def _reference(testset: Testset, k: int) -> Column:
    where = f"reference {k + 1}"
    numbers = [n for n, refs in enumerate(testset.references, 1) if len(refs) > k]
    return Column(where, numbers, [testset.references[n - 1][k] for n in numbers])
