# SPDX-License-Identifier: Apache-2.0
"""For whom a table is: labels and rounded figures, or specs and all digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertium.engine.results import ScoreTable

__all__ = ["Style"]


@dataclass(frozen=True, eq=False)  # for a fast start of verbs
class Style:
    """The format of tables, and the decimal places of their figures.

    Parameters
    ----------
    format : {"table", "tsv", "csv", "md", "latex", "html"}
    digits : int, optional
        Decimal places; by default those usual for a figure, and all of them in TSV
        and CSV.
    """

    format: str = "table"
    digits: int | None = None

    @property
    def for_programs(self) -> bool:
        """Whether programs read the tables: TSV or CSV, one table, all digits."""
        return self.format in ("tsv", "csv")

    @property
    def places(self) -> int | None:
        """Decimal places for :meth:`MetricInfo.show`; -1 for all digits."""
        return -1 if self.digits is None and self.for_programs else self.digits

    def number(self, value: float | None, usual: int = 3) -> str:
        """Return a figure with `usual` decimal places, unless others are set.

        Programs get all digits, and nothing where there is no value.

        Examples
        --------
        >>> Style().number(0.125, 2), Style("tsv").number(0.125), Style().number(None)
        ('0.12', '0.125', 'n/a')
        """
        if value is None:
            return "" if self.for_programs else "n/a"
        if self.digits is None and self.for_programs:
            return repr(value)
        return f"{value:.{usual if self.digits is None else self.digits}f}"

    def labels(self, table: ScoreTable) -> dict[str, str]:
        """Return the heading of every metric's column; programs get specs."""
        if self.for_programs:
            return {spec: spec for spec in table.metrics}
        return table.labels
