# SPDX-License-Identifier: Apache-2.0
"""Which test says whether two metrics differ, for every kind of figure.

=========== =============================================================
bootstrap   of judgements, segments or systems, paired
permutation of the two metrics' scores (PERM-BOTH; Deutsch et al. 2021), with
            calibrated ties of whole segments (PERM-INPUTS), as each metric has
            an epsilon of its own; segment figures from ratings, and PDP
williams    of dependent correlations; Pearson's r of systems
hybrids     Williams' test on hybrids of systems (Graham and Liu 2016);
            Pearson's r of systems with ratings, for metrics whose scores of
            systems are means of the judged segments
=========== =============================================================

A test has a direction of its own: the difference that it rests on, which need not have
the sign of the difference between two figures (hybrids are made of segments, and gaps
of one metric are gaps of a pair).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.errors import InputError
from tertium.meta.agreement.calibration import calibrate
from tertium.meta.agreement.coefficients import Coefficient
from tertium.meta.agreement.comparing import compared
from tertium.meta.agreement.ties import bootstrap_difference, tie_matrix
from tertium.meta.evaluation import Evaluation
from tertium.meta.matrix import ScoreMatrix
from tertium.meta.uncertainty.difference_swaps import pdp_permutation
from tertium.meta.uncertainty.hybrids import hybrid_test
from tertium.meta.uncertainty.significance import permutation_test
from tertium.notes import Note
from tertium.stats import p_value
from tertium.stats.correlation import pearson, williams

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.stats.resample import Report

__all__ = ["TESTS", "Outcome", "Outcomes", "coin_count", "p_values"]

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


@dataclass(frozen=True)
class Outcome:
    """The outcome of a test of two metrics.

    Attributes
    ----------
    p : float
        Two-sided.
    difference : float
        The one that was tested, first minus second: its sign says who is better.
    """

    p: float
    difference: float


@dataclass(frozen=True)
class Outcomes:
    """The outcome of a test of all pairs of metrics.

    Attributes
    ----------
    outcomes : list of Outcome or None
        None for a pair that the test does not fit.
    notes : list of Note
        Why it does not, in words.
    """

    outcomes: list[Outcome | None]
    notes: list[Note]


_ALIKE = Outcome(1.0, 0.0)  # nothing that could differ


def p_values(
    test: str,
    coefficient: Coefficient,
    both: Evaluation,
    pairs: Pairs,
    values: Mapping[str, float],
    drawn: Mapping[str, Array],
    *,
    over: str | None = None,
    resamples: int,
    seed: int,
    threads: int | None,
    progress: Report | None = None,
) -> Outcomes | None:
    """Return the two-sided p-values of pairs of metrics, and who is better.

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
    over : str, optional
        What the bootstrap resamples; the usual by default.
    progress : callable, optional
        Called with what is counted (pairs of metrics, trials), how many are done, and
        of how many.

    Returns
    -------
    Outcomes or None
        None if the test does not fit the coefficient.
    """
    if test == "bootstrap":
        if coefficient.preset is not None and over in (None, "judgements"):
            return _compared(coefficient.preset, both, pairs, resamples, seed, progress)
        return _bootstrap(pairs, values, drawn)
    if test == "permutation":
        return _permutation(
            coefficient, both, pairs, resamples, seed, threads, progress
        )
    if coefficient.name != "pearson":
        return None
    if test == "williams":
        return _williams(both, pairs)
    return _hybrids(both, pairs, seed, threads)


def _bootstrap(
    pairs: Pairs, values: Mapping[str, float], drawn: Mapping[str, Array]
) -> Outcomes | None:
    if any(name not in drawn for pair in pairs for name in pair):
        return None
    out: list[Outcome | None] = []
    for a, b in pairs:
        differences = drawn[a] - drawn[b]
        differences = differences[~np.isnan(differences)]
        observed = values[a] - values[b]
        out.append(Outcome(p_value(differences - observed, observed), observed))
    return Outcomes(out, [])


def _compared(
    preset: str,
    both: Evaluation,
    pairs: Pairs,
    resamples: int,
    seed: int,
    progress: Report | None,
) -> Outcomes | None:
    by_metric = {}
    for metric in both.metrics:
        if metric.segment is not None:
            comparisons = compared(preset, both, metric.segment)
            if comparisons is not None:
                by_metric[metric.name] = comparisons
    out: list[Outcome | None] = []
    for number, (a, b) in enumerate(pairs):
        if progress:
            progress("pairs of metrics", number, len(pairs))
        first, second = by_metric[a].differences, by_metric[b].differences
        known = ~np.isnan(first) & ~np.isnan(second)
        tested = bootstrap_difference(
            by_metric[a].signs[known],
            first[known],
            second[known],
            tie_matrix(preset),
            resamples=max(1, resamples),
            seed=seed,
        )
        out.append(_ALIKE if tested is None else Outcome(tested.p, tested.difference))
    return Outcomes(out, [])


def _permutation(
    coefficient: Coefficient,
    both: Evaluation,
    pairs: Pairs,
    resamples: int,
    seed: int,
    threads: int | None,
    progress: Report | None,
) -> Outcomes | None:
    name, _, group = coefficient.name.partition(":")
    if name == "pdp":
        return _permuted_differences(both, pairs, resamples, seed, progress)
    if name not in _PERMUTED or not group or both.human.ratings is None:
        return None
    if both.human.clusters is not None:
        return None  # scores of one output would be swapped apart from each other
    human, matrices = _matrices(both, both.human.ratings)
    # Of the metrics that are tested only: neither probes nor a metric with gaps may
    # change the results for the others.
    asked = {one: matrices[one] for one in dict.fromkeys(n for p in pairs for n in p)}
    epsilons = None
    if name == "acc-eq":
        epsilons = {
            metric: calibrate(human, scores, missing="drop").epsilon
            for metric, scores in asked.items()
        }
    outcomes: dict[tuple[str, str], Outcome] = {}
    apart: list[str] = []
    for names in _equally_covered(human, asked, pairs):
        members = {one: asked[one] for one in names}
        covered = ~np.isnan([human.values, *(m.values for m in members.values())])
        if not covered.all(axis=0).any():
            apart.append(" and ".join(names))
            continue
        tests = permutation_test(
            human,
            members,
            _PERMUTED[name],
            group=group,
            swap="both" if epsilons is None else "inputs",
            epsilons=epsilons and {one: epsilons[one] for one in names},
            missing="drop",
            resamples=max(1, resamples),
            # A pair stops early if it is far from any difference; the p-value of a
            # clear one must be small enough to be corrected.
            early=(0.0, 0.5),
            seed=seed,
            threads=threads,
            progress=progress and partial(progress, "trials"),
        )
        for each in tests.tests:
            outcomes[each.first, each.second] = Outcome(each.p, each.difference)
            outcomes[each.second, each.first] = Outcome(each.p, -each.difference)
    notes = [Note("no-shared-outputs", {"metrics": names}) for names in apart]
    return Outcomes([outcomes.get(pair) for pair in pairs], notes)


def _permuted_differences(
    both: Evaluation, pairs: Pairs, resamples: int, seed: int, progress: Report | None
) -> Outcomes | None:
    ratings = both.human.ratings
    if ratings is None or both.human.clusters is not None:
        return None
    scores = {metric.name: metric.segment for metric in both.metrics}
    outcomes: list[Outcome | None] = []
    apart: list[str] = []
    for number, (a, b) in enumerate(pairs):
        if progress:
            progress("pairs of metrics", number, len(pairs))
        first, second = scores[a], scores[b]
        if first is None or second is None:
            return None
        if np.isnan(ratings + first + second).all():
            apart.append(f"{a} and {b}")
            outcomes.append(None)
            continue
        difference, p = pdp_permutation(
            ratings, first, second, trials=max(1, resamples), seed=seed
        )
        outcomes.append(Outcome(p, difference))
    notes = [Note("no-shared-outputs", {"metrics": names}) for names in apart]
    return Outcomes(outcomes, notes)


def coin_count(coefficient: Coefficient, both: Evaluation) -> int:
    """Return how many coins a permutation test of a coefficient tosses.

    One per judged output, or per segment with two of them for calibrated ties.
    """
    ratings = both.human.ratings
    if ratings is None:
        return 0
    judged = ~np.isnan(ratings)
    if coefficient.name.partition(":")[0] == "acc-eq":
        return int(np.count_nonzero(judged.sum(axis=0) > 1))
    return int(np.count_nonzero(judged))


def _equally_covered(
    human: ScoreMatrix, metrics: Mapping[str, ScoreMatrix], pairs: Pairs
) -> list[list[str]]:
    """Return groups of metrics to test together, so that every pair is in one.

    Metrics that have scored the same of the judged outputs are together; two that
    have not are a group of their own. The coins of a seed are the same for all.
    """
    judged = ~np.isnan(human.values)
    groups: dict[bytes, list[str]] = {}
    for name, scores in metrics.items():
        groups.setdefault((judged & ~np.isnan(scores.values)).tobytes(), []).append(
            name
        )
    of = {name: key for key, names in groups.items() for name in names}
    return [
        *(names for names in groups.values() if len(names) > 1),
        *([a, b] for a, b in pairs if of[a] != of[b]),
    ]


def _matrices(
    both: Evaluation, ratings: Array
) -> tuple[ScoreMatrix, dict[str, ScoreMatrix]]:
    systems, segments = both.human.systems, both.human.segments
    return ScoreMatrix(systems, segments, ratings), {
        metric.name: ScoreMatrix(systems, segments, metric.segment)
        for metric in both.metrics
        if metric.segment is not None
    }


def _williams(both: Evaluation, pairs: Pairs) -> Outcomes:
    human = both.human_scores
    scores = {metric.name: metric.system for metric in both.metrics}
    out: list[Outcome | None] = []
    for a, b in pairs:
        known = ~(np.isnan(human) | np.isnan(scores[a]) | np.isnan(scores[b]))
        vectors = [human[known], scores[a][known], scores[b][known]]
        r12, r13 = pearson(vectors[0], vectors[1]), pearson(vectors[0], vectors[2])
        r23 = pearson(vectors[1], vectors[2])
        if r12 is None or r13 is None or r23 is None:
            out.append(_ALIKE)
            continue
        tested = williams(r12, r13, r23, int(known.sum()))
        out.append(Outcome(min(1.0, 2 * tested.p), r12 - r13) if tested else _ALIKE)
    return Outcomes(out, [])


def _hybrids(
    both: Evaluation, pairs: Pairs, seed: int, threads: int | None
) -> Outcomes | None:
    if both.human.ratings is None:
        return None
    asked = {name for pair in pairs for name in pair}
    reasons: dict[str, list[str]] = {}
    for metric in both.metrics:
        if metric.name not in asked:
            continue
        if metric.segment is None:
            reason = "no scores of segments"
        elif not metric.is_mean:
            reason = "system scores are not means of segments"
        else:
            continue
        reasons.setdefault(reason, []).append(metric.name)
        asked.remove(metric.name)
    notes = [
        Note("metrics-lack", {"metrics": names, "reason": reason})
        for reason, names in reasons.items()
    ]
    human, matrices = _matrices(both, both.human.ratings)
    fitting = {name: matrix for name, matrix in matrices.items() if name in asked}
    outcomes: dict[tuple[str, str], Outcome] = {}
    if len(fitting) > 1:
        try:
            tests = hybrid_test(human, fitting, seed=seed, threads=threads).tests
        except InputError as error:  # gaps, of which only the draws tell
            return Outcomes(
                [None] * len(pairs),
                [*notes, Note("test-stopped", {"reason": str(error)})],
            )
        for each in tests:
            outcome = _ALIKE
            if each.outcome is not None and each.difference is not None:
                outcome = Outcome(min(1.0, 2 * each.outcome.p), each.difference)
            outcomes[each.first, each.second] = outcome
            outcomes[each.second, each.first] = Outcome(outcome.p, -outcome.difference)
    return Outcomes([outcomes.get(pair) for pair in pairs], notes)
