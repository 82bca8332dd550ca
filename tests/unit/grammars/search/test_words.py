# SPDX-License-Identifier: Apache-2.0
"""Which readings tokens have: the rule for names in lower case."""

from __future__ import annotations

import pytest

from support.grammar_words import analyser
from tertium.automata.automaton import Automaton
from tertium.grammars.morphology import Analysis, NoAnalyser, load_analyser
from tertium.grammars.morphology.analysers import JoinedAnalyser
from tertium.grammars.morphology.unimorph import UniMorphLexicon
from tertium.grammars.search.edits import UNRELIABLE, Kind, category_of
from tertium.grammars.search.matching import Matcher
from tertium.grammars.search.vocabulary import Vocabulary
from tertium.grammars.search.words import Lexis


class Counting:
    """An analyser of batches that counts its calls."""

    name = "counting"
    language = ""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.single: list[str] = []

    def analyse(self, token: str) -> tuple[Analysis, ...]:
        self.single.append(token)
        return ()

    def analyse_many(self, tokens):
        self.batches.append(list(tokens))
        return [(Analysis(token),) for token in tokens]


def lemmas(token: str, *symbols: str, name: str = "tsv") -> set[str]:
    return set(Vocabulary(symbols, Lexis(analyser(name))).word(token).lemmas)


def test_a_lower_case_name_is_read_as_one_if_it_has_no_other_reading():
    assert lemmas("pekalla") == {"Pekka"}


def test_a_lower_case_name_is_read_as_one_if_the_references_have_its_lemma():
    assert lemmas("anna", "Annalla") == {"antaa", "Anna"}
    assert lemmas("anna", "Pekalla") == {"antaa"}
    assert lemmas("ANNA", "Annalla") == {"antaa", "Anna"}
    assert lemmas("ANNA", "Pekalla") == {"antaa"}


def test_references_are_read_in_their_own_case():
    lexis = Lexis(analyser("tsv"))
    assert lexis.reference("Anna").lemmas == {"Anna"}
    assert lexis.reference("anna").lemmas == {"antaa"}


def test_a_reference_unknown_in_its_own_case_is_read_in_lower_case():
    assert Lexis(analyser("tsv")).reference("Nyt").lemmas == {"nyt"}


def test_a_capital_hides_no_reading_of_a_hypothesis():
    assert lemmas("Nyt") == {"nyt"}
    assert lemmas("Anna") == {"Anna", "antaa"}
    assert lemmas("ANNALLA") == {"Anna"}


@pytest.mark.parametrize("name", ["voikko", "tsv"])
def test_names_are_found_in_any_case_by_both_analysers(name):
    assert "Anna" in lemmas("annalla", "Annalla", name=name)
    assert "Andi" in lemmas("andien", "Andeilla", name=name)


def test_names_with_hyphens_have_several_capitals():
    class Names:
        name = "names"
        language = ""

        def analyse(self, token: str) -> tuple[Analysis, ...]:
            known = token in ("Etelä-Suomi", "Oulu-joki")
            return (Analysis(token, "PROPN"),) if known else ()

    lexis = Lexis(Names())
    assert lexis.hypothesis("etelä-suomi").lemmas == {"Etelä-Suomi"}
    assert lexis.hypothesis("oulu-joki").lemmas == {"Oulu-joki"}
    assert not lexis.hypothesis("pohjois-suomi").known


def test_an_analyser_is_asked_once_for_a_token():
    counting = Counting()
    lexis = Lexis(counting)
    for _ in range(3):
        lexis.readings("a")
    assert counting.single == ["a"]


def test_batches_are_analysed_at_once_with_all_spellings():
    counting = Counting()
    lexis = Lexis(counting)
    lexis.prepare(["talo", "Talo", "ÄITI"])
    lexis.prepare(["talo"])
    assert counting.batches == [["talo", "Talo", "ÄITI", "äiti", "Äiti"]]
    lexis.hypothesis("ÄITI")
    assert counting.single == []


def test_joined_analysers_read_batches():
    counting = Counting()
    lexis = Lexis(JoinedAnalyser([counting, analyser("tsv")]))
    lexis.prepare(["anna", "Anna"])
    assert counting.batches == [["anna", "Anna"]]
    assert lexis.reference("Anna").analyses[0] == Analysis("Anna")
    assert lexis.reference("anna").lemmas == {"anna", "antaa"}
    assert counting.single == []


def test_no_analyser_is_none():
    assert Lexis().empty
    assert Lexis(NoAnalyser()).empty
    assert Lexis().reference("xqzt").known
    assert Lexis().hypothesis("xqzt").known


LOCK = ["lemma\tpos\tfeatures\tform\tgenerator+version", "auto\tNOUN\t_\tauto\thand"]


@pytest.mark.parametrize("lines", [LOCK, ["auto\tauto\tNOUN"]], ids=["frozen", "own"])
def test_words_that_a_lexicon_lacks_are_outside_it_and_not_unknown(write_lines, lines):
    lexicon = load_analyser(f"tsv:{write_lines('words.tsv', lines)}")
    word = Lexis(lexicon).hypothesis("koira")
    assert (word.known, word.outside, word.analyses) == (True, True, ())
    assert not Lexis(lexicon).hypothesis("auto").outside
    assert not Lexis(lexicon).hypothesis("1999").outside
    matcher = Matcher(Automaton.from_sentences(["auto on", "se"]), lexicon)
    kinds = {edit.kind for edit in matcher.closest("koira juoksee pois").best.edits}
    assert kinds == {Kind.OUTSUB, Kind.OUTDEL}
    assert {category_of(kind) for kind in kinds} == {"not in the lexicon"}
    assert "not in the lexicon" in UNRELIABLE
    # What references have is right, whatever the lexicon lacks.
    assert matcher.closest("auto on").best.cost == 0
    assert not matcher.vocabulary.word("on").outside


def test_unimorph_is_a_lexicon_too():
    table = UniMorphLexicon(["talo\ttalossa\tN;IN+ESS;SG"])
    assert Lexis(table).hypothesis("koira").outside


def test_an_analyser_of_the_whole_language_can_tell_unknown_words(write_lines):
    class Whole:
        name, language = "whole", "fi"

        def analyse(self, token: str) -> tuple[Analysis, ...]:
            return (Analysis(token),) if token == "koira" else ()

    frozen = load_analyser(f"tsv:{write_lines('lexicon.lock.tsv', LOCK)}")
    for one in (Whole(), JoinedAnalyser([frozen, Whole()])):
        word = Lexis(one).hypothesis("xqzt")
        assert (word.known, word.outside) == (False, False)
    assert Lexis(JoinedAnalyser([frozen, frozen])).hypothesis("xqzt").outside
