# SPDX-License-Identifier: Apache-2.0
"""Predicted against human error spans, as a self-contained HTML page.

The text, the tables and the first segments need no script.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.errors import InputError
from tertium.meta.spans.inputs import Compared
from tertium.meta.spans.results import SpanEvaluation
from tertium.meta.spans.texts import UNKNOWN, output_texts
from tertium.report.components import (
    Cautions,
    Cell,
    Component,
    Legend,
    Page,
    Section,
    Table,
    Text,
    download,
)
from tertium.report.rendering import render
from tertium.report.spans.components import MarkedPiece, Swatches
from tertium.report.spans.outputs import LACK, span_browser
from tertium.report.tables.page import table_blocks
from tertium.report.tables.spans import span_tables
from tertium.report.tables.style import Style

if TYPE_CHECKING:
    from tertium.data.testset import Testset

__all__ = ["span_page"]

_PLAIN = 1_000_000  # bytes of JSON that are still worth an uncompressed file
_BEST = "mpp:micro-f"  # what Perrella et al. (2026) recommend
_SUMMARY = {
    "mpp:micro-precision": "MPP precision",
    "mpp:micro-recall": "MPP recall",
    _BEST: "MPP F",
    "overlap:micro-f": "overlap F",
    "character:micro-f": "character F",
    "character-severity:micro-f": "with severity",
    "error-free:f1": "error-free F1",
    "error-free:mcc": "error-free MCC",
    "score:pearson": "score Pearson",
    "score:kendall": "score Kendall",
}
_LEGEND = (
    (MarkedPiece("minor", human=2), "human mark"),
    (MarkedPiece("major", human=3), "human mark, major"),
    (MarkedPiece("minor", predicted=2), "predicted"),
    (MarkedPiece("major", predicted=3), "predicted, major"),
    (MarkedPiece("both", human=2, predicted=2), "human and predicted"),
    (MarkedPiece(LACK, human=2, lack=True), "missing content, without a place"),
)
_ABOUT = (
    "Human marks are underlined, predicted ones are shaded; the heavier the line and "
    "the darker the shade, the worse the error. Below each output: matches (✓, spans "
    "that overlap, one-to-one), misses (✗, only a human mark) and false alarms (!, "
    "only predicted). On the right: scores. Keys: / to search, j and k for the next "
    "and the previous segment."
)


def span_page(
    result: SpanEvaluation,
    testset: Testset | None = None,
    *,
    digits: int | None = None,
) -> str:
    """Return a page on predicted and human error spans.

    Parameters
    ----------
    result : SpanEvaluation
        As :func:`tertium.meta.spans.correlate_spans` returns it.
    testset : Testset, optional
        The texts. Without them, the page shows what judgements and predictions know.
    digits : int, optional
        Decimal places of figures; 3 by default.

    Raises
    ------
    InputError
        If the result has no annotations.
    """
    compared = result.compared
    if compared is None:
        message = "the result has no annotations; compute it by correlate_spans"
        raise InputError(message)
    names = [name for name in result.metrics if name not in result.probes]
    heading = "Predicted and human error spans"
    page = Page(
        f"{names[0]}: {heading.lower()}" if len(names) == 1 else heading,
        kicker="Error spans",
        lead=_lead(result, digits),
        header=[Cautions([str(note) for note in result.notes])],
        sections=list(_sections(result, compared, testset, digits)),
        downloads=[
            download(
                "all figures as JSON",
                "spans.json",
                result.to_json(),
                media_type="application/json",
                plain=_PLAIN,
            )
        ],
        scripts=["browser.js", "spans.js", "tables.js", "printing.js"],
    )
    return render(page)


def _lead(result: SpanEvaluation, digits: int | None) -> str:
    outputs = count(result.outputs, "output")
    lead = f"{outputs} of {count(result.segments, 'segment')}."
    names = [name for name in result.metrics if name not in result.probes]
    known = {name: result.get(name, _BEST).value for name in names}
    values = {name: value for name, value in known.items() if value is not None}
    if not values:
        return lead
    best = max(values, key=values.__getitem__)
    number = Style("html", digits).number(values[best])
    if len(names) == 1:
        return f"{lead} MPP F, micro-averaged: {number}."
    return f"{lead} {best} has the highest MPP F, micro-averaged: {number}."


def _sections(
    result: SpanEvaluation,
    compared: Compared,
    testset: Testset | None,
    digits: int | None,
) -> Iterator[Section]:
    style = Style("html", digits)
    blocks: list[Component] = [_summary(result, style)]
    if result.probes:
        blocks.append(Legend("Probes, in italics, ignore quality."))
    yield Section("summary", "Summary", blocks)
    texts = output_texts(compared, testset)
    outputs: list[Component] = [Text(_ABOUT), Swatches(_LEGEND)]
    unknown = sum(not each.known for each in texts.values())
    if unknown:
        outputs.append(
            Legend(
                f"{count(unknown, 'text')} unknown: {UNKNOWN} stands for a character. "
                "Texts come from the test set or a folder of mt-metrics-eval. Parts of "
                "documents in Appraise are matched if they were imported with batches."
            )
        )
    shown = [
        name
        for name in result.metrics
        if name not in result.probes and not compared.metrics[name].only_scores
    ]
    if shown := shown or list(result.probes):
        outputs.append(span_browser(compared, texts, shown))
    else:
        outputs = [Legend("Predictions are scores only: there are no spans to show.")]
    yield Section("outputs", "Outputs", outputs)
    figures = [
        each for table in span_tables(result, style) for each in table_blocks(table)
    ]
    yield Section("figures", "All figures", figures)


def _summary(result: SpanEvaluation, style: Style) -> Table:
    rows = []
    measures = [name for name in _SUMMARY if name in result.measures]
    for metric in result.metrics:
        row = [Cell(metric, metric)]
        for measure in measures:
            value = result.get(metric, measure)
            title = ""
            if value.interval is not None:
                low, high = map(style.number, value.interval)
                title = f"[{low}, {high}]"
            text = style.number(value.value)
            look = "number" if value.value is not None else "number none"
            row.append(Cell(text, value.value, look, title))
        rows.append(row)
    probes = [i for i, name in enumerate(result.metrics) if name in result.probes]
    head = ["metric", *(_SUMMARY[name] for name in measures)]
    return Table("Agreement of predicted with human spans", head, rows, probes)
