# SPDX-License-Identifier: Apache-2.0
"""Training: a joint ranker, the grid of SVMs and a network on 200,000 pairs.

    python -m bench training [--quick]

Candidates are made up: 57 features that are about as alike as those of beer-3.0 are, of
60 systems with 2,000 segments each, 12 a language, which gives 330 pairs of systems and
5 more. The peer of logistic regression and of one SVM is scikit-learn, on the same
difference vectors; it stops at its own, looser tolerance. Wanted is a joint ranker in
under 60 seconds on two cores.
"""

from __future__ import annotations

import itertools
import sys
import time
import warnings
from collections.abc import Callable

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from bench.measure import Report
from tertium.learn.examples import Examples, SystemPairs
from tertium.learn.objectives import (
    Plan,
    fit_joint,
    fit_linear,
    fit_network,
    fit_svm_grid,
)

FEATURES, SYSTEMS, SEGMENTS, PAIRS, SYSTEM_PAIRS = 57, 60, 2000, 200_000, 335


def world(pairs: int, segments: int) -> tuple[Examples, SystemPairs]:
    """Return pairs of candidates and of systems, as a year of WMT has them."""
    random = np.random.default_rng(1)
    skill = np.sort(random.normal(0, 0.25, (5, SYSTEMS // 5)), axis=1).ravel()
    quality = skill[:, None] + random.normal(size=(SYSTEMS, segments))
    groups = random.normal(
        size=(3, FEATURES)
    )  # three hidden causes, as n, F and length
    causes = random.normal(size=(SYSTEMS * segments, 3))
    loading = random.uniform(0.5, 1, FEATURES)
    values = quality.reshape(-1, 1) * loading + causes @ groups * 0.3
    values += random.normal(0, 0.2, values.shape)
    rows = 1 / (1 + np.exp(-values))

    segment = random.integers(segments, size=pairs)
    language = random.integers(5, size=pairs) * 12
    first = language + random.integers(12, size=pairs)
    second = language + (first - language + random.integers(1, 12, size=pairs)) % 12
    noise = random.normal(0, 1.5, pairs)
    right = quality[first, segment] - quality[second, segment] + noise > 0
    one, other = first * segments + segment, second * segments + segment
    examples = Examples(rows, np.where(right, one, other), np.where(right, other, one))
    corpora = [np.arange(s * segments, (s + 1) * segments) for s in range(SYSTEMS)]
    system_pairs = [
        pair
        for start in range(0, SYSTEMS, 12)
        for pair in itertools.combinations(range(start, start + 12), 2)
    ]
    system_pairs = (system_pairs + system_pairs)[:SYSTEM_PAIRS]
    systems = SystemPairs(
        [corpora[b] for _, b in system_pairs],
        [corpora[a] for a, _ in system_pairs],
        np.array([0.01 + 0.3 * (skill[b] - skill[a]) for a, b in system_pairs]),
    )
    return examples, systems


def timed(job: Callable[[], object]) -> tuple[float, object]:
    start = time.perf_counter()
    result = job()
    return time.perf_counter() - start, result


def run(report: Report, pairs: int = PAIRS, segments: int = SEGMENTS) -> None:
    """Measure all learners."""
    examples, systems = world(pairs, segments)
    held_out = examples.take(np.arange(0, pairs, 10))
    kept = examples.take(np.flatnonzero(np.arange(pairs) % 10))
    size = f"{pairs} pairs, {FEATURES} features"
    for threads in (1, 2):
        seconds, _ = timed(lambda t=threads: fit_joint(examples, systems, threads=t))
        report.add(f"joint, {size}, {threads} threads", seconds, rate="400 steps")
    instances = examples.features[examples.better] - examples.features[examples.worse]
    both = np.concatenate([instances, -instances])
    labels = np.repeat([1, -1], pairs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logistic = LogisticRegression(C=0.5e8, fit_intercept=False, max_iter=3000)
        other, _ = timed(lambda: logistic.fit(both, labels))
        svm = LinearSVC(C=2.0**-11, fit_intercept=False, dual=False)
        svm_time, _ = timed(lambda: svm.fit(both, labels))
    seconds, fit = timed(lambda: fit_linear(examples, regularisation=1e-8, threads=1))
    rate = f"{fit.record['iterations']} iterations"
    report.add(
        f"logistic, {size}", seconds, peer="scikit-learn", other=other, rate=rate
    )
    seconds, fit = timed(lambda: fit_linear(examples, loss="svm", threads=1))
    rate = f"{fit.record['iterations']} iterations"
    report.add(f"svm, {size}", seconds, peer="scikit-learn", other=svm_time, rate=rate)
    seconds, fit = timed(lambda: fit_svm_grid(kept, held_out, threads=2))
    report.add(f"svm, grid of 21, {size}", seconds)
    seconds, _ = timed(
        lambda: fit_network(
            kept, valid=held_out, plan=Plan(steps=100, patience=100), threads=2
        )
    )
    report.add(f"ranknet, 15 nodes, {size}", seconds, rate="100 steps")


def main() -> None:
    quick = "--quick" in sys.argv
    run(
        Report(), PAIRS // 10 if quick else PAIRS, SEGMENTS // 10 if quick else SEGMENTS
    )


if __name__ == "__main__":
    main()
