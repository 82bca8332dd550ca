# SPDX-License-Identifier: Apache-2.0
"""Every kernel against its slow twin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from oracles import edits, ngrams, ranks, tokens
from support.strategies import (
    any_lines,
    lines,
    messy_lines,
    plain_lines,
    segments,
    short_lines,
)
from tertium import _core
from tertium.text import tokenize


@given(st.one_of(messy_lines, any_lines))
def test_13a_in_one_pass_equals_four_regular_expressions(line):
    assert tokenize([line], "13a") == [tokens.tokenize_13a(line)]


@given(st.text(alphabet=".,-019a ", max_size=14))
def test_13a_treats_runs_of_points_as_the_expressions_do(line):
    assert tokenize([line], "13a") == [tokens.tokenize_13a(line)]


_TRICKY = "ab1.,'-’·״٫١％$€👍️é\u0301\u3000\x85 日本ひカナแั。、ー«»_&"


@given(st.text(max_size=30) | st.text(alphabet=_TRICKY, max_size=30))
def test_words_equal_the_twin(line):
    assert tokenize([line], "words") == [tokens.tokenize_words(line)]


def test_words_of_any_script_have_no_punctuation():
    results = {
        "The mat sat on the cat.": "The mat sat on the cat",
        "It's a well-known 9-year-old, 1,000.50 $!": (
            "It's a well-known 9 year-old 1,000.50 $"
        ),
        "„Gut“ – l’été…": "Gut l’été",
        "私は東京タワーへ行く。": "私 は 東 京 タワー へ 行 く",
        "नमस्ते दुनिया।": "नमस्ते दुनिया",
        "안녕하세요, 세계!": "안녕하세요 세계",
        "مرحبا، ١٬٠٠٠؟": "مرحبا ١٬٠٠٠",
        "...": "",
    }
    assert [" ".join(one) for one in tokenize(results, "words")] == list(
        results.values()
    )


@given(segments())
def test_bleu_rows(data):
    metric = tertium.metric("bleu:tokenize=none")
    rows = metric.statistics([h for h, _ in data], [r for _, r in data])
    assert rows.tolist() == [ngrams.bleu_row(h, r) for h, r in data]


@given(segments(plain_lines))
def test_plus_one_smoothing(data):
    metric = tertium.metric("sentbleu-plus1:tokenize=none")
    scores = metric.segment_scores([h for h, _ in data], [r for _, r in data])
    expected = [ngrams.plus_one(ngrams.bleu_row(h, r)) for h, r in data]
    assert scores.tolist() == pytest.approx(expected, abs=1e-9)


@given(segments(plain_lines))
def test_bleu_nrc(data):
    metric = tertium.metric("bleu-nrc:tokenize=none")
    scores = metric.segment_scores([h for h, _ in data], [r for _, r in data])
    expected = [ngrams.bleu_nrc(h, r) for h, r in data]
    assert scores.tolist() == pytest.approx(expected, rel=1e-9)


@given(lines, lines, st.integers(1, 7), st.integers(0, 3))
def test_chrf_rows(hyp, ref, chars, words):
    metric = tertium.metric(f"chrf:char_order={chars},word_order={words}")
    row = metric.statistics([hyp], [ref])[0]
    assert row.tolist() == ngrams.chrf_row(hyp, ref, chars, words)


@given(segments(plain_lines, max_refs=1))
def test_nist(data):
    hyps, refs = [h for h, _ in data], [r for _, r in data]
    score = tertium.metric("nist").corpus_score(hyps, refs)
    assert score == pytest.approx(ngrams.nist(hyps, refs), abs=1e-9)


@given(plain_lines, plain_lines, st.integers(-1, 4), st.sampled_from([0.5, 1.0, 2.0]))
def test_rouge_s(hyp, ref, skip, beta):
    metric = tertium.metric(f"rouge-s:max_skip={skip},beta={beta}")
    expected = ngrams.rouge_s(hyp, ref, skip, beta)
    assert metric.corpus_score([hyp], [ref]) == pytest.approx(expected, abs=1e-12)


@given(
    st.lists(st.integers(0, 5), max_size=200), st.lists(st.integers(0, 5), max_size=200)
)
def test_levenshtein_over_several_blocks(a, b):
    assert _core.levenshtein(a, b, 6) == edits.levenshtein(a, b)


@pytest.mark.parametrize(
    ("name", "twin"),
    [("wer", edits.levenshtein), ("per", edits.per), ("cder", edits.cder)],
)
@given(hyp=plain_lines, ref=plain_lines)
def test_error_rates(name, twin, hyp, ref):
    row = tertium.metric(name).statistics([hyp], [ref])[0]
    assert row.tolist() == [twin(hyp.split(), ref.split()), len(ref.split())]


@given(plain_lines, plain_lines)
def test_ter_edits(hyp, ref):
    row = tertium.metric("ter").statistics([hyp], [ref])[0]
    assert row[0] == edits.ter_edits(hyp.split(), ref.split())


@given(short_lines, short_lines)
def test_character(hyp, ref):
    row = tertium.metric("characTER").statistics([hyp], [ref])[0]
    assert row.tolist() == pytest.approx(edits.character(hyp, ref))


@given(plain_lines, plain_lines)
def test_ribes(hyp, ref):
    score = tertium.metric("ribes").corpus_score([hyp], [ref])
    assert score == pytest.approx(ranks.ribes(hyp, ref), abs=1e-12)
