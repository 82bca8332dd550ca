# SPDX-License-Identifier: Apache-2.0
"""Words of sets cut into tokens, against the sentences one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.grammars.automaton import Automaton
from tertium.grammars.references import read_references
from tertium.grammars.tokenising import tokenised
from tertium.text import tokenize

WORDS = st.text("ab.,'1-", min_size=1, max_size=4)
SETS = st.frozensets(st.lists(WORDS, max_size=4).map(tuple), max_size=8)


@given(SETS, st.sampled_from(["13a", "none", "char"]))
def test_every_word_is_cut(wanted, name):
    cut = {
        tuple(token for tokens in tokenize(list(words), name) for token in tokens)
        for words in wanted
    }
    found = tokenised(Automaton.from_sentences(wanted), name)
    assert found == Automaton.from_sentences(cut)


def test_files_can_be_cut(write_lines):
    path = write_lines("a.refs", ["[yes,] {so|be} it."])
    (plain,), (cut,) = read_references(path), read_references(path, tokenize="13a")
    assert "yes, so it." in plain.automaton
    assert "yes , so it ." in cut.automaton
    with pytest.raises(InputError, match="unknown tokeniser"):
        read_references(path, tokenize="none at all")


def test_long_sentences_are_refused():
    pair = Automaton.from_sentences([["a" * 1500 + "b"], ["a" * 1500 + "c"]])
    with pytest.raises(InputError, match="too long"):
        tokenised(pair, "char")
