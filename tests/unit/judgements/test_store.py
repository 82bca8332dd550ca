# SPDX-License-Identifier: Apache-2.0
"""Judgements on disk: everything comes back, and nothing is left half done."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys

import polars as pl
import pytest

from support.judgement_examples import EXAMPLES
from tertium.errors import FormatError, InputError, OutputError
from tertium.judgements import (
    Judgements,
    read_store,
    write_store,
)
from tertium.judgements.store import is_sqlite, is_store

STORES = ["store", "store.sqlite", "a ?#%20.db"]


@pytest.mark.parametrize("name", STORES)
@pytest.mark.parametrize("records", [EXAMPLES, EXAMPLES[1:2], EXAMPLES[3:4], []])
def test_everything_comes_back(tmp_path, name, records):
    path = tmp_path / name
    written = Judgements.from_iterable(records)
    write_store(written, path)
    assert is_store(path)
    result = read_store(path)
    assert list(result.iterate()) == records
    for table, one in result.tables().items():
        assert one.collect_schema() == written.tables()[table].collect_schema()


@pytest.mark.parametrize("name", STORES)
def test_an_interrupted_write_leaves_nothing(tmp_path, name):
    def broken(batch):
        raise KeyboardInterrupt

    good = Judgements.from_iterable(EXAMPLES)
    bad = Judgements(good.rankings, good.ratings.map_batches(broken), good.spans)
    with pytest.raises((KeyboardInterrupt, pl.exceptions.PolarsError)):
        write_store(bad, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_nothing_and_nothing_is_overwritten(tmp_path):
    path = tmp_path / "store.db"
    good = Judgements.from_iterable(EXAMPLES)
    lacking = Judgements(good.rankings.drop("judge"), good.ratings, good.spans)
    with pytest.raises(OutputError, match=r"cannot write .*store.db"):
        write_store(lacking, path)
    assert list(tmp_path.iterdir()) == []
    path.write_text("mine")
    with pytest.raises(InputError, match="is there already; remove it"):
        write_store(good, path)
    assert path.read_text() == "mine"


def test_a_folder_with_something_in_it_is_not_replaced(tmp_path):
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(InputError, match="not empty"):
        write_store(Judgements.from_iterable([]), tmp_path)


@pytest.mark.parametrize("name", ["no/store", "no/store.db"])
def test_the_parent_must_be_there(tmp_path, name):
    with pytest.raises(InputError, match="create it first"):
        write_store(Judgements.from_iterable([]), tmp_path / name)


def test_a_folder_is_no_sqlite_file(tmp_path):
    (tmp_path / "x.db").mkdir()
    with pytest.raises(InputError, match="it is a folder"):
        write_store(Judgements.from_iterable([]), tmp_path / "x.db")


def test_names_tell_sqlite():
    assert is_sqlite("a.SQLite")
    assert not is_sqlite("a.parquet")


@pytest.mark.parametrize("name", ["none", "none.db"])
def test_a_missing_store_is_named(tmp_path, name):
    with pytest.raises(FormatError, match="no such file or folder"):
        read_store(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_is_no_store(tmp_path):
    assert not is_store(tmp_path)
    with pytest.raises(FormatError, match="no judgements that Tertium wrote"):
        read_store(tmp_path)


def test_a_file_of_another_kind_is_no_store(tmp_path):
    (tmp_path / "a.db").write_text("hello")
    assert not is_store(tmp_path / "a.db")
    with pytest.raises(FormatError, match="no judgements that Tertium wrote"):
        read_store(tmp_path / "a.db")


def test_broken_parquet_is_named(tmp_path):
    (tmp_path / "ratings.parquet").write_text("hello")
    with pytest.raises(FormatError, match=r"ratings.parquet: damaged, or not Parquet"):
        read_store(tmp_path)


def test_a_missing_column_is_named(tmp_path):
    pl.DataFrame({"system": ["A"]}).write_parquet(tmp_path / "ratings.parquet")
    with pytest.raises(FormatError, match=r"ratings lacks score, scale"):
        read_store(tmp_path)
    with sqlite3.connect(tmp_path / "x.db") as base:
        base.execute("CREATE TABLE rankings (ranking INTEGER)")
    base.close()
    with pytest.raises(FormatError, match=r"x.db: rankings lacks system"):
        read_store(tmp_path / "x.db")


def test_a_database_of_another_program_is_rejected(tmp_path):
    with sqlite3.connect(tmp_path / "x.db") as base:
        base.execute("CREATE TABLE other (x)")
    base.close()
    with pytest.raises(FormatError, match="no such table: rankings; import"):
        read_store(tmp_path / "x.db")


def test_a_cell_that_does_not_fit_is_rejected(tmp_path):
    path = tmp_path / "x.db"
    write_store(Judgements.from_iterable(EXAMPLES), path)
    with sqlite3.connect(path) as base:
        base.execute("UPDATE ratings SET time = 'yesterday'")
    base.close()
    with pytest.raises(FormatError, match=r"x.db: ratings: .*; import"):
        read_store(path)


def flip(path, start, stop):
    data = bytearray(path.read_bytes())
    for place in range(start, min(stop, len(data) - 100)):
        data[place] ^= 0x5A
    path.write_bytes(data)


@pytest.fixture
def demo_store(tmp_path):
    write_store(Judgements.read("demo"), tmp_path / "store")
    return tmp_path / "store"


@pytest.mark.parametrize("checksums", [True, False])
@pytest.mark.parametrize("table", ["rankings", "ratings"])
def test_damaged_tables_are_found_when_a_store_is_opened(demo_store, table, checksums):
    flip(demo_store / f"{table}.parquet", 100, 4000)
    if not checksums:
        (demo_store / "checksums.json").unlink()
    with pytest.raises(FormatError, match=rf"{table}\.parquet: .*damaged"):
        read_store(demo_store)


def test_a_single_wrong_byte_is_found(demo_store):
    flip(demo_store / "ratings.parquet", 300, 301)
    with pytest.raises(FormatError, match=r"ratings\.parquet.*checksum differs"):
        read_store(demo_store)


def test_a_missing_table_is_found(demo_store):
    (demo_store / "rankings.parquet").unlink()
    with pytest.raises(FormatError, match=r"rankings\.parquet: the table is missing"):
        read_store(demo_store)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"crc32": 3}'])
def test_damaged_checksums_are_named(demo_store, text):
    (demo_store / "checksums.json").write_text(text)
    with pytest.raises(FormatError, match=r"checksums\.json"):
        read_store(demo_store)


def test_values_of_other_types_are_found_when_a_store_is_opened(demo_store):
    pl.read_parquet(demo_store / "ratings.parquet").with_columns(
        pl.lit("high").alias("score")
    ).write_parquet(demo_store / "ratings.parquet")
    (demo_store / "checksums.json").unlink()
    with pytest.raises(FormatError, match=r"ratings\.parquet"):
        read_store(demo_store)


@pytest.mark.parametrize(("start", "stop"), [(5_000, 90_000), (100, 120), (4096, 4110)])
def test_damaged_sqlite_files_are_named(tmp_path, start, stop):
    write_store(Judgements.read("demo"), tmp_path / "s.sqlite")
    flip(tmp_path / "s.sqlite", start, stop)
    with pytest.raises(FormatError, match=r"s\.sqlite"):
        list(read_store(tmp_path / "s.sqlite").iterate())


FULL = """\
import resource, signal, sys
sys.dont_write_bytecode = True  # cut short, it would break whoever imports it next
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
from tertium.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file sizes are POSIX")
@pytest.mark.parametrize(
    ("argv", "name"),
    [
        (["judgements", "import", "demo", "-o"], "store"),
        (["judgements", "import", "demo", "-o"], "store.sqlite"),
        (["convert", "demo", "-o"], "demo.parquet"),
    ],
)
def test_files_that_cannot_grow_give_one_message_and_leave_nothing(
    tmp_path, argv, name
):
    command = [sys.executable, "-c", FULL, *argv, str(tmp_path / name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stderr.startswith(f"tertium: cannot write {tmp_path / name}")
    assert re.search("free (some )?space", done.stderr)
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
