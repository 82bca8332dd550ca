# SPDX-License-Identifier: Apache-2.0
"""What ratings were made of: positions, questionnaires, lengths, languages."""

from __future__ import annotations

import json

import pytest
from scipy import stats

from tertium.errors import InputError
from tertium.judgements import Judgements, Rating
from tertium.judgements.composition import compose

SCORES = [5.0, 4.0, 3.0, 1.0, 2.0, 2.0, 4.0]
PLACES = [1, 2, 3, 10, 9, 9, 1]


def rating(score, i=0, scale="adequacy", langpair=None, **meta):
    text = json.dumps(meta) if meta else None
    return Rating("A", score, scale, str(i), langpair=langpair, meta=text)


def made(ratings, texts=None):
    return compose(Judgements.from_iterable(ratings), texts)


def test_means_by_position_are_in_the_order_of_numbers():
    places = ["1", 2, 3, "10", 9, 9, 1]  # as files spell them
    rows = zip(SCORES, places, strict=True)
    [result] = made([rating(s, i, position=p) for i, (s, p) in enumerate(rows)])
    assert [p.name for p in result.positions] == ["1", "2", "3", "9", "10"]
    first = result.positions[0]
    assert (first.ratings, first.mean) == (2, 4.5)
    assert first.deviation == pytest.approx(0.5**0.5)
    assert result.positions[1].deviation is None


def test_the_trend_is_that_of_scipy():
    rows = zip(SCORES, PLACES, strict=True)
    [result] = made([rating(s, i, position=p) for i, (s, p) in enumerate(rows)])
    want = stats.spearmanr(PLACES, SCORES)
    assert result.trend.statistic == pytest.approx(want.statistic)
    assert result.trend.p == pytest.approx(want.pvalue)
    assert result.trend.n == 7


@pytest.mark.parametrize("scores", [[3.0], [3.0, 3.0, 3.0]])
def test_no_trend_where_nothing_varies(scores):
    [result] = made([rating(s, i, position=i) for i, s in enumerate(scores)])
    assert result.trend is None


def test_a_perfect_trend_and_one_of_two_ratings():
    [result] = made([rating(float(i), i, position=i) for i in range(5)])
    assert (result.trend.statistic, result.trend.p) == (1.0, 0.0)
    [result] = made([rating(float(i), i, position=i) for i in range(2)])
    assert (result.trend.statistic, result.trend.p) == (1.0, None)


def test_questionnaires_are_compared_as_by_scipy():
    groups = [[5.0, 4.0, 4.0], [1.0, 2.0], [3.0, 3.0, 2.0]]
    rows = [(score, q) for q, group in enumerate(groups) for score in group]
    [result] = made([rating(s, i, questionnaire=q) for i, (s, q) in enumerate(rows)])
    want = stats.kruskal(*groups)
    assert result.between.statistic == pytest.approx(want.statistic)
    assert result.between.p == pytest.approx(want.pvalue)
    assert [part.name for part in result.questionnaires] == ["0", "1", "2"]


def test_equal_scores_and_single_questionnaires_are_not_compared():
    [equal] = made([rating(3.0, i, questionnaire=i % 2) for i in range(4)])
    [single] = made([rating(float(i), i, questionnaire="a") for i in range(4)])
    assert equal.between is None
    assert single.between is None


def test_source_languages_come_from_metadata_or_the_pair():
    rows = [
        rating(1.0, 1, langpair="de-en"),
        rating(3.0, 2, langpair="de-en", source_language="cs"),
        rating(5.0, 3, langpair="de-en"),
        rating(5.0, 4),
    ]
    [result] = made(rows)
    assert [(p.name, p.ratings, p.mean) for p in result.languages] == [
        ("cs", 1, 3.0),
        ("de", 2, 3.0),
    ]


def test_lengths_count_an_output_once():
    texts = [("a b c", "a b"), ("a b c d", "a b c d"), ("a", "a b")]
    rows = [
        rating(float(i), i, reference=ref, hypothesis=hyp)
        for i, (ref, hyp) in enumerate(texts)
    ]
    [result] = made([*rows, rows[0], rating(2.0, 9)])
    lengths = result.lengths
    assert (lengths.outputs, lengths.reference) == (3, pytest.approx(8 / 3))
    assert lengths.hypothesis == pytest.approx(8 / 3)
    want = stats.pearsonr([3, 4, 1], [2, 4, 2]).statistic
    assert lengths.pearson == pytest.approx(want)


def test_texts_may_be_given():
    rows = [rating(1.0, 1), rating(2.0, 2), rating(3.0, 3)]
    texts = {("1", "A"): ("a b", "a"), ("2", "A"): ("a b c", "a b")}
    [result] = made(rows, texts)
    assert (result.lengths.outputs, result.lengths.pearson) == (2, 1.0)
    [result] = made(rows)
    assert result.lengths is None


def test_scales_are_apart():
    rows = [rating(1.0, 1, "order", position=1), rating(9.0, 1, "all", position=1)]
    assert [(each.scale, each.ratings) for each in made(rows)] == [
        ("all", 1),
        ("order", 1),
    ]


def test_metadata_that_say_nothing_are_no_error():
    rows = [rating(1.0), rating(2.0)._replace(meta="loose words")]
    [result] = made(rows)
    assert (result.ratings, result.positions, result.questionnaires) == (2, (), ())
    [demo] = compose(Judgements.read("demo"))
    assert (demo.scale, demo.trend, demo.between) == ("DA", None, None)


@pytest.mark.parametrize("place", ["first", "nan", "inf"])
def test_positions_are_numbers(place):
    with pytest.raises(InputError, match=f"position '{place}' of 'A' on segment '7'"):
        made([rating(1.0, 7, position=place)])


def test_there_must_be_ratings():
    with pytest.raises(InputError, match="no ratings"):
        made([])
