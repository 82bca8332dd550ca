# SPDX-License-Identifier: Apache-2.0
import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats as scipy_stats

from tertium.errors import InputError, UnknownNameError
from tertium.judgements import Judgements, Place, Ranking, Rating
from tertium.meta import (
    ScoreMatrix,
    bootstrap_metrics,
    correlate_evaluations,
    evaluation,
    gaps,
    human_judgements,
)
from tertium.meta.agreement.coefficients import COEFFICIENTS
from tertium.meta.figures import figure
from tertium.meta.probes import probes
from tertium.meta.scores import MetricScores
from tertium.meta.slices import by_judge, by_segment, length_groups
from tertium.meta.uncertainty.testing import Outcome, Outcomes, p_values
from tertium.stats.shares import wilson

SYSTEMS = "ABCDE"


def world(seed=1, *, segments=40, langpair="de-en"):
    """Return rankings, ratings and two metrics of systems that get worse."""
    random = np.random.default_rng(seed)
    quality = np.linspace(2, 0, len(SYSTEMS))[:, None] + random.normal(
        size=(len(SYSTEMS), segments)
    )
    points = np.clip(50 + 20 * quality, 0, 100)
    names = [str(i + 1) for i in range(segments)]
    rankings = Judgements.from_iterable(
        Ranking(
            tuple(
                Place((system,), int(rank))
                for system, rank in zip(
                    SYSTEMS, scipy_stats.rankdata(-quality[:, i].round()), strict=True
                )
            ),
            name,
            judge="jk"[i % 2],
            langpair=langpair,
        )
        for i, name in enumerate(names)
    )
    ratings = Judgements.from_iterable(
        Rating(system, points[s, i], "DA", name, "j", langpair=langpair)
        for s, system in enumerate(SYSTEMS)
        for i, name in enumerate(names)
    )

    def metric(name, noise, *, sign=1):
        values = quality + noise * random.normal(size=quality.shape)
        return MetricScores(
            name,
            {s: sign * float(v.mean()) for s, v in zip(SYSTEMS, values, strict=True)},
            {
                s: dict(zip(names, (sign * v).tolist(), strict=True))
                for s, v in zip(SYSTEMS, values, strict=True)
            },
            sign > 0,
            langpair,
        )

    return rankings, ratings, [metric("fine", 0.2), metric("poor", 3, sign=-1)]


@pytest.fixture
def rated():
    _, ratings, metrics = world()
    human = human_judgements(ratings)
    return evaluation(human, [*metrics, *probes(human)])


@pytest.fixture
def ranked():
    rankings, _, metrics = world()
    human = human_judgements(rankings)
    return evaluation(human, [*metrics, *probes(human)])


def test_figures_of_systems_equal_scipy(rated):
    result = correlate_evaluations(
        [rated], coefficients=["pearson", "spearman", "kendall"]
    )
    human = rated.human_scores
    fine = rated.metrics[0].system
    wanted = {
        "pearson": scipy_stats.pearsonr(human, fine)[0],
        "spearman": scipy_stats.spearmanr(human, fine)[0],
        "kendall": scipy_stats.kendalltau(human, fine)[0],
    }
    for name, want in wanted.items():
        assert result.get("de-en", "fine", name).value == pytest.approx(want)


@pytest.mark.parametrize("kind", ["rated", "ranked"])
def test_all_coefficients_are_bounded_and_prefer_the_better_metric(kind, request):
    both = request.getfixturevalue(kind)
    result = correlate_evaluations([both], coefficients=["all"], resamples=200)
    assert len(result.coefficients) > 5
    for each in result.coefficients:
        fine = result.get("de-en", "fine", each.name)
        poor = result.get("de-en", "poor", each.name)
        assert -1 <= poor.value <= fine.value <= 1, each.name
        for value in (fine, poor):
            if value.interval is not None:
                low, high = value.interval
                assert low <= high
                assert low - 0.05 <= value.value <= high + 0.05, each.name


def test_soft_accuracy_depends_on_the_seed():
    _, ratings, metrics = world()
    both = evaluation(human_judgements(ratings), metrics)
    values = {
        seed: correlate_evaluations(
            [both], coefficients=["soft-accuracy"], resamples=0, seed=seed
        )
        .values[1]
        .value
        for seed in (1, 2, 3)
    }
    assert len(set(values.values())) > 1
    assert max(values.values()) - min(values.values()) < 0.05


@pytest.mark.parametrize(
    ("shift", "factor", "fits"),
    [
        (0, 1, True),
        (-100, 1, False),  # errors that count against an output
        (0, 0.05, False),  # stars
        (1, 1, False),
    ],
)
def test_points_of_direct_assessment_are_those_of_its_scale(shift, factor, fits):
    _, ratings, metrics = world()
    both = evaluation(human_judgements(ratings, method="mean"), metrics)
    points = shift + factor * both.human.ratings
    assert (np.nanmin(both.human.ratings), np.nanmax(both.human.ratings)) == (0, 100)
    both = replace(both, human=replace(both.human, ratings=points))
    result = figure(COEFFICIENTS["tau-darr"], both, both.metrics[0])
    assert (result is not None) == fits


def test_points_of_direct_assessment_are_those_that_people_gave():
    _, ratings, metrics = world()
    plain = evaluation(human_judgements(ratings, method="mean"), metrics)
    standard = evaluation(human_judgements(ratings, method="z"), metrics)
    for exclude in ([], ["A"]):
        both = [
            evaluation(each.human, metrics, exclude=exclude)
            for each in (plain, standard)
        ]
        one, other = (
            figure(COEFFICIENTS["tau-darr"], each, each.metrics[0]) for each in both
        )
        assert one.value == other.value
    assert not np.allclose(plain.human.ratings, standard.human.ratings, equal_nan=True)


RANKED = [
    f"{name}:{group}"
    for name in ("tau-b", "tau-c", "spearman")
    for group in ("sys", "none")
]


@pytest.mark.parametrize("name", RANKED)
def test_rank_correlations_of_all_outputs_have_intervals_and_tests(name):
    _, ratings, (fine, poor) = world()
    both = evaluation(human_judgements(ratings), [fine, poor, fine.renamed("twin")])
    settings = {"coefficients": [name], "test": "bootstrap", "resamples": 300}
    result = correlate_evaluations([both], **settings, trials=300, slow=True)
    assert all(value.interval for value in result.values)
    assert {(d.a, d.b): d.better for d in result.differences} == {
        ("fine", "poor"): "fine",
        ("fine", "twin"): None,
        ("poor", "twin"): "twin",
    }
    # The intervals are those of the other way to ask for them.
    one = both.human.systems, both.human.segments
    want = bootstrap_metrics(
        ScoreMatrix(*one, both.human.ratings),
        {m.name: ScoreMatrix(*one, m.segment) for m in both.metrics},
        {"tau-b": "kendall_b", "tau-c": "kendall_c"}.get(name[:5], "spearman"),
        group=name.partition(":")[2],
        resamples=300,
    )
    for value in result.values:
        assert value.interval == want.intervals[value.metric]


def test_gaps_of_a_metric_leave_an_interval_of_the_rest():
    _, ratings, (fine, _) = world()
    human = human_judgements(ratings)
    some = {s: dict(list(row.items())[:30]) for s, row in fine.segment.items()}
    both = evaluation(
        human, [MetricScores("some", fine.system, some), fine], missing="drop"
    )
    result = correlate_evaluations(
        [both], coefficients=["tau-b:none"], resamples=100, slow=True
    )
    for value, n in zip(result.values, (150, 200), strict=True):
        assert value.n == n
        low, high = value.interval
        assert low < value.value < high


def test_probes_get_what_the_presets_give_them(ranked):
    names = ["tau-wmt12", "tau-wmt13", "tau-wmt14", "tau-hties"]
    result = correlate_evaluations([ranked], coefficients=names, resamples=50)
    values = [result.get("de-en", "probe-constant", name).value for name in names]
    outcome = ranked.human.comparisons.outcome
    assert values == [-1, None, 0, pytest.approx(np.mean(outcome == 0))]


@pytest.mark.parametrize("test", ["bootstrap", "permutation", "williams", "hybrids"])
def test_every_test_finds_the_better_metric(test):
    _, ratings, metrics = world(segments=120)
    both = evaluation(human_judgements(ratings), metrics)
    level = "pearson" if test in ("williams", "hybrids") else "pearson:none"
    result = correlate_evaluations(
        [both], coefficients=[level], test=test, resamples=300
    )
    (difference,) = result.differences
    assert difference.delta > 0
    assert difference.p <= difference.p_adjusted
    if test != "williams":  # which has five systems only
        assert difference.better == "fine"
        assert [place.cluster for place in result.clusters[level]["de-en"]] == [1, 2]


def test_a_test_that_does_not_fit_gives_no_differences_and_says_so(ranked):
    result = correlate_evaluations(
        [ranked],
        coefficients=["tau-wmt14", "pearson"],
        test="permutation",
        resamples=20,
    )
    assert result.differences == ()
    assert result.clusters == {}
    (note,) = result.notes["de-en"]
    assert str(note) == "permutation: does not fit tau-wmt14, pearson"
    result = correlate_evaluations(
        [ranked],
        coefficients=["tau-wmt14", "pearson"],
        test="williams",
        resamples=20,
    )
    assert {d.coefficient for d in result.differences} == {"pearson"}
    (note,) = result.notes["de-en"]
    assert str(note) == "williams: does not fit tau-wmt14"


def test_hybrids_leave_out_system_scores_that_are_not_means_of_segments():
    _, ratings, (fine, poor) = world(segments=120)
    twin = poor.renamed("twin")
    # A corpus score that orders systems well over segments that do not.
    corpus = MetricScores(
        "corpus", {s: float(-i) for i, s in enumerate(SYSTEMS)}, poor.segment
    )
    bare = MetricScores("bare", fine.system, {})
    metrics = [fine, poor, twin, corpus, corpus.renamed("more"), bare]
    both = evaluation(human_judgements(ratings), metrics)
    result = correlate_evaluations(
        [both], coefficients=["pearson"], test="hybrids", resamples=20
    )
    assert [(d.a, d.b, d.better) for d in result.differences] == [
        ("fine", "poor", "fine"),
        ("fine", "twin", "fine"),
        ("poor", "twin", None),
    ]
    assert list(map(str, result.notes["de-en"])) == [
        "hybrids: corpus, more: system scores are not means of segments",
        "hybrids: bare: no scores of segments",
    ]
    (places,) = result.clusters["pearson"].values()
    assert {place.system for place in places} == {"fine", "poor", "twin"}


@pytest.mark.parametrize("name", ["tau-b:item", "acc-eq:item", "pearson:none"])
def test_gaps_of_one_metric_do_not_change_the_tests_of_others(name):
    _, ratings, (fine, poor) = world()
    human = human_judgements(ratings)
    settings = {"coefficients": [name], "test": "permutation", "resamples": 20}

    def some(name, kept):
        columns = {s: {i: row[i] for i in kept} for s, row in fine.segment.items()}
        return MetricScores(name, fine.system, columns)

    names = [str(i) for i in range(1, 41)]
    first, second = some("first", names[:9]), some("second", names[9:12])
    alone = correlate_evaluations(
        [evaluation(human, [fine, poor])], **settings, trials=500
    )
    both = evaluation(human, [fine, first, poor, second], missing="drop")
    among = correlate_evaluations([both], **settings, trials=500, correction="none")
    tested = {(d.a, d.b): d for d in among.differences}
    assert tested["fine", "poor"].p == alone.differences[0].p
    # Where both have scores, they are the same.
    assert tested["fine", "first"].p == 1.0
    assert len(tested) == 5
    assert str(among.notes["de-en"][-1]) == (
        "permutation: first and second have scored no judged output both"
    )


def test_the_winner_is_that_of_the_test(monkeypatch):
    _, ratings, metrics = world()
    both = evaluation(human_judgements(ratings), metrics)
    against = Outcomes([Outcome(0.001, -0.1)], [])
    monkeypatch.setitem(
        correlate_evaluations.__globals__, "p_values", lambda *_, **__: against
    )
    result = correlate_evaluations(
        [both], coefficients=["pearson"], test="hybrids", resamples=20
    )
    (difference,) = result.differences
    assert difference.delta > 0
    assert difference.better == "poor"


@pytest.mark.parametrize(
    ("test", "name"),
    [
        ("bootstrap", "tau-b:item"),
        ("bootstrap", "tau-darr"),
        ("permutation", "tau-b:item"),
        ("williams", "pearson"),
        ("hybrids", "pearson"),
    ],
)
def test_outcomes_turn_with_the_pair(test, name):
    _, ratings, metrics = world(segments=120)
    both = evaluation(human_judgements(ratings), metrics)
    outcomes = []
    for each in (("fine", "poor"), ("poor", "fine")):
        results = {m.name: figure(COEFFICIENTS[name], both, m) for m in both.metrics}
        tested = p_values(
            test,
            COEFFICIENTS[name],
            both,
            [each],
            {key: one.value for key, one in results.items()},
            {key: one.draw(50, 1) for key, one in results.items()},
            resamples=50,
            seed=1,
            threads=1,
        )
        outcomes += tested.outcomes
    assert outcomes[0].difference > 0
    assert outcomes[0].difference == pytest.approx(-outcomes[1].difference)


def test_runs_are_repeatable_and_equal_metrics_do_not_differ(ranked):
    rankings, _, (fine, _) = world()
    both = evaluation(human_judgements(rankings), [fine, fine.renamed("twin")])
    settings = {"coefficients": ["all"], "test": "bootstrap", "resamples": 100}
    first, second = (correlate_evaluations([both], **settings) for _ in range(2))
    assert first.to_json() == second.to_json()
    assert {d.better for d in first.differences} == {None}
    assert {d.p for d in first.differences} == {1.0}


def test_averages_need_all_language_pairs_and_leave_out_what_is_asked():
    def one(langpair, seed):
        rankings, _, metrics = world(seed, langpair=langpair)
        return evaluation(human_judgements(rankings), metrics)

    result = correlate_evaluations(
        [one("de-en", 1), one("fr-en", 2)], coefficients=["tau-wmt14"], resamples=0
    )
    values = [result.get(pair, "fine", "tau-wmt14").value for pair in result.langpairs]
    assert result.average("fine", "tau-wmt14").value == pytest.approx(sum(values) / 2)
    without = result.average("fine", "tau-wmt14", exclude=["fr-en"])
    assert without.value == pytest.approx(values[0])
    with pytest.raises(InputError, match="is given twice"):
        correlate_evaluations([one("de-en", 1), one("de-en", 2)])


def test_json_has_no_nan_and_says_how_it_was_made(ranked):
    text = correlate_evaluations([ranked], coefficients=["all"], resamples=20).to_json()
    assert "NaN" not in text
    data = json.loads(text)
    assert data["human"] == {"de-en": "rankings, systems by expected-wins"}
    assert data["run"]["seed"] == 12345
    assert set(data["coefficients"]) <= set(COEFFICIENTS)


def test_wrong_names_are_rejected(ranked):
    with pytest.raises(UnknownNameError, match="tau-wmt14"):
        correlate_evaluations([ranked], coefficients=["tau-wmt41"])
    with pytest.raises(UnknownNameError, match="test of metrics"):
        correlate_evaluations([ranked], test="t")
    with pytest.raises(InputError, match="nothing to compare"):
        correlate_evaluations([])
    with pytest.raises(InputError, match="none of tau-b:item is possible"):
        correlate_evaluations([ranked], coefficients=["tau-b:item"])


def test_gaps_count_pairs_of_systems(rated):
    result = gaps([rated], "fine", edges=[0, 0.3])
    assert sum(gap.pairs for gap in result) == 10
    assert result[-1].share == 1.0
    assert result[0].low == 0
    with pytest.raises(InputError, match="rise from 0"):
        gaps([rated], "fine", edges=[1, 2])
    with pytest.raises(InputError, match="no pair of systems has scores of x"):
        gaps([rated], "x")


def test_wilson_equals_scipy():
    want = scipy_stats.binomtest(8, 10).proportion_ci(method="wilson")
    assert wilson(8, 10) == pytest.approx((want.low, want.high), abs=1e-6)


def test_slices_by_segment_and_judge(ranked, rated):
    halves = {str(i): "odd" if i % 2 else "even" for i in range(1, 41)}
    odd, even = by_segment(rated, halves)
    assert len(odd.human.segments) + len(even.human.segments) == 40
    assert odd.human.langpair == "de-en odd"
    whole = rated.human_scores
    parts = (odd.human_scores + even.human_scores) / 2
    np.testing.assert_allclose(parts, whole)
    parts = by_segment(ranked, halves)
    assert sum(len(p.human.comparisons) for p in parts) == len(ranked.human.comparisons)
    judges = by_judge(ranked, lambda name: name)
    assert [each.human.langpair for each in judges] == ["de-en j", "de-en k"]
    with pytest.raises(InputError, match="need rankings"):
        by_judge(rated, lambda name: name)


def test_length_groups_cover_all_segments():
    import tertium

    texts = ["a " * n for n in (1, 1, 2, 5, 9, 30, 31, 32)]
    testset = tertium.Testset([(text,) for text in texts], {"A": texts})
    groups = length_groups(testset, groups=2)
    assert sorted(groups) == [str(i) for i in range(1, 9)]
    assert list(dict.fromkeys(groups.values())) == ["1-5 words", "9-32 words"]
