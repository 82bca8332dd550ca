# SPDX-License-Identifier: Apache-2.0
"""N-best lists of Moses."""

from __future__ import annotations

import pytest

from tertium.data.formats.nbest import read_nbest
from tertium.errors import FormatError


def test_candidates_stand_in_their_order_by_sentence(tmp_path):
    path = tmp_path / "a.nbest"
    path.write_text(
        "0||| first  one ||| d: 0 -1 lm: -2 ||| -3.5\n"
        "0 ||| second ||| d: 0 ||| -4\n"
        "2 ||| third\n",
        encoding="utf-8",
    )
    assert read_nbest(path) == [["first one", "second"], [], ["third"]]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("no bars\n", 1, "is not a line of an n-best list; write NUMBER"),
        ("0 ||| a\nx ||| b\n", 2, "is not a line of an n-best list"),
        ("1 ||| a\n0 ||| b\n", 2, "sentence 0 comes after 1; sort"),
        ("99999999999 ||| a\n", 1, "count sentences from 0"),
    ],
)
def test_errors_name_the_line_and_a_cure(tmp_path, text, line, what):
    path = tmp_path / "a.nbest"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=what) as caught:
        read_nbest(path)
    assert caught.value.line == line
