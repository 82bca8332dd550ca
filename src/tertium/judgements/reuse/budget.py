# SPDX-License-Identifier: Apache-2.0
"""Which outputs of a new system to annotate, and what their annotations change.

An output gets what the model predicts, plus an error of the system that shows the more
the less predictable the segment is, plus noise. Both are taken to be normal, so that
annotated outputs tell about the error of all others (a random effect with known
variances), and the gain of an annotation is known before it is made.
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
    effect : array, N
        How much the system's error shows: 0 for hits, about 1 for misses.
    variance : float
        Of the system's error.
    known : array, N
        Annotations; NaN where there is none.
    """

    predicted: Array
    noise: Array
    effect: Array
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
        noise = prediction.noise
        number = len(noise)
        total = prediction.deviation**2
        own = total - float(np.sum(noise**2)) / number**2
        usual = float(noise.mean())
        effect = noise / usual if usual > 0 else np.ones(number)
        # What an equal output got is not the model's guess.
        effect = np.where(prediction.hits, 0.0, effect)
        share = max(float(effect.mean()), 1e-9)
        return cls(
            prediction.outputs,
            np.where(noise > 0, noise, 1e-9),
            effect,
            max(own, _LEAST * total, 1e-12) / share**2,
            np.full(number, np.nan) if known is None else known,
        )

    @property
    def annotated(self) -> NDArray[np.bool_]:
        """Where there is an annotation."""
        return ~np.isnan(self.known)

    def score(self) -> float:
        """Return the expected score of the system."""
        there = self.annotated
        gap = np.where(there, np.nan_to_num(self.known) - self.predicted, 0.0)
        pull = float((gap * self.effect / self.noise**2).sum())
        error = pull / self._precision(there)
        guess = self.predicted + error * self.effect
        return float(np.where(there, np.nan_to_num(self.known), guess).mean())

    def deviation(self) -> float:
        """Return the deviation of the score."""
        there = self.annotated
        rest = ~there
        number = len(rest)
        shared = float(self.effect[rest].sum()) ** 2 / self._precision(there)
        return float(np.sqrt(shared + (self.noise[rest] ** 2).sum()) / number)

    def _precision(self, there: NDArray[np.bool_]) -> float:
        told = (self.effect[there] / self.noise[there]) ** 2
        return float(1 / self.variance + told.sum())

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
        precision = self._precision(there)
        left = float(self.effect[rest].sum())
        noise = float((self.noise[rest] ** 2).sum())
        after = (left - self.effect) ** 2 / (
            precision + (self.effect / self.noise) ** 2
        ) + (noise - self.noise**2)
        now = left**2 / precision + noise
        size = len(rest) ** 2
        return now / size, np.where(rest, (now - after) / size, 0.0)
