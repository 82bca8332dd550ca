# SPDX-License-Identifier: Apache-2.0
"""Slices of plain files hold what reading the files gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium import _core
from tertium.data import TestsetFiles, slices

LINES = st.lists(
    st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\n")),
    max_size=30,
)


def written(folder, name, lines, end):
    path = folder / f"{name}.txt"
    # A byte order mark at the start would not be part of the first line.
    path.write_bytes(end.join(lines).encode())
    return path


def result_of(function):
    try:
        return function(), ""
    except tertium.InputError as error:
        return None, str(error)


@given(
    rows=st.lists(st.tuples(LINES.map("".join), LINES.map("".join)), max_size=30),
    size=st.integers(1, 12),
    end=st.sampled_from(["\n", "\r\n"]),
    last=st.booleans(),
    block=st.integers(1, 40),
)
def test_slices_are_the_chunks(tmp_path_factory, rows, size, end, last, block):
    folder = tmp_path_factory.mktemp("texts")
    tail = [""] if last else []
    ref = written(folder, "ref", [*(one for one, _ in rows), *tail], end)
    out = written(folder, "out", [*(two for _, two in rows), *tail], end)
    files = TestsetFiles(references=ref, systems={"A": out})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slices, "_BLOCK", block)
        patch.setattr(slices, "_PIECE", block)
        cut = files.slices(size=size)
        if cut is None:  # It looks like compressed data.
            return
        expected, error = result_of(lambda: list(files.stream(size=size)))
        cut, other = result_of(lambda: [one for one in cut if one.read() is not None])
    assert other == error
    if error:
        return
    assert [one.read() for one in cut] == expected
    assert [len(one) for one in cut] == [len(chunk) for chunk in expected]
    assert cut[-1].share == 1.0
    shares = [one.share for one in cut]
    assert shares == sorted(shares)


def test_a_file_that_became_shorter_is_an_error(tmp_path):
    path = written(tmp_path, "ref", ["one", "two", "three"], "\n")
    cut = list(TestsetFiles(references=path).slices(size=3))
    path.write_text("one\n")
    with pytest.raises(tertium.FormatError, match="became shorter"):
        cut[0].read()


def test_compressed_files_are_not_cut(tmp_path):
    from tertium.data.lines import write_lines

    write_lines(tmp_path / "ref.txt.gz", ["one"])
    assert TestsetFiles(references=tmp_path / "ref.txt.gz").slices() is None


@given(
    text=st.binary(max_size=600) | st.text("a\n", max_size=9000).map(str.encode),
    size=st.integers(1, 700),
    before=st.integers(0, 699),
    longer=st.integers(0, 80),
)
def test_line_ends_are_those_that_a_loop_finds(text, size, before, longer):
    before %= size
    block = np.frombuffer(text + b"\n" * longer, dtype=np.uint8)
    places, lines = [], before
    for place, byte in enumerate(text, start=1):
        lines += byte == ord("\n")
        if lines == size:
            places.append(place)
            lines = 0
    assert _core.find_line_ends(block, len(text), size, before) == (places, lines)


@given(
    length=st.integers(0, 100_000), every=st.integers(1, 300), size=st.integers(1, 9)
)
def test_line_ends_of_large_blocks(length, every, size):
    block = np.zeros(length, dtype=np.uint8)
    block[every - 1 :: every] = ord("\n")
    ends = (np.flatnonzero(block) + 1).tolist()
    expected = ends[size - 1 :: size], len(ends) % size
    assert _core.find_line_ends(block, length, size, 0) == expected


def test_a_block_that_is_too_short_is_an_error():
    with pytest.raises(ValueError, match="shorter"):
        _core.find_line_ends(np.zeros(3, dtype=np.uint8), 4, 1, 0)
    with pytest.raises(ValueError, match="come before"):
        _core.find_line_ends(np.zeros(3, dtype=np.uint8), 3, 2, 2)
