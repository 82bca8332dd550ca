# SPDX-License-Identifier: Apache-2.0
"""Made-up training data, and numeric gradients."""

from __future__ import annotations

import numpy as np

from tertium.learn.examples import Examples, SystemPairs
from tertium.learn.profile import Profile

NAMES = ("char1.min", "char1.max", "char2.min", "char2.max", "length.word")


def small_profile() -> Profile:
    """A profile of five features, four rising and one falling."""
    return Profile.from_json(
        {
            "name": "small",
            "summary": "for tests",
            "lowercase": False,
            "features": [
                {
                    "kind": "units",
                    "units": ["char1", "char2"],
                    "values": ["min", "max"],
                },
                {"kind": "length", "of": ["word"]},
            ],
        }
    )


def random_examples(
    seed: int = 1,
    *,
    pairs: int = 60,
    candidates: int = 30,
    features: int = 5,
    noise: float = 0.3,
    low: float = 0.0,
) -> Examples:
    """Pairs whose order follows hidden weights, with noise."""
    random = np.random.default_rng(seed)
    # features of one text are alike, as those of texts are
    rows = random.uniform(low, 1, (candidates, 1)) * 0.5
    rows = rows + 0.5 * random.uniform(low, 1, (candidates, features))
    hidden = np.random.default_rng(99).normal(size=features)
    first = random.integers(candidates, size=pairs)
    second = (first + 1 + random.integers(candidates - 1, size=pairs)) % candidates
    values = rows @ hidden
    right = values[first] - values[second] + random.normal(0, noise, pairs) > 0
    return Examples(
        rows,
        np.where(right, first, second),
        np.where(right, second, first),
        random.uniform(0.5, 2, pairs),
    )


def random_systems(
    seed: int = 2, *, pairs: int = 4, candidates: int = 30, size: int = 6
) -> SystemPairs:
    random = np.random.default_rng(seed)
    corpora = [random.integers(candidates, size=size + i) for i in range(4)]
    chosen = [random.choice(4, size=2, replace=False) for _ in range(pairs)]
    return SystemPairs(
        [corpora[a] for a, _ in chosen],
        [corpora[b] for _, b in chosen],
        random.uniform(0.05, 0.4, pairs),
    )


def numeric_gradient(function, point, step: float = 1e-6):
    """Central differences."""
    gradient = np.zeros_like(point)
    for i in range(len(point)):
        up, down = point.copy(), point.copy()
        up[i] += step
        down[i] -= step
        gradient[i] = (function(up) - function(down)) / (2 * step)
    return gradient
