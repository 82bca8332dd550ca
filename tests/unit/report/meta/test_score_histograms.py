# SPDX-License-Identifier: Apache-2.0
"""Score histograms: complete, with human scores beside metrics."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.meta_results import demo_evaluation
from tertium.cli import main
from tertium.meta.human import Human
from tertium.report.draw.vega import LIGHT
from tertium.report.meta.score_histograms import bars, histogram_chart, human_scores

SCORES = st.floats(-1e6, 1e6, width=32)


@given(st.lists(SCORES, min_size=1, max_size=80))
def test_every_score_is_in_one_bar(scores):
    result = bars(np.array(scores))
    assert sum(count for _, _, count in result) == len(scores)
    assert all(low < high for low, high, _ in result)
    assert result[0][0] <= min(scores)
    assert result[-1][1] >= max(scores)


def test_every_value_of_a_rating_scale_has_a_bar():
    assert bars(np.array([0.0, 0.25, 0.25, 1.0])) == [
        (-0.125, 0.125, 1),
        (0.125, 0.375, 2),
        (0.875, 1.125, 1),
    ]


def test_one_score_for_all_is_one_bar():
    assert bars(np.full(9, 50.0)) == [(49.5, 50.5, 9)]


def test_the_score_of_an_output_is_the_share_it_won(demo):
    human = demo_evaluation(demo).human
    name, result = human_scores(human)
    message = human.comparisons
    points: dict[tuple[int, int], list[float]] = {}
    each = zip(
        message.first, message.second, message.segment, message.outcome, strict=True
    )
    for first, second, segment, outcome in each:
        points.setdefault((first, segment), []).append((1 + outcome) / 2)
        points.setdefault((second, segment), []).append((1 - outcome) / 2)
    expected = [np.mean(points[key]) for key in sorted(points)]
    assert result == pytest.approx(np.array(expected))
    assert name == "rankings: share of comparisons won"


def test_ratings_are_shown_as_they_are():
    ratings = np.array([[1.0, np.nan], [3.0, 5.0]])
    human = Human(("a", "b"), ("1", "2"), "DA ratings", ratings=ratings)
    name, result = human_scores(human)
    assert (name, result.tolist()) == ("DA ratings", [1.0, 3.0, 5.0])


def test_metrics_without_segment_scores_have_no_histogram(demo):
    both = demo_evaluation(demo)
    systems = tuple(replace(metric, segment=None) for metric in both.metrics)
    assert histogram_chart([replace(both, metrics=systems)], LIGHT) is None


def test_the_command_plots_humans_and_metrics(tmp_path, capsys):
    path = tmp_path / "a.json"
    arguments = "correlate demo -m bleu ter --resamples 0 --coef tau-wmt14 -q --plot"
    assert main([*arguments.split(), f"histogram={path}"]) == 0
    capsys.readouterr()
    [rows] = json.loads(path.read_text())["datasets"].values()
    totals = {row["m"]: row["n"] for row in rows if "a" in row}
    assert list(totals) == ["rankings: share of comparisons won", "bleu", "ter"]
    for name, total in totals.items():
        results = [row for row in rows if row["m"] == name and "f" in row]
        assert sum(row["n"] for row in results) == total
        assert sum(row["f"] for row in results) == pytest.approx(1)
    assert {row["w"] for row in rows} == {"human", "metric"}
    assert max(row["a"] for row in rows if row["m"] == "ter" and "a" in row) < 0
