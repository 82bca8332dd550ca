# SPDX-License-Identifier: Apache-2.0
"""Small random matrices with ties and gaps."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tertium.meta import ScoreMatrix


def matrix(values: np.ndarray) -> ScoreMatrix:
    """Return a matrix of (segments, systems)."""
    segments, systems = values.shape
    return ScoreMatrix(
        tuple(f"sys{i}" for i in range(systems)),
        tuple(str(s) for s in range(segments)),
        values.T,
    )


@st.composite
def tables(draw, metrics=2, most_systems=6, most_segments=6, gaps=True):
    """Return people's scores (segments, systems) and metrics of the same shape."""
    shape = (draw(st.integers(1, most_segments)), draw(st.integers(2, most_systems)))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    human = random.integers(0, draw(st.integers(1, 6)), shape).astype(float)
    if gaps:
        human[random.random(shape) < draw(st.sampled_from([0, 0, 0.3]))] = np.nan
    levels = [draw(st.sampled_from([1, 2, 5, 1000])) for _ in range(metrics)]
    scores = np.array([random.integers(0, n, shape) / 4 for n in levels])
    return human, scores


def many(metrics=4, segments=80, systems=6, seed=0):
    """Return people's scores and those of metrics, each with more noise."""
    random = np.random.default_rng(seed)
    human = random.integers(0, 6, (segments, systems)).astype(float)
    noise = random.normal(size=(metrics, segments, systems))
    scores = [human + (1 + k) * noise[k] for k in range(metrics)]
    return matrix(human), {f"m{k}": matrix(one) for k, one in enumerate(scores)}
