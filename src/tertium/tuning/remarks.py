# SPDX-License-Identifier: Apache-2.0
"""Notes on tuned weights: what to know before a decoder gets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.tuning.pool import Objective
    from tertium.tuning.results import Point

__all__ = ["remarks_on"]

# One feature that has more than this share of the influence decides alone.
_ALONE = 0.95
# How far a length ratio may be from 1, and move away from it.
_LENGTH = 0.03


def remarks_on(objective: Objective, start: Point, final: Point) -> list[Note]:
    """Return what is odd about weights that were tuned.

    The influence of a feature is its weight times its standard deviation within lists.
    """
    pool = objective.pool
    notes = []
    unused = [
        name for name, used in zip(pool.names, pool.used, strict=True) if not used
    ]
    if unused:
        notes.append(Note("features-constant", {"names": unused}))
    weights = np.array([final.weights[name] for name in pool.names])
    influence = np.abs(weights) * pool.spread
    total = float(influence.sum())
    if not total > 0:
        notes.append(Note("weights-zero"))
    elif pool.used.sum() > 1 and influence.max() > _ALONE * total:
        alone = pool.names[int(influence.argmax())]
        share = 100 * float(influence.max()) / total
        notes.append(Note("weights-collapsed", {"name": alone, "share": share}))
    sign = 1 if objective.metric.higher_is_better else -1
    if not sign * final.score > sign * start.score:
        notes.append(Note("tuning-no-gain"))
    if final.length_ratio is not None and start.length_ratio is not None:
        before, after = abs(start.length_ratio - 1), abs(final.length_ratio - 1)
        if after > _LENGTH and after > before + _LENGTH / 2:
            values = {"start": start.length_ratio, "final": final.length_ratio}
            notes.append(Note("length-moved", values))
    return notes
