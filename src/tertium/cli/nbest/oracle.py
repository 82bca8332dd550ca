# SPDX-License-Identifier: Apache-2.0
"""``tertium nbest oracle``: the best and the worst selection by a metric."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.nbest.files import Files, add_files, stream
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import write_result
from tertium.cli.shared.values import Output, Remarks, Run, frozen, parse

if TYPE_CHECKING:
    from tertium.tuning.oracle import Oracle

__all__ = ["Options", "add_search", "oracle", "remark_interrupted"]

_ABOUT = """\
Find the best and the worst translations that n-best lists have: one hypothesis per
segment, by the score of all of them together. The search is exact for metrics that are
means of segments or ratios of sums, such as TER. For others, such as BLEU and chrF, it
is greedy with restarts, and a bound says how much better the best selection can be.
"""

_EXAMPLES = """\
  tertium nbest oracle -n list.nbest.gz -r ref.txt -m bleu
  tertium nbest oracle -n run1.nbest run2.nbest -r ref.txt -m ter -f json
  tertium nbest oracle -n samples.jsonl -m chrf --best best.txt --worst worst.txt

Bounds are proven. BLEU: the exact extremes of its factors, and a relaxation (tangents
of log matches) for every interval of the total length; chrF: the exact extremes of
precision and recall; interpolations: the bounds of their parts; others: their scale.

The JSON has one object: {"tertium", "metric", "signature", "higher_is_better",
"search": "exact" or "greedy", "lists", "hypotheses", "first", "best", "worst", "loss",
"restarts", "seed", "interrupted"}. "first", "best" and "worst" are {"score", "bound",
"places"}: "places" has the place of the hypothesis in every list, counted from 0;
"bound" is null if there is no finite one. "loss" is what the first hypotheses lose
against the best.
"""


@frozen
class Options(Output, Run, Files):
    """The options of the action."""

    metric: str
    restarts: int
    best: str | None
    worst: str | None


def oracle(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = parse(_parser(), argv, Options)
    from tertium._files import check_place
    from tertium.data.lines import write_lines
    from tertium.metrics import metric
    from tertium.tuning.oracle import oracle as find

    loaded = metric(options.metric)  # A wrong one is an error before long work.
    places = [(options.best, "best"), (options.worst, "worst")]
    for path, _ in places:
        if path is not None:
            check_place(path)
    lists = list(stream(options))
    with Progress(quiet=options.quiet) as progress:
        result = find(
            lists,
            loaded,
            restarts=options.restarts,
            seed=options.seed,
            threads=options.threads,
            progress=progress.phase,
        )
    for path, name in places:
        if path is not None:
            chosen = getattr(result, name).places
            hyps = [made.texts[i] for made, i in zip(lists, chosen, strict=True)]
            write_lines(path, hyps)
    from tertium.report.tables.nbest import oracle_table

    write_result(options, result.to_json, lambda: [oracle_table(result, options.style)])
    return remark_interrupted(options, result)


def remark_interrupted(options: Remarks, result: Oracle) -> int:
    """Remark that Ctrl-C ended a search, if it did, and return the exit code."""
    if not result.interrupted:
        return 0
    remark(options, "interrupted; these are the best and the worst until then")
    return 130


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("nbest oracle", _ABOUT, _EXAMPLES)
    add_files(parser)
    parser.add_argument(
        "-m",
        "--metric",
        default="bleu",
        metavar="SPEC",
        help="name or name:key=value,key=value (default: bleu; all: `tertium metrics`)",
    )
    add_search(parser)
    parser.add_argument(
        "--best", metavar="FILE", help="write the best hypotheses there"
    )
    parser.add_argument(
        "--worst", metavar="FILE", help="write the worst hypotheses there"
    )
    flags.add_run(parser)
    flags.add_output(parser)
    return parser


def add_search(parser: argparse.ArgumentParser) -> None:
    """Add the option of the greedy search."""
    parser.add_argument(
        "--restarts",
        type=flags.number(0, 10**6),
        default=8,
        metavar="N",
        help="random starts of the greedy search, besides three others (default: 8)",
    )
