# SPDX-License-Identifier: Apache-2.0
"""Error analysis with reference sets, as a self-contained HTML page.

The ranking, the text, the tables and the first outputs need no script; Vega-Altair
charts show the same figures, and a small script filters outputs.
"""

from __future__ import annotations

import json

from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.tables import segments_tsv, systems_tsv
from tertium.report.components import Cautions, Download, Page, download
from tertium.report.draw.vega import altair
from tertium.report.grammar.sections import board, sections
from tertium.report.grammar.summary import cautions, headline, lead
from tertium.report.rendering import render

__all__ = ["grammar_page"]


def grammar_page(evaluation: Evaluation, *, title: str = "") -> str:
    """Return a page on what systems get wrong.

    Parameters
    ----------
    evaluation : Evaluation
    title : str, optional
        The name of the test set, such as "English to Finnish".

    Raises
    ------
    MissingExtraError
        If Altair is not installed.
    """
    altair()
    page = Page(
        headline(evaluation),
        kicker=f"Error analysis · {title}" if title else "Error analysis",
        lead=" ".join(lead(evaluation)),
        header=[board(evaluation), Cautions(list(cautions(evaluation)))],
        sections=sections(evaluation),
        downloads=_downloads(evaluation),
        # Outputs first: they can be looked through while charts are drawn.
        scripts=["browser.js", "outputs.js", "tables.js", "printing.js", "charts.js"],
        charts=True,
    )
    return render(page)


def _downloads(evaluation: Evaluation) -> list[Download]:
    """Return files with all figures and all outputs."""
    figures = json.dumps(evaluation.to_json(), separators=(",", ":"))
    tsv = "text/tab-separated-values"
    return [
        download(
            "all figures as JSON",
            "systems.json",
            figures,
            media_type="application/json",
        ),
        download(
            "systems as a table",
            "systems.tsv",
            systems_tsv(evaluation),
            media_type=tsv,
        ),
        download(
            "outputs as a table",
            "segments.tsv",
            segments_tsv(evaluation.segments),
            media_type=tsv,
        ),
    ]
