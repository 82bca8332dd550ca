# SPDX-License-Identifier: Apache-2.0
"""The sampling rule of SegRanks (Macháček 2014), on paper and in the database."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support.campaign_data import ANSWER, make_campaign, make_member
from tertium.campaigns.config import Plan
from tertium.campaigns.work.leases import counts, next_assignment, submit
from tertium.campaigns.work.sampling import Counts, due

rates = st.integers(0, 40).map(lambda percent: percent / 100)


def floor(rate: float, number: int) -> int:
    return (Fraction(round(rate * 100), 100) * number).__floor__()


@given(rates, rates, rates, st.integers(0, 400), st.data())
def test_the_rule_as_the_paper_has_it(intra, inter, checks, mine, data):
    n = {
        name: data.draw(st.integers(0, mine)) for name in ("again", "shared", "checks")
    }
    plan = Plan(intra=intra, inter=inter, checks=checks)
    result = due(plan, Counts(mine=mine, **n))
    expected = []
    if n["checks"] < floor(checks, mine):
        expected.append("check")
    if n["again"] < floor(intra, mine):
        expected.append("intra")
    if n["shared"] < floor(inter, mine):
        expected.append("inter")
    assert result == (*expected, "first")


@settings(max_examples=40)
@given(rates, rates, rates, st.booleans(), st.integers(0, 2**32))
@example(0.29, 0.0, 0.0, False, 0)
def test_shares_over_a_long_session(intra, inter, checks, scarce, seed):
    """Every share is at most its floor + 1, and reaches the floor where it can."""
    rng = Random(seed)
    plan = Plan(intra=intra, inter=inter, checks=checks)
    once: list[str] = []
    others = {f"o{n}" for n in range(5 if scarce else 400)}
    twins = 3 if scarce else 400
    mine = again = shared = checked = 0
    for step in range(300):
        assert again <= floor(intra, mine) + 1
        assert shared <= floor(inter, mine) + 1
        assert checked <= floor(checks, mine) + 1
        pools = {"check": checked < twins, "intra": once, "inter": others, "first": 1}
        wanted = due(plan, Counts(mine, again, shared, checked))
        # Whatever lags behind its floor is served now, unless its pool is empty.
        for name, n, rate in (
            ("check", checked, checks),
            ("intra", again, intra),
            ("inter", shared, inter),
        ):
            assert (name in wanted) == (n < floor(rate, mine))
        why = next(name for name in wanted if pools[name])
        if why == "check":
            checked += 1
        elif why == "intra":
            once.remove(rng.choice(once))
            again += 1
        elif why == "inter":
            once.append(others.pop())
            mine, shared = mine + 1, shared + 1
        else:
            once.append(f"m{step}")
            mine += 1
    # What is behind by more than the last few steps had an empty pool.
    slack = 2 if intra + inter + checks < 0.9 else 12
    assert again >= floor(intra, mine) - slack
    if not scarce:
        assert shared >= floor(inter, mine) - slack
        assert checked >= floor(checks, mine) - slack


@pytest.mark.django_db
@settings(max_examples=3)
@given(
    intra=st.sampled_from([0.0, 0.05, 0.1, 0.25]),
    inter=st.sampled_from([0.0, 0.05, 0.2]),
    checks=st.sampled_from([0.0, 0.1]),
)
def test_shares_in_the_database(intra, inter, checks):
    campaign = make_campaign(60, twins=60, intra=intra, inter=inter, checks=checks)
    first, second = make_member(campaign), make_member(campaign)
    for member in (first, second):
        for _ in range(25):
            mine = counts(member)
            held = next_assignment(member)
            if held is None:
                break
            wanted = due(Plan.from_json(campaign.plan), mine)
            # The first one has nobody to share with yet; all else is at hand.
            possible = [w for w in wanted if w != "inter" or member == second]
            assert held.why == possible[0]
            submit(held, ANSWER)
            now = counts(member)
            assert now.again <= floor(intra, now.mine) + 1
            assert now.checks <= floor(checks, now.mine) + 1
            if member == second:
                assert now.shared <= floor(inter, now.mine) + 1


@pytest.mark.django_db
def test_empty_pools_are_passed_over_and_then_it_is_finished():
    campaign = make_campaign(3, intra=0.5, inter=0.5)
    member = make_member(campaign)
    seen = []
    while (held := next_assignment(member)) is not None:
        seen.append(held.why)
        submit(held, ANSWER)
    # 1 of 2 again as soon as two are done; nobody else has judged anything.
    assert seen == ["first", "first", "intra", "first"]
