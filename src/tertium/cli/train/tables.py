# SPDX-License-Identifier: Apache-2.0
"""The table of tau that ``tertium train`` prints, and that a model file remembers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tertium.cli.shared.render import Table

if TYPE_CHECKING:
    from tertium.learn.validation import Agreement

__all__ = ["TITLE", "remembered", "tau_table"]

TITLE = "tau-wmt14 on segments held out"


def tau_table(
    figures: Sequence[Agreement], title: str, *, digits: int | None = None
) -> Table:
    """Return tau of every source and metric, the best metric first."""
    from tertium.learn.validation import averages

    def shown(value: float | None) -> str:
        return (
            "n/a" if value is None else f"{value:.{3 if digits is None else digits}f}"
        )

    means = averages(figures)
    metrics = sorted(means, key=lambda name: -means[name][0])
    sources = list(dict.fromkeys(each.source for each in figures))
    values = {(each.source, each.metric): each for each in figures}
    rows, pairs = [], []
    for source in sources:
        own = [values.get((source, metric)) for metric in metrics]
        pairs.append(next(each.pairs for each in own if each is not None))
        taus = [shown(None if each is None else each.tau) for each in own]
        rows.append([source, *taus, f"{pairs[-1]:,}"])
    total = f"{sum(pairs):,}"
    rules = [len(rows)]
    if len(sources) > 1:
        rows.append(["average", *(shown(means[name][0]) for name in metrics), total])
    rows.append(["accuracy", *(shown(means[name][1]) for name in metrics), total])
    note = "pairs: those that people decided; accuracy: share in the right order"
    return Table(
        ["source", *metrics, "pairs"], rows, title=title, note=note, rules=rules
    )


def remembered(validation: Mapping[str, object]) -> list[Agreement]:
    """Return the figures of a model file; what has another form is left out."""
    from tertium.learn.validation import Agreement

    found = []
    for metric, sources in validation.items():
        for source, own in sources.items() if isinstance(sources, Mapping) else ():
            if isinstance(own, Mapping):
                pairs, tau, accuracy = (own.get(k) for k in _KEYS)
                numbers = (
                    isinstance(tau, float | int),
                    isinstance(accuracy, float | int),
                )
                if isinstance(pairs, int) and all(numbers):
                    found.append(Agreement(str(source), metric, pairs, tau, accuracy))
    return found


_KEYS = ("pairs", "tau", "accuracy")
