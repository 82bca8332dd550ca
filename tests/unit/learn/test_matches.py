# SPDX-License-Identifier: Apache-2.0
"""Matched words and their order as features, against their twins."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import structure as oracle
from support.strategies import perms, plain_lines
from tertium import InputError
from tertium.align import align
from tertium.data.annotated import Annotated
from tertium.learn.features.blocks import Resources, block
from tertium.learn.features.matches import Matches
from tertium.learn.features.order import Order

WORDS = ("cat", "cats", "sat", "sits", "the", "a", "on", "walking", "walks", "walk")
sentences = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
FUNCTION = ("the", "a", "on")
ONE = Fraction(1)


def words_shares(pair, matchers, *, empty):
    sides = (len(pair.hyp), len(pair.ref))
    return oracle.shares(oracle.matched(pair, matchers), sides) or (empty, empty)


def class_shares(pair, word_class, *, denominator, empty):
    words = {*pair.hyp, *pair.ref}
    known = {w for w in words if (w in FUNCTION) == (word_class == "function")}
    units = [sum(w in known for w in side) for side in (pair.hyp, pair.ref)]
    if denominator == "sentence":
        units = [len(pair.hyp), len(pair.ref)]
    everything = oracle.matched(pair, ("exact", "stem"), known)
    backoff = words_shares(pair, ("exact", "stem"), empty=ONE)
    other = backoff if empty else (Fraction(0), Fraction(0))
    return oracle.shares(everything, units) or other


@given(
    st.lists(st.tuples(sentences, sentences), min_size=1, max_size=4),
    st.sampled_from(["class", "sentence"]),
    st.sampled_from(["backoff", "zero"]),
    st.booleans(),
)
def test_matched_words_by_class_and_matcher(pairs, denominator, empty, symmetric):
    values = ("min", "max") if symmetric else ("p", "r")
    values = (*values, "f1", "f0.5", "g1")
    matches = Matches(
        values,
        classes=("all", "function", "content"),
        separate=True,
        denominator=denominator,
        symmetric=symmetric,
        empty=empty,
        function_words=FUNCTION,
        match="exact+stem",
    )
    hyps, refs = zip(*pairs, strict=True)
    rows = matches.features(hyps, refs)
    value = oracle.symmetric_value if symmetric else oracle.value
    one = ONE if empty == "backoff" else Fraction(0)
    for row, hyp, ref in zip(rows, hyps, refs, strict=True):
        result = align(hyp, ref, match="exact+stem", lowercase=False)
        expected = []
        for matcher, none in (("exact", one), ("stem", Fraction(0))):
            both = words_shares(result, (matcher,), empty=none)
            expected += [value(name, *both) for name in values]
        for name in ("function", "content"):
            both = class_shares(result, name, denominator=denominator, empty=one)
            expected += [value(v, *both) for v in values]
        assert row == pytest.approx(expected, abs=1e-12)


def test_matchers_together_and_one_after_the_other():
    hyps, refs = ["the cats sat"], ["the cat sat down"]
    together = Matches(("p", "r"), match="exact+stem")
    assert together.names == ("words.p", "words.r")
    assert together.features(hyps, refs).tolist() == [[1.0, 0.75]]
    growing = Matches(("r",), match="exact+stem", separate=True, cumulative=True)
    assert growing.names == ("exact.r", "exact+stem.r")
    assert growing.groups == ("word", "stem")
    assert growing.features(hyps, refs).tolist() == [[0.5, 0.75]]


@pytest.mark.parametrize("denominator", ["class", "sentence"])
@pytest.mark.parametrize("empty", ["backoff", "zero"])
@pytest.mark.parametrize("cumulative", [False, True])
@pytest.mark.parametrize("symmetric", [False, True])
@settings(max_examples=25)
@given(data=st.data())
def test_signs_say_what_a_copy_has(data, denominator, empty, cumulative, symmetric):
    shares = ("min", "max") if symmetric else ("p", "r")
    matches = Matches(
        (*shares, "f1", "f2", "g1"),
        classes=("all", "function", "content"),
        separate=True,
        cumulative=cumulative,
        denominator=denominator,
        symmetric=symmetric,
        empty=empty,
        function_words=FUNCTION,
        match="exact+stem",
    )
    order = Order(
        (
            "kendall", "kendall-scaled-0.5", "pets", "straight", "inverted", "four",
            "more",
        ),
        match="exact+stem",
    )  # fmt: skip
    ref = data.draw(sentences)
    hyps = data.draw(st.lists(sentences, min_size=1, max_size=20))
    for features in (matches, order):
        copy = features.features([ref], [ref])[0]
        rows = features.features(hyps, [ref] * len(hyps))
        for sign, best, column in zip(features.signs, copy, rows.T, strict=True):
            assert (sign * column <= sign * best + 1e-12).all()


def test_paraphrases_and_synonyms_count_on_both_sides(tmp_path):
    table = tmp_path / "table.txt"
    table.write_text("0.5\na lot of\nmany\n")
    made = Matches(("p", "r"), match="exact+paraphrase", separate=True)
    result = made.equipped(Resources(paraphrases=str(table)))
    features = result.features(["many cats"], ["a lot of cats"])
    assert features.tolist() == [[0.5, 0.25, 0.5, 0.75]]
    with pytest.raises(InputError, match="matcher paraphrase needs paraphrases=PATH"):
        made.features(["many cats"], ["a lot of cats"])
    lenient = Matches(
        ("p", "r"), match="exact+paraphrase", separate=True, missing="zero"
    )
    features = lenient.features(["many cats"], ["a lot of cats"])
    assert features.tolist() == [[0.5, 0.25, 0.0, 0.0]]


def test_links_that_texts_bring_count():
    hyp = Annotated("x y", {"links": [[(0, 1), (1, 0)]]})
    matches = Matches(("p",), match="exact")
    assert matches.features([hyp], ["a b"]).tolist() == [[1.0]]
    assert Order(("kendall", "inverted")).features([hyp], ["a b"]).tolist() == [[0, 1]]


@given(plain_lines, plain_lines)
def test_symmetric_matches_are_symmetric(a, b):
    matches = Matches(
        ("min", "max", "f1", "f2"),
        symmetric=True,
        classes=("all", "function", "content"),
        function_words=("a", "b"),
    )
    assert matches.symmetric
    assert matches.features([a], [b]).tolist() == matches.features([b], [a]).tolist()


def test_function_words_are_chosen_from_references():
    refs = ["the cat", "the dog on the mat", "a cat"]
    for rule, chosen in (
        ({"number": 2}, ("the", "cat")),
        ({"threshold": 0.3}, ("the",)),
        ({"coverage": 0.5}, ("the", "cat")),
    ):
        table = {"kind": "matches", "classes": ["function"], "function_words": rule}
        result = block(table, where="here")
        with pytest.raises(InputError, match=r"function words .* chosen in training"):
            result.features(["a"], ["a"])
        fitted = result.fitted(refs)
        assert fitted.function_words == chosen
        assert block(fitted.to_json(), where="here").function_words == chosen
        assert fitted.features(["the x"], ["the y"])[0, 0] == 1.0


def test_function_words_from_a_file(tmp_path):
    path = tmp_path / "words"
    path.write_text("the\nof\n")
    table = {"kind": "matches", "function_words_file": str(path)}
    assert block(table, where="here").function_words == ("of", "the")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"values": ["min"]}, "'min' is not a value of units with symmetric = false"),
        ({"values": []}, "must not be empty"),
        ({"cumulative": True}, "cumulative needs separate"),
        ({"match": "exakt"}, r"here: unknown matcher 'exakt'"),
        ({"match": "stem", "language": "xx"}, "language of stems"),
        ({"function_words": {"share": 1}}, "function_words is a list, or one of"),
        ({"function_words": {"coverage": 2}}, "out of range"),
        ({"function_words": {"number": -1}}, "out of range"),
        ({"function_words": 3}, "function_words is a list of texts"),
        ({"function_words": [], "function_words_file": "x"}, "stands alone"),
        ({"classes": ["verbs"]}, "'verbs'"),
        ({"clases": ["all"]}, "unknown key"),
    ],
)
def test_wrong_tables_of_matches(table, message):
    with pytest.raises(InputError, match=message):
        block({"kind": "matches", **table}, where="here")


# ------------------------------------------------------------------------- order


def order_row(perm, values=("kendall", "pets", "straight", "inverted", "four", "more")):
    ref = [f"w{i}" for i in range(1, len(perm) + 1)]
    hyp = [ref[value - 1] for value in perm]
    return Order(values).features([" ".join(hyp)], [" ".join(ref)])[0]


def test_all_short_permutations():
    every = [p for n in range(7) for p in itertools.permutations(range(1, n + 1))]
    refs = [" ".join(f"w{i}" for i in range(1, len(p) + 1)) for p in every]
    hyps = [" ".join(f"w{i}" for i in p) for p in every]
    rows = Order().features(hyps, refs)
    expected = np.array([[float(v) for v in oracle.order(p)] for p in every])
    assert np.abs(rows - expected).max() < 1e-12


@settings(max_examples=60)
@given(perms)
def test_longer_permutations(perm):
    expected = [float(v) for v in oracle.order(perm)]
    assert order_row(perm) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", [31, 32, 33, 200, 3000])
def test_catalan_numbers_of_long_sentences_do_not_overflow(n):
    straight = list(range(1, n + 1))
    swapped = [*straight[:-2], n, n - 1]
    assert order_row(straight)[1] == 1.0
    # Cat(n - 2) trees: the last two words are one block.
    top, bottom = oracle.perms.catalan(n - 2) - 1, oracle.perms.catalan(n - 1) - 1
    assert order_row(swapped)[1] == pytest.approx(
        float(Fraction(top, bottom)), rel=1e-9
    )


def test_scaled_kendall_weighs_by_recall():
    order = Order(("kendall", "kendall-scaled-0.5", "kendall-scaled-0.25"))
    row = order.features(["b a c"], ["a b c d"])[0]
    assert row == pytest.approx([2 / 3, 0.5**0.5, 0.5**0.25])
    assert order.features(["x"], ["y"]).tolist() == [[0, 0, 0]]


@pytest.mark.parametrize(
    "value", ["kendall-scaled-", "kendall-scaled-0", "taus", "flat"]
)
def test_wrong_values_of_order(value):
    with pytest.raises(InputError, match="not a value of order"):
        block({"kind": "order", "values": [value]}, where="here")


def test_threads_change_nothing():
    rng = np.random.default_rng(1)
    texts = [" ".join(rng.choice(list(WORDS), 12)) for _ in range(400)]
    order = Order(match="exact+stem")
    one = order.features(texts[:200], texts[200:], threads=1)
    again = Order(match="exact+stem").features(texts[:200], texts[200:], threads=3)
    assert one.tolist() == again.tolist()


def test_round_trip():
    for table in (
        {"kind": "matches", "match": "exact+stem", "language": "de", "separate": True},
        {"kind": "order", "values": ["pets"], "tokenize": "13a"},
    ):
        result = block(table, where="here")
        again = block(result.to_json(), where="here")
        assert again.to_json() == result.to_json()
        assert (again.names, again.signs) == (result.names, result.signs)
