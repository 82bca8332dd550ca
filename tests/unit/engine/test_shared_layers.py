# SPDX-License-Identifier: Apache-2.0
"""Layers are made once for all metrics, and what a metric needs is looked at first."""

from __future__ import annotations

from collections import Counter

import pytest

import tertium
from tertium.align.aligner import Aligner
from tertium.data.annotated import Annotated
from tertium.data.batch import Batch
from tertium.learn.features.matches import Matches
from tertium.learn.features.order import Order
from tertium.learn.profile import Profile
from tertium.metrics.bleu import Bleu
from tertium.trees import DependencyTree

HYPS = ["we meet at noon", "the cat sat"]
REFS = ["at noon we meet", "the cat sat down"]


@pytest.fixture
def aligned(monkeypatch):
    """Return a count of how often texts are aligned, by what aligns them."""
    result = Counter()

    def counted(name):
        whole = getattr(Aligner, name)

        def method(self, *args, **kwargs):
            result[name] += 1
            return whole(self, *args, **kwargs)

        monkeypatch.setattr(Aligner, name, method)

    counted("pairs")
    counted("token_pairs")
    return result


@pytest.mark.parametrize("how", [tertium.score, tertium.compare])
def test_metrics_that_align_alike_share_an_alignment(how, aligned):
    systems = {"A": HYPS, "B": HYPS[::-1]}
    specs = ["kendall", "pef", "recpef", "dted:variant=fco", "link-tau"]
    how(systems, REFS, metrics=specs)
    assert aligned == {"pairs": 1}


def test_other_settings_of_the_aligner_make_another_alignment(aligned):
    specs = ["kendall", "kendall:match=exact+stem", "pef:tokenize=13a"]
    tertium.score(HYPS, REFS, metrics=specs)
    assert aligned == {"pairs": 3}


def test_features_of_a_profile_share_an_alignment(aligned):
    blocks = Matches(), Order()
    Profile("made here", "", False, blocks).features(HYPS, REFS)
    assert aligned == {"pairs": 1}


def test_equal_texts_that_bring_other_layers_share_nothing(aligned):
    plain, marked = Batch([["a b"]], ["a b"]), Batch([[Annotated("a b", {})]], ["a b"])
    metric = tertium.metric("kendall")
    assert metric.pairs(plain) is metric.pairs(plain)
    assert metric.pairs(plain) is not metric.pairs(marked)


def test_trees_of_a_batch_are_read_once(aligned):
    def tree(text):
        words = text.split()
        made = DependencyTree(words, range(len(words)), ["dep"] * len(words))
        return Annotated(text, {"tree": made})

    hyps, refs = [tree(text) for text in HYPS], [tree(text) for text in REFS]
    tertium.score(hyps, refs, metrics=["dted", "derp", "kendall", "dependency-f"])
    assert aligned == {"token_pairs": 1}


@pytest.mark.parametrize("how", [tertium.score, tertium.compare])
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("dted", "has no dependency tree"),
        ("mean:bleu+derp", "has no dependency tree"),
        ("ter", "takes 30 at most"),
    ],
)
def test_what_a_metric_needs_is_looked_at_before_any_scores(
    how, spec, message, monkeypatch
):
    scored = []
    monkeypatch.setattr(Bleu, "sums", lambda *_, **__: scored.append(1))
    monkeypatch.setattr(Bleu, "rows", lambda *_, **__: scored.append(1))
    monkeypatch.setattr("tertium.metrics.ter.Ter.longest", 30)
    systems = {"A": HYPS, "B": ["word " * 31, "b"]}
    with pytest.raises(tertium.InputError, match=message):
        how(systems, REFS, metrics=["bleu", spec])
    assert not scored
