# SPDX-License-Identifier: Apache-2.0
"""Word vectors and soft matches, against their twin."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import structure as oracle
from tertium import FormatError, InputError
from tertium.learn.features.blocks import Resources, block
from tertium.learn.features.embeddings import Embeddings
from tertium.learn.features.vectors import Vectors

VECTORS = {
    "a": (1.0, 0.0, 2.0),
    "b": (0.5, -1.0, 0.0),
    "c": (-1.0, 0.0, 0.5),
    "ü": (0.25, 3.0, 1.0),
    "zero": (0.0, 0.0, 0.0),
}
sentences = st.lists(st.sampled_from([*VECTORS, "unseen", "other"]), max_size=7)


@pytest.fixture(scope="module")
def vec(tmp_path_factory):
    path = tmp_path_factory.mktemp("vectors") / "small.vec"
    rows = [f"{word} {' '.join(map(str, row))}" for word, row in VECTORS.items()]
    path.write_text("\n".join(["5 3", *rows]) + "\n", encoding="utf-8")
    return str(path)


@settings(max_examples=60)
@given(hyp=sentences, ref=sentences)
def test_soft_matches(vec, hyp, ref):
    embeddings = Embeddings(("p", "r"), symmetric=False, path=vec)
    result = embeddings.features([" ".join(hyp)], [" ".join(ref)])[0]
    p, r = oracle.soft(hyp, ref, VECTORS)
    if bool(hyp) != bool(ref):
        p = r = 0.0
    assert result == pytest.approx([p, r], abs=1e-12)
    both = Embeddings(("min", "max", "f1"), path=vec)
    assert both.symmetric
    forth = both.features([" ".join(hyp)], [" ".join(ref)])[0]
    back = both.features([" ".join(ref)], [" ".join(hyp)])[0]
    assert forth == pytest.approx(back, abs=1e-12)
    copy = both.features([" ".join(ref)], [" ".join(ref)])[0]
    assert copy.tolist() == [1.0, 1.0, 1.0]


def test_vectors_are_read_where_texts_have_their_words(vec, tmp_path):
    result = Vectors(vec)
    assert result.dimensions == 3
    assert result.matrix(["ü", "unseen", "a"]).tolist() == [
        [0.25, 3, 1],
        [0, 0, 0],
        [1, 0, 2],
    ]
    plain = tmp_path / "plain.txt"  # no first line, Windows ends, a word twice
    plain.write_bytes(b"a 1 2\r\nb 3 4 \r\n\r\na 5 6\r\n")
    assert Vectors(str(plain)).matrix(["b", "a"]).tolist() == [[3, 4], [1, 2]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no vectors"),
        ("a\n", "bad.vec:1: has 0 numbers"),
        ("a 1 2\nb 1\n", "bad.vec:2: has 1 numbers after its word, not 2"),
        ("a 1 x\n", "the vector of 'a' is not a list of finite numbers"),
        ("a 1 nan\n", "the vector of 'a' is not a list of finite numbers"),
    ],
)
def test_wrong_files(tmp_path, content, message):
    path = tmp_path / "bad.vec"
    path.write_text(content)
    with pytest.raises(FormatError, match=message):
        Embeddings(path=str(path)).features(["a"], ["a"])


def test_a_missing_file_and_no_file(tmp_path):
    with pytest.raises(FormatError, match="cannot be read"):
        Vectors(str(tmp_path / "none.vec"))
    result = block({"kind": "embeddings"}, where="here")
    with pytest.raises(InputError, match="embeddings=PATH"):
        result.features(["a"], ["a"])
    lenient = block({"kind": "embeddings", "missing": "zero"}, where="here")
    assert lenient.features(["a b"], ["a c"])[0] == pytest.approx([0.5, 0.5, 0.5])


def test_round_trip_without_the_path(vec):
    result = Embeddings().equipped(Resources(embeddings=vec))
    again = block(result.to_json(), where="here")
    assert again.to_json() == result.to_json()
    assert again.names == result.names == ("soft.min", "soft.max", "soft.f1")


def test_a_changed_file_of_vectors_is_read_again(tmp_path):
    path = tmp_path / "own.vec"
    path.write_text("a 1 0\nb 0 1\n", encoding="utf-8")
    embeddings = Embeddings(("f1",), path=str(path))
    assert embeddings.features(["a"], ["b"])[0, 0] == 0
    path.write_text("a 1 0\nb 1 0.0\n", encoding="utf-8")
    assert embeddings.features(["a"], ["b"])[0, 0] == 1
