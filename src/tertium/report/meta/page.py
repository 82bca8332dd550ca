# SPDX-License-Identifier: Apache-2.0
"""Meta-evaluation as an HTML page that needs nothing but itself.

Words and tables come first and need no script; charts by Vega-Altair show the same
figures. A content policy forbids the page to load anything.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from tertium.meta.evaluation import Evaluation
from tertium.meta.families import FamilyTest
from tertium.meta.gaps import Gap
from tertium.meta.results import Correlations
from tertium.report.draw.vega import altair, bundle
from tertium.report.explain.style import page_style
from tertium.report.html_tables import plain
from tertium.report.meta.charts import CHARTS, Material, meta_chart
from tertium.report.meta.sections import sections, summary
from tertium.report.meta.style import CHARTS_STYLE, SCRIPT
from tertium.report.meta.summary import setting
from tertium.report.shell import contents, page_shell

__all__ = ["CHARTS", "LICENCE", "meta_chart", "meta_page"]

_TITLE = "Metrics against people"
#: Of the charts' library, which pages carry.
LICENCE = (
    "<!-- Vega, Vega-Lite, vega-embed and what they need, in the script below: "
    "BSD 3-Clause and ISC, University of Washington Interactive Data Lab and others -->"
)
_PLAIN = 1_000_000  # characters of JSON that are worth a file one can read at once


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
    """Return a page on how far metrics agree with people.

    Parameters
    ----------
    result : Correlations
    evaluations : sequence of Evaluation
        What the result was made from.
    gaps : mapping of str to sequence of Gap, optional
        What differences of metrics meant, by metric.
    families : sequence of FamilyTest, optional
        Tests of families of metrics; None leaves their section out.
    without : sequence of str
        Language pairs that averages leave out.
    digits : int
        Behind the point, in tables.
    p_values : bool
        Whether tables have the p-values of correlations against 0.

    Raises
    ------
    MissingExtraError
        If Altair is not installed.
    """
    altair()
    all_of = Material(
        result,
        evaluations,
        gaps or {},
        without,
        families=families,
        p_values=p_values,
    )
    found = list(sections(all_of, digits))
    header = [
        f"<h1>{_TITLE}</h1>",
        *(f"<p>{plain(text)}</p>" for text in setting(result, evaluations)),
        contents(found, _download(all_of)),
        (
            "<noscript><p>Charts need JavaScript; words and tables hold the same "
            "figures.</p></noscript>"
        ),
    ]
    return page_shell(
        _TITLE,
        style=f"{page_style()}\n{CHARTS_STYLE}",
        header=header,
        before=[summary(all_of, without)],
        sections=found,
        footer=f"; seed {result.run.get('seed')}",
        scripts=[
            LICENCE,
            f"<script>{bundle()}</script>",
            f"<script>{SCRIPT}</script>",
        ],
    )


def _download(all_of: Material) -> str:
    """Return a link that holds all figures."""
    out = {**all_of.result.to_dict()}
    if all_of.gaps:
        out["gaps"] = {
            name: [gap.to_dict() for gap in own] for name, own in all_of.gaps.items()
        }
    if all_of.families is not None:
        out["families"] = [asdict(test) for test in all_of.families]
    if all_of.kappas:
        out["agreement"] = {
            pair: {"inter": own.inter.to_dict(), "intra": own.intra.to_dict()}
            for pair, own in all_of.kappas.items()
        }
    text = json.dumps(out, ensure_ascii=True, separators=(",", ":"))
    data, name, kind = text.encode(), "correlations.json", "application/json"
    if len(data) > _PLAIN:
        data, name, kind = (
            gzip.compress(data, 6, mtime=0),
            f"{name}.gz",
            "application/gzip",
        )
    link = f"data:{kind};base64,{base64.b64encode(data).decode()}"
    return f'<a download="{name}" href="{link}">All figures as JSON</a>'
