# SPDX-License-Identifier: Apache-2.0
"""The words that an analysis counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from support.strategies import lines
from tertium.analysis.words import (
    Vocabulary,
    is_name,
    is_number,
    pattern,
    shared,
    split,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \t\n", []),
        ("Don't stop.", ["Don't", "stop", "."]),
        ("l’eau, 3.5% (1/2)", ["l’eau", ",", "3.5", "%", "(", "1/2", ")"]),
        ("an A380 in 3D", ["an", "A380", "in", "3", "D"]),
        ("at 10:30, 1,000", ["at", "10:30", ",", "1,000"]),
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),
        ("漢字かな", ["漢", "字", "か", "な"]),
        ("한국어 말", ["한국어", "말"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("a…b", ["a", "…", "b"]),
        ("👩‍👧!", ["👩‍", "👧", "!"]),
    ],
)
def test_words_of_many_scripts(text, words):
    assert split(text) == words


@given(lines)
def test_words_are_the_text_without_white_space(text):
    words = split(text)
    assert "".join(words) == "".join(text.split())
    assert all(words)
    assert not any(char.isspace() for word in words for char in word)


def test_the_pattern_for_scripts_has_the_same_ranges():
    python, script = pattern(), pattern(script=True)
    assert python.count("-") == script.count("-")
    assert "\\u{4e00}-\\u{9fff}" in script
    assert "\\U00004e00-\\U00009fff" in python


def test_columns_know_where_texts_begin():
    vocabulary = Vocabulary()
    column = vocabulary.column(["a b a", "", "c a"])
    assert vocabulary.words == ["a", "b", "c"]
    assert len(vocabulary) == 3
    assert column.ids.tolist() == [0, 1, 0, 2, 0]
    assert column.lengths.tolist() == [3, 0, 2]
    assert column.segments.tolist() == [0, 0, 0, 2, 2]
    assert column.of(2).tolist() == [2, 0]
    keys, counts = column.counts(3)
    assert keys.tolist() == [0, 1, 6, 8]
    assert counts.tolist() == [2, 1, 1, 1]


def test_shared_counts_are_the_smaller_ones():
    one = np.array([1, 3, 4]), np.array([2, 5, 1])
    other = np.array([0, 3, 4]), np.array([1, 2, 3])
    keys, counts = shared(one, other)
    assert keys.tolist() == [3, 4]
    assert counts.tolist() == [2, 1]


def test_numbers_are_words_in_digits():
    assert [is_number(word) for word in ("12", "1.5", "v2", "٣", "-")] == [
        True, True, False, True, False,
    ]  # fmt: skip


def test_names_are_capitalised_inside_a_sentence_and_never_in_lower_case():
    known = Vocabulary()
    known.column(
        [
            "Yesterday Anna met the Baker of NATO.",
            "However, Bert and a baker slept. Nobody knew.",
            "“Perhaps” said Carla",
        ]
    )
    names = [word for word in known.words if is_name(word, known, known)]
    assert names == ["Anna", "Bert", "Carla"]
