# SPDX-License-Identifier: Apache-2.0
"""Test sets, files for systems, and what comes back."""

from __future__ import annotations

import json

import pytest

from tertium.errors import FormatError, InputError
from tertium.grammars.sets.exchange import (
    SourceSentence,
    read_outputs,
    read_sources,
    sentence_text,
    write_for_systems,
    write_sources,
)

SOURCES = [
    SourceSentence("t.1a.Eng.strings.0", "t", "1a", "A ball.", ("F", "G")),
    SourceSentence("t.1b.Eng.strings.0", "t", "1b", "Über «it».", ()),
]
IDS = [own.id for own in SOURCES]


def test_a_test_set_comes_back_as_it_was(tmp_path):
    path = tmp_path / "testset.jsonl"
    write_sources(path, SOURCES)
    assert read_sources(path) == SOURCES
    first = json.loads(path.read_text("utf-8").splitlines()[0])
    assert list(first) == ["id", "template", "set", "source", "constructions"]


@pytest.mark.parametrize("name", ["in.txt", "in.jsonl", "in.txt.gz", "in.jsonl.gz"])
def test_systems_may_answer_as_they_were_asked(tmp_path, name):
    path = tmp_path / name
    write_for_systems(path, SOURCES)
    if ".jsonl" in name:
        from tertium.data.lines import open_lines, write_lines

        rows = [json.loads(line) for line in open_lines(path)]
        assert [row["source"] for row in rows] == ["A ball.", "Über «it»."]
        write_lines(
            path,
            [
                json.dumps({"id": row["id"], "translation": row["source"]})
                for row in reversed(rows)
            ],
        )
    assert read_outputs(path, IDS) == ["A ball.", "Über «it»."]


def answers(tmp_path, *rows):
    path = tmp_path / "out.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def row(place, **more):
    return {"id": IDS[place], "translation": f"out {place}", **more}


def test_missing_extra_and_repeated_ids_are_named(tmp_path):
    with pytest.raises(FormatError, match=r"1 of 2 segments are missing.*t\.1b"):
        read_outputs(answers(tmp_path, row(0)), IDS)
    with pytest.raises(FormatError, match=r"out\.jsonl:2: .*no segment 'x'"):
        read_outputs(answers(tmp_path, row(0), {"id": "x", "hyp": ""}), IDS)
    with pytest.raises(FormatError, match=r"jsonl:3: .*twice \(first in line 1\)"):
        read_outputs(answers(tmp_path, row(0), row(1), row(0)), IDS)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "not JSON"),
        ("[]", "not an object"),
        ({"translation": "x"}, "'id' is missing"),
        ({"id": IDS[0]}, "'translation' is missing"),
        ({"id": IDS[0], "translation": 7}, "'translation' is missing"),
    ],
)
def test_wrong_answers_are_rejected_with_their_line(tmp_path, line, what):
    with pytest.raises(FormatError, match=rf"out\.jsonl:1: {what}"):
        read_outputs(answers(tmp_path, line), IDS)


def test_other_names_of_outputs_are_known(tmp_path):
    path = answers(tmp_path, {"id": IDS[1], "hyp": "b"}, {"id": IDS[0], "text": "a"})
    assert read_outputs(path, IDS) == ["a", "b"]


def test_numbers_are_ids_too(tmp_path):
    path = answers(tmp_path, {"id": 2, "hyp": "b"}, {"id": "1", "hyp": "a"})
    assert read_outputs(path, ["1", "2"]) == ["a", "b"]
    with pytest.raises(FormatError, match="'id' is missing or not text"):
        read_outputs(answers(tmp_path, {"id": True, "hyp": "b"}), ["True"])


def test_lines_must_be_as_many_as_segments(tmp_path, write_lines):
    short = write_lines("short.txt", ["a"])
    with pytest.raises(FormatError, match=r"1 lines for 2 segments.*t\.1b"):
        read_outputs(short, IDS)
    with pytest.raises(FormatError, match=r"long\.txt:3: "):
        read_outputs(write_lines("long.txt", ["a", "b", "c"]), IDS)
    with pytest.raises(FormatError, match="looks like JSON"):
        read_outputs(write_lines("json.txt", ['{"id": "x"}', "{}"]), IDS)
    assert read_outputs(write_lines("empty.txt", ["", ""]), IDS) == ["", ""]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"id": "a"}', "'source' is missing"),
        ('{"id": "", "source": "s"}', "'id' is missing"),
        ('{"id": "a", "source": "s", "set": 3}', "'set' is missing"),
        ('{"id": "a", "source": "s", "constructions": "F"}', "'constructions'"),
        ("null", "not an object"),
    ],
)
def test_wrong_test_sets_are_rejected(tmp_path, text, what):
    path = tmp_path / "t.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=rf"t\.jsonl:1: {what}"):
        read_sources(path)


def test_test_sets_need_unique_ids(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(FormatError, match="no sentence"):
        read_sources(path)
    path.write_text('{"id": "a", "source": "s"}\n' * 2, encoding="utf-8")
    with pytest.raises(FormatError, match=r"t\.jsonl:2: the id 'a' occurs twice"):
        read_sources(path)


def test_sentences_look_as_systems_are_used_to():
    assert sentence_text(["is", "it", "red", "?"]) == "Is it red?"
    assert sentence_text(["it's", "«red»"]) == "It's «red»"
    assert sentence_text([]) == ""
    with pytest.raises(InputError, match="unknown style"):
        sentence_text(["a"], style="loud")
