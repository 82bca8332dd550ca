# SPDX-License-Identifier: Apache-2.0
"""Ratings adjusted for judges as human scores, and single judgements."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr, spearmanr

import tertium
from tertium.cli import main
from tertium.errors import InputError
from tertium.judgements import Judgements, Rating, adjust_ratings
from tertium.judgements.ranking import rating_scores
from tertium.meta import MetricScores, correlate_evaluations, evaluation
from tertium.meta.answers import single_judgements
from tertium.meta.human import human_judgements
from tests.support.order_study import write_study


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_study(tmp_path)
    return Judgements.read("ratings.tsv")


def correlated(**settings):
    defaults = {"metrics": ["chrf"], "coef": ["spearman:none"], "resamples": 0}
    return tertium.correlate(
        "de-en.tsv", "ratings.tsv", probes=False, **defaults | settings
    )


@pytest.mark.parametrize("method", ["judge", "judge+segment"])
def test_human_scores_are_those_of_adjust_ratings(study, method):
    human = human_judgements(study, scale="order", method=method)
    adjusted = rating_scores(adjust_ratings(study, method, scale="order"))
    raw = rating_scores(study, scale="order")
    for i, system in enumerate(human.systems):
        for j, segment in enumerate(human.segments):
            row, column = (
                adjusted.systems.index(system),
                adjusted.segments.index(segment),
            )
            assert human.ratings[i, j] == adjusted.scores[row, column]
            assert human.raw[i, j] == raw.scores[row, column]
    assert not np.allclose(human.ratings, human.raw)


@pytest.mark.parametrize("method", ["judge", "judge+segment"])
def test_single_judgements_are_those_of_adjust_ratings(study, method):
    adjusted = adjust_ratings(study, method, scale="order")
    expected = {
        (rating.system, rating.segment, rating.judge): rating.score
        for rating in adjusted.iterate("ratings")
    }
    answers = human_judgements(study, scale="order", method=method).answers
    places = zip(answers.system, answers.segment, answers.judge, strict=True)
    keys = [
        (answers.systems[i], answers.segments[j], answers.judges[k])
        for i, j, k in places
    ]
    assert dict(zip(keys, answers.score, strict=True)) == expected


@pytest.mark.parametrize("unit", ["item", "judgement"])
def test_p_values_test_what_judges_gave(study, unit):
    adjusted = correlated(gold="order", human="judge", unit=unit)
    plain = correlated(gold="order", human="mean", unit=unit)
    [a], [b] = adjusted.values, plain.values
    assert a.value != b.value
    assert a.p == b.p
    codes = [note.code for note in adjusted.notes["de-en"]]
    assert codes == ["p-values-unadjusted"]


def test_adjusted_ratings_in_a_file_give_the_same_correlations(study, capsys):
    for name in ("a.tsv", "a.csv", "a.jsonl.gz"):
        words = ["agree", "ratings.tsv", "--adjust", "judge", "--adjusted", name]
        assert main([*words, "-q"]) == 0
        again = tertium.correlate(
            "de-en.tsv",
            name,
            metrics=["chrf"],
            gold=["order", "adequacy"],
            human="mean",
            unit=["item", "judgement"],
            coef=["spearman:none", "pearson:none"],
            resamples=0,
        )
        direct = correlated(
            gold=["order", "adequacy"],
            human="judge",
            unit=["item", "judgement"],
            coef=["spearman:none", "pearson:none"],
        )
        values = {(v.langpair, v.coefficient): v.value for v in direct.values}
        read = {
            (v.langpair, v.coefficient): v.value for v in again.values if not v.probe
        }
        assert len(values) == 8
        assert read == pytest.approx(values, abs=1e-12)
    capsys.readouterr()


def test_nothing_is_written_without_an_adjustment(study, capsys):
    assert main(["agree", "ratings.tsv", "--adjusted", "a.tsv"]) == 2
    assert "--adjust" in capsys.readouterr().err


def test_ratings_of_unknown_judges_are_noted(tmp_path, monkeypatch):
    rows = [Rating(s, 10.0 * i, "DA", str(i), j) for i in range(4) for s, j in
            (("A", "kim"), ("B", "lee"), ("A", None))]  # fmt: skip
    human = human_judgements(Judgements.from_iterable(rows), method="judge")
    assert [note.code for note in human.notes] == [
        "adjusted-without-judge",
        "p-values-unadjusted",
    ]
    assert "4 ratings have no judge" in str(human.notes[0])


RATINGS = st.lists(
    st.tuples(
        st.sampled_from("AB"), st.integers(1, 4), st.sampled_from("xyz"),
        st.integers(1, 5),
    ),
    min_size=4,
    max_size=30,
)  # fmt: skip


def evaluated(rows, scores):
    ratings = [Rating(s, float(v), "DA", str(i), j) for s, i, j, v in rows]
    human = human_judgements(Judgements.from_iterable(ratings), method="mean")
    by_system = defaultdict(dict)
    for (system, segment), value in scores.items():
        by_system[system][str(segment)] = value
    return evaluation(human, [MetricScores("m", {}, dict(by_system))])


@given(RATINGS, st.randoms(use_true_random=False))
def test_single_judgements_correlate_as_one_long_list(rows, random):
    scores = {(s, i): random.random() for s in "AB" for i in range(1, 5)}
    single = single_judgements(evaluated(rows, scores))
    assert np.count_nonzero(~np.isnan(single.human.ratings)) == len(rows)
    y = [scores[s, i] for s, i, _, _ in rows]
    x = [v for *_, v in rows]
    names = {"pearson:none": pearsonr, "spearman:none": spearmanr, "tau-b:none":
             kendalltau}  # fmt: skip
    result = correlate_evaluations([single], coefficients=list(names), resamples=0)
    for name, oracle in names.items():
        value = result.get("all", "m", name)
        assert value.n == value.of == len(rows)
        if len(set(x)) > 1 and len(set(y)) > 1:
            assert value.value == pytest.approx(oracle(x, y).statistic, abs=1e-9)


def test_judges_of_a_segment_are_resampled_together():
    rows = [
        (s, i, "x", (3 * i + (s == "A")) % 5 + 1) for i in range(1, 9) for s in "AB"
    ]
    scores = {(s, i): (7 * i + (s == "B")) % 11 for i in range(1, 9) for s in "AB"}
    twice = rows + [(s, i, "y", v) for s, i, _, v in rows]
    coefficients = ["pearson:none"]
    once, both = (
        correlate_evaluations(
            [single_judgements(evaluated(each, scores))], coefficients=coefficients
        ).values[0]
        for each in (rows, twice)
    )
    assert (once.n, both.n) == (16, 32)
    assert both.over == "segments"
    # Another judge with the same answers makes nothing more certain.
    assert both.interval == pytest.approx(once.interval)


def test_an_output_that_a_judge_rated_again_counts_again():
    rows = [("A", 1, "x", 1), ("A", 1, "x", 3), ("B", 1, "x", 2), ("A", 2, "y", 5)]
    single = single_judgements(evaluated(rows, {("A", 1): 1, ("A", 2): 2, ("B", 1): 0}))
    assert single.human.segments == ("1 x", "1 x (2)", "2 y")
    np.testing.assert_array_equal(
        single.human.ratings, [[1, 3, 5], [2, np.nan, np.nan]]
    )
    np.testing.assert_array_equal(single.metrics[0].segment[0], [1, 1, 2])


def test_units_stand_side_by_side(study):
    result = correlated(gold="order", unit=["item", "judgement"], human="mean")
    assert [(v.langpair, v.n) for v in result.values] == [
        ("de-en", 12),
        ("de-en judgements", 34),
    ]
    assert result.human["de-en judgements"] == "order ratings, single judgements"


def test_single_judgements_allow_no_coefficients_of_segments_or_systems(study):
    with pytest.raises(InputError, match="none of tau-b:item is possible"):
        correlated(gold="order", unit="judgement", coef=["tau-b:item"])
    with pytest.raises(InputError, match="unknown unit 'judge'"):
        correlated(gold="order", unit="judge")


def test_rankings_have_no_single_judgements():
    with pytest.raises(InputError, match="single judgements are not known"):
        tertium.correlate("demo", metrics=["chrf"], unit="judgement", resamples=0)


def test_permutation_tests_do_not_fit_single_judgements(study):
    result = correlated(
        gold="order", unit="judgement", metrics=["chrf", "bleu"], test="permutation",
        coef=["pearson:none"],
    )  # fmt: skip
    assert result.differences == ()
    codes = [note.code for note in result.notes["de-en"]]
    assert "test-misfit" in codes
