# SPDX-License-Identifier: Apache-2.0
"""Tables of what was published and what came out here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from tertium.report.tables.table import Table
from tertium.reproductions import Cell, Document, Exhibit, Outcome, Verdict

__all__ = [
    "claims_table",
    "comparison_tables",
    "documents_table",
    "exhibits_table",
    "verdict_of",
]


def verdict_of(exhibit: Exhibit, outcome: Outcome | None) -> Verdict | None:
    """Return the verdict; None if the exhibit was not repeated yet."""
    if outcome is not None:
        return outcome.verdict(exhibit)
    return None if exhibit.recipe else Verdict.IMPOSSIBLE


def comparison_tables(
    exhibit: Exhibit, outcome: Outcome, digits: int | None = None
) -> list[Table]:
    """Return ours beside the published figures, a table per part.

    A cell has our figure and, in brackets, the published one and the difference, with
    as many digits as were printed unless `digits` says otherwise.
    """
    parts = dict.fromkeys(cell.part for cell in outcome.cells)
    tables = []
    for part in parts:
        cells = [cell for cell in outcome.cells if cell.part == part]
        columns = list(dict.fromkeys(cell.column for cell in cells))
        rows = list(dict.fromkeys(cell.row for cell in cells))
        place = {(cell.row, cell.column): cell for cell in cells}
        tables.append(
            Table(
                ["", *columns],
                [
                    [
                        row,
                        *(
                            _shown(exhibit, place.get((row, c)), digits)
                            for c in columns
                        ),
                    ]
                    for row in rows
                ],
                title=part,
                note=_agreement(exhibit, cells),
            )
        )
    return tables


def claims_table(outcome: Outcome) -> Table:
    """Return what the document states, and whether it holds here."""
    rows = [
        [claim.text, "yes" if claim.holds else "no", claim.detail]
        for claim in outcome.claims
    ]
    return Table(["claim", "holds", "figures"], rows, left=3)


def exhibits_table(
    document: Document, outcomes: Mapping[str, Outcome] | None = None
) -> Table:
    """Return the tables and figures of a document, with verdicts if there are any."""
    head = ["name", "where", "what it claims"]
    rows = []
    for exhibit in document.exhibits:
        row = [exhibit.name, exhibit.page, exhibit.about]
        if outcomes is not None:
            verdict = verdict_of(exhibit, outcomes.get(exhibit.name))
            row.append("not run" if verdict is None else verdict.value)
        elif not exhibit.recipe:
            row[2] += " (not possible)"
        rows.append(row)
    head += ["here"] * (outcomes is not None)
    title = f"{document.authors} {document.year}, {document.title}"
    return Table(head, rows, title=title, left=len(head))


def documents_table(
    documents: Sequence[Document], outcomes: Mapping[str, Outcome]
) -> Table:
    """Return how many tables and figures of every document got which verdict."""
    rows, total = [], Counter[str]()
    for document in documents:
        counts = Counter(
            verdict.value if verdict else "not run"
            for exhibit in document.exhibits
            for verdict in [verdict_of(exhibit, outcomes.get(exhibit.name))]
        )
        total += counts
        rows.append([document.name, *_counts(counts)])
    rows.append(["all", *_counts(total)])
    return Table(
        ["document", *(verdict.value for verdict in Verdict), "together"],
        rows,
        rules=[len(rows) - 1],
    )


def _counts(counts: Counter[str]) -> list[str]:
    shown = [str(counts[verdict.value]) for verdict in Verdict]
    return [*shown, str(sum(counts.values()))]


def _shown(exhibit: Exhibit, cell: Cell | None, digits: int | None) -> str:
    if cell is None:
        return ""
    digits = exhibit.digits if digits is None else digits
    text = f"{cell.ours:.{digits}f}"
    value = exhibit.value(cell)
    if value is not None:
        text += f" ({value:.{digits}f}, {cell.ours - value:+.{digits}f})"
    return text


def _agreement(exhibit: Exhibit, cells: Sequence[Cell]) -> str:
    agreed = [a for cell in cells if (a := exhibit.agrees(cell)) is not None]
    if not agreed:
        return ""
    how = (
        "within the 95 % interval of ours"
        if any(cell.low is not None for cell in cells)
        else "equal to ours in all printed digits"
    )
    return f"Published figures {how}: {sum(agreed)} of {len(agreed)}."
