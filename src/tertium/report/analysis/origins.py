# SPDX-License-Identifier: Apache-2.0
"""Where the outputs of a report come from: runs of systems, texts cut into lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.analysis.report import SystemReport
from tertium.analysis.segments import by_sentence_bleu
from tertium.engine.segment_scores import for_segments
from tertium.report.analysis.words import join
from tertium.report.components import Cell, Component, Legend, Table, number_cell

__all__ = ["first_runs", "resegmentation", "runs", "sentence_bleu"]

_LISTED = 10  # uncertain segments that are named


def first_runs(report: SystemReport) -> str:
    """Return of which systems only the first run is shown; nothing if of none."""
    systems = report.comparison.scores.systems
    several = {name: _runs(report, name) for name in systems}
    named = [f"{name} ({n} runs)" for name, n in several.items() if n > 1]
    return f" Of {join(named)}, this is the first run." if named else ""


def sentence_bleu(report: SystemReport) -> str:
    """Return that outputs have sentence BLEU; nothing without BLEU."""
    labels = report.comparison.scores.labels
    specs = by_sentence_bleu(list(labels))
    if not specs:
        return ""
    names = join([str(for_segments(spec)) for spec in specs])
    return (
        f" Single outputs have sentence BLEU ({names}"
        "), as BLEU is 0 for every text of fewer than four words."
    )


def runs(report: SystemReport, order: Sequence[str]) -> Iterator[Component]:
    """Yield the spread of scores between runs, if a system has several."""
    table = report.comparison.scores
    if not table.has_runs:
        return
    head = ["system", "runs"]
    for label in table.labels.values():
        head += [f"{label} of runs", "s_opt", "s_sel"]
    rows = []
    for name in order:
        row = [Cell(name, name), Cell(str(_runs(report, name)), None, "number")]
        for spec, info in table.metrics.items():
            score = table[name][spec]
            each = [info.show(value) for value in score.runs or ()]
            row.append(Cell(", ".join(each), score.score, "number"))
            row.append(number_cell(score.sd_runs, info.digits))
            row.append(number_cell(score.sd_segments, info.digits))
        rows.append(row)
    tested = report.comparison.run.get("sources", "segments")
    yield Table("Several runs of one system", head, rows)
    yield Legend(
        "Scores above are means over runs. s_opt: standard deviation between runs; "
        "s_sel: of one run over resampled test sets, the mean over runs. Tests and "
        f"intervals allow for another choice of {tested}."
    )


def resegmentation(report: SystemReport) -> Iterator[Component]:
    """Yield how outputs were cut into the lines of the references, if they were."""
    results = report.comparison.scores.resegmented
    if not results:
        return
    rows = []
    for name, one in results.items():
        unsure = one.uncertain()
        how = "left as it is" if one.unchanged else f"cut by {one.by}"
        links = ", ".join(f"{index + 1:,}" for index in unsure[:_LISTED])
        links += ", ..." if len(unsure) > _LISTED else ""
        rows.append(
            [
                Cell(name, name),
                Cell(how, how),
                Cell(f"{one.lines:,}", one.lines, "number"),
                Cell(f"{len(one.segments):,}", len(one.segments), "number"),
                Cell(f"{one.documents:,}", one.documents, "number"),
                Cell(f"{100 * one.matched_share:.0f} %", one.matched_share, "number"),
                Cell(f"{len(unsure):,}", len(unsure), "number"),
                Cell(links or "none", len(unsure), "prose"),
            ]
        )
    head = ["output", "how", "lines before", "segments", "documents"]
    head += ["words that match", "uncertain", "uncertain segments"]
    yield Table("Texts segmented again", head, rows)
    yield Legend(
        "Outputs whose lines are not those of the references were cut to match them. A "
        "segment is uncertain if few of its words match the reference, if several "
        "places would do as well, or if it begins or ends inside a sentence; its score "
        "and its words may be those of a neighbour."
    )


def _runs(report: SystemReport, name: str) -> int:
    scores = report.comparison.scores[name].values()
    return max(len(score.runs or ()) for score in scores)
