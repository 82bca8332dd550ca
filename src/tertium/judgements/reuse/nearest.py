# SPDX-License-Identifier: Apache-2.0
"""Scores from judged outputs that are equal, or nearest (Macháček 2014, section 3.2).

*exact* uses only annotations with a hit: a judged output of another system with the
same text. *closest* uses all: the mean value of the judged outputs at the least
character edit distance. Both flatter: systems agree on good translations, and each errs
in its own way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.judgements.reuse.annotations import Annotation, Output, Stored
from tertium.judgements.reuse.distances import Distances
from tertium.judgements.reuse.results import (
    DistanceBin,
    Neighbour,
    SegmentEstimate,
    SystemEstimate,
)

__all__ = ["Guess", "Target", "guesses", "nearest_estimate"]


@dataclass(frozen=True)
class Target:
    """A system to score, with its outputs beside the judged ones.

    Parameters
    ----------
    system : str
    annotations : tuple of Annotation
        Those of a system left out have its judged output too.
    texts : tuple of str
        Its output in every annotation.
    left_out : bool
    """

    system: str
    annotations: tuple[Annotation, ...]
    texts: tuple[str, ...]
    left_out: bool


@dataclass(frozen=True)
class Guess:
    """The judged outputs nearest to an unjudged one.

    Parameters
    ----------
    annotation : Annotation
    text : str
    distance : int
    nearest : tuple of Output
    value : float
        Their mean value.
    judged : float or None
        What the output itself got, if it was left out.
    """

    annotation: Annotation
    text: str
    distance: int
    nearest: tuple[Output, ...]
    value: float
    judged: float | None

    @property
    def hit(self) -> bool:
        """Whether one of them is the same text."""
        return self.distance == 0


def guesses(target: Target, distances: Distances) -> list[Guess]:
    """Return what is nearest to every output that has judged outputs beside it."""
    listed = []
    for annotation, text in zip(target.annotations, target.texts, strict=True):
        judged = annotation.of(target.system) if target.left_out else None
        others = annotation.without(target.system)
        if not others:
            continue
        near = [distances(text, output.text) for output in others]
        least = min(near)
        nearest = tuple(o for o, d in zip(others, near, strict=True) if d == least)
        value = sum(output.value for output in nearest) / len(nearest)
        value_of = None if judged is None else judged.value
        listed.append(Guess(annotation, text, least, nearest, value, value_of))
    return listed


def nearest_estimate(
    stored: Stored, target: Target, distances: Distances, *, by: str
) -> SystemEstimate:
    """Return the estimate of one system.

    Parameters
    ----------
    stored : Stored
    target : Target
    distances : Distances
    by : {"exact", "closest"}
    """
    listed = guesses(target, distances)
    used = [guess for guess in listed if guess.hit or by == "closest"]
    values = {id(guess): guess.value for guess in used}
    return described(stored, target, listed, values)


def described(
    stored: Stored,
    target: Target,
    listed: Sequence[Guess],
    values: dict[int, float],
) -> SystemEstimate:
    """Return an estimate with everything but its interval.

    Parameters
    ----------
    stored : Stored
    target : Target
    listed : sequence of Guess
    values : dict of int to float
        What the guesses that count are worth, by ``id``.
    """
    bins: dict[int, DistanceBin] = {}
    segments = []
    won = weight = 0.0
    true_won = true_weight = 0.0
    for guess in listed:
        value = values.get(id(guess))
        predicted = true = None
        if value is not None:
            points = stored.points(value, guess.annotation, target.system)
            won, weight = won + points.won, weight + points.weight
            predicted = points.won / points.weight if points.weight else None
        if guess.judged is not None:
            points = stored.points(guess.judged, guess.annotation, target.system)
            true = points.won / points.weight if points.weight else None
        outcome = _outcome(guess, ranked=stored.ranked)
        bins[guess.distance] = bins.get(guess.distance, DistanceBin()).plus(outcome)
        segments.append(
            SegmentEstimate(
                guess.annotation.segment,
                guess.text,
                guess.hit,
                guess.distance,
                predicted,
                true,
                tuple(
                    Neighbour(o.systems, o.text, guess.distance, o.value)
                    for o in guess.nearest
                ),
            )
        )
    for annotation in target.annotations:
        judged = annotation.of(target.system) if target.left_out else None
        if judged is not None:
            points = stored.points(judged.value, annotation, target.system)
            true_won, true_weight = true_won + points.won, true_weight + points.weight
    scores = stored.scores(
        tuple(guess.annotation for guess in listed if id(guess) in values)
    )
    scores.pop(target.system, None)
    total = sum(distance * each.count for distance, each in bins.items())
    return SystemEstimate(
        target.system,
        won / weight if weight else None,
        true_won / true_weight if true_weight else None,
        outputs=len(target.annotations),
        hits=sum(guess.hit for guess in listed),
        mean_distance=total / len(listed) if listed else None,
        by_distance=dict(sorted(bins.items())),
        scores=scores,
        segments=tuple(segments),
    )


def _outcome(guess: Guess, *, ranked: bool) -> DistanceBin:
    """Return one output, and how its guess compares with the judgement."""
    if guess.judged is None:
        return DistanceBin(1)
    # A lower rank is better.
    gap = guess.judged - guess.value if ranked else guess.value - guess.judged
    return DistanceBin(1, int(gap < 0), int(gap == 0), int(gap > 0))
