# SPDX-License-Identifier: Apache-2.0
"""Metrics of word order on texts, links and permutations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from oracles import permutations as oracle
from support.strategies import plain_lines, segments
from tertium import _core
from tertium.align import Link
from tertium.data.annotated import Annotated
from tertium.data.batch import Batch
from tertium.metrics.order import InterpolatedMetric, OrderMetric
from tertium.order import Permutation, permutation_testset, reduce_matches

NAMES = [
    name
    for name in tertium.metric_names()
    if issubclass(tertium.metrics.metric_class(name), OrderMetric)
]


def test_all_are_there():
    assert set(NAMES) == {
        "kendall", "spearman", "hamming", "ulam", "fuzzy", "sqrt-kendall", "pet-size",
        "max-op", "n-pets", "log-pets", "straight-ratio", "inverted-ratio",
        "avg-arity", "recpet", "recpef", "lrscore", "pef", "pet",
    }  # fmt: skip


# -------------------------------------------------------------------- from alignments

links = st.integers(1, 8).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(
            st.tuples(
                st.integers(0, n - 1),
                st.integers(0, 7),
                st.sampled_from([0.25, 0.5, 1]),
            ),
            max_size=12,
            unique_by=lambda link: link[:2],
        ),
    )
)


@given(
    links,
    st.sampled_from(["leftmost", "rightmost", "probable"]),
    st.sampled_from(["drop", "left", "right"]),
)
def test_reduction_of_links(data, keep, unaligned):
    words, one = data
    result = Permutation.from_links(
        words, [Link(*link) for link in one], keep=keep, unaligned=unaligned
    )
    assert list(result) == oracle.reduce_links(words, one, keep, unaligned)


def phrase_score(spec: str, hyp_words: int, ref_words: int, matches) -> float:
    pairs = _core.Pairs([[" ".join(["x"] * hyp_words)]], [["y " * ref_words]], "none")
    pairs.set_matches(0, 0, 0, [(*match, 0, 1.0) for match in matches])
    kernel = tertium.metric(spec)._kernel
    return kernel.score(kernel.rows(pairs, 1)[0][0].tolist())


def test_phrases_count_their_reference_words():
    """A12: matches by system start, each expanded to its reference words."""
    matches = [(0, 1, 2, 3), (2, 2, 0, 1)]  # 1:3, then 2:1, swapped
    expected = oracle.kendall((2, 3, 4, 1))
    assert phrase_score("kendall", 5, 5, matches) == pytest.approx(float(expected))
    penalty = math.exp(1 - 5 / 4)
    result = phrase_score("kendall:brevity=yes", 5, 5, matches)
    assert result == pytest.approx(float(expected) * penalty)


def test_positions_know_their_words():
    matches = [(0, 1, 2, 3, 0, 1.0), (2, 2, 0, 1, 0, 1.0)]
    result = reduce_matches(5, matches, unaligned="left")
    assert result.perm == (3, 4, 5, 6, 1, 2)
    assert result.hyp == (0, 0, 0, 1, 2, 4)
    assert result.ref == (2, 3, 4, None, 0, None)
    with pytest.raises(tertium.InputError, match="lies outside"):
        reduce_matches(2, [(1, 2, 0, 1, 0, 1.0)])
    with pytest.raises(tertium.InputError, match="unknown value of keep"):
        reduce_matches(2, [], keep="middle")


def test_unaligned_words_join_phrases():
    matches = [(0, 1, 2, 3), (2, 2, 0, 1)]
    # Words 1 and 4 have no match: to the left are the first and the second phrase.
    expected = oracle.kendall((3, 4, 5, 6, 1, 2))
    result = phrase_score("kendall:unaligned=left", 5, 5, matches)
    assert result == pytest.approx(float(expected))
    # To the right are the second phrase and nothing, so word 4 turns left too.
    expected = oracle.kendall((4, 5, 6, 1, 2, 3))
    result = phrase_score("kendall:unaligned=right", 5, 5, matches)
    assert result == pytest.approx(float(expected))


def test_links_that_come_with_the_text():
    result = tuple(
        Link(h, r) for h, r in [(0, 1), (0, 4), (1, 0), (2, 2), (2, 3), (3, 2)]
    )
    hyp = Annotated("a b c d", {"links": [result]})
    for keep, perm in (("leftmost", (2, 1, 3, 4)), ("rightmost", (4, 1, 3, 2))):
        score = tertium.metric(f"kendall:keep={keep}").corpus_score(
            [hyp], [["v w x y z"]]
        )
        assert score == pytest.approx(float(oracle.kendall(perm)))


def test_the_most_probable_link_is_kept():
    value = (Link(0, 1, 0.2), Link(0, 0, 0.1), Link(1, 0, 0.9))
    hyp = Annotated("a b", {"links": [value]})
    score = tertium.metric("kendall:keep=probable").corpus_score([hyp], [["x y"]])
    assert score == 0.0


# ------------------------------------------------------------------------ full scores


@given(segments(plain_lines, max_refs=2))
def test_full_scores_follow_from_their_parts(data):
    hyps, refs = [h for h, _ in data], [r for _, r in data]
    order = tertium.metric("recpef")
    full = tertium.metric("recpef:alpha=0.25,lexical=f1,brevity=yes")
    bleu = tertium.metric("pef:alpha=0.75")
    pairs = order.pairs(Batch([hyps], refs))
    for i, (hyp, one) in enumerate(data):
        best_f1 = best_bleu = 0.0
        for r, ref in enumerate(one):
            n = len(pairs.matches(0, i, r))
            single = order.corpus_score([hyp], [ref])
            weighed = oracle.brevity(n, len(ref.split())) * single
            f1 = oracle.f1(hyp.split(), ref.split())
            best_f1 = max(best_f1, 0.25 * f1 + 0.75 * weighed)
            bleu1 = oracle.bleu1(hyp.split(), ref.split())
            if ref:  # a reference without words has no weight
                best_bleu = max(best_bleu, 0.75 * bleu1 + 0.25 * weighed)
        assert full.corpus_score([hyp], [one]) == pytest.approx(best_f1)
        assert bleu.corpus_score([hyp], [one]) == pytest.approx(best_bleu)


def test_corpus_score_is_the_mean_of_segments_or_weighed_by_length():
    hyps, refs = ["a b c", "b a", ""], ["a b c", "a b", "a b c d"]
    scores = tertium.metric("kendall").segment_scores(hyps, refs)
    assert scores.tolist() == [1, 0, 0]
    assert tertium.metric("kendall").corpus_score(hyps, refs) == pytest.approx(1 / 3)
    weighed = tertium.metric("kendall:weight=length").corpus_score(hyps, refs)
    assert weighed == pytest.approx(3 / 9)


def test_degenerate_segments_are_counted():
    metric = tertium.metric("recpef")
    rows = metric.statistics(["a b", "a", "x", ""], ["a b", "a", "y", ""])
    assert rows[:, 2].tolist() == [0, 1, 1, 1]
    assert metric.degenerate_segments(rows.sum(axis=0)) == 3
    assert metric.segment_scores(["a", "x"], ["a", "y"]).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("spec", "hyp", "refs", "score"),
    [
        ("inverted-ratio", "b a", ["a b"], 1),
        ("inverted-ratio", "b a", ["x", "b a"], 0),  # the best reference counts
        ("inverted-ratio", "b a", ["x y"], 1),
        ("inverted-ratio", "", [""], 0),
        ("avg-arity", "b d a c", ["a b c d"], 4),
        ("avg-arity", "b d a c", ["a b c d", "d b a c"], 2),
        ("avg-arity", "x", ["a b c d e"], 5),
        ("avg-arity", "x", ["a"], 2),
    ],
)
def test_lower_is_better(spec, hyp, refs, score):
    metric = tertium.metric(spec)
    assert not metric.higher_is_better
    assert metric.corpus_score([hyp], [refs]) == score
    assert metric.segment_scores([hyp], [refs]).tolist() == [score]


def test_case_is_ignored_unless_asked_for():
    assert tertium.metric("kendall").corpus_score(["A b"], ["a B"]) == 1
    assert tertium.metric("kendall:lowercase=no").corpus_score(["A b"], ["a B"]) == 0


@pytest.mark.parametrize("distance", ["kendall", "hamming", "ulam"])
def test_lrscore_is_a_distance_with_bleu1(distance):
    hyps, refs = ["b a c d", "x a"], ["a b c d", "a b c"]
    metric = tertium.metric(f"lrscore:distance={distance}")
    settings = "alpha=0.5,brevity=yes,weight=length"
    other = tertium.metric(f"{distance}:{settings}")
    assert metric.corpus_score(hyps, refs) == other.corpus_score(hyps, refs)


# ----------------------------------------------------------------------- permutations

PERMS = [(1, 2, 3), (3, 1, 2), (), (1,), (2, 4, 1, 3)]


@pytest.mark.parametrize("name", NAMES)
def test_permutations_score_like_the_texts_they_come_from(name):
    cls = tertium.metrics.metric_class(name)
    spec = f"{name}:alpha=0" if issubclass(cls, InterpolatedMetric) else name
    metric = tertium.metric(spec)
    refs = [" ".join("abcd"[: len(perm)]) for perm in PERMS]
    hyps = [" ".join("abcd"[value - 1] for value in perm) for perm in PERMS]
    expected = metric.segment_scores(hyps, refs)
    assert np.array_equal(metric.permutation_scores(PERMS), expected)
    testset = permutation_testset({"A": PERMS, "B": PERMS[::-1]})
    table = tertium.score(testset, metrics=[spec], segments=True)
    assert table["A"][spec].segments == expected.tolist()
    assert table["A"][spec].score == metric.corpus_score(hyps, refs)
    assert table["B"][spec].segments == expected.tolist()[::-1]


def test_scores_of_permutations_have_intervals():
    many = [(1, 2, 3), (2, 1), (3, 2, 1)] * 20
    table = tertium.score_permutations(
        {"A": many}, metrics=["recpef", "mean:kendall+ulam"], confidence=0.95
    )
    low, high = table["A"]["recpef"].interval
    assert low < table["A"]["recpef"].score < high


@pytest.mark.parametrize(
    ("spec", "cure"),
    [
        ("bleu", "use a word order metric such as recpef"),
        ("aligned-percentage", "needs texts"),
        ("pef", "set alpha=0, or use recpef"),
        ("pet", "set alpha=0, or use recpet"),
        ("lrscore:distance=ulam", "set alpha=0, or use ulam"),
        ("kendall:alpha=0.5", "set alpha=0"),
        ("mean:kendall+bleu", "bleu needs texts"),
    ],
)
def test_metrics_that_need_texts_say_so(spec, cure):
    with pytest.raises(tertium.InputError, match=cure):
        tertium.score_permutations([(1, 2)], metrics=[spec])


def test_a_lexical_part_needs_texts_everywhere():
    with pytest.raises(tertium.InputError, match="set alpha=0"):
        tertium.metric("pef").permutation_scores([(1, 2)])
    with pytest.raises(tertium.InputError, match="set alpha=0"):
        tertium.score(permutation_testset({"A": [(1, 2)]}), metrics=["pef"])


def test_all_outputs_or_none_bring_permutations():
    hyps = [Annotated("", {"permutation": (2, 1)}), "a b"]
    with pytest.raises(tertium.InputError, match="give all of them one, or none"):
        tertium.metric("kendall").corpus_score(hyps, ["a", "a b"])


def test_what_is_no_permutation_is_named():
    with pytest.raises(tertium.InputError, match="system 'A', segment 1: no permut"):
        tertium.score_permutations({"A": [(1, 2), (1, 3)]})
    hyps = [Annotated("", {"permutation": (1, 1)})]
    for score in ("segment_scores", "corpus_score"):
        with pytest.raises(
            tertium.InputError, match="permutation 0: value 2 is 1 again"
        ):
            getattr(tertium.metric("kendall"), score)(hyps, [""])


def test_systems_of_unequal_length_are_named():
    with pytest.raises(
        tertium.InputError, match="'B' has permutations of 1 segments, 'A' of 2; give"
    ):
        tertium.score_permutations({"A": [(1, 2), (2, 1)], "B": [(1, 2)]})


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        (5, "system 'system' is 5; give one permutation per segment"),
        ({"A": 5}, "system 'A' is 5; give one permutation per segment"),
        ([1, 2, 3], "system 'system', segment 0: no permutation: 1 is not a list"),
        ({"A": [[True]]}, "system 'A', segment 0: .*value 1 is not an integer"),
    ],
)
def test_what_are_no_permutations_of_systems_is_named(systems, message):
    with pytest.raises(tertium.InputError, match=message):
        tertium.score_permutations(systems)


@pytest.mark.parametrize(
    "spec",
    [
        "recpef",
        "inverted-ratio",
        "meteor",
        "link-tau",
        "derp:flat=yes",
        "dted:flat=yes",
    ],
)
def test_scores_of_single_references(spec):
    metric = tertium.metric(spec)
    hyps = ["b a c", "a b"]
    refs = [("a b c", "x", "b a c"), ("a b",)]
    scores = metric.reference_scores(hyps, refs)
    assert scores == [
        [metric.segment_scores([hyp], [ref])[0] for ref in one]
        for hyp, one in zip(hyps, refs, strict=True)
    ]
    assert metric.reference_scores(["a b"], ["a b"]) == [scores[1]]
    assert metric.reference_scores([], []) == []
    with pytest.raises(tertium.InputError, match="has no reference"):
        metric.reference_scores(["a"], [()])


def test_a_layer_that_is_no_permutation_is_named():
    hyps = [Annotated("", {"permutation": 5})]
    with pytest.raises(
        tertium.InputError, match="permutation 0 is not a list of values"
    ):
        tertium.metric("kendall").segment_scores(hyps, [""])
    with pytest.raises(
        tertium.InputError, match="permutation 1 is not a list of values"
    ):
        tertium.metric("kendall").permutation_scores([(1,), 5])


def test_a_permutation_has_one_score_with_all_references():
    hyps = [
        Annotated("", {"permutation": (2, 1)}),
        Annotated("", {"permutation": (1,)}),
    ]
    scores = tertium.metric("kendall").reference_scores(hyps, [("", "a"), ""])
    assert scores == [[0.0, 0.0], [1.0]]
