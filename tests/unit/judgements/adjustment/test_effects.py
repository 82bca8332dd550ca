# SPDX-License-Identifier: Apache-2.0
"""Effects on ratings have the intervals that the model's covariance matrix gives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, t

from tertium.errors import InputError, NotDefinedError
from tertium.judgements.adjustment.effects import Effect, estimate_effects
from tertium.judgements.adjustment.mixed import fit_mixed


def ratings(seed, *, judges=8, items=14, share=0.7):
    """Return scores by judges of items, about 7 of 10, with a covariate of items."""
    rng = np.random.default_rng(seed)
    judge, item = np.nonzero(rng.random((judges, items)) < share)
    damage = rng.integers(0, 9, items).astype(float)
    scores = (
        0.7
        - 0.03 * damage[item]
        + rng.normal(0, 0.1, judges)[judge]
        + rng.normal(0, 0.08, items)[item]
        + rng.normal(0, 0.15, len(item))
    )
    return scores, judge, item, damage[item]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_intervals_are_those_of_the_covariance_matrix(seed):
    """Slow and obvious: invert the covariance of the scores, as wide as they are."""
    scores, judge, item, damage = ratings(seed)
    effects = estimate_effects(scores, judge, item, covariates=damage)
    fit = fit_mixed(scores, [judge, item], covariates=damage)
    of_judge, of_item = np.eye(judge.max() + 1)[judge], np.eye(item.max() + 1)[item]
    columns = np.stack([np.ones(len(scores)), damage], axis=1)
    covariance = (
        fit.variances[0] * of_judge @ of_judge.T
        + fit.variances[1] * of_item @ of_item.T
        + fit.residual * np.eye(len(scores))
    )
    inverse = np.linalg.inv(covariance)
    of_fixed = np.linalg.inv(columns.T @ inverse @ columns)
    wide = t.ppf(0.975, item.max() + 1 - 2)
    shown = [effects.intercept, *effects.covariates]
    for one, value, error in zip(
        shown, fit.fixed, np.sqrt(of_fixed.diagonal()), strict=True
    ):
        assert one.value == pytest.approx(value)
        assert (one.high - one.low) / 2 == pytest.approx(wide * error, rel=1e-6)
    # Prediction errors of judges: G - G Z' P Z G.
    inner = inverse @ columns
    projected = inverse - inner @ of_fixed @ inner.T
    spread = fit.variances[0] * of_judge.T
    error = fit.variances[0] * np.eye(judge.max() + 1) - spread @ projected @ spread.T
    for one, variance in zip(effects.judges, error.diagonal(), strict=True):
        half = norm.ppf(0.975) * np.sqrt(variance)
        assert (one.high - one.low) / 2 == pytest.approx(half, rel=1e-6)


def test_spreads_are_estimated_on_the_scale_of_the_scores():
    scores, judge, item, damage = ratings(4, judges=30, items=60)
    effects = estimate_effects(scores, judge, item, covariates=damage)
    times = estimate_effects(10 * scores, judge, item, covariates=damage)
    for name, known in (("judge_sd", 0.1), ("item_sd", 0.08), ("residual_sd", 0.15)):
        one, tenfold = getattr(effects, name), getattr(times, name)
        assert one.low < one.value < one.high
        assert one.covers(known)
        assert tenfold.high == pytest.approx(10 * one.high, rel=1e-3)
    # The rest has about n - p degrees of freedom, as in any normal sample.
    free = len(scores) - 30 - 60
    log = np.log(effects.residual_sd.high / effects.residual_sd.value)
    assert log == pytest.approx(norm.ppf(0.975) / np.sqrt(2 * free), rel=0.1)


def test_a_spread_of_zero_has_no_interval():
    rng = np.random.default_rng(5)
    judge, item = np.divmod(np.arange(200), 20)
    scores = rng.normal(0, 0.1, 20)[item] + rng.normal(0, 0.2, 200)
    scores -= (
        np.bincount(judge, scores)[judge] / 20
    )  # judges have no means of their own
    effects = estimate_effects(scores, judge, item)
    assert effects.judge_sd.value == pytest.approx(0, abs=1e-6)
    assert effects.judge_sd == Effect(effects.judge_sd.value, None, None)
    assert not effects.judge_sd.covers(0)
    assert effects.item_sd.low is not None


def test_too_few_items_and_wrong_confidence_are_rejected():
    with pytest.raises(NotDefinedError, match="2 items cannot tell 2 coefficients"):
        estimate_effects(
            [1, 2, 3, 4], [0, 0, 1, 1], [0, 1, 0, 1], covariates=[0, 1, 0, 1]
        )
    with pytest.raises(InputError, match="confidence is 95"):
        estimate_effects([1, 2], [0, 1], [0, 1], confidence=95)
