# SPDX-License-Identifier: Apache-2.0
"""Case shifts: what neighbours tell about forms that leave it open."""

from __future__ import annotations

import pytest

from tertium.grammars import Automaton, Matcher
from tertium.grammars.morphology.tsv import Entry, TsvLexicon
from tertium.grammars.search.edits import EditCosts


def entries(form: str, lemma: str, pos: str, *cases: str) -> list[Entry]:
    """Return readings, such as ``Dat Sing``."""
    return [
        Entry(form, lemma, pos, f"Case={case.split()[0]}|Number={case.split()[1]}")
        for case in cases
    ]


GERMAN = TsvLexicon(
    [
        *entries("der", "der", "DET", "Nom Sing", "Gen Sing", "Dat Sing", "Gen Plur"),
        *entries("dem", "der", "DET", "Dat Sing"),
        *entries("den", "der", "DET", "Acc Sing", "Dat Plur"),
        *entries("des", "der", "DET", "Gen Sing"),
        *entries("alte", "alt", "ADJ", "Nom Sing"),
        *entries("alten", "alt", "ADJ", "Gen Sing", "Dat Sing", "Acc Sing"),
        *entries("Nachbar", "Nachbar", "NOUN", "Nom Sing"),
        *entries("Nachbarn", "Nachbar", "NOUN", "Gen Sing", "Dat Sing", "Acc Sing"),
        Entry("von", "von", "ADP"),
        Entry("für", "für", "ADP"),
        Entry("er", "er", "PRON", "Case=Nom|Number=Sing"),
        Entry("sah", "sehen", "VERB", "Tense=Past"),
    ]
)


def labels(hyp: str, *refs: str, costs: str = "default") -> list[str]:
    matcher = Matcher(Automaton.from_sentences(refs), GERMAN, EditCosts.read(costs))
    return [edit.label for edit in matcher.closest(hyp).best.edits]


def test_an_article_determines_the_case_of_its_noun():
    result = labels("von der Nachbar", "von dem Nachbarn")
    assert result == ["CASESHIFT-NOM-DAT", "CASESHIFT-NOM-DAT"]
    result = labels("für der Nachbar", "für den Nachbarn")
    assert result == ["CASESHIFT-NOM-ACC", "CASESHIFT-NOM-ACC"]


def test_a_correct_article_determines_it_too():
    assert labels("von dem Nachbar", "von dem Nachbarn") == ["CASESHIFT-NOM-DAT"]


def test_an_article_determines_it_across_an_adjective():
    result = labels("von der alte Nachbar", "von dem alten Nachbarn")
    assert result == ["CASESHIFT-NOM-DAT"] * 3
    result = labels("des alte Nachbar", "des alten Nachbarn")
    assert result == ["CASESHIFT-NOM-GEN"] * 2


def test_an_undetermined_noun_is_named_with_all_its_cases():
    assert labels("er sah Nachbar", "er sah Nachbarn") == ["CASESHIFT-NOM-ACC|DAT|GEN"]


def test_neighbours_of_another_phrase_do_not_tell():
    assert labels("er Nachbar", "er Nachbarn") == ["CASESHIFT-NOM-ACC|DAT|GEN"]


def test_a_form_that_its_own_neighbours_allow_is_no_shift():
    """Der is a dative as well, and only the noun after it could tell otherwise."""
    assert labels("von der", "von dem") == ["lemma_sub"]
    # Where a shift costs something else, the edit stays what was paid for.
    result = labels(
        "von der Nachbar", "von dem Nachbarn", costs="default,caseshift=0.3"
    )
    assert result == ["lemma_sub", "CASESHIFT-NOM-DAT"]


@pytest.mark.parametrize("ref", ["Nachbarn", "von Nachbarn"])
def test_matrices_of_cases_keep_open_cases_apart(ref):
    from types import SimpleNamespace

    from tertium.grammars.analysis import evaluate_outputs

    item = SimpleNamespace(id="1", template="t", set="", source="", constructions=())
    references = {("t", ""): Automaton.from_sentences([ref])}
    hyp = ref.replace("Nachbarn", "Nachbar")
    result = evaluate_outputs([item], {"A": [hyp]}, references, analyser=GERMAN)
    cases = result.system("A").cases
    assert cases.cases == ("NOM", "ACC|DAT|GEN")
    assert cases.count("NOM", "ACC|DAT|GEN") == 1
