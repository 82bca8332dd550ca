# SPDX-License-Identifier: Apache-2.0
"""The worst segments of systems, to look at and to explain."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

from tertium._messages import count
from tertium.data.testset import CHUNK
from tertium.engine.base import Result
from tertium.engine.inputs import Systems, as_metrics, as_testset
from tertium.engine.results import ScoreTable
from tertium.engine.score import Progress, score_stream
from tertium.engine.segment_scores import for_segments
from tertium.metrics import Metric
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.metrics import References

__all__ = ["WorstSegment", "WorstSegments", "worst_segments"]


@dataclass(frozen=True)
class WorstSegment:
    """A segment of a system, counted from 1, and its score under a metric."""

    metric: str
    system: str
    segment: int
    score: float
    output: str
    references: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures and texts."""
        return {**vars(self), "references": list(self.references)}


@dataclass(frozen=True)
class WorstSegments(Result):
    """The worst segments of every system under every metric.

    Attributes
    ----------
    scores : ScoreTable
        The scores of all segments.
    segments : list of WorstSegment
        By metric and system, worst first.
    best : mapping of spec to float
        The best value that each metric has; segments with it are not listed.
    notes : tuple of Note
        What a user should know. Values of ``perfect-only`` and ``perfect-omitted``
        name ``system`` and ``metric``.
    """

    scores: ScoreTable
    segments: list[WorstSegment]
    best: Mapping[str, float]
    notes: tuple[Note, ...] = ()

    def of(self, system: str, metric: str) -> list[WorstSegment]:
        """Return the worst segments of a system under a metric, worst first."""
        wanted = (system, metric)
        return [item for item in self.segments if (item.system, item.metric) == wanted]

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``tertium score --worst N -f json`` prints."""
        table = self.scores.to_dict()
        return {
            "tertium": table["tertium"],
            "metrics": table["metrics"],
            "worst": [item.to_dict() for item in self.segments],
        }

    def _records(self) -> list[dict[str, Any]]:
        return [item.to_dict() for item in self.segments]


def worst_segments(
    systems: Systems,
    references: References | None = None,
    *,
    worst: int = 20,
    metrics: Sequence[str | Metric] | str | Metric = ("sentbleu",),
    threads: int | None = None,
    progress: Progress | None = None,
) -> WorstSegments:
    """Return the worst segments of every system under every metric.

    Segments with equal scores are in the order of the test set. Segments without a
    score are not listed, nor are those with the best value that a metric has.

    Parameters
    ----------
    systems : Testset, mapping of name to texts, or list of texts
        As in :func:`tertium.score`.
    references : sequence of str or of sequences of str
    worst : int
        The number of segments per system and metric.
    metrics : sequence of str
        ``bleu`` stands for ``sentbleu``: it is 0 for every short segment.
    threads : int, optional
    progress : callable, optional
        Called with the number of segments done.

    Returns
    -------
    WorstSegments

    Examples
    --------
    >>> outputs = ["a cat", "the dog", "a bird"]
    >>> result = worst_segments(outputs, ["a cat", "a dog", "the fish"], metrics="wer")
    >>> [(item.segment, item.score) for item in result.segments]
    [(3, 1.0), (2, 0.5)]
    """
    testset = as_testset(systems, references)
    listed = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    specs = [for_segments(spec) for spec in listed]
    table = score_stream(
        lambda: testset.chunks(CHUNK),
        metrics=specs,
        segments=True,
        threads=threads,
        progress=progress,
    )
    best = {
        spec: metric.bounds[1 if metric.higher_is_better else 0]
        for spec, metric in as_metrics(specs).items()
    }
    result = WorstSegments(table, list(_worst(table, testset, worst, best)), best)
    notes = [] if specs == listed else [Note("sentbleu")]
    return replace(result, notes=(*notes, *_perfect(result, worst)))


def _worst(
    table: ScoreTable, testset: Testset, worst: int, best: Mapping[str, float]
) -> Iterator[WorstSegment]:
    for spec, info in table.metrics.items():
        sign = 1 if info.higher_is_better else -1
        for name, scores in table.systems.items():
            values = (
                (sign * value, index)
                for index, value in enumerate(scores[spec].segments or ())
                if value is not None
                and math.isfinite(value)
                and not _is_best(value, best[spec])
            )
            for value, index in nsmallest(worst, values):
                yield WorstSegment(
                    spec,
                    name,
                    index + 1,
                    sign * value,
                    testset.systems[name][index],
                    testset.references[index],
                )


def _perfect(result: WorstSegments, worst: int) -> Iterator[Note]:
    """Yield notes where segments with the best value would have been listed."""
    for spec, info in result.scores.metrics.items():
        best = result.best[spec]
        for system, scores in result.scores.systems.items():
            listed = len(result.of(system, spec))
            values = scores[spec].segments or ()
            perfect = sum(v is not None and _is_best(v, best) for v in values)
            if listed == worst or not perfect:
                continue
            where = {"system": system, "metric": spec}
            if listed:
                segments = count(perfect, "segment")
                yield Note("perfect-omitted", {**where, "segments": segments})
            else:
                side = "below" if info.higher_is_better else "above"
                shown = {"side": side, "best": info.show(best)}
                yield Note("perfect-only", {**where, **shown})


def _is_best(value: float, best: float) -> bool:
    # Sums of floats may miss 100 by a hair.
    return math.isclose(value, best, rel_tol=1e-12, abs_tol=1e-12)
