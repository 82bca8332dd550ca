# SPDX-License-Identifier: Apache-2.0
"""Parsing with reordering grammars, against the enumeration of all derivations."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.reordering_grammars import Enumeration, expectations
from support.reordering_grammars import make_grammar, random_grammar, tiny_grammar
from tertium import _core
from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.preorder import load
from tertium.preorder.archive import write_model
from tertium.preorder.grammar import OPERATORS, Grammar
from tertium.preorder.parsing.constraints import Constraints
from tertium.preorder.parsing.ensemble import GrammarEnsemble, train_grammars
from tertium.preorder.parsing.model import GrammarPreorderer
from tertium.preorder.parsing.risk import expected_tau

ABC = ["a", "b", "c"]


@pytest.fixture
def tiny():
    return GrammarPreorderer(tiny_grammar())


def enumerated(grammar, words):
    return Enumeration(grammar, words).orders()


# ---------------------------------------------------------------- a grammar by hand


def test_the_probability_of_a_sentence_sums_over_all_derivations(tiny):
    assert math.exp(tiny.log_probabilities([ABC])[0]) == pytest.approx(0.03496)


def test_expectations_are_exact(tiny):
    [e] = tiny.expectations([ABC])
    assert e[0, 1] == pytest.approx(0.789474, abs=1e-6)
    assert e[0, 2] == pytest.approx(0.610984, abs=1e-6)
    assert e[1, 2] == pytest.approx(0.375286, abs=1e-6)
    assert e + e.T == pytest.approx(1 - np.eye(3))


def test_orders_have_their_expected_tau(tiny):
    taus = {
        (0, 2, 1): 0.675057,
        (2, 0, 1): 0.601068,
        (0, 1, 2): 0.591915,
        (2, 1, 0): 0.408085,
        (1, 0, 2): 0.398932,
        (1, 2, 0): 0.324943,
    }
    [ranked] = tiny.nbest([ABC], 10)
    assert [one.order for one in ranked] == list(taus)
    assert [one.expected for one in ranked] == pytest.approx(
        list(taus.values()), abs=1e-6
    )


def test_the_best_derivation_is_a_tree(tiny):
    [[best, *others]] = tiny.derivations([ABC], 10)
    assert best.order == (0, 2, 1)
    assert best.bracketed(ABC) == "(P12_0 a (P21_0 b c))"
    # Root, first word, expansion, then the words of the inner node.
    assert best.log_probability == pytest.approx(math.log(0.6 * 0.5 * 0.2 * 0.3 * 0.6))
    total = sum(math.exp(one.log_probability) for one in (best, *others))
    assert total == pytest.approx(0.03496)


# -------------------------------------------------------------------- random grammars

SENTENCES = st.lists(st.sampled_from(["a", "b", "c", "x"]), min_size=2, max_size=5)


@given(st.integers(0, 10**6), SENTENCES)
@settings(max_examples=8, deadline=None)
def test_results_equal_those_of_all_derivations(seed, words):
    grammar = random_grammar(seed)
    model = GrammarPreorderer(grammar)
    orders = enumerated(grammar, words)
    total = sum(orders.values())
    assert math.exp(model.log_probabilities([words])[0]) == pytest.approx(total)
    [e] = model.expectations([words])
    assert e == pytest.approx(np.array(expectations(orders)), abs=1e-9)
    [ranked] = model.derivations([words], 50)
    logs = [one.log_probability for one in ranked]
    assert logs == sorted(logs, reverse=True)
    assert len({one.bracketed(words) for one in ranked}) == len(ranked)


def test_the_k_best_derivations_of_an_order_sum_to_its_probability():
    grammar = random_grammar(4, max_arity=4, splits=(1, 1))
    words = ["a", "b", "c", "c"]
    sums = dict.fromkeys(enumerated(grammar, words), 0.0)
    [ranked] = GrammarPreorderer(grammar).derivations([words], 100_000)
    for one in ranked:
        sums[one.order] += math.exp(one.log_probability)
    assert sums == pytest.approx(enumerated(grammar, words))


def test_samples_follow_the_distribution_of_orders():
    grammar = random_grammar(7)
    words = ["a", "b", "c", "a"]
    orders = enumerated(grammar, words)
    total = sum(orders.values())
    [sampled] = GrammarPreorderer(grammar).samples([words], 20_000, seed=3)
    counts = {one.order: one.count for one in sampled}
    assert sum(counts.values()) == 20_000
    distance = sum(
        abs(counts.get(order, 0) / 20_000 - p / total) for order, p in orders.items()
    )
    assert distance / 2 < 0.02


def test_samples_of_five_words_use_operators_of_five_children():
    grammar = random_grammar(1, splits=(1, 2))
    [sampled] = GrammarPreorderer(grammar).samples([["c"] * 5], 5_000)
    prime = {operator.order for operator in OPERATORS if operator.arity == 5}
    assert prime <= {one.order for one in sampled}


# ------------------------------------------------------------------------ choices


def test_choices_are_ordered_by_their_expected_tau():
    model = GrammarPreorderer(random_grammar(11))
    sentences = [["a", "c", "b", "c", "a"], ["b", "c", "c"], ["a"], []]
    chosen = {
        choice: model.apply(sentences, choice=choice, samples=300)
        for choice in ("risk", "sampled-risk", "frequent", "sample", "derivation")
    }
    for choice, results in chosen.items():
        for result, e in zip(results, model.expectations(sentences), strict=True):
            assert result.expected == pytest.approx(expected_tau(result.order, e))
            assert result.fallback is None, choice
    for better, other in (("sampled-risk", "frequent"), ("sampled-risk", "derivation")):
        pairs = zip(chosen[better], chosen[other], strict=True)
        assert all(one.expected >= two.expected - 1e-12 for one, two in pairs)
    assert [one.order for one in chosen["risk"][2:]] == [(0,), ()]


def test_orders_respect_constraints(tiny):
    [one] = tiny.apply([ABC], constraints=Constraints(walls=(2,)))
    assert one.order == (0, 1, 2)
    with pytest.raises(InputError, match="ignores the maximum displacement"):
        tiny.apply([ABC], constraints=Constraints(max_displacement=1), choice="sample")


def test_unknown_choices_are_rejected(tiny):
    with pytest.raises(UnknownNameError, match="risk"):
        tiny.apply([ABC], choice="best")
    with pytest.raises(InputError, match="at least 1"):
        tiny.samples([ABC], 0)
    with pytest.raises(InputError, match="at least 1"):
        tiny.derivations([ABC], 0)
    with pytest.raises(InputError, match="at least 2"):
        GrammarPreorderer(tiny.grammar, max_span=1)
    with pytest.raises(InputError, match="below 1"):
        GrammarPreorderer(tiny.grammar, prune=1)


def test_a_lattice_has_the_orders_of_least_risk(tiny):
    [lattice] = tiny.lattice([ABC], 3)
    taus = {one.order: one.expected for one in tiny.nbest([ABC], 3)[0]}
    assert dict(lattice.paths()) == pytest.approx(taus)


def test_threads_do_not_change_results():
    model = GrammarPreorderer(random_grammar(5))
    rng = np.random.default_rng(0)
    sentences = [rng.choice(["a", "b", "c", "x"], n % 9).tolist() for n in range(40)]
    one, three = (model.expectations(sentences, threads=t) for t in (1, 3))
    assert all(np.array_equal(a, b) for a, b in zip(one, three, strict=True))
    one, three = (model.samples(sentences, 20, threads=t) for t in (1, 3))
    assert one == three


def test_a_model_is_written_and_read(tiny, tmp_path):
    tiny.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert isinstance(again, GrammarPreorderer)
    assert again.kind == "grammar"
    assert np.array_equal(again.expectations([ABC])[0], tiny.expectations([ABC])[0])


# ------------------------------------------------------------------- ensembles


def test_an_ensemble_has_the_mean_of_the_expectations(tiny, tmp_path):
    ensemble = GrammarEnsemble((tiny.grammar, random_grammar(1)))
    ensemble.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert isinstance(again, GrammarEnsemble)
    sentences = [ABC, ["c", "a"], ["a"]]
    parts = [one.expectations(sentences) for one in ensemble.members]
    for first, second, mean in zip(*parts, again.expectations(sentences), strict=True):
        assert mean == pytest.approx((first + second) / 2)
    # The tiny grammar does not derive the second sentence, the other one does.
    assert [one.fallback for one in again.apply(sentences)] == [None] * 3


def test_one_grammar_needs_no_ensemble():
    sentences, links = [["a", "b"], ["b", "a"]] * 4, [[(0, 1), (1, 0)]] * 8
    settings = {"splits": (1, 1), "unknown": 0, "iterations": 2}
    one = train_grammars(sentences, links, restarts=1, **settings)
    assert isinstance(one, GrammarPreorderer)
    steps = []
    two = train_grammars(
        *(sentences, links),
        restarts=2,
        progress=lambda what, done, total: steps.append((done, total)),
        **settings,
    )
    assert steps[-1] == (4, 4)
    assert [grammar.settings["seed"] for grammar in two.grammars] == [12345, 12346]
    assert two.apply([["a", "b"]])[0].order == (1, 0)
    with pytest.raises(InputError, match="restarts is 0"):
        train_grammars(sentences, links, restarts=0)


def test_files_without_grammars_are_rejected(tmp_path):
    write_model(tmp_path / "model", "grammars", {}, {})
    with pytest.raises(FormatError, match="names no grammars"):
        load(tmp_path / "model")
    with pytest.raises(InputError, match="at least one grammar"):
        GrammarEnsemble(())


# ---------------------------------------------------------------- where it is hard


def test_long_sentences_neither_underflow_nor_overflow():
    grammar = random_grammar(2, max_arity=4, splits=(2, 1))
    rare = Grammar(
        **{
            **vars_of(grammar),
            "value": grammar.value * 1e-12,
            "unary": grammar.unary * 0.01,
        }
    )
    words = ["a", "c", "b", "c"] * 20
    for one in (grammar, rare):
        model = GrammarPreorderer(one)
        [log] = model.log_probabilities([words])
        assert math.isfinite(log)
        [e] = model.expectations([words])
        assert np.isfinite(e).all()
        assert e + e.T == pytest.approx(1 - np.eye(80))
        assert model.apply([words])[0].fallback is None
    # The same grammar but for the probability of words: equal posteriors.
    words_only = Grammar(**{**vars_of(grammar), "value": grammar.value * 1e-12})
    scaled = GrammarPreorderer(words_only).expectations([["c", "x", "a"] * 20])
    plain = GrammarPreorderer(grammar).expectations([["c", "x", "a"] * 20])
    assert scaled[0] == pytest.approx(plain[0], abs=1e-9)


def vars_of(grammar):
    return {name: getattr(grammar, name) for name in Grammar.__dataclass_fields__}


def test_sentences_that_the_grammar_does_not_derive_are_smoothed(tiny):
    sentences = [ABC, ["c", "a"], ["a", "nothing", "c"], ["a"]]
    results = tiny.apply(sentences)
    assert [one.fallback for one in results] == [None, "smoothed", "smoothed", None]


def test_what_cannot_be_one_tree_becomes_several_in_a_row():
    four = OPERATORS[4]
    grammar = make_grammar(
        [four], (1,), ("a",), [1.0], np.full((4, 1), 0.1), np.full((4, 1), 0.9)
    )
    model = GrammarPreorderer(grammar)
    results = model.apply([["a"] * 4, ["a"] * 6, ["a"] * 3], choice="derivation")
    assert [one.fallback for one in results] == [None, "glued", "identity"]
    assert results[0].order == (2, 0, 3, 1)
    assert results[1].order in {(0, 1, 4, 2, 5, 3), (2, 0, 3, 1, 4, 5)}
    assert results[2].order == (0, 1, 2)
    [e, f, g] = model.expectations([["a"] * 4, ["a"] * 6, ["a"] * 3])
    assert e[2, 0] == e[3, 1] == e[2, 1] == 1
    assert f[:4, 4:].min() == 1 or f[:2, 2:].min() == 1
    assert np.array_equal(g, np.triu(np.ones((3, 3)), 1))


def test_long_sentences_are_parsed_in_pieces():
    model = GrammarPreorderer(random_grammar(3, max_arity=2), max_span=5)
    [one] = model.apply([["a", "c", "b", "c", "a", "b", "c", "c"]])
    assert one.fallback == "glued"
    assert sorted(one.order) == list(range(8))


def test_pruning_that_skips_nothing_is_exact():
    grammar = random_grammar(9)
    words = ["a", "c", "b", "c", "a", "b"]
    [exact] = GrammarPreorderer(grammar).expectations([words])
    [pruned] = GrammarPreorderer(grammar, prune=1e-12).expectations([words])
    assert pruned == pytest.approx(exact, abs=1e-6)
    [rough] = GrammarPreorderer(grammar, prune=0.01).expectations([words])
    assert rough + rough.T == pytest.approx(1 - np.eye(6))


def test_the_inside_of_all_forests_sums_to_that_of_the_chart():
    grammar = random_grammar(6, unaligned=False)
    words, n = [3, 1, 3, 2, 0], 5  # c a c b and an unknown word
    corpus = _core.ForestCorpus(
        [operator.ranks for operator in grammar.operators],
        [operator.emitter for operator in grammar.operators],
        *("all", "right", "low"),
    )
    ranks = np.array(list(permutations(range(1, n + 1))), np.uint32)
    faults = corpus.add(
        np.arange(0, ranks.size + 1, n, dtype=np.uint32),
        np.tile(np.array(words, np.uint32), len(ranks)),
        ranks.ravel(),
        np.arange(len(ranks), dtype=np.uint32),
        np.ones(len(ranks)),
        1,
    )
    assert not faults.any()
    forced = np.exp(corpus.log_probabilities(grammar.kernel, 1))
    model = GrammarPreorderer(grammar)
    [log] = model.log_probabilities([["c", "a", "c", "b", "x"]])
    assert forced.sum() == pytest.approx(math.exp(log))
