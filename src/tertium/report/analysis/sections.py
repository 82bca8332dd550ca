# SPDX-License-Identifier: Apache-2.0
"""The sections of a report, one function each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tertium.analysis.habits import HABITS
from tertium.analysis.intervals import Difference, Figure
from tertium.analysis.ngrams import NgramGain
from tertium.analysis.report import SystemReport
from tertium.analysis.word_errors import KINDS
from tertium.report.analysis.scatter import draw_scatter
from tertium.report.analysis.words import join
from tertium.report.components import (
    Cell,
    Component,
    Details,
    Diagram,
    Facts,
    Group,
    Heading,
    Legend,
    Span,
    Table,
    Text,
    p_text,
)
from tertium.report.draw.dots import Dot, Row, draw_dots
from tertium.report.grammar.components import FilterButton
from tertium.report.systems.page import metrics_table
from tertium.report.systems.tables import matrix_table, pairs_table, ranking_table
from tertium.report.systems.words import how_tested

__all__ = ["differences", "habits", "method", "metrics", "systems", "where"]

_ROWS = 15  # groups in the table of the largest differences
_DOTS = 10


def systems(report: SystemReport) -> list[Component]:
    """Return rankings, matrices of tests and all pairs."""
    result, order = report.comparison, report.comparison.scores.ranked()
    blocks: list[Component] = []
    for spec, label in result.scores.labels.items():
        blocks.append(Heading(label))
        blocks += ranking_table(result, spec, order, None)
        if len(order) > 2:
            blocks += matrix_table(result, spec)
    blocks.append(Details("All pairs of systems", pairs_table(result, order, None)))
    return blocks


def where(report: SystemReport) -> list[Component]:
    """Return the groups of segments and words in which systems differ most."""
    blocks: list[Component] = []
    spec = next(iter(report.comparison.scores.labels))
    if report.buckets:
        blocks += _largest(report, spec)
    blocks.append(_words(report))
    for kind in dict.fromkeys(bucket.group.kind for bucket in report.buckets):
        blocks.append(Details(f"All systems by {kind}", _kind(report, kind)))
    return blocks


def _largest(report: SystemReport, spec: str) -> list[Component]:
    (a, b), table = report.focus, report.comparison.scores
    info, label = table.metrics[spec], table.labels[spec]
    tested = [each for each in report.buckets if each.differences[spec] is not None]
    tested.sort(key=lambda each: -abs(_delta(each.differences[spec])))
    rows = []
    for bucket in tested[:_ROWS]:
        scores, test = bucket.scores[spec], bucket.differences[spec]
        rows.append(
            [
                Cell(bucket.group.kind),
                Cell(bucket.group.label),
                Cell(str(len(bucket.group.members)), None, "number"),
                *(_figure(scores[name], info.digits) for name in (a, b)),
                *_tested(test, info.digits, report, higher=info.higher_is_better),
                Cell([_button(report, bucket.group.kind, bucket.group.label)]),
            ]
        )
    overall = report.comparison.pair(a, b, spec)
    known = overall.delta if overall.a == a else -overall.delta
    dots = [
        Row(
            f"{bucket.group.kind}: {bucket.group.label}",
            [Dot(_delta(test), *test.interval)],
            known,
        )
        for bucket in tested[:_DOTS]
        if (test := bucket.differences[spec])
    ]
    head = ["by", "segments with", "number", a, b, "difference", "interval", "p", ""]
    picture = draw_dots(
        f"{label} of {a} minus {b} in groups of segments",
        dots,
        series=[f"{a} minus {b}"],
        known="all segments",
        scale=label,
    )
    return [
        Text(
            f"{label} of {a} and {b} in groups of segments, the largest differences "
            "first. P-values are corrected by Holm's method for "
            f"{len(tested)} groups; groups under ten segments are not tested."
        ),
        Diagram(
            "dots",
            picture,
            f"{label} of {a} minus {b}; lines are bootstrap intervals.",
        ),
        Table("Groups of segments", head, rows),
    ]


def _words(report: SystemReport) -> Component:
    a, b = report.focus
    rows = [
        [
            Cell(each.kind),
            Cell(each.label),
            Cell(f"{each.references:,}", each.references, "number"),
            *(_figure(each.f[name], 1) for name in report.testset.systems),
            *_tested(each.difference, 1, report),
        ]
        for each in report.words
    ]
    head = ["by", "words", "number", *report.testset.systems]
    head += [f"{a} minus {b}", "interval", "p"]
    caption = "Words that are right: F in per cent"
    return Table(caption, head, rows)


def _kind(report: SystemReport, kind: str) -> list[Component]:
    names = list(report.testset.systems)
    table = report.comparison.scores
    out: list[Component] = []
    for spec, label in table.labels.items():
        digits = table.metrics[spec].digits
        rows = [
            [
                Cell(bucket.group.label),
                Cell(str(len(bucket.group.members)), None, "number"),
                *(_figure(bucket.scores[spec][name], digits) for name in names),
            ]
            for bucket in report.buckets
            if bucket.group.kind == kind
        ]
        out.append(Table(f"{label} by {kind}", ["segments", "number", *names], rows))
    return [Group("tables", out)]


def differences(report: SystemReport) -> list[Component]:
    """Return kinds of errors, habits and n-grams."""
    (a, b), names = report.focus, list(report.testset.systems)
    rows = [
        [
            Cell(each.kind),
            *(_figure(each.rates[name], 1) for name in names),
            *_tested(each.difference, 1, report, higher=False),
            Cell([FilterButton(each.kind, {"error": str(number)})]),
        ]
        for number, each in enumerate(report.errors)
    ]
    head = ["error", *names, f"{a} minus {b}", "interval", "p", ""]
    gains = [
        _ngrams(side, (one, other), (a, b))
        for side, one, other in zip(report.ngrams, (a, b), (b, a), strict=True)
    ]
    return [
        Table("Errors per 100 words of the reference", head, rows),
        Details("What these errors are", [Facts(list(KINDS.items())), _how(report)]),
        *habits(report),
        Heading("N-grams that only one of them gets right"),
        Legend(
            "How often the n-gram of a reference is also in the output of the segment. "
            "Sorted by the smoothed share (a + 1) / (a + b + 2); n-grams within longer "
            "ones that say the same are left out."
        ),
        Group("tables", gains),
    ]


def _how(report: SystemReport) -> Component:
    forms = (
        f"have the same stem (Snowball, {report.language})"
        if report.language
        else "are equal"
    )
    return Text(
        f"Words of output and reference are aligned if they {forms}, case aside; of "
        "several references, the one with the fewest errors counts. These are "
        "differences from a reference: a good translation may have some."
    )


def habits(report: SystemReport) -> list[Component]:
    """Return outputs that are odd whatever the reference says."""
    names = list(report.testset.systems)
    rows = [
        [
            Cell(each.name, title=HABITS[each.name]),
            *(Cell(str(len(each.segments[name])), None, "number") for name in names),
            Cell([FilterButton(each.name, {"error": str(len(KINDS) + number)})]),
        ]
        for number, each in enumerate(report.habits)
        if any(each.segments.values())
    ]
    lengths = []
    for name in names:
        labels = report.labels[name]
        written = sum(map(len, labels.output))
        lengths.append(100 * written / max(1, int(labels.lengths.sum())))
    ratio = [Cell(f"{value:.1f} %", value, "number") for value in lengths]
    rows.insert(0, [Cell("words, of the references'"), *ratio, Cell("")])
    return [
        Table("Outputs that stand out", ["habit", *names, ""], rows),
        Details("What these are", [Facts(list(HABITS.items()))]),
    ]


def _ngrams(
    gains: Sequence[NgramGain], ours: tuple[str, str], order: tuple[str, str]
) -> Component:
    rows = []
    for gain in gains:
        hits = dict(zip(order, gain.matches, strict=True))
        only = ",".join(str(number + 1) for number in gain.segments)
        words = " ".join(gain.words)
        rows.append(
            [
                Cell([Span(words, "chip")], words),
                *(Cell(str(hits[name]), None, "number") for name in ours),
                Cell(str(gain.references), None, "number"),
                Cell([FilterButton(words, {"only": only})]),
            ]
        )
    return Table(f"Gains of {ours[0]}", ["n-gram", *ours, "references", ""], rows)


def metrics(report: SystemReport) -> list[Component]:
    """Return how far metrics agree, and where they do not."""
    if not report.metrics:
        return [Text("There is one metric only; give several to compare them.")]
    table = report.comparison.scores
    rows, plots, outliers = [], [], []
    for pair in report.metrics:
        one, other = (table.labels[spec] for spec in pair.metrics)
        swapped = [f"{a} over {b}" for a, b in pair.swapped]
        rows.append(
            [
                Cell(f"{one}, {other}"),
                Cell(f"{pair.pearson:.3f}", pair.pearson, "number"),
                Cell(f"{pair.spearman:.3f}", pair.spearman, "number"),
                Cell(join(swapped[:5]) or "none", len(swapped), "prose"),
            ]
        )
        x, y = (report.segments[spec] for spec in pair.metrics)
        plots.append(Diagram("scatter", *draw_scatter(one, other, x, y)))
        for each in pair.outliers[:5]:
            number = each.segment + 1
            outliers.append(
                [
                    Cell([Span(str(number), "link", f"#segment-{number}")], number),
                    Cell(each.system),
                    *(
                        Cell(f"{label}: above {100 * rank:.0f} %", None)
                        for label, rank in zip((one, other), each.ranks, strict=True)
                    ),
                ]
            )
    first = next(iter(table.labels.values()))
    return [
        Table(
            "Agreement on single outputs",
            ["metrics", "Pearson", "Spearman", "systems in the opposite order"],
            rows,
        ),
        Legend(
            "Metrics are turned so that higher is better. Opposite orders: better by "
            f"the first of the two metrics, such as {first}."
        ),
        Group("grid", plots),
        Table(
            "Outputs on which metrics disagree most",
            ["segment", "system", "one metric", "the other"],
            outliers,
        ),
    ]


def method(report: SystemReport) -> list[Component]:
    """Return how everything was tested, and the signatures of metrics."""
    return [
        Text(how_tested(report.comparison)),
        metrics_table(report.comparison.scores),
    ]


def _delta(test: Difference | None) -> float:
    return 0.0 if test is None else test.delta


def _figure(figure: Figure, digits: int) -> Cell:
    title = ""
    if figure.interval:
        low, high = figure.interval
        title = f"interval {low:.{digits}f} to {high:.{digits}f}"
    return Cell(f"{figure.value:.{digits}f}", figure.value, "number", title)


def _tested(
    test: Difference | None, digits: int, report: SystemReport, *, higher: bool = True
) -> list[Cell]:
    """Return difference, interval and p-value; green where it is significant."""
    if test is None:
        return [Cell("n/a", None, "number none")] * 3
    alpha = float(report.comparison.run["alpha"])
    low, high = test.interval
    better = "" if test.delta == 0 else report.focus[(test.delta > 0) != higher]
    sure = test.p_adjusted < alpha and better
    return [
        Cell(
            f"{test.delta:+.{digits}f}",
            test.delta,
            "number win" if sure else "number",
            f"{better} is significantly better" if sure else "",
        ),
        Cell(f"{low:.{digits}f} to {high:.{digits}f}", low, "number"),
        Cell(p_text(test.p_adjusted), test.p_adjusted, "number"),
    ]


def _button(report: SystemReport, kind: str, label: str) -> FilterButton:
    groups: Mapping[tuple[str, str], int] = {
        (bucket.group.kind, bucket.group.label): number
        for number, bucket in enumerate(report.buckets)
    }
    return FilterButton(f"{kind}: {label}", {"group": str(groups[kind, label])})
