# SPDX-License-Identifier: Apache-2.0
"""Charts of the dashboard: Vega-Altair, drawn to SVG on the server.

Pages hold the SVG itself, so no script runs and nothing is fetched. Colours are
variables of the style sheet and follow a light or dark screen. Readers of screens get
a sentence, and everybody the numbers in a table. Names are values only, never part of
a formula; Vega escapes them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tertium.campaigns.dashboard import labels
from tertium.campaigns.dashboard.activity import Day, time_bins
from tertium.errors import InputError, MissingExtraError
from tertium.report.draw.vega import Colours, Drawn, altair, spec

if TYPE_CHECKING:
    from altair import TopLevelMixin

    from tertium.campaigns.dashboard.statistics import Figure
    from tertium.judgements.ranking import SystemRanking

__all__ = ["Chart", "agreement", "days", "draw", "people", "systems", "times", "track"]

#: Names of the variables in ``dashboard.css``.
SCREEN = Colours(
    "var(--ink)",
    "var(--soft)",
    "var(--line)",
    "transparent",
    "var(--chart-blue)",
    "var(--chart-orange)",
    "var(--chart-green)",
    "var(--tint)",
    "var(--mark)",
)
_WIDTH, _HEIGHT = 380, 210
_MOST_NAME = 160  # width of a name
_LINE = 22  # height of a line of a chart with names


@dataclass(frozen=True)
class Chart:
    """A chart as a page shows it.

    Parameters
    ----------
    svg : str
        Empty where charts cannot be drawn; the table is there all the same.
    label : str
        What the chart shows, in a sentence.
    head, rows : sequences
        The numbers.
    """

    svg: SafeString
    label: str
    head: Sequence[str]
    rows: Sequence[Sequence[object]] = field(default_factory=list)


def draw(drawn: Drawn) -> SafeString:
    """Return a chart as SVG; empty where Altair is not installed."""
    chart = spec(drawn, SCREEN)
    chart["autosize"] = {"type": "fit", "contains": "padding"}
    chart["padding"] = 2
    chart["config"]["view"] = {"stroke": None}
    chart["config"]["aria"] = False  # Vega speaks English; the page has a sentence
    return mark_safe(_svg(json.dumps(chart, sort_keys=True)))  # noqa: S308


@lru_cache(maxsize=128)
def _svg(text: str) -> str:
    # Drawing takes a tenth of a second; the same numbers are drawn once.
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(json.loads(text))
    return svg


def _chart(
    chart: TopLevelMixin,
    data: list[dict[str, Any]],
    label: str,
    head: Sequence[str],
    rows: Sequence[Sequence[object]],
) -> Chart:
    return Chart(draw(Drawn(chart, data)), label, head, rows)


def _or_table(
    label: str, head: Sequence[str], rows: Sequence[Sequence[object]]
) -> Chart:
    return Chart(SafeString(""), label, head, rows)


def days(activity: Sequence[Day]) -> Chart | None:
    """Return judgements a day."""
    if not activity:
        return None
    kinds = [_("first"), _("again"), _("checks")]
    label = _("Judgements per day, by purpose.")
    head = [_("day"), *kinds]
    rows = [(d.day.isoformat(), d.first, d.again, d.checks) for d in activity]
    try:
        alt = altair()
    except (MissingExtraError, InputError):
        return _or_table(label, head, rows)
    values = [
        {"d": day.day.isoformat(), "k": kind, "n": n, "o": order}
        for day in activity
        for order, (kind, n) in enumerate(
            zip(kinds, (day.first, day.again, day.checks), strict=True)
        )
        if n
    ]
    names = [day.day.isoformat() for day in activity]
    step = -(-len(names) // 6)
    chart = (
        alt.Chart(alt.NamedData("rows"), width=_WIDTH, height=_HEIGHT)
        .mark_bar(stroke="var(--paper)", strokeWidth=0.5)
        .encode(
            x=alt.X(
                "d:O",
                title=None,
                sort=names,
                axis=alt.Axis(
                    labelAngle=0,
                    values=names[::step],
                    # Of 2026-11-16, the month and the day.
                    labelExpr="slice(datum.value, 5)",
                    labelOverlap=True,
                ),
                scale=alt.Scale(domain=names, paddingInner=0.15, paddingOuter=0.2),
            ),
            y=alt.Y(
                "n:Q",
                title=None,
                axis=alt.Axis(tickMinStep=1, tickCount=5, format=",d"),
            ),
            color=_colours(alt, kinds),
            order=alt.Order("o:Q"),
        )
    )
    return _chart(chart, values, label, head, rows)


def _colours(alt: Any, kinds: Sequence[str]) -> Any:  # alt.Color
    hues = [SCREEN.blue, SCREEN.orange, SCREEN.green][: len(kinds)]
    return alt.Color(
        "k:N",
        title=None,
        sort=list(kinds),
        scale=alt.Scale(domain=list(kinds), range=hues),
        legend=alt.Legend(orient="top"),
    )


def times(seconds: Sequence[float]) -> Chart | None:
    """Return how long items took."""
    bins = time_bins(seconds)
    if not bins:
        return None
    label = _(
        "Number of items by time in seconds; the last bar holds all longer times."
    )
    head = [_("from (s)"), _("to (s)"), _("items")]
    rows: list[tuple[object, ...]] = [(f"{a:g}", f"{b:g}", n) for a, b, n in bins]
    rows[-1] = (rows[-1][0], "", rows[-1][2])
    try:
        alt = altair()
    except (MissingExtraError, InputError):
        return _or_table(label, head, rows)
    chart = (
        alt.Chart(alt.NamedData("rows"), width=_WIDTH, height=_HEIGHT)
        .mark_bar(color=SCREEN.blue, stroke="var(--paper)", strokeWidth=1)
        .encode(
            x=alt.X(
                "a:Q",
                bin="binned",
                title=_("seconds"),
                axis=alt.Axis(grid=False, tickCount=6),
            ),
            x2=alt.X2("b:Q"),
            y=alt.Y(
                "n:Q",
                title=_("items"),
                axis=alt.Axis(tickMinStep=1, tickCount=5, format=",d"),
            ),
        )
    )
    data = [{"a": a, "b": b, "n": n} for a, b, n in bins]
    return _chart(chart, data, label, head, rows)


def agreement(names: Sequence[str], figures: Sequence[Figure]) -> Chart | None:
    """Return coefficients of agreement with their intervals, one per line.

    Parameters
    ----------
    names : sequence of str
        What the figures are called on the page.
    """
    known = [
        (name, f.estimate.value, f.estimate.interval or (f.estimate.value,) * 2)
        for name, f in zip(names, figures, strict=True)
        if f.estimate.value is not None
    ]
    data = [
        {"s": name, "v": value, "l": low, "h": high}
        for name, value, (low, high) in known
    ]
    label = _("Coefficients of agreement, with intervals; 1 is perfect, 0 is chance.")
    lowest = min([0.0, *(low for _name, _value, (low, _high) in known)])
    return _dots(data, label, _("coefficient"), _("agreement"), (lowest, 1.0))


def systems(ranking: SystemRanking) -> Chart | None:
    """Return scores of systems with their intervals, the best first."""
    data = [
        {
            "s": one.system,
            "v": one.score,
            "l": (one.interval or (one.score,))[0],
            "h": (one.interval or (one.score,))[-1],
            "c": one.cluster,
        }
        for one in ranking.systems
        if one.score is not None
    ]
    label = _("System scores with intervals, best first.")
    return _dots(data, label, _("system"), _("score"), None)


def people(medians: Sequence[tuple[str, float, bool]]) -> Chart | None:
    """Return the median time of every judge; those with flags stand out.

    Parameters
    ----------
    medians : sequence of (str, float, bool)
        Code, seconds, and whether there are flags.
    """
    data = [
        {"s": code, "v": seconds, "l": seconds, "h": seconds, "f": flagged}
        for code, seconds, flagged in sorted(medians, key=lambda row: row[1])
    ]
    label = _("Median seconds per item of each annotator, fastest first.")
    top = 1.05 * max((row[1] for row in medians), default=1.0)
    return _dots(data, label, _("annotator"), _("seconds"), (0.0, top or 1.0))


def _dots(
    data: list[dict[str, Any]],
    label: str,
    first: str,
    title: str,
    domain: tuple[float, float] | None,
) -> Chart | None:
    """Return a line a name: a point, and a rule where there is an interval."""
    if not data:
        return None
    ranged = any(row["l"] != row["h"] for row in data)
    head = [first, title, *([_("from"), _("to")] if ranged else [])]
    rows = [
        (row["s"], *(f"{row[k]:.3g}" for k in ("vlh" if ranged else "v")))
        for row in data
    ]
    try:
        alt = altair()
    except (MissingExtraError, InputError):
        return _or_table(label, head, rows)
    # Two systems may have one name only in different letters; lines keep them apart.
    names = list(dict.fromkeys(row["s"] for row in data))
    scale = (
        alt.Scale(domain=list(domain), nice=False)
        if domain
        else alt.Scale(zero=False, nice=True, padding=8)
    )
    # Readers' fonts may be wider than the one that Vega measures.
    extent = min(_MOST_NAME + 25, 8 * max(map(len, names)) + 10)
    base = alt.Chart(alt.NamedData("rows")).encode(
        y=alt.Y(
            "s:N",
            sort=names,
            title=None,
            axis=alt.Axis(labelLimit=_MOST_NAME, minExtent=extent, grid=True),
        )
    )
    axis = alt.Axis(tickCount=5, grid=False)
    colour: Any = alt.value(SCREEN.blue)
    if any(row.get("f") for row in data):
        colour = alt.Color(
            "f:N",
            scale=alt.Scale(domain=[False, True], range=[SCREEN.blue, SCREEN.orange]),
            legend=None,
        )
    layers = []
    if ranged:
        layers.append(
            base.mark_rule(strokeWidth=2, color=SCREEN.blue).encode(
                x=alt.X("l:Q", title=title, scale=scale, axis=axis), x2=alt.X2("h:Q")
            )
        )
    layers.append(
        base.mark_point(filled=True, size=70, opacity=1).encode(
            x=alt.X("v:Q", title=title, scale=scale, axis=axis), color=colour
        )
    )
    height = max(90, 50 + _LINE * len(names))
    chart = alt.layer(*layers).properties(width=_WIDTH, height=height)
    return _chart(chart, data, label, head, rows)


def track(seconds: Sequence[tuple[float, str]]) -> Chart | None:
    """Return the times of somebody's items, in the order of their work.

    Parameters
    ----------
    seconds : sequence of (float, str)
        Time and reason of an item.
    """
    if not seconds:
        return None
    label = _("Seconds per item, in the order of work.")
    head = [_("item"), _("seconds"), _("why")]
    rows = [
        (n, f"{s:.1f}", labels.label(why))
        for n, (s, why) in enumerate(seconds, start=1)
    ]
    try:
        alt = altair()
    except (MissingExtraError, InputError):
        return _or_table(label, head, rows)
    data = [{"i": n, "v": max(s, 0.1)} for n, (s, _why) in enumerate(seconds, start=1)]
    chart = (
        alt.Chart(alt.NamedData("rows"), width=_WIDTH, height=_HEIGHT)
        .mark_point(filled=True, size=36, opacity=0.8, color=SCREEN.blue)
        .encode(
            x=alt.X(
                "i:Q",
                title=_("item"),
                scale=alt.Scale(domain=[0, len(seconds) + 1], nice=False),
                axis=alt.Axis(grid=False, tickMinStep=1, tickCount=6, format=",d"),
            ),
            y=alt.Y(
                "v:Q",
                title=_("seconds"),
                scale=alt.Scale(type="log", nice=True),
                axis=alt.Axis(tickCount=5, format="~r"),
            ),
        )
    )
    return _chart(chart, data, label, head, rows)
