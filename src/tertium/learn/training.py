# SPDX-License-Identifier: Apache-2.0
"""Recipes: from sources of judgements to a model.

Each named profile has a recipe of its own, the one of the BEER version it stands for
(specification, 1 and 2.8 to 2.13); every part of it can be changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._version import __version__
from tertium.errors import InputError, UnknownNameError
from tertium.learn.data import Source, split
from tertium.learn.matrices import TextRows, nbest_rows
from tertium.learn.model import Model, Ranges
from tertium.learn.pairs import (
    Corpora,
    Pairs,
    Rated,
    corpora_of,
    fingerprint,
    pairs_from,
    rated_from,
)
from tertium.learn.profile import Profile
from tertium.learn.profile import profile as find_profile
from tertium.learn.scalers import SCALERS, Scaler

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.learn.examples import Examples, NBest, SystemPairs
    from tertium.learn.objectives import Fit

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
    "train",
]

OBJECTIVES = ("sentence", "corpus", "joint")
LEARNERS = ("logistic", "svm", "polynomial", "ranknet", "margin", "linear")
LICENCE = "as the training data"

#: Learners of sentences, and those whose loss the corpus and joint objectives bring.
_OF_SENTENCES = ("logistic", "svm", "polynomial", "ranknet", "margin")
_OF_CORPORA = ("linear", "margin")
_NEED_PEOPLE = ("linear", "platt", "isotonic")  # scalers that need ratings
_HIDDEN = 15  # nodes of networks (specification, 2.10)


@dataclass(frozen=True)
class Recipe:
    """How a model is trained.

    Parameters
    ----------
    objective : {"sentence", "corpus", "joint"}
        Whether to order texts, whole systems, or both at once.
    learner : str
        For sentences ``logistic``, ``svm``, ``polynomial``, ``ranknet`` or ``margin``
        (a network); for the others ``linear`` or ``margin``, whose loss is given.
    scaling : str
        A kind of :class:`tertium.learn.scalers.Scaler`.
    filter : {"all", "agreed"}
        Which pairs (see :mod:`tertium.learn.pairs`).
    nonnegative : bool
        Whether weights may only reward agreement with the reference.
    anchor : bool
        Whether scores are divided by that of a copy, so that this has 1.
    regularisation : float, optional
        Of the learner; by default its own, or found on pairs held out.
    restarts : int, optional
        Of networks, from different seeds; by default 3.
    """

    objective: str = "sentence"
    learner: str = "logistic"
    scaling: str = "quasi"
    filter: str = "all"
    nonnegative: bool = True
    anchor: bool = True
    regularisation: float | None = None
    restarts: int | None = None

    def __post_init__(self) -> None:
        if self.objective not in OBJECTIVES:
            raise UnknownNameError("objective", self.objective, OBJECTIVES)
        if self.learner not in LEARNERS:
            raise UnknownNameError("learner", self.learner, LEARNERS)
        fitting = _OF_SENTENCES if self.objective == "sentence" else _OF_CORPORA
        if self.learner not in fitting:
            message = (
                f"the objective {self.objective} cannot be learnt by {self.learner}; "
                f"choose {' or '.join(fitting)}"
            )
            raise InputError(message)
        if self.scaling not in SCALERS:
            raise UnknownNameError("scaling", self.scaling, SCALERS)
        if self.learner == "polynomial" and self.nonnegative:
            message = "a polynomial has no rising weights; train it with free ones"
            raise InputError(message)

    @property
    def tunes(self) -> bool:
        """Whether something is chosen on pairs held out from training."""
        if self.learner == "svm":
            return self.regularisation is None
        return self.learner in ("polynomial", "ranknet", "margin")


#: The recipe of every named profile; others have that of ``beer-1.1``.
RECIPES = {
    "beer-1.0": Recipe(scaling="none", nonnegative=False),
    "beer-1.1": Recipe(nonnegative=False),
    "treepel": Recipe(nonnegative=False),
    "beer-2.0": Recipe(learner="svm", scaling="linear", filter="agreed"),
    "beer-2.0-released": Recipe(learner="svm", scaling="linear", filter="agreed"),
    "beer-3.0": Recipe("joint", "linear", "none"),
    "beer-matched": Recipe("joint", "linear", "none"),
}


@dataclass(frozen=True)
class SelfTraining:
    """N-best lists to train on, with the model's own judgements (2.13, A15).

    Parameters
    ----------
    lists : sequence of (candidates, references)
        Of every file: the candidates of each sentence, and its reference.
    mode : {"union", "self"}
        With the pairs of people, or on its own alone.
    sampling : {"uniform", "weighted", "extremes"}
    rounds : int, optional
    pairs : int, optional
    """

    lists: Sequence[tuple[Sequence[Sequence[str]], Sequence[str]]]
    mode: str = "union"
    sampling: str = "uniform"
    rounds: int | None = None
    pairs: int | None = None


def recipe_of(
    profile: str,
    *,
    objective: str | None = None,
    learner: str | None = None,
    scaling: str | None = None,
    filter: str | None = None,  # noqa: A002
    nonnegative: bool | None = None,
    anchor: bool | None = None,
    regularisation: float | None = None,
    restarts: int | None = None,
    rated: bool = True,
) -> Recipe:
    """Return the recipe of a profile with some parts changed.

    An objective without a learner, or the other way round, brings one that fits.
    Where no text is rated, `quasi` stands for a scaling that would need it, unless
    that was asked for.

    Examples
    --------
    >>> recipe_of("beer-3.0").objective
    'joint'
    >>> recipe_of("beer-3.0", learner="svm").objective
    'sentence'
    """
    own = RECIPES[_named(profile)]
    for name, value, known in (
        ("objective", objective, OBJECTIVES),
        ("learner", learner, LEARNERS),
    ):
        if value is not None and value not in known:
            raise UnknownNameError(name, value, known)
    if objective is None:
        objective = own.objective
        if learner is not None:
            fitting = _OF_SENTENCES if objective == "sentence" else _OF_CORPORA
            if learner not in fitting:
                objective = "joint" if objective == "sentence" else "sentence"
    if learner is None:
        fitting = _OF_SENTENCES if objective == "sentence" else _OF_CORPORA
        learner = own.learner if own.learner in fitting else fitting[0]
    if nonnegative is None:
        nonnegative = own.nonnegative and learner != "polynomial"
    return Recipe(
        objective,
        learner,
        (own.scaling if rated or own.scaling not in _NEED_PEOPLE else "quasi")
        if scaling is None
        else scaling,
        own.filter if filter is None else filter,
        nonnegative,
        own.anchor if anchor is None else anchor,
        regularisation,
        restarts,
    )


def _named(profile: str) -> str:
    """Return the profile whose recipe to take: an ablation is called NAME-GROUP."""
    for name in sorted(RECIPES, key=len, reverse=True):
        if profile == name or profile.startswith(f"{name}-"):
            return name
    return "beer-1.1"


def train(
    sources: Sequence[Source],
    *,
    profile: str | Profile = "beer-3.0",
    recipe: Recipe | None = None,
    tuning: float | Sequence[Source] = 0.1,
    self_training: SelfTraining | None = None,
    kind: str | None = None,
    gap: float | None = None,
    licence: str = LICENCE,
    seed: int = 12345,
    threads: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Model:
    """Return a model of what people preferred.

    Parameters
    ----------
    sources : sequence of Source
    profile : str or Profile
        A name, a TOML file, or the profile itself.
    recipe : Recipe, optional
        By default that of the profile (see :func:`recipe_of`).
    tuning : float or sequence of Source
        What learners that choose a strength, or when to stop, do so on: a share of
        the segments, or sources that are not among those to train on. Learners that
        choose nothing train on everything.
    self_training : SelfTraining, optional
    kind, gap
        As in :func:`tertium.learn.pairs.pairs_from`.
    licence : str
        Goes into the model.
    seed : int
    threads : int, optional
        All cores by default; the model does not depend on it.
    progress : callable, optional
        Called with a line for every step.

    Raises
    ------
    InputError
        When there is nothing to learn from.
    """
    say = progress or (lambda _: None)
    own = find_profile(profile) if isinstance(profile, str) else profile
    rated = any(source.ratings is not None for source in sources)
    how = recipe_of(own.name, rated=rated) if recipe is None else recipe
    tune: list[Source] = []
    learn = list(sources)
    if how.tunes:
        if isinstance(tuning, float):
            learn, tune = split(sources, tuning, seed=seed)
        else:
            tune = list(tuning)
    data = _Data.of(learn, tune, how, kind=kind, gap=gap, seed=seed)
    say(data.words())
    own = own.fitted(data.references())
    matrices = data.matrices(own, how, threads=threads)
    nbest = None
    if self_training is not None:
        rows = nbest_rows(self_training.lists, own, threads=threads)
        nbest = replace(rows, features=matrices.ranges.scale(rows.features))
    say(
        f"training on {len(matrices.examples.features):,} texts with "
        f"{len(own.names)} features"
    )
    fit = _fit(matrices, own, how, self_training, nbest, seed=seed, threads=threads)
    model = Model(own, fit.ranker, ranges=matrices.ranges, licence=licence)
    scaler, scaled_on = _scaler(model, how, data.rated, threads=threads, say=say)
    training: dict[str, object] = {
        "tertium": __version__,
        **data.described(),
        "scaled_on": scaled_on,
        "recipe": asdict(how),
        "seed": seed,
        "fit": fit.record,
    }
    return replace(model, scaler=scaler, training=training)


# ----------------------------------------------------------------------- the data


@dataclass(frozen=True, eq=False)
class _Matrices:
    examples: Examples
    tuning: Examples | None
    systems: SystemPairs | None
    ranges: Ranges


@dataclass(frozen=True, eq=False)
class _Data:
    """Everything that a model learns from."""

    pairs: list[Pairs]
    tuning: list[Pairs]
    corpora: list[Corpora]
    rated: list[Rated]

    @classmethod
    def of(
        cls,
        learn: Sequence[Source],
        tune: Sequence[Source],
        recipe: Recipe,
        *,
        kind: str | None,
        gap: float | None,
        seed: int,
    ) -> _Data:
        # A source may be there for its ratings alone, to set the scale.
        ranked = [source for source in learn if source.has(kind)]
        found = [
            [pairs_from(s, kind=kind, filter=recipe.filter, gap=gap) for s in own]
            for own in (ranked, [source for source in tune if source.has(kind)])
        ]
        if not sum(map(len, found[0])):
            raise InputError(_nothing(recipe, learn))
        corpora = []
        if recipe.objective != "sentence":
            drawn = [corpora_of(s, kind=kind, gap=gap, seed=seed) for s in ranked]
            corpora = [each for each in drawn if each is not None]
        rated: list[Rated | None] = []
        if recipe.scaling in _NEED_PEOPLE:
            rated = [rated_from(source) for source in (*learn, *tune)]
        return cls(
            [own for own in found[0] if len(own)],
            [own for own in found[1] if len(own)],
            corpora,
            [own for own in rated if own is not None and len(own)],
        )

    def words(self) -> str:
        pairs = sum(map(len, self.pairs))
        lacking = sum(own.lacking for own in (*self.pairs, *self.tuning))
        text = f"{pairs:,} pairs of {', '.join(own.name for own in self.pairs)}"
        if self.tuning:
            text += f", {sum(map(len, self.tuning)):,} more to tune on"
        if lacking:
            text += f"; {lacking:,} comparisons have no text on a side"
        return text

    def references(self) -> list[str]:
        """Return every reference that is learnt from, once."""
        found = (ref for own in self.pairs for refs in own.refs for ref in refs)
        return list(dict.fromkeys(found))

    def described(self) -> dict[str, object]:
        """Return what goes into the model file."""
        used = [*self.pairs, *self.tuning]
        return {
            "sources": {
                name: {
                    "comparisons": sum(
                        own.comparisons for own in used if own.name == name
                    ),
                    "pairs": sum(len(own) for own in used if own.name == name),
                }
                for name in dict.fromkeys(own.name for own in used)
            },
            "comparisons": sum(own.comparisons for own in used),
            "pairs": sum(map(len, used)),
            "rated_texts": sum(map(len, self.rated)),
            "sha256": fingerprint([*used, *self.corpora, *self.rated]),
        }

    def matrices(
        self, profile: Profile, recipe: Recipe, *, threads: int | None
    ) -> _Matrices:
        """Return all features in the ranges of those that are learnt from."""
        texts = TextRows()
        examples = texts.examples(self.pairs)
        systems = None
        if recipe.objective != "sentence":
            systems = texts.system_pairs(self.corpora)
        features = texts.features(profile, threads=threads)
        ranges = Ranges.of(features)
        tuning = None
        if self.tuning:
            held = TextRows()
            own = held.examples(self.tuning)
            rows = held.features(profile, threads=threads)
            tuning = own.with_features(ranges.scale(rows))
        return _Matrices(
            examples.with_features(ranges.scale(features)), tuning, systems, ranges
        )


def _nothing(recipe: Recipe, sources: Sequence[Source]) -> str:
    names = ", ".join(source.name for source in sources[:3])
    cure = "give more judgements"
    if recipe.filter == "agreed":
        cure += ", or take all pairs (filter all): few texts were judged twice"
    return f"no pair of texts to learn from in {names or 'no source at all'}; {cure}"


# ------------------------------------------------------------------------ fitting


def _fit(
    matrices: _Matrices,
    profile: Profile,
    recipe: Recipe,
    self_training: SelfTraining | None,
    nbest: NBest | None,
    *,
    seed: int,
    threads: int | None,
) -> Fit:
    from tertium.learn.objectives import self_train

    fit = _learner(matrices, profile, recipe, seed=seed, threads=threads)
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
        seed=seed,
    )


def _learner(
    matrices: _Matrices,
    profile: Profile,
    recipe: Recipe,
    *,
    seed: int,
    threads: int | None,
) -> Callable[[Examples], Fit]:
    """Return the function from examples to a ranker that a recipe asks for."""
    from tertium.learn import objectives

    signs = profile.signs if recipe.nonnegative else None
    strength, held = recipe.regularisation, matrices.tuning
    plan = objectives.Plan(seed=seed, restarts=recipe.restarts or 3, steps=300)
    if recipe.objective == "sentence":
        plan = plan if strength is None else replace(plan, l2=strength)
        if recipe.learner == "svm" and strength is None and held is not None:
            return lambda examples: objectives.fit_svm_grid(
                examples, held, nonnegative=signs, threads=threads
            )
        if recipe.learner in ("logistic", "svm"):
            return lambda examples: objectives.fit_linear(
                examples,
                loss=recipe.learner,
                regularisation=strength,
                nonnegative=signs,
                seed=seed,
                threads=threads,
            )
        if recipe.learner == "polynomial":
            if held is None:
                raise InputError("a polynomial needs pairs to tune on; give a share")
            return lambda examples: objectives.fit_polynomial(
                examples, held, threads=threads
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
            f"the objective {recipe.objective} needs systems that people told apart, "
            "with outputs for the same segments; take the objective sentence"
        )
        raise InputError(message)
    network = recipe.learner == "margin"
    plan = objectives.Plan(seed=seed, restarts=(recipe.restarts or 3) if network else 1)
    plan = plan if strength is None else replace(plan, l2=strength)
    fit: Callable[..., Fit] = objectives.fit_joint
    if recipe.objective == "corpus":
        fit = objectives.fit_corpus
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


def _scaler(
    model: Model,
    recipe: Recipe,
    rated: Sequence[Rated],
    *,
    threads: int | None,
    say: Callable[[str], None],
) -> tuple[Scaler, dict[str, object]]:
    """Return the scaler, and what it was fitted on."""
    from tertium.learn.objectives import fit_scaler

    kind = recipe.scaling
    if kind not in _NEED_PEOPLE:
        return fit_scaler(kind, anchor=recipe.anchor), {}
    if not rated:
        message = (
            f"scaling {kind} needs ratings of texts, and there are none; give some, or "
            "take the scaling none or quasi"
        )
        raise InputError(message)
    texts = TextRows()
    rows = [texts.add(own.hyps, own.refs) for own in rated]
    raw = model.raw(texts.features(model.profile, threads=threads))
    # As in scoring, the best reference counts.
    values = np.array([raw[numbers].max() for own in rows for numbers in own])
    human = np.concatenate([own.human for own in rated])
    low, high = _scale(human)
    said = (human - low) / (high - low) * 100 if (low, high) != (0, 100) else human
    scaler = fit_scaler(kind, values, said, anchor=recipe.anchor)
    say(f"scaled on {len(human):,} rated texts")
    return scaler, {"texts": len(human), "low": low, "high": high}


def _scale(human: Rows) -> tuple[float, float]:
    """Return the ends of a scale of ratings, those of 0 to 100 where they fit.

    Other scales, such as z-scores and MQM, go from the lowest to the highest value.
    """
    low, high = float(human.min()), float(human.max())
    if low >= 0 and 25 < high <= 100:
        return 0.0, 100.0
    if low == high:
        message = f"all rated texts have {low:g}; scaling needs different ratings"
        raise InputError(message)
    return low, high
