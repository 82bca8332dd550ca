# SPDX-License-Identifier: Apache-2.0
"""Tables of predicted against human error spans."""

from __future__ import annotations

from tertium.learn.spans.model import SpanModel
from tertium.meta.spans.results import SpanEvaluation
from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

__all__ = ["span_model_table", "span_tables"]

_TITLES = {
    "exact": "Spans with equal positions",
    "overlap": "Spans that overlap",
    "character": "Characters",
    "character-severity": "Characters, half credit for another severity",
    "character-wmt25": "Characters as in WMT25's task 2",
    "mpp": "Spans with partial overlap and partial credit (MPP)",
    "mpp-weighted": "MPP, spans weighted by severity",
    "missing": "Missing content",
    "error-free": "Detection of error-free outputs",
    "score": "Scores",
}


def span_tables(
    result: SpanEvaluation,
    style: Style = Style(),  # noqa: B008 - frozen
) -> list[Table]:
    """Return one table per way of matching, then the tests; one flat table for TSV."""
    if style.for_programs:
        return [_flat(result, style)]
    groups: dict[str, list[str]] = {}
    for measure in result.measures:
        groups.setdefault(measure.partition(":")[0], []).append(measure)
    tables = [
        Table(
            ["metric", *(each.partition(":")[2] for each in names)],
            [
                [metric, *(_cell(result, metric, each, style) for each in names)]
                for metric in result.metrics
            ],
            title=_TITLES[group],
            note=_error_free(result) if group == "error-free" else "",
        )
        for group, names in groups.items()
    ]
    if result.differences:
        tables.append(_differences(result, style))
    return tables


def _error_free(result: SpanEvaluation) -> str:
    """Return what counts as free of errors, where it is not only the spans."""
    score = result.run.get("error_free_score")
    threshold = result.run.get("error_free_prediction")
    parts = []
    if score is not None:
        parts.append(
            f"Error-free: no human span, and a human score of {score:g} or more."
        )
    if threshold is not None:
        parts.append(
            f"Predicted: a score of {threshold:g} or more, where there is one."
        )
    return "\n".join(parts)


def span_model_table(
    model: SpanModel,
    style: Style = Style(),  # noqa: B008 - frozen
) -> Table:
    """Return what a trained span model reaches in cross-validation."""
    names = ("character_f", "character_severity_f", "missing_f")
    figures = [
        [name.replace("_", " "), style.number(float(str(model.validation[name])))]
        for name in names
    ]
    return Table(["measure", "F"], figures, title="Cross-validation by document")


def _cell(result: SpanEvaluation, metric: str, measure: str, style: Style) -> str:
    value = result.get(metric, measure)
    text = style.number(value.value)
    if value.interval is None:
        return text
    low, high = value.interval
    return f"{text} [{style.number(low)}, {style.number(high)}]"


def _differences(result: SpanEvaluation, style: Style) -> Table:
    rows = [
        [each.measure, each.a, each.b]
        + [style.number(x) for x in (each.delta, each.p, each.p_adjusted)]
        for each in result.differences
        if each.measure.endswith(("-f", ":f1", ":mcc", ":pearson"))
    ]
    return Table(
        ["measure", "a", "b", "a - b", "p", "adjusted p"],
        rows,
        title="Differences between metrics",
        left=3,
        note=f"Permutation test over {result.segments:,} segments, correction: "
        f"{result.run['correction']}.",
    )


def _flat(result: SpanEvaluation, style: Style) -> Table:
    rows = []
    for each in result.values:
        low, high = each.interval or (None, None)
        numbers = [style.number(x) for x in (each.value, low, high)]
        probe = "yes" if each.metric in result.probes else "no"
        rows.append([each.metric, each.measure, *numbers, probe])
    return Table(["metric", "measure", "value", "low", "high", "probe"], rows, left=2)
