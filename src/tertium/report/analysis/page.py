# SPDX-License-Identifier: Apache-2.0
"""Which system is better, where, and why, as a self-contained HTML page.

The headline, the tables, the diagrams and the first segments need no script; a script
sorts and filters the segments.
"""

from __future__ import annotations

from dataclasses import replace

from tertium.analysis.report import SystemReport
from tertium.report.analysis import sections
from tertium.report.analysis.browser import segment_browser
from tertium.report.analysis.words import cautions, headline, lead
from tertium.report.components import (
    Cautions,
    Details,
    Download,
    Page,
    Section,
    download,
)
from tertium.report.rendering import render
from tertium.report.systems.page import metrics_table, score_board

__all__ = ["report_page"]


def report_page(report: SystemReport, *, title: str = "") -> str:
    """Return a page on the differences between systems.

    Parameters
    ----------
    report : SystemReport
    title : str, optional
        The name of the test set.
    """
    confidence = 1 - float(report.comparison.run["alpha"])
    page = Page(
        headline(report),
        kicker=f"System report · {title}" if title else "System report",
        lead=lead(report),
        header=[
            score_board(report.comparison.scores, confidence),
            Cautions(list(cautions(report))),
            Details("Signatures", [metrics_table(report.comparison.scores)]),
        ],
        sections=[
            Section("systems", "Systems", sections.systems(report)),
            Section("where", "Where they differ", sections.where(report)),
            Section(
                "differences", "What they do differently", sections.differences(report)
            ),
            Section("outputs", "Segments", [*segment_browser(report)]),
            Section("metrics", "Metrics", sections.metrics(report)),
            Section("how", "Method", sections.method(report)),
        ],
        downloads=_downloads(report),
        scripts=["browser.js", "segments.js", "tables.js"],
    )
    return render(page)


def _downloads(report: SystemReport) -> list[Download]:
    """Return a file with all figures but those of segments, which the page has."""
    tables = replace(report, segments={}, labels={})
    return [
        download(
            "all tables as JSON",
            "report.json",
            tables.to_json(indent=None),
            media_type="application/json",
        )
    ]
