# SPDX-License-Identifier: Apache-2.0
"""Whose words metrics over aligned words read: trees', links', or their tokeniser's."""

from __future__ import annotations

import numpy as np
import pytest

import tertium
from tertium.align import as_links, with_links
from tertium.data.annotated import Annotated
from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.trees import DependencyTree

HYP, REF = "The mat sat on the cat.", "The cat sat on the mat."
ORDER = [
    "kendall", "sqrt-kendall", "spearman", "hamming", "ulam", "fuzzy", "lrscore", "pet",
    "pef", "recpet", "recpef", "dted:variant=fc", "dted:variant=fco", "derp:flat=yes",
    "link-tau", "headword-chain:flat=yes", "dependency-f:flat=yes",
]  # fmt: skip


def annotated(words: str, heads: str, links: str = "", text: str = "") -> Annotated:
    """Return a text with its tree, and perhaps links counted from 1."""
    forms = tuple(words.split())
    places = tuple(map(int, heads.split()))
    labels = tuple("dep" if head else "root" for head in places)
    layers: dict[str, object] = {"tree": DependencyTree(forms, places, labels)}
    if links:
        pairs = [map(int, link.split("-")) for link in links.split()]
        layers["links"] = (as_links((h - 1, r - 1) for h, r in pairs),)
    # The text is written as people write it, without a space before the full stop.
    return Annotated(text or words.replace(" .", "."), layers)


#: The worked example of McCaffery 2017, 4.5: 16 words, five links.
THESIS = (
    annotated("The pilot of Kovač left home .", "2 5 2 3 0 5 5", "4-2 5-3 6-5 7-9 2-8"),
    annotated("Ms Kovač quitted her house as a flyer .", "3 3 0 5 3 3 8 6 3"),
)


@pytest.mark.parametrize(
    ("spec", "score"),
    [
        ("dted:variant=b", 0.375),
        ("dted:variant=fb", 0.4375),
        ("dted:variant=c", 0.5625),
        ("dted:variant=fc", 0.5625),
        ("dted:variant=co", 0.8),
        ("dted:variant=fco", 0.8),
        ("dted:variant=cl", 0.6498),
        ("dted:variant=fcl", 0.6498),
        ("derp:flat=yes", 0.5),
        ("link-tau", 0.4),
        ("kendall", 0.7),
        ("aligned-percentage", 0.625),
    ],
)
def test_flat_metrics_read_the_words_and_links_of_given_trees(spec, score):
    hyp, ref = THESIS
    scores = tertium.metric(spec).segment_scores([hyp], [ref])
    assert scores == pytest.approx([score], abs=5e-5)


@pytest.mark.parametrize("spec", ["dted:variant=fc", "kendall", "link-tau"])
def test_the_signature_says_that_words_are_those_of_trees(spec):
    hyp, ref = THESIS
    table = tertium.score({"A": [hyp]}, [ref], metrics=[spec])
    (info,) = table.metrics.values()
    assert "|trees:given|" in info.signature
    assert "tok:" not in info.signature


def test_a_flat_metric_reads_the_words_of_its_parser(tiny_model):
    parser = f"parser=udpipe,model={tiny_model}"
    texts = ["The dog sees a cat."]
    for spec in (f"dted:variant=c,{parser}", f"dted:variant=fc,{parser}"):
        metric = tertium.metric(spec)
        assert "trees:udpipe-" in metric.signature
        pairs = metric.pairs(Batch([texts], texts))
        assert pairs.hyp(0, 0) == ["the", "dog", "sees", "a", "cat", "."]


@pytest.mark.parametrize(
    "spec",
    ["kendall", "dted:flat=yes", "layered:flat=yes", "mean:bleu+(derp:flat=yes)"],
)
def test_an_error_names_a_metric_that_lacks_trees_of_some_texts(spec):
    hyp, ref = THESIS
    metric = tertium.metric(spec)
    cure = "score this metric in a separate run without trees"
    for texts in (([hyp], [str(ref)]), ([str(hyp)], [ref])):
        batch = Batch([texts[0]], texts[1])
        with pytest.raises(InputError, match=cure) as caught:
            metric.check(batch)
        assert str(caught.value).startswith(f"{metric.spec}: ")
        assert caught.value.options == ("trees", "ref_trees")
    # Projected structure needs trees of references only.
    tertium.metric("dted:structure=projected").check(batch)


@pytest.mark.parametrize("spec", ["kendall", "dted:flat=yes", "dted"])
def test_trees_of_some_texts_only_are_refused(spec):
    hyp, _ = THESIS
    with pytest.raises(InputError, match="and other texts have one; give every text"):
        tertium.metric(spec).segment_scores([hyp], ["Ms Kovač quitted her house."])


def test_given_links_count_words_at_white_space():
    links = as_links([(0, 0), (1, 5), (2, 2), (3, 3), (4, 4), (5, 1)])
    (hyp,) = with_links([HYP], [links])
    metric = tertium.metric("kendall")
    pairs = metric.pairs(Batch([[hyp]], [REF]))
    assert pairs.hyp(0, 0)[-1] == "cat."
    assert len(pairs.matches(0, 0, 0)) == 6
    table = tertium.score({"A": [hyp]}, [REF], metrics=["kendall"])
    assert "|tok:none|" in table.metrics["kendall"].signature


def test_a_segment_is_cut_alike_for_all_systems():
    """Where one output brings links, the others of its segment are cut as it is."""
    (linked,) = with_links([HYP], [as_links([(0, 0), (1, 1)])])
    metric = tertium.metric("kendall")
    pairs = metric.pairs(Batch([[linked, HYP], [HYP, HYP]], [REF, REF]))
    words = [[pairs.hyp(s, i)[-1] for i in range(2)] for s in range(2)]
    assert words == [["cat.", "cat"], ["cat.", "cat"]]
    # Segments do not depend on each other.
    alone = metric.rows(Batch([[linked], [HYP]], [REF]))
    both = metric.rows(Batch([[linked, HYP], [HYP, HYP]], [REF, REF]))
    for one, other in zip(alone, both, strict=True):
        assert np.array_equal(one[0], other[0])


def test_a_tokeniser_that_is_asked_for_cuts_texts_with_links():
    links = as_links([(6, 6)])
    (hyp,) = with_links([HYP], [links])
    metric = tertium.metric("aligned-percentage:tokenize=13a")
    assert metric.corpus_score([hyp], [REF]) == 2 / 14


def test_links_and_a_parser_that_cuts_words_do_not_go_together(tiny_model):
    (hyp,) = with_links([HYP], [as_links([(0, 0)])])
    spec = f"dted:parser=udpipe,model={tiny_model}"
    with pytest.raises(InputError, match="set pretokenized=yes"):
        tertium.metric(spec).corpus_score([hyp], [REF])
    kept = tertium.metric(f"{spec},pretokenized=yes")
    assert kept.pairs(Batch([[hyp]], [REF])).hyp(0, 0)[-1] == "cat."


@pytest.mark.parametrize("spec", ORDER)
def test_exchanged_words_are_seen_before_a_full_stop(spec):
    metric = tertium.metric(spec)
    assert metric.corpus_score([REF], [REF]) > metric.corpus_score([HYP], [REF])
    # The full stop itself is not a word.
    bare = metric.corpus_score([HYP[:-1]], [REF[:-1]])
    assert metric.corpus_score([HYP], [REF]) == bare


@pytest.mark.parametrize(
    ("hyp", "ref"),
    [
        ("マットは猫に座った。", "猫はマットに座った。"),
        ("垫子坐在猫上。", "猫坐在垫子上。"),
        ("แมวนั่งบนเสื่อ", "เสื่อนั่งบนแมว"),
        ("«Мат сидел на коте».", "«Коте сидел на мат»."),
    ],
)
def test_exchanged_words_are_seen_in_other_scripts(hyp, ref):
    kendall = tertium.metric("kendall")
    assert 0 < kendall.corpus_score([hyp], [ref]) < 1


@pytest.mark.parametrize("name", ["wer", "per", "cder", "ribes", "rouge-s", "nist"])
def test_metrics_equal_to_other_tools_cut_at_white_space(name):
    metric = tertium.metric(name)
    assert metric.tokenize == "none"
    assert "stays on its word" in metric.punctuation


def test_metrics_over_words_say_what_becomes_of_punctuation():
    silent = [
        name
        for name in tertium.metric_names()
        if "tokenize" in tertium.metrics.metric_class(name).settings
        and not tertium.metrics.metric_class(name).punctuation
    ]
    assert silent == []
