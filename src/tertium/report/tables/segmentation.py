# SPDX-License-Identifier: Apache-2.0
"""Tables of outputs cut as references are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.data.segmentation import Resegmentation

__all__ = ["segmentation_tables"]

_SHOWN = 60  # characters of a text that people see


def segmentation_tables(result: Resegmentation, style: Style) -> list[Table]:
    """Return a table of segments, and one of linked lines where there are links.

    Parameters
    ----------
    result : Resegmentation
    style : Style
    """
    programs = style.for_programs
    rows = []
    for number, one in enumerate(result.segments, start=1):
        rows.append(
            [
                str(number),
                one.document,
                *([] if programs else [one.text[:_SHOWN]]),
                str(one.words),
                str(one.reference_words),
                str(one.matched),
                str(one.edits),
                *map(str, one.places),
                style.number(one.certainty),
                *([one.text] if programs else []),
            ]
        )
    # Names and texts come first in tables for people, where numbers are right-aligned.
    figures = ["words", "reference words", "matched", "edits", "places at start"]
    figures += ["places at end", "certainty"]
    head = ["segment", "document"]
    head += [*figures, "text"] if programs else ["text", *figures]
    title = (
        f"{count(len(result.segments), 'segment')}, "
        f"{100 * result.matched_share:.0f} % of words match"
    )
    tables = [
        Table(head, rows, left=2 if programs else 3, title="" if programs else title)
    ]
    if result.links and not programs:
        linked = [
            [_listed(link.segments), _listed(link.lines), style.number(link.similarity)]
            for link in result.links
        ]
        head = ["segments", "lines of the output", "similarity"]
        tables.append(Table(head, linked, left=2))
    return tables


def _listed(indices: tuple[int, ...]) -> str:
    return ", ".join(str(index + 1) for index in indices) or "none"
