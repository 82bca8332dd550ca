# SPDX-License-Identifier: Apache-2.0
"""DTED against its oracle, and the properties it must have."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from oracles import edits
from oracles import tree_edit as oracle
from support.strategies import tree_heads
from tertium import _core
from tertium.data.annotated import Annotated
from tertium.data.batch import Batch
from tertium.trees import DependencyTree, dted

VARIANTS = ("b", "c", "co", "cl")
variants = st.sampled_from(VARIANTS)


def make_tree(heads, forms=None):
    n = len(heads)
    words = tuple(forms or (f"w{i}" for i in range(n)))
    return DependencyTree(words, tuple(heads), ("dep",) * n)


@st.composite
def problems(draw, max_size=7):
    hyp, ref = draw(tree_heads(max_size)), draw(tree_heads(max_size))
    every = [(h, r) for h in range(len(hyp)) for r in range(len(ref))]
    links = draw(st.sets(st.sampled_from(every), max_size=8)) if every else set()
    return hyp, ref, sorted(links)


def chain(n):
    return list(range(n))


@given(problems(), variants, st.sampled_from([1, 2]), st.booleans())
def test_distance_and_score_are_those_of_the_oracle(problem, variant, mismatch, flat):
    hyp, ref, links = problem
    result = dted(
        make_tree(hyp),
        make_tree(ref),
        links,
        variant=variant,
        mismatch=mismatch,
        flat=flat,
    )
    if flat:
        hyp, ref = chain(len(hyp)), chain(len(ref))
    aligned, other = oracle.dted_distance(hyp, ref, links, variant, mismatch)
    assert result.dist == aligned + other
    if variant in ("co", "cl"):
        assert (result.dist_a, result.dist_na) == (aligned, other)
    score = oracle.dted_score((aligned, other), hyp, ref, links, variant)
    assert result.score == pytest.approx(score, abs=1e-12)


@given(problems(), st.sampled_from(["log", "proportional", "inverse"]))
def test_weightings_are_those_of_the_oracle(problem, weighting):
    hyp, ref, links = problem
    result = dted(
        make_tree(hyp),
        make_tree(ref),
        links,
        variant="cl",
        weighting=weighting,
        log_base=0.3,
        cap=0.7,
    )
    dist = oracle.dted_distance(hyp, ref, links, "cl")
    score = oracle.dted_score(
        dist, hyp, ref, links, "cl", weight=weighting, base=0.3, cap=0.7
    )
    assert result.score == pytest.approx(score, abs=1e-12)
    assert 0 <= result.weight <= 1


@given(problems(), variants, st.sampled_from([1, 2]), st.booleans())
def test_the_script_is_a_mapping_of_this_cost(problem, variant, mismatch, flat):
    hyp, ref, links = problem
    result = dted(
        make_tree(hyp),
        make_tree(ref),
        links,
        variant=variant,
        mismatch=mismatch,
        flat=flat,
    )
    if flat:
        hyp, ref = chain(len(hyp)), chain(len(ref))
    operations = result.operations
    assert sum(op.cost for op in operations) == result.dist
    assert sorted(result.hyp_operations) == list(range(len(hyp)))
    assert sorted(result.ref_operations) == list(range(len(ref)))
    pairs = [
        (op.hyp, op.ref)
        for op in operations
        if op.hyp is not None and op.ref is not None
    ]
    parents = [[head - 1 for head in tree] for tree in (hyp, ref)]
    assert oracle.is_mapping(*parents, pairs)
    for op in operations:
        assert (op.kind == "match") == ((op.hyp, op.ref) in links)
    if variant in ("co", "cl"):
        assert sum(op.cost for op in operations if op.aligned) == result.dist_a


@given(problems(9), variants, st.sampled_from(["forest", "virtual"]), st.booleans())
def test_nodes_that_cost_nothing_change_no_distance(problem, variant, roots, binarise):
    """Binarisation (4.2.2), and a free node above several roots (decision D10)."""
    hyp, ref, links = problem
    plain = dted(make_tree(hyp), make_tree(ref), links, variant=variant)
    changed = dted(
        make_tree(hyp),
        make_tree(ref),
        links,
        variant=variant,
        roots=roots,
        binarise=binarise,
    )
    assert (changed.dist, changed.dist_a) == (plain.dist, plain.dist_a)
    assert changed.score == plain.score
    assert sum(op.cost for op in changed.operations) == plain.dist


@given(problems())
def test_properties_of_the_variants(problem):
    hyp, ref, links = problem
    n, m = len(hyp), len(ref)
    result = {
        name: dted(make_tree(hyp), make_tree(ref), links, variant=name)
        for name in (*VARIANTS, "fb", "fc", "fco", "fcl")
    }
    assert all(0 <= variant_result.score <= 1 for variant_result in result.values())
    assert result["b"].dist >= max(n, m)
    assert result["fb"].dist == max(n, m)
    if n + m:
        assert result["b"].score <= 0.5
    assert result["c"].dist <= result["b"].dist
    assert result["fc"].dist <= result["fb"].dist
    # Levenshtein in which words are equal when they are linked.
    row = list(range(m + 1))
    for h in range(n):
        new = [h + 1]
        for r in range(m):
            equal = (h, r) in links
            new.append(min(row[r] + (not equal), row[r + 1] + 1, new[r] + 1))
        row = new
    assert result["fc"].dist == row[-1]
    # Splitting the count never makes fewer operations in all.
    assert result["co"].dist >= result["c"].dist
    if not links:
        assert result["co"].score == 1
        assert result["co"].degenerate
        assert result["cl"].score == pytest.approx(
            1 - oracle.share(result["cl"].dist_na, n + m)
        )
    aligned = len({h for h, _ in links}) + len({r for _, r in links})
    if aligned == n + m and aligned:
        expected = 1 - 0.9 * result["cl"].dist_a / aligned
        assert result["cl"].score == pytest.approx(expected)


@given(tree_heads())
def test_a_tree_against_itself(identity):
    tree, links = make_tree(identity), [(i, i) for i in range(len(identity))]
    for variant in ("c", "co", "cl"):
        assert dted(tree, tree, links, variant=variant).score == 1
    assert dted(tree, tree, links, variant="b").score == (0.5 if identity else 1)


def test_flat_c_is_word_error_for_words_without_repetition():
    hyp, ref = list("acbe"), list("abcde")
    links = [(h, ref.index(word)) for h, word in enumerate(hyp)]
    result = dted(DependencyTree.flat(hyp), DependencyTree.flat(ref), links)
    assert result.dist == edits.levenshtein(hyp, ref)


# -------------------------------------------------------------------- punctuation


@given(problems(), st.data(), variants)
def test_punctuation_can_be_left_out(problem, data, variant):
    hyp, ref, links = problem
    mute = [
        data.draw(st.lists(st.booleans(), min_size=len(tree), max_size=len(tree)))
        for tree in (hyp, ref)
    ]

    def without(tree, skipped):
        kept = [i for i, gone in enumerate(skipped) if not gone]
        out = []
        for word in kept:
            head = tree[word]
            while head and skipped[head - 1]:
                head = tree[head - 1]
            out.append(kept.index(head - 1) + 1 if head else 0)
        return kept, out

    (kept, less), (others, fewer) = map(without, (hyp, ref), mute)
    inner = [
        (kept.index(h), others.index(r)) for h, r in links if h in kept and r in others
    ]
    texts = [[".," if gone else "w" for gone in tree] for tree in mute]
    options = {"variant": variant, "ignore_punct": True}
    full = dted(make_tree(hyp, texts[0]), make_tree(ref, texts[1]), links, **options)
    bare = dted(make_tree(less), make_tree(fewer), inner, variant=variant)
    assert (full.dist, full.score, full.words) == (bare.dist, bare.score, bare.words)
    assert sorted(full.hyp_operations) == kept
    assert sorted(full.ref_operations) == others
    assert sum(op.cost for op in full.operations) == full.dist


def test_the_metric_leaves_punctuation_out():
    hyps, refs = ["a b , «", "!", "x -lrb- ."], [["a b ."], ["?"], ["x"]]
    metric = "dted:flat=yes,tokenize=none"
    plain = tertium.metric(metric).segment_scores(hyps, refs)
    scores = tertium.metric(f"{metric},ignore_punct=yes").segment_scores(hyps, refs)
    assert plain.tolist() == pytest.approx([1 - 2 / 7, 0.5, 0.5])
    assert scores.tolist() == pytest.approx([1, 1, 1 - 1 / 3])


# ------------------------------------------------------------------------- metric


def annotate(hyp, ref, links):
    links_layer = tuple((h, r, 1.0, True) for h, r in links)
    text = Annotated(" ".join(f"h{i}" for i in range(len(hyp))), {
        "tree": make_tree(hyp), "links": (links_layer,),
    })  # fmt: skip
    return text, [Annotated("r " * len(ref), {"tree": make_tree(ref)})]


@given(st.lists(problems(), min_size=1, max_size=5), variants)
def test_the_metric_scores_as_the_function(data, variant):
    texts = [annotate(*problem) for problem in data]
    hyps, refs = [hyp for hyp, _ in texts], [ref for _, ref in texts]
    for flat in ("no", "yes"):
        options = "binarise=yes,roots=virtual" if flat == "no" else "flat=yes"
        metric = tertium.metric(f"dted:variant={variant},{options}")
        expected = [
            dted(make_tree(h), make_tree(r), links, variant=variant, flat=flat == "yes")
            for h, r, links in data
        ]
        scores = metric.segment_scores(hyps, refs)
        assert scores.tolist() == pytest.approx([e.score for e in expected], abs=1e-12)
        mean = metric.corpus_score(hyps, refs)
        assert mean == pytest.approx(np.mean([e.score for e in expected]))


def test_phrases_link_every_word_with_every_word():
    metric = tertium.metric("dted:flat=yes,variant=co")
    pairs = metric.pairs(Batch([["p q z"]], [["u v w z"]]))
    pairs.set_matches(0, 0, 0, [(0, 2, 0, 3, 0, 1.0), (2, 1, 3, 1, 0, 1.0)])
    score = metric.from_statistics(metric._kernel.rows(pairs, 1)[0][0])
    links = [(h, r) for h in (0, 1) for r in (0, 1, 2)] + [(2, 3)]
    trees = DependencyTree.flat("pqz"), DependencyTree.flat("uvwz")
    assert score == dted(*trees, links, variant="co").score == 1 - 1 / 7


def test_segments_without_foundation_are_kept_dropped_or_zero():
    hyps, refs = ["a", "x"], ["a", "y"]

    def score(treatment):
        spec = f"dted:variant=fco,degenerate={treatment}"
        return tertium.metric(spec).corpus_score(hyps, refs)

    assert (score("keep"), score("drop"), score("zero")) == (1, 1, 0.5)
    rows = tertium.metric("dted:variant=fco,degenerate=drop").statistics(hyps, refs)
    assert rows.tolist() == [[1, 1, 0], [0, 0, 1]]
    assert tertium.metric("dted:variant=fco,degenerate=drop").corpus_score(
        ["x"], ["y"]
    ) == 0  # fmt: skip


def test_names_of_variants():
    def spec(text):
        return tertium.metric(f"dted:{text}").spec

    assert spec("variant=fl") == spec("variant=cl,flat=yes") == spec("variant=fcl")
    assert spec("variant=fo,flat=yes") == spec("flat=yes,variant=co")
    assert spec("variant=fc") == spec("flat=yes")
    assert tertium.metric("dted:variant=fcl").label == "DTED-fcl"
    with pytest.raises(tertium.InputError, match="variant fcl is flat"):
        tertium.metric("dted:variant=fcl,flat=no")
    with pytest.raises(tertium.InputError, match="unknown value of dted: variant"):
        tertium.metric("dted:variant=bco")
    with pytest.raises(tertium.InputError, match="unknown DTED variant"):
        dted(make_tree([0]), make_tree([0]), [], variant="bo")


def test_a_copy_of_a_text_gets_the_best_value_but_for_variant_b():
    text = "the quick brown fox jumps over a lazy dog behind our house"
    for variant, best in (("c", 1), ("co", 1), ("cl", 1), ("b", 0.5)):
        metric = tertium.metric(f"dted:flat=yes,variant={variant}")
        assert metric.corpus_score([text], [text]) == best


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ([2, 1], r"word \d \('\w'\) of 'a b' is its own ancestor; heads must form"),
        ([1, 0], r"word 1 \('a'\) of 'a b' is its own ancestor"),
        ([0, 3], r"word 2 \('b'\) of 'a b' has head 3, but there are only 2"),
    ],
)
def test_the_core_refuses_what_is_no_tree(heads, message):
    pairs = _core.Pairs([["a b"]], [["a b"]], "none")
    for trees in ([heads, [0, 1]], [[0, 1], heads]):
        with pytest.raises(ValueError, match=message):
            pairs.set_trees([(tree, [0, 0]) for tree in trees])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"links": [(0, 5)]}, "link 0 is 0-5"),
        ({"links": [(-1, 0)]}, "link 0 is -1-0"),
        ({"mismatch": 3}, "mismatch must be 1 or 2"),
        ({"log_base": 0.0}, "log_base 0.0 and cap 0.9 do not give a weight"),
        ({"cap": math.nan}, "do not give a weight"),
        ({"weighting": "logs"}, "unknown weighting 'logs'; did you mean log"),
        ({"roots": "many"}, "unknown treatment of roots"),
        ({"degenerate": "no"}, "unknown treatment of degenerate segments"),
    ],
)
def test_wrong_options_are_rejected(options, message):
    tree = make_tree([0, 1])
    links = options.pop("links", [])
    with pytest.raises(tertium.InputError, match=message):
        dted(tree, tree, links, **options)


def test_trees_that_are_too_large_are_rejected():
    long = Annotated("a " * 9000, {"tree": make_tree([0] + [1] * 8999, ["a"] * 9000)})
    metric = tertium.metric("dted")
    with pytest.raises(tertium.InputError, match="too large to compare"):
        metric.corpus_score([long], [[long]])
    with pytest.raises(tertium.InputError, match="too large to compare"):
        metric.segment_scores([long], [[long]])


def test_texts_without_trees_are_rejected():
    with pytest.raises(tertium.InputError, match="has no dependency tree"):
        tertium.metric("dted").corpus_score(["a b"], ["a b"])
