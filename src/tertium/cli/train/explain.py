# SPDX-License-Identifier: Apache-2.0
"""``tertium train --explain MODEL``: where a model comes from and what moves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark_note
from tertium.cli.shared.render import emit, render
from tertium.cli.train.options import Options
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset

__all__ = ["explain"]


def explain(options: Options, model: str) -> int:
    """Print a model and return the exit code."""
    from tertium.learn.explanation import explain_model

    explanation = explain_model(
        model, _texts(options), resource=options.resources, threads=options.threads
    )
    if options.format == "json":
        emit(explanation.to_json(indent=1), None)
        return 0
    from tertium.report.tables.models import model_tables

    render(model_tables(explanation, options.style), options.format)
    return 0


def _texts(options: Options) -> Testset | None:
    """Return the texts to explain the model on, if there are any."""
    from tertium.data import read
    from tertium.meta.inputs.testsets import read_testset

    if options.testsets:
        paths = [path for group in options.testsets for path in group]
        if len(paths) > 1 or options.references or options.systems:
            message = "--explain takes one test set; give -t once, or -r and -i"
            raise InputError(message)
        testset = read_testset(paths[0], systems_columns=options.systems_columns)
        for note in testset.notes:
            remark_note(options, note)
        return testset
    if not options.references and not options.systems:
        return None
    if not options.references or not options.systems:
        raise InputError("--explain on texts needs references (-r) and systems (-i)")
    systems = flags.named_files(options.systems)
    return read(references=options.references, systems=systems)
