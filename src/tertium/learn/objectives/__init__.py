# SPDX-License-Identifier: Apache-2.0
"""Training on matrices of features: rankers from pairs and corpora, scalers."""

from __future__ import annotations

from tertium.learn.objectives.corpus import fit_corpus, fit_joint
from tertium.learn.objectives.descent import Plan
from tertium.learn.objectives.linear import SVM_GRID, Fit, fit_linear, fit_svm_grid
from tertium.learn.objectives.losses import accuracy, tau
from tertium.learn.objectives.network import NETWORK_LOSSES, fit_network
from tertium.learn.objectives.polynomial import (
    GAMMA_GRID,
    POLYNOMIAL_GRID,
    fit_polynomial,
)
from tertium.learn.objectives.scaling import fit_scaler
from tertium.learn.objectives.selftraining import (
    MODES,
    SAMPLINGS,
    sample_pairs,
    self_train,
)

__all__ = [
    "GAMMA_GRID",
    "MODES",
    "NETWORK_LOSSES",
    "POLYNOMIAL_GRID",
    "SAMPLINGS",
    "SVM_GRID",
    "Fit",
    "Plan",
    "accuracy",
    "fit_corpus",
    "fit_joint",
    "fit_linear",
    "fit_network",
    "fit_polynomial",
    "fit_scaler",
    "fit_svm_grid",
    "sample_pairs",
    "self_train",
    "tau",
]
