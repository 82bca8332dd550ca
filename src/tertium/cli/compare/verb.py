# SPDX-License-Identifier: Apache-2.0
"""``tertium compare``: which systems differ, and how sure that is."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.cli.shared import flags, values
from tertium.cli.shared.advice import note_text
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
from tertium.cli.shared.render import (
    check_excel,
    emit,
    emit_json,
    render,
    write_excel,
)
from tertium.cli.shared.values import (
    Caching,
    Layers,
    Mtme,
    Output,
    Place,
    Run,
    Scored,
    Sort,
    frozen,
)
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.engine.chunks import Chunk
    from tertium.engine.comparison import Comparison
    from tertium.report.tables.table import Table
    from tertium.stats.limits import Hopeless

__all__ = ["Options", "command"]

#: Notes that a page has too.
_SHOWN = ("few-units", "few-units-runs", "same-runs", "undefined")

_ABOUT = """\
Compare all pairs of systems with a paired test, correct for the number of
pairs, and group systems into clusters that differ significantly.
"""

_EXAMPLES = """\
  tertium compare demo
  tertium compare -r ref.txt -i A=a.txt B=b.txt C=c.txt -m bleu chrf
  tertium compare newstest.jsonl --test randomisation --correction bh
  tertium compare -r ref.txt -i base.txt new.txt --baseline base
  tertium compare newstest.jsonl --by-document -f json -o result.json
  tertium compare --mtme wmt23 -l en-de -m bleu chrf
  tertium compare -r ref.txt -i A=a1.txt,a2.txt,a3.txt B=b1.txt,b2.txt,b3.txt
  tertium compare newstest.jsonl -f html -o report.html
  tertium compare demo -m chrf --gaps
  tertium compare demo -m bleu chrf -o comparison.xlsx
  tertium compare demo -m bleu --scores scores.tsv

With several runs of a system (NAME=FILE,FILE,...) means are compared, and the bootstrap
allows for another choice of runs as well as of segments.
More than six systems are compared in a matrix; --pairs lists the pairs. TSV, CSV and
JSON always have all pairs.
The JSON is that of `tertium score` and "run" (how it was done), "pairs" (a list of
{"metric", "a", "b", "delta", "interval", "p", "p_adjusted", "effect", "better"})
and "ranking" ({SPEC: [{"system", "cluster", "rank": [best, worst]}]}, best first).
With --gaps also "gaps": a list of {"metric", "a", "b", "better", "delta", "range",
"pairs", "agreed", "share", "interval", "sources"}; where "better" is null, the
difference is not significant and may be chance.
"""


@frozen
class Options(Scored, Mtme, Layers, Sort, Output, Caching, Place, Run):
    """The options of ``tertium compare``."""

    test: str
    resamples: int | None
    correction: str
    alpha: float
    baseline: str | None
    by_document: bool
    pairs: bool
    gaps: bool
    data_hash: bool


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = with_scores(values.parse(_parser(), argv, Options))
    if options.gaps and options.format == "html":
        raise InputError("--gaps is for tables and JSON; see also `tertium report`")
    check_excel(options)
    with caching(options):
        return _compare(options)


def _compare(options: Options) -> int:
    from tertium.engine.compare import compare_stream

    elsewhere = options.cluster is not None
    chunks = open_testset(options, options.metrics, slices=elsewhere, runs=True)
    with (
        working(options),
        testset_files(options, runs=True).outlook() as total,
        Progress(quiet=options.quiet, total=total) as progress,
    ):
        result = compare_stream(
            lambda: _of_two(chunks(), options),
            metrics=options.metrics,
            test=options.test,
            resamples=options.resamples,
            seed=options.seed,
            correction=options.correction,
            alpha=options.alpha,
            baseline=options.baseline,
            by_document=options.by_document,
            threads=threads_of(options, options.threads),
            data_hash=options.data_hash,
            progress=progress.phase,
            runs=runs_of(options),
            segments=options.excel,
        )
    remark_notes(options, result)
    if why := _hopeless(result):
        remark(options, why)
    if options.test == "bootstrap":
        resamples = int(result.run["resamples"])
        remark_few(options, resamples, 1 - options.alpha, "--resamples")
    note_result(result.to_json, segments=result.scores.segments)
    if options.format == "json" and options.gaps:
        import json

        from tertium.report.tables.gaps import gap_records

        content = {**json.loads(result.to_json()), "gaps": gap_records(result)}
        emit_json(content, options.output)
    elif options.format == "json":
        emit(result.to_json(), options.output)
    elif options.excel:
        write_excel(options, result)
    elif options.format == "html":
        from tertium.report.systems.page import compare_page

        order = result.scores.order(options.sort)
        few = [note_text(note) for note in result.notes if note.code in _SHOWN]
        notes = [f"{text[0].upper()}{text[1:]}." for text in (*few, why) if text]
        page = compare_page(result, order, digits=options.digits, notes=notes)
        emit(page, options.output)
    else:
        from tertium.report.tables.comparison import comparison_tables

        tables = comparison_tables(
            result,
            options.style,
            sort=options.sort,
            pairs=options.pairs,
            more=" --pairs lists all pairs.",
        )
        if options.gaps:
            tables = _with_gaps(tables, result, options)
        render(tables, options.format, output=options.output)
    return 0


def _with_gaps(
    tables: list[Table], result: Comparison, options: Options
) -> list[Table]:
    """Return the tables with what differences mean to human judges."""
    from tertium.report.tables.gaps import gap_table, with_gaps

    if options.style.for_programs:
        return [with_gaps(tables[0], result), *tables[1:]]
    return [*tables, gap_table(result, options.style, sort=options.sort)]


def _hopeless(result: Comparison) -> str:
    """Return why no difference could be significant; nothing if one could."""
    why = result.hopeless()
    if why is None:
        return ""
    tossed = why.units != result.run["number_of_units"]  # for every run
    return why.explain(
        unit="output" if tossed else str(result.run["units"])[:-1],
        option="--resamples",
        otherwise=_way_out(why, result),
    )


def _way_out(why: Hopeless, result: Comparison) -> str:
    """Return what helps where there are too few units, besides more of them."""
    if result.run["units"] == "documents":
        return "omit --by-document"
    fewer = len(result.scores.systems) - 1
    if why.tests > fewer and why.p * fewer < float(result.run["alpha"]):
        return "compare with one system only (--baseline NAME)"
    return ""


def _of_two(chunks: Iterable[Chunk], options: Options) -> Iterator[Chunk]:
    """Yield chunks, unless the first has a single system."""
    from tertium.engine.chunks import texts_of

    for number, chunk in enumerate(chunks):
        if number == 0:
            _need_two(texts_of(chunk), options)
        yield chunk


def _need_two(testset: Testset, options: Options) -> None:
    """Reject a single system, and say how to give another."""
    names, path = list(testset.systems), options.mtme or options.testset
    if len(names) > 1:
        return
    what = f"comparing needs two systems or more, not {len(names)}"
    if path is None:
        raise InputError(f"{what}; give each with -i NAME=FILE")
    columns = [*names, *testset.layers]
    if len(columns) > 1:
        typed = " ".join(map(shlex.quote, columns))
        cure = f"choose from the columns of {path}: --systems-columns {typed}"
    else:
        cure = f"add a column with another system to {path}"
    raise InputError(f"{what}; {cure}")


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("compare", _ABOUT, _EXAMPLES)
    add_input(parser, runs=True)
    add_mtme(parser)
    flags.add_metrics(parser, ("bleu", "chrf", "ter"))
    flags.add_scores(parser)
    flags.add_tests(parser)
    parser.add_argument(
        "--baseline", metavar="NAME", help="compare with this system only"
    )
    flags.add_switch(
        parser,
        "--pairs",
        help="list all pairs instead of a matrix, also for more than six systems",
    )
    flags.add_switch(
        parser,
        "--gaps",
        help="also show how often human judges at WMT agreed with differences of "
        "these sizes",
    )
    flags.add_data_hash(parser)
    flags.add_sort(parser)
    flags.add_run(parser)
    add_cache(parser, "statistics of segments, and trees of parsers,")
    flags.add_place(parser)
    flags.add_output(parser, excel=True)
    add_layers(parser)
    return parser
