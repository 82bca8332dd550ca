# SPDX-License-Identifier: Apache-2.0
"""The table of tau that ``tertium train`` prints, and that a model file holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.learn.validation import Agreement

__all__ = ["TITLE", "tau_table"]

TITLE = "tau-wmt14 on segments held out"


def tau_table(figures: Sequence[Agreement], title: str, style: Style) -> Table:
    """Return tau of every source and metric, the best metric first."""
    from tertium.learn.validation import averages

    means = averages(figures)
    metrics = sorted(means, key=lambda name: -means[name][0])
    sources = list(dict.fromkeys(each.source for each in figures))
    values = {(each.source, each.metric): each for each in figures}
    rows, pairs = [], []
    for source in sources:
        cells = [values.get((source, metric)) for metric in metrics]
        pairs.append(next(each.pairs for each in cells if each is not None))
        taus = [style.number(None if each is None else each.tau) for each in cells]
        rows.append([source, *taus, f"{pairs[-1]:,}"])
    total = f"{sum(pairs):,}"
    rules = [len(rows)]
    if len(sources) > 1:
        rows.append(
            ["average", *(style.number(means[name][0]) for name in metrics), total]
        )
    rows.append(
        ["accuracy", *(style.number(means[name][1]) for name in metrics), total]
    )
    note = "pairs: those with a human preference; accuracy: share in the right order"
    return Table(
        ["source", *metrics, "pairs"], rows, title=title, note=note, rules=rules
    )
