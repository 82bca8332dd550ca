# SPDX-License-Identifier: Apache-2.0
"""Helpers of the recipes of Stanojević 2017."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tertium.learn.features.blocks import Resources
from tertium.learn.pairs import Pairs
from tertium.learn.profile import profile
from tertium.order import Permutation, PermutationForest
from tertium.reproductions import Exhibit, documents
from tertium.reproductions.recipes.beer import features, order, tasks, trees, tuning
from tertium.reproductions.recipes.beer.fitting import segment_counts
from tertium.reproductions.recipes.intervals import tau
from tertium.stats import spearman


def _exhibit(label: str) -> Exhibit:
    document = next(d for d in documents() if d.name == "beer")
    return next(e for e in document.exhibits if e.label == label)


def test_segment_counts_leave_out_ties() -> None:
    pairs = Pairs(
        "made up",
        ("a", "b", "c", "d"),
        (("one",), ("one",), ("two",), ("two",)),
        np.array([0, 2, 3, 1]),
        np.array([1, 3, 2, 0]),
        4,
    )
    scores = np.array([0.9, 0.1, 0.5, 0.5])
    assert segment_counts(pairs, scores).tolist() == [[1, 0], [1, 0]]
    counts = segment_counts(pairs, scores, ties=True)
    assert counts.tolist() == [[1, 0], [1, 0], [0, 2]]


def test_ties_of_the_metric_lower_tau_if_they_are_counted() -> None:
    counts = np.array([[3, 2], [1, 0], [0, 4]])
    assert tau(counts).value == pytest.approx((5 - 1) / 10)
    assert tau(counts[:2]).value == pytest.approx((5 - 1) / 6)


def test_columns_that_were_swapped_in_print_are_noticed() -> None:
    exhibit = replace(
        _exhibit("Table A.2"),
        published={"BEER": {"x": 0.4, "y": 0.2}, "METEOR": {"x": 0.35, "y": 0.1}},
    )
    right = {"BEER": {"x": 0.41, "y": 0.19}, "METEOR": {"x": 0.35, "y": 0.12}}
    turned = {row: {"x": v["y"], "y": v["x"]} for row, v in right.items()}
    assert not tasks._swapped(exhibit, right)
    (claim,) = tasks._swapped(exhibit, turned)
    assert "x and y seem to be swapped" in claim.text
    assert not claim.decisive


@pytest.mark.parametrize(
    ("text", "count"), [("4 3 2 1", 5), ("2 4 1 3", 1), ("1 2 5 3 4 6 7 8 9", 132)]
)
def test_trees_are_counted_from_runs(text: str, count: int) -> None:
    perm = Permutation.parse(text)
    assert trees._counted(perm) == PermutationForest(perm).count == count


def test_rho_of_ranks_is_spearmans() -> None:
    draw = np.random.default_rng(3)
    people = draw.integers(0, 5, (4, 9)).astype(float)
    scores = draw.integers(0, 5, (4, 9)).astype(float)
    rho = order._rho(order._ranks(people), order._ranks(scores))
    expected = [spearman(a, b) for a, b in zip(people, scores, strict=True)]
    assert [rho.value, *rho.draws] == pytest.approx(expected)


def test_a_difference_that_is_all_noise_is_no_win() -> None:
    noise = np.array([1.0, -1.0] * 500)
    assert order._significant(noise) == 0
    assert order._significant(noise + 0.2) == 1
    assert order._significant(-noise - 0.2) == -1


def test_indicators_are_those_of_the_profile() -> None:
    treepel = profile("treepel").equipped(Resources(language="en"))
    assert features._indicators(treepel)["dependencies"]
    later = features._indicators(profile("beer-3.0"))
    assert [name for name, has in later.items() if has] == [
        "word n-grams",
        "skip bigrams",
        "character n-grams",
    ]


def test_claims_compare_signs_with_those_in_print() -> None:
    exhibit = replace(
        _exhibit("Table A.2"),
        published={"BEER": {"x": 0.4, "y": 0.2}, "METEOR": {"x": 0.3, "y": 0.2}},
    )
    ours = {"BEER": {"x": 0.1, "y": 0.5}, "METEOR": {"x": 0.2, "y": 0.3}}
    (claim,) = tasks._claims(exhibit, ours)
    assert claim.holds
    assert "better on 1 of 2" in claim.detail
    ours["BEER"]["y"] = 0.2
    (claim,) = tasks._claims(exhibit, ours)
    assert not claim.holds


def test_plain_features_know_precision_from_recall() -> None:
    made = tuning.plain_profile()
    names = list(made.names)
    long, short = made.features(["a b c d", "a b"], ["a b c", "a b c"])
    place = names.index("word1.p"), names.index("word1.r")
    assert long[list(place)].tolist() == pytest.approx([0.75, 1.0])
    assert short[list(place)].tolist() == pytest.approx([1.0, 2 / 3])
