# SPDX-License-Identifier: Apache-2.0
"""Systems ranked by human judgements: scores, rank ranges, clusters."""

from __future__ import annotations

from tertium.judgements.methods import CLUSTERS, METHODS
from tertium.judgements.ranking.bradley_terry import BradleyTerry, bradley_terry
from tertium.judgements.ranking.defaults import DefaultMethod, default_method
from tertium.judgements.ranking.hopkins_may import HopkinsMay, hopkins_may
from tertium.judgements.ranking.overview import rank
from tertium.judgements.ranking.rankings import Rankings
from tertium.judgements.ranking.ratings import (
    MqmWeights,
    SegmentScores,
    mqm_scores,
    rating_scores,
)
from tertium.judgements.ranking.results import Pairwise, RankedSystem, SystemRanking
from tertium.judgements.ranking.systems import rank_systems, resampled_scores
from tertium.judgements.ranking.trueskill import Skill, TrueSkill, trueskill
from tertium.judgements.ranking.wins import expected_wins, ratio_of_wins, wins_or_ties

__all__ = [
    "CLUSTERS",
    "METHODS",
    "BradleyTerry",
    "DefaultMethod",
    "HopkinsMay",
    "MqmWeights",
    "Pairwise",
    "RankedSystem",
    "Rankings",
    "SegmentScores",
    "Skill",
    "SystemRanking",
    "TrueSkill",
    "bradley_terry",
    "default_method",
    "expected_wins",
    "hopkins_may",
    "mqm_scores",
    "rank",
    "rank_systems",
    "rating_scores",
    "ratio_of_wins",
    "resampled_scores",
    "trueskill",
    "wins_or_ties",
]
