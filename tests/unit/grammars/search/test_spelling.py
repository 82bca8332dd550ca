# SPDX-License-Identifier: Apache-2.0
"""Compounds written apart, together or with hyphens, unlike the references."""

from __future__ import annotations

import pytest

from tertium.grammars import Automaton, Matcher
from tertium.grammars.morphology import Analysis
from tertium.grammars.morphology.tsv import Entry, TsvLexicon
from tertium.grammars.search.edits import EditCosts

NOUN = "Case=Nom|Number=Sing"
PARTS = TsvLexicon(
    [
        Entry("omenapuu", "omenapuu", "NOUN", NOUN, ("omena", "puu")),
        Entry("omena", "omena", "NOUN", NOUN),
        Entry("puu", "puu", "NOUN", NOUN),
    ]
)
WITHOUT_PARTS = TsvLexicon([Entry("omenapuu", "omenapuu", "NOUN", NOUN)])


class Everything:
    """An analyser to which every token is a noun of its own."""

    name, language = "everything", ""

    def analyse(self, token: str) -> tuple[Analysis, ...]:
        return (Analysis(token, "NOUN", "NOM", "SG"),)


ANALYSERS = {
    "none": None,
    "parts": PARTS,
    "without parts": WITHOUT_PARTS,
    "everything": Everything(),
}


APART = (
    "tuo on [comp_lemma_join: Omena/omenapuu (0.352)] "
    "[comp_lemma_join: puu/<eps> (0.352)]"
)


def corrected(hyp: str, *refs: str, analyser=None, **more):
    matcher = Matcher(Automaton.from_sentences(refs), analyser, **more)
    return matcher.closest(hyp).best


@pytest.mark.parametrize("name", ANALYSERS)
@pytest.mark.parametrize(
    ("hyp", "ref", "shown", "cost"),
    [
        (
            "tuo on Omena puu",
            "tuo on omenapuu",
            APART,
            7_040,
        ),
        (
            "tuo on omenapuu",
            "tuo on omena puu",
            "tuo on [comp_split: omenapuu/omena puu (0.352)]",
            3_520,
        ),
        (
            "tuo on omena-puu",
            "tuo on omenapuu",
            "tuo on [comp_hyphen: omena-puu/omenapuu (0.352)]",
            3_520,
        ),
        (
            "tuo on omena-puu",
            "tuo on omena puu",
            "tuo on [comp_split: omena-puu/omena puu (0.352)]",
            3_520,
        ),
    ],
)
def test_compounds_are_compound_errors_with_every_analyser(name, hyp, ref, shown, cost):
    best = corrected(hyp, ref, analyser=ANALYSERS[name])
    assert (str(best), best.cost) == (shown, cost)
    assert " ".join(best.reference) == ref
    assert best.cost == sum(edit.cost for edit in best.edits)


def test_indices_are_those_of_the_output():
    best = corrected("on se omena puu nyt tuolla", "on omenapuu nyt tuolla")
    shown = [(change.index, change.hyp, change.ref) for change in best.changes]
    assert shown == [
        (0, "on", "on"),
        (1, "se", ""),
        (2, "omena", "omenapuu"),
        (3, "puu", ""),
        (4, "nyt", "nyt"),
        (5, "tuolla", "tuolla"),
    ]
    best = corrected("on omenapuu nyt", "on omena puu tuolla nyt")
    shown = [(change.index, change.hyp, change.ref) for change in best.changes]
    assert shown == [
        (0, "on", "on"),
        (1, "omenapuu", "omena puu"),
        (None, "", "tuolla"),
        (2, "nyt", "nyt"),
    ]


def test_a_compound_of_three_words_and_two_compounds_in_a_sentence():
    best = corrected("lumi sade kausi alkoi", "lumisadekausi alkoi")
    assert [edit.label for edit in best.edits] == ["comp_lemma_join"] * 3
    best = corrected("omena puu ja lumisade", "omenapuu ja lumi sade")
    labels = [edit.label for edit in best.edits]
    assert labels == ["comp_lemma_join", "comp_lemma_join", "comp_split"]
    assert best.cost == 3 * 3_520


def test_a_reference_without_the_compound_is_taken_if_it_is_cheaper():
    best = corrected("omena puu", "omenapuu", "omena ja puu")
    assert [edit.label for edit in best.edits] == ["comp_lemma_join"] * 2
    costs = EditCosts.read("default,insert=0.1")
    best = corrected("omena puu", "omenapuu", "omena ja puu", costs=costs)
    assert " ".join(best.reference) == "omena ja puu"


def test_a_compound_that_moved_is_joined_too():
    best = corrected("omena puu on tuo", "tuo on omenapuu", "xx yy")
    assert "comp_lemma_join" in {edit.label for edit in best.edits}
    assert best.cost == sum(edit.cost for edit in best.edits)


@pytest.mark.parametrize(
    ("hyp", "ref"), [("a way", "away"), ("away", "a way"), ("theball", "ball the")]
)
def test_letters_that_happen_to_fit_are_no_compounds(hyp, ref):
    labels = {edit.label for edit in corrected(hyp, ref).edits}
    assert not labels & {"comp_lemma_join", "comp_split"}


def test_several_corrections_have_different_references():
    refs = ["se on omenapuu", "nyt se on omenapuu", "se on puu", "tuo on omenapuu"]
    references = Automaton.from_sentences(refs)
    match = Matcher(references).closest("se on omena puu", count=9, close=True)
    results = [
        (" ".join(correction.reference), correction.cost)
        for correction in match.corrections
    ]
    # The last would cost 1.5 more than the best.
    assert results == [(refs[0], 7_040), (refs[2], 9_000), (refs[1], 15_040)]
    assert match.hyp == ("se", "on", "omena", "puu")
    assert match.proven
    assert match.close
