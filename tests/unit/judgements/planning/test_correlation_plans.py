# SPDX-License-Identifier: Apache-2.0
"""Plans for correlations: formulas against simulations and published sizes."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest

from tertium.errors import InputError, UnknownNameError
from tertium.judgements import Judgements
from tertium.judgements.judgement import Rating
from tertium.judgements.planning.correlation_plans import (
    CorrelationAim,
    plan_correlation,
)
from tertium.judgements.planning.correlation_simulation import (
    _mean_severity,
    _subsets,
    simulate_correlation,
)
from tertium.judgements.planning.judge_noise import (
    JudgeNoise,
    observed,
    pilot_noise,
    reliability,
)
from tertium.stats.correlation import fisher_interval

NOISY = JudgeNoise(item=1, judge=0.7, taste=0.9, repeat=0.5)


@pytest.mark.parametrize(
    ("coefficient", "rho", "width"), [("pearson", 0.6, 0.2), ("spearman", -0.45, 0.3)]
)
def test_widths_agree_with_simulations(coefficient, rho, width):
    aim = CorrelationAim(rho=rho, width=width, coefficient=coefficient)
    for plan in plan_correlation(aim, noise=NOISY, per_item=(1, 4), per_judge=40):
        shown = simulate_correlation(plan, aim, noise=NOISY, simulations=1000)
        assert plan.width <= width
        # Three standard errors of the two quantiles.
        assert shown.simulated == pytest.approx(plan.width, rel=0.09)


@pytest.mark.parametrize(
    ("coefficient", "other", "adjusted"),
    [("pearson", 0.4, False), ("spearman", 0.45, True), ("spearman", 0.7, False)],
)
def test_power_agrees_with_simulations(coefficient, other, adjusted):
    aim = CorrelationAim(rho=0.6, other=other, between=0.6, coefficient=coefficient)
    for plan in plan_correlation(
        aim, noise=NOISY, per_item=(2, 6), per_judge=60, adjusted=adjusted
    ):
        shown = simulate_correlation(
            plan, aim, noise=NOISY, adjusted=adjusted, simulations=700
        )
        assert plan.power >= 0.8
        # Three standard errors, and what the approximation is off by.
        assert shown.simulated == pytest.approx(plan.power, abs=0.045 + 0.02)


def test_sizes_are_the_smallest_that_are_enough():
    aim = CorrelationAim(rho=0.5, width=0.2, coefficient="pearson")
    (plan,) = plan_correlation(aim, per_item=[1])
    # As Fisher's interval has it, and as tables of sample sizes print it.
    widths = [np.ptp(fisher_interval(0.5, n)) for n in (plan.items - 1, plan.items)]
    assert widths[0] > 0.2 >= widths[1]
    # Bonett and Wright 2000: Spearman needs 1 + rho² / 2 times as many, less 3.
    ranks = CorrelationAim(rho=0.5, width=0.2)
    (spearman,) = plan_correlation(ranks, per_item=[1])
    assert spearman.items - 3 == pytest.approx((plan.items - 3) * 1.125, abs=1.5)


def test_more_judges_of_an_item_need_fewer_items():
    aim = CorrelationAim(rho=0.6, width=0.2)
    plans = {p.per_item: p for p in plan_correlation(aim, noise=NOISY)}
    items = [plans[k].items for k in (1, 2, 3, 5, 10)]
    assert items == sorted(items, reverse=True)
    for plan in plans.values():
        assert plan.judgements == plan.items * plan.per_item
        assert plan.judges == max(plan.per_item, math.ceil(plan.judgements / 50))
        assert plan.rho == pytest.approx(observed(0.6, plan.reliability))
    repeated = plan_correlation(aim, noise=NOISY, per_item=[2], repeats=3)[0]
    assert repeated.items < plans[2].items
    free = plan_correlation(aim, noise=NOISY, per_item=[2], adjusted=True)[0]
    assert free.items < plans[2].items


def test_a_corrected_interval_pays_for_the_noise_of_judges():
    aim = CorrelationAim(rho=0.6, width=0.2, corrected=True)
    (plan,) = plan_correlation(aim, noise=NOISY, per_item=[2])
    (plain,) = plan_correlation(
        CorrelationAim(rho=0.6, width=plan.width * math.sqrt(plan.reliability)),
        noise=NOISY,
        per_item=[2],
    )
    assert plan.items == plain.items
    shown = simulate_correlation(plan, aim, noise=NOISY, simulations=1000)
    assert shown.simulated == pytest.approx(plan.width, rel=0.09)


def test_a_pilot_says_how_noisy_judges_are():
    rng = np.random.default_rng(2)
    items, severity = rng.normal(0, 0.3, 60), rng.normal(0, 0.2, 15)
    ratings = [
        Rating("s", items[i] + severity[j] + rng.normal(0, 0.4), "x", f"{i}", f"j{j}")
        for i in range(60)
        for j in rng.choice(15, 6, replace=False)
    ]
    noise = pilot_noise(Judgements.from_iterable(ratings))
    assert noise.item == pytest.approx(items.std(ddof=1), rel=0.25)
    assert noise.judge == pytest.approx(severity.std(ddof=1), rel=0.4)
    assert noise.taste == pytest.approx(0.4, rel=0.1)
    assert noise.repeat == 0


def test_reliability_is_the_squared_correlation_with_true_scores():
    rng = np.random.default_rng(1)
    items, judges = 4000, 12
    true = rng.normal(0, NOISY.item, items)
    severity = rng.normal(0, 1, judges)
    severity *= NOISY.judge / severity.std(ddof=1)  # the very judges, not a population
    means = true.copy()
    for item in range(items):
        chosen = rng.choice(judges, 3, replace=False)
        taste = rng.normal(0, NOISY.taste, 3)
        noise = rng.normal(0, NOISY.repeat, (3, 2)).mean(axis=1)
        means[item] += (severity[chosen] + taste + noise).mean()
    share = np.corrcoef(true, means)[0, 1] ** 2
    known = reliability(NOISY, per_item=3, repeats=2, judges=judges)
    assert share == pytest.approx(known, abs=0.03)
    assert known > reliability(NOISY, per_item=3, repeats=2)


def test_an_unreachable_aim_has_no_size():
    aim = CorrelationAim(rho=0.5, other=0.4999, between=0.1)
    (plan,) = plan_correlation(aim, per_item=[1])
    assert (plan.items, plan.judges, plan.judgements, plan.power) == (None,) * 4
    assert simulate_correlation(plan, aim) == plan


def test_all_sizes_up_to_the_largest_are_tried():
    """Doubling from 5 items passes 655,360 and must not skip what is above."""
    normal = 1.959963984540054
    for items, planned in ((700_000, True), (1_000_000, True), (1_000_001, False)):
        reach = normal / math.sqrt(items - 3)
        width = 2 * math.tanh(reach) * (1 + 1e-9)
        aim = CorrelationAim(rho=0, width=width, coefficient="pearson")
        (plan,) = plan_correlation(aim, per_item=[1])
        assert plan.items == (items if planned else None)


@pytest.mark.parametrize(("number", "total"), [(3, 12), (6, 12), (1, 5), (0, 4)])
def test_sampled_judges_differ_and_are_equally_frequent(number, total):
    rng = np.random.default_rng(1)
    rows = _subsets(20_000, number, total, rng)
    assert rows.shape == (20_000, number)
    assert (np.diff(rows, axis=1) > 0).all()
    counts = np.bincount(rows.ravel(), minlength=total)
    share = number / total
    # Five standard errors.
    error = 5 * math.sqrt(share * (1 - share) / 20_000)
    assert counts / 20_000 == pytest.approx(share, abs=error)


@pytest.mark.parametrize("per_item", [1, 4, 9, 12])
def test_severity_has_the_spread_of_samples_without_replacement(per_item):
    rng = np.random.default_rng(2)
    severity = rng.normal(0, 1, 12)
    means = _mean_severity(severity, 40_000, per_item, rng)
    known = severity.var(ddof=1) / per_item * (1 - per_item / 12)
    assert means.mean() == pytest.approx(severity.mean(), abs=0.02)
    assert means.var() == pytest.approx(known, rel=0.04, abs=1e-12)


def test_large_studies_are_simulated_in_little_memory():
    """All items times all judges would take 15 gigabytes."""
    aim = CorrelationAim(rho=0.5, width=0.01)
    noise = JudgeNoise(judge=0.5)
    (plan,) = plan_correlation(aim, noise=noise, per_item=[10])
    assert plan.items * plan.judges * 8 > 15e9
    tracemalloc.start()
    shown = simulate_correlation(plan, aim, noise=noise, simulations=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert shown.simulated == 0  # the width over one study
    assert peak < 200e6


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rho": 0.5}, "either a width or another"),
        ({"rho": 0.5, "width": 0.1, "other": 0.4}, "either a width or another"),
        ({"rho": 1.0, "width": 0.1}, "rho is 1; a correlation"),
        ({"rho": 0.5, "width": 2.5}, "width is 2.5"),
        ({"rho": 0.5, "other": 0.5}, "no study tells them apart"),
        ({"rho": 0.9, "other": -0.5, "between": 0.9}, "correct between"),
        ({"rho": 0.5, "width": 0.1, "alpha": 5}, "alpha is 5"),
    ],
)
def test_impossible_aims_are_rejected(settings, message):
    with pytest.raises(InputError, match=message):
        CorrelationAim(**settings)


def test_wrong_names_and_noise_are_rejected():
    with pytest.raises(UnknownNameError, match="kendal"):
        CorrelationAim(rho=0.5, width=0.1, coefficient="kendal")
    with pytest.raises(InputError, match="item is 0"):
        JudgeNoise(item=0)
    with pytest.raises(InputError, match="judge is -1"):
        JudgeNoise(judge=-1)
    with pytest.raises(InputError, match="must be 1 or more"):
        plan_correlation(CorrelationAim(rho=0.5, width=0.1), per_item=[0])
