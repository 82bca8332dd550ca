# SPDX-License-Identifier: Apache-2.0
"""Habits of systems that can be seen without an alignment: length, copies, loops."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.analysis.words import is_number, split
from tertium.data.checks.scripts import script
from tertium.data.testset import Testset

__all__ = ["HABITS", "Habit", "find_habits"]

#: What is looked for, and what it is.
HABITS = {
    "empty": "outputs without a word",
    "copied source": "outputs that are the source, though no reference is",
    "repetition": "a word four times in a row, or a phrase of two to five words thrice",
    "untranslated words": "a word of four letters or more from the source that no "
    "reference has",
    "wrong script": "letters of a script that the references do not use",
    "number mismatch": "numbers that are not those of any reference",
    "too short": "less than half the words of the shortest reference",
    "too long": "more than twice the words of the longest reference",
}

_LOOP = 4
_PHRASE = 3
_LETTERS = 4
_NORM = 5  # words of a reference, below which length says little
_MAIN = 0.001  # share of the letters that makes it a script of the references


@dataclass(frozen=True)
class Habit:
    """Outputs of one system that have something in common.

    Attributes
    ----------
    name : str
        One of :data:`HABITS`.
    segments : mapping of str to tuple of int
        By system: where, from 0.
    """

    name: str
    segments: Mapping[str, tuple[int, ...]]

    def to_dict(self) -> dict[str, Any]:
        """Return the segments, counted from 1."""
        return {
            "name": self.name,
            "segments": {
                system: [number + 1 for number in numbers]
                for system, numbers in self.segments.items()
            },
        }


def find_habits(testset: Testset) -> list[Habit]:
    """Return the outputs of every system that show one of :data:`HABITS`.

    Those about the source need sources.
    """
    foreign = _foreign(refs[0] for refs in testset.references)
    sources = testset.sources
    facts = [
        _Facts(refs, "" if sources is None else sources[number], foreign)
        for number, refs in enumerate(testset.references)
    ]
    matches: dict[str, dict[str, list[int]]] = {
        name: {system: [] for system in testset.systems}
        for name in HABITS
        if sources is not None or name not in ("copied source", "untranslated words")
    }
    for system, outputs in testset.systems.items():
        for number, (text, fact) in enumerate(zip(outputs, facts, strict=True)):
            words = split(text)
            for name, by_system in matches.items():
                if _TESTS[name](text, words, fact):
                    by_system[system].append(number)
    return [
        Habit(name, {system: tuple(numbers) for system, numbers in by_system.items()})
        for name, by_system in matches.items()
    ]


class _Facts:
    """What is known of a segment before outputs are looked at."""

    def __init__(
        self, references: Sequence[str], source: str, scripts: _Foreign | None
    ) -> None:
        words = [split(text) for text in references]
        self.references = set(references)
        self.source = source.strip()
        self.lengths = [len(each) for each in words]
        self.numbers = [_numbers(each) for each in words]
        known = {word.lower() for each in words for word in each}
        self.foreign = {
            word
            for word in map(str.lower, split(source))
            if len(word) >= _LETTERS and word.isalpha() and word not in known
        }
        self.scripts = scripts


def _repeats(_: str, words: Sequence[str], __: _Facts) -> bool:
    size = len(words)
    if any(len(set(words[i : i + _LOOP])) == 1 for i in range(size - _LOOP + 1)):
        return True
    if len(set(words)) > size - 4:  # A phrase thrice repeats four words at least.
        return False
    for n in range(2, 6):
        for i in range(size - _PHRASE * n + 1):
            phrase = words[i : i + n]
            if all(
                words[i + k * n : i + (k + 1) * n] == phrase for k in range(1, _PHRASE)
            ):
                return True
    return False


def _numbers(words: Sequence[str]) -> Counter[str]:
    """Return the numbers among words; separators differ between languages."""
    return Counter(re.sub(r"\D", "", word) for word in words if is_number(word))


def _mismatch(_: str, words: Sequence[str], fact: _Facts) -> bool:
    return _numbers(words) not in fact.numbers


_TESTS: dict[str, Callable[[str, Sequence[str], _Facts], bool]] = {
    "empty": lambda _, words, __: not words,
    "copied source": lambda text, words, fact: (
        bool(words)
        and text.strip() == fact.source
        and fact.source not in fact.references
    ),
    "repetition": _repeats,
    "untranslated words": lambda _, words, fact: (
        bool(fact.foreign) and any(word.lower() in fact.foreign for word in words)
    ),
    "wrong script": lambda text, _, fact: (
        fact.scripts is not None and fact.scripts.within(text)
    ),
    "number mismatch": _mismatch,
    "too short": lambda _, words, fact: (
        min(fact.lengths) >= _NORM and 0 < 2 * len(words) < min(fact.lengths)
    ),
    "too long": lambda _, words, fact: (
        min(fact.lengths) >= _NORM and len(words) > 2 * max(fact.lengths)
    ),
}


def _foreign(references: Iterable[str]) -> _Foreign | None:
    """Return what finds letters of scripts that references do not use."""
    letters: Counter[str] = Counter()
    for text in references:
        letters.update(text)
    by_script: Counter[str] = Counter()
    for char, number in letters.items():
        by_script[script(char)] += number
    del by_script[""]
    total = by_script.total()
    main = {name for name, number in by_script.items() if number >= _MAIN * total}
    return _Foreign(main) if main else None


class _Foreign:
    """Finds letters of other scripts than the main ones."""

    def __init__(self, main: set[str]) -> None:
        self._main = main
        self._known: dict[str, bool] = {}

    def within(self, text: str) -> bool:
        """Return whether a text has such a letter."""
        if text.isascii() and "Latin" in self._main:
            return False
        known = self._known
        for char in set(text):
            if char not in known:
                known[char] = script(char) not in ("", *self._main)
            if known[char]:
                return True
        return False
