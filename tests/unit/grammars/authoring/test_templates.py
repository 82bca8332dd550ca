# SPDX-License-Identifier: Apache-2.0
"""The templates that Tertium brings: correct, of a sensible size, with lexicons."""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path

import pytest

import tertium.grammars
from support.grammar_words import analyser
from support.lock_tool import lock_tool
from tertium.grammars import Template, check_template, load_analyser, load_template
from tertium.grammars.authoring.samples import accepts
from tertium.grammars.morphology import Analyser
from tertium.grammars.search.edits import UNIT
from tertium.grammars.search.matching import Matcher
from tertium.grammars.search.tokens import bare_tokens
from tertium.grammars.search.words import Lexis

ROOM = Path(tertium.grammars.__file__).parent / "templates"
FOLDERS = sorted(path.parent.name for path in ROOM.glob("*/template.toml"))

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("name", FOLDERS)]


@cache
def template(name: str) -> Template:
    return load_template(ROOM / name)


@cache
def locked(name: str) -> Analyser:
    return load_analyser(f"tsv:{ROOM / name / 'lexicon.lock.tsv'}")


def tokens(one: Template, language: str) -> set[str]:
    return {
        word
        for automaton in one.grammar.sets(language).values()
        for symbol in automaton.symbols
        for word in bare_tokens(symbol)
    }


def test_a_template_has_no_fault(name):
    result = check_template(template(name), {"Fin": locked(name)})
    assert [str(finding) for finding in result] == []


def test_references_are_thousands_but_no_billions(name):
    one = template(name)
    for language in one.targets:
        counts = [each.count for each in one.grammar.sets(language).values()]
        assert min(counts) >= one.minimum
        assert 10**3 <= sum(counts) <= 10**9


def test_all_languages_say_the_same_sets(name):
    one = template(name)
    sets = [set(one.grammar.sets(language)) for language in one.languages]
    assert all(each == sets[0] for each in sets)
    assert len(sets[0]) >= 4


def test_there_are_several_constructions(name):
    one = template(name)
    for language in one.languages:
        for codes in one.grammar.sets(language):
            assert len(one.grammar.constructions(language, codes)) >= 3


def test_samples_are_enough_and_classified(name):
    one = template(name)
    for language in one.languages:
        samples = one.samples[language]
        assert len(samples.positive) >= 5
        assert len(samples.negative) >= 5
        sets = one.grammar.sets(language)
        for sample in samples.positive:
            assert sample.codes is not None
            assert accepts(sets[sample.codes], sample.sentence), sample.sentence
        for sample in samples.negative:
            took = [codes for codes in sets if accepts(sets[codes], sample.sentence)]
            assert not took, sample.sentence


def test_the_lock_file_knows_every_token(name):
    lexicon = locked(name)
    unknown = {one for one in tokens(template(name), "Fin") if not lexicon.analyse(one)}
    assert unknown == set()


def test_the_lock_file_knows_parts_of_compounds(name):
    lexicon = locked(name)
    for token in tokens(template(name), "Fin"):
        for reading in lexicon.analyse(token):
            for part in reading.parts:
                known = {one.lemma for one in analyser("voikko").analyse(part)}
                # Some parts are not words alone: "mielinen" of "erimielinen".
                if part in known:
                    lemmas = {one.lemma for one in lexicon.analyse(part)}
                    assert part in lemmas, part


def test_wrong_sentences_are_corrected_by_known_words(name):
    """Wrong forms must be known for what they are, or all edits would be alike."""
    voikko = analyser("voikko")
    one = template(name)
    lexicon = Lexis(locked(name))
    automata = one.grammar.sets("Fin").values()
    matchers = [Matcher(automaton, locked(name)) for automaton in automata]
    for sample in one.samples["Fin"].negative:
        costs = [matcher.closest(sample.sentence).best.cost for matcher in matchers]
        assert 0 < min(costs) <= 2 * UNIT, sample.sentence
        for word in bare_tokens(sample.sentence):
            # Some are wrong because there is no such word.
            read = lexicon.hypothesis(word).analyses
            assert read or not voikko.analyse(word), word


def test_the_lock_file_is_up_to_date(name):
    voikko = analyser("voikko")
    for path, fresh in lock_tool().lexicons(ROOM / name, voikko):
        assert path.read_text(encoding="utf-8") == fresh


def test_the_lock_file_reads_tokens_as_voikko_does(name):
    voikko = analyser("voikko")
    lexicon = locked(name)
    for token in sorted(tokens(template(name), "Fin")):
        assert set(lexicon.analyse(token)) == set(voikko.analyse(token))
        assert voikko.analyse(token), token


def test_sentences_say_no_word_twice_in_a_row(name):
    one = template(name)
    for language in one.languages:
        for automaton in one.grammar.sets(language).values():
            for sentence in automaton.sample(20):
                pairs = itertools.pairwise(sentence)
                assert all(left != right for left, right in pairs), sentence


def test_other_languages_have_lock_files(name):
    one = template(name)
    for language in set(one.targets) - {"Fin"}:
        path = ROOM / name / f"lexicon.{language.lower()}.lock.tsv"
        fresh = lock_tool().lock_own(one.grammar, language)
        assert path.read_text(encoding="utf-8") == fresh
        lexicon = load_analyser(f"tsv:{path}")
        unknown = {x for x in tokens(one, language) if not lexicon.analyse(x)}
        assert unknown == set()
        assert one.analysers[language] == f"tsv:{path.name}"
