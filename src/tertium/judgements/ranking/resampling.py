# SPDX-License-Identifier: Apache-2.0
"""The bootstrap over rankings: tables of wins of resampled judgements.

A judge makes the comparisons of one ranking together, so rankings are sampled, not
comparisons. Rankings of two systems with the same outcome are alike: how often each
kind is sampled follows a multinomial distribution, for any number of rankings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tertium.judgements.ranking.wins import Array

if TYPE_CHECKING:
    from tertium.judgements.comparisons import Comparisons

__all__ = ["kinds_of_rankings", "ranking_starts", "resampled_wins"]

_MEMORY = 20_000_000  # numbers that are held at a time
_PART = 100  # resamples between two reports of progress, at most


def ranking_starts(comparisons: Comparisons) -> NDArray[np.int32]:
    """Return where the comparisons of every ranking start, and where all end."""
    number = comparisons.ranking
    first = np.r_[True, number[1:] != number[:-1]][: len(number)]
    return np.append(np.flatnonzero(first), len(number)).astype(np.int32)


def kinds_of_rankings(comparisons: Comparisons) -> NDArray[np.int64]:
    """Return a number for every ranking, the same for rankings that are alike."""
    starts = ranking_starts(comparisons)
    sizes = np.diff(starts)
    cells = _cells(comparisons)
    single = sizes == 1
    kinds = np.empty(len(sizes), np.int64)
    _, kinds[single] = np.unique(cells[starts[:-1][single]], return_inverse=True)
    alike = int(kinds[single].max()) + 1 if single.any() else 0
    kinds[~single] = alike + np.arange(np.count_nonzero(~single))
    return kinds


def resampled_wins(
    comparisons: Comparisons,
    *,
    resamples: int,
    rng: np.random.Generator,
    rankings: int | None = None,
) -> Iterator[tuple[Array, Array]]:
    """Yield wins and ties of resampled judgements, some resamples at a time.

    Parameters
    ----------
    comparisons : Comparisons
    resamples : int
    rng : Generator
    rankings : int, optional
        How many rankings a resample has; as many as there are by default.

    Yields
    ------
    tuple of arrays of shape (some, systems, systems)

    Notes
    -----
    O(comparisons) per resample; O(systems^2) if every ranking has two systems.
    """
    from scipy.sparse import csr_array

    n = len(comparisons.systems)
    kinds = kinds_of_rankings(comparisons)
    sampled = len(kinds) if rankings is None else rankings
    number = int(kinds.max()) + 1 if len(kinds) else 0
    starts = ranking_starts(comparisons)
    _, first = np.unique(kinds, return_index=True)
    # One row per cell (i before j, or a tie), one column per kind.
    rows = np.concatenate(
        [np.arange(starts[i], starts[i + 1]) for i in first] or [np.empty(0, np.int64)]
    ).astype(np.int64)
    column = np.repeat(np.arange(number), np.diff(starts)[first])
    content = csr_array(
        (np.ones(len(rows)), (_cells(comparisons)[rows], column)),
        shape=(2 * n * n, number),
    )
    share = np.bincount(kinds, minlength=number) / max(1, len(kinds))
    few = 4 * number < sampled
    part = max(1, _MEMORY // max(1, number + sampled * (not few), 2 * n * n))
    part = min(part, _PART)
    for begin in range(0, resamples, part):
        size = min(part, resamples - begin)
        if few:
            counts = rng.multinomial(sampled, share, size=size).astype(np.float64)
        else:
            counts = np.empty((size, number))
            for row in counts:
                chosen = rng.integers(len(kinds), size=sampled)
                row[:] = np.bincount(kinds[chosen], minlength=number)
        table = (content @ counts.T).T.reshape(size, 2, n, n)
        ties = table[:, 1]
        yield np.ascontiguousarray(table[:, 0]), ties + ties.swapaxes(-1, -2)


def _cells(comparisons: Comparisons) -> NDArray[np.int64]:
    """Return winner and loser of every comparison as one number; ties come after."""
    n = len(comparisons.systems)
    first = comparisons.first.astype(np.int64)
    second = comparisons.second.astype(np.int64)
    lost = comparisons.outcome < 0
    cell = np.where(lost, second * n + first, first * n + second)
    return np.asarray(cell + n * n * (comparisons.outcome == 0))
