# SPDX-License-Identifier: Apache-2.0
"""``tertium rank``: systems ranked by human judgements."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.judgements.reading import add_files, read, remark_each
from tertium.cli.shared import flags
from tertium.cli.shared.parsers import note_facts, note_result
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_few
from tertium.cli.shared.render import emit, render
from tertium.cli.shared.values import Output, Run, frozen, parse
from tertium.errors import InputError
from tertium.judgements.methods import CLUSTERS, METHODS, PAIRINGS, TESTS, UNITS

if TYPE_CHECKING:
    from tertium.judgements import Judgements
    from tertium.judgements.ranking import Rankings
    from tertium.report.tables.table import Table

__all__ = ["Options", "command"]

_ABOUT = """\
Rank systems by human judgements: scores, rank ranges and clusters, one table per
language pair. Reads stores and files of `tertium judgements import`.
"""

_EXAMPLES = """\
  tertium rank demo
  tertium rank wmt12.csv --langpair cs-en de-en --method wins bradley-terry
  tertium rank wmt16.store --method trueskill --matrix
  tertium rank mqm.tsv --method mqm --clusters pairwise --correction holm
  tertium rank esa.store --method mean --clusters pairwise --test t --unit document
  tertium rank cesa.store --method mean --tests --correction holm
  tertium rank demo --method all -f latex -o table.tex
  tertium rank pilot.csv --plan 0.8 --next 20
  tertium rank segments.json sentences.csv --levels 20 --unseen
  tertium rank both.store --levels -t newstest2014.tsv -f html -o levels.html

Methods: {methods}.

Rankings of whole segments and of parts of them have separate tables; select them with
--only part= and --only part=*.

The JSON has "rankings", a list of {{"method", "langpair", "systems": [{{"system",
"score", "interval", "rank": [best, worst], "cluster", "judgements"}}], "pairs":
{{"kind", "systems", "values", "p", "test", "units", "tests": [{{"a", "b",
"difference", "pairing", "n", "p": {{"wilcoxon", "t", "wmt26"}}, "adjusted":
{{"wilcoxon", "t", "wmt26"}}}}]}}, "run", "notes", "level"}}, best systems first;
"level" is segments or parts where both were ranked, null otherwise;
with --plan also "plans": {{LANGPAIR: {{"power", "alpha", "pairs": [{{"better", "worse",
"share", "ties", "comparisons", "power", "needed"}}], "sizes": [{{"rankings",
"separated", "power"}}]}}}} or, for ratings, "rating_plans": {{LANGPAIR: [{{"better",
"worse", "difference", "deviation", "segments", "power", "needed"}}]}}; with --next also
"next": {{LANGPAIR: [{{"segment", "a", "b", "gain"}}]}}; with --levels "levels":
{{LANGPAIR: {{"systems", "all", "disagreements"}}}}, with --unseen "unseen": {{LANGPAIR:
[{{"system", "judged", "exact", "closest", "hit_rate", "mean_distance", "guesses",
"by_distance", ...}}]}}. Unknown values are null.
"""


@frozen
class Options(Output, Run):
    """The options of the verb."""

    judgements: Sequence[str]
    only: Sequence[str]
    input_format: str | None
    langpair: Sequence[str] | None
    scale: str | None
    method: Sequence[str] | None
    bootstrap: int
    clusters: str
    unit: str
    test: str
    pairing: str
    weights: str
    correction: str
    confidence: float
    matrix: bool
    tests: bool
    plan: float | None
    next: int | None
    levels: int | None
    testset: Sequence[str] | None
    unseen: bool


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = parse(_parser(), argv, Options)
    if options.testset and (options.levels is None or options.format != "html"):
        message = (
            "texts are for the list of --levels with -f html; omit -t, or add both"
        )
        raise InputError(message, options=("testset",))
    judgements, rankings = _rank(options)
    _remark(options, rankings)
    note_result(rankings.to_json)
    _note_methods(options, rankings)
    if options.format == "json":
        emit(rankings.to_json(), options.output)
        return 0
    from tertium.report.tables.rankings import ranking_tables

    tables = ranking_tables(
        rankings,
        options.style,
        side_by_side="all" in (options.method or ()),
        matrix=options.matrix,
        tests=options.tests,
        plan=options.plan,
        levels=options.levels,
    )
    if options.format == "html" and rankings.levels:
        emit(_levels_page(options, judgements, rankings, tables), options.output)
    else:
        render(tables, options.format, output=options.output)
    return 0


def _note_methods(options: Options, rankings: Rankings) -> None:
    made = [ranking for each in rankings.rankings.values() for ranking in each]
    note_facts(
        systems=len({one.system for ranking in made for one in ranking.systems}),
        methods=list(dict.fromkeys(ranking.method for ranking in made)),
        resamples=options.bootstrap,
    )


def _levels_page(
    options: Options,
    judgements: Judgements,
    rankings: Rankings,
    tables: Sequence[Table],
) -> str:
    """Return the page with the sentences where segments and sentences differ."""
    from tertium.data.reading import read as read_testset
    from tertium.judgements.parts.cases import level_cases, texts_for
    from tertium.judgements.selection import select_langpairs
    from tertium.report.levels import levels_page

    testsets = [read_testset(path) for path in options.testset or ()]
    most = options.levels if options.levels is not None else 0
    cases = {
        name: level_cases(
            select_langpairs(judgements, [name]),
            levels,
            testset=texts_for(name, testsets),
            most=most,
        )
        for name, levels in rankings.levels.items()
    }
    return levels_page(tables, cases)


def _rank(options: Options) -> tuple[Judgements, Rankings]:
    from tertium.judgements.ranking import rank

    judgements = read(
        options.judgements,
        options,
        only=options.only,
        input_format=options.input_format,
    )
    with Progress(quiet=options.quiet) as progress:
        return judgements, rank(
            judgements,
            method=options.method,
            clusters=options.clusters,
            resamples=options.bootstrap,
            unit=options.unit,
            test=options.test,
            pairing=options.pairing,
            weights=options.weights,
            correction=options.correction,
            confidence=options.confidence,
            plan=options.plan,
            next=options.next,
            levels=options.levels is not None,
            unseen=options.unseen,
            scale=options.scale,
            langpair=options.langpair,
            seed=options.seed,
            threads=options.threads,
            progress=progress.phase,
        )


def _remark(options: Options, result: Rankings) -> None:
    """Write to stderr what to know before trusting the rankings."""
    remark_each(options, result.notes)
    for name, rankings in result.rankings.items():
        for ranking in rankings:
            notes = list(map(str, ranking.notes))
            hopeless = ranking.hopeless()
            if hopeless is not None:
                unit = "comparison" if ranking.pairs.test == "sign test" else "segment"
                cure = "take ranges from --clusters bootstrap"
                notes.append(hopeless.explain(unit=unit, otherwise=cure))
            for note in notes:
                remark(options, f"{name or 'all'}: {note}")
    remark_few(options, options.bootstrap, options.confidence, "--bootstrap")


def _parser() -> argparse.ArgumentParser:
    methods = ", ".join(METHODS)
    parser = flags.parser("rank", _ABOUT, _EXAMPLES.format(methods=methods))
    add_files(parser, langpair="`unknown` for judgements without one")
    parser.add_argument("--scale", help="the scale of ratings, where there are several")
    _add_scoring(parser)
    _add_views(parser)
    flags.add_run(parser)
    flags.add_output(parser)
    return parser


def _add_scoring(parser: argparse.ArgumentParser) -> None:
    """Add options on how systems get scores, and how sure those are."""
    parser.add_argument(
        "--method",
        nargs="+",
        choices=(*METHODS, "all"),
        metavar="METHOD",
        help="how to score systems (default: expected-wins for rankings; z for "
        "ratings, or mean where judges are unknown or have no z; mqm for error spans "
        "without ratings); all shows those that the judgements allow side by side",
    )
    parser.add_argument(
        "--bootstrap",
        type=flags.number(0, 10**7),
        default=1000,
        metavar="N",
        help="resamples of rankings or rated segments (default: 1000; 0: none)",
    )
    parser.add_argument(
        "--clusters",
        choices=CLUSTERS,
        default="bootstrap",
        help="from ranks in resamples, as WMT does (default), or from a test of every "
        "two systems",
    )
    parser.add_argument(
        "--unit",
        choices=UNITS,
        default="ranking",
        help="what is resampled (default: ranking, or segment of ratings and spans; "
        "comparison is nearer to WMT; document: of ratings and spans)",
    )
    parser.add_argument(
        "--test",
        choices=TESTS,
        default="wilcoxon",
        help="of every two systems, for ratings and spans (default: wilcoxon; t as in "
        "Pearmut; wmt26: a paired or an unpaired t-test, one-sided, as WMT 2026 "
        "compared systems); --tests shows all",
    )
    parser.add_argument(
        "--pairing",
        choices=PAIRINGS,
        default="auto",
        help="what these tests pair: screen: outputs that a judge scored side by side, "
        "as in contrastive ESA; segment: segments, where two systems share at least "
        "half of them; none: nothing (default: auto: screen if at least half of the "
        "screens, each a judge, a segment and a time, have several systems, otherwise "
        "segment)",
    )
    parser.add_argument(
        "--weights",
        default="wmt-mqm",
        metavar="NAME|SEVERITY=N,...",
        help="what error spans cost, for --method mqm: wmt-mqm (default: major 5, "
        "minor 1, minor punctuation 0.1, non-translation 25), esa (major 5, minor 1, "
        "whatever the category), or changes to the first, such as "
        "critical=25,minor=0.5; not for --plan and --next",
    )
    parser.add_argument(
        "--correction",
        choices=("none", "holm", "bh"),
        default="none",
        help="of the pairwise tests (default: none, as WMT does)",
    )
    parser.add_argument(
        "--confidence",
        type=float,
        default=0.95,
        metavar="C",
        help="of intervals, rank ranges and tests (default: 0.95)",
    )


def _add_views(parser: argparse.ArgumentParser) -> None:
    """Add options on what else is shown."""
    flags.add_switch(parser, "--matrix", help="show every pair of systems")
    flags.add_switch(
        parser,
        "--tests",
        help="list every pair of systems with all tests, for ratings and spans",
    )
    parser.add_argument(
        "--plan",
        type=float,
        metavar="POWER",
        help="how many judgements would separate systems with this power, such as 0.8",
    )
    parser.add_argument(
        "--next",
        type=flags.number(1, 10**6),
        metavar="N",
        help="the N most informative comparisons, or pairs of outputs to rate",
    )
    parser.add_argument(
        "--levels",
        nargs="?",
        const=10,
        type=flags.number(0, 10**6),
        metavar="N",
        help="compare rankings of segments (parts) with those of sentences, and show "
        "the N largest disagreements (default: 10); with -f html as a list of texts, N "
        "at either end, with the segments marked",
    )
    parser.add_argument(
        "-t",
        "--testset",
        nargs="+",
        metavar="TESTSET",
        help="the judged texts, for --levels -f html; several for several language "
        "pairs",
    )
    flags.add_switch(
        parser,
        "--unseen",
        help="score each system without its own judgements, from outputs of others; "
        "rankings need texts",
    )
