# SPDX-License-Identifier: Apache-2.0
"""What `tertium grammar new` writes; words of templates; short sentences."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.automata.shortest import shortest_sentence
from tertium.errors import InputError
from tertium.grammars import Automaton, check_template, load_template, parse_light
from tertium.grammars.authoring.starter import (
    LANGUAGES,
    light_starter,
    template_starter,
)
from tertium.grammars.light.notation import read_light
from tertium.grammars.morphology.analysers import template_analyser


def write(folder, files):
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "pair", [*permutations(LANGUAGES, 2), ("Eng", "Swe"), ("Swe", "Est")]
)
def test_starters_pass_the_check_without_a_warning(tmp_path, pair):
    source, target = pair
    made = template_starter("my nap-2", source=source, targets=[target])
    template = load_template(write(tmp_path / "t", made))
    assert check_template(template) == []
    assert template.languages == pair
    assert template.grammar.name == "MyNap2"
    known = [language for language in pair if language in LANGUAGES]
    assert all(template.samples[language].positive for language in known)
    assert all(template.samples[language].negative for language in known)


def test_several_targets_are_one_template(tmp_path):
    made = template_starter("nap", targets=["Fin", "Ger", "Cze"])
    template = load_template(write(tmp_path, made))
    assert template.targets == ("Fin", "Ger", "Cze")
    assert check_template(template) == []


@pytest.mark.parametrize(
    ("name", "languages", "what"),
    [
        ("2nap", ("Eng", "Fin"), "cannot name a grammar"),
        ("näp", ("Eng", "Fin"), "cannot name a grammar"),
        ("nap", ("Eng", "fin"), "cannot name a language"),
        ("nap", ("Eng", "Eng"), "one occurs twice"),
    ],
)
def test_names_that_grammars_cannot_have_are_rejected(name, languages, what):
    source, *targets = languages
    with pytest.raises(InputError, match=what):
        template_starter(name, source=source, targets=targets)


def test_the_light_starter_has_the_references_it_describes(tmp_path):
    file = tmp_path / "starter.refs"
    file.write_text(light_starter(), encoding="utf-8")
    counts = [segment.automaton.count for segment in read_light(file)]
    assert counts == [36, 2, 8]
    assert "36 references" in light_starter()


def test_lexicons_of_templates_are_joined_and_found_from_anywhere(tmp_path):
    templates = []
    for name, word in (("one", "kissa"), ("two", "koira")):
        made = template_starter(name)
        made["words.tsv"] = f"{word}\t{word}\tNOUN\tCase=Nom\n"
        made["template.toml"] += '\n[analysers]\nFin = "tsv:words.tsv"\n'
        templates.append(load_template(write(tmp_path / name, made)))
    one = template_analyser(templates[:1])
    assert one.analyse("kissa")
    assert not one.analyse("koira")
    both = template_analyser(templates, "Fin")
    assert both.analyse("kissa")
    assert both.analyse("koira")
    assert both.name.count("tsv:words.tsv@") == 2
    assert template_analyser(templates, "Eng").name == "none"


@given(st.sets(st.lists(st.sampled_from("abc"), max_size=4).map(tuple), min_size=1))
def test_the_shortest_sentence_is_the_first_of_the_shortest(sentences):
    automaton = Automaton.from_sentences(sentences)
    assert shortest_sentence(automaton) == min(
        sentences, key=lambda sentence: (len(sentence), sentence)
    )


def test_empty_sets_have_no_shortest_sentence():
    with pytest.raises(InputError, match="empty set"):
        shortest_sentence(Automaton.from_sentences([]))
    assert shortest_sentence(Automaton.from_expression(parse_light("[a] b"))) == ("b",)
