# SPDX-License-Identifier: Apache-2.0
"""Gold orders: source words in the order of the target words they are linked with.

Words are sorted by a target position. `mean` (the mean of a word's links) is the
reduction by which preordering is evaluated; `leftmost`, `rightmost` and `best` keep one
link (Stanojević 2017, section 2.5.2); `intersection` keeps links that an aligner finds
in both directions. A word without links takes the position of its right neighbour, the
last words that of their left neighbour; equal positions keep the source order.
`minphrase` moves minimal phrases as a whole, as training does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from tertium.align.links import Links, check_links
from tertium.align.symmetrisation import symmetrise_all
from tertium.errors import InputError, UnknownNameError
from tertium.preorder.units import Units, check_attachment, corpus_units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Integers: TypeAlias = NDArray[np.int64]

__all__ = ["REDUCTIONS", "Gold", "gold_orders", "stream_gold_orders"]

REDUCTIONS = ("mean", "leftmost", "rightmost", "best", "intersection", "minphrase")
_BLOCK = 5000  # sentences that are ordered together


class Gold(NamedTuple):
    """The gold order of one sentence.

    Parameters
    ----------
    order : tuple of int
        Source positions, counted from 0, in the order of the target.
    positions : tuple of float or None
        The target position of every source word, or the rank of its phrase; None for
        one without links.
    """

    order: tuple[int, ...]
    positions: tuple[float | None, ...]

    @property
    def unaligned(self) -> tuple[int, ...]:
        """The words without links, counted from 0."""
        return tuple(i for i, place in enumerate(self.positions) if place is None)


def gold_orders(
    sentences: Sequence[Sequence[str]],
    links: Sequence[Links],
    *,
    reduction: str = "mean",
    attach: str = "right",
    backward: Sequence[Links] | None = None,
) -> list[Gold]:
    """Return the gold order of every sentence.

    Parameters
    ----------
    sentences : sequence of sequences of str
        The source words.
    links : sequence of Links
        (source, target), words counted from 0.
    reduction : {"mean", "leftmost", "rightmost", "best", "intersection", "minphrase"}
        Which links make the target position of a word: the mean of all, the first, the
        last or the most probable one (the leftmost of equally probable ones), or the
        mean of those that `backward` has too. With ``minphrase``, minimal phrases are
        ordered instead of words.
    attach : {"right", "left"}
        Whose position a word without links takes: that of the next linked word on this
        side, or on the other if there is none.
    backward : sequence of Links, optional
        The links of the other direction, also (source, target); for `intersection`.

    Raises
    ------
    InputError
        If sentences and links differ in number, a link is outside its sentence, or a
        setting is unknown.

    Notes
    -----
    O(n log n) in the number of words.

    Examples
    --------
    >>> from tertium.align.pharaoh import parse_pharaoh
    >>> links = parse_pharaoh("0-0 0-3 2-1 3-2")
    >>> gold_orders(["a b c d".split()], [links])
    [Gold(order=(1, 2, 0, 3), positions=(1.5, None, 1.0, 2.0))]
    >>> gold_orders(["a b c d".split()], [links], reduction="leftmost")[0].order
    (0, 1, 2, 3)
    """
    if reduction not in REDUCTIONS:
        raise UnknownNameError("reduction", reduction, REDUCTIONS)
    check_attachment(attach, "low")
    _check(sentences, links)
    if reduction == "minphrase":
        return _of_phrases(sentences, links, attach)
    if reduction == "intersection":
        if backward is None:
            message = "the reduction `intersection` needs links of both directions"
            raise InputError(message, options=("backward",))
        _check(sentences, backward)
        links = symmetrise_all(links, backward, method="intersection")
    starts = np.fromiter(
        accumulate(map(len, sentences), initial=0), np.int64, len(sentences) + 1
    )
    positions = _positions(links, starts, reduction)
    keys = _attached(positions, starts, attach)
    owners = np.repeat(np.arange(len(sentences)), np.diff(starts))
    order = np.lexsort((keys, owners))  # stable: ties keep the source order
    local = (order - starts[owners]).tolist()
    shown = [None if x != x else x for x in positions.tolist()]
    ends = starts.tolist()
    return [
        Gold(tuple(local[first:last]), tuple(shown[first:last]))
        for first, last in pairwise(ends)
    ]


def stream_gold_orders(
    sentences: Sequence[Sequence[str]],
    links: Sequence[Links],
    *,
    reduction: str = "mean",
    attach: str = "right",
    backward: Sequence[Links] | None = None,
) -> Iterator[Gold]:
    """Yield what `gold_orders` returns, without holding all of it.

    Parameters and errors are the same, but that the number of a sentence in a message
    is the one in its block.
    """
    # Without sentences, the settings are checked all the same.
    for start in range(0, len(sentences) or 1, _BLOCK):
        block = slice(start, start + _BLOCK)
        yield from gold_orders(
            sentences[block],
            links[block],
            reduction=reduction,
            attach=attach,
            backward=None if backward is None else backward[block],
        )


def _check(sentences: Sequence[Sequence[str]], links: Sequence[Links]) -> None:
    if len(sentences) != len(links):
        raise InputError(
            f"there are {len(sentences):,} sentences and links of {len(links):,}; give "
            "links for each sentence, even if empty"
        )
    for index, (sentence, segment) in enumerate(zip(sentences, links, strict=True)):
        words = len(sentence)
        # Links are sorted unless somebody made them by hand.
        if segment and (segment[0][0] < 0 or max(segment)[0] >= words):
            try:
                check_links(segment, words, 2**63)
            except InputError as error:
                raise InputError(f"sentence {index}: {error}") from None


def _of_phrases(
    sentences: Sequence[Sequence[str]], links: Sequence[Links], attach: str
) -> list[Gold]:
    units = corpus_units([len(sentence) for sentence in sentences], links)
    return [
        Gold(each.order(attach=attach), _ranks(each))
        for each in map(units.__getitem__, range(len(units)))
    ]


def _ranks(units: Units) -> tuple[float | None, ...]:
    """Return the rank of every word's phrase."""
    return tuple(
        float(rank) if rank else None
        for (start, end), rank in zip(units.spans, units.ranks, strict=True)
        for _ in range(start, end)
    )


def _positions(links: Sequence[Links], starts: Integers, reduction: str) -> Floats:
    """Return the target position of every word of the corpus; NaN for none."""
    words = int(starts[-1])
    flat = [link for segment in links for link in segment]
    sizes = np.fromiter(map(len, links), np.int64, len(links))
    word = np.fromiter((link[0] for link in flat), np.int64, len(flat))
    word += np.repeat(starts[:-1], sizes)
    target = np.fromiter((link[1] for link in flat), np.float64, len(flat))
    positions = np.full(words, np.nan)
    if reduction in ("mean", "intersection"):
        number = np.bincount(word, minlength=words)
        total = np.bincount(word, target, minlength=words)
        np.divide(total, number, out=positions, where=number > 0)
        return positions
    # Of the links of a word, the one that is written last stays.
    by = {
        "leftmost": lambda: np.lexsort((-target,)),
        "rightmost": lambda: np.lexsort((target,)),
        "best": lambda: np.lexsort(
            (-target, np.fromiter((link[2] for link in flat), np.float64, len(flat)))
        ),
    }[reduction]()
    positions[word[by]] = target[by]
    return positions


def _attached(positions: Floats, starts: Integers, attach: str) -> Floats:
    """Return positions in which words without links have that of a neighbour."""
    if not len(positions):
        return positions
    sizes = np.diff(starts)
    first, last = np.repeat(starts[:-1], sizes), np.repeat(starts[1:], sizes)
    index = np.arange(len(positions))
    linked = ~np.isnan(positions)
    before = np.maximum.accumulate(np.where(linked, index, -1))
    after = np.where(linked, index, len(positions))
    after = np.minimum.accumulate(after[::-1])[::-1]
    has_before, has_after = before >= first, after < last
    right = has_after if attach == "right" else has_after & ~has_before
    near = np.where(right, after, before)
    # A sentence without links keeps its order: all keys are equal.
    near[~(has_before | has_after)] = -1
    return np.where(near < 0, 0.0, positions[near])
