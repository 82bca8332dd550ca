# SPDX-License-Identifier: Apache-2.0
"""Figures of meta-evaluation in the order and with the marks of the WMT tables.

Metrics are sorted by their average, those without a value for every language pair, or
without scores of everything that was judged, behind them, probes last. The best metric
of every language pair is marked, and so is every metric that no other one beats
significantly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tertium.judgements import Agreement
from tertium.meta.coefficients import Coefficient
from tertium.meta.gaps import Gap
from tertium.meta.results import Correlation, Correlations
from tertium.report.html_tables import (
    Cell,
    html_table,
    mark,
    number_cell,
    p_text,
    plain,
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
        (language pair, metric) to its figure.
    averages : dict of str to float or None
        Over the language pairs with a value; None without any.
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
    probes: set[str]
    best: set[tuple[str, str]]
    winners: set[tuple[str, str]]
    incomplete: set[str]

    @property
    def real(self) -> list[str]:
        """The metrics that are no probes."""
        return [metric for metric in self.metrics if metric not in self.probes]

    def value(self, pair: str, metric: str) -> float | None:
        """Return a value; None where it is not defined."""
        found = self.values.get((pair, metric))
        return None if found is None else found.value

    def is_best(self, pair: str, metric: str) -> bool:
        """Tell whether no metric has a higher value; never of a probe."""
        return (pair, metric) in self.best


def grids(result: Correlations, *, without: Sequence[str] = ()) -> list[Grid]:
    """Return the figures of every coefficient.

    Parameters
    ----------
    result : Correlations
    without : sequence of str
        Language pairs that averages leave out.
    """
    return [_grid(result, each, without) for each in result.coefficients]


def _grid(
    result: Correlations, coefficient: Coefficient, without: Sequence[str]
) -> Grid:
    own = [v for v in result.values if v.coefficient == coefficient.name]
    values = {(value.langpair, value.metric): value for value in own}
    having = {value.langpair for value in own}
    pairs = [pair for pair in result.langpairs if pair in having]
    probes = {value.metric for value in own if value.probe}
    metrics = list(dict.fromkeys(value.metric for value in own))
    found = {
        metric: result.average(metric, coefficient.name, exclude=without)
        for metric in metrics
    }
    averages = {m: None if own is None else own.value for m, own in found.items()}
    incomplete = {m for m, own in found.items() if own is None or not own.complete}
    metrics.sort(key=lambda m: (m in probes, m in incomplete, -(averages[m] or 0.0), m))
    best = {(v.langpair, v.metric) for v in own if result.is_best(v)}
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
        probes,
        best,
        tested - lost,
        incomplete,
    )


def values_table(grid: Grid, *, digits: int = 3, alpha: float | None = None) -> str:
    """Return the table of one coefficient.

    Parameters
    ----------
    grid : Grid
    digits : int
        Behind the point.
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
        row = [Cell(_name(grid, metric), metric)]
        for pair in grid.pairs:
            row.append(_value(grid, pair, metric, digits))
            if pair in tested:
                row.append(_p_value(grid.values.get((pair, metric)), alpha or 0.0))
        if several:
            row.append(number_cell(grid.averages[metric], digits))
        rows.append(row)
    head = ["metric"]
    for pair in grid.pairs:
        head += [pair, f"p, {pair}" if several else "p"] if pair in tested else [pair]
    head += ["average"] if several else []
    level = "systems" if grid.coefficient.level == "system" else "segments"
    caption = f"{grid.coefficient.name} ({level}): {grid.coefficient.about}"
    return html_table(caption, head, rows, probes=_probe_rows(grid))


def averages_table(found: Sequence[Grid], *, digits: int = 3) -> str:
    """Return averages of all coefficients side by side, sorted by the first.

    A value that is higher than the one above it is out of sequence, and marked.
    """
    first = found[0]
    above: list[float | None] = [None] * len(found)
    rows = []
    for metric in first.metrics:
        row = [Cell(_name(first, metric), metric)]
        for place, grid in enumerate(found):
            value = grid.averages.get(metric)
            cell = number_cell(value, digits)
            if value is not None and metric not in first.probes:
                before = above[place]
                if before is not None and value > before:
                    sign = mark(_OUT_OF_SEQUENCE, "out of sequence")
                    cell = Cell(f"{sign} {cell.html}", value, "number odd")
                above[place] = value
            row.append(cell)
        rows.append(row)
    head = ["metric", *(grid.coefficient.name for grid in found)]
    return html_table(
        "Averages over language pairs", head, rows, probes=_probe_rows(first)
    )


def gap_label(gap: Gap) -> str:
    """Return a range of differences in words."""
    if gap.high == float("inf"):
        return f"{gap.low:.4g} and more"
    return f"{gap.low:.4g} to {gap.high:.4g}"


def gap_table(metric: str, found: Sequence[Gap]) -> str:
    """Return how often people agreed with differences of a metric."""
    rows = []
    for gap in found:
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
    head = ["difference", "pairs of systems", "people agreed", "95 % interval"]
    return html_table(f"What a difference of {metric} meant", head, rows)


def systems_table(people: Mapping[str, Sequence[SystemScore]]) -> str:
    """Return scores of systems by people."""
    rows = []
    for pair, found in people.items():
        for own in found:
            bounds = [Cell("n/a", None, "number none")] * 2
            if own.interval is not None:
                bounds = [number_cell(bound, 4) for bound in own.interval]
            score = number_cell(own.score, 4)
            rows.append(
                [
                    Cell(plain(pair), pair),
                    Cell(plain(own.system), own.system),
                    score,
                    *bounds,
                ]
            )
    return html_table(
        "Systems as people see them",
        ["language pair", "system", "score", "from", "to"],
        rows,
    )


def kappa_table(agreed: Mapping[str, Agreement]) -> str:
    """Return the kappas of judges, with themselves and with each other."""
    rows = []
    for pair, own in agreed.items():
        for kind, kappa in (("inter", own.inter), ("intra", own.intra)):
            bounds = kappa.interval or (None, None)
            figures = [number_cell(each, 3) for each in (kappa.value, *bounds)]
            count = Cell(f"{kappa.compared:,}", kappa.compared, "number")
            band = kappa.band or "n/a"
            rows.append(
                [Cell(plain(pair), pair), Cell(kind), *figures, count, Cell(band)]
            )
    head = ["language pair", "judges", "κ", "from", "to", "comparisons", "band"]
    return html_table("Agreement of judges", head, rows)


def _name(grid: Grid, metric: str) -> str:
    tag = ' <span class="tag">probe</span>' if metric in grid.probes else ""
    return plain(metric) + tag


def _probe_rows(grid: Grid) -> set[int]:
    return {i for i, metric in enumerate(grid.metrics) if metric in grid.probes}


def _value(grid: Grid, pair: str, metric: str, digits: int) -> Cell:
    found = grid.values.get((pair, metric))
    if found is None or found.value is None:
        return Cell("n/a", None, "number none")
    shown, classes = f"{found.value:.{digits}f}", "number"
    if grid.is_best(pair, metric):
        shown = f"{mark(_BEST, 'best')} <strong>{shown}</strong>"
        classes += " best"
    if found.half_width is not None:
        shown += f" <small>±{found.half_width:.{digits}f}</small>"
    if not found.complete:
        words = f"on {found.n:,} of {found.of:,} that were judged"
        shown += f" <small>{mark(_INCOMPLETE, words)} {found.n:,}</small>"
    if (pair, metric) in grid.winners:
        shown = f"{mark(_WINS, 'not beaten')} {shown}"
        classes += " win"
    return Cell(shown, found.value, classes)


def _p_value(found: Correlation | None, alpha: float) -> Cell:
    if found is None or found.p is None:
        return Cell("n/a", None, "number none")
    shown = p_text(found.p)
    if found.p < alpha:
        shown += f" {mark(_SIGNIFICANT, f'below {alpha:.3g}')}"
    return Cell(shown, found.p, "number")
