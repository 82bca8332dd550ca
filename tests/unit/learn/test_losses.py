# SPDX-License-Identifier: Apache-2.0
"""What a score lost: points of groups, and the words that the kernel counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tertium
from oracles import lexical as oracle
from tertium import _core
from tertium.learn.features.lexical import Lexical
from tertium.learn.features.lexical_words import LexicalPair, LexicalText
from tertium.learn.losses import score_losses
from tertium.learn.model import Model, load_model
from tertium.learn.profile import Profile
from tertium.learn.rankers import Linear
from tertium.learn.scalers import BEND, Scaler
from tertium.text.wordlists import find_word_list

ENGLISH = find_word_list("en")
LISTED = Lexical("en")
REF = "The mayor will open the new bridge on Friday ."

WORDS = [
    "the", "The", "of", "a", "cat", "cats", "catching", "Verhandlung", "Schritt",
    "negotiations", "über", "Über", "naïve", "zqxv", "Zqxv", "Qwrtz", "žluťoučký",
    "3", "1,000.5", "’s", "''",
    "“", ".", ",", "Москва", "город", "東京", "ไทย", "é\u0301",
]  # fmt: skip
texts = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=8).map("".join),
    st.text("aAbB .,'1é–\tЖ\u3000", max_size=30),
)


def features(hyp, ref):
    return dict(zip(LISTED.names, LISTED.features([hyp], [ref])[0], strict=True))


def lost(spec, hyp, *refs):
    return score_losses(tertium.metric(spec).trained, hyp, refs, metric=spec)


def sentences(spec, hyp, *refs):
    return {loss.group: str(loss.note) for loss in lost(spec, hyp, *refs).losses}


# ------------------------------------------------------------------------- the words


@given(text=texts)
def test_lexemes_are_those_of_the_definition(text):
    read = LexicalText.read(text, ENGLISH)
    words = oracle.words_of(text)
    assert read.characters == oracle.normalised(text)
    assert [(w.text, w.lower, w.stem, w.kind) for w in read.lexemes] == [
        tuple(word) for word in words
    ]
    assert [w.lower for w in read.lexemes] == _core.lexemes([text])[0]
    assert [w.band / 10 for w in read.lexemes] == [ENGLISH.zipf(w.lower) for w in words]


@given(hyp=texts, ref=texts)
@example("the Zqxv saw Qwrtz and Schritt", "the Zqxw saw nobody")
@example("Zqxv zqxv", "")
def test_the_unknown_words_are_as_many_as_the_kernel_counts(hyp, ref):
    pair = LexicalPair.read(hyp, ref, ENGLISH)
    row, size = features(hyp, ref), len(pair.hyp.lexemes)
    for kind, words in pair.unknown_words().items():
        assert len(words) == pytest.approx(-row[f"unknown.{kind}.rate"] * size)
        rarities = {w.text: w.rarity for w in pair.hyp.lexemes}
        assert all(rarities[word] == kind for word in words)


@given(hyp=texts, ref=texts)
def test_the_words_without_a_match_are_as_many_as_the_kernel_counts(hyp, ref):
    pair, row = LexicalPair.read(hyp, ref, ENGLISH), features(hyp, ref)
    sizes = {
        "word1": [len(side.lexemes) for side in (pair.hyp, pair.ref)],
        "function-words": [
            sum(word.is_function_word for word in side.lexemes)
            for side in (pair.hyp, pair.ref)
        ],
    }
    differences = {"word1": pair.words(), "function-words": pair.function_words()}
    for name, (in_hyp, in_ref) in sizes.items():
        if in_hyp:
            extra = in_hyp * (1 - row[f"{name}.p"])
            assert len(differences[name].extra) == pytest.approx(extra)
        if in_ref:
            missing = in_ref * (1 - row[f"{name}.r"])
            assert len(differences[name].missing) == pytest.approx(missing)


@given(hyp=texts, ref=texts)
def test_the_stems_without_a_match_weigh_what_the_kernel_counts(hyp, ref):
    pair, row = LexicalPair.read(hyp, ref, ENGLISH), features(hyp, ref)
    weights: dict[str, float] = {}
    for word in pair.ref.lexemes:
        weight = oracle.weight(word.band / 10)
        weights[word.stem] = min(weight, weights.get(word.stem, weight))
    stems = {w.text: w.stem for w in pair.ref.lexemes}
    missing = pair.stems().missing
    total = sum(weights[word.stem] for word in pair.ref.lexemes)
    if total:
        share = sum(weights[stems[word]] for word in missing) / total
        assert share == pytest.approx(1 - row["stem.r"])
    in_hyp = Counter(w.stem for w in pair.hyp.lexemes)
    in_ref = Counter(w.stem for w in pair.ref.lexemes)
    assert pair.matched_stems == (in_hyp & in_ref).total()


@given(hyp=texts, ref=texts)
def test_the_letters_of_another_script_are_those_that_the_kernel_counts(hyp, ref):
    words, count, total = LexicalPair.read(hyp, ref, None).foreign_letters()
    value = features(hyp, ref)["script"]
    assert value == pytest.approx(-count / total if total else 0.0)
    assert bool(words) == bool(count)


def test_the_unknown_word_most_like_a_missing_name_is_not_named():
    ref = "On Monday Poroshenko met the delegation in Kiev ."
    hyp = "On Monday Poroschenko met the Abordnung in Kiev ."
    words = LexicalPair.read(hyp, ref, ENGLISH).unknown_words()
    assert words["capital"] == ("Abordnung",)


def test_of_very_many_unknown_words_the_first_are_named_at_once():
    hyp = " ".join(f"Zq{'x' * (n % 90)}v" for n in range(900))
    ref = " ".join(f"the Qz{'y' * (n % 80)}w" for n in range(400))
    words = LexicalPair.read(hyp, ref, ENGLISH).unknown_words()["capital"]
    assert len(words) == 500


# ------------------------------------------------------------------------ the points


@given(hyp=texts, ref=texts, other=texts)
@example(REF.replace("bridge", "Brücke"), REF, "")
def test_points_sum_to_what_the_score_lost(hyp, ref, other):
    for spec in ("beer", "beer:language=en"):
        metric = tertium.metric(spec)
        result = lost(spec, hyp, ref, other)
        score = metric.segment_scores([hyp], [(ref, other)])[0]
        assert result.score == pytest.approx(score, abs=1e-9)
        assert result.in_points == (score >= BEND - 1e-12)
        if result.in_points:
            points = sum(loss.points for loss in result.losses)
            assert points == pytest.approx(1 - score, abs=1e-9)


@pytest.mark.parametrize(
    "name", ["beer-1.0", "beer-1.1", "beer-2.0", "beer-3.0", "treepel"]
)
def test_models_of_older_profiles_have_shares_and_generic_sentences(name):
    result = lost(f"beer:profile={name}", "On Friday opens the mayor", REF)
    assert not result.in_points
    positive = [loss.share for loss in result.losses if loss.loss > 0]
    assert sum(positive) == pytest.approx(1)
    codes = {loss.note.code for loss in result.losses}
    assert codes <= {"loss-feature", "loss-gain", "loss-none"}
    score = tertium.metric(f"beer:profile={name}").segment_scores(
        ["On Friday opens the mayor"], [REF]
    )[0]
    assert result.score == pytest.approx(score)


def test_below_the_bend_there_are_shares_alone():
    result = lost("beer:language=en", "zqxv", REF)
    assert result.score < BEND
    assert all(loss.points is None for loss in result.losses)
    assert sum(loss.share for loss in result.losses) == pytest.approx(1)


def test_losses_are_against_the_best_reference():
    result = lost("beer:language=en", "The bridge opens", REF, "The bridge opens .")
    assert result.reference == 1


def test_a_copy_loses_nothing():
    result = lost("beer:language=en", REF, REF)
    assert result.score == 1
    assert [loss.loss for loss in result.losses] == [0] * len(result.losses)
    assert result.split() == ([], [])


def test_two_tiny_losses_are_set_apart_and_one_is_not():
    result = lost("beer:language=en", REF.replace("bridge", "Brücke"), REF)
    large, tiny = result.split()
    assert len(tiny) != 1
    assert len(result.split(tiny=0.0)[0]) == len(large) + len(tiny)
    assert result.split(tiny=2.0)[0] == []
    one = replace(result, losses=result.losses[:1])
    assert one.split(tiny=2.0) == (list(one.losses), [])


def test_a_model_that_is_not_linear_has_no_losses():
    model = load_model("beer-4")

    class Other:
        kind = "forest"

    assert score_losses(replace(model, ranker=Other()), "a", ["b"]) is None


def test_only_a_line_has_a_slope():
    line = Scaler("relative", 0.5)
    assert line.line_slope(0.0, 1.0) == 0.5
    assert line.line_slope(-1.0, 1.0) is None  # below the bend
    assert line.line_slope(2.0, 1.0) is None  # above a copy
    assert Scaler("quasi").line_slope(0.0, 1.0) is None


# --------------------------------------------------------------------- the sentences


def test_unknown_words_are_named_with_the_language():
    hyp = REF.replace("bridge", "Brücke").replace("mayor", "burgomaestre")
    note = sentences("beer:language=en", hyp, REF)["unknown"]
    assert note == "words that are not English: burgomaestre, Brücke (2 of 10 words)"
    hyp = "Der Bürgermeister öffnet die bridgework am Freitag ."
    ref = hyp.replace("bridgework", "Brücke")
    note = sentences("beer:language=de", hyp, ref)["unknown"]
    assert note == "a word that is not German: bridgework (1 of 8 words)"


def test_many_words_are_named_in_part_and_kept_in_full():
    words = [f"zq{letter}xv" for letter in "abcdefghijkl"]
    (loss,) = [
        loss
        for loss in lost("beer:language=en", f"{REF} {' '.join(words)}", REF).losses
        if loss.group == "unknown"
    ]
    assert str(loss.note).startswith(
        "words that are not English: zqaxv, zqbxv, zqcxv, zqdxv, zqexv, zqfxv, "
        "zqgxv, zqhxv and 4 more (12 of "
    )
    assert list(loss.words) == words


@pytest.fixture
def even():
    """Return a model that weighs all features of BEER 4 alike."""
    model = load_model("beer-4.en")
    names = model.profile.names
    weights = [0.02] * len(names)
    return replace(
        model,
        ranker=Linear(tuple(weights), 0.0),
        scaler=Scaler("relative", 1.0, anchor=True),
        ranges=None,
    )


def described(model, hyp, ref):
    result = score_losses(model, hyp, [ref])
    return {loss.group: str(loss.note) for loss in result.losses}


def test_every_group_has_a_sentence(even):
    hyp = "On Friday will the мэр open new bridge , today ."
    notes = described(even, hyp, REF)
    assert notes["script"] == "script that the reference lacks: мэр (3 of 36 letters)"
    assert notes["function"] == "function words missing: the"
    assert notes["stem"] == (
        "words missing, the rarest first: mayor, the; extra: мэр, “,”, today"
    )
    assert notes["word"] == "words missing: mayor, the; extra: мэр, “,”, today"
    assert notes["order"] == (
        "word order: 8 of 11 words match in 6 blocks, and at most 5 of them are in the "
        "right order"
    )
    assert notes["edit"].startswith("character edits: ")
    assert notes["char"].endswith("% the other way round")
    assert notes["spaced"].startswith("parts of words: ")


@given(hyp=texts, ref=texts)
def test_counts_of_order_and_edits_are_those_of_the_definition(hyp, ref):
    model = tertium.metric("beer").trained
    notes = {loss.group: loss.note for loss in score_losses(model, hyp, [ref]).losses}
    blocks = oracle.common_blocks(
        *([word.stem for word in oracle.words_of(text)] for text in (hyp, ref))
    )
    values = notes["order"].values
    if "chunks" in values:
        joined = sum(
            (i + size, j + size) == (k, m)
            for (i, j, size), (k, m, _) in pairwise(blocks)
        )
        places = [j + k for _, j, size in blocks for k in range(size)]
        assert values["matched"] == sum(size for _, _, size in blocks)
        assert values["chunks"] == len(blocks) - joined
        assert values["rising"] == oracle.longest_rising(places)
    if notes["edit"].code == "loss-edit":
        both = oracle.normalised(hyp), oracle.normalised(ref)
        assert notes["edit"].values["count"] == oracle.edit_distance(*both)


def test_features_of_other_kinds_stand_beside_those_of_beer():
    tables = [
        {"kind": "lexical", "words": "en"},
        {"kind": "units", "units": ["skip2"], "values": ["f1"]},
        {"kind": "metrics", "metrics": ["chrf"]},
    ]
    mixed = Profile.from_json({"name": "mixed", "features": tables})
    weights = (0.01,) * len(mixed.names)
    model = Model(mixed, Linear(weights, 0.0), Scaler("relative", 1.0, anchor=True))
    notes = described(model, "The mayor opens zqxv", REF)
    assert notes["skip"] == "pairs of words: mainly skip2.f1, 0.07 instead of 1.00"
    assert notes["metric"].startswith("other metrics: mainly metric:chrf, ")
    assert notes["unknown"].startswith("a word that is not English: zqxv")
    assert notes["length"] == (
        "length: 4 words and 17 characters; the reference has 10 and 37"
    )


def test_order_is_described_as_far_as_words_match(even):
    note = described(even, "The mayor will open", REF)["order"]
    assert note == "word order: right, but only 4 of 10 words match"
    note = described(even, REF.replace("open", "paint"), REF)["order"]
    assert note == ("word order: right, but 9 of 10 words match in 2 separate blocks")
    note = described(even, "zqxv", REF)["order"]
    assert note == "word order: no word of the reference is in the output"


def test_texts_without_function_words_are_described(even):
    note = described(even, "zqxv qwrtz", "bridges collapsed")["function"]
    assert note.startswith("function words: neither text has any")
    note = described(even, "bridges collapsed", "the bridges collapsed")["function"]
    assert note == "function words missing: the"


def test_sides_without_a_weight_are_not_described():
    # The English model gives recall of function words no weight.
    note = sentences("beer:language=en", REF.replace("on Friday", "of Friday"), REF)
    assert note["function"] == "function words extra: of"


@given(hyp=texts, ref=texts)
def test_every_text_can_be_described(hyp, ref):
    for spec in ("beer", "beer:language=en", "beer:profile=beer-3.0"):
        for loss in lost(spec, hyp, ref).losses:
            assert str(loss.note)
