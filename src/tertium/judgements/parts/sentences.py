# SPDX-License-Identifier: Apache-2.0
"""Sentences with their parts, from trees and optionally texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from tertium._messages import quote
from tertium.errors import InputError
from tertium.judgements.parts.extraction import MAX_LENGTH, MIN_LENGTH, Indices, extract
from tertium.trees.brackets import ConstituencyTree
from tertium.trees.tree import DependencyTree

__all__ = ["SentenceParts", "sentence_parts"]


@dataclass(frozen=True)
class SentenceParts:
    """A source sentence and its parts for annotators to judge.

    Parameters
    ----------
    sentence : str
        Its name, by default the line number, counted from 1.
    words : tuple of str
    parts : tuple of tuples of int
        The places of the words of each part, counted from 0, in ascending order.

    Raises
    ------
    InputError
        When a word has white space in it, a part is empty, its places are out of
        order or outside the sentence, or two parts are the same.

    Examples
    --------
    >>> one = SentenceParts("1", ("a", "red", "kite", "rose"), ((0, 1, 2),))
    >>> one.source, one.text((0, 1, 2)), one.uncovered
    ('a red kite rose', 'a red kite', (3,))
    """

    sentence: str
    words: tuple[str, ...]
    parts: tuple[Indices, ...]

    def __post_init__(self) -> None:
        for word in self.words:
            if word.split() != [word]:
                message = (
                    f"word {quote(word)} of sentence {self.sentence} is empty or has a "
                    "space in it, so words cannot be counted; split or join it"
                )
                raise InputError(message)
        for indices in self.parts:
            inside = indices and indices[0] >= 0 and indices[-1] < len(self.words)
            if not inside or list(indices) != sorted(set(indices)):
                message = (
                    f"part {list(indices)} of sentence {self.sentence} is out of order "
                    f"or outside its {len(self.words)} words; count words from 0"
                )
                raise InputError(message)
        if len(set(self.parts)) < len(self.parts):
            message = f"sentence {self.sentence} has the same part twice; remove one"
            raise InputError(message)

    @property
    def source(self) -> str:
        """The words, joined by spaces."""
        return " ".join(self.words)

    @property
    def uncovered(self) -> Indices:
        """The words that are in no part."""
        covered = {place for indices in self.parts for place in indices}
        return tuple(i for i in range(len(self.words)) if i not in covered)

    def text(self, indices: Indices) -> str:
        """Return the words of a part, joined by spaces."""
        return " ".join(self.words[place] for place in indices)


def sentence_parts(
    trees: Iterable[ConstituencyTree | DependencyTree],
    texts: Iterable[str] | None = None,
    *,
    min_length: int = MIN_LENGTH,
    max_length: int = MAX_LENGTH,
) -> Iterator[SentenceParts]:
    """Yield sentences with their parts, one per tree.

    Parameters
    ----------
    trees : iterable of ConstituencyTree or DependencyTree
    texts : iterable of str, optional
        The sentences, cut into words at white space. Their words are used instead of
        those of the trees, as parsers change quotes, brackets and case. A tree without
        words stands for a sentence that could not be parsed; it has no parts.
    min_length, max_length : int
        The shortest and the longest part, in words.

    Raises
    ------
    InputError
        When the numbers of trees and texts, or of their words, differ, or when more
        than half of the words of a sentence differ from those of its tree.

    Examples
    --------
    >>> tree = ConstituencyTree.parse("(NP (DT a) (JJ red) (NN kite))")
    >>> next(sentence_parts([tree], ["A red kite"])).words
    ('A', 'red', 'kite')
    """
    pairs: Iterable[tuple[ConstituencyTree | DependencyTree | None, str | None]]
    pairs = ((tree, None) for tree in trees)
    if texts is not None:
        pairs = zip_longest(trees, texts)
    for number, (tree, text) in enumerate(pairs, start=1):
        if tree is None or (texts is not None and text is None):
            less, more = ("trees", "texts") if tree is None else ("texts", "trees")
            message = (
                f"there are only {number - 1} {less}, but more {more}; give one tree "
                "per sentence, () for one that could not be parsed"
            )
            raise InputError(message)
        words = tree.words if isinstance(tree, ConstituencyTree) else tree.forms
        spans = extract(tree, min_length=min_length, max_length=max_length)
        line = tree.line if isinstance(tree, ConstituencyTree) else None
        where = f"sentence {number}" + (f" (tree at line {line})" if line else "")
        yield SentenceParts(str(number), _words(where, words, text), spans)


def _words(where: str, words: tuple[str, ...], text: str | None) -> tuple[str, ...]:
    """Return the words of the text after comparing them with the tree."""
    if text is None:
        return words
    tokens = tuple(text.split())
    if not words:
        return tokens
    if len(tokens) != len(words):
        message = (
            f"{where} has {len(tokens)} words, its tree {len(words)} "
            f"({quote(text)}, {quote(' '.join(words))}); parse the text as "
            "tokenised here, at white space"
        )
        raise InputError(message)
    other = sum(a.lower() != b.lower() for a, b in zip(tokens, words, strict=True))
    if 2 * other > len(words):
        message = (
            f"{where} is {quote(text)}, but its tree has "
            f"{quote(' '.join(words))}; give the trees of this text, in its order"
        )
        raise InputError(message)
    return tokens
