# SPDX-License-Identifier: Apache-2.0
"""Vega-Altair charts of correlations and of tests between metrics.

Every function returns a chart, or None if there is nothing to show. Fields have fixed
names: names of metrics and systems are only values, never part of an expression. The
data are kept beside the chart, as ``rows``, because Altair would validate every row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tertium.meta.results import Correlations
from tertium.report.draw.vega import PANEL, Colours, Drawn, altair, panels
from tertium.report.meta.tables import Grid

if TYPE_CHECKING:
    from altair import TopLevelMixin

__all__ = ["heat_map", "matrix_chart", "range_chart"]

_KINDS = ("not beaten significantly", "metric", "probe")


def heat_map(grids: Sequence[Grid], colours: Colours) -> Drawn:
    """Return the values of a selectable coefficient, metrics by language pairs."""
    alt = altair()
    rows: list[dict[str, Any]] = []
    columns: dict[str, None] = {}
    for grid in grids:
        known = [
            value.value
            for value in grid.values.values()
            if value.value is not None and not value.probe
        ]
        low, high = (min(known), max(known)) if known else (0.0, 1.0)
        columns |= dict.fromkeys(grid.pairs)
        for place, metric in enumerate(grid.metrics):
            cells = [(p, grid.value(p, metric)) for p in grid.pairs]
            cells += [
                (name, grid.by_view[view][metric])
                for name, view in grid.averaged.items()
            ]
            for column, value in cells:
                share = None
                if value is not None:
                    share = (value - low) / (high - low) if high > low else 0.5
                    share = round(min(1.0, max(0.0, share)), 3)
                rows.append(
                    {
                        "c": grid.coefficient.name,
                        "m": metric,
                        "p": column,
                        "o": place,
                        "v": value,
                        "t": "n/a" if value is None else f"{value:.3f}",
                        "f": share,
                        "b": grid.is_best(column, metric),
                    }
                )
    averages = dict.fromkeys(name for grid in grids for name in grid.averaged)
    order = [*columns, *averages]
    angle = -40 if max(map(len, order)) > 8 else 0  # slice names are long
    base = (
        alt.Chart(alt.NamedData("rows"))
        .transform_filter("datum.c === coefficient")
        .encode(
            x=alt.X(
                "p:N",
                sort=order,
                title=None,
                axis=alt.Axis(
                    orient="top", labelAngle=angle, domain=False, ticks=False
                ),
            ),
            y=alt.Y(
                "m:N",
                sort=alt.EncodingSortField("o", op="min", order="ascending"),
                title=None,
                axis=alt.Axis(domain=False, ticks=False, labelPadding=6),
            ),
            tooltip=[
                alt.Tooltip("m:N", title="metric"),
                alt.Tooltip("p:N", title="language pair"),
                alt.Tooltip("t:N", title="value"),
            ],
        )
    )
    # Opacity instead of a colour scale suits light and dark backgrounds.
    cells_of = base.mark_rect(color=colours.cool).encode(
        opacity=alt.Opacity(
            "f:Q", scale=alt.Scale(domain=[0, 1], range=[0.05, 1]), legend=None
        )
    )
    ring = base.transform_filter("datum.b").mark_rect(
        fill=None, stroke=colours.ink, strokeWidth=1.6
    )
    text = base.mark_text(fontSize=12).encode(text="t:N")
    chart: TopLevelMixin = (
        alt.layer(cells_of, ring, text)
        .properties(
            width=alt.Step(62 if len(order) > 6 else 74),
            height=alt.Step(24),
            view=alt.ViewBackground(stroke=None),
            description="Values of a coefficient for every metric and language pair; "
            "the tables contain the same figures.",
        )
        .add_params(_coefficients(alt, grids))
    )
    return Drawn(chart, rows)


def range_chart(grids: Sequence[Grid], colours: Colours) -> Drawn:
    """Return values with intervals, one panel per language pair."""
    alt = altair()
    rows = [row for grid in grids for row in _ranges(grid)]
    pairs = dict.fromkeys(pair for grid in grids for pair in grid.pairs)
    tested = any(grid.winners for grid in grids)
    kinds = list(_KINDS if tested else _KINDS[1:])
    marks = {
        _KINDS[0]: (colours.green, "square"),
        "metric": (colours.blue, "circle"),
        "probe": (colours.orange, "triangle-up"),
    }
    legend = alt.Legend(title=None, orient="top")
    scale = alt.Scale(zero=False, nice=False, padding=8)
    base = alt.Chart().encode(
        y=alt.Y(
            "m:N",
            sort=alt.EncodingSortField("w", op="max", order="descending"),
            title=None,
        ),
        color=alt.Color(
            "k:N",
            scale=alt.Scale(domain=kinds, range=[marks[k][0] for k in kinds]),
            legend=legend,
        ),
        tooltip=[
            alt.Tooltip("m:N", title="metric"),
            alt.Tooltip("t:N", title="value"),
            alt.Tooltip("i:N", title="interval"),
            alt.Tooltip("n:Q", title="based on", format=","),
        ],
    )
    axis = alt.Axis(tickCount=5)
    layers = [
        base.mark_rule(strokeWidth=2).encode(
            alt.X("l:Q", title=None, scale=scale, axis=axis), alt.X2("h:Q")
        ),
        base.mark_point(filled=True, size=70, opacity=1).encode(
            alt.X("v:Q", title=None, scale=scale, axis=axis),
            shape=alt.Shape(
                "k:N",
                scale=alt.Scale(domain=kinds, range=[marks[k][1] for k in kinds]),
                legend=legend,
            ),
        ),
        base.mark_text(align="left", dx=8, fontSize=11).encode(
            alt.X("v:Q", title=None, scale=scale, axis=axis),
            text="e:N",
            color=alt.value(colours.ink),  # orange text lacks contrast
        ),
    ]
    chart: TopLevelMixin = (
        alt.layer(*layers, data=alt.NamedData("rows"))
        .transform_filter("datum.c === coefficient")
        .properties(width=PANEL - 30, height=alt.Step(19))
        .facet(panels(alt, list(pairs)), columns=3)
        .resolve_scale(x="independent", y="independent")
        .add_params(_coefficients(alt, grids))
        .properties(
            description="Values of metrics with bootstrap intervals, best first, one "
            "panel per language pair; the tables contain the same figures."
        )
    )
    return Drawn(chart, rows)


def _ranges(grid: Grid) -> Iterator[dict[str, Any]]:
    """Yield values and intervals; probes far below all metrics stay at the edge.

    A probe at -1 would otherwise compress the range of the metrics.
    """
    for pair in grid.pairs:
        values = [v for v in grid.values.values() if v.langpair == pair]
        ends = [
            end
            for v in values
            if v.value is not None and not v.probe
            for end in (v.value, *(v.interval or ()))
        ]
        spread = max(ends) - min(ends) if ends else 0.0
        floor = min(ends) - 0.5 * (spread or 0.1) if ends else -float("inf")
        for value in values:
            if value.value is None:
                continue
            low, high = value.interval or (value.value, value.value)
            kind = "probe" if value.probe else "metric"
            if (pair, value.metric) in grid.winners:
                kind = _KINDS[0]
            off = value.probe and value.value < floor
            yield {
                "c": grid.coefficient.name,
                "p": pair,
                "m": value.metric,
                "k": kind,
                "w": value.value,
                "v": floor if off else value.value,
                "l": max(low, floor),
                "h": max(high, floor) if not off else floor,
                "t": f"{value.value:.4f}",
                "i": f"{low:.4f} to {high:.4f}" if value.interval else "none",
                "e": f"← {value.value:.2f}" if off else "",
                "n": value.n,
            }


def matrix_chart(result: Correlations, colours: Colours) -> Drawn | None:
    """Return the test matrix of a selectable coefficient and language pair."""
    alt = altair()
    tests = {
        (d.coefficient, d.langpair, frozenset((d.a, d.b))): d
        for d in result.differences
    }
    # A matrix is one row of data, which the chart unfolds: there may be hundreds.
    rows: list[dict[str, Any]] = []
    for name, clusters in result.clusters.items():
        for pair, places in clusters.items():
            cells = []
            for i, row in enumerate(places):
                for j, column in enumerate(places):
                    key = (name, pair, frozenset((row.system, column.system)))
                    one = tests.get(key)
                    if one is None:
                        cells.append([i, j, 0, ""])
                        continue
                    p = one.p_adjusted
                    shown = "<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0")
                    won = int(one.better == row.system)
                    cells.append([i, j, won - int(one.better == column.system), shown])
            firsts = [
                i
                for i in range(1, len(places))
                if places[i].cluster != places[i - 1].cluster
            ]
            rows.append(
                {
                    "c": name,
                    "p": pair,
                    "m": [f"{place.cluster}  {place.system}" for place in places],
                    "n": [place.system for place in places],
                    "z": cells,
                    "b": firsts,
                }
            )
    if not rows:
        return None
    names = list(result.clusters)
    pairs = dict.fromkeys(
        pair for clusters in result.clusters.values() for pair in clusters
    )
    down = alt.EncodingSortField("o", op="min", order="ascending")
    y_axis = alt.Axis(domain=False, ticks=False, labelPadding=6)
    base = alt.Chart(alt.NamedData("rows")).transform_filter(
        "datum.c === coefficient && datum.p === pair"
    )
    cells_of = (
        base.transform_flatten(["z"])
        .transform_calculate(
            o="datum.z[0]",
            u="datum.z[1]",
            w="datum.z[2]",
            r="datum.m[datum.z[0]]",
            k="datum.n[datum.z[1]]",
            t="(datum.z[2] > 0 ? '← ' : datum.z[2] < 0 ? '↑ ' : '') + datum.z[3]",
            f="datum.z[2] !== 0 ? 1 : datum.z[3] === '' ? 0 : 0.1",
        )
        .encode(
            x=alt.X(
                "k:N",
                sort=alt.EncodingSortField("u", op="min", order="ascending"),
                title=None,
                axis=alt.Axis(orient="top", labelAngle=-40, domain=False, ticks=False),
            ),
            y=alt.Y("r:N", sort=down, title="cluster and metric", axis=y_axis),
            tooltip=[
                alt.Tooltip("r:N", title="row"),
                alt.Tooltip("k:N", title="column"),
                alt.Tooltip("t:N", title="adjusted p"),
            ],
        )
    )
    fills = [colours.warm, colours.muted, colours.cool]
    layers = [
        cells_of.mark_rect().encode(
            color=alt.Color(
                "w:O", scale=alt.Scale(domain=[-1, 0, 1], range=fills), legend=None
            ),
            opacity=alt.Opacity("f:Q", scale=None, legend=None),
        ),
        cells_of.mark_text(fontSize=11).encode(text="t:N"),
        base.transform_flatten(["b"])
        .transform_filter("isValid(datum.b)")
        .transform_calculate(o="datum.b", r="datum.m[datum.b]")
        .mark_rule(color=colours.ink, strokeWidth=1.8)
        .encode(
            y=alt.Y(
                "r:N",
                sort=down,
                title="cluster and metric",
                axis=y_axis,
                bandPosition=0,
            )
        ),
    ]
    chart: TopLevelMixin = (
        alt.layer(*layers)
        .properties(
            width=alt.Step(58),
            height=alt.Step(24),
            description="Adjusted p-values of differences between metrics; arrows "
            "point to the significantly better metric, lines separate clusters.",
        )
        .add_params(
            alt.param(
                name="coefficient",
                value=names[0],
                bind=alt.binding_select(options=names, name="coefficient "),
            ),
            alt.param(
                name="pair",
                value=next(iter(pairs)),
                bind=alt.binding_select(options=list(pairs), name="language pair "),
            ),
        )
    )
    return Drawn(chart, rows)


def _coefficients(alt: Any, grids: Sequence[Grid]) -> Any:  # alt.Parameter
    names = [grid.coefficient.name for grid in grids]
    return alt.param(
        name="coefficient",
        value=names[0],
        bind=alt.binding_select(options=names, name="coefficient "),
    )
