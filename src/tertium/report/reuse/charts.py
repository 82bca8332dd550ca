# SPDX-License-Identifier: Apache-2.0
"""Charts of predicted scores, by Vega-Altair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tertium.judgements.reuse.results import Reuse
from tertium.report.draw.vega import Colours, Drawn, altair
from tertium.report.reuse.distances import distance_groups
from tertium.report.reuse.words import score_name

if TYPE_CHECKING:
    from altair import TopLevelMixin

__all__ = ["guess_chart", "histogram_chart", "system_chart"]

_JUDGED, _PREDICTED = "judged", "predicted"
_BEFORE, _NOT_BEFORE = "judged before", "not judged before"
_WIDTH = 560


def system_chart(result: Reuse, colours: Colours) -> Drawn:
    """Return judged and predicted scores, one line per system, the best first."""
    alt = altair()
    rows: list[dict[str, Any]] = []
    estimates = {each.system: each for each in result.systems}
    scores: dict[str, float] = {}
    for name in dict.fromkeys([*result.judged, *estimates]):
        each = estimates.get(name)
        judged = each.true if each is not None else result.judged.get(name)
        predicted = None if each is None else each.predicted
        if judged is None and predicted is None:
            continue
        if judged is not None:
            rows.append({"s": name, "k": _JUDGED, "v": judged})
        if each is not None and predicted is not None:
            low, high = each.interval or (predicted, predicted)
            ends = {"l": low, "h": high}
            rows.append({"s": name, "k": _PREDICTED, "v": predicted, **ends})
        scores[name] = float(judged if judged is not None else predicted or 0.0)
    order = sorted(scores, key=scores.__getitem__, reverse=True)
    kinds = [_JUDGED, _PREDICTED]
    base = alt.Chart(alt.NamedData("rows")).encode(
        y=alt.Y("s:N", sort=order, title=None),
        color=alt.Color(
            "k:N",
            title=None,
            scale=alt.Scale(domain=kinds, range=[colours.blue, colours.orange]),
        ),
        tooltip=[
            alt.Tooltip("s:N", title="system"),
            alt.Tooltip("k:N", title="score"),
            alt.Tooltip("v:Q", title="value", format=".4~g"),
            alt.Tooltip("l:Q", title="from", format=".4~g"),
            alt.Tooltip("h:Q", title="to", format=".4~g"),
        ],
    )
    scale = alt.Scale(zero=False)
    x = alt.X("v:Q", title=score_name(result), scale=scale)
    shapes = alt.Scale(domain=kinds, range=["circle", "diamond"])
    chart: TopLevelMixin = alt.layer(
        base.transform_filter("isValid(datum.l)")
        .mark_rule(strokeWidth=2)
        .encode(alt.X("l:Q", title=score_name(result), scale=scale), alt.X2("h:Q")),
        base.mark_point(filled=True, size=80, opacity=1).encode(
            x, shape=alt.Shape("k:N", title=None, scale=shapes)
        ),
    ).properties(
        width=_WIDTH,
        height=alt.Step(22),
        description="Judged and predicted scores of all systems, with intervals.",
    )
    return Drawn(chart, rows)


def histogram_chart(result: Reuse, colours: Colours) -> Drawn | None:
    """Return how many outputs are how far from a judged one; None without outputs."""
    alt = altair()
    groups = distance_groups(result.all.by_distance)
    outputs = sum(group.bin.count for group in groups)
    if not outputs:
        return None
    rows = [
        {
            "d": group.label,
            "n": group.bin.count,
            "f": group.bin.count / outputs,
            "w": _BEFORE if group.low == 0 else _NOT_BEFORE,
        }
        for group in groups
    ]
    kinds = [_BEFORE, _NOT_BEFORE]
    chart: TopLevelMixin = (
        alt.Chart(alt.NamedData("rows"))
        .mark_bar(stroke=colours.ink, strokeWidth=0.4)
        .encode(
            _distance_axis([group.label for group in groups]),
            alt.Y("f:Q", title="outputs", axis=alt.Axis(format="%", tickCount=5)),
            color=alt.Color(
                "w:N",
                title=None,
                scale=alt.Scale(domain=kinds, range=[colours.green, colours.cool]),
            ),
            tooltip=[
                alt.Tooltip("d:N", title="distance"),
                alt.Tooltip("n:Q", title="outputs", format=","),
                alt.Tooltip("f:Q", title="share", format=".1%"),
            ],
        )
        .properties(
            width=300,
            height=200,
            description="Share of outputs by distance to the nearest judged output.",
        )
    )
    return Drawn(chart, rows)


def guess_chart(result: Reuse, colours: Colours) -> Drawn | None:
    """Return curves of worse, equal and better nearest outputs by distance.

    None unless systems were left out, or if every output was judged before.
    """
    alt = altair()
    rows: list[dict[str, Any]] = []
    labels = []
    for group in distance_groups(result.all.by_distance):
        guesses = {
            "worse": group.bin.worse,
            "equal": group.bin.equal,
            "better": group.bin.better,
        }
        compared = sum(guesses.values())
        if not compared or group.low == 0:
            continue
        labels.append(group.label)
        rows += [
            {"d": group.label, "k": kind, "f": number / compared, "n": number}
            for kind, number in guesses.items()
        ]
    if not rows:
        return None
    kinds = ["worse", "equal", "better"]
    hues = alt.Scale(domain=kinds, range=[colours.orange, colours.muted, colours.blue])
    shapes = alt.Scale(domain=kinds, range=["triangle-down", "circle", "triangle-up"])
    chart: TopLevelMixin = (
        alt.Chart(alt.NamedData("rows"))
        .mark_line(point=alt.OverlayMarkDef(size=70, filled=True, opacity=1))
        .encode(
            _distance_axis(labels),
            alt.Y(
                "f:Q",
                title="outputs",
                scale=alt.Scale(domain=[0, 1]),
                axis=alt.Axis(format="%", tickCount=5),
            ),
            color=alt.Color("k:N", title=None, sort=kinds, scale=hues),
            shape=alt.Shape("k:N", title=None, sort=kinds, scale=shapes),
            tooltip=[
                alt.Tooltip("d:N", title="distance"),
                alt.Tooltip("k:N", title="nearest"),
                alt.Tooltip("n:Q", title="outputs", format=","),
                alt.Tooltip("f:Q", title="share", format=".1%"),
            ],
        )
        .properties(
            width=300,
            height=200,
            description="Share of outputs whose nearest judged outputs got worse, "
            "equal and better judgements, by distance.",
        )
    )
    return Drawn(chart, rows)


def _distance_axis(labels: list[str]) -> Any:  # alt.X
    alt = altair()
    title = "character edits to the nearest judged output"
    return alt.X("d:N", sort=labels, title=title, axis=alt.Axis(labelAngle=0))
