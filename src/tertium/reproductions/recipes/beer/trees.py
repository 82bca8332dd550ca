# SPDX-License-Identifier: Apache-2.0
"""Stanojević 2017, chapters 2 to 4: worked examples, which need no data."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from math import prod

import numpy as np

from tertium.align.pharaoh import parse_pharaoh
from tertium.order import Permutation, PermutationForest, PermutationTree
from tertium.order.forest import catalan
from tertium.order.permutation import order_score
from tertium.preorder import gold_orders
from tertium.preorder.lattices import order_lattice
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome

__all__ = [
    "alignment_views",
    "derivations",
    "hierarchical_views",
    "permutation_lattice",
    "prime_operator",
    "synchronous_grammar",
    "top_down",
    "tree_metrics",
    "unary_trick",
]

#: Figure 2.1: rules as (label, source, target); a number is a linked non-terminal.
_RULES: dict[int, tuple[str, tuple[str | int, ...], tuple[str | int, ...]]] = {
    1: ("S", (0, 1), (0, 1)),
    2: ("VP", (0, "you"), (0, "tebe")),
    3: ("VP", (0, "you"), ("te", 0)),
    4: ("NP", ("I",), ("Ja",)),
    5: ("V", ("see",), ("vidim",)),
}
_LINKED = {1: ("NP", "VP"), 2: ("V",), 3: ("V",), 4: (), 5: ()}
#: A permutation that the text about figure 2.5 fits; its digits are in the drawing.
_DRAWN = "1 2 5 3 4 6 7 8 9"

Side = tuple[str, ...]


def synchronous_grammar(_: Exhibit, __: Data) -> Outcome:
    """Figure 2.1: what the example grammar generates."""
    pairs = {(" ".join(s), " ".join(t)) for s, t, _ in _generate("S")}
    sources = {source for source, _ in pairs}
    targets = sorted(target for _, target in pairs)
    return Outcome(
        claims=(
            Claim(
                "the grammar generates one English sentence",
                sources == {"I see you"},
                ", ".join(sources),
            ),
            Claim(
                "and two translations of it, by the word for “you”",
                targets == ["Ja te vidim", "Ja vidim tebe"],
                ", ".join(targets),
            ),
        )
    )


def derivations(exhibit: Exhibit, _: Data) -> Outcome:
    """Figures 2.2 and 2.3: the rules behind a translation, and its order."""
    target = "Ja vidim tebe" if exhibit.label == "Figure 2.2" else "Ja te vidim"
    rule, order = (2, "1 2 3") if exhibit.label == "Figure 2.2" else (3, "1 3 2")
    ways = [used for _, t, used in _generate("S") if " ".join(t) == target]
    place = {"Ja": 1, "vidim": 2, "tebe": 3, "te": 3}
    words = " ".join(str(place[word]) for word in target.split())
    tree = str(PermutationTree.flat(Permutation.parse(order)))
    return Outcome(
        claims=(
            Claim(
                f"“{target}” has one derivation, with rule ({rule})",
                [sorted(used) for used in ways] == [sorted((1, 4, rule, 5))],
                f"rules {' '.join(map(str, ways[0]))}",
            ),
            Claim(
                "verb and object "
                + ("keep their order" if rule == 2 else "change places"),
                words == order,
                f"{words}: {tree}",
            ),
        )
    )


def alignment_views(_: Exhibit, __: Data) -> Outcome:
    """Figure 2.4: from an alignment to a permutation, in three stages."""
    # Three words share a counterpart, one has none, and one has two.
    words = ["they", "will", "arrive", "the", "day", "after", "tomorrow", "by", "train"]
    links = parse_pharaoh("0-2 2-2 4-0 5-0 6-0 7-3 8-3 8-4")
    gold = gold_orders([words], [links], reduction="leftmost")[0]
    order = list(gold.order)
    shared = [order.index(i) for i in (4, 5, 6)]
    none = gold.unaligned
    attached = all(order.index(i) + 1 == order.index(i + 1) for i in none)
    ranks = sorted(range(len(order)), key=lambda i: order[i])
    perm = Permutation.zero_based(ranks)
    return Outcome(
        claims=(
            Claim(
                "words with the same counterpart keep their order among themselves",
                shared == list(range(shared[0], shared[0] + 3)),
                " ".join(words[i] for i in order),
            ),
            Claim(
                "words without one go with their right neighbours",
                none == (1, 3) and attached,
                ", ".join(words[i] for i in none),
            ),
            Claim(
                "the result is a permutation with a hierarchical view",
                perm.binarizable,
                str(PermutationTree.flat(perm)),
            ),
        )
    )


def top_down(_: Exhibit, __: Data) -> Outcome:
    """Figure 2.5: binarizable permutations, and two that are not."""
    drawn, first, second = map(Permutation.parse, (_DRAWN, "2 4 1 3", "5 7 2 4 1 3 6"))
    steps = {op for tree in _trees(drawn) for op in tree.operators}
    operators = [op for op in PermutationTree.flat(second).operators if len(op) > 2]
    return Outcome(
        claims=(
            Claim(
                "⟨1, 2⟩ and ⟨2, 1⟩ suffice for a permutation of these steps",
                drawn.binarizable and steps == {(1, 2), (2, 1)},
                str(PermutationTree.left(drawn)),
            ),
            Claim("2413 is prime", first.prime, str(PermutationTree.flat(first))),
            Claim(
                "5724136 decomposes, but with operators that are not binary",
                not second.prime and not second.binarizable and bool(operators),
                str(PermutationTree.flat(second)),
            ),
        )
    )


def hierarchical_views(_: Exhibit, __: Data) -> Outcome:
    """Figure 2.6: 132 trees of one permutation, and how they are counted."""
    drawn = Permutation.parse(_DRAWN)
    wrong = sum(
        PermutationForest(perm).count != len(_trees(perm))
        or PermutationForest(perm).count != _counted(perm)
        for n in range(2, 7)
        for perm in map(Permutation.one_based, permutations(range(1, n + 1)))
    )
    left, right = PermutationTree.left(drawn), PermutationTree.right(drawn)
    trees = set(map(str, _trees(drawn)))
    return Outcome(
        cells=(
            Cell("the permutation of the figure", "trees", len(trees), against="trees"),
        ),
        claims=(
            Claim(
                "the left- and the right-branching tree differ and are among them",
                str(left) != str(right) and {str(left), str(right)} <= trees,
                str(PermutationTree.flat(drawn)),
            ),
            Claim(
                "equation 2.50 counts the trees of all permutations of 2 to 6 words",
                wrong == 0,
                f"{wrong} wrong",
            ),
        ),
    )


def prime_operator(_: Exhibit, __: Data) -> Outcome:
    """Figure 3.1: the root operator P3142, and alternative trees."""
    inner = Permutation.parse("3 1 4 2")
    blocks = ["first", "second", "third", "fourth"]
    moved = [blocks[inner.index(place)] for place in sorted(inner)]
    # Four blocks, of which 1 2 3 has two bracketings.
    nested = PermutationForest(Permutation.parse("5 1 2 3 6 4"))
    operators = {op for tree in nested.trees() for op in tree.operators}
    return Outcome(
        claims=(
            Claim(
                "under P3142 children end up third, first, fourth and second",
                moved == ["second", "fourth", "first", "third"] and inner.prime,
                f"new order: {', '.join(moved)}",
            ),
            Claim(
                "a permutation with that root may have several trees",
                nested.count > 1 and (3, 1, 4, 2) in operators,
                "; ".join(map(str, nested.trees())),
            ),
            Claim(
                "all of them have the same prime operators",
                len({_operators(tree) for tree in nested.trees()}) == 1,
                ", ".join("".join(map(str, op)) for op in sorted(operators)),
            ),
        )
    )


def unary_trick(_: Exhibit, __: Data) -> Outcome:
    """Figure 3.2: how many rules a split rule becomes, with and without the trick."""
    cells = [
        Cell("arity 2, 2 states", "without the trick", len(_split_rules(2, 2)),
             against="without the trick"),
        Cell("arity 2, 2 states", "with the trick", len(_unary_rules(2, 2)),
             against="with the trick"),
        Cell("arity 5, 30 states", "without the trick", 30 ** (5 + 1),
             against="without the trick"),
        Cell("arity 5, 30 states", "with the trick", len(_unary_rules(30, 5)),
             against="with the trick"),
    ]  # fmt: skip
    formula = all(
        len(_split_rules(s, a)) == s ** (a + 1)
        and len(_unary_rules(s, a)) == s + s * s * a
        for s, a in product((1, 2, 3), (2, 3, 4))
    )
    text = "sᵃ⁺¹ and s + s²a rules, by listing them for s ≤ 3 and a ≤ 4"
    return Outcome(tuple(cells), (Claim(text, formula, "9 cases"),))


def permutation_lattice(_: Exhibit, __: Data) -> Outcome:
    """Figure 3.6: several orders of a sentence as a minimal lattice."""
    words = ["she", "reads", "old", "books", "at", "home"]
    orders = [
        (0, 2, 3, 1, 5, 4),
        (0, 5, 4, 2, 3, 1),
        (0, 2, 3, 5, 4, 1),
        (0, 2, 3, 1, 4, 5),
        (0, 5, 4, 3, 2, 1),
    ]
    expected = np.full((6, 6), 0.5)
    lattice = order_lattice(words, orders, expected)
    before = 1 + len(orders) * len(words)
    paths = sorted(path for path, _ in lattice.paths())
    return Outcome(
        claims=(
            Claim(
                "the lattice has the orders of the list and no others",
                paths == sorted(orders),
                f"{len(paths)} paths",
            ),
            Claim(
                "it is smaller than one path per order",
                len(lattice.arcs) < before,
                f"{len(lattice.arcs)} states and {lattice.arc_count} arcs instead of "
                f"{before} and {len(orders) * len(words)}",
            ),
        )
    )


def tree_metrics(_: Exhibit, __: Data) -> Outcome:
    """Figure 4.2: three metrics of permutation trees, by their printed formulas."""
    formulas = {"pet-size": _pet_size, "max-op": _max_op, "n-pets": _n_pets}
    claims = []
    for name, formula in formulas.items():
        worst = max(
            abs(order_score(perm, name) - float(formula(perm)))
            for n in range(3, 7)
            for perm in map(Permutation.one_based, permutations(range(1, n + 1)))
        )
        claims.append(
            Claim(
                f"{name} equals its formula on all permutations of 3 to 6 words",
                worst < 1e-12,
                f"largest difference {worst:.0e}",
            )
        )
    return Outcome(claims=tuple(claims))


# ------------------------------------------------------------------------- helpers


def _generate(label: str) -> Iterator[tuple[Side, Side, tuple[int, ...]]]:
    """Yield source, target and the rules of every derivation from a label."""
    for number, (left, source, target) in _RULES.items():
        if left != label:
            continue
        for parts in product(*(tuple(_generate(child)) for child in _LINKED[number])):
            used = tuple(rule for part in parts for rule in part[2])
            yield (
                _filled(source, [part[0] for part in parts]),
                _filled(target, [part[1] for part in parts]),
                (number, *used),
            )


def _filled(side: tuple[str | int, ...], parts: list[Side]) -> Side:
    """Return one side of a rule with what its non-terminals generate."""
    words: list[str] = []
    for item in side:
        words += parts[item] if isinstance(item, int) else (item,)
    return tuple(words)


def _trees(perm: Permutation) -> list[PermutationTree]:
    return list(PermutationForest(perm).trees())


def _operators(tree: PermutationTree) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted(tree.operators))


def _counted(perm: Permutation) -> int:
    """Return the number of trees by equation 2.50, from runs of one operator."""
    nodes = PermutationTree.left(perm).nodes()
    runs: dict[tuple[int, int], int] = {}
    top: dict[tuple[int, int], tuple[int, int]] = {}
    for node in nodes:  # parents come first
        if len(node.op) != 2:
            continue
        key = (node.start, node.end)
        run = top.get(key, key)
        runs[run] = runs.get(run, 0) + 1
        for child in node.children:
            if child.op == node.op:
                top[child.start, child.end] = run
    return prod(catalan(length) for length in runs.values())


def _split_rules(states: int, arity: int) -> set[tuple[int, ...]]:
    """Return the rules with a state for the mother and for every child."""
    return set(product(range(states), repeat=arity + 1))


def _unary_rules(states: int, arity: int) -> set[tuple[object, ...]]:
    """Return the rules where every child has a non-terminal of its own."""
    mothers: set[tuple[object, ...]] = {("mother", s) for s in range(states)}
    children = product(range(states), range(arity), range(states))
    return mothers | {("child", *rule) for rule in children}


def _pet_size(perm: Permutation) -> Fraction:
    return Fraction(len(PermutationTree.left(perm).operators) - 1, len(perm) - 2)


def _max_op(perm: Permutation) -> Fraction:
    longest = max(map(len, PermutationTree.left(perm).operators))
    return 1 - Fraction(longest - 2, len(perm) - 2)


def _n_pets(perm: Permutation) -> Fraction:
    return Fraction(len(_trees(perm)) - 1, catalan(len(perm) - 1) - 1)
