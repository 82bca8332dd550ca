# SPDX-License-Identifier: Apache-2.0
"""Lines with their places are those of the file, and are found again by them."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tertium.data.line_places import PieceReader, PlacedLines
from tertium.data.lines import open_lines
from tertium.data.slices import is_plain
from tertium.errors import FormatError

PIECES = st.sampled_from(["", "a", "é", "\n", "\r\n", "\r", "\u2028", "x" * 70_000])


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    text=st.lists(PIECES, max_size=12).map("".join),
    mark=st.sampled_from(["", "\ufeff"]),
)
def test_lines_are_found_again_by_their_places(tmp_path, text, mark):
    path = tmp_path / "a.txt"
    path.write_bytes((mark + text).encode())
    if not is_plain(str(path)):
        return  # Nothing but a byte order mark.
    lines = PlacedLines(path)
    placed = [(line, lines.piece()) for line in lines]
    assert [line for line, _ in placed] == list(open_lines(path))
    assert lines.start == lines.end == path.stat().st_size
    with PieceReader() as reader:
        assert [reader.lines(piece) for _, piece in placed] == [[x] for x, _ in placed]
        whole = lines.piece(0)
        assert reader.lines(whole) == [line for line, _ in placed]


def test_a_file_that_was_changed_is_an_error(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("one\ntwo\n")
    lines = PlacedLines(path)
    next(lines)
    path.write_text("one\ntwo\nthree")
    with PieceReader() as reader, pytest.raises(FormatError, match="was changed"):
        reader.lines(lines.piece())


def test_a_file_that_is_gone_is_an_error(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("one\n")
    lines = PlacedLines(path)
    next(lines)
    path.unlink()
    with PieceReader() as reader, pytest.raises(FormatError, match="cannot be read"):
        reader.lines(lines.piece())


def test_standard_input_is_not_a_plain_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-").write_text("one\n")
    assert not is_plain("-")
    assert is_plain("./-")
