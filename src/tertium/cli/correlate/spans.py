# SPDX-License-Identifier: Apache-2.0
"""``tertium correlate --spans``: predicted against human error spans."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tertium.cli.correlate.options import Options
from tertium.cli.shared.parsers import note_result
from tertium.cli.shared.remarks import remark_few, remark_note
from tertium.cli.shared.render import emit, render
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements.tables import Judgements

__all__ = ["spans_command"]


def spans_command(options: Options) -> int:
    """Compare spans, print the result and return the exit code."""
    from tertium.meta.spans import correlate_spans

    _check(options)
    testset = _testset(options)
    result = correlate_spans(
        _predictions(options),
        _read(options, options.judgements or (), only=True),
        testset=testset,
        probes=options.probes,
        missing=options.missing or "drop",
        error_free_score=options.error_free_score,
        error_free_prediction=options.error_free_prediction,
        resamples=options.resamples,
        confidence=options.confidence,
        test=options.test,
        trials=options.trials or 1000,
        correction=options.correction,
        seed=options.seed,
    )
    for note in result.notes:
        remark_note(options, note)
    remark_few(options, options.resamples, options.confidence, "--resamples")
    note_result(result.to_json)
    if options.format == "json":
        emit(result.to_json(), options.output)
    elif options.format == "html":
        from tertium.report.spans.page import span_page

        emit(span_page(result, testset, digits=options.digits), options.output)
    else:
        from tertium.report.tables.spans import span_tables

        tables = span_tables(result, options.style)
        render(tables, options.format, output=options.output)
    return 0


def _testset(options: Options) -> Testset | None:
    if options.mtme:
        from tertium.meta.files.mtme import read_mtme

        langpair = options.langpair[0] if options.langpair else None
        return read_mtme(options.mtme, langpair).testset
    if not options.testsets:
        return None
    from tertium.meta.inputs.testsets import read_testset

    columns = options.systems_columns
    return read_testset(options.testsets[0], systems_columns=columns)


def _predictions(options: Options) -> dict[str, Judgements]:
    predictions = {}
    for item in options.predictions:
        name, equals, path = item.partition("=")
        if not equals or os.path.exists(item):
            path = item
            name = os.path.basename(os.path.normpath(item)).partition(".")[0]
        if name in predictions:
            message = f"two predictions are called {name}; give NAME=FILE"
            raise InputError(message, options=("predictions",))
        predictions[name] = _read(options, [path], only=False)
    return predictions


def _read(options: Options, paths: list[str] | tuple[()], *, only: bool) -> Judgements:
    from tertium.judgements.tables import Judgements

    judgements = Judgements.read(
        paths,
        only=options.only if only else (),
        langpair=options.langpair,
    )
    for note in judgements.notes:
        remark_note(options, note)
    return judgements


def _check(options: Options) -> None:
    if not options.judgements:
        message = (
            "no human spans; give judgements (-J), as in: tertium correlate --spans "
            "--predictions metric.jsonl --judgements store"
        )
        raise InputError(message, options=("judgements",))
    if len(options.testsets) > 1:
        message = "spans are compared on one test set at a time; give one"
        raise InputError(message, options=("testsets",))
