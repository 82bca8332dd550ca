# SPDX-License-Identifier: Apache-2.0
"""``--cache`` of verbs, and ``tertium cache``."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from tertium.cache import Cache
from tertium.cli import main


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def said(capsys, *words):
    """Return what a command wrote to both streams."""
    assert main(list(words)) == 0
    return capsys.readouterr()


def entries(folder="kept"):
    return {kind: use.entries for kind, use in Cache(folder).usage().items()}


def damage(folder="kept"):
    for path in Path(folder).rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("score demo -m bleu chrf nist --interval", "rows"),
        ("compare demo -m bleu --resamples 100", "rows"),
        ("correlate demo -m bleu --resamples 0", "rows"),
        ("train -t demo -J demo -o model.json", "features"),
    ],
)
def test_results_are_the_same_without_with_and_from_a_cache(command, kind, capsys):
    plain = said(capsys, *command.split())
    assert not Path("kept").exists()
    for _ in range(2):
        assert said(capsys, *command.split(), "--cache", "kept") == plain
        assert set(entries()) == {kind}
    before = entries()
    damage()
    again = said(capsys, *command.split(), "--cache", "kept")
    assert again.out == plain.out
    assert "were damaged and computed again" in again.err
    assert entries() == before
    assert "TERTIUM_CACHE" not in os.environ


def test_the_variable_is_the_default_and_no_cache_overrides_it(capsys, monkeypatch):
    monkeypatch.setenv("TERTIUM_CACHE", "kept")
    said(capsys, "score", "demo", "--no-cache")
    assert not Path("kept").exists()
    said(capsys, "score", "demo")
    assert set(entries()) == {"rows"}
    said(capsys, "score", "demo", "--cache", "other")
    assert entries("other") == entries()
    assert main(["score", "demo", "--cache", "other", "--no-cache"]) == 2
    assert "not allowed with" in capsys.readouterr().err


def test_a_file_is_not_a_cache(capsys):
    Path("file").touch()
    assert main(["score", "demo", "--cache", "file"]) == 2
    assert "it is a file; name a folder (--cache)" in capsys.readouterr().err


def test_a_cache_that_cannot_be_written_is_a_remark(capsys):
    Path("kept").mkdir()
    Path("kept/rows").touch()
    plain = said(capsys, "score", "demo")
    cached = said(capsys, "score", "demo", "--cache", "kept")
    assert cached.out == plain.out
    assert cached.err.count("results were not stored in the cache") == 1
    assert said(capsys, "score", "demo", "--cache", "kept", "-q").err == ""


def test_learnt_links_are_kept_by_default(capsys, write_lines, monkeypatch):
    write_lines("a.txt", ["das haus", "das buch", "ein buch"] * 5)
    write_lines("b.txt", ["the house", "the book", "a book"] * 5)
    monkeypatch.setenv("XDG_CACHE_HOME", str(Path("own").absolute()))
    command = ["align", "--bilingual", "-s", "a.txt", "-t", "b.txt", "-q"]
    links = said(capsys, *command).out
    assert entries("own/tertium") == {"links": 1}
    fit = "tertium.align.hmm.HmmAligner.fit"
    with monkeypatch.context() as patch:
        patch.setattr(fit, lambda *_: pytest.fail("aligned again"))
        assert said(capsys, *command).out == links
    for options in (["--soft", "0.1"], ["--symmetrise", "union"], ["--cache", "c"]):
        said(capsys, *command, *options)
    assert entries("own/tertium") == {"links": 3}
    assert said(capsys, *command, "--no-cache").out == links
    damage("own")
    assert said(capsys, *command).out == links


def test_trees_are_kept_where_a_cache_is_named(capsys, tiny_model, write_lines):
    write_lines("a.txt", ["The dog sees a cat."])
    write_lines("b.txt", ["The cat sees a dog."])
    score = ["score", "-r", "a.txt", "-i", "b.txt", "-m"]
    score += [f"dted:parser=udpipe,model={tiny_model}"]
    plain = said(capsys, *score, "--no-cache").out
    assert said(capsys, *score, "--cache", "kept").out == plain
    info = json.loads(said(capsys, "cache", "--cache", "kept", "-f", "json").out)
    kinds = {kind: use["entries"] for kind, use in info["kinds"].items()}
    assert kinds == {"rows": 1, "trees": 2}
    Path("kept/parses.sqlite").write_bytes(b"rubbish" * 999)
    assert said(capsys, *score, "--cache", "kept").out == plain  # rows are enough
    said(capsys, "cache", "clear", "--kind", "rows", "--cache", "kept")
    again = said(capsys, *score, "--cache", "kept")
    assert again.out == plain
    assert "1 entry of the cache" in again.err


def test_info_counts_what_there_is(capsys):
    said(capsys, "score", "demo", "-m", "bleu", "--cache", "kept")
    table = said(capsys, "cache", "--cache", "kept").out
    assert "kept: " in table
    assert "of 10.0 GB" in table
    Path("kept/bert-0123456789abcdef0123456789abcdef.onnx").write_bytes(bytes(50))
    info = json.loads(said(capsys, "cache", "--cache", "kept", "-f", "json").out)
    assert info["size"] == 10**10
    assert info["kinds"]["graphs"] == {"entries": 1, "bytes": 50}
    assert info["kinds"]["rows"]["entries"] == entries()["rows"] == 3
    assert "rows" not in said(capsys, "cache", "--cache", "nothing").out
    assert not Path("nothing").exists()


def test_clear_deletes_what_is_old_and_of_a_kind(capsys):
    said(capsys, "score", "demo", "-m", "bleu", "--cache", "kept")
    cache = Cache("kept")
    cache.put("features", bytes(32), b"value")
    os.utime(cache._path("features", bytes(32)), (time.time() - 3 * 86400,) * 2)
    clear = ["cache", "clear", "--cache", "kept"]
    assert "deleted 1 entry of" in said(capsys, *clear, "--older-than", "2d").err
    assert set(entries()) == {"rows"}
    cache.put("features", bytes(32), b"value")
    assert "deleted 1 entry of" in said(capsys, *clear, "--kind", "features").err
    assert "deleted 3 entries of" in said(capsys, *clear).err
    assert not entries()
    assert said(capsys, *clear, "-q").err == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--older-than 3d", "is about clearing"),
        ("clear --older-than soon", "write 12h, 30d or 8w"),
        ("clear --kind rowz", "unknown kind of entry 'rowz'"),
        ("clean", "invalid choice"),
    ],
)
def test_wrong_options_have_a_cure(words, message, capsys):
    assert main(["cache", "--cache", "kept", *words.split()]) == 2
    assert message in capsys.readouterr().err


def test_a_cache_that_is_off_has_no_folder(capsys, monkeypatch):
    monkeypatch.setenv("TERTIUM_CACHE", "off")
    assert main(["cache"]) == 2
    assert "name a folder: --cache" in capsys.readouterr().err
