# SPDX-License-Identifier: Apache-2.0
"""Human translations that grammars reject."""

from __future__ import annotations

import pytest

from support.grammar_texts import HAVE
from support.grammar_words import analyser
from tertium.errors import InputError
from tertium.grammars import Automaton
from tertium.grammars.authoring.coverage import Translation, cover
from tertium.grammars.gf.grammar import parse_grammar


def coverage_of(*texts, template="have", analyse=True, codes="1a,2b,3a"):
    grammar = parse_grammar(HAVE)
    return cover(
        [
            Translation(text, template, codes, "HT", str(n))
            for n, text in enumerate(texts)
        ],
        lambda _, codes_of_set: grammar.sentences("Fin", codes_of_set),
        analyser=analyser("tsv") if analyse else None,
        constructions=lambda _, codes_of_set, tokens: grammar.accepting(
            "Fin", codes_of_set, tokens
        ),
    )


def test_accepted_translations_count_as_recall():
    result = coverage_of("Annalla on nyt iso omenapuu.", "Anna omistaa nyt puun")
    assert (result.total.accepted, result.total.total, result.total.share) == (
        1,
        2,
        0.5,
    )
    assert [one.template for one in result.people] == ["HT"]
    assert len(result.rejected) == 1
    rejected = result.rejected[0]
    assert rejected.translation.id == "1"
    assert " ".join(rejected.correction.reference) in parse_grammar(HAVE).sentences(
        "Fin", "1a,2b,3a"
    )
    assert rejected.constructions == ("XOwnsY",)


def test_causes_that_let_in_the_most_come_first():
    result = coverage_of(
        "annalla on nyt iso tammi",
        "annalla on nykyään iso tammi",
        "annalla on nyt yksi iso omenapuu",
        "annalla on nyt yksi iso tammi",
    )
    assert [
        (cause.hyp, cause.alone, len(cause.rejected)) for cause in result.causes
    ] == [
        ("tammi", 2, 3),
        ("yksi", 1, 2),
    ]
    assert result.causes[0].kind == "casenum_sub"
    assert result.causes[0].proposal == "accept 'tammi' as an alternative to 'omenapuu'"
    assert result.causes[1].proposal == "allow 'yksi' after 'nyt'"
    # Those that the cause alone keeps out stand first.
    last = result.causes[0].rejected[-1].translation
    assert last.text == "annalla on nyt yksi iso tammi"


@pytest.mark.parametrize(
    ("text", "kind", "proposal"),
    [
        ("annalla nyt iso omenapuu", "insert", "make 'on' optional"),
        ("annalla on iso nyt omenapuu", "move", "allow 'nyt' further left than now"),
        (
            "annalla on nyt iso omena puu",
            "comp_lemma_join",
            "accept 'omena puu' for 'omenapuu' if that is a correct spelling",
        ),
        (
            "anna on nyt iso omenapuu",
            "CASESHIFT-NOM-ADE",
            "accept the form 'anna' as an alternative to 'Annalla'",
        ),
        ("oi annalla on nyt iso omenapuu", "outdel", "allow 'oi' at the beginning"),
    ],
)
def test_every_edit_has_a_proposal(text, kind, proposal):
    (cause,) = coverage_of(text).causes
    assert (cause.kind, cause.proposal, cause.alone) == (kind, proposal, 1)


def test_phrases_are_one_cause():
    (cause,) = coverage_of(
        "annalla on tätä nykyä oi iso omenapuu", analyse=False
    ).causes
    assert (cause.hyp, cause.ref, cause.alone) == ("tätä nykyä oi", "nykyään", 1)
    assert set(cause.kind.split("+")) == {"sub", "delete"}
    (cause,) = coverage_of("anna omistaa nyt iso omenapuu").causes
    assert (cause.kind, cause.hyp) == ("CASESHIFT-NOM-GEN", "iso omenapuu")
    assert cause.proposal == (
        "accept the form 'iso omenapuu' as an alternative to 'ison omenapuun'"
    )
    (cause,) = coverage_of("annalla iso omenapuu", analyse=False).causes
    assert (cause.kind, cause.hyp, cause.alone) == ("insert", "", 1)


def test_moved_parts_of_a_compound_are_one_cause():
    causes = coverage_of("puu omena iso nyt annalla on").causes
    joined = [cause for cause in causes if cause.kind == "comp_lemma_join"]
    assert [(cause.hyp, cause.ref) for cause in joined] == [("omena puu", "omenapuu")]


def test_it_works_without_analyser_and_by_template():
    ball = Automaton.from_sentences(["the ball is red"])
    result = cover(
        [
            Translation("the ball is red", "t", ""),
            Translation("a ball is red", "u", ""),
            Translation("A ball is red", "u", ""),
        ],
        lambda template, codes: ball,
    )
    assert [(share.template, share.share) for share in result.shares] == [
        ("t", 1),
        ("u", 0),
    ]
    assert [(share.kind, share.hyp, share.ref) for share in result.causes] == [
        ("sub", "a", "the")
    ]
    assert result.analyser == "none"
    with pytest.raises(InputError, match="no translation"):
        cover([], lambda template, codes: ball)
