# SPDX-License-Identifier: Apache-2.0
"""Parquet test sets."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tertium.data import Testset, read, write
from tertium.errors import FormatError, MissingExtraError

TESTSET = Testset.build(["a"], {"A": ["b"]})


def test_without_polars_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tertium\[meta\]'"):
        write(TESTSET, tmp_path / "a.parquet")
    with pytest.raises(MissingExtraError, match=r"pip install 'tertium\[meta\]'"):
        read(tmp_path / "a.parquet")


def test_columns_have_types(tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    write(TESTSET, tmp_path / "a.parquet")
    frame = pl.read_parquet(tmp_path / "a.parquet")
    assert frame.schema["ref"] == pl.List(pl.String)
    assert frame.schema["tgt"] == pl.Struct({"A": pl.String})


def test_single_references_and_whole_numbers_are_read(tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"id": [1, 2], "ref": ["a", "b"], "mood": ["x", "y"]})
    frame.write_parquet(tmp_path / "a.parquet")
    assert read(tmp_path / "a.parquet") == Testset(
        [("a",), ("b",)], ids=["1", "2"], layers={"mood": ["x", "y"]}
    )


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"src": ["a", None]}, "row 2 of column 'src' is null"),
        ({"ref": [["a"], [None]]}, "row 2 of 'ref' has a null"),
        ({"ref": [["a"], None]}, "row 2 of 'ref' has a null"),
        ({"ref": [["a"], []]}, "segment 2 has none"),
        ({"ref": [1, 2]}, "column 'ref' is Int64, not text"),
        ({"score": [0.5]}, "column 'score' is Float64, not text"),
        ({"tgt": ["a"]}, "column 'tgt' is String"),
        ({"tgt": [{"A": None}, {"A": "x"}]}, "row 1 of system 'A' is null"),
        ({"langpair": ["de-en", "fr-en"]}, "language pairs 'de-en' and 'fr-en'"),
    ],
)
def test_mistakes_are_named(
    tmp_path: Path, columns: dict[str, list[object]], message: str
) -> None:
    pl = pytest.importorskip("polars")
    pl.DataFrame(columns).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(FormatError, match=rf"a\.parquet: .*{message}.*;"):
        read(tmp_path / "a.parquet")


def test_a_broken_file_is_a_format_error(tmp_path: Path) -> None:
    pytest.importorskip("polars")
    file = tmp_path / "a.parquet"
    for data in (b"", b"PAR1", b"text\n"):
        file.write_bytes(data)
        with pytest.raises(FormatError, match=r"a\.parquet: not Parquet"):
            read(file)
