# SPDX-License-Identifier: Apache-2.0
"""Universal Dependencies: treebanks byte for byte, and parsers as good as stated."""

from __future__ import annotations

import gzip

import pytest

from tertium.trees import read_conllu, write_conllu
from tertium.trees.parsers import load_parser
from tertium.trees.scores import attachment


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
    results = list(read_conllu(path))
    assert len(results) == sentences
    assert all(len(sentence.tree.roots) == 1 for sentence in results)
    if words is not None:
        assert sum(len(sentence.tree) for sentence in results) == words
    write_conllu(tmp_path / "copy.conllu", results)
    with gzip.open(path) as file:
        assert (tmp_path / "copy.conllu").read_bytes() == file.read()


@pytest.mark.wmt
@pytest.mark.parametrize(
    ("name", "uas", "las"),
    [
        # As stated with the models, for all of EWT test; `tertium parse eval` on all
        # of it gives 76.48 and 71.09 for UDPipe, 83.33 and 78.76 for spaCy, which
        # counted in its own way.
        ("udpipe", 76.5, 71.1),
        ("spacy", 82.2, 78.1),
    ],
)
@pytest.mark.study
def test_models_parse_as_well_as_stated(name, uas, las, request, wmt_data):
    model = request.getfixturevalue(f"{name}_model")
    # Every fourth sentence: a quarter of the time, and all kinds of text.
    path = wmt_data / "ud" / "en_ewt-test.conllu.gz"
    gold = [sentence.tree for sentence in read_conllu(path)][::4]
    parser = load_parser(name, model)
    trees = parser.parse_words([tree.forms for tree in gold])
    result = attachment(zip(trees, gold, strict=True))
    assert result.sentences == 520
    assert result.uas == pytest.approx(uas, abs=1.5)
    assert result.las_base == pytest.approx(las, abs=1.5)


@pytest.mark.wmt
def test_a_parser_cuts_text_into_about_the_words_of_the_treebank(spacy_model, wmt_data):
    path = wmt_data / "ud" / "en_pud.conllu.gz"
    sentences = list(read_conllu(path))[:50]
    trees = load_parser("spacy", spacy_model).parse([s.text for s in sentences])
    words = sum(len(tree) for tree in trees)
    assert words == pytest.approx(sum(len(s.tree) for s in sentences), rel=0.05)
    assert all(tree.roots for tree in trees)
