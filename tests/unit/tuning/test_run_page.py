# SPDX-License-Identifier: Apache-2.0
"""The page and the diagram of a tuning run."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree as ET

import pytest

from tertium.report.draw import lines
from tertium.report.draw.svg import Canvas
from tertium.report.tuning.page import run_diagram, run_page
from tertium.tuning.decoding.results import DecoderRun, Iteration


def run_of(scores, *, features=3, hit_rate=None, stopped="iterations"):
    rows = [
        Iteration(
            number=number,
            weights={f"feature{i}": 0.5 + 0.001 * i * number for i in range(features)},
            score=score,
            length_ratio=0.9 + 0.01 * number,
            hit_rate=hit_rate,
            hypotheses=100 + number,
            new=1,
            predicted=None if number == len(scores) - 1 else score + 1,
        )
        for number, score in enumerate(scores)
    ]
    return DecoderRun(
        settings={"metric": "bleu", "method": "mert"},
        higher_is_better=True,
        iterations=tuple(rows),
        stopped=stopped,
    )


@pytest.mark.parametrize("scores", [[12.5], [12.5, 13.25, 13.0], [0.0] * 30])
def test_diagrams_are_well_formed_for_runs_of_any_length(scores):
    svg = run_diagram(run_of(scores))
    assert ET.fromstring(svg).tag.endswith("svg")
    assert "nan" not in svg


def test_texts_do_not_overlap(monkeypatch):
    made = []

    class Kept(Canvas):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            made.append(self)

    monkeypatch.setattr(lines, "Canvas", Kept)
    run_diagram(run_of([10.0, 11.0, 12.0], features=8))
    (canvas,) = made
    for (text, box), (other, place) in combinations(canvas.texts, 2):
        assert not box.overlaps(place, slack=1.0), (text, other)


def test_the_page_says_what_happened():
    page = run_page(run_of([12.5, 13.25, 13.0]))
    assert "bleu: 12.5 at the start, 13.25 tuned" in page
    assert "Best: iteration 1 of 2" in page
    assert "all iterations are done" in page
    assert "hit rate" not in page
    assert "hit rate" in run_page(run_of([1.0, 2.0], hit_rate=0.25))
    assert "it is not finished" in run_page(run_of([1.0], stopped="running"))
