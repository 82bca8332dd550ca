# SPDX-License-Identifier: Apache-2.0
"""Tables of tuning with a decoder in the loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.report.tables.style import Style
from tertium.report.tables.table import Table
from tertium.tuning.decoding.results import STOPPED

if TYPE_CHECKING:
    from tertium.tuning.decoding.results import DecoderRun

__all__ = ["run_tables"]


def run_tables(run: DecoderRun, style: Style) -> list[Table]:
    """Return the iterations of a run, and for people the weights."""
    iterations = _iterations(run, style)
    return [iterations] if style.for_programs else [iterations, _weights(run, style)]


def _iterations(run: DecoderRun, style: Style) -> Table:
    hits = any(row.hit_rate is not None for row in run.iterations)
    rows = [
        [
            str(row.number),
            style.number(row.score, 4),
            style.number(row.length_ratio),
            *[style.number(row.hit_rate)] * hits,
            str(row.hypotheses),
            str(row.new),
            style.number(row.predicted, 4),
            style.number(row.change, 4),
        ]
        for row in run.iterations
    ]
    head = ["iteration", "score", "length", *["hit rate"] * hits, "hypotheses", "new",
            "predicted", "change"]  # fmt: skip
    note = (
        f"best: iteration {run.final.number}; {STOPPED[run.stopped]}\n"
        f"score: {run.settings['metric']} of the decoder's first hypotheses; "
        "length: their words per word of the references\n"
        "predicted: the score of the next weights on all lists so far; change: the "
        "largest change of a weight"
    )
    best = [(run.final.number, 1)]
    return Table(head, rows, note=note, left=0, bold=best)


def _weights(run: DecoderRun, style: Style) -> Table:
    rows = [
        [name, style.number(weight, 4), style.number(run.final.weights[name], 4)]
        for name, weight in run.start.weights.items()
    ]
    return Table(["feature", "start", "best"], rows)
