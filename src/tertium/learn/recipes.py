# SPDX-License-Identifier: Apache-2.0
"""Recipes: how a model of every named profile is trained, and what can be changed.

Each is that of the BEER version it is named after.
"""

from __future__ import annotations

from dataclasses import dataclass

from tertium.errors import InputError, UnknownNameError
from tertium.learn.scalers import SCALERS

__all__ = [
    "BALANCES",
    "LEARNERS",
    "NEED_PEOPLE",
    "OBJECTIVES",
    "RECIPES",
    "WEIGHTS",
    "Recipe",
    "recipe_of",
]

OBJECTIVES = ("sentence", "corpus", "joint")
BALANCES = ("pairs", "sources")  # what weighs the same in training
WEIGHTS = ("rising", "free")  # whether they may only reward agreement
LEARNERS = ("logistic", "svm", "polynomial", "ranknet", "margin", "linear")

#: Learners of sentences, and those whose loss the corpus and joint objectives bring.
_OF_SENTENCES = ("logistic", "svm", "polynomial", "ranknet", "margin")
_OF_CORPORA = ("linear", "margin")
NEED_PEOPLE = ("linear", "platt", "isotonic")  # scalers that need ratings


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
    bags : int, optional
        Of logistic regression, or of an SVM of given strength: train so many rankers
        on samples of 80 % of the pairs, and average them (BEER 1.x: 10).
    mix : float, optional
        The share of systems in the joint objective, above 0 and below 1; by default
        a half.
    balance : {"pairs", "sources"}
        Whether every pair weighs the same, or every source as a whole, so that a
        language pair with many judgements does not decide for the others.
    """

    objective: str = "sentence"
    learner: str = "logistic"
    scaling: str = "quasi"
    filter: str = "all"
    nonnegative: bool = True
    anchor: bool = True
    regularisation: float | None = None
    restarts: int | None = None
    bags: int | None = None
    mix: float | None = None
    balance: str = "pairs"

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
        if self.balance not in BALANCES:
            raise UnknownNameError("balance", self.balance, BALANCES)
        if self.learner == "polynomial" and self.nonnegative:
            message = "a polynomial has no rising weights; train it with free ones"
            raise InputError(message)
        if self.restarts is not None and self.learner not in ("ranknet", "margin"):
            message = (
                f"{self.learner} finds the same from every start; leave out restarts, "
                "or choose ranknet or margin"
            )
            raise InputError(message)
        self._check_bags_and_mix()

    def _check_bags_and_mix(self) -> None:
        if self.bags is not None:
            if self.learner not in ("logistic", "svm"):
                message = (
                    f"{self.learner} has no bags; leave them out, or choose logistic "
                    "or svm"
                )
                raise InputError(message)
            if self.bags < 1:
                raise InputError(f"{self.bags} bags; give 1 or more")
            if self.learner == "svm" and self.regularisation is None:
                message = (
                    "bags of an SVM need its strength; give C as the regularisation, "
                    "such as 0.0005"
                )
                raise InputError(message)
        if self.mix is not None:
            if self.objective != "joint":
                message = (
                    f"the objective {self.objective} mixes nothing; leave out mix, or "
                    "choose joint"
                )
                raise InputError(message)
            if not 0 < self.mix < 1:
                message = (
                    f"mix is {self.mix:g}; give the share of systems, above 0 and "
                    "below 1"
                )
                raise InputError(message)

    @property
    def tunes(self) -> bool:
        """Whether something is chosen on pairs held out from training."""
        if self.learner == "svm":
            return self.regularisation is None
        return self.learner in ("polynomial", "ranknet", "margin")


_BEER_4 = Recipe("sentence", "logistic", "relative")

#: The recipe of every named profile; others have that of ``beer-1.1``.
RECIPES = {
    # Unscaled, as in 0.1, a sigmoid over few language pairs can put one word above an
    # average translation; Stanojević 2017 (table 6.3) also scales 1.0 as 1.1.
    "beer-1.0": Recipe(nonnegative=False),
    "beer-1.1": Recipe(nonnegative=False),
    "treepel": Recipe(nonnegative=False),
    "beer-2.0": Recipe(learner="svm", scaling="linear", filter="agreed"),
    "beer-2.0-released": Recipe(learner="svm", scaling="linear", filter="agreed"),
    "beer-3.0": Recipe("joint", "linear", "none"),
    "beer-matched": Recipe("joint", "linear", "none"),
    "beer-4": _BEER_4,
    "beer-4-static": _BEER_4,
    "beer-4-matched": _BEER_4,
    "beer-4-context": _BEER_4,
}


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
    bags: int | None = None,
    mix: float | None = None,
    balance: str | None = None,
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
    default = RECIPES[_named(profile)]
    for name, value, known in (
        ("objective", objective, OBJECTIVES),
        ("learner", learner, LEARNERS),
    ):
        if value is not None and value not in known:
            raise UnknownNameError(name, value, known)
    if objective is None:
        objective = default.objective
        if learner is not None:
            fitting = _OF_SENTENCES if objective == "sentence" else _OF_CORPORA
            if learner not in fitting:
                objective = "joint" if objective == "sentence" else "sentence"
    if learner is None:
        fitting = _OF_SENTENCES if objective == "sentence" else _OF_CORPORA
        learner = default.learner if default.learner in fitting else fitting[0]
    if nonnegative is None:
        nonnegative = default.nonnegative and learner != "polynomial"
    return Recipe(
        objective,
        learner,
        (default.scaling if rated or default.scaling not in NEED_PEOPLE else "quasi")
        if scaling is None
        else scaling,
        default.filter if filter is None else filter,
        nonnegative,
        default.anchor if anchor is None else anchor,
        regularisation,
        restarts,
        bags,
        mix,
        default.balance if balance is None else balance,
    )


def _named(profile: str) -> str:
    """Return the profile whose recipe to take: an ablation is called NAME-GROUP."""
    for name in sorted(RECIPES, key=len, reverse=True):
        if profile == name or profile.startswith(f"{name}-"):
            return name
    return "beer-1.1"
