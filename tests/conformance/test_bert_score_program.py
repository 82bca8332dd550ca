# SPDX-License-Identifier: Apache-2.0
"""The package bert-score as a program, beside the metric that is built in.

bert-score and PyTorch are in an environment of their own, whose Python
TERTIUM_BERT_SCORE names (see `.ci/run`).
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import tertium
from conftest import missing

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "recipes" / "external"
CONFIG = """\
name = "bert-score"
command = ["{python}", "{program}", "--model", "{model}", "--layer", "4"]
needs = ["references"]
keep_running = true
batch_size = 7
"""


@pytest.fixture(scope="module")
def python():
    pytest.importorskip("onnxruntime")
    path = os.environ.get("TERTIUM_BERT_SCORE")
    if not path:
        missing("TERTIUM_BERT_SCORE names no Python that has bert-score")
    probe = subprocess.run([path, "-c", "import bert_score"], check=False)
    if probe.returncode:
        missing(f"{path} has no bert-score")
    return path


@pytest.mark.study
def test_the_program_has_the_scores_of_the_metric(python, tmp_path, monkeypatch):
    from tertium.encoders.models import find_model

    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    config = tmp_path / "bert_score.toml"
    program, model = FOLDER / "bert_score_lines.py", find_model().folder
    config.write_text(CONFIG.format(python=python, program=program, model=model))
    testset = tertium.read("demo").select(range(12))
    table = tertium.score(
        testset,
        metrics=["bertscore:layer=4", f"external:config={config}"],
        segments=True,
    )
    for name in testset.systems:
        ours, theirs = table[name].values()
        assert ours.segments == pytest.approx(theirs.segments, abs=1e-4)
        assert ours.score == pytest.approx(theirs.score, abs=1e-4)
