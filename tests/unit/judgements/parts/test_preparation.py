# SPDX-License-Identifier: Apache-2.0
"""Parts and candidates from files."""

from __future__ import annotations

import pytest

from tertium.errors import InputError, UnknownNameError
from tertium.judgements.parts import (
    SentenceParts,
    extract_parts,
    project_parts,
    write_parts,
)

TREE = "(S (NP (DT a) (JJ red) (NN kite)) (VP (VBD rose)))"
ONE = SentenceParts("1", ("a", "red", "kite", "rose"), ((0, 1, 2),))


@pytest.fixture
def parts(tmp_path):
    """Write a sentence with one part."""
    path = tmp_path / "parts.jsonl"
    write_parts(path, [ONE])
    return path


def test_parts_come_from_brackets_or_conllu_whatever_the_name(write_lines):
    trees = write_lines("trees.conllu.mrg", [TREE])
    extraction = extract_parts(trees, brackets=True, max=3)
    assert extraction.sentences == (ONE,)
    conllu = ["1\twe\t_\t_\t_\t_\t2\tnsubj\t_\t_", "2\tsing\t_\t_\t_\t_\t0\troot\t_\t_"]
    path = write_lines("a.txt", [*conllu, ""])
    assert extract_parts(path, conllu=True, min=1).sentences[0].parts == ((0, 1),)


def test_an_extraction_as_json_has_bounds_and_counts(write_lines):
    extraction = extract_parts(write_lines("a.trees", [TREE]), min=2, max=3)
    assert extraction.to_dict() == {
        "min_length": 2,
        "max_length": 3,
        "sentences": 1,
        "words": 4,
        "segments": 1,
        "segments_per_sentence": 1.0,
        "covered_words": 3,
        "coverage": 0.75,
        "without_segments": 0,
        "lengths": {3: 1},
    }


def test_link_files_belong_to_systems_by_name_without_extension(parts, write_lines):
    systems = {name: write_lines(f"{name}.txt", ["x y z"]) for name in "AB"}
    links = [write_lines("B.links", ["0-0 1-1"]), write_lines("A.links", ["2-2"])]
    projection = project_parts(parts, systems=systems, alignments=links)
    assert [(o.system, o.image.text) for o in projection.origins] == [
        ("A", "z"),
        ("B", "x y"),
    ]


def test_the_only_link_file_may_have_any_name(parts, write_lines):
    projection = project_parts(
        parts,
        systems=[write_lines("A.txt", ["x y z"])],
        alignments=[write_lines("other", ["3-1 1p2"])],
        one_based=True,
        output_first=True,
        sure_only=True,
    )
    assert [origin.image.text for origin in projection.origins] == ["z"]


@pytest.mark.parametrize(
    ("names", "error", "message"),
    [
        (["A"], InputError, "system B has no links"),
        (["A", "A.x"], InputError, "system A has two link files"),
        (["A", "C"], UnknownNameError, "unknown system with links 'C'"),
    ],
)
def test_every_system_needs_one_link_file(names, error, message, parts, write_lines):
    systems = {name: write_lines(f"{name}.txt", ["x"]) for name in "AB"}
    links = {name: write_lines("links", ["0-0"]) for name in names}
    with pytest.raises(error, match=message):
        project_parts(parts, systems=systems, alignments=links)
