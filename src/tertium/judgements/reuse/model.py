# SPDX-License-Identifier: Apache-2.0
"""A model of what an output would get, trained on the judged systems.

Two ridge regressions share the features of :mod:`.features`. One predicts the score of
a *system* from the means of its features: there are few systems, so the features weigh
as much as their number, and the estimate of an unusual system leans on the mean of all.
It is free of the bias of the nearest output, since a judged system is told by others in
the same way as a new one. The other predicts single *outputs*; its mean is moved to the
first one's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.judgements.reuse.features import TO_REFERENCES, Features, features_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.judgements.reuse.panel import Panel

__all__ = ["Prediction", "SystemRidge", "predict"]

Array: TypeAlias = "NDArray[np.float64]"

_PENALTY = 1.0  # per feature, on standardised means of systems
_OUTPUT_PENALTY = 0.1  # on standardised features of outputs
_COPY = 0.5  # share of outputs equal to a reference that makes a system one


@dataclass(frozen=True, eq=False)
class SystemRidge:
    """Ridge regression of system scores on standardised features.

    Parameters
    ----------
    centre, scale : array, F
    inverse : array, F x F
        Of the penalised matrix of products.
    weights : array, F
    mean : float
    systems : int
    """

    centre: Array
    scale: Array
    inverse: Array
    weights: Array
    mean: float
    systems: int

    @classmethod
    def fit(cls, means: Array, scores: Array) -> SystemRidge:
        """Return the regression for some systems.

        Parameters
        ----------
        means : array, systems x F
        scores : array, systems
        """
        centre = means.mean(axis=0)
        scale = means.std(axis=0)
        scale = np.where(scale > 1e-9, scale, 1.0)
        z = (means - centre) / scale
        features = z.shape[1]
        penalty = _PENALTY * features * np.eye(features)
        inverse = np.linalg.inv(z.T @ z + penalty)
        mean = float(scores.mean())
        weights = inverse @ z.T @ (scores - mean)
        return cls(centre, scale, inverse, weights, mean, len(scores))

    def score(self, means: Array) -> float:
        """Return the score of a system with these features."""
        return self.mean + float(((means - self.centre) / self.scale) @ self.weights)

    def spread(self, means: Array) -> float:
        """Return the deviation of the error, in units of that of a usual system."""
        z = (means - self.centre) / self.scale
        return float(np.sqrt(1 + 1 / self.systems + z @ self.inverse @ z))


@dataclass(frozen=True, eq=False)
class Prediction:
    """What one system would get.

    Parameters
    ----------
    score : float
        Of the system.
    rows : array of int
        The annotations with an output of the system and judged ones beside it.
    outputs : array
        What the output of each would get.
    deviation : float
        Of the error of the score, from judged systems left out; NaN if there are
        fewer than three.
    systems : int
        Judged systems that the model was trained on.
    noise : array
        The expected deviation of every output's judgement from its prediction.
    """

    score: float
    rows: NDArray[np.int64]
    outputs: Array
    deviation: float
    systems: int
    noise: Array


@dataclass(frozen=True, eq=False)
class _Rows:
    """The outputs of one system: features, targets, weights, what others got."""

    annotations: NDArray[np.int64]
    values: Array
    target: Array
    weight: Array
    base: Array

    @property
    def score(self) -> float:
        """The mean target; NaN if nothing was judged."""
        total = self.weight.sum()
        if not total:
            return np.nan
        return float((np.nan_to_num(self.target) * self.weight).sum() / total)


def predict(panel: Panel, system: str) -> Prediction | None:
    """Return what a system would get, from the judgements of all others.

    Parameters
    ----------
    panel : Panel
    system : str
        Its own judgements, if there are any, are not used.

    Returns
    -------
    Prediction or None
        None if no judged system is left to learn from, or nothing to predict.
    """
    features = features_of(panel, without=system)
    rows = {
        name: _rows_of(panel.member == i, features)
        for i, name in enumerate(panel.systems)
    }
    mine = rows.pop(system)
    names = [name for name, each in rows.items() if each.weight.sum() > 0]
    if not names or not len(mine.annotations):
        return None
    columns = np.arange(features.values.shape[2])
    copies = {name for name in (*names, system) if _is_reference(panel, name)}
    if system in copies or len(names) - len(copies) < 2:
        # A reference matches itself: that says nothing about its quality.
        columns = np.delete(columns, TO_REFERENCES)
    else:
        names = [name for name in names if name not in copies]
    return _predicted(mine, [rows[name] for name in names], columns)


def _rows_of(places: NDArray[np.bool_], features: Features) -> _Rows:
    annotation, place = np.nonzero(places & features.usable)
    return _Rows(
        annotation,
        features.values[annotation, place],
        features.target[annotation, place],
        features.weight[annotation, place],
        features.base[annotation, place],
    )


def _is_reference(panel: Panel, system: str) -> bool:
    """Return whether most outputs of a system are references themselves."""
    scores = panel.reference[panel.member == panel.systems.index(system)][:, 0]
    known = scores[~np.isnan(scores)]
    return bool(len(known)) and float((known > 1 - 1e-9).mean()) > _COPY


def _predicted(mine: _Rows, others: Sequence[_Rows], columns: Array) -> Prediction:
    means = np.array([each.values[:, columns].mean(axis=0) for each in others])
    scores = np.array([each.score for each in others])
    my_means = mine.values[:, columns].mean(axis=0)
    ridge = SystemRidge.fit(means, scores)
    relative = ridge.score(my_means)
    deviation = _left_out_error(means, scores) * ridge.spread(my_means)
    weights = _output_weights(others, columns)
    within = (mine.values[:, columns] - my_means) @ weights
    residuals = _residuals(others, columns, weights)
    outputs = mine.base + relative + within
    return Prediction(
        float(mine.base.mean()) + relative,
        mine.annotations,
        outputs,
        deviation,
        len(others),
        _noise(mine, others, residuals),
    )


def _left_out_error(means: Array, scores: Array) -> float:
    """Return the deviation of errors on systems left out, for a usual one."""
    if len(scores) < 3:
        return np.nan
    errors = []
    for i in range(len(scores)):
        kept = np.arange(len(scores)) != i
        ridge = SystemRidge.fit(means[kept], scores[kept])
        errors.append((ridge.score(means[i]) - scores[i]) / ridge.spread(means[i]))
    return float(np.sqrt(np.mean(np.square(errors))))


def _output_weights(others: Sequence[_Rows], columns: Array) -> Array:
    """Return the weights of features within systems, every system counting once."""
    size = len(columns)
    products, sums = np.zeros((size, size)), np.zeros(size)
    for each in others:
        share = each.weight / each.weight.sum()
        centred = each.values[:, columns] - share @ each.values[:, columns]
        products += centred.T @ (centred * share[:, None])
        target = np.nan_to_num(each.target) - each.score
        sums += centred.T @ (target * share)
    scale = np.sqrt(np.diag(products) / len(others))
    scale = np.where(scale > 1e-9, scale, 1.0)
    z = products / np.outer(scale, scale) / len(others)
    return np.asarray(
        np.linalg.solve(z + _OUTPUT_PENALTY * np.eye(size), sums / scale / len(others))
        / scale
    )


def _residuals(others: Sequence[_Rows], columns: Array, weights: Array) -> list[Array]:
    """Return how far outputs are from what the model says, NaN if not judged."""
    out = []
    for each in others:
        values = each.values[:, columns]
        within = (values - values.mean(axis=0)) @ weights
        out.append(each.target - each.score - within)
    return out


def _noise(mine: _Rows, others: Sequence[_Rows], residuals: Sequence[Array]) -> Array:
    """Return the deviation of every output, from other systems' on the same segment.

    A segment has few outputs, so its variance is shrunk to that of all by as much as
    five more outputs of the usual variance would.
    """
    size = 1 + max(int(each.annotations.max()) for each in (mine, *others))
    total, number = np.zeros(size), np.zeros(size)
    for each, residual in zip(others, residuals, strict=True):
        known = ~np.isnan(residual)
        np.add.at(total, each.annotations[known], residual[known] ** 2)
        np.add.at(number, each.annotations[known], 1)
    usual = total.sum() / max(number.sum(), 1)
    variance = (total + 5 * usual) / (number + 5)
    return np.asarray(np.sqrt(variance[mine.annotations]))
