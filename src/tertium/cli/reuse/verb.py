# SPDX-License-Identifier: Apache-2.0
"""``tertium reuse``: new systems scored from stored judgements."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._files import check_not_read
from tertium.cli.judgements.reading import add_judgements, read, remark_each
from tertium.cli.shared import flags
from tertium.cli.shared.parsers import note_facts, note_result
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_note
from tertium.cli.shared.render import emit, render
from tertium.cli.shared.values import Output, Run, frozen, parse
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements.reuse.results import Reuse

__all__ = ["Options", "command"]

_ABOUT = """\
Score systems that nobody judged, from stored judgements of other systems' outputs: of
the same outputs, of the closest ones, or by a model trained on the judged systems.
Rankings, ratings (DA, ESA, MQM scores) and error spans can be reused.
"""

_EXAMPLES = """\
  tertium reuse demo demo --leave-one-out
  tertium reuse store set.jsonl -i NEW=new.txt --by model --intervals
  tertium reuse store set.jsonl -i NEW=new.txt --by model --next 20 -f tsv
  tertium reuse store set.jsonl -i NEW=new.txt -f html -o new.html
  tertium reuse mqm.tsv wmt23 -l en-de --leave-one-out --by closest -f json

exact: only outputs that equal a judged one count. closest: an output gets what the
nearest judged outputs of its segment got, by character edit distance. Both are from
Macháček (2014). model: a model trained on the judged systems predicts outputs that
equal no judged one.

The JSON is {"by", "kind": rankings|ratings|spans, "scale", "langpair",
"leave_one_out", "systems": [{"system", "true", "predicted", "interval":
[low, high], "outputs", "hits", "hit_rate", "mean_distance", "worse", "equal", "better",
"by_distance": {DISTANCE: {"count", "worse", "equal", "better"}}, "scores": {SYSTEM:
score on the outputs used}}], "all": the same for all systems together, "judged":
{SYSTEM: score}, "accuracy": {"systems", "pearson", "mean_absolute_error", "bias",
"covered"}, "next": [{"system", "segment", "text", "gain", "interval"}], "notes"}; with
--segments every system also has "segments": [{"segment", "text", "hit", "distance",
"predicted", "true", "nearest": [{"systems", "text", "distance", "value"}], "spans":
[{"start", "end", "category", "severity", "system"}]}]. Unknown values are null.
"""


@frozen
class Options(Output, Run):
    """The options of the verb."""

    judgements: Sequence[str]
    testset: str
    systems: Sequence[str] | None
    only: Sequence[str]
    langpair: str | None
    scale: str | None
    by: str
    intervals: bool
    next: int | None
    leave_one_out: bool
    matrix: bool
    segments: bool


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = parse(_parser(), argv, Options)
    _check(options)
    testset = _read_testset(options)
    result = _reuse(options, testset)
    _remark(options, result)
    note_result(lambda: result.to_json(segments=options.segments))
    note_facts(systems=len(result.systems), methods=[f"judged-{result.by}"])
    if options.format == "json":
        emit(result.to_json(segments=options.segments), options.output)
    elif options.format == "html":
        emit(_page(options, result, testset), options.output)
    else:
        from tertium.report.tables.reuse import reuse_tables

        tables = reuse_tables(
            result, options.style, matrix=options.matrix, segments=options.segments
        )
        render(tables, options.format, output=options.output)
    return 0


def _check(options: Options) -> None:
    """Reject options that cannot be met, before anything that takes long."""
    if options.leave_one_out and options.systems:
        message = "--leave-one-out scores judged systems; omit it, or -i"
        raise InputError(message)
    if not options.leave_one_out and not options.systems:
        message = (
            "nothing to score; give outputs of a new system (-i NEW=new.txt), or "
            "--leave-one-out to see how well judged systems are predicted"
        )
        raise InputError(message)
    files = [path for _, path in flags.named_files(options.systems or ())]
    inputs = [*options.judgements, options.testset, *files]
    if options.output is not None:
        check_not_read(options.output, inputs)
    if options.format == "html":
        from tertium.report.draw.vega import altair

        altair()


def _read_testset(options: Options) -> Testset:
    from tertium.judgements.reuse.texts import read_judged_testset

    return read_judged_testset(
        options.testset,
        langpair=options.langpair,
        on_note=lambda note: remark_note(options, note),
    )


def _reuse(options: Options, testset: Testset) -> Reuse:
    from tertium.judgements.reuse.estimation import reuse
    from tertium.judgements.reuse.texts import read_new_systems

    files = flags.named_files(options.systems or ())
    systems = read_new_systems(files, testset, name=options.testset)
    judgements = read(options.judgements, options, only=options.only)
    with Progress(quiet=options.quiet) as progress:
        return reuse(
            judgements,
            testset,
            systems,
            by=options.by,
            intervals=options.intervals,
            next=options.next,
            leave_one_out=options.leave_one_out,
            scale=options.scale,
            langpair=options.langpair,
            segments=options.segments or options.format == "html",
            seed=options.seed,
            threads=options.threads,
            progress=progress.phase,
        )


def _page(options: Options, result: Reuse, testset: Testset) -> str:
    from tertium.report.reuse.page import reuse_page

    with Progress(quiet=options.quiet) as progress:
        return reuse_page(
            result, testset, digits=options.digits, progress=progress.phase
        )


def _remark(options: Options, result: Reuse) -> None:
    """Write notes to stderr; tables and pages show the caution themselves."""
    shown = options.format in ("table", "md", "latex", "html")
    remark_each(options, result.notes[1:] if shown else result.notes)
    missing = [each.system for each in result.systems if each.interval is None]
    if missing and (options.intervals or options.next):
        remark(
            options,
            f"no interval for {', '.join(missing)}: too few systems were judged that "
            "are not copies of each other",
        )


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("reuse", _ABOUT, _EXAMPLES)
    add_judgements(parser)
    parser.add_argument(
        "testset",
        metavar="TESTSET",
        help="the test set that was judged, with the outputs of the judged systems: a "
        "file (.jsonl .tsv .csv .xlsx .parquet .xml), a folder made by `tertium "
        "convert`, in shards or not, or of mt-metrics-eval, or `demo`",
    )
    parser.add_argument(
        "-i",
        "--systems",
        nargs="+",
        action="extend",
        metavar="[NAME=]FILE",
        help="outputs of new systems, one line per segment of the test set",
    )
    parser.add_argument(
        "-l",
        "--langpair",
        metavar="SRC-TRG",
        help="the language pair, where there are several",
    )
    parser.add_argument(
        "--scale",
        help="the scale of ratings, where there are several; MQM for error spans",
    )
    _add_estimates(parser)
    flags.add_run(parser)
    flags.add_output(parser)
    return parser


def _add_estimates(parser: argparse.ArgumentParser) -> None:
    """Add options on how systems are scored, and what is shown."""
    parser.add_argument(
        "--by",
        choices=("exact", "closest", "model"),
        default="closest",
        help="how to score an output that was not judged (default: closest)",
    )
    flags.add_switch(parser, "--intervals", help="add 95 %% intervals of scores")
    parser.add_argument(
        "--next",
        type=flags.number(1, 10**6),
        metavar="N",
        help="with --by model: a sample of N outputs to annotate, which shrinks the "
        "intervals",
    )
    flags.add_switch(
        parser,
        "--leave-one-out",
        help="score every judged system as if nobody had judged it, beside its judged "
        "score",
    )
    flags.add_switch(
        parser,
        "--matrix",
        help="show the scores of all systems on the outputs that each estimate uses",
    )
    flags.add_switch(
        parser,
        "--segments",
        help="show the prediction of every output, in JSON with the nearest judged "
        "outputs",
    )
