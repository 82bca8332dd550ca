# SPDX-License-Identifier: Apache-2.0
"""Systems ranked from ratings and error spans."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.judgements import Judgements, Rating, Span
from tertium.judgements.adjustment.models import adjust_ratings
from tertium.judgements.ranking import (
    MqmWeights,
    mqm_scores,
    rank,
    rank_systems,
    rating_scores,
)
from tertium.notes import Note


def rated(*rows: tuple[str, str, str, float]) -> Judgements:
    """Return ratings from rows (judge, system, segment, score)."""
    return Judgements.from_iterable(
        Rating(system, score, "DA", segment, judge=judge)
        for judge, system, segment, score in rows
    )


def test_a_segment_counts_once_however_many_judges_it_had():
    result = rated(("a", "A", "1", 10), ("b", "A", "1", 30), ("a", "A", "2", 80))
    assert rank_systems(result, method="mean", resamples=0).scores() == {"A": 50.0}


def test_z_scores_take_judges_relative_to_themselves():
    strict = [("a", "A", "1", 10), ("a", "B", "1", 20), ("a", "A", "2", 12)]
    mild = [("b", "A", "1", 80), ("b", "B", "1", 90), ("b", "B", "2", 100)]
    table = rating_scores(rated(*strict, *mild), normalise="z")
    expected = {}
    for rows in (strict, mild):
        values = np.array([row[3] for row in rows])
        for row, z in zip(
            rows, (values - values.mean()) / values.std(ddof=1), strict=True
        ):
            expected.setdefault((row[1], row[2]), []).append(z)
    for (system, segment), values in expected.items():
        i = table.systems.index(system)
        j = table.segments.index(segment)
        assert table.scores[i, j] == pytest.approx(np.mean(values))


def test_a_judge_who_always_says_the_same_says_nothing():
    silent = [*[("a", name, "1", 50.0) for name in "ABC"], ("b", "A", "2", 1.0)]
    with pytest.raises(InputError, match="use the method mean"):
        rank_systems(rated(*silent), method="z", resamples=0)
    message = [("c", "A", "1", 1.0), ("c", "B", "1", 3.0)]
    ranking = rank_systems(rated(*silent, *message), method="z", resamples=20)
    # Neither dilutes what others say; a system that only they rated has no score.
    scores = ranking.scores()
    assert scores.pop("C") is None
    assert scores == pytest.approx({"A": -np.sqrt(0.5), "B": np.sqrt(0.5)})
    assert tuple(map(str, ranking.notes[:2])) == (
        "left out by z: a, all scores are the same",
        "left out by z: b, fewer than two scores",
    )
    assert (ranking.run["judgements"], ranking.run["segments"]) == (2, 1)


def test_both_ways_to_z_scores_are_the_same():
    rows = [("a", "A", "1", 5.0), ("b", "A", "1", 1.0), ("b", "B", "1", 4.0)]
    rows += [("b", "B", "2", 2.0), ("c", "A", "2", 7.0), ("c", "B", "2", 7.0)]
    table = rating_scores(rated(*rows), normalise="z")
    again = rating_scores(adjust_ratings(rated(*rows), "z"))
    assert table.scores == pytest.approx(again.scores, nan_ok=True)


def test_ratings_without_a_judge_count_only_where_all_are():
    rows = [(None, "A", "1", 1.0), (None, "B", "1", 3.0)]
    alone = rating_scores(rated(*rows), normalise="z")
    assert alone.means() == pytest.approx([-np.sqrt(0.5), np.sqrt(0.5)])
    mixed = rated(*rows, ("c", "A", "1", 3.0), ("c", "B", "1", 1.0))
    result = rating_scores(mixed, normalise="z")
    assert result.means() == pytest.approx([np.sqrt(0.5), -np.sqrt(0.5)])
    assert result.notes == (Note("z-no-judge", {"count": 2}),)


@pytest.mark.parametrize("score", [float("nan"), float("inf"), -float("inf")])
def test_ratings_are_numbers(score):
    with pytest.raises(InputError, match=r"of 'A' on segment '1' is .*not a number"):
        rated(("a", "A", "1", score))


scores = st.lists(
    st.tuples(
        st.sampled_from(["a", "b"]),
        st.sampled_from("AB"),
        st.sampled_from("123"),
        st.integers(0, 100),
    ),
    min_size=1,
    max_size=20,
)


@given(scores, st.floats(0.5, 3), st.floats(-50, 50))
@settings(max_examples=30)
def test_z_does_not_see_how_a_judge_uses_the_scale(rows, factor, shift):
    changed = [
        (judge, system, segment, factor * score + shift if judge == "a" else score)
        for judge, system, segment, score in rows
    ]
    if all(
        len({score for judge, *_, score in rows if judge == name}) < 2 for name in "ab"
    ):
        return  # nobody has a z-score
    one = rank_systems(rated(*rows), method="z", resamples=0).scores()
    two = rank_systems(rated(*changed), method="z", resamples=0).scores()
    assert one == pytest.approx(two, abs=1e-6)


def test_scales_are_not_mixed():
    two = [Rating("A", 3, scale, "1") for scale in ("adequacy", "fluency")]
    result = Judgements.from_iterable(two)
    with pytest.raises(InputError, match=r"adequacy, fluency.*as scale"):
        rank_systems(result, method="mean")
    one = rank_systems(result, method="mean", scale="fluency", resamples=0)
    assert one.scores() == {"A": 3.0}
    with pytest.raises(InputError, match="scale 'order'"):
        rank_systems(result, method="mean", scale="order")


def test_segments_of_different_documents_are_different():
    result = Judgements.from_iterable(
        Rating("A", score, "DA", "1", document=doc)
        for doc, score in (("x", 10), ("x", 30), ("y", 40))
    )
    assert rank_systems(result, method="mean", resamples=0).scores() == {"A": 30.0}


def marked(*rows: tuple[str, str, str, str, str]) -> Judgements:
    """Return spans from rows (judge, system, segment, category, severity)."""
    return Judgements.from_iterable(
        Span(system, category, severity, segment, judge=judge)
        for judge, system, segment, category, severity in rows
    )


def test_mqm_is_the_mean_over_segments_of_the_mean_over_judges():
    result = marked(
        ("a", "A", "1", "Accuracy/Mistranslation", "Major"),
        ("a", "A", "1", "Fluency/Punctuation", "Minor"),
        ("b", "A", "1", "Fluency/Grammar", "minor"),
        ("a", "A", "2", "No-error", "no-error"),
        ("a", "B", "1", "Non-translation!", "Major"),
        ("a", "B", "2", "Style/Awkward", "Neutral"),
    )
    scores = rank_systems(result, method="mqm", resamples=10).scores()
    assert scores == pytest.approx({"A": -(5.1 + 1) / 2 / 2, "B": -12.5})
    assert list(scores) == ["A", "B"]


def test_mqm_weights_can_be_chosen_and_unknown_severities_are_named():
    result = marked(("a", "A", "1", "Accuracy", "awful"))
    weights = MqmWeights(severities={"awful": 7.0}, special={})
    assert mqm_scores(result, weights=weights).means().tolist() == [-7.0]
    with pytest.raises(InputError, match="'awful'"):
        mqm_scores(result, weights=MqmWeights(severities={"grave": 7.0}))


@pytest.mark.parametrize(
    ("weights", "cost"),
    [
        ("wmt-mqm", 30.1),
        ("esa", 11),
        ("major=2,minor=0", 27),
        ("Major = 3", 28.1),
    ],
)
def test_weights_have_names_and_numbers(weights, cost):
    result = marked(
        ("a", "A", "1", "Non-translation", "major"),
        ("a", "A", "1", "Fluency/Punctuation", "minor"),
        ("a", "A", "1", "Accuracy", "major"),
    )
    for chosen in (weights, MqmWeights.named(weights)):
        ranking = rank(result, method="mqm", resamples=0, weights=chosen)
        ((each,),) = ranking.rankings.values()
        (system,) = each.systems
        assert system.score == pytest.approx(-cost)


@pytest.mark.parametrize(
    "weights", ["", "foo", "major", "major=x", "major=-1", "a=nan"]
)
def test_wrong_weights_are_named(weights):
    with pytest.raises(InputError, match="no weights") as error:
        MqmWeights.named(weights)
    assert error.value.options == ("weights",)


def test_errors_of_unknown_severity_count_as_minor_and_a_note_says_so():
    result = marked(
        ("a", "A", "1", "Accuracy", "awful"), ("a", "A", "2", "Accuracy", "major")
    )
    scores = mqm_scores(result)
    assert scores.means().tolist() == [-3.0]
    assert [*map(str, scores.notes)] == [
        "1 error span of severity 'awful' counts as minor"
    ]
    assert rank_systems(result, method="mqm", resamples=0).notes == scores.notes


def test_source_issues_and_creative_reinterpretation_cost_nothing():
    result = marked(
        ("a", "A", "1", "Source issue", "Major"),
        ("a", "A", "1", "Accuracy/Creative Reinterpretation", "minor"),
        ("a", "A", "1", "Accuracy/Omission", "minor"),
    )
    assert mqm_scores(result).means().tolist() == [-1.0]


def test_weights_are_those_of_marot():
    # marot.js in google-research (015dbd9): a trivial error costs 0.1.
    weights = MqmWeights()
    assert weights.weight("Style", "Trivial") == 0.1
    assert weights.weight("Non-translation!", "minor") == 25
    assert weights.weight("Style", "critical") == 5


def test_neutral_and_absent_errors_cost_nothing_even_if_special():
    weights = MqmWeights()
    assert weights.weight("Non-translation", "no-error") == 0
    assert weights.weight("Fluency/Punctuation", "Major") == 5


def pilot(gap: float, shared: bool) -> Judgements:
    rng = np.random.default_rng(5)
    rows = []
    for i in range(80):
        base = rng.normal(50, 10)
        rows.append(("a", "A", str(i), base + gap + rng.normal(0, 5)))
        other = str(i) if shared else f"x{i}"
        rows.append(("a", "B", other, base + rng.normal(0, 5)))
    return rated(*rows)


@pytest.mark.parametrize(
    ("shared", "test"), [(True, "signed-rank test"), (False, "rank-sum test")]
)
def test_pairs_of_ratings_are_tested_by_wilcoxon(shared, test):
    from scipy.stats import mannwhitneyu, wilcoxon

    result = pilot(6, shared)
    ranking = rank_systems(result, method="mean", clusters="pairwise", resamples=100)
    assert test in ranking.pairs.test
    table = rating_scores(result).scores
    if shared:
        expected = wilcoxon(table[0] - table[1], method="asymptotic").pvalue
    else:
        a, b = (row[~np.isnan(row)] for row in table)
        expected = mannwhitneyu(a, b).pvalue
    assert ranking.pairs.p[0][1] == pytest.approx(expected)
    assert ranking.clusters() == [["A"], ["B"]]


def test_equal_ratings_are_no_difference():
    result = rated(*[("a", name, str(i), i) for i in range(30) for name in "AB"])
    for clusters in ("bootstrap", "pairwise"):
        ranking = rank_systems(result, method="mean", clusters=clusters, resamples=100)
        assert ranking.clusters() == [["A", "B"]]
    assert ranking.pairs.p[0][1] == 1.0


def test_equal_ratings_have_equal_means_in_any_order():
    # 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ in the last digit.
    orders = [(0.1, 0.2, 0.3), (0.3, 0.2, 0.1), (0.2, 0.3, 0.1), (0.3, 0.1, 0.2)]
    rows = [
        Rating("A", value, "DA", str(segment), str(judge))
        for segment, values in enumerate(orders)
        for judge, value in enumerate(values)
    ]
    scores = rating_scores(Judgements.from_iterable(rows)).scores
    assert len(set(scores[0].tolist())) == 1


def test_no_ratings_have_no_means():
    assert rating_scores(Judgements.from_iterable([])).scores.size == 0
