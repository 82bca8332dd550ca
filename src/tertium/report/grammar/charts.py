# SPDX-License-Identifier: Apache-2.0
"""Charts of an error analysis, by Vega-Altair.

Fields have fixed names; names of systems are values only. Counts are shown per 100
words of the chosen references, so that systems can be compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.systems import SystemResult
from tertium.grammars.search.edits import UNRELIABLE
from tertium.report.draw.vega import PAGE, Drawn, altair
from tertium.report.grammar.categories import CATEGORIES

if TYPE_CHECKING:
    from altair import TopLevelMixin

__all__ = [
    "CELL",
    "case_chart",
    "shown_name",
    "taxonomy_chart",
]

#: Pixels of a cell of case shifts.
CELL = 21
#: Where a group of cases begins: grammatical, inner, outer, general.
_GROUPS = ("INE", "ADE", "ESS")


def shown_name(system: SystemResult) -> str:
    """Return the name of a system; humans are marked."""
    return f"{system.name} (human)" if system.human else system.name


def taxonomy_chart(evaluation: Evaluation) -> Drawn | None:
    """Return bars of all kinds of errors that occur, one panel per kind."""
    alt = altair()
    rows: list[dict[str, Any]] = []
    used: list[str] = []
    colours: list[str] = []
    for category in CATEGORIES:
        counts = [system.taxonomy[category.name] for system in evaluation.ranking]
        if not any(counts):
            continue
        title = f"{category.name} ~" if category.name in UNRELIABLE else category.name
        used.append(title)
        colours.append(f"var(--{category.key}-strong)")
        for place, (system, count) in enumerate(
            zip(evaluation.ranking, counts, strict=True)
        ):
            words = max(1, system.ref_tokens)
            rate = 100 * count / words
            rows.append(
                {
                    "k": title,
                    "s": shown_name(system),
                    "o": place,
                    "v": round(rate, 3),
                    "e": round(
                        100 * system.expected_taxonomy[category.name] / words, 3
                    ),
                    "n": count,
                    "t": _rate(rate),
                }
            )
            rows[-1]["p"] = max(rows[-1]["v"], rows[-1]["e"])
    if not used:
        return None
    base = alt.Chart().encode(
        y=alt.Y(
            "s:N",
            sort=alt.EncodingSortField("o", op="min", order="ascending"),
            title=None,
            axis=alt.Axis(domain=False, ticks=False, labelPadding=6),
        ),
        tooltip=[
            alt.Tooltip("s:N", title="system"),
            alt.Tooltip("k:N", title="error"),
            alt.Tooltip("n:Q", title="errors"),
            alt.Tooltip("v:Q", title="per 100 words", format=".2f"),
            alt.Tooltip("e:Q", title="expected", format=".2f"),
        ],
    )
    # Room for the number after the longest bar.
    most = max(row["p"] for row in rows) * 1.22
    x = alt.X(
        "v:Q",
        title=None,
        scale=alt.Scale(domain=[0, most], nice=False),
        axis=alt.Axis(tickCount=4, domain=False),
    )
    layers = [
        base.mark_bar(height={"band": 0.72}, cornerRadiusEnd=2).encode(
            x,
            color=alt.Color(
                "k:N", scale=alt.Scale(domain=used, range=colours), legend=None
            ),
        ),
        base.mark_tick(color=PAGE.ink, thickness=2, height={"band": 0.72}).encode(
            alt.X("e:Q", title=None)
        ),
        base.mark_text(align="left", dx=6, fontSize=11).encode(
            alt.X("p:Q", title=None), text="t:N"
        ),
    ]
    chart: TopLevelMixin = (
        alt.layer(*layers, data=alt.NamedData("rows"))
        .properties(width=190, height=alt.Step(20))
        .facet(alt.Facet("k:N", sort=used, title=None), columns=3)
        .properties(
            description="Edits per 100 words for every kind of error and every system; "
            "the table contains the same figures."
        )
    )
    return Drawn(chart, rows)


def _rate(rate: float) -> str:
    """Return a rate for a label; only 0 itself is shown as 0."""
    return f"{rate:.1f}" if rate >= 0.05 else "<0.1" if rate else "0"


def case_chart(evaluation: Evaluation) -> Drawn | None:
    """Return the case shifts of all systems on one scale, one panel per system."""
    alt = altair()
    shown = [system for system in evaluation.ranking if system.cases.total]
    if not shown:
        return None
    cases = list(shown[0].cases.cases)
    most = max(max(map(max, system.cases.counts)) for system in shown)
    rows = [
        {
            "p": shown_name(system),
            "f": used,
            "n": needed,
            "c": count,
            "v": round(count / most, 3),
            "t": str(count) if count else "",
            "d": used == needed,
            "x": needed in _GROUPS and used == cases[0],
            "y": used in _GROUPS and needed == cases[0],
        }
        for system in shown
        for used, line in zip(cases, system.cases.counts, strict=True)
        for needed, count in zip(cases, line, strict=True)
    ]
    base = alt.Chart().encode(
        x=alt.X(
            "n:N",
            sort=cases,
            title="needed",
            axis=alt.Axis(
                orient="top",
                labelAngle=-90,
                domain=False,
                ticks=False,
                labelFontSize=10,
            ),
        ),
        y=alt.Y(
            "f:N",
            sort=cases,
            title="used",
            axis=alt.Axis(domain=False, ticks=False, labelFontSize=10),
        ),
        tooltip=[
            alt.Tooltip("p:N", title="system"),
            alt.Tooltip("f:N", title="used"),
            alt.Tooltip("n:N", title="needed"),
            alt.Tooltip("c:Q", title="count"),
        ],
    )
    cells = base.mark_rect(color=PAGE.warm, stroke=PAGE.rule, strokeWidth=0.7).encode(
        fillOpacity=alt.FillOpacity(
            "v:Q", scale=alt.Scale(domain=[0, 1], range=[0.0, 1]), legend=None
        )
    )
    # Nothing shifts from a case to itself.
    blank = base.transform_filter("datum.d").mark_rect(color=PAGE.rule, opacity=0.6)
    text = base.mark_text(fontSize=10).encode(text="t:N")
    line = {"color": PAGE.muted, "strokeWidth": 1.2, "opacity": 0.5}
    parted = [
        alt.Chart()
        .transform_filter("datum.x")
        .mark_rule(**line)
        .encode(alt.X("n:N", sort=cases, bandPosition=0)),
        alt.Chart()
        .transform_filter("datum.y")
        .mark_rule(**line)
        .encode(alt.Y("f:N", sort=cases, bandPosition=0)),
    ]
    chart: TopLevelMixin = (
        alt.layer(cells, blank, *parted, text, data=alt.NamedData("rows"))
        .properties(width=alt.Step(CELL), height=alt.Step(CELL))
        .facet(
            alt.Facet("p:N", sort=[shown_name(system) for system in shown], title=None),
            columns=3,
        )
        .resolve_axis(x="independent", y="independent")
        .properties(
            description="Case shifts: rows are cases used, columns cases needed; "
            "the lists below give the most frequent."
        )
    )
    return Drawn(chart, rows)
