# SPDX-License-Identifier: Apache-2.0
"""Tuning with a decoder as a self-contained HTML page: what happened, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.report.components import (
    Cell,
    Diagram,
    Legend,
    Page,
    Section,
    Table,
    download,
    number_cell,
)
from tertium.report.draw.lines import Line, Panel, draw_panels
from tertium.report.rendering import render
from tertium.tuning.decoding.results import STOPPED

if TYPE_CHECKING:
    from tertium.tuning.decoding.results import DecoderRun

__all__ = ["run_diagram", "run_page"]

_LEGEND = (
    "score: of the decoder's first hypotheses; predicted: what tuning expects of the "
    "next weights, on all lists so far\n"
    "length: words of the first hypotheses per word of the references; new: hypotheses "
    "that no earlier list has\n"
    "change: the largest change of a weight, where absolute weights add up to 1"
)


def run_diagram(run: DecoderRun) -> str:
    """Return a run as an SVG diagram: score, length, lists and weights by iteration.

    Parameters
    ----------
    run : DecoderRun
        With at least one iteration.
    """
    rows = run.iterations
    metric = str(run.settings["metric"])
    # What tuning predicts, it predicts for the next iteration.
    predicted = [None, *(row.predicted for row in rows)][: len(rows)]
    panels = [
        Panel(
            metric,
            [Line("decoder", [r.score for r in rows]), Line("predicted", predicted)],
            marked=run.final.number,
        ),
        Panel("length ratio", [Line("decoder", [r.length_ratio for r in rows])], 1.0),
    ]
    if any(row.hit_rate is not None for row in rows):
        panels.append(Panel("hit rate", [Line("decoder", [r.hit_rate for r in rows])]))
    panels.append(
        Panel("new hypotheses", [Line("decoder", [float(r.new) for r in rows])])
    )
    panels.append(
        Panel(
            "weights, absolute values adding up to 1",
            [
                Line(name, [_scaled(row.weights)[name] for row in rows])
                for name in run.start.weights
            ],
        )
    )
    about = (
        f"{metric} {run.start.score:.4g} under the start weights, "
        f"{run.final.score:.4g} in iteration {run.final.number}, marked by a ring"
    )
    return draw_panels(
        f"Tuning by iteration: {metric}", panels, step="iteration", about=about
    )


def run_page(run: DecoderRun) -> str:
    """Return a run as a page.

    Parameters
    ----------
    run : DecoderRun
        With at least one iteration.
    """
    metric = str(run.settings["metric"])
    last = run.iterations[-1].number
    lead = (
        f"Best: iteration {run.final.number} of {last}; length ratio "
        f"{run.start.length_ratio:.3f} at the start, {run.final.length_ratio:.3f} "
        f"there. The run ended after {count(len(run.iterations), 'decoder run')}: "
        f"{STOPPED[run.stopped]}."
    )
    if run.stopped == "running":
        lead = lead.replace("ended after", "has had").replace(": not", "; it is not")
    caption = "The ring marks the best iteration; the weights are those of the decoder."
    json = "application/json"
    page = Page(
        f"{metric}: {run.start.score:.4g} at the start, {run.final.score:.4g} tuned",
        kicker=f"Tuning · {str(run.settings['method']).upper()}",
        lead=lead,
        sections=[
            Section(
                "course",
                "Iterations",
                [
                    Diagram("course", run_diagram(run), caption),
                    _iterations(run),
                    Legend(_LEGEND),
                ],
            ),
            Section("weights", "Weights", [_weights(run)]),
        ],
        contents=False,
        downloads=[
            download("all figures as JSON", "run.json", run.to_json(), media_type=json)
        ],
    )
    return render(page)


def _iterations(run: DecoderRun) -> Table:
    hits = any(row.hit_rate is not None for row in run.iterations)
    head = ["iteration", "score", "length", *["hit rate"] * hits, "hypotheses", "new",
            "predicted", "change"]  # fmt: skip
    rows = []
    for row in run.iterations:
        rows.append(
            [
                Cell(str(row.number), row.number, "number"),
                number_cell(row.score, 4),
                number_cell(row.length_ratio, 3),
                *[number_cell(row.hit_rate, 3)] * hits,
                Cell(f"{row.hypotheses:,}", row.hypotheses, "number"),
                Cell(f"{row.new:,}", row.new, "number"),
                number_cell(row.predicted, 4),
                number_cell(row.change, 4),
            ]
        )
    return Table("One row per run of the decoder", head, rows)


def _weights(run: DecoderRun) -> Table:
    start, final = _scaled(run.start.weights), _scaled(run.final.weights)
    rows = [
        [Cell(name), number_cell(start[name], 4), number_cell(final[name], 4)]
        for name in start
    ]
    caption = "Weights, absolute values adding up to 1"
    return Table(caption, ["feature", "start", "best"], rows)


def _scaled(weights: Mapping[str, float]) -> dict[str, float]:
    total = sum(map(abs, weights.values())) or 1.0
    return {name: value / total for name, value in weights.items()}
