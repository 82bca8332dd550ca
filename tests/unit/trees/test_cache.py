# SPDX-License-Identifier: Apache-2.0
"""The cache of trees: a text is parsed once, whoever else writes meanwhile."""

from __future__ import annotations

import sqlite3
import subprocess
import sys

import pytest

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
