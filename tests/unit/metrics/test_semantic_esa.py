# SPDX-License-Identifier: Apache-2.0
"""Explicit semantic analysis against its slow twin, and its corpus."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from oracles import concepts
from support.strategies import plain_lines
from tertium.errors import FormatError, InputError

CORPUS = """\
Bread is baked in an oven.
A baker sells bread and cake in a shop.
A ship sails across the sea.
The captain steers the ship through a storm.
"""


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text(CORPUS, encoding="utf-8")
    return path


def metric(path, more=""):
    return tertium.metric(f"semantic-esa:corpus={path}{more}")


documents = st.lists(plain_lines.filter(str.strip), min_size=1, max_size=5)


@given(hyp=plain_lines, ref=plain_lines, documents=documents)
def test_scores_equal_the_twin(hyp, ref, documents, tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "lines.txt"
    path.write_text("\n".join(documents), encoding="utf-8")
    score = metric(path).corpus_score([hyp], [ref])
    assert score == pytest.approx(concepts.esa(hyp, ref, documents), abs=1e-6)


def test_words_of_the_same_documents_are_related(corpus):
    one = metric(corpus)
    related = one.corpus_score(["captain"], ["storm"])
    unrelated = one.corpus_score(["captain"], ["cake"])
    assert related == pytest.approx(1)
    assert unrelated == 0


def test_the_corpus_score_is_the_mean_of_segments(corpus):
    one = metric(corpus)
    hyps, refs = ["the ship", "bread", "unknown"], ["a storm", "bread", "unknown"]
    segments = one.segment_scores(hyps, refs)
    assert segments[1] == pytest.approx(1)
    assert segments[2] == 0
    assert one.corpus_score(hyps, refs) == pytest.approx(segments.mean())


def test_paragraphs_are_documents(tmp_path):
    path = tmp_path / "paragraphs.txt"
    path.write_text("baker\noven\n\n\nship\n", encoding="utf-8")
    assert metric(path).corpus_score(["baker"], ["oven"]) == 0
    assert metric(path, ",concepts=paragraphs").corpus_score(
        ["baker"], ["oven"]
    ) == pytest.approx(1)


def test_a_compressed_corpus_is_the_same(corpus, tmp_path):
    packed = tmp_path / "corpus.txt.gz"
    packed.write_bytes(gzip.compress(CORPUS.encode()))
    assert metric(packed).signature == metric(corpus).signature


def test_an_edited_corpus_is_read_again(corpus):
    before = metric(corpus)
    corpus.write_text(CORPUS + "The captain eats cake.\n", encoding="utf-8")
    after = metric(corpus)
    assert before.signature != after.signature
    assert after.corpus_score(["captain"], ["cake"]) > 0


def test_a_missing_corpus_says_what_to_add():
    with pytest.raises(InputError, match="add corpus=FILE"):
        tertium.metric("semantic-esa")


def test_an_absent_or_empty_file_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"none\.txt"):
        metric(tmp_path / "none.txt")
    empty = tmp_path / "empty.txt"
    empty.write_text("\n \n", encoding="utf-8")
    with pytest.raises(FormatError, match="has no text"):
        metric(empty)
