# SPDX-License-Identifier: Apache-2.0
"""Which outputs of a new system to annotate, and what their annotations change.

An output gets what the model predicts, plus an error of the system, plus noise. The
error is linear in how unpredictable the segment is: a system may be underrated on the
easy segments and overrated on the hard ones. All are taken to be normal (Bayesian
linear regression with known variances), so that annotated outputs tell about the error
of all others, and the gain of an annotation is known before it is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.judgements.reuse.model import Prediction

__all__ = ["Belief"]

Array: TypeAlias = "NDArray[np.float64]"

_LEAST = 0.1  # share of the variance that is the system's at least


@dataclass(frozen=True, eq=False)
class Belief:
    """What is believed about the outputs of a system.

    Parameters
    ----------
    predicted : array, N
    noise : array, N
        Deviations of single outputs.
    effects : array, N x 2
        How the two parts of the system's error show: a constant, and the logarithm of
        the noise, standardised. Both are 0 for hits, which are not the model's guess.
    variance : float
        Of each part of the system's error.
    known : array, N
        Annotations; NaN where there is none.
    """

    predicted: Array
    noise: Array
    effects: Array
    variance: float
    known: Array

    @classmethod
    def of(cls, prediction: Prediction, known: Array | None = None) -> Belief:
        """Return the belief before, or after, some annotations.

        Parameters
        ----------
        prediction : Prediction
        known : array, optional
            One value per output, NaN where it was not annotated.
        """
        noise = np.fmax(prediction.noise, 1e-9)
        number = len(noise)
        total = prediction.deviation**2
        systematic = total - float(np.sum(noise**2)) / number**2
        missed = ~prediction.hits
        logs = np.log(noise)
        spread = float(logs.std())
        z = (logs - logs.mean()) / spread if spread > 0 else np.zeros(number)
        share = max(float(missed.mean()), 1 / number)
        return cls(
            prediction.outputs,
            noise,
            np.stack([missed, z * missed], axis=1),
            max(systematic, _LEAST * total, 1e-12) / share**2,
            np.full(number, np.nan) if known is None else known,
        )

    @property
    def annotated(self) -> NDArray[np.bool_]:
        """Where there is an annotation."""
        return ~np.isnan(self.known)

    def score(self) -> float:
        """Return the expected score of the system."""
        there = self.annotated
        values = np.nan_to_num(self.known)
        gap = (values - self.predicted)[there] / self.noise[there] ** 2
        error = self._covariance(there) @ (self.effects[there].T @ gap)
        guess = self.predicted + self.effects @ error
        return float(np.where(there, values, guess).mean())

    def deviation(self) -> float:
        """Return the deviation of the score."""
        return float(np.sqrt(self.gains()[0]))

    def _covariance(self, there: NDArray[np.bool_]) -> Array:
        told = self.effects[there] / self.noise[there, None]
        return np.linalg.inv(np.eye(2) / self.variance + told.T @ told)

    def gains(self, chosen: Sequence[int] = ()) -> tuple[float, Array]:
        """Return the variance of the score, and by how much each output lowers it.

        Parameters
        ----------
        chosen : sequence of int
            Outputs taken to be annotated as well. These, and annotated ones, gain
            nothing.
        """
        there = self.annotated
        there[list(chosen)] = True
        rest = ~there
        covariance = self._covariance(there)
        total = self.effects[rest].sum(axis=0)
        noise = self.noise**2
        now = float(total @ covariance @ total + noise[rest].sum())
        # An annotation updates the covariance by a matrix of rank one.
        pulls = self.effects @ covariance
        left = total - self.effects
        before = ((left @ covariance) * left).sum(axis=1)
        told = (left * pulls).sum(axis=1) ** 2
        told /= (pulls * self.effects).sum(axis=1) + noise
        after = before - told + noise[rest].sum() - noise
        size = len(rest) ** 2
        return now / size, np.where(rest, (now - after) / size, 0.0)
