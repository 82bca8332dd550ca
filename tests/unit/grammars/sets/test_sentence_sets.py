# SPDX-License-Identifier: Apache-2.0
"""Sentence sets by name, and constructions side by side."""

from __future__ import annotations

import pytest

from tertium.errors import InputError, UnknownNameError
from tertium.grammars import (
    load_template,
    read_reference_sets,
    read_sentence_sets,
    show_constructions,
    write_starter,
)


@pytest.fixture
def nap(tmp_path):
    write_starter(tmp_path / "nap")
    return tmp_path / "nap"


@pytest.fixture
def refs(tmp_path):
    path = tmp_path / "a.refs"
    path.write_text("x\t{a|b} c\ny\td\n", encoding="utf-8")
    return path


def test_sets_of_templates_and_files_are_read_together(nap, refs):
    sets = read_sentence_sets([nap, refs]).sets
    assert len(sets) == 4 + 4 + 2
    assert (sets[0].id, sets[-1].id) == ("nap.1a,2a.Eng", "y")
    assert read_sentence_sets([nap, refs]).count().total == {
        "Eng": 128,
        "Fin": 288,
        "references": 3,
    }


def test_one_set_can_be_chosen(nap, refs):
    one = read_sentence_sets(nap, set="1a,2a", language="Fin").single()
    assert one.automaton == load_template(nap).grammar.sentences("Fin", "1a,2a")
    assert one.construction("OnYSleepsX").automaton.count == 16
    with pytest.raises(UnknownNameError, match="construction"):
        one.construction("Nothing")
    with pytest.raises(InputError, match="only templates have constructions"):
        read_sentence_sets(refs, set="x").single().construction("F")
    with pytest.raises(InputError, match="there are 8 sets") as caught:
        read_sentence_sets(nap).single()
    assert caught.value.options == ("set", "language")


def test_unknown_sets_and_languages_are_rejected(nap, refs):
    with pytest.raises(UnknownNameError, match="unknown set 'z'"):
        read_sentence_sets(refs, set="z")
    with pytest.raises(UnknownNameError, match="language"):
        read_sentence_sets(nap, language="Swe")
    with pytest.raises(InputError, match="is not a template"):
        read_sentence_sets(refs, language="Fin")


def test_larger_samples_begin_with_the_smaller_ones(nap):
    sets = read_sentence_sets(nap, set="1a,2a", language="Fin")
    few, many = (sets.sample(size, seed=3).to_json()["sample"] for size in (2, 5))
    assert many[:2] == few
    assert len({row["sentence"] for row in many}) == 5


def test_written_sets_come_back(nap, tmp_path):
    sets = read_sentence_sets(nap, language="Eng")
    assert len(sets.write(tmp_path / "automata")) == 5  # with the symbol table
    back = {one.id: one.automaton for one in read_reference_sets(tmp_path / "automata")}
    assert back == {one.id: one.automaton for one in sets.sets}


def test_notes_on_files_are_kept(tmp_path):
    path = tmp_path / "a.fst.txt"
    path.write_text("0 1 a b 0.5\n1\n", encoding="utf-8")
    assert any("transducer" in note for note in read_sentence_sets(path).notes)


def test_constructions_stand_side_by_side(nap):
    result = show_constructions(nap, construction="OnYSleepsX", limit=2)
    assert result.languages == ("Eng", "Fin")
    (by_language,) = result.constructions.values()
    assert by_language["Eng"] is None
    assert by_language["Fin"].count == 16
    assert len(by_language["Fin"].sentences) == 2
    assert result.to_json()["constructions"]["OnYSleepsX"]["Eng"] == {
        "count": 0,
        "sentences": [],
    }


def test_constructions_are_of_one_template(nap):
    write_starter(nap.parent / "nop")
    with pytest.raises(InputError, match=r"several templates \(nap, nop\)"):
        show_constructions(nap.parent)
    with pytest.raises(UnknownNameError, match="variable set"):
        show_constructions(nap, set="9z")
    with pytest.raises(UnknownNameError, match="did you mean XSleepsOnY"):
        show_constructions(nap, construction="XSleepsOnZ")
