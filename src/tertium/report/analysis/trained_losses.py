# SPDX-License-Identifier: Apache-2.0
"""What the scores of trained metrics lost or gained, for the script that lists it.

The sentences of a test set would take more space than all of its texts. So they are
kept for some outputs: all of a small test set, or else those of the two systems in
focus where they differ most.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tertium.analysis.report import SystemReport
from tertium.metrics import Metric
from tertium.report.explain.losses import find_losses, loss_heading, loss_rows

__all__ = ["loss_columns", "loss_scope"]

#: Outputs with losses; 0.5 MB of text, which takes a fifth of that on the page.
_OUTPUTS = 1000


def loss_columns(report: SystemReport) -> list[dict[str, Any]]:
    """Return the losses of every trained metric that has some.

    Returns
    -------
    list of dict
        ``spec``, ``label``, and ``outputs``: a list of [segment, system, score,
        heading, whether amounts are points, rows], where rows are [amount, text,
        share].
    """
    table = report.comparison.scores
    return [
        {"spec": spec, "label": table.labels[spec], "outputs": outputs}
        for spec, metric in _trained(report)
        if (outputs := [*_outputs(report, spec, metric)])
    ]


def loss_scope(report: SystemReport) -> str:
    """Return for which outputs losses are listed, if there are others; or nothing."""
    labels = report.comparison.scores.labels
    notes = []
    for spec, _ in _trained(report):
        systems, segments = _chosen(report, spec)
        if len(segments) == len(report.testset) and len(systems) == len(
            report.testset.systems
        ):
            continue
        where = (
            "in all segments"
            if len(segments) == len(report.testset)
            else f"in the {len(segments):,} segments where they differ most"
        )
        notes.append(
            f" What {labels[spec]} lost is listed for {report.focus[0]} and "
            f"{report.focus[1]} {where}; tertium explain lists it for every output."
        )
    return "".join(notes)


def _trained(report: SystemReport) -> list[tuple[str, Metric]]:
    """Return the metrics whose scores are sums, which other models' are not."""
    beers = [each for each in report.scorers.items() if each[1].name == "beer"]
    if not beers:
        return []
    from tertium.learn.beer import Beer
    from tertium.learn.rankers import Linear

    return [
        (spec, metric)
        for spec, metric in beers
        if isinstance(metric, Beer) and isinstance(metric.trained.ranker, Linear)
    ]


def _chosen(report: SystemReport, spec: str) -> tuple[list[int], list[int]]:
    """Return the systems and segments whose losses are listed, by number."""
    names, size = list(report.testset.systems), len(report.testset)
    if len(names) * size <= _OUTPUTS:
        return list(range(len(names))), list(range(size))
    pair = [names.index(name) for name in report.focus]
    scores = report.segments[spec]
    gaps = np.nan_to_num(np.abs(scores[pair[0]] - scores[pair[1]]), nan=-1.0)
    largest = np.argsort(-gaps, kind="stable")[: _OUTPUTS // 2]
    return pair, np.sort(largest).tolist()


def _outputs(report: SystemReport, spec: str, metric: Metric) -> Iterator[list[Any]]:
    systems, segments = _chosen(report, spec)
    columns = list(report.testset.systems.values())
    for number in segments:
        refs = report.testset.references[number]
        for system in systems:
            for lost in find_losses({spec: metric}, columns[system][number], refs):
                rows = [
                    [row.amount, row.text, round(row.share, 3)]
                    for row in loss_rows(lost)
                ]
                yield [
                    number,
                    system,
                    round(lost.score, 4),
                    loss_heading(lost, len(refs)),
                    lost.in_points,
                    rows,
                ]
