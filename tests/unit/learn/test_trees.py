# SPDX-License-Identifier: Apache-2.0
"""Arcs and headword chains as features, against their twins."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import dependencies
from oracles import structure as oracle
from support.strategies import plain_lines
from tertium import InputError
from tertium.data.annotated import Annotated
from tertium.learn.features.arcs import RELATIONS, Arcs
from tertium.learn.features.blocks import Resources, block
from tertium.learn.features.chains import Chains
from tertium.learn.features.parsed import flat_tree
from tertium.trees import DependencyTree


@st.composite
def trees(draw):
    size = draw(st.integers(0, 8))
    order = draw(st.permutations(range(size)))
    heads = [0] * size
    for place in range(1, size):
        heads[order[place]] = order[draw(st.integers(0, place - 1))] + 1
    words, labels, tags = (
        tuple(draw(st.lists(st.sampled_from(symbols), min_size=size, max_size=size)))
        for symbols in ("abc", ("nsubj", "obj"), ("N", "V"))
    )
    return DependencyTree(words, tuple(heads), labels, upos=tags)


def text(tree):
    return Annotated(" ".join(tree.forms), {"tree": tree})


def named(features, hyp, ref):
    row = features.features([hyp], [ref])[0]
    return dict(zip(features.names, row.tolist(), strict=True))


def not_zero(row):
    return {name: value for name, value in row.items() if value}


@given(trees(), trees())
def test_arcs_by_relation(hyp, ref):
    expected = oracle.treepel(hyp, ref)
    result = not_zero(named(Arcs(("nsubj", "obj")), text(hyp), text(ref)))
    assert result == pytest.approx({name: float(v) for name, v in expected.items()})


def test_a_worked_example():
    """Four arcs against five; ``the`` hangs on ``cat`` twice in the reference."""
    hyp = DependencyTree(
        ("the", "cat", "sees", "dogs"), (2, 3, 0, 3), ("det", "nsubj", "root", "obj")
    )
    ref = DependencyTree(
        ("the", "the", "cat", "sees", "mice"),
        (3, 3, 4, 0, 4),
        ("det", "det", "nsubj:outer", "root", "obj"),
    )
    # Distinct and in both: det(cat, the), nsubj(sees, cat), root(sees): 2 / (4 + 5).
    # obj(sees, dogs) is one of the text's 4 arcs, obj(sees, mice) one of 5.
    assert not_zero(named(Arcs(), text(hyp), text(ref))) == pytest.approx(
        {
            "arc.matched:det": 2 / 9,
            "arc.matched:nsubj": 2 / 9,
            "arc.matched:root": 2 / 9,
            "arc.sys-wrong:obj": 1 / 4,
            "arc.ref-wrong:obj": 1 / 5,
        }
    )
    longer = Arcs(("det",), arcs=("matched",), divide="longer")
    assert longer.names == ("arc.matched:det", "arc.matched:other")
    assert longer.features([text(hyp)], [text(ref)])[0] == pytest.approx([0.2, 0.4])
    assert longer.symmetric
    # the: no dependents; cat: 1 and 2; sees: 2 and 2.
    other = Arcs(arcs=(), heads=("p", "r"), valency=("p", "r", "f1"))
    assert other.features([text(hyp)], [text(ref)])[0] == pytest.approx(
        [3 / 4, 3 / 5, 1 / 2, 1 / 2, 1 / 2]
    )


@given(trees(), trees(), st.booleans())
def test_other_units(hyp, ref, symmetric):
    values = ("min", "max", "f1") if symmetric else ("p", "r", "f2")
    arcs = Arcs(arcs=(), tags=values, heads=values, valency=values, symmetric=symmetric)
    assert arcs.symmetric == symmetric
    one = (Fraction(1), Fraction(1))
    heads = oracle.overlap(oracle.heads(hyp), oracle.heads(ref)) or one
    parts = [
        oracle.overlap(oracle.tags(hyp), oracle.tags(ref)) or one,
        heads,
        oracle.overlap(oracle.valencies(hyp), oracle.valencies(ref)) or heads,
    ]
    value = oracle.symmetric_value if symmetric else oracle.value
    expected = [value(name, *part) for part in parts for name in values]
    assert arcs.features([text(hyp)], [text(ref)])[0] == pytest.approx(expected)


@given(trees(), trees(), st.integers(1, 5))
def test_chains(hyp, ref, longest):
    chains = Chains(longest, values=("p", "r", "f1"))
    expected, last = [], (Fraction(1), Fraction(1))
    for n in range(1, longest + 1):
        both = dependencies.chains(hyp, n), dependencies.chains(ref, n)
        last = oracle.overlap(*both) or last
        expected += [oracle.value(name, *last) for name in ("p", "r", "f1")]
    assert chains.features([text(hyp)], [text(ref)])[0] == pytest.approx(expected)


@settings(max_examples=30)
@given(trees(), st.lists(trees(), min_size=1, max_size=10))
def test_signs_say_what_a_copy_has(ref, hyps):
    values = ("p", "r", "f1")
    for one in (
        Arcs(("nsubj",), tags=values, heads=values, valency=values),
        Arcs(("nsubj",), divide="longer"),
        Chains(3),
    ):
        copy = one.features([text(ref)], [text(ref)])[0]
        rows = one.features([text(hyp) for hyp in hyps], [text(ref)] * len(hyps))
        for sign, best, column in zip(one.signs, copy, rows.T, strict=True):
            assert (sign * column <= sign * best + 1e-12).all()


# --------------------------------------------------------------- where trees come from


@given(plain_lines, plain_lines)
def test_without_trees_they_are_flat(hyp, ref):
    given_flat = [Annotated(line, {"tree": flat_tree(line)}) for line in (hyp, ref)]
    values = ("p", "r")
    for one in (Arcs(heads=values, valency=values, tags=values), Chains(3)):
        plain = named(one, hyp, ref)
        assert plain == named(one, *given_flat)
    assert {n.partition(":")[2] for n in not_zero(named(Arcs(), hyp, ref))} <= {
        "root",
        "flat",
    }


def test_a_pair_with_one_tree_is_flat_and_its_neighbours_are_not():
    tree = DependencyTree(("b", "a"), (2, 0), ("obj", "root"))
    hyps, refs = [text(tree), text(tree)], ["b a", text(tree)]
    arcs = Arcs(("obj", "flat", "root"), arcs=("matched",))
    assert arcs.names[:3] == ("arc.matched:obj", "arc.matched:flat", "arc.matched:root")
    features = arcs.features(hyps, refs)
    assert features.tolist() == [[0, 0.5, 0.5, 0], [0.5, 0, 0.5, 0]]
    assert arcs.features(hyps[:1], refs[:1]).tolist() == features[:1].tolist()
    flattened = Arcs(("obj", "flat", "root"), arcs=("matched",), flat=True)
    assert flattened.features(hyps, refs).tolist() == [features[0].tolist()] * 2


def test_words_ignore_case_unless_told():
    tree = DependencyTree(("Cats",), (0,), ("root",))
    other = DependencyTree(("cats",), (0,), ("root",))
    name = "arc.matched:root"
    assert named(Arcs(), text(tree), text(other))[name] == 1.0
    assert named(Arcs(lowercase=False), text(tree), text(other))[name] == 0.0


def test_unknown_relations_are_pooled():
    tree = DependencyTree(("a", "b", "c"), (0, 1, 1), ("root", "odd", "strange"))
    row = named(Arcs(("root", "obl:arg")), text(tree), text(tree))
    assert row["arc.matched:other"] == pytest.approx(2 / 3)
    sub = DependencyTree(("a", "b", "c"), (0, 1, 1), ("root", "obl:arg", "obl"))
    row = named(Arcs(("root", "obl:arg")), text(sub), text(sub))
    assert row["arc.matched:obl:arg"] == row["arc.matched:other"]


def test_a_parser_makes_the_trees(udpipe_model):
    resources = Resources(parser="udpipe", parser_model=udpipe_model)
    result = Arcs(tags=("f1",)).equipped(resources)
    hyps = ["The cat chased the dog.", "The dog chased the cat."]
    refs = ["The cat chased the dog."] * 2
    copy, other = (
        dict(zip(result.names, row, strict=True)) for row in result.features(hyps, refs)
    )
    assert copy["arc.matched:nsubj"] > 0
    assert not any(v for name, v in copy.items() if "wrong" in name)
    assert other["arc.sys-wrong:nsubj"] > 0
    assert other["arc.ref-wrong:obj"] > 0
    assert copy["tag2.f1"] == 1.0


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"kind": "arcs", "arcs": []}, "there is no feature"),
        ({"kind": "arcs", "arcs": ["right"]}, "'right'"),
        ({"kind": "arcs", "tags": ["min"]}, "'min' is not a value"),
        ({"kind": "arcs", "relations": "nsubj"}, "relations is a list"),
        ({"kind": "chains", "max_length": 0}, "max_length is a whole number"),
        ({"kind": "chains", "max_length": 1.5}, "max_length is a whole number"),
        ({"kind": "chains", "flat": "yes"}, "flat is true or false"),
    ],
)
def test_wrong_tables(table, message):
    with pytest.raises(InputError, match=message):
        block(table, where="here")


def test_a_model_needs_its_parser():
    with pytest.raises(InputError, match="parser_model needs its parser"):
        Arcs().equipped(Resources(parser_model="x"))


def test_round_trip():
    for table in ({"kind": "arcs", "tags": ["p"]}, {"kind": "chains", "flat": True}):
        result = block(table, where="here")
        assert block(result.to_json(), where="here").to_json() == result.to_json()
    assert len(Arcs().names) == 3 * (len(RELATIONS) + 1)
