# SPDX-License-Identifier: Apache-2.0
"""Tables of hypotheses that were chosen from n-best lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.tuning.mbr import MbrList
    from tertium.tuning.reranking import Reranking

__all__ = ["mbr_tables", "reranking_tables"]


def mbr_tables(lists: Sequence[MbrList], style: Style) -> list[Table]:
    """Return one row per pick: list, text, rank, place in the list, utility, scores."""
    specs = list(lists[0].best[0].scores) if lists else []
    several = specs if len(specs) > 1 else []
    rows = [
        [
            each.id,
            pick.text,
            str(rank),
            str(pick.index),
            style.number(pick.utility),
            *(style.number(pick.scores[spec]) for spec in several),
        ]
        for each in lists
        for rank, pick in enumerate(each.best, start=1)
    ]
    head = ["id", "text", "rank", "index", "utility", *several]
    return [Table(head, rows, left=2)]


def reranking_tables(result: Reranking, style: Style) -> list[Table]:
    """Return one row per pick: list, text, rank, place in the list, score."""
    rows = [
        [each.id, pick.text, str(rank), str(pick.index), style.number(pick.score)]
        for each in result.lists
        for rank, pick in enumerate(each.best, start=1)
    ]
    return [Table(["id", "text", "rank", "index", "score"], rows, left=2)]
