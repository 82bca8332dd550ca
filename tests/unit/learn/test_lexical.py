# SPDX-License-Identifier: Apache-2.0
"""The features of BEER 4: the kernel against its slow twin."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tertium
from oracles import lexical as oracle
from tertium import _core
from tertium.errors import InputError
from tertium.learn.features.blocks import Resources
from tertium.learn.features.lexical import Lexical
from tertium.learn.profile import profile
from tertium.text.wordlists import find_word_list

ENGLISH = find_word_list("en")
PLAIN, LISTED = Lexical("none"), Lexical("en")

WORDS = [
    "the", "The", "of", "a", "cat", "cats", "catching", "Verhandlung", "negotiations",
    "über", "Über", "naïve", "3", "1,000.5", "12:30", "½", "-", "—", "’s", "'", "''",
    "“", "”", ".", ",", "?", "!", "(", ")", "Москва", "город", "घर", "東京", "ไทย",
    "X1", "é\u0301", "_", "Σίσυφος", "ﬁ",
]  # fmt: skip
texts = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=12).map("".join),
    st.text("aAbB .,'1é–\tЖ\u3000", max_size=30),
)


@given(hyp=texts, ref=texts)
@example("", "")
@example("", "a")
@example("a", "")
@example("...", "'''")
def test_features_equal_the_definition(hyp, ref):
    row = PLAIN.features([hyp], [ref])[0]
    assert row == pytest.approx(oracle.features(hyp, ref), abs=1e-12)


@given(hyp=texts, ref=texts)
@example("the Zyxwv saw Qwerty", "the Abcdefg saw nobody")
def test_features_with_a_word_list_equal_the_definition(hyp, ref):
    row = LISTED.features([hyp], [ref])[0]
    assert row == pytest.approx(oracle.features(hyp, ref, ENGLISH.zipf), abs=1e-12)


@pytest.mark.parametrize("sizes", [(150, 140), (300, 20), (20, 300)])
def test_long_texts_equal_the_definition(sizes):
    draw = random.Random(sum(sizes))
    hyp, ref = (" ".join(draw.choices(WORDS, k=size)) for size in sizes)
    row = PLAIN.features([hyp], [ref])[0]
    assert row == pytest.approx(oracle.features(hyp, ref), abs=1e-12)


@given(text=texts)
def test_words_are_those_of_the_definition(text):
    assert _core.lexemes([text])[0] == [w.lower for w in oracle.words_of(text)]


@given(ref=texts, hyp=texts)
def test_no_text_beats_a_copy_in_any_feature(ref, hyp):
    for block in (PLAIN, LISTED):
        copy, row = block.features([ref, hyp], [ref, ref])
        best = [0.0 if name_is_loss(name) else 1.0 for name in block.names]
        assert copy == pytest.approx(best, abs=1e-12)
        assert (row <= copy + 1e-12).all()


def name_is_loss(name):
    losses = ("chunks", "distance", "difference", "lack", "script", "rate", "count")
    return name.endswith(losses)


def test_a_word_repeated_thousands_of_times_takes_linear_time():
    hyp, ref = "la " * 30_000, "la " * 40_000
    row = dict(zip(PLAIN.names, PLAIN.features([hyp], [ref])[0], strict=True))
    assert row["order.continuity"] == 1.0
    assert row["order.rising"] == pytest.approx(0.75)


def test_names_are_not_unknown_words_where_the_reference_has_another_spelling():
    ref = "On Monday Poroshenko met the delegation in Kiev ."
    rare = column(
        "unknown.capital.count", ref.replace("Poroshenko", "Poroschenko"), ref
    )
    assert rare == 0.0
    left = column("unknown.capital.count", ref.replace("delegation", "Abordnung"), ref)
    assert left == -0.25


def test_a_name_absent_from_the_reference_costs_no_more_than_another_absent_word():
    metric = tertium.metric("beer:language=en")
    ref = "Yesterday Angela Kowalczyk opened the new library in our town ."
    name, lower = (
        metric.corpus_score([ref.replace("Kowalczyk", word)], [ref])
        for word in ("Stanojevic", "stanojevic")
    )
    assert name > lower


def column(name, hyp, ref):
    return LISTED.features([hyp], [ref])[0][LISTED.names.index(name)]


@pytest.mark.parametrize("language", ["", "en"])
@pytest.mark.parametrize("group", [None, "char", "order", "edit"])
def test_the_fused_score_equals_that_of_the_features(language, group):
    whole = profile("beer-4").equipped(Resources(language)).fitted([])
    features = whole.without(group) if group else whole
    testset = tertium.read("demo")
    refs = [each[0] for each in testset.references]
    hyps = testset.systems["words"]
    from tertium.learn.model import Model
    from tertium.learn.rankers import Linear
    from tertium.learn.scalers import Scaler
    from tertium.learn.scoring import FeatureScorer, FusedScorer, model_scorer

    draw = np.random.default_rng(1)
    weights = tuple(draw.random(len(features.names)).tolist())
    model = Model(features, Linear(weights, 0.3), Scaler("relative", 0.2))
    fused = model_scorer(model, name="model")
    assert isinstance(fused, FusedScorer)
    batch = tertium.metric("chrf").checked([hyps], refs)
    rows = [scorer.rows(batch, 1)[0] for scorer in (fused, FeatureScorer(model, "m"))]
    assert rows[0] == pytest.approx(rows[1], abs=1e-12)


def test_a_model_rejects_another_word_list_than_its_own():
    table = {"kind": "lexical", "words": "en", "fingerprint": "000000000000"}
    with pytest.raises(InputError, match="trained with the word list 000000000000"):
        Lexical.read(table, where="here")


def test_lone_surrogates_are_named():
    with pytest.raises(InputError, match="surrogate"):
        PLAIN.features(["a \ud800"], ["a"])


def test_a_profile_names_no_file(tmp_path):
    find_word_list("en").save(tmp_path / "own.words")
    table = {"kind": "lexical", "words": str(tmp_path / "own.words")}
    with pytest.raises(InputError, match="words in here"):
        Lexical.read(table, where="here")
    brought = Lexical("language").equipped(
        Resources(wordlist=str(tmp_path / "own.words"))
    )
    assert brought.to_json()["words"] == "file"
    again = Lexical.read(brought.to_json(), where="here")
    with pytest.raises(InputError, match="name its file with wordlist=PATH"):
        again.features(["a"], ["a"])
