# SPDX-License-Identifier: Apache-2.0
"""Results of a small survey with simulated judges, for pages."""

from __future__ import annotations

from tertium.judgements.adjustment.effects import Effect
from tertium.report.survey.results import (
    Adjusted,
    Curve,
    MetricCorrelation,
    Recovered,
    Recovery,
    SurveyResults,
)

__all__ = ["survey_results"]


def survey_results(*, note: str = "no phrase permutations") -> SurveyResults:
    """Return one question, two kinds, two judges and two metrics."""
    effects = (
        Recovered("intercept", 0.7, Effect(0.71, 0.65, 0.77)),
        Recovered("slope: hypothesis", -0.35, Effect(-0.3, -0.4, -0.2)),
        Recovered("slope: order", -0.02, Effect(-0.035, -0.04, -0.03)),
        Recovered("SD of judges", 0.06, Effect(0.0, None, None)),
    )
    severities = (
        Recovered("judge 1", 0.05, Effect(0.04, -0.01, 0.09)),
        Recovered("judge 2", -0.02, Effect(-0.03, -0.08, 0.02)),
    )
    correlations = [
        MetricCorrelation(
            "order",
            "kendall",
            "all",
            9,
            Effect(0.4, 0.1, 0.6),
            Effect(0.5, 0.2, 0.7),
            0.6,
        ),
        MetricCorrelation("order", "chrf", "all", 9, Effect(0.2, -0.1, 0.5), None, 0.3),
        MetricCorrelation(
            "order", "kendall", "order", 5, Effect(0.9, None, None), None, 1
        ),
    ]
    return SurveyResults(
        name="simulated-survey",
        seed=1,
        judges=2,
        references="ref.txt",
        kinds={"hypothesis": 4, "order": 5},
        recoveries=[Recovery("order", "likert-order", 18, 9, effects, severities)],
        adjusted=[Adjusted("order", 0.1, 0.05, 0.4)],
        correlations=correlations,
        curves=[Curve("order", "order", (1, 4), (0.68, 0.62), (0.7, 0.6), (3, 2))],
        notes=[note],
    )
