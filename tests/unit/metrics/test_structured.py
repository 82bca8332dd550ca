# SPDX-License-Identifier: Apache-2.0
"""Metrics over trees: where trees come from, and what the signature says."""

from __future__ import annotations

import pytest

from tertium import _core
from tertium.data.annotated import Annotated
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.structured import TreeMetric
from tertium.trees import DependencyTree
from tertium.trees.cache import TreeCache, default_path


class Covered(TreeMetric):
    """The share of aligned words, over trees."""

    name = "covered"

    def make_kernel(self) -> _core.PairKernel:
        return _core.aligned_percentage()


def with_tree(text: str, words: str) -> Annotated:
    return Annotated(text, {"tree": DependencyTree.flat(words.split())})


def test_given_trees_bring_their_words():
    metric = Covered()
    hyps = [with_tree("a b.", "a b .")]
    assert metric.corpus_score(hyps, [with_tree("b. c", "b . c")]) == 4 / 6
    assert "trees:given" in metric.signature
    assert "tok:" not in metric.signature


def test_a_text_without_tree_and_parser_names_the_ways_out():
    with pytest.raises(InputError, match=r"'b' has no dependency tree.*flat=yes"):
        Covered().corpus_score([with_tree("a", "a")], ["b"])


def test_flat_needs_no_parser_and_says_nothing_of_one():
    metric = Covered(flat=True)
    assert metric.corpus_score(["a b"], ["b c"]) == 0.5
    assert "tok:words" in metric.signature
    assert "trees:" not in metric.signature


def test_parser_and_model_are_checked_when_the_metric_is_made():
    with pytest.raises(UnknownNameError, match="unknown parser 'x'"):
        Covered(parser="x", model="m")
    with pytest.raises(InputError, match="model=m needs its parser"):
        Covered(model="m")
    with pytest.raises(InputError, match="parser udpipe needs a model"):
        Covered(parser="udpipe", flat=True)
    with pytest.raises(InputError, match="there is no such file"):
        Covered(parser="udpipe", model="/no/such: file")


def test_texts_are_parsed_once_and_the_signature_names_the_model(tiny_model):
    metric = Covered(parser="udpipe", model=tiny_model)
    before = len(TreeCache(default_path()))
    hyps, refs = ["The dog sees a cat."], ["The dog likes a cat."]
    assert metric.corpus_score(hyps, refs) == 10 / 12  # five of six words
    assert len(TreeCache(default_path())) <= before + 2
    fields = dict(f.split(":", 1) for f in metric.signature.split("|"))
    assert fields["trees"].startswith("udpipe-")
    assert "/tiny.udpipe@" in fields["trees"]
    assert fields["trees"].endswith("/udpipe")
    assert "parser" not in fields
    assert "model" not in fields
    # A given tree wins over the parser.
    assert metric.corpus_score([with_tree("x", "a")], refs) == 2 / 7


@pytest.mark.parametrize(
    ("settings", "words", "score"),
    [
        ({"pretokenized": True}, "none", 10 / 10),
        ({"tokenize": "13a"}, "13a", 12 / 12),
        ({}, "udpipe", 12 / 12),
    ],
)
def test_words_are_cut_as_the_settings_say(settings, words, score, tiny_model):
    metric = Covered(parser="udpipe", model=tiny_model, **settings)
    assert metric.signature.split("|trees:")[1].split("|")[0].endswith(f"/{words}")
    texts = ["The dog sees a cat."]
    assert metric.corpus_score(texts, texts) == score
    assert metric.statistics(texts, texts).tolist() == [
        [round(12 * score) if words != "none" else 10] * 2
    ]
