# SPDX-License-Identifier: Apache-2.0
"""Lines: what ends one, what is an error, and where."""

from __future__ import annotations

import bz2
import gzip
import importlib
import io
import lzma
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.data import lines as lines_module
from tertium.data import open_lines
from tertium.data.lines import write_lines
from tertium.errors import FormatError, InputError

ZSTD = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
    ".zst": lambda data: importlib.import_module(ZSTD).compress(data),
}


def lines_of(folder: Path, data: bytes, name: str = "a.txt") -> list[str]:
    file = folder / name
    file.write_bytes(data)
    return list(open_lines(file))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"\n\n", ["", ""]),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\n\nb", ["a", "", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\n\r\n", ["a", ""]),
        (b"a\r\r\nb", ["a\r", "b"]),
        (b"a\rb\n", ["a\rb"]),
        (b"a\r", ["a\r"]),
        (b"\xef\xbb\xbfa\n", ["a"]),
        (b"\xef\xbb\xbf", []),
        (b"\xef\xbb\xbf\n", [""]),
        (b"\xef\xbb\xbf\xef\xbb\xbfa\n", ["\ufeffa"]),
        (b"a\n\xef\xbb\xbfb\n", ["a", "\ufeffb"]),
        (b"a\x00b\n", ["a\x00b"]),
    ],
)
def test_only_lf_and_crlf_end_a_line(
    tmp_path: Path, data: bytes, expected: list[str]
) -> None:
    assert lines_of(tmp_path, data) == expected


@pytest.mark.parametrize(
    "mark", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\r"]
)
def test_other_separators_are_text(tmp_path: Path, mark: str) -> None:
    assert lines_of(tmp_path, f"a{mark}b\nc".encode()) == [f"a{mark}b", "c"]


@pytest.mark.parametrize("block", [1, 2, 3, 7, 1 << 16])
def test_block_size_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(lines_module, "_BLOCK", block)
    text = "\ufeffäöü\r\n\n漢字\r\r\n" + "long" * 9 + "\n🙂"
    expected = ["äöü", "", "漢字\r", "long" * 9, "🙂"]
    assert lines_of(tmp_path, text.encode()) == expected


@pytest.mark.parametrize(
    ("data", "line", "byte", "value"),
    [
        (b"good\nb\xe4d\n", 2, 2, "0xe4"),
        (b"\xff", 1, 1, "0xff"),
        (b"a\n\nabc\xc3", 3, 4, "0xc3"),
        (b"\xef\xbb\xbf\x80", 1, 4, "0x80"),
        (b"a\r\n\xed\xa0\x80\n", 2, 1, "0xed"),
    ],
)
@pytest.mark.parametrize("block", [1, 1 << 16])
def test_bytes_that_are_not_utf8_are_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    data: bytes,
    line: int,
    byte: int,
    value: str,
    block: int,
) -> None:
    monkeypatch.setattr(lines_module, "_BLOCK", block)
    with pytest.raises(FormatError) as caught:
        lines_of(tmp_path, data)
    assert caught.value.line == line
    assert f"a.txt:{line}: byte {byte} of the line ({value})" in str(caught.value)


def test_utf16_gets_its_own_cure(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="iconv -f UTF-16"):
        lines_of(tmp_path, "text".encode("utf-16"))


@pytest.mark.parametrize("extension", COMPRESS)
@pytest.mark.parametrize("named", [True, False])
def test_compression_is_told_by_name_or_bytes(
    tmp_path: Path, extension: str, named: bool
) -> None:
    data = COMPRESS[extension]("ä\nb\r\n".encode())
    name = f"a.txt{extension}" if named else "a.txt"
    assert lines_of(tmp_path, data, name) == ["ä", "b"]


@pytest.mark.parametrize("extension", COMPRESS)
def test_an_empty_text_may_be_compressed(tmp_path: Path, extension: str) -> None:
    assert lines_of(tmp_path, COMPRESS[extension](b""), f"a{extension}") == []


@pytest.mark.parametrize("extension", COMPRESS)
@pytest.mark.parametrize("kind", ["cut", "plain", "empty", "garbage"])
def test_broken_compression_is_a_format_error(
    tmp_path: Path, extension: str, kind: str
) -> None:
    data = COMPRESS[extension](os.urandom(5000))
    data = {
        "cut": data[: len(data) // 2],
        "plain": b"just a line of text\n",
        "empty": b"",
        "garbage": data[:40] + bytes(200) + data[240:],
    }[kind]
    with pytest.raises(FormatError, match=rf"a{extension}.*;"):
        lines_of(tmp_path, data, f"a{extension}")


def test_a_text_that_starts_like_bzip2_is_text(tmp_path: Path) -> None:
    assert lines_of(tmp_path, b"BZh9 is a name\n") == ["BZh9 is a name"]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"none\.txt: no such file; check"):
        next(open_lines(tmp_path / "none.txt"))


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="this is a folder; give a file"):
        next(open_lines(tmp_path))


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything"
)
def test_a_file_without_permission_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.touch(mode=0o000)
    with pytest.raises(FormatError, match="no permission"):
        next(open_lines(file))


def test_a_name_with_null_is_rejected() -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        next(open_lines("a\0b"))


class FakeStdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BufferedReader(io.BytesIO(data))  # type: ignore[type-var]


def test_a_hyphen_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", FakeStdin(b"a\r\nb"))
    assert list(open_lines("-")) == ["a", "b"]
    assert not sys.stdin.buffer.closed


def test_standard_input_may_be_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", FakeStdin(gzip.compress(b"a\nb")))
    assert list(open_lines("-")) == ["a", "b"]


def test_errors_on_standard_input_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", FakeStdin(b"a\nb\xff"))
    with pytest.raises(FormatError, match="<stdin>:2: byte 2"):
        list(open_lines("-"))


def test_closed_standard_input_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(FormatError, match="<stdin>: standard input gives no bytes"):
        next(open_lines("-"))


@given(st.binary(max_size=200))
def test_lines_agree_with_the_plain_definition(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.txt"
    file.write_bytes(data)
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        with pytest.raises(FormatError):
            list(open_lines(file))
        return
    expected = text.split("\n")
    last = expected.pop()
    expected = [line.removesuffix("\r") for line in expected]
    assert list(open_lines(file)) == expected + ([last] if last else [])


@pytest.mark.parametrize("extension", ["", *COMPRESS])
def test_written_lines_read_back(tmp_path: Path, extension: str) -> None:
    lines = ["ä", "", "\u2028\x85\x0c", "a\rb", "\ufeff", ""]
    file = tmp_path / f"a.txt{extension}"
    write_lines(file, lines)
    assert list(open_lines(file)) == lines


def test_equal_lines_give_equal_gzip_bytes(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        write_lines(tmp_path / name, ["x"])
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        (["a", "b\nc"], 2),
        (["a\r"], 1),
        (["\ufeffa"], 1),
        (["BZh91AY&SY"], 1),
        (["a", "b", "\ud800"], 3),
    ],
)
def test_lines_that_would_change_are_rejected(
    tmp_path: Path, lines: list[str], number: int
) -> None:
    with pytest.raises(InputError, match=f"line {number} .*; remove it"):
        write_lines(tmp_path / "a.txt", lines)
    assert list(tmp_path.iterdir()) == []
