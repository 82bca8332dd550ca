# SPDX-License-Identifier: Apache-2.0
"""Which words the features of BEER 4 count: two texts as the kernel reads them.

The kernel only counts. Here the same words have names, for explanations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import NamedTuple

from tertium import _core
from tertium.text.wordlists import WordList

__all__ = ["Differences", "Lexeme", "LexicalPair", "LexicalText"]

#: Zipf values in tenths, as in the kernel: function words have at least the first,
#: unknown words less than the second.
_FUNCTION, _RARE = 60, 20

#: Of words to compare letter by letter; in longer texts the first words are named.
_MOST_PAIRS = 2_000


class Lexeme(NamedTuple):
    """A word, a number or a symbol of a text.

    Parameters
    ----------
    text, lower, stem : str
        As written, in lower case, and without the ending.
    kind : str
        ``word``, ``number`` or ``symbol``.
    capital, ascii : bool
    band : int
        Ten times its Zipf value; 0 without a word list.
    begin, end : int
        Its place in the characters of the text.
    """

    text: str
    lower: str
    stem: str
    kind: str
    capital: bool
    ascii: bool
    band: int
    begin: int
    end: int

    @property
    def is_function_word(self) -> bool:
        """Whether it is one of the most frequent words."""
        return self.band >= _FUNCTION

    @property
    def rarity(self) -> str:
        """``capital``, ``lower`` or ``foreign`` for unknown words, else ``known``."""
        if self.kind != "word" or self.band >= _RARE:
            return "known"
        if not self.ascii:
            return "foreign"
        return "capital" if self.capital else "lower"


class Differences(NamedTuple):
    """Words that only the reference has, and words that only the text has."""

    missing: tuple[str, ...]
    extra: tuple[str, ...]


@dataclass(frozen=True)
class LexicalText:
    """A text as the kernel reads it.

    Parameters
    ----------
    characters : str
        With quotes, dashes and spaces normalised.
    scripts : tuple of int
        The script of every character; 0 for all but letters of common scripts.
    lexemes : tuple of Lexeme
    """

    characters: str
    scripts: tuple[int, ...]
    lexemes: tuple[Lexeme, ...]

    @classmethod
    def read(cls, text: str, words: WordList | None) -> LexicalText:
        """Return a text with the bands of its words in a list."""
        characters, scripts, items = _core.read_lexemes(str(text))
        lexemes = [
            Lexeme(
                characters[begin:end], lower, stem, kind, capital, is_ascii,
                words.kernel.band(lower) if words else 0, begin, end,
            )
            for begin, end, lower, stem, kind, capital, is_ascii in items
        ]  # fmt: skip
        return cls(characters, tuple(scripts), tuple(lexemes))


@dataclass(frozen=True)
class LexicalPair:
    """A text and its reference."""

    hyp: LexicalText
    ref: LexicalText

    @classmethod
    def read(cls, hyp: str, ref: str, words: WordList | None) -> LexicalPair:
        """Return both texts with the bands of their words in a list."""
        return cls(LexicalText.read(hyp, words), LexicalText.read(ref, words))

    def words(self) -> Differences:
        """Return the words without a match, in the order of the texts."""
        return self._differences(lambda lexeme: lexeme.lower)

    def function_words(self) -> Differences:
        """Return the function words without a match."""
        return self._differences(
            lambda lexeme: lexeme.lower, lambda lexeme: lexeme.is_function_word
        )

    def stems(self) -> Differences:
        """Return the words whose stem has no match, the rarest first."""
        return self._differences(
            lambda lexeme: lexeme.stem,
            order=lambda lexeme: (lexeme.band, lexeme.kind == "symbol"),
        )

    @cached_property
    def matched_stems(self) -> int:
        """How many words have a match with the same stem."""
        hyp, ref = (
            Counter(lexeme.stem for lexeme in side.lexemes)
            for side in (self.hyp, self.ref)
        )
        return (hyp & ref).total()

    def unknown_words(self) -> dict[str, tuple[str, ...]]:
        """Return the unknown words of every kind: capital, lower and foreign.

        Words that the text lacks count against unknown ones; those most similar to
        them are left out.
        """
        in_hyp = {lexeme.lower for lexeme in self.hyp.lexemes}
        in_ref = {lexeme.lower for lexeme in self.ref.lexemes}
        absent = [
            (place, lexeme)
            for place, lexeme in enumerate(self.ref.lexemes)
            if lexeme.lower not in in_hyp
        ]
        missing = {
            "capital": [w for place, w in absent if _is_name(w, place)],
            "lower": [w for _, w in absent if w.rarity == "lower"],
            "foreign": [w for _, w in absent if w.rarity == "foreign"],
        }
        extra = [word for word in self.hyp.lexemes if word.lower not in in_ref]
        return {
            kind: _unaccounted([w for w in extra if w.rarity == kind], lacking)
            for kind, lacking in missing.items()
        }

    def foreign_letters(self) -> tuple[tuple[str, ...], int, int]:
        """Return words in a script that the reference lacks.

        Also the number of their letters in such a script, and of all letters.
        """
        known = set(self.ref.scripts) - {0}
        letters = [script for script in self.hyp.scripts if script]
        if not known:
            return (), 0, len(letters)

        def foreign(scripts: Iterable[int]) -> int:
            return sum(script not in known for script in scripts if script)

        words = tuple(
            word.text
            for word in self.hyp.lexemes
            if foreign(self.hyp.scripts[word.begin : word.end])
        )
        return words, foreign(letters), len(letters)

    def _differences(
        self,
        key: Callable[[Lexeme], str],
        keep: Callable[[Lexeme], bool] = lambda _: True,
        order: Callable[[Lexeme], tuple[int, bool]] = lambda _: (0, False),
    ) -> Differences:
        hyp, ref = (
            [lexeme for lexeme in side.lexemes if keep(lexeme)]
            for side in (self.hyp, self.ref)
        )
        return Differences(
            *(
                tuple(word.text for word in sorted(only, key=order))
                for only in (_only(ref, hyp, key), _only(hyp, ref, key))
            )
        )


def _only(
    words: Sequence[Lexeme], others: Sequence[Lexeme], key: Callable[[Lexeme], str]
) -> list[Lexeme]:
    """Return words without a partner among others; each has at most one."""
    free = Counter(map(key, others))
    rest = []
    for word in words:
        if free[key(word)]:
            free[key(word)] -= 1
        else:
            rest.append(word)
    return rest


def _is_name(word: Lexeme, place: int) -> bool:
    """Return whether a word looks like a name: a capital, but not of a sentence."""
    return word.capital and (place > 0 or word.rarity != "known")


def _unaccounted(words: Sequence[Lexeme], missing: Sequence[Lexeme]) -> tuple[str, ...]:
    """Return unknown words but for those that stand for missing ones."""
    count = max(0, len(words) - len(missing))
    if count in (0, len(words)) or len(words) * len(missing) > _MOST_PAIRS:
        return tuple(word.text for word in words[:count])
    likeness = [
        max(SequenceMatcher(None, word.lower, m.lower).ratio() for m in missing)
        for word in words
    ]
    kept = sorted(range(len(words)), key=lambda i: likeness[i])[:count]
    return tuple(words[i].text for i in sorted(kept))
