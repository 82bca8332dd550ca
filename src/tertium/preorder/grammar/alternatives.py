# SPDX-License-Identifier: Apache-2.0
"""Sentences with several alternative alignments.

Links are not known for certain. A sentence may have several alternatives, each with a
weight; in training, they are a mixture. An alternative counts with its posterior
probability: its weight times how probable the grammar makes its order, divided by the
sum over all alternatives of the sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.preorder.units import CorpusUnits, corpus_units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.align.links import Link

__all__ = ["Alternatives", "combine_links", "unit_alternatives"]


@dataclass(frozen=True)
class Alternatives:
    """Alternative links of one sentence.

    Parameters
    ----------
    links : tuple of iterables of Link or of pairs
        Each alternative.
    weights : tuple of float, optional
        A positive weight per alternative; by default all are the same. Only their
        proportions matter.

    Raises
    ------
    InputError
        If there is no alternative, or weights are not positive or not as many.
    """

    links: tuple[Iterable[Link | Sequence[float]], ...]
    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if not self.links:
            raise InputError("a sentence has no alternative links; give at least one")
        if self.weights is None:
            return
        if len(self.weights) != len(self.links) or not all(
            0 < weight < np.inf for weight in self.weights
        ):
            raise InputError(
                f"{len(self.links)} alternative links have the weights "
                f"{self.weights}; give one positive number per alternative"
            )

    @property
    def shares(self) -> tuple[float, ...]:
        """The weights, with the sum 1."""
        weights = self.weights or (1.0,) * len(self.links)
        total = sum(weights)
        return tuple(weight / total for weight in weights)

    @property
    def likeliest(self) -> Iterable[Link | Sequence[float]]:
        """The links of the largest weight, the first of equal ones."""
        shares = self.shares
        return self.links[shares.index(max(shares))]


def combine_links(
    alternatives: Sequence[Sequence[Iterable[Link | Sequence[float]]]],
    *,
    weights: Sequence[float] | None = None,
) -> list[Alternatives]:
    """Return the alternatives of each sentence from several aligned corpora.

    Parameters
    ----------
    alternatives : sequence of sequences of links
        For each alternative, the links of all sentences.
    weights : sequence of float, optional
        One per alternative; all are the same by default.

    Raises
    ------
    InputError
        If alternatives are missing, or their numbers of sentences differ.

    Examples
    --------
    >>> one, other = [[(0, 0), (1, 1)]], [[(0, 1), (1, 0)]]
    >>> combine_links([one, other])[0].shares
    (0.5, 0.5)
    """
    sizes = {len(links) for links in alternatives}
    if len(sizes) != 1:
        counts = ", ".join(f"{len(links):,}" for links in alternatives) or "none"
        raise InputError(
            f"alternative links are of different numbers of sentences ({counts}); give "
            "links of the same sentences"
        )
    shared = None if weights is None else tuple(weights)
    return [Alternatives(links, shared) for links in zip(*alternatives, strict=True)]


def unit_alternatives(
    lengths: Sequence[int],
    links: Sequence[Iterable[Link | Sequence[float]] | Alternatives],
) -> tuple[CorpusUnits, NDArray[np.uint32], NDArray[np.float64]]:
    """Return the units of all alternatives, their sentences and weights.

    Alternatives of a sentence with the same units in the same order are one, with the
    sum of their weights.

    Raises
    ------
    InputError
        As in :func:`tertium.preorder.units.corpus_units`.
    """
    numbers = np.arange(len(lengths), dtype=np.uint32)
    if not any(isinstance(item, Alternatives) for item in links):
        plain: list[Iterable[Link | Sequence[float]]] = list(links)  # type: ignore[arg-type]
        return corpus_units(lengths, plain), numbers, np.ones(len(lengths))
    if len(lengths) != len(links):
        corpus_units(lengths, [()] * len(links))  # says what is wrong
    entries = [
        (number, one, share)
        for number, item in enumerate(links)
        for one, share in (
            zip(item.links, item.shares, strict=True)
            if isinstance(item, Alternatives)
            else [(item, 1.0)]
        )
    ]
    units = corpus_units([lengths[i] for i, _, _ in entries], [e[1] for e in entries])
    return _merged(units, [e[0] for e in entries], [e[2] for e in entries])


def _merged(
    units: CorpusUnits, sentences: Sequence[int], shares: Sequence[float]
) -> tuple[CorpusUnits, NDArray[np.uint32], NDArray[np.float64]]:
    """Return entries without those that repeat one of their sentence."""
    places: dict[tuple[int, bytes], int] = {}
    kept: list[int] = []
    weights: list[float] = []
    columns = np.stack([units.start, units.end, units.rank])
    for entry, (sentence, share) in enumerate(zip(sentences, shares, strict=True)):
        part = columns[:, units.first[entry] : units.first[entry + 1]]
        place = places.setdefault((sentence, part.tobytes()), len(kept))
        if place == len(kept):
            kept.append(entry)
            weights.append(0.0)
        weights[place] += share
    sizes = units.first[1:].astype(np.int64) - units.first[:-1]
    chosen = np.zeros(len(sizes), bool)
    chosen[kept] = True
    first = np.concatenate([[0], np.cumsum(sizes[chosen])]).astype(np.uint32)
    start, end, rank = columns[:, np.repeat(chosen, sizes)]
    numbers = np.array(sentences, np.uint32)[kept]
    return CorpusUnits(first, start, end, rank), numbers, np.array(weights)
