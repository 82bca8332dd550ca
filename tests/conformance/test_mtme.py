# SPDX-License-Identifier: Apache-2.0
"""Figures of mt-metrics-eval (google-research, snapshot) on WMT23 English-German.

MQM against ten metrics, the systems without refA and synthetic_ref; every figure of
golden/mtme/wmt23-en-de.json to 1e-9.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from conftest import missing
from tertium.meta import (
    Human,
    ScoreMatrix,
    correlate_evaluations,
    evaluation,
    read_scores,
    segment_coefficient,
    system_level,
)

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
        result = system_level(
            {name: row[0] for name, row in human.items()},
            {name: row[0] for name, row in read(path).items()},
        )
        got = {name: getattr(result, name) for name in figures}
        assert got == pytest.approx(figures, abs=1e-9, rel=0), metric


COEFFICIENTS = {
    "kendall_23": "tau-23",
    "kendall_acc23": "acc-23",
    "kendall_b": "tau-b",
    "kendall_c": "tau-c",
    "pearson": "pearson",
}


def test_correlate_gives_all_figures_at_once(golden, folder):
    """From the files to the table, by the functions behind `tertium correlate`."""
    (mqm,) = read_scores(
        folder / "human-scores" / f"en-de.mqm.{level}.score.gz"
        for level in ("seg", "sys")
    )
    metrics = read_scores(
        folder / "metric-scores" / "en-de" / f"{name}.{level}.score.gz"
        for name in golden["segment"]
        for level in ("seg", "sys")
    )
    systems = tuple(name for name in mqm.segment if name not in LEFT_OUT)
    last = max(int(n) for one in metrics[0].segment.values() for n in one)
    segments = tuple(map(str, range(1, last + 1)))
    ratings = np.array(
        [[mqm.segment[s].get(n, np.nan) for n in segments] for s in systems]
    )
    human = Human(systems, segments, "MQM", mqm.system, ratings=ratings)
    both = evaluation(human, metrics, exclude=LEFT_OUT)
    correlations = correlate_evaluations([both], coefficients=["all"], resamples=0)
    want = {
        (
            metric,
            f"{COEFFICIENTS[name.rpartition('_')[0]]}:{name.rpartition('_')[2]}",
        ): v
        for metric, figures in golden["segment"].items()
        for name, v in figures.items()
    } | {
        (metric, "kendall" if name == "kendall_b" else name): v
        for metric, figures in golden["system"].items()
        for name, v in figures.items()
    }
    got = {key: correlations.get("all", *key).value for key in want}
    assert got == pytest.approx(want, abs=1e-9, rel=0)
    assert len(want) == 90 + 3 * len(golden["system"])
