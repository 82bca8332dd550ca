# SPDX-License-Identifier: Apache-2.0
"""Tuning on 1,000 lists of 100: MERT, PRO, MIRA; line search in NumPy; scikit-learn.

    python -m bench tuning

The lists are simulated: 15 features that follow a hidden quality with noise, and n-gram
counts that do, too. Texts play no role once their statistics are counted.
"""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression

import tertium
from bench.measure import Report, best
from tertium.tuning.line_search import sweep
from tertium.tuning.logistic import fit_differences
from tertium.tuning.mert import Mert
from tertium.tuning.mira import Mira
from tertium.tuning.pool import Objective, Pool
from tertium.tuning.pro import Pro, sample_pairs
from tertium.tuning.space import Space
from tertium.tuning.tune import tune_pool

LISTS, SIZE, FEATURES = 1000, 100, 15


def simulated(lists: int = LISTS, size: int = SIZE, features: int = FEATURES) -> Pool:
    """Return lists whose features and n-gram matches follow a hidden quality."""
    random = np.random.default_rng(7)
    n = lists * size
    quality = random.normal(size=n)
    follow = random.uniform(-0.3, 0.6, size=features)
    values = random.normal(size=(n, features)) + quality[:, None] * follow
    ref_length = np.repeat(random.integers(10, 40, size=lists), size)
    hyp_length = np.maximum(4, ref_length + random.integers(-3, 4, size=n))
    level = np.repeat(random.normal(size=lists), size)
    chance = 0.8 / (1 + np.exp(-0.5 * quality - 0.3 * level))
    totals = [hyp_length - order for order in range(4)]
    matches = [random.binomial(totals[0], chance)]
    for total in totals[1:]:
        matches.append(random.binomial(np.minimum(matches[-1], total), chance))
    rows = np.stack([hyp_length, ref_length, *matches, *totals], axis=1)
    names = tuple(f"f{i}" for i in range(features))
    first = np.arange(0, n + 1, size)
    return Pool(names, first, values, rows.astype(np.float64))


def numpy_line_search(
    objective: Objective, offsets: np.ndarray, slopes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return cuts and scores of intervals, as one writes it in Python with NumPy."""
    pool = objective.pool
    total = np.zeros(pool.statistics.shape[1])
    cuts, changes = [], []
    for begin, end in zip(pool.first[:-1], pool.first[1:], strict=True):
        t, m = offsets[begin:end], slopes[begin:end]
        stack: list[tuple[float, int]] = []
        for i in np.lexsort((t, m)):
            start = -np.inf
            while stack:
                _, top = stack[-1]
                if m[i] > m[top]:
                    start = (t[top] - t[i]) / (m[i] - m[top])
                    if start > stack[-1][0]:
                        break
                    start = -np.inf
                stack.pop()
            stack.append((start, i))
        chosen = pool.statistics[begin + np.array([i for _, i in stack])]
        total += chosen[0]
        cuts.extend(start for start, _ in stack[1:])
        changes.append(np.diff(chosen, axis=0))
    order = np.argsort(cuts, kind="stable")
    steps = np.concatenate(changes)[order]
    sums = np.concatenate([[total], total + np.cumsum(steps, axis=0)])
    return np.asarray(cuts)[order], objective.values(sums)


def nothing() -> None:
    """No text is read, so there is nothing to renew."""


def line_search(report: Report, objective: Objective) -> None:
    """Compare exact line searches on one thread: along an axis, and anywhere."""
    random = np.random.default_rng(1)
    space = Space(objective, np.ones(FEATURES))
    point, direction = random.normal(size=(2, FEATURES))
    offsets, anywhere = space.model(point), space.model(direction)
    searches = {
        "an axis": (offsets, space.columns[0]),
        "any direction": (offsets, anywhere),
    }
    for name, line in searches.items():

        def ours(line: tuple[np.ndarray, ...] = line) -> np.ndarray:
            return objective.values(sweep(objective, *line).statistics)

        def plain(line: tuple[np.ndarray, ...] = line) -> np.ndarray:
            return numpy_line_search(objective, *line)[1]

        assert abs(ours().max() - plain().max()) < 1e-9
        report.add(
            f"line search along {name}, {LISTS} x {SIZE}",
            best(ours, nothing, 50),
            peer="plain NumPy",
            other=best(plain, nothing, 3),
            wanted=100,
        )


def classifier(report: Report, objective: Objective) -> None:
    """Compare PRO's logistic regression on the pairs it samples."""
    random = np.random.default_rng(1)
    pairs = sample_pairs(objective, Pro(), random, lambda *_: None)
    features = Space(objective, np.ones(FEATURES)).features
    differences = features[pairs.better] - features[pairs.worse]
    # scikit-learn wants both classes: mirror images, at half the strength.
    both = np.concatenate([differences, -differences])
    labels = np.repeat([1, 0], len(differences))

    def theirs() -> np.ndarray:
        model = LogisticRegression(C=0.5, fit_intercept=False, tol=1e-6)
        return model.fit(both, labels).coef_[0]

    fitted = fit_differences(differences, strength=1.0)
    assert np.abs(fitted - theirs()).max() < 1e-3
    report.add(
        f"PRO's classifier, {len(differences)} pairs",
        best(lambda: fit_differences(differences, strength=1.0), nothing, 7),
        peer="scikit-learn",
        other=best(theirs, nothing, 3),
    )


def methods(report: Report, pool: Pool) -> None:
    """Time whole runs on all cores, with the settings people get."""
    metric = tertium.metric("bleu")
    objective = Objective(pool, metric)
    scores = []
    for options, limit in ((Mert(), 3), (Pro(), 10), (Mira(), 10)):
        name = type(options).__name__
        time = best(lambda options=options: tune_pool(objective, options), nothing, 2)
        result = tune_pool(objective, options)
        scores.append(f"{name.upper()} {result.final.score:.2f}")
        report.add(
            f"{name.upper()}, {LISTS} x {SIZE}, {FEATURES} features, all cores",
            time,
            rate=f"under {limit} s wanted",
        )
    start = result.start.score
    report.note(
        f"Tuning, simulated lists: BLEU {start:.2f} became {', '.join(scores)}."
    )


def run(report: Report) -> None:
    """Add all rows."""
    pool = simulated()
    objective = Objective(pool, tertium.metric("bleu"), 1)
    line_search(report, objective)
    classifier(report, objective)
    methods(report, pool)


def main() -> None:
    run(Report())


if __name__ == "__main__":
    main()
