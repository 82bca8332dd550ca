# SPDX-License-Identifier: Apache-2.0
"""Layer files that are read with a test set, and test sets read more than once."""

from __future__ import annotations

import io
import sys

import pytest

import tertium
from tertium.data import TestsetFiles, stream
from tertium.data.annotated import layer
from tertium.data.layers import LayerFiles, add_layers
from tertium.errors import FormatError, InputError

CONLLU = ["# text = {text}", "1\t{text}\t_\t_\t_\t_\t0\troot\t_\t_", ""]


@pytest.fixture(autouse=True)
def files(write_lines, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lines("ref.txt", ["a b"] * 7)
    write_lines("A.txt", ["c d"] * 7)
    write_lines("a.links", [f"0-{i % 2}" for i in range(7)])
    blocks = [[line.format(text=f"w{i}") for line in CONLLU] for i in range(3)]
    write_lines("t.conllu", [line for block in blocks for line in block])


def linked(testset):
    return [text.layers["links"][0][0].ref for text in testset.systems["A"]]


def test_links_join_texts_chunk_by_chunk():
    chunks = list(
        stream(references="ref.txt", systems="A.txt", alignments="a.links", size=3)
    )
    assert [len(chunk) for chunk in chunks] == [3, 3, 1]
    assert [ref for chunk in chunks for ref in linked(chunk)] == [0, 1, 0, 1, 0, 1, 0]


@pytest.mark.parametrize(
    "alignments", ["a.links", {"A": "a.links"}, {"A": ["a.links"]}]
)
def test_alignments_are_a_file_or_files_by_system(alignments):
    testset = tertium.read(references="ref.txt", systems="A.txt", alignments=alignments)
    assert linked(testset) == [0, 1, 0, 1, 0, 1, 0]


def test_links_may_count_from_one_and_leave_out_possible_ones(write_lines):
    write_lines("p.links", ["1-2 2p1"] * 7)
    testset = tertium.read(
        references="ref.txt",
        systems="A.txt",
        alignments="p.links",
        one_based=True,
        sure_only=True,
    )
    assert [len(text.layers["links"][0]) for text in testset.systems["A"]] == [1] * 7
    assert linked(testset) == [1] * 7


def test_options_about_links_need_links():
    with pytest.raises(InputError, match="sure_only=True is about alignments"):
        tertium.read(references="ref.txt", systems="A.txt", sure_only=True)


def test_trees_bring_texts_where_there_are_none():
    chunks = list(stream(trees={"T": "t.conllu"}, ref_trees="t.conllu", size=2))
    assert [len(chunk) for chunk in chunks] == [2, 1]
    assert chunks[1].references == [("w2",)]
    assert layer(chunks[1].systems["T"][0], "tree") is not None


def test_a_system_has_one_tree_file():
    with pytest.raises(InputError, match="trees has 2 files for system 'A'"):
        tertium.read(
            references="ref.txt",
            systems="A.txt",
            trees={"A": ["t.conllu", "t.conllu"]},
        )


def test_sets_bring_references_and_notes(write_lines):
    write_lines("one.txt", ["a"])
    write_lines("one.fst.txt", ["0 1 a b 0.5", "1"])
    testset = tertium.read(systems={"S": "one.txt"}, sets="one.fst.txt")
    ((ref,),) = testset.references
    assert layer(ref, "automaton") is not None
    assert layer(ref, "stand-in")
    assert any("weights were dropped" in str(note) for note in testset.notes)


def test_layers_join_a_test_set_in_memory(write_lines):
    testset = tertium.Testset.build(["a b"], {"A": ["c d"]})
    write_lines("one.links", ["0-1"])
    assert linked(add_layers(testset, LayerFiles(alignments="one.links"))) == [1]
    with pytest.raises(FormatError, match="links beyond the 1 segments"):
        add_layers(testset, LayerFiles(alignments="a.links"))


def test_standard_input_is_kept_for_a_second_reading(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x\n" * 7)))
    files = TestsetFiles(references="ref.txt", systems={"S": "-"})
    chunks = files.opener(twice=True)
    first, second = ([c.systems["S"] for c in chunks()] for _ in range(2))
    assert first == second == [["x"] * 7]


def test_standard_input_is_read_by_one_argument_alone():
    with pytest.raises(InputError, match="given more than once"):
        TestsetFiles(references="ref.txt", systems={"S": "-"}, alignments="-")


def test_notes_are_passed_on_in_the_first_reading_alone(write_lines):
    rows = ["id ref A", "1 a b", "1 b c", "2 x x"]
    write_lines("a.tsv", [row.replace(" ", "\t") for row in rows])
    notes = []
    chunks = TestsetFiles(path="a.tsv").opener(on_note=notes.append)
    for _ in range(2):
        assert [len(chunk) for chunk in chunks()] == [3]
    assert [note.code for note in notes] == ["repeated-ids"]
    assert "segment 2 has the id of segment 1" in str(notes[0])


def test_only_a_folder_of_mtme_has_references_by_name():
    with pytest.raises(InputError, match="is not a folder of mt-metrics-eval"):
        tertium.read("demo", reference="refA")
