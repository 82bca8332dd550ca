# SPDX-License-Identifier: Apache-2.0
"""Chart of metric families: one bar per family, one mark per configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tertium.meta.families import families
from tertium.meta.results import Correlation, Correlations
from tertium.report.draw.vega import PANEL, Colours, Drawn, altair, panels

if TYPE_CHECKING:
    from altair import TopLevelMixin

__all__ = ["family_chart"]


def family_chart(result: Correlations, colours: Colours) -> Drawn | None:
    """Return the first coefficient by family; None if no metric has a value.

    A bar is the mean over the configurations of a family; every configuration has a
    mark. A star means that its bootstrap interval excludes chance level: 0, or 0.5 for
    ``accuracy``. Other accuracies have no stars, because their chance level depends on
    ties or p-values.
    """
    alt = altair()
    name = result.coefficients[0].name
    shown = [each for each in families(result) if each.coefficient == name]
    if not shown:
        return None
    rows: list[dict[str, Any]] = []
    for family in shown:
        for each in family.members:
            low, high = each.interval or (None, None)
            rows.append(
                {
                    "p": family.langpair,
                    "f": family.name,
                    "m": each.metric,
                    "w": family.mean,
                    "v": each.value,
                    "s": "★" if _beyond_chance(each) else "",
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
    layers = [
        base.transform_filter("datum.b")
        .mark_bar(color=colours.cool, height={"band": 0.7})
        .encode(alt.X("w:Q", title=None)),
        base.mark_point(
            filled=True, size=45, opacity=1, color=colours.orange, shape="diamond"
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


def _beyond_chance(value: Correlation) -> bool:
    if value.interval is None or value.coefficient.startswith(("acc-", "soft-")):
        return False
    chance = 0.5 if value.coefficient == "accuracy" else 0.0
    low, high = value.interval
    return low > chance or high < chance
