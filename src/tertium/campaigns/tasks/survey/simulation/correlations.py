# SPDX-License-Identifier: Apache-2.0
"""Correlations of metrics with raw, adjusted and known scores of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import tertium
from tertium.campaigns.tasks.survey.simulation.known import KnownJudges
from tertium.campaigns.tasks.survey.task import QUESTIONS, SYSTEM
from tertium.judgements import Judgements
from tertium.judgements.adjustment.effects import Effect
from tertium.judgements.adjustment.models import adjust_ratings
from tertium.judgements.judgement import Rating
from tertium.report.survey.results import MetricCorrelation

if TYPE_CHECKING:
    from tertium.data import Testset

__all__ = ["ALL", "correlations"]

#: The part of the items that has all of them.
ALL = "all"
_COEFFICIENT = "spearman:none"


def correlations(
    testset: Testset,
    judgements: Judgements,
    known: KnownJudges,
    *,
    metrics: Sequence[str],
    method: str,
    resamples: int,
) -> list[MetricCorrelation]:
    """Return how metrics correlate with the item means of each question.

    Parameters
    ----------
    testset : Testset
        The items of the survey, whose layers say the kind.
    judgements : Judgements
    known : KnownJudges
    metrics : sequence of str
    method : str
        How judges are adjusted for.
    resamples : int
        For intervals; parts by kind have none.
    """
    rows = []
    for name, scale in QUESTIONS.items():
        raw = judgements.filter(scale=scale)
        gold = {
            "raw": raw,
            "adjusted": adjust_ratings(judgements, method, scale=scale),
            "known": _known(raw, known, name, scale),
        }
        for by_kind in (False, True):
            values = {
                which: _rhos(
                    testset,
                    scores,
                    metrics=metrics,
                    scale=scale,
                    by_kind=by_kind,
                    resamples=0 if by_kind or which == "known" else resamples,
                    seed=known.seed,
                )
                for which, scores in gold.items()
            }
            rows += _joined(name, values)
    return rows


def _known(
    judgements: Judgements, known: KnownJudges, name: str, scale: str
) -> Judgements:
    """Return the known scores of the judged items as those of one judge."""
    pairs = {one.segment: one.langpair for one in judgements.iterate("ratings")}
    return Judgements.from_iterable(
        Rating(
            SYSTEM, known.item_score(name, key), scale, key, "known", langpair=langpair
        )
        for key, langpair in pairs.items()
    )


_Rho = tuple[float | None, float | None, float | None, int]


def _rhos(
    testset: Testset,
    judgements: Judgements,
    *,
    metrics: Sequence[str],
    scale: str,
    by_kind: bool,
    resamples: int,
    seed: int,
) -> dict[tuple[str, str], _Rho]:
    """Return rho, interval and items by metric and part."""
    result = tertium.correlate(
        testset,
        judgements,
        metrics=list(metrics),
        gold=scale,
        coef=[_COEFFICIENT],
        slice="permutation" if by_kind else None,
        human="mean",
        probes=False,
        resamples=resamples,
        seed=seed,
        slow=True,
        threads=1,
    )
    return {
        (one.metric, one.langpair.split()[-1] if by_kind else ALL): (
            one.value,
            *(one.interval or (None, None)),
            one.n,
        )
        for one in result.values
    }


def _joined(
    question: str, values: Mapping[str, Mapping[tuple[str, str], _Rho]]
) -> list[MetricCorrelation]:
    rows = []
    for (metric, part), (raw, low, high, items) in values["raw"].items():
        other = values["adjusted"].get((metric, part), (None, None, None, 0))
        known = values["known"].get((metric, part), (None, None, None, 0))
        rows.append(
            MetricCorrelation(
                question,
                metric,
                part,
                items,
                None if raw is None else Effect(raw, low, high),
                None if other[0] is None else Effect(other[0], other[1], other[2]),
                known[0],
            )
        )
    return rows
