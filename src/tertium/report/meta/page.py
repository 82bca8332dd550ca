# SPDX-License-Identifier: Apache-2.0
"""Meta-evaluation as a self-contained HTML page.

The text and the tables need no script; Vega-Altair charts show the same numbers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from tertium.meta.evaluation import Evaluation
from tertium.meta.families import FamilyTest
from tertium.meta.gaps import Gap
from tertium.meta.results import Correlations
from tertium.report.components import Page, download
from tertium.report.draw.vega import altair
from tertium.report.meta.charts import CHARTS, Material, meta_chart
from tertium.report.meta.sections import sections
from tertium.report.meta.summary import setting
from tertium.report.rendering import render

__all__ = ["CHARTS", "meta_chart", "meta_page"]

_PLAIN = 1_000_000  # bytes of JSON that are still worth an uncompressed file


def meta_page(
    result: Correlations,
    evaluations: Sequence[Evaluation],
    *,
    gaps: Mapping[str, Sequence[Gap]] | None = None,
    families: Sequence[FamilyTest] | None = None,
    without: Sequence[str] = (),
    digits: int = 3,
    p_values: bool = False,
) -> str:
    """Return a page on how well metrics correlate with human judgements.

    Parameters
    ----------
    result : Correlations
    evaluations : sequence of Evaluation
        What the result was computed from.
    gaps : mapping of str to sequence of Gap, optional
        Agreement by the size of score differences, for some metrics.
    families : sequence of FamilyTest, optional
        Tests of metric families; None omits their section.
    without : sequence of str
        Language pairs that averages exclude.
    digits : int
        Decimal places in tables.
    p_values : bool
        Whether tables show p-values of correlations against 0.

    Raises
    ------
    MissingExtraError
        If Altair is not installed.
    """
    altair()
    material = Material(
        result,
        evaluations,
        gaps or {},
        without,
        families=families,
        p_values=p_values,
    )
    figures = download(
        "all figures as JSON",
        "correlations.json",
        json.dumps(_figures(material), separators=(",", ":")),
        media_type="application/json",
        plain=_PLAIN,
    )
    page = Page(
        "Correlation with human judgements",
        kicker="Meta-evaluation",
        lead=" ".join(setting(result, evaluations)),
        sections=sections(material, digits),
        downloads=[figures],
        footer=f"; seed {result.run.get('seed')}",
        scripts=["tables.js", "printing.js", "charts.js"],
        charts=True,
    )
    return render(page)


def _figures(material: Material) -> dict[str, object]:
    """Return all figures of the page for JSON."""
    out: dict[str, object] = {**material.result.to_dict()}
    if material.gaps:
        out["gaps"] = {
            name: [gap.to_dict() for gap in gaps]
            for name, gaps in material.gaps.items()
        }
    if material.families is not None:
        out["families"] = [asdict(test) for test in material.families]
    if material.kappas:
        out["agreement"] = {
            pair: {"inter": kappas.inter.to_dict(), "intra": kappas.intra.to_dict()}
            for pair, kappas in material.kappas.items()
        }
    return out
