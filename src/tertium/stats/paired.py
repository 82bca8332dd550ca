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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError, NotDefinedError, UnknownNameError
from tertium.stats.resample import check_run, draw_parts, exact_sum

if TYPE_CHECKING:
    from tertium.stats.resample import Rows, Scorer

    Progress: TypeAlias = Callable[[int, int], None]

__all__ = ["TESTS", "Resampling", "count_far", "p_value"]

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
    _scores: Rows | None  # (systems, resamples), of the bootstrap
    _parts: Callable[[], Iterator[list[Rows]]]  # sums of heads, of randomisation
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
        seed: int = SEED,
        threads: int | None = None,
        progress: Progress | None = None,
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
        progress : callable, optional
            Called with the number of resamples so far, and of all. Randomisation
            resamples when it is asked for p-values.
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
        totals = [exact_sum(matrix) for matrix in rows]
        observed = [float(np.asarray(from_statistics(total))) for total in totals]
        if not all(map(math.isfinite, observed)):
            message = (
                f"scores without a value cannot be tested: {observed}; look at the "
                "segments where the metric gives none"
            )
            raise NotDefinedError(message)
        exact = test == "randomisation" and 2**segments <= resamples
        # Side by side, so that the draws are made once for all systems.
        table = np.concatenate(rows, axis=1)

        def parts() -> Iterator[list[Rows]]:
            drawn = (
                iter([_all_assignments(segments) @ table])
                if exact
                else draw_parts(test, table, resamples, seed=seed, threads=threads)
            )
            done = 0
            for sums in drawn:
                yield np.split(sums, len(rows), axis=1)
                done += len(sums)
                if progress:
                    progress(done, 2**segments if exact else resamples)

        scores = None
        if test == "bootstrap":
            # Scores take far less memory than the sums they come from.
            scores = np.concatenate(
                [[from_statistics(one) for one in sums] for sums in parts()], axis=1
            )
        return cls(
            test, exact, segments, observed, scores, parts, totals, from_statistics
        )

    def scores(self, system: int) -> Rows:
        """Return the bootstrap scores of one system."""
        if self._scores is None:
            message = "only the bootstrap has scores of single systems"
            raise InputError(message)
        one: Rows = self._scores[system]
        return one

    def differences(self, a: int, b: int) -> Rows:
        """Return score(a) - score(b) in every bootstrap resample."""
        return self.scores(a) - self.scores(b)

    def p_value(self, a: int, b: int) -> float:
        """Return the two-sided p-value of the difference of two systems.

        One unit resampled is always itself, so it shows nothing: p = 1.
        """
        return self.p_values([(a, b)])[0]

    def p_values(self, pairs: Sequence[tuple[int, int]]) -> list[float]:
        """Return the p-values of some pairs; randomisation draws once for all."""
        if self.units == 1:
            return [1.0] * len(pairs)
        if self._scores is not None:
            p_values = []
            for a, b in pairs:
                observed = self.observed[a] - self.observed[b]
                p_values.append(p_value(self.differences(a, b) - observed, observed))
            return p_values
        counts, trials = [0] * len(pairs), 0
        for sums in self._parts():
            trials += len(sums[0])
            for place, (a, b) in enumerate(pairs):
                observed = self.observed[a] - self.observed[b]
                counts[place] += count_far(self._swapped(sums, a, b), observed)
        more = 0 if self.exact else 1
        return [(count + more) / (trials + more) for count in counts]

    def _swapped(self, sums: list[Rows], a: int, b: int) -> Rows:
        """Return score(a) - score(b) where tails change sides, heads keep theirs."""
        first = np.asarray(self._score(sums[a] + (self._totals[b] - sums[b])))
        second = np.asarray(self._score(sums[b] + (self._totals[a] - sums[a])))
        difference: Rows = first - second
        return difference


def p_value(differences: Rows, observed: float, *, exact: bool = False) -> float:
    """Return the share of differences at least as far from zero as observed.

    With random trials, one is added to both sides of the fraction: the observed
    data are one of the possible outcomes, and p is never 0.

    Examples
    --------
    >>> p_value(np.array([0.0, 0.0, 0.0]), 0.0)
    1.0
    """
    count = count_far(differences, observed)
    if exact:
        return count / len(differences)
    return (count + 1) / (len(differences) + 1)


def count_far(differences: Rows, observed: float) -> int:
    """Return how many differences are at least as far from zero as observed.

    One that is not defined (NaN) counts as well: it speaks for nothing.
    """
    reach = abs(observed) - _TOLERANCE * max(1.0, abs(observed))
    return len(differences) - int(np.count_nonzero(np.abs(differences) < reach))


def _all_assignments(segments: int) -> Rows:
    numbers = np.arange(2**segments, dtype=np.int64)[:, None]
    return ((numbers >> np.arange(segments)) & 1).astype(np.float64)
