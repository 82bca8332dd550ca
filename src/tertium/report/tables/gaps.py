# SPDX-License-Identifier: Apache-2.0
"""What the differences of a comparison mean to human judges, as a table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.analysis.gap_meaning import GapMeaning, gap_meanings, gap_metrics
from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.engine.comparison import Comparison, Pair
    from tertium.engine.results import MetricInfo

__all__ = ["gap_records", "gap_table", "with_gaps"]

_TITLE = "How often human judges agreed with such a difference"

_LEGEND = """\
|Δ|: the size of the difference; range: of differences that are counted with it.
agreed: pairs of systems with such a difference in which the judges preferred the system
   with the better score, with a 95 % interval (Wilson). Source: {sources}.
Those test sets have one reference and, by year, 560 to 3,000 segments.
n/a: the difference is not significant, so it may be chance whatever its size."""

_REFERENCES = """
Here some segments have more references, so differences are of another size: these
shares are a rough guide only."""


def gap_records(result: Comparison) -> list[dict[str, object]]:
    """Return what is known about the differences of pairs, for JSON."""
    return [
        {
            "a": pair.a,
            "b": pair.b,
            "better": pair.better,
            **meaning.to_dict(),
            "metric": pair.metric,
        }
        for pair, meaning in _meanings(result)
    ]


def gap_table(
    result: Comparison,
    style: Style = Style(),  # noqa: B008 - frozen
    *,
    sort: str = "quality",
) -> Table:
    """Return a table of all pairs whose metric has stored judgements.

    Parameters
    ----------
    result : Comparison
    style : Style
    sort : {"quality", "given"}
    """
    infos, labels = result.scores.metrics, style.labels(result.scores)
    known = {(p.metric, frozenset((p.a, p.b))): m for p, m in _meanings(result)}
    rows = []
    for spec in infos:
        for pair in result.pairs_in(result.scores.order(sort, spec), spec):
            meaning = known.get((spec, frozenset((pair.a, pair.b))))
            if meaning is not None:
                row = _row(pair, meaning, infos[spec], style.digits)
                rows.append([labels[spec], *row])
    sources = sorted({name for meaning in known.values() for name in meaning.sources})
    note = _LEGEND.format(sources=", ".join(sources))
    if any(_has_more_references(infos[spec]) for spec, _ in known):
        note += _REFERENCES
    missing = [labels[spec] for spec in infos if spec not in {key for key, _ in known}]
    if missing:
        note += (
            f"\nNothing is known about {', '.join(missing)}: there are judgements for "
            f"differences of\n   {', '.join(gap_metrics())}, with default settings."
        )
    head = ["metric", "a", "b", "|Δ|", "range", "agreed", "of pairs", "interval"]
    return Table(head, rows, title=_TITLE, note=note, left=3)


def with_gaps(table: Table, result: Comparison) -> Table:
    """Return the table of pairs for programs with columns about judgements.

    They are empty where a difference is not significant.
    """
    known = {(p.metric, p.a, p.b): m for p, m in _meanings(result) if p.better}
    rows = []
    for row in table.rows:
        meaning = known.get((row[0], row[1], row[2]))
        cells = [""] * 4
        if meaning is not None:
            low, high = meaning.interval
            cells = [f"{value:.6g}" for value in (meaning.share, low, high)]
            cells.append(str(meaning.pairs))
        rows.append([*row, *cells])
    head = [*table.head, "agreed", "agreed_low", "agreed_high", "agreed_pairs"]
    return replace(table, head=head, rows=rows)


def _has_more_references(info: MetricInfo) -> bool:
    """Return whether a signature counts other than one reference per segment."""
    counts = [part for part in info.signature.split("|") if part.startswith("nrefs:")]
    return bool(counts) and counts != ["nrefs:1"]


def _meanings(result: Comparison) -> Iterator[tuple[Pair, GapMeaning]]:
    for pair in result.pairs:
        meaning = gap_meanings({pair.metric: pair.delta}).get(pair.metric)
        if meaning is not None:
            yield pair, meaning


def _row(
    pair: Pair, meaning: GapMeaning, info: MetricInfo, digits: int | None
) -> list[str]:
    low, high = (info.show(x, digits) for x in (meaning.low, meaning.high))
    reach = f"{low} and more" if math.isinf(meaning.high) else f"{low} to {high}"
    row = [pair.a, pair.b, info.show(meaning.delta, digits), reach]
    if pair.better is None:
        return [*row, "n/a", "", ""]
    below, above = (round(100 * share) for share in meaning.interval)
    agreed = f"{100 * meaning.share:.0f} %"
    return [*row, agreed, str(meaning.pairs), f"{below} to {above} %"]
