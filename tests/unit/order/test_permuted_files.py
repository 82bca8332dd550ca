# SPDX-License-Identifier: Apache-2.0
"""Files of sentences, damaged on purpose."""

from __future__ import annotations

import pytest

from support.treebank import treebank
from tertium.errors import InputError
from tertium.order.damage import permute_file


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
