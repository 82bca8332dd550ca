# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar testset``: sources of templates, and files for systems."""

from __future__ import annotations

from collections.abc import Sequence

from tertium._messages import count
from tertium.cli.grammar import inputs
from tertium.cli.shared import flags, values
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import frozen

__all__ = ["testset"]

_ABOUT = """\
Choose source sentences that differ from each other, evenly over templates and their
variable sets, and write into a folder:
  testset.jsonl   the test set: id, template, set, source, constructions
  sources.txt     for systems that read and write one sentence per line
  sources.jsonl   for systems that read {"id", "source"} and write {"id",
                  "translation"}
Sources begin with a capital letter and end with a full stop, unless --plain is given.
With --all take every source, or N of each set, for `tertium grammar sensitivity`.
"""

_EXAMPLES = """\
  tertium grammar testset weather -n 100 -o run
  tertium grammar testset weather shop --threshold 0.5 --seed 1 -o run
  tertium grammar testset weather --all 50 -o near
  then translate run/sources.txt, and
  tertium grammar evaluate weather -t run/testset.jsonl -i A=a.txt
"""


@frozen
class Options(inputs.Outside, values.Remarks):
    """The options of the action."""

    names: list[str]
    output: str
    size: int
    threshold: float
    all: int | None
    plain: bool
    seed: int
    people: bool


def testset(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.grammars.sets.selection import make_testset

    parser = flags.parser("grammar testset", _ABOUT, _EXAMPLES)
    parser.add_argument("names", nargs="+", metavar="TEMPLATE")
    parser.add_argument("-o", "--output", metavar="FOLDER", required=True)
    parser.add_argument(
        "-n",
        "--size",
        type=flags.number(1),
        default=100,
        metavar="N",
        help="how many sentences (default: %(default)s)",
    )
    parser.add_argument(
        "--threshold",
        type=float,
        default=0.3,
        metavar="D",
        help="the minimum distance between two sentences of a set: token edits / "
        "longer length (default: %(default)s)",
    )
    parser.add_argument(
        "--all",
        type=flags.number(1),
        nargs="?",
        const=0,
        metavar="N",
        help="instead every source, or N of each variable set sampled uniformly",
    )
    flags.add_switch(parser, "--plain", help="sources as the grammar has them")
    inputs.add_seed(parser)
    flags.add_switch(
        parser,
        "--people",
        help="also write instructions.txt for human translators, to compare them "
        "with systems (`tertium grammar evaluate --human`)",
    )
    inputs.add_outside(parser)
    inputs.add_quiet(parser)
    options = values.parse(parser, argv, Options)
    selection = make_testset(
        options.names,
        size=options.size,
        threshold=options.threshold,
        all=options.all,
        plain=options.plain,
        seed=options.seed,
        allow_outside=options.allow_outside,
    )
    selection.write(options.output, people=options.people)
    chosen = len(selection.sentences)
    remark(
        options,
        f"wrote {count(chosen, 'sentence')} of "
        f"{count(selection.sets, 'variable set')} of "
        f"{count(selection.templates, 'template')} to {options.output}",
    )
    if selection.requested is not None and chosen < selection.requested:
        remark(
            options,
            f"only {chosen:,} sentences differ by {options.threshold:g}; lower "
            f"--threshold for {selection.requested:,}",
        )
    return 0
