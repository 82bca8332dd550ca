# SPDX-License-Identifier: Apache-2.0
"""Texts of lists are the same when they are read again from their places."""

from __future__ import annotations

import gzip
import json
import pickle

import numpy as np
import pytest

from support.sent_chunks import Sent
from tertium._executor import use
from tertium.data.line_places import PieceReader
from tertium.errors import FormatError
from tertium.tuning.lists import NBestList
from tertium.tuning.mbr import MbrStream, mbr
from tertium.tuning.mbr.shortlist import Shortlist
from tertium.tuning.merging import deduplicate
from tertium.tuning.placed import list_chunk, place_of
from tertium.tuning.reading import read_nbest, stream_nbest

MOSES = (
    "0 ||| a red  cat  ||| lm= -2 ||| -3\r\n"
    "0 ||| ein Häuschen ||| lm= -3 ||| -4\n"
    "0 ||| a red  cat ||| lm= -3 ||| -4\n"
    "1 ||| two dogs ||| lm= 1 ||| -5 ||| 0-0\n"
    "3 |||  ||| lm= 1 ||| -5"
)
JSONL = "".join(
    json.dumps({"id": i, "hyps": hyps}, ensure_ascii=i == 0) + end
    for i, (hyps, end) in enumerate(
        [
            (["a cat", {"text": "ein H\u00e4uschen"}, "a cat"], "\n"),
            (["x\ny", "\u2028"], "\r\n"),
            ([""], ""),
        ]
    )
)


def read_again(texts):
    with PieceReader() as reader:
        return place_of(texts).read(reader)


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        MOSES,
        "\ufeff" + MOSES,
        MOSES.replace("lm= ", "lm= 0 w="),
        JSONL,
        "\ufeff" + JSONL,
    ],
)
def test_texts_are_found_again(tmp_path, text):
    path = written(tmp_path, "lists", text)
    lists = read_nbest(path)
    assert len(lists) == 3
    for each in lists:
        assert read_again(each.texts) == each.texts
    for each in deduplicate(lists, by="text"):
        assert read_again(each.texts) == list(dict.fromkeys(each.texts))
    once = deduplicate(lists, by="text")[0].select([1])
    assert read_again(once.texts) == once.texts == [lists[0].texts[1]]


def test_merged_lists_are_found_again(tmp_path):
    paths = [written(tmp_path, name, MOSES) for name in "ab"]
    lists = read_nbest(paths)
    assert [len(each) for each in lists] == [6, 2, 2]
    assert [read_again(each.texts) for each in lists] == [x.texts for x in lists]


def test_compressed_files_have_no_places(tmp_path):
    path = tmp_path / "lists.gz"
    path.write_bytes(gzip.compress(MOSES.encode()))
    assert {place_of(each.texts) for each in read_nbest(path)} == {None}


def test_texts_travel_as_a_list(tmp_path):
    [each, *_] = read_nbest(written(tmp_path, "lists", JSONL))
    assert type(pickle.loads(pickle.dumps(each)).texts) is list


def choices(result):
    return [(each.id, each.best, each.references) for each in result.lists]


@pytest.mark.parametrize("text", [MOSES, JSONL])
def test_lists_of_files_are_sent_as_places(tmp_path, text):
    path = written(tmp_path, "lists", text)
    here = mbr(read_nbest(path), "chrf", top=2)
    executor = Sent()
    with use(executor):
        there = mbr(read_nbest(path), "chrf", top=2)
        stream = MbrStream(
            stream_nbest(path), "chrf", references=stream_nbest(path), top=2
        )
        streamed = list(stream)
    assert there == here
    assert streamed == list(here.lists)
    assert stream.result.all_pairs == here.all_pairs
    for sent in executor.chunks:
        assert "Häuschen".encode() not in sent


def test_weights_travel_with_places(tmp_path):
    lists = read_nbest(written(tmp_path, "lists", MOSES))
    short = Shortlist(lists, "lm", keep=1)
    options = {"references": lists, "utility_weights": "lm", "scale": 0.7}
    here = mbr(short.lists, "ter", **options)
    with use(Sent()):
        assert mbr(short.lists, "ter", **options) == here


def test_lists_without_a_place_are_sent_with_their_texts():
    executor = Sent()
    with use(executor):
        mbr([NBestList("0", ["a secret", "b"], (), np.zeros((2, 0)))])
    assert b"a secret" in executor.chunks[0]


def test_lists_of_a_file_that_was_changed_are_sent_with_their_texts(tmp_path):
    path = written(tmp_path, "lists", JSONL)
    lists = read_nbest(path)
    here = mbr(lists)
    path.write_text(JSONL.replace("a cat", "two cats"))
    executor = Sent()
    with use(executor):
        assert mbr(lists) == here
        path.unlink()
        assert mbr(lists) == here
    assert all(b"a cat" in chunk for chunk in executor.chunks)


def test_a_file_that_is_changed_on_the_way_is_an_error(tmp_path):
    path = written(tmp_path, "lists", JSONL)
    chunk = pickle.dumps(list_chunk([read_nbest(path)[0].texts], None))
    path.write_text(MOSES)
    with pytest.raises(FormatError, match=r"lists: was changed while it was read"):
        pickle.loads(chunk).read()
