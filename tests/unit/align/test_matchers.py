# SPDX-License-Identifier: Apache-2.0
"""Matchers: stems, synonyms, paraphrases and those of users."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest
import Stemmer

import tertium
from tertium.align import (
    Aligner,
    ExactMatcher,
    ParaphraseMatcher,
    StemMatcher,
    SynonymMatcher,
    align,
    matchers,
    register_matcher,
)
from tertium.errors import InputError, UnknownNameError


class Lexicon:
    """A tiny WordNet."""

    def __init__(self):
        self.asked = []

    def keys(self, word):
        self.asked.append(word)
        return {"bank": (1, 2), "shore": (2,), "depot": (1,)}.get(word, ())


class Reversed:
    """Matches whole texts in reverse."""

    name = "reversed"

    def matches(self, hyp, ref):
        if list(hyp) == list(ref)[::-1]:
            return [(0, len(hyp), 0, len(ref))]
        return []


@pytest.mark.parametrize("name", Stemmer.algorithms())
def test_every_snowball_language_has_a_stemmer(name):
    assert len(StemMatcher(name).keys(["a", "b"])) == 2


@pytest.mark.parametrize(
    ("language", "hyp", "ref"),
    [("de", "Häuser", "häusern"), ("ru", "книги", "книга"), ("fr", "aimer", "aimé")],
)
def test_stems_of_other_languages_match(language, hyp, ref):
    alignment = align(hyp, ref, match="exact+stem", language=language)
    assert [match.matcher for match in alignment] == ["stem"]


def test_iso_codes_name_stemmers_that_exist():
    known = set(Stemmer.algorithms())
    named = set(matchers._LANGUAGES.values())
    variants = {"porter", "dutch_porter", "lovins", "german2", "kraaij_pohlmann"}
    assert known - variants <= named


def test_an_unknown_language_lists_near_ones():
    with pytest.raises(InputError, match=r"unknown language of stems 'germn'.*german"):
        StemMatcher("germn")


def test_the_first_matcher_that_finds_a_match_names_it():
    alignment = align("cats cat", "cats cats", match="stem+exact")
    assert {match.matcher for match in alignment} == {"stem"}
    alignment = align("cats cat", "cats cats", match="exact+stem")
    assert [match.matcher for match in alignment] == ["exact", "stem"]


def test_synonyms_match_if_they_share_a_meaning():
    lexicon = Lexicon()
    matchers = [ExactMatcher(), SynonymMatcher(lexicon)]
    assert len(align("the shore", "the bank", matchers=matchers)) == 2
    assert len(align("the shore", "the depot", matchers=matchers)) == 1
    assert len(lexicon.asked) == len(set(lexicon.asked))


def test_settings_name_the_resources(monkeypatch):
    """The readers are found by their modules; files of their own have tests."""
    wordnet, paraphrases = ModuleType("wordnet"), ModuleType("paraphrases")
    wordnet.WordNet = lambda path: Lexicon()  # type: ignore[attr-defined]
    paraphrases.load_paraphrases = lambda path: [(path, "many")]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tertium.text.wordnet", wordnet)
    monkeypatch.setitem(sys.modules, "tertium.text.paraphrases", paraphrases)
    for make in matchers._synonym_matcher, matchers._paraphrase_matcher:
        make.cache_clear()
    match = "exact+stem+synonym+paraphrase"
    alignment = align(
        "lots of banks shore", "many bank depot bank",
        match=match, synonyms="wn", paraphrases="lots of",
    )  # fmt: skip
    assert [m.matcher for m in alignment] == ["paraphrase", "stem", "synonym"]
    for make in matchers._synonym_matcher, matchers._paraphrase_matcher:
        make.cache_clear()


def test_paraphrases_match_in_both_directions_and_any_batch():
    table = ParaphraseMatcher(
        iter([("a lot of", "many"), ("many", "a lot of"), ("x", "x")])
    )
    assert len(table) == 1
    made = Aligner(matchers=[ExactMatcher(), table])
    pairs = made.pairs(
        [["many cats"], ["a lot of cats"]], [["a lot of cats", "many cats"]]
    )
    assert pairs.matches(0, 0, 0)[0][:5] == (0, 1, 0, 3, 1)
    assert pairs.matches(1, 0, 1)[0][:5] == (0, 3, 0, 1, 1)
    assert len(pairs.matches(0, 0, 1)) == 2
    assert made.alignment(pairs, 0, 0, 0).chunks == 1


def test_paraphrases_read_spaces_and_nothing_else_loosely():
    table = ParaphraseMatcher([("  a   b ", "c"), ("", "d"), (" ", "e")])
    assert len(table) == 1
    assert len(align("a b", "c", matchers=[table])) == 1


def test_a_table_refuses_what_is_no_pair_of_texts():
    with pytest.raises(ValueError, match="not a pair"):
        ParaphraseMatcher([("a", "b", "c")])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="phrase 0 is of type int"):
        ParaphraseMatcher([(1, "b")])  # type: ignore[list-item]


def test_a_matcher_of_a_user_may_match_phrases():
    alignment = align("a b c", "c b a", matchers=[ExactMatcher(), Reversed()])
    assert [(*m[:4], m.matcher) for m in alignment] == [(0, 3, 0, 3, "reversed")]
    made = Aligner(matchers=[Reversed()])
    pairs = made.pairs([["a b", "x"], ["b a", "y"]], [["b a", "a b"], ["x"]])
    places = [(s, i, r) for s in (0, 1) for i, r in ((0, 0), (0, 1), (1, 0))]
    assert [len(pairs.matches(*place)) for place in places] == [1, 0, 1, 0, 1, 0]


@pytest.mark.parametrize(
    "bad", [(0, 0, 0, 1), (0, 4, 0, 1), (0, 1, 0), (-1, 1, 0, 1), (0, 1, 3, 1)]
)
def test_wrong_matches_of_a_user_are_input_errors(bad):
    class Wrong:
        name = "wrong"

        def matches(self, hyp, ref):
            return [bad]

    with pytest.raises(InputError, match="segment 0"):
        align("a b c", "a b c", matchers=[Wrong()])


def test_keys_for_too_few_words_are_an_error():
    class Short:
        name = "short"

        def keys(self, words):
            return []

    with pytest.raises(InputError, match="matcher short gave keys for 0 of 1 words"):
        align("a", "a", matchers=[Short()])


def test_registered_matchers_have_a_name_of_their_own(monkeypatch):
    monkeypatch.setattr(matchers, "_registered", {})
    register_matcher("backwards", lambda language: Reversed())
    assert align("a b", "b a", match="backwards").matches[0].matcher == "reversed"
    for name in ("backwards", "stem", "", "a+b"):
        with pytest.raises(InputError):
            register_matcher(name, lambda language: Reversed())


@pytest.mark.parametrize(
    ("setting", "name"), [("synonyms", "synonym"), ("paraphrases", "paraphrase")]
)
def test_resources_without_their_matcher_are_rejected(setting, name):
    message = f"{setting}=/nowhere is read by the matcher {name} only"
    with pytest.raises(InputError, match=f"recpef: {message}"):
        tertium.metric(f"recpef:match=exact,{setting}=/nowhere")
    with pytest.raises(InputError, match=message):
        matchers.make_matchers("exact", **{setting: "/nowhere"})


def test_short_codes_are_listed_not_guessed():
    with pytest.raises(UnknownNameError, match="choose from ar, arabic"):
        matchers.stemmer_name("zh")
