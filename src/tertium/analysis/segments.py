# SPDX-License-Identifier: Apache-2.0
"""Scores of single outputs in a report: sentence BLEU for BLEU, some undefined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tertium.engine.run_study import mean_of_runs
from tertium.engine.segment_scores import defined_scores, for_segments
from tertium.metrics import metric

if TYPE_CHECKING:
    from tertium.engine.comparison import Comparison
    from tertium.engine.runs import RunGroups
    from tertium.metrics import Metric
    from tertium.stats.resample import Rows

__all__ = ["by_sentence_bleu", "defined", "output_scores", "with_segments"]


def output_scores(
    kept: Mapping[str, tuple[Metric, Sequence[Rows]]],
) -> dict[str, np.ndarray]:
    """Return scores of outputs, systems x segments, by metric.

    Parameters
    ----------
    kept : mapping of str to (Metric, sequence of ndarray)
        Every metric and the statistics of every system, by the spec that the user
        wrote.
    """
    scores = {}
    for spec, (corpus, rows) in kept.items():
        single = metric(for_segments(spec)) if by_sentence_bleu([spec]) else corpus
        scores[spec] = np.array([defined_scores(single, one) for one in rows])
    return scores


def by_sentence_bleu(specs: Sequence[str]) -> list[str]:
    """Return the metrics whose single outputs have sentence BLEU."""
    return [spec for spec in specs if for_segments(spec) != spec]


def with_segments(
    comparison: Comparison, scores: Mapping[str, np.ndarray], groups: RunGroups
) -> Comparison:
    """Return a comparison with the scores of segments, means over runs.

    Parameters
    ----------
    comparison : Comparison
    scores : mapping of str to array
        Of the outputs of all runs, runs x segments, by metric.
    groups : RunGroups
    """
    systems = {
        name: {
            spec: replace(
                score,
                segments=[*map(defined, mean_of_runs([*scores[spec][places]]))],
            )
            for spec, score in comparison.scores[name].items()
        }
        for name, places in groups
    }
    return replace(comparison, scores=replace(comparison.scores, systems=systems))


def defined(score: np.float64) -> float | None:
    """Return a score as a number, None where there is none."""
    return None if np.isnan(score) else float(score)
