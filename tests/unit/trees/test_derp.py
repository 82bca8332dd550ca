# SPDX-License-Identifier: Apache-2.0
"""DERP against its twin, and what the thesis proves about it (2.3, 5.5)."""

from __future__ import annotations

import random
import unicodedata
from itertools import combinations
from operator import attrgetter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tertium
from oracles import derp as oracle
from oracles.edits import levenshtein
from tertium import _core
from tertium.align import Link
from tertium.data.annotated import Annotated
from tertium.trees import DependencyTree, derp

LABELS = ["A", "B", "C", "A:x", "B:x"]


@st.composite
def trees(draw, max_size=9):
    """Any shape, projective or not, now and then with several roots."""
    size = draw(st.integers(0, max_size))
    order = draw(st.permutations(range(size)))
    heads = [0] * size
    for place in range(1, size):
        above = draw(st.integers(0 if draw(st.integers(0, 4)) == 0 else 1, place))
        heads[order[place]] = order[above - 1] + 1 if above else 0
    labels = draw(st.lists(st.sampled_from(LABELS), min_size=size, max_size=size))
    forms = [f"w{i}" for i in range(size)]
    return DependencyTree(tuple(forms), tuple(heads), tuple(labels))


@st.composite
def aligned(draw, kind="any", max_size=9):
    """Two trees with links: 1:1, 1:n (either way), stars both ways, or any."""
    hyp, ref = draw(trees(max_size)), draw(trees(max_size))
    pairs = [(h, r) for h in range(len(hyp)) for r in range(len(ref))]
    links = []
    kind = (
        kind
        if kind != "any"
        else draw(st.sampled_from(["1:1", "1:n", "n:1", "stars", "n:m"]))
    )
    for h, r in draw(st.permutations(pairs))[: draw(st.integers(0, 14))]:
        seen_hyp = [link for link in links if link[0] == h]
        seen_ref = [link for link in links if link[1] == r]
        if kind == "1:1" and (seen_hyp or seen_ref):
            continue
        if (kind == "1:n" and seen_ref) or (kind == "n:1" and seen_hyp):
            continue
        links.append((h, r))
        if kind == "stars" and any(map(oracle.many_to_many, oracle.components(links))):
            links.pop()
    return hyp, ref, links


def pair_of_sums(result):
    return result.disparity, result.max_disparity


def metric_row(hyp, ref, links, settings=""):
    text = Annotated(
        " ".join(hyp.forms), {"tree": hyp, "links": (tuple(Link(*x) for x in links),)}
    )
    other = Annotated(" ".join(ref.forms), {"tree": ref})
    metric = tertium.metric(f"derp:{settings}" if settings else "derp")
    return metric.statistics([text], [other], threads=1)[0].tolist()


@given(aligned())
def test_core_equals_twin(data):
    hyp, ref, links = data
    expected = oracle.spanning_tree(hyp, ref, links)
    result = derp(hyp, ref, links)
    edges = [((e.disparity, e.max_disparity), *e.ref, *e.hyp) for e in result.edges]
    assert edges == expected
    assert pair_of_sums(result) == oracle.sums(expected)
    assert result.score == pytest.approx(oracle.score(expected))
    assert result.degenerate == (oracle.sums(expected)[1] == 0)
    # The metric sums up by another algorithm, which keeps no edges.
    row = [result.score, 1.0, float(result.degenerate)]
    assert metric_row(hyp, ref, links) == pytest.approx(row)


@given(aligned())
def test_edges_have_the_paths_that_cost_what_they_say(data):
    hyp, ref, links = data
    for edge in derp(hyp, ref, links).edges:
        assert 0 <= edge.disparity <= edge.max_disparity
        for path, tree, ends in (
            (edge.ref_path, ref, edge.ref),
            (edge.hyp_path, hyp, edge.hyp),
        ):
            if path is None:
                assert edge.shared
                continue
            chi, forward, omega = oracle.encode(tree, *ends)
            assert (path.chi, path.omega) == (tuple(chi), tuple(omega))
            assert path.direction == ("α" if forward else "β")
        if edge.hyp_path is not None:
            parts = zip(
                (edge.hyp_path.chi, edge.hyp_path.direction, edge.hyp_path.omega),
                (edge.ref_path.chi, edge.ref_path.direction, edge.ref_path.omega),
                strict=True,
            )
            assert edge.disparity == sum(levenshtein(*part) for part in parts)


@given(aligned())
def test_either_base_swapped_roles_and_contraction_give_equal_sums(data):
    hyp, ref, links = data
    flipped = [(r, h) for h, r in links]
    sums = pair_of_sums(derp(hyp, ref, links))
    assert pair_of_sums(derp(ref, hyp, flipped)) == sums
    assert oracle.sums(oracle.spanning_tree(ref, hyp, flipped)) == sums
    assert oracle.sums(oracle.contracted(hyp, ref, links)) == sums


@given(aligned("1:1"))
def test_reversed_paths_differ_by_the_same(data):
    hyp, ref, links = data
    for (h, r), (h2, r2) in combinations(links, 2):
        there = oracle.disparity(oracle.encode(hyp, h, h2), oracle.encode(ref, r, r2))
        back = oracle.disparity(oracle.encode(hyp, h2, h), oracle.encode(ref, r2, r))
        assert there == back
        assert there[0] <= there[1]


@given(aligned())
def test_flattened_trees_have_a_closed_form(data):
    hyp, ref, links = data
    flat = DependencyTree.flat(hyp.forms), DependencyTree.flat(ref.forms)
    for (h, r), (h2, r2) in combinations(links, 2):
        if h != h2 and r != r2:
            paths = oracle.encode(flat[0], h, h2), oracle.encode(flat[1], r, r2)
            assert oracle.disparity(*paths) == oracle.flat_disparity(h2 - h, r2 - r)
    for ordinality in ("contract", "greedy", "exact"):
        closed = derp(hyp, ref, links, flat=True, ordinality=ordinality)
        assert closed == derp(*flat, links, ordinality=ordinality)
    closed = derp(hyp, ref, links, flat=True)
    row = [closed.score, 1.0, float(closed.degenerate)]
    assert metric_row(hyp, ref, links, "flat=yes") == pytest.approx(row)


@given(aligned("stars"))
def test_without_many_to_many_all_ordinalities_agree(data):
    result = derp(*data)
    assert derp(*data, ordinality="greedy") == result
    assert derp(*data, ordinality="exact") == result


@given(aligned("n:m", max_size=4))
def test_many_to_many(data):
    hyp, ref, links = data
    assume(any(map(oracle.many_to_many, oracle.components(links))))
    pairs = oracle.path_pairs(hyp, ref, links)
    greedy = derp(hyp, ref, links, ordinality="greedy")
    expected = oracle.join_greedily(pairs)
    chosen = [
        ((e.disparity, e.max_disparity), *e.ref, *e.hyp)
        for e in greedy.edges
        if not e.shared
    ]
    assert chosen == [pair[:-1] for pair in expected]
    exact = derp(hyp, ref, links, ordinality="exact")
    assert pair_of_sums(exact) == oracle.least_cost(pairs)
    assert exact.disparity <= greedy.disparity
    assert derp(hyp, ref, links).disparity <= exact.disparity
    for ordinality, result in ("greedy", greedy), ("exact", exact):
        row = [result.score, 1.0, float(result.degenerate)]
        assert metric_row(hyp, ref, links, f"ordinality={ordinality}") == row


@given(
    st.lists(
        st.tuples(
            *[st.integers(0, 4)] * 4, st.integers(0, 5), st.integers(0, 9)
        ).filter(lambda p: p[0] != p[1] and p[2] != p[3]),
        min_size=1,
        max_size=12,
    )
)
def test_least_cost_of_any_path_pairs(pairs):
    """Also where the pairs cannot connect everything: then as much as they can."""
    pairs = sorted(pairs, key=lambda p: p[4:])
    named = [(p[4:], 0, 0, 0, 0, p[:4]) for p in pairs]
    greedy = _core.derp_join(pairs, 5, 5, False)
    assert [named[e] for e in greedy] == oracle.join_greedily(named)
    exact = _core.derp_join(pairs, 5, 5, True)

    def parts(chosen):
        hyps, refs = oracle.Sets(range(5)), oracle.Sets(range(5))
        for e in chosen:
            hyps.join(*pairs[e][:2])
            refs.join(*pairs[e][2:4])
        return len(set(hyps.name.values())), len(set(refs.name.values()))

    assert parts(exact) == parts(range(len(pairs))) == parts(greedy)
    cost = tuple(sum(pairs[e][k] for e in exact) for k in (4, 5))
    assert cost <= tuple(sum(pairs[e][k] for e in greedy) for k in (4, 5))
    best = oracle.least_cost(named)
    if best != (0, 0):  # connected
        assert cost == best


@given(aligned())
def test_labels_without_subtypes_or_without_any(data):
    hyp, ref, links = data

    def renamed(tree, name):
        return DependencyTree(tree.forms, tree.heads, tuple(map(name, tree.deprels)))

    for labels, name in (
        ("universal", lambda label: label[0]),
        ("none", lambda _: "*"),
    ):
        expected = derp(renamed(hyp, name), renamed(ref, name), links)
        assert derp(hyp, ref, links, labels=labels) == expected
        row = metric_row(hyp, ref, links, f"labels={labels}")
        assert row[0] == pytest.approx(expected.score)


@given(aligned(), st.sets(st.integers(0, 8)), st.sets(st.integers(0, 8)), st.booleans())
def test_ignored_punctuation_is_as_if_it_were_not_there(
    data, hyp_marks, ref_marks, flat
):
    hyp, ref, links = data

    def marked(tree, marks):
        forms = [",."[i % 2] if i in marks else w for i, w in enumerate(tree.forms)]
        return DependencyTree(tuple(forms), tree.heads, tree.deprels)

    hyp, ref = marked(hyp, hyp_marks), marked(ref, ref_marks)
    bare_hyp, hyp_kept = oracle.without(hyp, hyp_marks)
    bare_ref, ref_kept = oracle.without(ref, ref_marks)
    bare_links = [
        (hyp_kept.index(h), ref_kept.index(r))
        for h, r in links
        if h in hyp_kept and r in ref_kept
    ]
    result = derp(hyp, ref, links, ignore_punct=True, flat=flat)
    bare = derp(bare_hyp, bare_ref, bare_links, flat=flat)
    assert pair_of_sums(result) == pair_of_sums(bare)
    counts = attrgetter("words", "aligned", "ref_words", "ref_aligned")
    assert (result.score, *counts(result)) == (bare.score, *counts(bare))
    assert counts(bare) == (
        len(bare_hyp) + len(bare_ref),
        len({h for h, _ in bare_links}) + len({r for _, r in bare_links}),
        len(bare_ref),
        len({r for _, r in bare_links}),
    )
    assert [(e.hyp_path, e.ref_path, e.hyp_words) for e in result.edges] == [
        (e.hyp_path, e.ref_path, e.hyp_words) for e in bare.edges
    ]
    settings = f"ignore_punct=yes,flat={'yes' if flat else 'no'}"
    assert metric_row(hyp, ref, links, settings)[0] == pytest.approx(bare.score)


@given(st.text(alphabet="a1.,!?…—«»''`´$+<&数、。 -", max_size=4))
def test_punctuation_is_what_unicode_calls_so_and_the_quotes_of_treebanks(word):
    marks = [unicodedata.category(c).startswith("P") or c in "`´" for c in word]
    assert _core.is_punctuation(word) == (bool(word) and all(marks))


def test_phrase_matches_link_all_with_all():
    pairs = _core.Pairs([[["a", "b", "c"]]], [[["x", "y", "c"]]], "none")
    pairs.set_matches(0, 0, 0, [(0, 2, 0, 2, 0, 1.0), (2, 1, 2, 1, 0, 1.0)])
    kernel = _core.derp(True, "greedy", "max", False, "full", "keep")
    flat = DependencyTree.flat
    links = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)]
    expected = derp(flat("abc"), flat("xyc"), links, flat=True, ordinality="greedy")
    assert kernel.rows(pairs, 1)[0][0].tolist() == [expected.score, 1.0, 0.0]


@pytest.mark.parametrize(("hyps", "refs"), [(250, 250), (3000, 8)])
def test_trees_too_deep_for_tables(hyps, refs):
    hyp, ref = (DependencyTree.flat([f"w{i}" for i in range(n)]) for n in (hyps, refs))
    links = [(i * 7 % hyps, i) for i in range(refs)]
    if refs < 250:  # most words share a counterpart: many tables
        links += [(i, i % refs) for i in range(hyps)]
        links = links[: 8 + 300]
    result = derp(hyp, ref, links)
    closed = derp(hyp, ref, links, flat=True)
    assert pair_of_sums(result) == pair_of_sums(closed)
    assert result.edges == closed.edges


def test_deep_trees_with_many_labels():
    draw = random.Random(4)
    hyp, ref = (
        DependencyTree(
            tuple(f"w{i}" for i in range(300)),
            (0, *(draw.randint(max(1, i - reach), i) for i in range(1, 300))),
            tuple(draw.choice("abcde") for _ in range(300)),
        )
        for reach in (0, 1)
    )
    links = [(i, i * 7 % 300) for i in range(300)]
    result = derp(hyp, ref, links)
    for edge in result.edges[::30]:
        parts = zip(
            (edge.hyp_path.chi, edge.hyp_path.direction, edge.hyp_path.omega),
            (edge.ref_path.chi, edge.ref_path.direction, edge.ref_path.omega),
            strict=True,
        )
        assert edge.disparity == sum(levenshtein(*part) for part in parts)
    assert metric_row(hyp, ref, links)[0] == result.score


def test_trees_that_would_take_minutes_are_rejected():
    tree = DependencyTree.flat([f"w{i}" for i in range(5300)])
    links = [(i, i) for i in range(5300)]
    with pytest.raises(
        tertium.InputError, match=r"5300 links are too deep.*flat=yes.*split the text"
    ):
        derp(tree, tree, links)


def test_exact_search_has_a_limit():
    tree = DependencyTree.flat([f"w{i}" for i in range(100)])
    links = [(i, i) for i in range(100)]
    assert derp(tree, tree, links, ordinality="exact").score == 1.0  # one to one
    with pytest.raises(
        tertium.InputError, match=r"at most 4000 .*use ordinality=greedy"
    ):
        derp(tree, tree, [*links, (0, 1), (1, 0)], ordinality="exact")
    half = DependencyTree.flat(tree.forms[:60])
    links = [*links[:60], (0, 1), (1, 0)]
    assert derp(half, half, links, ordinality="exact").score == 1.0


def test_wrong_input_is_reported():
    good = DependencyTree(("a", "b"), (0, 1), ("r", "d"))
    with pytest.raises(tertium.InputError, match=r"link 1 is 2-0.*count words from 0"):
        derp(good, good, [(0, 0), (2, 0)])
    with pytest.raises(tertium.InputError, match="link 0 is -1-0"):
        derp(good, good, [(-1, 0)])
    with pytest.raises(tertium.InputError, match="unknown value of labels"):
        derp(good, good, [], labels="some")
    with pytest.raises(ValueError, match="no dependency tree"):
        _core.derp(False, "greedy", "max", False, "full", "keep").rows(
            _core.Pairs([["a b"]], [["a b"]], "none"), 1
        )


def test_references_without_a_path_are_never_the_best_of_several():
    hyp = "the cat sat on the mat"
    refs = ["nothing shared", "on sat cat the"]
    alone = tertium.metric("derp:flat=yes").corpus_score([hyp], [refs[1:]])
    assert 0 <= alone < 1
    for degenerate in ("keep", "zero", "drop"):
        metric = tertium.metric(f"derp:flat=yes,degenerate={degenerate}")
        assert metric.corpus_score([hyp], [refs]) == alone
        assert metric.corpus_score([hyp], [refs[::-1]]) == alone


def test_segments_without_a_path_can_count_one_or_zero_or_not_at_all():
    hyps, refs = ["a b c", "x"], ["b a c", "y"]
    score = tertium.metric("derp:flat=yes").corpus_score(hyps[:1], refs[:1])
    for degenerate, expected in (
        ("keep", (score + 1) / 2),
        ("zero", score / 2),
        ("drop", score),
    ):
        metric = tertium.metric(f"derp:flat=yes,degenerate={degenerate}")
        assert metric.corpus_score(hyps, refs) == pytest.approx(expected)
        assert metric.statistics(hyps, refs)[:, 2].tolist() == [0.0, 1.0]
