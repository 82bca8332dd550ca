# SPDX-License-Identifier: Apache-2.0
"""Tables and charts of published figures beside ours."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

from tertium.report.reproductions import (
    comparison_tables,
    documents_table,
    draw_comparison,
    exhibits_table,
)
from tertium.report.reproductions.charts import _centred, _Point
from tertium.reproductions import (
    Cell,
    Claim,
    Curve,
    Document,
    Exhibit,
    Outcome,
)

PUBLISHED = {"A": {"x": 0.25, "y": 0.5}, "B": {"x": 0.35, "y": 0.75}}


def exhibit(**changes) -> Exhibit:
    settings = {"published": PUBLISHED, "recipe": "m:f", **changes}
    return Exhibit(
        "p/table-1", "Table 1", "page 3", "About.", "data", "Why.", **settings
    )


OURS = (
    Cell("A", "x", 0.26, 0.24, 0.28, "x"),
    Cell("A", "y", 0.6, 0.55, 0.65, "y"),
    Cell("A", "new", 0.7, 0.6, 0.8),
    Cell("B", "x", 0.3, None, None, "x"),
)


def signs(svg: str, tag: str) -> int:
    return len(list(ET.fromstring(svg).iter(f"{{http://www.w3.org/2000/svg}}{tag}")))


def test_cells_show_ours_published_and_difference():
    (table,) = comparison_tables(exhibit(), Outcome(OURS))
    assert table.head == ["", "x", "y", "new"]
    assert table.rows == [
        ["A", "0.260 (0.250, +0.010)", "0.600 (0.500, +0.100)", "0.700"],
        ["B", "0.300 (0.350, -0.050)", "", ""],
    ]
    assert table.note.endswith("1 of 3.")


def test_parts_are_tables_of_their_own():
    cells = (Cell("A", "x", 1, part="one"), Cell("A", "x", 2, part="two"))
    titles = [table.title for table in comparison_tables(exhibit(), Outcome(cells))]
    assert titles == ["one", "two"]


def test_counts_of_verdicts_add_up():
    drawing = replace(exhibit(recipe=""), name="p/figure-1")
    exhibits = (exhibit(), drawing, exhibit())
    document = Document("p", "T", "A", 2020, "V", "C.", (), exhibits)
    outcomes = {"p/table-1": Outcome(claims=(Claim("t", True),))}
    table = documents_table([document], outcomes)
    assert table.rows[0] == ["p", "0", "2", "0", "1", "3"]
    assert table.rows[-1] == ["all", "0", "2", "0", "1", "3"]
    assert exhibits_table(document, outcomes).rows[1][-1] == "not possible"


def test_few_figures_are_rows_with_both_signs():
    svg = draw_comparison(exhibit(), Outcome(OURS))
    assert svg is not None
    assert signs(svg, "polygon") == 3 + 1  # and one in the legend
    assert signs(svg, "circle") == 3 + 1


def test_many_figures_are_a_cloud():
    published = {str(i): {"x": i / 40} for i in range(40)}
    cells = tuple(Cell(str(i), "x", i / 50, against="x") for i in range(40))
    svg = draw_comparison(exhibit(published=published), Outcome(cells))
    assert svg is not None
    assert signs(svg, "circle") == 40
    assert "from the mean of its column" in svg


def test_centred_figures_have_mean_zero():
    points = [
        _Point(Cell("A", "x", 0.2, 0.1, 0.3), 0.5),
        _Point(Cell("B", "x", 0.4), 0.6),
    ]
    one, two = _centred(points)
    assert round(one.cell.ours + two.cell.ours, 9) == 0
    assert round(one.published + two.published, 9) == 0
    assert one.cell.low is None


def test_curves_are_lines():
    curves = (
        Curve("A", ((0.0, 1.0), (0.5, 2.0))),
        Curve("B", ((0.0, 3.0), (0.5, 1.0))),
    )
    svg = draw_comparison(exhibit(), Outcome(curves=curves, axis="β"))
    assert svg is not None
    assert ">0.5<" in svg
    assert ">β<" in svg


def test_nothing_to_draw():
    assert draw_comparison(exhibit(), Outcome(claims=(Claim("t", True),))) is None
