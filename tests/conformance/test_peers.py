# SPDX-License-Identifier: Apache-2.0
"""WER equals jiwer and RapidFuzz; RIBES and NIST equal NLTK; classes equal regex."""

from __future__ import annotations

import jiwer
import pytest
import regex
from hypothesis import assume, given
from rapidfuzz.distance import Levenshtein

import tertium
from support.strategies import plain_lines, segments
from tertium.text import tokenize


@given(segments(plain_lines, max_refs=1))
def test_wer_equals_jiwer(data):
    refs, hyps = [r[0] for _, r in data], [h for h, _ in data]
    assume(all(ref.strip() for ref in refs))  # jiwer rejects empty references
    expected = jiwer.wer(refs, hyps)
    assert tertium.metric("wer").corpus_score(hyps, refs) == pytest.approx(expected)


@pytest.mark.wmt
def test_wer_equals_rapidfuzz_on_news_text(wmt15):
    refs = [refs[0] for refs in wmt15.references]
    for hyps in wmt15.systems.values():
        rows = tertium.metric("wer").statistics(hyps, refs)
        for row, hyp, ref in zip(rows[::20], hyps[::20], refs[::20], strict=True):
            assert row[0] == Levenshtein.distance(hyp.split(), ref.split())


@given(segments(plain_lines))
def test_ribes_equals_nltk(data):
    from nltk.translate.ribes_score import sentence_ribes

    hyps, refs = [h for h, _ in data], [r for _, r in data]
    scores = tertium.metric("ribes").segment_scores(hyps, refs)
    for hyp, one, score in zip(hyps, refs, scores, strict=True):
        expected = sentence_ribes([ref.split() for ref in one], hyp.split())
        assert score == pytest.approx(expected, abs=1e-12)


@given(segments(plain_lines))
def test_nist_equals_nltk(data):
    from nltk.translate.nist_score import corpus_nist

    # NLTK divides by zero unless some segment has n-grams of every order.
    assume(any(len(h.split()) >= 5 for h, _ in data))
    hyps, refs = [h for h, _ in data], [r for _, r in data]
    # Of references with equal weight the longest counts, but sums that are equal on
    # paper may differ in the last bit: here all of a segment have the same length.
    shortest = [min(len(ref.split()) for ref in one) for one in refs]
    refs = [
        [" ".join(ref.split()[:size]) for ref in one]
        for one, size in zip(refs, shortest, strict=True)
    ]
    assume(any(shortest))
    expected = corpus_nist(
        [[ref.split() for ref in one] for one in refs], [h.split() for h in hyps]
    )
    score = tertium.metric("nist").corpus_score(hyps, refs)
    assert score == pytest.approx(expected, abs=1e-9)


def test_nist_takes_the_length_of_the_best_reference_as_nltk_does():
    from nltk.translate.nist_score import corpus_nist

    hyps, refs = ["a b c d e", "f g h i j"], [["a b x", "a b c y z u"], ["f", "g h"]]
    expected = corpus_nist(
        [[ref.split() for ref in one] for one in refs], [h.split() for h in hyps]
    )
    score = tertium.metric("nist").corpus_score(hyps, refs)
    assert score == pytest.approx(expected, abs=1e-12)


@pytest.mark.wmt
@pytest.mark.slow
def test_ribes_and_nist_equal_nltk_on_news_text(wmt15):
    from nltk.translate.nist_score import corpus_nist
    from nltk.translate.ribes_score import corpus_ribes

    part = wmt15.select(range(0, len(wmt15), 4))
    hyps = part.systems["online-B.0"]
    refs = [[ref.split() for ref in one] for one in part.references]
    words = [hyp.split() for hyp in hyps]
    ribes = tertium.metric("ribes").corpus_score(hyps, part.references)
    assert ribes == pytest.approx(corpus_ribes(refs, words), abs=1e-9)
    nist = tertium.metric("nist").corpus_score(hyps, part.references)
    assert nist == pytest.approx(corpus_nist(refs, words), abs=1e-9)


def test_intl_classes_equal_those_of_regex():
    """If this fails, `regex` knows a newer Unicode: run tools/make_unicode_tables."""
    points = [chr(c) for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]
    text = "".join(points)
    kinds = {kind: set(regex.findall(rf"\p{{{kind}}}", text)) for kind in "NPS"}
    # A symbol is set apart everywhere; punctuation only beside a non-number.
    marks = sorted(kinds["S"] | kinds["P"])
    result = tokenize([f"a{char}1" for char in marks], "intl")
    assert result == [["a", char, "1"] for char in marks]
    # All others, of which there are a million, make one word.
    others = "".join("".join(regex.findall(r"[^\p{S}\p{P}]", text)).split())
    assert tokenize([others], "intl") == [[others]]
    numbers = [f"{char}.5" for char in sorted(kinds["N"])]
    assert all(len(tokens) == 1 for tokens in tokenize(numbers, "intl"))
