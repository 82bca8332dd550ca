# SPDX-License-Identifier: Apache-2.0
"""Writing: layouts, errors, and no half-written files."""

from __future__ import annotations

import gzip
import os
import random
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tertium._files import replace_file, replace_folder
from tertium.data import Testset, read, write
from tertium.data.lines import write_lines
from tertium.errors import InputError, OutputError, UnknownNameError

TESTSET = Testset.build(
    [["one", "uno"], ["two", "dos"]],
    {"A": ["1", "2"], "B": ["I", "II"]},
    sources=["eins", "zwei"],
    docs=["x", "y"],
)


def test_plain_text_is_a_folder(tmp_path: Path) -> None:
    write(TESTSET, tmp_path / "out")
    result = {str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*.txt")}
    assert result == {
        str(Path("out", name))
        for name in (
            "source.txt",
            "reference.1.txt",
            "reference.2.txt",
            "docs.txt",
            "systems/A.txt",
            "systems/B.txt",
        )
    }
    assert (tmp_path / "out" / "reference.2.txt").read_bytes() == b"uno\ndos\n"


def test_one_reference_has_no_number(tmp_path: Path) -> None:
    write(Testset.build(["a"]), tmp_path / "out")
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["reference.txt"]


@pytest.mark.parametrize("extension", ["", ".gz", ".xz", ".bz2", ".zst"])
@pytest.mark.parametrize("form", ["tsv", "jsonl", "xml"])
def test_the_extension_chooses_format_and_compression(
    tmp_path: Path, form: str, extension: str
) -> None:
    file = tmp_path / f"a.{form}{extension}"
    write(TESTSET, file)
    assert read(file).systems == TESTSET.systems


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    for name in ("none/a.tsv", "none/out"):
        with pytest.raises(InputError, match=r"no folder .*none; create it first"):
            write(TESTSET, tmp_path / name)


def test_a_full_folder_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write(TESTSET, tmp_path / "out")
    with pytest.raises(InputError, match="not empty; empty it or give another"):
        write(TESTSET, tmp_path / "out")


def test_files_and_folders_are_not_confused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it is a folder; give a file name"):
        write(TESTSET, tmp_path, format="tsv")
    (tmp_path / "out").touch()
    with pytest.raises(InputError, match="it is a file; give a folder"):
        write(TESTSET, tmp_path / "out")


@pytest.mark.parametrize("name", ["a.txt", "a.sgm"])
def test_a_single_file_cannot_hold_separate_columns(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="every column in a separate file"):
        write(TESTSET, tmp_path / name)


def test_unknown_extensions_and_formats_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.json is not the extension of a format"):
        write(TESTSET, tmp_path / "a.json")
    with pytest.raises(UnknownNameError, match="unknown format 'jason'"):
        write(TESTSET, tmp_path / "a", format="jason")
    with pytest.raises(InputError, match="cannot be a file name"):
        write(TESTSET, "a\0b", format="tsv")


@pytest.mark.parametrize("name", ["a/b", ".a", "..", "a\\b", "x" * 300])
def test_systems_that_are_not_file_names_are_rejected(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(InputError, match=";"):
        write(Testset.build(["a"], {name: ["a"]}), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_names_that_differ_in_case_only_are_rejected(tmp_path: Path) -> None:
    testset = Testset.build(["a"], {"x": ["a"], "X": ["a"]})
    with pytest.raises(InputError, match="'x' and 'X' in systems can be the same file"):
        write(testset, tmp_path / "out")


def test_existing_files_are_replaced_whole(tmp_path: Path) -> None:
    file = tmp_path / "a.tsv"
    file.write_text("old")
    with pytest.raises(InputError, match="segment 1 has a tab"):
        write(Testset.build(["a\tb"]), file)
    assert file.read_text() == "old"
    write(Testset.build(["a"]), file)
    assert file.read_text() == "ref\na\n"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.tsv", tmp_path / "link.tsv"
    real.touch()
    link.symlink_to(real)
    write(Testset.build(["a"]), link)
    assert link.is_symlink()
    assert real.read_text() == "ref\na\n"


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev")
def test_devices_are_written_directly() -> None:
    write(TESTSET, "/dev/null", format="jsonl")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(OutputError, match="No space left"):
        write(TESTSET, "/dev/full", format="jsonl")


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.txt.zst"])
def test_an_interrupt_leaves_nothing(tmp_path: Path, name: str) -> None:
    def lines() -> Iterator[str]:
        yield from ["x"] * 50_000
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_lines(tmp_path / name, lines())
    assert list(tmp_path.iterdir()) == []


def test_codecs_get_little_at_a_time(tmp_path: Path, monkeypatch) -> None:
    """Python looks for Ctrl-C only between two calls."""
    sizes = []
    write = gzip.GzipFile.write

    def record(stream: gzip.GzipFile, data: bytes) -> int:
        sizes.append(len(data))
        return write(stream, data)

    monkeypatch.setattr(gzip.GzipFile, "write", record)
    data = random.Random(1).randbytes(3_000_000)
    with replace_file(tmp_path / "a.gz") as stream:
        assert stream.write(data) == len(data)
    assert max(sizes) < 1_000_000
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == data


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT")
def test_a_second_interrupt_does_not_stop_the_tidying_up(
    tmp_path: Path, monkeypatch
) -> None:
    remove = os.unlink

    def interrupt(path: str) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        remove(path)

    monkeypatch.setattr("tertium._files.os.unlink", interrupt)

    def write_and_fail() -> None:
        with replace_file(tmp_path / "a.gz") as stream:
            stream.write(b"x")
            raise KeyboardInterrupt("first")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt, match="first"):
            write_and_fail()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_leaves_no_folder(tmp_path: Path) -> None:
    def fill() -> None:
        with replace_folder(tmp_path / "out") as folder:
            Path(folder, "a").touch()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill()
    assert list(tmp_path.iterdir()) == []


def test_a_file_appears_only_when_complete(tmp_path: Path) -> None:
    with replace_file(tmp_path / "a") as stream:
        stream.write(b"x")
        assert not (tmp_path / "a").exists()
    assert (tmp_path / "a").read_bytes() == b"x"
