# SPDX-License-Identifier: Apache-2.0
"""Outcomes of two candidates, from rankings and from comparisons of systems."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.judgements import (
    Judgements,
    Place,
    Ranking,
    agree,
    demo_files,
    pooled_agreement,
)
from tertium.judgements.agreement.outcomes import outcomes, outcomes_of, time_slices
from tertium.judgements.agreement.tally import Ledger, Tally

CANDIDATES = {"1": ("A", "BC", "D", "E"), "2": ("AB", "C", "DE"), "3": tuple("ABCDE")}


@st.composite
def rankings(draw):
    segment = draw(st.sampled_from(sorted(CANDIDATES)))
    shown = draw(
        st.lists(st.sampled_from(CANDIDATES[segment]), min_size=2, unique=True)
    )
    places = tuple(Place(tuple(s), draw(st.integers(1, 3))) for s in shown)
    judge = draw(st.sampled_from(["x", "y", "z", None]))
    return Ranking(places, segment=segment, judge=judge)


@given(st.lists(rankings(), min_size=1, max_size=25))
@settings(max_examples=40, deadline=None)
def test_comparisons_of_systems_have_the_kappa_of_rankings(rankings):
    table = Judgements.from_iterable(rankings)
    one = pooled_agreement(table, pairs=True)
    two = pooled_agreement(outcomes_of(table.comparisons()), pairs=True)
    for kind in ("intra", "inter"):
        ours, theirs = getattr(one, kind), getattr(two, kind)
        assert (ours.agreed, ours.compared) == (theirs.agreed, theirs.compared)
        assert ours.value == pytest.approx(theirs.value)
    assert one.comparisons == two.comparisons
    assert one.ties == pytest.approx(two.ties)
    assert one.pairs.keys() == two.pairs.keys()


def test_blocks_of_rows_change_no_pair_of_judges(monkeypatch):
    result = outcomes(Judgements.read(demo_files()[0]).rankings)
    whole = pooled_agreement(result, pairs=True).pairs
    for rows in (1, 7, 100):
        monkeypatch.setattr("tertium.judgements.agreement.tally._BLOCK", rows)
        assert pooled_agreement(result, pairs=True).pairs == whole


def test_sums_are_the_same_with_and_without_segments():
    result = outcomes(Judgements.read(demo_files()[0]).rankings)
    tally = Tally.of(result)
    sums = []
    for keep in (True, False):
        ledger = Ledger(result.segments, keep=keep)
        for k, amount in enumerate(tally.counts()):
            ledger.add(k, tally.segment, amount)
            ledger.add(4 + tally.judge, tally.segment, amount)
        sums.append(ledger.totals(20))
    assert sums[0] == pytest.approx(sums[1])


def test_slices_of_time_have_alpha_and_kappa_of_fleiss():
    demo = Judgements.read("demo")
    report = agree(demo, by="time", slices=2, intervals=True, resamples=50)
    slices = [group for group in report.groups[1:] if group.rankings is not None]
    assert len(slices) == 2
    for group in slices:
        assert set(group.outcomes) == {"alpha", "fleiss"}
        for one in group.outcomes.values():
            assert one.interval[0] < one.value < one.interval[1]
    timed, number = time_slices(outcomes(demo.rankings), 2)
    assert len(timed) == len(number)
    assert set(number.tolist()) == {0, 1}
