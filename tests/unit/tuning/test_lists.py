# SPDX-License-Identifier: Apache-2.0
"""N-best lists: what they accept, and the statistics of their hypotheses."""

from __future__ import annotations

import numpy as np
import pytest

import tertium
from tertium.errors import InputError
from tertium.tuning.lists import NBestList, feature_names, references_of, statistics


def made(name, texts, references=(), names=("lm",)):
    features = np.zeros((len(texts), len(names)))
    return NBestList(name, texts, names, features, references=references)


def test_statistics_are_those_of_every_hypothesis():
    lists = [
        made("0", ["a red cat", "a cat red", "red"], ("a red cat",)),
        made("1", ["two dogs"], ("two dogs", "a pair of dogs")),
    ]
    metric = tertium.metric("bleu")
    tables = statistics(lists, metric)
    assert [table.shape for table in tables] == [(3, metric.width), (1, metric.width)]
    for each, table in zip(lists, tables, strict=True):
        refs = [each.references] * len(each)
        assert np.array_equal(table, metric.statistics(each.texts, refs))


def test_features_must_fit_the_hypotheses():
    with pytest.raises(InputError, match="one row per hypothesis"):
        NBestList("7", ["a"], ("lm",), np.zeros((2, 1)))
    with pytest.raises(InputError, match="list 7 has no hypotheses"):
        made("7", [])


def test_all_lists_have_the_same_features():
    with pytest.raises(InputError, match="list 1 has the features tm"):
        feature_names([made("0", ["a"]), made("1", ["b"], names=("tm",))])


def test_lists_without_references_are_named():
    with pytest.raises(InputError, match="list 4 has no reference"):
        references_of([made("3", ["a"], ("a",)), made("4", ["b"])])
