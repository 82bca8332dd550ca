# SPDX-License-Identifier: Apache-2.0
"""Universal Dependencies treebanks read and written again, byte for byte."""

from __future__ import annotations

import gzip

import pytest

from tertium.trees import read_conllu, write_conllu


@pytest.mark.wmt
@pytest.mark.parametrize(
    ("treebank", "sentences", "words"),
    [
        ("cs_pud", 1000, None),
        ("de_pud", 1000, None),
        ("en_ewt-dev", 2001, None),
        ("en_ewt-test", 2077, 25094),
        ("en_ewt-train", 12544, None),
        ("en_pud", 1000, None),
        ("es_pud", 1000, None),
        ("fi_pud", 1000, None),
        ("fr_pud", 1000, None),
        ("ru_pud", 1000, None),
        ("zh_pud", 1000, None),
    ],
)
def test_treebanks_come_back_byte_for_byte(
    treebank, sentences, words, wmt_data, tmp_path
):
    path = wmt_data / "ud" / f"{treebank}.conllu.gz"
    found = list(read_conllu(path))
    assert len(found) == sentences
    assert all(len(sentence.tree.roots) == 1 for sentence in found)
    if words is not None:
        assert sum(len(sentence.tree) for sentence in found) == words
    write_conllu(tmp_path / "copy.conllu", found)
    with gzip.open(path) as file:
        assert (tmp_path / "copy.conllu").read_bytes() == file.read()
