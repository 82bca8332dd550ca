# SPDX-License-Identifier: Apache-2.0
"""A truecaser that counts (McCaffery 2017, section 6.2.3).

A word gets a capital if it has one at least twice as often as not in a text, not
counting first words. The thesis does not mention words that the text lacks: they stay
as they are. Only the first letter is considered and changed, so `US` and `us` are two
words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from tertium.order.damage.words import split_text, split_tokens

__all__ = ["Truecaser"]


class Truecaser:
    """Corrects the first letter of words.

    Parameters
    ----------
    capitals : mapping of str to bool
        For each known word, with a lower-case first letter, whether it has a capital.

    Examples
    --------
    >>> caser = Truecaser.train(["So Anna asked", "But Anna was out", "Was she ?"])
    >>> [caser.true(word) for word in ("anna", "Asked", "Was", "So")]
    ['Anna', 'asked', 'was', 'So']
    """

    def __init__(self, capitals: Mapping[str, bool]) -> None:
        self._capitals = dict(capitals)

    @classmethod
    def train(cls, lines: Iterable[str], *, punctuation: str = "thesis") -> Truecaser:
        """Return the truecaser of a text, one sentence per line."""
        # One number per word: vocabularies of large texts are large, too.
        balance: Counter[str] = Counter()
        for line in lines:
            for word in split_tokens(split_text(line), punctuation=punctuation)[1:]:
                balance[small(word.core)] += 1 if has_capital(word.core) else -2
        return cls({word: number >= 0 for word, number in balance.items()})

    def __len__(self) -> int:
        return len(self._capitals)

    def true(self, word: str) -> str:
        """Return a word with the first letter it should have."""
        capital = self._capitals.get(small(word))
        if capital is None:
            return word
        return large(word) if capital else small(word)


def has_capital(word: str) -> bool:
    """Tell whether the first letter is a capital."""
    return word[:1] != word[:1].lower()


def small(word: str) -> str:
    """Return a word with a small first letter."""
    first = word[:1].lower()
    return first + word[1:] if len(first) == 1 else word


def large(word: str) -> str:
    """Return a word with a capital first letter."""
    # The capital of ß is SS: letters whose other case is not one letter stay.
    first = word[:1].upper()
    return first + word[1:] if len(first) == 1 else word
