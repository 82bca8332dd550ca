# SPDX-License-Identifier: Apache-2.0
"""The sections of a report, one function each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from tertium._messages import count
from tertium.analysis.buckets import Bucket, largest
from tertium.analysis.gap_meaning import GapMeaning
from tertium.analysis.habits import HABITS
from tertium.analysis.intervals import LEAST, Figure
from tertium.analysis.ngrams import NgramGain
from tertium.analysis.report import SystemReport
from tertium.analysis.segments import by_sentence_bleu
from tertium.analysis.word_errors import KINDS
from tertium.engine.comparison import Pair
from tertium.engine.results import MetricInfo
from tertium.report.analysis.cells import (
    bounds,
    difference_cells,
    figure_cell,
    score_cell,
)
from tertium.report.analysis.data import document_of
from tertium.report.analysis.origins import first_runs, resegmentation, runs
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
    p_cell,
)
from tertium.report.draw.dots import Dot, Row, draw_dots
from tertium.report.draw.lettering import minus
from tertium.report.grammar.components import filter_cell
from tertium.report.systems.tables import matrix_table, pairs_table
from tertium.report.systems.words import how_tested

__all__ = ["differences", "focus_pair", "habits", "method", "systems", "where"]

_ROWS = 15  # groups in the table of the largest differences
_DOTS = 10
_GROUPS = 40  # in a table of all systems
_NGRAMS = 10  # before readers ask for more


def systems(report: SystemReport) -> list[Component]:
    """Return scores with clusters, the pair in focus, matrices of tests, all pairs.

    Between them, how runs of a system differ, and how texts were cut into segments.
    """
    result, order = report.comparison, report.comparison.scores.ranked()
    blocks: list[Component] = [*_scores(report, order), *runs(report, order)]
    blocks += [*_focus(report), *resegmentation(report)]
    if len(order) > 2:
        if not result.has_few_units:
            tables = [matrix_table(result, spec) for spec in result.scores.labels]
            matrices = [matrix for matrix, *_ in tables]
            blocks += [Group("tables", matrices), *tables[0][1:]]
        every = pairs_table(result, order, None)
        blocks.append(Details("All pairs of systems", every))
    return blocks


def _scores(report: SystemReport, order: Sequence[str]) -> list[Component]:
    """Return one table of all metrics."""
    result, table = report.comparison, report.comparison.scores
    grouped = not result.has_few_units
    head = ["system"]
    clusters: dict[str, dict[str, int]] = {}
    for spec, label in table.labels.items():
        head.append(f"{label}{_arrow(table.metrics[spec])}")
        head += ["cluster"] if grouped else []
        clusters[spec] = {place.system: place.cluster for place in result.ranking[spec]}
    rows = []
    for name in order:
        row = [Cell(name, name)]
        for spec, info in table.metrics.items():
            value, cluster = table[name][spec], clusters[spec].get(name)
            row.append(
                score_cell(
                    info.show(value.score), value.score, value.interval, info.digits
                )
            )
            if grouped:
                row.append(_cluster(cluster))
        rows.append(row)
    level = f"{100 * (1 - float(result.run['alpha'])):g} %"
    kind = "t" if table.has_runs else "bootstrap"
    note = f"Small figures: {level} {kind} intervals."
    if grouped:
        note = (
            "Every system in a cluster is significantly better than every system in "
            f"the next one. {note}"
        )
    if any(not info.higher_is_better for info in table.metrics.values()):
        note += " ↓ lower is better."
    caption = "Scores and clusters" if grouped else "Scores"
    return [Table(caption, head, rows), Legend(note)]


def _cluster(number: int | None) -> Cell:
    if number is None:
        return Cell("n/a", None, "number none")
    return Cell(str(number), number, "number win" if number == 1 else "number")


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
            Cell(minus(f"{pair.delta:+.{info.digits}f}"), pair.delta, win, title),
            Cell(bounds(pair.interval, info.digits), pair.interval[0], "number"),
            p_cell(pair.p_adjusted),
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
    if by_sentence_bleu(list(report.comparison.scores.labels)):
        notes += " For BLEU, it compares the BLEU of segments, not sentence BLEU."
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
    if not tested:
        return [
            Text(
                f"No group of segments has the {LEAST} "
                f"{report.comparison.run['units']} that a test of {a} and {b} needs."
                f"{first_runs(report)}"
            )
        ]
    rows = []
    for bucket, test in tested[:_ROWS]:
        scores = bucket.scores[spec]
        rows.append(
            [
                Cell(_named(bucket)),
                Cell(str(len(bucket.group.members)), None, "number"),
                *(figure_cell(scores[name], info.digits) for name in (a, b)),
                *difference_cells(
                    test, info.digits, report, higher=info.higher_is_better
                ),
                _button(report, bucket),
            ]
        )
    known, known_as = _everywhere(report, spec)
    dots = [
        Row(
            _named(bucket),
            [Dot(test.delta, *test.interval)],
            known,
        )
        for bucket, test in tested[:_DOTS]
    ]
    shown = [one for each, _ in tested for one in each.scores[spec].values()]
    head = ["group", "segments", a, b, f"{a} minus {b}", "interval", "adj. p"]
    head.append("outputs")
    sign = _sign(report, higher=info.higher_is_better)
    arrow = _arrow(info)
    picture, narrow = (
        draw_dots(
            f"{label} of {a} minus {b} in groups of segments",
            dots,
            series=[f"{a} minus {b}"],
            known=known_as,
            scale=label,
            names=names,
        )
        for names in ("beside", "above")
    )
    return [
        Text(
            f"{label}{arrow} of {a} and {b} in groups of segments, the largest "
            f"differences first. {sign} P-values are corrected by Holm's method for "
            f"{len(tested)} groups; groups under {LEAST} "
            f"{report.comparison.run['units']} are not tested.{first_runs(report)}"
        ),
        Diagram(
            "dots",
            picture,
            f"{label}{arrow} of {a} minus {b}; lines are bootstrap intervals. {sign}",
            narrow,
        ),
        Table("Groups of segments", head, rows),
        Legend(f"{label}{arrow}. {sign}{_small(shown)}"),
    ]


def _everywhere(report: SystemReport, spec: str) -> tuple[float, str]:
    """Return the difference over all segments, of first runs, and what it is called.

    Groups of segments are those of first runs, too.
    """
    scores = [report.comparison.scores[name][spec] for name in report.focus]
    if all(len(score.runs or ()) < 2 for score in scores):
        return focus_pair(report, spec).delta, "all segments"
    first, second = (score.runs[0] if score.runs else score.score for score in scores)
    return first - second, "all segments, first runs"


def _arrow(info: MetricInfo) -> str:
    return "" if info.higher_is_better else " ↓"


def _sign(report: SystemReport, *, higher: bool) -> str:
    """Return what the sign of a difference means."""
    if higher:
        return f"Positive: {report.focus[0]} is better."
    return f"Lower is better; negative: {report.focus[0]} is better."


def _others(report: SystemReport) -> list[str]:
    """Return the systems that are not in focus, the best by the first metric first."""
    ranked = report.comparison.scores.ranked()
    return [name for name in ranked if name not in report.focus]


def _words(report: SystemReport) -> list[Component]:
    (a, b), others = report.focus, _others(report)
    rows = [
        [
            Cell(f"{each.kind}: {each.label}"),
            Cell(f"{each.references:,}", each.references, "number"),
            *(figure_cell(each.f[name], 1) for name in (a, b)),
            *difference_cells(each.difference, 1, report),
            *(figure_cell(each.f[name], 1) for name in others),
        ]
        for each in report.words
    ]
    shown = [one for each in report.words for one in each.f.values()]
    head = ["words", "number", a, b, f"{a} minus {b}", "interval", "adj. p"]
    head += others
    return [
        Table("How many words are right: F1 in per cent", head, rows),
        Legend(f"{_sign(report, higher=True)}{_small(shown)}"),
    ]


def _kind(report: SystemReport, kind: str) -> list[Component]:
    names = [*report.focus, *_others(report)]
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
                *(figure_cell(bucket.scores[spec][name], digits) for name in names),
                _button(report, bucket),
            ]
            for bucket in buckets[:_GROUPS]
        ]
        arrow = _arrow(table.metrics[spec])
        out.append(Table(f"{label}{arrow} by {kind}", head, rows))
    lower = any(not info.higher_is_better for info in table.metrics.values())
    shown = [f for each in buckets for of in each.scores.values() for f in of.values()]
    note = f"{'↓ lower is better.' if lower else ''}{_small(shown)}".strip()
    blocks: list[Component] = [Group("tables", out)]
    if note:
        blocks.append(Legend(note))
    if len(buckets) > _GROUPS:
        note = f"The first {_GROUPS} of {len(buckets):,} groups; the JSON has all."
        blocks.append(Legend(note))
    return blocks


def differences(report: SystemReport) -> list[Component]:
    """Return kinds of errors, habits and n-grams."""
    (a, b), others = report.focus, _others(report)
    rows = [
        [
            Cell(each.kind),
            *(figure_cell(each.rates[name], 1) for name in (a, b)),
            *difference_cells(each.difference, 1, report, higher=False),
            *(figure_cell(each.rates[name], 1) for name in others),
            filter_cell(each.kind, {"error": str(number)}),
        ]
        for number, each in enumerate(report.errors)
    ]
    shown = [one for each in report.errors for one in each.rates.values()]
    head = ["error", a, b, f"{a} minus {b}", "interval", "adj. p", *others, "outputs"]
    sides = list(zip(report.ngrams, ((a, b), (b, a)), strict=True))
    gains = [_ngrams(side[:_NGRAMS], ours, (a, b)) for side, ours in sides if side]
    rest = [
        _ngrams(side[_NGRAMS:], ours, (a, b))
        for side, ours in sides
        if len(side) > _NGRAMS
    ]
    more = [Details("More n-grams", [Group("tables", rest)])] if rest else []
    return [
        Table("Errors per 100 words of the reference", head, rows),
        Legend(f"{_sign(report, higher=False)}{_small(shown)}"),
        Details("Definitions of errors", [Facts(list(KINDS.items())), _how(report)]),
        *habits(report),
        Heading("N-grams that only one of them gets right"),
        Legend(
            "How often the n-gram of a reference is also in the output of the segment. "
            "Sorted by the smoothed share (a + 1) / (a + b + 2); n-grams within longer "
            "ones that say the same are left out."
        )
        if gains
        else Text("There are none."),
        *([Group("tables", gains)] if gains else []),
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
    names = [*report.focus, *_others(report)]
    rows = [
        [
            Cell(each.name, title=HABITS[each.name]),
            *(Cell(str(len(each.segments[name])), None, "number") for name in names),
            filter_cell(each.name, {"error": str(len(KINDS) + number)}),
        ]
        for number, each in enumerate(report.habits)
        if any(each.segments.values())
    ]
    ratios = [figure_cell(report.length_ratios[name], 1) for name in names]
    rows.insert(
        0, [Cell("words per 100 of the reference"), *ratios, Cell("", None, "action")]
    )
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
                filter_cell(words, {"only": only}),
            ]
        )
    head = ["n-gram", *ours, "refs", "outputs"]
    return Table(f"Right in {ours[0]} more often", head, rows)


def method(report: SystemReport) -> list[Component]:
    """Return how everything was tested."""
    run = report.comparison.run
    if report.comparison.has_few_units:
        units = count(int(run["number_of_units"]), str(run["units"])[:-1])
        return [
            Text(
                f"Nothing was tested: {units} are too few for a bootstrap. Intervals "
                f"are from {int(run['resamples']):,} resamples (seed {run['seed']})."
            )
        ]
    groups = (
        "Groups of segments, kinds of words and kinds of errors are tested in the same "
        "way for the two systems in focus, and corrected by Holm's method for the "
        "number of rows in their table."
    )
    return [Text(how_tested(report.comparison)), Text(groups)]


def _named(bucket: Bucket) -> str:
    return f"{bucket.group.kind}: {bucket.group.label}"


def _small(figures: Iterable[Figure]) -> str:
    """Return what small figures are; nothing if there are none."""
    if all(figure.interval is None for figure in figures):
        return ""
    return " Small figures: bootstrap intervals."


def _button(report: SystemReport, bucket: Bucket) -> Cell:
    document = document_of(report, bucket)
    filters = (
        {"group": str([each is bucket for each in report.buckets].index(True))}
        if document is None
        else {"document": str(document)}
    )
    return filter_cell(_named(bucket), filters)
