# SPDX-License-Identifier: Apache-2.0
"""Published tables and figures: what is stored holds, and comes out again.

All verdicts and pages are checked from stored results. What takes seconds is computed
again; TERTIUM_PUBLISHED=all computes everything again (half an hour).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from docs import book
from tertium.reproductions import Data, Verdict, documents, reproduce

pytestmark = pytest.mark.published

OUTCOMES = book.stored()
PAGES = book.files()
EXHIBITS = {e.name: e for document in documents() for e in document.exhibits}
REPEATED = [name for name, exhibit in EXHIBITS.items() if exhibit.recipe]
_QUICK = 2.0  # seconds, when the results were stored
AGAIN = [
    name
    for name in REPEATED
    if name in OUTCOMES
    and (os.environ.get("TERTIUM_PUBLISHED") or OUTCOMES[name].seconds < _QUICK)
]


def tolerance(cell) -> float:
    """Return half the width of a cell's interval; without one, rounding alone."""
    return 1e-6 if cell.low is None else (cell.high - cell.low) / 2 + 1e-6


def test_every_exhibit_was_repeated():
    assert [name for name in REPEATED if name not in OUTCOMES] == []
    assert [name for name in OUTCOMES if name not in REPEATED] == []


@pytest.mark.parametrize("name", REPEATED)
def test_published_figures(name):
    exhibit, outcome = EXHIBITS[name], OUTCOMES[name]
    assert outcome.cells or outcome.claims
    for cell in outcome.cells:
        if cell.low is not None:
            assert cell.low - 1e-6 <= cell.ours <= cell.high + 1e-6
        if cell.against is not None and cell.row in exhibit.published:
            known = {column for row in exhibit.published.values() for column in row}
            assert cell.against in known or exhibit.value(cell) is None
    if outcome.verdict(exhibit) is Verdict.EQUAL and exhibit.published:
        apart = [
            cell
            for cell in outcome.cells
            if (value := exhibit.value(cell)) is not None
            and abs(value - cell.ours) > 2 * tolerance(cell) + 10.0**-exhibit.digits
        ]
        assert len(apart) <= 0.05 * len(outcome.cells)


@pytest.mark.study
@pytest.mark.parametrize("name", AGAIN)
def test_comes_out_again(name, request):
    exhibit, before = EXHIBITS[name], OUTCOMES[name]
    folder: Path | None = None
    if exhibit.needs_data:
        folder = request.getfixturevalue("wmt_data")
    after = reproduce(exhibit, Data(folder))
    assert after.verdict(exhibit) is before.verdict(exhibit)
    stored = {(cell.part, cell.row, cell.column): cell for cell in before.cells}
    assert {(cell.part, cell.row, cell.column) for cell in after.cells} == set(stored)
    for cell in after.cells:
        known = stored[cell.part, cell.row, cell.column]
        assert cell.ours == pytest.approx(known.ours, abs=tolerance(known))
    assert [c.text for c in after.claims] == [c.text for c in before.claims]


@pytest.mark.parametrize("name", sorted(PAGES))
def test_pages_are_the_stored_results(name):
    written = (book.FOLDER / name).read_text(encoding="utf-8")
    assert written == PAGES[name], "run python -m bench book --pages"


def test_no_page_is_left_over():
    assert {path.name for path in book.FOLDER.iterdir()} == set(PAGES)
