# SPDX-License-Identifier: Apache-2.0
"""Measures of orders, intervals and tests."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.align import parse_pharaoh
from tertium.errors import InputError
from tertium.preorder import Gold, measure_orders, score_orders
from tertium.preorder.measures import MEASURES
from tests.oracles import preorder_orders as oracle


@st.composite
def scored(draw):
    corpus = []
    for n in draw(st.lists(st.integers(0, 7), min_size=1, max_size=5)):
        targets = st.one_of(st.none(), st.integers(0, 4).map(float))
        corpus.append(
            (
                tuple(draw(st.permutations(range(n)))),
                Gold(
                    tuple(draw(st.permutations(range(n)))),
                    tuple(draw(st.lists(targets, min_size=n, max_size=n))),
                ),
            )
        )
    return corpus


@given(scored())
def test_measures_equal_their_definitions(corpus):
    rows = measure_orders(*zip(*corpus, strict=True))
    for (order, gold), row in zip(corpus, rows.tolist(), strict=True):
        expected = oracle.measures(order, gold.order, gold.positions)
        assert row == pytest.approx([expected[name] for name in MEASURES])


def test_the_gold_order_scores_one():
    gold = [Gold((2, 0, 1), (1.0, 2.0, 0.0)), Gold((), ()), Gold((0,), (None,))]
    assert (measure_orders([g.order for g in gold], gold) == 1).all()


SENTENCES = [["a", "b", "c", "d"]] * 40
LINKS = [parse_pharaoh("0-3 1-2 2-1 3-0"), parse_pharaoh("0-0 1-1 2-3 3-2")] * 20
GOLD = [(3, 2, 1, 0), (0, 1, 3, 2)] * 20


def test_systems_are_tested_against_each_other_and_the_baseline():
    half = [*GOLD[:20], *[(0, 1, 2, 3)] * 20]
    result = score_orders({"gold": GOLD, "half": half}, SENTENCES, LINKS)
    assert list(result.systems) == ["gold", "half", "identity"]
    assert result["gold"]["exact"].score == 1
    assert result["identity"]["tau"].score == pytest.approx(5 / 12)
    low, high = result["half"]["tau"].interval
    assert low < result["half"]["tau"].score < high
    test = next(p for p in result.pairs if (p.measure, p.b) == ("tau", "identity"))
    assert (test.a, test.better) == ("gold", "gold")
    assert test.p_adjusted >= test.p


def test_a_copy_does_not_differ():
    result = score_orders({"a": GOLD, "b": GOLD}, SENTENCES, LINKS, baselines=())
    assert all(p.p == 1 and p.better is None for p in result.pairs)


def test_results_do_not_depend_on_threads_and_can_be_written():
    settings = {"resamples": 200, "segments": True, "baselines": ["reverse"]}
    results = [
        score_orders({"a": GOLD}, SENTENCES, LINKS, threads=threads, **settings)
        for threads in (1, 3)
    ]
    assert results[0] == results[1]
    content = json.loads(results[0].to_json())
    assert content["settings"]["reduction"] == "mean"
    assert len(content["systems"]["reverse"]["tau"]["segments"]) == 40


def test_intervals_can_be_omitted():
    result = score_orders({"a": GOLD}, SENTENCES, LINKS, resamples=0)
    assert result["a"]["tau"].interval is None
    assert result.pairs == ()


@pytest.mark.parametrize(
    ("orders", "message"),
    [
        (GOLD[:39], "'a' has orders of 39 sentences, there are 40"),
        ([(0, 1, 2, 2), *GOLD[1:]], "'a', sentence 0: the order does not have every"),
        ([(0, 1, 2), *GOLD[1:]], "'a', sentence 0: the order has 3 positions"),
    ],
)
def test_orders_that_do_not_fit_are_rejected(orders, message):
    with pytest.raises(InputError, match=message):
        score_orders({"a": orders}, SENTENCES, LINKS)


def test_unknown_names_and_empty_input_are_rejected():
    for settings in ({"measures": ["tau", "x"]}, {"baselines": ["x"]}):
        with pytest.raises(InputError, match="unknown"):
            score_orders({"a": GOLD}, SENTENCES, LINKS, **settings)
    with pytest.raises(InputError, match="nothing to score"):
        score_orders({}, [], [])
    with pytest.raises(InputError, match="needs dependency trees"):
        score_orders({"a": GOLD}, SENTENCES, LINKS, baselines=["head-final"])


@pytest.mark.wmt
def test_the_source_order_of_real_sentences_has_the_known_score(wmt_data):
    """English-Japanese: .7336 for the source order on the 500 sentences."""
    folder = wmt_data / "preorder"
    with gzip.open(folder / "enja.dev.tsv.gz", "rt", encoding="utf-8") as file:
        sentences = [line.split("\t")[0].split() for line in file]
    with gzip.open(folder / "enja.dev.gdfa.gz", "rt") as file:
        links = [parse_pharaoh(line) for line in file]
    result = score_orders({}, sentences, links, resamples=0)
    assert round(result["identity"]["tau"].score, 4) == 0.7336
