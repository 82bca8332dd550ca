# SPDX-License-Identifier: Apache-2.0
"""The verb: options, the library call, and what is written."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tertium.cli.mbr.output import add_choice, read_lists, write_picks
from tertium.cli.mbr.scores import check_scores, with_scores
from tertium.cli.mbr.streaming import (
    Options,
    is_streamed,
    note_choice,
    remark_result,
    stream_picks,
)
from tertium.cli.shared import flags
from tertium.cli.shared.executors import threads_of, working
from tertium.cli.shared.parsers import note_result
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.render import render
from tertium.cli.shared.values import parse

if TYPE_CHECKING:
    from tertium.tuning.lists import NBestList
    from tertium.tuning.mbr import MbrList, MbrResult

__all__ = ["Options", "command"]

_ABOUT = """\
Choose the best hypothesis of each n-best list or set of samples by minimum Bayes risk:
the one with the best expected score against all others, by any metric. No references
are needed.
"""

_EXAMPLES = """\
  tertium mbr -n list.nbest.gz -m chrf -o best.txt
  tertium mbr -n samples.jsonl -m chrf bleu --top 5 -o best.tsv
  tertium mbr -n samples.jsonl -m mean:chrf*2+bleu -f json
  tertium mbr -n beam.jsonl --references samples.jsonl -m chrf
  tertium mbr -n moses.nbest --utility-weights logprob --scale 0.5
  tertium mbr -n large.jsonl -m chrf --aggregate
  tertium mbr -n samples.jsonl -m meteor --prune 0.01
  tertium mbr -n samples.jsonl -m chrf --scores cometkiwi.txt --keep 20
  tertium mbr -n sample-shards -m chrf -o best --rows-per-shard 100000
  tertium mbr -n samples.jsonl -m beer --cluster tcp://head:8786 --checkpoint chunks

A line of JSONL is {"id", "src", "refs", "hyps": [{"text", "features": {..}, "score"}]};
only "id" and "hyps" with texts are needed.

Several metrics are averaged on a scale from 0 to 100. BLEU is that of single sentences
(effective_order=yes). Of equal utilities the first hypothesis wins. Metrics over
n-grams (bleu, chrf) count each text once: they are fast without --aggregate, too.

A folder of JSONL shards (`tertium nbest convert --rows-per-shard`) is read list by list
if the output is text, or with --rows-per-shard a folder of shards: a test set with the
system `mbr`, and sources and references where the lists have them. Memory does not grow
with the lists then, apart from some 60 bytes for each id.

Ctrl-C keeps what was chosen so far as FILE.partial.tsv beside the file of -o, unless
lists are read one by one.

The JSON is {"tertium", "metrics": {SPEC: {"signature", "higher_is_better", "weight"}},
"method": "pairwise" | "aggregate" | "pruned", "utility_weights", "scale", "prune",
"seed", "pairs", "all_pairs", "lists": [{"id", "hypotheses", "references", "best":
[{"index", "text", "utility", "scores": {SPEC: X}}]}], "notes"}, lists in the order of
the file, the best first. "index" counts from 0; "pairs" of distinct texts were scored.
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = parse(_parser(), argv, Options)
    streamed = is_streamed(options)
    check_scores(options, streamed=streamed)
    if streamed:
        return stream_picks(options)
    lists, shortlist = with_scores(options, read_lists(options, options.nbest))
    references = None
    if options.references is not None:
        references = read_lists(options, options.references)
    done: list[MbrList] = []

    def keep(chosen: MbrList) -> None:
        placed = shortlist.placed(len(done), chosen) if shortlist else chosen
        done.append(placed)

    try:
        if shortlist is None:
            result = _choose(options, lists, references, keep)
        else:
            result = _choose(options, shortlist.lists, references or lists, keep)
            result = shortlist.restored(result)
    except KeyboardInterrupt:
        return _interrupted(options, done, len(lists))
    remark_result(options, result)
    note_result(result.to_json)
    note_choice(result, len(result.lists))
    from tertium.report.tables.mbr import mbr_tables

    write_picks(options, result, lambda: mbr_tables(result.lists, options.style))
    return 0


def _choose(
    options: Options,
    lists: Sequence[NBestList],
    references: Sequence[NBestList] | None,
    on_list: Callable[[MbrList], None],
) -> MbrResult:
    from tertium.tuning.mbr import mbr

    with working(options), Progress("lists", quiet=options.quiet) as progress:
        return mbr(
            lists,
            options.metrics,
            references=references,
            utility_weights=options.utility_weights,
            scale=options.scale,
            top=options.top,
            aggregate=options.aggregate,
            prune=options.prune,
            seed=options.seed,
            threads=threads_of(options, options.threads),
            progress=progress,
            on_list=on_list,
        )


def _interrupted(options: Options, done: Sequence[MbrList], total: int) -> int:
    """Keep what was chosen so far beside the output, with the ids of the lists.

    The output itself has one line per list, or does not appear.
    """
    if options.output in (None, "-", "/dev/stdout") or not done:
        raise KeyboardInterrupt
    from tertium.report.tables.mbr import mbr_tables
    from tertium.report.tables.style import Style

    path = f"{options.output}.partial.tsv"
    render(mbr_tables(done, Style("tsv")), "tsv", output=path)
    message = f"interrupted after {len(done):,} of {total:,} lists: see {path}"
    sys.stderr.write(f"tertium: {message}\n")
    return 130


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("mbr", _ABOUT, _EXAMPLES)
    add_choice(parser)
    flags.add_metrics(parser, ("chrf",))
    parser.add_argument(
        "--references",
        nargs="+",
        metavar="LIST",
        help="lists of pseudo-references with the same ids (default: the lists)",
    )
    parser.add_argument(
        "--scores",
        nargs="+",
        action="extend",
        default=[],
        metavar="[NAME=]FILE",
        help="a score for each hypothesis by another program, such as CometKiwi: one "
        "number per line, or output of COMET or MetricX, in the order of the lists",
    )
    parser.add_argument(
        "--keep",
        type=flags.number(1),
        metavar="N",
        help="choose among the N hypotheses of each list with the best --scores; all "
        "stay pseudo-references",
    )
    flags.add_directions(parser, "names")
    parser.add_argument(
        "--utility-weights",
        default="uniform",
        metavar="HOW",
        help="how probable pseudo-references are: uniform (default; for samples), "
        "logprob (from scores of the list) or a feature, both as log-probabilities",
    )
    parser.add_argument(
        "--scale",
        type=float,
        default=1.0,
        metavar="X",
        help="multiply log-probabilities by X: below 1 makes weights more equal "
        "(default: 1)",
    )
    flags.add_switch(
        parser,
        "--aggregate",
        help="score against expected n-gram counts, in linear time: an approximation, "
        "for bleu and chrf",
    )
    parser.add_argument(
        "--prune",
        type=float,
        metavar="ERROR",
        help="drop hypotheses early that will not win, with this accepted chance per "
        "list of dropping the best, such as 0.01: for metrics that take long",
    )
    flags.add_shards(parser, "write a folder of shards with N choices each")
    flags.add_run(parser)
    flags.add_place(parser)
    return parser
