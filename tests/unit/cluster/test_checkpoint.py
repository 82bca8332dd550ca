# SPDX-License-Identifier: Apache-2.0
"""Chunks on disk: read once they are there, done again if they are damaged."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.cluster import Checkpointed
from tertium.engine import Processes, Threads
from tertium.tuning.mbr import mbr
from tertium.tuning.reading import stream_nbest
from tests.support import cluster_work as work


class Calls:
    """A function that remembers its calls."""

    def __init__(self) -> None:
        self.seen = []

    def __reduce__(self):
        return (Calls, ())

    def __call__(self, number):
        self.seen.append(number)
        return {"square": number * number}


def run(folder, chunks):
    calls = Calls()
    results = list(Checkpointed(str(folder)).map(calls, chunks))
    assert results == [{"square": number * number} for number in chunks]
    return calls.seen


@given(
    first=st.lists(st.integers(0, 9), max_size=8),
    again=st.lists(st.integers(0, 9), max_size=8),
)
def test_only_what_is_missing_is_done(tmp_path_factory, first, again):
    folder = tmp_path_factory.mktemp("kept")
    assert run(folder, first) == first
    known = set(enumerate(first))
    missing = [n for place, n in enumerate(again) if (place, n) not in known]
    assert run(folder, again) == missing


@given(data=st.data())
def test_a_damaged_chunk_is_done_again(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("kept")
    run(folder, [1, 2, 3])
    path = data.draw(st.sampled_from(sorted(folder.iterdir())))
    content = bytearray(path.read_bytes())
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    else:
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    assert len(run(folder, [1, 2, 3])) == 1
    assert run(folder, [1, 2, 3]) == []


def test_another_function_does_not_get_the_results(tmp_path):
    assert list(Checkpointed(str(tmp_path)).map(work.square, [2])) == [4]
    assert list(Checkpointed(str(tmp_path)).map(abs, [2])) == [2]


def test_what_other_processes_did_is_kept_too(tmp_path):
    chunks = list(range(10))
    expected = [number * number for number in chunks]
    kept = Checkpointed(str(tmp_path), Processes(2))
    assert list(kept.map(work.square, chunks)) == expected
    assert len(list(tmp_path.iterdir())) == 10
    assert list(kept.map(work.square, chunks)) == expected


def test_scores_from_kept_chunks_are_the_same(tmp_path):
    demo = tertium.read("demo")
    expected = tertium.score(demo, metrics=["nist", "chrf"], documents=True).to_json()
    for _ in range(2):
        with tertium.use(Checkpointed(str(tmp_path))):
            table = tertium.score(demo, metrics=["nist", "chrf"], documents=True)
        assert table.to_json() == expected


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(tertium.InputError, match="give another folder"):
        Checkpointed(str(tmp_path / "file" / "kept"))
    with pytest.raises(tertium.InputError, match="file is not a folder"):
        Checkpointed(str(tmp_path / "file"))


def test_texts_at_hand_are_known_again_in_a_file_with_another_time(tmp_path):
    lists = tmp_path / "lists.jsonl"
    rows = [
        {"id": str(n), "hyps": [{"text": f"a{n}"}, {"text": "b"}]} for n in range(9)
    ]
    lists.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    def kept():
        with tertium.use(Checkpointed(str(tmp_path / "kept"), Threads())):
            mbr(list(stream_nbest([str(lists)])), "chrf")
        return sorted(path.name for path in (tmp_path / "kept").iterdir())

    first = kept()
    os.utime(lists, (0, 0))
    assert kept() == first
