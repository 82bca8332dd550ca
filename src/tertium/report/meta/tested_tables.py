# SPDX-License-Identifier: Apache-2.0
"""Tables of tests of metrics and of their families, and of answers to questions."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.meta.families import FamilyTest
from tertium.meta.hypotheses import Hypothesis
from tertium.meta.questions import CrossTable
from tertium.meta.results import Correlations, Difference, Tally
from tertium.meta.tallies import tally_matrix
from tertium.report.components import Cell, Table, number_cell, p_text
from tertium.report.tables.hypotheses import HEAD, by_place, row_texts

__all__ = [
    "family_table",
    "hypothesis_grids",
    "matrix_table",
    "question_table",
    "tally_table",
]


def matrix_table(result: Correlations, name: str, langpair: str) -> Table:
    """Return adjusted p-values of all pairs of metrics; arrows point to winners.

    Parameters
    ----------
    result : Correlations
    name, langpair : str
        Of the coefficient, and where it was tested.
    """
    places = result.clusters[name][langpair]
    tests = {
        frozenset((d.a, d.b)): d
        for d in result.differences
        if d.coefficient == name and d.langpair == langpair
    }
    order = [place.system for place in places]
    rows = [
        [
            Cell(str(place.cluster)),
            Cell(place.system, place.system),
            *(
                _tested(tests.get(frozenset((place.system, column))), place.system)
                for column in order
            ),
        ]
        for place in places
    ]
    caption = f"{name}, {langpair}: adjusted p-values"
    return Table(caption, ["cluster", "metric", *order], rows, look="sortable matrix")


def tally_table(
    result: Correlations,
    name: str,
    order: Sequence[str],
    *,
    without: Sequence[str],
    view: str,
) -> Table | None:
    """Return wins, losses and draws of all metric pairs over language pairs.

    None if fewer than two language pairs were tested.

    Parameters
    ----------
    result : Correlations
    name : str
        Of the coefficient.
    order : sequence of str
        All metrics, as rows.
    without : sequence of str
        Language pairs that do not count.
    view : str
        The kind of judgements and the unit, where several are compared.
    """
    matrix = tally_matrix(result, name, order, exclude=without, view=view)
    if matrix is None:
        return None
    rows = []
    for row, tallies in zip(matrix.metrics, matrix.rows, strict=True):
        total = [
            sum(getattr(tally, part) for tally in tallies if tally is not None)
            for part in ("a_wins", "b_wins", "draws")
        ]
        cells = [Cell("") if tally is None else _counted(tally) for tally in tallies]
        sums = [Cell(str(number), number, "number") for number in total]
        rows.append([Cell(row, row), *sums, *cells])
    head = ["metric", "wins", "losses", "draws", *matrix.metrics]
    caption = f"{name}: wins, losses and draws over language pairs"
    caption += f", {view}" if view else ""
    return Table(caption, head, rows, look="sortable matrix")


def family_table(tests: Sequence[FamilyTest]) -> Table:
    """Return which metric families are above which others."""
    rows = [
        [
            Cell(test.langpair, test.langpair),
            Cell(test.coefficient, test.coefficient),
            Cell(test.a, test.a, "win" if test.better == test.a else ""),
            Cell(test.b, test.b, "win" if test.better == test.b else ""),
            Cell(test.better or "-", test.better or ""),
            Cell(f"{test.u:g}", test.u, "number"),
            number_cell(test.p, 3),
        ]
        for test in tests
    ]
    head = ["language pair", "coefficient", "a", "b", "better", "U", "p"]
    return Table("Metric families", head, rows)


def hypothesis_grids(tests: Sequence[Hypothesis]) -> list[Table]:
    """Return which hypotheses on variants hold, by language pair and coefficient."""
    tables = []
    for (langpair, coefficient), members in by_place(tests).items():
        rows = []
        for test in members:
            cells = [Cell(text, text) for text in row_texts(test)]
            if test.holds:
                cells[1] = Cell(test.a, test.a, "win")
            rows.append(cells)
        caption = f"{langpair}, {coefficient}: hypotheses on variants"
        tables.append(Table(caption, HEAD, rows))
    return tables


def question_table(table: CrossTable) -> Table:
    """Return how often two questions got each pair of scores."""
    rows = [
        [Cell(level), *(Cell(f"{count:,}", count, "number") for count in counts)]
        for level, counts in zip(table.a_levels, table.counts, strict=True)
    ]
    caption = f"{table.langpair}: {table.a} (rows) and {table.b} (columns)"
    return Table(caption, [table.a, *table.b_levels], rows, look="matrix")


def _counted(tally: Tally) -> Cell:
    kind = "win" if tally.a_wins > tally.b_wins else ""
    return Cell(str(tally), tally.a_wins - tally.b_wins, kind)


def _tested(difference: Difference | None, row: str) -> Cell:
    # There may be thousands of cells: keep each short.
    if difference is None:
        return Cell("")
    shown = p_text(difference.p_adjusted)
    key = (
        None if shown[0] == "0" else 0.0
    )  # the script cannot read "<0.001" as a number
    if difference.better is None:
        return Cell(shown, key)
    if difference.better == row:
        return Cell(f"← {shown}", key, "win")
    return Cell(f"↑ {shown}", key)
