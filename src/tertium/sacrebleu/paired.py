# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's confidence interval and paired tests against a baseline.

Bootstrap (Koehn 2004) and approximate randomisation (Riezler and Maxwell 2005)
with sacreBLEU's p-value: (c + 1) / (trials + 1), where c counts the trials whose
difference is *above* the real one. Ties do not count, so a copy of the baseline
gets the smallest possible p; ``tertium compare`` counts them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tertium.metrics.bleu import Bleu
from tertium.sacrebleu.resampling import (
    bleu_scores,
    coins,
    exact_interval,
    interval,
    resampled_sums,
    single_scores,
    whole_numbers,
)
from tertium.sacrebleu.scores import Result, Score, Segments, score_of

if TYPE_CHECKING:
    from tertium.metrics import Metric
    from tertium.sacrebleu.resampling import Floats, Rows

__all__ = ["TESTS", "bootstrap_test", "randomisation_test", "score_with_interval"]


def score_with_interval(
    metric: Metric,
    hyps: list[str],
    refs: Segments,
    *,
    resamples: int,
    seed: int | None,
) -> Score:
    """Return the score of a system with its bootstrap interval."""
    rows = metric.statistics(hyps, refs)
    generator = np.random.default_rng(seed)
    (sums,) = resampled_sums([rows], resamples=resamples, generator=generator)
    score = score_of(metric, rows.sum(axis=0).tolist())
    return replace(score, interval=exact_interval(single_scores(metric, sums)))


def bootstrap_test(
    metrics: Sequence[Metric],
    systems: Sequence[list[str]],
    refs: Segments,
    *,
    trials: int,
    seed: int | None,
) -> list[list[Result]]:
    """Return the results of each system, the baseline first, for each metric.

    sacreBLEU samples again for each system, but with the same seed; so one sample is
    enough. (It treats seed 0 as none; here it is a seed.)
    """
    tables = [metric.rows(metric.checked(systems, refs)) for metric in metrics]
    flat = [table for group in tables for table in group]
    generator = np.random.default_rng(seed)
    sums = iter(resampled_sums(flat, resamples=trials, generator=generator))
    results = []
    for metric, group in zip(metrics, tables, strict=True):
        real = [_real(metric, table) for table in group]
        resampled = [single_scores(metric, next(sums)) for _ in group]
        results.append([Result(real[0], None, *interval(resampled[0]))])
        for score, scores in zip(real[1:], resampled[1:], strict=True):
            differences = np.abs(scores - resampled[0])
            centred = differences - differences.mean()
            p = _p_value(centred, abs(real[0] - score))
            results[-1].append(Result(score, p, *interval(scores)))
    return results


def randomisation_test(
    metrics: Sequence[Metric],
    systems: Sequence[list[str]],
    refs: Segments,
    *,
    trials: int,
    seed: int | None,
) -> list[list[Result]]:
    """Return the results of each system, the baseline first, for each metric."""
    tables = [metric.rows(metric.checked(systems, refs)) for metric in metrics]
    whole = all(whole_numbers(table) for group in tables for table in group)
    counts = np.zeros((len(metrics), len(systems)), np.int64)
    real = [
        [_real(metric, table) for table in group]
        for metric, group in zip(metrics, tables, strict=True)
    ]
    tosses = coins(
        trials, len(refs), generator=np.random.default_rng(seed), at_once=not whole
    )
    for toss in tosses:
        heads = toss.astype(np.float64)
        for i, (metric, group) in enumerate(zip(metrics, tables, strict=True)):
            for j, table in enumerate(group[1:], start=1):
                a, b = _swapped(group[0], table, heads)
                differences = np.abs(_scores(metric, a) - _scores(metric, b))
                counts[i, j] += np.sum(differences > abs(real[i][0] - real[i][j]))
    p_values = (counts + 1) / (trials + 1)
    return [
        [Result(row[0]), *map(Result, row[1:], ps[1:].tolist())]
        for row, ps in zip(real, p_values, strict=True)
    ]


#: The paired tests by their names in signatures.
TESTS = {"bs": bootstrap_test, "ar": randomisation_test}


def _real(metric: Metric, table: Rows) -> float:
    return score_of(metric, table.sum(axis=0).tolist()).score


def _p_value(statistics: Floats, difference: float) -> float:
    return (int(np.sum(statistics > difference)) + 1) / (len(statistics) + 1)


def _swapped(baseline: Rows, system: Rows, heads: Rows) -> tuple[Rows, Rows]:
    """Return the sums of both systems with segments swapped where tosses are 0."""
    if whole_numbers(baseline) and whole_numbers(system):
        moved = heads @ (baseline - system)
        return system.sum(axis=0) + moved, baseline.sum(axis=0) - moved
    # Fractions are rounded: the order of sacreBLEU's additions decides about ties.
    tails = 1.0 - heads
    return heads @ baseline + tails @ system, tails @ baseline + heads @ system


def _scores(metric: Metric, sums: Rows) -> Rows:
    if not isinstance(metric, Bleu):
        return np.asarray(metric.from_statistics(sums))
    if metric.smooth_method == "add-k":
        # sacreBLEU adds k to integers in place here, which truncates it.
        metric = Bleu(
            smooth_method="add-k", smooth_value=math.floor(metric.smooth_value or 0)
        )
    return bleu_scores(sums, metric)
