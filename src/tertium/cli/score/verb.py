# SPDX-License-Identifier: Apache-2.0
"""``tertium score``: systems against references."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared import flags
from tertium.cli.shared.layers import add_layers, check_layers
from tertium.cli.shared.mtme import add_mtme, settle_mtme
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_few, remark_mixed, remark_unproven
from tertium.cli.shared.render import Table, emit, render
from tertium.cli.shared.tree_layer import tree_options
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.engine.results import ScoreTable

__all__ = ["command"]

_ABOUT = """\
Score systems against references. Long inputs are streamed: memory stays small
unless segment scores, document scores or intervals are asked for.
"""

_EXAMPLES = """\
  tertium score -r ref.txt -i out.txt
  tertium score -r ref1.txt ref2.txt -i A=a.txt B=b.txt -m bleu chrf++ ter
  tertium score newstest.tsv.gz -m bleu:tokenize=intl,lowercase=yes -f json
  tertium score demo -m bleu chrf --interval --documents
  tertium score -r ref.txt -i out.txt -m sentbleu --segments -f tsv
  tertium score -r ref.txt -i A=a.txt -m aligned-percentage --alignments A=a.links
  tertium score demo -m pef --worst 20
  tertium score --mtme wmt23 -l en-de -m bleu chrf
  tertium score -i out.txt -m evalgen --sets segments.refs
  cat out.txt | tertium score -r ref.txt -i -
  tertium score --permutations A=a.perm B=b.perm -m recpef kendall

The JSON has one object: {"tertium": VERSION, "metrics": {SPEC: {"signature",
"higher_is_better"}}, "systems": {NAME: {SPEC: {"score", "interval": [low, high]
or null, "segments": [..] or null}}}}; with --documents also {"documents": {ID:
score}}. Systems stand in it as given; tables of systems and documents have the best
one first (see --sort).
TSV and CSV of --segments have a column "id" where the test set has ids.
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    args = _parse(argv)
    from tertium.engine.score import score_stream

    chunks = _texts(args) if args.permutations is None else _permutations(args)
    if args.worst is not None:
        from tertium.cli.score.worst import run_worst

        return run_worst(args, chunks)
    with Progress("segments", quiet=args.quiet) as progress:
        table = score_stream(
            chunks,
            metrics=args.metrics,
            segments=args.segments,
            documents=args.documents,
            confidence=args.interval,
            resamples=args.resamples,
            seed=args.seed,
            threads=args.threads,
            progress=progress,
        )
    remark_mixed(args, table.metrics)
    remark_unproven(args, table)
    _remark_degenerate(table, args)
    if args.interval is not None and args.resamples is not None:
        remark_few(args, args.resamples, args.interval, "--resamples")
    if args.format == "json":
        emit(table.to_json(), args.output)
    elif args.format == "html":
        from tertium.report.systems.page import score_page

        page = score_page(
            table,
            flags.ordered(table, args),
            confidence=args.interval,
            digits=args.digits,
        )
        emit(page, args.output)
    else:
        render(_tables(table, args), args.format, output=args.output)
    return 0


def _remark_degenerate(table: ScoreTable, args: argparse.Namespace) -> None:
    """Say for how many segments a score is a convention, not a measurement."""
    for spec in table.metrics:
        counts = {name: own[spec].degenerate for name, own in table.systems.items()}
        if any(counts.values()):
            found = ", ".join(f"{name} {n:,}" for name, n in counts.items() if n)
            remark(
                args,
                f"{spec}: of {count(table.segments, 'segment')} some have too "
                f"few aligned words to measure ({found}); `tertium metrics "
                f"{spec.partition(':')[0]}` says what they count",
            )


def _texts(args: argparse.Namespace) -> Callable[[], Iterable[Testset]]:
    from tertium.engine.inputs import as_metrics

    if args.zero_based:
        message = "--zero-based is about --permutations; leave it out, or give them"
        raise InputError(message)
    settle_mtme(args)
    flags.check_input(args)
    metrics = as_metrics(args.metrics)
    check_layers(args, metrics)
    twice = any(metric.needs_corpus for metric in metrics.values())
    return flags.chunks(args, twice=twice)


def _permutations(args: argparse.Namespace) -> Callable[[], Iterable[Testset]]:
    from tertium.engine.inputs import as_metrics
    from tertium.engine.permutations import check_metrics
    from tertium.order.files import stream_permutations

    texts = (args.testset, args.references, args.systems, args.source, args.docs)
    if any(item is not None for item in (*texts, args.mtme)):
        message = (
            "--permutations stand in for texts; omit the test set, -r, -i, -s, "
            "--docs and --mtme"
        )
        raise InputError(message)
    links = (args.alignments, args.one_based, args.sure_only)
    if any((*links, *tree_options(args), args.sets)):
        message = (
            "--permutations have no words to link or parse; leave out --alignments, "
            "--one-based, --sure-only, --trees, --ref-trees and --sets"
        )
        raise InputError(message)
    check_metrics(as_metrics(args.metrics).values())
    files = flags.named_files(args.permutations)
    base = 0 if args.zero_based else 1
    return lambda: stream_permutations(files, base=base)


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = flags.parser("score", _ABOUT, _EXAMPLES)
    flags.add_input(parser)
    add_mtme(parser)
    parser.add_argument(
        "--permutations",
        nargs="+",
        action="extend",
        metavar="[NAME=]FILE",
        help="instead of texts, permutations for metrics of word order: one a line, "
        "values from 1 with spaces between them (default metric: recpef)",
    )
    parser.add_argument(
        "--zero-based", action="store_true", help="values of permutations count from 0"
    )
    flags.add_metrics(parser, ("bleu", "chrf", "ter"))
    parser.add_argument(
        "--segments", action="store_true", help="also the score of every segment"
    )
    parser.add_argument(
        "--worst",
        type=flags.number(1),
        metavar="N",
        help="instead list the N worst segments of every system, for `tertium explain`",
    )
    parser.add_argument(
        "--documents",
        action="store_true",
        help="also the score of every document; --interval then draws documents",
    )
    parser.add_argument(
        "--interval",
        type=float,
        nargs="?",
        const=0.95,
        metavar="LEVEL",
        help="also bootstrap intervals (confidence 0.95 unless given)",
    )
    parser.add_argument(
        "--resamples",
        type=flags.number(1, 10**7),
        metavar="N",
        help="for --interval (default: 1000, and more for a LEVEL above 0.99)",
    )
    flags.add_sort(parser)
    flags.add_run(parser)
    flags.add_output(parser)
    add_layers(parser)
    args = parser.parse_args(argv)
    if args.permutations is not None and args.metrics is parser.get_default("metrics"):
        args.metrics = ["recpef"]
    return args


def _tables(table: ScoreTable, args: argparse.Namespace) -> list[Table]:
    tables = [_corpus(table, args)]
    if args.documents:
        tables.append(_documents(table, args))
    if args.segments:
        tables.append(_segments(table, args))
    # Programs want one table: the finest asked for.
    return tables[-1:] if flags.for_programs(args) else tables


def _corpus(table: ScoreTable, args: argparse.Namespace) -> Table:
    digits, labels = flags.digits(args), flags.labels(table.metrics, args)
    machine = flags.for_programs(args)
    head = ["system"]
    for spec, info in table.metrics.items():
        head.append(labels[spec] + ("" if info.higher_is_better or machine else " ↓"))
        if args.interval is not None:
            head += (
                [f"{spec} low", f"{spec} high"]
                if machine
                else [f"{100 * args.interval:g} %"]
            )
    rows = []
    for name in flags.ordered(table, args):
        scores = table[name]
        row = [name]
        for spec, score in scores.items():
            info = table.metrics[spec]
            row.append(info.show(score.score, digits))
            if score.interval is not None:
                low, high = (info.show(x, digits) for x in score.interval)
                row += [low, high] if machine else [f"{low} - {high}"]
        rows.append(row)
    falling = not all(info.higher_is_better for info in table.metrics.values())
    size = count(table.segments, "segment")
    lines = [size + ", ↓ lower is better" * falling]
    lines += [f"{labels[spec]}: {m.signature}" for spec, m in table.metrics.items()]
    return Table(head, rows, note="\n".join(lines))


def _documents(table: ScoreTable, args: argparse.Namespace) -> Table:
    digits = flags.digits(args)
    rows = []
    for name in flags.ordered(table, args):
        scores = table[name]
        documents = next(iter(scores.values())).documents or {}
        for doc in documents:
            row = [doc, name]
            for spec, score in scores.items():
                value = (score.documents or {})[doc]
                row.append(table.metrics[spec].show(value, digits))
            rows.append(row)
    labels = flags.labels(table.metrics, args).values()
    return Table(["document", "system", *labels], rows, title="Documents", left=2)


def _segments(table: ScoreTable, args: argparse.Namespace) -> Table:
    digits = flags.digits(args)
    # `explain` wants the number; `correlate --scores` matches by id, if there are ids.
    ids = table.ids if flags.for_programs(args) else None
    rows = []
    for index in range(table.segments):
        for name, scores in table.systems.items():
            row = [str(index + 1), *([ids[index]] if ids else []), name]
            for spec, score in scores.items():
                value = (score.segments or [])[index]
                row.append(table.metrics[spec].show(value, digits))
            rows.append(row)
    labels = flags.labels(table.metrics, args).values()
    head = ["segment", *(["id"] if ids else []), "system", *labels]
    return Table(head, rows, title="Segments", left=2)
