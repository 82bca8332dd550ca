# SPDX-License-Identifier: Apache-2.0
"""Small changes of sources, large changes of outputs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.token_distance import near
from tertium.errors import InputError
from tertium.grammars.sensitivity import measure_sensitivity, near_pairs
from tertium.grammars.sets.exchange import SourceSentence

SENTENCES = st.lists(st.sampled_from("abc"), max_size=5)


@given(st.lists(SENTENCES, max_size=12), st.sampled_from([1, 2]))
def test_pairs_are_those_found_by_comparing_all(sentences, edits):
    assert list(near_pairs(sentences, edits)) == near(sentences, edits)


def sources():
    texts = {
        "a": ["The ball is red.", "A ball is red.", "Today it is red."],
        "b": ["the ball is green", "a ball is green"],
    }
    return [
        SourceSentence(f"{name}{place}", "ball", name, text)
        for name, one in texts.items()
        for place, text in enumerate(one)
    ]


def test_the_index_is_the_mean_distance_of_outputs():
    outputs = {
        "steady": ["pallo on punainen"] * 3 + ["pallo on vihreä"] * 2,
        "fragile": [
            "pallo on punainen",
            "se Oli.",
            "",
            "pallo on vihreä",
            "oli vihreä",
        ],
    }
    result = measure_sensitivity(outputs, sources())
    steady, steady_ball, fragile, _ = result.systems
    assert (steady.system, steady.template, steady.pairs) == ("steady", "", 2)
    assert (steady.index, steady.changed, steady.gain) == (0, 0, 0)
    assert steady_ball.template == "ball"
    # 3 of 3 words, and 2 of 3; sources differ in 1 of 4.
    assert fragile.index == pytest.approx((1 + 2 / 3) / 2)
    assert fragile.changed == 1
    assert fragile.gain == pytest.approx(fragile.index / 0.25)
    assert [jump.distance for jump in result.jumps] == pytest.approx([1, 2 / 3])
    assert result.jumps[0].ids == ("a0", "a1")
    assert result.jumps[0].outputs == ("pallo on punainen", "se Oli.")


def test_sets_may_be_compared_with_each_other():
    outputs = {"A": ["x"] * 5}
    assert measure_sensitivity(outputs, sources(), across=True).systems[0].pairs == 4
    assert (
        measure_sensitivity(outputs, sources(), edits=2, across=True).systems[0].pairs
        > 4
    )


def test_templates_have_their_own_figures():
    results = [
        SourceSentence("1", "t", "", "a b"),
        SourceSentence("2", "t", "", "a c"),
        SourceSentence("3", "u", "", "a b"),
        SourceSentence("4", "u", "", "a d"),
    ]
    result = measure_sensitivity({"A": ["x", "x", "x", "y"]}, results, top=0)
    assert [(one.template, one.index) for one in result.systems] == [
        ("", 0.5),
        ("t", 0),
        ("u", 1),
    ]
    assert result.jumps == ()


def test_what_cannot_be_compared_is_rejected():
    with pytest.raises(InputError, match="no two of 1 sources"):
        measure_sensitivity({"A": ["x"]}, sources()[:1])
    with pytest.raises(InputError, match="'A' has 1 outputs"):
        measure_sensitivity({"A": ["x"]}, sources())
    with pytest.raises(InputError, match="is 1 or 2"):
        list(near_pairs([], 3))
