# SPDX-License-Identifier: Apache-2.0
"""Tables of ``tertium correlate``, in the layout of the WMT metrics task.

Metrics are sorted by their average, those without a value for every language pair, or
without a score for everything that was judged, last; the best of every column is
marked, in LaTeX by bold. Where there are several coefficients, they
also stand side by side, in the order of the first, with marks on averages that are out
of sequence.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tertium.cli.correlate.programs import plain_table
from tertium.cli.correlate.tallies import tally_table
from tertium.cli.shared.matrix import COLUMN_WINS, ROW_WINS, win_matrix
from tertium.cli.shared.render import Table
from tertium.meta.families import FamilyTest
from tertium.meta.gaps import Gap
from tertium.meta.results import Correlation, Correlations

__all__ = ["INCOMPLETE", "family_table", "gap_table", "order", "tables"]

_BEST = "*"
_WINNERS = "!"
_OUT_OF_SEQUENCE = "≀"
#: Marks metrics that lack scores of what was judged.
INCOMPLETE = "†"
_SIGNIFICANT = "‡"


def tables(result: Correlations, args: argparse.Namespace) -> list[Table]:
    """Return all coefficients side by side, then one table each, then the tests."""
    digits = 3 if args.digits is None else args.digits
    if args.format in ("tsv", "csv"):
        return [plain_table(result, args.digits)]
    without = args.average_without
    found = []
    for level in ("system", "segment"):
        names = [each.name for each in result.coefficients if each.level == level]
        if len(names) > 1:
            found.append(_side_by_side(result, names, level, digits, without))
    for coefficient in result.coefficients:
        bold = args.format == "latex"
        own = _table(
            result,
            coefficient.name,
            without,
            digits=digits,
            bold=bold,
            p_values=args.p_values,
        )
        found.append(own)
    for coefficient in result.coefficients:
        for langpair in result.clusters.get(coefficient.name, {}):
            found.append(_wins(result, coefficient.name, langpair))
        metrics = order(result, coefficient.name, without)
        tally = tally_table(result, coefficient.name, metrics, without)
        if tally is not None:
            found.append(tally)
    return found


def _side_by_side(
    result: Correlations,
    names: Sequence[str],
    level: str,
    digits: int,
    without: Sequence[str],
) -> Table:
    """Return the averages of several coefficients, in the order of the first."""
    rows: list[list[str]] = []
    above: dict[str, float] = {}
    incomplete = False
    for metric in order(result, names[0], without):
        cells = []
        for name in names:
            average = result.average(metric, name, exclude=without)
            if average is None:
                cells.append("n/a")
                continue
            # As in WMT's tables: better than the metric above, which comes first.
            out = average.value > above.get(name, float("inf"))
            marks = INCOMPLETE if average.partial else ""
            marks += _OUT_OF_SEQUENCE if out else ""
            incomplete |= average.partial
            cells.append(f"{marks}{average.value:.{digits}f}")
            if not _is_probe(result, metric) and average.complete:
                above[name] = average.value
        rows.append([metric, *cells])
    about = {each.name: each.about for each in result.coefficients}
    note = "\n".join(
        [*(f"{name}: {about[name]}" for name in names), *_undefined(result, names)]
    )
    several = "averages over language pairs, " if len(result.langpairs) > 1 else ""
    lacking = f"; incomplete: {INCOMPLETE}" if incomplete else ""
    return Table(
        ["metric", *names],
        rows,
        title=f"All coefficients of {level}s side by side",
        note=f"{several}by the first column; out of sequence: {_OUT_OF_SEQUENCE}"
        f"{lacking}\n"
        f"{note}",
    )


def order(result: Correlations, name: str, without: Sequence[str]) -> list[str]:
    """Return metrics by their average: incomplete ones behind, probes last."""
    found = {}
    for metric in result.metrics:
        if any(v.metric == metric and v.coefficient == name for v in result.values):
            found[metric] = result.average(metric, name, exclude=without)

    def place(metric: str) -> tuple[bool, bool, float, str]:
        own = found[metric]
        return (
            _is_probe(result, metric),
            own is None or not own.complete,
            0.0 if own is None else -own.value,
            metric,
        )

    return sorted(found, key=place)


def _is_probe(result: Correlations, metric: str) -> bool:
    return any(value.probe for value in result.values if value.metric == metric)


def _table(
    result: Correlations,
    name: str,
    without: Sequence[str],
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
    rows: list[list[str]] = []
    best: list[tuple[int, int]] = []
    for metric in order(result, name, without):
        row = [metric]
        for pair in pairs:
            value = result.get(pair, metric, name)
            if value is not None and result.is_best(value):
                best.append((len(rows), len(row)))
            row.append(_cell(result, value, digits, p_values=p_values))
        if len(pairs) > 1:
            row.append(_average(result, name, metric, digits, without))
        rows.append(row)
    if not bold:
        for i, j in best:
            rows[i][j] = _BEST + rows[i][j]
    level = "systems" if about.level == "system" else "segments"
    return Table(
        ["metric", *pairs, *(["average"] if len(pairs) > 1 else [])],
        rows,
        title=f"{name} ({level}): {about.about}",
        note="\n".join(
            _notes(result, name, pairs, without, bold=bold, p_values=p_values)
        ),
        bold=best if bold else (),
    )


def _cell(
    result: Correlations, value: Correlation | None, digits: int, *, p_values: bool
) -> str:
    if value is None or value.value is None:
        return "n/a"
    marks = "" if value.complete else INCOMPLETE
    if _in_first_cluster(result, value.coefficient, value.langpair, value.metric):
        marks += _WINNERS
    few = "" if value.complete else f" ({value.n:,} of {value.of:,})"
    p = ""
    if p_values and value.p is not None:
        alpha = 1 - float(result.run["confidence"] or 0)
        p = f" p {_p(value.p)}{_SIGNIFICANT if value.p < alpha else ''}"
    return f"{marks}{_number(value.value, value.half_width, digits)}{p}{few}"


def _average(
    result: Correlations, name: str, metric: str, digits: int, without: Sequence[str]
) -> str:
    average = result.average(metric, name, exclude=without)
    if average is None:
        return "n/a"
    mark = INCOMPLETE if average.partial else ""
    few = "" if average.pairs == average.of else f" ({average.pairs})"
    return f"{mark}{_number(average.value, average.half_width, digits)}{few}"


def _notes(
    result: Correlations,
    name: str,
    pairs: Sequence[str],
    without: Sequence[str],
    *,
    bold: bool,
    p_values: bool,
) -> list[str]:
    """Return what stands below a table: people, intervals, marks."""
    own = [value for value in result.values if value.coefficient == name]
    people = "; ".join(
        f"{pair}: {kind}" for pair, kind in result.human.items() if pair in pairs
    )
    if len(set(result.human.values())) == 1:
        people = next(iter(result.human.values()))
    lines = [f"people: {people}"]
    units = result.resampled(name)
    if units:
        share = 100 * float(result.run["confidence"] or 0)
        resamples = f"{int(result.run['resamples'] or 0):,} resamples"
        units_in_words = " or ".join(units)
        lines.append(
            f"±: half of the {share:g} % interval, {resamples} of {units_in_words}"
        )
    if p_values and any(value.p is not None for value in own):
        alpha = 1 - float(result.run["confidence"] or 0)
        lines.append(
            "p: of the value against 0, two-sided, without correction; "
            f"below {alpha:.3g}: {_SIGNIFICANT}"
        )
    marks = [f"best of a column: {'bold' if bold else _BEST}"]
    if name in result.clusters:
        marks.append(f"no metric is significantly better: {_WINNERS}")
    if not all(value.complete for value in own):
        marks.append(f"incomplete (scored, of all that was judged): {INCOMPLETE}")
    left_out = [pair for pair in without if pair in pairs]
    if left_out:
        marks.append(f"averages without {', '.join(left_out)}")
    averages = [
        result.average(metric, name, exclude=without)
        for metric in dict.fromkeys(value.metric for value in own)
    ]
    if any(each is not None and each.pairs < each.of for each in averages):
        marks.append("(n): average of n language pairs, not of all")
    if any(value.probe for value in own):
        marks.append("probe-*: knows nothing of quality")
    return [*lines, "; ".join(marks), *_undefined(result, [name])]


def _undefined(result: Correlations, names: Sequence[str]) -> list[str]:
    """Return which scores of systems lack outputs for which a metric is undefined.

    Coefficients of segments count these out in their cells.
    """
    systems = {each.name for each in result.coefficients if each.level == "system"}
    found: dict[str, dict[str, int]] = {}
    for value in result.values:
        if value.undefined and value.coefficient in systems.intersection(names):
            found.setdefault(value.metric, {})[value.langpair] = value.undefined
    if not found:
        return []
    several = len(result.langpairs) > 1
    listed = []
    for metric, own in found.items():
        counts = (f"{pair} {n:,}" if several else f"{n:,}" for pair, n in own.items())
        listed.append(f"{metric} ({', '.join(counts)})")
    what = "undefined for some judged outputs, which are left out"
    return [f"{what}: {', '.join(listed)}"]


def _number(value: float, half_width: float | None, digits: int) -> str:
    width = "" if half_width is None else f" ±{half_width:.{digits}f}"
    return f"{value:.{digits}f}{width}"


def _p(value: float) -> str:
    return "<.001" if value < 0.0005 else f"{value:.3f}"


def _in_first_cluster(
    result: Correlations, name: str, langpair: str, metric: str
) -> bool:
    """Whether no metric is significantly better than this one."""
    if langpair not in result.clusters.get(name, {}):
        return False
    tested = losers = False
    for difference in result.differences:
        if (difference.coefficient, difference.langpair) != (name, langpair):
            continue
        if metric in (difference.a, difference.b):
            tested = True
            losers |= difference.better not in (None, metric)
    return tested and not losers


def _wins(result: Correlations, name: str, langpair: str) -> Table:
    """Return the matrix of adjusted p-values; the row is better than the column."""
    found = {
        frozenset((d.a, d.b)): d
        for d in result.differences
        if d.coefficient == name and d.langpair == langpair
    }

    def cell(row: str, column: str) -> str:
        difference = found.get(frozenset((row, column)))
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


def gap_table(metric: str, found: Sequence[Gap]) -> Table:
    """Return how often people agreed with differences of a metric."""
    rows = [
        [
            f"{gap.low:.4g} to {gap.high:.4g}"
            if gap.high != float("inf")
            else f"{gap.low:.4g} and more",
            str(gap.pairs),
            "n/a" if gap.share is None else f"{100 * gap.share:.0f} %",
            f"{100 * gap.interval[0]:.0f}-{100 * gap.interval[1]:.0f} %",
        ]
        for gap in found
    ]
    return Table(
        ["difference", "pairs of systems", "people agreed", "95 % interval"],
        rows,
        title=f"What a difference of {metric} meant",
        note="pairs of systems that people tie are left out",
    )


def family_table(found: Sequence[FamilyTest]) -> Table:
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
        for test in found
    ]
    return Table(
        ["langpair", "coefficient", "a", "b", "better", "U", "p"],
        rows,
        title="Families of metrics",
        note="better: its lowest configuration is above the highest of the other. "
        "U, p: Mann and Whitney",
        left=5,
    )
