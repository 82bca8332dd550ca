# SPDX-License-Identifier: Apache-2.0
"""Function words from counts, and lists of them."""

from __future__ import annotations

import gzip
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import FormatError, InputError
from tertium.text.functionwords import (
    count_words,
    find_function_words,
    function_words,
    read_function_words,
)


@given(st.lists(st.sampled_from(["the", "The", "a", "b c"]), max_size=40))
def test_counts_are_those_of_all_words(lines):
    expected = Counter(word for line in lines for word in line.split())
    assert count_words(lines, lowercase=False) == expected


def test_the_share_must_be_above_the_threshold():
    counts = Counter({"the": 500, "of": 400, "cat": 100})
    assert function_words(counts, threshold=0.1) == ["the", "of"]
    assert function_words(counts, threshold=0.0999) == ["the", "of", "cat"]
    assert function_words(Counter(), threshold=0.1) == []


def test_equal_words_come_by_name_and_numbers_cut():
    counts = Counter({"b": 2, "a": 2, "c": 3})
    assert function_words(counts, number=2) == ["c", "a"]
    assert function_words(counts, number=0) == []


@pytest.mark.parametrize(
    "values", [{"threshold": 2.0}, {"threshold": float("nan")}, {"number": -1}]
)
def test_wrong_limits_are_input_errors(values):
    with pytest.raises(InputError):
        function_words(Counter("a"), **values)


def test_progress_counts_lines():
    seen = []
    count_words(["a"] * 4500, progress=seen.append)
    assert seen == [2000, 4000, 4500]


def test_lists_are_read_plain_and_compressed(tmp_path):
    plain, packed = tmp_path / "words", tmp_path / "words.gz"
    plain.write_text("the\n\n of \r\n", encoding="utf-8")
    packed.write_bytes(gzip.compress("für\n".encode()))
    assert read_function_words(plain) == {"the", "of"}
    assert read_function_words(packed) == {"für"}


@pytest.mark.parametrize(
    ("name", "data"), [("a", b"\xff"), ("a.gz", b"no"), ("b", None)]
)
def test_what_cannot_be_read_is_a_format_error(tmp_path, name, data):
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(FormatError, match=name):
        read_function_words(path)


def test_words_of_a_text_come_with_their_counts_and_settings():
    words = find_function_words(["The end.", "the cat"], threshold=0.3)
    assert words.to_dict() == {
        "words": 4,
        "types": 3,
        "threshold": 0.3,
        "number": None,
        "tokenize": "none",
        "lowercase": True,
        "function_words": {"the": 2},
    }
    assert find_function_words(["a b"], number=1).threshold is None
