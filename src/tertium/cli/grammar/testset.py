# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar testset``: sources of templates, and files for systems."""

from __future__ import annotations

import os
from collections.abc import Sequence

from tertium._messages import count
from tertium._seed import SEED
from tertium.cli.grammar import inputs
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit

__all__ = ["testset"]

_ABOUT = """\
Choose source sentences that differ from each other, evenly over templates and their
variable sets, and write into a folder:
  testset.jsonl   the test set: id, template, set, source, constructions
  sources.txt     for systems that read and write one sentence a line
  sources.jsonl   for systems that read {"id", "source"} and write {"id",
                  "translation"}
Sources begin with a capital and end with a full stop, unless --plain is given. With
--all take every source, or N of each set, for `tertium grammar sensitivity`.
"""

_EXAMPLES = """\
  tertium grammar testset weather -n 100 -o run
  tertium grammar testset weather shop --threshold 0.5 --seed 1 -o run
  tertium grammar testset weather --all 50 -o near
  then translate run/sources.txt, and
  tertium grammar evaluate weather -t run/testset.jsonl -i A=a.txt
"""


def testset(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.grammars.exchange import write_for_systems, write_sources
    from tertium.grammars.selection import Choice, select_sources, whole_sources

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
        help="the least distance of two sentences of a set: token edits / longer "
        "length (default: %(default)s)",
    )
    parser.add_argument(
        "--all",
        type=flags.number(1),
        nargs="?",
        const=0,
        metavar="N",
        help="instead every source, or N of each variable set drawn uniformly",
    )
    parser.add_argument(
        "--plain", action="store_true", help="sources as the grammar has them"
    )
    parser.add_argument(
        "--seed", type=flags.number(0), default=SEED, help=f"(default: {SEED})"
    )
    parser.add_argument(
        "--people",
        action="store_true",
        help="also write instructions.txt for people who translate, to compare them "
        "with systems (`tertium grammar evaluate --human`)",
    )
    inputs.add_outside(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    args = parser.parse_args(argv)
    style = "plain" if args.plain else "sentence"
    choice = Choice(args.threshold, args.seed, style)
    templates = inputs.load_templates(args.names, args)
    if args.all is not None:
        found = whole_sources(
            templates, size=args.all or None, seed=args.seed, style=style
        )
    else:
        found = select_sources(templates, args.size, choice)
    inputs.in_folder(args.output)
    write_sources(os.path.join(args.output, "testset.jsonl"), found)
    for name in ("sources.txt", "sources.jsonl"):
        write_for_systems(os.path.join(args.output, name), found)
    if args.people:
        from tertium.grammars.analysis.humans import INSTRUCTIONS

        emit(INSTRUCTIONS, os.path.join(args.output, "instructions.txt"))
    sets = len({(own.template, own.set) for own in found})
    remark(
        args,
        f"wrote {count(len(found), 'sentence')} of "
        f"{count(sets, 'variable set')} of "
        f"{count(len(templates), 'template')} to {args.output}",
    )
    if args.all is None and len(found) < args.size:
        remark(
            args,
            f"there are no more than {len(found):,} that differ by "
            f"{args.threshold:g}; lower --threshold for {args.size:,}",
        )
    return 0
