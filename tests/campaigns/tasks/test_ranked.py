# SPDX-License-Identifier: Apache-2.0
"""Answers of tasks that rank: complete, or rejected."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.campaigns.tasks import AnswerError
from tertium.campaigns.tasks.ranked import check_ranks, keyed, places

PANELS = [["0-0", "0-1", "0-2"], ["1-0", "1-1"]]
KEYS = [key for panel in PANELS for key in panel]
FULL = {"0-0": 1, "0-1": "garbage", "0-2": 3, "1-0": 2, "1-1": 2}


def test_a_complete_answer_stays_as_it_is():
    assert check_ranks(PANELS, {"ranks": FULL}, garbage=True) == {"ranks": FULL}


@pytest.mark.parametrize(
    "change",
    [
        {"0-0": 0}, {"0-0": 4}, {"1-0": 3}, {"0-0": True}, {"0-0": 1.0}, {"0-0": "1"},
        {"0-0": None}, {"0-0": [1]}, {"0-0": "Garbage"}, {"2-0": 1}, {"": 1},
    ],
)  # fmt: skip
def test_ranks_that_are_none_are_rejected(change):
    with pytest.raises(AnswerError):
        check_ranks(PANELS, {"ranks": FULL | change}, garbage=True)


@pytest.mark.parametrize("key", KEYS)
def test_a_candidate_without_a_rank_is_rejected(key):
    ranks = {name: rank for name, rank in FULL.items() if name != key}
    with pytest.raises(AnswerError, match="every candidate"):
        check_ranks(PANELS, {"ranks": ranks}, garbage=True)


def test_garbage_is_rejected_where_there_is_none():
    with pytest.raises(AnswerError):
        check_ranks(PANELS, {"ranks": FULL}, garbage=False)


def test_nothing_else_may_be_in_an_answer():
    with pytest.raises(AnswerError):
        check_ranks(PANELS, {"ranks": FULL, "more": 1}, garbage=True)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 5) | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)
ranks = st.integers(0, 4) | st.sampled_from(["garbage", True, 1.0, "1", None])
nearly = st.fixed_dictionaries(
    {"ranks": st.dictionaries(st.sampled_from([*KEYS, "9-9"]), ranks)
     | st.fixed_dictionaries(dict.fromkeys(KEYS, ranks))}
)  # fmt: skip


@given(json_values | nearly, st.booleans())
def test_any_json_is_rejected_or_a_complete_ranking(answer, garbage):
    try:
        result = check_ranks(PANELS, answer, garbage=garbage)
    except AnswerError:
        return
    json.dumps(result)
    assert list(result) == ["ranks"]
    assert result == answer
    assert sorted(result["ranks"]) == sorted(KEYS)
    for panel in PANELS:
        for key in panel:
            rank = result["ranks"][key]
            assert (rank == "garbage" and garbage) or (
                type(rank) is int and 1 <= rank <= len(panel)
            )


def test_keys_tell_nothing_of_the_order_in_which_texts_came():
    assert keyed(["b", "a", "b"], 2) == keyed(["a", "b"], 2) == {"2-0": "a", "2-1": "b"}


def test_garbage_is_the_rank_behind_all():
    results = list(
        places(
            {"0-0": "a", "0-1": "b", "0-2": "c"},
            {"0-0": ("x", "y"), "0-1": ("z",)},
            {"ranks": FULL},
        )
    )
    assert [(one.systems, one.rank, one.garbage) for one in results] == [
        (("x", "y"), 1, False),
        (("z",), 4, True),
        ((), 3, False),
    ]
