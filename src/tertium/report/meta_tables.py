# SPDX-License-Identifier: Apache-2.0
"""Figures of meta-evaluation in the order and with the marks of the WMT tables.

Metrics are sorted by their average, those without a value for every language pair, or
without scores of everything that was judged, behind them, probes last. The best metric
of every language pair is marked, and so is every metric that no other one beats
significantly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from tertium.judgements import Agreement
from tertium.meta.coefficients import Coefficient
from tertium.meta.gaps import Gap
from tertium.meta.results import Correlation, Correlations, Difference
from tertium.report.people import SystemScore

__all__ = [
    "Grid",
    "averages_table",
    "gap_label",
    "gap_table",
    "grids",
    "kappa_table",
    "matrix_table",
    "plain",
    "systems_table",
    "values_table",
]

_BEST = "★"
_WINS = "✓"
_OUT_OF_SEQUENCE = "≀"
_INCOMPLETE = "†"


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


# ------------------------------------------------------------------------------ HTML


class Cell(NamedTuple):
    """What a cell shows (HTML), by what it is sorted, and its classes."""

    html: str
    key: float | str | None = None
    classes: str = ""


def plain(text: str) -> str:
    """Return a text for a page; what has no place in one becomes U+FFFD."""
    shown = "".join(
        "\ufffd" if char < " " or "\ud800" <= char <= "\udfff" else char
        for char in text
    )
    return escape(shown)


def values_table(grid: Grid, *, digits: int = 3) -> str:
    """Return the table of one coefficient."""
    several = len(grid.pairs) > 1
    rows = []
    for metric in grid.metrics:
        row = [Cell(_name(grid, metric), metric)]
        row += [_value(grid, pair, metric, digits) for pair in grid.pairs]
        if several:
            row.append(_number(grid.averages[metric], digits))
        rows.append(row)
    head = ["metric", *grid.pairs, *(["average"] if several else [])]
    level = "systems" if grid.coefficient.level == "system" else "segments"
    caption = f"{grid.coefficient.name} ({level}): {grid.coefficient.about}"
    return _table(caption, head, rows, probes=_probe_rows(grid))


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
            cell = _number(value, digits)
            if value is not None and metric not in first.probes:
                before = above[place]
                if before is not None and value > before:
                    mark = _mark(_OUT_OF_SEQUENCE, "out of sequence")
                    cell = Cell(f"{mark} {cell.html}", value, "number odd")
                above[place] = value
            row.append(cell)
        rows.append(row)
    head = ["metric", *(grid.coefficient.name for grid in found)]
    return _table("Averages over language pairs", head, rows, probes=_probe_rows(first))


def matrix_table(result: Correlations, name: str, langpair: str) -> str:
    """Return adjusted p-values of all pairs of metrics; arrows point at winners."""
    places = result.clusters[name][langpair]
    found = {
        frozenset((d.a, d.b)): d
        for d in result.differences
        if d.coefficient == name and d.langpair == langpair
    }
    order = [place.system for place in places]
    rows = [
        [
            Cell(str(place.cluster)),
            Cell(plain(place.system), place.system),
            *(
                _tested(found.get(frozenset((place.system, column))), place.system)
                for column in order
            ),
        ]
        for place in places
    ]
    caption = f"{name}, {langpair}: adjusted p-values"
    return _table(caption, ["cluster", "metric", *order], rows, kind=" matrix")


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
    return _table(f"What a difference of {metric} meant", head, rows)


def systems_table(people: Mapping[str, Sequence[SystemScore]]) -> str:
    """Return scores of systems by people."""
    rows = []
    for pair, found in people.items():
        for own in found:
            bounds = [Cell("n/a", None, "number none")] * 2
            if own.interval is not None:
                bounds = [_number(bound, 4) for bound in own.interval]
            score = _number(own.score, 4)
            rows.append(
                [
                    Cell(plain(pair), pair),
                    Cell(plain(own.system), own.system),
                    score,
                    *bounds,
                ]
            )
    return _table(
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
            figures = [_number(each, 3) for each in (kappa.value, *bounds)]
            count = Cell(f"{kappa.compared:,}", kappa.compared, "number")
            band = kappa.band or "n/a"
            rows.append(
                [Cell(plain(pair), pair), Cell(kind), *figures, count, Cell(band)]
            )
    head = ["language pair", "judges", "κ", "from", "to", "comparisons", "band"]
    return _table("Agreement of judges", head, rows)


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
        shown = f"{_mark(_BEST, 'best')} <strong>{shown}</strong>"
        classes += " best"
    if found.half_width is not None:
        shown += f" <small>±{found.half_width:.{digits}f}</small>"
    if not found.complete:
        words = f"on {found.n:,} of {found.of:,} that were judged"
        shown += f" <small>{_mark(_INCOMPLETE, words)} {found.n:,}</small>"
    if (pair, metric) in grid.winners:
        shown = f"{_mark(_WINS, 'not beaten')} {shown}"
        classes += " win"
    return Cell(shown, found.value, classes)


def _mark(sign: str, words: str) -> str:
    return f'<abbr title="{words}">{sign}</abbr>'


def _number(value: float | None, digits: int) -> Cell:
    if value is None:
        return Cell("n/a", None, "number none")
    return Cell(f"{value:.{digits}f}", value, "number")


def _tested(difference: Difference | None, row: str) -> Cell:
    # There may be thousands of them: few signs each.
    if difference is None:
        return Cell("")
    shown = f"{difference.p_adjusted:.3f}"
    if difference.better is None:
        return Cell(shown)
    return (
        Cell(f"← {shown}", None, "win")
        if difference.better == row
        else Cell(f"↑ {shown}")
    )


def _table(
    caption: str,
    head: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    *,
    probes: Iterable[int] = (),
    kind: str = "",
) -> str:
    """Return a table; the script of the page lets readers sort it.

    It sorts by the key of a cell, or else by the number in it.
    """
    rows = list(rows)
    right = [all("number" in row[i].classes for row in rows) for i in range(len(head))]
    cells = "".join(
        f'<th scope="col"{" class=number" if right[i] and rows else ""}>'
        f"{plain(name)}</th>"
        for i, name in enumerate(head)
    )
    marked = set(probes)
    body = "\n".join(
        f"<tr{' class=probe' if number in marked else ''}>"
        + "".join(_cell(cell) for cell in row)
        + "</tr>"
        for number, row in enumerate(rows)
    )
    return (
        f'<div class="table"><h3>{plain(caption)}</h3>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{plain(caption)}">'
        f'<table class="sortable{kind}" aria-label="{plain(caption)}">'
        f"<thead><tr>{cells}</tr></thead>\n<tbody>{body}</tbody></table></div></div>"
    )


def _cell(cell: Cell) -> str:
    name = f' class="{cell.classes}"' if cell.classes else ""
    key = "" if cell.key is None else f' data-key="{plain(str(cell.key))}"'
    return f"<td{name}{key}>{cell.html}</td>"
