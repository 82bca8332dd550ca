# SPDX-License-Identifier: Apache-2.0
"""What ``tertium correlate`` writes for programs: one plain table, or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict

from tertium.cli.shared.render import Table
from tertium.meta.families import FamilyTest
from tertium.meta.gaps import Gap
from tertium.meta.results import Correlation, Correlations, Difference

__all__ = ["as_json", "plain_table"]


def plain_table(result: Correlations, digits: int | None) -> Table:
    """Return a row a figure; with tests, a column a metric has the p-values.

    Parameters
    ----------
    result : Correlations
    digits : int, optional
        Behind the point; all of them by default.
    """

    def show(value: float | None) -> str:
        if value is None:
            return ""
        return repr(value) if digits is None else f"{value:.{digits}f}"

    head = ["langpair", "metric", "coefficient", "value", "low", "high", "p"]
    head += ["n", "of", "undefined", "over", "probe"]
    rows = [
        [
            value.langpair,
            value.metric,
            value.coefficient,
            show(value.value),
            *(map(show, value.interval or (None, None))),
            show(value.p),
            str(value.n),
            "" if value.of is None else str(value.of),
            str(value.undefined),
            value.over or "",
            "yes" if value.probe else "no",
        ]
        for value in result.values
    ]
    if result.run.get("test"):
        probes = {value.metric for value in result.values if value.probe}
        others = [metric for metric in result.metrics if metric not in probes]
        head += ["cluster", "wins", "losses", *(f"p:{name}" for name in others)]
        tested = _Tested(result)
        for row, value in zip(rows, result.values, strict=True):
            row += tested.row(value, others, show)
    return Table(head, rows, left=3)


class _Tested:
    """What tests say of every figure: its cluster, wins, losses and p-values."""

    def __init__(self, result: Correlations) -> None:
        self.clusters = {
            (name, pair, place.system): place.cluster
            for name, own in result.clusters.items()
            for pair, places in own.items()
            for place in places
        }
        self.of: dict[tuple[str, str, str], dict[str, Difference]] = {}
        for each in result.differences:
            for own, other in ((each.a, each.b), (each.b, each.a)):
                key = each.coefficient, each.langpair, own
                self.of.setdefault(key, {})[other] = each

    def row(
        self,
        value: Correlation,
        others: Sequence[str],
        show: Callable[[float | None], str],
    ) -> list[str]:
        key = value.coefficient, value.langpair, value.metric
        found = self.of.get(key, {})
        if not found:
            return [""] * (3 + len(others))
        better = [each.better for each in found.values() if each.better is not None]
        wins = better.count(value.metric)
        p = [found[name].p_adjusted if name in found else None for name in others]
        place = self.clusters.get(key)
        return [
            "" if place is None else str(place),
            str(wins),
            str(len(better) - wins),
            *map(show, p),
        ]


def as_json(
    result: Correlations,
    gaps: Mapping[str, Sequence[Gap]],
    families: Sequence[FamilyTest] | None = None,
) -> str:
    """Return everything as JSON."""
    out = json.loads(result.to_json())
    if gaps:
        out["gaps"] = {
            name: [gap.to_dict() for gap in own] for name, own in gaps.items()
        }
    if families is not None:
        out["families"] = [asdict(test) for test in families]
    return json.dumps(out, ensure_ascii=False, indent=2)
