# SPDX-License-Identifier: Apache-2.0
"""Partitioned test sets: shards, manifests, and what goes wrong with them."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.data import (
    Testset,
    TestsetFiles,
    read,
    segment_ids,
    stream,
    write,
    write_stream,
)
from tertium.data.checks import check, check_stream
from tertium.data.partitions import (
    is_partitioned,
    open_partitions,
    write_line_shards,
    write_partitions,
)
from tertium.data.segment_ids import RepeatedIds
from tertium.data.testset import rechunk
from tertium.engine import score_stream
from tertium.engine.layers import open_testset
from tertium.errors import FormatError, InputError
from tertium.judgements import Judgements
from tertium.judgements.writing import write_judgement_shards
from tertium.tuning.reading import stream_nbest

KINDS = [("jsonl", None), ("jsonl", "zst"), ("parquet", None), ("plain", "gz")]
TEXT = st.text(st.sampled_from("ab cß."), max_size=12)


@st.composite
def any_testset(draw):
    size = draw(st.integers(1, 14))

    def column():
        return draw(st.lists(TEXT, min_size=size, max_size=size))

    return Testset.build(
        list(zip(column(), column(), strict=True)),
        {name: column() for name in draw(st.sampled_from(["A", "BA", "CAB"]))},
        sources=column() if draw(st.booleans()) else None,
        ids=[str(n // 2) for n in range(size)] if draw(st.booleans()) else None,
        docs=column() if draw(st.booleans()) else None,
        langpair=draw(st.sampled_from([None, "de-en"])),
        layers={"domain": column()} if draw(st.booleans()) else None,
    )


@pytest.fixture
def dataset(tmp_path):
    """Return a dataset of three shards, and the test set in it."""
    write_partitions(stream("demo"), tmp_path / "set", rows=25)
    return tmp_path / "set"


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file()
    }


@settings(max_examples=25, deadline=None)
@given(any_testset(), st.sampled_from(KINDS), st.data())
def test_any_partition_holds_the_same_test_set(testset, kind, data):
    rows, size = data.draw(st.integers(1, 15)), data.draw(st.integers(1, 15))
    name, compression = kind
    with tempfile.TemporaryDirectory() as folder:
        one, other = os.path.join(folder, "one"), os.path.join(folder, "other")
        manifest = write_partitions(
            testset.chunks(size), one, format=name, compression=compression, rows=rows
        )
        write_partitions(
            [testset], other, format=name, compression=compression, rows=rows
        )
        # The bytes do not depend on the chunks.
        assert contents(one) == contents(other)
        assert manifest.rows == len(testset)
        back = read(one)
        assert back == testset
        assert list(back.systems) == list(testset.systems)
        shards = open_partitions(one)
        shards.verify()
        assert shards.rows == tuple(shard.rows for shard in manifest.shards)
        slices = pickle.loads(pickle.dumps(list(shards.slices(size))))
        parts = [part.read() for part in slices]
        assert [text for part in parts for text in part.references] == (
            testset.references
        )
        assert all(list(part.systems) == list(testset.systems) for part in parts)
        report = check_stream(lambda: stream(one, size=size))
        assert report == check(testset)


@settings(max_examples=15, deadline=None)
@given(any_testset(), st.integers(1, 15), st.sampled_from(["tsv", "csv", "jsonl"]))
def test_streams_write_the_bytes_of_the_whole(testset, size, ending):
    with tempfile.TemporaryDirectory() as folder:
        whole, parts = (Path(folder, f"{name}.{ending}") for name in ("a", "b"))
        write(testset, whole)
        write_stream(testset.chunks(size), parts)
        assert whole.read_bytes() == parts.read_bytes()


@pytest.mark.parametrize(("name", "compression"), KINDS)
def test_scores_of_shards_are_those_of_the_file(tmp_path, name, compression):
    folder = tmp_path / "set"
    write_partitions(
        stream("demo"), folder, format=name, compression=compression, rows=13
    )
    specs = ["bleu", "chrf", "nist"]
    chunks = open_testset(TestsetFiles(path=folder), metrics=specs)
    table = score_stream(chunks, metrics=specs)
    whole = tertium.score(read("demo"), metrics=specs)
    assert {n: s["nist"].score for n, s in table.systems.items()} == {
        n: s["nist"].score for n, s in whole.systems.items()
    }
    assert table.systems["good"]["bleu"] == whole.systems["good"]["bleu"]


@pytest.mark.parametrize(("name", "compression"), KINDS)
def test_slices_are_scored_where_they_are_read(tmp_path, name, compression):
    folder = tmp_path / "set"
    write_partitions(
        stream("demo"), folder, format=name, compression=compression, rows=25
    )
    files = TestsetFiles(path=folder)
    slices = list(files.slices(size=20))
    assert [len(part) for part in slices] == [20, 5, 20, 5, 10]
    assert all(os.path.isfile(file) for part in slices for file in part.files())
    table = score_stream(lambda: files.slices(size=20), metrics=["chrf", "nist"])
    whole = tertium.score(read("demo"), metrics=["chrf", "nist"])
    assert table.systems["order"] == whole.systems["order"]
    # What a slice cannot know must be read.
    assert TestsetFiles(path=folder, langpair="en-de").slices() is None
    (folder / "manifest.json").unlink()
    assert files.slices() is None


@given(st.lists(st.integers(0, 5), min_size=1, max_size=6), st.integers(1, 7))
def test_rechunk_keeps_segments_and_gives_even_chunks(sizes, size):
    texts = [str(n) for n in range(sum(sizes))]
    parts, start = [], 0
    for length in sizes:
        parts.append(Testset.build(texts[start : start + length]))
        start += length
    chunks = list(rechunk(parts, size))
    assert [ref for chunk in chunks for (ref,) in chunk.references] == texts
    assert all(len(chunk) == size for chunk in chunks[:-1])
    assert 0 < len(chunks[-1]) <= size or not texts
    assert [len(part) for part in parts] == sizes


def test_a_test_set_without_segments_is_one_shard(tmp_path):
    write_partitions([Testset([])], tmp_path / "set")
    assert len(read(tmp_path / "set")) == 0


def test_a_shard_is_a_test_set(dataset):
    assert len(read(dataset / "part-00001.jsonl")) == 25


def test_text_shards_are_folders_of_columns(tmp_path):
    write_partitions(
        stream("demo"), tmp_path / "set", format="plain", compression="zst", rows=40
    )
    names = sorted(os.listdir(tmp_path / "set" / "part-00001"))
    assert names[:3] == ["docs.txt.zst", "ids.txt.zst", "reference.1.txt.zst"]
    assert len(read(tmp_path / "set" / "part-00001")) == 20


# ------------------------------------------------------------- without a manifest


def test_numbered_shards_are_read_in_the_order_of_their_numbers(tmp_path):
    for number in range(12):
        write(Testset.build([str(number)]), tmp_path / f"x-{number}-of-12.jsonl")
    (tmp_path / "_SUCCESS").touch()
    testset = read(tmp_path)
    assert [ref for (ref,) in testset.references] == [str(n) for n in range(12)]
    assert [note.code for note in testset.notes] == ["no-manifest"]


def test_systems_come_in_the_order_of_the_first_shard(tmp_path):
    write(Testset.build(["a"], {"A": ["1"], "B": ["2"]}), tmp_path / "p-0.jsonl")
    write(Testset.build(["b"], {"B": ["3"], "A": ["4"]}), tmp_path / "p-1.jsonl")
    assert read(tmp_path).systems == {"A": ["1", "4"], "B": ["2", "3"]}
    last = list(open_partitions(tmp_path).slices())[-1]
    assert list(last.read().systems) == ["A", "B"]


def test_a_missing_number_is_an_error(tmp_path):
    for number in (0, 1, 3):
        write(Testset.build(["a"]), tmp_path / f"part-{number}.jsonl")
    with pytest.raises(FormatError, match="shard 2 is missing, and 3 is there"):
        read(tmp_path)


def test_fewer_shards_than_their_names_say_are_an_error(tmp_path):
    for number in (0, 1):
        write(Testset.build(["a"]), tmp_path / f"x-{number:05}-of-00003.jsonl")
    with pytest.raises(FormatError, match="2 shards of 3; fetch the others"):
        read(tmp_path)


def test_years_do_not_number_shards(tmp_path):
    for year in (14, 15):
        write(Testset.build(["a"]), tmp_path / f"wmt{year}.jsonl")
    assert not is_partitioned(tmp_path)


def test_folders_of_columns_are_not_partitioned(tmp_path):
    write(read("demo"), tmp_path / "plain", format="plain")
    (tmp_path / "plain" / "manifest.json").write_text("{}")
    write(Testset.build(["a"]), tmp_path / "plain" / "part-0.jsonl")
    assert not is_partitioned(tmp_path / "plain")
    assert len(read(tmp_path / "plain")) == 60


def test_shards_with_other_columns_are_an_error(tmp_path):
    write(Testset.build(["a"], {"A": ["1"]}), tmp_path / "p-0.jsonl")
    write(Testset.build(["b"]), tmp_path / "p-1.jsonl")
    with pytest.raises(FormatError, match=r"p-1.jsonl: column 'tgt:A' is missing"):
        read(tmp_path)


def test_shards_with_another_language_pair_are_an_error(tmp_path):
    write(Testset.build(["a"], langpair="de-en"), tmp_path / "p-0.jsonl")
    write(Testset.build(["b"], langpair="fr-en"), tmp_path / "p-1.jsonl")
    with pytest.raises(FormatError, match="'fr-en' after 'de-en'; keep one"):
        read(tmp_path)


# ------------------------------------------------------------------- what is wrong


def test_a_missing_shard_is_named(dataset):
    (dataset / "part-00001.jsonl").unlink()
    with pytest.raises(FormatError, match=r"part-00001.jsonl: no such file"):
        read(dataset)


def test_a_shard_of_another_size_is_named(dataset):
    with open(dataset / "part-00001.jsonl", "a") as file:
        file.write("{}\n")
    with pytest.raises(FormatError, match=r"part-00001.jsonl: .* bytes, and manifest"):
        read(dataset)


def test_a_changed_shard_of_the_same_size_is_found_by_its_hash(dataset):
    path = dataset / "part-00001.jsonl"
    data = path.read_bytes()
    path.write_bytes(data.replace(b"a", b"b", 1))
    read(dataset)
    with pytest.raises(FormatError, match=r"part-00001.jsonl: changed since"):
        open_partitions(dataset).verify()


def edit(dataset, change):
    path = dataset / "manifest.json"
    whole = json.loads(path.read_text())
    change(whole)
    path.write_text(json.dumps(whole))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.update(rows=61), r"'rows' is 61, and the shards have 60"),
        (lambda m: m.update(version=2), "version 2 is not 1; read it with a newer"),
        (lambda m: m.update(tertium="x"), "'tertium' is not 'partitions'"),
        (lambda m: m.update(more=1), "unknown field 'more'; remove it, or"),
        (lambda m: m.pop("shards"), "the file has no 'shards'"),
        (lambda m: m.update(shards={}), "'shards' is not a list"),
        (lambda m: m.update(shards=[], rows=0), "'shards' is empty"),
        (lambda m: m.update(format="tsv"), "'format' is 'tsv', not one of jsonl,"),
        (lambda m: m.update(compression="rar"), "'compression' is 'rar', not one"),
        (lambda m: m.update(columns=["id", "id"]), "'columns' has a name twice"),
        (
            lambda m: m["shards"][1].update(rows="9"),
            r"'shards\[1\].rows' is not an int",
        ),
        (lambda m: m["shards"][1].update(name="../x"), "not a path in the folder"),
        (lambda m: m["shards"][1].update(files=[]), r"'shards\[1\].files' is empty"),
        (lambda m: m["shards"].append(m["shards"][0]), "the shards have 85 together"),
        (
            lambda m: m["shards"][0]["files"][0].update(sha256="0"),
            "is not 64 hexadecimal digits",
        ),
        (
            lambda m: m["shards"][0]["files"].append(m["shards"][0]["files"][0]),
            "'part-00000.jsonl' is listed twice",
        ),
        (
            lambda m: m["shards"][0]["files"][0].update(name="part-00001.jsonl"),
            "'part-00001.jsonl' is not part of 'part-00000.jsonl'",
        ),
    ],
)
def test_a_bad_manifest_is_an_error_with_place_and_cure(dataset, change, message):
    edit(dataset, change)
    with pytest.raises(FormatError, match=message) as caught:
        read(dataset)
    assert str(caught.value).startswith(f"{dataset / 'manifest.json'}: ")
    assert ";" in str(caught.value)


PLACES = [
    "../x", "..", ".", "/etc/passwd", "//server/x", "a/../../x", "./part-00000.jsonl",
    "part-00000.jsonl/", "a//b", "C:/x", "C:x", "..\\x", "a\0b", "a\nb", "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("what", ["shard", "file"])
def test_shards_lie_in_the_folder(dataset, place, what):
    """A manifest may come from someone else: it must not name other files."""
    (dataset.parent / "x").write_bytes((dataset / "part-00000.jsonl").read_bytes())

    def change(whole):
        shard = whole["shards"][0]
        shard["files"][0]["name"] = place
        if what == "shard":
            shard["name"] = place

    edit(dataset, change)
    with pytest.raises(FormatError, match="not a path in the folder"):
        read(dataset)


NUMBERS = [-1, 2**63, 10**400, 2.0, 1e300, True, None, "25", [25], {}]


@pytest.mark.parametrize("number", NUMBERS, ids=[str(n)[:9] for n in NUMBERS])
@pytest.mark.parametrize("field", ["rows of all", "rows", "bytes"])
def test_numbers_are_integers_of_a_sensible_size(dataset, field, number):
    def change(whole):
        places = {
            "rows of all": whole,
            "rows": whole["shards"][0],
            "bytes": whole["shards"][0]["files"][0],
        }
        places[field][field.split()[0]] = number

    edit(dataset, change)
    with pytest.raises(FormatError, match=r"' is (not an integer from 0|larger)"):
        read(dataset)


def test_a_folder_is_not_two_shards(tmp_path):
    write_partitions(stream("demo"), tmp_path / "set", format="plain", rows=60)

    def change(whole):
        (shard,) = whole["shards"]
        half = {**shard, "files": shard["files"][:1]}
        shard["files"] = shard["files"][1:]
        whole["shards"].append(half)
        whole["rows"] = 120

    edit(tmp_path / "set", change)
    with pytest.raises(FormatError, match="'part-00000' is listed twice"):
        read(tmp_path / "set")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"[]",
        b"\xff",
        b'{"tertium": "p\xe9"}',
        b"[" * 100_000,
        b"9" * 5000,
    ],
    ids=["empty", "null", "list", "byte", "latin-1", "deep", "digits"],
)
def test_what_is_not_a_manifest_is_an_error(dataset, content):
    (dataset / "manifest.json").write_bytes(content)
    with pytest.raises(FormatError, match=r"manifest.json: not (JSON|a manifest)"):
        read(dataset)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_manifest_is_utf_8(dataset, encoding):
    path = dataset / "manifest.json"
    path.write_text(path.read_text(), encoding=encoding)
    with pytest.raises(FormatError, match=r"manifest.json: not JSON"):
        read(dataset)


def test_a_truncated_manifest_is_an_error(dataset):
    path = dataset / "manifest.json"
    whole = path.read_bytes().rstrip()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(FormatError, match=r"manifest.json: not JSON"):
            open_partitions(dataset)


def test_messages_show_no_more_than_the_start_of_a_wrong_value(dataset):
    for name in ("version", "content", "format", "compression"):
        for value in ([[["x" * 99]]], "x" * 999, 10**300, {"a": 1}):
            edit(dataset, lambda m, name=name, value=value: m.update({name: value}))
            with pytest.raises(FormatError) as caught:
                read(dataset)
            assert len(str(caught.value)) < 200 + len(str(dataset))


def test_rows_that_differ_from_the_manifest_are_an_error(dataset):
    def change(whole):
        whole["shards"][0]["rows"] = 24
        whole["rows"] = 59

    edit(dataset, change)
    with pytest.raises(FormatError, match=r"part-00000.jsonl: 25 rows, and manifest"):
        read(dataset)


def test_columns_that_differ_from_the_manifest_are_an_error(dataset):
    edit(dataset, lambda m: m["columns"].append("tgt:more"))
    with pytest.raises(FormatError, match=r"'tgt:more' is missing, and manifest.json"):
        read(dataset)


def test_other_contents_are_not_a_test_set(tmp_path):
    write_line_shards(['{"id": "0"}'], tmp_path / "lists", content="nbest")
    with pytest.raises(InputError, match="holds n-best lists, not a test set"):
        read(tmp_path / "lists")


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """Return the demo judgements in three shards."""
    place = tmp_path_factory.mktemp("judged") / "shards"
    write_judgement_shards(Judgements.read(["demo"]), place, rows=250)
    return place


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 70) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner)
    ),
    max_leaves=6,
)


def damage(data, path):
    """Change some bytes of a manifest, or a value of it."""
    if data.draw(st.booleans()):
        raw = bytearray(path.read_bytes())
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=5))
        path.write_bytes(raw)
    else:
        whole = json.loads(path.read_text())
        objects = [whole, whole["shards"][1], whole["shards"][0]["files"][0]]
        target = data.draw(st.sampled_from(objects))
        target[data.draw(st.sampled_from(sorted(target)))] = data.draw(JSON)
        path.write_text(json.dumps(whole))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damaged_manifests_raise_nothing_but_input_errors(data):
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "set")
        write_partitions(Testset.build(list("abcde")).chunks(5), place, rows=2)
        damage(data, place / "manifest.json")
        try:
            read(place)
            open_partitions(place).verify()
        except InputError:
            pass


LISTS = [f'{{"id": "{n}", "hyps": ["a", "b{n}"]}}' for n in range(5)]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damaged_manifests_of_lists_never_change_the_lists(data):
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "lists")
        write_line_shards(LISTS, place, content="nbest", rows=2)
        damage(data, place / "manifest.json")
        try:
            made = [(each.id, list(each.texts)) for each in stream_nbest(place)]
        except InputError:
            return
        assert made == [(str(n), ["a", f"b{n}"]) for n in range(5)]


def test_lists_are_as_many_as_the_manifest_says(tmp_path):
    place = tmp_path / "lists"
    write_line_shards(LISTS, place, content="nbest", rows=2)

    def change(whole):
        whole["shards"][0]["rows"], whole["shards"][1]["rows"] = 1, 3

    edit(place, change)
    with pytest.raises(FormatError, match=r"part-00000.jsonl: 2 rows, and manifest"):
        list(stream_nbest(place))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_damaged_manifests_of_judgements_never_change_them(judged, data):
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "judged")
        shutil.copytree(judged, place)
        damage(data, place / "manifest.json")
        try:
            judgements = Judgements.read([place])
        except InputError:
            return
        assert judgements.counts() == {"rankings": 202, "ratings": 400, "spans": 0}


# --------------------------------------------------------------------- the writer


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "tsv"}, "shards cannot be tsv; use jsonl, parquet or plain"),
        ({"compression": "rar"}, "'rar' is not a compression"),
        ({"format": "parquet", "compression": "gz"}, "Parquet is compressed already"),
        ({"rows": 0}, "a shard of 0 rows holds nothing"),
    ],
)
def test_what_cannot_be_written_is_rejected(tmp_path, options, message):
    with pytest.raises(InputError, match=message):
        write_partitions(stream("demo"), tmp_path / "set", **options)
    assert not os.listdir(tmp_path)


def test_an_interrupted_writer_leaves_nothing(tmp_path):
    def chunks():
        yield from stream("demo", size=20)
        raise KeyboardInterrupt

    for name in ("jsonl", "parquet", "plain"):
        with pytest.raises(KeyboardInterrupt):
            write_partitions(chunks(), tmp_path / "set", format=name, rows=25)
    assert not os.listdir(tmp_path)


def test_line_shards_repeat_their_head(tmp_path):
    lines = [f'{{"n": {n}}}' for n in range(5)]
    manifest = write_line_shards(
        lines, tmp_path / "set", content="judgements", rows=2, head='{"head": 1}'
    )
    assert [shard.rows for shard in manifest.shards] == [2, 2, 1]
    last = (tmp_path / "set" / "part-00002.jsonl").read_text()
    assert last == '{"head": 1}\n{"n": 4}\n'
    shutil.rmtree(tmp_path / "set")
    empty = write_line_shards([], tmp_path / "set", content="nbest")
    assert [shard.rows for shard in empty.shards] == [0]


# ------------------------------------------------------------------- repeated ids


@given(
    st.lists(st.sampled_from(["1", "2", "3", "4", "02", "x"]), max_size=9),
    st.integers(1, 9),
    st.integers(1, 4),
)
def test_repeated_ids_are_found_whatever_the_chunks(ids, size, counted):
    ids = [str(n) for n in range(1, counted)] + ids
    repeated = RepeatedIds()
    for chunk in Testset.build(ids, ids=ids).chunks(size):
        repeated.add(chunk)
    expected = [
        (ids.index(name) + 1, number)
        for number, name in enumerate(ids, start=1)
        if name in ids[: number - 1]
    ]
    assert repeated.pairs() == expected


@given(st.lists(st.integers(-2, 4), max_size=12))
def test_many_values_are_compared_as_few_are(values):
    few = segment_ids.repeats(values)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segment_ids, "_AT_ONCE", -1)
        many = segment_ids.repeats(values)
    assert [list(map(int, part)) for part in many] == [list(part) for part in few]
