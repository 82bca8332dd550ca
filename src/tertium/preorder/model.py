# SPDX-License-Identifier: Apache-2.0
"""What every preordering model offers, and what it returns for a sentence.

An order lists source positions, counted from 0, in their new order: ``order[t]`` is the
word that comes at place t. A permutation is its inverse, with ranks from 1.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from tertium.errors import FormatError, InputError
from tertium.preorder.archive import read_header
from tertium.preorder.unaligned import MARKER, written_order, written_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.order import Permutation
    from tertium.order.node import Node
    from tertium.preorder.parsing.constraints import Constraints
    from tertium.preorder.unaligned import UnalignedWords

__all__ = ["Preorderer", "Reordering", "check_order", "load"]

_Item = TypeVar("_Item")

#: The class of every kind of model; each has a class method ``load(path)``.
_KINDS = {
    "grammar": "tertium.preorder.parsing.model:GrammarPreorderer",
    "grammars": "tertium.preorder.parsing.ensemble:GrammarEnsemble",
    "btg": "tertium.preorder.btg.model:Btg",
    "combined": "tertium.preorder.combination:Combined",
}


@dataclass(frozen=True)
class Reordering:
    """The new order of one sentence.

    Parameters
    ----------
    order : tuple of int
        Source positions, counted from 0, in their new order.
    expected : float, optional
        The expected Kendall tau of the order under the model: the mean probability
        that a pair of words is in the right order.
    confidence : float, optional
        From 0 to 1; the higher, the safer it is to use the order.
    tree : Node, optional
        The permutation tree behind the order, if the model has one.
    fallback : str, optional
        How the order was chosen if the model has no parse of the sentence, such as
        ``identity``; None if it has one.
    unaligned : tuple of int, optional
        The positions of words without a counterpart in the translation; None if they
        are not known.

    Examples
    --------
    >>> reordering = Reordering((0, 2, 1), expected=0.9)
    >>> reordering.reorder(["she", "reads", "books"])
    ['she', 'books', 'reads']
    >>> reordering.permutation
    Permutation(1 3 2)
    """

    order: tuple[int, ...]
    expected: float | None = None
    confidence: float | None = None
    tree: Node | None = None
    fallback: str | None = None
    unaligned: tuple[int, ...] | None = field(default=None, repr=False)

    def reorder(
        self, words: Sequence[_Item], *, unaligned: str = "keep"
    ) -> list[_Item]:
        """Return the words of the sentence in their new order.

        Parameters
        ----------
        words : sequence
            Of the source sentence.
        unaligned : {"keep", "drop"}
            Whether words without a counterpart are left out; see :meth:`write` to mark
            them.

        Examples
        --------
        >>> reordering = Reordering((0, 2, 3, 1), unaligned=(2,))
        >>> reordering.reorder("she reads the book".split(), unaligned="drop")
        ['she', 'book', 'reads']
        """
        self._check(words)
        return [words[position] for position in self.written(unaligned)]

    def write(
        self, words: Sequence[str], *, unaligned: str = "keep", marker: str = MARKER
    ) -> list[str]:
        """Return the words in their new order, unaligned ones kept, marked or dropped.

        Parameters
        ----------
        words : sequence of str
            Of the source sentence.
        unaligned : {"keep", "mark", "drop"}
        marker : str
            What follows a marked word. One that begins with ``|`` is a factor; the
            other words then get the factor ``|-``.

        Raises
        ------
        InputError
            If unaligned words are to be marked or dropped, but are not known.

        Examples
        --------
        >>> reordering = Reordering((0, 2, 3, 1), unaligned=(2,))
        >>> reordering.write("she reads the book".split(), unaligned="mark")
        ['she', 'the_null', 'book', 'reads']
        """
        self._check(words)
        shown = written_words(words, self.unaligned, unaligned, marker=marker)
        return [shown[position] for position in self.written(unaligned)]

    def written(self, unaligned: str = "keep") -> tuple[int, ...]:
        """Return the order, for ``drop`` without unaligned words."""
        return written_order(self.order, self.unaligned, unaligned)

    def ranks(self, unaligned: str = "keep") -> tuple[int, ...]:
        """Return the new place of every source word, from 1; 0 for a dropped one.

        Examples
        --------
        >>> Reordering((0, 2, 3, 1), unaligned=(2,)).ranks("drop")
        (1, 3, 0, 2)
        """
        places = {word: t for t, word in enumerate(self.written(unaligned), start=1)}
        return tuple(places.get(word, 0) for word in range(len(self.order)))

    def without(self, unaligned: str) -> Reordering:
        """Return the order of the sentence that ``drop`` leaves, with new positions.

        Examples
        --------
        >>> Reordering((0, 2, 3, 1), unaligned=(2,)).without("drop").order
        (0, 2, 1)
        """
        order = self.written(unaligned)
        if len(order) == len(self.order):
            return self
        places = {word: place for place, word in enumerate(sorted(order))}
        return replace(
            self, order=tuple(places[word] for word in order), tree=None, unaligned=()
        )

    def _check(self, words: Sequence[object]) -> None:
        if len(words) != len(self.order):
            raise InputError(
                f"the order has {len(self.order)} positions, the sentence {len(words)} "
                "words; give the sentence that was reordered"
            )

    @property
    def permutation(self) -> Permutation:
        """The rank of every source word, counted from 1."""
        from tertium.order import Permutation

        return Permutation.zero_based(self.order).inverse()

    def to_dict(self) -> dict[str, object]:
        """Return the order and its figures as plain values."""
        return {
            "order": list(self.order),
            "expected": self.expected,
            "confidence": self.confidence,
            "fallback": self.fallback,
            "unaligned": None if self.unaligned is None else list(self.unaligned),
        }


@runtime_checkable
class Preorderer(Protocol):
    """A model that reorders source sentences.

    Sentences are sequences of words.
    """

    kind: str

    @property
    def unaligned(self) -> UnalignedWords | None:
        """Which words have no counterpart in the translation; None if not learnt."""

    def expectations(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> list[NDArray[np.float64]]:
        """Return, for each sentence, the probabilities that words come before others.

        Entry (i, j) of a matrix is P(word i before word j). Two opposite entries sum to
        1; the diagonal is 0. With constraints, probabilities are conditional on them,
        but for the maximum displacement.
        """

    def apply(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> list[Reordering]:
        """Return the new order of each sentence."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file that :func:`load` reads."""


def load(path: str | os.PathLike[str]) -> Preorderer:
    """Read a model of any kind.

    Parameters
    ----------
    path : str or path
        What ``save`` of the model, or ``tertium preorder train -o``, wrote.

    Raises
    ------
    FormatError
        If the file is not a model, or is of a kind that this version does not know.
    """
    kind = read_header(path)["kind"]
    if kind not in _KINDS:
        raise FormatError(
            f"this is a preordering model of the unknown kind {kind!r}; update Tertium",
            path=os.fspath(path),
        )
    module, _, name = _KINDS[str(kind)].partition(":")
    model: Preorderer = getattr(import_module(module), name).load(path)
    return model


def check_order(order: Iterable[int], length: int) -> tuple[int, ...]:
    """Return an order as a tuple.

    Raises
    ------
    InputError
        Unless it has every position from 0 to `length` - 1 once.

    Examples
    --------
    >>> check_order([1, 0], 2)
    (1, 0)
    """
    positions = tuple(order)
    if sorted(positions) == list(range(length)):
        return positions
    if len(positions) != length:
        raise InputError(
            f"the order has {len(positions)} positions, the sentence {length} words; "
            "give one position per word"
        )
    raise InputError(
        f"the order does not have every position from 0 to {length - 1} once; list "
        "source positions, counted from 0, in their new order"
    )
