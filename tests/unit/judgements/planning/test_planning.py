# SPDX-License-Identifier: Apache-2.0
"""How many judgements, and which ones next."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.judgements import Judgements, Place, Ranking, Rating
from tertium.judgements.planning.comparisons import judge_next, plan_judgements
from tertium.judgements.planning.rating_plans import plan_ratings


def games(*counts: tuple[str, int]) -> Judgements:
    """Return comparisons: ``("AB", 3)`` for A before B, ``("A=B", 1)`` for a tie."""
    results = []
    for text, number in counts:
        for i in range(number):
            worse = 1 if "=" in text else 2
            places = (Place((text[0],), 1), Place((text[-1],), worse))
            results.append(Ranking(places, f"s{i % 10}"))
    return Judgements.from_iterable(results)


def exact_power(share: float, ties: float, size: int) -> float:
    """Return the power of the sign test by summing over all outcomes."""
    from scipy.stats import binom, binomtest

    power = 0.0
    for decided in range(size + 1):
        weight = binom.pmf(decided, size, 1 - ties)
        for won in range(decided // 2 + 1, decided + 1):
            if binomtest(won, decided).pvalue < 0.05:
                power += weight * binom.pmf(won, decided, share)
    return float(power)


def test_power_of_a_pair_is_that_of_the_sign_test():
    plan = plan_judgements(games(("AB", 14), ("BA", 6), ("A=B", 5)), simulations=4000)
    (pair,) = plan.pairs
    assert (pair.better, pair.worse, pair.comparisons) == ("A", "B", 25)
    assert (pair.share, pair.ties) == (0.7, 0.2)
    assert pair.power == pytest.approx(exact_power(0.7, 0.2, 25), abs=0.03)
    assert exact_power(0.7, 0.2, pair.needed) == pytest.approx(0.8, abs=0.05)


def test_smaller_differences_and_more_power_need_more_judgements():
    needed = [
        plan_judgements(games(("AB", won), ("BA", 100 - won))).pairs[0].needed
        for won in (55, 60, 70, 90)
    ]
    assert needed == sorted(needed, reverse=True)
    result = games(("AB", 60), ("BA", 40))
    by_power = [
        plan_judgements(result, power=p).pairs[0].needed for p in (0.5, 0.8, 0.95)
    ]
    assert by_power == sorted(by_power)


def test_equal_systems_can_never_be_told_apart():
    (pair,) = plan_judgements(games(("AB", 5), ("BA", 5), ("A=B", 2))).pairs
    assert pair.needed is None


def test_hardest_pairs_come_first_and_larger_campaigns_separate_more():
    result = games(
        ("AB", 60), ("BA", 40), ("AC", 80), ("CA", 20), ("BC", 75), ("CB", 25)
    )
    plan = plan_judgements(result)
    assert (plan.pairs[0].better, plan.pairs[0].worse) == ("A", "B")
    shares = [size.separated for size in plan.sizes]
    assert shares == sorted(shares)
    assert plan.sizes[1].rankings == 300
    assert plan == plan_judgements(result)
    assert len(plan_judgements(result, systems=["A", "C"]).pairs) == 1


def test_wrong_plans_are_rejected():
    result = games(("AB", 3))
    for wrong in (
        {"power": 1.0},
        {"alpha": 0},
        {"simulations": 0},
        {"systems": ["A", "X"]},
    ):
        with pytest.raises(InputError):
            plan_judgements(result, **wrong)
    with pytest.raises(InputError, match="no two"):
        plan_judgements(games(("AB", 3), ("CD", 3)), systems=["A", "C"])
    with pytest.raises(InputError, match="no comparisons"):
        plan_judgements(Judgements.from_iterable([]))


def test_language_pairs_are_not_mixed():
    result = Judgements.from_iterable(
        Ranking((Place(("A",), 1), Place(("B",), 2)), "1", langpair=pair)
        for pair in ("cs-en", "de-en")
    )
    for ask in (plan_judgements, judge_next):
        with pytest.raises(InputError, match="cs-en, de-en"):
            ask(result)


def test_the_least_certain_pair_is_judged_next():
    result = games(("AB", 30), ("BA", 28), ("AC", 55), ("CA", 3), ("BC", 54), ("CB", 4))
    items = judge_next(result, 20)
    pairs = Counter((item.a, item.b) for item in items)
    assert pairs.most_common(1)[0][0] == ("A", "B")
    # Every comparison makes the next one of the same pair less worthwhile.
    gains = [item.gain for item in items]
    assert gains == sorted(gains, reverse=True)
    assert all(gain > 0 for gain in gains)


def test_pairs_are_spread_over_segments_that_they_were_not_judged_on():
    result = Judgements.from_iterable(
        Ranking((Place(("A",), 1 + i % 2), Place(("B",), 2 - i % 2)), f"s{i}")
        for i in range(4)
    )
    names = [f"s{i}" for i in range(8)]
    items = judge_next(result, 4, segments=names)
    assert {item.segment for item in items} == set(names[4:])
    assert judge_next(result, 4, segments=names) == items
    assert judge_next(result, 4, segments=names, seed=1) != items


def test_systems_that_are_always_equal_are_not_worth_judging():
    result = games(("A=B", 60), ("AC", 22), ("CA", 18), ("BC", 22), ("CB", 18))
    assert all({i.a, i.b} != {"A", "B"} for i in judge_next(result, 5))


def test_wrong_options_are_rejected():
    result = games(("AB", 3))
    with pytest.raises(InputError, match="no system 'X'"):
        judge_next(result, systems=["A", "X"])
    with pytest.raises(InputError, match="two systems"):
        judge_next(result, systems=["A"])
    with pytest.raises(InputError, match="count"):
        judge_next(result, -1)
    with pytest.raises(InputError, match="segments"):
        judge_next(result, segments=[])


# ------------------------------------------------------------------------ ratings


def rated(gap: float, number: int = 60) -> Judgements:
    rng = np.random.default_rng(2)
    gaps = rng.normal(size=number)
    gaps += gap - gaps.mean()
    return Judgements.from_iterable(
        Rating(name, 50 + (name == "A") * float(g), "DA", str(i))
        for i, g in enumerate(gaps)
        for name in "AB"
    )


def test_power_for_ratings_is_that_of_the_t_test():
    from scipy.stats import nct, t

    (plan,) = plan_ratings(rated(0.3), method="mean", simulations=4000)
    assert (plan.better, plan.worse, plan.segments) == ("A", "B", 60)
    assert plan.difference == pytest.approx(0.3)

    def exact(size: int) -> float:
        effect = plan.difference / plan.deviation * size**0.5
        return float(1 - nct.cdf(t.ppf(0.975, size - 1), size - 1, effect))

    assert plan.power == pytest.approx(exact(60), abs=0.05)
    assert exact(plan.needed) == pytest.approx(0.8, abs=0.05)
    assert plan_ratings(rated(0.3), method="mean") == plan_ratings(
        rated(0.3), method="mean"
    )


def test_small_differences_of_ratings_need_many_segments():
    needed = [
        plan_ratings(rated(gap), method="mean")[0].needed for gap in (0.01, 0.1, 1.0)
    ]
    assert needed[0] == pytest.approx((2.8 / 0.01) ** 2 * 0.99, rel=0.2)
    assert needed == sorted(needed, reverse=True)
    assert plan_ratings(rated(0.0), method="mean")[0].needed is None


def test_ratings_that_share_no_segments_have_no_plan():
    result = Judgements.from_iterable(
        Rating(name, i, "DA", name + str(i)) for name in "AB" for i in range(3)
    )
    with pytest.raises(InputError, match="shared"):
        plan_ratings(result)
    for wrong in ({"power": 0}, {"simulations": 0}, {"method": "wins"}):
        with pytest.raises(InputError):
            plan_ratings(rated(1.0), **wrong)
