# SPDX-License-Identifier: Apache-2.0
"""Sentences with their segments, made of trees and, where given, of texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from tertium._messages import quote
from tertium.errors import InputError
from tertium.judgements.parts.extraction import MAX_LENGTH, MIN_LENGTH, Indices, extract
from tertium.trees.brackets import ConstituencyTree
from tertium.trees.tree import DependencyTree

__all__ = ["Segmented", "segmented"]


@dataclass(frozen=True)
class Segmented:
    """A source sentence and the segments of it that people shall judge.

    Parameters
    ----------
    sentence : str
        Its name: the line, counted from 1, unless something else is known.
    words : tuple of str
    segments : tuple of tuples of int
        The words of every segment, counted from 0, in ascending order.

    Raises
    ------
    InputError
        When a word has white space in it, a segment is empty, its words are out of
        order or are no words, or two segments are the same.

    Examples
    --------
    >>> one = Segmented("1", ("a", "red", "kite", "rose"), ((0, 1, 2),))
    >>> one.source, one.text((0, 1, 2)), one.uncovered
    ('a red kite rose', 'a red kite', (3,))
    """

    sentence: str
    words: tuple[str, ...]
    segments: tuple[Indices, ...]

    def __post_init__(self) -> None:
        for word in self.words:
            if word.split() != [word]:
                message = (
                    f"word {quote(word)} of sentence {self.sentence} is empty or has a "
                    "space in it, so nobody could count words; cut or join it"
                )
                raise InputError(message)
        for indices in self.segments:
            inside = indices and indices[0] >= 0 and indices[-1] < len(self.words)
            if not inside or list(indices) != sorted(set(indices)):
                message = (
                    f"segment {list(indices)} of sentence {self.sentence} names no "
                    f"words of {len(self.words)}, or not in order; count words from 0"
                )
                raise InputError(message)
        if len(set(self.segments)) < len(self.segments):
            message = f"sentence {self.sentence} has a segment twice; leave one out"
            raise InputError(message)

    @property
    def source(self) -> str:
        """The words, joined by spaces."""
        return " ".join(self.words)

    @property
    def uncovered(self) -> Indices:
        """The words that are in no segment."""
        covered = {place for indices in self.segments for place in indices}
        return tuple(i for i in range(len(self.words)) if i not in covered)

    def text(self, indices: Indices) -> str:
        """Return the words of a segment, joined by spaces."""
        return " ".join(self.words[place] for place in indices)


def segmented(
    trees: Iterable[ConstituencyTree | DependencyTree],
    texts: Iterable[str] | None = None,
    *,
    min_length: int = MIN_LENGTH,
    max_length: int = MAX_LENGTH,
) -> Iterator[Segmented]:
    """Yield sentences with their segments, one a tree.

    Parameters
    ----------
    trees : iterable of ConstituencyTree or DependencyTree
    texts : iterable of str, optional
        The sentences, cut into words at white space. Their words are used then:
        parsers change quotes, brackets and case. A tree without words is one that
        could not be made, and its sentence has no segments.
    min_length, max_length : int
        How many words a segment has.

    Raises
    ------
    InputError
        When numbers of trees and texts, or of their words, differ, or more than
        half of the words of a sentence do.

    Examples
    --------
    >>> tree = ConstituencyTree.parse("(NP (DT a) (JJ red) (NN kite))")
    >>> next(segmented([tree], ["A red kite"])).words
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
                "a sentence, () for one that could not be parsed"
            )
            raise InputError(message)
        words = tree.words if isinstance(tree, ConstituencyTree) else tree.forms
        spans = extract(tree, min_length=min_length, max_length=max_length)
        line = tree.line if isinstance(tree, ConstituencyTree) else None
        where = f"sentence {number}" + (f" (tree at line {line})" if line else "")
        yield Segmented(str(number), _words(where, words, text), spans)


def _words(where: str, words: tuple[str, ...], text: str | None) -> tuple[str, ...]:
    """Return the words of the text, if they are those of the tree."""
    if text is None:
        return words
    own = tuple(text.split())
    if not words:
        return own
    if len(own) != len(words):
        message = (
            f"{where} has {len(own)} words, its tree {len(words)} "
            f"({quote(text)}, {quote(' '.join(words))}); parse the text as it is cut "
            "here, at white space"
        )
        raise InputError(message)
    other = sum(a.lower() != b.lower() for a, b in zip(own, words, strict=True))
    if 2 * other > len(words):
        message = (
            f"{where} is {quote(text)}, but its tree is of "
            f"{quote(' '.join(words))}; give the trees of this text, in its order"
        )
        raise InputError(message)
    return own
