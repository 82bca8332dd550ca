# SPDX-License-Identifier: Apache-2.0
"""Paired tests between systems on the same segments.

*Bootstrap*: the null hypothesis is a difference of zero, so resampled
differences are shifted by the observed one (Efron and Tibshirani 1993, ch. 16):
p = share of resamples with |d* - d| >= |d|.

*Randomisation* (Noreen 1989; Riezler and Maxwell 2005): segments change sides by
the toss of a coin, p = share of trials with |d*| >= |d|. With n segments there
are 2^n assignments; when that is no more than the trials asked for, all of them
are taken and p is exact.

Both count "at least as far", so a system and its copy get p = 1. sacreBLEU 2.6
counts "farther" and adds one to both sides of the fraction, which gives 0.001.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium import _core
from tertium.errors import InputError, NotDefinedError, UnknownNameError
from tertium.stats.resample import check_run, draw_sums

if TYPE_CHECKING:
    from tertium.stats.resample import Rows, Scorer

__all__ = ["TESTS", "Resampling", "p_value"]

TESTS = ("bootstrap", "randomisation")

# Differences that are equal in exact arithmetic may differ in the last bits.
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Resampling:
    """The resampled scores of all systems under one metric.

    Build it once with :meth:`run`, then ask for any pair.

    Attributes
    ----------
    test : str
        ``bootstrap`` or ``randomisation``.
    exact : bool
        Whether all assignments were taken.
    units : int
        How many segments or documents were resampled.
    observed : list of float
        The score of every system.
    """

    test: str
    exact: bool
    units: int
    observed: list[float]
    _sums: list[Rows]
    _totals: list[Rows]
    _score: Scorer

    @classmethod
    def run(
        cls,
        rows: Sequence[Rows],
        from_statistics: Scorer,
        *,
        test: str = "bootstrap",
        resamples: int = 1000,
        seed: int = 12345,
        threads: int | None = None,
    ) -> Resampling:
        """Resample the rows of several systems with the same draws.

        Parameters
        ----------
        rows : sequence of ndarray, each of shape (segments, statistics)
        from_statistics : callable
        test : {"bootstrap", "randomisation"}
        resamples : int
        seed : int
        threads : int, optional
        """
        check_run(resamples, seed)
        if test not in TESTS:
            raise UnknownNameError("test", test, TESTS)
        shapes = {one.shape for one in rows}
        if not shapes:
            message = "there are no systems to test; give at least two"
            raise InputError(message)
        if len(shapes) > 1:
            message = f"systems have rows of different shapes {sorted(shapes)}"
            raise InputError(message)
        segments = len(rows[0])
        if segments == 0:
            message = "there are no segments to test on; give at least one"
            raise InputError(message)
        exact = test == "randomisation" and 2**segments <= resamples
        # Side by side, so that the draws are made once for all systems.
        table = np.concatenate(rows, axis=1)
        drawn = (
            _all_assignments(segments) @ table
            if exact
            else draw_sums(test, table, resamples, seed=seed, threads=threads)
        )
        sums = np.split(drawn, len(rows), axis=1)
        zero = [0.0] * rows[0].shape[1]
        totals = [np.array(_core.sum_rows(zero, np.ascontiguousarray(r))) for r in rows]
        observed = [float(np.asarray(from_statistics(total))) for total in totals]
        if not all(map(math.isfinite, observed)):
            message = (
                f"scores without a value cannot be tested: {observed}; look at the "
                "segments where the metric gives none"
            )
            raise NotDefinedError(message)
        if test == "bootstrap":
            sums = [np.asarray(from_statistics(one)) for one in sums]
        return cls(test, exact, segments, observed, sums, totals, from_statistics)

    def scores(self, system: int) -> Rows:
        """Return the bootstrap scores of one system."""
        if self.test != "bootstrap":
            message = "only the bootstrap has scores of single systems"
            raise InputError(message)
        return self._sums[system]

    def differences(self, a: int, b: int) -> Rows:
        """Return score(a) - score(b) in every resample or trial."""
        if self.test == "bootstrap":
            return self._sums[a] - self._sums[b]
        # Heads keep their side, tails change it.
        heads, tails = self._sums[a], self._totals[b] - self._sums[b]
        first = np.asarray(self._score(heads + tails))
        heads, tails = self._sums[b], self._totals[a] - self._sums[a]
        second = np.asarray(self._score(heads + tails))
        difference: Rows = first - second
        return difference

    def p_value(self, a: int, b: int) -> float:
        """Return the two-sided p-value of the difference of two systems.

        One unit resampled is always itself, so it shows nothing: p = 1.
        """
        if self.units == 1:
            return 1.0
        observed = self.observed[a] - self.observed[b]
        differences = self.differences(a, b)
        if self.test == "bootstrap":
            differences = differences - observed
        return p_value(differences, observed, exact=self.exact)


def p_value(differences: Rows, observed: float, *, exact: bool = False) -> float:
    """Return the share of differences at least as far from zero as observed.

    With random trials, one is added to both sides of the fraction: the observed
    data are one of the possible outcomes, and p is never 0.

    Examples
    --------
    >>> p_value(np.array([0.0, 0.0, 0.0]), 0.0)
    1.0
    """
    reach = abs(observed) - _TOLERANCE * max(1.0, abs(observed))
    count = int(np.count_nonzero(np.abs(differences) >= reach))
    if exact:
        return count / len(differences)
    return (count + 1) / (len(differences) + 1)


def _all_assignments(segments: int) -> Rows:
    numbers = np.arange(2**segments, dtype=np.int64)[:, None]
    return ((numbers >> np.arange(segments)) & 1).astype(np.float64)
