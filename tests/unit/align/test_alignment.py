# SPDX-License-Identifier: Apache-2.0
"""Alignments of one pair, links, and tau over links."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from oracles import alignment as oracle
from tertium.align import Alignment, Link, WordMatch, align, link_tau
from tertium.errors import InputError, NotDefinedError

links = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12)


@given(links=links)
def test_tau_over_links_is_its_definition(links):
    expected = oracle.link_tau(links)
    tau = link_tau(links)
    assert tau == (None if expected is None else pytest.approx(expected))


def test_tau_takes_links_and_refuses_negative_words():
    assert link_tau([Link(0, 1), Link(1, 0)]) == -1.0
    with pytest.raises(InputError, match="below 0"):
        link_tau([(0, -1)])


@given(
    hyps=st.lists(st.lists(st.sampled_from("abcd"), max_size=7), min_size=1, max_size=3)
)
def test_the_metric_is_the_mean_over_defined_segments(hyps):
    texts, refs = [" ".join(hyp) for hyp in hyps], ["a b c d a"] * len(hyps)
    taus = [
        link_tau(align(text, ref).links())
        for text, ref in zip(texts, refs, strict=True)
    ]
    defined = [tau for tau in taus if tau is not None]
    metric = tertium.metric("link-tau")
    score = metric.corpus_score(texts, refs)
    assert score == pytest.approx(sum(defined) / len(defined) if defined else 0.0)
    undefined = metric.statistics(texts, refs)[:, 2]
    assert undefined.tolist() == [float(tau is None) for tau in taus]


def test_words_keep_their_case_in_an_alignment():
    alignment = align("The Cat.", "the cat .", tokenize="13a")
    assert alignment.hyp == ("The", "Cat", ".")
    assert len(alignment) == 3
    assert len(align("The", "the", lowercase=False)) == 0


def test_links_of_phrases_join_each_word_with_each():
    match = WordMatch(0, 2, 1, 2, "paraphrase", 0.5)
    alignment = Alignment(("a", "b"), ("x", "y", "z"), (match,))
    assert [tuple(link[:3]) for link in alignment.links()] == [
        (0, 1, 0.5), (0, 2, 0.5), (1, 1, 0.5), (1, 2, 0.5),
    ]  # fmt: skip
    assert alignment.permutation() == (1, 2)


def test_shared_words_have_no_permutation():
    twice = (WordMatch(0, 1, 0, 1, "exact"), WordMatch(1, 1, 0, 1, "exact"))
    with pytest.raises(NotDefinedError, match="several times"):
        Alignment(("a", "a"), ("a",), twice).permutation()


def test_signatures_say_which_matchers_were_used():
    def fields(spec):
        return tertium.metric(spec).signature_fields()

    assert fields("link-tau") == {"case": "lc", "tok": "words", "match": "exact"}
    spec = "link-tau:match=exact+stem,language=de,beam=8"
    assert fields(spec)["match"] == "exact+stem(de)"
    assert fields(spec)["beam"] == "8"
    assert fields("link-tau:aligner=context")["align"] == "context"
    custom = fields(
        "link-tau:match=synonym+paraphrase,synonyms=a/wn,paraphrases=b/t.gz"
    )
    assert custom["match"] == "synonym(wn)+paraphrase(t.gz)"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("link-tau:match=exact+stm", "unknown matcher 'stm'"),
        ("link-tau:match=exact+stem,language=xx", "unknown language of stems"),
        ("link-tau:match=stem,aligner=context", "aligner=context knows match=exact"),
        ("link-tau:beam=0", "at least 1"),
    ],
)
def test_wrong_settings_are_found_before_work_starts(spec, message):
    with pytest.raises(InputError, match=message):
        tertium.metric(spec)


def test_matchers_change_scores():
    hyps, refs = ["the cats sat"], ["the cat sat"]
    exact = tertium.metric("aligned-percentage").corpus_score(hyps, refs)
    stem = tertium.metric("aligned-percentage:match=exact+stem")
    assert exact == pytest.approx(4 / 6)
    assert stem.corpus_score(hyps, refs) == 1.0
