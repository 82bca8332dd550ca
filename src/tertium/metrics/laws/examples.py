# SPDX-License-Identifier: Apache-2.0
"""Test sets made up by chance: few words, so that they match, and all of Unicode."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["Example", "make_examples", "make_lines"]

_WORDS = list("abcdefg")
_PIECES = [
    *(
        "the",
        "cat",
        "cats",
        "Ünï",
        "naïve",
        "数",
        "据",
        "한국",
        "日本語",
        "1",
        "1,000.5",
    ),
    *("3-4", "--", ".", "...", ",", "!", "¿", "'s", '"', "(", "[x]", "&amp;", "<", "$"),
    *("€", "½", "²", "…", "«", "\u3001", "\uff0c", "İ", "ß", "Σ", "e\u0301", "😀"),
]
_SPACES = [" ", " ", " ", "  ", "\t", "\u00a0", "\u3000", "\n", ""]


@dataclass(frozen=True)
class Example:
    """A test set, the same in another order, and its parts with an order of these.

    Attributes
    ----------
    hyps : sequence of str
    refs : sequence of sequences of str
    shuffled : sequence of (str, sequence of str)
        The same segments in another order.
    parts : sequence of sequences of int
        The numbers of the segments, divided among parts.
    """

    hyps: Sequence[str]
    refs: Sequence[Sequence[str]]
    shuffled: Sequence[tuple[str, Sequence[str]]]
    parts: Sequence[Sequence[int]]


def make_examples(number: int, *, seed: int) -> Iterator[Example]:
    """Yield examples; the same ones for the same seed."""
    chance = random.Random(seed)  # noqa: S311 (not a secret)
    for _ in range(number):
        size = chance.randint(1, 6)
        segments = [
            (_line(chance), tuple(_line(chance) for _ in range(chance.randint(1, 3))))
            for _ in range(size)
        ]
        # Some outputs are near a reference: else hardly any score is high.
        segments = [
            (_near(refs[0], chance) if chance.random() < 0.5 else hyp, refs)
            for hyp, refs in segments
        ]
        places = [chance.randint(0, 3) for _ in segments]
        parts = [[i for i in range(size) if places[i] == part] for part in set(places)]
        chance.shuffle(parts)
        yield Example(
            hyps=[hyp for hyp, _ in segments],
            refs=[refs for _, refs in segments],
            shuffled=chance.sample(segments, size),
            parts=parts,
        )


def make_lines(number: int, *, seed: int) -> Iterator[str]:
    """Yield plain lines of a few words."""
    chance = random.Random(seed)  # noqa: S311 (not a secret)
    for _ in range(number):
        yield _plain(chance)


def _line(chance: random.Random) -> str:
    if chance.random() < 0.5:
        return _plain(chance)
    pieces = [
        chance.choice(_PIECES) + chance.choice(_SPACES)
        for _ in range(chance.randint(0, 20))
    ]
    return "".join(pieces)


def _plain(chance: random.Random) -> str:
    return " ".join(chance.choice(_WORDS) for _ in range(chance.randint(0, 12)))


def _near(text: str, chance: random.Random) -> str:
    """Return a text with a word left out, repeated or moved."""
    words = text.split(" ")
    at = chance.randrange(len(words))
    word = words.pop(at)
    if chance.random() < 0.7:
        words.insert(chance.randint(0, len(words)), word)
    if chance.random() < 0.3:
        words.append(word)
    return " ".join(words)
