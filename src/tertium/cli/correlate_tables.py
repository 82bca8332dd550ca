# SPDX-License-Identifier: Apache-2.0
"""Tables of ``tertium correlate``, in the layout of the WMT metrics task.

Metrics are sorted by their average, those without a value for every language pair
last; the best of every column is marked. Where there are several coefficients, they
also stand side by side, in the order of the first, with marks on averages that are out
of sequence.
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
_OUT_OF_SEQUENCE = "≀"


def tables(result: Correlations, args: argparse.Namespace) -> list[Table]:
    """Return all coefficients side by side, then one table each, then the tests."""
    digits = 3 if args.digits is None else args.digits
    if args.format in ("tsv", "csv"):
        return [_plain(result, args.digits)]
    without = args.average_without
    found = []
    for level in ("system", "segment"):
        names = [each.name for each in result.coefficients if each.level == level]
        if len(names) > 1:
            found.append(_side_by_side(result, names, level, digits, without))
    for coefficient in result.coefficients:
        found.append(_table(result, coefficient.name, digits, without))
    for coefficient in result.coefficients:
        for langpair in result.clusters.get(coefficient.name, {}):
            found.append(_wins(result, coefficient.name, langpair))
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
    for metric in _order(result, names[0], without):
        cells = []
        for name in names:
            average = result.average(metric, name, exclude=without)
            if average is None:
                cells.append("n/a")
                continue
            # As in WMT's tables: better than the metric above, which comes first.
            out = average.value > above.get(name, float("inf"))
            cells.append(f"{_OUT_OF_SEQUENCE if out else ''}{average.value:.{digits}f}")
            if not _is_probe(result, metric):
                above[name] = average.value
        rows.append([metric, *cells])
    about = {each.name: each.about for each in result.coefficients}
    note = "\n".join(f"{name}: {about[name]}" for name in names)
    several = "averages over language pairs, " if len(result.langpairs) > 1 else ""
    return Table(
        ["metric", *names],
        rows,
        title=f"All coefficients of {level}s side by side",
        note=f"{several}by the first column; out of sequence: {_OUT_OF_SEQUENCE}\n"
        f"{note}",
    )


def _order(result: Correlations, name: str, without: Sequence[str]) -> list[str]:
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
    result: Correlations, name: str, digits: int, without: Sequence[str]
) -> Table:
    about = next(each for each in result.coefficients if each.name == name)
    pairs = [
        pair
        for pair in result.langpairs
        if any(v.langpair == pair and v.coefficient == name for v in result.values)
    ]
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
    order = _order(result, name, without)
    rows = []
    incomplete = False
    for metric in order:
        cells = []
        for pair in pairs:
            value = result.get(pair, metric, name)
            if value is None or value.value is None:
                cells.append("n/a")
                continue
            is_best = value.value == best[pair] and not value.probe
            marks = _BEST if is_best else ""
            if _in_first_cluster(result, name, pair, metric):
                marks += _WINNERS
            cells.append(f"{marks}{_number(value.value, value.half_width, digits)}")
        row = [metric, *cells]
        if len(pairs) > 1:
            average = result.average(metric, name, exclude=without)
            if average is None:
                row.append("n/a")
            else:
                shown = _number(average.value, average.half_width, digits)
                incomplete |= not average.complete
                few = "" if average.complete else f" ({average.pairs})"
                row.append(shown + few)
        rows.append(row)
    head = ["metric", *pairs]
    if len(pairs) > 1:
        head.append("average")
    notes = [f"best of a column: {_BEST}"]
    if name in result.clusters:
        notes.append(f"no metric is significantly better: {_WINNERS}")
    left_out = [pair for pair in without if pair in pairs]
    if left_out:
        notes.append(f"averages without {', '.join(left_out)}")
    if incomplete:
        notes.append("(n): average of n language pairs, not of all")
    if any(_is_probe(result, metric) for metric in order):
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


def _number(value: float, half_width: float | None, digits: int) -> str:
    width = "" if half_width is None else f" ±{half_width:.{digits}f}"
    return f"{value:.{digits}f}{width}"


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
        mark = "← " if difference.better == row else ""
        mark = "↑ " if difference.better == column else mark
        p = difference.p_adjusted
        return f"{mark}{'<.001' if p < 0.0005 else format(p, '.3f')}"

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
        note="An arrow points at the metric that is significantly better: ← the row, "
        f"↑ the column. Test: {result.run['test']}, correction: "
        f"{result.run['correction']}.",
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
