# SPDX-License-Identifier: Apache-2.0
"""Features of words and characters: the kernel against its slow twin."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tertium
from oracles import units as oracle
from support.strategies import lines, plain_lines
from tertium import _core
from tertium.learn.features.length import Length
from tertium.learn.features.surface import surface
from tertium.learn.features.units import Units
from tertium.learn.profile import profile

UNITS = ["char1", "char2", "char5", "char6", "word1", "word2", "word4", "skip0",
         "skip1", "skip2", "skip9", "skip70", "skip"]  # fmt: skip
MEANS = ["f1", "f2", "f0.5", "g1", "g2", "g0.5"]

texts = st.one_of(lines, plain_lines, st.sampled_from(["", " ", "a", "a b", "<S> a"]))
rules = st.fixed_dictionaries(
    {
        "symmetric": st.booleans(),
        "empty": st.sampled_from(["backoff", "zero"]),
        "windows": st.sampled_from(["exact", "released"]),
    }
)
PLAIN = {"symmetric": False, "empty": "backoff", "windows": "exact"}


def check_units(hyp, ref, rule):
    values = [*(("min", "max") if rule["symmetric"] else ("p", "r")), *MEANS]
    block = Units(UNITS, values, **rule)
    row = block.features([hyp], [ref])[0]
    expected = oracle.unit_features(UNITS, values, hyp, ref, **rule)
    assert row == pytest.approx(expected, abs=1e-12), block.names


@given(hyp=texts, ref=texts, rule=rules)
def test_units_equal_the_definition(hyp, ref, rule):
    check_units(hyp, ref, rule)


@pytest.mark.parametrize("types", [3, 40, 300])
@pytest.mark.parametrize(
    "sizes", [(100, 90), (255, 256), (300, 20), (20, 300), (400, 420)]
)
def test_long_texts_equal_the_definition(types, sizes):
    draw = random.Random(types)
    hyp, ref = (
        " ".join(f"w{draw.randrange(types)}" for _ in range(size)) for size in sizes
    )
    check_units(hyp, ref, PLAIN)


def test_a_reference_serves_many_texts():
    """Counts of one text must not leak into the next of the same segment."""
    kernel_texts = ["a b a c", "a b", "", "c a b a a b", "a b a c"]
    values = ["p", "r"]
    block = Units(UNITS, values, symmetric=False)
    kernel = _core.surface_features(*surface([block]))
    rows = kernel.rows([[text] for text in kernel_texts], ["a b a c a b"], 1)
    for text, row in zip(kernel_texts, rows, strict=True):
        expected = oracle.unit_features(
            UNITS, values, text, "a b a c a b", symmetric=False
        )
        assert row[0] == pytest.approx(expected)


@given(
    hyp=texts,
    ref=texts,
    form=st.sampled_from(["ratio", "exp"]),
    empty=st.sampled_from([1, 100000]),
    windows=st.sampled_from(["exact", "released"]),
)
@example(hyp="", ref="word " * 900, form="exp", empty=1, windows="exact")
def test_lengths_equal_the_definition(hyp, ref, form, empty, windows):
    block = Length(form=form, empty=empty, windows=windows)
    row = block.features([hyp], [ref])[0]
    rule = {"form": form, "empty": empty, "windows": windows}
    expected = [oracle.disbalance(of, hyp, ref, **rule) for of in block.of]
    assert row == pytest.approx(expected)
    assert np.isfinite(row).all()


# ------------------------------------------------------------------ invariants, 3.5


@given(a=texts, b=texts)
@pytest.mark.parametrize("name", ["beer-3.0", "beer-2.0-released"])
def test_symmetric_profiles_do_not_tell_text_from_reference(name, a, b):
    model_profile = profile(name)
    assert model_profile.symmetric
    assert np.array_equal(
        model_profile.features([a], [b]), model_profile.features([b], [a])
    )


@given(a=texts, b=texts, beta=st.sampled_from([0.5, 2.0, 3.0]))
def test_shares_and_means_lie_where_they_must(a, b, beta):
    means = [f"f{beta:g}", f"f{1 / beta:.6g}", "g1", f"g{beta:g}"]
    block = Units(UNITS, ["p", "r", *means], symmetric=False)
    there = block.features([a], [b]).reshape(len(UNITS), -1)
    back = block.features([b], [a]).reshape(len(UNITS), -1)
    assert there.min() >= 0
    assert there.max() <= 1 + 1e-12
    low, high = there[:, :2].min(axis=1), there[:, :2].max(axis=1)
    for mean in there[:, 2:].T:
        assert (mean >= low - 1e-9).all()
        assert (mean <= high + 1e-9).all()
    # F_beta(P, R) = F_1/beta(R, P); 1/3 is written with six digits.
    assert there[:, 2] == pytest.approx(back[:, 3], abs=1e-5)


@given(text=texts)
def test_a_copy_has_all_units_and_no_disbalance(text):
    model_profile = profile("beer-3.0")
    row = model_profile.features([text], [text])[0]
    assert [model_profile.signs[i] > 0 for i in range(len(row))] == [
        v == 1 for v in row
    ]
    assert [model_profile.signs[i] < 0 for i in range(len(row))] == [
        v == 0 for v in row
    ]


@given(words=st.lists(st.sampled_from(["a", "b", "see", "you"]), max_size=9), ref=texts,
       seed=st.randoms(use_true_random=False))  # fmt: skip
def test_the_order_of_words_leaves_single_units_and_lengths_alone(words, ref, seed):
    mixed = list(words)
    seed.shuffle(mixed)
    units = Units(["char1", "word1"], ["min", "max", "f1"])
    for block in units, Length():
        rows = block.features([" ".join(words), " ".join(mixed)], [ref, ref])
        assert np.array_equal(rows[0], rows[1])


def test_features_do_not_depend_on_threads(demo):
    model_profile = profile("beer-3.0")
    hyps, refs = demo.systems["order"] * 9, [r[0] for r in demo.references] * 9
    one = model_profile.features(hyps, refs, threads=1)
    for threads in (2, 3, None):
        assert np.array_equal(one, model_profile.features(hyps, refs, threads=threads))


# ---------------------------------------------------------------------- wrong input


def test_half_a_character_is_an_input_error():
    with pytest.raises(tertium.InputError, match="half of a surrogate"):
        profile("beer-3.0").features(["\ud800"], ["a"])


def test_no_text_has_no_row():
    assert profile("beer-3.0").features([], []).shape == (0, 57)


def test_the_exponential_form_is_zero_for_equal_lengths():
    assert Length(form="exp").features(["a b"], ["c d"]).tolist() == [[0.0, 0.0]]
    row = Length(["word"], form="exp").features(["a b c"], ["d"])[0]
    assert row == pytest.approx([math.exp(3) - math.e])


@pytest.mark.parametrize(
    ("sources", "columns", "message"),
    [
        ([("char", 0, True, True, False, 1.0)], [], "1 to 64 long"),
        ([("word", 65, True, True, False, 1.0)], [], "1 to 64 long"),
        ([("skip", -2, True, True, False, 1.0)], [], "words between"),
        ([("line", 1, True, True, False, 1.0)], [], "unknown family"),
        ([("char", 1, True, True, False, 1.0)], [(1, "p", 1.0)], "no source"),
        ([("char", 1, True, True, False, 1.0)], [(0, "x", 1.0)], "unknown formula"),
    ],
)
def test_the_core_rejects_what_it_does_not_know(sources, columns, message):
    with pytest.raises(ValueError, match=message):
        _core.surface_features(sources, columns, False)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"weights": [1.0, 2.0]}, "one weight a feature"),
        ({"scaling": "cubic"}, "unknown scaling"),
        ({"scaling": "isotonic"}, "one height a knot"),
        ({"scaling": "isotonic", "knots": [2.0, 1.0], "heights": [0.0, 1.0]}, "rise"),
    ],
)
def test_the_core_rejects_models_of_a_wrong_shape(change, message):
    columns = {"weights": [1.0], "bias": 0.0, "scaling": "linear", "slope": 1.0,
             "offset": 0.0, "knots": [], "heights": [], "anchor": False}  # fmt: skip
    source = ("char", 1, True, True, False, 1.0)

    def make():
        model = _core.LinearModel(**{**columns, **change})
        return _core.surface_model([source], [(0, "p", 1.0)], False, model)

    with pytest.raises(ValueError, match=message):
        make()
