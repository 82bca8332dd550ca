# SPDX-License-Identifier: Apache-2.0
"""``tertium score``: systems against references."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tertium.cli.shared import flags, values
from tertium.cli.shared.caching import add_cache, caching
from tertium.cli.shared.executors import threads_of, working
from tertium.cli.shared.inputs import (
    add_input,
    add_layers,
    add_mtme,
    open_testset,
    runs_of,
    testset_files,
    with_scores,
)
from tertium.cli.shared.parsers import note_result
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_few, remark_notes
from tertium.cli.shared.render import check_excel, emit, render, write_excel
from tertium.cli.shared.values import (
    Caching,
    Layers,
    Output,
    Place,
    Resegmented,
    Sort,
    frozen,
)
from tertium.errors import InputError
from tertium.report.tables.table import SEPARATORS

if TYPE_CHECKING:
    from tertium.data.segmentation import Resegmentation
    from tertium.engine.chunks import Chunk

__all__ = ["Options", "command"]

_METRICS = ("bleu", "chrf", "ter")

_ABOUT = """\
Score systems against references. Long inputs are streamed: memory stays small
unless document scores, intervals or, in other formats than TSV and CSV, segment
scores are asked for. Those of segments also go to a folder of shards.
"""

_EXAMPLES = """\
  tertium score -r ref.txt -i out.txt
  tertium score -r ref1.txt ref2.txt -i A=a.txt B=b.txt -m bleu chrf++ ter
  tertium score newstest.tsv.gz -m bleu:tokenize=intl,lowercase=yes -f json
  tertium score demo -m bleu chrf --interval --documents
  tertium score -r ref.txt -i out.txt -m sentbleu --segments -f tsv
  tertium score demo -m bleu chrf -o scores.xlsx
  tertium score -r ref.txt -i A=a.txt -m aligned-percentage --alignments A=a.links
  tertium score large -m chrf --segments --rows-per-shard 1000000 -o chrf-scores
  tertium score demo -m pef --worst 20
  tertium score -r ref.txt -i A=a.txt B=b.txt --scores comet.json
  tertium score -s src.txt -i A=a.txt -m external:config=cometkiwi.toml
  tertium score --mtme wmt23 -l en-de -m bleu chrf
  tertium score -i out.txt -m evalgen --sets segments.refs
  tertium score -r ref.txt -i A=run1.txt,run2.txt,run3.txt B=b1.txt,b2.txt,b3.txt
  cat out.txt | tertium score -r ref.txt -i -
  tertium score -r ref.txt -i A=a.txt -m bleu chrf --cluster local:2
  tertium score -t wmt20 -l en-de -i out.txt
  tertium score -r ref.txt -i A=a.txt B=b.jsonl --resegment --docs docs.txt --joined
  tertium score --permutations A=a.perm B=b.perm -m recpef kendall

The JSON has one object: {"tertium": VERSION, "metrics": {SPEC: {"signature",
"higher_is_better"}}, "systems": {NAME: {SPEC: {"score", "interval": [low, high]
or null, "segments": [..] or null}}}}; with --documents also {"documents": {ID:
score}}; if a system has several runs also "runs": [score, ..], whose mean is "score",
"sd_runs" (between runs, s_opt) and "sd_segments" (over resampled test sets, s_sel);
with --joined {"joined": {NAME: {SPEC: {"score", "documents": {ID: score}}}}};
with --resegment {"resegmented": {NAME: what `tertium resegment -f json` prints, without
segments and links}}. Systems are in the order given; tables of systems and documents
list the best one first (see --sort).
TSV and CSV of --segments have a column "id" where the test set has ids.

Shards are JSONL. Their first line has "metrics" and "systems" as above, without
segments; the others are {"segment": NUMBER, "id", "system": NAME, "scores": {SPEC:
score or null}}, with "id" where the test set has ids. --scores FOLDER reads them.
"""


@frozen
class Options(Resegmented, Sort, Output, Caching, Place):
    """The options of ``tertium score``."""

    permutations: list[str] | None
    zero_based: bool
    segments: bool
    worst: int | None
    documents: bool
    joined: bool
    interval: float | None
    resamples: int | None
    data_hash: bool
    rows_per_shard: int | None
    compress: str | None


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = with_scores(_parse(argv))
    check_excel(options)
    if options.rows_per_shard is not None or options.compress is not None:
        from tertium.cli.score.shards import check_shards

        check_shards(options)
    with caching(options):
        resegmented = None
        if options.resegment is not None:
            from tertium.cli.score.resegmented import read_chunks

            chunks, resegmented = read_chunks(options)
        else:
            chunks = _chunks(options)
        with working(options):
            return _run(options, chunks, resegmented)


def _run(
    options: Options,
    chunks: Callable[[], Iterable[Chunk]],
    resegmented: Mapping[str, Resegmentation] | None,
) -> int:
    from tertium.engine.score import score_stream

    if options.worst is not None:
        from tertium.cli.score.worst import list_worst

        return list_worst(options, chunks)
    facts = {}
    if any(not result.unchanged for result in (resegmented or {}).values()):
        facts["reseg"] = options.resegment or "words"
    joined = None
    if options.joined:
        from tertium.cli.score.joined import read_whole, score_whole

        chunks, whole = read_whole(options, chunks)
        joined = score_whole(options, whole, facts)
    with (
        _outlook(options) as total,
        Progress("segments", quiet=options.quiet, total=total) as progress,
    ):
        table = score_stream(
            chunks,
            metrics=options.metrics,
            segments=options.segments or options.excel,
            documents=options.documents,
            confidence=options.interval,
            resamples=options.resamples,
            seed=options.seed,
            threads=threads_of(options, options.threads),
            data_hash=options.data_hash,
            progress=progress,
            runs=runs_of(options),
            facts=facts,
            hold=_hold(options),
        )
    table = replace(table, joined=joined, resegmented=resegmented)
    remark_notes(options, table)
    if options.interval is not None and options.resamples is not None:
        remark_few(options, options.resamples, options.interval, "--resamples")
    if options.rows_per_shard is not None:
        from tertium.cli.score.shards import write_shards

        write_shards(options, table)
        return 0
    note_result(table.to_json, segments=table.segments)
    if options.format == "json":
        emit(table.to_json(), options.output)
    elif options.excel:
        write_excel(options, table)
    elif options.format == "html":
        from tertium.report.systems.page import score_page

        page = score_page(
            table,
            table.order(options.sort),
            confidence=options.interval,
            digits=options.digits,
            notes=[
                f"{note}."
                for name, result in (resegmented or {}).items()
                for note in result.notes(name)
            ],
        )
        emit(page, options.output)
    else:
        from tertium.report.tables.scores import score_tables

        tables = score_tables(
            table,
            options.style,
            sort=options.sort,
            documents=options.documents,
            segments=options.segments,
            confidence=options.interval or 0.95,
        )
        render(tables, options.format, output=options.output)
        if joined is not None and options.style.for_programs:
            what = "segments" if options.segments else "documents as one text each"
            text = f"{options.format} has one table, that of {what}; -f json has all"
            remark(options, text)
    return 0


def _hold(options: Options) -> Callable[[], Any]:
    """Return what holds scores of segments: tables and shards are written from disk."""
    in_rows = options.format in SEPARATORS or options.rows_per_shard is not None
    if not options.segments or not in_rows:
        return list
    from tertium.data.kept import Kept, Spool

    return partial(Kept, spool=Spool())  # one file, however many columns there are


def _chunks(options: Options) -> Callable[[], Iterable[Chunk]]:
    """Return a function that streams texts, or permutations."""
    if options.permutations is None:
        if options.zero_based:
            message = "--zero-based is about --permutations; omit it, or give them"
            raise InputError(message)
        elsewhere = options.cluster is not None
        if options.worst is not None and (several := runs_of(options)):
            name = next(iter(several))
            message = f"--worst lists segments of one run, and {name} has several"
            raise InputError(f"{message}; choose one of them")
        return open_testset(options, options.metrics, slices=elsewhere, runs=True)
    from tertium.engine.inputs import as_metrics
    from tertium.engine.permutations import check_metrics
    from tertium.order.files import stream_permutations

    _check_permutations(options)
    check_metrics(as_metrics(options.metrics).values())
    files = flags.named_files(options.permutations)
    base = 0 if options.zero_based else 1
    return lambda: stream_permutations(files, base=base)


def _outlook(
    options: Options,
) -> AbstractContextManager[Callable[[int], int | None] | None]:
    """Return what tells how many segments there are, where texts are streamed."""
    if options.permutations is not None or options.resegment is not None:
        return nullcontext()
    return testset_files(options, runs=True).outlook()


def _check_permutations(options: Options) -> None:
    """Reject texts and layers beside permutations."""
    if options.data_hash:
        message = "--permutations have no references to hash; omit --data-hash"
        raise InputError(message)
    texts = (options.testset, options.references, options.systems, options.source)
    if any(item is not None for item in (*texts, options.docs, options.mtme)):
        message = (
            "--permutations stand in for texts; omit the test set, -r, -i, -s, "
            "--docs and --mtme"
        )
        raise InputError(message)
    if any(getattr(options, name) for name in Layers.__annotations__):
        message = (
            "--permutations have no words to link or parse; omit --alignments, "
            "--one-based, --sure-only, --trees, --ref-trees and --sets"
        )
        raise InputError(message)


def _parse(argv: Sequence[str]) -> Options:
    parser = flags.parser("score", _ABOUT, _EXAMPLES)
    add_input(parser, runs=True)
    add_mtme(parser)
    parser.add_argument(
        "--permutations",
        nargs="+",
        action="extend",
        metavar="[NAME=]FILE",
        help="instead of texts, permutations for word order metrics: one per line, "
        "values from 1, separated by spaces (default metric: recpef)",
    )
    flags.add_switch(parser, "--zero-based", help="permutations count from 0")
    flags.add_metrics(parser, _METRICS)
    flags.add_scores(parser)
    flags.add_switch(parser, "--segments", help="also the score of every segment")
    parser.add_argument(
        "--worst",
        type=flags.number(1),
        metavar="N",
        help="instead list the N worst segments of every system, for `tertium explain`",
    )
    flags.add_switch(
        parser,
        "--documents",
        help="also the score of every document; --interval then resamples documents",
    )
    flags.add_switch(
        parser,
        "--joined",
        help="also score documents as one text each, wherever their segments end; the "
        "test set is held in memory",
    )
    flags.add_resegment(parser)
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
        help="for --interval and runs (default: 1000, and more for a LEVEL above 0.99)",
    )
    flags.add_data_hash(parser)
    flags.add_sort(parser)
    flags.add_run(parser)
    add_cache(parser, "statistics of segments, and trees of parsers,")
    flags.add_place(parser)
    flags.add_output(parser, excel=True)
    flags.add_shards(
        parser,
        "with --segments: write a folder of JSONL shards with N rows each, one per "
        "segment and system",
    )
    add_layers(parser)
    options = values.parse(parser, argv, Options)
    if options.permutations is not None and options.metrics is _METRICS:
        return replace(options, metrics=["recpef"])
    return options
