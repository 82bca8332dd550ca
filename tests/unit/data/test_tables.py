# SPDX-License-Identifier: Apache-2.0
"""Which columns of a table are systems, in every format that has tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tertium.data import Testset, read, stream, write
from tertium.data.formats.comma import write_csv
from tertium.data.formats.xlsx import write_xlsx
from tertium.errors import FormatError, InputError, UnknownNameError

HEAD = ["LP", "source", "translation", "reference", "HUMAN_score", "sentBLEU"]
BODY = [
    ["cs-en", "jedna", "one", "one", "-1.8", "0.14"],
    ["cs-en", "dva", "a pair", "two", "0.3", "1e-3"],
    ["cs-en", "tři", "three", "three", "NA", "1"],
]
FORMS = ["tsv", "csv", "xlsx"]

Write = Callable[..., Path]


@pytest.fixture(params=FORMS)
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Write:
    """Return a function that writes rows in a format."""

    def write_table(rows: list[list[str]]) -> Path:
        file = tmp_path / f"a.{request.param}"
        if request.param == "tsv":
            file.write_text("".join("\t".join(row) + "\n" for row in rows))
        elif request.param == "csv":
            write_csv(file, rows)
        else:
            write_xlsx(file, rows)
        return file

    return write_table


def with_column(
    name: str, values: list[str], refs: list[str] | None = None
) -> list[list[str]]:
    """Return rows of a table with one system and another column."""
    texts = refs or [f"text {n}" for n in range(len(values))]
    rows = [["ref", "A", name]]
    rows += [[ref, f"{ref} x", v] for ref, v in zip(texts, values, strict=True)]
    return rows


def test_scores_and_language_codes_are_not_systems(table: Write) -> None:
    testset = read(table([HEAD, *BODY]))
    assert list(testset.systems) == ["translation"]
    assert list(testset.layers) == ["LP", "HUMAN_score", "sentBLEU"]
    (note,) = testset.notes
    assert note.code == "not-systems"
    assert note.values["systems"] == ["translation"]
    assert note.values["columns"] == {
        "LP": "metadata by its name",
        "HUMAN_score": "numbers only",
        "sentBLEU": "numbers only",
    }


def test_named_columns_are_the_systems(table: Write) -> None:
    file = table([HEAD, *BODY])
    testset = read(file, systems_columns=["sentBLEU", "LP"])
    assert testset.systems == {"LP": ["cs-en"] * 3, "sentBLEU": ["0.14", "1e-3", "1"]}
    assert list(testset.layers) == ["translation", "HUMAN_score"]
    assert testset.notes == ()
    # Even one that has another role.
    assert list(read(file, systems_columns=["source"]).systems) == ["source"]


def test_unknown_columns_are_reported(table: Write) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown column 'B'.*translation"):
        read(table([HEAD, *BODY]), systems_columns=["B"])


@pytest.mark.parametrize(
    ("name", "values", "system"),
    [
        ("years", ["1999", "2,000", " 2001 "], False),
        ("years", ["1999", "in 2000", "2001"], True),
        ("years", ["1999"], True),
        ("x", ["12 %", "None", ""], False),
        ("x", ["", "", ""], False),
        ("x", ["the same"] * 3, False),
        ("x", ["the same"] * 2, True),
        ("x", ["the same", "the same", "another"], True),
        ("Lang Pair", ["a", "b", "c"], False),
        ("DOMAIN", ["a", "b", "c"], False),
        ("online-A.0", ["a", "b", "c"], True),
        ("system", ["a", "b", "c"], True),
    ],
)
def test_systems_are_recognised_by_values_and_names(
    table: Write, name: str, values: list[str], system: bool
) -> None:
    testset = read(table(with_column(name, values)))
    assert (name in testset.systems) is system
    assert (name in testset.layers) is not system


def test_numbers_are_texts_where_references_are_numbers(table: Write) -> None:
    rows = with_column("B", ["1999", "2001"], refs=["1999", "2000"])
    assert list(read(table(rows)).systems) == ["A", "B"]


def test_one_answer_is_right_where_references_are_equal(table: Write) -> None:
    rows = with_column("B", ["yes"] * 4, refs=["yes"] * 4)
    assert list(read(table(rows)).systems) == ["A", "B"]


def test_names_of_roles_ignore_case(table: Write) -> None:
    rows = [["Seg", "SOURCE", "Reference", "A"], ["1", "eins", "one", "ones"]]
    testset = read(table(rows))
    assert testset == Testset.build(
        ["one"], {"A": ["ones"]}, sources=["eins"], ids=["1"]
    )


def test_marked_columns_are_systems_whatever_they_hold(table: Write) -> None:
    testset = read(table(with_column("system:x", ["1", "2", "3"])))
    assert testset.systems["x"] == ["1", "2", "3"]
    assert testset.notes == ()


@pytest.mark.parametrize("form", FORMS)
def test_systems_of_numbers_survive_writing(tmp_path: Path, form: str) -> None:
    testset = Testset.build(
        ["one", "two", "three"], {"n": ["1", "2", "3"], "e": [""] * 3, "LP": [*"abc"]}
    )
    write(testset, tmp_path / f"a.{form}")
    assert read(tmp_path / f"a.{form}") == testset


def test_layers_of_one_name_are_reported(table: Write) -> None:
    rows = [["ref", "score", "layer:score"], ["a", "1", "2"], ["b", "1", "2"]]
    with pytest.raises(FormatError, match=r"'score' and 'layer:score' are the same"):
        read(table(rows))


def test_the_size_of_chunks_changes_nothing(table: Write) -> None:
    file = table(with_column("years", ["1999", "in 2000", "2001"]))
    chunks = list(stream(file, size=1))
    assert [list(chunk.systems) for chunk in chunks] == [["A", "years"]] * 3


@pytest.mark.parametrize(
    ("first", "last", "reason"),
    [("7", "seven", "numbers only"), ("news", "chat", "the same in every row")],
)
def test_a_column_that_changes_its_nature_is_reported(
    tmp_path: Path, first: str, last: str, reason: str
) -> None:
    values = [first] * 1500 + [last]
    rows = with_column("x", values)
    file = tmp_path / "a.tsv"
    file.write_text("".join("\t".join(row) + "\n" for row in rows))
    with pytest.raises(FormatError, match=rf"a\.tsv:1502: column 'x' is {reason}"):
        read(file)
    assert read(file, systems_columns=["A"]).layers["x"] == values


def test_layers_of_json_lines_can_be_systems(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"ref": "one", "A": "ones", "LP": "de-en"}\n')
    assert read(file).systems == {}
    testset = read(file, systems_columns=["A"])
    assert testset.systems == {"A": ["ones"]}
    assert testset.layers == {"LP": ["de-en"]}
    with pytest.raises(UnknownNameError, match="unknown column 'B'"):
        read(file, systems_columns=["B"])


def test_separate_files_have_no_columns_to_name(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a\n")
    with pytest.raises(InputError, match="systems_columns are columns of one file"):
        read(references=tmp_path / "a.txt", systems_columns=["A"])
