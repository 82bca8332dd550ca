# SPDX-License-Identifier: Apache-2.0
"""Segments are the same when they are read again from where they lie."""

from __future__ import annotations

import gzip
import json
import os
import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from support.sent_chunks import Sent
from tertium._executor import Described, use
from tertium.data import Testset, TestsetFiles, stream, write
from tertium.data.layers import LayerFiles, add_layers
from tertium.data.origins import PlacedSegments, placed_chunks, with_origin
from tertium.data.partitions import write_partitions
from tertium.engine.chunks import place_of
from tertium.errors import FormatError
from tertium.meta.inputs.testsets import read_testset

TEXTS = st.text(st.characters(blacklist_categories=["Cs"]), max_size=8)
ROWS = st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=12)


def placed(path, **options):
    """Return a test set with its origin."""
    files = TestsetFiles(path=path, **options)
    origin = files.origin()
    return with_origin(files.read(), origin)


def read_again(testset, size=7):
    """Return the chunks of a test set as they arrive elsewhere."""
    chunks = list(placed_chunks(testset, size))
    assert {type(chunk) for chunk in chunks} == {PlacedSegments}
    there = [pickle.loads(pickle.dumps(chunk)) for chunk in chunks]
    assert [len(one) for one in there] == [len(one) for one in chunks]
    assert [one.read() for one in there] == [one.read() for one in chunks]
    assert sum(map(len, chunks)) == len(testset)
    return [one.read() for one in there]


def joined(chunks):
    return [refs for chunk in chunks for refs in chunk.references]


@given(rows=ROWS, size=st.integers(1, 5), bom=st.booleans(), last=st.booleans())
def test_lines_of_json_are_found_again(tmp_path_factory, rows, size, bom, last):
    path = tmp_path_factory.mktemp("texts") / "de-en.jsonl"
    lines = []
    for number, (ref, one, two) in enumerate(rows):
        tgt = {"B": one, "A": two} if number % 2 else {"A": two, "B": one}
        row = {"id": number, "ref": [ref] * (1 + number % 2), "tgt": tgt, "x": ref}
        if number % 3 == 0:
            row = dict(reversed(row.items()))
        lines.append(json.dumps(row, ensure_ascii=number % 2 == 0))
    text = "\ufeff" * bom + ("\r\n" if bom else "\n").join([*lines, ""])
    path.write_bytes((text if last else text.removesuffix("\n")).encode())
    testset = placed(path)
    if not rows:
        return
    assert joined(read_again(testset, size)) == testset.references


def test_columns_of_one_file_are_chosen_as_they_were(tmp_path):
    path = tmp_path / "set.jsonl"
    rows = [{"ref": "a", "tgt": {"A": f"b{n}"}, "C": f"c{n}"} for n in range(5)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    testset = placed(path, systems_columns=["C"], langpair="de-en")
    for chunk in read_again(testset, 2):
        assert list(chunk.systems) == ["C"]
        assert list(chunk.layers) == ["A"]
        assert chunk.langpair == "de-en"


@pytest.mark.parametrize("kind", ["plain", "jsonl", "demo", "parts", "folders"])
def test_segments_of_files_are_found_again(tmp_path, kind):
    path = tmp_path / "set"
    if kind == "demo":
        path = "demo"
    elif kind == "plain":
        write(tertium.read("demo"), path)
    elif kind == "jsonl":
        path = path.with_suffix(".jsonl")
        write(tertium.read("demo"), path)
    else:
        form = "plain" if kind == "folders" else "jsonl"
        write_partitions(stream("demo"), path, rows=25, format=form, compression=None)
    testset = placed(path)
    assert joined(read_again(testset)) == tertium.read("demo").references


@pytest.mark.parametrize("name", ["set.jsonl.gz", "set.tsv", "packed"])
def test_segments_that_are_not_lines_have_no_origin(tmp_path, name):
    path = tmp_path / name
    write(tertium.read("demo"), path)
    if name == "packed":
        ref = next(path.glob("reference*"))
        packed = gzip.compress(ref.read_bytes())
        ref.unlink()
        ref.with_suffix(".txt.gz").write_bytes(packed)
    assert TestsetFiles(path=path).origin() is None


def test_what_is_made_of_a_test_set_has_no_origin():
    testset = placed("demo")
    assert testset.origin is not None
    assert replace(testset, langpair="xx-de").origin is None
    assert testset.select([1, 0]).origin is None
    assert next(testset.chunks(100)).origin is None


def test_texts_with_layers_have_no_origin(tmp_path):
    links = tmp_path / "links"
    testset = placed("demo")
    links.write_text("0-0\n" * len(testset))
    layered = add_layers(testset, LayerFiles(alignments={"good": [links, links]}))
    assert layered.systems["good"][0].layers
    assert layered.origin is None


def test_origins_are_looked_for_only_where_they_are_needed():
    assert read_testset("demo").origin is None
    with use(Sent()):
        assert read_testset("demo").origin is not None


HOW = {"metrics": ["chrf", "bleu"], "gold": "rankings", "trials": 2}


def correlated(path, *, changed=None):
    """Return a correlation of metrics on the demo, and what was sent for it."""
    executor = Sent()
    with use(executor):
        testset = read_testset(path)
        if changed:
            changed()
        result = tertium.correlate(testset, "demo", **HOW)
    return result.to_json(), executor.chunks


TEXT = tertium.read("demo").systems["good"][5].encode()


@pytest.mark.parametrize("name", ["set.jsonl", "set"])
def test_correlate_sends_places(tmp_path, name):
    write(tertium.read("demo"), tmp_path / name)
    here = tertium.correlate(tmp_path / name, "demo", **HOW)
    there, chunks = correlated(tmp_path / name)
    assert there == here.to_json()
    assert any(b"_FileSegments" in chunk for chunk in chunks)
    assert not any(TEXT in chunk for chunk in chunks)


@pytest.mark.parametrize("change", ["append", "touch", "remove"])
def test_texts_of_a_file_that_was_changed_are_sent(tmp_path, change):
    path = tmp_path / "set.jsonl"
    write(tertium.read("demo"), path)
    here, _ = correlated(path)

    def changed():
        if change == "append":
            path.write_bytes(path.read_bytes() + b"{}\n")
        elif change == "touch":
            os.utime(path, ns=(1, 1))
        else:
            path.unlink()

    there, chunks = correlated(path, changed=changed)
    assert there == here
    assert any(TEXT in chunk for chunk in chunks)


def test_a_file_that_is_changed_on_the_way_is_an_error(tmp_path):
    path = tmp_path / "set.jsonl"
    write(tertium.read("demo"), path)
    [chunk] = placed_chunks(placed(path), 100)
    sent = pickle.dumps(chunk)
    path.write_text("{}\n")
    with pytest.raises(FormatError, match=r"set.jsonl: was changed while it was read"):
        pickle.loads(sent).read()


def test_segments_at_hand_are_loaded_from_memory(tmp_path):
    path = tmp_path / "set.jsonl"
    write(tertium.read("demo"), path)
    [chunk] = placed_chunks(placed(path), 100)
    place = place_of(chunk, 0)
    path.unlink()
    assert isinstance(place, Described)
    assert place.at_hand
    assert place.loaded().chunk == tertium.read("demo")


def test_test_sets_in_memory_are_sent_with_their_texts():
    testset = Testset.build(["a", "b"], {"A": ["c", "d"]})
    assert list(placed_chunks(testset, 1)) == list(testset.chunks(1))
