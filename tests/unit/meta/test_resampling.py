# SPDX-License-Identifier: Apache-2.0
"""Intervals over judgements, segments and systems, against copies made by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from tertium.errors import InputError, UnknownNameError
from tertium.judgements import Judgements, Place, Ranking
from tertium.meta import (
    Human,
    MetricScores,
    ScoreMatrix,
    bootstrap_metrics,
    cells_from,
    correlate_evaluations,
    evaluation,
    human_judgements,
    tau,
    tie_matrix,
)
from tertium.meta.agreement.coefficients import COEFFICIENTS
from tertium.meta.agreement.system_level import pairwise_p_values
from tertium.meta.figures import figure
from tertium.meta.human import official, scored
from tertium.meta.uncertainty.bootstrap import system_counts
from tertium.meta.uncertainty.resampling import misfit, usual

SYSTEMS = tuple("ABCDEF")
SEGMENTS = tuple(map(str, range(30)))


def scores(name, values):
    return MetricScores(
        name,
        dict(zip(SYSTEMS, values.mean(axis=1).tolist(), strict=True)),
        {
            system: dict(zip(SEGMENTS, row.tolist(), strict=True))
            for system, row in zip(SYSTEMS, values, strict=True)
        },
    )


@pytest.fixture
def quality():
    random = np.random.default_rng(3)
    return np.arange(6)[:, None] / 2 + random.normal(size=(6, 30))


@pytest.fixture
def rated(quality):
    random = np.random.default_rng(4)
    ratings = np.clip(50 + 15 * quality, 0, 100).round(-1)
    ratings[2, :4] = np.nan
    human = scored(Human(SYSTEMS, SEGMENTS, "DA ratings", ratings=ratings))
    noisy = (quality + random.normal(size=quality.shape)).round(1)
    return evaluation(human, [scores("good", noisy), scores("bad", -quality)])


def rankings(quality, copies=1):
    return Judgements.from_iterable(
        Ranking(
            tuple(
                Place((system,), int(rank))
                for system, rank in zip(
                    SYSTEMS, scipy_stats.rankdata(-quality[:, i].round()), strict=True
                )
            ),
            segment,
        )
        for i, segment in enumerate(SEGMENTS)
        for _ in range(copies)
    )


@pytest.fixture
def ranked(quality):
    random = np.random.default_rng(4)
    noisy = (quality + random.normal(size=quality.shape)).round(1)
    return evaluation(human_judgements(rankings(quality)), [scores("good", noisy)])


def drawn(both, name, over, resamples=25, seed=7):
    result = figure(COEFFICIENTS[name], both, both.metrics[0], over=over)
    return result.draw(resamples, seed)


def copies(resamples=25, seed=7):
    """Return the places of the systems of every resample."""
    return [
        np.repeat(np.arange(6), count.astype(int))
        for count in system_counts(6, resamples, seed)
    ]


# ----------------------------------------------------------------------- systems


def test_systems_are_drawn_as_often_as_there_are(rated):
    counts = system_counts(6, 2000, 1)
    assert (counts.sum(axis=1) == 6).all()
    assert counts.mean(axis=0) == pytest.approx(np.ones(6), abs=0.1)
    assert (counts != system_counts(6, 2000, 2)).any()


@pytest.mark.parametrize(
    ("name", "coefficient"),
    [
        ("tau-b:item", "kendall_b"),
        ("tau-b:sys", "kendall_b"),
        ("tau-b:none", "kendall_b"),
        ("tau-c:item", "kendall_c"),
        ("tau-23:item", "kendall_23"),
        ("acc-23:item", "acc23"),
        ("pearson:item", "pearson"),
        ("pearson:sys", "pearson"),
        ("pearson:none", "pearson"),
        ("spearman:none", "spearman"),
    ],
)
def test_intervals_over_systems_are_those_of_bootstrap_metrics(
    rated, name, coefficient
):
    result = correlate_evaluations(
        [rated], coefficients=[name], over="systems", resamples=40, slow=True
    )
    human = ScoreMatrix(SYSTEMS, SEGMENTS, rated.human.ratings)
    want = bootstrap_metrics(
        human,
        {m.name: ScoreMatrix(SYSTEMS, SEGMENTS, m.segment) for m in rated.metrics},
        coefficient,
        group=name.partition(":")[2],
        over="systems",
        resamples=40,
    )
    for value in result.values:
        assert value.over == "systems"
        assert value.interval == pytest.approx(want.intervals[value.metric])


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("pearson", scipy_stats.pearsonr),
        ("spearman", scipy_stats.spearmanr),
        ("kendall", scipy_stats.kendalltau),
    ],
)
def test_systems_are_copied_with_their_scores(rated, name, function):
    human, metric = rated.human_scores, rated.metrics[0].system
    want = [function(human[copy], metric[copy]).statistic for copy in copies()]
    assert drawn(rated, name, "systems") == pytest.approx(want)


def test_copies_of_a_system_are_no_pair(rated, ranked):
    human, metric = rated.human_scores, rated.metrics[0].system
    ratings, segment = rated.human.ratings, rated.metrics[0].segment
    whole = ~np.isnan(ratings).any(axis=0)
    by_human, by_metric = (pairwise_p_values(x[:, whole]) for x in (ratings, segment))
    apart = dict(
        zip(combinations(range(6), 2), np.abs(by_human - by_metric), strict=True)
    )
    accuracy, soft, by_item = [], [], []
    for places in copies():
        pairs = [(a, b) for a, b in combinations(places, 2) if a != b]
        right = [(human[a] - human[b]) * (metric[a] - metric[b]) > 0 for a, b in pairs]
        accuracy.append(np.mean(right))
        soft.append(1 - np.mean([apart[pair] for pair in pairs]))
        shares = []
        for h, x in zip(ratings.T, segment.T, strict=True):
            same = [
                np.sign(h[a] - h[b]) == np.sign(x[a] - x[b])
                for a, b in pairs
                if not np.isnan(h[a] - h[b])
            ]
            shares += [np.mean(same)] if same else []
        by_item.append(np.mean(shares))
    assert drawn(rated, "accuracy", "systems") == pytest.approx(accuracy)
    assert drawn(rated, "soft-accuracy", "systems") == pytest.approx(soft)
    assert drawn(rated, "acc-23:item", "systems") == pytest.approx(by_item)
    assert drawn(rated, "tau-23:item", "systems") == pytest.approx(
        2 * np.array(by_item) - 1
    )


@pytest.mark.parametrize("name", ["tau-wmt12", "tau-wmt14", "tau-hties"])
def test_comparisons_go_with_their_systems(ranked, name):
    result, segment = ranked.human.comparisons, ranked.metrics[0].segment
    differences = (
        segment[result.first, result.segment] - segment[result.second, result.segment]
    )
    want = []
    for counts in system_counts(6, 25, 7).astype(int):
        times = counts[result.first] * counts[result.second]
        cells = cells_from(
            np.repeat(result.outcome, times), np.repeat(differences, times)
        )
        want.append(tau(cells, tie_matrix(name.removeprefix("tau-"))))
    assert drawn(ranked, name, "systems") == pytest.approx(want)


def test_distant_ratings_are_resampled_every_way(rated):
    value = figure(COEFFICIENTS["tau-darr"], rated, rated.metrics[0]).value
    for over in ("judgements", "segments", "systems"):
        values = drawn(rated, "tau-darr", over, 400)
        assert np.nanmean(values) == pytest.approx(value, abs=0.05)
        assert np.nanstd(values) > 0


# ---------------------------------------------------------------------- segments


def test_judgements_of_a_segment_stay_together(quality):
    """Three copies of every ranking carry no more information than one."""
    random = np.random.default_rng(4)
    noisy = (quality + random.normal(size=quality.shape)).round(1)
    both = evaluation(
        human_judgements(rankings(quality, copies=3)), [scores("good", noisy)]
    )
    once = evaluation(human_judgements(rankings(quality)), [scores("good", noisy)])
    for name in ("pearson", "tau-wmt14"):
        wide = drawn(both, name, "segments", 2000).std()
        narrow = drawn(both, name, "judgements", 2000).std()
        assert wide > 1.3 * narrow
        same = drawn(once, name, "segments", 2000).std()
        assert wide == pytest.approx(same, rel=0.1)


def test_segments_are_copied_with_their_comparisons(ranked):
    result, segment = ranked.human.comparisons, ranked.metrics[0].segment
    differences = (
        segment[result.first, result.segment] - segment[result.second, result.segment]
    )
    random = np.random.default_rng(5)
    want = []
    for _ in range(1500):
        times = np.bincount(random.integers(0, 30, 30), minlength=30)[result.segment]
        cells = cells_from(
            np.repeat(result.outcome, times), np.repeat(differences, times)
        )
        want.append(tau(cells, tie_matrix("wmt14")))
    values = drawn(ranked, "tau-wmt14", "segments", 3000)
    assert values.mean() == pytest.approx(np.mean(want), abs=0.01)
    assert values.std() == pytest.approx(np.std(want), rel=0.1)


# ------------------------------------------------------------------ what is possible


def test_the_usual_unit_is_that_of_the_judgements(rated, ranked):
    units = {name: usual(one, rated.human) for name, one in COEFFICIENTS.items()}
    assert {name for name, unit in units.items() if unit == "judgements"} == {
        name for name in units if COEFFICIENTS[name].preset
    }
    assert usual(COEFFICIENTS["pearson"], ranked.human) == "judgements"
    for both, name in ((rated, "pearson"), (ranked, "tau-wmt14")):
        over = usual(COEFFICIENTS[name], both.human)
        run = {"coefficients": [name], "resamples": 50}
        assert (
            correlate_evaluations([both], **run).values
            == correlate_evaluations([both], over=over, **run).values
        )


def test_what_cannot_be_resampled_is_rejected_with_the_reason(rated, ranked):
    with pytest.raises(InputError, match="ratings are means over judges; resample seg"):
        correlate_evaluations([rated], coefficients=["tau-b:item"], over="judgements")
    with pytest.raises(InputError, match="soft-accuracy rests on tests"):
        correlate_evaluations([rated], coefficients=["soft-accuracy"], over="segments")
    with pytest.raises(UnknownNameError, match="resampling"):
        correlate_evaluations([rated], over="documents")
    with pytest.raises(InputError, match="nothing to resample segments for"):
        correlate_evaluations([rated], over="segments", resamples=0)
    two = evaluation(
        ranked.human, [MetricScores("m", {"A": 1, "B": 2})], exclude=list("CDEF")
    )
    with pytest.raises(InputError, match="2 systems are too few to be resampled"):
        correlate_evaluations([two], coefficients=["pearson"], over="systems")
    fixed = official(ranked.human, [MetricScores("o", dict.fromkeys(SYSTEMS, 1.0))])
    reason = misfit(COEFFICIENTS["pearson"], fixed, "segments")
    assert reason == "scores of systems from elsewhere; resample systems"


def test_figures_that_cannot_be_resampled_are_noted(ranked):
    fixed = official(
        ranked.human,
        [MetricScores("o", dict(zip(SYSTEMS, [1.0, 2, 3, 4, 5, 7], strict=True)))],
    )
    both = replace(ranked, human=fixed)
    names = ["pearson", "tau-wmt14"]
    result = correlate_evaluations(
        [both], coefficients=names, over="segments", resamples=50
    )
    pearson, tau14 = result.values
    assert (pearson.interval, pearson.over) == (None, None)
    assert tau14.over == "segments"
    assert list(map(str, result.notes["all"])) == [
        "no intervals of pearson: scores of systems from elsewhere; resample systems"
    ]
    result = correlate_evaluations(
        [both], coefficients=names, over="systems", resamples=50
    )
    assert {value.over for value in result.values} == {"systems"}
    assert result.run["over"] == "systems"


def test_the_bootstrap_test_resamples_the_same(rated):
    for both, name in ((rated, "tau-b:item"), (rated, "pearson")):
        p = {
            over: correlate_evaluations(
                [both],
                coefficients=[name],
                over=over,
                test="bootstrap",
                resamples=100,
                trials=300,
            )
            .differences[0]
            .p
            for over in ("segments", "systems")
        }
        assert p["segments"] <= p["systems"]


# -------------------------------------------------------------------------- gaps


def test_a_metric_without_a_score_that_was_judged_has_no_value(rated):
    metric = replace(rated.metrics[0], segment=np.full((6, 30), np.nan))
    both = replace(rated, metrics=(metric, rated.metrics[1]))
    names = [name for name, one in COEFFICIENTS.items() if one.level == "segment"]
    result = correlate_evaluations(
        [both], coefficients=names, resamples=20, test="bootstrap"
    )
    empty = [value for value in result.values if value.metric == metric.name]
    assert {(value.value, value.n, value.complete) for value in empty} == {
        (None, 0, False)
    }
    assert not any(result.is_best(value) for value in empty)


def test_the_best_is_complete_unless_none_is(rated):
    some = rated.metrics[0].segment.copy()
    some[:, 10:] = np.nan
    metric = replace(rated.metrics[0], segment=some)
    names = ["tau-b:item"]
    both = replace(rated, metrics=(metric, rated.metrics[1]))
    good, bad = correlate_evaluations([both], coefficients=names, resamples=0).values
    assert good.value > bad.value
    assert (good.n, good.of, bad.n) == (56, 176, 176)
    result = correlate_evaluations([both], coefficients=names, resamples=0)
    assert [result.is_best(value) for value in result.values] == [False, True]
    average = result.average("good", "tau-b:item")
    assert (average.pairs, average.of, average.complete) == (1, 1, False)
    alone = correlate_evaluations(
        [replace(rated, metrics=(metric,))], coefficients=names, resamples=0
    )
    assert alone.is_best(alone.values[0])


def test_gaps_that_hybrids_cannot_bear_are_a_note(rated):
    some = rated.metrics[0].segment.copy()
    some[:3] = np.nan
    metric = replace(rated.metrics[0], segment=some, is_mean=True)
    other = replace(rated.metrics[1], is_mean=True)
    result = correlate_evaluations(
        [replace(rated, metrics=(metric, other))],
        coefficients=["pearson"],
        test="hybrids",
        resamples=20,
    )
    assert result.differences == ()
    assert any("too many gaps" in str(note) for note in result.notes["all"])


def test_probes_do_not_decide_which_systems_are_scored(quality, ranked):
    from tertium.meta import probes

    some = scores("m", quality)
    some = replace(
        some,
        system={s: some.system[s] for s in "ABC"},
        segment={s: some.segment[s] for s in "ABC"},
    )
    both = evaluation(ranked.human, [some, *probes(ranked.human)])
    assert both.human.systems == ("A", "B", "C")
    assert "judged, but without scores: D, E, F" in map(str, both.notes)
