# SPDX-License-Identifier: Apache-2.0
"""Pooled kappa: against its twin, laws, and inputs without an answer."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.agreement import kappa as slow_kappa
from oracles.agreement import pooled_kappa
from tertium.errors import InputError
from tertium.judgements import Judgements, Place, Ranking, merge
from tertium.judgements.agreement.pooled import (
    agreement_over_time,
    chance_agreement,
    pooled_agreement,
)
from tertium.judgements.estimates import sample_weights
from tertium.stats.resample import Bootstrap, interval

# segment, judge (None: unknown), ranks of a few of five candidates
ANNOTATIONS = st.lists(
    st.tuples(
        st.sampled_from("123"),
        st.sampled_from(["ann", "bob", "eve", None]),
        st.dictionaries(
            st.sampled_from("ABCDE"), st.integers(1, 4), min_size=2, max_size=5
        ),
    ),
    min_size=1,
    max_size=14,
)


FEW = Bootstrap(3)


def judgements(annotations, **more):
    return Judgements.from_iterable(
        Ranking(
            tuple(Place((name,), rank) for name, rank in ranks.items()),
            segment,
            judge=judge,
            **more,
        )
        for segment, judge, ranks in annotations
    )


def same(kappa, counts, ties):
    assert [kappa.agreed, kappa.compared] == list(counts)
    value = slow_kappa(counts, ties)
    if value is None:
        assert kappa.value is None
        assert kappa.reason
    else:
        assert kappa.value == pytest.approx(value)


@given(ANNOTATIONS)
@settings(max_examples=60)
def test_every_figure_is_that_of_the_slow_twin(annotations):
    agreement = pooled_agreement(judgements(annotations), pairs=True)
    ties, intra, inter, of_judge, of_pair = pooled_kappa(annotations)
    assert agreement.ties == pytest.approx(ties)
    same(agreement.intra, intra, ties)
    same(agreement.inter, inter, ties)
    for judge, one in agreement.judges.items():
        same(one.intra, of_judge.get((judge, "intra"), (0, 0)), ties)
        same(one.inter, of_judge.get((judge, "inter"), (0, 0)), ties)
    assert set(agreement.pairs) == set(of_pair)
    for pair, one in agreement.pairs.items():
        same(one, of_pair[pair], ties)
    # Intervals take another way to the pairs.
    drawn = pooled_agreement(judgements(annotations), pairs=True, bootstrap=FEW)
    assert {k: (v.agreed, v.compared, v.value) for k, v in drawn.pairs.items()} == {
        k: (v.agreed, v.compared, v.value) for k, v in agreement.pairs.items()
    }


@given(ANNOTATIONS, st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_names_and_order_change_nothing(annotations, random):
    names = dict(zip(["ann", "bob", "eve"], ["z", "y", "x"], strict=True))
    systems = dict(zip("ABCDE", random.sample("PQRST", 5), strict=True))
    other = [
        (segment + "0", names.get(judge), {systems[s]: r for s, r in ranks.items()})
        for segment, judge, ranks in annotations
    ]
    random.shuffle(other)
    one, two = (pooled_agreement(judgements(x)) for x in (annotations, other))
    assert (one.intra, one.inter, one.ties) == (two.intra, two.inter, two.ties)
    for judge, figures in one.judges.items():
        assert two.judges[names[judge]] == figures


@given(ANNOTATIONS)
@settings(max_examples=30)
def test_the_same_in_another_language_pair_doubles_the_counts_only(annotations):
    one = pooled_agreement(judgements(annotations))
    both = [judgements(annotations, langpair=lp) for lp in ("de-en", "en-de")]
    two = pooled_agreement(merge(both))
    assert two.inter.value == pytest.approx(one.inter.value)
    assert two.inter.compared == 2 * one.inter.compared
    assert two.intra.compared == 2 * one.intra.compared


@given(ANNOTATIONS, st.integers(1, 4))
@settings(max_examples=30)
def test_slices_of_time_share_out_all_comparisons(annotations, slices):
    start = datetime(2026, 1, 1)
    records = [
        Ranking(
            tuple(Place((name,), rank) for name, rank in ranks.items()),
            segment,
            judge=judge,
            time=start + timedelta(minutes=i),
        )
        for i, (segment, judge, ranks) in enumerate(annotations)
    ]
    whole = pooled_agreement(Judgements.from_iterable(records))
    parts = agreement_over_time(
        Judgements.from_iterable(records), slices=slices, bootstrap=Bootstrap(5)
    )
    assert 1 <= len(parts) <= slices
    for kind in ("intra", "inter"):
        for count in ("agreed", "compared"):
            added = sum(getattr(getattr(p, kind), count) for _, _, p in parts)
            assert added == getattr(getattr(whole, kind), count)
    assert all(first <= last for first, last, _ in parts)
    assert sum(p.rankings for _, _, p in parts) == whole.rankings


def test_without_times_there_are_no_slices():
    assert agreement_over_time(judgements([("1", "a", {"A": 1, "B": 2})])) == []
    with pytest.raises(InputError, match="slices"):
        agreement_over_time(judgements([]), slices=0)


# ------------------------------------------------------------- equal outputs, parts


def ranked(judge, *places, **more):
    return Ranking(tuple(Place(s, r) for s, r in places), "1", judge=judge, **more)


def test_equal_outputs_are_one_candidate():
    records = [
        ranked("a", (("A", "B"), 1), (("C",), 2)),
        ranked("b", (("A", "B"), 1), (("C",), 2)),
    ]
    agreement = pooled_agreement(Judgements.from_iterable(records))
    assert (agreement.comparisons, agreement.inter.compared) == (2, 1)


def test_garbage_is_the_worst_whatever_its_number():
    thrown = (Place(("A",), 1, garbage=True), Place(("B",), 2))
    records = [
        Ranking(thrown, "1", judge="a"),
        ranked("b", (("A",), 2), (("B",), 1)),
        Ranking((*thrown, Place(("C",), 9, garbage=True)), "1", judge="c"),
    ]
    agreement = pooled_agreement(Judgements.from_iterable(records))
    assert (agreement.inter.agreed, agreement.inter.compared) == (3, 3)
    assert agreement.ties == pytest.approx(1 / 5)


def test_a_candidate_is_known_by_any_of_its_systems():
    records = [
        ranked("a", (("A", "B"), 1), (("C",), 2)),
        ranked("b", (("B",), 1), (("C",), 2)),
        ranked("c", (("A",), 2), (("C",), 1)),
    ]
    agreement = pooled_agreement(Judgements.from_iterable(records))
    assert (agreement.inter.agreed, agreement.inter.compared) == (1, 3)


def test_equal_outputs_that_a_ranking_lists_twice_count_once():
    records = [
        ranked("a", (("A", "B"), 1), (("C",), 2)),
        ranked("b", (("A",), 1), (("B",), 3), (("C",), 2)),
    ]
    agreement = pooled_agreement(Judgements.from_iterable(records))
    assert (
        agreement.comparisons,
        agreement.inter.agreed,
        agreement.inter.compared,
    ) == (2, 1, 1)


def test_parts_documents_and_campaigns_are_told_apart():
    for column in ("part", "document", "campaign", "langpair"):
        records = [
            ranked("a", (("A",), 1), (("B",), 2), **{column: "x"}),
            ranked("b", (("A",), 1), (("B",), 2), **{column: "y"}),
        ]
        agreement = pooled_agreement(Judgements.from_iterable(records))
        assert agreement.inter.compared == 0, column


def test_candidates_without_name_and_text_are_counted_out():
    from tertium.judgements.agreement.outcomes import outcomes

    records = [Ranking((Place((), 1), Place((), 2)), "1", judge="a")]
    result = outcomes(Judgements.from_iterable(records).rankings)
    assert (len(result), result.nameless) == (0, 2)


# ----------------------------------------------------------------- no answer


def test_one_judge_has_no_inter_agreement():
    agreement = pooled_agreement(judgements([("1", "a", {"A": 1, "B": 2})]))
    assert agreement.inter.value is None
    assert "no two judges" in agreement.inter.reason
    assert "no judge ranked" in agreement.intra.reason


def test_all_ties_have_no_kappa():
    both = [("1", judge, {"A": 1, "B": 1}) for judge in "ab"]
    agreement = pooled_agreement(judgements(both), bootstrap=Bootstrap(10))
    assert (agreement.inter.value, agreement.inter.expected) == (None, 1.0)
    assert "tie" in agreement.inter.reason
    assert agreement.inter.observed == 1.0


def test_no_rankings_at_all():
    agreement = pooled_agreement(judgements([]), pairs=True, bootstrap=Bootstrap(10))
    assert agreement.inter.value is agreement.intra.value is agreement.ties is None
    assert agreement.inter.reason == "there are no rankings"
    assert agreement.judges == agreement.pairs == {}


def test_unknown_judges_count_for_chance_only():
    rows = [
        ("1", "a", {"A": 1, "B": 2}),
        ("1", "b", {"A": 1, "B": 2}),
        ("1", None, {"A": 1, "B": 1}),
    ]
    agreement = pooled_agreement(judgements(rows))
    assert agreement.ties == pytest.approx(1 / 3)
    assert agreement.inter.compared == 1


# ----------------------------------------------------------------- intervals


def simulated(segments=60, judges=4, noise=0.8, seed=3):
    rng = np.random.default_rng(seed)
    rows = []
    for segment in range(segments):
        quality = rng.normal(size=4)
        for judge in range(judges):
            seen = quality + noise * rng.normal(size=4)
            ranks = dict(zip("ABCD", (-seen).argsort().argsort() + 1, strict=True))
            rows.append((str(segment), f"j{judge}", ranks))
    return judgements(rows)


def test_intervals_hold_the_figure_and_are_the_same_again():
    table = simulated()
    run = Bootstrap(300, seed=0)
    agreement = pooled_agreement(table, pairs=True, bootstrap=run)
    figures = [agreement.inter, *(one.inter for one in agreement.judges.values())]
    for one in [*figures, *agreement.pairs.values()]:
        low, high = one.interval
        assert low < one.value < high
    assert agreement.inter.interval[1] - agreement.inter.interval[0] < 0.3
    again = pooled_agreement(table, pairs=True, bootstrap=run)
    assert again == agreement
    other = pooled_agreement(table, bootstrap=Bootstrap(300, seed=1))
    assert other.inter.interval != agreement.inter.interval
    assert other.inter.value == agreement.inter.value


def test_ties_and_chance_have_the_intervals_of_a_plain_bootstrap():
    rng = np.random.default_rng(5)
    rows = [
        (str(segment), judge, dict(zip("ABC", rng.integers(1, 4, 3), strict=True)))
        for segment in range(30)
        for judge in ("j0", "j1")[: 1 + segment % 2]
    ]
    run = Bootstrap(200)
    agreement = pooled_agreement(judgements(rows), bootstrap=run)
    drawn = {"all": [], "j1": []}
    counted = {name: np.zeros((30, 2)) for name in drawn}  # ties, comparisons
    names = sorted({segment for segment, _, _ in rows})  # as tables number them
    for segment, judge, ranks in rows:
        values = list(ranks.values())
        ties = sum(a == b for i, a in enumerate(values) for b in values[:i])
        for name in ("all", judge):
            if name in counted:
                counted[name][names.index(segment)] += ties, 3
    for block in sample_weights(30, run):
        for name, sums in counted.items():
            drawn[name] += [ties / of for ties, of in block @ sums]
    low_high = {name: interval(np.array(values)) for name, values in drawn.items()}
    assert agreement.ties_interval == pytest.approx(low_high["all"], abs=1e-9)
    assert agreement.judges["j1"].ties.interval == pytest.approx(
        low_high["j1"], abs=1e-9
    )
    chance = interval(np.array([chance_agreement(share) for share in drawn["all"]]))
    assert agreement.expected_interval == pytest.approx(chance, abs=1e-9)
    assert agreement.judges["j1"].ties.value == pytest.approx(
        counted["j1"][:, 0].sum() / counted["j1"][:, 1].sum()
    )


def test_intervals_shrink_with_the_root_of_the_segments():
    few, many = (
        pooled_agreement(simulated(n), bootstrap=Bootstrap(400)).inter.interval
        for n in (50, 200)
    )
    assert 1.5 < (few[1] - few[0]) / (many[1] - many[0]) < 2.7


def test_one_segment_has_no_interval():
    table = judgements([("1", j, {"A": 1, "B": 2}) for j in "ab"])
    assert pooled_agreement(table, bootstrap=Bootstrap(10)).inter.interval is None
