# SPDX-License-Identifier: Apache-2.0
"""Scores from judged outputs that are equal, or nearest (Macháček 2014, section 3.2).

*exact* uses only annotations with a hit: a judged output of another system with the
same text. *closest* uses all: the mean value of the judged outputs at the least
character edit distance. Both flatter: systems agree on good translations, and each errs
in its own way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from tertium.judgements.reuse.annotations import (
    Annotation,
    JudgedSums,
    Output,
    Points,
    Stored,
)
from tertium.judgements.reuse.distances import Distances
from tertium.judgements.reuse.results import (
    DistanceBin,
    Neighbour,
    SegmentEstimate,
    SystemEstimate,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.judgements.reuse.panel import Panel

__all__ = ["Guess", "Target", "guesses", "nearest_error", "nearest_estimate"]

_BLOCK = 4096  # annotations whose texts are compared at once


@dataclass(frozen=True)
class Target:
    """A system to score, with its outputs beside the judged ones.

    Parameters
    ----------
    system : str
    annotations : sequence of Annotation
        Those of a system left out have its judged output too.
    texts : sequence of str
        Its output in every annotation.
    left_out : bool
    known : tuple of float or None
        What outputs of a new system got that were judged already; empty if none was.
    """

    system: str
    annotations: Sequence[Annotation]
    texts: Sequence[str]
    left_out: bool
    known: tuple[float | None, ...] = ()


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


def guesses(
    target: Target, distances: Distances, *, threads: int | None = None
) -> Iterator[Guess]:
    """Yield what is nearest to every output that has judged outputs beside it.

    Texts are compared, and held, some thousand annotations at a time.
    """
    outputs = zip(target.annotations, target.texts, strict=True)
    while block := list(islice(outputs, _BLOCK)):
        listed = [(each, text, each.without(target.system)) for each, text in block]
        pairs = ((text, other.text) for _, text, others in listed for other in others)
        distances.prepare(pairs, threads=threads)
        for annotation, text, others in listed:
            judged = annotation.of(target.system) if target.left_out else None
            if not others:
                continue
            near = [distances(text, output.text) for output in others]
            least = min(near)
            nearest = tuple(o for o, d in zip(others, near, strict=True) if d == least)
            value = sum(output.value for output in nearest) / len(nearest)
            value_of = None if judged is None else judged.value
            yield Guess(annotation, text, least, nearest, value, value_of)


def nearest_estimate(
    stored: Stored,
    target: Target,
    distances: Distances,
    *,
    by: str,
    segments: bool = True,
    threads: int | None = None,
) -> SystemEstimate:
    """Return the estimate of one system, with everything but its interval.

    Parameters
    ----------
    stored : Stored
    target : Target
    distances : Distances
    by : {"exact", "closest"}
    segments : bool
        Whether to keep the estimates of single outputs.
    threads : int, optional
    """
    bins: dict[int, DistanceBin] = {}
    kept = []
    scores = JudgedSums(stored)
    total, true = Points(0.0, 0.0), Points(0.0, 0.0)
    listed = 0
    for guess in guesses(target, distances, threads=threads):
        listed += 1
        points = None
        if guess.hit or by == "closest":
            points = stored.points(guess.value, guess.annotation, target.system)
            total = total.plus(points)
            scores.add(guess.annotation)
        outcome = _outcome(guess, ranked=stored.ranked)
        bins[guess.distance] = bins.get(guess.distance, DistanceBin()).plus(outcome)
        if segments:
            kept.append(_segment(stored, target, guess, points))
    for annotation in target.annotations if target.left_out else ():
        judged = annotation.of(target.system)
        if judged is not None:
            true = true.plus(stored.points(judged.value, annotation, target.system))
    judged_scores = scores.scores()
    judged_scores.pop(target.system, None)
    apart = sum(distance * each.count for distance, each in bins.items())
    return SystemEstimate(
        target.system,
        _ratio(total),
        _ratio(true),
        outputs=len(target.annotations),
        hits=bins.get(0, DistanceBin()).count,
        mean_distance=apart / listed if listed else None,
        by_distance=dict(sorted(bins.items())),
        scores=judged_scores,
        segments=tuple(kept),
    )


def _ratio(points: Points | None) -> float | None:
    return points.won / points.weight if points is not None and points.weight else None


def _segment(
    stored: Stored, target: Target, guess: Guess, points: Points | None
) -> SegmentEstimate:
    """Return the estimate of one output; what it is worth is None if it is unused."""
    true = None
    if guess.judged is not None:
        true = stored.points(guess.judged, guess.annotation, target.system)
    return SegmentEstimate(
        guess.annotation.segment,
        guess.text,
        guess.hit,
        guess.distance,
        _ratio(points),
        _ratio(true),
        tuple(
            Neighbour(o.systems, o.text, guess.distance, o.value) for o in guess.nearest
        ),
    )


def _outcome(guess: Guess, *, ranked: bool) -> DistanceBin:
    """Return one output, and how its guess compares with the judgement."""
    if guess.judged is None:
        return DistanceBin(1)
    # A lower rank is better.
    gap = guess.judged - guess.value if ranked else guess.value - guess.judged
    return DistanceBin(1, int(gap < 0), int(gap == 0), int(gap > 0))


def nearest_error(panel: Panel, system: str, *, by: str) -> tuple[float, int]:
    """Return how far such estimates of the other systems are from their scores.

    Parameters
    ----------
    panel : Panel
    system : str
        Neither its judgements nor its outputs are used.
    by : {"exact", "closest"}

    Returns
    -------
    tuple of float and int
        The root mean square error, NaN for fewer than two systems, and their number.
    """
    member, value = panel.member, panel.value
    there = member >= 0
    judged = there & ~np.isnan(value) & (member != panel.systems.index(system))
    other = member[:, :, None] != member[:, None, :]
    beside = judged[:, :, None] & judged[:, None, :] & other
    apart = np.where(beside, panel.distance, np.inf)
    least = apart.min(axis=2)
    nearest = beside & (apart == least[:, :, None])
    got = np.where(judged, value, 0.0)
    number = nearest.sum(axis=2)
    guess = (nearest * got[:, None, :]).sum(axis=2) / np.maximum(number, 1)
    used = (number > 0) & (least == 0 if by == "exact" else True)
    told = _points(panel, guess, beside, got, used)
    true = _points(panel, got, beside, got, number > 0)
    errors = []
    for i in range(len(panel.systems)):
        mine = member == i
        weights = [points[1][mine].sum() for points in (told, true)]
        if all(weights):
            first, second = (points[0][mine].sum() for points in (told, true))
            errors.append(first / weights[0] - second / weights[1])
    if len(errors) < 2:
        return np.nan, len(errors)
    return float(np.sqrt(np.mean(np.square(errors)))), len(errors)


def _points(
    panel: Panel,
    guess: NDArray[np.float64],
    beside: NDArray[np.bool_],
    got: NDArray[np.float64],
    used: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what values are worth and how much they count, as `Stored.points`."""
    if not panel.ranked:
        return np.where(used, guess, 0.0), used.astype(np.float64)
    won = (beside & (guess[:, :, None] > got[:, None, :])).sum(axis=2)
    lost = (beside & (guess[:, :, None] < got[:, None, :])).sum(axis=2)
    return np.where(used, won, 0.0), np.where(used, won + lost, 0.0)
