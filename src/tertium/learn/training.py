# SPDX-License-Identifier: Apache-2.0
"""Training: from sources of judgements to a model, by a recipe."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium._version import __version__
from tertium.errors import InputError
from tertium.learn.data import Source, split
from tertium.learn.matrices import TextRows, nbest_rows
from tertium.learn.model import Model
from tertium.learn.probe import (
    LIMIT,
    Probe,
    bent,
    probe_of,
    rescaled,
    unrelated_losses,
)
from tertium.learn.profile import DEFAULT_PROFILE, Profile
from tertium.learn.profile import profile as find_profile
from tertium.learn.recipes import (
    LEARNERS,
    NEED_PEOPLE,
    OBJECTIVES,
    RECIPES,
    Recipe,
    recipe_of,
)
from tertium.learn.scalers import SCALERS, Scaler
from tertium.learn.scales import scale_of
from tertium.learn.training_data import Data, Matrices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.learn.examples import Examples, NBest
    from tertium.learn.objectives import Fit
    from tertium.stats.resample import Report

    Rows: TypeAlias = NDArray[np.float64]

__all__ = [
    "LEARNERS",
    "LICENCE",
    "OBJECTIVES",
    "RECIPES",
    "SCALERS",
    "Recipe",
    "SelfTraining",
    "recipe_of",
    "train_model",
]

LICENCE = "as the training data"

_PART = 10_000  # texts whose raw numbers are computed at once
_HIDDEN = 15  # nodes of networks
#: C and γ of polynomials: the low end of the original grids. The high end takes a
#: hundred times as long, and on the demo set has the lower accuracy.
_POLYNOMIAL = tuple(2.0**k for k in (-10, -8, -6, -4))
_GAMMAS = tuple(2.0**g for g in (-7, -5, -3))


@dataclass(frozen=True)
class SelfTraining:
    """N-best lists to train on, labelled by the model itself.

    Parameters
    ----------
    lists : sequence of (candidates, references)
        Of every file: the candidates of each sentence, and its reference.
    mode : {"union", "self"}
        With the human pairs, or on its own alone.
    sampling : {"uniform", "weighted", "extremes"}
    rounds : int, optional
    pairs : int, optional
    names : sequence of str
        What the files are called; numbers by default.
    """

    lists: Sequence[tuple[Sequence[Sequence[str]], Sequence[str]]]
    mode: str = "union"
    sampling: str = "uniform"
    rounds: int | None = None
    pairs: int | None = None
    names: Sequence[str] = ()

    def described(self) -> list[dict[str, object]]:
        """Return the name and size of every file, for the model."""
        names = self.names or [str(number + 1) for number in range(len(self.lists))]
        return [
            {
                "name": name,
                "sentences": len(candidates),
                "candidates": sum(map(len, candidates)),
            }
            for name, (candidates, _) in zip(names, self.lists, strict=True)
        ]

    def fingerprint(self) -> str:
        """Return the SHA-256 of all candidates and references, in their order."""
        data = json.dumps(
            [
                [list(map(list, candidates)), list(refs)]
                for candidates, refs in self.lists
            ]
        )
        return hashlib.sha256(data.encode()).hexdigest()


def train_model(
    sources: Sequence[Source],
    *,
    profile: str | Profile = DEFAULT_PROFILE,
    recipe: Recipe | None = None,
    tuning: float | Sequence[Source] = 0.1,
    self_training: SelfTraining | None = None,
    kind: str | None = None,
    gap: float | None = None,
    licence: str = LICENCE,
    seed: int = SEED,
    threads: int | None = None,
    log: Callable[[str], None] | None = None,
    progress: Report | None = None,
) -> Model:
    """Return a model of human preferences.

    Parameters
    ----------
    sources : sequence of Source
    profile : str or Profile
        A name, a TOML file, or the profile itself.
    recipe : Recipe, optional
        By default that of the profile (see :func:`recipe_of`).
    tuning : float or sequence of Source
        What learners that choose a strength, or when to stop, do so on, and what
        tells whether self-training does harm: a share of the segments, or sources
        that are not among those to train on. Learners that choose nothing train on
        everything.
    self_training : SelfTraining, optional
    kind, gap
        As in :func:`tertium.learn.pairs.pairs_from`.
    licence : str
        Goes into the model.
    seed : int
    threads : int, optional
        All cores by default; the model does not depend on it.
    log : callable, optional
        Called with one line per step.
    progress : callable, optional
        Called with what is counted within a step (texts, searches ...), how many are
        done, and how many there are.

    Raises
    ------
    InputError
        When there is nothing to learn from.
    """
    say = log or (lambda _: None)
    features = find_profile(profile) if isinstance(profile, str) else profile
    rated = any(source.ratings is not None for source in sources)
    how = recipe_of(features.name, rated=rated) if recipe is None else recipe
    tune: list[Source] = []
    learn = list(sources)
    if how.tunes or self_training is not None:
        if isinstance(tuning, float):
            learn, tune = split(sources, tuning, seed=seed)
        else:
            tune = list(tuning)
    data = Data.of(learn, tune, how, kind=kind, gap=gap, seed=seed)
    say(data.words())
    features = features.fitted(data.references())
    matrices = data.matrices(features, how, threads=threads, progress=progress)
    nbest = None
    if self_training is not None:
        rows = nbest_rows(self_training.lists, features, threads=threads)
        nbest = replace(rows, features=matrices.ranges.scale(rows.features))
    say(
        f"training on {len(matrices.examples.features):,} texts with "
        f"{len(features.names)} features"
    )
    fit = _fit(
        matrices,
        features,
        how,
        self_training,
        nbest,
        seed=seed,
        threads=threads,
        progress=progress,
    )
    if self_training is not None:
        say(_rounds(fit.record))
    model = Model(features, fit.ranker, ranges=matrices.ranges, licence=licence)
    scaler, scaled_on, raw = _scaler(model, how, data, nbest, threads=threads, say=say)
    model = replace(model, scaler=scaler)
    probed: dict[str, object] = {}
    probe = probe_of(features, data.outputs(), seed=seed, threads=threads)
    if probe is not None:
        model, probed = _probed(model, probe, matrices, raw, say=say)
    training: dict[str, object] = {
        "tertium": __version__,
        **data.described(),
        "scaled_on": scaled_on,
        "recipe": asdict(how),
        "seed": seed,
        "fit": fit.record,
    }
    if probed:
        training["probe"] = probed
    if self_training is not None:
        training["nbest"] = self_training.described()
        training["nbest_sha256"] = self_training.fingerprint()
    return replace(model, training=training)


# ------------------------------------------------------------------------ fitting


def _fit(
    matrices: Matrices,
    profile: Profile,
    recipe: Recipe,
    self_training: SelfTraining | None,
    nbest: NBest | None,
    *,
    seed: int,
    threads: int | None,
    progress: Report | None = None,
) -> Fit:
    from tertium.learn.objectives import self_train

    fit = _learner(
        matrices, profile, recipe, seed=seed, threads=threads, progress=progress
    )
    if self_training is None or nbest is None:
        return fit(matrices.examples)
    if self_training.mode == "self" and recipe.objective != "sentence":
        message = (
            f"self-training on its own pairs alone does not go with the objective "
            f"{recipe.objective}; take the mode union, or the objective sentence"
        )
        raise InputError(message)
    return self_train(
        matrices.examples,
        nbest,
        fit,
        mode=self_training.mode,
        sampling=self_training.sampling,
        rounds=self_training.rounds,
        pairs=self_training.pairs,
        valid=matrices.tuning,
        seed=seed,
    )


def _rounds(record: Mapping[str, object]) -> str:
    """Return how self-training went, for a line of progress."""
    facts = record["self_training"]
    if not isinstance(facts, Mapping):
        raise TypeError(f"self_training is a {type(facts).__name__}")
    text = f"self-training: kept {facts['kept']} of {facts['rounds']} rounds"
    if "held_out_tau" not in facts:
        return f"{text}; no pairs were held out to check them"
    taus = ", ".join(f"{value:.3f}" for value in facts["held_out_tau"])
    return f"{text}; tau on {facts['held_out_pairs']:,} held-out pairs: {taus}"


def _learner(
    matrices: Matrices,
    profile: Profile,
    recipe: Recipe,
    *,
    seed: int,
    threads: int | None,
    progress: Report | None,
) -> Callable[[Examples], Fit]:
    """Return the function from examples to a ranker that a recipe asks for."""
    from tertium.learn import objectives

    signs = profile.signs if recipe.nonnegative else None
    strength, held = recipe.regularisation, matrices.tuning
    plan = objectives.Plan(
        seed=seed, restarts=recipe.restarts or 3, steps=300, progress=progress
    )
    if recipe.objective == "sentence":
        plan = plan if strength is None else replace(plan, l2=strength)
        if recipe.learner == "svm" and recipe.tunes and held is not None:
            return lambda examples: objectives.fit_svm_grid(
                examples, held, nonnegative=signs, threads=threads, progress=progress
            )
        if recipe.learner in ("logistic", "svm"):
            return lambda examples: objectives.fit_linear(
                examples,
                loss=recipe.learner,
                regularisation=strength,
                nonnegative=signs,
                bags=recipe.bags or 0,
                seed=seed,
                threads=threads,
                progress=progress,
            )
        if recipe.learner == "polynomial":
            if held is None:
                raise InputError("a polynomial needs pairs to tune on; give a share")
            return lambda examples: objectives.fit_polynomial(
                examples,
                held,
                grid=_POLYNOMIAL if strength is None else (strength,),
                gammas=_GAMMAS,
                threads=threads,
                progress=progress,
            )
        return lambda examples: objectives.fit_network(
            examples,
            loss=recipe.learner,
            hidden=_HIDDEN,
            valid=held,
            nonnegative=signs,
            plan=plan,
            threads=threads,
        )
    systems = matrices.systems
    if systems is None or not len(systems):
        message = (
            f"the objective {recipe.objective} needs systems that judges distinguish, "
            "with outputs for the same segments; take the objective sentence"
        )
        raise InputError(message)
    network = recipe.learner == "margin"
    restarts = (recipe.restarts or 3) if network else 1
    plan = objectives.Plan(seed=seed, restarts=restarts, progress=progress)
    plan = plan if strength is None else replace(plan, l2=strength)
    fit: Callable[..., Fit] = objectives.fit_corpus
    if recipe.objective == "joint":
        mix = 0.5 if recipe.mix is None else recipe.mix
        fit = partial(objectives.fit_joint, mix=mix)
    return lambda examples: fit(
        examples,
        systems,
        hidden=_HIDDEN if network else 0,
        valid=held,
        nonnegative=signs,
        plan=plan,
        threads=threads,
    )


# ------------------------------------------------------------------------ scaling


def _probed(
    model: Model,
    probe: Probe,
    matrices: Matrices,
    rated: Rows | None,
    *,
    say: Callable[[str], None],
) -> tuple[Model, dict[str, object]]:
    """Return the model, rescaled if need be, and what outputs of one word get."""
    model, factor = rescaled(model, probe, matrices.examples)
    if rated is not None:
        model = replace(model, scaler=bent(model, probe, rated))
    if (highest := probe.highest(model)) > LIMIT:
        say(
            f"one-word outputs score up to {highest:.2f}; use stronger "
            "regularisation, or rising weights"
        )
    return model, {**probe.record(model), "factor": factor}


def _scaler(
    model: Model,
    recipe: Recipe,
    data: Data,
    nbest: NBest | None,
    *,
    threads: int | None,
    say: Callable[[str], None],
) -> tuple[Scaler, dict[str, object], Rows | None]:
    """Return the scaler, what it was fitted on, and the raw numbers of that."""
    from tertium.learn.objectives import fit_scaler

    kind, rated = recipe.scaling, data.rated
    if kind == "relative":
        losses = unrelated_losses(model, data.references(), threads=threads)
        scaler = fit_scaler(kind, losses, anchor=recipe.anchor)
        return scaler, {"unrelated_texts": len(losses)}, None
    if kind not in NEED_PEOPLE:
        return fit_scaler(kind, anchor=recipe.anchor), {}, None
    if not rated and kind == "platt" and nbest is not None:
        # As BEER 2.0 does without ratings: the ends of pooled n-best lists.
        raw = model.ranker.raw(nbest.features)
        say(f"scaled on the best and worst of {len(raw):,} texts of n-best lists")
        return fit_scaler(kind, raw, anchor=recipe.anchor), {"nbest": len(raw)}, raw
    if not rated:
        message = (
            f"scaling {kind} needs ratings of texts, and there are none; give some, or "
            "take the scaling none or quasi"
        )
        raise InputError(message)
    texts = TextRows()
    rows = [texts.add(each.hyps, each.refs) for each in rated]
    features = texts.features(model.profile, threads=threads)
    raw = np.concatenate(
        [
            model.raw(features[start : start + _PART])
            for start in range(0, max(1, len(features)), _PART)
        ]
    )
    # As in scoring, the best reference counts.
    values = np.concatenate(
        [
            np.maximum.reduceat(raw[numbers], np.cumsum(counts) - counts)
            for numbers, counts in rows
        ]
    )
    human = np.concatenate([each.human for each in rated])
    low, high = scale_of(human)
    ratings = (human - low) / (high - low) * 100 if (low, high) != (0, 100) else human
    scaler = fit_scaler(kind, values, ratings, anchor=recipe.anchor)
    say(f"scaled on {len(human):,} rated texts")
    return scaler, {"texts": len(human), "low": low, "high": high}, values
