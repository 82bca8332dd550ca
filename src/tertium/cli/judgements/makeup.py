# SPDX-License-Identifier: Apache-2.0
"""``tertium judgements stats --composition`` and ``--people``: tables of both."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium._version import __version__
from tertium.cli.shared import flags
from tertium.cli.shared.render import Table, emit, render
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.judgements import Judgements
    from tertium.judgements.annotators.background import People
    from tertium.judgements.composition import Composition, Part

__all__ = ["composition", "people"]

_TESTS = """\
rho: Spearman's, of position and score. H: Kruskal and Wallis, of questionnaires.
r: Pearson's, of the words in reference and hypothesis, every output once.
p takes ratings as independent: read it as a hint."""

_POINTS = "points: for every language, native 7, fluent 4, a few words 1."


def composition(judgements: Judgements, args: argparse.Namespace) -> None:
    """Write what ratings were made of."""
    from tertium.judgements.composition import compose

    texts = None if args.texts is None else _texts(args.texts, judgements)
    found = compose(judgements, texts)
    if args.format == "json":
        scales = [asdict(each) for each in found]
        whole = {"tertium": __version__, "composition": scales}
        emit(json.dumps(whole, ensure_ascii=False, indent=2), args.output)
        return
    shown = flags.digits(args)
    parts = [row for each in found for row in _parts(each, shown)]
    tests = [row for each in found for row in _tests(each, shown)]
    if flags.for_programs(args):
        head = ["scale", "by", "part", "n", "mean", "deviation", "value", "p"]
        rows = [[*row, "", ""] for row in parts]
        rows += [[*row[:4], "", "", *row[4:]] for row in tests]
        render([Table(head, rows, left=3)], args.format, output=args.output)
        return
    head = ["scale", "by", "part", "ratings", "mean", "deviation"]
    tables = [Table(head, parts, left=3)]
    if tests:
        head = ["scale", "of", "figure", "n", "value", "p"]
        tables.append(Table(head, tests, note=_TESTS, left=3))
    render(tables, args.format, output=args.output)


def _parts(found: Composition, digits: int | None) -> list[list[str]]:
    groups: list[tuple[str, Sequence[Part]]] = [
        ("position", found.positions),
        ("questionnaire", found.questionnaires),
        ("source", found.languages),
    ]
    return [
        [
            found.scale,
            by,
            part.name,
            str(part.ratings),
            _number(part.mean, digits, 2),
            _number(part.deviation, digits, 2),
        ]
        for by, parts in groups
        for part in parts
    ]


def _tests(found: Composition, digits: int | None) -> list[list[str]]:
    rows = []
    for of, figure, test in (
        ("position", "rho", found.trend),
        ("questionnaire", "H", found.between),
    ):
        if test is not None:
            value, p = (_number(x, digits, 3) for x in (test.statistic, test.p))
            rows.append([found.scale, of, figure, str(test.n), value, p])
    if (own := found.lengths) is not None:
        n = str(own.outputs)
        for figure, value in (
            ("reference", _number(own.reference, digits, 2)),
            ("hypothesis", _number(own.hypothesis, digits, 2)),
            ("r", _number(own.pearson, digits, 3)),
        ):
            rows.append(
                [found.scale, "words", figure, n, value, _number(None, digits, 3)]
            )
    return rows


def _texts(path: str, judgements: Judgements) -> dict[tuple[str, str], tuple[str, str]]:
    """Return first reference and output of every segment and system of a test set."""
    import tertium
    from tertium.meta.scores import segment_names

    pairs = judgements.names("langpair")
    if len(pairs) > 1:
        message = (
            f"--texts is of one language pair, and there are {', '.join(pairs)}; "
            "choose with --only langpair=NAME"
        )
        raise InputError(message)
    testset = tertium.read(path)
    if not any(testset.references):
        raise InputError(f"{path} has no references, so there are no lengths of them")
    return {
        (name, system): (refs[0], output[i])
        for i, (name, refs) in enumerate(
            zip(segment_names(testset), testset.references, strict=True)
        )
        for system, output in testset.systems.items()
    }


def people(judgements: Judgements, args: argparse.Namespace) -> None:
    """Write who the judges were."""
    from tertium.judgements.annotators import background

    found = background.people(judgements, background.read_people(args.people))
    if args.format == "json":
        emit(_json(found), args.output)
        return
    silent = "" if flags.for_programs(args) else "-"
    rows = [
        [each.question, each.answer or silent, str(each.judges), str(each.judgements)]
        for each in found.groups
    ]
    note = f"{_POINTS}\n-: no answer."
    if found.unknown:
        note += f" {count(found.unknown, 'judgement')} without a judge."
    if found.absent:
        note += f" Of the table, {found.absent} judged nothing here."
    head = ["question", "answer", "judges", "judgements"]
    tables = [Table(head, rows, note=note, left=2)]
    if not flags.for_programs(args):
        tables.insert(0, _judges(found))
    render(tables, args.format, output=args.output)


def _judges(found: People) -> Table:
    from tertium.judgements.annotators.background import age_group

    rows = [
        [
            one.judge,
            "-" if one.age is None else age_group(one.age),
            one.education or "-",
            ", ".join(f"{name} ({level})" for name, level in one.languages) or "-",
            "n/a" if one.points is None else str(one.points),
        ]
        for one in found.judges
    ]
    return Table(["judge", "age", "education", "languages", "points"], rows, left=4)


def _json(found: People) -> str:
    from tertium.judgements.annotators.background import age_group

    judges = [
        {
            "judge": one.judge,
            "age": None if one.age is None else age_group(one.age),
            "education": one.education,
            "languages": dict(one.languages),
            "points": one.points,
        }
        for one in found.judges
    ]
    whole = {
        "tertium": __version__,
        "judges": judges,
        "groups": [asdict(each) for each in found.groups],
        "unknown": found.unknown,
        "absent": found.absent,
    }
    return json.dumps(whole, ensure_ascii=False, indent=2)


def _number(value: float | None, digits: int | None, usual: int) -> str:
    if value is None:
        return "" if digits == -1 else "n/a"
    if digits == -1:
        return repr(value)
    return f"{value:.{usual if digits is None else digits}f}"
