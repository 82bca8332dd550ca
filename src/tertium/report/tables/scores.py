# SPDX-License-Identifier: Apache-2.0
"""Tables of scores: systems, documents, segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.engine.results import ScoreTable

__all__ = ["RUN_INTERVALS", "RUN_NOTE", "score_tables"]

RUN_NOTE = """\
Scores are means over runs. s_opt: standard deviation between runs;
s_sel: of one run over resampled test sets, the mean over runs."""

RUN_INTERVALS = """\
Intervals of means allow for both, by Student's t, within the range of the metric."""


_SPREAD = ("s_opt", "s_sel")


def score_tables(
    table: ScoreTable,
    style: Style = Style(),  # noqa: B008 - frozen
    *,
    sort: str = "quality",
    documents: bool = False,
    segments: bool = False,
    confidence: float = 0.95,
) -> list[Table]:
    """Return the scores of systems, then of documents and segments if asked for.

    Parameters
    ----------
    table : ScoreTable
    style : Style
    sort : {"quality", "given"}
        The order of systems: best first by the first metric, or as given.
    documents, segments : bool
        Whether to show their scores as well; they must have been computed.
    confidence : float
        Of the intervals, if there are any.
    """
    order = table.order(sort)
    tables = [_corpus(table, style, order, confidence)]
    if documents:
        tables.append(_documents(table, style, order))
    if table.joined is not None:
        whole = _corpus(table.joined, style, order, confidence)
        what = count(table.joined.segments, "document") + " as one text each"
        note = whole.note.partition("\n")[2]
        tables.append(replace(whole, title=what, note=note))
        each = _documents(table.joined, style, order)
        tables.append(replace(each, title="Documents as one text each"))
    if segments:
        tables.append(_segments(table, style))
    # Programs want one table: the finest asked for.
    return tables[-1:] if style.for_programs else tables


def _corpus(
    table: ScoreTable, style: Style, order: Sequence[str], confidence: float
) -> Table:
    digits, labels = style.places, style.labels(table)
    machine = style.for_programs
    intervals = any(
        score.interval is not None
        for scores in table.systems.values()
        for score in scores.values()
    )
    runs = table.has_runs
    head = ["system", *(["runs"] if runs else [])]
    for spec, info in table.metrics.items():
        head.append(labels[spec] + ("" if info.higher_is_better or machine else " ↓"))
        if intervals:
            head += (
                [f"{spec} low", f"{spec} high"]
                if machine
                else [f"{100 * confidence:g} %"]
            )
        if runs:
            head += [f"{spec} {name}" if machine else name for name in _SPREAD]
    rows = []
    for name in order:
        scores = table[name]
        row = [name]
        if runs:
            row.append(str(len(next(iter(scores.values())).runs or ())))
        for spec, score in scores.items():
            info = table.metrics[spec]
            row.append(info.show(score.score, digits))
            if score.interval is not None:
                low, high = (info.show(x, digits) for x in score.interval)
                row += [low, high] if machine else [f"{low} - {high}"]
            if runs:
                spread = (score.sd_runs, score.sd_segments)
                row += [
                    "" if machine and x is None else info.show(x, digits)
                    for x in spread
                ]
        rows.append(row)
    falling = not all(info.higher_is_better for info in table.metrics.values())
    size = count(table.segments, "segment")
    lines = [size + ", ↓ lower is better" * falling]
    lines += [RUN_NOTE] if runs else []
    lines += [RUN_INTERVALS] if runs and intervals else []
    lines += [f"{labels[spec]}: {m.signature}" for spec, m in table.metrics.items()]
    return Table(head, rows, note="\n".join(lines))


def _documents(table: ScoreTable, style: Style, order: Sequence[str]) -> Table:
    digits = style.places
    rows = []
    for name in order:
        scores = table[name]
        documents = next(iter(scores.values())).documents or {}
        for doc in documents:
            row = [doc, name]
            for spec, score in scores.items():
                value = (score.documents or {})[doc]
                row.append(table.metrics[spec].show(value, digits))
            rows.append(row)
    labels = style.labels(table).values()
    return Table(["document", "system", *labels], rows, title="Documents", left=2)


def _segments(table: ScoreTable, style: Style) -> Table:
    from tertium.data.kept import Lazy

    digits = style.places
    # `explain` wants the number; `correlate --scores` matches by id, if there are ids.
    ids = table.ids if style.for_programs else None
    systems = list(table.systems.items())

    def row(place: int) -> list[str]:
        index, system = divmod(place, len(systems))
        name, scores = systems[system]
        cells = [str(index + 1), *([ids[index]] if ids else []), name]
        for spec, score in scores.items():
            value = (score.segments or [])[index]
            cells.append(table.metrics[spec].show(value, digits))
        return cells

    # Rows are made when they are written: their text takes more memory than scores.
    rows = Lazy(table.segments * len(systems), row)
    labels = style.labels(table).values()
    head = ["segment", *(["id"] if ids else []), "system", *labels]
    return Table(head, rows, title="Segments", left=2)
