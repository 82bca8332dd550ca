# SPDX-License-Identifier: Apache-2.0
"""Outputs that nobody judged: what a model makes of one word, and of a copy.

Judges rank outputs of finished systems, so nothing in training holds a model back
from a text of one word, whose precision may be perfect. Every model is therefore asked
for the scores of such texts. A word of a fifth of the reference or more is left out: it
has a claim to more than a low score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium.data.annotated import Annotated
from tertium.data.kept import Lazy
from tertium.learn.distinct import digests, distinct
from tertium.learn.scalers import Scaler

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.learn.examples import Examples
    from tertium.learn.model import Model
    from tertium.learn.profile import Profile

    Rows: TypeAlias = NDArray[np.float64]

__all__ = ["LIMIT", "Probe", "bent", "one_word_outputs", "probe_of", "rescaled"]

#: The score that no output of one word should exceed.
LIMIT = 0.1
_AIM = 0.08  # where scores are put that exceed it: other words may score a bit more
_REFERENCES = 200
_WORDS = 5  # of a reference, at least
_SHARE = 0.2
_FREQUENT = 10  # words that every reference is asked for, besides its own
_TEXTS = 2000  # outputs of systems that are compared with copies
_STEP, _STEPS = 1.05, 60  # how raw numbers are stretched: up to 18 times
_KNOTS = 64  # of a bent curve, between the lowest rated text and a copy
_LOW = 0.1  # share of the rated texts above one word that are scored below the curve
_SURE = 0.5  # of human certainty, below which raw numbers are too large


@dataclass(frozen=True, eq=False)
class Probe:
    """Features of outputs and of copies of their references.

    Attributes
    ----------
    words, copies : ndarray
        Outputs of one word, and copies of their references, row by row.
    outputs, output_copies : ndarray
        The same of outputs that were learnt from.
    """

    words: Rows
    copies: Rows
    outputs: Rows
    output_copies: Rows

    def highest(self, model: Model, factor: float = 1.0) -> float:
        """Return the highest score of one word, with raw numbers times a factor."""
        if not len(self.words):
            return 0.0
        raw, copies = model.raw(self.words), model.raw(self.copies)
        scores = model.scaler.scores(factor * raw, factor * copies)
        return float(np.clip(scores, 0.0, 1.0).max())

    def record(self, model: Model) -> dict[str, object]:
        """Return what goes into the model file."""
        above = sum(
            int((model.raw(rows) > model.raw(copies)).sum())
            for rows, copies in (
                (self.words, self.copies),
                (self.outputs, self.output_copies),
            )
        )
        return {
            "one_word_outputs": len(self.words),
            "highest_score": self.highest(model),
            "texts": len(self.words) + len(self.outputs),
            "above_copy": above,
        }


def one_word_outputs(
    references: Sequence[str], *, seed: int = SEED
) -> tuple[list[str], list[str]]:
    """Return words, and the references that they are outputs for.

    Of a sample of references of five words or more: each of its own words, and ten
    frequent ones.
    """
    words_of = map(str.split, references)
    long = np.flatnonzero([len(words) >= _WORDS for words in words_of])
    chosen = np.random.default_rng(seed).permutation(len(long))[:_REFERENCES]
    counted = Counter(word for ref in references for word in ref.split())
    frequent = [word for word, _ in counted.most_common(_FREQUENT)]
    hyps: list[str] = []
    refs: list[str] = []
    for ref in (references[int(long[number])] for number in sorted(chosen.tolist())):
        for word in dict.fromkeys((*ref.split(), *frequent)):
            if len(word) < _SHARE * len(ref):
                hyps.append(word)
                refs.append(ref)
    return hyps, refs


def unrelated_losses(
    model: Model, references: Sequence[str], *, threads: int | None = None
) -> Rows:
    """Return how far unrelated texts are below copies, in raw numbers.

    Of every reference, the next one is the unrelated text. At most `_TEXTS` of them.
    """
    refs = list(references[:_TEXTS])
    texts = [*refs[1:], *refs[:1]]
    rows = model.profile.features(texts, refs, threads=threads)
    copies = model.profile.features(refs, refs, threads=threads)
    losses: Rows = model.raw(copies) - model.raw(rows)
    return losses


def probe_of(
    profile: Profile,
    outputs: Sequence[tuple[str, str]],
    *,
    seed: int = SEED,
    threads: int | None = None,
) -> Probe | None:
    """Return the probe of a profile.

    Parameters
    ----------
    profile : Profile
    outputs : sequence of (output, reference)
        What is learnt from.
    seed : int
    threads : int, optional

    Returns
    -------
    Probe or None
        None if features read what users bring with each text, since nobody brings it
        with a word.
    """
    if "roles" in profile.uses or any(
        isinstance(text, Annotated) for pair in outputs for text in pair
    ):
        return None
    references = distinct(
        Lazy(len(outputs), lambda place: outputs[place][1]),
        digests((ref,) for _, ref in outputs),
    )
    words, refs = one_word_outputs(references, seed=seed)
    chosen = np.random.default_rng(seed).permutation(len(outputs))[:_TEXTS]
    some = [outputs[number] for number in sorted(chosen.tolist())]

    def features(hyps: list[str], refs: list[str]) -> Rows:
        return profile.features(hyps, refs, threads=threads)

    own_refs = [ref for _, ref in some]
    return Probe(
        features(words, refs),
        features(refs, refs),
        features([hyp for hyp, _ in some], own_refs),
        features(own_refs, own_refs),
    )


def rescaled(model: Model, probe: Probe, people: Examples) -> tuple[Model, float]:
    """Return the model with raw numbers of a suitable size, and the factor applied.

    The scalings `none`, `quasi` and `relative` take raw numbers as they are, or nearly
    so. These are

    * shrunk if they are over twice as sure as judges, who contradict each other:
      weights of a ranker learnt from its own judgements grow without end, and all
      scores become 0 or 1;
    * stretched if an output of one word scores above `LIMIT`, as after strong
      regularisation, or of an SVM, whose raw numbers are not log-odds.

    No ranking against one reference changes. Where a word beats a copy, no factor
    helps.

    Parameters
    ----------
    model : Model
    probe : Probe
    people : Examples
        Human pairs, with features in the ranges of the model.
    """
    from tertium.learn.objectives.scaling import certainty

    if model.scaler.kind not in ("none", "quasi", "relative"):
        return model, 1.0
    factor = 1.0
    if model.scaler.kind == "quasi":
        differences = people.differences(model.ranker.raw(people.features))
        sure = certainty(differences, people.weights)
        factor = sure if 0 < sure < _SURE else 1.0
    if probe.highest(model, factor) > LIMIT:
        steps = (factor * _STEP**step for step in range(1, _STEPS + 1))
        low = (step for step in steps if probe.highest(model, step) <= _AIM)
        factor = next(low, factor)
    if factor == 1.0:
        return model, factor
    return replace(model, ranker=model.ranker.times(factor)), factor


def bent(model: Model, probe: Probe, rated: Rows) -> Scaler:
    """Return the scaler, bent at its low end if one word scores above `LIMIT`.

    Judges rate outputs of systems, the worst of which are far better than one word.
    Where a curve through their ratings gives a word more than they would, it becomes a
    line through knots: as it was from the lowest ratings on, and falling below them.

    Parameters
    ----------
    model : Model
        With a scaler that was fitted to ratings.
    probe : Probe
    rated : ndarray
        Raw numbers of the texts it was fitted to.
    """
    scaler = model.scaler
    if probe.highest(model) <= LIMIT:
        return scaler
    words, copies = model.raw(probe.words), model.raw(probe.copies)
    better = rated[rated > words.max()]
    if not len(better) or copies.min() <= words.max():
        return scaler
    low = min(float(np.quantile(better, _LOW)), float(copies.min()))
    curve = replace(scaler, anchor=False)
    top = float(curve.scores(copies).min()) if scaler.anchor else 1.0
    aim = _AIM * top
    # The worst of the words have 0, the best of them what is allowed.
    start = [(float(words.min()), 0.0)] if words.min() < words.max() else []
    start.append((float(words.max()), aim))
    places = np.linspace(low, float(max(copies.max(), rated.max())), _KNOTS)
    levels = np.maximum(curve.scores(places), aim)
    pairs = [*start, *zip(places.tolist(), levels.tolist(), strict=True)]
    kept = [pairs[0], *(b for a, b in pairwise(pairs) if b[0] > a[0])]
    return Scaler(
        "isotonic",
        knots=tuple(place for place, _ in kept),
        levels=tuple(level for _, level in kept),
        anchor=scaler.anchor,
    )
