# SPDX-License-Identifier: Apache-2.0
"""Records as JSON: what was written is read, and nothing else is."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import FormatError
from tertium.records import File, Results, Run, Text, read_run

HASH = "0" * 64
RUN = Run(
    command=["score", "-r", "ref.txt", "-i", "out.txt", "--record", "run.json"],
    folder=".",
    options={"seed": 12345, "metrics": ["bleu"], "interval": None},
    versions={"tertium": "0.1.0", "python": "3.12.0"},
    inputs=[File("ref.txt", HASH, 10), File("/dev/fd/63", None, None)],
    resources=[File("tertium:demo/demo.jsonl", HASH, 7)],
    results=Results(
        exit=0,
        output=Text(HASH, 3, "ab\n"),
        data={"systems": {"A": {"bleu": {"score": 0.1}}}},
        files=[File("scores.tsv", HASH, 2)],
        folders=["."],
    ),
    seed=12345,
    threads=2,
    environment={"SACREBLEU_SEED": "1"},
    input_text=Text(HASH, 4),
    programs=["decode weights"],
    machine={"system": "Linux", "cores": 2},
    started="2026-11-18T00:00:00+00:00",
    seconds=0.25,
    facts={"segments": 3},
)


def test_a_record_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "run.json"
    path.write_text(RUN.to_json(), encoding="utf-8")
    assert read_run(path) == RUN


def places(content, place=()):
    """Yield where in JSON something can be replaced."""
    yield place
    inner = content.items() if isinstance(content, dict) else enumerate(content)
    for key, item in inner if isinstance(content, (dict, list)) else ():
        yield from (
            places(item, (*place, key))
            if isinstance(item, (dict, list))
            else [(*place, key)]
        )


PLACES = list(places(RUN.to_dict()))
WRONG = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(),
    st.text(max_size=5),
    st.just("\ud800"),
    st.just("a\0b"),
    st.lists(st.none(), max_size=2),
    st.dictionaries(st.text(max_size=3), st.none(), max_size=2),
)


@given(place=st.sampled_from(PLACES), value=WRONG, remove=st.booleans())
def test_damaged_records_are_rejected_or_complete(place, value, remove):
    content = copy.deepcopy(RUN.to_dict())
    if not place:
        content = value
    else:
        inner = content
        for key in place[:-1]:
            inner = inner[key]
        if remove and isinstance(inner, dict):
            del inner[place[-1]]
        else:
            inner[place[-1]] = value
    message = ""
    try:
        run = Run.from_dict(content, path="run.json")
    except FormatError as error:
        message = str(error)
    if message:
        assert message.startswith("run.json: ")
        assert message.endswith(
            (
                "record the run again",
                "that wrote it",
                "`tertium VERB --record FILE` wrote",
            )
        )
        return
    assert Run.from_dict(run.to_dict()).to_dict() == run.to_dict() or value != value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "the file is not a JSON object"),
        ("{}", "not a record; name a file that `tertium VERB --record FILE`"),
        ('{"tertium-record": 2}', "reads 1; use the version that wrote it"),
        ('{"tertium-record": 1, "command": []}', '"command" is empty'),
        ('{"tertium-record": 1, "command": ["a", 1]}', "is int, not a text"),
        ('{"tertium-record": 1' + "0" * 5000 + "}", "not JSON that can be read"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_what_is_not_a_record_is_an_error(tmp_path, text, message):
    path = tmp_path / "run.json"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        read_run(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there_or_not_text_is_an_error(tmp_path):
    with pytest.raises(FormatError, match="No such file"):
        read_run(tmp_path / "none.json")
    with pytest.raises(FormatError, match="cannot be a file name"):
        read_run("a\0b")
    (tmp_path / "raw").write_bytes(b"\xff\x00\xfe")
    with pytest.raises(FormatError, match="not UTF-8"):
        read_run(tmp_path / "raw")


def test_records_are_strict_json():
    json.loads(RUN.to_json(), parse_constant=pytest.fail)
