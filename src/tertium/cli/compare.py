# SPDX-License-Identifier: Apache-2.0
"""``tertium compare``: which systems differ, and how sure that is."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli import options
from tertium.cli.layers import add_layers, check_layers
from tertium.cli.progress import Progress
from tertium.cli.render import Table, emit, render

if TYPE_CHECKING:
    from tertium.engine.results import Comparison, Pair

__all__ = ["command"]

_ABOUT = """\
Compare all pairs of systems with a paired test, correct for the number of
pairs, and group systems into clusters that the test can tell apart.
"""

_EXAMPLES = """\
  tertium compare demo
  tertium compare -r ref.txt -i A=a.txt B=b.txt C=c.txt -m bleu chrf
  tertium compare newstest.jsonl --test randomisation --correction bh
  tertium compare -r ref.txt -i base.txt new.txt --baseline base
  tertium compare newstest.jsonl --by-document -f json -o result.json

The JSON is that of `tertium score` and "run" (how it was done), "pairs" (a list of
{"metric", "a", "b", "delta", "interval", "p", "p_adjusted", "effect", "better"})
and "ranking" ({SPEC: [{"system", "cluster", "rank": [best, worst]}]}).
"""

_LEGEND = """\
Δ: score of a minus score of b, with its {confidence:g} % bootstrap interval.
p: {test}, {resamples:,} {trials} (seed {seed}){exact}.
adj. p: {corrected}; below {alpha:g}, `better` names the winner.
d: mean difference of segments over its standard deviation (paired Cohen's d);
   positive where a is better."""

_FEW_UNITS = 20

_RANKS = """
cluster: all systems of a cluster beat all systems of the next one.
rank: best and worst place that the tests leave possible."""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    args = _parse(argv)
    from tertium.engine.compare import compare
    from tertium.engine.inputs import as_metrics

    check_layers(args, as_metrics(args.metrics))
    testset = options.read_testset(args)
    with Progress("metrics", quiet=args.quiet) as progress:
        result = compare(
            testset,
            metrics=args.metrics,
            test=args.test,
            resamples=args.resamples,
            seed=args.seed,
            correction=args.correction,
            alpha=args.alpha,
            baseline=args.baseline,
            by_document=args.by_document,
            threads=args.threads,
            progress=progress,
        )
    options.remark_mixed(args, result.scores.metrics)
    options.remark_unproven(args, result.scores)
    for doubt in _doubts(result, args.alpha):
        options.remark(args, doubt)
    if args.format == "json":
        emit(result.to_json(), args.output)
        return 0
    tables = [*_rankings(result, args), _pairs(result, args)]
    if options.for_programs(args):
        tables = tables[-1:]
    render(tables, args.format, output=args.output)
    return 0


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = options.parser("compare", _ABOUT, _EXAMPLES)
    options.add_input(parser)
    options.add_metrics(parser, ("bleu", "chrf", "ter"))
    parser.add_argument(
        "--test",
        choices=("bootstrap", "randomisation"),
        default="bootstrap",
        help="(default: bootstrap); randomisation is exact for few segments",
    )
    parser.add_argument(
        "--resamples",
        type=options.number(1, 10**7),
        metavar="N",
        help="(default: 1000 for the bootstrap, 10000 for randomisation)",
    )
    parser.add_argument(
        "--correction",
        choices=("holm", "bh", "none"),
        default="holm",
        help="for the number of pairs: Holm (default), Benjamini-Hochberg, none",
    )
    parser.add_argument(
        "--alpha", type=float, default=0.05, metavar="P", help="(default: 0.05)"
    )
    parser.add_argument(
        "--baseline", metavar="NAME", help="compare with this system only"
    )
    parser.add_argument(
        "--by-document", action="store_true", help="resample whole documents"
    )
    options.add_run(parser)
    options.add_output(parser)
    add_layers(parser)
    return parser.parse_args(argv)


def _doubts(result: Comparison, alpha: float) -> list[str]:
    """Return what a reader should know before trusting the p-values."""
    run = result.run
    units, resamples = int(run["number_of_units"]), int(run["resamples"])
    doubts = []
    if run["test"] == "bootstrap" and units < _FEW_UNITS:
        doubts.append(
            f"only {units} {run['units']} were resampled: with so few, p-values of the "
            "bootstrap are too small; --test randomisation is exact here"
        )
    pairs = len(result.pairs) // len(result.scores.metrics)
    smallest = 2 / resamples if run["exact"] else 1 / (resamples + 1)
    adjusted = smallest * (pairs if run["correction"] == "holm" else 1)
    if adjusted >= alpha:
        doubts.append(
            f"no difference can be significant: the smallest possible adjusted p is "
            f"{min(1.0, adjusted):.2g}; test on more {run['units']}, with more "
            "resamples, or fewer pairs"
        )
    return doubts


def _rankings(result: Comparison, args: argparse.Namespace) -> list[Table]:
    tables = []
    labels = options.labels(result.scores.metrics, args)
    for spec, info in result.scores.metrics.items():
        places = {place.system: place for place in result.ranking[spec]}
        rows = []
        for name in places or result.scores.systems:
            score = result.scores[name][spec]
            low, high = (info.show(x, args.digits) for x in score.interval or ())
            row = [name, info.show(score.score, args.digits), f"{low} - {high}"]
            if place := places.get(name):
                best, worst = place.rank
                rank = str(best) if best == worst else f"{best}-{worst}"
                row = [str(place.cluster), *row, rank]
            rows.append(row)
        head = ["system", info.label, f"{100 * (1 - args.alpha):g} % interval"]
        if places:
            head = ["cluster", *head, "rank"]
        direction = "higher" if info.higher_is_better else "lower"
        title = f"{labels[spec]} ({direction} is better)  {info.signature}"
        tables.append(Table(head, rows, title=title, left=2 if places else 1))
    return tables


def _pairs(result: Comparison, args: argparse.Namespace) -> Table:
    run = result.run
    corrected = {
        "holm": "after Holm's correction over the pairs of a metric",
        "bh": "after Benjamini and Hochberg's correction over the pairs of a metric",
        "none": "equal to p, no correction was asked for",
    }[str(run["correction"])]
    legend = _LEGEND.format(
        confidence=100 * (1 - args.alpha),
        test=f"paired {run['test']} over {run['units']}",
        resamples=run["resamples"],
        trials="resamples" if run["test"] == "bootstrap" else "assignments",
        seed=run["seed"],
        exact=", exact" if run["exact"] else "",
        corrected=corrected,
        alpha=args.alpha,
    )
    if any(result.ranking.values()):
        legend += _RANKS
    if options.for_programs(args):
        head = ["metric", "a", "b", "delta", "low", "high", "p", "p_adjusted"]
        head += ["effect", "better"]
        rows = [_plain_pair(pair, args.digits) for pair in result.pairs]
        return Table(head, rows)
    head = ["metric", "a", "b", "Δ", "interval", "p", "adj. p", "d", "better"]
    labels = options.labels(result.scores.metrics, args)
    rows = [
        [labels[pair.metric], *_pair(pair, result, args.digits)]
        for pair in result.pairs
    ]
    return Table(head, rows, title="Pairs", note=legend, left=3)


def _plain_pair(pair: Pair, digits: int | None) -> list[str]:
    figures = (pair.delta, *pair.interval, pair.p, pair.p_adjusted, pair.effect)
    shown = [repr(x) if digits is None else f"{x:.{digits}f}" for x in figures]
    return [pair.metric, pair.a, pair.b, *shown, pair.better or ""]


def _pair(pair: Pair, result: Comparison, digits: int | None) -> list[str]:
    info = result.scores.metrics[pair.metric]
    low, high = (info.show(x, digits) for x in pair.interval)
    return [
        pair.a,
        pair.b,
        info.show(pair.delta, digits),
        f"{low} to {high}",
        _probability(pair.p),
        _probability(pair.p_adjusted),
        "n/a" if pair.effect != pair.effect else f"{pair.effect:.2f}",
        pair.better or "-",
    ]


def _probability(p: float) -> str:
    return f"{p:.4f}" if p >= 0.00005 else "<0.0001"
