# SPDX-License-Identifier: Apache-2.0
"""Features of pieces in context, against their twin."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from oracles import bert as oracle
from support.tiny_bert import PIECES, SIZES, real_model, tiny_bert, tiny_weights
from tertium import InputError
from tertium.encoders.encoder import find_encoder
from tertium.learn.beer import Beer
from tertium.learn.features.blocks import Resources, block
from tertium.learn.features.context import Context, _Matcher
from tertium.learn.features.static_file import StaticVectors, write_static
from tertium.learn.profile import profile
from tertium.learn.resources import with_resources

NUMBERS = {piece: number for number, piece in enumerate(PIECES)}
CLS, SEP = NUMBERS["[CLS]"], NUMBERS["[SEP]"]
WORDS = ("a", "b", "cat", "cats", "dog", "!", "playing", "猫", "zebra")
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)

HYPS = [
    "The harbour was closed, but nobody told the captain.",
    "Nobody had told the captain that the port was shut.",
    "",
    "A very short text",
    "Два раза отмерь, один отрежь",
    "今天天气很好",
    "control\x07 characters\u200b and\ttabs\u2028here",
    "THE SAME, BUT LOUD",
    "word " * 700,
    "!",
]
REFS = [
    "The port was closed, and no one had told the captain.",
    "The port was closed, and no one had told the captain.",
    "Something",
    "",
    "Measure twice, cut once",
    "今天 天气 不错",
    "control characters and tabs here",
    "the same, but loud",
    "words " * 650,
    "?",
]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERTIUM_CACHE", "off")
        yield tiny_bert(tmp_path_factory.mktemp("model") / "tiny")


def _expected(hyp, ref, folder, layer, weights):
    encoder = find_encoder(folder, layer=layer, text=True)
    layers, heads, _, epsilon = SIZES
    ids = [encoder.numbers(text) for text in (hyp, ref)]
    states = [
        oracle.layers(
            tiny_weights(), [CLS, *i, SEP], count=layers, heads=heads, epsilon=epsilon
        )
        for i in ids
    ]
    sides = [
        [math.log(2 + max(0, n - 3)) if weights == "rank" else 1.0 for n in i]
        for i in ids
    ]
    pieces = (state[layer][1:-1] for state in states)
    p, r = oracle.best_cosines(*pieces, *sides)
    means = [state[-1].mean(axis=0) for state in states]
    cosine = means[0] @ means[1] / math.prod(np.linalg.norm(mean) for mean in means)
    return [p, r, max(0.0, cosine)]


@settings(max_examples=30)
@given(hyp=sentences, ref=sentences)
@pytest.mark.parametrize("weights", ["none", "rank"])
def test_matches_of_pieces(model, weights, hyp, ref):
    context = Context(("p", "r"), symmetric=False, layer=2, weights=weights, path=model)
    result = context.features([hyp], [ref])[0]
    assert result == pytest.approx(_expected(hyp, ref, model, 2, weights), abs=1e-5)
    both = Context(path=model, layer=2, weights=weights)
    assert both.symmetric
    forth, back = both.features([hyp], [ref]), both.features([ref], [hyp])
    assert np.array_equal(forth, back)
    assert both.features([ref], [ref]).tolist() == [[1.0, 1.0, 1.0, 1.0]]


def test_empty_texts(model):
    context = Context(path=model, layer=1)
    rows = context.features(["", "a", "", "\u200b"], ["", "", "a", " "])
    assert rows.tolist() == [[1] * 4, [0] * 4, [0] * 4, [1] * 4]
    assert context.features([], []).shape == (0, 4)


def test_texts_that_differ_in_case_alone_are_copies(model):
    assert Context(path=model, layer=1).features(["CÁT"], ["cat"]).tolist() == [[1] * 4]


def test_half_of_a_surrogate_pair_is_an_error(model):
    context = Context(path=model, layer=1)
    with pytest.raises(InputError, match="hypothesis 1 holds half of a surrogate"):
        context.features(["a", "\ud800"], ["a", "b"])
    with pytest.raises(InputError, match="reference 0 holds half of a surrogate"):
        context.features(["a"], ["\udfff"])


def test_names_tables_and_resources(model):
    table = {"kind": "context", "values": ["f1"], "weights": "rank", "sentence": False}
    result = block(table, where="here")
    assert result.names == ("context4rank.f1",)
    assert (result.groups, result.signs) == (("context",), (1,))
    whole = block({"kind": "context", "layer": 2}, where="here")
    assert whole.names[-1] == "sentence.cosine"
    assert whole.groups[-1] == "sentence"
    equipped = whole.equipped(Resources(context=model))
    assert equipped.to_json() == whole.to_json()
    assert block(whole.to_json(), where="here").to_json() == whole.to_json()
    assert equipped.features(["a b"], ["a b"]).tolist() == [[1] * 4]
    reduced = block({"kind": "context", "without": ["sentence"]}, where="here")
    assert reduced.names == ("context4.min", "context4.max", "context4.f1")
    with pytest.raises(InputError, match="reads the resource context"):
        with_resources(profile("beer-3.0"), {"context": model})


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"layer": 1.5}, "layer is a whole number"),
        ({"layer": -1}, "layer is a whole number"),
        ({"weights": "idf"}, "idf"),
        ({"values": []}, "values must not be empty"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_wrong_tables(table, message):
    with pytest.raises(InputError, match=message):
        block({"kind": "context", **table}, where="here")


def test_a_layer_that_the_model_does_not_have(model):
    with pytest.raises(InputError, match="features 2: the model has layers 0 to 3"):
        Context(path=model, layer=4, where="features 2").features(["a"], ["b"])


def test_repeated_texts_are_encoded_once(model, monkeypatch):
    encoder = find_encoder(model, layer=1, text=True)
    texts = []
    encode = type(encoder).encode

    def counted(self, numbers, *, threads):
        texts.extend(numbers)
        return encode(self, numbers, threads=threads)

    monkeypatch.setattr(type(encoder), "encode", counted)
    matcher = _Matcher(encoder, "none")
    hyps, refs = ["a b", "cat", "a b", "A B", "dog"], ["dog", "dog", "dog", "dog", "a"]
    matcher.all(hyps, refs, threads=1)
    assert len(texts) == 5  # a b, cat and dog as texts, dog and a as references
    matcher.all(hyps, refs, threads=2)
    assert len(texts) == 5


def _bits(matches):
    return np.array(matches, np.float64).tobytes()


def test_scores_do_not_depend_on_batch_order_or_threads():
    encoder = find_encoder(real_model(), layer=4, text=True)
    whole = _Matcher(encoder, "none").all(HYPS, REFS, threads=1)
    assert _bits(whole) == _bits(_Matcher(encoder, "none").all(HYPS, REFS, threads=3))
    alone = []
    for hyp, ref in zip(HYPS, REFS, strict=True):
        alone += _Matcher(encoder, "none").all([hyp], [ref], threads=1)
    assert _bits(whole) == _bits(alone)
    back = _Matcher(encoder, "none").all(HYPS[::-1], REFS[::-1], threads=2)
    assert _bits(whole) == _bits(back[::-1])


def test_bits_do_not_depend_on_the_threads_of_libraries():
    folder = real_model()
    code = (
        f"import sys; HYPS, REFS = {HYPS!r}, {REFS!r}\n"
        "from tertium.encoders.encoder import find_encoder\n"
        "from tertium.learn.features.context import _Matcher\n"
        "import numpy as np\n"
        "e = find_encoder(sys.argv[1], layer=4, text=True)\n"
        "m = _Matcher(e, 'none').all(HYPS, REFS, threads=2)\n"
        "print(np.array(m, np.float64).tobytes().hex())\n"
    )
    outputs = set()
    for threads in ("1", "4"):
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        environment = {**os.environ, **dict.fromkeys(names, threads)}
        done = subprocess.run(
            [sys.executable, "-c", code, folder],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_real_features_follow_meaning():
    real_model()
    context = Context(("p", "r", "f1"), symmetric=False)
    rows = context.features(HYPS, REFS)
    assert np.isfinite(rows).all()
    assert ((rows >= 0) & (rows <= 1)).all()
    assert rows[7].tolist() == [1, 1, 1, 1]
    ref = "The doctor arrived late."
    close, far = context.features(
        ["The physician came late.", "The carpet was blue."], [ref, ref]
    )
    assert (close > far).all()


def test_a_model_is_trained_and_scores_with_its_resources(model, tmp_path, monkeypatch):
    monkeypatch.setenv("TERTIUM_CACHE", "off")
    vectors = str(tmp_path / "small.npz")
    rows = np.array([[1, 2], [3, -1]], np.int8)
    write_static(vectors, StaticVectors(["cat", "dog"], rows, {}))
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\n[[features]]\nkind = "context"\nlayer = 2\n'
        '[[features]]\nkind = "static"\n',
        encoding="utf-8",
    )
    texts, judged = ["seg\treference\tA\tB"], ["seg\tbetter\tworse"]
    for i in range(1, 21):
        words = [WORDS[(i + k) % len(WORDS)] for k in range(4)]
        good, bad = " ".join(words[:3]), "zebra ! " + "b " * i
        texts.append(f"{i}\t{' '.join(words)}\t{good}\t{bad}")
        judged.append(f"{i}\tA\tB")
    (tmp_path / "de-en.tsv").write_text("\n".join(texts) + "\n", encoding="utf-8")
    (tmp_path / "de-en.pairs.tsv").write_text("\n".join(judged) + "\n")
    monkeypatch.chdir(tmp_path)
    trained = tertium.train(
        ["de-en.tsv"],
        ["de-en.pairs.tsv"],
        profile="mine.toml",
        resource={"context": model, "static": vectors},
    )
    path = str(tmp_path / "mine.json")
    trained.save(path)
    beer = Beer(model=path, context=model, static=vectors)
    good, bad = (beer.corpus_score([hyp], ["cat dog a b"]) for hyp in ("cat a", "!"))
    assert good > bad
    assert "context:tiny" in str(beer.signature)
    with pytest.raises(InputError, match="reads static="):
        Beer(static=vectors)
