# SPDX-License-Identifier: Apache-2.0
"""What simulated judges think: effects that an analysis should recover.

The mean score of an item, from 0 to 1, is

    intercept + slope of its kind x damage + judge + item

where the damage of a permutation is its degree, and that of a hypothesis is 1 minus
its chrF. A judge answers with one of five boxes. The mean answer is exactly the mean
score: it is moved by noise that is symmetric, and no wider than the scale leaves room
for, and then goes to one of the two neighbouring boxes, to the nearer one more often.
So the linear model of the adjustment holds, and its coefficients are known. People
with thresholds of their own would make it an approximation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType

from tertium.campaigns.tasks.survey.sampled import HYPOTHESIS
from tertium.errors import InputError

__all__ = ["KNOWN", "Known", "KnownJudges", "damage_of", "variance_of"]

_STEPS = 4  # from box 1 to box 5
_CUT = 2.0  # standard deviations at which normal effects are cut
#: Standard deviation of a standard normal value that is cut there.
_CUT_SD = 0.8796256610342398


@dataclass(frozen=True)
class Known:
    """Known effects on the score of one question, from 0 to 1.

    Parameters
    ----------
    intercept : float
        Mean score of a sentence without damage.
    slopes : mapping of str to float
        What each replaced or moved word changes, by kind; for a hypothesis, what the
        difference between chrF 1 and 0 changes.
    judge_sd, item_sd : float
        Standard deviations of judges and of items.
    noise : float
        Largest random shift of an answer, in boxes.
    missing : float
        Probability that a question is left without an answer.
    """

    intercept: float
    slopes: Mapping[str, float] = field(default_factory=dict)
    judge_sd: float = 0.06
    item_sd: float = 0.05
    noise: float = 0.8
    missing: float = 0.01

    def mean(self, kind: str, damage: float) -> float:
        """Return the mean score of items of a kind and damage."""
        return self.intercept + self.slopes[kind] * damage


#: The effects of the demonstration, by question. Replaced words do not change the
#: word order, so judges see nothing wrong with it.
KNOWN: Mapping[str, Known] = MappingProxyType(
    {
        "adequacy": Known(
            intercept=0.70,
            slopes=MappingProxyType(
                {
                    HYPOTHESIS: -0.35,
                    "order": -0.020,
                    "swap": -0.024,
                    "phrase": -0.012,
                    "choice": -0.026,
                    "both": -0.026,
                }
            ),
        ),
        "order": Known(
            intercept=0.72,
            slopes=MappingProxyType(
                {
                    HYPOTHESIS: -0.20,
                    "order": -0.027,
                    "swap": -0.020,
                    "phrase": -0.016,
                    "choice": 0.0,
                    "both": -0.027,
                }
            ),
        ),
    }
)


def damage_of(meta: Mapping[str, object]) -> float:
    """Return the damage of an item: its degree, or 1 - chrF of a hypothesis."""
    if meta["permutation"] == HYPOTHESIS:
        return 1 - float(str(meta["quality"]))
    return float(str(meta["degree"]))


class KnownJudges:
    """Judges and items with effects sampled from known distributions.

    Parameters
    ----------
    judges : int
    items : mapping of str to mapping
        What is known about each item, by its key.
    known : mapping of str to Known
        By question.
    seed : int

    Raises
    ------
    InputError
        When a mean score could leave the scale, where the model would not hold.
    """

    def __init__(
        self,
        judges: int,
        items: Mapping[str, Mapping[str, object]],
        *,
        known: Mapping[str, Known] = KNOWN,
        seed: int,
    ) -> None:
        self.known = known
        self.seed = seed
        self.judges = {
            name: _effects(f"{seed}:judges:{name}", range(judges), one.judge_sd)
            for name, one in known.items()
        }
        self.items = {
            name: _effects(f"{seed}:items:{name}", sorted(items), one.item_sd)
            for name, one in known.items()
        }
        self.kinds = {key: str(meta["permutation"]) for key, meta in items.items()}
        self.damages = {key: damage_of(meta) for key, meta in items.items()}
        for name in known:
            self._check(name)

    def _check(self, name: str) -> None:
        wide = max(map(abs, self.judges[name].values()), default=0.0)
        for key in self.kinds:
            score = self.item_score(name, key)
            if not wide <= score <= 1 - wide:
                message = (
                    f"item {key!r} has the mean score {score:.2f} for {name}, so that "
                    f"some judge leaves the scale from 0 to 1; choose a smaller "
                    f"degree than {self.damages[key]:g}, or weaker effects"
                )
                raise InputError(message)

    def item_score(self, name: str, key: str) -> float:
        """Return the mean score of an item over all judges there could be."""
        mean = self.known[name].mean(self.kinds[key], self.damages[key])
        return mean + self.items[name][key]

    def score(self, name: str, judge: int, key: str) -> float:
        """Return the mean score that a judge gives to an item."""
        return self.item_score(name, key) + self.judges[name][judge]

    def answer(self, judge: int, key: str) -> dict[str, int | None]:
        """Return the boxes that a judge chooses, the same at every call."""
        rng = Random(f"{self.seed}:answer:{judge}:{key}")
        boxes: dict[str, int | None] = {}
        for name, one in self.known.items():
            at = _STEPS * self.score(name, judge, key)
            at += rng.uniform(-1, 1) * _room(at, one.noise)
            floor = min(math.floor(at), _STEPS)
            box = floor + (rng.random() < at - floor)
            boxes[name] = None if rng.random() < one.missing else box + 1
        return boxes

    def residual_sd(self, name: str, pairs: Sequence[tuple[int, str]]) -> float:
        """Return the standard deviation of answers by judges to items."""
        noise = self.known[name].noise
        variances = [variance_of(self.score(name, j, key), noise) for j, key in pairs]
        return math.sqrt(sum(variances) / len(variances))


def _effects(stream: str, names: Sequence[object], sd: float) -> dict[object, float]:
    """Return normal effects, cut at some standard deviations, whose own is `sd`."""
    effects = {}
    for name in names:
        rng = Random(f"{stream}:{name}")
        value = rng.gauss(0, 1)
        while abs(value) > _CUT:
            value = rng.gauss(0, 1)
        effects[name] = value / _CUT_SD * sd
    return effects


def _room(at: float, noise: float) -> float:
    return max(0.0, min(noise, at, _STEPS - at))


def variance_of(score: float, noise: float) -> float:
    """Return the variance of answers, from 0 to 1, whose mean is a score.

    It has two parts: that of the noise, and that of the choice between two boxes.
    """
    at = _STEPS * score
    room = _room(at, noise)
    if room > 0:
        between = (_choice(at + room) - _choice(at - room)) / (2 * room)
    else:
        between = (at % 1) * (1 - at % 1)
    return (room**2 / 3 + between) / _STEPS**2


def _choice(at: float) -> float:
    """Return the integral of x (1 - x) over the distance x to the box below."""
    whole, part = divmod(at, 1)
    return whole / 6 + part**2 / 2 - part**3 / 3
