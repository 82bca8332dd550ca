# SPDX-License-Identifier: Apache-2.0
"""Chart of judge agreement beyond chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tertium.judgements import Agreement
from tertium.report.draw.vega import Colours, Drawn, altair

if TYPE_CHECKING:
    from altair import TopLevelMixin

__all__ = ["kappa_chart"]

_KINDS = {"inter": "between judges (inter)", "intra": "same judge (intra)"}


def kappa_chart(agreed: Mapping[str, Agreement], colours: Colours) -> Drawn | None:
    """Return inter and intra kappa with intervals, two lines per language pair."""
    alt = altair()
    rows: list[dict[str, str | float]] = []
    lowest = 0.0
    for pair, agreement in agreed.items():
        for kind, kappa in (("inter", agreement.inter), ("intra", agreement.intra)):
            if kappa.value is None:
                continue
            low, high = kappa.interval or (kappa.value, kappa.value)
            lowest = min(lowest, low)
            about: dict[str, str | float] = {
                "p": pair,
                "k": _KINDS[kind],
                "n": kappa.compared,
            }
            rows.append({**about, "v": kappa.value, "l": low, "h": high})
    if not rows:
        return None
    kinds = list(_KINDS.values())
    base = alt.Chart(alt.NamedData("rows")).encode(
        y=alt.Y("p:N", sort=list(agreed), title=None),
        yOffset=alt.YOffset("k:N", sort=kinds),
        color=alt.Color(
            "k:N",
            title=None,
            sort=kinds,
            scale=alt.Scale(domain=kinds, range=[colours.blue, colours.orange]),
        ),
        tooltip=[
            alt.Tooltip("p:N", title="language pair"),
            alt.Tooltip("k:N", title="judges"),
            alt.Tooltip("v:Q", title="κ", format=".3f"),
            alt.Tooltip("l:Q", title="from", format=".3f"),
            alt.Tooltip("h:Q", title="to", format=".3f"),
            alt.Tooltip("n:Q", title="comparisons", format=","),
        ],
    )
    scale = alt.Scale(domain=[lowest, 1], nice=False)
    axis = alt.Axis(tickCount=6)
    chart: TopLevelMixin = alt.layer(
        base.mark_rule(strokeWidth=2).encode(
            alt.X("l:Q", title="κ", scale=scale, axis=axis), alt.X2("h:Q")
        ),
        base.mark_point(filled=True, size=64, opacity=1).encode(
            alt.X("v:Q", title="κ", scale=scale, axis=axis)
        ),
    ).properties(
        width=300,
        height=alt.Step(16),
        description="Kappa between judges and for repeated judgements of the same "
        "judge, by language pair, with intervals.",
    )
    return Drawn(chart, rows)
