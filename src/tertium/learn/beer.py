# SPDX-License-Identifier: Apache-2.0
"""BEER (Stanojević and Sima'an 2014): features weighed by human judgements.

A model over units and lengths alone that is linear is scored in the core, from texts
to scores in one go; every other one goes through matrices of features.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from tertium import _core
from tertium.data.annotated import Annotated
from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.learn.features.blocks import Reduced, Resources
from tertium.learn.features.length import Length
from tertium.learn.features.surface import surface
from tertium.learn.features.units import Units
from tertium.learn.model import Model
from tertium.learn.rankers import Linear
from tertium.learn.shipped import find_model, shipped_path
from tertium.metrics.base import Metric, NativeMetric
from tertium.metrics.settings import Value, setting

if TYPE_CHECKING:
    from tertium.learn.profile import Profile
    from tertium.metrics.base import Rows

__all__ = ["Beer"]

_DEFAULT = "beer-3.0"
_RESOURCES = (
    "parser",
    "parser_model",
    "synonyms",
    "paraphrases",
    "embeddings",
    "roles",
)
_BATCH = 8192  # segments whose features are in memory at once
_SCALINGS = {
    "none": "sigmoid",
    "platt": "sigmoid",
    "quasi": "quasi",
    "linear": "linear",
    "isotonic": "isotonic",
}


class Beer(NativeMetric):
    """BEER; the row is (score, 1)."""

    name = "beer"
    summary = "trained on human judgements: n-grams of characters and words, and more"
    formula = (
        "s(w · φ(hyp, ref)), φ the features of a profile, w learnt from judgements, s "
        "a scaler to 0-1; the best of several references, the mean of segments"
    )
    paper = "Stanojević and Sima'an 2014, BEER; Stanojević 2017, chapters 5 and 6"
    equal_to = "BEER 2.0 (its model folder, as model=DIR; each segment)"
    cost = "linear in the length of the text; skip bigrams of any length words²"
    empty = (
        "0 for an empty corpus; two empty texts are copies, and one alone shares no "
        "unit with the other"
    )
    bounds = (0.0, 1.0)
    unit = 1.0
    symmetric = True  # with a symmetric profile
    weight_column = 1

    model: str = setting(
        "", "a model file, or a model folder of BEER 2.0", external=True
    )
    profile: str = setting(_DEFAULT, "whose model to take, if none is named")
    language: str = setting("", "the target language: takes its own model, if any")
    parser: str = setting("", "the parser, for features of trees", external=True)
    parser_model: str = setting("", "the parser's model", external=True)
    synonyms: str = setting(
        "", "the folder of WordNet's files, for synonyms", external=True
    )
    paraphrases: str = setting("", "a paraphrase table", external=True)
    embeddings: str = setting("", "a file of word vectors", external=True)
    roles: str = setting("", "a file of semantic roles", external=True)

    def __init__(self, **values: Value) -> None:
        super().__init__(**values)
        trained = self.trained
        own = trained.profile
        self.symmetric = own.symmetric and (  # type: ignore[misc]
            not trained.scaler.needs_identity or _copies_are_alike(trained)
        )
        self.layers = own.layers  # type: ignore[misc]
        if not trained.scaler.needs_identity:
            self.copy_exception = (  # type: ignore[misc]
                "the model was not made to give a copy of the reference 1"
            )

    def make_kernel(self) -> _core.Kernel:
        """Return the kernel for the model."""
        wanted = self.profile
        if self.parser and shipped_path(f"{wanted}-parsed"):
            wanted = f"{wanted}-parsed"  # learnt from real trees, not flattened ones
        found, self._name = find_model(self.model, wanted, self.language)
        if self.model and self.profile not in (_DEFAULT, found.profile.name):
            message = (
                f"beer: model={self.model} has the profile {found.profile.name}, not "
                f"{self.profile}; leave out profile="
            )
            raise InputError(message)
        self._check_resources(found.profile)
        self._check_language(found.profile)
        resources = {name: getattr(self, name) for name in _RESOURCES}
        equipped = found.profile.equipped(Resources(self.language, **resources))
        if equipped.names != found.profile.names:
            odd = sorted(set(equipped.names) ^ set(found.profile.names))
            message = (
                f"beer: with these settings {self._name} has other features than in "
                f"training ({', '.join(odd[:3])}); train it with the same settings"
            )
            raise InputError(message)
        #: The model behind the scores.
        self.trained = replace(found, profile=equipped)
        self._found = found
        fused = _fused(self.trained)
        #: Whether the core computes scores, and not NumPy.
        self.fused = fused is not None
        if fused is not None:
            return fused
        # No features: it only turns sums of rows into means.
        return _core.surface_model([], [], False, [], 0, "quasi", 1, 0, [], [], False)

    def preprocess(self, lines: list[str]) -> list[str]:
        """Return the lines, lower-cased if the model wants it."""
        # The profile does it where it computes the features.
        if self.fused and self.trained.profile.lowercase:
            return [line.lower() for line in lines]
        return lines

    def rows(self, batch: Batch, *, threads: int | None = None) -> list[Rows]:
        """Return the rows of every system; references are read once."""
        if self.fused:
            return super().rows(batch, threads=threads)
        for index, own in enumerate(batch.nested):
            if not own:
                raise InputError(f"segment {index} has no reference; give at least one")
        return self._rows(batch.systems, batch.nested, threads)

    def sums(self, batch: Batch, *, threads: int | None = None) -> list[_core.Sums]:
        """Return the exact sum of the rows of every system."""
        if self.fused:
            return super().sums(batch, threads=threads)
        return Metric.sums(self, batch, threads=threads)

    def margins(self, hyps: Sequence[str], refs: Sequence[str]) -> list[float]:
        """Return the raw values of texts before scaling, one reference each.

        A tuner that weighs differences (PRO, MIRA) wants them: they do not crowd.
        """
        features = self.trained.profile.features(list(hyps), list(refs), threads=1)
        return [float(value) for value in self.trained.raw(features)]

    def signature_fields(self) -> dict[str, str]:
        """Return the model with its fingerprint, profile, language and resources."""
        own = self.trained.profile
        fields = {
            "model": f"{self._name}#{self._found.fingerprint}",
            "profile": own.name,
            "lang": self.language or "any",
            "case": "lc" if own.lowercase else "mixed",
        }
        given = {
            name: os.path.basename(getattr(self, name).rstrip("/"))
            for name in _RESOURCES
            if getattr(self, name)
        }
        return {**fields, **given}

    def _check_resources(self, profile: Profile) -> None:
        """Raise if something was given that no feature reads."""
        for name in _RESOURCES:
            if getattr(self, name) and name not in profile.uses:
                read = ", ".join(profile.uses) or "none of them"
                message = (
                    f"beer: no feature of {profile.name} reads {name}=; leave it out "
                    f"(its features read {read})"
                )
                raise InputError(message)

    def _check_language(self, profile: Profile) -> None:
        """Raise if features were learnt for another language than the one named."""
        for own in profile.blocks:
            whole = own.whole if isinstance(own, Reduced) else own
            known = getattr(whole, "language", "")
            if known and self.language and known.lower() != self.language.lower():
                message = (
                    f"beer: {self._name} is for the language {known}, not "
                    f"{self.language}; leave out language=, or train a model for it"
                )
                raise InputError(message)

    def _rows(
        self,
        systems: list[list[str]],
        refs: list[tuple[str, ...]],
        threads: int | None,
    ) -> list[Rows]:
        """Return rows by way of matrices of features."""
        import numpy as np

        model = self.trained
        out = [np.ones((len(refs), 2)) for _ in systems]
        for start in range(0, len(refs), _BATCH):
            part = refs[start : start + _BATCH]
            flat = list(chain.from_iterable(part))
            first = np.cumsum([0, *(len(own) for own in part[:-1])])
            identity = None
            if model.scaler.needs_identity:
                identity = model.profile.features(flat, flat, threads=threads)
            for hyps, rows in zip(systems, out, strict=True):
                texts = [
                    _for_reference(hyp, number, len(own))
                    for hyp, own in zip(hyps[start : start + _BATCH], part, strict=True)
                    for number in range(len(own))
                ]
                features = model.profile.features(texts, flat, threads=threads)
                scores = np.clip(model.scores(features, identity), 0.0, 1.0)
                if np.isnan(scores).any():
                    message = (
                        f"beer: {self._name} gives a text no number: its weights "
                        "overflow; train it again"
                    )
                    raise InputError(message)
                rows[start : start + _BATCH, 0] = np.maximum.reduceat(scores, first)
        return out


def _fused(model: Model) -> _core.Kernel | None:
    """Return the kernel that computes a model from texts on, if the core can."""
    found = surface(model.profile.blocks)
    if found is None or not isinstance(model.ranker, Linear):
        return None
    weights, bias = model.plain_weights()
    scaler = model.scaler
    plain = scaler.kind in ("none", "quasi")  # which have no slope
    return _core.surface_model(
        *found,
        weights=weights,
        bias=bias,
        scaling=_SCALINGS[scaler.kind],
        slope=1.0 if plain else scaler.slope,
        offset=0.0 if plain else scaler.intercept,
        knots=list(scaler.knots),
        heights=list(scaler.levels),
        anchor=scaler.anchor,
    )


def _copies_are_alike(model: Model) -> bool:
    """Return whether every reference has the same features against itself."""
    return all(
        (isinstance(own, Units) and own.empty == "backoff")
        or (isinstance(own, Length) and own.empty == 1)
        for own in model.profile.blocks
    )


def _for_reference(hyp: str, number: int, refs: int) -> str:
    """Return a text whose links, if it brings any, are those to one reference."""
    if refs == 1 or not isinstance(hyp, Annotated) or "links" not in hyp.layers:
        return hyp
    links = hyp.layers["links"]
    if not isinstance(links, Sequence):
        return hyp
    return Annotated(hyp, {**hyp.layers, "links": [links[number]]})
