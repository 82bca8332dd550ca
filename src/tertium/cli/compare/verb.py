# SPDX-License-Identifier: Apache-2.0
"""``tertium compare``: which systems differ, and how sure that is."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.shared import flags
from tertium.cli.shared.layers import add_layers, check_layers
from tertium.cli.shared.mtme import add_mtme, settle_mtme
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_few, remark_mixed, remark_unproven
from tertium.cli.shared.render import emit, render
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset

__all__ = ["command"]

_ABOUT = """\
Compare all pairs of systems with a paired test, correct for the number of
pairs, and group systems into clusters that the test can tell apart.
"""

_EXAMPLES = """\
  tertium compare demo
  tertium compare -r ref.txt -i A=a.txt B=b.txt C=c.txt -m bleu chrf
  tertium compare newstest.jsonl --test randomisation --correction bh
  tertium compare -r ref.txt -i base.txt new.txt --baseline base
  tertium compare newstest.jsonl --by-document -f json -o result.json
  tertium compare --mtme wmt23 -l en-de -m bleu chrf
  tertium compare newstest.jsonl -f html -o report.html

More than six systems are compared in a matrix; --pairs lists the pairs. TSV, CSV and
JSON always have all pairs.
The JSON is that of `tertium score` and "run" (how it was done), "pairs" (a list of
{"metric", "a", "b", "delta", "interval", "p", "p_adjusted", "effect", "better"})
and "ranking" ({SPEC: [{"system", "cluster", "rank": [best, worst]}]}, best first).
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    args = _parse(argv)
    from tertium.cli.compare.tables import doubts, tables
    from tertium.engine.compare import compare
    from tertium.engine.inputs import as_metrics

    settle_mtme(args)
    check_layers(args, as_metrics(args.metrics))
    testset = flags.read_testset(args)
    _need_two(testset, args)
    with Progress(quiet=args.quiet) as progress:
        result = compare(
            testset,
            metrics=args.metrics,
            test=args.test,
            resamples=args.resamples,
            seed=args.seed,
            correction=args.correction,
            alpha=args.alpha,
            baseline=args.baseline,
            by_document=args.by_document,
            threads=args.threads,
            progress=progress.phase,
        )
    remark_mixed(args, result.scores.metrics)
    remark_unproven(args, result.scores)
    notes = doubts(result)
    for note in notes:
        remark(args, note)
    if args.test == "bootstrap":
        resamples = int(result.run["resamples"])
        remark_few(args, resamples, 1 - args.alpha, "--resamples")
    if args.format == "json":
        emit(result.to_json(), args.output)
    elif args.format == "html":
        from tertium.report.systems.page import compare_page

        order = flags.ordered(result.scores, args)
        said = [f"{note[0].upper()}{note[1:]}." for note in notes]
        page = compare_page(result, order, digits=args.digits, notes=said)
        emit(page, args.output)
    else:
        render(tables(result, args), args.format, output=args.output)
    return 0


def _need_two(testset: Testset, args: argparse.Namespace) -> None:
    """Raise an error that says where the second system goes, if there is none."""
    names = list(testset.systems)
    if len(names) > 1:
        return
    what = f"comparing needs two systems or more, not {len(names)}"
    if args.testset is None:
        raise InputError(f"{what}; give each with -i NAME=FILE")
    columns = [*names, *testset.layers]
    if len(columns) > 1:
        typed = " ".join(map(shlex.quote, columns))
        cure = f"choose from the columns of {args.testset}: --systems-columns {typed}"
    else:
        cure = f"add a column with another system to {args.testset}"
    raise InputError(f"{what}; {cure}")


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = flags.parser("compare", _ABOUT, _EXAMPLES)
    flags.add_input(parser)
    add_mtme(parser)
    flags.add_metrics(parser, ("bleu", "chrf", "ter"))
    parser.add_argument(
        "--test",
        choices=("bootstrap", "randomisation"),
        default="bootstrap",
        help="(default: bootstrap); randomisation is exact for few segments",
    )
    parser.add_argument(
        "--resamples",
        type=flags.number(1, 10**7),
        metavar="N",
        help="(default: 1000 for the bootstrap, 10000 for randomisation, and more for "
        "many pairs: so many that the smallest p-value after correction is at most a "
        "fifth of --alpha)",
    )
    parser.add_argument(
        "--correction",
        choices=("holm", "bh", "none"),
        default="holm",
        help="for the number of pairs: Holm (default), Benjamini-Hochberg, none",
    )
    parser.add_argument(
        "--alpha", type=float, default=0.05, metavar="P", help="(default: 0.05)"
    )
    parser.add_argument(
        "--baseline", metavar="NAME", help="compare with this system only"
    )
    parser.add_argument(
        "--by-document", action="store_true", help="resample whole documents"
    )
    parser.add_argument(
        "--pairs",
        action="store_true",
        help="list all pairs instead of a matrix, also for more than six systems",
    )
    flags.add_sort(parser)
    flags.add_run(parser)
    flags.add_output(parser)
    add_layers(parser)
    return parser.parse_args(argv)
