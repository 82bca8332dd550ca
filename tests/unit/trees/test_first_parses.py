# SPDX-License-Identifier: Apache-2.0
"""Readers that need one tree per segment take the first of several parses."""

from __future__ import annotations

import pytest

from tertium.errors import FormatError
from tertium.judgements.parts.preparation import extract_parts
from tertium.learn.features.role_files import read_roles
from tertium.order.damage import permute_file
from tertium.trees.parses import read_first_parses
from tertium.trees.treebanks import evaluate_parser

FIRST = (
    "1\told\told\tADJ\t_\t_\t2\tamod\t_\t_",
    "2\tcats\tcat\tNOUN\t_\t_\t3\tnsubj\t_\tRole=3:A0",
    "3\tsleep\tsleep\tVERB\t_\t_\t0\troot\t_\tPred=sleep.01",
)
SECOND = (
    "1\told\told\tADJ\t_\t_\t0\troot\t_\t_",
    "2\tcats\tcat\tNOUN\t_\t_\t1\tdep\t_\t_",
    "3\tsleep\tsleep\tVERB\t_\t_\t1\tdep\t_\t_",
)


@pytest.fixture
def single(write_lines):
    return write_lines("single.conllu", [*FIRST, "", *SECOND, ""])


@pytest.fixture
def nbest(write_lines):
    """Write two segments; the first has two parses."""
    further = ["# parse = 2", *SECOND, ""]
    return write_lines("nbest.conllu", [*FIRST, "", *further, *SECOND, ""])


def test_the_first_parse_of_every_segment_is_read(nbest, single):
    heads = [sentence.tree.heads for sentence in read_first_parses(nbest)]
    assert heads == [sentence.tree.heads for sentence in read_first_parses(single)]
    assert heads == [(2, 3, 0), (0, 1, 1)]


def test_parses_without_a_first_one_are_rejected(write_lines):
    path = write_lines("a.conllu", ["# parse = 2", *SECOND, ""])
    with pytest.raises(FormatError, match=r"a\.conllu:1: this block is parse 2"):
        list(read_first_parses(path))


def test_further_parses_are_not_sentences_to_damage(nbest, single):
    damaged = permute_file(nbest, degrees=[1])
    assert damaged.sentences == 2
    assert damaged == permute_file(single, degrees=[1])


def test_further_parses_are_not_sentences_of_a_treebank(nbest, single):
    scores = evaluate_parser([single], trees=nbest).to_dict()
    assert (scores["sentences"], scores["uas"]) == (2, 100)


def test_further_parses_have_no_roles_of_their_own(write_lines):
    path = write_lines("a.conllu", [*FIRST, "", "# parse = 2", *SECOND, ""])
    ((role,),) = read_roles(str(path)).values()
    assert role.role == "A0"


def test_further_parses_are_not_sentences_to_extract_from(nbest, single):
    assert extract_parts(nbest, min=1) == extract_parts(single, min=1)
