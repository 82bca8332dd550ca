# SPDX-License-Identifier: Apache-2.0
"""Translations of segments, merged, counted, written and read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import segments as oracle
from tertium.align import as_links, parse_pharaoh
from tertium.errors import FormatError, InputError
from tertium.judgements import read_candidates, read_system_table
from tertium.judgements.parts import (
    ProjectionCounts,
    Segmented,
    SystemCounts,
    image,
    project,
    read_segmented,
    write_candidates,
    write_candidates_tsv,
    write_origins,
    write_segmented,
)

ONE = Segmented("1", tuple("abcdef"), ((0, 1, 2), (3, 4, 5)))
TWO = Segmented("2", tuple("gh"), ())
LINKS = parse_pharaoh("0-0 1-2 2-1 3-3")


@pytest.fixture
def found():
    """Three systems: two agree on one segment, one lacks the other."""
    outputs = {
        "A": ["x y z w", "-"],
        "B": ["x y z W", "-"],
        "C": ["x y z w v", "-"],
    }
    links = {
        "A": [LINKS, ()],
        "B": [LINKS, ()],
        "C": [parse_pharaoh("0-0 2-4"), ()],
    }
    return project([ONE, TWO], outputs, links)


PAIRS = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 7)), max_size=12)


@given(st.sets(st.integers(0, 5), min_size=1), PAIRS)
def test_images_are_what_links_lead_to(indices, pairs):
    indices = tuple(sorted(indices))
    words = list("stuvwxyz")
    found = image(indices, as_links(pairs), words)
    wanted = oracle.image(indices, pairs, words)
    assert (None if found is None else found.text) == wanted
    if found is None:
        return
    assert all(words[place] in found.text.split() for place in found.linked)
    assert {j for i, j in pairs if i in indices} == set(found.indices)
    filled = image(indices, as_links(pairs), words, fill=True)
    span = range(found.indices[0], found.indices[-1] + 1)
    assert filled.indices == tuple(span)
    assert filled.linked == found.linked
    assert filled.has_gaps == found.has_gaps == (len(span) > len(found.indices))


def test_equal_translations_are_one_candidate_and_case_counts(found):
    (_, segments), (_, none) = found.sentences
    assert segments[0].candidates == ("x v", "x y z")
    assert segments[1].candidates == ("W", "w")
    assert none == ()
    assert [own.system for own in found.origins] == ["A", "B", "C", "A", "B"]
    assert found.missing == (("1", (3, 4, 5), "C"),)


def test_counts(found):
    counts = ProjectionCounts.of(found)
    assert counts == ProjectionCounts(
        *(2, 2, 5, 1, 1, 4, 0, 0),
        (
            SystemCounts("A", 2, 0, 0, 1),
            SystemCounts("B", 2, 0, 0, 1),
            SystemCounts("C", 1, 1, 1, 0),
        ),
    )
    assert (counts.left, counts.candidates_per_segment) == (0.8, 2)
    empty = ProjectionCounts.of(project([TWO], {"A": ["-"]}, {"A": [()]}))
    assert (empty.left, empty.candidates_per_segment) == (None, None)


def test_every_translation_is_a_candidate_of_its_segment(found):
    for own in found.origins:
        segments = next(s for one, s in found.sentences if one.sentence == own.sentence)
        candidates = {each.indices: each.candidates for each in segments}
        assert own.image.text in candidates[own.source_indices]


def test_the_order_of_systems_shows_nowhere_in_candidates():
    outputs = {"A": ["x"], "B": ["y"]}
    links = {name: [parse_pharaoh("0-0")] for name in outputs}
    one = [Segmented("1", ("a",), ((0,),))]
    there = project(one, outputs, links)
    back = project(one, dict(reversed(outputs.items())), links)
    assert there.sentences == back.sentences


@pytest.mark.parametrize(
    ("outputs", "links", "message"),
    [
        ({}, {}, "there are no systems"),
        ({"A": ["x"]}, {}, "system A has no links"),
        ({"A": ["x"]}, {"A": [()], "B": [()]}, "system B has links, but no output"),
        ({"A": ["x", "y"]}, {"A": [()]}, "1 sentences, and 2 outputs of system A"),
        ({"A": ["x"]}, {"A": []}, "0 lines of links of system A"),
        ({"A": ["x"]}, {"A": [parse_pharaoh("0-1")]}, "sentence 1 of system A: link"),
        ({"A": ["x"]}, {"A": [parse_pharaoh("6-0")]}, "outside the first text"),
    ],
)
def test_what_does_not_fit_is_refused(outputs, links, message):
    with pytest.raises(InputError, match=message):
        project([ONE], outputs, links)


def test_names_of_sentences_are_unique():
    with pytest.raises(InputError, match="two sentences are called 1"):
        project([ONE, ONE], {"A": ["x", "x"]}, {"A": [(), ()]})


def test_links_lead_into_the_output():
    with pytest.raises(InputError, match="word 3 of 2"):
        image((3,), LINKS, ["x", "y"])


# ----------------------------------------------------------------------- files


@given(
    words=st.lists(st.text("aé\u200b\"\\'", min_size=1), min_size=1, max_size=6),
    data=st.data(),
)
def test_sentences_are_read_as_they_were_written(words, data, tmp_path_factory):
    places = st.sets(st.integers(0, len(words) - 1), min_size=1)
    segments = data.draw(
        st.lists(places.map(lambda own: tuple(sorted(own))), unique=True)
    )
    one = Segmented("x", tuple(words), tuple(segments))
    path = tmp_path_factory.mktemp("files") / "a.jsonl"
    write_segmented(path, [one, TWO])
    assert list(read_segmented(path)) == [one, TWO]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("plain", "'plain' is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("[]", "a line has the keys"),
        ('{"sentence": 1, "source": "a", "segments": []}', "a line has the keys"),
        ('{"sentence": "1", "source": "a", "segments": [0]}', "a line has the keys"),
        (
            '{"sentence": "1", "source": "a", "segments": [{"indices": [true]}]}',
            "a line has the keys",
        ),
        (
            '{"sentence": "1", "source": "a", "segments": [{"indices": [1]}]}',
            "names no words of 1",
        ),
        (
            '{"sentence":"1","source":"a","segments":[{"indices":[0],"text":"b"}]}',
            "is 'a' in the source, and its text is 'b'",
        ),
    ],
)
def test_faulty_lines_are_told_with_their_number(line, message, write_lines):
    good = json.dumps({"sentence": "1", "source": "a", "segments": []})
    path = write_lines("a.jsonl", [good, line])
    with pytest.raises(FormatError, match=message) as caught:
        list(read_segmented(path))
    assert caught.value.line == 2


def test_candidates_name_no_system(found, tmp_path):
    path = tmp_path / "c.jsonl"
    write_candidates(path, found, ["ref one", "ref two"])
    first, second = map(json.loads, path.read_text().splitlines())
    assert first["reference"] == "ref one"
    assert first["segments"][0] == {
        "indices": [0, 1, 2],
        "text": "a b c",
        "candidates": ["x v", "x y z"],
    }
    assert second["segments"] == []
    assert not {"A", "B", "C", "systems"} & set(path.read_text().split('"'))
    with pytest.raises(InputError, match="2 sentences, but 1 references"):
        write_candidates(path, found, ["ref"])


def test_the_judgements_room_reads_what_is_written(found, tmp_path):
    path = tmp_path / "c.tsv"
    write_candidates_tsv(path, found, ["the\tref", ""])
    sets = read_candidates(path)
    assert [(own.part, own.indices, own.candidates) for own in sets] == [
        ("a b c", (0, 1, 2), ("x v", "x y z")),
        ("d e f", (3, 4, 5), ("W", "w")),
    ]
    assert sets[0].reference == "the ref"
    write_origins(path, found.origins)
    table = read_system_table(path)
    assert table.rows()[:2] == [
        ("1", "a b c", "A", "x y z"),
        ("1", "a b c", "B", "x y z"),
    ]


def test_segments_with_few_candidates_can_be_left_out(found, tmp_path):
    path = tmp_path / "c.jsonl"
    write_candidates(path, found, min_candidates=3)
    lines = path.read_text().splitlines()
    assert [json.loads(line)["segments"] for line in lines] == [[], []]
