# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar coverage``: human translations that the grammar rejects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.grammar import inputs
from tertium.cli.shared import flags, values
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.render import write_result
from tertium.cli.shared.values import frozen

if TYPE_CHECKING:
    pass

__all__ = ["coverage"]

_ABOUT = """\
Read correct translations by people who have not seen the grammar, and list what it
rejects: grouped by the edit that leads to the nearest accepted sentence, with that
sentence and a proposal. Edits that alone keep out the most translations come first.
The share of accepted translations estimates the recall of the grammar. Whether to add
something, or whether the translation is wrong, is for you to decide.
"""

_EXAMPLES = """\
  tertium grammar coverage weather -t run/testset.jsonl -i Ann=ann.txt Bob=bob.jsonl
  tertium grammar coverage weather --sentences heard.txt
  tertium grammar coverage --references segments.refs -i ann.txt --analyser voikko

--sentences takes one sentence per line, for one template, optionally preceded by the
variable set and a tab. Without a variable set, the nearest one counts.
The JSON has {"tertium": VERSION, "analyser", "total": {"accepted", "total", "share"},
"templates": {ID: ..}, "people": {NAME: ..}, "causes": [{"template", "kind", "hyp",
"ref", "alone", "proposal", "rejected": [place in "rejected"]}], "rejected": [{"by",
"id", "template", "set", "text", "nearest", "correction", "cost", "constructions"}]}.
"""


@frozen
class Options(inputs.EvaluationInput, inputs.EditModel, values.Output, values.Run):
    """The options of the action."""

    systems: list[str] | None
    sentences: str | None
    top: int


def coverage(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.grammars.authoring.coverage import measure_coverage

    parser = flags.parser("grammar coverage", _ABOUT, _EXAMPLES)
    inputs.add_evaluation_input(parser)
    inputs.add_systems(parser, "human translations", required=False)
    parser.add_argument(
        "--sentences", metavar="FILE", help="instead of -t and -i: a list of sentences"
    )
    inputs.add_edit_model(parser)
    parser.add_argument(
        "--top",
        type=flags.number(1),
        default=20,
        metavar="N",
        help="how many causes to list (default: %(default)s)",
    )
    flags.add_run(parser)
    flags.add_output(parser)
    options = values.parse(parser, argv, Options)
    with Progress("translations", quiet=options.quiet) as progress:
        result = measure_coverage(
            None if options.systems is None else flags.named_files(options.systems),
            options.names,
            sentences=options.sentences,
            references=options.references,
            testset=options.testset,
            target=options.target,
            input_format=options.input_format,
            analyser=options.analyser,
            costs=options.costs,
            allow_commands=options.allow_commands,
            allow_outside=options.allow_outside,
            threads=options.threads,
            progress=progress,
        )
    inputs.remark_notes(options, result.notes)
    from tertium.report.tables.grammars import coverage_tables

    write_result(
        options,
        result.to_json,
        lambda: coverage_tables(
            result, options.style, top=options.top, more="; --top shows more"
        ),
    )
    return 0
