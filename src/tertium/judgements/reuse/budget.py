# SPDX-License-Identifier: Apache-2.0
"""Which outputs of a new system to annotate, and what their annotations change.

An output gets what the model predicts, plus an error of the system, plus noise. Both
grow with how unpredictable the output is, so that every annotation tells equally much
about the system. The error and the noise are taken to be normal (Bayesian regression
through the origin with known variances): annotated outputs tell about all others.

Outputs to annotate are drawn by Deville's systematic method (Chauvet 2012: On a
characterization of ordered pivotal sampling, section 2): those that equal no judged one
are sorted by what is predicted for them, cut into strata of equal summed noise, and one
is drawn from each. The sample has good and bad outputs as all have them, and more of
the unpredictable ones. For such a sample the estimate is close to the one of Horvitz
and Thompson (1952), so that it holds if the error is spread over the outputs in some
other way.
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
    missed : array of bool, N
        Outputs that equal no judged one. Others have noise, but not the system's
        error, as they are not the model's guess.
    variance : float
        Of the system's error, in units of the noise.
    known : array, N
        Annotations; NaN where there is none.
    """

    predicted: Array
    noise: Array
    missed: NDArray[np.bool_]
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
        whole = max(float(noise[missed].sum()), float(noise.min())) / number
        return cls(
            prediction.outputs,
            noise,
            missed,
            max(systematic, _LEAST * total, 1e-12) / whole**2,
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
        told = there & self.missed
        gaps = (values - self.predicted)[told] / self.noise[told]
        error = float(gaps.sum()) / (1 / self.variance + len(gaps))
        guess = self.predicted + error * self.noise * self.missed
        return float(np.where(there, values, guess).mean())

    def deviation(self) -> float:
        """Return the deviation of the score."""
        return float(np.sqrt(self.variances(())[0]))

    def variances(self, chosen: Sequence[int]) -> Array:
        """Return the variance of the score now, and after each of some annotations.

        Parameters
        ----------
        chosen : sequence of int
            Outputs to annotate, one after the other.

        Returns
        -------
        array
            One more than outputs.
        """
        rest = self.noise * ~self.annotated
        added = np.zeros((3, len(chosen) + 1))
        outputs = np.asarray(chosen, dtype=np.int64)
        missed = self.missed[outputs]
        added[:, 1:] = missed, rest[outputs] * missed, rest[outputs] ** 2
        told, guessed, noise = np.cumsum(added, axis=1)
        told += (self.annotated & self.missed).sum()
        error = 1 / (1 / self.variance + told)
        total = (rest[self.missed].sum() - guessed) ** 2 * error
        return np.asarray((total + (rest**2).sum() - noise) / len(rest) ** 2)

    def choose(self, number: int, rng: np.random.Generator) -> list[int]:
        """Return outputs to annotate, in random order: any beginning is a sample too.

        Parameters
        ----------
        number : int
            As many, or all that are left.
        rng : Generator

        Notes
        -----
        O(N log N). Outputs that equal a judged one come last.
        """
        left = np.flatnonzero(~self.annotated & self.missed)
        hits = np.flatnonzero(~self.annotated & ~self.missed)
        if number >= len(left):
            more = hits[np.argsort(-self.noise[hits], kind="stable")]
            return [
                *rng.permutation(left).tolist(),
                *more[: number - len(left)].tolist(),
            ]
        order = left[np.argsort(self.predicted[left], kind="stable")]
        chances = _chances(self.noise[order], number)
        sure = chances >= 1
        drawn = _drawn(chances[~sure], number - int(sure.sum()), rng)
        chosen = [*order[sure], *order[~sure][drawn]]
        return [int(output) for output in rng.permutation(chosen)]


def _chances(sizes: Array, number: int) -> Array:
    """Return chances to be drawn that sum to a number, by size, none above 1."""
    sure = np.zeros(len(sizes), dtype=bool)
    while True:
        rest = number - int(sure.sum())
        chances = np.where(sure, 1.0, sizes * rest / sizes[~sure].sum())
        if not (over := ~sure & (chances >= 1)).any():
            return chances
        sure |= over


def _drawn(chances: Array, number: int, rng: np.random.Generator) -> list[int]:
    """Return one place from each stratum, no place twice, by chances below 1.

    A place on the border of two strata that was not drawn from the first has a higher
    chance in the second.
    """
    ends = np.cumsum(chances)
    drawn: list[int] = []
    for start in range(number):
        first = int(np.searchsorted(ends, start, side="right"))
        behind = start - (ends[first] - chances[first])
        border = float(ends[first]) if behind > 0 else start
        again = bool(drawn) and drawn[-1] == first
        if not again and rng.random() * (1 - behind) < border - start:
            drawn.append(first)
            continue
        place = np.searchsorted(ends, rng.uniform(border, start + 1), side="right")
        drawn.append(min(int(place), len(ends) - 1))
    return drawn
