# SPDX-License-Identifier: Apache-2.0
"""Comma-separated test sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.data import Testset, read, write
from tertium.errors import FormatError, InputError


def read_text(folder: Path, text: str) -> Testset:
    file = folder / "a.csv"
    file.write_bytes(text.encode())
    return read(file)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_quoted_cells_hold_everything(
    tmp_path: Path, end: str, mark: str, separator: str
) -> None:
    rows = [["ref", "A"], ['"one, ""two"";', '3\n4"'], ["plain", '""']]
    text = mark + "".join(separator.join(row) + end for row in rows)
    text = text.replace('"one, ""two"";', '"one, ""two"";"').replace("3\n4", '"3\n4')
    testset = read_text(tmp_path, text)
    assert testset.references == [('one, "two";',), ("plain",)]
    assert testset.systems == {"A": ["3\n4", ""]}


def test_commas_win_over_semicolons(tmp_path: Path) -> None:
    assert list(read_text(tmp_path, 'ref,"A;B"\nx,y\n').systems) == ["A;B"]
    assert list(read_text(tmp_path, 'ref;"A,B"\nx;y\n').systems) == ["A,B"]
    assert list(read_text(tmp_path, "ref,A;B\nx,y;z\n").systems) == ["A;B"]


def test_blank_lines_are_skipped_unless_they_are_cells(tmp_path: Path) -> None:
    assert len(read_text(tmp_path, "ref,A\nx,y\n\nx,y\n\n")) == 2
    assert read_text(tmp_path, 'ref\nx\n\n""\n').references == [("x",), ("",), ("",)]


def test_an_empty_file_has_no_segments(tmp_path: Path) -> None:
    assert read_text(tmp_path, "") == Testset([])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ref,A\nx\n", r"a\.csv:2: 1 field where the header has 2"),
        ('ref,A\nx,"1\n2"\nx,y,z\n', r"a\.csv:4: 3 fields where the header has 2"),
        ('ref,A\nx,y\nx,"y\n', r"a\.csv:3: not CSV"),
        ('ref,A\nx,"y"z\n', r"a\.csv:2: not CSV .*double those inside"),
        ("ref,\nx,y\n", r"a\.csv:1: column 2 has no name"),
    ],
)
def test_mistakes_are_named_with_their_line(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        read_text(tmp_path, text)


def test_cells_are_quoted_where_needed(tmp_path: Path) -> None:
    testset = Testset.build(['a "b"', "c, d"], {"A;B": ["e\nf", "g"]})
    write(testset, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == (
        'ref,"A;B"\n"a ""b""","e\nf"\n"c, d",g\n'
    )
    assert read(tmp_path / "a.csv") == testset


@pytest.mark.parametrize("bad", ["a\r\nb", "x" * 131_073, "\ud800"])
def test_texts_that_would_change_are_rejected(tmp_path: Path, bad: str) -> None:
    testset = Testset.build(["x", "y"], {"A": ["x", bad]})
    with pytest.raises(InputError, match=r"segment 2 has"):
        write(testset, tmp_path / "a.csv")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["\ufeffA", "BZh91AY&SY", "A\tB", '"'])
def test_headers_that_look_like_something_else_survive(
    tmp_path: Path, name: str
) -> None:
    testset = Testset([], {name: []})
    write(testset, tmp_path / "a.csv")
    assert read(tmp_path / "a.csv") == testset
