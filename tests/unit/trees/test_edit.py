# SPDX-License-Identifier: Apache-2.0
"""Tree edit distance against brute force, the plain recursion, and the peers."""

from __future__ import annotations

import pickle
import random
from itertools import product

import pytest
import zss
from apted import APTED
from apted.helpers import Tree
from edist.ted import standard_ted, ted
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from oracles import tree_edit as oracle
from tertium import _core
from tertium.trees import (
    EditOperation,
    LabelledTree,
    edit_distance,
    edit_distances,
    edit_script,
    labelled,
)


@st.composite
def trees(draw, max_size=8, letters="abc", min_size=0, forest=True):
    n = draw(st.integers(min_size, max_size))
    lowest = -1 if forest else 0
    parents = [draw(st.integers(lowest, i - 1)) if i else -1 for i in range(n)]
    labels = draw(st.lists(st.sampled_from(letters), min_size=n, max_size=n))
    return LabelledTree(labels, parents)


def random_tree(generator, n, letters="abcdefgh"):
    """Return a random recursive tree, numbered depth first."""
    parents = [-1] + [generator.randrange(i) for i in range(1, n)]
    children = oracle.children_of(parents)
    out, todo = [], [(0, -1)]
    while todo:
        node, parent = todo.pop()
        out.append(parent)
        todo += [(child, len(out) - 1) for child in reversed(children[node])]
    return LabelledTree(generator.choices(letters, k=n), out)


def unit(a, b):
    return (lambda x, y: int(a.labels[x] != b.labels[y])), (lambda _: 1), (lambda _: 1)


@given(trees(5), trees(5))
def test_distance_is_that_of_the_best_of_all_mappings(a, b):
    best = oracle.searched_distance(a.parents, b.parents, *unit(a, b))
    assert edit_distance(a, b) == best
    assert oracle.forest_distance(a.parents, b.parents, *unit(a, b)) == best


@given(trees(14), trees(14))
def test_distance_is_that_of_the_plain_recursion(a, b):
    expected = oracle.forest_distance(a.parents, b.parents, *unit(a, b))
    assert edit_distance(a, b) == expected
    assert edit_distance(b, a) == expected
    assert edit_distance(a, b, delete=1.0) == expected


def every_tree(most):
    """Return all ordered trees of up to so many nodes with labels a and b."""
    shapes, level = [], [[-1]]
    for _ in range(most):
        shapes += level
        # In preorder the next node hangs on the last one or one of its ancestors.
        level = [
            [*parents, at]
            for parents in level
            for at in (
                len(parents) - 1,
                *oracle.ancestors(parents, len(parents) - 1),
            )
        ]
    return [
        LabelledTree(labels, parents)
        for parents in shapes
        for labels in product("ab", repeat=len(parents))
    ]


def test_all_pairs_of_small_trees():
    assert len(every_tree(4)) == 2 + 4 + 2 * 8 + 5 * 16
    small = set(every_tree(3))
    pairs = [(a, b) for a in every_tree(4) for b in every_tree(4)]
    for (a, b), distance in zip(pairs, edit_distances(pairs), strict=True):
        assert distance == oracle.forest_distance(a.parents, b.parents, *unit(a, b))
        if a in small and b in small:
            searched = oracle.searched_distance(a.parents, b.parents, *unit(a, b))
            assert distance == searched


costs = st.integers(0, 4)


@given(
    trees(5),
    trees(5),
    st.dictionaries(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), costs),
    st.dictionaries(st.sampled_from("abc"), costs),
    st.dictionaries(st.sampled_from("abc"), costs),
)
def test_any_costs_give_the_best_of_all_mappings(a, b, rename, delete, insert):
    given_costs = {
        "rename": lambda x, y: rename.get((x, y), 1),
        "delete": lambda x: delete.get(x, 1),
        "insert": lambda y: insert.get(y, 1),
    }
    by_node = (
        lambda x, y: rename.get((a.labels[x], b.labels[y]), 1),
        lambda x: delete.get(a.labels[x], 1),
        lambda y: insert.get(b.labels[y], 1),
    )
    expected = oracle.searched_distance(a.parents, b.parents, *by_node)
    assert edit_distance(a, b, **given_costs) == expected
    script = edit_script(a, b, **given_costs)
    assert sum(operation.cost for operation in script) == expected
    check_script(a, b, script)


def check_script(a, b, script):
    """Every node once, and the pairs are a mapping."""
    assert sorted(op.a for op in script if op.a is not None) == list(range(len(a)))
    assert sorted(op.b for op in script if op.b is not None) == list(range(len(b)))
    pairs = [(op.a, op.b) for op in script if op.a is not None and op.b is not None]
    assert oracle.is_mapping(a.parents, b.parents, pairs)


@given(trees(14), trees(14))
def test_a_script_is_a_mapping_of_the_cost_of_the_distance(a, b):
    script = edit_script(a, b)
    check_script(a, b, script)
    assert sum(operation.cost for operation in script) == edit_distance(a, b)
    assert script == edit_script(a, b)
    kinds = {(True, False): "delete", (False, True): "insert"}
    for op in script:
        there = op.a is not None, op.b is not None
        same = all(there) and a.labels[op.a] == b.labels[op.b]
        assert op.kind == kinds.get(there, "match" if same else "rename")


@settings(max_examples=40)
@given(trees(12), trees(12), trees(12))
def test_unit_costs_are_a_metric(a, b, c):
    assert edit_distance(a, a) == 0
    assert edit_distance(a, c) <= edit_distance(a, b) + edit_distance(b, c)
    assert abs(len(a) - len(b)) <= edit_distance(a, b) <= len(a) + len(b)


@given(trees(10), trees(10))
def test_forbidden_renames_leave_deletions_and_insertions(a, b):
    infinite = float("inf")
    assert edit_distance(a, b, rename=lambda *_: infinite) == len(a) + len(b)


@pytest.mark.parametrize("size", [1, 2, 7, 8, 9, 25, 60])
def test_distance_equals_that_of_zss_apted_and_edist(size):
    """zss 1.2.0, apted 1.0.3, edist 1.2.2 on random trees."""
    generator = random.Random(size)
    few = 3 if size > 20 else 15
    for _ in range(few):
        a = random_tree(generator, size)
        b = random_tree(generator, generator.randint(1, size))
        distance = edit_distance(a, b)
        assert distance == zss.simple_distance(as_zss(a), as_zss(b))
        apted = APTED(Tree.from_text(a.brackets), Tree.from_text(b.brackets))
        assert distance == apted.compute_edit_distance()
        assert distance == standard_ted(*as_edist(a), *as_edist(b))


def test_weighted_distance_equals_that_of_edist():
    generator = random.Random(5)

    def cost(x, y):
        if x is None or y is None:
            return 0.75 if x is None else 1.25
        return abs(ord(x) - ord(y)) / 8

    for _ in range(20):
        a, b = random_tree(generator, 15), random_tree(generator, 12)
        distance = edit_distance(a, b, rename=cost, delete=1.25, insert=0.75)
        assert distance == pytest.approx(ted(*as_edist(a), *as_edist(b), cost))


def as_zss(tree):
    nodes = [zss.Node(label) for label in tree.labels]
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            nodes[parent].addkid(nodes[node])
    return nodes[0]


def as_edist(tree):
    children = oracle.children_of(tree.parents)
    return list(tree.labels), [children[node] for node in range(len(tree))]


def test_shapes_that_need_one_direction_or_large_tables():
    """Combs, chains, stars and trees beyond the rows of the fast kernel."""
    generator = random.Random(1)

    def comb(n, left):
        # A spine whose nodes have one leaf each, on its left or right.
        parents, spine = [-1], 0
        while len(parents) < n:
            first, second = len(parents), len(parents) + 1
            parents += [spine, spine]
            spine = second if left else first
        return LabelledTree(generator.choices("ab", k=len(parents)), parents)

    def shape(n, kind):
        parents = [i - 1 for i in range(n)] if kind == "chain" else [-1] + [0] * (n - 1)
        return LabelledTree(generator.choices("ab", k=n), parents)

    small = [comb(31, True), comb(31, False), shape(30, "chain"), shape(30, "star")]
    for a in small:
        for b in small:
            expected = oracle.forest_distance(a.parents, b.parents, *unit(a, b))
            assert edit_distance(a, b) == expected
    a, b = comb(401, True), comb(301, False)
    assert edit_distance(a, b) == sum(op.cost for op in edit_script(a, b))
    a, b = random_tree(generator, 3000), random_tree(generator, 20)
    assert edit_distance(a, b) == edit_distance(a, b, insert=1)
    long = shape(5000, "chain"), shape(5000, "chain")
    ids = [[ord(x) - 97 for x in t.labels] for t in long]
    assert edit_distance(*long) == _core.levenshtein(*ids, 2)


def test_trees_that_are_too_large_are_rejected():
    big = LabelledTree("a" * 10_000, list(range(-1, 9_999)))
    with pytest.raises(
        tertium.InputError, match=r"10000 and 10000 nodes are too large"
    ):
        edit_distance(big, big)
    with pytest.raises(tertium.InputError, match="too large"):
        edit_distances([(big, big)])
    with pytest.raises(tertium.InputError, match="too large"):
        edit_script(big, big)


def test_a_batch_equals_single_calls_for_any_number_of_threads():
    generator = random.Random(2)
    pairs = [
        tuple(random_tree(generator, generator.randint(1, 30)) for _ in "ab")
        for _ in range(300)
    ]
    single = [edit_distance(a, b) for a, b in pairs]
    for threads in (1, 2, 5, None):
        assert edit_distances(pairs, threads=threads) == single
    assert edit_distances([]) == []


# --------------------------------------------------------------------- notations


@given(trees(10, letters=["a", "b c", "{", "}", "\\", "é"]))
def test_brackets_are_read_as_they_are_written(tree):
    again = LabelledTree.from_brackets(tree.brackets)
    assert edit_distance(again, tree) == 0
    assert len(again) == len(tree)
    assert again.brackets == tree.brackets


def test_every_notation_makes_the_same_tree():
    tree = LabelledTree("abcd", [-1, 0, 0, 2])
    assert tree == LabelledTree.from_brackets("{a{b}{c{d}}}")
    assert tree == LabelledTree.from_brackets(" {a {b}\n {c {d} } } ")
    assert tree == LabelledTree.from_nested(("a", [("b", []), ["c", [("d", ())]]]))
    assert tree == LabelledTree.from_adjacency("abcd", [[1, 2], [], [3], []])
    assert tree == LabelledTree.from_parents(["a", "b", "c", "d"], [-1, 0, 0, 2])
    assert tree == pickle.loads(pickle.dumps(tree))
    assert hash(tree) == hash(LabelledTree.from_brackets("{a{b}{c{d}}}"))
    assert tree != LabelledTree.from_brackets("{a{b}{d{c}}}")
    assert repr(tree) == "LabelledTree.from_brackets('{a{b}{c{d}}}')"


def test_labels_are_anything_that_can_be_compared():
    a = LabelledTree([1, ("x", 2), None], [-1, 0, 0])
    b = LabelledTree([1.0, ("x", 2), "None"], [-1, 0, 0])
    assert edit_distance(a, b) == 1
    with pytest.raises(tertium.InputError, match="a label cannot be compared"):
        LabelledTree([[1]], [-1])


def test_a_full_table_of_labels_gives_way_to_a_new_one(monkeypatch):
    monkeypatch.setattr(labelled, "_MOST_LABELS", 0)
    old = LabelledTree("ab", [-1, 0])
    new = LabelledTree("xb", [-1, 0])
    assert old._table is not new._table
    assert edit_distance(old, new) == edit_distances([(old, new)])[0] == 1
    assert [op.kind for op in edit_script(old, new)] == ["rename", "match"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LabelledTree("ab", [1, 0]), r"node \d \('\w'\) is its own ancestor"),
        (lambda: LabelledTree("abc", [-1, 2, 1]), r"node \d \('[bc]'\) is its own anc"),
        (lambda: LabelledTree("ab", [-1, 5]), r"node 1 \('b'\) has parent 5"),
        (lambda: LabelledTree("ab", [-1, -2]), r"node 1 \('b'\) has parent -2"),
        (lambda: LabelledTree("ab", [-1, 0.5]), r"node 1 \('b'\) has parent 0.5"),
        (lambda: LabelledTree("ab", [-1]), "2 labels, 1 parents"),
        (lambda: LabelledTree.from_brackets("{a"), "1 open nodes"),
        (lambda: LabelledTree.from_brackets("{a}}"), "character 3 .* closes no node"),
        (lambda: LabelledTree.from_brackets("{a}b{c}"), "'b' before character 4"),
        (lambda: LabelledTree.from_brackets("a"), "'a' before character 1"),
        (lambda: LabelledTree.from_nested(("a", ["b"])), "node 1 is 'b', not a pair"),
        (lambda: LabelledTree.from_adjacency("abc", [[2, 1], [], []]), "ascending"),
        (lambda: LabelledTree.from_adjacency("ab", [[1], [1]]), "child 1 of node 1"),
        (lambda: LabelledTree.from_adjacency("ab", [[7], []]), "child 7 of node 0"),
        (lambda: edit_distance("{a}", "{b}", delete=-1), "deleting node 0 .* costs -1"),
        (
            lambda: edit_distance("{a}", "{b}", insert=lambda _: float("nan")),
            r"inserting node 0 \('b'\) costs nan",
        ),
        (
            lambda: edit_distance("{a}", "{b}", rename=lambda *_: -0.5),
            "renaming 'a' to 'b' costs -0.5",
        ),
    ],
)
def test_what_is_no_tree_or_no_cost_is_rejected(make, message):
    with pytest.raises(tertium.InputError, match=message):
        make()


def test_empty_forests_are_defined():
    nothing = LabelledTree([], [])
    assert edit_distance(nothing, nothing) == 0
    assert edit_distance(nothing, "{a{b}}") == edit_distance("{a{b}}", nothing) == 2
    assert edit_script(nothing, "{a}") == (EditOperation("insert", None, 0, 1.0),)
    assert nothing.brackets == ""


def test_distances_come_without_heavy_imports():
    import subprocess
    import sys

    code = (
        "import sys; from tertium.trees import edit_distance; edit_distance('{a}', "
        "'{b}'); assert not {'numpy', 'scipy', 'spacy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("function", [edit_distance, edit_script])
@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({"rename": 5}, "rename is 5; give a function of two labels"),
        ({"rename": lambda *_: "x"}, "renaming 'a' to 'b' costs 'x'"),
        ({"delete": "x"}, "'a' without partner costs 'x', which is not a number"),
        ({"insert": lambda _: None}, "'b' without partner costs None"),
    ],
)
def test_costs_that_are_none_are_rejected(function, costs, message):
    with pytest.raises(tertium.InputError, match=message):
        function("{a}", "{b}", **costs)
