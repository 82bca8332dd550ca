# SPDX-License-Identifier: Apache-2.0
"""``tertium train --spans``: a model that marks error spans."""

from __future__ import annotations

from pathlib import Path

from tertium._files import check_not_read, check_place
from tertium.cli.shared.remarks import remark, remark_note
from tertium.cli.shared.render import emit_json, render
from tertium.cli.train.options import Options
from tertium.errors import InputError

__all__ = ["spans_command"]


def spans_command(options: Options) -> int:
    """Train a span model, print what it reached and return the exit code."""
    from tertium.judgements.tables import Judgements
    from tertium.learn.spans import train_span_model
    from tertium.meta.inputs.testsets import read_testset
    from tertium.report.tables.spans import span_model_table

    testset, judgements, output = _files(options)
    texts = read_testset(testset, systems_columns=options.systems_columns)
    human = Judgements.read(judgements, only=options.only, langpair=options.langpair)
    for note in (*texts.notes, *human.notes):
        remark_note(options, note)
    strength = options.regularisation
    model = train_span_model(
        texts,
        human,
        name=Path(output).name.partition(".")[0],
        licence=options.licence,
        training={"testset": Path(testset).name},
        threads=options.threads,
        **({} if strength is None else {"regularisation": strength}),
    )
    model.save(output)
    if options.format == "json":
        from tertium._version import __version__

        content = {
            "tertium": __version__,
            "model": output,
            "thresholds": dict(model.thresholds),
            "training": model.training,
            "validation": model.validation,
        }
        emit_json(content, None)
    else:
        render([span_model_table(model, options.style)], options.format)
    remark(
        options, f"wrote {output}; try tertium explain --spans --span-model {output}"
    )
    return 0


def _files(options: Options) -> tuple[str, list[str], str]:
    """Return the test set, the judgements and the file of the model."""
    testsets = [path for group in options.testsets or () for path in group]
    judgements = [path for group in options.judgements or () for path in group]
    if options.output is None:
        message = "no file for the model; name one with -o, such as -o my.json"
        raise InputError(message)
    if len(testsets) != 1 or not judgements:
        message = (
            "a span model is trained on one test set (-t) and its error spans (-J); "
            f"there are {len(testsets)} test sets and {len(judgements)} judgement files"
        )
        raise InputError(message)
    check_place(options.output)
    check_not_read(options.output, [*testsets, *judgements])
    return testsets[0], judgements, options.output
