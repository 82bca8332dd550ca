# SPDX-License-Identifier: Apache-2.0
"""LAYERED as a preset of mean."""

from __future__ import annotations

import pickle

import pytest

import tertium
from tertium.errors import InputError
from tertium.metrics.settings import from_a_file

HYPS = ["the old dog is walking home now", "a cat sat there"]
REFS = ["now the old dog walks home again", "there sat a black cat"]
PARTS = (
    "bleu*0.26+hamming*0.13+kendall*0.03+spearman*0.04+"
    "(dependency-f:flat=yes,score=mean)*0.28"
)


def test_layered_equals_the_mean_of_its_parts():
    layered, mean = tertium.metric("layered:flat=yes"), tertium.metric(f"mean:{PARTS}")
    expected = mean.corpus_score(HYPS, REFS)
    assert layered.corpus_score(HYPS, REFS) == pytest.approx(expected)
    assert layered.signature_fields() == mean.signature_fields()


def test_layered_keeps_its_name():
    layered = tertium.metric("layered:flat=yes,match=exact+stem")
    assert layered.spec == "layered:flat=yes,match=exact+stem"
    assert pickle.loads(pickle.dumps(layered)) == layered
    assert layered.label == "LAYERED"


def test_trees_are_needed_unless_flat():
    with pytest.raises(InputError, match="tree"):
        tertium.metric("layered").corpus_score(HYPS, REFS)


def test_a_file_must_not_choose_the_parser():
    with from_a_file(), pytest.raises(InputError, match="only a command line"):
        tertium.metric("layered:parser=spacy")
