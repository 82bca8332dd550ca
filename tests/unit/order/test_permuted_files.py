# SPDX-License-Identifier: Apache-2.0
"""Files of sentences, damaged on purpose."""

from __future__ import annotations

import pickle

import pytest

from support.treebank import treebank
from tertium.errors import InputError
from tertium.order.damage import (
    Source,
    Truecaser,
    generate,
    permute_file,
    stream_permuted,
)
from tertium.order.damage.files import read_sources


@pytest.fixture
def trees(tmp_path):
    """Write a small treebank."""
    path = tmp_path / "a.conllu"
    path.write_text(treebank(), encoding="utf-8")
    return path


def test_results_are_numbered_by_sentence(write_lines):
    path = write_lines("a.txt", ["one two three four", "", "five six seven eight"])
    numbers = []
    permuted = permute_file(path, degrees=[1, 2], progress=numbers.append)
    assert [number for number, _ in permuted.results] == numbers == [1, 1, 3, 3]
    assert (permuted.sentences, permuted.attempts) == (3, 6)
    record = next(permuted.records())
    assert record["segment"] == 1
    assert record["punctuation"] == "thesis"
    assert record["degree"] == 1


def test_capitals_are_learnt_from_other_texts_or_left(write_lines):
    path = write_lines("a.txt", ["Anna saw the Cat"])
    other = write_lines("b.txt", ["a cat the cat the cat"])
    options = {"degrees": [3], "seed": 5}
    left = permute_file(path, no_truecase=True, **options).results[0][1]
    learnt = permute_file(path, truecase=[other], **options).results[0][1]
    assert "Cat" in left.text.split()
    assert "cat" in learnt.text.lower().split()
    assert left.permutation == learnt.permutation


def test_kinds_that_need_trees_read_them(trees):
    kinds = ["swap", "phrase", "choice", "both"]
    permuted = permute_file(trees, kinds=kinds, degrees=[2], hyp=trees)
    assert {result.kind for _, result in permuted.results} <= set(kinds)
    assert permuted.results


@pytest.mark.parametrize(
    ("options", "message", "names"),
    [
        ({"kinds": ["choice"]}, "takes words from a translation", ("hyp",)),
        ({"hyp": "HYP"}, "hyp is for the kinds choice and both", ("hyp", "kinds")),
        ({"kinds": ["swap"], "tags": "xpos"}, "fill the column XPOS", ("tags",)),
    ],
)
def test_missing_layers_are_reported(options, message, names, trees):
    options = {
        key: trees if value == "HYP" else value for key, value in options.items()
    }
    with pytest.raises(InputError, match=message) as caught:
        permute_file(trees, **options)
    assert caught.value.options == names


@pytest.mark.parametrize("block", [2, 3])
def test_sentences_on_disk_give_the_results_of_those_in_memory(
    block, write_lines, monkeypatch
):
    again, once = "The cat saw Anna, and Anna ran.", "But (then) the dog ran."
    path = write_lines("a.txt", [again, once, "", again, "Yes!", again, ""])
    sources = list(read_sources(path))
    caser = Truecaser.train(source.text for source in sources)
    expected = list(generate(sources, degrees=[1, 3], truecaser=caser))
    assert len({made.text for number, made in expected if number in (1, 4, 6)}) > 2
    monkeypatch.setattr("tertium.data.kept.BLOCK", block)
    permuted = permute_file(path, degrees=[1, 3])
    assert list(permuted.results) == expected


def test_only_repeated_texts_are_remembered():
    again = Source.parse("one two three four five six")
    sources = [again, Source.parse("seven eight nine"), again]
    whole = list(generate(sources, degrees=[4]))
    assert whole[0][1] != whole[1][1]
    known = generate(sources, degrees=[4], repeated={hash(again.text)})
    assert list(known) == whole
    forgotten = [made for _, made in generate(sources, degrees=[4], repeated=())]
    assert forgotten[0] == forgotten[1] == whole[0][1]


def test_results_of_a_stream_are_made_as_they_are_asked_for(write_lines):
    path = write_lines("a.txt", ["one two three four"] * 4)
    numbers = []
    stream = stream_permuted(path, degrees=[1, 2], progress=numbers.append)
    assert (stream.sentences, stream.attempts, numbers) == (4, 8, [])
    results = iter(stream.results)
    first = [next(results) for _ in range(3)]
    assert numbers == [1, 1, 2]
    assert (*first, *results) == permute_file(path, degrees=[1, 2]).results


def test_sentences_travel_whole(trees):
    sources = list(read_sources(trees))
    assert sources[0].heads
    copies = pickle.loads(pickle.dumps([*sources, Source(())]))
    assert copies == [*sources, Source(())]
    assert copies[0].words[0].core == sources[0].words[0].core
