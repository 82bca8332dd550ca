# SPDX-License-Identifier: Apache-2.0
"""Tables of ``tertium correlate``, in the layout of the WMT metrics task.

Metrics are sorted by their average, those without a value for every language pair
last; the best of every column is marked, and so is every average of another
coefficient that is out of sequence with the first.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence

from tertium.cli.render import Table
from tertium.meta.gaps import Gap
from tertium.meta.results import Correlations

__all__ = ["as_json", "gap_table", "tables"]

_BEST = "*"
_WINNERS = "!"


def tables(result: Correlations, args: argparse.Namespace) -> list[Table]:
    """Return one table a level and, if metrics were tested, one a coefficient."""
    digits = 3 if args.digits is None else args.digits
    if args.format in ("tsv", "csv"):
        return [_plain(result, args.digits)]
    found = []
    for coefficient in result.coefficients:
        found.append(_table(result, coefficient.name, digits, args.average_without))
    for coefficient in result.coefficients:
        for langpair in result.clusters.get(coefficient.name, {}):
            found.append(_wins(result, coefficient.name, langpair))
    return found


def _table(
    result: Correlations, name: str, digits: int, without: Sequence[str]
) -> Table:
    about = next(each for each in result.coefficients if each.name == name)
    pairs = [
        pair
        for pair in result.langpairs
        if any(v.langpair == pair and v.coefficient == name for v in result.values)
    ]
    averages = {
        metric: result.average(metric, name, exclude=without)
        for metric in result.metrics
    }
    rows_of = [
        metric
        for metric in result.metrics
        if any(v.metric == metric and v.coefficient == name for v in result.values)
    ]
    probe = {value.metric: value.probe for value in result.values}
    rows_of.sort(
        key=lambda m: (probe[m], averages[m] is None, -(averages[m] or 0.0), m)
    )
    best = {
        pair: max(
            (
                value.value
                for value in result.values
                if value.langpair == pair
                and value.coefficient == name
                and value.value is not None
                and not value.probe
            ),
            default=None,
        )
        for pair in pairs
    }
    rows = []
    for metric in rows_of:
        cells = []
        for pair in pairs:
            value = result.get(pair, metric, name)
            if value is None or value.value is None:
                cells.append("n/a")
                continue
            cell = f"{value.value:.{digits}f}"
            if value.half_width is not None:
                cell += f" ±{value.half_width:.{digits}f}"
            is_best = value.value == best[pair] and not value.probe
            marks = _BEST if is_best else ""
            if _in_first_cluster(result, name, pair, metric):
                marks += _WINNERS
            cells.append(f"{marks}{cell}")
        row = [metric, *cells]
        if len(pairs) > 1:
            average = averages[metric]
            row.append("n/a" if average is None else f"{average:.{digits}f}")
        rows.append(row)
    head = ["metric", *pairs]
    if len(pairs) > 1:
        head.append("average")
    notes = [f"{_BEST} best of a column"]
    if name in result.clusters:
        notes.append(f"{_WINNERS} no metric is significantly better")
    left_out = [pair for pair in without if pair in pairs]
    if left_out:
        notes.append(f"averages without {', '.join(left_out)}")
    if any(probe[metric] for metric in rows_of):
        notes.append("probe-*: knows nothing of quality")
    level = "systems" if about.level == "system" else "segments"
    people = "; ".join(
        f"{pair}: {kind}" for pair, kind in result.human.items() if pair in pairs
    )
    if len(set(result.human.values())) == 1:
        people = next(iter(result.human.values()))
    return Table(
        head,
        rows,
        title=f"{name} ({level}): {about.about}",
        note=f"people: {people}\n{'; '.join(notes)}",
    )


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
    order = [place.system for place in result.clusters[name][langpair]]
    cluster = {place.system: place.cluster for place in result.clusters[name][langpair]}
    found = {
        frozenset((d.a, d.b)): d
        for d in result.differences
        if d.coefficient == name and d.langpair == langpair
    }

    def cell(row: str, column: str) -> str:
        difference = found.get(frozenset((row, column)))
        if difference is None:
            return ""
        mark = ">" if difference.better == row else ""
        mark = "<" if difference.better == column else mark
        return f"{mark}{difference.p_adjusted:.3f}"

    # Names of metrics are long: columns have the numbers of rows.
    numbers = [str(i) for i in range(1, len(order) + 1)]
    rows = [
        [str(cluster[row]), f"{i} {row}", *(cell(row, column) for column in order)]
        for i, row in zip(numbers, order, strict=True)
    ]
    return Table(
        ["cluster", "metric", *numbers],
        rows,
        title=f"{name}, {langpair}: adjusted p-values",
        note=f"> the row is significantly better, < the column; "
        f"{result.run['test']}, correction: {result.run['correction']}",
        left=2,
    )


def _plain(result: Correlations, digits: int | None) -> Table:
    def show(value: float | None) -> str:
        if value is None:
            return ""
        return repr(value) if digits is None else f"{value:.{digits}f}"

    head = ["langpair", "metric", "coefficient", "value", "low", "high", "n", "probe"]
    rows = [
        [
            value.langpair,
            value.metric,
            value.coefficient,
            show(value.value),
            *(map(show, value.interval or (None, None))),
            str(value.n),
            "yes" if value.probe else "no",
        ]
        for value in result.values
    ]
    return Table(head, rows, left=3)


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


def as_json(result: Correlations, gaps: Mapping[str, Sequence[Gap]]) -> str:
    """Return everything as JSON."""
    out = json.loads(result.to_json())
    if gaps:
        out["gaps"] = {
            name: [gap.to_dict() for gap in own] for name, own in gaps.items()
        }
    return json.dumps(out, ensure_ascii=False, indent=2)
