# SPDX-License-Identifier: Apache-2.0
"""Scores of groups of segments, and where two systems differ most."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium.analysis.groups import Group
from tertium.analysis.intervals import (
    LEAST,
    Difference,
    Figure,
    Resampler,
    corrected,
)
from tertium.engine.segment_scores import defined_scorer

if TYPE_CHECKING:
    from tertium.metrics import Metric
    from tertium.stats.resample import Rows

__all__ = ["Bucket", "largest", "score_groups"]


@dataclass(frozen=True)
class Bucket:
    """A group of segments with the scores of all systems.

    Attributes
    ----------
    group : Group
    scores : mapping of spec to mapping of system to Figure
    differences : mapping of spec to Difference or None
        Between the two systems in focus; None where there are too few segments.
    """

    group: Group
    scores: Mapping[str, Mapping[str, Figure]]
    differences: Mapping[str, Difference | None]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures."""
        return {
            "kind": self.group.kind,
            "label": self.group.label,
            "segments": len(self.group.members),
            "scores": {
                spec: {name: figure.to_dict() for name, figure in scores.items()}
                for spec, scores in self.scores.items()
            },
            "differences": {
                spec: None if each is None else each.to_dict()
                for spec, each in self.differences.items()
            },
        }


def largest(buckets: Sequence[Bucket], spec: str) -> list[tuple[Bucket, Difference]]:
    """Return tested groups with their differences under a metric, the largest first."""
    tested = [(each, each.differences[spec]) for each in buckets]
    kept = [(each, test) for each, test in tested if test is not None]
    return sorted(kept, key=lambda both: -abs(both[1].delta))


def score_groups(
    groups: Sequence[Group],
    systems: Sequence[str],
    metrics: Mapping[str, Metric],
    rows: Mapping[str, Sequence[Rows]],
    resampler: Resampler,
    *,
    progress: Callable[[str, int, int | None], None] | None = None,
) -> list[Bucket]:
    """Return the scores of all systems in every group.

    P-values are corrected for the number of groups, metric by metric.

    Parameters
    ----------
    groups : sequence of Group
    systems : sequence of str
    metrics : mapping of str to Metric
        By the spec that the user wrote.
    rows : mapping of str to sequence of ndarray
        The statistics of every system, by metric.
    resampler : Resampler
    progress : callable, optional
        As in :func:`tertium.compare`.
    """
    scores: list[dict[str, dict[str, Figure]]] = [{} for _ in groups]
    differences: list[dict[str, Difference | None]] = [{} for _ in groups]
    resampler = resampler.for_tests(
        sum(resampler.count(group.members) >= LEAST for group in groups)
    )
    done, total = 0, len(metrics) * len(groups)
    for spec, metric in metrics.items():
        tests: list[Difference | None] = []
        for number, group in enumerate(groups):
            chosen = [one[group.members] for one in rows[spec]]
            figures, test = resampler.tested(
                chosen,
                defined_scorer(metric),
                members=group.members,
                weight=metric.weight_column,
            )
            tests.append(test)
            scores[number][spec] = dict(zip(systems, figures, strict=True))
            done += 1
            if progress:
                progress("groups", done, total)
        for number, difference in enumerate(corrected(tests)):
            differences[number][spec] = difference
    return [Bucket(*each) for each in zip(groups, scores, differences, strict=True)]
