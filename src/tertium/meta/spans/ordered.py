# SPDX-License-Identifier: Apache-2.0
"""Measures that depend on the order of scores, and so do not add up over outputs.

These are Kendall's tau-b of metric and human scores, and the best precision of a
threshold that finds enough error-free outputs. Both take weights of segments: how often
a resample has each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tertium.meta.spans.statistics import Array

__all__ = ["RECALL", "OrderedMeasures"]

#: The recall at which precision is taken.
RECALL = 0.8
#: Outputs and segments up to which Kendall's tau has an interval: it takes a table of
#: all pairs of segments, and time quadratic in the outputs.
_MOST_OUTPUTS, _MOST_SEGMENTS = 20_000, 3_000
_CHUNK = 2_000_000  # numbers that are held at once


class OrderedMeasures:
    """Kendall's tau-b, and precision at a fixed recall, of one metric.

    Parameters
    ----------
    scores : sequence of float
        The metric's, one per output; higher is better.
    rated : sequence of float or None
        Human scores; None leaves an output out of tau.
    truth : sequence of bool
        Whether people found no error.
    clusters : sequence of int
        The number of every output's segment.
    segments : int
    """

    names = (f"error-free:precision-at-recall-{RECALL:g}", "score:kendall")

    def __init__(
        self,
        scores: Sequence[float],
        rated: Sequence[float | None],
        truth: Sequence[bool],
        clusters: Sequence[int],
        segments: int,
    ) -> None:
        order = np.argsort(-np.asarray(scores, float), kind="stable")
        ranked = np.asarray(scores, float)[order]
        self._ends = np.append(ranked[1:] != ranked[:-1], True)
        self._free = np.asarray(truth, float)[order]
        self._ranked = np.asarray(clusters, np.int64)[order]
        known = [i for i, value in enumerate(rated) if value is not None]
        self._x = np.asarray(scores, float)[known]
        self._y = np.array([rated[i] for i in known], float)
        self._clusters = np.asarray(clusters, np.int64)[known]
        self._segments = segments

    def values(self) -> list[float | None]:
        """Return both measures; None where one is undefined."""
        precision = float(self._precision(np.ones((1, self._segments)))[0])
        tau = self._tau()
        return [None if np.isnan(value) else value for value in (precision, tau)]

    @property
    def has_interval(self) -> bool:
        """Whether there are few enough outputs to resample tau."""
        small = len(self._x) <= _MOST_OUTPUTS and self._segments <= _MOST_SEGMENTS
        return small and len(self._x) > 0

    def sampled_precision(self, weights: Array) -> Array:
        """Return the precision of resamples, NaN where it is undefined.

        Parameters
        ----------
        weights : array of shape (resamples, segments)
        """
        step = max(1, _CHUNK // max(1, len(self._ranked)))
        parts = [
            self._precision(weights[first : first + step])
            for first in range(0, len(weights), step)
        ]
        return np.concatenate(parts)

    def sampled_tau(self, chunks: Iterable[Array]) -> Array:
        """Return tau-b of resamples, NaN where it is undefined.

        Sums over pairs of outputs are quadratic forms in the weights of their segments.
        A copy of an output is tied with it, and adds nothing. The tables of all pairs
        are large, and kept during the call only.

        Parameters
        ----------
        chunks : iterable of arrays of shape (resamples, segments)
            The weights, chunk by chunk.
        """
        tables = self._pair_tables()
        parts = []
        for weights in chunks:
            samples = weights.astype(float)
            concordant, x, y = (
                np.einsum("bs,bs->b", samples @ table, samples) for table in tables
            )
            scale = np.sqrt(x * y)
            out: Array = np.full(len(samples), np.nan)
            np.divide(concordant, scale, out=out, where=scale > 0)
            parts.append(out)
        return np.concatenate(parts)

    def _precision(self, weights: Array) -> Array:
        counts = weights[:, self._ranked].astype(float)
        hits = np.cumsum(counts * self._free, axis=1)
        chosen = np.cumsum(counts, axis=1)
        enough = self._ends & (hits >= RECALL * hits[:, -1:] - 1e-9) & (chosen > 0)
        shares = np.where(enough, hits / np.maximum(chosen, 1), -1.0)
        best: Array = shares.max(axis=1)
        return np.where(hits[:, -1] > 0, best, np.nan)

    def _tau(self) -> float:
        from scipy.stats import kendalltau

        if len(self._x) < 2 or not np.ptp(self._x) or not np.ptp(self._y):
            return float("nan")
        return float(kendalltau(self._x, self._y).statistic)

    def _pair_tables(self) -> Array:
        """Return concordance, and pairs untied in x and in y, by pair of segments."""
        order = np.argsort(self._clusters, kind="stable")
        x, y, clusters = self._x[order], self._y[order], self._clusters[order]
        tables = np.zeros((3, self._segments, self._segments))
        step = max(1, _CHUNK // len(x))
        starts = np.flatnonzero(np.append(True, clusters[1:] != clusters[:-1]))
        columns = clusters[starts]
        for first in range(0, len(x), step):
            part = slice(first, first + step)
            a = np.sign(x[part, None] - x[None, :])
            b = np.sign(y[part, None] - y[None, :])
            for table, values in zip(tables, (a * b, a * a, b * b), strict=True):
                sums = np.add.reduceat(values, starts, axis=1)
                np.add.at(table, (clusters[part, None], columns[None, :]), sums)
        return tables
