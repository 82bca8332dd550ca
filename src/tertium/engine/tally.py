# SPDX-License-Identifier: Apache-2.0
"""The statistics of systems under one metric, added up chunk by chunk.

NumPy is imported only where rows are kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium import _core
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.engine.row_buffer import RowBuffer
    from tertium.metrics import Metric

__all__ = ["Bootstrap", "Tally"]

_RESAMPLES = 1000  # for standard deviations of runs


@dataclass(frozen=True)
class Bootstrap:
    """How test sets are resampled, for intervals and for deviations of runs.

    Parameters
    ----------
    confidence : float or None
        Of intervals, if there are any.
    resamples, seed : int
    threads : int, optional
    """

    confidence: float | None
    resamples: int
    seed: int
    threads: int | None = None

    @classmethod
    def of(
        cls,
        confidence: float | None,
        resamples: int | None,
        seed: int,
        threads: int | None,
    ) -> Bootstrap:
        """Return the bootstrap with as many resamples as the confidence needs.

        Raises
        ------
        InputError
            If the confidence is not between 0 and 1.
        """
        if confidence is not None and not 0 < confidence < 1:
            message = (
                f"confidence lies between 0 and 1, not {confidence}; 0.95 is usual"
            )
            raise InputError(message)
        if resamples is None and confidence is not None:
            from tertium.stats.resample import interval_resamples

            resamples = interval_resamples(confidence)
        return cls(confidence, resamples or _RESAMPLES, seed, threads)


class Tally:
    """The statistics of all systems under one metric, added up.

    Parameters
    ----------
    metric : Metric
    systems : int
    keep : bool
        Whether to keep all rows as well.
    hold : callable, optional
        Returns an empty column for the scores of segments, if these are wanted.
    """

    def __init__(
        self,
        metric: Metric,
        systems: int,
        *,
        keep: bool,
        hold: Callable[[], Any] | None = None,
    ) -> None:
        self.metric = metric
        self.segments = [] if hold is None else [hold() for _ in range(systems)]
        self.sums = [_core.Sums(metric.width) for _ in range(systems)]
        self.rows: list[RowBuffer] | None = None
        if keep:
            from tertium.engine.row_buffer import RowBuffer  # imports NumPy

            self.rows = [RowBuffer() for _ in self.sums]

    def add(self, by_system: Sequence[Any]) -> None:
        """Add the statistics of a chunk, rows or sums, one item per system."""
        for system, statistics in enumerate(by_system):
            if self.rows is None and not self.segments:
                self.sums[system].merge(statistics)
                continue
            self.sums[system].add(statistics)
            if self.rows is not None:
                self.rows[system].add(statistics)
            if self.segments:
                from tertium.engine.segment_scores import segment_scores

                scores = segment_scores(self.metric, statistics)
                self.segments[system].extend(scores)

    def array(self, system: int) -> Any:  # NumPy must not be imported here
        """Return the rows of a system, if they are kept."""
        return self.rows[system].array() if self.rows is not None else None

    def total(self, system: int) -> list[float]:
        """Return the sum of all rows of a system."""
        return self.sums[system].values()

    def score(self, system: int) -> float:
        """Return the score of a system."""
        return self.metric.from_statistics(self.total(system))

    def undefined(self, system: int, name: str, segments: int) -> int:
        """Return how many segments of a system have no score."""
        if not self.metric.weights_count_segments:
            return 0
        from tertium.engine.segment_scores import count_undefined

        return count_undefined(self.metric, self.total(system), segments, name)

    def documents(self, system: int, groups: dict[str, list[int]]) -> dict[str, float]:
        """Return the score of every document, NaN where there is none."""
        from tertium.engine.segment_scores import segment_scores
        from tertium.stats.resample import block_sums

        sums = block_sums(self.array(system), list(groups.values()))
        scores = segment_scores(self.metric, sums)
        return {
            doc: math.nan if score is None else score
            for doc, score in zip(groups, scores, strict=True)
        }

    def interval(
        self, system: int, bootstrap: Bootstrap, groups: dict[str, list[int]] | None
    ) -> tuple[float, float] | None:
        """Return the interval of a score, if there is a confidence."""
        if bootstrap.confidence is None:
            return None
        from tertium.stats.resample import interval

        scores = self.bootstrap(system, bootstrap, groups)
        return interval(scores, confidence=bootstrap.confidence)

    def bootstrap(
        self, system: int, bootstrap: Bootstrap, groups: dict[str, list[int]] | None
    ) -> Any:
        """Return the scores of a system on resampled test sets."""
        from tertium.engine.segment_scores import defined_scorer
        from tertium.stats.resample import block_sums, bootstrap_scores

        rows = self.array(system)
        if groups:
            rows = block_sums(rows, list(groups.values()))
        return bootstrap_scores(
            rows,
            defined_scorer(self.metric),
            resamples=bootstrap.resamples,
            seed=bootstrap.seed,
            threads=bootstrap.threads,
        )
