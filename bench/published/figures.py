# SPDX-License-Identifier: Apache-2.0
"""Figures of the WMT metrics tasks as published, for metrics that Tertium has.

They are those of the book of reproductions. WMT14: Macháček 2014, Measures of Machine
Translation Quality, tables 4.2 (system level), 4.4 (segment level) and 4.6 (treatments
of ties), into English. WMT12: METEOR 1.5 from Stanojević 2017, table 5.3.
"""

from __future__ import annotations

from tertium.reproductions import find_exhibits
from tertium.reproductions.tasks import METRICS

__all__ = ["AVERAGE_TAU", "PEARSON", "SPEARMAN", "TAU"]

_NAMES = {name.upper(): name for name in METRICS} | {"METEOR 1.5": "METEOR"}


def _columns(exhibit: str) -> dict[str, dict[str, float]]:
    """Return column to metric to value, of metrics that the benchmark has."""
    (table,) = find_exhibits([exhibit])
    columns: dict[str, dict[str, float]] = {}
    for row, values in table.published.items():
        for column, value in values.items():
            if row.upper() in _NAMES:
                columns.setdefault(column, {})[_NAMES[row.upper()]] = value
    return columns


_SYSTEMS = _columns("segranks/table-4.2")
_METEOR = _columns("beer/table-5.3")

#: Year to pair to metric: Pearson's r at system level; ``avg`` is a column.
PEARSON = {"14": {head: c for head, c in _SYSTEMS.items() if head != "avg ρ"}}

#: Year to pair to metric: Spearman's rho at system level; only means are printed.
SPEARMAN = {"14": {"avg": _SYSTEMS["avg ρ"]}}

#: Preset to year to pair to metric: Kendall's tau at segment level.
TAU = {
    "wmt14": {"14": _columns("segranks/table-4.4")},
    "wmt12": {"12": {head.removesuffix(" τ"): c for head, c in _METEOR.items()}},
}

#: WMT14 into English, preset to metric: the mean of tau over pairs.
AVERAGE_TAU = {
    head.lower(): column for head, column in _columns("segranks/table-4.6").items()
}
