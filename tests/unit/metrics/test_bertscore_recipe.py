# SPDX-License-Identifier: Apache-2.0
"""The recipe that runs bert-score as a program, with a stand-in for the package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tertium._toml import read_toml

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "recipes" / "external"
STAND_IN = """
class BERTScorer:
    def __init__(self, **settings):
        assert settings == {
            "model_type": "m", "num_layers": 3, "lang": "en",
            "rescale_with_baseline": False,
        }

    def score(self, hyps, refs):
        best = [max(h == r for r in each) for h, each in zip(hyps, refs)]
        return None, None, [float(value) for value in best]
"""


def test_the_program_answers_batch_by_batch(tmp_path):
    package = tmp_path / "bert_score"
    package.mkdir()
    (package / "__init__.py").write_text(STAND_IN)
    command = [sys.executable, "bert_score_lines.py", "--model", "m", "--layer", "3"]
    process = subprocess.Popen(
        command,
        cwd=FOLDER,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    first = [
        {"hypothesis": "a", "references": ["b", "a"]},
        {"hypothesis": "a", "references": ["b"]},
    ]
    process.stdin.write("".join(json.dumps(each) + "\n" for each in first) + "\n")
    process.stdin.flush()
    scores = [json.loads(process.stdout.readline())["score"] for _ in first]
    assert scores == [1.0, 0.0]
    rest, _ = process.communicate('{"hypothesis": "ü", "reference": "ü"}\n', timeout=60)
    assert [json.loads(line) for line in rest.splitlines()] == [{"score": 1.0}]
    assert process.returncode == 0


def test_the_configuration_starts_the_program():
    config = read_toml(str(FOLDER / "bert_score.toml"))
    assert (FOLDER / config["command"][1]).is_file()
    assert config["needs"] == ["references"]
