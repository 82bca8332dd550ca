# SPDX-License-Identifier: Apache-2.0
"""Tables of ``tertium compare``, and why no difference may be significant."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.cli.shared import flags
from tertium.cli.shared.hopeless import hopeless_note
from tertium.cli.shared.matrix import COLUMN_WINS, ROW_WINS, win_matrix
from tertium.cli.shared.render import Table

if TYPE_CHECKING:
    from tertium.cli.compare.verb import Options
    from tertium.engine.results import Comparison, MetricInfo, Pair
    from tertium.stats.limits import Hopeless

__all__ = ["hopeless", "tables"]

_FEW_SYSTEMS = 6  # up to this number there is a list of pairs, beyond it a matrix

_TEST = "paired {test} over {units}, {resamples:,} {trials} (seed {seed}){exact}"

_LEGEND = """\
Δ: score of a minus score of b, with its {confidence:g} % bootstrap interval.
p: {test}.
adj. p: {corrected}; below {alpha:g}, `better` names the winner.
d: mean difference of segments over its standard deviation (paired Cohen's d);
   positive where a is better."""

_MATRIX = """\
{row}: the system of the row is significantly better; {column}: that of the column.
Otherwise: adjusted p, {corrected} ({alpha:g} or more).
Test: {test}. --pairs lists all pairs."""

_RANKS = """
cluster: all systems of a cluster beat all systems of the next one.
rank: best and worst place that the tests leave possible."""

_CORRECTED = {
    "holm": "after Holm's correction over the pairs of a metric",
    "bh": "after Benjamini and Hochberg's correction over the pairs of a metric",
    "none": "equal to p: no correction was asked for",
}


def hopeless(result: Comparison) -> str:
    """Return why no difference could be significant; nothing if one could."""
    why = result.hopeless()
    if why is None:
        return ""
    return hopeless_note(
        why,
        unit=str(result.run["units"])[:-1],
        flag="--resamples",
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


def tables(result: Comparison, options: Options) -> list[Table]:
    """Return the rankings, then the pairs as a matrix or a list; programs get these."""
    if flags.for_programs(options):
        head = ["metric", "a", "b", "delta", "low", "high", "p", "p_adjusted"]
        head += ["effect", "better"]
        return [Table(head, [_plain_pair(p, options.digits) for p in result.pairs])]
    rankings = [_ranking(spec, result, options) for spec in result.scores.metrics]
    many = len(result.scores.systems) > _FEW_SYSTEMS
    if not many or options.pairs or not any(result.ranking.values()):
        return [*rankings, _pairs(result, options)]
    matrices = [_matrix(spec, result, options) for spec in result.scores.metrics]
    legend = _MATRIX.format(
        row=ROW_WINS,
        column=COLUMN_WINS,
        corrected=_CORRECTED[str(result.run["correction"])],
        alpha=options.alpha,
        test=_test(result),
    )
    return [*rankings, *matrices[:-1], replace(matrices[-1], note=legend + _RANKS)]


def _ranking(spec: str, result: Comparison, options: Options) -> Table:
    info = result.scores.metrics[spec]
    places = {place.system: place for place in result.ranking[spec]}
    rows = []
    for name in flags.ordered(result.scores, options, spec):
        score = result.scores[name][spec]
        low, high = (info.show(x, options.digits) for x in score.interval or ())
        row = [name, info.show(score.score, options.digits), f"{low} - {high}"]
        if place := places.get(name):
            best, worst = place.rank
            rank = str(best) if best == worst else f"{best}-{worst}"
            row = [str(place.cluster), *row, rank]
        rows.append(row)
    head = ["system", info.label, f"{100 * (1 - options.alpha):g} % interval"]
    if places:
        head = ["cluster", *head, "rank"]
    direction = "higher" if info.higher_is_better else "lower"
    label = flags.labels(result.scores.metrics, options)[spec]
    title = f"{label} ({direction} is better)  {info.signature}"
    return Table(head, rows, title=title, left=2 if places else 1)


def _test(result: Comparison) -> str:
    run = result.run
    return _TEST.format(
        test=run["test"],
        units=run["units"],
        resamples=run["resamples"],
        trials="resamples" if run["test"] == "bootstrap" else "assignments",
        seed=run["seed"],
        exact=", exact" if run["exact"] else "",
    )


def _matrix(spec: str, result: Comparison, options: Options) -> Table:
    """Return all pairs of one metric, narrow enough for a dozen systems."""
    pairs = {frozenset((p.a, p.b)): p for p in result.pairs if p.metric == spec}

    def cell(row: str, column: str) -> str:
        pair = pairs.get(frozenset((row, column)))
        if pair is None:
            return ""
        if pair.better is None:
            return _short(pair.p_adjusted)
        return ROW_WINS if pair.better == row else COLUMN_WINS

    label = flags.labels(result.scores.metrics, options)[spec]
    return win_matrix(
        result.ranking[spec],
        cell,
        noun="system",
        title=f"{label}: which systems differ",
    )


def _short(p: float) -> str:
    """Return a p-value in three characters.

    Examples
    --------
    >>> _short(0.051), _short(0.999), _short(1.0)
    ('.05', '1.0', '1.0')
    """
    shown = f"{p:.2f}"
    return "1.0" if shown == "1.00" else shown[1:]


def _pairs(result: Comparison, options: Options) -> Table:
    legend = _LEGEND.format(
        confidence=100 * (1 - options.alpha),
        test=_test(result),
        corrected=_CORRECTED[str(result.run["correction"])],
        alpha=options.alpha,
    )
    if any(result.ranking.values()):
        legend += _RANKS
    head = ["metric", "a", "b", "Δ", "interval", "p", "adj. p", "d", "better"]
    infos = result.scores.metrics
    labels = flags.labels(infos, options)
    rows = [
        [labels[pair.metric], *_pair(pair, infos[pair.metric], options.digits)]
        for spec in infos
        for pair in result.pairs_in(flags.ordered(result.scores, options, spec), spec)
    ]
    return Table(head, rows, title="Pairs", note=legend, left=3)


def _plain_pair(pair: Pair, digits: int | None) -> list[str]:
    figures = (pair.delta, *pair.interval, pair.p, pair.p_adjusted, pair.effect)
    shown = [repr(x) if digits is None else f"{x:.{digits}f}" for x in figures]
    return [pair.metric, pair.a, pair.b, *shown, pair.better or ""]


def _pair(pair: Pair, info: MetricInfo, digits: int | None) -> list[str]:
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
