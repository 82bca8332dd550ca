# SPDX-License-Identifier: Apache-2.0
"""Kinds of word errors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import word_errors as oracle
from tertium import _core
from tertium.align import Aligner
from tertium.align.matchers import ExactMatcher, StemMatcher
from tertium.analysis.intervals import Resampler
from tertium.analysis.word_errors import KINDS, count_errors, label_errors
from tertium.analysis.words import split

WORDS = ["cat", "cats", "Cat", "walk", "walked", "walking", "red", "a", ".", ",", "!"]
texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
PLACES = {kind: number for number, kind in enumerate(KINDS)}


def counts(hyp, *refs, language="en"):
    (labelled,) = label_errors([[hyp]], [refs], language=language)
    return {k: n for k, n in zip(KINDS, labelled.counts[0], strict=True) if n}


def slow(hyp, ref):
    """Return the flags of the oracle for the alignment that the aligner finds."""
    aligner = Aligner(matchers=[ExactMatcher(), StemMatcher("en")])
    pairs = aligner.token_pairs([[split(hyp)]], [[split(ref)]], systems=[[hyp]])
    matches = [
        (match.hyp, match.ref, match.matcher == "exact")
        for match in aligner.alignment(pairs)
    ]
    marks = [[_core.is_punctuation(w) for w in split(text)] for text in (hyp, ref)]
    return oracle.label(*marks, matches)


@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), max_size=6))
def test_labels_equal_the_oracle(segments):
    hyps = [hyp for hyp, _ in segments]
    refs = [tuple(refs) for _, refs in segments]
    (labelled,) = label_errors([hyps], refs, language="en")
    for number, (hyp, texts) in enumerate(segments):
        each = [slow(hyp, ref) for ref in texts]
        wrong = [sum(map(bool, out)) + sum(map(bool, want)) for out, want in each]
        chosen = wrong.index(min(wrong))
        assert labelled.chosen[number] == chosen
        assert list(labelled.output[number]) == each[chosen][0]
        assert list(labelled.reference[number]) == each[chosen][1]
        assert labelled.lengths[number] == len(split(texts[chosen]))


@given(st.permutations(range(9)))
def test_rising_sequences_are_as_long_as_any(places):
    kept = sorted(oracle.rising(list(places)))
    values = [places[i] for i in kept]
    assert values == sorted(values)
    hyp = " ".join(f"w{place}" for place in places)
    (labelled,) = label_errors([[hyp]], [[" ".join(f"w{i}" for i in range(9))]])
    assert labelled.counts[0, PLACES["order"]] == 9 - len(kept)


@pytest.mark.parametrize(
    ("hyp", "ref", "expected"),
    [
        ("the cat sat", "the cat sat", {}),
        ("The Cat sat", "the cat sat", {}),
        ("the cats sat", "the cat sat", {"inflection": 1}),
        ("the dog sat", "the cat sat", {"lexical choice": 1}),
        ("the black cat sat", "the cat sat", {"extra": 1}),
        ("the cat", "the cat sat", {"missing": 1}),
        ("sat the cat", "the cat sat", {"order": 1}),
        ("cats the sat", "the cat sat", {"inflection": 1, "order": 1}),
        ("the cat sat !", "the cat sat .", {"punctuation": 1}),
        ("the cat sat", "the cat sat .", {"punctuation": 1}),
        ("the cat , sat", "the cat sat", {"punctuation": 1}),
        (", the cat sat", "the cat sat ,", {"punctuation": 1}),
        ("", "the cat", {"missing": 2}),
        ("the cat", "", {"extra": 2}),
        ("", "", {}),
    ],
)
def test_kinds_are_as_documented(hyp, ref, expected):
    assert counts(hyp, ref) == expected


def test_a_word_and_a_sign_do_not_stand_for_each_other():
    assert counts("the cat !", "the cat sat") == {"missing": 1, "punctuation": 1}


def test_without_a_stemmer_inflection_is_another_word():
    assert counts("the cats", "the cat", language="") == {"lexical choice": 1}
    assert counts("the cats", "the cat", language="tlh") == {"lexical choice": 1}


def test_the_reference_with_the_fewest_errors_counts():
    assert counts("a b c", "x y z", "a b c d") == {"missing": 1}
    (labelled,) = label_errors([["a b"]], [["a x", "a y"]])
    assert labelled.chosen == [0]


def test_links_lead_to_the_words_of_the_reference():
    (labelled,) = label_errors([["b a x", ""]], [["a b"], ["c"]])
    assert [links.tolist() for links in labelled.links] == [[1, 0, -1], []]


def test_threads_and_neighbours_do_not_matter():
    rng = np.random.default_rng(1)
    hyps = [" ".join(rng.choice(WORDS, rng.integers(9))) for _ in range(300)]
    refs = [[" ".join(rng.choice(WORDS, rng.integers(9)))] for _ in range(300)]
    one, many = (
        label_errors([hyps, hyps[::-1]], refs, language="en", threads=threads)
        for threads in (1, 3)
    )
    for a, b in zip(one, many, strict=True):
        assert a.output == b.output
        assert a.reference == b.reference
        assert (a.counts == b.counts).all()
    (alone,) = label_errors([hyps[7:8]], refs[7:8], language="en")
    assert alone.output[0] == one[0].output[7]


def test_rates_are_errors_per_hundred_words_of_the_reference():
    refs = [["the cat sat down"], ["a dog"]] * 10
    labels = dict(
        zip(
            "AB",
            label_errors(
                [["the cats sat down", "a dog"] * 10, ["", "a dog"] * 10], refs
            ),
            strict=True,
        )
    )
    kinds = count_errors(labels, Resampler((0, 1), 200, 1, 0.05))
    by_kind = {each.kind: each for each in kinds}
    assert list(by_kind) == list(KINDS)
    missing = by_kind["missing"]
    assert missing.counts == {"A": 0, "B": 40}
    assert missing.rates["B"].value == pytest.approx(100 * 40 / 60)
    assert missing.difference.delta == pytest.approx(-100 * 40 / 60)
    assert missing.difference.p_adjusted < 0.05 < by_kind["order"].difference.p_adjusted
    assert missing.to_dict()["rates"]["A"]["value"] == 0
