# SPDX-License-Identifier: Apache-2.0
"""Wilcoxon's signed-rank test, one-sided, exact also where differences are tied.

Frank Wilcoxon (1945): Individual comparisons by ranking methods. Differences of zero
are left out, as there. Equal sizes share their mean rank, and the distribution of the
statistic is counted over all signs of these very ranks, so ties need no correction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["signed_rank"]

_EXACT = 60  # differences up to which signs are counted; a normal curve is close then


def signed_rank(differences: Sequence[float]) -> float | None:
    """Return how likely differences as high as these are, if only chance gave signs.

    The time is cubic in the number of differences, up to 60 of them.

    Parameters
    ----------
    differences : sequence of float
        Of pairs; the alternative is that they lie above zero.

    Returns
    -------
    float or None
        None when there is no difference but zero: nothing was tested.

    Examples
    --------
    >>> signed_rank([5, 3, 8, 1, 2])  # all of them above zero: 1 / 2^5
    0.03125
    >>> signed_rank([0, 0]) is None
    True
    """
    kept = [value for value in differences if value != 0]
    if not kept:
        return None
    if not all(map(math.isfinite, kept)):
        message = "a difference is not a finite number; leave such pairs out"
        raise ValueError(message)
    doubled = _doubled_ranks([abs(value) for value in kept])
    above = sum(r for r, value in zip(doubled, kept, strict=True) if value > 0)
    return (_counted if len(kept) <= _EXACT else _normal)(doubled, above)


def _doubled_ranks(sizes: Sequence[float]) -> list[int]:
    """Return twice the mean ranks, which are whole numbers."""
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    ranks = [0] * len(sizes)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and sizes[order[last + 1]] == sizes[order[first]]:
            last += 1
        for place in order[first : last + 1]:
            ranks[place] = first + last + 2
        first = last + 1
    return ranks


def _counted(doubled: Sequence[int], above: int) -> float:
    total = sum(doubled)
    ways = [1] + [0] * total  # signs by the sum of the ranks above zero
    for rank in doubled:
        for reached in range(total, rank - 1, -1):
            ways[reached] += ways[reached - rank]
    # Whole numbers divide without an overflow, however many ways there are.
    return sum(ways[above:]) / (1 << len(doubled))


def _normal(doubled: Sequence[int], above: int) -> float:
    mean = sum(doubled) / 2
    spread = math.sqrt(sum(rank * rank for rank in doubled)) / 2
    # Sums go up in steps of two (doubled ranks); half a step corrects for that.
    return 0.5 * math.erfc((above - 1 - mean) / spread / math.sqrt(2))
