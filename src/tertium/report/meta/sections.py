# SPDX-License-Identifier: Apache-2.0
"""The sections of a page on meta-evaluation: words, charts and tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from tertium.meta.families import family_of
from tertium.report.draw.vega import PAGE, spec
from tertium.report.html_tables import plain
from tertium.report.meta.charts import Material
from tertium.report.meta.summary import cautions, conclusions
from tertium.report.meta.tables import (
    averages_table,
    gap_table,
    kappa_table,
    systems_table,
    values_table,
)
from tertium.report.meta.tested_tables import family_table, matrix_table, tally_table

__all__ = ["sections", "summary"]

_MANY = 12  # rows of a table that not every reader wants
_LETTER = 6.6  # pixels, about, in labels of axes


def summary(all_of: Material, without: Sequence[str]) -> str:
    """Return what was found in words, with what to beware of."""
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


def sections(all_of: Material, digits: int) -> Iterator[tuple[str, str, str]]:
    """Yield the key, the title and the body of every section that has something.

    Parameters
    ----------
    all_of : Material
    digits : int
        Behind the point, in tables.
    """
    yield "values", "Agreement with people", "\n".join(_values(all_of, digits))
    scores = "\n".join(_scores(all_of))
    if scores.strip():
        yield "scores", "Scores of systems and outputs", scores
    if all_of.result.clusters:
        yield "tests", "Are the differences real?", "\n".join(_tests(all_of))
    if all_of.families is not None:
        yield "families", "Families of metrics", "\n".join(_families(all_of))
    people = "\n".join(_people(all_of))
    if people:
        yield "people", "What people said", people
    if all_of.gaps:
        yield "gaps", "What a difference means", "\n".join(_gaps(all_of))


def _values(all_of: Material, digits: int) -> Iterator[str]:
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
    alpha = None
    if all_of.p_values:
        alpha = 1 - float(all_of.result.run.get("confidence") or 0.95)
    yield '<div class="tables">'
    for grid in all_of.grids:
        yield values_table(grid, digits=digits, alpha=alpha)
    yield "</div>"
    legend = ["★ best of a column"]
    if all_of.result.clusters:
        legend.append("✓ no metric is significantly better")
    legend.append("± half of the interval; n/a: not defined")
    if alpha is not None and any(value.p is not None for value in all_of.result.values):
        legend.append(
            "p: of the value against 0, two-sided, without correction; ‡ below "
            f"{alpha:.3g}"
        )
    yield f'<p class="legend">{"; ".join(legend)}. Columns sort on click.</p>'


def _scores(all_of: Material) -> Iterator[str]:
    yield _figure(
        all_of,
        "scatter",
        "Scores of systems by a metric (right is better; scores that fall with "
        "quality are negated) and by people (up is better), with intervals; the "
        "dashed line is that of least squares.",
        panel=330,
    )
    yield _figure(
        all_of,
        "histogram",
        "How scores of outputs are spread on the segments that were judged; the "
        "dashed line is the mean. Scores that fall with quality are negated.",
        panel=310,
    )


def _tests(all_of: Material) -> Iterator[str]:
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
    counted = [
        tally_table(all_of.result, grid.coefficient.name, grid.real, all_of.without)
        for grid in all_of.grids
    ]
    if any(counted):
        left_out = [pair for pair in all_of.without if pair in all_of.result.langpairs]
        less = f" Without {', '.join(left_out)}." if left_out else ""
        yield "\n".join(counted)
        yield (
            '<p class="legend">Wins-losses-draws: on how many language pairs the row '
            "is significantly better than the column, significantly worse, or "
            f"neither.{plain(less)}</p>"
        )


def _families(all_of: Material) -> Iterator[str]:
    yield _figure(
        all_of,
        "families",
        f"{all_of.grids[0].coefficient.name}: the mean of every family as a bar, a "
        "mark for every configuration, and a star where its interval leaves out "
        "chance.",
        panel=_panel(list(map(family_of, all_of.result.metrics))),
    )
    if all_of.families:
        table = family_table(all_of.families)
        if (tests := len(all_of.families)) > _MANY:
            words = f"All tests of families as a table ({tests})"
            table = f"<details><summary>{words}</summary>{table}</details>"
        yield table
        yield (
            '<p class="legend">Better: its lowest configuration is above the highest '
            "of the other. U, p: Mann and Whitney; configurations are no random "
            "sample, and few of them cannot give a small p.</p>"
        )


def _people(all_of: Material) -> Iterator[str]:
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


def _gaps(all_of: Material) -> Iterator[str]:
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


def _figure(all_of: Material, name: str, caption: str, *, panel: int = 0) -> str:
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
