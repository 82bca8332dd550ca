# SPDX-License-Identifier: Apache-2.0
"""Scores from files of mt-metrics-eval (WMT23 en-de): means are its system scores."""

from __future__ import annotations

import pytest

import tertium
from conftest import missing
from tertium.meta import read_scores
from tertium.scores import score_metrics

pytestmark = pytest.mark.wmt


@pytest.mark.parametrize("name", ["COMET", "MetricX-23", "XCOMET-Ensemble", "YiSi-1"])
def test_system_scores_are_those_of_mt_metrics_eval(wmt_data, name):
    folder = wmt_data / "wmt23-mtme"
    if not folder.exists():
        missing(f"no {folder}")
    texts = tertium.read(folder, langpair="en-de")
    scores = folder / "metric-scores" / "en-de"
    (metric,) = score_metrics([scores / f"{name}-refA.seg.score.gz"])
    # Its tasks turn the sign of error metrics.
    assert metric.higher_is_better
    table = tertium.score(texts, metrics=metric)
    (official,) = read_scores([scores / f"{name}-refA.sys.score.gz"])
    assert len(table.systems) > 10
    for system, by_metric in table.systems.items():
        # System scores are rounded to a few digits for some metrics.
        wanted = pytest.approx(official.system[system], abs=1e-4)
        assert by_metric[metric.spec].score == wanted
