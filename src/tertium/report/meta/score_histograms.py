# SPDX-License-Identifier: Apache-2.0
"""Score distributions: one histogram per metric, and one of the human scores.

A coefficient does not reveal a metric that gives nearly all outputs the same score, or
judges who only use the ends of a scale; a histogram shows both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tertium.meta.evaluation import Evaluation
from tertium.meta.human import Human
from tertium.report.draw.vega import PANEL, Colours, Drawn, altair

if TYPE_CHECKING:
    from altair import TopLevelMixin
    from numpy.typing import NDArray

__all__ = ["bars", "histogram_chart", "human_scores"]

Floats: TypeAlias = "NDArray[np.float64]"

_BINS = 24
_FEW = 12  # a rating scale with so few values has one bar per value
_SHARE = "share of comparisons won"


def histogram_chart(
    evaluations: Sequence[Evaluation], colours: Colours
) -> Drawn | None:
    """Return distributions of output scores, one panel per metric, humans first.

    For rankings, the score of an output is the share of comparisons it won; a tie
    counts half. Probes are omitted; None if no metric has segment scores.
    """
    alt = altair()
    rows: list[dict[str, Any]] = []
    names: dict[str, None] = {}
    pairs: dict[str, None] = {}
    for both in evaluations:
        pair = str(both.human.langpair or "all")
        for name, scores, human in _panels_of(both):
            names[name] = pairs[pair] = None
            about = {"p": pair, "m": name, "w": "human" if human else "metric"}
            mean, total = float(scores.mean()), len(scores)
            rows += [
                {**about, "l": low, "h": high, "n": count, "f": count / total}
                for low, high, count in bars(scores)
                if count
            ]
            rows.append({**about, "a": mean, "n": total})
    if not any(row["w"] == "metric" for row in rows):
        return None
    chosen = alt.param(
        name="pair",
        value=next(iter(pairs)),
        bind=alt.binding_select(options=list(pairs), name="language pair "),
    )
    base = alt.Chart()
    scale = alt.Scale(zero=False, nice=True)
    layers = [
        base.transform_filter("isValid(datum.l)")
        .mark_bar(stroke=colours.ink, strokeWidth=0.4, binSpacing=0)
        .encode(
            alt.X("l:Q", title=None, scale=scale, axis=alt.Axis(tickCount=5)),
            alt.X2("h:Q"),
            alt.Y(
                "f:Q",
                title="outputs",
                scale=alt.Scale(domainMin=0),
                axis=alt.Axis(format="%", tickCount=4),
            ),
            # A bar with two x ends has no baseline by default.
            alt.Y2Datum(0),
            color=alt.Color(
                "w:N",
                title=None,
                scale=alt.Scale(
                    domain=["human", "metric"], range=[colours.warm, colours.cool]
                ),
            ),
            tooltip=[
                alt.Tooltip("m:N", title="score"),
                alt.Tooltip("l:Q", title="from", format=".4~g"),
                alt.Tooltip("h:Q", title="to", format=".4~g"),
                alt.Tooltip("n:Q", title="outputs", format=","),
            ],
        ),
        base.transform_filter("isValid(datum.a)")
        .mark_rule(color=colours.ink, strokeDash=[4, 3], strokeWidth=1.3)
        .encode(
            alt.X("a:Q", title=None, scale=scale),
            tooltip=[
                alt.Tooltip("a:Q", title="mean", format=".4~g"),
                alt.Tooltip("n:Q", title="outputs", format=","),
            ],
        ),
    ]
    chart: TopLevelMixin = (
        alt.layer(*layers, data=alt.NamedData("rows"))
        .transform_filter("datum.p === pair")
        .properties(width=PANEL - 30, height=130)
        .facet(alt.Facet("m:N", sort=list(names), title=None), columns=3)
        .resolve_scale(x="independent", y="independent")
        .add_params(chosen)
        .properties(
            description="Histograms of output scores, by humans and by every metric; "
            "the dashed line is the mean."
        )
    )
    return Drawn(chart, rows)


def human_scores(human: Human) -> tuple[str, Floats]:
    """Return a name for the human scores, and one score per output.

    These are ratings, or for rankings the share of comparisons won; a tie counts half.
    """
    if human.ratings is not None:
        return human.kind.partition(",")[0], human.ratings[~np.isnan(human.ratings)]
    judged = human.comparisons
    if judged is None or not len(judged):
        return "", np.empty(0)
    width = len(human.segments)
    size = len(human.systems) * width
    points = 0.5 + 0.5 * judged.outcome
    first = judged.first.astype(np.int64) * width + judged.segment
    second = judged.second.astype(np.int64) * width + judged.segment
    won = np.bincount(first, points, size) + np.bincount(second, 1 - points, size)
    seen = np.bincount(first, minlength=size) + np.bincount(second, minlength=size)
    return f"rankings: {_SHARE}", won[seen > 0] / seen[seen > 0]


def bars(scores: Floats) -> list[tuple[float, float, int]]:
    """Return the bars of a histogram: lower end, upper end, number of scores.

    Scores with few values, such as those of a Likert scale, have one bar around each
    value; all others have 24 bars of equal width.

    Examples
    --------
    >>> bars(np.array([1.0, 1.0, 2.0, 4.0]))
    [(0.5, 1.5, 2), (1.5, 2.5, 1), (3.5, 4.5, 1)]
    >>> len(bars(np.linspace(0, 1, 100)))
    24
    """
    values, counts = np.unique(scores, return_counts=True)
    gap = float(np.diff(values).min()) if len(values) > 1 else 1.0
    span = float(values[-1] - values[0])
    # Values that nearly coincide, such as shares, are not those of a rating scale.
    if len(values) <= _FEW and span <= 2 * _BINS * gap:
        return [
            (float(value) - gap / 2, float(value) + gap / 2, int(count))
            for value, count in zip(values, counts, strict=True)
        ]
    counts, edges = np.histogram(scores, bins=_BINS)
    return [
        (float(low), float(high), int(count))
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
    ]


def _panels_of(both: Evaluation) -> Iterator[tuple[str, Floats, bool]]:
    """Yield names and scores of humans and metrics, and whether they are human."""
    name, scores = human_scores(both.human)
    if len(scores):
        yield name, scores, True
    for metric in both.metrics:
        if metric.probe or metric.segment is None:
            continue
        scores = metric.segment[~np.isnan(metric.segment)]
        if len(scores):
            yield metric.name, scores, False
