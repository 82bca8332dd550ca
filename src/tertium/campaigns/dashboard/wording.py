# SPDX-License-Identifier: Apache-2.0
"""Figures in words and tables, as pages of the dashboard show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from tertium.campaigns.rendering import render

if TYPE_CHECKING:
    from tertium.campaigns.dashboard.activity import Remaining
    from tertium.campaigns.dashboard.statistics import Figure, Systems
    from tertium.judgements.composition import Composition, Part
    from tertium.judgements.estimates import Estimate

__all__ = [
    "REASONS",
    "Named",
    "Table",
    "composition",
    "estimate",
    "figure",
    "number",
    "records",
    "remaining",
    "seconds",
    "systems",
]


#: Why an estimate of :mod:`tertium.judgements` has no value, for translators to find.
REASONS = (
    gettext_noop("there are no rankings"),
    gettext_noop("nothing was compared"),
    gettext_noop("no unit was judged twice"),
    gettext_noop("the two judges have no unit in common"),
    gettext_noop(
        "all judgements are the same, so disagreement by chance is impossible"
    ),
    gettext_noop("no times are known"),
    gettext_noop("all took 600 s or more"),
    gettext_noop("no judge ranked two candidates of a segment twice"),
    gettext_noop("no two judges ranked the same two candidates of a segment"),
    gettext_noop("ranked no two candidates twice"),
    gettext_noop("nobody else ranked the same candidates"),
    gettext_noop("every comparison is a tie, so agreement by chance is certain"),
    gettext_noop("ranked nothing"),
    gettext_noop("no judge rated an output twice"),
    gettext_noop("fewer than three units are shared with others"),
    gettext_noop("one side does not vary"),
    gettext_noop("it is not defined"),
)


@dataclass(frozen=True)
class Named:
    """A figure with its name, a short one for charts, and what it rests on."""

    name: str
    short: str
    value: str
    interval: str
    about: str
    reason: str = ""


@dataclass(frozen=True)
class Table:
    """Heads and rows, with a title and notes."""

    title: str
    text: str
    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    notes: Sequence[str] = ()


def number(value: float | None, digits: int = 2) -> str:
    """Return a number; n/a where there is none."""
    if value is None or not isfinite(value):
        return _("n/a")
    return f"{value:.{digits}f}"


def seconds(value: float | None) -> str:
    """Return a time in seconds, or in minutes and seconds.

    Examples
    --------
    >>> seconds(7.25), seconds(200)
    ('7.2 s', '3 min 20 s')
    """
    if value is None or not isfinite(value):
        return _("n/a")
    if value < 100:
        return _("%(n).1f s") % {"n": value}
    minutes, rest = divmod(round(value), 60)
    return _("%(m)d min %(s)d s") % {"m": minutes, "s": rest}


def _interval(interval: tuple[float, float] | None, digits: int = 2) -> str:
    if interval is None or not all(map(isfinite, interval)):
        return ""
    return f"{interval[0]:.{digits}f} … {interval[1]:.{digits}f}"


def estimate(value: Estimate | None) -> str:
    """Return a figure with its interval, or n/a with the reason."""
    if value is None:
        return _("n/a")
    if value.value is None or not isfinite(value.value):
        return f"{_('n/a')} ({render(value.reason)})" if value.reason else _("n/a")
    between = _interval(value.interval)
    return number(value.value) + (f" ({between})" if between else "")


def figure(result: Figure) -> Named:
    """Return a coefficient of agreement in words."""
    coefficient = {
        "kappa": _("Kappa"),
        "alpha": _("Krippendorff’s alpha"),
        "pearson": _("Pearson’s r of repeats"),
    }[result.name]
    kind = {"intra": _("with themselves"), "inter": _("with each other")}[result.kind]
    sign = {"kappa": "κ", "alpha": "α", "pearson": "r"}[result.name]
    scale = f" · {result.scale}" if result.scale else ""
    on = (
        ngettext("%(n)d comparison", "%(n)d comparisons", result.compared)
        if result.name == "kappa"
        else ngettext("%(n)d output", "%(n)d outputs", result.compared)
    )
    value = result.estimate
    about = on % {"n": result.compared}
    band = getattr(value, "band", None)
    if band is not None:
        about += f" · {_bands().get(band, band)}"
    defined = value.value is not None and isfinite(value.value)
    return Named(
        name=f"{coefficient} {kind}{scale}",
        short=f"{sign} {kind}{scale}",
        value=number(value.value),
        interval=_interval(value.interval),
        about=about if defined else "",
        reason="" if defined else render(value.reason or "it is not defined"),
    )


def _bands() -> dict[str, str]:
    return {
        "slight": _("slight"),
        "fair": _("fair"),
        "moderate": _("moderate"),
        "substantial": _("substantial"),
        "almost perfect": _("almost perfect"),
    }


def records(counts: Mapping[str, int]) -> str:
    """Return how many rankings, ratings and marks there are; zeros are left out.

    Examples
    --------
    >>> records({"rankings": 3, "ratings": 0, "spans": 1, "clean": 0})
    '3 rankings, 1 mark'
    """
    rankings, ratings, spans, clean = (
        counts.get(name, 0) for name in ("rankings", "ratings", "spans", "clean")
    )
    words = (
        (rankings, ngettext("%(n)d ranking", "%(n)d rankings", rankings)),
        (ratings, ngettext("%(n)d rating", "%(n)d ratings", ratings)),
        (spans, ngettext("%(n)d mark", "%(n)d marks", spans)),
        (
            clean,
            ngettext("%(n)d text without errors", "%(n)d texts without errors", clean),
        ),
    )
    return ", ".join(text % {"n": n} for n, text in words if n)


def remaining(work_left: Remaining) -> dict[str, str]:
    """Return how much work is left, in words."""
    if not work_left.judgements:
        return {"time": _("nothing"), "reason": _("all first judgements are in")}
    if work_left.hours is None:
        work = _("n/a")
    elif work_left.hours < 1:
        work = _("about %(n)d min for one person") % {
            "n": max(1, round(60 * work_left.hours))
        }
    else:
        work = _("about %(n).1f hours for one person") % {"n": work_left.hours}
    if work_left.days is None:
        return {"work": work, "time": _("n/a"), "reason": _(work_left.reason)}
    if work_left.days < 2:
        hours = max(1, round(24 * work_left.days))
        time = ngettext("about %(n)d hour", "about %(n)d hours", hours) % {"n": hours}
    else:
        days = round(work_left.days)
        time = ngettext("about %(n)d day", "about %(n)d days", days) % {"n": days}
    return {"work": work, "time": time}


def systems(result: Systems, *, task: str = "") -> Table:
    """Return a ranking of systems as a table; ``task`` is the campaign's."""
    methods = {
        "expected-wins": _("Expected wins: the mean share of wins over opponents."),
        "z": _("Mean rating relative to each judge (z)."),
        "mean": _("Mean rating."),
        "mqm": _("Weighted errors (MQM), subtracted from 0; an edit costs 1.")
        if task == "edits"
        else _("Weighted errors (MQM), subtracted from 0."),
    }
    name = "MQM" if result.method == "mqm" and task != "edits" else result.scale
    title = _("Systems so far") + (f" · {name}" if name else "")
    text = methods.get(result.method, result.method)
    if result.ranking is None:
        return Table(title, text, (), (), [f"{_('n/a')}: {render(result.reason)}"])
    head = [
        _("cluster"),
        _("rank"),
        _("system"),
        _("score"),
        _("interval"),
        # As `tertium rank` has them, not judgements of items.
        _("comparisons") if "comparisons" in result.ranking.run else _("segments"),
    ]
    rows = [
        (
            one.cluster,
            "–".join(map(str, dict.fromkeys(one.rank))) if one.rank else None,
            one.system,
            number(one.score, 3),
            _interval(one.interval, 3),
            one.judgements,
        )
        for one in result.ranking.systems
    ]
    return Table(title, text, head, rows, [*map(render, result.ranking.notes)])


def composition(makeup: Composition) -> Table:
    """Return what ratings were made of as a table."""
    parts = [
        (kind, part)
        for kind, group in (
            (_("position"), _grouped(makeup.positions)),
            (_("questionnaire"), makeup.questionnaires),
            (_("source language"), makeup.languages),
        )
        for part in group
    ]
    notes = []
    if makeup.trend is not None:
        notes.append(
            _("Spearman’s rho of position and score: %(rho)s (p %(p)s)")
            % {"rho": number(makeup.trend.statistic), "p": number(makeup.trend.p, 3)}
        )
    if makeup.between is not None:
        notes.append(
            _("Between questionnaires (Kruskal and Wallis): H %(h)s (p %(p)s)")
            % {"h": number(makeup.between.statistic), "p": number(makeup.between.p, 3)}
        )
    if makeup.lengths is not None:
        notes.append(
            _("Words: %(hyp)s in outputs, %(ref)s in references, on average")
            % {
                "hyp": number(makeup.lengths.hypothesis, 1),
                "ref": number(makeup.lengths.reference, 1),
            }
        )
    rows = [
        (kind, part.name, part.ratings, number(part.mean), number(part.deviation))
        for kind, part in parts
    ]
    head = [_("by"), _("value"), _("ratings"), _("mean"), _("deviation")]
    text = _("Scores should depend neither on the position nor on the questionnaire.")
    return Table(_("Composition") + f" · {makeup.scale}", text, head, rows, notes)


def _grouped(parts: Sequence[Part], most: int = 10) -> Sequence[Part]:
    """Return positions in about ten groups: fifty lines are hard to read."""
    from tertium.judgements.composition import Part

    if len(parts) <= most:
        return parts
    size = -(-len(parts) // most)
    groups = []
    for start in range(0, len(parts), size):
        group = parts[start : start + size]
        ratings = sum(part.ratings for part in group)
        mean = sum(part.mean * part.ratings for part in group) / ratings
        groups.append(Part(f"{group[0].name}–{group[-1].name}", ratings, mean, None))
    return groups
