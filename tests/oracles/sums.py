# SPDX-License-Identifier: Apache-2.0
"""Exact sums by fractions, rounded once."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

__all__ = ["exact_sum"]


def exact_sum(numbers: Iterable[float]) -> float:
    """Return the double nearest to the sum of finite numbers."""
    return float(sum(map(Fraction, numbers), Fraction(0)))
