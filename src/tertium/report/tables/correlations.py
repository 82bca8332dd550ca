# SPDX-License-Identifier: Apache-2.0
"""Tables of correlations, in the layout of the WMT metrics task.

Metrics are sorted by their average, of the first kind of judgements and unit if several
are compared; those without a value for every language pair, or
without a score for everything that was judged, come last. The best value of every
column is marked, in LaTeX by bold type. Several coefficients are also shown side by
side, in the order of the first, with marks on averages that are out of sequence.
"""

from __future__ import annotations

from collections.abc import Sequence

from tertium.meta.families import FamilyTest
from tertium.meta.gaps import Gap
from tertium.meta.results import INCOMPLETE, Correlation, Correlations
from tertium.meta.tallies import tally_matrix
from tertium.meta.value_rows import Cell, value_rows
from tertium.report.tables.hypotheses import cross_counts, hypothesis_tables
from tertium.report.tables.matrix import COLUMN_WINS, ROW_WINS, win_matrix
from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

__all__ = ["correlation_tables"]

_BEST = "*"
_WINNERS = "!"
_OUT_OF_SEQUENCE = "≀"
_SIGNIFICANT = "‡"


def correlation_tables(
    result: Correlations,
    style: Style = Style(),  # noqa: B008 - frozen
    *,
    p_values: bool = False,
) -> list[Table]:
    """Return all coefficients side by side, then one table each, then the tests.

    TSV and CSV have one flat table instead.

    Parameters
    ----------
    result : Correlations
    style : Style
    p_values : bool
        Whether to show p-values of the correlations against 0.
    """
    if style.for_programs:
        shown = [_flat_table(result, style)]
    else:
        digits = 3 if style.digits is None else style.digits
        shown = _for_people(result, digits, style.format == "latex", p_values)
    shown += [_gap_table(name, gaps) for name, gaps in result.gaps.items()]
    if result.families is not None:
        shown.append(_family_table(result.families))
    if result.hypotheses:
        shown += hypothesis_tables(result.hypotheses, for_programs=style.for_programs)
    shown += [cross_counts(table) for table in result.questions]
    return shown


def _for_people(
    result: Correlations, digits: int, bold: bool, p_values: bool
) -> list[Table]:
    shown = []
    for level in ("system", "segment"):
        names = [each.name for each in result.coefficients if each.level == level]
        if len(names) > 1:
            shown += _side_by_side(result, names, level, digits)
    names = [each.name for each in result.coefficients]
    for name in names:
        shown.append(_table(result, name, digits=digits, bold=bold, p_values=p_values))
    for name in names:
        for langpair in result.clusters.get(name, {}):
            shown.append(_wins(result, name, langpair))
        for view in result.pairs_by_view(name):
            tally = _tally_table(result, name, view)
            if tally is not None:
                shown.append(tally)
    return shown


def _flat_table(result: Correlations, style: Style) -> Table:
    """Return one row per value, for programs."""

    def show(value: Cell) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value is None or isinstance(value, float):
            return style.number(value)
        return str(value)

    rows = value_rows(result)
    return Table(list(rows[0]), [list(map(show, row.values())) for row in rows], left=3)


def _tally_table(result: Correlations, name: str, view: str) -> Table | None:
    """Return wins, losses and draws of every two metrics over language pairs."""
    without = result.average_without
    order = result.ranked(name, view=view)
    matrix = tally_matrix(result, name, order, exclude=without, view=view)
    if matrix is None:
        return None
    numbers = [str(i) for i in range(1, len(matrix.metrics) + 1)]
    left_out = f" Without {', '.join(without)}." if without else ""
    return Table(
        ["metric", *numbers],
        [
            [f"{i} {metric}", *("" if cell is None else str(cell) for cell in row)]
            for i, metric, row in zip(numbers, matrix.metrics, matrix.rows, strict=True)
        ],
        title=f"{name}: wins, losses and draws over language pairs{_of(view)}",
        note="On how many language pairs the row is significantly better than the "
        "column, significantly worse, or neither. "
        f"Test: {result.run['test']}, correction: {result.run['correction']}."
        f"{left_out}",
    )


def _side_by_side(
    result: Correlations, names: Sequence[str], level: str, digits: int
) -> list[Table]:
    """Return the averages of several coefficients, one table per view."""
    return [
        _averages(result, names, level, digits, view, several=len(pairs) > 1)
        for view, pairs in result.pairs_by_view(*names).items()
    ]


def _averages(
    result: Correlations,
    names: Sequence[str],
    level: str,
    digits: int,
    view: str,
    *,
    several: bool,
) -> Table:
    """Return the averages of several coefficients, in the order of the first."""
    rows: list[list[str]] = []
    above: dict[str, float] = {}
    incomplete = False
    probes = {value.metric for value in result.values if value.probe}
    for metric in result.ranked(names[0], view=view):
        cells = []
        for name in names:
            average = result.average(metric, name, view=view)
            if average is None:
                cells.append("n/a")
                continue
            # As in WMT's tables: better than the metric above, which comes first.
            out = average.value > above.get(name, float("inf"))
            marks = INCOMPLETE if average.partial else ""
            marks += _OUT_OF_SEQUENCE if out else ""
            incomplete |= average.partial
            cells.append(f"{marks}{average.value:.{digits}f}")
            if metric not in probes and average.complete:
                above[name] = average.value
        rows.append([metric, *cells])
    about = {each.name: each.about for each in result.coefficients}
    note = "\n".join(
        [*(f"{name}: {about[name]}" for name in names), *_undefined(result, names)]
    )
    means = "averages over language pairs, " if several else ""
    lacking = f"; incomplete: {INCOMPLETE}" if incomplete else ""
    return Table(
        ["metric", *names],
        rows,
        title=f"All coefficients of {level}s side by side{_of(view)}",
        note=f"{means}by the first column; out of sequence: {_OUT_OF_SEQUENCE}"
        f"{lacking}\n"
        f"{note}",
    )


def _table(
    result: Correlations,
    name: str,
    *,
    digits: int,
    bold: bool,
    p_values: bool,
) -> Table:
    about = next(each for each in result.coefficients if each.name == name)
    pairs = [
        pair
        for pair in result.langpairs
        if any(v.langpair == pair and v.coefficient == name for v in result.values)
    ]
    averaged = result.averaged(name)
    rows: list[list[str]] = []
    best: list[tuple[int, int]] = []
    for metric in result.ranked(name):
        row = [metric]
        for pair in pairs:
            value = result.get(pair, metric, name)
            if value is not None and result.is_best(value):
                best.append((len(rows), len(row)))
            row.append(_cell(result, value, digits, p_values=p_values))
        for view in averaged.values():
            row.append(_average(result, name, metric, view, digits))
        rows.append(row)
    if not bold:
        for i, j in best:
            rows[i][j] = _BEST + rows[i][j]
    level = "systems" if about.level == "system" else "segments"
    return Table(
        ["metric", *pairs, *averaged],
        rows,
        title=f"{name} ({level}): {about.about}",
        note="\n".join(_notes(result, name, pairs, bold=bold, p_values=p_values)),
        bold=best if bold else (),
    )


def _cell(
    result: Correlations, value: Correlation | None, digits: int, *, p_values: bool
) -> str:
    if value is None or value.value is None:
        return "n/a"
    marks = "" if value.complete else INCOMPLETE
    if result.is_unbeaten(value):
        marks += _WINNERS
    few = "" if value.complete else f" ({value.n:,} of {value.of:,})"
    p = ""
    if p_values and value.p is not None:
        alpha = 1 - float(result.run["confidence"] or 0)
        p = f" p {_p(value.p)}{_SIGNIFICANT if value.p < alpha else ''}"
    return f"{marks}{_number(value.value, value.half_width, digits)}{p}{few}"


def _average(
    result: Correlations, name: str, metric: str, view: str, digits: int
) -> str:
    average = result.average(metric, name, view=view)
    if average is None:
        return "n/a"
    mark = INCOMPLETE if average.partial else ""
    few = "" if average.pairs == average.of else f" ({average.pairs})"
    return f"{mark}{_number(average.value, average.half_width, digits)}{few}"


def _notes(
    result: Correlations,
    name: str,
    pairs: Sequence[str],
    *,
    bold: bool,
    p_values: bool,
) -> list[str]:
    """Return the notes below a table: judgements, intervals, marks."""
    values = [value for value in result.values if value.coefficient == name]
    human = "; ".join(
        f"{pair}: {kind}" for pair, kind in result.human.items() if pair in pairs
    )
    if len(set(result.human.values())) == 1:
        human = next(iter(result.human.values()))
    lines = [f"human judgements: {human}"]
    if result.data:
        lines.append(f"test set: {result.data_names}")
    units = result.resampled(name)
    if units:
        share = 100 * float(result.run["confidence"] or 0)
        resamples = f"{int(result.run['resamples'] or 0):,} resamples"
        units_in_words = " or ".join(units)
        lines.append(
            f"±: half of the {share:g} % interval, {resamples} of {units_in_words}"
        )
    if p_values and any(value.p is not None for value in values):
        alpha = 1 - float(result.run["confidence"] or 0)
        lines.append(
            "p: two-sided test against 0, without correction; "
            f"below {alpha:.3g}: {_SIGNIFICANT}"
        )
    marks = [f"best of a column: {'bold' if bold else _BEST}"]
    if name in result.clusters:
        marks.append(f"no metric is significantly better: {_WINNERS}")
    if not all(value.complete for value in values):
        marks.append(f"incomplete (scored, of all that was judged): {INCOMPLETE}")
    left_out = [pair for pair in result.average_without if pair in pairs]
    if left_out:
        marks.append(f"averages without {', '.join(left_out)}")
    averages = [
        result.average(metric, name, view=view)
        for metric in dict.fromkeys(value.metric for value in values)
        for view in result.averaged(name).values()
    ]
    if any(each is not None and each.pairs < each.of for each in averages):
        marks.append("(n): average of n language pairs, not of all")
    if any(value.probe for value in values):
        marks.append("probe-*: ignores quality")
    return [*lines, "; ".join(marks), *_undefined(result, [name])]


def _undefined(result: Correlations, names: Sequence[str]) -> list[str]:
    """Return metrics whose system scores leave out outputs without a value.

    Cells of segment coefficients show their numbers.
    """
    systems = {each.name for each in result.coefficients if each.level == "system"}
    undefined: dict[str, dict[str, int]] = {}
    for value in result.values:
        if value.undefined and value.coefficient in systems.intersection(names):
            undefined.setdefault(value.metric, {})[value.langpair] = value.undefined
    if not undefined:
        return []
    several = len(result.langpairs) > 1
    listed = []
    for metric, by_pair in undefined.items():
        counts = [
            f"{pair} {n:,}" if several else f"{n:,}" for pair, n in by_pair.items()
        ]
        listed.append(f"{metric} ({', '.join(counts)})")
    what = "undefined for some judged outputs, which are left out"
    return [f"{what}: {', '.join(listed)}"]


def _of(view: str) -> str:
    """Return the end of a title: the view, where several are compared."""
    return f", {view}" if view else ""


def _number(value: float, half_width: float | None, digits: int) -> str:
    width = "" if half_width is None else f" ±{half_width:.{digits}f}"
    return f"{value:.{digits}f}{width}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.0005 else f"{value:.3f}"


def _wins(result: Correlations, name: str, langpair: str) -> Table:
    """Return the matrix of adjusted p-values; the row is better than the column."""
    differences = {
        frozenset((d.a, d.b)): d
        for d in result.differences
        if d.coefficient == name and d.langpair == langpair
    }

    def cell(row: str, column: str) -> str:
        difference = differences.get(frozenset((row, column)))
        if difference is None:
            return ""
        mark = f"{ROW_WINS} " if difference.better == row else ""
        mark = f"{COLUMN_WINS} " if difference.better == column else mark
        return f"{mark}{_p(difference.p_adjusted)}"

    return win_matrix(
        result.clusters[name][langpair],
        cell,
        noun="metric",
        title=f"{name}, {langpair}: adjusted p-values",
        note=f"An arrow points at the metric that is significantly better: {ROW_WINS} "
        f"the row, {COLUMN_WINS} the column. Test: {result.run['test']}, correction: "
        f"{result.run['correction']}.",
    )


def _gap_table(metric: str, gaps: Sequence[Gap]) -> Table:
    """Return how often judges agree with differences of a metric."""
    rows = [
        [
            f"{gap.low:.4g} to {gap.high:.4g}"
            if gap.high != float("inf")
            else f"{gap.low:.4g} and more",
            str(gap.pairs),
            "n/a" if gap.share is None else f"{100 * gap.share:.0f} %",
            f"{100 * gap.interval[0]:.0f}-{100 * gap.interval[1]:.0f} %",
        ]
        for gap in gaps
    ]
    return Table(
        ["difference", "pairs of systems", "judges agree", "95 % interval"],
        rows,
        title=f"What a difference of {metric} meant",
        note="pairs of systems that are tied in human judgements are left out",
    )


def _family_table(tests: Sequence[FamilyTest]) -> Table:
    """Return which families of metrics are above which others."""
    rows = [
        [
            test.langpair,
            test.coefficient,
            test.a,
            test.b,
            test.better or "-",
            f"{test.u:g}",
            f"{test.p:.3f}",
        ]
        for test in tests
    ]
    return Table(
        ["langpair", "coefficient", "a", "b", "better", "U", "p"],
        rows,
        title="Families of metrics",
        note="better: its lowest configuration is above the highest of the other. "
        "U, p: Mann and Whitney",
        left=5,
    )
