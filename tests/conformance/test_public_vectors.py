# SPDX-License-Identifier: Apache-2.0
"""The public conformance vectors: Tertium meets them, and the tools still give them."""

from __future__ import annotations

import importlib.util
import shutil
from importlib.metadata import version
from pathlib import Path

import pytest

from conftest import missing
from support.meteor_resources import paraphrase_table
from tertium.metrics.vectors import read_vectors

#: Those of bert-score need its model: see test_bertscore.py.
VECTORS = [vector for vector in read_vectors() if vector.tool != "bert-score"]
COMPUTED = [vector for vector in VECTORS if vector.tool != "meteor"]
TOOLS = Path(__file__).resolve().parents[2] / "tools"


def load(name):
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_tertium_meets_every_vector():
    assert [problem for vector in VECTORS if (problem := vector.check())] == []


def test_vectors_are_what_the_tools_compute():
    """If a tool is newer and its value differs, its authors changed it: look why."""
    computed = {each["id"]: each for each in load("make_vectors").vectors()}
    assert list(computed) == [vector.id for vector in COMPUTED]
    for vector in COMPUTED:
        other = computed[vector.id]
        assert other["value"] == pytest.approx(vector.value, abs=1e-9), vector.id
        known = {**vector.to_dict(), "value": 0, "version": 0}
        assert {**other, "value": 0, "version": 0} == known


def test_vectors_of_meteor_are_what_it_prints(monkeypatch):
    archive = paraphrase_table().parents[1] / "meteor-1.5.jar"
    if shutil.which("java") is None:
        missing("no Java; apt install default-jre-headless")
    monkeypatch.setenv("TERTIUM_METEOR", str(archive))
    printed = list(load("meteor_vectors").vectors())
    assert printed == [v.to_dict() for v in VECTORS if v.tool == "meteor"]


def test_vectors_cover_the_metrics_that_claim_a_tool():
    metrics = {vector.metric for vector in VECTORS}
    assert metrics == {
        "bleu", "bleu1", "sentbleu", "chrf", "chrf++", "ter", "wer", "ribes", "nist",
        "kendall", "sqrt-kendall", "spearman", "hamming", "ulam", "meteor",
    }  # fmt: skip
    assert {vector.tool for vector in VECTORS} == {
        "sacrebleu", "jiwer", "rapidfuzz", "nltk", "scipy", "meteor",
    }  # fmt: skip
    every = [vector.id for vector in read_vectors()]
    assert len(set(every)) == len(every) > len(VECTORS)
    assert {v.version for v in VECTORS if v.tool == "sacrebleu"} == {
        version("sacrebleu")
    }
