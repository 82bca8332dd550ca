# SPDX-License-Identifier: Apache-2.0
"""Annotations of one output by one judge: which error spans belong to which.

A judge may annotate an output twice: shown again on purpose (Appraise's ``duplicate1``,
campaigns' ``repeat``), in a second round, or as two numbered annotators of WMT 2025.
Metadata tell: ``mark``, ``line`` (the row of an export, whose spans share their time)
and ``human``. Times alone do not, as some files have one for every span.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    import polars as pl

__all__ = ["annotation_column", "annotation_name"]

_PATTERNS = {
    "mark": r'"mark": ?"([^"]*)"',
    "line": r'"line": ?(\d+)',
    "human": r'"human": ?"([^"]*)"',
}


def annotation_name(meta: Mapping[str, object], time: datetime | None) -> str:
    """Return a name that the spans of one annotation share; it may be empty.

    Parameters
    ----------
    meta : mapping
        The metadata of a span.
    time : datetime, optional
        That of the span.

    Examples
    --------
    >>> from datetime import datetime
    >>> annotation_name({"length": 7}, datetime(2024, 5, 1))
    ''
    >>> annotation_name({"mark": "duplicate1", "line": 7}, None)
    'duplicate1|7'
    """
    parts = [str(meta[key]) for key in _PATTERNS if meta.get(key) not in (None, "")]
    if "line" in meta and time is not None:
        parts.append(time.isoformat())
    return "|".join(parts)


def annotation_column() -> pl.Expr:
    """Return the same for the columns ``meta`` and ``time`` of a table of spans."""
    import polars as pl

    parts = {key: pl.col("meta").str.extract(p) for key, p in _PATTERNS.items()}
    time = pl.when(parts["line"].is_not_null()).then(pl.col("time").cast(pl.String))
    return pl.concat_str([*parts.values(), time], separator="|", ignore_nulls=True)
