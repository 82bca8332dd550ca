# SPDX-License-Identifier: Apache-2.0
"""``tertium tune run``: tunes a decoder that is run again and again."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tertium.cli.shared import flags
from tertium.cli.shared.executors import threads_of, working
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import write_result
from tertium.cli.shared.values import Output, Place, Run, frozen, parse
from tertium.cli.tune.settings import Settings, add_settings, note_tuning

if TYPE_CHECKING:
    from tertium.tuning.decoding.results import DecoderRun

__all__ = ["run"]

_ABOUT = """\
Tune the weights of a decoder that is run again and again: write weights, decode, merge
the n-best list with all before, tune, decode again. Everything is kept in a folder, so
the same command goes on where a run was interrupted or killed.
"""

_EXAMPLES = """\
  tertium tune run --decoder "decode.sh {weights} {nbest}" -r dev.en \\
      --start weights.json --folder run
  tertium tune run --decoder "moses -f moses.ini -weight-file {weights} \\
      -n-best-list {nbest} 100 < dev.de" -r dev.en --start weights.json --folder run
  tertium tune run --decoder "./decode {source} {weights} {nbest}" -s dev.de \\
      -r dev.en -m chrf --start weights.json --folder run --iterations 25

The decoder is a shell command. It reads {weights}, a JSON object with a weight for
every feature, and writes {nbest}, a list in the format of Moses or JSONL; {iteration}
is a number from 0 on, and {source} the file of -s. Iteration 0 decodes with the start
weights.

The folder has log.jsonl (one line per iteration), weights.json (the best so far: those
whose decoder output scored best), run.html (the course of the run), and the list,
weights and messages of the decoder in iteration-00 and so on. More --iterations may be
given to a run that has ended.

The JSON is {"settings", "higher_is_better", "start": {"iteration", "score",
"length_ratio", "weights": {FEATURE: WEIGHT}}, "final": {the same}, "stopped",
"iterations": [{"number", "weights", "score", "length_ratio", "hit_rate", "hypotheses",
"new", "predicted", "tuned", "change"}]}; the lines of log.jsonl are its iterations.
"stopped" is no-new-hypotheses, converged, no-gain, iterations or, after Ctrl-C,
running. Unknown values are null.
"""


@frozen
class Options(Output, Place, Run, Settings):
    """The options of the action."""

    decoder: str
    references: Sequence[str]
    source: str | None
    metric: str
    method: str
    start: str
    folder: str
    step: float
    iterations: int
    tolerance: float
    early_stop: int | None


def run(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = parse(_parser(), argv, Options)
    try:
        result = _tune(options)
    except KeyboardInterrupt:
        return _interrupted(options)
    _write(options, result)
    remark(
        options,
        f"the best weights are in {Path(options.folder, 'weights.json')}, the course "
        f"of the run in {Path(options.folder, 'run.html')}",
    )
    return 0


def _tune(options: Options) -> DecoderRun:
    from tertium.tuning.decoding.loop import tune_decoder
    from tertium.tuning.reading import read_texts
    from tertium.tuning.weights import read_weights

    note_tuning(options.metric, options.method, nrefs=str(len(options.references)))
    with working(options), Progress(quiet=options.quiet) as progress:

        def watch(run: DecoderRun) -> None:
            _draw(options, run)
            row = run.iterations[-1]
            remark(
                options,
                f"iteration {row.number}: {options.metric} {row.score:.4f}, length "
                f"ratio {row.length_ratio:.3f}, new hypotheses: {row.new:,}",
            )

        return tune_decoder(
            options.decoder,
            read_texts(options.references),
            folder=options.folder,
            start=read_weights(options.start),
            metric=options.metric,
            method=options.method,
            source=options.source,
            options=options.chosen,
            step=options.step,
            iterations=options.iterations,
            tolerance=options.tolerance,
            early_stop=options.early_stop,
            seed=options.seed,
            threads=threads_of(options, options.threads),
            progress=progress.phase,
            watch=watch,
        )


def _interrupted(options: Options) -> int:
    """Show the best so far, and say how to go on."""
    from tertium.errors import InputError
    from tertium.tuning.decoding.loop import read_run

    try:
        result = read_run(options.folder)
    except InputError:
        raise KeyboardInterrupt from None  # Nothing is finished yet.
    _write(options, result)
    remark(
        options,
        f"interrupted; the best weights so far are in "
        f"{Path(options.folder, 'weights.json')}; the same command goes on from there",
    )
    return 130


def _write(options: Options, result: DecoderRun) -> None:
    from tertium.report.tables.decoding import run_tables

    write_result(options, result.to_json, lambda: run_tables(result, options.style))


def _draw(options: Options, result: DecoderRun) -> None:
    from tertium._files import replace_file
    from tertium.report.tuning.page import run_page

    with replace_file(Path(options.folder, "run.html")) as file:
        file.write(run_page(result).encode())


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("tune run", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "--decoder",
        required=True,
        metavar="CMD",
        help="a shell command with {weights} and {nbest}",
    )
    parser.add_argument(
        "-r",
        "--references",
        nargs="+",
        required=True,
        metavar="FILE",
        help="one file per reference, one line per segment",
    )
    parser.add_argument("-s", "--source", metavar="FILE", help="for {source}")
    parser.add_argument(
        "-m",
        "--metric",
        default="bleu",
        metavar="SPEC",
        help="what to tune for: name or name:key=value,key=value (default: bleu; all: "
        "`tertium metrics`)",
    )
    parser.add_argument(
        "--method",
        choices=("mert", "pro", "mira"),
        default="mert",
        help="how to tune (default: mert)",
    )
    parser.add_argument(
        "--start",
        required=True,
        metavar="FILE",
        help="the first weights, one per feature",
    )
    parser.add_argument(
        "--folder",
        required=True,
        metavar="RUN",
        help="where the run lives; an unfinished run goes on there",
    )
    parser.add_argument(
        "--step",
        type=float,
        default=1.0,
        metavar="X",
        help="how far to go from the weights of an iteration to the tuned ones "
        "(default: 1; less is steadier where lists are short)",
    )
    parser.add_argument(
        "--iterations",
        type=flags.number(1, 10**4),
        default=15,
        metavar="N",
        help="tune so many times at most (default: 15)",
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        default=1e-4,
        metavar="X",
        help="stop when no weight changes by more, where absolute weights add up to 1 "
        "(default: 0.0001)",
    )
    parser.add_argument(
        "--early-stop",
        type=flags.number(1, 10**4),
        metavar="N",
        help="stop when the score has not risen for N iterations (default: never)",
    )
    add_settings(parser)
    flags.add_run(parser)
    flags.add_place(parser)
    flags.add_output(parser)
    return parser
