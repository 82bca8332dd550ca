# SPDX-License-Identifier: Apache-2.0
"""Groups of segments."""

from __future__ import annotations

import pytest

from tertium.analysis.groups import BUILT_IN, LENGTHS, Training, segment_groups
from tertium.analysis.words import Vocabulary
from tertium.data import Testset


def groups_of(references, *, training=None, tags=None, **columns):
    testset = Testset([(text,) for text in references], {"A": references}, **columns)
    vocabulary = Vocabulary()
    reference = vocabulary.column(references)
    groups = segment_groups(
        testset, reference, vocabulary, training=training, tags=tags
    )
    out = {}
    for group in groups:
        out.setdefault(group.kind, {})[group.label] = group.members.tolist()
    return out


def test_lengths_begin_new_groups_at_tens():
    sizes = [1, 9, 10, 19, 20, 59, 60, 200]
    groups = groups_of([" ".join(["w"] * size) for size in sizes])
    assert groups["reference length"] == {
        "under 10 words": [0, 1],
        "10 to 19 words": [2, 3],
        "20 to 29 words": [4],
        "50 to 59 words": [5],
        "60 words and more": [6, 7],
    }
    assert LENGTHS[0] == 10


def test_sources_are_grouped_where_there_are_some():
    sources = ["w " * 5, "w " * 15]
    assert "source length" not in groups_of(["a b", "c d"])
    groups = groups_of(["a b", "c d"], sources=sources)
    assert groups["source length"] == {"under 10 words": [0], "10 to 19 words": [1]}
    assert "reference length" not in groups  # all in one group


@pytest.mark.parametrize(
    ("kind", "texts", "expected"),
    [
        ("numbers", ["a 3 b", "c"], {"a number": [0], "none": [1]}),
        ("names", ["see Anna", "so it is"], {"a capitalised name": [0], "none": [1]}),
        (
            "punctuation",
            ["who?", "stop!", 'he said "no"', "yes.", "“who?”"],
            {
                "question": [0, 4],
                "exclamation": [1],
                "quotation or brackets": [2],
                "other": [3],
            },
        ),
    ],
)
def test_segments_are_grouped_by_what_they_have(kind, texts, expected):
    assert groups_of(texts)[kind] == expected


def test_rare_words_are_those_of_training_where_it_is_given():
    texts = ["common common", "rare rare", "middle middle", "new common"]
    groups = groups_of(
        texts, training=Training({"common": 999, "middle": 30, "rare": 1})
    )
    assert groups["unseen words"] == {
        "a word that training lacks": [3],
        "none": [0, 1, 2],
    }
    assert 0 in groups["word frequency"]["frequent words"]
    assert 1 in groups["word frequency"]["rare words"]
    assert "unseen words" not in groups_of(texts)


def test_documents_domains_and_tags_are_groups():
    texts = ["a", "b", "c", "d"]
    groups = groups_of(
        texts,
        docs=["x", "x", "y", "y"],
        layers={"domain": ["news", "web", "news", "web"], "note": list("abcd")},
        tags={"quality": ["", "low", "low", "low"]},
    )
    assert groups["document"] == {"x": [0, 1], "y": [2, 3]}
    assert groups["domain"] == {"news": [0, 2], "web": [1, 3]}
    assert groups["quality"] == {"(none)": [0], "low": [1, 2, 3]}
    assert "note" not in groups  # every segment has its own value


def test_layers_called_like_other_groups_stay_apart():
    groups = groups_of(["a 1", "b", "c", "d"], layers={"numbers": list("xxyy")})
    assert set(groups["numbers"]) == {"a number", "none"}
    assert set(groups["numbers (layer)"]) == {"x", "y"}


def test_built_in_names_are_those_of_the_groups():
    texts = ["Who 1?", "so see Anna now", "w " * 30, "b b c"] * 2
    groups = groups_of(
        texts,
        sources=texts,
        docs=list("aaaabbbb"),
        training=Training({"b": 99, "c": 9, "w": 9}),
    )
    assert set(groups) == set(BUILT_IN)


def test_every_kind_parts_all_segments():
    texts = ["a 1", "B c?", "see Anna now", "w " * 30, ""]
    for kind, labels in groups_of(texts, docs=list("aabbc")).items():
        members = sorted(number for each in labels.values() for number in each)
        assert members == list(range(5)), kind


@pytest.mark.parametrize("texts", [[""], ["", ""], ["one"]])
def test_hardly_any_words_make_no_groups(texts):
    assert groups_of(texts) == {}
