# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar annotate``: whether people edit where corrections edit."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.grammar import inputs
from tertium.cli.shared import flags, values
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import write_result
from tertium.cli.shared.values import frozen
from tertium.errors import UnknownNameError

if TYPE_CHECKING:
    pass

__all__ = ["annotate"]

_HELP = """\
usage: tertium grammar annotate items|compare ...

Ask people which words of outputs must change, and where one is missing, and compare
what they mark with what corrections edit.

steps:
  items    choose outputs with few edits, write them for a campaign
  compare  precision, recall and F of corrections, for each annotator and together

examples:
  tertium grammar annotate items weather -t run/testset.jsonl -i A=a.txt -o ask
  tertium campaign new ask/campaign.toml --task edits --items ask/items.jsonl
  tertium campaign load ask/campaign.toml && tertium campaign serve
  tertium campaign export NAME -o answers.jsonl
  tertium grammar annotate compare ask answers.jsonl
"""

_ABOUT_ITEMS = """\
Correct outputs and write those with few edits for annotators: items.jsonl, a test set
for `tertium campaign new --task edits`, and key.jsonl, which annotators do not see,
with the edits and the systems of each output. Equal outputs of a segment are one item.
"""

_ITEMS_EXAMPLES = """\
  tertium grammar annotate items weather -t run/testset.jsonl -i A=a.txt B=b.txt -o ask
  tertium grammar annotate items weather -t run/testset.jsonl -i A=a.txt -n 100 -o ask
  tertium grammar annotate items --references segments.refs -i a.txt --most 5 -o ask

then
  tertium campaign new ask/campaign.toml --task edits --items ask/items.jsonl
"""

_ABOUT_COMPARE = """\
Compare what annotators marked with what corrections edit: the share of edits that
were marked (precision), of marks that were edited (recall), and F; for each annotator,
for all together, and among annotators, which is the level that people reach.
If a person answered an item several times, the first answer counts.
"""

_COMPARE_EXAMPLES = """\
  tertium campaign export NAME -o answers.jsonl
  tertium grammar annotate compare ask answers.jsonl
  tertium grammar annotate compare ask answers.jsonl -f json

The JSON has {"tertium": VERSION, "items", "annotators": {NAME: SCORE}, "together":
SCORE, "among": SCORE}; SCORE is {"outputs", "right", "wrong", "missed", "precision",
"recall", "f"}, with null where nothing was edited or marked.
"""


@frozen
class ItemOptions(inputs.EvaluationInput, inputs.EditModel, values.Run):
    """The options of ``items``."""

    systems: list[str]
    most: int
    number: int | None
    output: str


@frozen
class CompareOptions(values.Output):
    """The options of ``compare``."""

    folder: str
    answers: str


def annotate(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    steps = {"items": _items, "compare": _compare}
    if not argv or argv[0] in ("-h", "--help"):
        sys.stdout.write(_HELP)
        if argv:
            raise SystemExit(0)
        return 2
    if argv[0] not in steps:
        raise UnknownNameError("step of tertium grammar annotate", argv[0], steps)
    return steps[argv[0]](argv[1:])


def _items(argv: Sequence[str]) -> int:
    from tertium.grammars.analysis.annotation import MOST
    from tertium.grammars.analysis.edit_study import ITEMS, choose_items

    parser = flags.parser("grammar annotate items", _ABOUT_ITEMS, _ITEMS_EXAMPLES)
    inputs.add_evaluation_input(parser)
    inputs.add_systems(parser, "outputs of systems")
    inputs.add_edit_model(parser)
    parser.add_argument(
        "--most",
        type=flags.number(0),
        default=MOST,
        metavar="N",
        help="leave out outputs with more edits: there are too many ways to correct "
        "them (default: %(default)s)",
    )
    parser.add_argument(
        "-n",
        "--number",
        type=flags.number(1),
        metavar="N",
        help="how many items to sample (default: all)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FOLDER", required=True, help="where files go"
    )
    flags.add_run(parser)
    options = values.parse(parser, argv, ItemOptions)
    with Progress("outputs", quiet=options.quiet) as progress:
        selection = choose_items(
            flags.named_files(options.systems),
            options.names,
            references=options.references,
            testset=options.testset,
            target=options.target,
            input_format=options.input_format,
            analyser=options.analyser,
            costs=options.costs,
            most=options.most,
            number=options.number,
            seed=options.seed,
            allow_commands=options.allow_commands,
            allow_outside=options.allow_outside,
            threads=options.threads,
            progress=progress,
        )
    inputs.remark_notes(options, selection.notes)
    selection.write(options.output)
    remark(
        options,
        f"wrote {count(len(selection.items), 'item')} to {options.output}; next: "
        f"tertium campaign new {os.path.join(options.output, 'campaign.toml')} --task "
        f"edits --items {os.path.join(options.output, ITEMS)}",
    )
    return 0


def _compare(argv: Sequence[str]) -> int:
    from tertium.grammars.analysis.edit_study import compare_answers

    parser = flags.parser("grammar annotate compare", _ABOUT_COMPARE, _COMPARE_EXAMPLES)
    parser.add_argument(
        "folder", metavar="FOLDER", help="where `annotate items` wrote its files"
    )
    parser.add_argument(
        "answers", metavar="ANSWERS.jsonl", help="what `tertium campaign export` wrote"
    )
    flags.add_output(parser)
    options = values.parse(parser, argv, CompareOptions)
    report = compare_answers(options.folder, options.answers)
    from tertium.report.tables.grammars import annotation_table

    write_result(
        options, report.to_json, lambda: [annotation_table(report, options.style)]
    )
    return 0
