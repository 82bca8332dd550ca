# SPDX-License-Identifier: Apache-2.0
"""Tables of ``tertium judgements stats --composition`` and ``--people``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium._version import __version__
from tertium.cli.shared.render import emit, render
from tertium.errors import InputError
from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.cli.judgements.stats import Options
    from tertium.judgements import Judgements
    from tertium.judgements.annotators.background import People
    from tertium.judgements.composition import Composition, Part

__all__ = ["show_composition", "show_people"]

_TESTS = """\
rho: Spearman's, of position and score. H: Kruskal and Wallis, between questionnaires.
r: Pearson's, of the words in reference and hypothesis, each output once.
p assumes independent ratings: treat it as a hint."""

_POINTS = "points: for each language, native 7, fluent 4, a few words 1."


def show_composition(judgements: Judgements, options: Options) -> None:
    """Write how ratings are composed."""
    from tertium.judgements.composition import compose

    texts = None if options.texts is None else _texts(options.texts, judgements)
    scales = compose(judgements, texts)
    if options.format == "json":
        whole = {"tertium": __version__, "composition": [asdict(s) for s in scales]}
        emit(json.dumps(whole, ensure_ascii=False, indent=2), options.output)
        return
    style = options.style
    parts = [row for scale in scales for row in _parts(scale, style)]
    tests = [row for scale in scales for row in _tests(scale, style)]
    if options.style.for_programs:
        head = ["scale", "by", "part", "n", "mean", "deviation", "value", "p"]
        rows = [[*row, "", ""] for row in parts]
        rows += [[*row[:4], "", "", *row[4:]] for row in tests]
        render([Table(head, rows, left=3)], options.format, output=options.output)
        return
    head = ["scale", "by", "part", "ratings", "mean", "deviation"]
    tables = [Table(head, parts, left=3)]
    if tests:
        head = ["scale", "of", "figure", "n", "value", "p"]
        tables.append(Table(head, tests, note=_TESTS, left=3))
    render(tables, options.format, output=options.output)


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


def _texts(path: str, judgements: Judgements) -> dict[tuple[str, str], tuple[str, str]]:
    """Return first reference and output by segment and system of a test set."""
    import tertium
    from tertium.meta.scores import segment_names

    pairs = judgements.names("langpair")
    if len(pairs) > 1:
        message = (
            f"--texts is for one language pair, and there are {', '.join(pairs)}; "
            "select one with --only langpair=NAME"
        )
        raise InputError(message)
    testset = tertium.read(path)
    if not any(testset.references):
        raise InputError(f"{path} has no references, so their lengths are unknown")
    return {
        (name, system): (refs[0], output[i])
        for i, (name, refs) in enumerate(
            zip(segment_names(testset), testset.references, strict=True)
        )
        for system, output in testset.systems.items()
    }


def show_people(judgements: Judgements, options: Options) -> None:
    """Write who the judges were."""
    from tertium.judgements.annotators import background

    people = background.people(judgements, background.read_people(options.people or ""))
    if options.format == "json":
        emit(_json(people), options.output)
        return
    silent = "" if options.style.for_programs else "-"
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
    tables = [Table(head, rows, note=note, left=2)]
    if not options.style.for_programs:
        tables.insert(0, _judges(people))
    render(tables, options.format, output=options.output)


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


def _json(people: People) -> str:
    from tertium.judgements.annotators.background import age_group

    judges = [
        {
            "judge": one.judge,
            "age": None if one.age is None else age_group(one.age),
            "education": one.education,
            "languages": dict(one.languages),
            "points": one.points,
        }
        for one in people.judges
    ]
    whole = {
        "tertium": __version__,
        "judges": judges,
        "groups": [asdict(each) for each in people.groups],
        "unknown": people.unknown,
        "absent": people.absent,
    }
    return json.dumps(whole, ensure_ascii=False, indent=2)
