# SPDX-License-Identifier: Apache-2.0
"""Which test says whether two metrics differ, for every kind of figure.

=========== =============================================================
bootstrap   of comparisons, segments or judgements, paired
permutation of the two metrics' scores (PERM-BOTH; Deutsch et al. 2021);
            segment figures from ratings
williams    of dependent correlations; Pearson's r of systems
hybrids     Williams' test on hybrids of systems (Graham and Liu 2016);
            Pearson's r of systems with ratings
=========== =============================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.meta.calibration import calibrate
from tertium.meta.coefficients import Coefficient
from tertium.meta.evaluation import Evaluation
from tertium.meta.figures import compared
from tertium.meta.hybrids import hybrid_test
from tertium.meta.matrix import ScoreMatrix
from tertium.meta.significance import permutation_test
from tertium.meta.ties import bootstrap_difference, tie_matrix
from tertium.stats import p_value
from tertium.stats.correlation import pearson, williams

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["TESTS", "p_values"]

Array: TypeAlias = "NDArray[np.float64]"
Pairs: TypeAlias = "Sequence[tuple[str, str]]"

#: How differences between metrics can be tested.
TESTS = ("bootstrap", "permutation", "williams", "hybrids")

_PERMUTED = {
    "tau-b": "kendall_b",
    "tau-c": "kendall_c",
    "tau-23": "kendall_23",
    "acc-23": "acc23",
    "acc-eq": "acc23",
    "pearson": "pearson",
    "spearman": "spearman",
}


def p_values(
    test: str,
    coefficient: Coefficient,
    both: Evaluation,
    pairs: Pairs,
    values: Mapping[str, float],
    drawn: Mapping[str, Array],
    *,
    resamples: int,
    seed: int,
    threads: int | None,
) -> list[float] | None:
    """Return the two-sided p-values of pairs of metrics.

    Parameters
    ----------
    test : str
        One of ``TESTS``.
    coefficient : Coefficient
    both : Evaluation
    pairs : sequence of pairs of str
    values : mapping of str to float
        The figures of every metric.
    drawn : mapping of str to array
        The resampled figures of every metric that has some.

    Returns
    -------
    list of float or None
        None if the test does not fit the coefficient.
    """
    if test == "bootstrap":
        return _bootstrap(coefficient, both, pairs, values, drawn, resamples, seed)
    if test == "permutation":
        return _permutation(coefficient, both, pairs, resamples, seed, threads)
    if coefficient.name != "pearson":
        return None
    if test == "williams":
        return _williams(both, pairs)
    return _hybrids(both, pairs, seed, threads)


def _bootstrap(
    coefficient: Coefficient,
    both: Evaluation,
    pairs: Pairs,
    values: Mapping[str, float],
    drawn: Mapping[str, Array],
    resamples: int,
    seed: int,
) -> list[float] | None:
    if coefficient.needs == "comparisons":
        return _compared(coefficient, both, pairs, resamples, seed)
    if any(name not in drawn for pair in pairs for name in pair):
        return None
    out = []
    for a, b in pairs:
        differences = drawn[a] - drawn[b]
        differences = differences[~np.isnan(differences)]
        observed = values[a] - values[b]
        out.append(p_value(differences - observed, observed))
    return out


def _compared(
    coefficient: Coefficient,
    both: Evaluation,
    pairs: Pairs,
    resamples: int,
    seed: int,
) -> list[float] | None:
    preset = coefficient.name.removeprefix("tau-")
    by_metric = {}
    for metric in both.metrics:
        if metric.segment is not None:
            found = compared(preset, both, metric.segment)
            if found is not None:
                by_metric[metric.name] = found
    out = []
    for a, b in pairs:
        (signs, first), (_, second) = by_metric[a], by_metric[b]
        known = ~np.isnan(first) & ~np.isnan(second)
        tested = bootstrap_difference(
            signs[known],
            first[known],
            second[known],
            tie_matrix(preset),
            resamples=max(1, resamples),
            seed=seed,
        )
        out.append(1.0 if tested is None else tested.p)
    return out


def _permutation(
    coefficient: Coefficient,
    both: Evaluation,
    pairs: Pairs,
    resamples: int,
    seed: int,
    threads: int | None,
) -> list[float] | None:
    name, _, group = coefficient.name.partition(":")
    if coefficient.needs != "ratings" or both.human.ratings is None:
        return None
    human, matrices = _matrices(both, both.human.ratings)
    epsilons = None
    if name == "acc-eq":
        epsilons = {
            metric: calibrate(human, own, missing="drop").epsilon
            for metric, own in matrices.items()
        }
    tests = permutation_test(
        human,
        matrices,
        _PERMUTED[name],
        group=group,
        swap="pairs" if name in ("acc-23", "acc-eq", "tau-23") else "both",
        epsilons=epsilons,
        missing="drop",
        resamples=max(1, resamples),
        # A pair stops early if it is far from any difference; the p-value of a clear
        # one must be small enough to be corrected.
        early=(0.0, 0.5),
        seed=seed,
        threads=threads,
    )
    found = {frozenset((each.first, each.second)): each.p for each in tests.tests}
    return [found[frozenset(pair)] for pair in pairs]


def _matrices(
    both: Evaluation, ratings: Array
) -> tuple[ScoreMatrix, dict[str, ScoreMatrix]]:
    systems, segments = both.human.systems, both.human.segments
    return ScoreMatrix(systems, segments, ratings), {
        metric.name: ScoreMatrix(systems, segments, metric.segment)
        for metric in both.metrics
        if metric.segment is not None
    }


def _williams(both: Evaluation, pairs: Pairs) -> list[float]:
    human = both.human_scores
    scores = {metric.name: metric.system for metric in both.metrics}
    out = []
    for a, b in pairs:
        known = ~(np.isnan(human) | np.isnan(scores[a]) | np.isnan(scores[b]))
        vectors = [human[known], scores[a][known], scores[b][known]]
        r12, r13 = pearson(vectors[0], vectors[1]), pearson(vectors[0], vectors[2])
        r23 = pearson(vectors[1], vectors[2])
        if r12 is None or r13 is None or r23 is None:
            out.append(1.0)
            continue
        tested = williams(r12, r13, r23, int(known.sum()))
        out.append(1.0 if tested is None else min(1.0, 2 * tested.p))
    return out


def _hybrids(
    both: Evaluation, pairs: Pairs, seed: int, threads: int | None
) -> list[float] | None:
    if both.human.ratings is None:
        return None
    human, matrices = _matrices(both, both.human.ratings)
    if any(name not in matrices for pair in pairs for name in pair):
        return None
    tests = hybrid_test(human, matrices, seed=seed, threads=threads)
    found = {
        frozenset((each.first, each.second)): 1.0
        if each.outcome is None
        else min(1.0, 2 * each.outcome.p)
        for each in tests.tests
    }
    return [found[frozenset(pair)] for pair in pairs]
