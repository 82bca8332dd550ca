# SPDX-License-Identifier: Apache-2.0
"""A model of what an output would get, trained on the judged systems.

An output that equals a judged one gets what that got. All others, the *misses*, are
predicted by two ridge regressions on the features of :mod:`.features`. One predicts how
good the misses of a *system* are from the means of their features: there are few
systems, so the penalty grows with the number of features, and the estimate of an
unusual system leans on the mean of all. It is trained on misses alone, as a judged
system would have them if it were new: equal outputs are the good ones, so that what
they got must not be expected of the rest. The other predicts single *outputs*; its mean
is moved to the first one's.
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

_PENALTY = 0.5  # per feature, on standardised means of systems
_OUTPUT_PENALTY = 0.1  # on standardised features of outputs
_FARTHEST = 4.0  # deviations from the mean that a feature of a system counts for
_FEWEST = 5  # outputs that a mean is taken of
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
    def fit(cls, means: Array, scores: Array, counts: Array) -> SystemRidge:
        """Return the regression for some systems.

        Parameters
        ----------
        means : array, systems x F
        scores : array, systems
        counts : array, systems
            How much every system counts.
        """
        share = counts / counts.sum()
        centre = share @ means
        scale = np.sqrt(share @ (means - centre) ** 2)
        scale = np.where(scale > 1e-9, scale, 1.0)
        z = (means - centre) / scale
        features = z.shape[1]
        penalty = _PENALTY * features * np.eye(features)
        weighted = z.T * (share * len(scores))
        inverse = np.linalg.inv(weighted @ z + penalty)
        mean = float(share @ scores)
        weights = inverse @ weighted @ (scores - mean)
        return cls(centre, scale, inverse, weights, mean, len(scores))

    def score(self, means: Array) -> float:
        """Return the score of a system with these features."""
        return self.mean + float(self._standard(means) @ self.weights)

    def spread(self, means: Array) -> float:
        """Return the deviation of the error, in units of that of a usual system."""
        z = self._standard(means)
        return float(np.sqrt(1 + 1 / self.systems + z @ self.inverse @ z))

    def _standard(self, means: Array) -> Array:
        # Nobody knows whether a line goes on so far from all systems.
        z = (means - self.centre) / self.scale
        return np.clip(z, -_FARTHEST, _FARTHEST)


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
    hits : array of bool
        Where the prediction is what an equal output got.
    """

    score: float
    rows: NDArray[np.int64]
    outputs: Array
    deviation: float
    systems: int
    noise: Array
    hits: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class _Rows:
    """The outputs of one system: features, targets, weights, what others got."""

    annotations: NDArray[np.int64]
    values: Array
    target: Array
    weight: Array
    base: Array
    hit: Array

    @property
    def is_hit(self) -> NDArray[np.bool_]:
        """Where an equal output was judged."""
        return ~np.isnan(self.hit)

    @property
    def score(self) -> float:
        """The mean target; NaN if nothing was judged."""
        total = self.weight.sum()
        if not total:
            return np.nan
        return float((np.nan_to_num(self.target) * self.weight).sum() / total)

    def part(self, chosen: NDArray[np.bool_]) -> _Rows:
        """Return some of the outputs."""
        return _Rows(
            self.annotations[chosen],
            self.values[chosen],
            self.target[chosen],
            self.weight[chosen],
            self.base[chosen],
            self.hit[chosen],
        )

    def hit_error(self) -> float:
        """Return by how much the hits say more than the judgements; NaN if few."""
        known = self.is_hit & (self.weight > 0)
        if known.sum() < _FEWEST:
            return np.nan
        weight = self.weight[known]
        gap = self.hit[known] - self.target[known]
        return float((gap * weight).sum() / weight.sum())


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
    names = [name for name, each in rows.items() if _teaches(each)]
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


def _teaches(rows: _Rows) -> bool:
    """Return whether a system has judged outputs of its own."""
    return bool((rows.weight[~rows.is_hit] > 0).sum() >= min(_FEWEST, len(rows.weight)))


def _rows_of(places: NDArray[np.bool_], features: Features) -> _Rows:
    annotation, place = np.nonzero(places & features.usable)
    return _Rows(
        annotation,
        features.values[annotation, place],
        features.target[annotation, place],
        features.weight[annotation, place],
        features.base[annotation, place],
        features.hit[annotation, place],
    )


def _is_reference(panel: Panel, system: str) -> bool:
    """Return whether most outputs of a system are references themselves."""
    scores = panel.reference[panel.member == panel.systems.index(system)][:, 0]
    known = scores[~np.isnan(scores)]
    return bool(len(known)) and float((known > 1 - 1e-9).mean()) > _COPY


def _predicted(
    mine: _Rows, others: Sequence[_Rows], columns: NDArray[np.int64]
) -> Prediction:
    missed = [each.part(~each.is_hit) for each in others]
    means = np.array([each.values[:, columns].mean(axis=0) for each in missed])
    scores = np.array([each.score for each in missed])
    counts = np.array([float(len(each.weight)) for each in missed])
    ridge = SystemRidge.fit(means, scores, counts)
    weights = _output_weights(missed, columns)
    hits = mine.is_hit
    relative = np.nan_to_num(mine.hit)
    deviation = 0.0
    if not hits.all():
        values = mine.values[~hits][:, columns]
        mean = values.mean(axis=0)
        relative[~hits] = ridge.score(mean) + (values - mean) @ weights
        deviation = _left_out_error(means, scores, counts) * ridge.spread(mean)
    share = float(hits.mean())
    errors = np.array([each.hit_error() for each in others])
    known = errors[~np.isnan(errors)]
    luck = float(np.sqrt(np.mean(known**2))) if len(known) else 0.0
    outputs = mine.base + relative
    return Prediction(
        float(outputs.mean()),
        mine.annotations,
        outputs,
        float(np.hypot((1 - share) * deviation, share * luck)),
        len(others),
        _noise(mine, missed, _residuals(missed, columns, weights)),
        hits,
    )


def _left_out_error(means: Array, scores: Array, counts: Array) -> float:
    """Return the deviation of errors on systems left out, for a usual one."""
    if len(scores) < 3:
        return np.nan
    errors = []
    for i in range(len(scores)):
        kept = np.arange(len(scores)) != i
        ridge = SystemRidge.fit(means[kept], scores[kept], counts[kept])
        errors.append((ridge.score(means[i]) - scores[i]) / ridge.spread(means[i]))
    return float(np.sqrt(np.average(np.square(errors), weights=counts)))


def _output_weights(others: Sequence[_Rows], columns: NDArray[np.int64]) -> Array:
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


def _residuals(
    others: Sequence[_Rows], columns: NDArray[np.int64], weights: Array
) -> list[Array]:
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
