# SPDX-License-Identifier: Apache-2.0
"""Reranking by weighted features: scores from elsewhere, files of weights."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.tuning.lists import NBestList
from tertium.tuning.reranking import (
    attach_scores,
    read_scores,
    rerank,
)
from tertium.tuning.weights import read_weights


@pytest.fixture
def lists():
    features = np.array([[-1.0, 3.0], [-2.0, 2.0], [-3.0, 9.0]])
    texts = ["a b c", "a b", "a b"]
    first = NBestList("0", texts, ("lm", "words"), features, np.array([3.0, 2, 1]))
    return [first, NBestList("1", ["x"], ("lm", "words"), features[:1], np.ones(1))]


def test_the_highest_weighted_sum_wins(lists):
    assert rerank(lists, {"lm": 1}).texts == ["a b c", "x"]
    result = rerank(lists, {"lm": 1, "words": -2}, top=5)
    assert result.texts == ["a b", "x"]
    assert [(p.index, p.score) for p in result.lists[0].best] == [(1, -6), (0, -7)]
    assert result.changed == 1
    assert json.loads(result.to_json()) == result.to_dict()


def test_the_total_score_decides_without_weights(lists):
    assert rerank(lists).texts == ["a b c", "x"]
    assert rerank(lists, {"score": -1}).texts == ["a b", "x"]
    bare = NBestList("0", ["a"], (), np.zeros((1, 0)))
    with pytest.raises(InputError, match="has no scores to rank by"):
        rerank([bare])


def test_of_equal_sums_the_first_wins(lists):
    assert rerank(lists, {"lm": 0}).lists[0].best[0].index == 0


def test_unknown_names_and_weights_are_rejected(lists):
    with pytest.raises(UnknownNameError, match="word"):
        rerank(lists, {"word": 1})
    with pytest.raises(InputError, match="weight of lm is nan"):
        rerank(lists, {"lm": float("nan")})
    with pytest.raises(InputError, match="no weights"):
        rerank(lists, {})
    with pytest.raises(InputError, match="top is 0"):
        rerank(lists, top=0)


def test_scores_become_features_in_the_order_of_the_lists(lists):
    both = attach_scores(lists, {"qe": [1, 2, 3, 4]})
    assert both[0].features[:, 2].tolist() == [1, 2, 3]
    assert both[1].features[:, 2].tolist() == [4]
    assert rerank(both, {"qe": 1}).lists[0].best[0].index == 2
    with pytest.raises(InputError, match="qe has 3 scores, and the lists have 4 hyp"):
        attach_scores(lists, {"qe": [1, 2, 3]})
    with pytest.raises(InputError, match="already a feature lm"):
        attach_scores(lists, {"lm": [1, 2, 3, 4]})


def test_files_of_scores_have_one_number_per_line(write_lines):
    assert read_scores(write_lines("qe.txt", ["0.5", "-1"])) == [0.5, -1]
    for wrong in ("x", "nan", "", "1 2"):
        with pytest.raises(FormatError, match=r"qe\.txt.*2.*not a finite number"):
            read_scores(write_lines("qe.txt", ["0.5", wrong]))


@pytest.mark.parametrize(
    "lines",
    [
        ["lm 0.5", "tm_0 0.2", "tm_1 0.3"],
        ["# tuned", "[weight]", "lm= 0.5", "", "tm= 0.2 0.3"],
        ['{"lm": 0.5, "tm_0": 0.2, "tm_1": 0.3}'],
        ['{"weights": {"lm": 0.5, "tm_0": 0.2, "tm_1": 0.3}}'],
        [
            '{"final": {"score": 0.3, "weights":',
            '{"lm": 0.5, "tm_0": 0.2, "tm_1": 0.3}}}',
        ],
    ],
)
def test_weights_are_read_from_lines_and_json(write_lines, lines):
    weights = read_weights(write_lines("weights", lines))
    assert weights == {"lm": 0.5, "tm_0": 0.2, "tm_1": 0.3}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["lm x"], "is not a weight"),
        (["lm"], "is not a weight"),
        (["# nothing"], "has no weights"),
        (['{"lm": '], "not JSON"),
        (['{"kind": "linear"}'], "not a model over features"),
    ],
)
def test_files_that_are_not_weights_are_rejected(write_lines, lines, message):
    with pytest.raises(FormatError, match=message):
        read_weights(write_lines("weights", lines))
