# SPDX-License-Identifier: Apache-2.0
"""Samples to annotate, and what annotations tell about the other outputs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.judgements.reuse.budget import Belief
from tertium.judgements.reuse.model import Prediction


def prediction(outputs: int = 60, hits: int = 10, seed: int = 1) -> Prediction:
    """Return predictions of outputs, the first of which equal judged ones."""
    rng = np.random.default_rng(seed)
    predicted = rng.normal(70, 10, outputs)
    return Prediction(
        float(predicted.mean()),
        np.arange(outputs),
        predicted,
        4.0,
        8,
        rng.lognormal(1, 0.7, outputs),
        np.arange(outputs) < hits,
    )


@given(st.integers(1, 70), st.integers(0, 1000))
@settings(max_examples=20)
def test_a_sample_has_the_size_asked_for_and_no_output_twice(number, seed):
    belief = Belief.of(prediction(seed=seed))
    chosen = belief.choose(number, np.random.default_rng(seed))
    assert len(chosen) == len(set(chosen)) == min(number, 60)
    if number <= 50:
        assert min(chosen) >= 10  # no hits


def test_outputs_are_drawn_as_often_as_their_noise_says():
    belief = Belief.of(prediction())
    rng = np.random.default_rng(5)
    counts = np.zeros(60)
    for _ in range(400):
        counts[belief.choose(8, rng)] += 1
    noise = belief.noise[10:]
    expected = 8 * noise / noise.sum()
    assert expected.max() < 1
    error = np.sqrt(expected * (1 - expected) / 400)
    assert np.abs((counts[10:] / 400 - expected) / error).max() < 4.5


def test_one_output_is_drawn_from_every_stratum_of_predicted_scores():
    belief = Belief.of(prediction(hits=0))
    order = np.argsort(belief.predicted)
    noise = belief.noise[order] / belief.noise.sum()
    ends = dict(zip(order.tolist(), np.cumsum(noise), strict=True))
    chosen = belief.choose(6, np.random.default_rng(2))
    for stratum, end in enumerate(sorted(ends[output] for output in chosen)):
        assert stratum / 6 < end < (stratum + 1) / 6 + noise.max()


def test_annotated_outputs_are_not_drawn_again():
    known = np.full(60, np.nan)
    known[20:40] = 50.0
    belief = Belief.of(prediction(), known)
    chosen = belief.choose(40, np.random.default_rng(1))
    assert not set(chosen) & set(range(20, 40))


def test_everything_annotated_gives_the_mean_without_doubt():
    known = np.linspace(0, 100, 60)
    belief = Belief.of(prediction(), known)
    assert belief.score() == pytest.approx(50)
    assert belief.deviation() == pytest.approx(0, abs=1e-6)
    assert belief.choose(5, np.random.default_rng(1)) == []


def test_variances_fall_to_those_of_the_belief_after_annotation():
    each = prediction()
    chosen = [3, 20, 40, 59]
    known = np.full(60, np.nan)
    known[chosen] = 60.0
    variances = Belief.of(each).variances(chosen)
    assert (np.diff(variances) < 0).all()
    assert np.sqrt(variances[0]) == pytest.approx(4.0)
    assert np.sqrt(variances[-1]) == pytest.approx(Belief.of(each, known).deviation())


def test_samples_are_nearer_to_the_truth_than_random_choice():
    each = prediction(outputs=200, hits=40)
    rng = np.random.default_rng(3)
    belief = Belief.of(each)
    errors: dict[str, list[float]] = {"sample": [], "random": []}
    for _ in range(100):
        error = rng.normal(0, 1) * belief.missed
        truth = each.outputs + belief.noise * (error + rng.normal(0, 1, 200))
        for how, chosen in (
            ("sample", belief.choose(30, rng)),
            ("random", rng.permutation(200)[:30]),
        ):
            known = np.full(200, np.nan)
            known[chosen] = truth[chosen]
            after = Belief.of(each, known).score()
            errors[how].append(abs(after - truth.mean()))
    assert np.mean(errors["sample"]) < 0.95 * np.mean(errors["random"])
