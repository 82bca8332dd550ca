# SPDX-License-Identifier: Apache-2.0
"""The sections of a report, one function each."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tertium.analysis.buckets import LEAST, Bucket, largest
from tertium.analysis.gap_meaning import GapMeaning
from tertium.analysis.habits import HABITS
from tertium.analysis.intervals import Difference, Figure
from tertium.analysis.ngrams import NgramGain
from tertium.analysis.report import SystemReport
from tertium.analysis.word_errors import KINDS
from tertium.engine.comparison import Pair
from tertium.engine.results import MetricInfo
from tertium.report.analysis.data import document_of
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
    number_cell,
    p_text,
)
from tertium.report.draw.dots import Dot, Row, draw_dots
from tertium.report.grammar.components import FilterButton
from tertium.report.systems.tables import matrix_table, pairs_table
from tertium.report.systems.words import how_tested

__all__ = [
    "differences", "focus_pair", "habits", "method", "metrics", "systems", "where",
]  # fmt: skip

_ROWS = 15  # groups in the table of the largest differences
_DOTS = 10
_GROUPS = 40  # in a table of all systems
_NGRAMS = 10  # before readers ask for more
_HIDDEN = "Point at a figure to see its interval; the JSON has all of them."


def systems(report: SystemReport) -> list[Component]:
    """Return scores with clusters, the pair in focus, matrices of tests, all pairs."""
    result, order = report.comparison, report.comparison.scores.ranked()
    blocks: list[Component] = [*_scores(report, order), *_focus(report)]
    if len(order) > 2:
        tables = [matrix_table(result, spec) for spec in result.scores.labels]
        matrices = [matrix for matrix, *_ in tables]
        blocks += [Group("tables", matrices), *tables[0][1:]]
        every = pairs_table(result, order, None)
        blocks.append(Details("All pairs of systems", every))
    return blocks


def _scores(report: SystemReport, order: Sequence[str]) -> list[Component]:
    """Return one table of all metrics."""
    result, table = report.comparison, report.comparison.scores
    level = f"{100 * (1 - float(result.run['alpha'])):g} % interval"
    head = ["system"]
    clusters: dict[str, dict[str, int]] = {}
    for spec, label in table.labels.items():
        head += [f"{label}{_arrow(table.metrics[spec])}", level, "cluster"]
        clusters[spec] = {place.system: place.cluster for place in result.ranking[spec]}
    rows = []
    for name in order:
        row = [Cell(name, name)]
        for spec, info in table.metrics.items():
            value, cluster = table[name][spec], clusters[spec].get(name)
            row.append(Cell(info.show(value.score), value.score, "number"))
            row.append(_range(value.interval, info.digits, "-"))
            row.append(
                Cell("n/a", None, "number none")
                if cluster is None
                else Cell(
                    str(cluster), cluster, "number win" if cluster == 1 else "number"
                )
            )
        rows.append(row)
    note = (
        "Every system in a cluster is significantly better than every system in the "
        "next one."
    )
    if any(not info.higher_is_better for info in table.metrics.values()):
        note += " ↓ lower is better."
    return [Table("Scores and clusters", head, rows), Legend(note)]


def _focus(report: SystemReport) -> list[Component]:
    """Return the difference of the two systems in focus, and what it means."""
    (a, b), table = report.focus, report.comparison.scores
    single = all(len(refs) == 1 for refs in report.testset.references)
    judged = bool(report.gaps) and single
    rows = []
    for spec, label in table.labels.items():
        info, pair = table.metrics[spec], focus_pair(report, spec)
        win = "number win" if pair.better else "number"
        title = f"{pair.better} is significantly better" if pair.better else ""
        row = [
            Cell(label, label),
            Cell(f"{pair.delta:+.{info.digits}f}", pair.delta, win, title),
            _range(pair.interval, info.digits, "to"),
            Cell(p_text(pair.p_adjusted), pair.p_adjusted, "number"),
            number_cell(None if math.isnan(pair.effect) else pair.effect, 2),
        ]
        if judged:
            row.append(_meaning(report.gaps.get(spec), pair))
        rows.append(row)
    head = ["metric", f"{a} minus {b}", "interval", "adj. p", "effect size"]
    notes = (
        "Effect size: the mean difference of segments divided by its standard "
        f"deviation (paired Cohen's d), positive where {a} is better."
    )
    if judged:
        head.append("judges agreed with such a difference")
        sources = join(sorted({s for gap in report.gaps.values() for s in gap.sources}))
        notes += (
            "\nJudges: of all pairs of systems with about this difference, the share "
            f"in which human judges preferred the same system ({sources}; one "
            "reference, large test sets). A difference that is not significant may be "
            "chance: it has no such share."
        )
    elif report.gaps:
        notes += (
            "\nHow often human judges agreed with such a difference is known for one "
            "reference per segment only; here some have more."
        )
    return [Table(f"{a} and {b}", head, rows), Legend(notes)]


def _meaning(gap: GapMeaning | None, pair: Pair) -> Cell:
    if gap is None:
        return Cell("no judgements", None, "none")
    if pair.better is None:
        return Cell("n/a", None, "none", "the difference is not significant")
    low, high = gap.interval
    text = f"{100 * gap.share:.0f} % of {gap.pairs:,} pairs"
    title = f"95 % interval {100 * low:.0f} to {100 * high:.0f} %"
    return Cell(text, gap.share, "", title)


def focus_pair(report: SystemReport, spec: str) -> Pair:
    """Return the test of the two systems in focus, the first minus the second."""
    first, second = report.focus
    pair = report.comparison.pair(first, second, spec)
    return pair if pair.a == first else pair.turned()


def _range(bounds: tuple[float, float] | None, digits: int, to: str) -> Cell:
    if bounds is None:
        return Cell("n/a", None, "number none")
    low, high = bounds
    return Cell(f"{low:.{digits}f} {to} {high:.{digits}f}", low, "number")


def where(report: SystemReport) -> list[Component]:
    """Return the groups of segments and words in which systems differ most."""
    blocks: list[Component] = []
    spec = next(iter(report.comparison.scores.labels))
    if report.buckets:
        blocks += _largest(report, spec)
    blocks += _words(report)
    for kind in dict.fromkeys(bucket.group.kind for bucket in report.buckets):
        blocks.append(Details(f"All systems by {kind}", _kind(report, kind)))
    return blocks


def _largest(report: SystemReport, spec: str) -> list[Component]:
    (a, b), table = report.focus, report.comparison.scores
    info, label = table.metrics[spec], table.labels[spec]
    tested = largest(report.buckets, spec)
    rows = []
    for bucket, test in tested[:_ROWS]:
        scores = bucket.scores[spec]
        rows.append(
            [
                Cell(bucket.group.kind),
                Cell(bucket.group.label),
                Cell(str(len(bucket.group.members)), None, "number"),
                *(_figure(scores[name], info.digits) for name in (a, b)),
                *_tested(test, info.digits, report, higher=info.higher_is_better),
                Cell([_button(report, bucket)]),
            ]
        )
    known = focus_pair(report, spec).delta
    dots = [
        Row(
            f"{bucket.group.kind}: {bucket.group.label}",
            [Dot(test.delta, *test.interval)],
            known,
        )
        for bucket, test in tested[:_DOTS]
    ]
    head = ["by", "group", "segments", a, b, f"{a} minus {b}", "interval", "adj. p"]
    head.append("outputs")
    sign = _sign(report, higher=info.higher_is_better)
    arrow = _arrow(info)
    picture = draw_dots(
        f"{label} of {a} minus {b} in groups of segments",
        dots,
        series=[f"{a} minus {b}"],
        known="all segments",
        scale=label,
    )
    return [
        Text(
            f"{label}{arrow} of {a} and {b} in groups of segments, the largest "
            f"differences first. {sign} P-values are corrected by Holm's method for "
            f"{len(tested)} groups; groups under {LEAST} segments are not tested."
        ),
        Diagram(
            "dots",
            picture,
            f"{label}{arrow} of {a} minus {b}; lines are bootstrap intervals. {sign}",
        ),
        Table("Groups of segments", head, rows),
        Legend(f"{label}{arrow}. {sign} {_HIDDEN}"),
    ]


def _arrow(info: MetricInfo) -> str:
    return "" if info.higher_is_better else " ↓"


def _sign(report: SystemReport, *, higher: bool) -> str:
    """Return what the sign of a difference means."""
    if higher:
        return f"Positive: {report.focus[0]} is better."
    return f"Lower is better; negative: {report.focus[0]} is better."


def _words(report: SystemReport) -> list[Component]:
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
    head += [f"{a} minus {b}", "interval", "adj. p"]
    return [
        Table("How many words are right: F1 in per cent", head, rows),
        Legend(f"{_sign(report, higher=True)} {_HIDDEN}"),
    ]


def _kind(report: SystemReport, kind: str) -> list[Component]:
    names = list(report.testset.systems)
    table = report.comparison.scores
    buckets = [bucket for bucket in report.buckets if bucket.group.kind == kind]
    head = ["group", "segments", *names, "outputs"]
    out: list[Component] = []
    for spec, label in table.labels.items():
        digits = table.metrics[spec].digits
        rows = [
            [
                Cell(bucket.group.label, bucket.group.label),
                Cell(str(len(bucket.group.members)), None, "number"),
                *(_figure(bucket.scores[spec][name], digits) for name in names),
                Cell([_button(report, bucket)]),
            ]
            for bucket in buckets[:_GROUPS]
        ]
        arrow = _arrow(table.metrics[spec])
        out.append(Table(f"{label}{arrow} by {kind}", head, rows))
    lower = any(not info.higher_is_better for info in table.metrics.values())
    note = f"↓ lower is better. {_HIDDEN}" if lower else _HIDDEN
    blocks: list[Component] = [Group("tables", out), Legend(note)]
    if len(buckets) > _GROUPS:
        note = f"The first {_GROUPS} of {len(buckets):,} groups; the JSON has all."
        blocks.append(Legend(note))
    return blocks


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
    head = ["error", *names, f"{a} minus {b}", "interval", "adj. p", "outputs"]
    sides = list(zip(report.ngrams, ((a, b), (b, a)), strict=True))
    gains = [_ngrams(side[:_NGRAMS], ours, (a, b)) for side, ours in sides]
    others = [
        _ngrams(side[_NGRAMS:], ours, (a, b))
        for side, ours in sides
        if len(side) > _NGRAMS
    ]
    more = [Details("More n-grams", [Group("tables", others)])] if others else []
    return [
        Table("Errors per 100 words of the reference", head, rows),
        Legend(f"{_sign(report, higher=False)} {_HIDDEN}"),
        Details("Definitions of errors", [Facts(list(KINDS.items())), _how(report)]),
        *habits(report),
        Heading("N-grams that only one of them gets right"),
        Legend(
            "How often the n-gram of a reference is also in the output of the segment. "
            "Sorted by the smoothed share (a + 1) / (a + b + 2); n-grams within longer "
            "ones that say the same are left out."
        ),
        Group("tables", gains),
        *more,
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
    ratios = [_figure(report.length_ratios[name], 1) for name in names]
    rows.insert(0, [Cell("words per 100 of the reference"), *ratios, Cell("")])
    return [
        Table("Outputs that stand out", ["habit", *names, "outputs"], rows),
        Details("Definitions of habits", [Facts(list(HABITS.items()))]),
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
    head = ["n-gram", *ours, "refs", "outputs"]
    return Table(f"Right in {ours[0]} more often", head, rows)


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
                number_cell(None if math.isnan(pair.pearson) else pair.pearson, 3),
                number_cell(None if math.isnan(pair.spearman) else pair.spearman, 3),
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
                    Cell(each.system, each.system),
                    Cell(f"{one}, {other}"),
                    *(
                        Cell(f"{100 * rank:.0f} %", rank, "number")
                        for rank in each.ranks
                    ),
                ]
            )
    return [
        Table(
            "Agreement on single outputs",
            ["metrics", "Pearson", "Spearman", "systems in opposite order"],
            rows,
        ),
        Legend(
            "Correlations over all outputs; metrics for which lower is better are "
            "turned round. A over B: A is ahead by the first metric, B by the second."
        ),
        Group("grid", plots),
        Table(
            "Outputs on which metrics disagree most",
            ["segment", "system", "metrics", "by the first", "by the second"],
            outliers,
        ),
        Legend("The share of all outputs that a metric ranks below this one."),
    ]


def method(report: SystemReport) -> list[Component]:
    """Return how everything was tested."""
    groups = (
        "Groups of segments, kinds of words and kinds of errors are tested in the same "
        "way for the two systems in focus, and corrected by Holm's method for the "
        "number of rows in their table."
    )
    return [Text(how_tested(report.comparison)), Text(groups)]


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


def _button(report: SystemReport, bucket: Bucket) -> FilterButton:
    document = document_of(report, bucket)
    filters = (
        {"group": str([each is bucket for each in report.buckets].index(True))}
        if document is None
        else {"document": str(document)}
    )
    return FilterButton(f"{bucket.group.kind}: {bucket.group.label}", filters)
