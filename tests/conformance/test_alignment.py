# SPDX-License-Identifier: Apache-2.0
"""Vectors of McCaffery 2017 (The mat sat on the cat) and of the spec, for links."""

from __future__ import annotations

import pytest

import tertium
from tertium.align import Link, link_tau
from tertium.data.annotated import Annotated

HYP, REF = "the mat had sat on the cat", "cats had sat on a mat"
A1 = "7-1 3-2 4-3 5-4 2-6"
A2 = "7-6 3-2 4-3 5-4 1-5 2-1"


def links(text):
    """Return links that are written from 1, as `h-r`."""
    pairs = [item.split("-") for item in text.split()]
    return tuple(Link(int(h) - 1, int(r) - 1) for h, r in pairs)


def annotated(hyp, text):
    return Annotated(hyp, {"links": (links(text),)})


@pytest.mark.parametrize(("word_links", "score"), [(A1, 10 / 13), (A2, 12 / 13)])
def test_t2_aligned_percentage_of_given_links(word_links, score):
    metric = tertium.metric("aligned-percentage")
    assert metric.corpus_score([annotated(HYP, word_links)], [REF]) == pytest.approx(
        score
    )


def test_t3_tau_has_the_sign_of_the_formula():
    """The thesis prints +0.4 with 3 concordant and 7 discordant pairs."""
    metric = tertium.metric("link-tau")
    score = metric.corpus_score([annotated(HYP, A1)], [REF])
    assert score == pytest.approx(-0.4)


@pytest.mark.parametrize(
    ("name", "word_links", "tau"),
    [
        ("X1", "1-1 2-6 3-3 4-4 5-5 6-2 7-7", 1 / 3),
        ("X2", "1-5 2-1 3-2 4-3 5-4 6-6", 7 / 15),
        ("X3", "1-1 2-3 3-2 4-4 5-5 6-6 7-7", 19 / 21),
        ("X4", "1-1 2-2 2-3 3-4", 1.0),
        ("X5", "", None),
        ("X6", "1-1", None),
        ("X8", "1-5 2-4 3-3 4-2 5-1", -1.0),
        ("X10", "1-1 1-3 2-2", 0.0),
        ("X11", A1, -0.4),
        ("T7", "4-2 5-3 6-5 7-9 2-8", 0.4),
    ],
)
def test_tau_of_the_spec(name, word_links, tau):
    result = link_tau(links(word_links))
    assert result == (None if tau is None else pytest.approx(tau))


def test_undefined_segments_have_no_weight_in_the_mean():
    metric = tertium.metric("link-tau")
    hyps = [annotated(HYP, A1), annotated(HYP, "1-1"), annotated(HYP, "")]
    assert metric.corpus_score(hyps, [REF] * 3) == pytest.approx(-0.4)
    assert metric.statistics(hyps, [REF] * 3)[:, 1:].tolist() == [
        [1, 0],
        [0, 1],
        [0, 1],
    ]
