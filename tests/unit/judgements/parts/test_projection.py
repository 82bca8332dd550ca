# SPDX-License-Identifier: Apache-2.0
"""Translations of parts, merged, counted, written and read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import parts as oracle
from tertium.align import as_links, parse_pharaoh
from tertium.errors import FormatError, InputError
from tertium.judgements import read_candidates, read_system_table
from tertium.judgements.parts import (
    ProjectionCounts,
    SentenceParts,
    SystemCounts,
    image,
    project,
    read_parts,
    write_candidates,
    write_candidates_tsv,
    write_origins,
    write_parts,
)

ONE = SentenceParts("1", tuple("abcdef"), ((0, 1, 2), (3, 4, 5)))
TWO = SentenceParts("2", tuple("gh"), ())
LINKS = parse_pharaoh("0-0 1-2 2-1 3-3")


@pytest.fixture
def projection():
    """Three systems: two agree on one part, one lacks the other."""
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
def test_images_are_the_linked_words(indices, pairs):
    indices = tuple(sorted(indices))
    words = list("stuvwxyz")
    phrase = image(indices, as_links(pairs), words)
    wanted = oracle.image(indices, pairs, words)
    assert (None if phrase is None else phrase.text) == wanted
    if phrase is None:
        return
    assert all(words[place] in phrase.text.split() for place in phrase.linked)
    assert {j for i, j in pairs if i in indices} == set(phrase.indices)
    filled = image(indices, as_links(pairs), words, fill=True)
    span = range(phrase.indices[0], phrase.indices[-1] + 1)
    assert filled.indices == tuple(span)
    assert filled.linked == phrase.linked
    assert filled.has_gaps == phrase.has_gaps == (len(span) > len(phrase.indices))


def test_equal_translations_are_one_candidate_and_case_counts(projection):
    (_, parts), (_, none) = projection.sentences
    assert parts[0].candidates == ("x v", "x y z")
    assert parts[1].candidates == ("W", "w")
    assert none == ()
    assert [origin.system for origin in projection.origins] == ["A", "B", "C", "A", "B"]
    assert projection.missing == (("1", (3, 4, 5), "C"),)


def test_counts(projection):
    counts = ProjectionCounts.of(projection)
    assert counts == ProjectionCounts(
        *(2, 2, 5, 1, 1, 4, 0, 0),
        (
            SystemCounts("A", 2, 0, 0, 1),
            SystemCounts("B", 2, 0, 0, 1),
            SystemCounts("C", 1, 1, 1, 0),
        ),
    )
    assert (counts.left, counts.candidates_per_part) == (0.8, 2)
    empty = ProjectionCounts.of(project([TWO], {"A": ["-"]}, {"A": [()]}))
    assert (empty.left, empty.candidates_per_part) == (None, None)


def test_every_translation_is_a_candidate_of_its_part(projection):
    candidates = {
        (sentence.sentence, part.indices): part.candidates
        for sentence, parts in projection.sentences
        for part in parts
    }
    for origin in projection.origins:
        key = (origin.sentence, origin.source_indices)
        assert origin.image.text in candidates[key]


def test_candidates_do_not_reveal_the_order_of_systems():
    outputs = {"A": ["x"], "B": ["y"]}
    links = {name: [parse_pharaoh("0-0")] for name in outputs}
    one = [SentenceParts("1", ("a",), ((0,),))]
    there = project(one, outputs, links)
    back = project(one, dict(reversed(outputs.items())), links)
    assert there.sentences == back.sentences


@pytest.mark.parametrize(
    ("outputs", "links", "message"),
    [
        ({}, {}, "there are no systems"),
        ({"A": ["x"]}, {}, "system A has no links"),
        ({"A": ["x"]}, {"A": [()], "B": [()]}, "system B has links, but no output"),
        ({"A": ["x", "y"]}, {"A": [()]}, "1 sentences, but 2 outputs for system A"),
        ({"A": ["x"]}, {"A": []}, "0 lines of links for system A"),
        ({"A": ["x"]}, {"A": [parse_pharaoh("0-1")]}, "sentence 1 of system A: link"),
        ({"A": ["x"]}, {"A": [parse_pharaoh("6-0")]}, "outside the first text"),
    ],
)
def test_inconsistent_input_is_rejected(outputs, links, message):
    with pytest.raises(InputError, match=message):
        project([ONE], outputs, links)


def test_sentence_names_must_be_unique():
    with pytest.raises(InputError, match="two sentences are called 1"):
        project([ONE, ONE], {"A": ["x", "x"]}, {"A": [(), ()]})


def test_links_outside_the_output_are_rejected():
    with pytest.raises(InputError, match="word 3 of 2"):
        image((3,), LINKS, ["x", "y"])


# ----------------------------------------------------------------------- files


@given(
    words=st.lists(st.text("aé\u200b\"\\'", min_size=1), min_size=1, max_size=6),
    data=st.data(),
)
def test_sentences_are_read_as_they_were_written(words, data, tmp_path_factory):
    places = st.sets(st.integers(0, len(words) - 1), min_size=1)
    parts = data.draw(
        st.lists(places.map(lambda part: tuple(sorted(part))), unique=True)
    )
    one = SentenceParts("x", tuple(words), tuple(parts))
    path = tmp_path_factory.mktemp("files") / "a.jsonl"
    write_parts(path, [one, TWO])
    assert list(read_parts(path)) == [one, TWO]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("plain", "'plain' is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "a line needs the keys"),
        ('{"sentence": 1, "source": "a", "segments": []}', "a line needs the keys"),
        ('{"sentence": "1", "source": "a", "segments": [0]}', "a line needs the keys"),
        (
            '{"sentence": "1", "source": "a", "segments": [{"indices": [true]}]}',
            "a line needs the keys",
        ),
        (
            '{"sentence": "1", "source": "a", "segments": [{"indices": [1]}]}',
            "outside its 1 words",
        ),
        (
            '{"sentence":"1","source":"a","segments":[{"indices":[0],"text":"b"}]}',
            "is 'a' in the source, but its text is 'b'",
        ),
    ],
)
def test_invalid_lines_are_reported_with_their_number(line, message, write_lines):
    good = json.dumps({"sentence": "1", "source": "a", "segments": []})
    path = write_lines("a.jsonl", [good, line])
    with pytest.raises(FormatError, match=message) as caught:
        list(read_parts(path))
    assert caught.value.line == 2


def test_candidates_name_no_system(projection, tmp_path):
    path = tmp_path / "c.jsonl"
    write_candidates(path, projection, ["ref one", "ref two"])
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
        write_candidates(path, projection, ["ref"])


def test_the_judgements_room_reads_what_is_written(projection, tmp_path):
    path = tmp_path / "c.tsv"
    write_candidates_tsv(path, projection, ["the\tref", ""])
    sets = read_candidates(path)
    assert [(one.part, one.indices, one.candidates) for one in sets] == [
        ("a b c", (0, 1, 2), ("x v", "x y z")),
        ("d e f", (3, 4, 5), ("W", "w")),
    ]
    assert sets[0].reference == "the ref"
    write_origins(path, projection.origins)
    table = read_system_table(path)
    assert table.rows()[:2] == [
        ("1", "a b c", "A", "x y z"),
        ("1", "a b c", "B", "x y z"),
    ]


def test_parts_with_few_candidates_can_be_left_out(projection, tmp_path):
    path = tmp_path / "c.jsonl"
    write_candidates(path, projection, min_candidates=3)
    lines = path.read_text().splitlines()
    assert [json.loads(line)["segments"] for line in lines] == [[], []]
