# SPDX-License-Identifier: Apache-2.0
"""Tables of pages on systems: scores, rankings, matrices of tests, pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tertium._messages import count
from tertium.engine.results import Comparison, MetricInfo, Pair, ScoreTable
from tertium.report.html_tables import Cell, html_table, p_text, plain

__all__ = [
    "labels",
    "matrix_table",
    "pairs_table",
    "ranking_table",
    "scores_table",
    "units_table",
]


def labels(table: ScoreTable) -> dict[str, str]:
    """Return the label of every metric, or its spec where two labels are the same."""
    names = [info.label for info in table.metrics.values()]
    return {
        spec: spec if names.count(info.label) > 1 else info.label
        for spec, info in table.metrics.items()
    }


def _score(info: MetricInfo, value: float | None, digits: int | None) -> Cell:
    if value is None or math.isnan(value):
        return Cell("n/a", None, "number none")
    return Cell(info.show(value, digits), value, "number")


def _range(
    info: MetricInfo, bounds: tuple[float, float] | None, digits: int | None, to: str
) -> Cell:
    if bounds is None:
        return Cell("n/a", None, "number none")
    low, high = (info.show(value, digits) for value in bounds)
    return Cell(f"{low} {to} {high}", bounds[0], "number")


def scores_table(
    table: ScoreTable,
    order: Sequence[str],
    confidence: float | None,
    digits: int | None,
) -> str:
    """Return systems by metrics, with intervals if there are any."""
    head = ["system"]
    for spec, label in labels(table).items():
        head.append(label + ("" if table.metrics[spec].higher_is_better else " ↓"))
        if confidence is not None:
            head.append(f"{100 * confidence:g} % interval")
    rows = []
    for name in order:
        row = [Cell(plain(name), name)]
        for spec, info in table.metrics.items():
            row.append(_score(info, table[name][spec].score, digits))
            if confidence is not None:
                row.append(_range(info, table[name][spec].interval, digits, "-"))
        rows.append(row)
    note = count(table.segments, "segment")
    if not all(info.higher_is_better for info in table.metrics.values()):
        note += "; ↓ lower is better"
    return html_table("Systems", head, rows) + f'<p class="legend">{note}.</p>'


def units_table(
    table: ScoreTable, order: Sequence[str], unit: str, digits: int | None
) -> str:
    """Return the scores of every document or segment of every system."""
    infos = table.metrics
    rows = []
    for name in order:
        own = table[name]
        values: list[dict[str, float | None]] = [
            dict(own[spec].documents or {})
            if unit == "document"
            else {str(i): x for i, x in enumerate(own[spec].segments or (), start=1)}
            for spec in infos
        ]
        for key in values[0]:
            scores = [
                _score(info, of_metric[key], digits)
                for info, of_metric in zip(infos.values(), values, strict=True)
            ]
            rows.append([Cell(plain(key), key), Cell(plain(name), name), *scores])
    if unit == "segment":  # outputs of one segment side by side, as people read them
        rows.sort(key=lambda row: int(str(row[0].key)))
    head = [unit, "system", *labels(table).values()]
    return html_table(f"Scores of {unit}s", head, rows)


def ranking_table(
    result: Comparison, spec: str, order: Sequence[str], digits: int | None
) -> str:
    """Return clusters and ranks of systems under one metric, or just their scores."""
    info = result.scores.metrics[spec]
    places = {place.system: place for place in result.ranking[spec]}
    rows = []
    for name in places or order:
        own = result.scores[name][spec]
        row = [
            Cell(plain(name), name),
            _score(info, own.score, digits),
            _range(info, own.interval, digits, "-"),
        ]
        if place := places.get(name):
            best, worst = place.rank
            shown = str(best) if best == worst else f"{best}-{worst}"
            row.insert(1, Cell(str(place.cluster), place.cluster))
            row.append(Cell(shown, best, "number"))
        rows.append(row)
    level = f"{100 * (1 - float(result.run['alpha'])):g} % interval"
    head = ["system", "score", level]
    note = f"{'Higher' if info.higher_is_better else 'Lower'} is better."
    if places:
        head = ["system", "cluster", "score", level, "rank"]
        note += (
            " All systems of a cluster beat all systems of the next one; rank: best "
            "and worst place that the tests leave possible."
        )
    table = html_table(f"Systems by {labels(result.scores)[spec]}", head, rows)
    return f'{table}<p class="legend">{note}</p>'


def matrix_table(result: Comparison, spec: str) -> str:
    """Return adjusted p-values of all pairs; arrows point at winners."""
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
        rows.append([Cell(plain(name), number), Cell(str(place.cluster)), *cells])
    head = ["system", "cluster", *(str(i) for i in range(1, len(order) + 1))]
    caption = f"Adjusted p-values by {labels(result.scores)[spec]}"
    return html_table(caption, head, rows, kind=" matrix") + (
        '<p class="legend">An arrow points at the system that is significantly better: '
        "← the row, ↑ the column. Hold the pointer over a cell for the difference.</p>"
    )


def _tested(pair: Pair | None, row: str, info: MetricInfo) -> Cell:
    if pair is None:
        return Cell("")
    delta = pair.delta if pair.a == row else -pair.delta
    shown = p_text(pair.p_adjusted)
    if pair.better is not None:
        shown = f"{'←' if pair.better == row else '↑'} {shown}"
    words = f"difference {info.show(delta)}"
    kind = "win" if pair.better == row else ""
    return Cell(f'<span title="{words}">{shown}</span>', pair.p_adjusted, kind)


def pairs_table(result: Comparison, order: Sequence[str], digits: int | None) -> str:
    """Return every pair with its difference, interval, p-values and effect."""
    named = labels(result.scores)
    rows = []
    places = {
        spec: [place.system for place in ranking] or order
        for spec, ranking in result.ranking.items()
    }
    for pair in (one for spec in named for one in result.pairs_in(places[spec], spec)):
        info = result.scores.metrics[pair.metric]
        nan = math.isnan(pair.effect)
        rows.append(
            [
                Cell(plain(named[pair.metric]), named[pair.metric]),
                Cell(plain(pair.a), pair.a, "win" if pair.better == pair.a else ""),
                Cell(plain(pair.b), pair.b, "win" if pair.better == pair.b else ""),
                _score(info, pair.delta, digits),
                _range(info, pair.interval, digits, "to"),
                Cell(p_text(pair.p), pair.p, "number"),
                Cell(p_text(pair.p_adjusted), pair.p_adjusted, "number"),
                Cell("n/a", None, "number none")
                if nan
                else Cell(f"{pair.effect:.2f}", pair.effect, "number"),
                Cell(plain(pair.better or "-"), pair.better or ""),
            ]
        )
    head = ["metric", "a", "b", "Δ", "interval", "p", "adj. p", "d", "better"]
    return html_table("Pairs of systems", head, rows) + (
        '<p class="legend">Δ: score of a minus score of b. d: mean difference of '
        "segments over its standard deviation (paired Cohen's d), positive where a is "
        "better.</p>"
    )
