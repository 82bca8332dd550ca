# SPDX-License-Identifier: Apache-2.0
"""The test set itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tertium.data import Testset, Twins
from tertium.errors import InputError


@pytest.fixture
def testset() -> Testset:
    return Testset.build(
        ["one", ["two", "deux"], "three"],
        {"A": ["one", "two", "three"], "B": ["1", "2", "3"]},
        sources=["eins", "zwei", "drei"],
        docs=["x", "y", "x"],
        ids=["a", "b", "c"],
        langpair="de-en",
        layers={"mood": ["calm", "calm", "wild"]},
    )


def test_build_takes_texts_and_lists_of_texts(testset: Testset) -> None:
    assert testset.references == [("one",), ("two", "deux"), ("three",)]
    assert len(testset) == 3


def test_build_without_references_takes_its_length_from_the_rest() -> None:
    testset = Testset.build(systems={"A": ["x", "y"]})
    assert testset.references == [(), ()]


def test_build_copies_what_it_is_given() -> None:
    hyps = ["x"]
    testset = Testset.build(["x"], {"A": hyps})
    hyps.append("y")
    assert testset.systems == {"A": ["x"]}


def test_repr_says_what_is_inside(testset: Testset) -> None:
    assert repr(testset) == (
        "<Testset de-en: 3 segments, 1 to 2 references, 2 systems, sources, "
        "2 documents, layers mood>"
    )


def test_no_segments_are_legal() -> None:
    testset = Testset([], {"A": []})
    assert len(testset) == 0
    assert [list(chunk.systems) for chunk in testset.chunks(5)] == [["A"]]


@pytest.mark.parametrize(
    ("references", "hyps", "message"),
    [
        (["a", "b"], ["a"], "references has 2 segments, system 'A' has 1"),
        (["a"], ["a", "b"], "references has 1 segment, system 'A' has 2"),
        (None, ["a", "b"], "sources has 1 segment, system 'A' has 2"),
    ],
)
def test_lengths_must_match(
    references: list[str] | None, hyps: list[str], message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Testset.build(references, {"A": hyps}, sources=None if references else ["s"])
    assert "first extra segment 2: 'b'" in str(caught.value)


def test_a_long_extra_segment_is_shortened() -> None:
    with pytest.raises(InputError, match=r"'x{40}\.\.\.'"):
        Testset.build(["a"], {"A": ["a", "x" * 500]})


def test_some_segments_without_reference_are_rejected() -> None:
    with pytest.raises(InputError, match="segment 2 has none"):
        Testset([("a",), ()])


@pytest.mark.parametrize("references", ["text", ["text"], [["text"]], [(1,)], [None]])
def test_references_must_be_tuples_of_text(references: object) -> None:
    with pytest.raises(InputError, match=r"references.*;"):
        Testset(references)  # type: ignore[arg-type]


@pytest.mark.parametrize("hyps", ["text", [None], [1.0], [b"x"]])
def test_systems_must_be_lists_of_text(hyps: object) -> None:
    with pytest.raises(InputError, match=r"system 'A'.*;"):
        Testset([("a",)], {"A": hyps})  # type: ignore[dict-item]


@pytest.mark.parametrize("columns", [{"systems": {"": ["a"]}}, {"layers": {"": ["a"]}}])
def test_names_must_not_be_empty(columns: dict[str, dict[str, list[str]]]) -> None:
    with pytest.raises(InputError, match="is not the name of a"):
        Testset.build(["a"], **columns)  # type: ignore[arg-type]


def test_build_rejects_one_text_for_a_column() -> None:
    for column in (
        {"references": "abc"},
        {"sources": "abc"},
        {"systems": {"A": "abc"}},
    ):
        with pytest.raises(InputError, match="give a list of texts"):
            Testset.build(**column)  # type: ignore[arg-type]


def test_chunks_cover_everything_in_order(testset: Testset) -> None:
    chunks = list(testset.chunks(2))
    assert [len(chunk) for chunk in chunks] == [2, 1]
    assert chunks[1] == testset.select([2])
    with pytest.raises(InputError, match="use 1 or more"):
        list(testset.chunks(0))


def test_select_follows_the_given_order(testset: Testset) -> None:
    chosen = testset.select([2, 0, 2])
    assert chosen.references == [("three",), ("one",), ("three",)]
    assert chosen.systems["B"] == ["3", "1", "3"]
    assert chosen.sources == ["drei", "eins", "drei"]
    assert chosen.layers == {"mood": ["wild", "calm", "wild"]}
    assert chosen.langpair == "de-en"


@pytest.mark.parametrize("index", [-1, 3])
def test_select_rejects_indices_out_of_range(testset: Testset, index: int) -> None:
    with pytest.raises(InputError, match=f"no segment at index {index}"):
        testset.select([0, index])


def test_documents_list_their_segments(testset: Testset) -> None:
    assert testset.documents() == {"x": [0, 2], "y": [1]}
    with pytest.raises(InputError, match="no document ids"):
        Testset.build(["a"]).documents()


def test_twins_are_systems_equal_to_a_reference_or_each_other() -> None:
    testset = Testset.build(
        [["a", "x"], ["b", "y"]],
        {"A": ["a", "b"], "X": ["x", "y"], "A2": ["a", "b"], "C": ["a", "y"]},
    )
    twins = testset.twins()
    assert twins.systems == {("A", "A2")}
    assert twins.references == {("A", 0), ("A2", 0), ("X", 1)}
    assert twins


def test_twins_of_chunks_combine() -> None:
    testset = Testset.build(["a", "b"], {"A": ["a", "c"], "B": ["a", "b"]})
    first, second = (chunk.twins() for chunk in testset.chunks(1))
    assert first & second == testset.twins()
    assert first.systems == {("A", "B")}


def test_no_segments_have_no_twins() -> None:
    twins = Testset([], {"A": [], "B": []}).twins()
    assert twins == Twins(frozenset(), frozenset())
    assert not twins


def test_importing_the_room_imports_nothing_heavy() -> None:
    heavy = [
        "numpy",
        "polars",
        "typer",
        "rich",
        "xml",
        "json",
        "lzma",
        "bz2",
        "csv",
        "dataclasses",
    ]
    code = f"import sys, tertium.data; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path[:0] = {sys.path}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there() -> None:
    import tertium.data as room

    for name in room.__all__:
        assert getattr(room, name) is not None
        assert name in dir(room)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        room.nothing  # noqa: B018


def test_repeated_ids_are_found_across_chunks_and_shares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tertium.data import segment_ids

    monkeypatch.setattr(segment_ids, "_AT_ONCE", 3)
    ids = [*"abcdefghij", "c", *"klm", "a", "c"]
    testset = Testset.build(["x"] * len(ids), ids=ids)
    repeated = segment_ids.RepeatedIds()
    for chunk in testset.chunks(4):
        repeated.add(chunk)
    assert repeated.pairs() == [(3, 11), (1, 15), (3, 16)]
