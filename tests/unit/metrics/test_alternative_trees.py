# SPDX-License-Identifier: Apache-2.0
"""DTED and DERP over projected trees and over several parses."""

from __future__ import annotations

import random
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.align import align
from tertium.data.annotated import Annotated
from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.report.explain import explain
from tertium.trees import DependencyTree, derp, dted
from tertium.trees.parses import make_parses
from tertium.trees.projection import make_projective, project

SOLD = DependencyTree(
    ("she", "sold", "the", "old", "car"),
    (2, 0, 5, 5, 2),
    ("nsubj", "root", "det", "amod", "obj"),
)
CHAIN = DependencyTree(SOLD.forms, (0, 1, 2, 3, 4), ("root", *["dep"] * 4))
STAR = DependencyTree(SOLD.forms, (0, 1, 1, 1, 1), ("root", *["dep"] * 4))
FUNCTIONS = {"dted": dted, "derp": derp}

names = st.sampled_from(sorted(FUNCTIONS))
sentences = st.permutations(SOLD.forms).map(lambda words: list(words)[:4])


def with_parses(trees, weights=None):
    parses = make_parses(trees, weights)
    layers = {"tree": parses[0].tree, "parses": parses}
    return Annotated(" ".join(parses[0].tree.forms), layers)


def random_tree(words, seed):
    chance = random.Random(seed)
    order = chance.sample(range(len(words)), len(words))
    heads = [0] * len(words)
    for i, word in enumerate(order[1:], 1):
        heads[word] = order[chance.randrange(i)] + 1
    deprels = tuple(chance.choice(("nsubj", "obj", "det")) for _ in words)
    return DependencyTree(tuple(words), tuple(heads), deprels)


def links_of(hyp, ref):
    return [(m.hyp, m.ref) for m in align(list(hyp), list(ref))]


def score(spec, hyps, refs):
    return tertium.metric(spec).segment_scores(hyps, refs).tolist()


@given(names, sentences, st.integers(0, 99), st.integers(1, 3), st.integers(1, 3))
def test_best_and_mean_are_those_over_all_pairs_of_parses(name, words, seed, m, n):
    hyp_trees = [random_tree(words, seed + i) for i in range(m)]
    ref_trees = [random_tree(SOLD.forms, seed + 50 + i) for i in range(n)]
    hyp = with_parses(hyp_trees, list(range(1, m + 1)))
    ref = with_parses(ref_trees, [2.0] * n)
    links = links_of(words, SOLD.forms)
    pairs = [
        (FUNCTIONS[name](a.tree, b.tree, links).score, a.probability * b.probability)
        for a in hyp.layers["parses"]
        for b in ref.layers["parses"]
    ]
    assert score(f"{name}:parses=best", [hyp], [ref]) == [max(s for s, _ in pairs)]
    mean = sum(value * weight for value, weight in pairs)
    assert score(f"{name}:parses=mean", [hyp], [ref]) == [pytest.approx(mean)]
    assert score(name, [hyp], [ref]) == [pairs[0][0]]


@given(names, sentences, st.integers(0, 99), st.booleans())
def test_projected_scores_are_those_of_the_projected_tree(name, words, seed, lift):
    ref_tree = random_tree(SOLD.forms, seed)
    links = links_of(words, SOLD.forms)
    trees = [project(ref_tree, words, links), ref_tree]
    if lift:
        trees = list(map(make_projective, trees))
    spec = f"{name}:structure={'projective' if lift else 'projected'}"
    expected = FUNCTIONS[name](*trees, links).score
    ref = Annotated(" ".join(SOLD.forms), {"tree": ref_tree})
    assert score(spec, [" ".join(words)], [ref]) == [pytest.approx(expected)]


@pytest.mark.parametrize("setting", ["structure=projected", "parses=best"])
def test_of_several_references_the_best_counts(setting):
    hyps = [with_parses([STAR, CHAIN]), with_parses([CHAIN])]
    refs = [
        (Annotated("no", {"tree": DependencyTree(("no",), (0,), ("root",))}),
         with_parses([SOLD, STAR])),
        (with_parses([CHAIN]), with_parses([SOLD])),
    ]  # fmt: skip
    for name in FUNCTIONS:
        spec = f"{name}:{setting}"
        singles = [score(spec, [h], [[r]]) for h, two in zip(hyps, refs, strict=True)
                   for r in two]  # fmt: skip
        by_reference = tertium.metric(spec).reference_scores(hyps, refs)
        assert list(chain(*by_reference)) == [value for (value,) in singles]
        # One word has no path: DERP's 1 for it says nothing, and is not the best.
        first = singles[1] if name == "derp" else max(singles[0], singles[1])
        assert score(spec, hyps, refs) == [*first, *max(singles[2], singles[3])]


def test_outputs_beside_reference_trees_are_split_by_13a_or_as_asked():
    tree = DependencyTree(("go", "!"), (0, 1), ("root", "punct"))
    ref = Annotated("Go!", {"tree": tree})
    assert score("dted:structure=projected", ["Go!"], [ref]) == [1.0]
    assert score("dted:structure=projected,tokenize=none", ["go!"], [ref]) < [1.0]
    linked = Annotated("Go !", {"links": [[(0, 0), (1, 1)]]})
    assert score("dted:structure=projected", [linked], [ref]) == [1.0]


def test_a_wrong_word_counts_once_and_a_moved_one_more_than_none():
    ref = Annotated(" ".join(SOLD.forms), {"tree": SOLD})
    hyps = ["she sold the old car", "she bought the old car", "old car the sold she"]
    scores = score("dted:structure=projected", hyps, [ref] * 3)
    assert scores == pytest.approx([1.0, 0.9, 0.6])


def test_metrics_over_the_same_parses_share_a_batch():
    batch = Batch([[with_parses([SOLD, CHAIN])]], [with_parses([STAR, SOLD])])
    metrics = [tertium.metric(f"{name}:parses=best") for name in FUNCTIONS]
    alone = [m.rows(Batch(batch.systems, batch.references))[0] for m in metrics]
    for metric, rows in [*zip(metrics, alone, strict=True)] * 2:
        assert metric.rows(batch)[0].tolist() == rows.tolist()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("dted:flat=yes,structure=projected", "omit it or structure=projected"),
        ("dted:variant=fc,parses=best", "omit it or parses=best"),
        ("derp:parses=best,nbest=3", "add parser=spacy and parses=best"),
    ],
)
def test_settings_that_do_not_go_together_are_rejected(spec, message):
    with pytest.raises(InputError, match=message):
        tertium.metric(spec)


def test_a_reference_without_a_tree_is_named():
    with pytest.raises(InputError, match="'she left' has no dependency tree"):
        score("dted:structure=projected", ["she left"], ["she left"])


def test_signatures_name_what_is_not_default():
    signature = tertium.metric("dted:structure=projected").signature
    assert "structure:projected" in signature
    assert "tok:13a" in signature
    assert "parses" not in signature
    assert "structure" not in tertium.metric("dted:parses=best").signature


def test_the_best_pair_of_parses_and_projected_trees_are_explained():
    hyp, ref = with_parses([CHAIN, SOLD]), with_parses([STAR, SOLD])
    metric = tertium.metric("dted:parses=best")
    assert metric.pair_trees(hyp, ref) == (SOLD, SOLD)
    with pytest.raises(InputError, match="mean over 4 pairs of trees"):
        tertium.metric("dted:parses=mean").pair_trees(hyp, ref)
    plain = "the she sold old car"
    spec = "dted:structure=projective"
    one_tree = Annotated(ref, {"tree": SOLD})
    explanation = explain(plain, [one_tree], metrics=[spec])
    assert explanation.dependencies.hyp.heads == (3, 3, 0, 5, 3)


def test_parsers_parse_references_alone(tiny_model):
    spec = f"dted:structure=projected,parser=udpipe,model={tiny_model}"
    texts = ["The dog likes a cat.", "A cat, the dog likes."]
    scores = score(spec, texts, texts[:1] * 2)
    assert scores[0] == 1.0 > scores[1]
    with pytest.raises(InputError, match="udpipe gives one tree per text"):
        score(f"dted:parses=best,nbest=2,parser=udpipe,model={tiny_model}",
              texts, texts)  # fmt: skip


@pytest.mark.slow
def test_spacy_gives_several_parses(spacy_model):
    text = "The old man the boats quickly."
    spec = f"parser=spacy,model={spacy_model}"
    hyp = "Old the man boats quickly the."
    first, best, mean = (
        score(f"dted:{spec}{more}", [hyp], [text])[0]
        for more in ("", ",parses=best,nbest=6", ",parses=mean,nbest=6")
    )
    assert best >= max(first, mean)
    assert best != mean
