# SPDX-License-Identifier: Apache-2.0
"""Linear rankers from pairs: logistic regression and the L2-loss SVM.

Every pair stands for two instances, d labelled +1 and -d labelled -1, hence the 2:

* logistic   λ‖w‖² + 2 Σ log(1 + e^(-w·d)),       λ = 10
* svm        ½‖w‖² + 2C Σ max(0, 1 - w·d)²,       C = 2^-11

BEER 1.x had λ = 1e-8. Precision, recall and F1 of one unit nearly say the same, so
almost free weights grow large with opposite signs, and a text unlike all judged ones,
such as a single word, gets any value at all. With λ = 10 on features of range 1, tau
on years not trained on is as high (`python -m bench beer_models --one-word`).

There is no bias in training, as differences do not see it. It is set afterwards so
that the mean training value is 0: at 0 the sigmoid would sit wherever the
weights happen to put it, and averages of flat scores rank corpora badly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError, UnknownNameError
from tertium.learn.objectives.forms import LinearForm
from tertium.learn.objectives.losses import accuracy, pair_loss, scatter, tau
from tertium.learn.objectives.minimum import minimise
from tertium.learn.objectives.products import transposed_product
from tertium.learn.rankers import Linear, Ranker

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.learn.examples import Examples
    from tertium.learn.objectives.forms import PolynomialForm
    from tertium.stats.resample import Report

    Rows: TypeAlias = NDArray[np.float64]

__all__ = ["SVM_GRID", "Fit", "fit_linear", "fit_svm_grid"]

#: C = 2^-15 ... 2^5.
SVM_GRID = tuple(2.0**k for k in range(-15, 6))
DEFAULTS = {"logistic": 10.0, "svm": 2.0**-11}
_MANY = 400  # features, with a square matrix of second derivatives
_BLOCK = 32_768  # pairs whose differences are in memory at once


@dataclass(frozen=True, eq=False)
class Fit:
    """What training returns.

    Attributes
    ----------
    ranker : Ranker
    record : dict
        How it was trained, as JSON: for ``Model.training``.
    """

    ranker: Ranker
    record: dict[str, object]


def fit_linear(
    examples: Examples,
    *,
    loss: str = "logistic",
    regularisation: float | None = None,
    nonnegative: Sequence[int] | None = None,
    bags: int = 0,
    share: float = 0.8,
    seed: int = SEED,
    threads: int | None = None,
    progress: Report | None = None,
) -> Fit:
    """Return the linear ranker of least loss.

    Parameters
    ----------
    examples : Examples
    loss : str
        ``logistic`` or ``svm``.
    regularisation : float, optional
        λ of logistic (10), or C of svm (2^-11).
    nonnegative : sequence of int, optional
        The signs of the profile. Then weight × sign is 0 or more, and the weight of a
        feature of sign 0 is 0, so that no text can beat an exact copy.
    bags : int
        How many rankers to train on random samples of the pairs, with repetition, and
        average; 0 for one ranker on all pairs.
    share : float
        The size of a sample as a share of all pairs.
    seed : int
        Draws the samples; nothing else here is random.
    threads : int, optional
        All cores by default; the result does not depend on it.
    progress : callable, optional
        Called with "bags", how many are done, and how many there are.
    """
    if loss not in DEFAULTS:
        raise UnknownNameError("loss of a linear ranker", loss, DEFAULTS)
    strength = DEFAULTS[loss] if regularisation is None else regularisation
    _check(examples, strength, nonnegative)
    record: dict[str, object] = {
        "learner": loss,
        "regularisation": strength,
        "nonnegative": nonnegative is not None,
        "pairs": len(examples),
        "seed": seed,
    }
    form = LinearForm(examples.features.shape[1], threads=threads)
    if not bags:
        weights, facts = _best(form, examples, loss, strength, nonnegative)
        return Fit(centred(weights, examples.features), record | facts)
    if bags < 1 or not 0 < share <= 1:
        raise InputError(
            f"{bags} bags of {share} of the pairs; give 1 or more, above 0 and up to 1"
        )
    random = np.random.default_rng(seed)
    total = np.zeros(examples.features.shape[1])
    size = max(1, round(share * len(examples)))
    for done in range(1, bags + 1):
        drawn = examples.take(random.integers(len(examples), size=size))
        total += _best(form, drawn, loss, strength, nonnegative)[0]
        if progress:
            progress("bags", done, bags)
    ranker = centred(total / bags, examples.features)
    return Fit(ranker, record | {"bags": bags, "share": share})


def fit_svm_grid(
    train: Examples,
    valid: Examples,
    *,
    grid: Sequence[float] = SVM_GRID,
    nonnegative: Sequence[int] | None = None,
    threads: int | None = None,
    progress: Report | None = None,
) -> Fit:
    """Return the SVM whose C gives the highest accuracy on held-out pairs.

    A tie of raw numbers is wrong. Among equal accuracies the smallest C wins, which is
    the simplest ranker. Each search starts from the last one's solution.
    """
    if not grid:
        raise InputError("the grid of C is empty; give at least one value")
    form = LinearForm(train.features.shape[1], threads=threads)
    table: list[list[float]] = []
    best: tuple[float, float, Rows] | None = None
    start: Rows | None = None
    squares = None if nonnegative is not None else gram(form, train)
    for strength in sorted(grid):
        _check(train, strength, nonnegative)
        start, _ = _best(
            form, train, "svm", strength, nonnegative, start=start, squares=squares
        )
        values, _ = form.forward(np.append(start, 0.0), valid.features)
        right = accuracy(valid.differences(values), valid.weights)
        table.append([strength, right])
        if progress:
            progress("values of C", len(table), len(grid))
        if best is None or right > best[0]:
            best = (right, strength, start)
    if best is None:
        raise InputError("the grid of C is empty; give at least one value")
    right, strength, weights = best
    ranker = centred(weights, train.features)
    record: dict[str, object] = {
        "learner": "svm",
        "regularisation": strength,
        "nonnegative": nonnegative is not None,
        "pairs": len(train),
        "held_out_pairs": len(valid),
        "held_out_accuracy": right,
        "held_out_tau": tau(
            valid.differences(ranker.raw(valid.features)), valid.weights
        ),
        "grid": table,
    }
    return Fit(ranker, record)


def centred(weights: Rows, features: Rows) -> Linear:
    """Return the ranker whose mean value over the candidates is 0."""
    means = features.mean(axis=0) if len(features) else np.zeros(len(weights))
    return LinearForm(len(weights)).ranker(np.append(weights, 0.0), means)


def objective(
    form: LinearForm | PolynomialForm, examples: Examples, loss: str, strength: float
) -> Callable[[Rows], tuple[float, Rows]]:
    """Return the function from parameters to the loss above and its gradient."""
    pairs, shrink = (2.0, strength) if loss == "logistic" else (2.0 * strength, 0.5)

    def evaluate(parameters: Rows) -> tuple[float, Rows]:
        values, way = form.forward(parameters, examples.features)
        losses, slopes = pair_loss(loss, examples.differences(values))
        by_value = scatter(examples, slopes * examples.weights)
        kept = form.penalised(parameters)
        total = pairs * (losses * examples.weights).sum() + shrink * (kept * kept).sum()
        slope = form.back(parameters, examples.features, way, by_value)
        return float(total), pairs * slope + 2 * shrink * kept

    return evaluate


def gram(form: LinearForm, examples: Examples) -> Rows | None:
    """Return Σ weight · d·dᵀ over the difference vectors d of all pairs.

    None if there are so many features that computing it would not pay.
    """
    size = examples.features.shape[1]
    if size > _MANY:
        return None
    total = np.zeros((size, size))
    for at in range(0, len(examples), _BLOCK):
        part = slice(at, at + _BLOCK)
        rows = examples.features[examples.better[part]]
        rows = rows - examples.features[examples.worse[part]]
        weighted = rows * examples.weights[part, None]
        total += transposed_product(weighted, rows, form.threads)
    return total


def curvature(squares: Rows, loss: str, strength: float) -> Rows:
    """Return the second derivatives of :func:`objective` where all weights are 0."""
    bend, shrink = (0.5, 2 * strength) if loss == "logistic" else (4 * strength, 1.0)
    second: Rows = bend * squares + shrink * np.eye(len(squares))
    return second


def _best(
    form: LinearForm,
    examples: Examples,
    loss: str,
    strength: float,
    signs: Sequence[int] | None,
    *,
    start: Rows | None = None,
    squares: Rows | None = None,
) -> tuple[Rows, dict[str, object]]:
    """Return the weights of least loss; the bias has no part in it."""
    whole = objective(form, examples, loss, strength)

    def evaluate(weights: Rows) -> tuple[float, Rows]:
        value, slope = whole(np.append(weights, 0.0))
        return value, slope[:-1]

    limits: dict[int, tuple[float | None, float | None]] = {
        1: (0.0, None),
        -1: (None, 0.0),
        0: (0.0, 0.0),
    }
    bounds = None if signs is None else [limits[sign] for sign in signs]
    first = np.zeros(form.size - 1) if start is None else start
    size = float(2 * examples.weights.sum()) * (strength if loss == "svm" else 1.0)
    if squares is None and signs is None:
        squares = gram(form, examples)
    metric = None
    if signs is None and squares is not None:
        metric = curvature(squares, loss, strength)
    weights, facts = minimise(evaluate, first, bounds=bounds, size=size, metric=metric)
    return weights + 0.0, facts  # + 0.0: no negative zeros in files


def _check(examples: Examples, strength: float, signs: Sequence[int] | None) -> None:
    if not len(examples) or not examples.weights.sum() > 0:
        raise InputError("no pair to learn from; give pairs with a human preference")
    if not strength > 0 or not np.isfinite(strength):
        raise InputError(f"regularisation is {strength}; it must be above 0")
    features = examples.features.shape[1]
    if signs is not None and len(signs) != features:
        raise InputError(f"{len(signs)} signs for {features} features; give one each")
