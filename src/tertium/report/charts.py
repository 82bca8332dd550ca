# SPDX-License-Identifier: Apache-2.0
"""Charts of meta-evaluation, by Vega-Altair.

Every function returns a chart, or None where there is nothing to draw. Fields have
fixed names: names of metrics and systems are values only, never part of a formula.
Data go beside the chart, under the name ``rows``: Altair would check each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.meta.evaluation import Evaluation
from tertium.meta.gaps import Gap
from tertium.meta.results import Correlations
from tertium.report.meta_tables import Grid, gap_label
from tertium.report.people import Agreed, SystemScore
from tertium.report.vega import Colours, Drawn, altair

if TYPE_CHECKING:
    from altair import TopLevelMixin

__all__ = [
    "agreement_chart",
    "gap_chart",
    "heat_map",
    "matrix_chart",
    "range_chart",
    "scatter_chart",
    "system_chart",
]

_KINDS = ("not beaten significantly", "metric", "probe")
_AVERAGE = "average"
_PANEL = 250  # width of a small panel


def scatter_chart(
    evaluations: Sequence[Evaluation],
    people: Mapping[str, Sequence[SystemScore]],
    colours: Colours,
) -> Drawn | None:
    """Return scores of systems by people against those of a metric to choose.

    Parameters
    ----------
    evaluations : sequence of Evaluation
    people : mapping of str to sequence of SystemScore
        By language pair.
    colours : Colours
    """
    alt = altair()
    rows: list[dict[str, Any]] = []
    names: dict[str, bool] = {}
    few = all(len(own) <= 6 for own in people.values())
    for both in evaluations:
        pair = str(both.human.langpair or "all")
        scored = {own.system: own for own in people[pair]}
        for metric in both.metrics:
            own = [
                (name, float(value), scored[name])
                for name, value in zip(both.human.systems, metric.system, strict=True)
                if name in scored and not np.isnan(value)
            ]
            if not own:
                continue
            names.setdefault(metric.name, metric.probe)
            about = {"m": metric.name, "p": pair}
            x = np.array([value for _, value, _ in own])
            y = np.array([score.score for _, _, score in own])
            labels: dict[tuple[float, float], list[str]] = {}
            for name, value, score in own:
                labels.setdefault((value, score.score), []).append(name)
            for name, value, score in own:
                low, high = score.interval or (score.score, score.score)
                point = {"s": name, "x": value, "y": score.score, "l": low, "h": high}
                # Points upon each other share a label.
                shared = ", ".join(labels.pop((value, score.score), ()))
                rows.append({**about, "k": "point", **point, "a": shared})
            rows += [{**about, "k": "line", **end} for end in _trend(x, y)]
    if not rows:
        return None
    options = sorted(names, key=names.__getitem__)
    metric_of = alt.param(
        name="metric",
        value=options[0],
        bind=alt.binding_select(options=options, name="metric "),
    )
    base = alt.Chart().transform_filter("datum.k === 'point'")
    x_axis = alt.X(
        "x:Q",
        title="metric (higher is better)",
        scale=alt.Scale(zero=False, nice=True, padding=30 if few else 12),
        axis=alt.Axis(tickCount=5),
    )
    y_axis = alt.Y(
        "y:Q", title="people", scale=alt.Scale(zero=False, nice=True, padding=8)
    )
    tooltip = [
        alt.Tooltip("s:N", title="system"),
        alt.Tooltip("x:Q", title="metric", format=".4~g"),
        alt.Tooltip("y:Q", title="people", format=".4~g"),
        alt.Tooltip("l:Q", title="from", format=".4~g"),
        alt.Tooltip("h:Q", title="to", format=".4~g"),
    ]
    layers = [
        alt.Chart()
        .transform_filter("datum.k === 'line'")
        .mark_line(color=colours.muted, strokeDash=[4, 3], strokeWidth=1.2)
        .encode(x_axis, y_axis),
        base.mark_rule(color=colours.muted, opacity=0.7).encode(
            x_axis, alt.Y("l:Q", title="people"), alt.Y2("h:Q")
        ),
        base.mark_point(color=colours.blue, filled=True, size=64, opacity=0.95).encode(
            x_axis, y_axis, tooltip=tooltip
        ),
    ]
    if few:
        layers.append(
            base.mark_text(
                align="left", dx=7, dy=-7, fontSize=11, color=colours.muted
            ).encode(x_axis, y_axis, text="a:N")
        )
    chart: TopLevelMixin = (
        alt.layer(*layers, data=alt.NamedData("rows"))
        .transform_filter("datum.m === metric")
        .properties(width=_PANEL, height=210)
        .facet(_panels(alt, list(people)), columns=3)
        .resolve_scale(x="independent", y="independent")
        .add_params(metric_of)
        .properties(
            description="Scores of systems by people against scores of a metric, one "
            "panel a language pair; the table of systems holds them in figures."
        )
    )
    return Drawn(chart, rows)


def _trend(
    x: np.ndarray[Any, np.dtype[np.float64]], y: np.ndarray[Any, np.dtype[np.float64]]
) -> list[dict[str, float]]:
    """Return both ends of the line of least squares, if there is one."""
    spread = x - x.mean()
    if len(x) < 3 or not (spread**2).sum() > 1e-12 * max(1.0, float((x**2).sum())):
        return []
    slope = float((spread * (y - y.mean())).sum() / (spread**2).sum())
    return [
        {"x": end, "y": float(y.mean() + slope * (end - x.mean()))}
        for end in (float(x.min()), float(x.max()))
    ]


def heat_map(grids: Sequence[Grid], colours: Colours) -> Drawn:
    """Return the values of a coefficient to choose, metrics x language pairs."""
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
        several = len(grid.pairs) > 1
        columns |= dict.fromkeys(grid.pairs)
        for place, metric in enumerate(grid.metrics):
            cells = [(p, grid.value(p, metric)) for p in grid.pairs]
            if several:
                cells.append((_AVERAGE, grid.averages[metric]))
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
                        "b": column != _AVERAGE and grid.is_best(column, metric),
                    }
                )
    order = [*columns, *([_AVERAGE] if len(columns) > 1 else [])]
    angle = -40 if max(map(len, order)) > 8 else 0  # names of slices are long
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
    # Opacity, not a scale of colours: it fits light and dark paper alike.
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
            "the tables hold the same figures.",
        )
        .add_params(_coefficients(alt, grids))
    )
    return Drawn(chart, rows)


def range_chart(grids: Sequence[Grid], colours: Colours) -> Drawn:
    """Return values with their intervals, one panel a language pair."""
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
            alt.Tooltip("n:Q", title="rests on", format=","),
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
            alt.X("v:Q", title=None, scale=scale, axis=axis), text="e:N"
        ),
    ]
    chart: TopLevelMixin = (
        alt.layer(*layers, data=alt.NamedData("rows"))
        .transform_filter("datum.c === coefficient")
        .properties(width=_PANEL - 30, height=alt.Step(19))
        .facet(_panels(alt, list(pairs)), columns=3)
        .resolve_scale(x="independent", y="independent")
        .add_params(_coefficients(alt, grids))
        .properties(
            description="Values of metrics with bootstrap intervals, best first, one "
            "panel a language pair; the tables hold the same figures."
        )
    )
    return Drawn(chart, rows)


def _ranges(grid: Grid) -> Iterator[dict[str, Any]]:
    """Yield values and intervals; probes far below metrics stay at the edge.

    Otherwise a probe at -1 would squeeze all metrics together.
    """
    for pair in grid.pairs:
        own = [v for v in grid.values.values() if v.langpair == pair]
        ends = [
            end
            for v in own
            if v.value is not None and not v.probe
            for end in (v.value, *(v.interval or ()))
        ]
        spread = max(ends) - min(ends) if ends else 0.0
        floor = min(ends) - 0.5 * (spread or 0.1) if ends else -float("inf")
        for found in own:
            if found.value is None:
                continue
            low, high = found.interval or (found.value, found.value)
            kind = "probe" if found.probe else "metric"
            if (pair, found.metric) in grid.winners:
                kind = _KINDS[0]
            off = found.probe and found.value < floor
            yield {
                "c": grid.coefficient.name,
                "p": pair,
                "m": found.metric,
                "k": kind,
                "w": found.value,
                "v": floor if off else found.value,
                "l": max(low, floor),
                "h": max(high, floor) if not off else floor,
                "t": f"{found.value:.4f}",
                "i": f"{low:.4f} to {high:.4f}" if found.interval else "none",
                "e": f"← {found.value:.2f}" if off else "",
                "n": found.n,
            }


def matrix_chart(result: Correlations, colours: Colours) -> Drawn | None:
    """Return the matrix of tests between metrics, for a coefficient and a pair."""
    alt = altair()
    found = {
        (d.coefficient, d.langpair, frozenset((d.a, d.b))): d
        for d in result.differences
    }
    # A matrix is one row of data that the chart unfolds: there may be hundreds.
    rows: list[dict[str, Any]] = []
    for name, own in result.clusters.items():
        for pair, places in own.items():
            cells = []
            for i, row in enumerate(places):
                for j, column in enumerate(places):
                    key = (name, pair, frozenset((row.system, column.system)))
                    one = found.get(key)
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
    pairs = dict.fromkeys(pair for own in result.clusters.values() for pair in own)
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
            "point at the metric that is significantly better, lines part clusters.",
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


def system_chart(
    people: Mapping[str, Sequence[SystemScore]], colours: Colours
) -> Drawn | None:
    """Return how good people found the systems, one panel a language pair."""
    alt = altair()
    rows = []
    for pair, found in people.items():
        for own in found:
            low, high = own.interval or (own.score, own.score)
            rows.append(
                {"p": pair, "s": own.system, "v": own.score, "l": low, "h": high}
            )
    if not rows:
        return None
    base = alt.Chart().encode(
        y=alt.Y(
            "s:N",
            sort=alt.EncodingSortField("v", op="max", order="descending"),
            title=None,
        ),
        tooltip=[
            alt.Tooltip("s:N", title="system"),
            alt.Tooltip("v:Q", title="people", format=".4~g"),
            alt.Tooltip("l:Q", title="from", format=".4~g"),
            alt.Tooltip("h:Q", title="to", format=".4~g"),
        ],
    )
    scale = alt.Scale(zero=False, padding=6)
    chart: TopLevelMixin = (
        alt.layer(
            base.mark_rule(strokeWidth=2, color=colours.blue).encode(
                alt.X("l:Q", title=None, scale=scale), alt.X2("h:Q")
            ),
            base.mark_point(filled=True, size=64, opacity=1, color=colours.blue).encode(
                alt.X("v:Q", title=None, scale=scale)
            ),
            data=alt.NamedData("rows"),
        )
        .properties(width=_PANEL - 50, height=alt.Step(19))
        .facet(_panels(alt, list(people)), columns=3)
        .resolve_scale(x="independent", y="independent")
        .properties(
            description="Scores of systems by people with bootstrap intervals, best "
            "first, one panel a language pair."
        )
    )
    return Drawn(chart, rows)


def agreement_chart(agreed: Mapping[str, Agreed], colours: Colours) -> Drawn | None:
    """Return how often judges prefer the same output, a line a language pair."""
    alt = altair()
    rows = []
    for pair, own in agreed.items():
        low, high = own.interval or (own.share, own.share)
        about = {"p": pair, "n": own.compared}
        rows.append({**about, "v": own.share, "l": low, "h": high})
    if not rows:
        return None
    base = alt.Chart(alt.NamedData("rows")).encode(
        y=alt.Y("p:N", sort=list(agreed), title=None),
        tooltip=[
            alt.Tooltip("p:N", title="language pair"),
            alt.Tooltip("v:Q", title="agreed", format=".1%"),
            alt.Tooltip("l:Q", title="from", format=".1%"),
            alt.Tooltip("h:Q", title="to", format=".1%"),
            alt.Tooltip("n:Q", title="pairs of preferences", format=","),
        ],
    )
    lowest = min(own.interval[0] if own.interval else 0.5 for own in agreed.values())
    scale = alt.Scale(domain=[min(0.5, lowest), 1], nice=False)
    axis = alt.Axis(format="%", tickCount=6)
    chart: TopLevelMixin = alt.layer(
        base.mark_rule(strokeWidth=2, color=colours.blue).encode(
            alt.X("l:Q", title="same preference", scale=scale, axis=axis),
            alt.X2("h:Q"),
        ),
        base.mark_point(filled=True, size=64, opacity=1, color=colours.blue).encode(
            alt.X("v:Q", title="same preference", scale=scale, axis=axis)
        ),
    ).properties(
        width=300,
        height=alt.Step(22),
        description="How often judges prefer the same output, by language pair, with "
        "intervals.",
    )
    return Drawn(chart, rows)


def gap_chart(gaps: Mapping[str, Sequence[Gap]], colours: Colours) -> Drawn | None:
    """Return how often people agreed with a difference, by its size."""
    alt = altair()
    rows = [
        {
            "m": metric,
            "g": gap_label(gap),
            "o": gap.low,
            "v": gap.share,
            "l": gap.interval[0],
            "h": gap.interval[1],
            "n": gap.pairs,
        }
        for metric, own in gaps.items()
        for gap in own
        if gap.pairs
    ]
    if not rows:
        return None
    scale = alt.Scale(domain=[0, 1])
    axis = alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1])
    base = alt.Chart().encode(
        x=alt.X(
            "g:N",
            sort=alt.EncodingSortField("o", op="min", order="ascending"),
            title="difference of the metric",
            axis=alt.Axis(labelAngle=-30),
        ),
        tooltip=[
            alt.Tooltip("g:N", title="difference"),
            alt.Tooltip("v:Q", title="people agreed", format=".0%"),
            alt.Tooltip("l:Q", title="from", format=".0%"),
            alt.Tooltip("h:Q", title="to", format=".0%"),
            alt.Tooltip("n:Q", title="pairs of systems"),
        ],
    )
    y_axis = alt.Y("v:Q", title="people agreed", scale=scale, axis=axis)
    chart: TopLevelMixin = (
        alt.layer(
            alt.Chart()
            .mark_rule(color=colours.muted, strokeDash=[4, 3])
            .encode(y=alt.datum(0.5)),
            base.mark_rule(strokeWidth=2, color=colours.blue).encode(
                alt.Y("l:Q", title="people agreed", scale=scale, axis=axis),
                alt.Y2("h:Q"),
            ),
            base.mark_point(filled=True, size=70, opacity=1, color=colours.blue).encode(
                y_axis
            ),
            base.mark_text(align="left", dx=8, fontSize=11, color=colours.muted).encode(
                y_axis, text="n:Q"
            ),
            data=alt.NamedData("rows"),
        )
        .properties(width=alt.Step(54), height=220)
        .facet(_panels(alt, list(gaps), field="m"), columns=2)
        .resolve_scale(x="independent")
        .resolve_axis(y="independent")
        .properties(
            description="How often people agreed with a difference of a metric, by "
            "its size; the numbers at points are pairs of systems."
        )
    )
    return Drawn(chart, rows)


def _panels(alt: Any, order: list[str], *, field: str = "p") -> Any:  # alt.Facet
    return alt.Facet(f"{field}:N", sort=order, title=None)


def _coefficients(alt: Any, grids: Sequence[Grid]) -> Any:  # alt.Parameter
    names = [grid.coefficient.name for grid in grids]
    return alt.param(
        name="coefficient",
        value=names[0],
        bind=alt.binding_select(options=names, name="coefficient "),
    )
