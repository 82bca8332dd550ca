# SPDX-License-Identifier: Apache-2.0
"""Known effects of simulated judges beside the estimates from their answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.campaigns.tasks.survey.sampled import ALL_KINDS, HYPOTHESIS
from tertium.campaigns.tasks.survey.simulation.known import KnownJudges
from tertium.campaigns.tasks.survey.task import QUESTIONS
from tertium.judgements.adjustment.effects import estimate_effects
from tertium.judgements.judgement import Rating
from tertium.report.survey.results import Recovered, Recovery

if TYPE_CHECKING:
    from tertium.judgements import Judgements

__all__ = ["ratings_on", "recover"]


def recover(
    judgements: Judgements, judges: KnownJudges, codes: Sequence[str]
) -> list[Recovery]:
    """Return known and estimated effects for each question.

    Parameters
    ----------
    judgements : Judgements
        The export of the survey.
    judges : KnownJudges
    codes : sequence of str
        The pseudonyms of the judges, in their order.
    """
    return [
        _recover(judgements, judges, codes, name, scale)
        for name, scale in QUESTIONS.items()
        if name in judges.known
    ]


def ratings_on(judgements: Judgements, scale: str) -> Iterator[Rating]:
    """Yield the ratings on one scale."""
    for one in judgements.iterate("ratings"):
        if isinstance(one, Rating) and one.scale == scale:
            yield one


def _recover(
    judgements: Judgements,
    judges: KnownJudges,
    codes: Sequence[str],
    name: str,
    scale: str,
) -> Recovery:
    rows = list(ratings_on(judgements, scale))
    keys = sorted({one.segment for one in rows})
    item_of = {key: place for place, key in enumerate(keys)}
    judge_of = {code: place for place, code in enumerate(codes)}
    kinds = [
        kind
        for kind in (HYPOTHESIS, *ALL_KINDS)
        # References that were not changed have no damage, and so no slope.
        if any(judges.kinds[key] == kind and judges.damages[key] for key in keys)
    ]
    damages = np.array(
        [
            [judges.damages[key] * (judges.kinds[key] == kind) for kind in kinds]
            for key in keys
        ]
    )
    item = np.array([item_of[one.segment] for one in rows])
    judge = np.array([judge_of[str(one.judge)] for one in rows])
    effects = estimate_effects(
        [one.score for one in rows], judge, item, covariates=damages[item]
    )
    known = judges.known[name]
    pairs = [(judge_of[str(one.judge)], one.segment) for one in rows]
    fixed = [Recovered("intercept", known.intercept, effects.intercept)]
    fixed += [
        Recovered(f"slope: {kind}", known.slopes[kind], estimate)
        for kind, estimate in zip(kinds, effects.covariates, strict=True)
    ]
    spreads = [
        Recovered("SD of judges", known.judge_sd, effects.judge_sd),
        Recovered("SD of items", known.item_sd, effects.item_sd),
        Recovered(
            "SD of the rest", judges.residual_sd(name, pairs), effects.residual_sd
        ),
    ]
    severities = [
        Recovered(f"judge {number + 1}", judges.judges[name][number], estimate)
        for number, estimate in enumerate(effects.judges)
    ]
    return Recovery(
        name, scale, len(rows), len(keys), (*fixed, *spreads), tuple(severities)
    )
