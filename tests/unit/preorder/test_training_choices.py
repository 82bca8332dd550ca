# SPDX-License-Identifier: Apache-2.0
"""Choices of training: priors, heights, alternative links, rounds of splitting."""

from __future__ import annotations

import math

import numpy as np
import pytest

from support.preordering import toy_corpus
from tertium.errors import InputError
from tertium.preorder.grammar import (
    OPERATORS,
    Alternatives,
    Lexicon,
    combine_links,
    train_grammar,
)
from tertium.preorder.grammar.alternatives import unit_alternatives
from tertium.preorder.grammar.corpus import ForestCorpus, UnitCorpus, learn_terminals
from tertium.preorder.grammar.estimates import Estimate, chart_estimate
from tertium.preorder.grammar.priors import digamma, variational
from tertium.preorder.parsing.model import GrammarPreorderer

SMALL = {"splits": (3, 1), "iterations": 6, "unknown": 1}


def test_every_kind_of_training_has_a_grammar_of_distributions():
    sentences, links = toy_corpus()
    for options in (
        {"prior": (0.1, 0.1)},
        {"height": "both"},
        {"height": "both", "attach": "left", "variant": "pet"},
        {"rounds": 2},
        {"rounds": 2, "prior": (0.5, 0.1), "height": "both", "held_out": 5},
    ):
        grammar = train_grammar(sentences, links, **{**SMALL, **options})
        emitted = np.bincount(grammar.slot, grammar.value, len(grammar.unary))
        used = grammar.unary.sum(axis=1) + emitted > 0
        assert grammar.mass()[used] == pytest.approx(1)
        assert grammar.root.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    "options",
    [{"height": "both"}, {"rounds": 2}, {"rounds": 1, "prior": (0.1, 0.2)}],
)
def test_new_kinds_of_training_do_not_depend_on_threads(options):
    one, other = (
        train_grammar(*toy_corpus(700), **SMALL, **options, threads=threads)
        for threads in (1, 3)
    )
    assert one.splits == other.splits
    assert one.unary.tobytes() == other.unary.tobytes()
    assert one.value.tobytes() == other.value.tobytes()


def test_likelihood_rises_with_heights_as_alternatives():
    grammar = train_grammar(*toy_corpus(), height="both", **SMALL)
    values = [item["log_likelihood"] for item in grammar.settings["log"]]
    assert values == sorted(values)


# ------------------------------------------------------------------------- priors


def test_digamma_is_that_of_scipy():
    special = pytest.importorskip("scipy.special")
    x = np.concatenate([10.0 ** np.arange(-12, 13), [0.5, 1.4616321449683622, 7.9]])
    assert digamma(x) == pytest.approx(special.digamma(x), rel=1e-12, abs=1e-13)


def test_weights_with_a_prior_are_those_of_the_definition():
    counts = np.array([0.0, 0.25, 3.0, 1e6])
    known = [math.exp(float(digamma(np.array(c + 0.5)))) for c in counts]
    assert variational(counts, 0.5) == pytest.approx(known)
    # Large counts lose half an occurrence: alpha - 1/2 is added.
    assert variational(np.array([1e4]), 2.0)[0] == pytest.approx(10001.5, abs=1e-3)


def test_a_step_with_a_prior_normalises_weighted_counts():
    estimate = Estimate(
        OPERATORS[:2],
        (1, 1),
        np.array([0.5, 0.5]),
        np.array([[0.2, 0.3], [0.5, 0.0], [0.0, 0.0], [0.5, 0.5]]),
        np.array([0, 3], np.uint32),
        np.array([0, 1, 2], np.uint32),
        np.array([0.5, 0.5, 1.0]),
        np.zeros(4),
    )
    counts = np.array([[2.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    step = estimate.normalised(
        np.array([3.0, 1.0]),
        counts.ravel(),
        np.array([1.0, 4.0, 2.0]),
        prior=(0.1, 0.2),
    )
    a, b = variational(np.array([2.0, 0.0]), 0.1)
    c = variational(np.array([1.0]), 0.2)[0]
    assert step.unary[0] == pytest.approx(np.array([a, b]) / (a + b + c))
    assert step.value[0] == pytest.approx(c / (a + b + c))
    assert step.unary[1, 1] == 0  # impossible before
    assert step.value[2] == pytest.approx(1)
    assert step.unary[3] == pytest.approx([0.5, 0.5])  # never counted
    assert step.totals == pytest.approx([3, 5, 2, 0])
    assert step.root == pytest.approx([0.75, 0.25])


def test_a_small_prior_makes_grammars_sparse():
    options = {**SMALL, "splits": (6, 1), "backoff": 0, "iterations": 20}
    dense, sparse = (
        train_grammar(*toy_corpus(), **options, prior=prior)
        for prior in (None, (1e-3, 1e-3))
    )
    assert (sparse.unary > 1e-9).sum() < (dense.unary > 1e-9).sum()


# ------------------------------------------------------------- alternative links


def test_equal_alternatives_change_nothing():
    sentences, links = toy_corpus()
    plain = train_grammar(sentences, links, **SMALL)
    twice = train_grammar(sentences, combine_links([links, links]), **SMALL)
    one = [Alternatives((item,)) for item in links]
    once = train_grammar(sentences, one, **SMALL)
    for other in (twice, once):
        assert plain.unary.tobytes() == other.unary.tobytes()
        assert plain.value.tobytes() == other.value.tobytes()


def test_alternatives_with_the_same_units_are_merged():
    # The second target words differ, their order does not.
    alternatives = Alternatives(
        ([(0, 0), (1, 1)], [(0, 0), (1, 3)], [(0, 1), (1, 0)]), (1.0, 2.0, 5.0)
    )
    units, sentence, weight = unit_alternatives([2, 2], [[(0, 0)], alternatives])
    assert sentence.tolist() == [0, 1, 1]
    assert weight.tolist() == pytest.approx([1, 0.375, 0.625])
    assert [units[i].ranks for i in range(3)] == [(1, 0), (1, 2), (2, 1)]


def test_likelihood_rises_and_wrong_alternatives_lose():
    sentences, links = toy_corpus()
    # Every third sentence has an alternative in source order.
    mixed = [
        Alternatives((item, [(s, s) for s, _ in item])) if i % 3 == 0 else item
        for i, item in enumerate(links)
    ]
    options = {**SMALL, "iterations": 20}
    grammar = train_grammar(sentences, mixed, **options)
    values = [item["log_likelihood"] for item in grammar.settings["log"]]
    assert values == sorted(values)
    [order] = GrammarPreorderer(grammar).apply([["he", "reads", "books", "."]])
    assert order.order == (0, 2, 1, 3)


def test_held_out_sentences_keep_all_their_alternatives():
    sentences, links = toy_corpus(9)
    other = [[(s, s) for s, _ in item] for item in links]
    corpus = UnitCorpus.of(sentences, combine_links([links, other]), max_words=50)
    kept, apart = corpus.parts(3)
    assert (len(corpus), len(kept), len(apart)) == (9, 6, 3)
    assert apart.sentence.tolist() == [0, 0, 1, 1, 2, 2]
    assert apart.weight.tolist() == [0.5] * 6


def test_alternatives_that_do_not_fit_are_rejected():
    with pytest.raises(InputError, match="at least one"):
        Alternatives(())
    with pytest.raises(InputError, match="one positive number"):
        Alternatives(([], []), (1.0, 0.0))
    with pytest.raises(InputError, match="different numbers"):
        combine_links([[[]], [[], []]])
    with pytest.raises(InputError, match="links of 2"):
        unit_alternatives([1], [Alternatives(([],)), []])


# --------------------------------------------------------------- split and merge


def test_merging_the_copies_of_a_state_without_noise_restores_the_estimate():
    sentences, links = toy_corpus()
    corpus = UnitCorpus.of(sentences, links, max_words=50)
    terminals = learn_terminals(corpus, unknown=1, suffixes=0)
    lexicon = Lexicon(terminals)
    forests = ForestCorpus(
        corpus, lexicon, variant="itg", attach="right", height="low", threads=1
    )
    start = chart_estimate(forests.operators, forests.forests, len(terminals))
    start = start.split([2, 3, 1, 2], np.random.default_rng(1))
    copies = [2, 1, 1, 2, 1, 1, 2, 1]
    copied = start.split(copies, NoNoise())
    assert copied.splits == (3, 4, 1, 3)
    logs = [
        forests.forests.log_probabilities(item.kernel(), 1).sum()
        for item in (start, copied)
    ]
    assert logs[0] == pytest.approx(logs[1])
    pairs = [0, 4, 8]
    losses = forests.forests.merge_losses(
        copied.kernel(), np.array(pairs, np.uint32), np.full(6, 0.5), 1
    )
    assert losses == pytest.approx([0, 0, 0], abs=1e-8)
    merged = copied.merged(pairs)
    assert merged.splits == start.splits
    for name in ("root", "unary", "first", "slot", "value", "totals"):
        assert getattr(merged, name) == pytest.approx(getattr(start, name)), name


class NoNoise:
    def uniform(self, low, high, shape):
        return np.ones(shape)


def test_rounds_split_at_most_to_the_limit_and_merge_half():
    sentences, links = toy_corpus()
    one = train_grammar(sentences, links, **{**SMALL, "splits": (9, 9)}, rounds=1)
    assert sum(one.splits) == 6  # four states in two each, two pairs merged
    many = train_grammar(sentences, links, **{**SMALL, "splits": (3, 1)}, rounds=4)
    assert max(many.splits) == 3
    assert len(many.settings["log"]) == 4 * 8 + SMALL["iterations"]


def test_a_checkpoint_continues_within_a_round(tmp_path):
    options = {**SMALL, "rounds": 2, "held_out": 5, "patience": 9}
    straight = train_grammar(*toy_corpus(), **options)
    for last in (2, 5, 8, 12, 17):  # split, merged, before a split, ...
        file = tmp_path / f"checkpoint{last}"
        with pytest.raises(KeyboardInterrupt):
            train_grammar(
                *toy_corpus(), **options, checkpoint=file, progress=stop_at(last)
            )
        resumed = train_grammar(*toy_corpus(), **options, checkpoint=file)
        assert resumed.settings["log"] == straight.settings["log"]
        assert resumed.unary.tobytes() == straight.unary.tobytes()
        assert resumed.value.tobytes() == straight.value.tobytes()
        with pytest.raises(InputError, match="other sentences"):
            train_grammar(*toy_corpus(), **{**options, "rounds": 1}, checkpoint=file)


def stop_at(last):
    def progress(what, done, total):
        if done == last:
            raise KeyboardInterrupt

    return progress
