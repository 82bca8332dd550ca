# SPDX-License-Identifier: Apache-2.0
"""Pearson's correlation of pairwise differences."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tertium import correlate
from tertium.meta.agreement.pairwise_differences import pair_sums, pdp, segment_sums
from tertium.meta.files.mtme import human_of, read_mtme
from tests.oracles.error_spans import pairwise_difference_pearson

_SCORES = st.integers(-5, 5).map(float)


@given(st.data(), st.integers(2, 4), st.integers(1, 4))
def test_pdp_is_the_correlation_of_all_differences(data, systems, segments):
    human, metric = (
        data.draw(arrays(float, (systems, segments), elements=_SCORES)) for _ in "ab"
    )
    expected = pairwise_difference_pearson(human.tolist(), metric.tolist())
    value = float(pdp(segment_sums(human, metric).sum(axis=0)))
    if expected is None:
        assert np.isnan(value) or abs(value) <= 1
    else:
        assert value == pytest.approx(expected, abs=1e-9)
    by_pair = pair_sums(human, metric).sum(axis=(0, 1)) / 2
    assert by_pair == pytest.approx(segment_sums(human, metric).sum(axis=0), abs=1e-7)


def test_pdp_leaves_out_missing_scores():
    nan = np.nan
    human = np.array([[1.0, 2, nan], [3, 1, 4], [nan, 5, 1]])
    metric = np.array([[0.0, 1, 2], [2, nan, 1], [4, 3, 5]])
    # Segment 1 has systems 1 and 2, segment 2 systems 1 and 3, segment 3 2 and 3.
    x, y = np.array([-2.0, -3, 3]), np.array([-2.0, -2, -4])
    expected = (x @ y) / np.sqrt((x @ x) * (y @ y))
    assert float(pdp(segment_sums(human, metric).sum(axis=0))) == pytest.approx(
        expected
    )


def test_pdp_ignores_how_hard_segments_are():
    generator = np.random.default_rng(1)
    human, metric = generator.normal(size=(2, 5, 8))
    value = pdp(segment_sums(human, metric).sum(axis=0))
    moved = pdp(segment_sums(human + 100 * np.arange(8), metric).sum(axis=0))
    assert moved == pytest.approx(value)


def test_correlate_has_pdp_with_intervals():
    for over in ("segments", "systems"):
        result = correlate(
            "demo",
            metrics=["chrf"],
            coef=["pdp"],
            resamples=50,
            over=over,
            gold="ratings",
        )
        value = result.get("en-de", "chrf", "pdp")
        assert value.value is not None
        if value.interval is not None:
            assert value.interval[0] <= value.value <= value.interval[1]


@pytest.mark.wmt
def test_real_scores_have_the_correlation_of_both_orders(wmt_data):
    folder = read_mtme(wmt_data / "wmt23-mtme", "en-de")
    human = human_of(folder, "mqm")
    people = np.array(human.ratings, dtype=float)
    values = {}
    for metric in folder.metrics:
        scores = np.array(
            [[metric.segment[s][i] for i in human.segments] for s in human.systems]
        )
        pairs = list(permutations(range(len(people)), 2))
        x, y = (
            np.concatenate([each[a] - each[b] for a, b in pairs])
            for each in (people, scores)
        )
        value = float(pdp(segment_sums(people, scores).sum(axis=0)))
        assert value == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-12)
        values[metric.name] = round(value, 3)
    assert values["BLEU-refA"] == 0.242
    assert max(values, key=values.get) == "XCOMET-Ensemble-refA"
