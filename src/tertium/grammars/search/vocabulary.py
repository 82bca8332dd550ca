# SPDX-License-Identifier: Apache-2.0
"""The symbols of a reference set, ready to be compared with any token.

A search asks for the edit of a hypothesis token against every symbol. Most symbols
share nothing with the token but features, and there are few combinations of
features; so a row is made once for each combination, and a token corrects its copy
where symbols share a lemma with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tertium.grammars.search.edits import (
    PROFILES,
    Edit,
    EditCosts,
    Kind,
    backoff,
    classify,
    unrelated,
)
from tertium.grammars.search.words import Lexis, Word, fold, letters

__all__ = ["Join", "Vocabulary"]

#: Compounds of more constituents are not divided in every way.
_MANY = 6


@dataclass(frozen=True, slots=True)
class Join:
    """A way to write a compound of the references as several tokens.

    Parameters
    ----------
    symbol : int
        The compound among the symbols.
    parts : tuple of tuple of str
        The constituents that each token stands for: mostly one, several where a
        token is a compound itself (*lumi sadekausi* for *lumisadekausi*).
    """

    symbol: int
    parts: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        """Return how many tokens are joined."""
        return len(self.parts)


class Vocabulary:
    """The symbols of a reference set as words.

    Parameters
    ----------
    symbols : sequence of str
        The tokens of the references, in the grammar's case.
    lexis : Lexis, optional
        Where readings come from; without, there is no morphology.
    costs : EditCosts
        What edits cost.

    Examples
    --------
    >>> vocabulary = Vocabulary(["the", "ball"])
    >>> [(kind.label, cost) for kind, cost in vocabulary.row("The")]
    [('match', 0), ('sub', 15000)]
    """

    def __init__(
        self,
        symbols: Sequence[str],
        lexis: Lexis | None = None,
        costs: EditCosts = PROFILES["default"],
    ) -> None:
        self.symbols = tuple(symbols)
        self.lexis = Lexis() if lexis is None else lexis
        self.costs = costs
        self.lexis.prepare(self.symbols)
        #: The symbols as words.
        self.words = tuple(map(self.lexis.reference, self.symbols))
        #: All lemmas of the references.
        self.lemmas = frozenset().union(*(word.lemmas for word in self.words))
        #: The ways to write compounds apart.
        self.joins = tuple(_joins(self.words))
        self._by_token = dict(zip(self.symbols, self.words, strict=True))
        self._keys = _index((word.key,) for word in self.words)
        self._letters = _index((letters(word.key),) for word in self.words)
        self._by_lemma = _index(word.lemmas for word in self.words)
        self._by_features = _index((_features(word),) for word in self.words)
        self._slots: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for number, join in enumerate(self.joins):
            for place, part in enumerate(join.parts):
                self._slots.setdefault(part, []).append((number, place))
        # Constituents by their spelling, for tokens whose lemma nobody knows.
        self._spelt: dict[str, set[str]] = {}
        for parts in self._slots:
            if len(parts) == 1:
                self._spelt.setdefault(fold(parts[0]), set()).add(parts[0])
        self._hyps: dict[str, Word] = {}
        self._plain: dict[tuple[object, ...], list[tuple[Kind, int]]] = {}
        self._rows: dict[str, list[tuple[Kind, int]]] = {}

    def word(self, token: str) -> Word:
        """Return a token of a translation as a word.

        What occurs in the references is a word, even if the analyser lacks it.
        """
        word = self._hyps.get(token)
        if word is None:
            word = self.lexis.hypothesis(token, self.lemmas)
            if word.key in self._keys and (word.outside or not word.known):
                word = Word(token, word.analyses)
            self._hyps[token] = word
        return word

    def reference(self, token: str) -> Word:
        """Return a token of the references as a word."""
        return self._by_token[token]

    def row(self, token: str) -> list[tuple[Kind, int]]:
        """Return kind and cost of the edit from a token to every symbol.

        The list is remembered: do not change it.
        """
        row = self._rows.get(token)
        if row is None:
            row = self._rows[token] = self._row(self.word(token))
        return row

    def delete(self, token: str) -> tuple[Kind, int]:
        """Return kind and cost of leaving out a token of a translation."""
        kind = backoff(self.word(token), Kind.DELETE, Kind.OUTDEL, Kind.UNKDEL)
        return kind, self.costs.of(kind)

    def edit(self, token: str, symbol: int) -> Edit:
        """Return the edit from a token to one symbol, with its label."""
        return classify(self.word(token), self.words[symbol], self.costs)

    def slots(self, token: str) -> list[tuple[int, int]]:
        """Return where a token can be part of a compound: join and place, sorted.

        It is a constituent if one of its lemmas is, if it looks like one, or if its
        own constituents are several of the compound's.
        """
        word = self.word(token)
        keys = {(lemma,) for lemma in word.lemmas} | set(word.compounds)
        keys |= {(part,) for part in self._spelt.get(word.key, ())}
        return sorted({slot for key in keys for slot in self._slots.get(key, ())})

    def _row(self, word: Word) -> list[tuple[Kind, int]]:
        features = (word.known, word.outside, _features(word))
        plain = self._plain.get(features)
        if plain is None:
            plain = self._plain[features] = self._unrelated(word)
        row = list(plain)
        for lemma in word.lemmas:
            for symbol in self._by_lemma.get(lemma, ()):
                edit = classify(word, self.words[symbol], self.costs)
                row[symbol] = edit.kind, edit.cost
        if bare := letters(word.key):
            for symbol in self._letters.get(bare, ()):
                row[symbol] = Kind.COMP_HYPHEN, self.costs.comp_hyphen
        for symbol in self._keys.get(word.key, ()):
            row[symbol] = Kind.MATCH, 0
        return row

    def _unrelated(self, word: Word) -> list[tuple[Kind, int]]:
        """Return the row of all tokens with a word's features and foreign lemmas."""
        row = [(Kind.SUB, 0)] * len(self.words)
        for symbols in self._by_features.values():
            edit = unrelated(word, self.words[symbols[0]], self.costs)
            for symbol in symbols:
                row[symbol] = edit
        return row


def _features(word: Word) -> tuple[object, ...]:
    """Return all that :func:`unrelated` looks at, except how a word is known."""
    return word.casenums, word.tenses, word.pronouns


def _index(keys: Iterable[Iterable[object]]) -> dict[object, list[int]]:
    index: dict[object, list[int]] = {}
    for number, row in enumerate(keys):
        for key in row:
            index.setdefault(key, []).append(number)
    return index


def _joins(words: Sequence[Word]) -> Iterator[Join]:
    for symbol, word in enumerate(words):
        divisions: dict[tuple[tuple[str, ...], ...], None] = {}
        for parts in word.compounds:
            divisions.update(dict.fromkeys(_divisions(parts)))
        for division in divisions:
            yield Join(symbol, division)


def _divisions(parts: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Yield the ways to write constituents as two or more tokens, most tokens first.

    There are 2 ** (n - 1) - 1 of them; of more than six constituents only those into
    all, and into two.
    """
    gaps = len(parts) - 1
    if len(parts) > _MANY:
        yield tuple((part,) for part in parts)
        yield from ((parts[:cut], parts[cut:]) for cut in range(1, len(parts)))
        return
    for joined in range(2**gaps - 1):
        division: list[tuple[str, ...]] = [parts[:1]]
        for gap, part in enumerate(parts[1:]):
            if joined >> gap & 1:
                division[-1] = (*division[-1], part)
            else:
                division.append((part,))
        yield tuple(division)
