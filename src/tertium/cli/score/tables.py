# SPDX-License-Identifier: Apache-2.0
"""Tables of ``tertium score``: systems, documents, segments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared import flags
from tertium.cli.shared.render import Table

if TYPE_CHECKING:
    from tertium.cli.score.verb import Options
    from tertium.engine.results import ScoreTable

__all__ = ["tables"]


def tables(table: ScoreTable, options: Options) -> list[Table]:
    """Return the scores of systems, then of documents and segments if asked for."""
    tables = [_corpus(table, options)]
    if options.documents:
        tables.append(_documents(table, options))
    if options.segments:
        tables.append(_segments(table, options))
    # Programs want one table: the finest asked for.
    return tables[-1:] if flags.for_programs(options) else tables


def _corpus(table: ScoreTable, options: Options) -> Table:
    digits, labels = flags.digits(options), flags.labels(table.metrics, options)
    machine = flags.for_programs(options)
    head = ["system"]
    for spec, info in table.metrics.items():
        head.append(labels[spec] + ("" if info.higher_is_better or machine else " ↓"))
        if options.interval is not None:
            head += (
                [f"{spec} low", f"{spec} high"]
                if machine
                else [f"{100 * options.interval:g} %"]
            )
    rows = []
    for name in flags.ordered(table, options):
        scores = table[name]
        row = [name]
        for spec, score in scores.items():
            info = table.metrics[spec]
            row.append(info.show(score.score, digits))
            if score.interval is not None:
                low, high = (info.show(x, digits) for x in score.interval)
                row += [low, high] if machine else [f"{low} - {high}"]
        rows.append(row)
    falling = not all(info.higher_is_better for info in table.metrics.values())
    size = count(table.segments, "segment")
    lines = [size + ", ↓ lower is better" * falling]
    lines += [f"{labels[spec]}: {m.signature}" for spec, m in table.metrics.items()]
    return Table(head, rows, note="\n".join(lines))


def _documents(table: ScoreTable, options: Options) -> Table:
    digits = flags.digits(options)
    rows = []
    for name in flags.ordered(table, options):
        scores = table[name]
        documents = next(iter(scores.values())).documents or {}
        for doc in documents:
            row = [doc, name]
            for spec, score in scores.items():
                value = (score.documents or {})[doc]
                row.append(table.metrics[spec].show(value, digits))
            rows.append(row)
    labels = flags.labels(table.metrics, options).values()
    return Table(["document", "system", *labels], rows, title="Documents", left=2)


def _segments(table: ScoreTable, options: Options) -> Table:
    digits = flags.digits(options)
    # `explain` wants the number; `correlate --scores` matches by id, if there are ids.
    ids = table.ids if flags.for_programs(options) else None
    rows = []
    for index in range(table.segments):
        for name, scores in table.systems.items():
            row = [str(index + 1), *([ids[index]] if ids else []), name]
            for spec, score in scores.items():
                value = (score.segments or [])[index]
                row.append(table.metrics[spec].show(value, digits))
            rows.append(row)
    labels = flags.labels(table.metrics, options).values()
    head = ["segment", *(["id"] if ids else []), "system", *labels]
    return Table(head, rows, title="Segments", left=2)
