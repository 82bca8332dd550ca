# SPDX-License-Identifier: Apache-2.0
"""Meta-evaluation: correlation of metrics with human judgements."""

from __future__ import annotations

from tertium.meta.agreement.calibration import Calibrated, calibrate
from tertium.meta.agreement.coefficients import COEFFICIENTS, Coefficient
from tertium.meta.agreement.grouped import GROUPINGS, Grouped, segment_coefficient
from tertium.meta.agreement.system_level import (
    SystemLevel,
    pairwise_accuracy,
    pairwise_p_values,
    soft_pairwise_accuracy,
    system_level,
)
from tertium.meta.agreement.ties import (
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
from tertium.meta.correlate import correlate
from tertium.meta.correlations import correlate_evaluations
from tertium.meta.evaluation import Evaluation, evaluation
from tertium.meta.files.mtme import Mtme, human_of, read_mtme, write_mtme
from tertium.meta.files.scores import read_scores
from tertium.meta.gaps import Gap, gaps
from tertium.meta.human import Human, human_judgements
from tertium.meta.hypotheses import Hypothesis, hypotheses
from tertium.meta.matrix import MISSING, ScoreMatrix
from tertium.meta.probes import probes
from tertium.meta.questions import CrossTable, cross_table
from tertium.meta.results import Correlation, Correlations, Difference, Tally
from tertium.meta.scores import MetricScores, run_metrics
from tertium.meta.uncertainty.bootstrap import OVER, MetricBootstrap, bootstrap_metrics
from tertium.meta.uncertainty.hybrids import (
    Corpus,
    HybridTests,
    WilliamsTest,
    hybrid_test,
)
from tertium.meta.uncertainty.significance import (
    SWAPS,
    MetricTest,
    MetricTests,
    permutation_test,
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
    "CrossTable",
    "Difference",
    "Evaluation",
    "Gap",
    "Grouped",
    "Human",
    "HybridTests",
    "Hypothesis",
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
    "cross_table",
    "draw_taus",
    "evaluation",
    "gaps",
    "human_judgements",
    "human_of",
    "hybrid_test",
    "hypotheses",
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
