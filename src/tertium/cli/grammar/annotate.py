# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar annotate``: whether people edit where the search edits."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium._version import __version__
from tertium.cli.grammar import inputs
from tertium.cli.grammar.material import add_material, read_material
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import Table, emit, render
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.judgements.agreement.positions import PlaceReport, PlaceScore

__all__ = ["annotate"]

_ITEMS, _KEY = "items.jsonl", "key.jsonl"

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

_ABOUT_ITEMS = f"""\
Correct outputs and write those with few edits for annotators: {_ITEMS}, a test set for
`tertium campaign new --task edits`, and {_KEY} with what was edited and by whom each
output is, which annotators do not see. Equal outputs of a segment are one item.
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
for all together, and of annotators among each other, which is what a person reaches.
Of several answers of a person on one item the first counts.
"""

_COMPARE_EXAMPLES = """\
  tertium campaign export NAME -o answers.jsonl
  tertium grammar annotate compare ask answers.jsonl
  tertium grammar annotate compare ask answers.jsonl -f json

The JSON has {"tertium": VERSION, "items", "annotators": {NAME: SCORE}, "together":
SCORE, "among": SCORE}; SCORE is {"outputs", "right", "wrong", "missed", "precision",
"recall", "f"}, with null where nothing was edited or marked.
"""


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


# --------------------------------------------------------------------------- items


def _items(argv: Sequence[str]) -> int:
    from tertium.grammars.analysis import evaluate_outputs
    from tertium.grammars.analysis.annotation import (
        MOST,
        annotation_items,
        write_items,
        write_key,
    )

    parser = flags.parser("grammar annotate items", _ABOUT_ITEMS, _ITEMS_EXAMPLES)
    add_material(parser)
    inputs.add_outputs(parser, "outputs of systems")
    inputs.add_analyser(parser)
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
        help="how many items to draw (default: all)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FOLDER", required=True, help="where files go"
    )
    flags.add_run(parser)
    args = parser.parse_args(argv)
    material = read_material(args)
    systems = inputs.read_systems(args, material.segments)
    with Progress("outputs", quiet=args.quiet) as progress:
        found = evaluate_outputs(
            material.segments,
            systems,
            material.references,
            analyser=inputs.analyser_of(args, material.templates),
            costs=inputs.costs_of(args),
            resamples=0,
            seed=args.seed,
            moves=(),
            threads=args.threads,
            progress=progress,
        )
    items = annotation_items(
        found.segments, most=args.most, size=args.number, seed=args.seed
    )
    if not items:
        message = f"every output has more than {args.most} edits; raise --most"
        raise InputError(message)
    inputs.in_folder(args.output)
    write_items(items, os.path.join(args.output, _ITEMS))
    write_key(items, os.path.join(args.output, _KEY))
    remark(
        args,
        f"wrote {count(len(items), 'item')} to {args.output}; next: tertium "
        f"campaign new {os.path.join(args.output, 'campaign.toml')} --task edits "
        f"--items {os.path.join(args.output, _ITEMS)}",
    )
    return 0


# ------------------------------------------------------------------------- compare


def _compare(argv: Sequence[str]) -> int:
    from tertium.grammars.analysis.annotation import (
        compare_annotations,
        read_answers,
        read_items,
    )

    parser = flags.parser("grammar annotate compare", _ABOUT_COMPARE, _COMPARE_EXAMPLES)
    parser.add_argument(
        "folder", metavar="FOLDER", help="where `annotate items` wrote its files"
    )
    parser.add_argument(
        "answers", metavar="ANSWERS.jsonl", help="what `tertium campaign export` wrote"
    )
    flags.add_output(parser)
    args = parser.parse_args(argv)
    path = args.folder
    if os.path.isdir(path):
        path = os.path.join(path, _KEY)
    items = read_items(path)
    answers = read_answers(args.answers, items)
    if not answers:
        message = (
            f"{args.answers} has no answer on the items of {args.folder}; give the "
            "export of the campaign that was made from them"
        )
        raise InputError(message)
    _write(compare_annotations(items, answers), len(items), args)
    return 0


def _write(report: PlaceReport, items: int, args: argparse.Namespace) -> None:
    if args.format == "json":
        out = {
            "tertium": __version__,
            "items": items,
            "annotators": {
                name: _outline(own) for name, own in report.annotators.items()
            },
            "together": _outline(report.pooled),
            "among": _outline(report.among),
        }
        emit(json.dumps(out, ensure_ascii=False, indent=2), args.output)
        return
    digits = flags.digits(args)

    def show(value: float | None) -> str:
        if value is None:
            return "n/a"
        return (
            repr(value)
            if digits == -1
            else f"{value:.{3 if digits is None else digits}f}"
        )

    named = [*report.annotators.items(), ("together", report.pooled)]
    if report.pairs:
        named.append(("among each other", report.among))
    rows = [
        [
            name,
            str(own.segments),
            *(str(n) for n in (own.right, own.wrong, own.missed)),
            *(show(value) for value in (own.precision, own.recall, own.f)),
        ]
        for name, own in named
    ]
    head = ["annotator", "outputs", "right", "wrong", "missed"]
    head += ["precision", "recall", "F"]
    note = (
        f"{count(items, 'item')}; right: edited and marked, wrong: only "
        "edited, missed: only marked"
    )
    table = Table(head, rows, note=note, rules=[len(report.annotators)])
    render([table], args.format, output=args.output)


def _outline(own: PlaceScore) -> dict[str, object]:
    return {
        "outputs": own.segments,
        "right": own.right,
        "wrong": own.wrong,
        "missed": own.missed,
        "precision": own.precision,
        "recall": own.recall,
        "f": own.f,
    }
