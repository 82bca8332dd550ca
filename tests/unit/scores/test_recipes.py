# SPDX-License-Identifier: Apache-2.0
"""The configurations in the documentation, with stand-ins for the models."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

import tertium
from tertium.data.testset import Testset
from tertium.scores.config import read_config
from tertium.scores.program import stop_programs

RECIPES = Path(__file__).parents[3] / "docs" / "recipes" / "external"

#: Packages of the same shape as the real ones; scores tell which texts came where.
STANDINS = {
    "comet.py": """
class Output:
    def __init__(self, scores): self.scores = scores
class Model:
    def predict(self, samples, batch_size, progress_bar):
        print("a line that is not an answer")
        return Output([len(s["mt"]) + len(s["src"]) / 100 + len(s.get("ref", "")) / 1e4
                       for s in samples])
def download_model(name): return "path/" + name
def load_from_checkpoint(path): return Model()
""",
    "bleurt/__init__.py": "",
    "bleurt/score.py": """
class BleurtScorer:
    def __init__(self, checkpoint): self.checkpoint = checkpoint
    def score(self, *, references, candidates):
        return [len(c) + len(r) / 1e4 for r, c in zip(references, candidates)]
""",
    "metricx24/__init__.py": "",
    "metricx24/predict.py": """
import json, sys
print("loading")
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
with open(words["--input_file"]) as given, open(words["--output_file"], "w") as out:
    for line in given:
        s = json.loads(line)
        s["prediction"] = (len(s["hypothesis"]) + len(s["source"]) / 100
                           + len(s["reference"]) / 1e4)
        out.write(json.dumps(s) + "\\n")
""",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"))
    for name, text in STANDINS.items():
        file = tmp_path / "packages" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    shutil.copytree(RECIPES, tmp_path / "recipes")
    yield tmp_path / "recipes"
    stop_programs()


@pytest.mark.parametrize(
    ("recipe", "source", "reference", "falls"),
    [
        ("comet", True, True, False),
        ("cometkiwi", True, False, False),
        ("metricx", True, True, True),
        ("bleurt", False, True, False),
    ],
)
def test_a_recipe_passes_the_texts_to_the_model(
    folder, recipe, source, reference, falls
):
    file = folder / f"{recipe}.toml"
    text = file.read_text().replace('"python3"', json.dumps(sys.executable))
    file.write_text(text)
    testset = Testset.build(
        ["ref", "a reference"] if reference else None,
        {"A": ["x", "a bird"], "B": ["xyz", ""]},
        sources=["quelle", "x"] if source else None,
    )
    spec = f"external:config={file}"
    table = tertium.score(testset, metrics=spec, segments=True)
    assert table.metrics[spec].higher_is_better is not falls
    for name, hyps in testset.systems.items():
        wanted = [
            len(hyp)
            + (len(testset.sources[i]) / 100 if source else 0)
            + (len(testset.references[i][0]) / 1e4 if reference else 0)
            for i, hyp in enumerate(hyps)
        ]
        assert table[name][spec].segments == pytest.approx(wanted)


def test_every_recipe_is_in_the_guide():
    guide = (RECIPES.parents[1] / "guides" / "scores.md").read_text()
    files = sorted(RECIPES.iterdir())
    assert len(files) == 9
    for file in files:
        assert f"(../recipes/external/{file.name})" in guide
        if file.suffix == ".toml":
            assert read_config(str(file)).command[0] == "python3"
