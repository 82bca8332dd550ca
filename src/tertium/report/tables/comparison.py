# SPDX-License-Identifier: Apache-2.0
"""Tables of comparisons: rankings of systems, and pairs as a list or a matrix."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.report.tables.matrix import COLUMN_WINS, ROW_WINS, win_matrix
from tertium.report.tables.scores import RUN_INTERVALS, RUN_NOTE
from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.engine.comparison import Comparison, Pair
    from tertium.engine.results import MetricInfo

__all__ = ["comparison_tables"]

_FEW_SYSTEMS = 6  # up to this number there is a list of pairs, beyond it a matrix

_TEST = "paired {test} over {units}, {resamples:,} {trials} (seed {seed}){exact}"

_RUNS = (
    "t test of mean scores with the variance between runs and over {units} "
    "({resamples:,} resamples, seed {seed})"
)

_LEGEND = """\
Δ: score of a minus score of b, with its {confidence:g} % {interval} interval.
p: {test}.
adj. p: {corrected}; below {alpha:g}, `better` names the winner.
d: mean difference of segments over its standard deviation (paired Cohen's d);
   positive where a is better."""

_MATRIX = """\
{row}: the system of the row is significantly better; {column}: that of the column.
Otherwise: adjusted p, {corrected} ({alpha:g} or more).
Test: {test}.{more}"""

_RANKS = """
cluster: all systems of a cluster beat all systems of the next one.
rank: best and worst place that the tests leave possible."""

_RUN_NOTES = f"\n{RUN_NOTE}\n{RUN_INTERVALS}"

_CORRECTED = {
    "holm": "after Holm's correction over the pairs of a metric",
    "bh": "after Benjamini and Hochberg's correction over the pairs of a metric",
    "none": "equal to p: no correction was asked for",
}


def comparison_tables(
    result: Comparison,
    style: Style = Style(),  # noqa: B008 - frozen
    *,
    sort: str = "quality",
    pairs: bool = False,
    more: str = "",
) -> list[Table]:
    """Return the rankings, then the pairs as a matrix or a list; programs get these.

    Parameters
    ----------
    result : Comparison
    style : Style
    sort : {"quality", "given"}
        The order of systems: best first, or as given.
    pairs : bool
        Whether to list the pairs of more than six systems, instead of a matrix.
    more : str
        How to see the pairs of a matrix; ends the note below it.
    """
    if style.for_programs:
        head = ["metric", "a", "b", "delta", "low", "high", "p", "p_adjusted"]
        head += ["effect", "better"]
        return [Table(head, [_plain_pair(pair, style) for pair in result.pairs])]
    rankings = [_ranking(spec, result, style, sort) for spec in result.scores.metrics]
    many = len(result.scores.systems) > _FEW_SYSTEMS
    if not many or pairs or not any(result.ranking.values()):
        return [*rankings, _pairs(result, style, sort)]
    matrices = [_matrix(spec, result, style) for spec in result.scores.metrics]
    legend = _MATRIX.format(
        row=ROW_WINS,
        column=COLUMN_WINS,
        corrected=_CORRECTED[str(result.run["correction"])],
        alpha=_alpha(result),
        test=_test(result),
        more=more,
    )
    legend += _RANKS + (_RUN_NOTES if result.scores.has_runs else "")
    return [*rankings, *matrices[:-1], replace(matrices[-1], note=legend)]


def _ranking(spec: str, result: Comparison, style: Style, sort: str) -> Table:
    info = result.scores.metrics[spec]
    places = {place.system: place for place in result.ranking[spec]}
    rows = []
    for name in result.scores.order(sort, spec):
        score = result.scores[name][spec]
        low, high = (info.show(x, style.digits) for x in score.interval or ())
        row = [name, info.show(score.score, style.digits), f"{low} - {high}"]
        if result.scores.has_runs:
            spread = (score.sd_runs, score.sd_segments)
            row += [
                str(len(score.runs or ())),
                *(info.show(x, style.digits) for x in spread),
            ]
        if place := places.get(name):
            best, worst = place.rank
            rank = str(best) if best == worst else f"{best}-{worst}"
            row = [str(place.cluster), *row, rank]
        rows.append(row)
    head = ["system", info.label, f"{100 * (1 - _alpha(result)):g} % interval"]
    if result.scores.has_runs:
        head += ["runs", "s_opt", "s_sel"]
    if places:
        head = ["cluster", *head, "rank"]
    direction = "higher" if info.higher_is_better else "lower"
    label = style.labels(result.scores)[spec]
    title = f"{label} ({direction} is better)  {info.signature}"
    return Table(head, rows, title=title, left=2 if places else 1)


def _alpha(result: Comparison) -> float:
    return float(result.run["alpha"])


def _test(result: Comparison) -> str:
    run = result.run
    if run.get("sources") == "runs and segments":
        return _RUNS.format(**run)
    return _TEST.format(
        test=run["test"],
        units=f"{run['units']}{' of every run' * result.scores.has_runs}",
        resamples=run["resamples"],
        trials="resamples" if run["test"] == "bootstrap" else "assignments",
        seed=run["seed"],
        exact=", exact" if run["exact"] else "",
    )


def _matrix(spec: str, result: Comparison, style: Style) -> Table:
    """Return all pairs of one metric, narrow enough for a dozen systems."""
    pairs = {frozenset((p.a, p.b)): p for p in result.pairs if p.metric == spec}

    def cell(row: str, column: str) -> str:
        pair = pairs.get(frozenset((row, column)))
        if pair is None:
            return ""
        if pair.better is None:
            return _short(pair.p_adjusted)
        return ROW_WINS if pair.better == row else COLUMN_WINS

    label = style.labels(result.scores)[spec]
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


def _pairs(result: Comparison, style: Style, sort: str) -> Table:
    legend = _LEGEND.format(
        confidence=100 * (1 - _alpha(result)),
        interval="t" if result.scores.has_runs else "bootstrap",
        test=_test(result),
        corrected=_CORRECTED[str(result.run["correction"])],
        alpha=_alpha(result),
    )
    if any(result.ranking.values()):
        legend += _RANKS
    if result.scores.has_runs:
        legend += _RUN_NOTES
    head = ["metric", "a", "b", "Δ", "interval", "p", "adj. p", "d", "better"]
    infos = result.scores.metrics
    labels = style.labels(result.scores)
    rows = [
        [labels[pair.metric], *_pair(pair, infos[pair.metric], style.digits)]
        for spec in infos
        for pair in result.pairs_in(result.scores.order(sort, spec), spec)
    ]
    return Table(head, rows, title="Pairs", note=legend, left=3)


def _plain_pair(pair: Pair, style: Style) -> list[str]:
    figures = (pair.delta, *pair.interval, pair.p, pair.p_adjusted, pair.effect)
    shown = map(style.number, figures)
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
