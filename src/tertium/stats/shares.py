# SPDX-License-Identifier: Apache-2.0
"""Intervals of shares."""

from __future__ import annotations

import math

__all__ = ["wilson"]


def wilson(successes: int, trials: int, *, z: float = 1.959964) -> tuple[float, float]:
    """Return Wilson's interval of a share; (0, 1) without trials.

    Examples
    --------
    >>> low, high = wilson(8, 10)
    >>> round(low, 3), round(high, 3)
    (0.49, 0.943)
    """
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    middle = share + z * z / (2 * trials)
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials**2))
    scale = 1 + z * z / trials
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
