# SPDX-License-Identifier: Apache-2.0
"""Diagrams of a survey: effects, degrees, judges and correlations."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.judgements.adjustment.effects import Effect
from tertium.report.draw.dots import Dot, Row, draw_dots
from tertium.report.draw.lines import Line, Panel, draw_panels
from tertium.report.survey.results import Curve, MetricCorrelation, Recovered, Recovery

__all__ = [
    "correlation_diagram",
    "curve_diagram",
    "effect_diagram",
    "severity_diagram",
]


def effect_diagram(recovery: Recovery) -> str:
    """Return the slopes of permutations, known and estimated."""
    slopes = [
        one
        for one in recovery.effects
        if one.name.startswith("slope: ") and one.name != "slope: hypothesis"
    ]
    return draw_dots(
        f"Slopes of {recovery.question} by kind of damage",
        [_row(one, one.name.removeprefix("slope: ")) for one in slopes],
        series=["estimate with 95 % interval"],
        known="known",
        scale="change of the score for each word",
    )


def severity_diagram(recovery: Recovery) -> str:
    """Return the effects of judges, known and predicted, lenient ones first."""
    ranked = sorted(recovery.severities, key=lambda one: -one.known)
    return draw_dots(
        f"Effects of judges on {recovery.question}",
        [_row(one, one.name) for one in ranked],
        series=["prediction with 95 % interval"],
        known="known",
        scale="effect on the score",
    )


def _row(one: Recovered, name: str) -> Row:
    return Row(name, [_dot(one.estimate, 0)], one.known)


def _dot(effect: Effect, series: int) -> Dot:
    return Dot(effect.value, effect.low, effect.high, series)


def curve_diagram(question: str, curves: Sequence[Curve]) -> str:
    """Return mean scores by degree, one panel per kind."""
    last = max(curve.degrees[-1] for curve in curves)
    panels = []
    for curve in curves:
        known: list[float | None] = [None] * (last + 1)
        observed: list[float | None] = [None] * (last + 1)
        for place, degree in enumerate(curve.degrees):
            known[degree] = curve.known[place]
            observed[degree] = curve.observed[place]
        title = f"{curve.kind} ({sum(curve.items)} items)"
        panels.append(Panel(title, [Line("observed", observed), Line("known", known)]))
    return draw_panels(
        f"Mean score of {question} by degree",
        panels,
        step="degree: moved or replaced words",
    )


def correlation_diagram(question: str, rows: Sequence[MetricCorrelation]) -> str:
    """Return correlations of metrics with raw, adjusted and known scores."""
    return draw_dots(
        f"Spearman's rho of metrics with {question}",
        [
            Row(
                one.metric,
                [
                    _dot(effect, series)
                    for series, effect in enumerate((one.raw, one.adjusted))
                    if effect is not None
                ],
                one.known,
            )
            for one in rows
        ],
        series=["raw means", "adjusted means"],
        known="known scores",
        scale="Spearman's ρ",
    )
