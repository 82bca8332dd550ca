# SPDX-License-Identifier: Apache-2.0
"""Tables for system reports: scores, rankings, test matrices, pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tertium._messages import count
from tertium.engine.comparison import Comparison, Pair
from tertium.engine.results import MetricInfo, ScoreTable
from tertium.report.components import (
    Cell,
    Component,
    Legend,
    Table,
    number_cell,
    p_cell,
    p_text,
)
from tertium.report.draw.lettering import minus

__all__ = [
    "matrix_table",
    "pairs_table",
    "ranking_table",
    "scores_table",
    "units_table",
]


def _score(info: MetricInfo, value: float | None, digits: int | None) -> Cell:
    if value is None or math.isnan(value):
        return Cell("n/a", None, "number none")
    return Cell(minus(info.show(value, digits)), value, "number")


def _range(
    info: MetricInfo, bounds: tuple[float, float] | None, digits: int | None, to: str
) -> Cell:
    if bounds is None:
        return Cell("n/a", None, "number none")
    low, high = (minus(info.show(value, digits)) for value in bounds)
    return Cell(f"{low} {to} {high}", bounds[0], "number")


def scores_table(
    table: ScoreTable,
    order: Sequence[str],
    confidence: float | None,
    digits: int | None,
) -> list[Component]:
    """Return systems by metrics, with intervals if there are any."""
    head = ["system"]
    for spec, label in table.labels.items():
        head.append(label + ("" if table.metrics[spec].higher_is_better else " ↓"))
        if confidence is not None:
            head.append(f"{100 * confidence:g} % interval")
    rows = []
    for name in order:
        row = [Cell(name, name)]
        for spec, info in table.metrics.items():
            row.append(_score(info, table[name][spec].score, digits))
            if confidence is not None:
                row.append(_range(info, table[name][spec].interval, digits, "–"))
        rows.append(row)
    note = count(table.segments, "segment")
    if not all(info.higher_is_better for info in table.metrics.values()):
        note += "; ↓ lower is better"
    return [Table("Systems", head, rows), Legend(f"{note}.")]


def units_table(
    table: ScoreTable, order: Sequence[str], unit: str, digits: int | None
) -> Table:
    """Return the scores of every document or segment of every system."""
    infos = table.metrics
    rows = []
    for name in order:
        scored = table[name]
        values: list[dict[str, float | None]] = [
            dict(scored[spec].documents or {})
            if unit == "document"
            else {str(i): x for i, x in enumerate(scored[spec].segments or (), start=1)}
            for spec in infos
        ]
        for key in values[0]:
            scores = [
                _score(info, of_metric[key], digits)
                for info, of_metric in zip(infos.values(), values, strict=True)
            ]
            rows.append([Cell(key, key), Cell(name, name), *scores])
    if unit == "segment":  # outputs of one segment side by side, as people read them
        rows.sort(key=lambda row: int(str(row[0].key)))
    head = [unit, "system", *table.labels.values()]
    return Table(f"{unit.capitalize()} scores", head, rows)


def ranking_table(
    result: Comparison, spec: str, order: Sequence[str], digits: int | None
) -> list[Component]:
    """Return clusters and ranks of systems by one metric, or only their scores."""
    info = result.scores.metrics[spec]
    places = {place.system: place for place in result.ranking[spec]}
    rows = []
    for name in places or order:
        value = result.scores[name][spec]
        row = [
            Cell(name, name),
            _score(info, value.score, digits),
            _range(info, value.interval, digits, "–"),
        ]
        if place := places.get(name):
            best, worst = place.rank
            shown = str(best) if best == worst else f"{best}–{worst}"
            row.insert(1, Cell(str(place.cluster), place.cluster))
            row.append(Cell(shown, best, "number"))
        rows.append(row)
    level = f"{100 * (1 - float(result.run['alpha'])):g} % interval"
    head = ["system", "score", level]
    note = f"{'Higher' if info.higher_is_better else 'Lower'} is better."
    if places:
        head = ["system", "cluster", "score", level, "rank"]
        note += (
            " Every system in a cluster is significantly better than every system in "
            "the next; rank: the best and worst place that the tests allow."
        )
    caption = f"Systems by {result.scores.labels[spec]}"
    return [Table(caption, head, rows), Legend(note)]


def matrix_table(result: Comparison, spec: str) -> list[Component]:
    """Return adjusted p-values of all pairs; arrows point to winners."""
    info = result.scores.metrics[spec]
    pairs = {frozenset((p.a, p.b)): p for p in result.pairs if p.metric == spec}
    order = [place.system for place in result.ranking[spec]]
    rows = []
    for number, place in enumerate(result.ranking[spec], start=1):
        cells = [
            _tested(pairs.get(frozenset((place.system, column))), place.system, info)
            for column in order
        ]
        name = f"{number} {place.system}"
        rows.append([Cell(name, number), Cell(str(place.cluster)), *cells])
    head = ["system", "cluster", *(str(i) for i in range(1, len(order) + 1))]
    caption = f"Adjusted p-values by {result.scores.labels[spec]}"
    legend = (
        "An arrow points to the significantly better system: ← the row, ↑ the column. "
        "The table of all pairs has the differences."
    )
    return [Table(caption, head, rows, look="sortable matrix"), Legend(legend)]


def _tested(pair: Pair | None, row: str, info: MetricInfo) -> Cell:
    if pair is None:
        return Cell("")
    delta = pair.delta if pair.a == row else -pair.delta
    shown = p_text(pair.p_adjusted)
    if pair.better is not None:
        shown = f"{'←' if pair.better == row else '↑'} {shown}"
    title = f"difference {minus(info.show(delta))}"
    kind = "win" if pair.better == row else ""
    return Cell(shown, pair.p_adjusted, kind, title)


def pairs_table(
    result: Comparison, order: Sequence[str], digits: int | None
) -> list[Component]:
    """Return every pair with its difference, interval, p-values and effect size."""
    named = result.scores.labels
    rows = []
    places = {
        spec: [place.system for place in ranking] or order
        for spec, ranking in result.ranking.items()
    }
    for pair in (one for spec in named for one in result.pairs_in(places[spec], spec)):
        info = result.scores.metrics[pair.metric]
        rows.append(
            [
                Cell(named[pair.metric], named[pair.metric]),
                Cell(pair.a, pair.a, "win" if pair.better == pair.a else ""),
                Cell(pair.b, pair.b, "win" if pair.better == pair.b else ""),
                _score(info, pair.delta, digits),
                _range(info, pair.interval, digits, "to"),
                p_cell(pair.p),
                p_cell(pair.p_adjusted),
                number_cell(None if math.isnan(pair.effect) else pair.effect, 2),
                Cell(pair.better or "-", pair.better or ""),
            ]
        )
    head = ["metric", "a", "b", "Δ", "interval", "p", "adj. p", "d", "better"]
    legend = (
        "Δ: score of a minus score of b. d: paired Cohen's d (the mean segment-level "
        "difference divided by its standard deviation), positive where a is better."
    )
    return [Table("System pairs", head, rows), Legend(legend)]
