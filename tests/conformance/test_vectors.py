# SPDX-License-Identifier: Apache-2.0
"""Worked examples of Macháček (2014), figures 4.1 and 4.2, and of the papers."""

from __future__ import annotations

import pytest

import tertium

AIRPORT = "we met at the airport at seven o'clock ."


def score(spec: str, hyp: str, *refs: str) -> float:
    return tertium.metric(spec).corpus_score([hyp], [list(refs)])


def test_wer_of_figure_4_1():
    assert score("wer", "we have met at seven o'clock .", AIRPORT) == pytest.approx(
        4 / 9
    )


def test_cder_of_figure_4_2():
    """The path drawn there costs 5; jumping back to the earlier `at` costs 4."""
    hyp = "we have met at seven o'clock on the airport ."
    assert score("wer", hyp, AIRPORT) == pytest.approx(6 / 9)
    assert score("cder", hyp, AIRPORT) == pytest.approx(4 / 9)


def test_per_of_both_figures():
    first = "we have met at seven o'clock ."
    second = "we have met at seven o'clock on the airport ."
    assert 1 - score("per", first, AIRPORT) == pytest.approx(0.6667, abs=1e-4)
    assert 1 - score("per", second, AIRPORT) == pytest.approx(0.7778, abs=1e-4)


@pytest.mark.parametrize(
    ("hyp", "ref", "wer", "cder", "per"),
    [
        ("a b c d e f", "d e f a b c", 6, 3, 0),
        ("a b c d", "a b", 2, 1, 2),
        ("", "a b c", 3, 3, 3),
    ],
)
def test_error_counts(hyp, ref, wer, cder, per):
    errors = [
        tertium.metric(name).statistics([hyp], [ref])[0][0]
        for name in ("wer", "cder", "per")
    ]
    assert errors == [wer, cder, per]


def test_bleu_of_three_orders_divides_by_the_ngrams_of_the_output():
    """T4 of the DTED specification; the thesis divides by those of the reference."""
    hyp, ref = "the mat had sat on the cat", "cats had sat on a mat"
    spec = "bleu:max_ngram_order=3,smooth_method=none,tokenize=none"
    expected = (4 / 7 * 2 / 6 * 1 / 5) ** (1 / 3)
    assert score(spec, hyp, ref) / 100 == pytest.approx(expected)
    assert expected == pytest.approx(0.336, abs=5e-4)


@pytest.mark.parametrize(
    ("hyp", "matches", "bleu", "sentbleu", "nrc"),
    [
        ("the cat is on mat now", [4, 1, 0, 0], 0, 0.33032, 0.23066),
        ("the cat sat on a mat", [5, 3, 2, 1], 0.53728, 0.64346, 0.56110),
    ],
)
def test_bleu_family(hyp, matches, bleu, sentbleu, nrc):
    ref = "the cat sat on the mat"
    row = tertium.metric("bleu").statistics([hyp], [ref])[0]
    assert row[2:6].tolist() == matches
    spec = "bleu:smooth_method=none"
    assert score(spec, hyp, ref) / 100 == pytest.approx(bleu, abs=5e-6)
    assert score("sentbleu-plus1", hyp, ref) / 100 == pytest.approx(sentbleu, abs=5e-6)
    assert score("bleu-nrc", hyp, ref) / 100 == pytest.approx(nrc, abs=5e-6)


def test_seven_times_the_is_clipped():
    """Papineni et al. (2002), example 2: two sevenths."""
    refs = ["the cat is on the mat", "there is a cat on the mat"]
    row = tertium.metric("bleu").statistics(["the " * 7], [refs])[0]
    assert (row[2], row[6]) == (2, 7)


@pytest.mark.parametrize(
    ("mode", "length"),
    [("closest", 6), ("shortest", 2), ("average", 4.5), ("longest", 7)],
)
def test_reference_lengths(mode, length):
    refs = ["a b", "a b c", "a b c d e f", "a b c d e f g"]
    metric = tertium.metric(f"bleu:ref_length={mode}")
    assert metric.statistics(["x x x x x"], [refs])[0][1] == length


def test_ribes_of_isozaki():
    """The ranks of Isozaki et al. (2010), section 2: 7 8 9 10 6 0 1 2 3 4 5."""
    ref, hyp = "a b c d e f g h i j k", "h i j k g a b c d e f"
    assert score("ribes", hyp, ref) == pytest.approx(21 / 55)


def test_a_mean_of_metrics_weighs_its_parts():
    parts = {"bleu": 0.26, "wer": 0.5, "chrf++": 0.24}
    hyp, ref = "the cat sat on a mat", "the cat sat on the mat"
    expected = (
        0.26 * score("bleu", hyp, ref)
        + 0.5 * (100 - 100 * score("wer", hyp, ref))
        + 0.24 * score("chrf++", hyp, ref)
    )
    spec = "mean:" + "+".join(f"{name}*{weight}" for name, weight in parts.items())
    assert score(spec, hyp, ref) == pytest.approx(expected)
