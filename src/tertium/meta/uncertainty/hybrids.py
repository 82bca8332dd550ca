# SPDX-License-Identifier: Apache-2.0
"""Hybrid super-sampling: many made-up systems for tests at system level.

Graham and Liu (2016), Achieving Accurate Conclusions in Evaluation of Automatic
Machine Translation Metrics: a dozen systems are too few to tell metrics apart, so
hybrids are made of two real systems by taking each segment's translation from one
of them by the toss of a coin. Human and metric scores of, say, 10,000 hybrids
are correlated, and Williams' test says whether two metrics differ.

Scores of hybrids are sums over segments, linear in the coins. Only sums of scores or
of statistics are needed, never the translations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError
from tertium.meta.matrix import align
from tertium.stats.correction import adjust
from tertium.stats.correlation import Williams, pearson, williams
from tertium.stats.resample import check_run, draw_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.meta.matrix import ScoreMatrix

__all__ = ["Corpus", "HybridTests", "WilliamsTest", "hybrid_test"]


@dataclass(frozen=True, eq=False)
class Corpus:
    """A metric whose system score is not a mean of segment scores, such as BLEU.

    Attributes
    ----------
    rows : ndarray of shape (systems, segments, statistics)
        In the order of the human scores' systems and segments.
    from_statistics : callable
        Turns an array of summed rows into scores.
    """

    rows: NDArray[np.float64]
    from_statistics: Callable[[NDArray[np.float64]], NDArray[np.float64] | float]


@dataclass(frozen=True)
class WilliamsTest:
    """Williams' test of two metrics; None if it is not defined."""

    first: str
    second: str
    difference: float | None
    outcome: Williams | None


@dataclass(frozen=True)
class HybridTests:
    """Correlations over hybrids, and tests of all pairs of metrics.

    Attributes
    ----------
    coefficients : dict of str to float or None
        Pearson's r over hybrids.
    tests : list of WilliamsTest
    samples : int
    seed : int
    """

    coefficients: dict[str, float | None]
    tests: list[WilliamsTest]
    samples: int
    seed: int

    def adjusted(self, correction: str = "holm") -> dict[tuple[str, str], float]:
        """Return adjusted p-values of defined tests, keyed (better, worse)."""
        keys, values = [], []
        for test in self.tests:
            if test.outcome is not None:
                pair = (test.first, test.second)
                keys.append(pair if test.outcome.t >= 0 else pair[::-1])
                values.append(test.outcome.p)
        return dict(zip(keys, adjust(values, correction), strict=True))


def hybrid_test(
    human: ScoreMatrix,
    metrics: Mapping[str, ScoreMatrix | Corpus],
    *,
    samples: int = 10_000,
    seed: int = SEED,
    threads: int | None = None,
) -> HybridTests:
    """Test metrics at system level on hybrids of pairs of systems.

    Parameters
    ----------
    human : ScoreMatrix
        A hybrid's score is the mean over the segments that have one.
    metrics : mapping of str to ScoreMatrix or Corpus
    samples : int
    seed : int
    threads : int, optional

    Notes
    -----
    O(samples (systems segments / 8 + M²)) for M metrics.
    """
    check_run(samples, seed)
    count = len(human.systems)
    if count < 2:
        message = f"hybrids need two systems, and there is {count}"
        raise InputError(message)
    # NumPy promises never to change the numbers of this older interface.
    random = np.random.RandomState(np.random.MT19937(np.random.SeedSequence(seed)))
    first = random.randint(0, count, samples, dtype=np.int64)
    second = (first + random.randint(1, count, samples, dtype=np.int64)) % count

    def sums(rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the summed rows of all hybrids."""
        systems, segments, width = rows.shape
        table = rows.transpose(1, 0, 2).reshape(segments, systems * width)
        heads = draw_sums(
            "randomisation", table, samples, seed=seed, threads=threads
        ).reshape(samples, systems, width)
        every = np.arange(samples)
        total = rows.sum(axis=1)
        mixed: NDArray[np.float64] = (
            heads[every, first] + total[second] - heads[every, second]
        )
        return mixed

    def means(values: NDArray[np.float64]) -> NDArray[np.float64]:
        there = ~np.isnan(values)
        parts = sums(np.stack([np.where(there, values, 0.0), there], axis=-1))
        if (parts[:, 1] < 0.5).any():
            message = "some hybrid has no scores at all; there are too many gaps"
            raise InputError(message)
        out: NDArray[np.float64] = parts[:, 0] / parts[:, 1]
        return out

    gold = means(human.values)
    scores: dict[str, NDArray[np.float64]] = {}
    for name, metric in metrics.items():
        if isinstance(metric, Corpus):
            if metric.rows.shape[:2] != human.shape:
                message = (
                    f"statistics of {name!r} are for {metric.rows.shape[:2]} systems "
                    f"and segments, human scores for {human.shape}; give the same"
                )
                raise InputError(message)
            scores[name] = np.asarray(metric.from_statistics(sums(metric.rows)))
        else:
            scores[name] = means(align(human, metric))
    coefficients = {name: pearson(gold, values) for name, values in scores.items()}
    tests = []
    for a, b in combinations(metrics, 2):
        r_a, r_b = coefficients[a], coefficients[b]
        between = pearson(scores[a], scores[b])
        if r_a is None or r_b is None or between is None:
            tests.append(WilliamsTest(a, b, None, None))
        else:
            outcome = williams(r_a, r_b, between, samples)
            tests.append(WilliamsTest(a, b, r_a - r_b, outcome))
    return HybridTests(coefficients, tests, samples, seed)
