# SPDX-License-Identifier: Apache-2.0
"""Vega-Altair charts of human judgements, and of metrics against them.

Every function returns a chart, or None if there is nothing to show. Fields have fixed
names: names of metrics and systems are only values, never part of an expression. The
data are kept beside the chart, as ``rows``, because Altair would validate every row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.meta.evaluation import Evaluation
from tertium.meta.gaps import Gap
from tertium.report.draw.vega import PANEL, Colours, Drawn, altair, panels
from tertium.report.meta.people import Agreed, SystemScore
from tertium.report.meta.tables import gap_label

if TYPE_CHECKING:
    from altair import TopLevelMixin

__all__ = ["agreement_chart", "gap_chart", "scatter_chart", "system_chart"]


def scatter_chart(
    evaluations: Sequence[Evaluation],
    people: Mapping[str, Sequence[SystemScore]],
    colours: Colours,
) -> Drawn | None:
    """Return human scores of systems against those of a selectable metric.

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
    few = all(len(scores) <= 6 for scores in people.values())
    for both in evaluations:
        pair = str(both.human.langpair or "all")
        scored = {score.system: score for score in people[pair]}
        for metric in both.metrics:
            points = [
                (name, float(value), scored[name])
                for name, value in zip(both.human.systems, metric.system, strict=True)
                if name in scored and not np.isnan(value)
            ]
            if not points:
                continue
            names.setdefault(metric.name, metric.probe)
            about = {"m": metric.name, "p": pair}
            x = np.array([value for _, value, _ in points])
            y = np.array([score.score for _, _, score in points])
            labels: dict[tuple[float, float], list[str]] = {}
            for name, value, score in points:
                labels.setdefault((value, score.score), []).append(name)
            for name, value, score in points:
                low, high = score.interval or (score.score, score.score)
                point = {"s": name, "x": value, "y": score.score, "l": low, "h": high}
                # Coinciding points share a label.
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
        "y:Q", title="human score", scale=alt.Scale(zero=False, nice=True, padding=8)
    )
    tooltip = [
        alt.Tooltip("s:N", title="system"),
        alt.Tooltip("x:Q", title="metric", format=".4~g"),
        alt.Tooltip("y:Q", title="human score", format=".4~g"),
        alt.Tooltip("l:Q", title="from", format=".4~g"),
        alt.Tooltip("h:Q", title="to", format=".4~g"),
    ]
    layers = [
        alt.Chart()
        .transform_filter("datum.k === 'line'")
        .mark_line(color=colours.muted, strokeDash=[4, 3], strokeWidth=1.2)
        .encode(x_axis, y_axis),
        base.mark_rule(color=colours.muted, opacity=0.7).encode(
            x_axis, alt.Y("l:Q", title="human score"), alt.Y2("h:Q")
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
        .properties(width=PANEL, height=210)
        .facet(panels(alt, list(people)), columns=3)
        .resolve_scale(x="independent", y="independent")
        .add_params(metric_of)
        .properties(
            description="Human scores of systems against scores of a metric, one panel "
            "per language pair; the table of systems contains the figures."
        )
    )
    return Drawn(chart, rows)


def _trend(
    x: np.ndarray[Any, np.dtype[np.float64]], y: np.ndarray[Any, np.dtype[np.float64]]
) -> list[dict[str, float]]:
    """Return both ends of the least-squares line, if there is one."""
    spread = x - x.mean()
    if len(x) < 3 or not (spread**2).sum() > 1e-12 * max(1.0, float((x**2).sum())):
        return []
    slope = float((spread * (y - y.mean())).sum() / (spread**2).sum())
    return [
        {"x": end, "y": float(y.mean() + slope * (end - x.mean()))}
        for end in (float(x.min()), float(x.max()))
    ]


def system_chart(
    people: Mapping[str, Sequence[SystemScore]], colours: Colours
) -> Drawn | None:
    """Return the human scores of systems, one panel per language pair."""
    alt = altair()
    rows = []
    for pair, scores in people.items():
        for score in scores:
            low, high = score.interval or (score.score, score.score)
            point = {"p": pair, "s": score.system, "v": score.score}
            rows.append({**point, "l": low, "h": high})
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
            alt.Tooltip("v:Q", title="human score", format=".4~g"),
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
        .properties(width=PANEL - 50, height=alt.Step(19))
        .facet(panels(alt, list(people)), columns=3)
        .resolve_scale(x="independent", y="independent")
        .properties(
            description="Human scores of systems with bootstrap intervals, best first, "
            "one panel per language pair."
        )
    )
    return Drawn(chart, rows)


def agreement_chart(agreed: Mapping[str, Agreed], colours: Colours) -> Drawn | None:
    """Return how often judges prefer the same output, one line per language pair."""
    alt = altair()
    rows = []
    for pair, both in agreed.items():
        low, high = both.interval or (both.share, both.share)
        about = {"p": pair, "n": both.compared}
        rows.append({**about, "v": both.share, "l": low, "h": high})
    if not rows:
        return None
    base = alt.Chart(alt.NamedData("rows")).encode(
        y=alt.Y("p:N", sort=list(agreed), title=None),
        tooltip=[
            alt.Tooltip("p:N", title="language pair"),
            alt.Tooltip("v:Q", title="agreed", format=".1%"),
            alt.Tooltip("l:Q", title="from", format=".1%"),
            alt.Tooltip("h:Q", title="to", format=".1%"),
            alt.Tooltip("n:Q", title="preference pairs", format=","),
        ],
    )
    lows = [both.interval[0] if both.interval else 0.5 for both in agreed.values()]
    scale = alt.Scale(domain=[min(0.5, *lows), 1], nice=False)
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
    """Return how often human judgements agreed with a difference, by its size."""
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
        for metric, ranges in gaps.items()
        for gap in ranges
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
            title="metric score difference",
            axis=alt.Axis(labelAngle=-30),
        ),
        tooltip=[
            alt.Tooltip("g:N", title="difference"),
            alt.Tooltip("v:Q", title="agreement", format=".0%"),
            alt.Tooltip("l:Q", title="from", format=".0%"),
            alt.Tooltip("h:Q", title="to", format=".0%"),
            alt.Tooltip("n:Q", title="system pairs"),
        ],
    )
    y_axis = alt.Y("v:Q", title="agreement", scale=scale, axis=axis)
    chart: TopLevelMixin = (
        alt.layer(
            alt.Chart()
            .mark_rule(color=colours.muted, strokeDash=[4, 3])
            .encode(y=alt.datum(0.5)),
            base.mark_rule(strokeWidth=2, color=colours.blue).encode(
                alt.Y("l:Q", title="agreement", scale=scale, axis=axis),
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
        .facet(panels(alt, list(gaps), field="m"), columns=2)
        .resolve_scale(x="independent")
        .resolve_axis(y="independent")
        .properties(
            description="How often human judgements agreed with a metric, by the size "
            "of the score difference; numbers at points count system pairs."
        )
    )
    return Drawn(chart, rows)
