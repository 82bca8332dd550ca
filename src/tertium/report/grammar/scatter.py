# SPDX-License-Identifier: Apache-2.0
"""Scatter charts: systems by two kinds of errors each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.systems import SystemResult
from tertium.grammars.search.edits import Kind
from tertium.report.draw.vega import PAGE, Drawn, altair
from tertium.report.grammar.charts import shown_name

if TYPE_CHECKING:
    from altair import TopLevelMixin

__all__ = ["HEIGHT", "SCATTERS", "apart", "scatter_chart"]

#: Pixels of the smaller charts.
HEIGHT = 240

_INFLECTION = (Kind.CASESHIFT, Kind.LEMMA_SUB)
_LEXICON = (Kind.CASENUM_SUB, Kind.TENSENUM_SUB, Kind.CASE_SUB, Kind.ANIMACY_SUB)

#: Title, then name and edits of both axes.
SCATTERS: tuple[tuple[str, str, tuple[Kind, ...], str, tuple[Kind, ...]], ...] = (
    ("Forms and words", "wrong form", _INFLECTION, "wrong word", _LEXICON),
    (
        "Gaps and mistranslations",
        "missing or extra words",
        (Kind.INSERT, Kind.DELETE),
        "other mistranslation",
        (Kind.SUB,),
    ),
    (
        "Too little and too much",
        "missing words",
        (Kind.INSERT,),
        "extra words",
        (Kind.DELETE,),
    ),
    ("Order and forms", "word order", (Kind.MOVE,), "wrong form", _INFLECTION),
)


def apart(values: Sequence[float], least: float) -> list[float]:
    """Return positions for names, as close to their values as space allows."""
    order = sorted(range(len(values)), key=lambda place: values[place])
    places = list(values)
    for below, here in pairwise(order):
        places[here] = max(places[here], places[below] + least)
    return places


def scatter_chart(evaluation: Evaluation, number: int) -> Drawn:
    """Return one of :data:`SCATTERS`."""
    alt = altair()
    _, x_name, x_kinds, y_name, y_kinds = SCATTERS[number]

    def rate(system: SystemResult, kinds: Sequence[Kind]) -> float:
        count = sum(system.counts.get(kind, 0) for kind in kinds)
        return round(100 * count / max(1, system.ref_tokens), 3)

    rows: list[dict[str, Any]] = [
        {
            "s": shown_name(system),
            "x": rate(system, x_kinds),
            "y": rate(system, y_kinds),
            "h": "human" if system.human else "system",
        }
        for system in evaluation.ranking
    ]
    far = max(row["x"] for row in rows) or 1.0
    high = max(row["y"] for row in rows) or 1.0
    for row in rows:
        # Names at the right edge go to the left of their point.
        row["a"] = row["x"] > 0.6 * far
    for left in (True, False):
        names = [row for row in rows if row["a"] == left]
        places = apart([row["y"] for row in names], 15 / HEIGHT * 1.16 * high)
        for row, place in zip(names, places, strict=True):
            row["l"] = place

    def axis(title: str, most: float) -> Any:
        return {
            "title": title,
            "scale": alt.Scale(domain=[-0.04 * most, 1.12 * most], nice=False),
            "axis": alt.Axis(tickCount=4),
        }

    base = alt.Chart(alt.NamedData("rows")).encode(
        x=alt.X("x:Q", **axis(f"{x_name}, per 100 words →", far)),
        y=alt.Y("y:Q", **axis(f"{y_name} →", high)),
        tooltip=[
            alt.Tooltip("s:N", title="system"),
            alt.Tooltip("x:Q", title=x_name, format=".2f"),
            alt.Tooltip("y:Q", title=y_name, format=".2f"),
        ],
    )
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        color=alt.Color(
            "h:N",
            scale=alt.Scale(domain=["system", "human"], range=[PAGE.blue, PAGE.orange]),
            legend=None,
        ),
        shape=alt.Shape(
            "h:N",
            scale=alt.Scale(
                domain=["system", "human"], range=["circle", "triangle-up"]
            ),
            legend=None,
        ),
    )
    names_of = base.encode(y=alt.Y("l:Q", title=f"{y_name} →"), text="s:N")
    looks = {"fontSize": 12, "baseline": "middle"}
    chart: TopLevelMixin = alt.layer(
        points,
        names_of.transform_filter("!datum.a").mark_text(align="left", dx=9, **looks),
        names_of.transform_filter("datum.a").mark_text(align="right", dx=-9, **looks),
    ).properties(
        width="container",
        height=HEIGHT,
        description=f"Systems by {x_name} and {y_name}; the table contains the counts.",
    )
    return Drawn(chart, rows)
