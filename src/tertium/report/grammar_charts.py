# SPDX-License-Identifier: Apache-2.0
"""Charts of an error analysis, by Vega-Altair.

Fields have fixed names; names of systems are values only. Counts are shown per 100
words of the chosen references, so that systems can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.systems import SystemResult
from tertium.grammars.edits import UNIT, UNRELIABLE, Kind
from tertium.report.grammar_categories import CATEGORIES
from tertium.report.vega import PAGE, Drawn, altair

if TYPE_CHECKING:
    from altair import TopLevelMixin

__all__ = [
    "CELL",
    "SCATTERS",
    "ambiguity_chart",
    "case_chart",
    "move_chart",
    "scatter_chart",
    "shown_name",
    "taxonomy_chart",
]

#: Pixels of a cell of case shifts.
CELL = 21
_HEIGHT = 240  # pixels of the smaller charts
#: Where a group of cases begins: grammatical, inner, outer, general.
_GROUPS = ("INE", "ADE", "ESS")
_INFLECTION = (Kind.CASESHIFT, Kind.LEMMA_SUB)
_LEXICON = (Kind.CASENUM_SUB, Kind.TENSENUM_SUB, Kind.CASE_SUB, Kind.ANIMACY_SUB)

#: The four views of the thesis: title, then name and edits of both axes.
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


def shown_name(own: SystemResult) -> str:
    """Return the name of a system, people marked."""
    return f"{own.name} (person)" if own.human else own.name


def taxonomy_chart(evaluation: Evaluation) -> Drawn | None:
    """Return bars of all kinds of errors that occur, a panel each."""
    alt = altair()
    rows: list[dict[str, Any]] = []
    used: list[str] = []
    colours: list[str] = []
    for own in CATEGORIES:
        counts = [system.taxonomy[own.name] for system in evaluation.ranking]
        if not any(counts):
            continue
        title = f"{own.name} ~" if own.name in UNRELIABLE else own.name
        used.append(title)
        colours.append(f"var(--{own.key}-strong)")
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
                    "e": round(100 * system.expected_taxonomy[own.name] / words, 3),
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
            alt.Tooltip("n:Q", title="edits"),
            alt.Tooltip("v:Q", title="per 100 words", format=".2f"),
            alt.Tooltip("e:Q", title="expected", format=".2f"),
        ],
    )
    # Room for the number behind the longest bar.
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
            "the table holds the same figures."
        )
    )
    return Drawn(chart, rows)


def _apart(values: Sequence[float], least: float) -> list[float]:
    """Return places for names, as near to their values as room allows."""
    order = sorted(range(len(values)), key=lambda place: values[place])
    places = list(values)
    for below, here in pairwise(order):
        places[here] = max(places[here], places[below] + least)
    return places


def _rate(rate: float) -> str:
    """Return a rate for a label; nothing that is there is shown as 0."""
    return f"{rate:.1f}" if rate >= 0.05 else "<0.1" if rate else "0"


def scatter_chart(evaluation: Evaluation, number: int) -> Drawn:
    """Return one of the four views: systems by two kinds of errors."""
    alt = altair()
    _, x_name, x_kinds, y_name, y_kinds = SCATTERS[number]

    def rate(own: SystemResult, kinds: Sequence[Kind]) -> float:
        count = sum(own.counts.get(kind, 0) for kind in kinds)
        return round(100 * count / max(1, own.ref_tokens), 3)

    rows: list[dict[str, Any]] = [
        {
            "s": shown_name(own),
            "x": rate(own, x_kinds),
            "y": rate(own, y_kinds),
            "h": "person" if own.human else "system",
        }
        for own in evaluation.ranking
    ]
    far = max(row["x"] for row in rows) or 1.0
    high = max(row["y"] for row in rows) or 1.0
    for row in rows:
        # Names at the right edge go to the left of their point.
        row["a"] = row["x"] > 0.6 * far
    for left in (True, False):
        names = [row for row in rows if row["a"] == left]
        apart = _apart([row["y"] for row in names], 15 / _HEIGHT * 1.16 * high)
        for row, place in zip(names, apart, strict=True):
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
            scale=alt.Scale(
                domain=["system", "person"], range=[PAGE.blue, PAGE.orange]
            ),
            legend=None,
        ),
        shape=alt.Shape(
            "h:N",
            scale=alt.Scale(
                domain=["system", "person"], range=["circle", "triangle-up"]
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
        height=_HEIGHT,
        description=f"Systems by {x_name} and {y_name}; the table holds the counts.",
    )
    return Drawn(chart, rows)


def case_chart(evaluation: Evaluation) -> Drawn | None:
    """Return the case shifts of all systems on one scale, a panel each."""
    alt = altair()
    shown = [own for own in evaluation.ranking if own.cases.total]
    if not shown:
        return None
    cases = list(shown[0].cases.cases)
    most = max(max(map(max, own.cases.counts)) for own in shown)
    rows = [
        {
            "p": shown_name(own),
            "f": found,
            "n": needed,
            "c": count,
            "v": round(count / most, 3),
            "t": str(count) if count else "",
            "d": found == needed,
            "x": needed in _GROUPS and found == cases[0],
            "y": found in _GROUPS and needed == cases[0],
        }
        for own in shown
        for found, line in zip(cases, own.cases.counts, strict=True)
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
            title="found",
            axis=alt.Axis(domain=False, ticks=False, labelFontSize=10),
        ),
        tooltip=[
            alt.Tooltip("p:N", title="system"),
            alt.Tooltip("f:N", title="found"),
            alt.Tooltip("n:N", title="needed"),
            alt.Tooltip("c:Q", title="times"),
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
            alt.Facet("p:N", sort=[shown_name(own) for own in shown], title=None),
            columns=3,
        )
        .resolve_axis(x="independent", y="independent")
        .properties(
            description="Case shifts: rows are cases found, columns cases needed; "
            "the lists below name the commonest."
        )
    )
    return Drawn(chart, rows)


def ambiguity_chart(evaluation: Evaluation) -> Drawn | None:
    """Return how many costs are close to the best, by the number of edits."""
    alt = altair()
    limits = ("within 0.5", "within 1", "within 1.5")
    sums: dict[int, list[float]] = {}
    for own in evaluation.systems:
        for edits, found in own.ambiguity_by_edits.items():
            if found.close:
                line = sums.setdefault(edits, [0.0] * 4)
                line[0] += found.segments
                for place, mean in enumerate(found.close, start=1):
                    line[place] += mean * found.segments
    if not sums:
        return None
    rows = [
        {
            "e": str(edits) if edits < max(sums) or edits < 6 else f"{edits}+",
            "o": edits,
            "l": limit,
            "v": round(line[place] / line[0], 3),
            "n": int(line[0]),
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
        y=alt.Y("v:Q", title="different costs, on average"),
        color=alt.Color(
            "l:N",
            scale=alt.Scale(domain=list(limits), range=colours),
            legend=alt.Legend(title=None, orient="top"),
        ),
        tooltip=[
            alt.Tooltip("e:O", title="edits"),
            alt.Tooltip("l:N", title="costs"),
            alt.Tooltip("v:Q", title="mean", format=".2f"),
            alt.Tooltip("n:Q", title="outputs", format=","),
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
        height=_HEIGHT,
        description="The more edits an output needs, the more corrections cost "
        "nearly as little as the cheapest.",
    )
    return Drawn(chart, rows)


def move_chart(evaluation: Evaluation) -> Drawn | None:
    """Return scores by the cost of a move, a line for every system."""
    alt = altair()
    if len(evaluation.sensitivity) < 2:
        return None
    names = [own.name for own in evaluation.ranking]
    last = evaluation.sensitivity[-1]
    high = max(max(own.scores.values()) for own in evaluation.sensitivity) or 1.0
    apart = _apart([last.scores[name] for name in names], 15 / _HEIGHT * high)
    ends = dict(zip(names, apart, strict=True))
    rows = [
        {
            "s": name,
            "m": own.move / UNIT,
            "v": round(own.scores[name], 5),
            "l": ends[name] if own is last else None,
            "e": name if own is last else "",
        }
        for own in evaluation.sensitivity
        for name in names
    ]
    costs = [own.move / UNIT for own in evaluation.sensitivity]
    # Names stand behind the last point.
    domain = [costs[0], costs[-1] + 0.4 * (costs[-1] - costs[0])]
    base = alt.Chart(alt.NamedData("rows")).encode(
        x=alt.X(
            "m:Q",
            title="cost of a move",
            scale=alt.Scale(domain=domain, nice=False, padding=6),
            axis=alt.Axis(values=costs),
        ),
        y=alt.Y("v:Q", title="cost a word", axis=alt.Axis(tickCount=5)),
        detail="s:N",
        tooltip=[
            alt.Tooltip("s:N", title="system"),
            alt.Tooltip("m:Q", title="cost of a move"),
            alt.Tooltip("v:Q", title="cost a word", format=".4f"),
        ],
    )
    chart: TopLevelMixin = alt.layer(
        base.mark_line(strokeWidth=2, color=PAGE.blue),
        base.mark_point(filled=True, size=50, opacity=1, color=PAGE.blue),
        base.transform_filter("datum.e !== ''")
        .mark_text(align="left", dx=9, fontSize=12, baseline="middle")
        .encode(y=alt.Y("l:Q", title="cost a word"), text="e:N"),
    ).properties(
        width="container",
        height=_HEIGHT,
        description="Scores with other costs of a move; the table holds the figures.",
    )
    return Drawn(chart, rows)
