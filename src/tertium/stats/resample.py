# SPDX-License-Identifier: Apache-2.0
"""Bootstrap (Efron 1979; Koehn 2004 for MT): scores of resampled test sets.

A resampled test set is a weighted sum of statistics, so all resamples together
are one matrix product, done in the core from a seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium import _core
from tertium._executor import spread
from tertium._seed import SEED
from tertium.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows: TypeAlias = NDArray[np.float64]
    Scorer: TypeAlias = Callable[[Rows], "float | Rows"]

#: Called with what is counted, how many are done, and how many there are, if known.
Report: TypeAlias = Callable[[str, int, int | None], None]

_PART = 300_000_000  # numbers that are added up in a fraction of a second
_NUMBERS = 20_000_000  # sums that are held at a time

#: More add no precision and fill the memory.
MAX_RESAMPLES = 10_000_000

__all__ = [
    "Bootstrap",
    "Report",
    "block_sums",
    "bootstrap_scores",
    "check_run",
    "draw_parts",
    "draw_sums",
    "exact_sum",
    "interval",
    "interval_resamples",
    "report_for",
]


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are computed.

    Public functions take these as keywords; this is how they hand them on.

    Parameters
    ----------
    resamples : int
        The number of resamples; 0 for no intervals.
    seed : int
        Zero is a seed like any other.
    confidence : float
        The share of resampled scores inside an interval.

    Examples
    --------
    >>> Bootstrap(resamples=200, seed=1)
    Bootstrap(resamples=200, seed=1, confidence=0.95)
    """

    resamples: int = 1000
    seed: int = SEED
    confidence: float = 0.95

    def __post_init__(self) -> None:
        check_run(self.resamples or 1, self.seed)
        if not 0 < self.confidence < 1:
            message = f"confidence must be between 0 and 1, not {self.confidence}"
            raise InputError(message)


def bootstrap_scores(
    rows: Rows,
    from_statistics: Scorer,
    *,
    resamples: int = 1000,
    seed: int = SEED,
    threads: int | None = None,
) -> Rows:
    """Return the scores of resampled test sets.

    Parameters
    ----------
    rows : ndarray of shape (segments, statistics)
        Of segments, or of documents (see :func:`block_sums`).
    from_statistics : callable
        Turns an array of summed rows into scores.
    resamples : int
    seed : int
        Zero is a seed like any other.
    threads : int, optional

    Returns
    -------
    ndarray of shape (resamples,)
    """
    check_run(resamples, seed)
    if len(rows) == 0:
        message = "there are no segments to resample; give at least one"
        raise InputError(message)
    sums = draw_sums("bootstrap", rows, resamples, seed=seed, threads=threads)
    return np.asarray(from_statistics(sums))


def draw_sums(
    test: str, rows: Rows, resamples: int, *, seed: int, threads: int | None
) -> Rows:
    """Return the summed rows of every resample or trial."""
    parts = list(draw_parts(test, rows, resamples, seed=seed, threads=threads))
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def draw_parts(
    test: str,
    rows: Rows,
    resamples: int,
    *,
    seed: int,
    threads: int | None,
    skip: int = 0,
) -> Iterator[Rows]:
    """Yield the summed rows of all resamples or trials, part after part.

    A part takes a fraction of a second: between two of them Ctrl-C is heard, progress
    can be shown, and sums can be turned into scores before the next ones need memory.
    Parts are drawn by their numbers, so it does not matter where. Those after the first
    `skip` are independent of them.
    """
    # Coins are tossed by eights, so that trials cost about an eighth of resamples.
    share = 1 if test == "bootstrap" else 8
    rows = np.ascontiguousarray(rows)
    part = min(share * _PART // max(1, rows.size), _NUMBERS // max(1, rows.shape[1]))
    part = max(64, part)
    draw = partial(_draw, test, rows, seed, threads)
    places = [
        (skip + first, min(part, resamples - first))
        for first in range(0, resamples, part)
    ]
    yield from spread(draw, places)


def _draw(
    test: str, rows: Rows, seed: int, threads: int | None, place: tuple[int, int]
) -> Rows:
    """Return the sums of some resamples: the number of the first, and how many."""
    kernel = _core.bootstrap_sums if test == "bootstrap" else _core.coin_sums
    first, count = place
    sums: Rows = kernel(rows, count, seed, threads or 0, first)
    return sums


def report_for(progress: Report | None, whom: str) -> Report:
    """Return a report that names for whom something is counted.

    It does nothing without `progress`.
    """

    def report(what: str, done: int, total: int | None) -> None:
        if progress:
            progress(f"{what} for {whom}", done, total)

    return report


def interval_resamples(confidence: float, *, least: int = 1000) -> int:
    """Return how many resamples an interval needs to have five beyond each end.

    Examples
    --------
    >>> interval_resamples(0.95), interval_resamples(0.999)
    (1000, 10000)
    """
    return max(least, math.ceil(round(10 / (1 - confidence), 6)))


def interval(scores: Rows, *, confidence: float = 0.95) -> tuple[float, float]:
    """Return the percentile interval of resampled scores that are defined.

    Examples
    --------
    >>> interval(np.arange(1000.0))
    (25.0, 974.0)
    """
    if len(scores) == 0 or not 0 < confidence < 1:
        message = "an interval needs scores, and a confidence between 0 and 1"
        raise InputError(message)
    scores = scores[~np.isnan(scores)]
    if len(scores) == 0:
        return math.nan, math.nan
    cut = int(len(scores) * (1 - confidence) / 2 + 1e-9)
    ends = (cut, len(scores) - 1 - cut)
    low, high = np.partition(scores, ends)[list(ends)]
    return float(low), float(high)


def block_sums(rows: Rows, blocks: Sequence[Sequence[int]]) -> Rows:
    """Return one summed row per block, for resampling whole documents."""
    return np.array([exact_sum(rows[list(block)]) for block in blocks])


def exact_sum(rows: Rows) -> Rows:
    """Return the sum of rows, correctly rounded: no order of them changes it."""
    sums = _core.Sums(rows.shape[1])
    sums.add(np.ascontiguousarray(rows))
    return np.array(sums.values())


def check_run(resamples: int, seed: int) -> None:
    """Raise an error unless both numbers make sense."""
    if not 1 <= resamples <= MAX_RESAMPLES:
        message = f"resamples must be between 1 and {MAX_RESAMPLES:,}, not {resamples}"
        raise InputError(message)
    if not 0 <= seed < 2**64:
        message = f"seed must be between 0 and 2^64 - 1, not {seed}"
        raise InputError(message)
