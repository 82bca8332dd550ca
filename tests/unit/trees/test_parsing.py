# SPDX-License-Identifier: Apache-2.0
"""Texts parsed into files, without a parser's package."""

from __future__ import annotations

import pytest

from tertium.data import Testset
from tertium.errors import InputError
from tertium.trees import DependencyTree, read_conllu
from tertium.trees.cache import CachedParser
from tertium.trees.parsing import (
    cached_parser,
    is_testset,
    lacks_tokenizer,
    parse_files,
    parse_testset,
)


class Chain:
    """A parser that hangs every word on the next one."""

    signature = "chain-1"

    def parse(self, texts):
        sizes = [len(text.split()) for text in texts]
        return [
            DependencyTree(
                tuple(text.split()), (*range(2, size + 1), 0)[:size], ("dep",) * size
            )
            for text, size in zip(texts, sizes, strict=True)
        ]


@pytest.fixture
def parser():
    return CachedParser(Chain())


def test_block_k_is_segment_k_and_the_first_names_the_parser(
    parser, write_lines, tmp_path
):
    path = write_lines("a.txt", ["one two", "", "three"])
    counts = []
    output = str(tmp_path / "a.conllu")
    size = parse_files([str(path)], parser, output=output, progress=counts.append)
    assert size == counts[-1] == 3
    blocks = list(read_conllu(output))
    assert [block.text for block in blocks] == ["one two", "", "three"]
    assert [block.comment("parser") for block in blocks] == ["chain-1", None, None]


def test_several_files_become_a_folder(parser, write_lines, tmp_path):
    files = [str(write_lines(f"{name}.txt", [name])) for name in "ab"]
    with pytest.raises(InputError, match="there are 2 files; give a folder"):
        parse_files(files, parser)
    parse_files(files, parser, output=str(tmp_path / "trees"))
    names = sorted(path.name for path in (tmp_path / "trees").iterdir())
    assert names == ["a.conllu", "b.conllu"]


def test_references_and_systems_of_a_test_set_are_parsed(parser, tmp_path):
    testset = Testset([("a ref",)], {"A": ["an output"]}, sources=["eine Quelle"])
    assert parse_testset(testset, parser, output=str(tmp_path / "trees")) == 2
    names = sorted(path.name for path in (tmp_path / "trees").rglob("*.conllu"))
    assert names == ["A.conllu", "reference.conllu"]


def test_test_sets_are_told_from_texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert is_testset(["demo"])
    assert not is_testset(["-"])
    with pytest.raises(InputError, match="as the only file"):
        is_testset(["a.txt", "b.tsv"])
    with pytest.raises(InputError, match="convert it to text first"):
        is_testset(["a.sgm"])


def test_trees_are_not_parsed(parser):
    with pytest.raises(InputError, match=r"a.conllu holds trees already"):
        parse_files(["a.conllu"], parser)


def test_the_cache_can_be_chosen_or_switched_off(tiny_model, tmp_path):
    parser = cached_parser("udpipe", tiny_model, cache=str(tmp_path), processes=1)
    assert parser.cache.path == str(tmp_path / "parses.sqlite")
    assert not lacks_tokenizer(parser)
    assert cached_parser("udpipe", tiny_model, no_cache=True).cache is None


def test_parsers_without_a_model_never_lack_a_tokeniser(parser):
    assert not lacks_tokenizer(parser)
