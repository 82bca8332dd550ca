# SPDX-License-Identifier: Apache-2.0
"""Scores of groups, their intervals and tests."""

from __future__ import annotations

import numpy as np
import pytest

import tertium
from tertium.analysis.buckets import largest, score_groups
from tertium.analysis.groups import Group
from tertium.analysis.intervals import LEAST, Difference, Resampler, corrected, ratio

REFS = [f"the {n} cats sat on mat number {n}" for n in range(40)]
GOOD = [text.replace("mat", "rug") if n % 4 else text for n, text in enumerate(REFS)]
BAD = [text.replace("cats", "dogs") if n < 20 else text for n, text in enumerate(GOOD)]


def rows_of(metric, *systems):
    return [metric.statistics(texts, REFS) for texts in systems]


def buckets_of(groups, *systems, spec="chrf", seed=1, threads=None):
    metric = tertium.metric(spec)
    return score_groups(
        groups,
        "AB",
        {spec: metric},
        {spec: rows_of(metric, *systems)},
        Resampler((0, 1), 200, seed, 0.05, threads),
    )


HALVES = [
    Group("half", "first", np.arange(20)),
    Group("half", "second", np.arange(20, 40)),
    Group("few", "few", np.arange(LEAST - 1)),
]


@pytest.mark.parametrize("spec", ["bleu", "chrf", "ter"])
def test_scores_of_a_group_are_those_of_its_segments_alone(spec):
    for bucket in buckets_of(HALVES, GOOD, BAD, spec=spec):
        members = bucket.group.members
        for name, texts in zip("AB", (GOOD, BAD), strict=True):
            alone = tertium.metric(spec).corpus_score(
                [texts[i] for i in members], [REFS[i] for i in members]
            )
            assert bucket.scores[spec][name].value == pytest.approx(alone)


def test_differences_are_where_systems_differ():
    first, second, few = buckets_of(HALVES, GOOD, BAD)
    assert first.differences["chrf"].p_adjusted < 0.05
    assert first.differences["chrf"].delta > 0
    assert second.differences["chrf"].delta == 0
    assert second.differences["chrf"].p == second.differences["chrf"].p_adjusted == 1
    assert few.differences["chrf"] is None  # too few segments for a test
    assert few.scores["chrf"]["A"].interval is None
    assert first.to_dict()["segments"] == 20
    assert few.to_dict()["differences"] == {"chrf": None}


def test_the_largest_differences_come_first():
    buckets = buckets_of(HALVES[::-1], GOOD, BAD)
    assert [bucket.group.label for bucket, _ in largest(buckets, "chrf")] == [
        "first",
        "second",
    ]


def test_systems_exchanged_turn_every_sign():
    one, other = buckets_of(HALVES, GOOD, BAD), buckets_of(HALVES, BAD, GOOD)
    for a, b in zip(one[:2], other[:2], strict=True):
        x, y = a.differences["chrf"], b.differences["chrf"]
        assert x.delta == pytest.approx(-y.delta)
        assert x.interval == pytest.approx((-y.interval[1], -y.interval[0]))
        assert x.p == y.p


def test_threads_do_not_matter_and_seeds_do():
    one = buckets_of(HALVES, GOOD, BAD, threads=1)
    assert one[0] == buckets_of(HALVES[:2], GOOD, BAD, threads=2)[0]
    other = buckets_of(HALVES, GOOD, BAD, seed=2)
    assert one[0].scores["chrf"]["A"].interval != other[0].scores["chrf"]["A"].interval


def test_a_group_of_all_segments_has_the_intervals_of_compare():
    metric = tertium.metric("chrf")
    figures, test = Resampler((0, 1), 300, 7, 0.05).run(
        rows_of(metric, GOOD, BAD), metric.from_statistics
    )
    result = tertium.compare(
        {"A": GOOD, "B": BAD}, REFS, metrics="chrf", resamples=300, seed=7
    )
    pair = result.pair("A", "B")
    assert test.delta == pytest.approx(pair.delta)
    assert test.p == pair.p
    assert test.interval == pytest.approx(pair.interval)
    assert figures[0].value == pytest.approx(result.scores["A"]["chrf"].score)


def test_documents_have_the_p_values_of_compare():
    """Documents that come in pieces count as one."""
    metric = tertium.metric("chrf")
    numbers = np.array([0, 1, 2, 3, 2, 1, 0, 4, 5, 6] * 4)
    resampler = Resampler((0, 1), 300, 7, 0.05, documents=numbers)
    rows = rows_of(metric, GOOD, BAD)
    _, test = resampler.run(resampler.units(rows), metric.from_statistics)
    pair = tertium.compare(
        {"A": GOOD, "B": BAD},
        REFS,
        docs=[str(n) for n in numbers],
        metrics="chrf",
        resamples=300,
        seed=7,
        by_document=True,
    ).pair("A", "B")
    assert (test.p, test.delta) == (pair.p, pytest.approx(pair.delta))
    assert test.interval == pytest.approx(pair.interval)
    members = np.arange(5, 15)
    part = resampler.units([one[members] for one in rows], members)
    assert [len(one) for one in part] == [7, 7]
    assert resampler.count(members) == 7
    assert part[0].sum(axis=0) == pytest.approx(rows[0][members].sum(axis=0))


def test_one_segment_shows_nothing():
    figures, test = Resampler((0, 1), 100, 1, 0.05).run(
        [np.array([[1.0, 2.0]]), np.array([[0.0, 2.0]])], ratio
    )
    assert [figure.value for figure in figures] == [0.5, 0]
    assert test.p == 1


@pytest.mark.parametrize("pair", [(0, 1), (2, 0)])
def test_every_system_needs_as_many_scores_for_an_interval_as_a_test(pair):
    full = np.array([[float(n % 7), 1.0] for n in range(40)])
    part = [full, full[::-1].copy(), full.copy(), full.copy(), full.copy()]
    others = [system for system in range(5) if system not in pair]
    for system, scored in zip(others, (LEAST, LEAST - 1, 0), strict=True):
        part[system][scored:] = 0
    resampler = Resampler(pair, 100, 1, 0.05)
    figures, test = resampler.tested(part, ratio, weight=1)
    alone = Resampler((0, 1), 100, 1, 0.05)
    assert test == alone.tested([part[n] for n in pair], ratio, weight=1)[1]
    shown = [figures[system].interval is not None for system in others]
    assert shown == [True, False, False]
    assert all(figures[system].interval for system in pair)
    few = part[others[1]][: LEAST - 1, 0]
    assert figures[others[1]].value == pytest.approx(few.mean())
    assert np.isnan(figures[others[2]].value)
    documents = np.arange(40) // 2  # 20 documents, of which LEAST // 2 have scores
    by_document = Resampler(pair, 100, 1, 0.05, documents=documents)
    figures, test = by_document.tested(part, ratio, weight=1)
    assert test is not None
    assert figures[others[0]].interval is None


def test_corrections_count_tests_that_were_made():
    made = [Difference(1, (0, 2), p, p) for p in (0.01, 0.04)]
    first, none, second = corrected([made[0], None, made[1]])
    assert none is None
    assert first.p_adjusted == pytest.approx(0.02)
    assert second.p_adjusted == pytest.approx(0.04)
    assert corrected([]) == []


def test_ratios_of_nothing_are_zero():
    assert ratio(np.array([[1.0, 0], [3, 4]])).tolist() == [0, 0.75]


def test_many_tests_have_as_many_resamples_as_their_correction_needs():
    resampler = Resampler((0, 1), 1000, 1, 0.05, grow=True)
    assert resampler.for_tests(5).resamples == 1000
    assert resampler.for_tests(50).resamples == 5000
    assert resampler.for_tests(10**4).resamples == 20_000
    assert resampler.for_tests(0) == resampler
    asked = Resampler((0, 1), 1000, 1, 0.05)
    assert asked.for_tests(50) == asked


def test_a_clear_difference_among_many_groups_stays_significant():
    groups = [Group("same", str(n), np.arange(20)) for n in range(60)]
    metric = tertium.metric("chrf")
    rows = {"chrf": rows_of(metric, REFS, BAD)}
    buckets = score_groups(
        groups, "AB", {"chrf": metric}, rows, Resampler((0, 1), 100, 1, 0.05, grow=True)
    )
    assert all(each.differences["chrf"].p_adjusted < 0.05 for each in buckets)
