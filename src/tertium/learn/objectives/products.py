# SPDX-License-Identifier: Apache-2.0
"""Products of matrices whose bits do not depend on threads or BLAS.

Large ones are made by the core, which sums in fixed blocks. Small square ones, for the
preconditioner, are made of operations on single elements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows: TypeAlias = NDArray[np.float64]

__all__ = ["inverse_cholesky", "product", "transposed_product"]

# Multiplications below which a second thread costs more than it saves.
_ENOUGH = 4_000_000


def product(a: Rows, b: Rows, threads: int | None) -> Rows:
    """Return a · b."""
    return _core.product(a, b, _useful(a, b, threads))


def transposed_product(a: Rows, b: Rows, threads: int | None) -> Rows:
    """Return aᵀ · b."""
    return _core.transposed_product(a, b, _useful(a, b, threads))


def inverse_cholesky(matrix: Rows) -> Rows:
    """Return the inverse of L, where L·Lᵀ is the matrix; O(n³).

    Pivots that rounding made 0 or less count as the smallest number that matters.
    """
    rest = matrix.copy()
    size = len(rest)
    inverse = np.eye(size)
    least = 1e-15 * max(float(np.diag(matrix).max(initial=0.0)), 1e-300)
    for j in range(size):
        column = rest[j:, j] / np.sqrt(max(rest[j, j], least))
        rest[j:, j:] -= column[:, None] * column
        column[0] = np.sqrt(max(column[0] * column[0], least))
        inverse[j] /= column[0]
        inverse[j + 1 :] -= column[1:, None] * inverse[j]
    return inverse


def _useful(a: Rows, b: Rows, threads: int | None) -> int:
    return 1 if a.size * b.shape[1] < _ENOUGH else threads or 0
