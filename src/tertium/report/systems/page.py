# SPDX-License-Identifier: Apache-2.0
"""System scores and comparisons as self-contained HTML pages."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.engine.comparison import Comparison
from tertium.engine.results import ScoreTable
from tertium.report.components import (
    Bar,
    Board,
    Cautions,
    Cell,
    Page,
    Section,
    Span,
    Table,
    Text,
)
from tertium.report.draw.lettering import minus
from tertium.report.rendering import render
from tertium.report.systems.tables import (
    matrix_table,
    pairs_table,
    ranking_table,
    scores_table,
    units_table,
)
from tertium.report.systems.words import (
    comparison_headline,
    comparison_lead,
    how_tested,
    score_headline,
    score_lead,
)

__all__ = ["compare_page", "metrics_table", "score_board", "score_page"]


def score_page(
    table: ScoreTable,
    order: Sequence[str],
    *,
    confidence: float | None = None,
    digits: int | None = None,
    notes: Sequence[str] = (),
) -> str:
    """Return a page on system scores.

    Parameters
    ----------
    table : ScoreTable
    order : sequence of str
        The systems in the order of the tables.
    confidence : float, optional
        The confidence level of the intervals, if there are any.
    digits : int, optional
        Decimal places.
    notes : sequence of str
        What readers should know before they trust the scores.
    """
    sections = [
        Section("scores", "Scores", scores_table(table, order, confidence, digits))
    ]
    scored = next(iter(table.systems.values()))
    first = next(iter(scored.values()))
    if first.documents is not None:
        documents = units_table(table, order, "document", digits)
        sections.append(Section("documents", "Documents", [documents]))
    if table.joined is not None:
        title = "Documents as one text each"
        joined = units_table(table.joined, order, "document", digits)
        sections.append(Section("joined", title, [joined]))
    if first.segments is not None:
        segments = units_table(table, list(table.systems), "segment", digits)
        sections.append(Section("segments", "Segments", [segments]))
    sections.append(Section("how", "Method", [metrics_table(table)]))
    page = Page(
        score_headline(table),
        kicker="Scores",
        lead=score_lead(table),
        header=[score_board(table, confidence, digits), Cautions(notes)],
        sections=sections,
    )
    return render(page)


def compare_page(
    result: Comparison,
    order: Sequence[str],
    *,
    digits: int | None = None,
    notes: Sequence[str] = (),
) -> str:
    """Return a page on which systems differ.

    Parameters
    ----------
    result : Comparison
    order : sequence of str
        The systems in the order of tables without a ranking.
    digits : int, optional
        Decimal places.
    notes : sequence of str
        What readers should know before they trust the tests.
    """
    sections = []
    for number, (spec, label) in enumerate(result.scores.labels.items(), start=1):
        blocks = ranking_table(result, spec, order, digits)
        if result.ranking[spec]:
            blocks += matrix_table(result, spec)
        sections.append(Section(f"metric-{number}", label, blocks))
    method = [Text(how_tested(result)), metrics_table(result.scores)]
    sections += [
        Section("pairs", "All pairs", pairs_table(result, order, digits)),
        Section("how", "Method", method),
    ]
    confidence = 1 - float(result.run["alpha"])
    page = Page(
        comparison_headline(result),
        kicker="System comparison",
        lead=comparison_lead(result),
        header=[score_board(result.scores, confidence, digits), Cautions(notes)],
        sections=sections,
    )
    return render(page)


def score_board(
    table: ScoreTable, confidence: float | None, digits: int | None = None
) -> Board:
    """Return the systems by the first metric, best first."""
    spec, info = next(iter(table.metrics.items()))
    others = [(key, label) for key, label in table.labels.items() if key != spec]
    bars = []
    for name in table.ranked():
        value = table[name][spec]
        scores = {
            key: minus(table.metrics[key].show(of.score, digits))
            for key, of in table[name].items()
        }
        # A name and its number are not divided between lines.
        notes = [f"{label}\u00a0{scores[key]}" for key, label in others]
        bars.append(
            Bar(name, value.score, scores[spec], value.interval, "; ".join(notes))
        )
    best = "higher" if info.higher_is_better else "lower"
    legend = f"{table.labels[spec]}: {best} is better."
    if confidence is not None:
        kind = "" if table.has_runs else "bootstrap "
        legend += f" Lines are {100 * confidence:g} % {kind}intervals."
    return Board(bars, legend)


def metrics_table(table: ScoreTable) -> Table:
    """Return the metrics with the signatures that papers cite."""
    rows = [
        [
            Cell(label, label),
            Cell("higher" if table.metrics[spec].higher_is_better else "lower"),
            Cell([Span(table.metrics[spec].signature, "code")]),
        ]
        for spec, label in table.labels.items()
    ]
    return Table("Metrics", ["metric", "better", "signature"], rows)
