# SPDX-License-Identifier: Apache-2.0
"""Parsers on treebanks: splits, training options and scores."""

from __future__ import annotations

import pytest

from support.treebank import treebank
from tertium.errors import InputError
from tertium.trees.treebanks import (
    check_training,
    evaluate_parser,
    split_treebanks,
    train_parser,
)


@pytest.fixture
def path(tmp_path):
    """Write a small treebank."""
    file = tmp_path / "en_small.conllu"
    file.write_text(treebank())
    return file


def test_a_tenth_is_sampled_unless_there_are_other_sentences(path):
    train, dev = split_treebanks([path])
    assert (len(train), len(dev)) == (24, 3)
    assert split_treebanks([path]) == (train, dev)
    train, dev = split_treebanks([path, path], dev=[path])
    assert (len(train), len(dev)) == (54, 27)


def test_trees_are_compared_with_a_treebank(path, tmp_path):
    other = tmp_path / "other.conllu"
    other.write_text(treebank().replace("\t3\tobj\t", "\t3\tiobj\t"))
    scores = evaluate_parser([path], trees=other)
    assert scores.to_dict() == {
        "parser": "given",
        "words": 162,
        "sentences": 27,
        "uas": 100.0,
        "las": 100 * 5 / 6,
        "las_base": 100 * 5 / 6,
    }
    with pytest.raises(InputError, match="27 sentences, the treebank 54"):
        evaluate_parser([path, path], trees=other)


def test_either_a_parser_or_trees_are_evaluated(path):
    for options in (
        {},
        {"parser": "udpipe", "trees": path},
        {"trees": path, "model": "m"},
    ):
        with pytest.raises(
            InputError, match="either a parser with its model, or trees"
        ):
            evaluate_parser([path], **options)


def test_a_model_is_trained_and_scored(udpipe, path, tmp_path):
    train, dev = split_treebanks([path])
    scores = train_parser(
        train,
        dev,
        parser="udpipe",
        output=str(tmp_path / "m.udpipe"),
        epochs=1,
        detail=["tokenizer=none", "tagger=iterations=1", "parser=hidden_layer=5"],
    )
    assert scores.parser.startswith("udpipe-")
    assert scores.attachment.sentences == 3


@pytest.mark.parametrize(
    ("parser", "options", "message"),
    [
        ("stanza", {}, "choose udpipe or spacy"),
        ("udpipe", {"language": "en"}, "language is for spaCy"),
        ("spacy", {"detail": ["a=b"]}, "detail is for udpipe"),
        ("udpipe", {"detail": ["x"]}, "'x' is not a setting"),
    ],
)
def test_options_of_other_parsers_are_rejected(parser, options, message):
    with pytest.raises(InputError, match=message):
        check_training(parser, **options)
