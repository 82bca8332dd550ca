# SPDX-License-Identifier: Apache-2.0
"""Charts on the reliability of an error analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.search.edits import UNIT
from tertium.report.draw.vega import PAGE, Drawn, altair
from tertium.report.grammar.scatter import HEIGHT, apart

if TYPE_CHECKING:
    from altair import TopLevelMixin

__all__ = ["ambiguity_chart", "move_chart"]


def ambiguity_chart(evaluation: Evaluation) -> Drawn | None:
    """Return how many costs are close to the lowest, by the number of edits.

    Where searches ended early, a mean is a lower bound, and marked as one.
    """
    alt = altair()
    limits = ("within 0.5", "within 1", "within 1.5")
    sums: dict[int, list[float]] = {}
    for system in evaluation.systems:
        for edits, ambiguity in system.ambiguity_by_edits.items():
            if ambiguity.close:
                line = sums.setdefault(edits, [0.0] * 5)
                line[0] += ambiguity.segments
                for place, mean in enumerate(ambiguity.close, start=1):
                    line[place] += mean * ambiguity.segments
                line[4] += ambiguity.least
    if not sums:
        return None
    rows = [
        {
            "e": str(edits) if edits < max(sums) or edits < 6 else f"{edits}+",
            "o": edits,
            "l": limit,
            "v": round(line[place] / line[0], 3),
            "n": int(line[0]),
            "m": "at least" if line[4] else "exactly",
            "k": int(line[4]),
        }
        for edits, line in sorted(sums.items())
        for place, limit in enumerate(limits, start=1)
    ]
    order = list(dict.fromkeys(row["e"] for row in rows))
    colours = [PAGE.blue, PAGE.green, PAGE.orange]
    base = alt.Chart(alt.NamedData("rows")).encode(
        x=alt.X(
            "e:O",
            sort=order,
            title="edits that an output needs",
            axis=alt.Axis(labelAngle=0),
        ),
        y=alt.Y("v:Q", title="distinct costs, mean"),
        color=alt.Color(
            "l:N",
            scale=alt.Scale(domain=list(limits), range=colours),
            legend=alt.Legend(title=None, orient="top"),
        ),
        tooltip=[
            alt.Tooltip("e:O", title="edits"),
            alt.Tooltip("l:N", title="costs"),
            alt.Tooltip("v:Q", title="mean", format=".2f"),
            alt.Tooltip("m:N", title="the mean is"),
            alt.Tooltip("n:Q", title="outputs", format=","),
            alt.Tooltip("k:Q", title="with a lower bound", format=","),
        ],
    )
    shapes = alt.Shape(
        "l:N",
        scale=alt.Scale(domain=list(limits), range=["circle", "square", "triangle-up"]),
        legend=alt.Legend(title=None, orient="top"),
    )
    chart: TopLevelMixin = alt.layer(
        base.mark_line(strokeWidth=2),
        base.mark_point(filled=True, size=60, opacity=1).encode(shape=shapes),
    ).properties(
        width="container",
        height=HEIGHT,
        description="The more edits an output needs, the more corrections cost "
        "nearly as little as the cheapest.",
    )
    return Drawn(chart, rows)


def move_chart(evaluation: Evaluation) -> Drawn | None:
    """Return scores by the cost of a move, one line per system."""
    alt = altair()
    if len(evaluation.sensitivity) < 2:
        return None
    names = [system.name for system in evaluation.ranking]
    last = evaluation.sensitivity[-1]
    high = max(max(run.scores.values()) for run in evaluation.sensitivity) or 1.0
    places = apart([last.scores[name] for name in names], 15 / HEIGHT * high)
    ends = dict(zip(names, places, strict=True))
    rows = [
        {
            "s": name,
            "m": run.move / UNIT,
            "v": round(run.scores[name], 5),
            "l": ends[name] if run is last else None,
            "e": name if run is last else "",
        }
        for run in evaluation.sensitivity
        for name in names
    ]
    costs = [run.move / UNIT for run in evaluation.sensitivity]
    # Names follow the last point.
    domain = [costs[0], costs[-1] + 0.4 * (costs[-1] - costs[0])]
    base = alt.Chart(alt.NamedData("rows")).encode(
        x=alt.X(
            "m:Q",
            title="cost of a move",
            scale=alt.Scale(domain=domain, nice=False, padding=6),
            axis=alt.Axis(values=costs),
        ),
        y=alt.Y("v:Q", title="cost per word", axis=alt.Axis(tickCount=5)),
        detail="s:N",
        tooltip=[
            alt.Tooltip("s:N", title="system"),
            alt.Tooltip("m:Q", title="cost of a move"),
            alt.Tooltip("v:Q", title="cost per word", format=".4f"),
        ],
    )
    chart: TopLevelMixin = alt.layer(
        base.mark_line(strokeWidth=2, color=PAGE.blue),
        base.mark_point(filled=True, size=50, opacity=1, color=PAGE.blue),
        base.transform_filter("datum.e !== ''")
        .mark_text(align="left", dx=9, fontSize=12, baseline="middle")
        .encode(y=alt.Y("l:Q", title="cost per word"), text="e:N"),
    ).properties(
        width="container",
        height=HEIGHT,
        description="Scores for other costs of a move; the table contains the figures.",
    )
    return Drawn(chart, rows)
