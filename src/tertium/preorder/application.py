# SPDX-License-Identifier: Apache-2.0
"""Models at work: reordered sentences, n-best orders, and what became of doubts."""

from __future__ import annotations

from collections import Counter
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from tertium._executor import elsewhere, spread
from tertium.data.line_places import TextChunk, text_chunk
from tertium.errors import InputError
from tertium.notes import Note
from tertium.preorder.corpus import SentencePlace, TextSentences
from tertium.preorder.model import Preorderer, Reordering
from tertium.preorder.parsing.constraints import Constraints
from tertium.preorder.parsing.risk import best_orders
from tertium.preorder.unaligned import MARKER, written_order, written_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.preorder.lattices import OrderLattice
    from tertium.preorder.parsing.risk import RankedOrder

    Progress: TypeAlias = Callable[[int, int], None]

__all__ = [
    "Application",
    "apply_model",
    "nbest_orders",
    "order_lattices",
    "unaligned_positions",
]

_Result = TypeVar("_Result")
_Limits: TypeAlias = "Constraints | Sequence[Constraints | None] | None"
_Sentences: TypeAlias = Sequence[Sequence[str]]
_Part: TypeAlias = "TextChunk[_Sentences, _Limits]"
_PART = 200  # sentences between two reports
_FAR_PART = 20  # sentences that go elsewhere together


@dataclass(frozen=True)
class Application:
    """The reordered sentences of a text.

    Parameters
    ----------
    reorderings : sequence of Reordering
        One per sentence.
    doubtful : int
        How many sentences kept the source order because the model was not sure.
    fallbacks : mapping of str to int
        How many sentences the model could not parse, by what was done instead.
    """

    reorderings: Sequence[Reordering]
    doubtful: int
    fallbacks: Mapping[str, int]

    @property
    def moved(self) -> int:
        """How many sentences have a new order."""
        return sum(
            each.order != tuple(range(len(each.order))) for each in self.reorderings
        )

    @property
    def notes(self) -> list[Note]:
        """What a user should know about the result."""
        notes = []
        if self.fallbacks:
            ways = ", ".join(
                f"{way} {n:,}" for way, n in sorted(self.fallbacks.items())
            )
            count = sum(self.fallbacks.values())
            notes.append(Note("preorder-no-parse", {"count": count, "ways": ways}))
        if self.doubtful:
            notes.append(Note("preorder-doubtful", {"count": self.doubtful}))
        return notes

    def to_dict(self) -> dict[str, object]:
        """Return the orders and the counts as plain values."""
        return {
            "sentences": [each.to_dict() for each in self.reorderings],
            "moved": self.moved,
            "doubtful": self.doubtful,
            "fallbacks": dict(self.fallbacks),
        }


def apply_model(
    model: Preorderer,
    sentences: Sequence[Sequence[str]],
    *,
    constraints: Constraints | Sequence[Constraints | None] | None = None,
    unless_sure: float | None = None,
    unaligned_above: float = 0.5,
    threads: int | None = None,
    progress: Progress | None = None,
    hold: Callable[[Iterable[Reordering]], Sequence[Reordering]] = tuple,
) -> Application:
    """Reorder sentences, and count those that were left alone.

    Parameters
    ----------
    model : Preorderer
    sentences : sequence of sequences of str
    constraints : Constraints or sequence of Constraints, optional
        For all sentences, or one item per sentence.
    unless_sure : float, optional
        Sentences whose confidence is lower keep the source order.
    unaligned_above : float
        Words that are more probably without a counterpart in the translation are
        listed as ``unaligned``, so that they can be marked or dropped.
    threads : int, optional
    progress : callable, optional
        Called with the number of sentences so far, and of all.
    hold : callable
        Makes the sequence of results: a tuple, or :class:`tertium.data.kept.Kept`,
        which is on disk.

    Raises
    ------
    InputError
        If `unless_sure` is not between 0 and 1, or constraints do not fit.
    """
    if unless_sure is not None and not 0 <= unless_sure <= 1:
        raise InputError(f"unless_sure is {unless_sure}; give a number from 0 to 1")
    unaligned_positions(model, (), above=unaligned_above)  # checks the probability
    doubtful = 0
    fallbacks: Counter[str] = Counter()

    def reorderings() -> Iterator[Reordering]:
        nonlocal doubtful
        work = partial(_apply, model, threads)
        for part, results in _in_parts(work, sentences, constraints, progress):
            known = unaligned_positions(model, part, above=unaligned_above)
            for each, positions in zip(results, known, strict=True):
                if each.fallback:
                    fallbacks[each.fallback] += 1
                kept = _unless_doubtful(each, unless_sure)
                doubtful += kept is not each
                yield replace(kept, unaligned=positions)

    held = hold(reorderings())
    return Application(held, doubtful, dict(fallbacks))


def _unless_doubtful(each: Reordering, unless_sure: float | None) -> Reordering:
    """Return a result, in the source order if the model is less sure than this."""
    identity = tuple(range(len(each.order)))
    sure = each.confidence if each.confidence is not None else each.expected
    if unless_sure is None or sure is None or sure >= unless_sure:
        return each
    if each.order == identity:
        return each
    return replace(each, order=identity, expected=None, tree=None)


def nbest_orders(
    model: Preorderer,
    sentences: Sequence[Sequence[str]],
    *,
    count: int = 100,
    constraints: Constraints | Sequence[Constraints | None] | None = None,
    unaligned: str = "keep",
    unaligned_above: float = 0.5,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Iterator[list[RankedOrder]]:
    """Yield the least risky orders of each sentence, the best first.

    Parameters
    ----------
    model : Preorderer
    sentences : sequence of sequences of str
    count : int
        How many orders per sentence at most.
    constraints, threads, progress
        As in :func:`apply_model`.
    unaligned : {"keep", "mark", "drop"}
        With ``drop``, orders list only the other words, and each of them once.
    unaligned_above : float
        As in :func:`apply_model`.
    """
    work = partial(_rank, model, count, threads)
    for part, ranked in _in_parts(work, sentences, constraints, progress):
        dropped = unaligned_positions(model, part, way=unaligned, above=unaligned_above)
        for (orders, _), positions in zip(ranked, dropped, strict=True):
            yield _written(orders, positions, unaligned)


def order_lattices(
    model: Preorderer,
    sentences: Sequence[Sequence[str]],
    *,
    count: int = 100,
    constraints: Constraints | Sequence[Constraints | None] | None = None,
    unaligned: str = "keep",
    unaligned_above: float = 0.5,
    marker: str = MARKER,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Iterator[OrderLattice]:
    """Yield the least risky orders of each sentence as a lattice.

    Parameters are those of :func:`nbest_orders`; `marker` follows unaligned words that
    are marked.
    """
    from tertium.preorder.lattices import order_lattice

    work = partial(_rank, model, count, threads)
    for part, ranked in _in_parts(work, sentences, constraints, progress):
        known = unaligned_positions(model, part, way=unaligned, above=unaligned_above)
        for words, (orders, matrix), positions in zip(part, ranked, known, strict=True):
            yield order_lattice(
                written_words(words, positions, unaligned, marker=marker),
                [each.order for each in _written(orders, positions, unaligned)],
                matrix,
                unaligned=positions,
            )


def unaligned_positions(
    model: Preorderer,
    sentences: Sequence[Sequence[str]],
    *,
    way: str = "keep",
    above: float = 0.5,
) -> list[tuple[int, ...] | None]:
    """Return the words of each sentence that have no counterpart in the translation.

    Parameters
    ----------
    model : Preorderer
    sentences : sequence of sequences of str
    way : {"keep", "mark", "drop"}
        What outputs do with them.
    above : float
        Their probability is higher than this.

    Returns
    -------
    list of tuple of int
        None for all sentences if the model does not know; it is then an error to mark
        or drop such words.

    Raises
    ------
    InputError
        If the model does not know, `way` is unknown, or `above` not a probability.
    """
    table = model.unaligned
    written_order((), None if table is None else (), way)  # checks the way
    if table is None:
        return [None] * len(sentences)
    return [*table.positions(sentences, threshold=above)]


def _written(
    orders: Sequence[RankedOrder], unaligned: Collection[int] | None, way: str
) -> list[RankedOrder]:
    """Return orders as outputs have them; of equal ones the first."""
    if way != "drop":
        return list(orders)
    first: dict[tuple[int, ...], RankedOrder] = {}
    for each in orders:
        order = written_order(each.order, unaligned, way)
        first.setdefault(order, replace(each, order=order))
    return [*first.values()]


def _apply(model: Preorderer, threads: int | None, part: _Part) -> list[Reordering]:
    """Return the new orders of some sentences."""
    [sentences], limits = part.read(), part.rest
    return list(model.apply(sentences, constraints=limits, threads=threads))


def _rank(
    model: Preorderer, count: int, threads: int | None, part: _Part
) -> list[tuple[list[RankedOrder], NDArray[np.float64]]]:
    """Return the least risky orders of some sentences, and the model's expectations."""
    [sentences], limits = part.read(), part.rest
    matrices = list(model.expectations(sentences, constraints=limits, threads=threads))
    lists = best_orders(matrices, count=count, constraints=limits, threads=threads)
    return list(zip(lists, matrices, strict=True))


def _in_parts(
    work: Callable[[_Part], list[_Result]],
    sentences: Sequence[Sequence[str]],
    constraints: _Limits = None,
    progress: Progress | None = None,
) -> Iterator[tuple[Sequence[Sequence[str]], list[_Result]]]:
    """Yield parts of a text with what was made of them, and report each."""
    each = None if isinstance(constraints, Constraints) else constraints
    if each is not None and len(each) != len(sentences):
        raise InputError(
            f"there are {len(sentences):,} sentences and constraints of "
            f"{len(each):,}; give one item per sentence"
        )
    size = _FAR_PART if elsewhere() else _PART
    starts = range(0, len(sentences), size)
    places: Iterator[SentencePlace] = iter(())
    if elsewhere() and isinstance(sentences, TextSentences):
        places = sentences.places(size)
    parts = (
        text_chunk(
            [sentences[start : start + size]],
            constraints if each is None else each[start : start + size],
            [next(places, None)],
        )
        for start in starts
    )
    for start, results in zip(starts, spread(work, parts), strict=True):
        yield sentences[start : start + size], results
        if progress:
            progress(min(start + size, len(sentences)), len(sentences))
