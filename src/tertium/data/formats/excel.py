# SPDX-License-Identifier: Apache-2.0
"""Test sets in Excel workbooks: columns as in :mod:`.tables`."""

from __future__ import annotations

from collections.abc import Iterator

from tertium.data.formats.tables import Row, TableFormat
from tertium.data.formats.xlsx import read_xlsx, write_xlsx

__all__ = ["stream", "write"]


def _rows(path: str) -> Iterator[Row]:
    """Yield rows as long as the header: empty cells at the end are not in the file."""
    width = 0
    for number, cells in read_xlsx(path):
        while len(cells) > width and not cells[-1]:
            cells.pop()
        width = width or len(cells)
        yield number, [*cells, *[""] * (width - len(cells))]


_FORMAT = TableFormat(_rows, write_xlsx, "keep the texts below the header")
stream = _FORMAT.stream
write = _FORMAT.write
