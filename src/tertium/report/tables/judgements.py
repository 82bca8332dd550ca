# SPDX-License-Identifier: Apache-2.0
"""Tables of judgements: counts, how ratings are composed, who the judges were."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.judgements.annotators.background import People
    from tertium.judgements.composition import Composition, Part
    from tertium.judgements.summary import Summary

__all__ = ["composition_tables", "people_tables", "summary_table"]

_NOTE = """\
ties: share of comparisons of two systems. garbage: share of ranked outputs.
seconds: median per judgement."""

_TESTS = """\
rho: Spearman's, of position and score. H: Kruskal and Wallis, between questionnaires.
r: Pearson's, of the words in reference and hypothesis, each output once.
p assumes independent ratings: treat it as a hint."""

_POINTS = "points: for each language, native 7, fluent 4, a few words 1."


def summary_table(groups: Sequence[Summary], by: Sequence[str], style: Style) -> Table:
    """Return counts and shares of judgements, one row per group."""
    programs = style.for_programs
    number = style.number
    head = ["kind", *by, "judges", "systems", "segments", "judgements", "comparisons"]
    head += ["ties", "garbage", *(["first", "last"] if programs else ["time"])]
    unknown, missing = ("", "") if programs else ("-", "n/a")
    rows = []
    for each in groups:
        row = [each.kind, *(each.group[column] or unknown for column in by)]
        row += [str(each.judges), str(each.systems), str(each.segments)]
        row.append(str(each.judgements))
        row.append(missing if each.comparisons is None else str(each.comparisons))
        row += [number(each.ties, 3), number(each.garbage, 3)]
        row += _times(each) if programs else [_span(each)]
        rows.append([*row, number(each.duration, 1)])
    return Table([*head, "seconds"], rows, note=_NOTE, left=1 + len(by))


def _times(each: Summary) -> list[str]:
    return [m.isoformat() if m else "" for m in (each.first, each.last)]


def _span(each: Summary) -> str:
    if each.first is None or each.last is None:
        return "n/a"
    first, last = each.first.date().isoformat(), each.last.date().isoformat()
    return first if first == last else f"{first} - {last}"


def composition_tables(scales: Sequence[Composition], style: Style) -> list[Table]:
    """Return how ratings are composed, and tests of that; for programs one table."""
    parts = [row for scale in scales for row in _parts(scale, style)]
    tests = [row for scale in scales for row in _tests(scale, style)]
    if style.for_programs:
        head = ["scale", "by", "part", "n", "mean", "deviation", "value", "p"]
        rows = [[*row, "", ""] for row in parts]
        rows += [[*row[:4], "", "", *row[4:]] for row in tests]
        return [Table(head, rows, left=3)]
    head = ["scale", "by", "part", "ratings", "mean", "deviation"]
    tables = [Table(head, parts, left=3)]
    if tests:
        head = ["scale", "of", "figure", "n", "value", "p"]
        tables.append(Table(head, tests, note=_TESTS, left=3))
    return tables


def _parts(scale: Composition, style: Style) -> list[list[str]]:
    groups: list[tuple[str, Sequence[Part]]] = [
        ("position", scale.positions),
        ("questionnaire", scale.questionnaires),
        ("source", scale.languages),
    ]
    return [
        [
            scale.scale,
            by,
            part.name,
            str(part.ratings),
            style.number(part.mean, 2),
            style.number(part.deviation, 2),
        ]
        for by, parts in groups
        for part in parts
    ]


def _tests(scale: Composition, style: Style) -> list[list[str]]:
    rows = []
    for of, figure, test in (
        ("position", "rho", scale.trend),
        ("questionnaire", "H", scale.between),
    ):
        if test is not None:
            value, p = (style.number(x, 3) for x in (test.statistic, test.p))
            rows.append([scale.scale, of, figure, str(test.n), value, p])
    if (lengths := scale.lengths) is not None:
        n, none = str(lengths.outputs), style.number(None, 3)
        for figure, value in (
            ("reference", style.number(lengths.reference, 2)),
            ("hypothesis", style.number(lengths.hypothesis, 2)),
            ("r", style.number(lengths.pearson, 3)),
        ):
            rows.append([scale.scale, "words", figure, n, value, none])
    return rows


def people_tables(people: People, style: Style) -> list[Table]:
    """Return who the judges were, and their answers; for programs the answers."""
    silent = "" if style.for_programs else "-"
    rows = [
        [each.question, each.answer or silent, str(each.judges), str(each.judgements)]
        for each in people.groups
    ]
    note = f"{_POINTS}\n-: no answer."
    if people.unknown:
        note += f" {count(people.unknown, 'judgement')} without a judge."
    if people.absent:
        note += f" {people.absent} in the table judged nothing here."
    head = ["question", "answer", "judges", "judgements"]
    answers = Table(head, rows, note=note, left=2)
    return [answers] if style.for_programs else [_judges(people), answers]


def _judges(people: People) -> Table:
    from tertium.judgements.annotators.background import age_group

    rows = [
        [
            one.judge,
            "-" if one.age is None else age_group(one.age),
            one.education or "-",
            ", ".join(f"{name} ({level})" for name, level in one.languages) or "-",
            "n/a" if one.points is None else str(one.points),
        ]
        for one in people.judges
    ]
    return Table(["judge", "age", "education", "languages", "points"], rows, left=4)
