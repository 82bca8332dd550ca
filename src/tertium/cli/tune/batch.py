# SPDX-License-Identifier: Apache-2.0
"""``tertium tune batch``: weights from n-best lists."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.nbest.files import FORMATS_HELP, Files, add_files, stream
from tertium.cli.shared import flags
from tertium.cli.shared.executors import threads_of, working
from tertium.cli.shared.parsers import note_result
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_notes
from tertium.cli.shared.render import emit, render
from tertium.cli.shared.values import Output, Place, Run, frozen, parse
from tertium.cli.tune.settings import Settings, add_settings, note_tuning

if TYPE_CHECKING:
    from tertium.tuning.results import Tuned

__all__ = ["Options", "batch"]

_ABOUT = """\
Tune the weights of a decoder on n-best lists, for any metric: find weights under which
the best hypotheses of the lists score high together. Errors are minimised.
"""

_EXAMPLES = f"""\
  tertium tune batch -n list.nbest.gz -r ref.txt -m bleu --method mert --seed 1
  tertium tune batch -n run1.nbest run2.nbest -r ref.txt -m ter --seeds 3
  tertium tune batch -n list.nbest -r ref.txt --start moses.ini -o weights.ini
  tertium tune batch -n list.jsonl -m "mean:bleu*0.5+chrf*0.5" --method mira -f json
  tertium tune batch -n list.nbest -r ref.txt --seeds 16 --cluster local:8

methods:
  mert  minimum error rate training (Och 2003): exact line searches, restarts
  pro   pairwise ranking optimisation (Hopkins and May 2011): logistic regression
  mira  kb-MIRA (Cherry and Foster 2012): hope and fear, pseudo-corpus

{FORMATS_HELP}
Without --start, the search begins at the weights that reproduce the scores in the
lists, or at equal ones. Absolute values of weights sum to 1. -o writes weights alone:
JSON if the name ends in .json, otherwise the section [weight] of moses.ini. Ctrl-C
writes the best so far and ends with exit code 130.

The JSON has one object: {{"tertium", "method", "metric", "higher_is_better",
"settings", "lists", "hypotheses", "start": POINT, "final": POINT, "runs": [{{"seed",
"steps", ..POINT}}], "spread": {{"mean", "deviation", "lowest", "highest"}},
"interrupted", "notes": [{{"code", "text"}}]}}; a POINT has "score", "weights":
{{FEATURE: WEIGHT}} and "length_ratio". "final" is the best run on these lists.
"""


@frozen
class Options(Output, Place, Run, Files, Settings):
    """The options of the action."""

    metric: str
    method: str
    seeds: int
    start: str | None


def batch(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium._files import check_place
    from tertium.tuning.results import TuningInterrupted

    options = parse(_parser(), argv, Options)
    if options.output is not None:
        check_place(options.output)
    try:
        tuned = _tune(options)
    except TuningInterrupted as stop:
        _write(options, stop.best)
        remark(options, "interrupted; these are the best weights so far")
        return 130
    _write(options, tuned)
    return 0


def _tune(options: Options) -> Tuned:
    from tertium.tuning.lists import number_of_references
    from tertium.tuning.tune import tune
    from tertium.tuning.weights import read_weights

    start = None if options.start is None else read_weights(options.start)
    lists = list(stream(options))
    note_tuning(
        options.metric,
        options.method,
        nrefs=number_of_references(lists),
        lists=len(lists),
    )
    with working(options), Progress(quiet=options.quiet) as progress:
        return tune(
            lists,
            metric=options.metric,
            method=options.method,
            start=start,
            seeds=options.seeds,
            seed=options.seed,
            threads=threads_of(options, options.threads),
            progress=progress.phase,
            **options.chosen,
        )


def _write(options: Options, tuned: Tuned) -> None:
    """Write weights to their file, and scores to standard output."""
    remark_notes(options, tuned)
    final = tuned.final
    if options.output is not None:
        as_json = options.output.lower().endswith(".json")
        emit(
            json.dumps(dict(final.weights), ensure_ascii=False, indent=2)
            if as_json
            else final.to_moses(),
            options.output,
        )
    note_result(tuned.to_json)
    if options.format == "json":
        emit(tuned.to_json(), None)
        return
    from tertium.report.tables.tuning import tuning_tables

    render(tuning_tables(tuned, options.style), options.format)


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("tune batch", _ABOUT, _EXAMPLES)
    add_files(parser)
    parser.add_argument(
        "-m",
        "--metric",
        default="bleu",
        metavar="SPEC",
        help="what to tune for (default: bleu; all: `tertium metrics`)",
    )
    parser.add_argument(
        "--method",
        choices=("mert", "pro", "mira"),
        default="mert",
        help="(default: mert)",
    )
    parser.add_argument(
        "--start",
        metavar="FILE",
        help="weights to begin with: JSON, or lines NAME= NUMBER as in moses.ini",
    )
    parser.add_argument(
        "--seeds",
        type=flags.number(1, 10**4),
        default=1,
        metavar="N",
        help="runs with the seeds --seed, --seed + 1 and so on; the spread shows how "
        "much is chance (default: 1)",
    )
    add_settings(parser)
    flags.add_run(parser)
    flags.add_place(parser)
    flags.add_output(parser)
    return parser
