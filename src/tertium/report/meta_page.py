# SPDX-License-Identifier: Apache-2.0
"""Meta-evaluation as an HTML page that needs nothing but itself.

Words and tables come first and need no script; charts by Vega-Altair show the same
figures. A content policy forbids the page to load anything.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence

from tertium._version import __version__
from tertium.judgements import Agreement
from tertium.meta.evaluation import Evaluation
from tertium.meta.gaps import Gap
from tertium.meta.results import Correlations
from tertium.report import metric_charts, people_charts
from tertium.report.family_chart import family_chart
from tertium.report.kappa_chart import kappa_chart
from tertium.report.meta_style import CHARTS_STYLE, SCRIPT
from tertium.report.meta_summary import cautions, conclusions, setting
from tertium.report.meta_tables import (
    Grid,
    averages_table,
    gap_table,
    grids,
    kappa_table,
    matrix_table,
    plain,
    systems_table,
    values_table,
)
from tertium.report.page_style import HEAD, page_style
from tertium.report.people import (
    Agreed,
    SystemScore,
    judge_agreement,
    judge_kappas,
    system_scores,
)
from tertium.report.vega import LIGHT, PAGE, Colours, Drawn, altair, bundle, spec

__all__ = ["CHARTS", "meta_chart", "meta_page"]

_TITLE = "Metrics against people"
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'unsafe-inline'; img-src data:"
)
_LICENCE = (
    "<!-- Vega, Vega-Lite, vega-embed and what they need, in the script below: "
    "BSD 3-Clause and ISC, University of Washington Interactive Data Lab and others -->"
)
_PLAIN = 1_000_000  # characters of JSON that are worth a file one can read at once
_LETTER = 6.6  # pixels, about, in labels of axes

#: Charts by name: what each shows.
CHARTS = {
    "values": "values with bootstrap intervals",
    "heatmap": "values by metric and language pair",
    "scatter": "scores of systems: a metric and people",
    "tests": "tests of differences between metrics",
    "systems": "systems as people see them",
    "agreement": "preferences that judges share",
    "kappa": "agreement of judges beyond chance",
    "gaps": "how often people agreed with a difference",
    "families": "values by family of metrics, with every configuration",
}


class _Material:
    """Everything that words, tables and charts are made of."""

    def __init__(
        self,
        result: Correlations,
        evaluations: Sequence[Evaluation],
        gaps: Mapping[str, Sequence[Gap]],
        without: Sequence[str],
    ) -> None:
        self.result = result
        self.evaluations = evaluations
        self.gaps = gaps
        self.grids: list[Grid] = grids(result, without=without)
        self.people: dict[str, list[SystemScore]] = {}
        self.agreed: dict[str, Agreed] = {}
        self.kappas: dict[str, Agreement] = {}
        resamples = int(result.run.get("resamples") or 0)
        seed = int(result.run.get("seed") or 0)
        confidence = float(result.run.get("confidence") or 0.95)
        for both in evaluations:
            pair = str(both.human.langpair or "all")
            self.people[pair] = system_scores(
                both.human, resamples=resamples, seed=seed, confidence=confidence
            )
            if both.human.comparisons is None:
                continue
            run = {"resamples": resamples, "seed": seed}
            said = both.human.comparisons
            agreed = judge_agreement(said, confidence=confidence, **run)
            if agreed is not None:
                self.agreed[pair] = agreed
            kappas = judge_kappas(said, confidence=confidence, **run)
            if kappas and (kappas.inter.compared or kappas.intra.compared):
                self.kappas[pair] = kappas

    def chart(self, name: str, colours: Colours) -> Drawn | None:
        """Return a chart by name."""
        if name == "values":
            return metric_charts.range_chart(self.grids, colours)
        if name == "heatmap":
            return metric_charts.heat_map(self.grids, colours)
        if name == "scatter":
            return people_charts.scatter_chart(self.evaluations, self.people, colours)
        if name == "tests":
            return metric_charts.matrix_chart(self.result, colours)
        if name == "systems":
            return people_charts.system_chart(self.people, colours)
        if name == "agreement":
            return people_charts.agreement_chart(self.agreed, colours)
        if name == "kappa":
            return kappa_chart(self.kappas, colours)
        if name == "families":
            return family_chart(self.result, colours)
        return people_charts.gap_chart(self.gaps, colours)


def meta_chart(
    name: str,
    result: Correlations,
    evaluations: Sequence[Evaluation],
    *,
    gaps: Mapping[str, Sequence[Gap]] | None = None,
    without: Sequence[str] = (),
) -> Drawn | None:
    """Return one chart for a file, see ``CHARTS``; None if there is nothing to draw.

    Raises
    ------
    MissingExtraError
        If Altair is not installed.
    """
    alt = altair()
    all_of = _Material(result, evaluations, gaps or {}, without)
    chart = all_of.chart(name, LIGHT)
    # A file has no list to choose from: say what was chosen.
    chosen = ""
    if name in ("values", "heatmap", "families"):
        chosen = all_of.grids[0].coefficient.name
    elif name == "scatter" and chart is not None:
        chosen = evaluations[0].metrics[0].name
    elif name == "tests" and chart is not None:
        first = next(iter(result.clusters))
        chosen = f"{first}, {next(iter(result.clusters[first]))}"
    if chart is None or not chosen:
        return chart
    title = alt.Title(chosen, anchor="start", color=LIGHT.ink)
    return Drawn(chart.chart.properties(title=title), chart.rows)


def meta_page(
    result: Correlations,
    evaluations: Sequence[Evaluation],
    *,
    gaps: Mapping[str, Sequence[Gap]] | None = None,
    without: Sequence[str] = (),
    digits: int = 3,
) -> str:
    """Return a page on how far metrics agree with people.

    Parameters
    ----------
    result : Correlations
    evaluations : sequence of Evaluation
        What the result was made from.
    gaps : mapping of str to sequence of Gap, optional
        What differences of metrics meant, by metric.
    without : sequence of str
        Language pairs that averages leave out.
    digits : int
        Behind the point, in tables.

    Raises
    ------
    MissingExtraError
        If Altair is not installed.
    """
    altair()
    all_of = _Material(result, evaluations, gaps or {}, without)
    sections = list(_sections(all_of, digits))
    head = HEAD.format(title=_TITLE, style=f"{page_style()}\n{CHARTS_STYLE}")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    parts = [
        head.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n{policy}', 1),
        f"<header><h1>{_TITLE}</h1>",
        *(f"<p>{plain(text)}</p>" for text in setting(result, evaluations)),
        '<nav aria-label="Sections"><ul class="contents">',
        *(f'<li><a href="#{key}">{title}</a></li>' for key, title, _ in sections),
        f"<li>{_download(all_of)}</li></ul></nav>",
        (
            "<noscript><p>Charts need JavaScript; words and tables hold the same "
            "figures.</p></noscript></header>\n<main>"
        ),
        _summary(all_of, without),
    ]
    for key, title, body in sections:
        parts.append(
            f'<section id="{key}" aria-labelledby="{key}-title">'
            f'<h2 id="{key}-title">{title}</h2>{body}</section>'
        )
    parts += [
        (
            f"</main>\n<footer>Made by Tertium {__version__}; seed "
            f"{result.run.get('seed')}.</footer>"
        ),
        _LICENCE,
        f"<script>{bundle()}</script>",
        f"<script>{SCRIPT}</script>",
        "</body>\n</html>\n",
    ]
    return "\n".join(parts)


# --------------------------------------------------------------------------- sections


def _summary(all_of: _Material, without: Sequence[str]) -> str:
    said = "".join(
        f"<dt>{plain(name)}</dt><dd>{plain(text)}</dd>"
        for name, text in conclusions(all_of.grids)
    )
    warned = cautions(
        all_of.result, all_of.evaluations, all_of.grids, all_of.agreed, without=without
    )
    items = "".join(f"<li>{plain(text)}</li>" for text in warned)
    box = (
        f'<div class="cautions"><h3>Beware</h3><ul>{items}</ul></div>' if items else ""
    )
    return (
        '<section class="summary" id="summary" aria-labelledby="summary-title">'
        f'<h2 id="summary-title">In short</h2><dl>{said}</dl>{box}</section>'
    )


def _sections(all_of: _Material, digits: int) -> Iterator[tuple[str, str, str]]:
    """Yield the key, the title and the body of every section that has something."""
    yield "values", "Agreement with people", "\n".join(_values(all_of, digits))
    scatter = _figure(
        all_of,
        "scatter",
        "Scores of systems by a metric (right is better; scores that fall with "
        "quality are negated) and by people (up is better), with intervals; the "
        "dashed line is that of least squares.",
        panel=330,
    )
    if scatter:
        yield "scores", "Scores of systems", scatter
    if all_of.result.clusters:
        yield "tests", "Are the differences real?", "\n".join(_tests(all_of))
    people = "\n".join(_people(all_of))
    if people:
        yield "people", "What people said", people
    if all_of.gaps:
        yield "gaps", "What a difference means", "\n".join(_gaps(all_of))


def _values(all_of: _Material, digits: int) -> Iterator[str]:
    yield _figure(
        all_of,
        "values",
        "Values with their bootstrap intervals, best first. Probes know nothing of "
        "quality; an arrow says that one is off the scale.",
        panel=_panel(all_of.result.metrics),
    )
    if len(all_of.result.langpairs) > 1:
        yield _figure(
            all_of,
            "heatmap",
            "Stronger colour is better, from the lowest to the highest value of a "
            "metric under this coefficient; frames mark the best of a language pair.",
        )
        if len(all_of.grids) > 1:
            yield averages_table(all_of.grids, digits=digits)
            yield (
                '<p class="legend">≀ higher than the value above it, out of sequence '
                "with the first coefficient.</p>"
            )
    yield '<div class="tables">'
    for grid in all_of.grids:
        yield values_table(grid, digits=digits)
    yield "</div>"
    legend = ["★ best of a column"]
    if all_of.result.clusters:
        legend.append("✓ no metric is significantly better")
    legend.append("± half of the interval; n/a: not defined")
    yield f'<p class="legend">{"; ".join(legend)}. Columns sort on click.</p>'


def _tests(all_of: _Material) -> Iterator[str]:
    yield _figure(
        all_of,
        "tests",
        "Adjusted p-values. An arrow points at the significantly better metric: ← the "
        "row, ↑ the column. The number before a metric is its cluster; lines part "
        "clusters.",
    )
    tables = [
        matrix_table(all_of.result, name, pair)
        for name, own in all_of.result.clusters.items()
        for pair in own
    ]
    yield (
        f"<details><summary>All p-values as tables ({len(tables)})</summary>"
        f"{''.join(tables)}</details>"
    )


def _people(all_of: _Material) -> Iterator[str]:
    if any(all_of.people.values()):
        kinds = "; ".join(dict.fromkeys(all_of.result.human.values()))
        yield _figure(
            all_of,
            "systems",
            f"Scores of systems by people ({kinds}) with bootstrap intervals.",
            panel=_panel([s.system for own in all_of.people.values() for s in own]),
        )
        yield (
            "<details><summary>Systems as a table</summary>"
            f"{systems_table(all_of.people)}</details>"
        )
    if all_of.agreed:
        yield _figure(
            all_of,
            "agreement",
            "How often two judges who both prefer one of two outputs prefer the same "
            "one, with bootstrap intervals over segments. 50 % is chance.",
        )
        said = "; ".join(
            f"{pair}: {100 * own.share:.1f} % of {own.compared:,} pairs of preferences"
            for pair, own in all_of.agreed.items()
        )
        yield f"<p>Judges agree: {plain(said)}.</p>"
    if all_of.kappas:
        yield _figure(
            all_of,
            "kappa",
            "Kappa: agreement beyond chance on better, worse and tie, of two judges "
            "(inter) and of a judge with an earlier judgement (intra), with bootstrap "
            "intervals over segments. 0 is chance. By judge: tertium agree.",
        )
        yield kappa_table(all_of.kappas)


def _gaps(all_of: _Material) -> Iterator[str]:
    yield _figure(
        all_of,
        "gaps",
        "How often people put two systems into the order of the metric, by the size "
        "of the difference, with 95 % intervals; numbers count pairs of systems. The "
        "dashed line is chance.",
        panel=480,
    )
    for name, own in all_of.gaps.items():
        yield gap_table(name, own)
    yield '<p class="legend">Pairs of systems that people tie are left out.</p>'


def _figure(all_of: _Material, name: str, caption: str, *, panel: int = 0) -> str:
    """Return a figure with its chart as JSON, for the script to draw."""
    chart = all_of.chart(name, PAGE)
    if chart is None:
        return ""
    data = json.dumps(spec(chart, PAGE), separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'<figure class="vega" id="chart-{name}" data-panel="{panel}">'
        '<div class="controls"></div>'
        '<div class="scroll"><div class="chart"></div></div>'
        f"<figcaption>{plain(caption)} "
        '<button type="button" class="save" hidden>Save as SVG</button></figcaption>'
        f'<script type="application/json">{data}</script></figure>'
    )


def _panel(labels: Sequence[str]) -> int:
    """Return the width of a panel with its labels, which charts cut at 190 pixels."""
    longest = max(map(len, labels), default=0)
    return int(min(190, _LETTER * longest)) + 250


def _download(all_of: _Material) -> str:
    """Return a link that holds all figures."""
    out = {**all_of.result.to_dict()}
    if all_of.gaps:
        out["gaps"] = {
            name: [gap.to_dict() for gap in own] for name, own in all_of.gaps.items()
        }
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
