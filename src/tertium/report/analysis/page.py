# SPDX-License-Identifier: Apache-2.0
"""Which system is better, where, and why, as a self-contained HTML page.

The headline, the tables, the diagrams and the first segments need no script; a script
sorts and filters the segments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from tertium.analysis.report import SystemReport
from tertium.errors import UnknownNameError
from tertium.report.analysis import sections
from tertium.report.analysis.agreement import metrics
from tertium.report.analysis.browser import segment_browser
from tertium.report.analysis.words import cautions, headline, lead
from tertium.report.components import (
    Cautions,
    Component,
    Details,
    Download,
    Page,
    Section,
    download,
)
from tertium.report.rendering import render
from tertium.report.systems.page import metrics_table, score_board

__all__ = ["SECTIONS", "report_page", "section_page"]

#: What the page has, by the names of links to it: title, and what makes it.
SECTIONS: Mapping[str, tuple[str, Callable[[SystemReport], list[Component]]]] = {
    "systems": ("Systems", sections.systems),
    "where": ("Where they differ", sections.where),
    "differences": ("What they do differently", sections.differences),
    "outputs": ("Segments", lambda report: [*segment_browser(report)]),
    "metrics": ("Metrics", metrics),
    "how": ("Method", sections.method),
}
_SCRIPTS = [
    "browser.js",
    "drawings.js",
    "dependencies.js",
    "paths.js",
    "losses.js",
    "findings.js",
    "edits.js",
    "segments.js",
    "tables.js",
    "printing.js",
]


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
        sections=[_section(report, name) for name in SECTIONS],
        downloads=_downloads(report),
        scripts=_SCRIPTS,
    )
    return render(page)


def section_page(report: SystemReport, name: str) -> str:
    """Return a page with one section.

    Parameters
    ----------
    report : SystemReport
    name : str
        A key of :data:`SECTIONS`.
    """
    if name not in SECTIONS:
        raise UnknownNameError("section", name, SECTIONS)
    title, _ = SECTIONS[name]
    scripts = _SCRIPTS if name == "outputs" else ["tables.js", "printing.js"]
    return render(Page(title, sections=[_section(report, name)], scripts=scripts))


def _section(report: SystemReport, name: str) -> Section:
    title, make = SECTIONS[name]
    return Section(name, title, make(report))


def _downloads(report: SystemReport) -> list[Download]:
    """Return a file with all figures but those of segments, which the page has."""
    scores = report.comparison.scores
    systems = {
        name: {spec: replace(score, segments=None) for spec, score in of.items()}
        for name, of in scores.systems.items()
    }
    comparison = replace(report.comparison, scores=replace(scores, systems=systems))
    tables = replace(report, comparison=comparison, segments={}, labels={})
    return [
        download(
            "all tables as JSON",
            "report.json",
            tables.to_json(indent=None),
            media_type="application/json",
        )
    ]
