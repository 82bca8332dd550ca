# SPDX-License-Identifier: Apache-2.0
"""What all results share: dictionaries, JSON, frames and text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tertium.errors import MissingExtraError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Result", "text_table"]


class Result:
    """A frozen result."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries, lists, texts and numbers."""
        raise NotImplementedError

    def _records(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return :meth:`to_dict` as JSON; a figure without a value is null."""
        import json

        return json.dumps(
            _without_nan(self.to_dict()), ensure_ascii=False, indent=indent
        )

    def to_frame(self) -> pl.DataFrame:
        """Return a Polars table, one row per figure (extra ``meta``)."""
        try:
            import polars as pl
        except ImportError as error:
            raise MissingExtraError("to_frame()", extra="meta") from error
        return pl.DataFrame(self._records())


def _without_nan(value: Any) -> Any:  # any JSON value
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return value


def text_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as text; only the first column is left-aligned."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [
            cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
