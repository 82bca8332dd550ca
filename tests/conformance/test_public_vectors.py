# SPDX-License-Identifier: Apache-2.0
"""The public conformance vectors: Tertium meets them, and the tools still give them."""

from __future__ import annotations

import importlib.util
from importlib.metadata import version
from pathlib import Path

import pytest

from tertium.metrics.vectors import read_vectors

VECTORS = read_vectors()
TOOL = Path(__file__).resolve().parents[2] / "tools" / "make_vectors.py"


def test_tertium_meets_every_vector():
    assert [problem for vector in VECTORS if (problem := vector.check())] == []


def test_vectors_are_what_the_tools_compute():
    """If a tool is newer and its value differs, its authors changed it: look why."""
    spec = importlib.util.spec_from_file_location("make_vectors", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    computed = {each["id"]: each for each in module.vectors()}
    assert list(computed) == [vector.id for vector in VECTORS]
    for vector in VECTORS:
        other = computed[vector.id]
        assert other["value"] == pytest.approx(vector.value, abs=1e-9), vector.id
        known = {**vector.to_dict(), "value": 0, "version": 0}
        assert {**other, "value": 0, "version": 0} == known


def test_vectors_cover_the_metrics_that_claim_a_tool():
    metrics = {vector.metric for vector in VECTORS}
    assert metrics == {
        "bleu", "bleu1", "sentbleu", "chrf", "chrf++", "ter", "wer", "ribes", "nist",
        "kendall", "sqrt-kendall", "spearman", "hamming", "ulam",
    }  # fmt: skip
    assert {vector.tool for vector in VECTORS} == {
        "sacrebleu", "jiwer", "rapidfuzz", "nltk", "scipy",
    }  # fmt: skip
    assert len({vector.id for vector in VECTORS}) == len(VECTORS)
    assert {v.version for v in VECTORS if v.tool == "sacrebleu"} == {
        version("sacrebleu")
    }
