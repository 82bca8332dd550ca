# SPDX-License-Identifier: Apache-2.0
"""Files of single charts, for ``tertium correlate --plot``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tertium._files import replace_file
from tertium.errors import InputError, UnknownNameError
from tertium.meta.evaluation import Evaluation
from tertium.meta.gaps import Gap
from tertium.meta.results import Correlations
from tertium.report.draw.vega import altair, export, file_kind
from tertium.report.meta.charts import CHARTS, meta_chart

__all__ = ["plots", "write_plots"]


def plots(items: Sequence[str]) -> list[tuple[str, str]]:
    """Return the chart and the file of every ``[CHART=]FILE``.

    Raises
    ------
    InputError
        If there is no such chart, or none in such a file.
    MissingExtraError
        If charts cannot be drawn here.

    Examples
    --------
    >>> plots(["a.svg", "scatter=b.png"])
    [('values', 'a.svg'), ('scatter', 'b.png')]
    """
    found = []
    for item in items:
        name, equals, path = item.partition("=")
        if not equals:
            name, path = "values", item
        if name not in CHARTS:
            raise UnknownNameError("chart", name, CHARTS)
        file_kind(path)
        found.append((name, path))
    if found:
        altair()
    return found


def write_plots(
    wanted: Sequence[tuple[str, str]],
    result: Correlations,
    evaluations: Sequence[Evaluation],
    *,
    gaps: Mapping[str, Sequence[Gap]],
    without: Sequence[str],
) -> None:
    """Write charts into files.

    Raises
    ------
    InputError
        If there is nothing to draw.
    """
    for name, path in wanted:
        chart = meta_chart(name, result, evaluations, gaps=gaps, without=without)
        if chart is None:
            cure = {"tests": "use --test", "gaps": "use --gap"}.get(name)
            cure = cure or "these judgements have nothing for it"
            raise InputError(f"nothing to draw for the chart {name}; {cure}")
        with replace_file(path) as file:
            file.write(export(chart, path))
