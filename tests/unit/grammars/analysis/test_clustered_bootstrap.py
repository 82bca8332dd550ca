# SPDX-License-Identifier: Apache-2.0
"""The bootstrap over templates: against a plain twin, and at its edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.clustered import clustered_scores
from tertium.errors import InputError
from tertium.grammars.analysis.bootstrap import (
    bootstrap_for,
    caution,
    clusters_of,
    sample_weights,
)
from tertium.stats import Bootstrap

names = st.lists(st.sampled_from(["", "a", "b", "c"]), min_size=1, max_size=12)


def sampled(clusters, bootstrap):
    """Return the weights of all resamples together."""
    return np.concatenate(list(sample_weights(clusters, bootstrap)))


@given(names, st.integers(0, 99))
def test_templates_are_sampled_whole(templates, seed):
    clusters = clusters_of(templates)
    assert sorted(place for cluster in clusters for place in cluster) == [
        *range(len(templates))
    ]
    for row in sampled(clusters, Bootstrap(5, seed=seed)):
        times = [row[cluster].sum() / len(cluster) for cluster in clusters]
        assert all(often == int(often) for often in times)
        assert sum(times) == len(clusters)


def test_intervals_equal_those_of_the_plain_twin():
    generator = np.random.default_rng(5)
    templates = [name for name in "abcde" for _ in range(8)]
    level = {name: place / 4 for place, name in enumerate("abcde")}
    costs = np.array([level[name] + generator.random() / 2 for name in templates])
    lengths = generator.integers(3, 9, size=len(costs))
    weights = sampled(clusters_of(templates), Bootstrap(8000, seed=1))
    ours = weights @ costs / (weights @ lengths)
    plain = clustered_scores(
        templates, costs.tolist(), lengths.tolist(), resamples=8000, seed=2
    )
    assert np.mean(ours) == pytest.approx(np.mean(plain), abs=0.001)
    assert np.std(ours) == pytest.approx(np.std(plain), rel=0.05)
    for share in (0.025, 0.5, 0.975):
        assert np.quantile(ours, share) == pytest.approx(
            np.quantile(plain, share), abs=0.004
        )
    # Segments alone would vary far less: templates differ.
    alone = sampled([[p] for p in range(len(costs))], Bootstrap(2000))
    assert np.std(alone @ costs / (alone @ lengths)) < 0.8 * np.std(ours)


def test_segments_without_template_are_resampled_plainly():
    assert clusters_of(["", ""]) == [[0], [1]]
    assert "2 segments" in caution(["", ""])
    assert "1 segment;" in caution([""])
    assert caution([""] * 10) == ""


def test_one_template_varies_by_its_segments_alone():
    weights = sampled([[0, 1, 2]], Bootstrap(50))
    assert set(weights.sum(axis=1)) == {3.0}
    assert len(np.unique(weights, axis=0)) > 3


def test_few_templates_are_called_few():
    assert "one template" in caution(["a", "a"])
    assert "3 templates" in caution(["a", "b", "c"])
    assert caution([f"t{place}" for place in range(10)]) == ""
    assert caution([]) == ""


def test_the_same_seed_gives_the_same_resamples():
    bootstrap = Bootstrap(20, seed=0)
    one, other = (sampled([[0, 1], [2]], bootstrap) for _ in range(2))
    assert (one == other).all()


def test_many_systems_get_more_resamples_by_default():
    assert bootstrap_for(2).resamples == 1000
    assert bootstrap_for(20).resamples > 1000
    assert bootstrap_for(20, resamples=10).resamples == 10
    with pytest.raises(InputError, match="seed"):
        bootstrap_for(2, seed=-1)
