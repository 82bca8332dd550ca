# SPDX-License-Identifier: Apache-2.0
"""Chart of metric families: one bar per family, one mark per configuration.

Bars of variants have the colour of their metric (McCaffery 2017, Figure 7.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tertium.meta.families import FAMILIES, families, family_of
from tertium.meta.results import Correlation, Correlations
from tertium.report.draw.vega import PANEL, Colours, Drawn, altair, panels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from altair import TopLevelMixin

__all__ = ["family_chart"]


def family_chart(result: Correlations, colours: Colours) -> Drawn | None:
    """Return the first coefficient by family; None if no metric has a value.

    A bar is the mean over the configurations of a family; every configuration has a
    mark. A star means that its bootstrap interval excludes chance level: 0, or 0.5 for
    ``accuracy``; without an interval, that its p-value against 0 is below 1 -
    confidence. Other accuracies have no stars, because their chance level depends on
    ties or p-values.
    """
    alt = altair()
    name = result.coefficients[0].name
    grouped = families(result, FAMILIES[result.family_by])
    shown = [each for each in grouped if each.coefficient == name]
    if not shown:
        return None
    alpha = 1 - float(result.run.get("confidence") or 0.95)
    rows: list[dict[str, Any]] = []
    for family in shown:
        for each in family.members:
            low, high = each.interval or (None, None)
            rows.append(
                {
                    "p": family.langpair,
                    "f": family.name,
                    "t": family_of(family.name),
                    "m": each.metric,
                    "w": family.mean,
                    "v": each.value,
                    "s": "★" if _beyond_chance(each, alpha) else "",
                    "i": "none" if low is None else f"{low:.4f} to {high:.4f}",
                    "b": each is family.members[0],
                }
            )
    base = alt.Chart().encode(
        y=alt.Y(
            "f:N",
            sort=alt.EncodingSortField("w", op="max", order="descending"),
            title=None,
        )
    )
    place = alt.X("v:Q", title=None)
    about = [
        alt.Tooltip("m:N", title="metric"),
        alt.Tooltip("v:Q", title="value", format=".4f"),
        alt.Tooltip("i:N", title="interval"),
    ]
    bars = base.transform_filter("datum.b").encode(alt.X("w:Q", title=None))
    mark = colours.orange
    if result.family_by == "variant":
        mark = colours.ink
        bars = bars.mark_bar(height={"band": 0.7}).encode(
            color=_tool_colour([str(row["t"]) for row in rows], colours)
        )
    else:
        bars = bars.mark_bar(color=colours.cool, height={"band": 0.7})
    layers = [
        bars,
        base.mark_point(
            filled=True, size=45, opacity=1, color=mark, shape="diamond"
        ).encode(place, tooltip=about),
        base.mark_text(dy=-11, fontSize=10, color=colours.ink).encode(
            place, text="s:N"
        ),
    ]
    pairs = list(dict.fromkeys(each.langpair for each in shown))
    chart: TopLevelMixin = (
        alt.layer(*layers, data=alt.NamedData("rows"))
        .properties(width=PANEL - 30, height=alt.Step(34))
        .facet(panels(alt, pairs), columns=3)
        .resolve_scale(y="independent")
        .properties(
            description="Means of metric families as bars, configurations as marks, "
            "stars where chance is excluded; one panel per language pair."
        )
    )
    return Drawn(chart, rows)


def _tool_colour(tools: Sequence[str], colours: Colours) -> Any:
    """Return one colour per metric, in a legend; colours repeat from the seventh on."""
    alt = altair()
    names = list(dict.fromkeys(tools))
    hues = [colours.blue, colours.orange, colours.green]
    hues += [colours.cool, colours.warm, colours.muted]
    return alt.Color(
        "t:N",
        title="metric",
        scale=alt.Scale(
            domain=names, range=[hues[i % len(hues)] for i in range(len(names))]
        ),
        legend=alt.Legend(orient="bottom", columns=6),
    )


def _beyond_chance(value: Correlation, alpha: float) -> bool:
    if value.coefficient.startswith(("acc-", "soft-")):
        return False
    if value.interval is None:
        return value.p is not None and value.p < alpha
    chance = 0.5 if value.coefficient == "accuracy" else 0.0
    low, high = value.interval
    return low > chance or high < chance
