# SPDX-License-Identifier: Apache-2.0
"""Scores and comparisons of systems as HTML pages that need nothing but themselves."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.engine.results import Comparison, ScoreTable
from tertium.report.html_tables import Cell, html_table, plain
from tertium.report.meta.style import SCRIPT
from tertium.report.shell import Section, contents, masthead, page_shell, warnings
from tertium.report.systems.board import Bar, bars
from tertium.report.systems.board_style import board_style
from tertium.report.systems.tables import (
    labels,
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

__all__ = ["compare_page", "score_page"]


def score_page(
    table: ScoreTable,
    order: Sequence[str],
    *,
    confidence: float | None = None,
    digits: int | None = None,
    notes: Sequence[str] = (),
) -> str:
    """Return a page on the scores of systems.

    Parameters
    ----------
    table : ScoreTable
    order : sequence of str
        The systems, as they shall stand in tables.
    confidence : float, optional
        Of the intervals, if there are any.
    digits : int, optional
        Decimal places.
    notes : sequence of str
        What readers should know before they trust the scores.
    """
    sections = [("scores", "Scores", scores_table(table, order, confidence, digits))]
    scored = next(iter(table.systems.values()))
    one = next(iter(scored.values()))
    if one.documents is not None:
        documents = units_table(table, order, "document", digits)
        sections.append(("documents", "Documents", documents))
    if one.segments is not None:
        sections.append(
            (
                "segments",
                "Segments",
                units_table(table, list(table.systems), "segment", digits),
            )
        )
    sections.append(("how", "How this was made", _metrics(table)))
    return _page(
        "Scores",
        score_headline(table),
        score_lead(table),
        [_board(table, confidence, digits), warnings("Caution", notes)],
        sections,
    )


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
        The systems, as they shall stand in tables without a ranking.
    digits : int, optional
        Decimal places.
    notes : sequence of str
        What readers should know before they trust the tests.
    """
    named = labels(result.scores)
    sections: list[Section] = []
    for number, (spec, label) in enumerate(named.items(), start=1):
        body = ranking_table(result, spec, order, digits)
        if result.ranking[spec]:
            body += matrix_table(result, spec)
        sections.append((f"metric-{number}", label, body))
    sections += [
        ("pairs", "All pairs", pairs_table(result, order, digits)),
        ("how", "How this was made", f"{how_tested(result)}{_metrics(result.scores)}"),
    ]
    confidence = 1 - float(result.run["alpha"])
    return _page(
        "Comparison of systems",
        comparison_headline(result),
        comparison_lead(result),
        [_board(result.scores, confidence, digits), warnings("Caution", notes)],
        sections,
    )


def _page(
    kicker: str,
    heading: str,
    lead: str,
    header: Sequence[str],
    sections: Sequence[Section],
) -> str:
    return page_shell(
        heading,
        style=board_style(),
        header=[masthead(kicker, heading, lead), *header, contents(sections)],
        sections=sections,
        scripts=[f"<script>{SCRIPT}</script>"],
    )


def _board(table: ScoreTable, confidence: float | None, digits: int | None) -> str:
    """Return the systems under the first metric, best first."""
    spec, info = next(iter(table.metrics.items()))
    others = [(key, label) for key, label in labels(table).items() if key != spec]
    shown = []
    for name in table.ranked():
        own = table[name][spec]
        notes = [
            f"{label} {table.metrics[key].show(table[name][key].score, digits)}"
            for key, label in others
        ]
        value = info.show(own.score, digits)
        bar = Bar(name, own.score, value, own.interval, "; ".join(notes))
        shown.append(bar)
    best = "higher" if info.higher_is_better else "lower"
    legend = f"{labels(table)[spec]}: {best} is better."
    if confidence is not None:
        legend += f" Lines are {100 * confidence:g} % bootstrap intervals."
    return bars(shown, legend)


def _metrics(table: ScoreTable) -> str:
    """Return what the scores are, and the signatures that papers cite."""
    rows = [
        [
            Cell(plain(label), label),
            Cell("higher" if table.metrics[spec].higher_is_better else "lower"),
            Cell(f"<code>{plain(table.metrics[spec].signature)}</code>"),
        ]
        for spec, label in labels(table).items()
    ]
    return html_table("Metrics", ["metric", "better is", "signature"], rows)
