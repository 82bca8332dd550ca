# SPDX-License-Identifier: Apache-2.0
"""The most similar piece of the other text, for every piece of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["best_cosines", "cosines"]

_ROWS = 512  # pieces of a text that are compared at once


def best_cosines(
    hyp: NDArray[np.float32], ref: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the best cosine of every piece of both texts, from 0 to 1.

    Parameters
    ----------
    hyp, ref : ndarray
        Unit vectors, one row per piece; at least one.
    """
    import numpy as np

    parts = []
    best = np.zeros(len(ref), np.float32)
    for start in range(0, len(hyp), _ROWS):
        table = cosines(hyp[start : start + _ROWS], ref)
        parts.append(table.max(axis=1))
        best = np.maximum(best, table.max(axis=0))
    return np.concatenate(parts), best


def cosines(hyp: NDArray[np.float32], ref: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cosine of every two pieces, 0 where it is negative."""
    import numpy as np

    # Not by BLAS, whose threads are more trouble than such small matrices.
    table: NDArray[np.float32] = np.einsum("ik,jk->ij", hyp, ref)
    return np.clip(table, 0, 1)
