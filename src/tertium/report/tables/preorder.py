# SPDX-License-Identifier: Apache-2.0
"""Tables of preordering: scores of orders, and which models differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.report.tables.style import Style
from tertium.report.tables.table import Table, exact_cells, percent

if TYPE_CHECKING:
    from tertium.preorder.extraction import Extraction
    from tertium.preorder.results import OrderScores

__all__ = ["extraction_tables", "order_tables"]

_CORRECTIONS = {
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
    "none": "no correction",
}


def order_tables(result: OrderScores, style: Style) -> list[Table]:
    """Return the scores of all systems, and tests under the first measure.

    Programs get one row per system and measure, with its interval.
    """
    if style.for_programs:
        return [_plain(result, style)]
    measures = result.measures
    first = measures[0]
    head = ["system", first]
    intervals = bool(result.pairs) or result.settings["resamples"]
    if intervals:
        head.append(f"{100 * float(str(result.settings['confidence'])):g} % interval")
    rows = []
    for name, scores in result.systems.items():
        row = [name, style.number(scores[first].score, 4)]
        if scores[first].interval is not None:
            low, high = (style.number(x, 4) for x in scores[first].interval or ())
            row.append(f"{low} - {high}")
        row += [style.number(scores[measure].score, 4) for measure in measures[1:]]
        rows.append(row)
    title = (
        f"{result.sentences:,} sentences, gold orders: {result.settings['reduction']}"
    )
    note = " ".join(
        f"{name}: the best of {item.orders:,.1f} orders per sentence."
        for name, item in result.oracles.items()
    )
    tables = [Table([*head, *measures[1:]], rows, title=title, note=note)]
    if result.pairs:
        tables.append(_pairs(result, style))
    if result.operators:
        tables.append(_operators(result))
    return tables


def _operators(result: OrderScores) -> Table:
    """Return the share of sentences that trees cover, and how often operators occur."""
    rows = []
    for name, counts in result.operators.items():
        usable = sum(counts.arities.values())
        binary, five = (
            percent(
                sum(n for width, n in counts.arities.items() if width <= arity), usable
            )
            for arity in (2, 5)
        )
        of_more = sum(n for op, n in counts.operators.items() if len(op) > 2)
        pair = (counts.operators.get(op, 0) for op in ("12", "21"))
        rows.append([name, binary, five, *(f"{n:,}" for n in (*pair, of_more))])
    head = ["orders", "binary", "up to five", "12", "21", "others"]
    return Table(
        head,
        rows,
        title="Sentences by the operators they need; how often operators occur",
    )


def _pairs(result: OrderScores, style: Style) -> Table:
    measure = result.measures[0]
    rows = []
    for pair in result.pairs:
        if pair.measure != measure:
            continue
        low, high = (style.number(x, 4) for x in pair.interval)
        figures = [style.number(x, 4) for x in (pair.delta, pair.p, pair.p_adjusted)]
        delta, p, adjusted = figures
        better = pair.better or "-"
        rows.append([pair.a, pair.b, delta, f"{low} - {high}", p, adjusted, better])
    settings = result.settings
    note = (
        f"Paired bootstrap over sentences, {settings['resamples']:,} resamples (seed "
        f"{settings['seed']}); adj. p: {_CORRECTIONS[str(settings['correction'])]}."
    )
    head = ["a", "b", "a - b", "interval", "p", "adj. p", "better"]
    return Table(
        head, rows, title=f"{measure}: which systems differ", note=note, left=2
    )


def _plain(result: OrderScores, style: Style) -> Table:
    rows = []
    for name, scores in result.systems.items():
        for measure, score in scores.items():
            low, high = score.interval or (None, None)
            figures = [style.number(x, 4) for x in (score.score, low, high)]
            rows.append([name, measure, *figures])
    return Table(["system", "measure", "score", "low", "high"], rows, left=2)


def extraction_tables(result: Extraction, style: Style) -> list[Table]:
    """Return what a corpus contains, and how often each operator occurs.

    Programs get one row per operator.
    """
    total = sum(result.operators.values())
    if style.for_programs:
        counts = [exact_cells(name, n) for name, n in result.operators.items()]
        return [Table(["operator", "count"], counts)]
    sentences = len(result.units)
    usable = sum(result.arities.values())
    units = sum(len(each.ranks) for each in result.units)
    binary, five = (
        sum(n for width, n in result.arities.items() if width <= arity)
        for arity in (2, 5)
    )
    rows = [
        ["sentences", f"{sentences:,}", ""],
        ["words", f"{result.words:,}", ""],
        [
            "words with links",
            f"{result.linked:,}",
            percent(result.linked, result.words),
        ],
        ["units", f"{units:,}", ""],
        [
            "phrases of several words",
            f"{result.phrases:,}",
            percent(result.phrases, units),
        ],
        [
            "units without links",
            f"{result.unaligned:,}",
            percent(result.unaligned, units),
        ],
        ["usable sentences", f"{usable:,}", percent(usable, sentences)],
        ["in source order", f"{result.monotone:,}", percent(result.monotone, usable)],
        ["binary operators only", f"{binary:,}", percent(binary, usable)],
        ["operators of up to five", f"{five:,}", percent(five, usable)],
        ["tau of the source order", style.number(result.tau, 4), ""],
    ]
    note = "Usable: at least two linked units. The last three shares are of these."
    counts = [
        [name, f"{n:,}", percent(n, total)] for name, n in result.operators.items()
    ]
    return [
        Table(["", "count", "share"], rows, note=note),
        Table(["operator", "count", "share"], counts, title="Operators of flat trees"),
    ]
