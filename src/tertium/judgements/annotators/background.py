# SPDX-License-Identifier: Apache-2.0
"""Who the judges were: age, education, languages (McCaffery 2017, section 6.5.2).

Background answers are kept apart from judgements, in a table with tabs and a header:
``judge``, and any of ``age`` (years), ``education`` and ``languages``, such as
``English:native; German:fluent; French:a few words``. Other columns are left alone;
an empty cell means no answer.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from tertium.data.formats.comma import read_table
from tertium.data.lines import display
from tertium.errors import FormatError, InputError
from tertium.judgements.adjustment.normalise import LANGUAGE_POINTS, language_points

if TYPE_CHECKING:
    from tertium.judgements.tables import Judgements

__all__ = ["Background", "People", "PeopleGroup", "age_group", "people", "read_people"]

_AGES = (18, 30, 40, 50, 60, 70)
_MANY_POINTS = 11  # where the thesis divides its judges (section 7.3)


@dataclass(frozen=True)
class Background:
    """A judge's answers about themselves.

    Parameters
    ----------
    judge : str
    age : int, optional
        In years.
    education : str, optional
    languages : tuple of (str, str)
        Language and level, see ``LANGUAGE_POINTS`` of
        :mod:`tertium.judgements.adjustment.normalise`.
    """

    judge: str
    age: int | None = None
    education: str | None = None
    languages: tuple[tuple[str, str], ...] = ()

    @property
    def points(self) -> int | None:
        """The language points; None where no languages are known."""
        if not self.languages:
            return None
        return language_points(level for _, level in self.languages)


@dataclass(frozen=True)
class PeopleGroup:
    """Judges with the same answer to one question.

    Parameters
    ----------
    question : {"age", "education", "languages", "points"}
    answer : str, optional
        None for those who gave none.
    judges, judgements : int
    """

    question: str
    answer: str | None
    judges: int
    judgements: int


@dataclass(frozen=True)
class People:
    """The judges of some judgements.

    Parameters
    ----------
    judges : tuple of Background
        Those who judged, sorted by name; without answers where the table lacks them.
    groups : tuple of PeopleGroup
    unknown : int
        Judgements that name no judge.
    absent : int
        People of the table who judged nothing here.
    """

    judges: tuple[Background, ...]
    groups: tuple[PeopleGroup, ...]
    unknown: int
    absent: int

    def to_dict(self) -> dict[str, object]:
        """Return plain dictionaries and lists, with groups of ages for ages."""
        judges = [
            {
                "judge": one.judge,
                "age": None if one.age is None else age_group(one.age),
                "education": one.education,
                "languages": dict(one.languages),
                "points": one.points,
            }
            for one in self.judges
        ]
        return {
            "judges": judges,
            "groups": [asdict(each) for each in self.groups],
            "unknown": self.unknown,
            "absent": self.absent,
        }


def age_group(age: int) -> str:
    """Return the group of an age; groups are wide, so that it identifies nobody.

    Examples
    --------
    >>> age_group(29), age_group(30), age_group(81)
    ('18-29', '30-39', '70+')
    """
    place = bisect_right(_AGES, age)
    if place == 0:
        return f"under {_AGES[0]}"
    if place == len(_AGES):
        return f"{_AGES[-1]}+"
    return f"{_AGES[place - 1]}-{_AGES[place] - 1}"


def read_people(path: str | os.PathLike[str]) -> list[Background]:
    """Return the background answers of a table.

    Raises
    ------
    FormatError
        When there is no column ``judge``, a judge occurs twice, an age is not a number
        or the level of a language is unknown.
    """
    rows = read_table(path)
    head = [cell.strip().lower() for cell in next(rows, (1, [""]))[1]]
    shown = display(path)
    if "judge" not in head or len(set(head)) != len(head):
        what = (
            "no header with different columns, one of them judge; "
            "age, education and languages may follow, separated by tabs, or by "
            "commas in a .csv file"
        )
        raise FormatError(what, path=shown, line=1)
    people_by_name: dict[str, Background] = {}
    for number, row in rows:
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        try:
            if len(cells) != len(head):
                message = f"{len(cells)} fields where the header names {len(head)}"
                raise ValueError(message)
            one = _background(dict(zip(head, cells, strict=True)))
            if one.judge in people_by_name:
                message = f"judge {one.judge!r} occurs twice; remove one of the two"
                raise ValueError(message)
        except ValueError as error:
            raise FormatError(str(error), path=shown, line=number) from None
        people_by_name[one.judge] = one
    return list(people_by_name.values())


def _background(row: dict[str, str]) -> Background:
    if not row["judge"]:
        message = "no judge; name one"
        raise ValueError(message)
    age = row.get("age", "")
    if age and not (age.isascii() and age.isdigit() and int(age[:4]) < 130):
        message = f"age {age!r} is not a number of years; leave it empty if unknown"
        raise ValueError(message)
    languages = []
    for item in filter(None, map(str.strip, row.get("languages", "").split(";"))):
        name, colon, level = (part.strip() for part in item.partition(":"))
        if not colon or not name or level not in LANGUAGE_POINTS:
            message = (
                f"{item!r} is not LANGUAGE:LEVEL with one of the levels "
                f"{', '.join(LANGUAGE_POINTS)}"
            )
            raise ValueError(message)
        languages.append((name, level))
    return Background(
        row["judge"],
        int(age) if age else None,
        row.get("education") or None,
        tuple(languages),
    )


def people(judgements: Judgements, known: Sequence[Background]) -> People:
    """Return who made judgements, alone and by their answers.

    Raises
    ------
    InputError
        When no judgement names its judge.

    Examples
    --------
    >>> from tertium.judgements import Judgements
    >>> mine = Background("judge1", 34, "Masters", (("German", "native"),))
    >>> found = people(Judgements.read("demo"), [mine])
    >>> found.judges[0].points, found.groups[0].answer, found.groups[0].judges
    (7, '30-39', 1)
    """
    made = _judgements(judgements)
    unknown = made.pop(None, 0)
    if not made:
        raise InputError(
            "no judgement names its judge, so nothing is known about judges"
        )
    by_name = {one.judge: one for one in known}
    names = sorted(name for name in made if name is not None)
    judges = tuple(by_name.get(name, Background(name)) for name in names)
    groups = []
    for question, answer in _QUESTIONS.items():
        counted: dict[tuple[float, str] | None, list[int]] = {}
        for one in judges:
            counted.setdefault(answer(one), []).append(made[one.judge])
        # Those without an answer come last.
        for key in sorted(counted, key=lambda k: (k is None, k or (0.0, ""))):
            sizes = counted[key]
            name = None if key is None else key[1]
            groups.append(PeopleGroup(question, name, len(sizes), sum(sizes)))
    return People(judges, tuple(groups), unknown, len(by_name.keys() - made.keys()))


def _judgements(judgements: Judgements) -> dict[str | None, int]:
    """Return how many judgements everybody made; a ranking of any size is one."""
    import polars as pl

    counts: dict[str | None, int] = {}
    for kind, table in judgements.tables().items():
        number = pl.col("ranking").n_unique() if kind == "rankings" else pl.len()
        rows = table.group_by(pl.col("judge").cast(pl.String)).agg(n=number).collect()
        for judge, n in rows.iter_rows():
            counts[judge] = counts.get(judge, 0) + n
    return counts


def _age(one: Background) -> tuple[float, str] | None:
    if one.age is None:
        return None
    return float(bisect_right(_AGES, one.age)), age_group(one.age)


def _education(one: Background) -> tuple[float, str] | None:
    return None if one.education is None else (0.0, one.education)


def _languages(one: Background) -> tuple[float, str] | None:
    n = len(one.languages)
    return None if n == 0 else (float(n), str(n))


def _points(one: Background) -> tuple[float, str] | None:
    if one.points is None:
        return None
    many = one.points >= _MANY_POINTS
    side = f"{_MANY_POINTS} or more" if many else f"under {_MANY_POINTS}"
    return float(many), side


_QUESTIONS: dict[str, Callable[[Background], tuple[float, str] | None]] = {
    "age": _age,
    "education": _education,
    "languages": _languages,
    "points": _points,
}
