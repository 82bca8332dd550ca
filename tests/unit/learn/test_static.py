# SPDX-License-Identifier: Apache-2.0
"""Static word vectors: their file, their maker and soft matches, against a twin."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import structure as oracle
from support.tiny_bert import PIECES, real_model, tiny_bert
from tertium import FormatError, InputError, _core
from tertium.learn.features.blocks import Resources, block
from tertium.learn.features.static import Static
from tertium.learn.features.static_file import (
    NAME,
    StaticVectors,
    find_static,
    write_static,
)
from tertium.learn.vectors_maker import main, make_vectors, static_vectors

ROWS = {
    "a": (100, 0, 20),
    "b": (50, -127, 0),
    "c": (-10, 0, 5),
    "ü": (25, 30, 1),
    "zero": (0, 0, 0),
}
WEIGHTS = {
    **{word: math.log(2 + place) for place, word in enumerate(ROWS)},
    "unseen": math.log(2 + len(ROWS)),
    "other": math.log(2 + len(ROWS)),
}
sentences = st.lists(st.sampled_from(list(WEIGHTS)), max_size=7)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("static") / "small.npz")
    rows = np.array(list(ROWS.values()), np.int8)
    write_static(path, StaticVectors(list(ROWS), rows, {"licence": "mine"}))
    return path


@settings(max_examples=60)
@given(hyp=sentences, ref=sentences)
@pytest.mark.parametrize("weights", ["none", "rank"])
def test_soft_matches(small, weights, hyp, ref):
    table = WEIGHTS if weights == "rank" else None
    static = Static(("p", "r"), symmetric=False, weights=weights, path=small)
    result = static.features([" ".join(hyp)], [" ".join(ref)])[0]
    p, r = oracle.soft(hyp, ref, ROWS, table)
    if bool(hyp) != bool(ref):
        p = r = 0.0
    assert result == pytest.approx([p, r], abs=1e-12)
    both = Static(weights=weights, path=small)
    assert both.symmetric
    forth = both.features([" ".join(hyp)], [" ".join(ref)])[0]
    back = both.features([" ".join(ref)], [" ".join(hyp)])[0]
    assert forth == pytest.approx(back, abs=1e-12)
    copy = both.features([" ".join(ref)], [" ".join(ref).upper()])[0]
    assert copy == pytest.approx([1.0, 1.0, 1.0], abs=1e-15)


def test_batches_and_threads_do_not_matter(small):
    hyps = ["a b", "ü c unseen", "", "A, a!"] * 20
    refs = ["b b", "a other", "c", "a! b"] * 20
    whole = Static(path=small).features(hyps, refs, threads=1)
    assert np.array_equal(whole, Static(path=small).features(hyps, refs, threads=3))
    alone = [
        Static(path=small).features([hyp], [ref])[0]
        for hyp, ref in zip(hyps, refs, strict=True)
    ]
    assert np.array_equal(whole, np.array(alone))


def test_half_of_a_surrogate_pair_is_an_error(small):
    with pytest.raises(InputError, match="hypothesis 0 holds half of a surrogate"):
        Static(path=small).features(["\ud800"], ["b"])


def test_names_tables_and_resources(small):
    result = block({"kind": "static"}, where="here")
    assert result.names == ("staticrank.min", "staticrank.max", "staticrank.f1")
    plain = block({"kind": "static", "weights": "none", "values": ["f1"]}, where="here")
    assert plain.names == ("static.f1",)
    equipped = plain.equipped(Resources(static=small))
    assert equipped.to_json() == plain.to_json()
    assert block(plain.to_json(), where="here").to_json() == plain.to_json()
    assert equipped.features(["a"], ["a"]).tolist() == [[1.0]]


def test_a_model_takes_no_other_vectors(small, tmp_path):
    static = Static(("f1",), path=small).fitted([])
    mark = find_static(small, where="here").fingerprint
    table = static.to_json()
    assert table["fingerprint"] == mark
    again = block(table, where="table 2")
    known = again.equipped(Resources(static=small))
    assert known.features(["a"], ["a"]).tolist() == [[1.0]]
    path = str(tmp_path / "other.npz")
    other = StaticVectors(list(ROWS), np.ones((len(ROWS), 3), np.int8), {})
    write_static(path, other)
    words = rf"table 2: .* vectors {mark}, and those of {path} are {other.fingerprint};"
    with pytest.raises(InputError, match=rf"{words} .*vectors_maker -o {NAME}"):
        again.equipped(Resources(static=path)).features(["a"], ["a"])


def test_vectors_of_one_recipe_are_the_same_on_every_machine():
    rows = np.array([[127, 0], [3, -127]], np.int8)
    rounded = np.array([[127, 0], [4, -127]], np.int8)
    about = {"recipe": "model, method"}
    mark = StaticVectors(["a", "b"], rows, about).fingerprint
    assert StaticVectors(["a", "b"], rounded, about).fingerprint == mark
    for other in (
        StaticVectors(["a", "c"], rows, about),
        StaticVectors(["a", "b"], rows, {"recipe": "another"}),
        StaticVectors(["a", "b"], rows, {}),
        StaticVectors(["a", "b"], rounded, {}),
    ):
        assert other.fingerprint != mark


def test_the_file_is_looked_for(small, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("TERTIUM_RESOURCES", str(tmp_path / "none"))
    with pytest.raises(InputError, match=rf"table 2: there is no {NAME} in .*none or"):
        Static(where="table 2").features(["a"], ["a"])
    rows = np.ones((1, 2), np.int8)
    for folder, word in (("data/tertium", "data"), ("none", "resources")):
        (tmp_path / folder).mkdir(parents=True)
        write_static(str(tmp_path / folder / NAME), StaticVectors([word], rows, {}))
        assert find_static("", where="here").words == [word]
    assert find_static(small, where="here").about == {"licence": "mine"}


def test_wrong_files(small, tmp_path):
    path = tmp_path / "bad.npz"
    with pytest.raises(FormatError, match="cannot be read"):
        find_static(str(path), where="here")
    np.savez(tmp_path / "other.npz", a=np.ones(3))
    with open(small, "rb") as file:
        half = file.read()[:200]
    other = (tmp_path / "other.npz").read_bytes()
    for content in (b"", b"text", half, other):
        path.write_bytes(content)
        with pytest.raises(FormatError, match="is not a file of static word vectors"):
            find_static(str(path), where="here")


def test_the_kernel_rejects_wrong_weights():
    vectors = np.ones((2, 3))
    with pytest.raises(ValueError, match="not equally many"):
        _core.soft_match(vectors, [1.0])
    for weight in (-1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="negative or not finite"):
            _core.soft_match(vectors, [1.0, weight])


def test_vectors_are_made_of_a_model(tmp_path, capsys):
    folder = tiny_bert(tmp_path / "tiny")
    vectors = static_vectors(words=["Playing", "cats"], folder=folder, dimensions=4)
    vocabulary = [w for w in PIECES[4:] if w.isascii() and not w.startswith("##")]
    assert vectors.words == [*vocabulary, "playing", "cats"]
    assert vectors.vectors.shape == (len(vectors.words), 4)
    assert (np.abs(vectors.vectors.astype(int)).max(axis=1) == 127).all()
    listed = tmp_path / "words.txt"
    listed.write_text("Playing 12\n\ncats 3\n", encoding="utf-8")
    path, again = tmp_path / "one.npz", tmp_path / "two.npz"
    make_vectors(str(path), words=["playing", "cats"], folder=folder, dimensions=4)
    make_vectors(str(again), words=["playing", "cats"], folder=folder, dimensions=4)
    assert path.read_bytes() == again.read_bytes()
    assert "4 components" in str(vectors.about["recipe"])
    assert find_static(str(path), where="here").words == vectors.words
    with pytest.raises(InputError, match="ask for fewer"):
        main(["-o", str(path), "--words", str(listed), "--model", folder])
    with pytest.raises(FormatError, match="cannot be read"):
        main(["--words", str(tmp_path / "none.txt"), "--model", folder])
    assert capsys.readouterr().out == ""


@pytest.mark.slow
@pytest.mark.study
def test_real_vectors_follow_meaning(tmp_path):
    path = make_vectors(str(tmp_path / NAME), folder=real_model(), limit=3000)
    static = Static(("f1",), path=path)
    ref = "the doctor arrived late"
    close, far = static.features(
        ["the physician came late", "the carpet was late"], [ref, ref]
    )
    assert close > far
