# SPDX-License-Identifier: Apache-2.0
"""Published tables and figures beside ours: tables and charts."""

from __future__ import annotations

from tertium.report.reproductions.charts import draw_comparison
from tertium.report.reproductions.tables import (
    claims_table,
    comparison_tables,
    documents_table,
    exhibits_table,
)

__all__ = [
    "claims_table",
    "comparison_tables",
    "documents_table",
    "draw_comparison",
    "exhibits_table",
]
