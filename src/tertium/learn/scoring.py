# SPDX-License-Identifier: Apache-2.0
"""From texts to the scores of a trained model, in the core or by way of NumPy.

A linear model over units and lengths alone, or over one lexical block, is scored by one
kernel. Every other model goes through matrices of features.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from tertium import _core
from tertium.data.annotated import Annotated
from tertium.errors import InputError
from tertium.learn.features.lexical import lexical_block
from tertium.learn.features.surface import surface
from tertium.learn.rankers import Linear
from tertium.metrics.kernels import text_rows, text_sums

if TYPE_CHECKING:
    from tertium.data.batch import Batch
    from tertium.learn.model import Model
    from tertium.metrics.base import Rows

__all__ = ["FeatureScorer", "FusedScorer", "for_reference", "model_scorer"]

_BATCH = 8192  # segments whose features are in memory at once
_SCALINGS = {
    "none": "sigmoid",
    "platt": "sigmoid",
    "quasi": "quasi",
    "relative": "relative",
    "linear": "linear",
    "isotonic": "isotonic",
}


def model_scorer(model: Model, *, name: str) -> FusedScorer | FeatureScorer:
    """Return the fastest scorer of a model; errors call the model by `name`."""
    kernel = _fused(model)
    if kernel is None:
        return FeatureScorer(model, name)
    return FusedScorer(kernel, lowercase=model.profile.lowercase)


@dataclass(frozen=True)
class FusedScorer:
    """A model that one kernel computes from texts on."""

    kernel: _core.Kernel
    lowercase: bool

    def rows(self, batch: Batch, threads: int | None) -> list[Rows]:
        """Return the rows of every system; references are read once."""
        return text_rows(self.kernel, batch, self._preprocess, threads)

    def sums(self, batch: Batch, threads: int | None) -> list[_core.Sums]:
        """Return the exact sum of the rows of every system; rows are not kept."""
        return text_sums(self.kernel, batch, self._preprocess, threads)

    def _preprocess(self, lines: list[str]) -> list[str]:
        return [line.lower() for line in lines] if self.lowercase else lines


@dataclass(frozen=True)
class FeatureScorer:
    """A model over matrices of features."""

    model: Model
    name: str

    def rows(self, batch: Batch, threads: int | None) -> list[Rows]:
        """Return the rows of every system; the best reference counts."""
        import numpy as np

        refs = batch.nested
        for index, texts in enumerate(refs):
            if not texts:
                raise InputError(f"segment {index} has no reference; give at least one")
        out = [np.ones((len(refs), 2)) for _ in batch.systems]
        for start in range(0, len(refs), _BATCH):
            part = slice(start, start + _BATCH)
            systems = [hyps[part] for hyps in batch.systems]
            scores = self._scores(systems, refs[part], threads)
            for rows, column in zip(out, scores, strict=True):
                rows[part, 0] = column
        return out

    def _scores(
        self,
        systems: list[list[str]],
        refs: list[tuple[str, ...]],
        threads: int | None,
    ) -> list[Rows]:
        import numpy as np

        model = self.model
        flat = list(chain.from_iterable(refs))
        first = np.cumsum([0, *(len(texts) for texts in refs[:-1])])
        identity = None
        if model.scaler.needs_identity:
            identity = model.profile.features(flat, flat, threads=threads)
        columns = []
        for hyps in systems:
            texts = [
                for_reference(hyp, number, len(own_refs))
                for hyp, own_refs in zip(hyps, refs, strict=True)
                for number in range(len(own_refs))
            ]
            features = model.profile.features(texts, flat, threads=threads)
            scores = np.clip(model.scores(features, identity), 0.0, 1.0)
            if np.isnan(scores).any():
                message = (
                    f"beer: {self.name} gives a text no number: its weights overflow; "
                    "train it again"
                )
                raise InputError(message)
            columns.append(np.maximum.reduceat(scores, first))
        return columns


def _fused(model: Model) -> _core.Kernel | None:
    """Return the kernel that computes a model from texts on, if the core can."""
    if not isinstance(model.ranker, Linear):
        return None
    weights, bias = model.plain_weights()
    scaler = model.scaler
    plain = scaler.kind in ("none", "quasi")  # which have no slope

    def linear(weights: list[float]) -> _core.LinearModel:
        return _core.LinearModel(
            weights=weights,
            bias=bias,
            scaling=_SCALINGS[scaler.kind],
            slope=1.0 if plain else scaler.slope,
            offset=0.0 if plain else scaler.intercept,
            knots=list(scaler.knots),
            heights=list(scaler.levels),
            anchor=scaler.anchor,
        )

    if lexical := lexical_block(model.profile.blocks, weights):
        block, all_weights = lexical
        return block.model(linear(all_weights))
    blocks = surface(model.profile.blocks)
    return None if blocks is None else _core.surface_model(*blocks, linear(weights))


def for_reference(hyp: str, number: int, refs: int) -> str:
    """Return a text whose links, if it brings any, are those to one reference."""
    if refs == 1 or not isinstance(hyp, Annotated) or "links" not in hyp.layers:
        return hyp
    links = hyp.layers["links"]
    if not isinstance(links, Sequence):
        return hyp
    return Annotated(hyp, {**hyp.layers, "links": [links[number]]})
