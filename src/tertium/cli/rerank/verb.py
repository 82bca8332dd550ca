# SPDX-License-Identifier: Apache-2.0
"""The verb: options, the library call, and what is written."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from tertium.cli.mbr.output import Choice, add_choice, stream_lists, write_picks
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import frozen, parse
from tertium.errors import InputError

__all__ = ["Options", "command"]

_ABOUT = """\
Choose the best hypothesis of each n-best list by a weighted sum of features: those of
the list, its total score, and scores of quality estimation (QE) from files.
"""

_EXAMPLES = """\
  tertium rerank -n list.nbest.gz --feature lm -o best.txt
  tertium rerank -n list.nbest.gz -w lm=0.5 words=-0.2 score=1
  tertium rerank -n list.nbest.gz -w weights.txt --top 10 -o best.tsv
  tertium rerank -n samples.jsonl --qe comet=comet.txt -o best.txt
  tertium rerank -n samples.jsonl --qe comet=comet.txt -w comet=2 score=0.1
  tertium rerank -n list.nbest.gz --model tuned.json -f json

Without any of these options, the total score of the list decides. `score` is its name
among the features. Weights that are not set are 0, and 1 for scores of --qe. Files of
weights have lines NAME VALUE, or JSON. A model is the JSON of `tertium tune batch`.
Trained metrics need references: use them in `tertium mbr -m beer:model=MODEL.json`.

The JSON is {"tertium", "weights": {NAME: X}, "changed", "lists": [{"id", "hypotheses",
"best": [{"index", "text", "score"}]}]}, the best first; "changed" counts the lists
whose first text was not chosen, and "index" counts from 0.
"""


@frozen
class Options(Choice):
    """The options of the verb."""

    weights: Sequence[str] | None
    feature: Sequence[str] | None
    qe: Sequence[str] | None
    model: str | None


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = parse(_parser(), argv, Options)
    from tertium.data.kept import Kept
    from tertium.tuning.reranking import read_scores, rerank, stream_with_scores

    # Lists and choices stay on disk: nothing is written before all are made.
    lists = Kept(stream_lists(options, options.nbest))
    scores = {}
    for name, path in flags.named_files(options.qe or ()):
        if name in scores:
            message = f"two files of scores are called {name}; write NAME=FILE"
            raise InputError(message, options=("qe",))
        scores[name] = read_scores(path)
    if scores:
        lists = Kept(stream_with_scores(lists, scores))
    weights = _weights(options, list(scores))
    result = rerank(lists, weights, top=options.top, hold=Kept)
    remark(
        options,
        f"another than the first text was chosen in {result.changed:,} of "
        f"{len(result.lists):,} lists",
    )
    from tertium.report.tables.mbr import reranking_tables

    write_picks(options, result, lambda: reranking_tables(result, options.style))
    return 0


def _weights(options: Options, qe: Sequence[str]) -> dict[str, float] | None:
    """Return the weights that the options set, or None for the total score."""
    from tertium.tuning.weights import read_weights

    weights = dict.fromkeys((*qe, *(options.feature or ())), 1.0)
    if options.model is not None:
        weights.update(read_weights(options.model))
    for item in options.weights or ():
        name, equals, value = item.rpartition("=")
        if not equals or os.path.exists(item):
            weights.update(read_weights(item))
            continue
        try:
            weights[name] = float(value)
        except ValueError:
            message = f"{item!r} is not a weight; write NAME=VALUE, or give a file"
            raise InputError(message, options=("weights",)) from None
    return weights or None


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("rerank", _ABOUT, _EXAMPLES)
    add_choice(parser, digits=["--digits"])  # -w are weights
    parser.add_argument(
        "-w",
        "--weights",
        nargs="+",
        metavar="WEIGHT",
        help="weights of features: NAME=VALUE, or files",
    )
    parser.add_argument(
        "--feature", nargs="+", metavar="NAME", help="features with the weight 1"
    )
    parser.add_argument(
        "--qe",
        nargs="+",
        metavar="FILE",
        help="scores, one per hypothesis in the order of the lists: NAME=FILE or FILE",
    )
    parser.add_argument(
        "--model", metavar="FILE", help="the weights that `tertium tune` learnt (JSON)"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    return parser
