# SPDX-License-Identifier: Apache-2.0
"""``tertium nbest stats``: sizes, lengths, diversity and features of n-best lists."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.cli.nbest.files import Files, add_files, stream
from tertium.cli.nbest.oracle import add_search, remark_interrupted
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.render import write_result
from tertium.cli.shared.values import Output, Run, frozen, parse

if TYPE_CHECKING:
    from tertium.tuning.lists import NBestList

__all__ = ["Options", "stats"]

_ABOUT = """\
Describe n-best lists: how many and how large they are, how long their hypotheses, how
diverse, what their features do, and what the first hypotheses lose against the best
ones by a metric. Without a metric, lists of any size are read in little memory.
"""

_EXAMPLES = """\
  tertium nbest stats -n list.nbest.gz
  tertium nbest stats -n list.nbest.gz -r ref.txt -m bleu
  tertium nbest stats -n samples.jsonl --pairs 100 -f json

Distinct n-grams are different n-grams per n-gram of a list (the mean of lists).
Similarity is the mean chrF of two hypotheses of a list, in a random sample of pairs.

The JSON has one object: {"tertium", "lists", "hypotheses", "distinct", "duplicates",
"size_min", "size_median", "size_mean", "size_max", "words", "references",
"length_ratio", "first_length_ratio", "distinct_ngrams": [for n = 1, 2, 3, 4],
"similarity", "pairs", "seed", "scored", "features": [{"name", "mean", "deviation",
"low", "high", "varying"}], "oracle": null or the object of `tertium nbest oracle`}.
"""


@frozen
class Options(Output, Run, Files):
    """The options of the action."""

    metric: str | None
    pairs: int
    restarts: int


def stats(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = parse(_parser(), argv, Options)
    from tertium.metrics import metric
    from tertium.tuning.description import describe

    loaded = None if options.metric is None else metric(options.metric)
    with Progress(quiet=options.quiet) as progress:
        lists: Iterable[NBestList] = stream(options)
        if loaded is not None:
            lists = list(lists)
        result = describe(
            lists,
            pairs=options.pairs,
            seed=options.seed,
            threads=options.threads,
            progress=progress.phase,
        )
        if loaded is not None:
            from tertium.tuning.oracle import oracle

            best_and_worst = oracle(
                list(lists),
                loaded,
                restarts=options.restarts,
                seed=options.seed,
                threads=options.threads,
                progress=progress.phase,
            )
            result = replace(result, oracle=best_and_worst)
    from tertium.report.tables.nbest import description_tables

    write_result(
        options, result.to_json, lambda: description_tables(result, options.style)
    )
    return 0 if result.oracle is None else remark_interrupted(options, result.oracle)


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("nbest stats", _ABOUT, _EXAMPLES)
    add_files(parser)
    parser.add_argument(
        "-m",
        "--metric",
        metavar="SPEC",
        help="also find the best and the worst by this metric (default: none)",
    )
    parser.add_argument(
        "--pairs",
        type=flags.number(1, 10**6),
        default=10,
        metavar="N",
        help="pairs sampled per list for their similarity (default: 10)",
    )
    add_search(parser)
    flags.add_run(parser)
    flags.add_output(parser)
    return parser
