# SPDX-License-Identifier: Apache-2.0
"""Rows of statistics that arrive in parts, kept in one array."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["RowBuffer"]

_GROWTH = 1.1  # what is too much is held, too; large arrays grow without being copied


class RowBuffer:
    """Rows in an array that grows in place.

    A list of parts would be held a second time while they are joined, and its memory is
    not always returned to the system after that.

    Examples
    --------
    >>> buffer = RowBuffer()
    >>> buffer.add(np.array([[1.0, 2.0]]))
    >>> buffer.add(np.array([[3.0, 4.0]]))
    >>> buffer.array().tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """

    def __init__(self) -> None:
        self._rows: Rows = np.empty((0, 0))
        self._used = 0

    def add(self, rows: Rows) -> None:
        """Add rows, all of the same width."""
        if not self._used:
            self._rows = np.empty(rows.shape)
        end = self._used + len(rows)
        if end > len(self._rows):
            # Nobody else has the array before the last rows have come.
            size = max(end, int(_GROWTH * len(self._rows)))
            self._rows.resize((size, rows.shape[1]), refcheck=False)
        self._rows[self._used : end] = rows
        self._used = end

    def array(self) -> Rows:
        """Return all rows; to be called after the last was added."""
        self._rows.resize((self._used, self._rows.shape[1]), refcheck=False)
        return self._rows
