# SPDX-License-Identifier: Apache-2.0
"""Meta-evaluation results in the order and with the marks of the WMT tables.

Metrics are sorted by their average. Those without a value for every language pair, or
without scores for everything that was judged, follow; probes come last. Marks show the
best metric of every language pair and the metrics that none beats significantly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from tertium.judgements import Agreement
from tertium.meta.agreement.coefficients import Coefficient
from tertium.meta.gaps import Gap
from tertium.meta.results import Correlation, Correlations
from tertium.report.components import (
    Cell,
    Component,
    Span,
    Table,
    number_cell,
    p_text,
)
from tertium.report.meta.people import SystemScore

__all__ = [
    "Grid",
    "averages_table",
    "gap_label",
    "gap_table",
    "grids",
    "kappa_table",
    "systems_table",
    "values_table",
]

_BEST = "★"
_WINS = "✓"
_OUT_OF_SEQUENCE = "≀"
_INCOMPLETE = "†"
_SIGNIFICANT = "‡"


@dataclass(frozen=True)
class Grid:
    """One coefficient of all metrics and language pairs.

    Parameters
    ----------
    coefficient : Coefficient
    pairs : list of str
        Language pairs that have it.
    metrics : list of str
        In the order of the table.
    values : dict
        (language pair, metric) to its result.
    averages : dict of str to float or None
        Over the language pairs with a value; None if there are none. Where several
        kinds of judgements or units are compared, those of the first.
    views : dict of str to list of str
        The language pairs of every kind of judgements and unit.
    by_view : dict
        The averages of all of them.
    averaged : dict of str to str
        Those with several language pairs, by the heading of their average.
    probes : set of str
    best : set
        (language pair, metric) of those with the best value; never a probe.
    winners : set
        (language pair, metric) of those that no metric beats significantly.
    incomplete : set of str
        Metrics without a value for some language pair, or without scores of some
        outputs that were judged; they come last.
    """

    coefficient: Coefficient
    pairs: list[str]
    metrics: list[str]
    values: dict[tuple[str, str], Correlation]
    averages: dict[str, float | None]
    views: dict[str, list[str]]
    by_view: dict[str, dict[str, float | None]]
    averaged: dict[str, str]
    probes: set[str]
    best: set[tuple[str, str]]
    winners: set[tuple[str, str]]
    incomplete: set[str]

    @property
    def real(self) -> list[str]:
        """The metrics that are not probes."""
        return [metric for metric in self.metrics if metric not in self.probes]

    def value(self, pair: str, metric: str) -> float | None:
        """Return a value; None where it is not defined."""
        value = self.values.get((pair, metric))
        return None if value is None else value.value

    def is_best(self, pair: str, metric: str) -> bool:
        """Return whether no metric has a higher value; False for probes."""
        return (pair, metric) in self.best


def grids(result: Correlations, *, without: Sequence[str] = ()) -> list[Grid]:
    """Return the results of every coefficient.

    Parameters
    ----------
    result : Correlations
    without : sequence of str
        Language pairs that averages exclude.
    """
    return [_grid(result, each, without) for each in result.coefficients]


def _grid(
    result: Correlations, coefficient: Coefficient, without: Sequence[str]
) -> Grid:
    all_values = [v for v in result.values if v.coefficient == coefficient.name]
    values = {(value.langpair, value.metric): value for value in all_values}
    having = {value.langpair for value in all_values}
    pairs = [pair for pair in result.langpairs if pair in having]
    probes = {value.metric for value in all_values if value.probe}
    metrics = list(dict.fromkeys(value.metric for value in all_values))
    means = {
        metric: result.average(metric, coefficient.name, exclude=without)
        for metric in metrics
    }
    averages = {m: None if mean is None else mean.value for m, mean in means.items()}
    views = result.pairs_by_view(coefficient.name)
    by_view: dict[str, dict[str, float | None]] = {view: {} for view in views}
    for view, metric in product(views, metrics):
        mean = result.average(metric, coefficient.name, exclude=without, view=view)
        by_view[view][metric] = None if mean is None else mean.value
    incomplete = {m for m, mean in means.items() if mean is None or not mean.complete}
    metrics.sort(key=lambda m: (m in probes, m in incomplete, -(averages[m] or 0.0), m))
    best = {(v.langpair, v.metric) for v in all_values if result.is_best(v)}
    tested: set[tuple[str, str]] = set()
    lost: set[tuple[str, str]] = set()
    for difference in result.differences:
        if difference.coefficient != coefficient.name:
            continue
        both = {difference.a, difference.b}
        tested |= {(difference.langpair, metric) for metric in both}
        if difference.better is not None:
            lost |= {(difference.langpair, m) for m in both - {difference.better}}
    return Grid(
        coefficient,
        pairs,
        metrics,
        values,
        averages,
        views,
        by_view,
        result.averaged(coefficient.name),
        probes,
        best,
        tested - lost,
        incomplete,
    )


def values_table(grid: Grid, *, digits: int = 3, alpha: float | None = None) -> Table:
    """Return the table of one coefficient.

    Parameters
    ----------
    grid : Grid
    digits : int
        Decimal places.
    alpha : float, optional
        Below which p-values against 0 are marked. With it, every language pair whose
        values have them gets a column for them.
    """
    several = len(grid.pairs) > 1
    tested = {
        value.langpair
        for value in grid.values.values()
        if alpha is not None and value.p is not None
    }
    rows = []
    for metric in grid.metrics:
        row = [_name(grid, metric)]
        for pair in grid.pairs:
            row.append(_value(grid, pair, metric, digits))
            if pair in tested:
                row.append(_p_value(grid.values.get((pair, metric)), alpha or 0.0))
        for view in grid.averaged.values():
            row.append(number_cell(grid.by_view[view][metric], digits))
        rows.append(row)
    head = ["metric"]
    for pair in grid.pairs:
        head += [pair, f"p, {pair}" if several else "p"] if pair in tested else [pair]
    head += grid.averaged
    level = "systems" if grid.coefficient.level == "system" else "segments"
    caption = f"{grid.coefficient.name} ({level}): {grid.coefficient.about}"
    return Table(caption, head, rows, probes=_probe_rows(grid))


def averages_table(grids: Sequence[Grid], *, view: str = "", digits: int = 3) -> Table:
    """Return averages of all coefficients side by side, sorted by the first.

    A value that is higher than the one above it is out of sequence, and marked.

    Parameters
    ----------
    grids : sequence of Grid
    view : str
        The kind of judgements and the unit, where several are compared.
    digits : int
        Decimal places.
    """
    first = grids[0]
    order = first.by_view.get(view, {})
    metrics = sorted(
        first.metrics,
        key=lambda m: (m in first.probes, m in first.incomplete, -(order.get(m) or 0)),
    )
    above: list[float | None] = [None] * len(grids)
    rows = []
    for metric in metrics:
        row = [_name(first, metric)]
        for place, grid in enumerate(grids):
            value = grid.by_view.get(view, {}).get(metric)
            cell = number_cell(value, digits)
            if value is not None and metric not in first.probes:
                before = above[place]
                if before is not None and value > before:
                    sign = Span(_OUT_OF_SEQUENCE, "sign", "out of sequence")
                    cell = Cell([sign, f" {value:.{digits}f}"], value, "number")
                above[place] = value
            row.append(cell)
        rows.append(row)
    head = ["metric", *(grid.coefficient.name for grid in grids)]
    caption = "Averages over language pairs" + (f", {view}" if view else "")
    return Table(caption, head, rows, probes=_probe_rows(first))


def gap_label(gap: Gap) -> str:
    """Return a range of differences as a label."""
    if gap.high == float("inf"):
        return f"{gap.low:.4g} or more"
    return f"{gap.low:.4g} to {gap.high:.4g}"


def gap_table(metric: str, gaps: Sequence[Gap]) -> Table:
    """Return how often human judgements agreed with score differences of a metric."""
    rows = []
    for gap in gaps:
        share = "n/a" if gap.share is None else f"{100 * gap.share:.0f} %"
        low, high = gap.interval
        rows.append(
            [
                Cell(gap_label(gap), gap.low),
                Cell(str(gap.pairs), gap.pairs, "number"),
                Cell(share, gap.share, "number"),
                Cell(f"{100 * low:.0f}-{100 * high:.0f} %", low, "number"),
            ]
        )
    head = ["difference", "system pairs", "agreement", "95 % interval"]
    return Table(
        f"{metric}: agreement with human judgements by score difference", head, rows
    )


def systems_table(people: Mapping[str, Sequence[SystemScore]]) -> Table:
    """Return the human scores of systems."""
    rows = []
    for pair, scores in people.items():
        for human in scores:
            bounds = [number_cell(bound, 4) for bound in human.interval or (None, None)]
            score = number_cell(human.score, 4)
            name = Cell(human.system, human.system)
            rows.append([Cell(pair, pair), name, score, *bounds])
    return Table(
        "Human scores of systems",
        ["language pair", "system", "score", "from", "to"],
        rows,
    )


def kappa_table(agreed: Mapping[str, Agreement]) -> Table:
    """Return kappas between judges and within judges."""
    rows = []
    for pair, agreement in agreed.items():
        for kind, kappa in (("inter", agreement.inter), ("intra", agreement.intra)):
            bounds = kappa.interval or (None, None)
            figures = [number_cell(each, 3) for each in (kappa.value, *bounds)]
            count = Cell(f"{kappa.compared:,}", kappa.compared, "number")
            band = kappa.band or "n/a"
            rows.append([Cell(pair, pair), Cell(kind), *figures, count, Cell(band)])
    head = ["language pair", "judges", "κ", "from", "to", "comparisons", "band"]
    return Table("Judge agreement", head, rows)


def _name(grid: Grid, metric: str) -> Cell:
    if metric in grid.probes:
        return Cell([f"{metric} ", Span("probe", "tag")], metric)
    return Cell(metric, metric)


def _probe_rows(grid: Grid) -> set[int]:
    return {i for i, metric in enumerate(grid.metrics) if metric in grid.probes}


def _value(grid: Grid, pair: str, metric: str, digits: int) -> Cell:
    value = grid.values.get((pair, metric))
    if value is None or value.value is None:
        return Cell("n/a", None, "number none")
    text, classes = f"{value.value:.{digits}f}", "number"
    shown: list[str | Component] = [text]
    if grid.is_best(pair, metric):
        shown = [Span(_BEST, "sign", "best"), " ", Span(text, "strong")]
        classes += " best"
    if value.half_width is not None:
        shown += [" ", Span(f"±{value.half_width:.{digits}f}", "small")]
    if not value.complete:
        title = f"on {value.n:,} of {value.of:,} that were judged"
        shown += [" ", Span(_INCOMPLETE, "sign", title), Span(f" {value.n:,}", "small")]
    if (pair, metric) in grid.winners:
        shown = [Span(_WINS, "sign", "not beaten"), " ", *shown]
        classes += " win"
    return Cell(shown, value.value, classes)


def _p_value(value: Correlation | None, alpha: float) -> Cell:
    if value is None or value.p is None:
        return Cell("n/a", None, "number none")
    shown: list[str | Component] = [p_text(value.p)]
    if value.p < alpha:
        shown += [" ", Span(_SIGNIFICANT, "sign", f"below {alpha:.3g}")]
    return Cell(shown, value.p, "number")
