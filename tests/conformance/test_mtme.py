# SPDX-License-Identifier: Apache-2.0
"""Figures of mt-metrics-eval (google-research, snapshot) on WMT23 English-German.

MQM against ten metrics, the systems without refA and synthetic_ref; every figure of
golden/mtme/wmt23-en-de.json to 1e-9.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from conftest import missing
from tertium.meta import ScoreMatrix, segment_coefficient, system_level

pytestmark = pytest.mark.wmt

NAMES = {
    "kendall_23": "kendall_23",
    "kendall_acc23": "acc23",
    "kendall_b": "kendall_b",
    "kendall_c": "kendall_c",
    "pearson": "pearson",
}
LEFT_OUT = ("refA", "synthetic_ref")


def read(path: Path) -> dict[str, list[float | None]]:
    scores: dict[str, list[float | None]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            system, value = line.split()
            scores.setdefault(system, []).append(
                None if value == "None" else float(value)
            )
    return {name: row for name, row in scores.items() if name not in LEFT_OUT}


@pytest.fixture(scope="module")
def golden(wmt_data):
    path = wmt_data / "golden" / "mtme" / "wmt23-en-de.json"
    if not path.exists():
        missing(f"no {path}")
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(wmt_data):
    return wmt_data / "wmt23-mtme"


def test_segment_level_figures_are_equal(golden, folder):
    human = ScoreMatrix.from_scores(
        read(folder / "human-scores/en-de.mqm.seg.score.gz")
    )
    assert human.shape == (golden["n_systems"], golden["n_segments"])
    checked = 0
    for metric, figures in golden["segment"].items():
        path = folder / "metric-scores" / "en-de" / f"{metric}.seg.score.gz"
        scores = ScoreMatrix.from_scores(read(path))
        for name, value in figures.items():
            coefficient, _, group = name.rpartition("_")
            got = segment_coefficient(human, scores, NAMES[coefficient], group=group)
            assert got.value == pytest.approx(value, abs=1e-9, rel=0), (metric, name)
            checked += 1
    assert checked == 90


def test_system_level_figures_are_equal(golden, folder):
    human = read(folder / "human-scores/en-de.mqm.sys.score.gz")
    for metric, figures in golden["system"].items():
        path = folder / "metric-scores" / "en-de" / f"{metric}.sys.score.gz"
        found = system_level(
            {name: row[0] for name, row in human.items()},
            {name: row[0] for name, row in read(path).items()},
        )
        got = {name: getattr(found, name) for name in figures}
        assert got == pytest.approx(figures, abs=1e-9, rel=0), metric
