# SPDX-License-Identifier: Apache-2.0
"""AMBER against its slow twin, and its settings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from oracles import amber
from tertium.errors import InputError, UnknownNameError

FORMS = [
    "words", "prefixes", "suffixes", "prefix-split", "suffix-split", "pieces",
    "windows",
]  # fmt: skip
#: Words of one to ten characters, some with a common start or end.
WORDS = ["a", "at", "the", "über", "walks", "walked", "talked", "überwalked", "čaj"]

texts = st.lists(st.sampled_from(WORDS), max_size=9)
pairs = st.lists(st.tuples(texts, texts), min_size=1, max_size=3)


def joined(lists):
    return [" ".join(words) for words in lists]


@pytest.mark.parametrize("form", FORMS)
@given(pairs=pairs)
def test_every_form_equals_the_twin(form, pairs):
    hyps, refs = zip(*pairs, strict=True)
    metric = tertium.metric(f"amber:tokenize=none,forms={form}")
    expected = amber.amber(
        [amber.tokens(form, hyp) for hyp in hyps],
        [amber.tokens(form, ref) for ref in refs],
    )
    score = metric.corpus_score(joined(hyps), joined(refs))
    assert score == pytest.approx(expected, abs=1e-12)


@given(hyp=texts, ref=texts)
def test_the_score_is_the_mean_of_the_forms(hyp, ref):
    hyp, ref = " ".join(hyp), " ".join(ref)
    each = [
        tertium.metric(f"amber:forms={form}").corpus_score([hyp], [ref])
        for form in (*FORMS, "stems")
    ]
    score = tertium.metric("amber").corpus_score([hyp], [ref])
    assert score == pytest.approx(sum(each) / 8, abs=1e-12)


def test_stems_are_words_without_their_endings():
    hyp, ref = "dogs barking loudly", "dog barked loudly"
    words, stems = (
        tertium.metric(f"amber:forms={form}").corpus_score([hyp], [ref])
        for form in ("words", "stems")
    )
    assert words < stems
    same = tertium.metric("amber:forms=words").corpus_score(
        ["dog bark loud"], ["dog bark loud"]
    )
    assert stems == same == 1


def test_a_separator_in_a_text_is_white_space():
    metric = tertium.metric("amber")
    plain = metric.corpus_score(["a b\tc d"], ["a b c d"])
    assert metric.corpus_score(["a b\x1ec d"], ["a b c d"]) == plain


def test_languages_without_stems_have_seven_forms():
    metric = tertium.metric("amber:language=lv")
    assert "stems" not in metric.form_names
    assert metric.signature.count("stems") == 0
    assert metric.corpus_score(["labdien pasaule"], ["labdien pasaule"]) == 1


@pytest.mark.parametrize(
    "setting",
    [
        "brevity", "redundancy", "char_brevity", "char_redundancy", "short_words",
        "long_words", "chunks", "continuity", "spearman", "kendall",
    ],
)  # fmt: skip
def test_every_penalty_lowers_the_score(setting):
    short = "the is walk dog"
    ref = "the old dog is walking"
    hyp = "old the walking overlong is dogs"
    hyp = short if "brevity" in setting else hyp
    one, more = (
        tertium.metric(f"amber:{setting}={weight}").corpus_score([hyp], [ref])
        for weight in (0, 3)
    )
    assert more < one


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("amber:forms=words+letters", "letters"),
        ("amber:forms=words+words", "has a form twice"),
        ("amber:theta_f=0.5", "add up to 1.3"),
        ("amber:forms=stems,language=lv", "no stems of language=lv"),
    ],
)
def test_wrong_settings_are_errors(spec, message):
    with pytest.raises((InputError, UnknownNameError), match=message):
        tertium.metric(spec)


def test_the_best_reference_counts_in_every_form():
    metric = tertium.metric("amber")
    refs = ["quite another sentence", "the old dog is walking"]
    assert metric.corpus_score([refs[1]], [refs]) == 1
    assert metric.corpus_score([refs[1]], [refs[:1]]) < 0.5
