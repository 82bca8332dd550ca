# SPDX-License-Identifier: Apache-2.0
"""Stanojević and Sima'an 2014: the worked examples, which need no data."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations

from tertium.order import Permutation, PermutationForest, PermutationTree
from tertium.order.permutation import order_score
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome

__all__ = [
    "factorizations",
    "first_tree",
    "flat_metrics",
    "forest_chart",
    "forest_score",
    "more_trees",
]


def first_tree(_: Exhibit, __: Data) -> Outcome:
    """Figure 1: the tree of 2 4 5 6 1 3."""
    tree = str(PermutationTree.flat(Permutation.parse("2 4 5 6 1 3")))
    text = "4 5 6 is a block, and the root has the operator 2413"
    return Outcome(claims=(Claim(text, tree == "(2413 2 (12 4 5 6) 1 3)", tree),))


def flat_metrics(_: Exhibit, __: Data) -> Outcome:
    """Figure 2: five metrics, by their printed formulas."""
    claims = []
    for name, formula in _FORMULAS.items():
        worst = max(
            abs(order_score(Permutation.one_based(perm), name) - float(formula(perm)))
            for perm in _all_permutations(6)
        )
        claims.append(
            Claim(
                f"{name} equals its formula on all permutations of 2 to 6 words",
                worst < 1e-12,
                f"largest difference {worst:.0e}",
            )
        )
    return Outcome(claims=tuple(claims))


def more_trees(_: Exhibit, __: Data) -> Outcome:
    """Figure 3: a tree of 5 7 4 6 3 1 2, and the trees of 4 3 2 1."""
    long = PermutationForest(Permutation.parse("5 7 4 6 3 1 2"))
    tree = "(21 (21 (2413 5 7 4 6) 3) (12 1 2))"
    count = PermutationForest(Permutation.parse("4 3 2 1")).count
    return Outcome(
        cells=(Cell("4 3 2 1", "trees", count, against="trees"),),
        claims=(
            Claim(
                "5 7 4 6 3 1 2 has the drawn tree",
                tree in {str(other) for other in long.trees()},
                tree,
            ),
        ),
    )


def factorizations(_: Exhibit, __: Data) -> Outcome:
    """Figure 4: how 4 3 2 1 factorises."""
    chart = PermutationForest(Permutation.parse("4 3 2 1")).chart()
    splits = sorted(split for (split,) in chart[0, 4].inferences)
    text = "the root of 4 3 2 1 may split after 1, 2 or 3 words"
    return Outcome(claims=(Claim(text, splits == [1, 2, 3], f"splits {splits}"),))


def forest_chart(_: Exhibit, __: Data) -> Outcome:
    """Figure 5: the algorithm packs all trees in n² spans."""
    claims = []
    for text in ("4 3 2 1", "2 4 5 6 1 3", "1 2 3 4 5 6 7 8 9 10"):
        forest = PermutationForest(Permutation.parse(text))
        size = len(text.split())
        trees = {str(tree) for tree in forest.trees()}
        claims.append(
            Claim(
                f"the forest of {text} has all its trees, in n² spans at most",
                len(trees) == forest.count and forest.spans <= size**2,
                f"{forest.count} trees, {forest.spans} spans, "
                f"{forest.inferences} inferences",
            )
        )
    return Outcome(claims=tuple(claims))


def forest_score(_: Exhibit, __: Data) -> Outcome:
    """Figure 6: the recursive score, on blocks that change places."""
    values = []
    for length in (2, 3, 5, 10):
        back = range(length + 2, 2 * length + 2)
        perm = [*back, length + 1, *range(1, length + 1)]
        forest = PermutationForest(Permutation.parse(" ".join(map(str, perm))))
        values.append(forest.recpef(beta=0.6))
    shown = ", ".join(f"{value:.2f}" for value in values)
    return Outcome(
        claims=(
            Claim(
                "“B because A” costs the same for blocks of 2, 3, 5 and 10 words",
                max(values) - min(values) < 1e-12,
                f"scores {shown}",
            ),
        )
    )


def _all_permutations(size: int) -> list[tuple[int, ...]]:
    return [p for n in range(2, size + 1) for p in permutations(range(1, n + 1))]


def _kendall(p: tuple[int, ...]) -> Fraction:
    n = len(p)
    pairs = sum(p[i] < p[j] for i in range(n) for j in range(i + 1, n))
    return Fraction(2 * pairs, n * n - n)


def _hamming(p: tuple[int, ...]) -> Fraction:
    return Fraction(sum(x == i for i, x in enumerate(p, 1)), len(p))


def _spearman(p: tuple[int, ...]) -> Fraction:
    n = len(p)
    return 1 - Fraction(3 * sum((x - i) ** 2 for i, x in enumerate(p, 1)), n**3 - n)


def _ulam(p: tuple[int, ...]) -> Fraction:
    longest: list[int] = []
    for i, x in enumerate(p):
        before = [longest[j] for j in range(i) if p[j] < x]
        longest.append(1 + max(before, default=0))
    return Fraction(max(longest) - 1, len(p) - 1)


def _fuzzy(p: tuple[int, ...]) -> Fraction:
    runs = 1 + sum(b != a + 1 for a, b in pairwise(p))
    return 1 - Fraction(runs - 1, len(p) - 1)


_FORMULAS = {
    "kendall": _kendall,
    "hamming": _hamming,
    "spearman": _spearman,
    "ulam": _ulam,
    "fuzzy": _fuzzy,
}
