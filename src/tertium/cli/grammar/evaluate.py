# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar evaluate``: correct outputs, compare systems."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.grammar import inputs
from tertium.cli.shared import flags, values
from tertium.cli.shared.parsers import note_result
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit, emit_json, render
from tertium.cli.shared.values import frozen
from tertium.report.tables.table import as_text

if TYPE_CHECKING:
    from tertium.grammars.analysis import Evaluation

__all__ = ["Report", "add_report", "evaluate", "write"]

_ABOUT = """\
Find for every output the cheapest correction into the reference set of its segment,
classify the errors, and compare systems: scores (cost per word, 0 is perfect, lower is
better) with bootstrap intervals over templates, kinds of errors, case shifts,
recurring edits, constructions kept. References come from templates, or from light
notation and networks (--references). The HTML page shows all of it.
"""

_EXAMPLES = """\
  tertium grammar evaluate weather -t run/testset.jsonl -i A=a.txt B=b.jsonl
  tertium grammar evaluate weather -t run/testset.jsonl -i A=a.txt HT=ann.txt \\
      --human HT -f html -o report.html
  tertium grammar evaluate --references segments.refs -i a.txt --segments
  tertium grammar evaluate weather -t run/testset.jsonl -i A=a.txt \\
      --analyser voikko --costs default,move=0.5 -f tsv --segments -o a.tsv

Text shows systems, differences and cautions, with --segments also every correction;
TSV has one table: systems, or with --segments outputs.
The JSON has {"tertium": VERSION, "analyser", "costs", "near", "bootstrap",
"segments", "taxonomy", "templates", "ranking", "systems": [..], "differences": [..],
"sensitivity": [..]}, with --segments also "records", one object per output: id,
system, template, set, source, hyp, edits, ref, cost, ref_len, score, close, counts and
more. --save writes these two as system.json and segments.jsonl.
"""

_FORMATS = ("text", "json", "tsv", "html")


class Report(values.Run):
    """How systems are compared, and what the report looks like."""

    resamples: int | None
    top: int
    segments: bool
    save: str | None
    title: str
    format: str
    output: str | None


@frozen
class Options(inputs.EvaluationInput, inputs.EditModel, Report):
    """The options of the action."""

    systems: list[str]
    human: list[str]


def evaluate(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.grammars.comparison import evaluate as evaluate_systems

    parser = flags.parser("grammar evaluate", _ABOUT, _EXAMPLES)
    inputs.add_evaluation_input(parser)
    inputs.add_systems(parser, "outputs of systems and of people")
    parser.add_argument(
        "--human",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME",
        help="which of them are people",
    )
    inputs.add_edit_model(parser)
    add_report(parser)
    options = values.parse(parser, argv, Options)
    with Progress("outputs", quiet=options.quiet) as progress:
        evaluation = evaluate_systems(
            flags.named_files(options.systems),
            options.names,
            references=options.references,
            testset=options.testset,
            target=options.target,
            input_format=options.input_format,
            human=options.human,
            analyser=options.analyser,
            costs=options.costs,
            resamples=options.resamples,
            seed=options.seed,
            top=options.top,
            allow_commands=options.allow_commands,
            allow_outside=options.allow_outside,
            threads=options.threads,
            progress=progress,
        )
    write(evaluation, options)
    return 0


def add_report(parser: argparse.ArgumentParser) -> None:
    """Add the options of :class:`Report`."""
    parser.add_argument(
        "--resamples",
        type=flags.number(0, 10**6),
        metavar="N",
        help="bootstrap resamples; 0 for no intervals (default: 1000, and more for "
        "many systems: enough for adjusted p-values of 0.01)",
    )
    parser.add_argument(
        "--top",
        type=flags.number(1),
        default=20,
        metavar="N",
        help="how many recurring edits to keep (default: %(default)s)",
    )
    flags.add_switch(parser, "--segments", help="also every output with its correction")
    parser.add_argument(
        "--save",
        metavar="FOLDER",
        help="also write segments.jsonl and system.json there",
    )
    parser.add_argument(
        "--title", metavar="TEXT", default="", help="the title of the HTML page"
    )
    parser.add_argument(
        "-f", "--format", choices=_FORMATS, default="text", help="(default: text)"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not stdout"
    )
    flags.add_run(parser)


# ------------------------------------------------------------------------- writing


def write(evaluation: Evaluation, options: Report) -> None:
    """Write an evaluation in the chosen format."""
    inputs.remark_notes(options, evaluation.notes)
    note_result(lambda: evaluation.to_json(records=options.segments))
    if (hopeless := evaluation.hopeless()) is not None:
        remark(options, hopeless.explain(unit="segment", option="--resamples"))
    if options.save is not None:
        evaluation.save(options.save)
        remark(options, f"wrote segments.jsonl and system.json to {options.save}")
    if options.format == "html":
        from tertium.report.grammar.page import grammar_page

        emit(grammar_page(evaluation, title=options.title), options.output)
        if options.output is not None:
            remark(options, f"the report is in {options.output}")
    elif options.format == "json":
        emit_json(evaluation.to_json(records=options.segments), options.output)
    elif options.format == "tsv":
        from tertium.grammars.analysis import segments_tsv, systems_tsv

        rows = evaluation.segments
        emit(
            segments_tsv(rows) if options.segments else systems_tsv(evaluation),
            options.output,
        )
    else:
        _write_text(evaluation, options)


def _write_text(evaluation: Evaluation, options: Report) -> None:
    from tertium.report.tables.evaluation import evaluation_tables, outputs_text

    tables = evaluation_tables(evaluation)
    outputs = f"\n{outputs_text(evaluation)}" if options.segments else ""
    if options.output is None:
        render(tables, "table")
        emit(outputs, None)
    else:
        emit(as_text(tables, "table") + outputs, options.output)
