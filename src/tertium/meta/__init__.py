# SPDX-License-Identifier: Apache-2.0
"""Meta-evaluation: correlation of metrics with human judgements."""

from __future__ import annotations

from tertium.meta.bootstrap import OVER, MetricBootstrap, bootstrap_metrics
from tertium.meta.calibration import Calibrated, calibrate
from tertium.meta.coefficients import COEFFICIENTS, Coefficient
from tertium.meta.correlate import correlate
from tertium.meta.correlations import correlate_evaluations
from tertium.meta.evaluation import Evaluation, evaluation
from tertium.meta.gaps import Gap, gaps
from tertium.meta.grouped import GROUPINGS, Grouped, segment_coefficient
from tertium.meta.human import Human, human_judgements
from tertium.meta.hybrids import Corpus, HybridTests, WilliamsTest, hybrid_test
from tertium.meta.matrix import MISSING, ScoreMatrix
from tertium.meta.mtme import Mtme, human_of, read_mtme, write_mtme
from tertium.meta.probes import probes
from tertium.meta.results import Correlation, Correlations, Difference, Tally
from tertium.meta.score_files import read_scores
from tertium.meta.scores import MetricScores, run_metrics
from tertium.meta.significance import (
    SWAPS,
    MetricTest,
    MetricTests,
    permutation_test,
)
from tertium.meta.system_level import (
    SystemLevel,
    pairwise_accuracy,
    pairwise_p_values,
    soft_pairwise_accuracy,
    system_level,
)
from tertium.meta.ties import (
    TIE_MATRICES,
    CellDifference,
    Cells,
    TieMatrix,
    bootstrap_difference,
    cells_from,
    draw_taus,
    signs_from_ratings,
    tau,
    tie_matrix,
)

__all__ = [
    "COEFFICIENTS",
    "GROUPINGS",
    "MISSING",
    "OVER",
    "SWAPS",
    "TIE_MATRICES",
    "Calibrated",
    "CellDifference",
    "Cells",
    "Coefficient",
    "Corpus",
    "Correlation",
    "Correlations",
    "Difference",
    "Evaluation",
    "Gap",
    "Grouped",
    "Human",
    "HybridTests",
    "MetricBootstrap",
    "MetricScores",
    "MetricTest",
    "MetricTests",
    "Mtme",
    "ScoreMatrix",
    "SystemLevel",
    "Tally",
    "TieMatrix",
    "WilliamsTest",
    "bootstrap_difference",
    "bootstrap_metrics",
    "calibrate",
    "cells_from",
    "correlate",
    "correlate_evaluations",
    "draw_taus",
    "evaluation",
    "gaps",
    "human_judgements",
    "human_of",
    "hybrid_test",
    "pairwise_accuracy",
    "pairwise_p_values",
    "permutation_test",
    "probes",
    "read_mtme",
    "read_scores",
    "run_metrics",
    "segment_coefficient",
    "signs_from_ratings",
    "soft_pairwise_accuracy",
    "system_level",
    "tau",
    "tie_matrix",
    "write_mtme",
]
