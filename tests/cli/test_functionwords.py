# SPDX-License-Identifier: Apache-2.0
"""``tertium functionwords``: output and exit codes."""

from __future__ import annotations

import gzip

import pytest

from tertium.cli import main
from tertium.text.functionwords import read_function_words


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.en.gz"
    path.write_bytes(gzip.compress(b"The cat sat on the mat .\nthe end.\n"))
    return str(path)


def test_the_most_frequent_words_come_first(text, capsys):
    assert main(["functionwords", text, "-n", "2"]) == 0
    out, err = capsys.readouterr()
    assert out == "the\n.\n"
    assert "2 function words among 7 types of 9 words" in err


def test_case_and_tokenisation_can_be_chosen(text, run_json):
    cased = run_json("functionwords", text, "--cased", "-n", "1", "-q")
    assert cased["function_words"] == {"the": 2}
    assert cased["lowercase"] is False
    cut = run_json("functionwords", text, "--tokenize", "13a", "--threshold", "0.15")
    assert cut["function_words"] == {"the": 3, ".": 2}
    assert (cut["words"], cut["types"], cut["threshold"]) == (10, 7, 0.15)


def test_several_files_are_counted_together_and_the_list_reads_back(text, tmp_path):
    path = tmp_path / "function.en"
    argv = ["functionwords", text, text, "--threshold", "0.2", "-o", str(path), "-q"]
    assert main(argv) == 0
    assert read_function_words(path) == {"the"}


def test_a_text_without_words_gives_an_empty_list(tmp_path, capsys):
    path = tmp_path / "empty.txt"
    path.touch()
    assert main(["functionwords", str(path)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "0 function words among 0 types of 0 words; give more text" in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--threshold", "7"], "'7' is not a number from 0 to 1"),
        (["-n", "0"], "0 is too small; give 1 or more"),
        (["-n", "99999999999999999999"], "not between 1 and"),
        (["-n", "1", "--threshold", "0.1"], "not allowed with"),
        (["no-such-file"], "no such file"),
    ],
)
def test_wrong_usage_exits_with_2(text, options, message, capsys):
    assert main(["functionwords", text, *options]) == 2
    assert message in capsys.readouterr().err
