# SPDX-License-Identifier: Apache-2.0
"""Tables of tests between metrics: pairs of them, language pairs, families."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.meta.families import FamilyTest
from tertium.meta.results import Correlations, Difference, Tally
from tertium.meta.tallies import tally_matrix
from tertium.report.html_tables import Cell, html_table, number_cell, p_text, plain

__all__ = ["family_table", "matrix_table", "tally_table"]


def matrix_table(result: Correlations, name: str, langpair: str) -> str:
    """Return adjusted p-values of all pairs of metrics; arrows point at winners.

    Parameters
    ----------
    result : Correlations
    name, langpair : str
        Of the coefficient, and where it was tested.
    """
    places = result.clusters[name][langpair]
    found = {
        frozenset((d.a, d.b)): d
        for d in result.differences
        if d.coefficient == name and d.langpair == langpair
    }
    order = [place.system for place in places]
    rows = [
        [
            Cell(str(place.cluster)),
            Cell(plain(place.system), place.system),
            *(
                _tested(found.get(frozenset((place.system, column))), place.system)
                for column in order
            ),
        ]
        for place in places
    ]
    caption = f"{name}, {langpair}: adjusted p-values"
    return html_table(caption, ["cluster", "metric", *order], rows, kind=" matrix")


def tally_table(
    result: Correlations, name: str, order: Sequence[str], without: Sequence[str]
) -> str:
    """Return wins, losses and draws of every two metrics over language pairs.

    Parameters
    ----------
    result : Correlations
    name : str
        Of the coefficient.
    order : sequence of str
        All metrics, as rows.
    without : sequence of str
        Language pairs that do not count.
    """
    matrix = tally_matrix(result, name, order, exclude=without)
    if matrix is None:
        return ""
    rows = []
    for row, tallies in zip(matrix.metrics, matrix.rows, strict=True):
        total = [
            sum(getattr(each, part) for each in tallies if each is not None)
            for part in ("a_wins", "b_wins", "draws")
        ]
        cells = [Cell("") if each is None else _counted(each) for each in tallies]
        sums = [Cell(str(number), number, "number") for number in total]
        rows.append([Cell(plain(row), row), *sums, *cells])
    head = ["metric", "wins", "losses", "draws", *matrix.metrics]
    caption = f"{name}: wins, losses and draws over language pairs"
    return html_table(caption, head, rows, kind=" matrix")


def family_table(found: Sequence[FamilyTest]) -> str:
    """Return which families of metrics are above which others."""
    rows = [
        [
            Cell(plain(test.langpair), test.langpair),
            Cell(plain(test.coefficient), test.coefficient),
            Cell(plain(test.a), test.a, "win" if test.better == test.a else ""),
            Cell(plain(test.b), test.b, "win" if test.better == test.b else ""),
            Cell(plain(test.better or "-"), test.better or ""),
            Cell(f"{test.u:g}", test.u, "number"),
            number_cell(test.p, 3),
        ]
        for test in found
    ]
    head = ["language pair", "coefficient", "a", "b", "better", "U", "p"]
    return html_table("Families of metrics", head, rows)


def _counted(each: Tally) -> Cell:
    kind = "win" if each.a_wins > each.b_wins else ""
    return Cell(str(each), each.a_wins - each.b_wins, kind)


def _tested(difference: Difference | None, row: str) -> Cell:
    # There may be thousands of them: few signs each.
    if difference is None:
        return Cell("")
    shown = p_text(difference.p_adjusted)
    key = None if shown[0] == "0" else 0.0  # no number that the script could read
    if difference.better is None:
        return Cell(shown, key)
    if difference.better == row:
        return Cell(f"← {shown}", key, "win")
    return Cell(f"↑ {shown}", key)
