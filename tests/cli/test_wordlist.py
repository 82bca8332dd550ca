# SPDX-License-Identifier: Apache-2.0
"""``tertium wordlist``: output and exit codes."""

from __future__ import annotations

import pytest

from tertium.cli import main
from tertium.text.wordlists import read_word_list


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("A cat saw a dog.\nThe dog saw nothing.\n", encoding="utf-8")
    return str(path)


def test_a_list_is_made_from_text_and_shown(text, tmp_path, capsys):
    path = str(tmp_path / "en.words")
    argv = ["wordlist", text, "-l", "EN", "-o", path, "--licence", "CC0", "-q"]
    assert main(argv) == 0
    assert read_word_list(path).language == "en"
    capsys.readouterr()
    assert main(["wordlist", "--show", path, "Dog", "zebra"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "language     en",
        "words        7",
        "source       text.txt",
        "licence      CC0",
    ]
    assert lines[5:] == ["8.3  Dog", "0.0  zebra"]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["TEXT"], "give -l and -o"),
        (["-l", "en", "-o", "x.words"], "give text files, or --wordfreq"),
        (["TEXT", "--wordfreq", "-l", "en", "-o", "x"], "and not both"),
        (["--show", "xx"], "no word list for 'xx'"),
        (["none.txt", "-l", "en", "-o", "x.words"], "none.txt"),
    ],
)
def test_wrong_usage_is_reported(argv, message, text, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    options = [text if each == "TEXT" else each for each in argv]
    assert main(["wordlist", *options]) == 2
    assert message in capsys.readouterr().err


def test_an_own_list_trains_and_scores(tmp_path, text, capsys):
    words, model = str(tmp_path / "de.words"), str(tmp_path / "m.json")
    assert main(["wordlist", text, "-l", "de", "-o", words, "-q"]) == 0
    argv = ["train", "-t", "demo", "-J", "demo", "--resource", f"wordlist={words}"]
    assert main([*argv, "-o", model, "-q"]) == 0
    capsys.readouterr()
    assert main(["score", "demo", "-m", f"beer:model={model},wordlist={words}"]) == 0
    assert "wordlist:de.words" in capsys.readouterr().out
    assert main(["score", "demo", "-m", f"beer:model={model}"]) == 2
    assert "name its file with wordlist=PATH" in capsys.readouterr().err


@pytest.mark.parametrize("spec", ["beer", "beer:language=en"])
def test_a_bundled_model_takes_no_other_list(spec, capsys):
    joined = f"{spec}{',' if ':' in spec else ':'}wordlist=none.words"
    assert main(["score", "demo", "-m", joined]) == 2
    assert "no feature of beer-4 reads wordlist=" in capsys.readouterr().err
