# SPDX-License-Identifier: Apache-2.0
"""What is known about a whole test set after a first look at all of its chunks."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from itertools import chain

from tertium.data.checks.tally import BoundedCounter, Tally
from tertium.data.checks.view import ALIKE, Column, View, similarity, words

__all__ = ["Facts", "Survey", "copies_of_source", "pooled"]

_LONG = 4  # Shorter texts are often the same by right: names, figures, "Yes."


class Facts:
    """One text of the whole test set: the source, a reference, or a system."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.numbers = Tally()
        #: How often every word and every character occurs.
        self.frequencies = BoundedCounter()
        self.characters: Counter[str] = Counter()
        #: In how many segments it is the source, though long enough.
        self.copies = 0
        self._digest = hashlib.blake2b(digest_size=16)

    def __len__(self) -> int:
        return self.numbers.count

    @property
    def digest(self) -> bytes:
        """The same for columns with the same texts."""
        return self._digest.digest()

    def add(self, column: Column, view: View, needs: Collection[str]) -> None:
        """Take the texts of a chunk."""
        self.numbers.extend(column.numbers)
        if "frequencies" in needs:
            self.frequencies.count(chain.from_iterable(column.words))
        if "characters" in needs:
            self.characters.update("".join(column.texts))
        if "copies" in needs:
            self.copies += len(copies_of_source(view, column))
        if "digest" in needs:
            marked = "".join(f"{n}:{len(text)}:{text}" for n, text in column.items())
            self._digest.update(marked.encode("utf-8", "surrogatepass"))


class Survey:
    """The texts of a whole test set, and what several checks ask of them.

    Parameters
    ----------
    needs : collection of str
        What to look at: ``frequencies``, ``characters``, ``copies``, ``digest``.
    """

    def __init__(self, needs: Collection[str]) -> None:
        self.needs = needs
        self.segments = 0
        self.source: Facts | None = None
        self.references: list[Facts] = []
        self.systems: list[Facts] = []

    def look(self, view: View) -> None:
        """Take a chunk."""
        self.segments += len(view)
        if view.source is not None:
            self.source = self.source or Facts(view.source.where)
            self.source.add(view.source, view, self.needs)
        for known, columns in (
            (self.references, view.references),
            (self.systems, view.systems),
        ):
            for place, column in enumerate(columns):
                if place == len(known):
                    known.append(Facts(column.where))
                known[place].add(column, view, self.needs)

    @property
    def columns(self) -> list[Facts]:
        """All texts."""
        source = [] if self.source is None else [self.source]
        return [*source, *self.targets]

    @property
    def targets(self) -> list[Facts]:
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


def pooled(columns: Sequence[Facts]) -> Counter[str]:
    """Return how often every word occurs in some texts."""
    counts: Counter[str] = Counter()
    for column in columns:
        counts.update(column.frequencies)
    return counts


def copies_of_source(view: View, column: Column) -> list[int]:
    """Return the segments where a text is the source, though it is long enough."""
    if view.source is None or column is view.source:
        return []
    return [n for n in _equal(view, column) if len(words(view.source_of(n))) >= _LONG]


def _equal(view: View, column: Column) -> Iterable[int]:
    return (n for n, text in column.items() if text == view.source_of(n))
