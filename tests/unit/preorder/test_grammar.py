# SPDX-License-Identifier: Apache-2.0
"""Reordering grammars: their probabilities and counts over forests."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import reordering
from tertium import _core
from tertium.errors import FormatError, InputError
from tertium.preorder.forests import Forest
from tertium.preorder.grammar import OPERATORS, Grammar, Lexicon
from tertium.preorder.grammar.estimates import chart_estimate
from tertium.preorder.units import Units


def corpus_of(
    operators,
    sentences,
    *,
    branching="all",
    threads=1,
    attach="right",
    height="low",
    numbers=None,
    weights=None,
):
    """Return the forests of (terminals, ranks) of sentences."""
    corpus = _core.ForestCorpus(
        [operator.ranks for operator in operators],
        [operator.emitter for operator in operators],
        branching,
        attach,
        height,
    )
    sizes = [len(ranks) for _, ranks in sentences]
    faults = corpus.add(
        np.cumsum([0, *sizes]).astype(np.uint32),
        np.array([t for terminals, _ in sentences for t in terminals], np.uint32),
        np.array([r for _, ranks in sentences for r in ranks], np.uint32),
        np.array(range(len(sizes)) if numbers is None else numbers, np.uint32),
        np.array([1.0] * len(sizes) if weights is None else weights),
        threads,
    )
    assert not faults.any()
    return corpus


def tiny_grammar():
    """Return the grammar of two operators and the words a, b, c."""
    return Grammar(
        OPERATORS[:2],
        (1, 1),
        ("a", "b", "c"),
        root=np.array([0.6, 0.4]),
        unary=np.array([[0.2, 0.1], [0.1, 0.2], [0.2, 0.1], [0.2, 0.1]]),
        first=np.array([0, 2, 6, 8]),
        slot=np.array([0, 2, 0, 1, 2, 3, 1, 3]),
        value=np.array([0.5, 0.4, 0.2, 0.3, 0.3, 0.1, 0.4, 0.6]),
        slot_backoff=np.zeros(4),
        terminal_backoff=np.zeros(3),
    )


def random_grammar(seed, *, splits, terminals=4, backoff=0.0):
    """Return a grammar of all operators, with emissions of every slot."""
    random = np.random.default_rng(seed)
    slots = sum(o.arity * s for o, s in zip(OPERATORS, splits, strict=True))
    unary = random.random((slots, sum(splits))) / sum(splits) / 2
    value = random.random(slots * terminals) / terminals
    return Grammar(
        OPERATORS,
        splits,
        tuple("abcdefgh"[:terminals]),
        root=random.random(sum(splits)),
        unary=unary,
        first=np.arange(terminals + 1) * slots,
        slot=np.tile(np.arange(slots), terminals),
        value=value,
        slot_backoff=np.full(slots, backoff),
        terminal_backoff=random.random(terminals),
    )


def test_tiny_grammar_has_the_counts_worked_out_by_hand():
    grammar = tiny_grammar()
    corpus = corpus_of(grammar.operators, [([0, 1, 2], [1, 2, 3])])
    logs, root, unary, value = corpus.expect(grammar.kernel, 1)
    assert math.exp(logs[0]) == pytest.approx(0.0096)
    assert root.tolist() == pytest.approx([1, 0])
    assert unary.reshape(4, 2)[0].tolist() == pytest.approx([0.75, 0])
    assert unary.reshape(4, 2)[1].tolist() == pytest.approx([0.25, 0])
    # a and b in the first child, b and c in the second
    assert value[[0, 2, 3, 6]].tolist() == pytest.approx([1, 0.25, 0.75, 1])


@pytest.mark.parametrize(
    ("ranks", "probability"),
    [
        ([1, 2, 3], 0.0096),
        ([1, 3, 2], 0.0108),
        ([2, 1, 3], 0.00096),
        ([3, 1, 2], 0.00256),
        ([2, 3, 1], 0.0072),
        ([3, 2, 1], 0.00384),
    ],
)
def test_tiny_grammar_has_the_known_probability_of_every_order(ranks, probability):
    grammar = tiny_grammar()
    corpus = corpus_of(grammar.operators, [([0, 1, 2], ranks)])
    logs = corpus.log_probabilities(grammar.kernel, 1)
    assert math.exp(logs[0]) == pytest.approx(probability)


def test_training_without_splits_follows_the_known_likelihoods():
    # a b c / 132, a c / 12, b a c / 123
    sentences = [([0, 1, 2], [1, 3, 2]), ([0, 2], [1, 2]), ([1, 0, 2], [1, 2, 3])]
    corpus = corpus_of(OPERATORS[:2], sentences)
    estimate = chart_estimate(OPERATORS[:2], corpus, 3)
    totals = []
    for _ in range(20):
        logs, root, unary, value = corpus.expect(estimate.kernel(), 1)
        totals.append(logs.sum())
        estimate = estimate.normalised(root, unary, value)
    known = [-7.905690, -6.927087, -6.467334, -6.408824, -6.408224]
    assert totals[:4] == pytest.approx(known[:4], abs=1e-6)
    assert totals[-1] == pytest.approx(known[-1], abs=1e-5)
    assert math.exp(-totals[-1] / corpus.units) == pytest.approx(2.227830, abs=1e-5)
    assert estimate.unary[1].tolist() == pytest.approx([0.25, 0.25], abs=1e-4)


def test_words_back_off_to_the_slots_of_their_class():
    sentences = [([0, 1, 2], [1, 3, 2]), ([0, 2], [1, 2]), ([1, 0, 2], [1, 2, 3])]
    corpus = corpus_of(OPERATORS[:2], sentences)
    start = chart_estimate(OPERATORS[:2], corpus, 3)
    _, root, unary, value = corpus.expect(start.kernel(), 1)
    estimate = start.normalised(root, unary, value)
    counts = estimate.value * estimate.totals[estimate.slot]
    assert counts == pytest.approx(value)
    dense = np.zeros((3, 4))
    terminals = np.repeat(range(3), np.diff(estimate.first.astype(int)))
    dense[terminals, estimate.slot] = value
    both = dense[:2].sum(axis=0)  # a and b are a class, c is not in one
    profile = (both + both / both.sum()) / (both.sum() + 1)
    dense[:2] += 2.0 * profile
    totals = dense.sum(axis=0) + unary.reshape(4, 2).sum(axis=1)
    smooth = estimate.backed_off(np.array([0, 0, -1]), 2.0)
    assert smooth.value[:8].reshape(2, 4) == pytest.approx(dense[:2] / totals)
    assert smooth.first.tolist()[:3] == [0, 4, 8]
    sums = np.bincount(smooth.slot, smooth.value, 4) + smooth.unary.sum(axis=1)
    assert sums == pytest.approx(1)


ranked = st.permutations(range(1, 5)).flatmap(
    lambda perm: st.lists(st.integers(0, 4), max_size=1).map(
        lambda places: [
            rank
            for i in range(5)
            for rank in [*[0] * places.count(i), *perm[i : i + 1]]
        ]
    )
)


@settings(max_examples=12)
@given(ranked, st.integers(0, 1000), st.sampled_from([0.0, 0.1]))
def test_counts_with_splits_are_those_of_all_derivations(ranks, seed, backoff):
    splits = (2, 2, 1, 2) + (2,) * 8
    grammar = random_grammar(seed, splits=splits, backoff=backoff)
    units = [(3 * i + seed) % 4 for i in range(len(ranks))]
    corpus = corpus_of(OPERATORS, [(units, ranks)])
    logs, root, unary, value = corpus.expect(grammar.kernel, 1)
    names = [grammar.terminals[unit] for unit in units]
    plain = reordering.PlainGrammar(grammar)
    total, counts = plain.expect(reordering.unit_trees(ranks), names)
    assert math.exp(logs[0]) == pytest.approx(total)
    assert root.sum() == pytest.approx(1)
    assert value.sum() == pytest.approx(len(ranks))
    assert_same_counts(grammar, plain, counts, (logs, root, unary, value))


unaligned = st.permutations(range(1, 4)).flatmap(
    lambda perm: st.lists(st.integers(0, 3), min_size=1, max_size=2).map(
        lambda places: [
            rank
            for i in range(4)
            for rank in [*[0] * places.count(i), *perm[i : i + 1]]
        ]
    )
)
attachments = st.tuples(
    st.sampled_from(["left", "right"]), st.sampled_from(["low", "high", "both"])
)


def assert_same_counts(grammar, plain, counts, result):
    """Compare expected counts with those of an oracle."""
    _, root, unary, value = result
    states, slots = list(plain.root), list(dict.fromkeys(s for s, _ in plain.rules))
    for state, count in zip(states, root, strict=True):
        assert count == pytest.approx(counts.get(("ROOT", state), 0))
    for slot, row in zip(slots, unary.reshape(len(slots), -1), strict=True):
        for state, count in zip(states, row, strict=True):
            assert count == pytest.approx(counts.get((slot, state), 0))
    rows = value.reshape(len(grammar.terminals), -1)
    for terminal, row in zip(grammar.terminals, rows, strict=True):
        for slot, count in zip(slots, row, strict=True):
            assert count == pytest.approx(counts.get((slot, terminal), 0))


@settings(max_examples=12)
@given(unaligned, st.integers(0, 1000), attachments)
def test_counts_of_all_heights_are_those_of_all_derivations(ranks, seed, choice):
    attach, height = choice
    grammar = random_grammar(seed, splits=(2, 1, 2, 2) + (1,) * 8)
    units = [(3 * i + seed) % 4 for i in range(len(ranks))]
    corpus = corpus_of(OPERATORS, [(units, ranks)], attach=attach, height=height)
    result = corpus.expect(grammar.kernel, 1)
    names = [grammar.terminals[unit] for unit in units]
    plain = reordering.PlainGrammar(grammar)
    trees = reordering.attached_trees(ranks, attach=attach, height=height)
    total, counts = plain.expect(trees, names)
    assert math.exp(result[0][0]) == pytest.approx(total)
    assert_same_counts(grammar, plain, counts, result)


@settings(max_examples=12)
@given(st.lists(ranked, min_size=2, max_size=3), st.integers(0, 1000))
def test_alternatives_of_a_sentence_are_a_mixture(alternatives, seed):
    splits = (2, 1, 1, 2) + (1,) * 8
    grammar = random_grammar(seed, splits=splits)
    plain = reordering.PlainGrammar(grammar)
    weights = np.random.default_rng(seed).random(len(alternatives)) + 0.1
    sentences = [([(i + seed) % 4 for i in range(len(r))], r) for r in alternatives]
    corpus = corpus_of(
        OPERATORS,
        [([0, 1], [2, 1]), *sentences],
        numbers=[0, *[1] * len(alternatives)],
        weights=[1.0, *weights],
    )
    assert len(corpus) == 2
    result = corpus.expect(grammar.kernel, 1)
    parts = []
    for units, ranks in sentences:
        names = [grammar.terminals[unit] for unit in units]
        parts.append(plain.expect(reordering.unit_trees(ranks), names))
    shares = weights / weights.sum()
    total = sum(w * p for w, (p, _) in zip(shares, parts, strict=True))
    assert math.exp(result[0][1]) == pytest.approx(total)
    _, counts = plain.expect(reordering.unit_trees([2, 1]), ["a", "b"])
    counts = dict(counts)
    for share, (p, expected) in zip(shares, parts, strict=True):
        for rule, count in expected.items():
            counts[rule] = counts.get(rule, 0) + share * p / total * count
    assert_same_counts(grammar, plain, counts, result)


def test_an_alternative_without_a_forest_leaves_its_weight_to_the_others():
    grammar = tiny_grammar()
    corpus = _core.ForestCorpus([(1, 2), (2, 1)], [-1, -1], "all", "right", "low")
    faults = corpus.add(
        np.array([0, 2, 4, 6], np.uint32),
        np.array([0, 2, 0, 2, 0, 2], np.uint32),
        np.array([1, 2, 0, 1, 2, 1], np.uint32),
        np.array([0, 0, 0], np.uint32),
        np.array([0.25, 0.5, 0.25]),
        1,
    )
    assert faults.tolist() == [0, 1, 0]
    logs = corpus.log_probabilities(grammar.kernel, 1)
    assert math.exp(logs[0]) == pytest.approx(0.5 * (0.6 * 0.2 + 0.4 * 0.24))


@settings(max_examples=12)
@given(unaligned, st.integers(0, 1000), st.sampled_from(["low", "both"]))
def test_losses_of_merging_are_those_of_one_span_at_a_time(ranks, seed, height):
    grammar = random_grammar(seed, splits=(4, 2, 2, 1) + (2,) * 8)
    units = [(3 * i + seed) % 4 for i in range(len(ranks))]
    corpus = corpus_of(OPERATORS, [(units, ranks)], height=height)
    states = np.array([0, 2, 4, 6], np.uint32)  # of the first three operators
    shares = np.random.default_rng(seed).random((4, 2))
    shares /= shares.sum(axis=1, keepdims=True)
    losses = corpus.merge_losses(grammar.kernel, states, shares.ravel(), 1)
    spans = tuple((i, i + 1) for i in range(len(ranks)))
    forest = Forest.of_units(Units(spans, tuple(ranks)), height=height)
    names = [grammar.terminals[unit] for unit in units]
    plain = reordering.PlainGrammar(grammar)
    pairs = [("P12", (0, 1)), ("P12", (2, 3)), ("P21", (0, 1)), ("P01", (0, 1))]
    for loss, (operator, pair), parts in zip(losses, pairs, shares, strict=True):
        known = plain.merge_loss(forest, names, operator, pair, parts.tolist())
        assert loss == pytest.approx(known, abs=1e-12)


def test_long_sentences_keep_their_probability():
    grammar = random_grammar(1, splits=(2,) * 12)
    words, ranks = [i % 4 for i in range(120)], list(range(120, 0, -1))
    corpus = corpus_of(OPERATORS, [(words, ranks)], branching="left")
    logs, root, _, value = corpus.expect(grammar.kernel, 1)
    assert -math.inf < logs[0] < -400
    assert root.sum() == pytest.approx(1)
    assert value.sum() == pytest.approx(120)


@pytest.mark.parametrize("tiny", [5e-324, 1e-310, 1e-290])
def test_denormal_probabilities_do_no_harm(tiny):
    grammar = tiny_grammar()
    value = grammar.value.copy()
    value[2] = tiny  # b as a first child, which only one of two trees needs
    grammar = Grammar(**{**vars_of(grammar), "value": value})
    corpus = corpus_of(grammar.operators, [([0, 1, 2], [1, 2, 3])])
    logs, _, unary, _ = corpus.expect(grammar.kernel, 1)
    assert math.exp(logs[0]) == pytest.approx(0.0072)
    assert unary.reshape(4, 2)[0, 0] == pytest.approx(1)


def test_counts_do_not_depend_on_threads():
    random = np.random.default_rng(7)
    sentences = [
        (random.integers(0, 4, 5).tolist(), (random.permutation(5) + 1).tolist())
        for _ in range(700)
    ]
    grammar = random_grammar(3, splits=(3,) * 12)
    results = [
        corpus_of(OPERATORS, sentences, threads=threads).expect(grammar.kernel, threads)
        for threads in (1, 3)
    ]
    for one, other in zip(*results, strict=True):
        assert one.tobytes() == other.tobytes()


def test_a_sentence_without_a_parse_has_probability_zero_and_no_counts():
    grammar = tiny_grammar()
    impossible = ([2, 0], [1, 2])  # no first child emits c
    corpus = corpus_of(grammar.operators, [impossible, ([0, 2], [1, 2])])
    logs, root, _, value = corpus.expect(grammar.kernel, 1)
    assert logs[0] == -math.inf
    assert (root.sum(), value.sum()) == (pytest.approx(1), pytest.approx(2))


def test_forests_and_grammar_must_fit():
    grammar = tiny_grammar()
    with pytest.raises(ValueError, match="operators"):
        corpus_of(OPERATORS, [([0, 1], [1, 2])]).expect(grammar.kernel, 1)
    with pytest.raises(ValueError, match="terminals"):
        corpus_of(OPERATORS[:2], [([0, 9], [1, 2])]).expect(grammar.kernel, 1)


def test_probabilities_of_a_slot_add_up_to_one():
    assert tiny_grammar().mass().tolist() == pytest.approx([1] * 4)


def test_a_grammar_is_the_same_after_a_file(tmp_path):
    grammar = tiny_grammar()
    grammar.save(tmp_path / "model")
    read = Grammar.load(tmp_path / "model")
    assert read.terminals == grammar.terminals
    assert read.slots == grammar.slots == ("P12*1_0", "P12*2_0", "P21*1_0", "P21*2_0")
    assert read.states == ("P12_0", "P21_0")
    assert np.array_equal(read.unary, grammar.unary)
    read.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()


def test_a_damaged_grammar_is_rejected(tmp_path):
    with pytest.raises(InputError, match="not complete"):
        Grammar(**{**vars_of(tiny_grammar()), "root": np.ones(3)})
    with pytest.raises(InputError, match="below 0"):
        Grammar(**{**vars_of(tiny_grammar()), "root": np.array([1, -1.0])})
    with pytest.raises(InputError, match="3 terminals"):
        Grammar(**{**vars_of(tiny_grammar()), "first": np.array([0, 8])})
    (tmp_path / "model").write_bytes(b"PK")
    with pytest.raises(FormatError):
        Grammar.load(tmp_path / "model")


def vars_of(grammar):
    return {name: getattr(grammar, name) for name in grammar.__dataclass_fields__}


def test_terminals_must_differ():
    with pytest.raises(InputError, match="'a' twice"):
        Lexicon(["a", "b", "a"])
