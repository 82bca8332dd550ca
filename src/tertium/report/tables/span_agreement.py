# SPDX-License-Identifier: Apache-2.0
"""Tables of agreement on error spans, and of how judges mark errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.judgements.agreement.spans.figures import SpanAgreement
    from tertium.judgements.agreement.spans.report import SpanReport
    from tertium.judgements.estimates import Estimate

__all__ = ["span_tables"]

#: Of fewer units than this, more than 2 % of the resamples have none that counts.
_FEW = 4
_NOTE = """\
char F1: characters that both marked; then with half the credit for another severity,
and with none. char α: whether characters are marked, Krippendorff's. span F1:
overlapping spans, by their overlap. α: Krippendorff's, for unitising; α severity: by
severity. severity, category: share of overlapping spans that agree. κ error-free:
whether there is an error at all."""
_HABITS = """\
errors/100 words: with missing content. length: median characters of a span. s: median
seconds per output, without those of 600 s and more."""


def span_tables(
    report: SpanReport,
    style: Style = Style(),  # noqa: B008 - frozen
    *,
    pairs: bool = False,
) -> list[Table]:
    """Return the tables of a report; for programs one, with one row per figure.

    Parameters
    ----------
    report : SpanReport
    style : Style
    pairs : bool
        Whether to show every two judges.
    """
    if style.for_programs:
        return [_values(report, style)]
    shown = [("between judges", report.inter), ("same judge", report.intra)]
    tables = [_upright(shown, report, style)]
    rows = [
        (judge, kind, one)
        for judge, both in report.judges.items()
        for kind, one in both.items()
    ]
    if rows:
        tables.append(_list("Agreement of each judge", ["judge", ""], rows, style))
    if pairs and report.pairs:
        listed = [(a, b, one) for (a, b), one in report.pairs.items()]
        tables.append(_list("Pairs of judges", ["a", "b"], listed, style))
    return [*tables, _habits(report, style)]


def _figure(one: Estimate, style: Style) -> str:
    shown = style.number(one.value)
    if one.value is None or one.interval is None:
        return shown
    low, high = map(style.number, one.interval)
    return f"{shown} [{low}, {high}]"


def _upright(
    groups: list[tuple[str, SpanAgreement]], report: SpanReport, style: Style
) -> Table:
    """Return one row per figure."""
    from tertium.judgements.agreement.spans.figures import FIGURES

    rows = [
        [name, *(f"{getattr(one, name):,}" for _, one in groups)]
        for name in ("outputs", "spans", "matched")
    ]
    rows += [
        [label, *(_figure(one.figures[name], style) for _, one in groups)]
        for name, label in FIGURES.items()
    ]
    note = _NOTE
    if (run := report.bootstrap) is not None:
        note += (
            f"\n[low, high]: {100 * run.confidence:g} % interval, {run.resamples:,} "
            f"bootstrap resamples of {report.unit}s (seed {run.seed})."
        )
        note += "".join(_without_intervals(groups, report.unit))
    head = ["", *(name for name, _ in groups)]
    return Table(head, rows, title="Agreement on error spans", note=note)


def _without_intervals(
    groups: list[tuple[str, SpanAgreement]], unit: str
) -> Iterator[str]:
    """Yield lines on figures without an interval, and on those that rest on little."""
    for name, one in groups:
        reasons: dict[str, list[str]] = {}
        for key, figure in one.figures.items():
            if figure.value is not None and figure.reason:
                reasons.setdefault(figure.reason, []).append(key)
        for reason, keys in reasons.items():
            have = "has" if len(keys) == 1 else "have"
            shown = f"{count(len(keys), 'figure')} {have} no interval"
            yield f"\n{name}: {shown} because {reason}."
        for units, number in sorted(Counter(one.rests_on.values()).items()):
            if units < _FEW:
                yield (
                    f"\n{name}: intervals of {count(number, 'figure')} rest on "
                    f"{count(units, unit)}, and are probably too narrow."
                )


def _list(
    title: str,
    head: list[str],
    rows: list[tuple[str, str, SpanAgreement]],
    style: Style,
) -> Table:
    shown = {
        "character_f1": "char F1",
        "alpha": "α",
        "category": "category",
        "error_free_kappa": "κ error-free",
    }
    table = [
        [a, b, f"{one.outputs:,}", *(_figure(one.figures[k], style) for k in shown)]
        for a, b, one in rows
    ]
    return Table([*head, "outputs", *shown.values()], table, title=title, left=2)


def _habits(report: SpanReport, style: Style) -> Table:
    severities = sorted({name for one in report.habits for name in one.severities})
    head = ["judge", "outputs", "spans", "missing", "error-free", "errors/100 words"]
    head += ["errors/1000 chars", "length", *severities, "s", "words/s"]
    rows = []
    for one in report.habits:
        counts = [f"{n:,}" for n in (one.outputs, one.spans, one.missing)]
        numbers = [
            style.number(one.error_free, 2),
            style.number(one.per_100_words, 2),
            style.number(one.per_1000_characters, 2),
            style.number(one.length, 1),
            *(style.number(one.severities.get(name, 0.0), 2) for name in severities),
            style.number(one.seconds, 1),
            style.number(one.words_per_second, 2),
        ]
        rows.append([one.judge, *counts, *numbers])
    return Table(head, rows, title="How judges mark errors", note=_HABITS)


def _values(report: SpanReport, style: Style) -> Table:
    """Return every figure in a row, with all digits."""
    head = ["group", "a", "b", "figure", "value", "low", "high", "outputs", "reason"]
    rows = [
        [group, a, b, *cells]
        for group, a, b, one in _groups(report)
        for cells in _cells(one, style)
    ]
    return Table(head, rows)


def _groups(report: SpanReport) -> Iterator[tuple[str, str, str, SpanAgreement]]:
    yield "inter", "", "", report.inter
    yield "intra", "", "", report.intra
    for judge, both in report.judges.items():
        for kind, one in both.items():
            yield kind, judge, "", one
    for (a, b), one in report.pairs.items():
        yield "pair", a, b, one


def _cells(one: SpanAgreement, style: Style) -> Iterator[list[str]]:
    for name, figure in one.figures.items():
        low, high = figure.interval or (None, None)
        numbers = [style.number(x) for x in (figure.value, low, high)]
        yield [name, *numbers, f"{one.outputs}", figure.reason or ""]
