# SPDX-License-Identifier: Apache-2.0
"""The cache of trees: a text is parsed once, whoever else writes meanwhile."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.data.annotated import Annotated
from tertium.errors import InputError
from tertium.trees import DependencyTree
from tertium.trees.cache import (
    _BATCH,
    CachedParser,
    TreeCache,
    default_cache,
    default_path,
)

FULL = DependencyTree(
    ("é", "\u2028"), (2, 0), ("a", "b:c"), upos=("X", "_"), lemmas=("e", "")
)


class Counter:
    """A parser that counts its work."""

    signature = "counter-1/none"

    def __init__(self):
        self.seen = []

    def parse(self, texts):
        self.seen += texts
        return [DependencyTree.flat(text.split()) for text in texts]


@pytest.fixture
def cache(tmp_path):
    return TreeCache(str(tmp_path / "deep" / "down" / "c.sqlite"))


def test_trees_come_back_as_they_were(cache):
    empty = DependencyTree((), (), ())
    cache.put("p", ["x", ""], [FULL, empty])
    assert cache.get("p", ["", "x", "y", "x"]) == [empty, FULL, None, FULL]
    assert cache.get("q", ["x"]) == [None]
    assert len(cache) == 2
    assert TreeCache(cache.path).get("p", ["x"]) == [FULL]


def test_a_text_is_parsed_once(cache):
    parser = Counter()
    cached = CachedParser(parser, cache)
    done = []
    texts = ["a b", "c", "a b", ""]
    trees = cached.parse(texts, progress=done.append)
    assert [tree.forms for tree in trees] == [("a", "b"), ("c",), ("a", "b"), ()]
    assert parser.seen == ["a b", "c", ""]
    assert done == [4]
    again = CachedParser(Counter(), cache)
    assert again.parse([Annotated("c", {}), "a b"]) == [trees[1], trees[0]]
    assert again.parser.seen == []
    assert again.signature == parser.signature


def test_without_a_cache_equal_texts_are_still_parsed_once():
    parser = Counter()
    assert len(CachedParser(parser).parse(["a", "a", "b"])) == 3
    assert parser.seen == ["a", "b"]
    assert CachedParser(parser).parse([]) == []


def test_an_interrupted_run_keeps_what_it_had(cache):
    class Interrupted(Counter):
        def parse(self, texts):
            if self.seen:
                raise KeyboardInterrupt
            return super().parse(texts)

    texts = [f"t{i}" for i in range(600)]
    with pytest.raises(KeyboardInterrupt):
        CachedParser(Interrupted(), cache).parse(texts)
    rest = Counter()
    CachedParser(rest, cache).parse(texts)
    assert 0 < len(cache.get(rest.signature, texts)) == 600
    assert rest.seen == texts[_BATCH:]


def test_a_damaged_row_is_parsed_anew(cache):
    cache.put("p", ["x"], [FULL])
    with sqlite3.connect(cache.path) as database:
        database.execute("UPDATE parses SET tree = x'00'")
    database.close()
    assert cache.get("p", ["x"]) == [None]


def test_files_of_others_are_left_alone(tmp_path):
    text = tmp_path / "notes.txt"
    text.write_text("not a database, but long enough to look at " * 50)
    with pytest.raises(InputError, match=r"cannot use the cache .*notes\.txt"):
        TreeCache(str(text))
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE mine (a)")
    database.close()
    with pytest.raises(InputError, match=r"database of another program.*delete it"):
        TreeCache(str(other))
    with pytest.raises(InputError, match="cannot use the cache"):
        TreeCache(str(text / "inside"))


def test_another_layout_is_emptied(cache):
    cache.put("p", ["x"], [FULL])
    with sqlite3.connect(cache.path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    assert TreeCache(cache.path).get("p", ["x"]) == [None]


def test_the_place_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert default_path() == str(tmp_path / "x" / "tertium" / "parses.sqlite")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_path() == str(tmp_path / ".cache" / "tertium" / "parses.sqlite")
    monkeypatch.setenv("TERTIUM_CACHE", "off")
    assert default_cache() is None
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "own"))
    assert default_cache().path == str(tmp_path / "own" / "parses.sqlite")


def test_a_home_that_cannot_be_written_stops_nobody(monkeypatch, tmp_path):
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    assert default_cache() is None
    monkeypatch.setenv("TERTIUM_CACHE", str(file / "named"))
    with pytest.raises(InputError, match="cannot use the cache"):
        default_cache()


@settings(max_examples=40)
@given(place=st.floats(0, 1), change=st.integers(1, 255))
def test_a_changed_byte_of_the_file_gives_no_wrong_tree(place, change):
    """Whatever is damaged, a tree is the right one or missing, and work goes on."""
    with tempfile.TemporaryDirectory() as folder:
        cache = TreeCache.within(folder)
        texts = [f"text {i}" for i in range(20)]
        trees = [DependencyTree.flat(text.split()) for text in texts]
        cache.put("p", texts, trees)
        file = Path(cache.path)
        content = bytearray(file.read_bytes())
        content[int(place * (len(content) - 1))] ^= change
        file.write_bytes(content)
        again = TreeCache.within(folder)
        for tree, wanted in zip(again.get("p", texts), trees, strict=True):
            assert tree in (None, wanted)
        again.put("p", texts, trees)
        for tree, wanted in zip(again.get("p", texts), trees, strict=True):
            assert tree in (None, wanted)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_file_damaged_anyhow_gives_no_wrong_tree_and_no_other_error(data):
    """Stretches are overwritten, swapped or cut off, before or while it is in use."""
    with tempfile.TemporaryDirectory() as folder:
        cache = TreeCache.within(folder)
        texts = [f"text {i} {'long ' * (i % 7)}" for i in range(60)]
        trees = [DependencyTree.flat(text.split()) for text in texts]
        cache.put("p", texts, trees)
        file = Path(cache.path)
        for _ in range(data.draw(st.integers(1, 2))):
            file.write_bytes(damaged(data, file.read_bytes()))
            again = cache if data.draw(st.booleans()) else TreeCache.within(folder)
            for tree, wanted in zip(again.get("p", texts), trees, strict=True):
                assert tree in (None, wanted)
            parser = Counter()
            assert CachedParser(parser, again).parse(texts) == trees
            assert all(note.code.startswith("cache-") for note in again.notes)
        with suppress(InputError):
            assert len(TreeCache.within(folder)) >= 0
            TreeCache.within(folder).clear()


def damaged(data, content):
    """Return the bytes of a file with something wrong in them."""
    raw = bytearray(content)
    places = st.integers(0, max(0, len(raw) - 1))
    # The head of the file and of its pages says most, so it is hit more often.
    places = st.integers(0, 120) | st.sampled_from(range(0, len(raw), 4096)) | places
    at, size = data.draw(places), data.draw(st.integers(1, 300))
    how = data.draw(st.sampled_from(["fill", "write", "swap", "cut", "insert"]))
    if how == "fill":
        raw[at : at + size] = bytes([data.draw(st.integers(0, 255))]) * size
    elif how == "write":
        raw[at : at + size] = data.draw(st.binary(min_size=1, max_size=9))
    elif how == "insert":
        raw[at:at] = data.draw(st.binary(min_size=1, max_size=9))
    elif how == "swap":
        other = data.draw(places)
        raw[at : at + 64], raw[other : other + 64] = (
            raw[other : other + 64],
            raw[at : at + 64],
        )
    else:
        del raw[at:]
    return bytes(raw)


@pytest.mark.parametrize(
    "content", [b"", b"not a database " * 500, b"SQLite format 3\0"]
)
def test_a_damaged_file_is_begun_anew_and_noted(tmp_path, content):
    (tmp_path / "parses.sqlite").write_bytes(content)
    cache = TreeCache.within(str(tmp_path))
    cache.put("p", ["x"], [FULL])
    assert cache.get("p", ["x"]) == [FULL]
    codes = [note.code for note in cache.notes]
    assert codes == (["cache-damaged"] if content else [])


def test_a_file_that_is_damaged_meanwhile_is_begun_anew(tmp_path):
    cache = TreeCache.within(str(tmp_path))
    cache.put("p", ["x"], [FULL])
    Path(cache.path).write_bytes(b"rubbish" * 999)
    assert cache.get("p", ["x"]) == [None]
    cache.put("p", ["x"], [FULL])
    assert cache.get("p", ["x"]) == [FULL]
    assert [note.code for note in cache.notes] == ["cache-damaged"]


def test_trees_that_were_not_used_for_longest_go_first(tmp_path, monkeypatch):
    cache = TreeCache(str(tmp_path / "c.sqlite"), size=60_000)
    words = tuple(map(str, range(200)))
    hour = iter(range(10**6))
    monkeypatch.setattr("tertium.trees.cache._now", lambda: 30 * next(hour))
    kept = []
    for number in range(30):
        texts = [f"text {number}", *(f"text {number} {i}" for i in range(9))]
        cache.put("p", texts, [DependencyTree.flat(words)] * 10)
        assert cache.get("p", ["text 0"]) != [None]  # used every day
        kept.append(len(cache))
    assert max(kept) > 30
    assert kept[-1] < 150
    assert cache.get("p", ["text 1"]) == [None]
    assert os.path.getsize(cache.path) < 80_000
    assert cache.clear() == kept[-1]
    assert len(cache) == 0


def test_a_file_that_cannot_be_written_is_noted_once(tmp_path, monkeypatch):
    cache = TreeCache.within(str(tmp_path))
    cache.put("p", ["x"], [FULL])
    connect = sqlite3.connect

    def read_only(path, **options):
        return connect(f"file:{path}?mode=ro", uri=True, **options)

    monkeypatch.setattr("tertium.trees.cache.sqlite3.connect", read_only)
    for _ in range(2):
        cache.put("p", ["y"], [FULL])
    assert cache.get("p", ["x", "y"]) == [FULL, None]
    (note,) = cache.notes
    assert note.code == "cache-unwritable"
    assert "readonly database" in str(note)


def test_processes_may_share_a_cache(tmp_path):
    path = str(tmp_path / "shared.sqlite")
    code = """
import sys
from tertium.trees import DependencyTree
from tertium.trees.cache import TreeCache
cache = TreeCache(sys.argv[1])
for i in range(15):
    texts = [f"{sys.argv[2]} {i} {k}" for k in range(5)] + ["common"]
    cache.put("p", texts, [DependencyTree.flat(t.split()) for t in texts])
    assert None not in cache.get("p", texts)
"""
    command = [sys.executable, "-c", code, path]
    running = [subprocess.Popen([*command, str(k)]) for k in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert len(TreeCache(path)) == 3 * 15 * 5 + 1
