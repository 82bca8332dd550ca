# SPDX-License-Identifier: Apache-2.0
"""The material of a meta-evaluation page, and its charts by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tertium.judgements import Agreement
from tertium.meta.evaluation import Evaluation
from tertium.meta.families import FamilyTest
from tertium.meta.gaps import Gap
from tertium.meta.results import Correlations
from tertium.report.draw.vega import LIGHT, Colours, Drawn, altair
from tertium.report.meta import metric_charts, people_charts
from tertium.report.meta.family_chart import family_chart
from tertium.report.meta.kappa_chart import kappa_chart
from tertium.report.meta.people import (
    Agreed,
    SystemScore,
    judge_agreement,
    judge_kappas,
    system_scores,
)
from tertium.report.meta.question_chart import question_chart
from tertium.report.meta.score_histograms import histogram_chart
from tertium.report.meta.tables import Grid, grids

__all__ = ["CHARTS", "Material", "meta_chart"]

#: What every chart shows, by name.
CHARTS = {
    "values": "values with bootstrap intervals",
    "heatmap": "values by metric and language pair",
    "scatter": "system scores: a metric and human judgements",
    "tests": "tests of differences between metrics",
    "systems": "human scores of systems",
    "agreement": "how often judges prefer the same output",
    "kappa": "judge agreement beyond chance (kappa)",
    "gaps": "agreement with human judgements by score difference",
    "families": "values by metric family, with every configuration",
    "histogram": "distributions of output scores, human and metric",
    "questions": "how answers to two questions go together",
}


class Material:
    """What the text, the tables and the charts are made from."""

    def __init__(
        self,
        result: Correlations,
        evaluations: Sequence[Evaluation],
        gaps: Mapping[str, Sequence[Gap]],
        without: Sequence[str],
        *,
        families: Sequence[FamilyTest] | None = None,
        p_values: bool = False,
    ) -> None:
        self.result = result
        self.evaluations = evaluations
        self.gaps = gaps
        self.without = without
        self.families = families
        self.p_values = p_values
        self.grids: list[Grid] = grids(result, without=without)
        self.people: dict[str, list[SystemScore]] = {}
        self.agreed: dict[str, Agreed] = {}
        self.kappas: dict[str, Agreement] = {}
        resamples = int(result.run.get("resamples") or 0)
        seed = int(result.run.get("seed") or 0)
        confidence = float(result.run.get("confidence") or 0.95)
        # Single judgements are about the same systems as their means.
        means = [both for both in evaluations if both.human.clusters is None]
        self.system_level = means or evaluations
        for both in self.system_level:
            pair = str(both.human.langpair or "all")
            self.people[pair] = system_scores(
                both.human, resamples=resamples, seed=seed, confidence=confidence
            )
            if both.human.comparisons is None:
                continue
            run = {"resamples": resamples, "seed": seed}
            comparisons = both.human.comparisons
            agreed = judge_agreement(comparisons, confidence=confidence, **run)
            if agreed is not None:
                self.agreed[pair] = agreed
            kappas = judge_kappas(comparisons, confidence=confidence, **run)
            if kappas and (kappas.inter.compared or kappas.intra.compared):
                self.kappas[pair] = kappas

    def chart(self, name: str, colours: Colours) -> Drawn | None:
        """Return a chart by name."""
        if name == "values":
            return metric_charts.range_chart(self.grids, colours)
        if name == "heatmap":
            return metric_charts.heat_map(self.grids, colours)
        if name == "scatter":
            return people_charts.scatter_chart(self.system_level, self.people, colours)
        if name == "tests":
            return metric_charts.matrix_chart(self.result, colours)
        if name == "systems":
            return people_charts.system_chart(self.people, colours)
        if name == "agreement":
            return people_charts.agreement_chart(self.agreed, colours)
        if name == "kappa":
            return kappa_chart(self.kappas, colours)
        if name == "families":
            return family_chart(self.result, colours)
        if name == "histogram":
            return histogram_chart(self.evaluations, colours)
        if name == "questions":
            return question_chart(self.result.questions, colours)
        return people_charts.gap_chart(self.gaps, colours)


def meta_chart(
    name: str,
    result: Correlations,
    evaluations: Sequence[Evaluation],
    *,
    gaps: Mapping[str, Sequence[Gap]] | None = None,
    without: Sequence[str] = (),
) -> Drawn | None:
    """Return one chart for a file, see ``CHARTS``; None if there is nothing to show.

    Raises
    ------
    MissingExtraError
        If Altair is not installed.
    """
    alt = altair()
    material = Material(result, evaluations, gaps or {}, without)
    chart = material.chart(name, LIGHT)
    # A file has no selection list: its title names the selection.
    chosen = ""
    if name in ("values", "heatmap", "families"):
        chosen = material.grids[0].coefficient.name
    elif name == "scatter" and chart is not None:
        chosen = evaluations[0].metrics[0].name
    elif name == "histogram" and len(evaluations) > 1:
        chosen = str(evaluations[0].human.langpair or "all")
    elif name == "tests" and chart is not None:
        first = next(iter(result.clusters))
        chosen = f"{first}, {next(iter(result.clusters[first]))}"
    if chart is None or not chosen:
        return chart
    title = alt.Title(chosen, anchor="start", color=LIGHT.ink)
    return Drawn(chart.chart.properties(title=title), chart.rows)
