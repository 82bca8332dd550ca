# SPDX-License-Identifier: Apache-2.0
"""Charts of metrics and human judgements, in files."""

from __future__ import annotations

from collections.abc import Sequence

from tertium._files import replace_file
from tertium.errors import InputError, UnknownNameError
from tertium.meta.results import Correlations
from tertium.report.draw.vega import altair, export, file_kind
from tertium.report.meta.charts import CHARTS, meta_chart

__all__ = ["check_plots", "plots", "write_plots"]

_NEEDS = {
    "tests": "test",
    "gaps": "gap",
    "questions": "gold",
}  # arguments without which a chart is empty


def plots(items: Sequence[str]) -> list[tuple[str, str]]:
    """Return the chart and the file of every ``[CHART=]FILE``.

    Raises
    ------
    InputError
        If there is no such chart, or a file cannot hold one.
    MissingExtraError
        If charts cannot be drawn here.

    Examples
    --------
    >>> plots(["a.svg", "scatter=b.png"])
    [('values', 'a.svg'), ('scatter', 'b.png')]
    """
    charts = []
    for item in items:
        name, equals, path = item.partition("=")
        if not equals:
            name, path = "values", item
        if name not in CHARTS:
            raise UnknownNameError("chart", name, CHARTS)
        file_kind(path)
        charts.append((name, path))
    if charts:
        altair()
    return charts


def check_plots(
    items: Sequence[str],
    *,
    test: str | None,
    gap: Sequence[str],
    gold: Sequence[str] | None = None,
) -> None:
    """Reject charts that would be empty without a test, gaps, or two questions.

    Raises
    ------
    InputError
    """
    questions = gold if len(set(gold or ())) > 1 else None
    available = {"tests": test, "gaps": gap, "questions": questions}
    for name, _ in plots(items):
        if name in available and not available[name]:
            raise _empty(name)


def write_plots(wanted: Sequence[tuple[str, str]], result: Correlations) -> None:
    """Write charts to files.

    Raises
    ------
    InputError
        If there is nothing to draw.
    """
    for name, path in wanted:
        chart = meta_chart(
            name,
            result,
            result.evaluations,
            gaps=result.gaps,
            without=result.average_without,
        )
        if chart is None:
            raise _empty(name)
        with replace_file(path) as file:
            file.write(export(chart, path))


def _empty(name: str) -> InputError:
    needed = _NEEDS.get(name)
    if needed is None:
        cure = "these judgements have nothing for it"
        return InputError(f"nothing to draw for the chart {name}; {cure}")
    message = f"nothing to draw for the chart {name}; use {needed}=..."
    return InputError(message, options=(needed,))
