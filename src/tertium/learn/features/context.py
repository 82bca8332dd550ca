# SPDX-License-Identifier: Apache-2.0
"""Matches of word pieces in context (Zhang et al. 2020, BERTScore), by a BERT model.

P is the mean over pieces of the text of max(0, best cosine with a piece of the
reference), R the same from the other side; the pieces at both ends of the input do not
count. The cosine of the vectors of both texts may be a feature of its own.

With ``weights = "rank"`` the means are weighted by log(2 + n), n the place of a piece
in the vocabulary: ``!`` has 1, what precedes it 0. BERT's vocabulary begins with the
most frequent pieces, so rare words count more, as by inverse document frequency, but
the other texts of a batch do not matter.

Features have six decimal places: a copy has 1, and few depend on the processor.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

from tertium.data.batch import Batch, lone_surrogate
from tertium.encoders.encoder import Encoded, Encoder, Numbers, find_encoder
from tertium.encoders.matching import best_cosines
from tertium.encoders.pairs import Pair, Pairs
from tertium.errors import InputError
from tertium.learn.features.blocks import Block, Resources
from tertium.learn.features.brought import BroughtBlock
from tertium.learn.features.tables import TableReader
from tertium.learn.features.values import Shares

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.metrics.base import Rows

__all__ = ["Context"]

_PLACES = 6
_WEIGHTS = ("none", "rank")


class Context(BroughtBlock):
    """Precision, recall and their means of pieces in context.

    Parameters
    ----------
    layer : int
        The layer of the vectors; 0 stands for the input embeddings.
    weights : {"none", "rank"}
        Whether rare pieces count more.
    sentence : bool
        Whether the cosine of the texts' vectors is a feature, ``sentence.cosine``.
    values, **brought
        As in :class:`~tertium.learn.features.brought.BroughtBlock`; the path is the
        folder of a model, by default all-MiniLM-L6-v2 from its package.
    """

    kind = "context"
    uses = ("context",)
    prefix = "context"

    def __init__(
        self,
        values: Sequence[str] = ("min", "max", "f1"),
        *,
        layer: int = 4,
        weights: str = "none",
        sentence: bool = True,
        symmetric: bool = True,
        path: str = "",
        where: str = "",
    ) -> None:
        super().__init__(values, symmetric=symmetric, path=path, where=where)
        self.layer = layer
        self.weights = weights
        self.sentence = sentence
        mark = "" if weights == "none" else weights
        self.names = tuple(f"context{layer}{mark}.{value}" for value in values)
        if sentence:
            self.names += ("sentence.cosine",)
            self.groups += ("sentence",)
            self.signs += (1,)

    @classmethod
    def read(cls, table: Mapping[str, object], *, where: str) -> Context:
        """Return the block of a table."""
        reader = TableReader(table, where)
        values, symmetric = cls.read_values(reader)
        layer = reader.number("layer", 4)
        if layer != int(layer) or layer < 0:
            raise reader.wrong("layer", layer, "a whole number, at least 0")
        block = cls(
            values,
            layer=int(layer),
            weights=reader.text("weights", "none", choices=_WEIGHTS),
            sentence=reader.flag("sentence", True),
            symmetric=symmetric,
            where=where,
        )
        reader.done()
        return block

    def to_json(self) -> dict[str, object]:
        """Return the table, complete."""
        return {
            **super().to_json(),
            "layer": self.layer,
            "weights": self.weights,
            "sentence": self.sentence,
        }

    def equipped(self, resources: Resources) -> Block:
        """Return the block with the model that a user brings."""
        block = Context(
            self.values,
            layer=self.layer,
            weights=self.weights,
            sentence=self.sentence,
            symmetric=self.symmetric,
            path=resources.context,
            where=self.where,
        )
        return cast("Block", block)

    def rows(self, batch: Batch, *, threads: int | None = None) -> Rows:
        """Return one row of features per text."""
        import numpy as np

        hyps, refs = batch.single
        _check_characters(hyps, refs)
        try:
            encoder = find_encoder(self.path, layer=self.layer, text=self.sentence)
        except InputError as error:
            raise type(error)(f"{self.where}: {error}") from None
        matcher = _matcher(encoder, self.weights)
        matches = matcher.all(hyps, refs, threads=threads or os.cpu_count() or 1)
        table = np.round(np.array(matches, np.float64).reshape(-1, 5), _PLACES)
        p, r, cosine, hyp_sizes, ref_sizes = table.T
        columns = self.columns(Shares(p, r, hyp_sizes, ref_sizes))
        if self.sentence:
            columns = np.column_stack([columns, cosine])
        return np.ascontiguousarray(columns)


class _Match(NamedTuple):
    p: float
    r: float
    cosine: float
    hyp_size: int
    ref_size: int


class _Matcher:
    """Matches texts, and keeps the vectors of some of them."""

    def __init__(self, encoder: Encoder, weights: str) -> None:
        import numpy as np

        self._encoder = encoder
        ranks = np.maximum(0.0, np.arange(encoder.vocabulary) - encoder.first + 1)
        self._weights = np.ones_like(ranks) if weights == "none" else np.log(2 + ranks)
        self._pairs = Pairs(encoder)

    def all(
        self, hyps: Sequence[str], refs: Sequence[str], *, threads: int
    ) -> list[_Match]:
        """Return the matches of pairs; every pair and every text is looked at once."""
        numbers = {text: self._encoder.numbers(text) for text in {*hyps, *refs}}
        pairs = [(numbers[h], numbers[r]) for h, r in zip(hyps, refs, strict=True)]
        matches = self._pairs.compare(pairs, self._match, _plain, threads=threads)
        return [matches[pair] for pair in pairs]

    def _match(self, pair: Pair, left: Encoded, right: Encoded) -> _Match:
        hyp, ref = pair
        cosine = float(left.text @ right.text) if left.text.size else 0.0
        p, r = _best(left.pieces, right.pieces, *self._weighted(hyp, ref))
        return _Match(p, r, min(1.0, max(0.0, cosine)), len(hyp), len(ref))

    def _weighted(self, *texts: Numbers) -> list[NDArray[np.float64]]:
        return [self._weights[list(numbers)] for numbers in texts]


def _plain(pair: Pair) -> _Match:
    """Return the match of equal texts, or if one is empty."""
    hyp, ref = pair
    same = int(hyp == ref)
    return _Match(same, same, same, len(hyp), len(ref))


@lru_cache(maxsize=2)
def _matcher(encoder: Encoder, weights: str) -> _Matcher:
    return _Matcher(encoder, weights)


def _best(
    hyp: NDArray[np.float32],
    ref: NDArray[np.float32],
    hyp_weights: NDArray[np.float64],
    ref_weights: NDArray[np.float64],
) -> tuple[float, float]:
    """Return the weighted means of best cosines, from both sides."""
    left, right = best_cosines(hyp, ref)
    p = (left * hyp_weights).sum() / hyp_weights.sum()
    r = (right * ref_weights).sum() / ref_weights.sum()
    return float(p), float(r)


def _check_characters(hyps: Sequence[str], refs: Sequence[str]) -> None:
    for texts in (hyps, refs):
        try:
            "".join(texts).encode()
        except UnicodeEncodeError as error:
            raise lone_surrogate([hyps], list(refs)) from error
