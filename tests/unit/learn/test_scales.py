# SPDX-License-Identifier: Apache-2.0
"""Scales of ratings: their ends, what is not pooled, gaps that mean nothing."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest

import tertium
from tertium.errors import InputError
from tertium.judgements import demo_files, import_judgements
from tertium.learn.data import Source, make_source
from tertium.learn.scales import scale_of
from tertium.learn.training import Recipe, recipe_of, train_model

DEMO = os.path.join(os.path.dirname(tertium.__file__), "demo", "demo.jsonl")


@pytest.fixture(scope="module")
def demo() -> Source:
    judgements = import_judgements(demo_files()).judgements
    return make_source(tertium.read(DEMO), judgements)


def quick(learner: str, **changes) -> Recipe:
    return recipe_of("beer-3.0", learner=learner, **changes)


def test_ratings_on_other_scales_go_from_their_lowest_to_their_highest():
    assert scale_of(np.array([0.0, 99.0])) == (0, 100)
    assert scale_of(np.array([-25.0, 0.0])) == (-25, 0)
    assert scale_of(np.array([1.0, 6.0])) == (1, 6)
    with pytest.raises(InputError, match="different ratings"):
        scale_of(np.array([3.0, 3.0]))


def test_ratings_of_several_scales_are_not_pooled(demo):
    human = demo.ratings
    six = replace(human, ratings=human.ratings / 100 * 6)
    other = replace(demo, name="other/en-de", ratings=six)
    recipe = quick("logistic", scaling="isotonic")
    with pytest.raises(InputError, match=r"of 100.*other/en-de are .*not of 100"):
        train_model([demo, other], recipe=recipe)
    z = replace(other, ratings=replace(human, method="z"))
    with pytest.raises(InputError, match=r"z-scores\); train on one scale"):
        train_model([demo, z], recipe=recipe)
    with pytest.raises(InputError, match="one scale at a time"):
        train_model([demo, other], recipe=quick("logistic"), kind="ratings", gap=20)
    # Without a scaler and a gap of one's own each source has that of its scale.
    assert train_model([demo, z], recipe=quick("logistic")).ranker


def test_a_gap_without_ratings_is_rejected(demo):
    ranked = replace(demo, ratings=None)
    with pytest.raises(InputError, match="a gap of 20 is for pairs of ratings"):
        train_model([demo], recipe=quick("logistic"), gap=20)
    alone = replace(demo, rankings=None)
    assert train_model([ranked, alone], recipe=quick("logistic"), gap=20).ranker
