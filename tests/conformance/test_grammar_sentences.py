# SPDX-License-Identifier: Apache-2.0
"""Paraphrase grammars: worked examples of sentences and automata."""

from __future__ import annotations

import pytest

from support.grammar_texts import HAVE
from tertium.grammars.gf import parse_grammar, show_set


@pytest.fixture(scope="module")
def have():
    return parse_grammar(HAVE)


def test_have_has_24_trees_in_8_sets(have):
    assert have.trees == 24
    assert list(have.tree_counts.values()) == [3] * 8
    assert have.languages == ("Eng", "Fin")
    assert have.warnings == ()


@pytest.mark.parametrize(
    ("language", "many", "few", "total"), [("Eng", 24, 12, 144), ("Fin", 28, 14, 168)]
)
def test_have_has_the_stated_number_of_sentences(have, language, many, few, total):
    counts = {show_set(codes): one.count for codes, one in have.sets(language).items()}
    assert counts == {
        f"1{person},2{thing},3{prop}": many if prop == "a" else few
        for person in "ab"
        for thing in "ab"
        for prop in "ab"
    }
    assert sum(counts.values()) == have.sentences(language).count == total


def test_a_set_of_have_has_the_stated_size(have):
    # Confirmed with Debian's fstcompile and fstminimize.
    automaton = have.sentences("Fin", "1a,2b,3a")
    assert (automaton.count, len(automaton), automaton.arc_count) == (28, 19, 34)


def test_the_construction_of_a_sentence_is_found(have):
    sentence = "nyt Anna omistaa suuren omenapuun"
    assert have.accepting("Fin", "1a,2b,3a", sentence) == ("XOwnsY",)
    sizes = {
        name: automaton.count
        for name, automaton in have.constructions("Fin", "1a,2b,3a").items()
    }
    assert sizes == {"XHasY": 16, "XOwnsY": 8, "XIsOwnerOfY": 4}


def test_forms_of_two_synonyms_are_never_mixed():
    grammar = parse_grammar(
        """
        abstract Like = { flags startcat = S ; cat S ; O ; fun f : O -> S ; p, k : O ; }
        concrete LikeFin of Like = {
          lincat S = Str ; O = {nom, gen : Str} ;
          lin f o = o.nom ++ "on" ++ o.gen ++ "kaltainen" ;
              p = {nom = "pallo" ; gen = "pallon"} ;
              k = {nom = "kuula" ; gen = "kuulan"} ;
        }"""
    )
    assert list(grammar.sentences("Fin")) == [
        ("kuula", "on", "kuulan", "kaltainen"),
        ("pallo", "on", "pallon", "kaltainen"),
    ]
