# SPDX-License-Identifier: Apache-2.0
"""Estimates of single systems with their intervals, and what to annotate next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from tertium.judgements.estimates import need_scipy
from tertium.judgements.reuse.budget import Belief
from tertium.judgements.reuse.distances import Distances
from tertium.judgements.reuse.model import predict
from tertium.judgements.reuse.nearest import nearest_error, nearest_estimate
from tertium.judgements.reuse.panel import panel_of
from tertium.judgements.reuse.results import NextOutput, SystemEstimate

if TYPE_CHECKING:
    from tertium.judgements.reuse.annotations import Stored
    from tertium.judgements.reuse.nearest import Target
    from tertium.judgements.reuse.panel import Panel

__all__ = ["Run", "to_annotate"]

_REMEMBERED = 100_000  # distances; more of them are computed again for each system


class Run:
    """Estimates by one method; texts are compared once for all systems.

    Parameters
    ----------
    by : {"exact", "closest", "model"}
    intervals : bool
    segments : bool
        Whether to keep the estimates of single outputs.
    threads : int, optional
    """

    def __init__(
        self, by: str, *, intervals: bool, segments: bool, threads: int | None
    ) -> None:
        self._by = by
        self._intervals = intervals
        self._segments = segments
        self._threads = threads
        self._distances = Distances(_REMEMBERED)
        self._panel: Panel | None = None

    def estimate(
        self, stored: Stored, target: Target
    ) -> tuple[SystemEstimate, Belief | None]:
        """Return the estimate for a system, and the model's belief in it."""
        by = "closest" if self._by == "model" else self._by
        estimate = nearest_estimate(
            stored,
            target,
            self._distances,
            by=by,
            segments=self._segments,
            threads=self._threads,
        )
        if self._by == "model":
            return self._modelled(stored, target, estimate)
        if self._intervals and estimate.predicted is not None:
            panel = self._panel_of(stored, target)
            error, systems = nearest_error(panel, target.system, by=by)
            around = _interval(estimate.predicted, error, systems)
            estimate = replace(estimate, interval=around)
        return estimate, None

    def _panel_of(self, stored: Stored, target: Target) -> Panel:
        """Return the arrays for a target; those of systems left out are the same."""
        if not target.left_out:
            return panel_of(
                stored, self._distances, target=target, threads=self._threads
            )
        if self._panel is None:
            self._panel = panel_of(stored, self._distances, threads=self._threads)
        return self._panel

    def _modelled(
        self, stored: Stored, target: Target, estimate: SystemEstimate
    ) -> tuple[SystemEstimate, Belief | None]:
        prediction = predict(self._panel_of(stored, target), target.system)
        if prediction is None:
            blank = tuple(replace(each, predicted=None) for each in estimate.segments)
            return replace(estimate, predicted=None, segments=blank), None
        known = None
        if any(value is not None for value in target.known):
            known = np.array(
                [np.nan if value is None else value for value in target.known]
            )
        belief = Belief.of(prediction, known)
        score = prediction.score if known is None else belief.score()
        deviation = prediction.deviation if known is None else belief.deviation()
        segments = tuple(
            replace(segment, predicted=float(value))
            for segment, value in zip(
                estimate.segments,
                prediction.outputs if self._segments else (),
                strict=True,
            )
        )
        around = _interval(score, deviation, prediction.systems)
        estimate = replace(
            estimate,
            predicted=score,
            segments=segments,
            interval=around if self._intervals else None,
        )
        return estimate, belief if around is not None else None


def to_annotate(
    beliefs: Sequence[tuple[SystemEstimate, Belief]], number: int, seed: int
) -> Iterator[NextOutput]:
    """Yield the outputs to annotate, a sample of those of every system.

    A system gets as many as lower the variances most.
    """
    paths = [_Path(*each, number, (seed, i)) for i, each in enumerate(beliefs)]
    if len(paths) > 1:
        counts = [0] * len(paths)
        for i in _by_gain(paths, number):
            counts[i] += 1
        paths = [_Path(*each, counts[i], (seed, i)) for i, each in enumerate(beliefs)]
    places = [0] * len(paths)
    for i in _by_gain(paths, number):
        yield paths[i].output(places[i])
        places[i] += 1


class _Path:
    """Outputs of one system to annotate, and what each of them brings."""

    def __init__(
        self,
        estimate: SystemEstimate,
        belief: Belief,
        number: int,
        seed: tuple[int, int],
    ) -> None:
        self._estimate = estimate
        self._chosen = belief.choose(number, np.random.default_rng(seed))
        self._variances = belief.variances(self._chosen)
        self.gains = -np.diff(self._variances)

    def output(self, place: int) -> NextOutput:
        """Return one output with the interval after its annotation."""
        segment = self._estimate.segments[self._chosen[place]]
        low, high = self._estimate.interval or (0.0, 0.0)
        shrunk = float(np.sqrt(self._variances[place + 1] / self._variances[0]))
        middle, half = (low + high) / 2, (high - low) / 2 * shrunk
        return NextOutput(
            self._estimate.system,
            segment.segment,
            segment.text,
            float(self.gains[place]),
            (middle - half, middle + half),
        )


def _by_gain(paths: Sequence[_Path], number: int) -> Iterator[int]:
    """Yield the number of the path whose next output gains most, again and again."""
    heap = [(-path.gains[0], i, 0) for i, path in enumerate(paths) if len(path.gains)]
    heapify(heap)
    for _ in range(number):
        if not heap:
            return
        _, i, place = heappop(heap)
        yield i
        if place + 1 < len(paths[i].gains):
            heappush(heap, (-paths[i].gains[place + 1], i, place + 1))


def _interval(
    score: float, deviation: float, systems: int
) -> tuple[float, float] | None:
    """Return the 95 % interval of Student's t, None if the error is unknown."""
    if np.isnan(deviation) or systems < 3:
        return None
    need_scipy("intervals")
    from scipy.special import stdtrit

    half = float(stdtrit(systems - 1, 0.975)) * deviation
    return score - half, score + half
