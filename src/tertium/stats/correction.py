# SPDX-License-Identifier: Apache-2.0
"""Correction of p-values when many tests are made at once."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.errors import UnknownNameError

__all__ = ["CORRECTIONS", "adjust"]

#: Holm (1979) bounds the chance of any false claim, Benjamini and Hochberg
#: (1995) the share of false claims among all.
CORRECTIONS = ("holm", "bh", "none")


def adjust(p_values: Sequence[float], method: str = "holm") -> list[float]:
    """Return adjusted p-values, to be compared with the usual threshold.

    Parameters
    ----------
    p_values : sequence of float
    method : {"holm", "bh", "none"}

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    >>> adjust([0.01, 0.04, 0.03], "bh")
    [0.03, 0.04, 0.04]
    """
    if method not in CORRECTIONS:
        raise UnknownNameError("correction", method, CORRECTIONS)
    count = len(p_values)
    order = sorted(range(count), key=lambda i: p_values[i])
    out = [float(p) for p in p_values]
    if method == "holm":
        running = 0.0
        for place, i in enumerate(order):
            running = max(running, (count - place) * p_values[i])
            out[i] = min(1.0, running)
    elif method == "bh":
        running = 1.0
        for place, i in reversed(list(enumerate(order, start=1))):
            running = min(running, count * p_values[i] / place)
            out[i] = running
    return out
