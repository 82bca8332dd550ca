# SPDX-License-Identifier: Apache-2.0
"""``tertium correlate``: how far metrics agree with people, and how sure that is."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tertium.cli.judgements.reading import add_only
from tertium.cli.shared import flags
from tertium.cli.shared.hopeless import hopeless_note
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_few
from tertium.cli.shared.render import emit, render
from tertium.cli.shared.set_layer import add_sets

__all__ = ["command"]

_ABOUT = """\
Compare metrics with human judgements: correlations of system and segment scores
in all the ways the WMT metrics tasks have used, with bootstrap intervals, tests of
differences between metrics, and probes that show what a coefficient is worth.
"""

_EXAMPLES = """\
  tertium correlate demo -m bleu chrf ter
  tertium correlate de-en.tsv -J de-en.rankings.tsv -m bleu chrf pef
  tertium correlate *-en.tsv.gz -J *.rankings.tsv.gz -m bleu chrf --coef all
  tertium correlate de-en.tsv -J store --scores mine.seg.score -m chrf --test bootstrap
  tertium correlate --mtme wmt23 -l en-de --gold mqm --test permutation
  tertium correlate demo -m bleu chrf -f html -o report.html
  tertium correlate *-en.tsv.gz -J store -m bleu chrf --gap chrf
  tertium correlate *.tsv.gz -J store -m bleu chrf --resamples 0 --task-files results
  tertium correlate demo -m bleu chrf --plot values.svg scatter=scatter.png

Coefficients (--coef):
{coefficients}

The JSON is {{"tertium", "run", "human": {{PAIR: KIND}}, "notes", "coefficients",
"correlations": [{{"langpair", "metric", "coefficient", "value", "interval", "n",
"probe", "of", "over", "p", "undefined"}}], "differences": [{{"langpair",
"coefficient", "a", "b", "delta", "p", "p_adjusted", "better"}}], "tallies":
[{{"coefficient", "a", "b", "a_wins", "b_wins", "draws"}}], "clusters"}}; with --gap
also "gaps", with --families also "families": [{{"langpair", "coefficient", "a", "b",
"better", "u", "p"}}]. "n" is what a value rests on, "of" what it would rest on if the
metric had scored all that was judged, "over" what was resampled for the interval, "p"
that of the value against 0: of Pearson's, Spearman's and Kendall's of systems or of all
outputs at once (:none); "undefined" counts judged outputs without a value of the metric
by its definition, which its scores of systems leave out, too;
"tallies" count language pairs. TSV and CSV have a row a value with the same names;
with --test also cluster, wins and losses (how many metrics are significantly worse, and
better) and a column p:METRIC each with adjusted p-values.
LaTeX sets the best of a column in bold; other tables mark it by *.
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    args = _parse(argv)
    from tertium.cli.correlate.checks import check_options
    from tertium.cli.correlate.inputs import evaluations as gather
    from tertium.cli.correlate.tables import family_table, gap_table, tables
    from tertium.meta.correlations import correlate_evaluations
    from tertium.meta.gaps import gaps

    check_options(args)
    with Progress(quiet=args.quiet) as progress:
        evaluations = gather(args, progress.phase)
        result = correlate_evaluations(
            evaluations,
            coefficients=args.coef,
            resamples=args.resamples,
            over=args.over,
            slow=args.slow,
            confidence=args.confidence,
            seed=args.seed,
            test=args.test,
            trials=args.trials,
            correction=args.correction,
            threads=args.threads,
            progress=progress.phase,
        )
    said: dict[str, list[str]] = {}
    for langpair, notes in result.notes.items():
        for note in notes:
            said.setdefault(note, []).append(langpair)
    for note, langpairs in said.items():
        remark(args, f"{', '.join(langpairs)}: {note}")
    for langpair, why in result.hopeless.items():
        note = hopeless_note(why, unit="output", flag="--trials", drawn="trial")
        remark(args, f"{langpair}: {args.test}: {note}")
    remark_few(args, args.resamples, args.confidence, "--resamples")
    found = {name: gaps(evaluations, name) for name in args.gap}
    kin = None
    if args.families:
        from tertium.meta.families import family_tests

        kin = family_tests(result)
    if args.plot:
        from tertium.cli.correlate.plots import plots, write_plots

        write_plots(
            plots(args.plot),
            result,
            evaluations,
            gaps=found,
            without=args.average_without,
        )
    if args.task_files:
        from tertium.cli.correlate.task_files import write_task_files

        write_task_files(result, args)
    if args.format == "json":
        from tertium.cli.correlate.programs import as_json

        emit(as_json(result, found, kin), args.output)
    elif args.format == "html":
        from tertium.report.meta.page import meta_page

        page = meta_page(
            result,
            evaluations,
            gaps=found,
            families=kin,
            without=args.average_without,
            p_values=args.p_values,
            digits=3 if args.digits is None else args.digits,
        )
        emit(page, args.output)
    else:
        drawn = tables(result, args)
        drawn += [gap_table(name, own) for name, own in found.items()]
        if kin is not None:
            drawn.append(family_table(kin))
        render(drawn, args.format, output=args.output)
    return 0


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    from tertium.meta.coefficients import COEFFICIENTS

    width = max(map(len, COEFFICIENTS))
    listed = "\n".join(
        f"  {each.name:{width}}  {each.about}" for each in COEFFICIENTS.values()
    )
    parser = flags.parser("correlate", _ABOUT, _EXAMPLES.format(coefficients=listed))
    _add_people(parser)
    _add_scores(parser)
    _add_choice(parser)
    _add_certainty(parser)
    _add_views(parser)
    flags.add_run(parser)
    flags.add_output(parser)
    return parser.parse_args(argv)


def _add_people(parser: argparse.ArgumentParser) -> None:
    """Add options on texts and on what people said of them."""
    parser.add_argument(
        "testsets",
        nargs="*",
        metavar="TESTSET",
        help="texts to score, one file a language pair, or `demo`; not needed where "
        "all scores come from files",
    )
    flags.add_systems_columns(parser)
    parser.add_argument(
        "-J",
        "--judgements",
        nargs="+",
        metavar="FILE",
        help="stores or files of judgements (see `tertium judgements import --help`)",
    )
    add_only(parser)
    parser.add_argument(
        "--human-scores",
        nargs="+",
        metavar="FILE",
        help="official scores of systems, instead of those from the judgements; with "
        "them alone, without -J, only systems are compared",
    )
    parser.add_argument(
        "--mtme", metavar="FOLDER", help="a folder of mt-metrics-eval: all in one"
    )
    parser.add_argument(
        "--gold",
        metavar="NAME",
        help="which judgements: rankings, ratings, spans, or a scale such as mqm",
    )
    parser.add_argument(
        "--human",
        metavar="METHOD",
        help="how systems get scores (default: that of `tertium rank --help`, as "
        "expected-wins for rankings and z for ratings)",
    )


def _add_scores(parser: argparse.ArgumentParser) -> None:
    """Add options on metrics and their scores."""
    parser.add_argument(
        "-m", "--metrics", nargs="+", default=[], metavar="SPEC", help="metrics to run"
    )
    add_sets(parser)
    parser.add_argument(
        "--scores",
        nargs="+",
        default=[],
        metavar="FILE",
        help="scores of metrics: files of the WMT metrics task or mt-metrics-eval "
        "(.seg.score, .sys.score), tables with a header, JSON of `tertium score`",
    )
    parser.add_argument(
        "--reference",
        metavar="NAME",
        help="the reference of --mtme that metrics of -m use (default: the first), "
        "and that scores of --scores are of, where files have several",
    )
    parser.add_argument(
        "--test-set",
        metavar="NAME",
        help="the test set that scores of --scores are of, where files have several",
    )
    parser.add_argument(
        "--domain",
        metavar="NAME",
        help="the domain that scores of --scores are of (default: all of them)",
    )
    parser.add_argument(
        "--lower-is-better",
        nargs="+",
        default=[],
        metavar="NAME",
        help="metrics of --scores that fall with quality",
    )
    parser.add_argument(
        "--missing",
        choices=("error", "drop"),
        default="error",
        help="outputs that were judged and not scored (default: error); with drop, "
        "metrics that lack some say how many they rest on, and come last",
    )
    parser.add_argument(
        "--least",
        type=flags.number(1),
        default=1,
        metavar="N",
        help="with --missing drop, leave out metrics that scored fewer than N judged "
        "outputs (default: 1)",
    )


def _add_choice(parser: argparse.ArgumentParser) -> None:
    """Add options on what is compared."""
    parser.add_argument(
        "-l", "--langpair", nargs="+", metavar="SRC-TRG", help="only these"
    )
    parser.add_argument(
        "--coef", nargs="+", metavar="NAME", help="coefficients, or all (see below)"
    )
    parser.add_argument(
        "--exclude", nargs="+", default=[], metavar="SYSTEM", help="leave systems out"
    )
    parser.add_argument(
        "--slice",
        metavar="NAME[=FILE]",
        help="compare on parts of the set: length, document, judge, or another column "
        "of the test set such as domain; judge=FILE and segment=FILE take groups "
        "from a file, a name and its group a line",
    )
    parser.add_argument(
        "--no-probes", action="store_true", help="without the metrics that know nothing"
    )


def _add_certainty(parser: argparse.ArgumentParser) -> None:
    """Add options on intervals and tests."""
    from tertium.meta.resampling import RESAMPLED
    from tertium.meta.testing import TESTS

    parser.add_argument(
        "--resamples",
        type=flags.number(0, 10**6),
        default=1000,
        metavar="N",
        help="for intervals (default: 1000; 0: none)",
    )
    parser.add_argument(
        "--over",
        choices=RESAMPLED,
        help="what intervals and the bootstrap test resample (default: judgements for "
        "rankings, segments for ratings); systems say what other systems would do",
    )
    parser.add_argument(
        "--slow",
        action="store_true",
        help="intervals also for rank correlations of many outputs (:none, :sys)",
    )
    parser.add_argument(
        "--confidence", type=float, default=0.95, metavar="P", help="(default: 0.95)"
    )
    parser.add_argument(
        "--p-values",
        action="store_true",
        help="show in tables the p-values of correlations against 0 (:none and those "
        "of systems), and mark those below 1 - confidence; TSV, CSV and JSON always "
        "have them",
    )
    parser.add_argument(
        "--test",
        choices=TESTS,
        help="test differences between metrics and mark the winning cluster",
    )
    parser.add_argument(
        "--trials",
        type=flags.number(1, 10**6),
        metavar="N",
        help="of a test (default: 1000, and more for many metrics: so many that the "
        "smallest p-value after correction is at most a fifth of 1 - confidence)",
    )
    parser.add_argument(
        "--correction",
        choices=("holm", "bh", "none"),
        default="holm",
        help="for the number of pairs of metrics (default: holm)",
    )


def _add_views(parser: argparse.ArgumentParser) -> None:
    """Add options on what is shown."""
    parser.add_argument(
        "--average-without",
        nargs="+",
        default=[],
        metavar="PAIR",
        help="language pairs that averages leave out",
    )
    parser.add_argument(
        "--gap",
        nargs="+",
        default=[],
        metavar="METRIC",
        help="show how often people agreed with a difference of such a size",
    )
    parser.add_argument(
        "--task-files",
        metavar="FOLDER",
        help="write the result files of a metrics task as well: "
        "system.correlations.toEn, .fromEn and segment.correlations.toEn, .fromEn "
        "(.other without English), TSV with a line a metric and a column a pair",
    )
    parser.add_argument(
        "--families",
        action="store_true",
        help="compare families, which are metrics that differ in settings only: is the "
        "lowest of one above the highest of another?",
    )
    parser.add_argument(
        "--plot",
        nargs="+",
        default=[],
        metavar="[CHART=]FILE",
        help="write a chart as well, to .svg, .png or .json (Vega-Lite): values (the "
        "default), heatmap, scatter, tests, systems, agreement, kappa, gaps, families, "
        "histogram",
    )
