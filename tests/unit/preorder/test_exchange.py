# SPDX-License-Identifier: Apache-2.0
"""Grammars as text."""

from __future__ import annotations

import numpy as np
import pytest

from tertium.errors import FormatError, InputError
from tertium.preorder.grammar import UNKNOWN, read_text, train_grammar, write_text

SENTENCES = [s.split() for s in ("it 's a cat", "it 's the dog", "a ||| dog 's")]
LINKS = [
    [(0, 0), (1, 2), (2, 1), (3, 1)],
    [(0, 2), (1, 1), (3, 0)],
    [(0, 0), (1, 0), (2, 2), (3, 1)],
]


def trained(**options):
    return train_grammar(
        SENTENCES, LINKS, splits=(2, 1), iterations=2, unknown=0, **options
    )


@pytest.mark.parametrize("variant", ["itg", "pet"])
def test_a_grammar_is_the_same_after_a_text_with_backoff(tmp_path, variant):
    grammar = trained(variant=variant)
    write_text(grammar, tmp_path / "grammar.txt.gz", backoff=True)
    read = read_text(tmp_path / "grammar.txt.gz")
    assert (read.operators, read.splits) == (grammar.operators, grammar.splits)
    known = [t for t in grammar.terminals if t != UNKNOWN]
    assert sorted(read.terminals) == sorted(known)
    assert np.array_equal(read.root, grammar.root)
    assert np.array_equal(read.unary, grammar.unary)
    for terminal in known:
        assert np.array_equal(read.emissions(terminal), grammar.emissions(terminal))


def test_rules_are_written_as_the_author_writes_them(tmp_path):
    grammar = trained(floor=0.0)
    write_text(grammar, tmp_path / "grammar.txt")
    lines = (tmp_path / "grammar.txt").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("NONTERMS ||| P12_0 P12_1 P21_0 P21_1 P01_0")
    assert "SPLIT ||| P21 ||| P21_0 P21_1" in lines
    assert "RULE ||| P12_0 -> P12*1_0 P12*2_0 ||| 1.0" in lines
    assert any(line.startswith("RULE ||| P12*1_0 -> 'a |||' ||| ") for line in lines)
    assert not any(line.startswith("BACKOFF") for line in lines)


def test_the_unknown_word_has_its_name(tmp_path):
    file = tmp_path / "grammar.txt"
    file.write_text(
        "SPLIT ||| P12 ||| P12_0\nSPLIT ||| P21 ||| P21_0\n"
        "RULE ||| ROOT -> P12_0 ||| 1.0\n"
        "RULE ||| P12*1_0 -> 'UNKNOWN' ||| 1.0\nRULE ||| P12*2_0 -> 'a' ||| 1.0\n",
        encoding="utf-8",
    )
    grammar = read_text(file)
    assert grammar.emissions("never").tolist() == [1, 0, 0, 0]
    write_text(grammar, file)
    assert "-> 'UNKNOWN' |||" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "line",
    [
        "RULE ||| P12*1_0 -> P21 ||| 0.5",
        "RULE ||| P12*1_0 -> 'a' ||| half",
        "RULE ||| P12 'a'",
        "RULE ||| S -> 'a' ||| 0.5",
        "SPLIT ||| P99 ||| P99_0",
        "rule",
    ],
)
def test_a_line_that_is_not_a_rule_is_named(tmp_path, line):
    file = tmp_path / "grammar.txt"
    file.write_text(f"SPLIT ||| P12 ||| P12_0\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match="not a rule") as error:
        read_text(file)
    assert error.value.line == 2


@pytest.mark.parametrize(
    "text", ["", "SPLIT ||| P12 ||| P12_0\nRULE ||| ROOT -> P21_0 ||| 1\n"]
)
def test_incomplete_texts_are_rejected(tmp_path, text):
    (tmp_path / "grammar.txt").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError):
        read_text(tmp_path / "grammar.txt")


def test_a_word_named_unknown_cannot_be_written(tmp_path):
    sentences = [["UNKNOWN", "b"], ["a", "b"]]
    links = [[(0, 0), (1, 1)]] * 2
    grammar = train_grammar(sentences, links, splits=(1, 1), unknown=0)
    with pytest.raises(InputError, match="lower-case"):
        write_text(grammar, tmp_path / "grammar.txt")
