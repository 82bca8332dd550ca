# SPDX-License-Identifier: Apache-2.0
"""Scores by the degree of damage."""

from __future__ import annotations

import pytest

import tertium
from tertium.engine.degrees import degree_study
from tertium.errors import InputError
from tertium.order.damage import Source, generate
from tertium.stats.correlation import spearman

TEXTS = [
    "a grey heron waits near the old mill while two boys throw stones into the pond",
    "the baker closes her small shop early, because the last bus leaves at six.",
    "nobody on the ferry had noticed that the captain kept a parrot in his cabin",
]
SOURCES = [Source.parse(text) for text in TEXTS]
DEGREES = (1, 3, 6, 11)


@pytest.fixture(scope="module")
def study():
    return degree_study(
        SOURCES, metrics=["kendall", "dted:variant=b,flat=yes"], degrees=DEGREES, seed=5
    )


def test_points_are_means_of_the_segment_scores(study):
    damaged = list(generate(SOURCES, degrees=DEGREES, seed=5))
    metric = tertium.metric("kendall")
    scores = metric.segment_scores(
        [made.text for _, made in damaged], [TEXTS[n - 1] for n, _ in damaged]
    )
    for degree in DEGREES:
        some = [
            score
            for score, (_, made) in zip(scores, damaged, strict=True)
            if made.degree == degree
        ]
        (point,) = [
            one
            for one in study.points
            if (one.metric, one.degree) == ("kendall", degree)
        ]
        assert point.sentences == len(some) == 3
        assert point.mean == pytest.approx(sum(some) / 3)
    (summary,) = [one for one in study.summaries if one.metric == "kendall"]
    degrees = [float(made.degree) for _, made in damaged]
    assert summary.rho == pytest.approx(spearman(degrees, scores))
    assert summary.rho < -0.8
    assert summary.undamaged == 1


def test_a_blind_metric_gives_the_score_of_the_reference(study):
    (summary,) = [one for one in study.summaries if one.metric.startswith("dted")]
    assert (summary.undamaged, summary.mean, summary.unchanged) == (0.5, 0.5, 1.0)
    assert summary.rho is None
    (other,) = [one for one in study.summaries if one.metric == "kendall"]
    assert other.unchanged < 1


def test_punctuation_that_is_cut_off_moves_the_flattened_variant():
    """A comma that a move overwrites makes a text shorter, if commas are words."""
    spec = "dted:variant=b,flat=yes,tokenize=13a"
    sources = [Source.parse("one, two, three, four, five, six.")]
    study = degree_study(sources, metrics=[spec], degrees=(1, 2, 3, 4, 5))
    (summary,) = study.summaries
    assert summary.unchanged < 1
    assert summary.mean < 0.5


def test_impossible_degrees_are_left_out_and_rejected_if_none_is_left():
    study = degree_study(SOURCES, metrics=["ulam"], degrees=(2, 500))
    assert {one.degree for one in study.points} == {2}
    with pytest.raises(InputError, match="give longer sentences or smaller degrees"):
        degree_study(SOURCES, metrics=["ulam"], degrees=(500,))
