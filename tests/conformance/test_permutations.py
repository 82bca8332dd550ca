# SPDX-License-Identifier: Apache-2.0
"""Vectors of permutation trees and forests.

From Stanojević and Sima'an 2014 (figures 1, 3, 4, 5), Stanojević 2017 (2.5.2-2.5.3)
and BEER 1.0's variant; the rest worked out by exhaustive search for the spec.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import tertium
from oracles import permutations as oracle
from tertium.order import Permutation, PermutationForest, PermutationTree

# perm, kendall, spearman, hamming, ulam, fuzzy, pet-size, max-op, n-pets, trees,
# recpet left, right, recpef, tree mean, best tree, β = 0.5, γ = 0.5
TABLE = """\
1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
12,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
21,0,0,0,0,0,1,1,1,1,0,0,0,0,0,0,0.5
132,2/3,0.75,1/3,0.5,0,1,1,0,1,0.6,0.6,0.6,0.6,0.6,0.5,0.8
231,1/3,0.25,0,0.5,0.5,1,1,0,1,0.4,0.4,0.4,0.4,0.4,0.5,0.7
321,0,0,1/3,0,0,1,1,1,2,0,0,0,0,0,0,0.5
1243,5/6,0.9,0.5,2/3,1/3,1,1,0.25,2,0.8,0.84,0.82,0.82,0.84,0.75,0.91
2134,5/6,0.9,0.5,2/3,1/3,1,1,0.25,2,0.84,0.8,0.82,0.82,0.84,0.75,0.91
1432,0.5,0.6,0.5,1/3,0,1,1,0.25,2,0.6,0.6,0.6,0.6,0.6,0.5,0.8
2143,2/3,0.8,0,1/3,0,1,1,0,1,0.6,0.6,0.6,0.6,0.6,0.5,0.8
2413,0.5,0.5,0,1/3,0,0,0,0,1,0,0,0,0,0,0,0
3142,0.5,0.5,0,1/3,0,0,0,0,1,0,0,0,0,0,0,0
3412,1/3,0.2,0,1/3,2/3,1,1,0,1,0.4,0.4,0.4,0.4,0.4,0.5,0.7
4321,0,0,0,0,0,1,1,1,5,0,0,0,0,0,0,0.5
12354,0.9,0.95,0.6,0.75,0.5,1,1,4/13,5,0.8,0.936,331/375,0.8752,0.936,5/6,353/375
21345,0.9,0.95,0.6,0.75,0.5,1,1,4/13,5,0.936,0.8,331/375,0.8752,0.936,5/6,353/375
25314,0.5,0.5,0.2,0.5,0,0,0,0,1,0,0,0,0,0,0,0
123564,13/15,32/35,0.5,0.8,0.6,1,1,4/41,5,0.88,0.9616,0.9296,0.92512,0.9616,11/12,0.9648
214365,0.8,32/35,0,0.4,0,1,1,1/41,2,0.72,0.72,0.72,0.72,0.72,0.625,0.86
245613,8/15,16/35,0,0.6,0.4,0.5,0.5,1/41,2,0.4,0.4,0.4,0.4,0.4,0.5,0.4
563412,0.2,3/35,1/3,0.2,0.6,1,1,1/41,2,0.28,0.28,0.28,0.28,0.28,0.375,0.64
1234576,20/21,55/56,5/7,5/6,2/3,1,1,41/131,42,0.8,0.98976,0.924848,59279/65625,0.98976,1711/1920,0.962424
5674123,2/7,1/7,1/7,1/3,2/3,1,1,7/131,8,0.28,0.28,0.28,0.28,0.28,0.375,0.64
5724136,3/7,11/28,1/7,1/3,0,0.2,0.6,0,1,0,0,0,0,0,0,0
5746312,4/21,3/28,0,1/6,1/6,0.6,0.6,1/131,2,0.2,0.08,0.14,0.14,0.2,0.1875,0.5
125346789,17/18,0.975,2/3,0.875,0.625,1,1,131/1429,132,0.996928,0.9808,0.9902008,682003/687500,0.9975424,1511/1536,0.9951004
125634789,8/9,14/15,5/9,0.75,0.625,1,1,41/1429,42,0.99232,0.9808,0.987328,21639/21875,0.993856,47/48,0.993664
1-2-3-4-5-6-7-8-9-10,1,1,1,1,1,1,1,1,4862,1,1,1,1,1,1,1
6-7-8-9-10-1-2-3-4-5,4/9,8/33,0,4/9,8/9,1,1,195/4861,196,0.4,0.4,0.4,0.4,0.4,0.5,0.7
2-4-1-3-6-8-5-7-10-9-12-11,29/33,137/143,0,5/11,0,0.6,0.8,4/58785,5,0.744,0.744,0.776,0.7632,0.84,0.6875,0.832
"""
SPECS = [
    "kendall", "spearman", "hamming", "ulam", "fuzzy", "pet-size", "max-op", "n-pets",
    None, "recpet", "recpet:branching=right", "recpef", "recpef:forest=tree",
    "recpef:forest=max", "recpef:beta=0.5", "recpef:gamma=0.5",
]  # fmt: skip


def perm_of(text: str) -> Permutation:
    return Permutation.parse(text.replace("-", " ") if "-" in text else " ".join(text))


@pytest.mark.parametrize("line", TABLE.splitlines(), ids=lambda x: x.partition(",")[0])
def test_metric_table(line):
    text, *cells = line.split(",")
    perm, expected = perm_of(text), [Fraction(cell) for cell in cells]
    for spec, value in zip(SPECS, expected, strict=True):
        if spec is None:
            assert PermutationForest(perm).count == value
        else:
            (score,) = tertium.metric(spec).permutation_scores([perm])
            assert score == pytest.approx(float(value), abs=1e-14), spec


@pytest.mark.parametrize("line", TABLE.splitlines(), ids=lambda x: x.partition(",")[0])
def test_metric_table_holds_for_classes_too(line):
    text, *cells = line.split(",")
    perm, x = perm_of(text), [float(Fraction(cell)) for cell in cells]
    flat = [perm.kendall(), perm.spearman(), perm.hamming(), perm.ulam(), perm.fuzzy()]
    assert flat == pytest.approx(x[:5])
    left, right = PermutationTree.left(perm), PermutationTree.right(perm)
    forest = PermutationForest(perm)
    assert [left.recpet(), right.recpet()] == pytest.approx(x[9:11])
    results = [
        forest.recpef(),
        forest.recpef(forest="tree"),
        forest.recpef(forest="max"),
    ]
    assert results == pytest.approx(x[11:14])
    results = [forest.recpef(beta=0.5), forest.recpef(gamma=0.5)]
    assert results == pytest.approx(x[14:])
    if forest.count < 200:
        scores = [tree.recpet() for tree in forest.trees()]
        assert [np.mean(scores), max(scores)] == pytest.approx(x[12:14])


# ------------------------------------------------------------------ from the sources


@pytest.mark.parametrize(
    ("text", "flat", "trees", "spans", "inferences"),
    [
        ("245613", "(2413 2 (12 4 5 6) 1 3)", 2, 4, 5),
        ("5746312", "(21 (2413 5 7 4 6) 3 (12 1 2))", 2, 5, 6),
        ("4321", "(21 4 3 2 1)", 5, 6, 10),
        ("2413", "(2413 2 4 1 3)", 1, 1, 1),
        ("5674123", "(21 (12 5 6 7) 4 (12 1 2 3))", 8, 9, 12),
        ("125346789", "(12 1 2 (21 5 (12 3 4)) 6 7 8 9)", 132, 23, 58),
    ],
)
def test_forests_of_the_figures(text, flat, trees, spans, inferences):
    forest = PermutationForest(perm_of(text))
    assert str(forest.flat) == flat
    assert (forest.count, forest.spans, forest.inferences) == (trees, spans, inferences)
    entries = list(forest.entries())
    assert len(entries) == spans == len(forest.chart())
    assert sum(len(entry.inferences) for entry in entries) == inferences


def test_figure_3_splits_in_two_ways():
    perm = perm_of("5746312")
    assert perm.arity == 2
    chart = PermutationForest(perm).chart()
    assert set(chart[0, 7].inferences) == {(5,), (4,)}
    left = "(21 (21 (2413 5 7 4 6) 3) (12 1 2))"
    assert str(PermutationTree.left(perm)) == left


def test_figure_4_inversion_of_four_splits_anywhere():
    chart = PermutationForest(perm_of("4321")).chart()
    assert chart[0, 4].inferences == ((1,), (2,), (3,))


def test_2413_is_prime():
    perm = perm_of("2413")
    assert perm.prime
    assert perm.arity == 4
    assert not perm.binarizable


def test_5724136_has_one_prime_below_another():
    tree = perm_of("5724136").tree
    primes = [node.op for node in tree.nodes() if node.kind == "prime"]
    assert primes == [(2, 4, 1, 3), (2, 4, 1, 3)]
    assert [c.is_leaf for c in tree.root.children] == [True, True, False, True]


def test_a_stretch_with_a_gap_is_no_block():
    assert (2, 4) not in PermutationForest(perm_of("12354")).chart()


def test_b_because_a_has_two_trees_when_a_and_b_are_sealed():
    # B and A are prime, so nothing but the three blocks can be bracketed.
    assert PermutationForest(perm_of("7-9-6-8-5-2-4-1-3")).count == 2


@pytest.mark.parametrize(
    ("length", "kendall", "spearman", "ulam", "fuzzy"),
    [
        (2, "1/5", "1/10", "1/4", "1/2"),
        (3, "2/7", "1/7", "1/3", "2/3"),
        (5, "4/11", "2/11", "2/5", "4/5"),
        (10, "3/7", "3/14", "9/20", "9/10"),
    ],
)
@pytest.mark.parametrize("beta", [0.6, 0.3])
def test_the_length_of_moved_blocks_does_not_matter(
    length, kendall, spearman, ulam, fuzzy, beta
):
    n = 2 * length + 1
    values = [*range(length + 2, n + 1), length + 1, *range(1, length + 1)]
    expected = {
        "kendall": kendall,
        "spearman": spearman,
        "ulam": ulam,
        "fuzzy": fuzzy,
        f"recpef:beta={beta}": Fraction((1 - beta) * (2 - beta) / 2),
        f"recpet:beta={beta}": Fraction((1 - beta) * (2 - beta) / 2),
    }
    for spec, value in expected.items():
        (score,) = tertium.metric(spec).permutation_scores([values])
        assert score == pytest.approx(float(Fraction(value))), spec


@pytest.mark.parametrize(
    ("text", "score"), [("2413", 0.5), ("245613", 0.7), ("5746312", 0.21)]
)
def test_graded_operators(text, score):
    metric = tertium.metric("recpef:op_score=kendall")
    assert metric.permutation_scores([perm_of(text)]) == pytest.approx([score])


@pytest.mark.parametrize(
    ("spec", "score"),
    [
        ("recpef:forest=tree", 0.91875),
        ("recpef", 0.921875),
        ("recpet", 0.875),
        ("recpef:forest=max", 0.96875),
    ],
)
def test_the_variant_of_beer_1(spec, score):
    full = f"{spec}{',' if ':' in spec else ':'}beta=0.5,child_weight=span,rescale=yes"
    scores = tertium.metric(full).permutation_scores([[1, 2, 3, 5, 4], [5, 4, 3, 2, 1]])
    assert scores == pytest.approx([score, 0.0], abs=1e-12)


# -------------------------------------------------------------------------- checksums

SUMS = {
    "ulam": ("34/3", "215/4", "1541/5", "12425/6"),
    "pet-size": ("22", "98", "513", "15446/5"),
    "max-op": ("22", "98", "513", "15478/5"),
    "n-pets": ("9/2", "134/13", "978/41", "7282/131"),
    "recpet": ("11", "253/5", "1373/5", "43709/25"),
    "recpef": ("11", "253/5", "1373/5", "655657/375"),
}
COUNTS = {  # trees, primes, binarizable, RECPEF = 0
    4: (42, 2, 22, 3),
    5: (254, 6, 90, 19),
    6: (1698, 46, 394, 131),
    7: (12322, 338, 1806, 1003),
}


@pytest.mark.parametrize("n", COUNTS)
def test_sums_over_all_permutations(n):
    perms = list(permutations(range(1, n + 1)))
    for spec, sums in SUMS.items():
        total = tertium.metric(spec).permutation_scores(perms).sum()
        assert total == pytest.approx(float(Fraction(sums[n - 4])), rel=1e-12), spec
    for spec, total in {
        "kendall": math.factorial(n) / 2,
        "spearman": math.factorial(n) / 2,
        "hamming": math.factorial(n - 1),
        "fuzzy": math.factorial(n - 1),
    }.items():
        result = tertium.metric(spec).permutation_scores(perms).sum()
        assert result == pytest.approx(total, rel=1e-12), spec


@pytest.mark.parametrize("n", range(1, 7))
def test_trees_of_all_permutations(n):
    perms = permutations(range(1, n + 1))
    total = sum(PermutationForest(Permutation.one_based(perm)).count for perm in perms)
    assert total == (1, 2, 8, 42, 254, 1698)[n - 1]


@pytest.mark.parametrize("n", COUNTS)
def test_counts_over_all_permutations(n):
    perms = [Permutation.one_based(p) for p in permutations(range(1, n + 1))]
    trees = sum(PermutationForest(perm).count for perm in perms)
    shapes = [perm.tree for perm in perms]
    primes = sum(tree.root.op == tree.perm for tree in shapes)
    binary = sum(all(x.kind != "prime" for x in tree.nodes()) for tree in shapes)
    zeros = int((tertium.metric("recpef").permutation_scores(perms) == 0).sum())
    assert (trees, primes, binary, zeros) == COUNTS[n]


# ------------------------------------------------------- alignments and full scores

ATTACH = [(0, 0), (1, 1), (2, 3), (4, 2), (6, 4), (7, 4), (8, 4)]


def test_unaligned_words_move_with_a_neighbour():
    right = Permutation.from_links(9, ATTACH, unaligned="right")
    left = Permutation.from_links(9, ATTACH, unaligned="left")
    assert right == perm_of("125346789")
    assert left == perm_of("125634789")


SEGMENTS = [  # ref, sys, permutation, BP, BLEU-1, F1, kendall, recpet, recpef
    ("he stayed home because it rained hard", "it rained hard because he stayed home",
     "5674123", 1, 1, 1, 2 / 7, 0.28, 0.28),
    ("yesterday the old man bought fresh bread",
     "the old man fresh bread bought today",
     "123564", 0.846481724891, 6 / 7, 6 / 7, 13 / 15, 0.88, 0.9296),
    ("we will meet her at noon", "at noon we meet",
     "3412", 0.606530659713, 0.606530659713, 0.8, 1 / 3, 0.4, 0.4),
    ("alpha beta gamma", "delta epsilon", "", 0, 0, 0, 0, 0, 0),
]  # fmt: skip
SENT = [  # with BLEU-1, with F1
    (0.64, 0.64),
    (0.822016134301, 0.822016134301),
    (0.424571461799, 0.521306131943),
    (0, 0),
]


@pytest.mark.parametrize("row", range(4))
def test_full_scores_of_segments(row):
    ref, hyp, text, penalty, bleu1, f1, *orders = SEGMENTS[row]
    for name, order in zip(("kendall", "recpet", "recpef"), orders, strict=True):

        def score(settings, name=name):
            return tertium.metric(f"{name}:{settings}").corpus_score([hyp], [ref])

        assert score("alpha=0") == pytest.approx(order)
        assert score("brevity=yes") == pytest.approx(penalty * order, abs=1e-12)
        assert score("alpha=1") == pytest.approx(bleu1, abs=1e-12)
        assert score("alpha=1,lexical=f1") == pytest.approx(f1)
    for lexical, sent in zip(("bleu1", "f1"), SENT[row], strict=True):
        metric = tertium.metric(f"pef:lexical={lexical}")
        assert metric.segment_scores([hyp], [ref]) == pytest.approx([sent], abs=1e-12)
    matched = {word: i for i, word in enumerate(ref.split())}
    places = [(i, matched[w]) for i, w in enumerate(hyp.split()) if w in matched]
    assert Permutation.from_links(len(hyp.split()), places) == perm_of(text)


def test_corpus_score_weighs_segments_by_reference_length():
    hyps, refs = [row[1] for row in SEGMENTS], [row[0] for row in SEGMENTS]
    for spec, score in {
        "lrscore:lexical=f1": 0.568443125734,
        "pet:lexical=f1": 0.574565239318,
        "pef:lexical=f1": 0.580954336163,
    }.items():
        result = tertium.metric(spec).corpus_score(hyps, refs)
        assert result == pytest.approx(score, abs=1e-12), spec


def test_presets_are_the_published_defaults():
    full = "alpha=0.5,lexical=bleu1,brevity=yes,weight=length,beta=0.6"
    hyps, refs = [row[1] for row in SEGMENTS], [row[0] for row in SEGMENTS]
    for preset, name in (("pef", "recpef"), ("pet", "recpet")):
        one, other = tertium.metric(preset), tertium.metric(f"{name}:{full}")
        assert one.corpus_score(hyps, refs) == other.corpus_score(hyps, refs)


def test_the_oracle_agrees_with_the_table():
    for line in TABLE.splitlines():
        text, *cells = line.split(",")
        perm = tuple(perm_of(text))
        if 1 < len(perm) < 10:
            expected = [Fraction(cell) for cell in cells]
            result = oracle.recpef(perm, Fraction(3, 5), Fraction(0))
            assert result == expected[11]
            assert len(oracle.trees(perm)) == expected[8]


# ---------------------------------------------------------- closed forms of the spec


@pytest.mark.parametrize("blocks", [2, 3, 5])
@pytest.mark.parametrize("beta", [0.25, 0.6])
def test_equal_blocks_in_a_row(blocks, beta):
    """All k children alike: φ = o + (v - o) · Π (1 - β/j)."""
    perm = [value for i in range(0, 2 * blocks, 2) for value in (i + 2, i + 1)]
    weight = math.prod(1 - beta / j for j in range(1, blocks))
    (score,) = tertium.metric(f"recpef:beta={beta}").permutation_scores([perm])
    assert score == pytest.approx(1 - weight)


WEIGHTS = [1, Fraction(2, 5), Fraction(9, 50), Fraction(44, 375)]


@pytest.mark.parametrize(
    ("left", "right"), [(p, q) for p in range(4) for q in range(4) if p + q > 0]
)
def test_one_swap_among_words(left, right):
    """One block with p words before and q behind weighs w(p)·w(q)."""
    values = list(range(1, left + right + 3))
    values[left : left + 2] = reversed(values[left : left + 2])
    (score,) = tertium.metric("recpef").permutation_scores([values])
    assert score == pytest.approx(1 - float(WEIGHTS[left] * WEIGHTS[right]))


@pytest.mark.parametrize("n", [4, 5, 9, 30])
def test_recpet_punishes_the_last_swap_most(n):
    """Spec 6: 0.2 at the end of a sentence of any length, 0.064 at the start of 5."""
    last = [*range(1, n - 1), n, n - 1]
    assert tertium.metric("recpet").permutation_scores([last]) == pytest.approx([0.8])
    first = tertium.metric("recpet").permutation_scores([[2, 1, 3, 4, 5]])
    assert first == pytest.approx([1 - 0.064])
