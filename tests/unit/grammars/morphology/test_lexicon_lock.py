# SPDX-License-Identifier: Apache-2.0
"""The tool that freezes lexicons, with an analyser of a few words."""

from __future__ import annotations

import pytest

from support.lock_tool import lock_tool
from tertium.grammars.gf import Grammar, parse_grammar
from tertium.grammars.morphology.tsv import Entry, TsvLexicon, parse_lexicon

ENTRIES = [
    Entry("puu", "puu", "NOUN", "Case=Nom|Number=Sing"),
    Entry("puun", "puu", "NOUN", "Case=Gen|Number=Sing"),
    Entry("omena", "omena", "NOUN", "Case=Nom|Number=Sing"),
    Entry("omenapuu", "omenapuu", "NOUN", "Case=Nom|Number=Sing", ("omena", "puu")),
    Entry("omenapuun", "omenapuu", "NOUN", "Case=Gen|Number=Sing", ("omena", "puu")),
    Entry("kasvaa", "kasvaa", "VERB", "Mood=Ind|Number=Sing|Person=3|Tense=Pres"),
    Entry("kasvaa", "kasvaa", "VERB", "InfForm=1|VerbForm=Inf"),
    Entry("kasvanut", "kasvanut", "VERB", "Case=Nom|Number=Sing|VerbForm=Part"),
    Entry("vain", "vain", "ADV"),
]


def grammar(genitive: str = "omenapuun", verb: str = "kasvaa") -> Grammar:
    return parse_grammar(f"""
        abstract Grow = {{ flags startcat = S ; cat S ; fun Grows : S ; }}
        concrete GrowFin of Grow = {{
          param Number = Sg | Pl ; Case = Nom | Gen ;
          lincat S = Str ;
          lin Grows = tree.s ! Sg ! Nom ++ "{verb}" ;
          oper tree : {{s : Number => Case => Str}} =
            {{s = table {{Sg => table {{Nom => "omenapuu" ; Gen => "{genitive}"}} ;
                          Pl => \\\\_ => nonExist}}}} ;
        }}""")


def lexicon(*more: Entry) -> TsvLexicon:
    return TsvLexicon([*ENTRIES, *more], name="few-1")


def test_a_lock_file_has_other_forms_and_parts_of_compounds():
    text = lock_tool().lock(grammar(), lexicon())
    entries = list(parse_lexicon(text.splitlines()))
    forms = {entry.form for entry in entries}
    assert forms == {"omenapuu", "omenapuun", "kasvaa", "omena", "puu", "puun", "vain"}
    assert {entry.generator for entry in entries} == {"few-1"}


def test_a_lock_file_is_read_as_the_analyser_reads():
    text = lock_tool().lock(grammar(verb="kasvanut"), lexicon())
    again = TsvLexicon(parse_lexicon(text.splitlines()))
    for form in ("omenapuun", "kasvanut", "puu"):
        assert again.analyse(form) == lexicon().analyse(form)
        assert again.analyse(form)


def test_an_unknown_token_is_a_slip():
    with pytest.raises(lock_tool().SlipError, match="kasvva is unknown"):
        lock_tool().lock(grammar(verb="kasvva"), lexicon())


@pytest.mark.parametrize("form", ["omenapuut", "puu"])
def test_a_form_in_the_wrong_place_is_a_slip(form):
    wrong = Entry("omenapuut", "omenapuu", "NOUN", "Case=Nom|Number=Plur")
    with pytest.raises(lock_tool().SlipError, match=f"{form} is not SG GEN: "):
        lock_tool().lock(grammar(genitive=form), lexicon(wrong))


def test_forms_of_two_words_are_a_slip():
    other = Entry("tammen", "tammi", "NOUN", "Case=Gen|Number=Sing")
    with pytest.raises(lock_tool().SlipError, match="forms of omenapuu have no lemma"):
        lock_tool().lock(grammar(genitive="tammen"), lexicon(other))
