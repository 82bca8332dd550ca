# SPDX-License-Identifier: Apache-2.0
"""Chart of two questions: a circle per pair of scores, as large as it is frequent.

After McCaffery (2017, Figure 7.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tertium.meta.questions import CrossTable
from tertium.report.draw.vega import PANEL, Colours, Drawn, altair

if TYPE_CHECKING:
    from altair import TopLevelMixin

__all__ = ["question_chart"]


def question_chart(tables: Sequence[CrossTable], colours: Colours) -> Drawn | None:
    """Return a panel per language pair and pair of questions; None without any.

    Parameters
    ----------
    tables : sequence of CrossTable
    colours : Colours
    """
    if not tables:
        return None
    alt = altair()
    rows: list[dict[str, Any]] = []
    panels = []
    for place, table in enumerate(tables):
        rows += _rows(place, table)
        panels.append(_panel(place, table, colours))
    chart: TopLevelMixin = (
        alt.concat(*panels, columns=3, data=alt.NamedData("rows"))
        .resolve_scale(size="independent")
        .properties(
            description="How often two questions got each pair of scores, as circles; "
            "one panel per language pair and pair of questions."
        )
    )
    return Drawn(chart, rows)


def _rows(place: int, table: CrossTable) -> list[dict[str, Any]]:
    return [
        {"t": place, "a": a, "b": b, "n": count}
        for a, counts in zip(table.a_levels, table.counts, strict=True)
        for b, count in zip(table.b_levels, counts, strict=True)
        if count
    ]


def _panel(place: int, table: CrossTable, colours: Colours) -> Any:
    alt = altair()
    value = "n/a" if table.pearson is None else f"{table.pearson:.3f}"
    scale_a = alt.Scale(domain=list(table.a_levels))
    scale_b = alt.Scale(domain=list(table.b_levels[::-1]))
    steep = -40 if len(table.a_levels[0]) > 6 else 0
    axis = alt.Axis(labelAngle=steep, grid=True)
    base = (
        alt.Chart()
        .transform_filter(f"datum.t === {place}")
        .encode(
            alt.X("a:O", title=table.a, scale=scale_a, axis=axis),
            alt.Y("b:O", title=table.b, scale=scale_b, axis=alt.Axis(grid=True)),
            tooltip=[
                alt.Tooltip("a:O", title=table.a),
                alt.Tooltip("b:O", title=table.b),
                alt.Tooltip("n:Q", title="answers", format=","),
            ],
        )
    )
    circles = base.mark_circle(color=colours.cool, opacity=1).encode(
        size=alt.Size(
            "n:Q",
            legend=None,
            scale=alt.Scale(domainMin=0, range=[0, 1300], type="linear"),
        )
    )
    counts = base.mark_text(color=colours.ink, fontSize=11).encode(
        text=alt.Text("n:Q", format=",")
    )
    title = alt.Title(
        f"{table.langpair}: r = {value}, n = {table.n:,}",
        anchor="start",
        color=colours.ink,
    )
    return alt.layer(circles, counts).properties(
        width=PANEL - 20, height=PANEL - 20, title=title
    )
