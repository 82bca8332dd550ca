# SPDX-License-Identifier: Apache-2.0
"""``tertium correlate``: how far metrics agree with people, and how sure that is."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli import options
from tertium.cli.progress import Progress
from tertium.cli.render import emit, render
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements import Judgements
    from tertium.meta.evaluation import Evaluation
    from tertium.meta.human import Human
    from tertium.meta.scores import MetricScores

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
  tertium correlate demo -m bleu chrf --plot values.svg scatter=scatter.png

Coefficients (--coef):
{coefficients}

The JSON is {{"tertium", "run", "human": {{PAIR: KIND}}, "notes", "coefficients",
"correlations": [{{"langpair", "metric", "coefficient", "value", "interval", "n",
"probe"}}], "differences": [{{"langpair", "coefficient", "a", "b", "delta", "p",
"p_adjusted", "better"}}], "clusters"}}; with --gap also "gaps".
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    args = _parse(argv)
    from tertium.cli.correlate_tables import gap_table, tables
    from tertium.meta.correlate import correlate
    from tertium.meta.gaps import gaps

    wanted = []
    if args.plot:
        from tertium.cli.correlate_plots import plots

        wanted = plots(args.plot)
    evaluations = _evaluations(args)
    with Progress("figures", quiet=args.quiet) as progress:
        result = correlate(
            evaluations,
            coefficients=args.coef,
            resamples=args.resamples,
            confidence=args.confidence,
            seed=args.seed,
            test=args.test,
            trials=args.trials,
            correction=args.correction,
            threads=args.threads,
            progress=progress,
        )
    for langpair, notes in result.notes.items():
        for note in notes:
            options.remark(args, f"{langpair}: {note}")
    found = {name: gaps(evaluations, name) for name in args.gap}
    if wanted:
        from tertium.cli.correlate_plots import write_plots

        write_plots(
            wanted, result, evaluations, gaps=found, without=args.average_without
        )
    if args.format == "json":
        from tertium.cli.correlate_tables import as_json

        emit(as_json(result, found), args.output)
    elif args.format == "html":
        from tertium.report.meta_page import meta_page

        page = meta_page(
            result,
            evaluations,
            gaps=found,
            without=args.average_without,
            digits=3 if args.digits is None else args.digits,
        )
        emit(page, args.output)
    else:
        drawn = tables(result, args)
        drawn += [gap_table(name, own) for name, own in found.items()]
        render(drawn, args.format, output=args.output)
    return 0


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    from tertium.meta.coefficients import COEFFICIENTS
    from tertium.meta.testing import TESTS

    width = max(map(len, COEFFICIENTS))
    listed = "\n".join(
        f"  {each.name:{width}}  {each.about}" for each in COEFFICIENTS.values()
    )
    parser = options.parser("correlate", _ABOUT, _EXAMPLES.format(coefficients=listed))
    parser.add_argument(
        "testsets",
        nargs="*",
        metavar="TESTSET",
        help="texts to score, one file a language pair, or `demo`; not needed where "
        "all scores come from files",
    )
    parser.add_argument(
        "-J",
        "--judgements",
        nargs="+",
        metavar="FILE",
        help="stores or files of judgements (see `tertium judgements import --help`)",
    )
    parser.add_argument(
        "--human-scores",
        nargs="+",
        metavar="FILE",
        help="official scores of systems, instead of those from the judgements",
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
        default="expected-wins",
        metavar="METHOD",
        help="how rankings become scores of systems (default: expected-wins; others: "
        "`tertium rank --help`)",
    )
    parser.add_argument(
        "-m", "--metrics", nargs="+", default=[], metavar="SPEC", help="metrics to run"
    )
    parser.add_argument(
        "--scores", nargs="+", default=[], metavar="FILE", help="scores of metrics"
    )
    parser.add_argument(
        "--lower-is-better",
        nargs="+",
        default=[],
        metavar="NAME",
        help="metrics of --scores that fall with quality",
    )
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
        "--missing",
        choices=("error", "drop"),
        default="error",
        help="outputs that were judged and not scored (default: error)",
    )
    parser.add_argument(
        "--resamples",
        type=options.number(0, 10**6),
        default=1000,
        metavar="N",
        help="of judgements or segments, for intervals (default: 1000; 0: none)",
    )
    parser.add_argument(
        "--confidence", type=float, default=0.95, metavar="P", help="(default: 0.95)"
    )
    parser.add_argument(
        "--test",
        choices=TESTS,
        help="test differences between metrics and mark the winning cluster",
    )
    parser.add_argument(
        "--trials",
        type=options.number(1, 10**6),
        metavar="N",
        help="of a test (default: enough for the number of metrics)",
    )
    parser.add_argument(
        "--correction",
        choices=("holm", "bh", "none"),
        default="holm",
        help="for the number of pairs of metrics (default: holm)",
    )
    parser.add_argument(
        "--slice",
        choices=("length", "document", "judge"),
        help="compare on parts of the set: by length, document or judge",
    )
    parser.add_argument(
        "--average-without",
        nargs="+",
        default=[],
        metavar="PAIR",
        help="language pairs that averages leave out",
    )
    parser.add_argument(
        "--no-probes", action="store_true", help="without the metrics that know nothing"
    )
    parser.add_argument(
        "--gap",
        nargs="+",
        default=[],
        metavar="METRIC",
        help="show how often people agreed with a difference of such a size",
    )
    parser.add_argument(
        "--plot",
        nargs="+",
        default=[],
        metavar="[CHART=]FILE",
        help="write a chart as well, to .svg, .png or .json (Vega-Lite): values (the "
        "default), heatmap, scatter, tests, systems, agreement or gaps",
    )
    options.add_run(parser)
    options.add_output(parser)
    return parser.parse_args(argv)


def _evaluations(args: argparse.Namespace) -> list[Evaluation]:
    from tertium.meta.evaluation import evaluation
    from tertium.meta.probes import probes

    found = []
    for human, testset, scores in _inputs(args):
        if not args.no_probes:
            scores = [*scores, *probes(human, testset)]
        both = evaluation(human, scores, exclude=args.exclude, missing=args.missing)
        found += _sliced(both, testset, args.slice)
    return found


def _inputs(
    args: argparse.Namespace,
) -> list[tuple[Human, Testset | None, list[MetricScores]]]:
    """Return judgements, texts and scores of every language pair."""
    if args.mtme is not None:
        return _from_mtme(args)
    judgements = _judgements(args)
    testsets = {}
    for path in args.testsets:
        testset = _testset(path)
        testsets[testset.langpair] = testset
    if not testsets and not args.scores:
        message = (
            "nothing to compare; give test sets and metrics (-m), or --scores, and "
            "judgements (-J); try: tertium correlate demo"
        )
        raise InputError(message)
    pairs = args.langpair or _common(judgements, testsets)
    return [_pair(args, judgements, testsets.get(pair), pair) for pair in pairs]


def _common(
    judgements: Judgements, testsets: dict[str | None, Testset]
) -> list[str | None]:
    known = judgements.names("langpair")
    if not known or not testsets:
        return list(known) or list(testsets)
    if list(testsets) == [None] and len(known) == 1:
        testsets[known[0]] = testsets.pop(None)
    pairs = [pair for pair in testsets if pair in known]
    if not pairs:
        named = ", ".join(str(pair or "unnamed") for pair in testsets)
        message = (
            f"judgements are of {', '.join(known)}, test sets of {named}; name files "
            "after their language pair, such as de-en.tsv, or import with --langpair"
        )
        raise InputError(message)
    return list(pairs)


def _pair(
    args: argparse.Namespace,
    judgements: Judgements,
    testset: Testset | None,
    langpair: str | None,
) -> tuple[Human, Testset | None, list[MetricScores]]:
    from tertium.meta import read_scores, run_metrics
    from tertium.meta.human import human_judgements, official
    from tertium.meta.scores import segment_names

    kinds = ("rankings", "ratings", "spans")
    human = human_judgements(
        judgements,
        langpair=langpair,
        kind=args.gold if args.gold in kinds else "ratings" if args.gold else None,
        scale=None if args.gold in kinds else args.gold,
        method=args.human,
    )
    if args.human_scores:
        human = official(human, read_scores(args.human_scores, langpair=langpair))
    scores = []
    if args.metrics:
        if testset is None:
            message = f"no texts of {langpair} to run metrics on; give its test set"
            raise InputError(message)
        scores += run_metrics(testset, args.metrics, threads=args.threads)
    if args.scores:
        names = None if testset is None else segment_names(testset)
        scores += read_scores(
            args.scores,
            langpair=langpair,
            segments=names,
            lower_is_better=args.lower_is_better,
        )
    return human, testset, scores


def _from_mtme(
    args: argparse.Namespace,
) -> list[tuple[Human, Testset | None, list[MetricScores]]]:
    from tertium.meta import run_metrics
    from tertium.meta.mtme import human_of, read_mtme

    if not args.langpair:
        raise InputError("--mtme needs a language pair; name one with -l, as -l en-de")
    found: list[tuple[Human, Testset | None, list[MetricScores]]] = []
    for langpair in args.langpair:
        folder = read_mtme(args.mtme, langpair)
        scores = list(folder.metrics)
        if args.metrics:
            scores += run_metrics(folder.testset, args.metrics, threads=args.threads)
        found.append((human_of(folder, args.gold), folder.testset, scores))
    return found


def _judgements(args: argparse.Namespace) -> Judgements:
    from tertium.judgements import read_judgements

    if args.judgements:
        return read_judgements(args.judgements)
    if args.testsets == ["demo"]:
        args.gold = args.gold or "rankings"
        return read_judgements("demo")
    raise InputError("no judgements; name files or stores with -J")


def _testset(path: str) -> Testset:
    from dataclasses import replace

    import tertium
    from tertium.judgements.formats.names import file_langpair

    if path == "demo" and not os.path.exists(path):
        path = options.demo()
    testset = tertium.read(path)
    if testset.langpair is None:
        testset = replace(testset, langpair=file_langpair(path))
    return testset


def _sliced(
    both: Evaluation, testset: Testset | None, kind: str | None
) -> list[Evaluation]:
    from tertium.meta.scores import segment_names
    from tertium.meta.slices import by_judge, by_segment, length_groups

    if kind is None:
        return [both]
    if kind == "judge":
        return by_judge(both, lambda name: name)
    if testset is None:
        raise InputError(f"slices by {kind} need the test set; give it")
    if kind == "length":
        return by_segment(both, length_groups(testset))
    if testset.docs is None:
        raise InputError("the test set names no documents; slice by length instead")
    return by_segment(
        both, dict(zip(segment_names(testset), testset.docs, strict=True))
    )
