# SPDX-License-Identifier: Apache-2.0
"""Who the judges were."""

from __future__ import annotations

import pytest

from tertium.errors import FormatError, InputError
from tertium.judgements import Judgements, Place, Ranking, Rating
from tertium.judgements.annotators.background import (
    Background,
    age_group,
    people,
    read_people,
)

TABLE = """\
judge\tgender\tage\teducation\tlanguages
ada\tf\t19\tMasters\tEnglish:native; German: fluent
bob\t\t24\tPhD\tEnglish:native; French:a few words
cy\tm\t\t\t

dee\tf\t81\tMasters\tEnglish:native
"""


@pytest.fixture
def table(tmp_path):
    def write(text):
        path = tmp_path / "judges.tsv"
        path.write_text(text)
        return path

    return write


def judged(*judges):
    rows = [Rating("A", 1.0, "DA", str(i), judge=name) for i, name in enumerate(judges)]
    both = (Place(("A",), 1), Place(("B",), 2))
    return Judgements.from_iterable([*rows, Ranking(both, "1", judge="ada")])


def test_answers_and_points(table):
    ada, bob, cy, dee = read_people(table(TABLE))
    assert ada == Background(
        "ada", 19, "Masters", (("English", "native"), ("German", "fluent"))
    )
    assert [one.points for one in (ada, bob, cy, dee)] == [11, 8, None, 7]
    assert cy == Background("cy")


def test_groups_of_judges(table):
    result = people(
        judged("ada", "ada", "bob", "cy", "eve", None), read_people(table(TABLE))
    )
    assert [one.judge for one in result.judges] == ["ada", "bob", "cy", "eve"]
    assert (result.unknown, result.absent) == (1, 1)
    groups = [(g.question, g.answer, g.judges, g.judgements) for g in result.groups]
    assert groups == [
        ("age", "18-29", 2, 4),
        ("age", None, 2, 2),
        ("education", "Masters", 1, 3),
        ("education", "PhD", 1, 1),
        ("education", None, 2, 2),
        ("languages", "2", 2, 4),
        ("languages", None, 2, 2),
        ("points", "under 11", 1, 1),
        ("points", "11 or more", 1, 3),
        ("points", None, 2, 2),
    ]


def test_age_groups_have_no_gaps():
    results = list(dict.fromkeys(age_group(age) for age in range(100)))
    assert results == [
        "under 18", "18-29", "30-39", "40-49", "50-59", "60-69", "70+",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name\tage\nada\t3\n", ":1: no header"),
        ("", ":1: no header"),
        ("judge\tage\tage\n", ":1: no header"),
        ("judge\tage\nada\n", ":2: 1 fields where the header names 2"),
        ("judge\tage\n\t3\n", ":2: no judge"),
        ("judge\tage\nada\t-3\n", ":2: age '-3'"),
        ("judge\tage\nada\tthirty\n", ":2: age 'thirty'"),
        ("judge\tage\nada\t300\n", ":2: age '300'"),
        ("judge\nada\nada\n", ":3: judge 'ada' occurs twice"),
        ("judge\tlanguages\nada\tGerman\n", ":2: 'German' is not LANGUAGE:LEVEL"),
        ("judge\tlanguages\nada\tGerman:good\n", "native, fluent, a few words"),
        ("judge\tlanguages\nada\t:native\n", ":2: ':native' is not"),
    ],
)
def test_what_is_wrong_with_a_table(table, text, message):
    with pytest.raises(FormatError) as error:
        read_people(table(text))
    assert message in str(error.value)


def test_judges_must_be_named():
    nobody = Judgements.from_iterable([Rating("A", 1.0, "DA", "1")])
    with pytest.raises(InputError, match="no judgement names its judge"):
        people(nobody, [])
