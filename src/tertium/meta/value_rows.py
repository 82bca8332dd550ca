# SPDX-License-Identifier: Apache-2.0
"""Correlations as one flat table: one row per value, with what tests say about it."""

from __future__ import annotations

from tertium.meta.results import Correlation, Correlations, Difference

__all__ = ["Cell", "value_rows"]

Cell = str | int | float | bool | None


def value_rows(result: Correlations) -> list[dict[str, Cell]]:
    """Return one row per value, by the names of the columns.

    Where metrics were tested, a row also has the metric's cluster, how many metrics are
    significantly worse (``wins``) and better (``losses``), and one column
    ``p:METRIC`` per metric with adjusted p-values.

    Parameters
    ----------
    result : Correlations
    """
    rows = [_row(value) for value in result.values]
    if not result.run.get("test"):
        return rows
    probes = {value.metric for value in result.values if value.probe}
    metrics = [metric for metric in result.metrics if metric not in probes]
    clusters = {
        (name, pair, place.system): place.cluster
        for name, by_pair in result.clusters.items()
        for pair, places in by_pair.items()
        for place in places
    }
    tests: dict[tuple[str, str, str], dict[str, Difference]] = {}
    for each in result.differences:
        for metric, other in ((each.a, each.b), (each.b, each.a)):
            key = each.coefficient, each.langpair, metric
            tests.setdefault(key, {})[other] = each
    for row, value in zip(rows, result.values, strict=True):
        key = value.coefficient, value.langpair, value.metric
        against = tests.get(key, {})
        better = [each.better for each in against.values() if each.better is not None]
        wins = better.count(value.metric)
        row["cluster"] = clusters.get(key) if against else None
        row["wins"] = wins if against else None
        row["losses"] = len(better) - wins if against else None
        for name in metrics:
            row[f"p:{name}"] = against[name].p_adjusted if name in against else None
    return rows


def _row(value: Correlation) -> dict[str, Cell]:
    low, high = value.interval or (None, None)
    return {
        "langpair": value.langpair,
        "metric": value.metric,
        "coefficient": value.coefficient,
        "value": value.value,
        "low": low,
        "high": high,
        "p": value.p,
        "n": value.n,
        "of": value.of,
        "undefined": value.undefined,
        "over": value.over,
        "probe": value.probe,
    }
