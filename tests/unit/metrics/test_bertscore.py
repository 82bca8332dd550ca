# SPDX-License-Identifier: Apache-2.0
"""BERTScore on a random tiny model, against an oracle written from the paper."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import pickle
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from conftest import missing
from oracles import bert as oracle
from support.tiny_bert import PIECES, SIZES, need, tiny_bert, tiny_weights
from tertium.encoders.cutters import find_cutter
from tertium.encoders.files import Sizes
from tertium.encoders.graph import bert_graph
from tertium.encoders.models import find_model
from tertium.errors import FormatError, InputError, MissingExtraError
from tertium.metrics.bertscore import baseline as baselines
from tertium.metrics.bertscore.baseline import make_baseline, read_baseline
from tertium.metrics.bertscore.matcher import find_matcher
from tertium.metrics.resources import metric_key

LAYERS, HEADS, POSITIONS, EPSILON = SIZES
texts = st.lists(
    st.sampled_from(["cat", "dogs", "a", "b", "plaYing", "!", "sit", "x"]), max_size=9
).map(" ".join)
segments = st.lists(
    st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4
)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERTIUM_CACHE", "off")
        yield tiny_bert(tmp_path_factory.mktemp("model") / "tiny")


def graph_folder(folder, *, layers, inputs="ids"):
    """Write the tiny model as an ONNX graph of some layers, without its weights."""
    need("onnx", "onnxruntime")
    model = bert_graph(
        tiny_weights(), Sizes(LAYERS, HEADS, POSITIONS, EPSILON), layers=layers
    )
    if inputs != "ids":
        import onnx

        made = onnx.load_from_string(model)
        for node in made.graph.node:
            node.input[:] = [inputs if name == "ids" else name for name in node.input]
        made.graph.input[0].name = inputs
        model = made.SerializeToString()
    folder = Path(folder)
    folder.mkdir(exist_ok=True)
    (folder / "model.onnx").write_bytes(model)
    (folder / "vocab.txt").write_text("\n".join(PIECES) + "\n", encoding="utf-8")
    config = {"num_hidden_layers": LAYERS, "max_position_embeddings": POSITIONS}
    (folder / "config.json").write_text(json.dumps(config))
    return str(folder)


def expected(model, hyps, refs, *, layer, idf):
    """Return precision, recall and F1 of every segment: the best of its references."""
    encoder = find_model(model).encoder(layer)
    cut = POSITIONS - 2
    first, last = PIECES.index("[CLS]"), PIECES.index("[SEP]")

    def ids(text):
        return [first, *encoder.numbers(text)[:cut], last]

    counts = Counter(n for each in refs for ref in each for n in set(ids(ref)))
    total = sum(map(len, refs))

    def weights(numbers):
        inner = [
            math.log((total + 1) / (counts[n] + 1)) if idf else 1.0
            for n in numbers[1:-1]
        ]
        return [0.0, *(inner if any(inner) else [1.0] * len(inner)), 0.0]

    def states(numbers):
        return oracle.layers(
            tiny_weights(), numbers, count=LAYERS, heads=HEADS, epsilon=EPSILON
        )[layer]

    out = []
    for hyp, each in zip(hyps, refs, strict=True):
        values = []
        for ref in each:
            left, right = ids(hyp), ids(ref)
            if len(left) == 2 or len(right) == 2:
                values.append((0.0, 0.0, 0.0))
                continue
            p, r = oracle.best_cosines(
                states(left), states(right), weights(left), weights(right)
            )
            values.append((p, r, 2 * p * r / (p + r) if p + r else 0.0))
        out.append(np.max(values, axis=0))
    return np.array(out)


@pytest.mark.parametrize("idf", [False, True])
@settings(max_examples=25, deadline=None)
@given(data=segments, layer=st.integers(0, LAYERS))
def test_scores_equal_the_oracle(model, idf, data, layer):
    hyps, refs = [h for h, _ in data], [r for _, r in data]
    values = expected(model, hyps, refs, layer=layer, idf=idf)
    for column, measure in enumerate(("precision", "recall", "f1")):
        metric = tertium.metrics.metric_class("bertscore")(
            model=model, layer=layer, measure=measure, idf=idf
        )
        scores = metric.segment_scores(hyps, refs)
        np.testing.assert_allclose(scores, values[:, column], atol=2e-6)
        mean = values[:, column].mean()
        assert metric.corpus_score(hyps, refs) == pytest.approx(mean, abs=2e-6)


HYPS = ["a cat", "dogs sit!", "", "cat cat play", "a cat"]
REFS = [["a cat sit"], ["dogs", "a dog sit"], ["b"], [""], ["a cat"]]


def test_rows_do_not_depend_on_threads_or_on_other_segments(model):
    metric = tertium.metric(f"bertscore:model={model},idf=yes").prepare(REFS)
    rows = metric.statistics(HYPS, REFS, threads=1)
    find_matcher.cache_clear()
    assert metric.statistics(HYPS, REFS, threads=3).tobytes() == rows.tobytes()
    for i, row in enumerate(rows):
        find_matcher.cache_clear()
        alone = metric.statistics(HYPS[i : i + 1], REFS[i : i + 1])
        assert alone.tobytes() == row.tobytes()


def test_a_repeated_text_is_encoded_once(model, monkeypatch):
    find_matcher.cache_clear()
    metric = tertium.metric(f"bertscore:model={model}")
    encoder = find_model(model).encoder(None)
    seen = []
    run = type(encoder)._run
    monkeypatch.setattr(
        type(encoder),
        "_run",
        lambda self, batch: [seen.extend(batch), run(self, batch)][1],
    )
    batch = metric.checked([["a cat", "a cat"], ["a cat", "b"]], ["dogs", "dogs"])
    metric.rows(batch)
    assert len(seen) == len(set(seen)) == 3


def test_weights_of_references_that_come_in_parts_are_the_same(model):
    metric = tertium.metric(f"bertscore:model={model},idf=yes")
    whole = metric.prepare(REFS)
    fitting = metric.fitting()
    fitting.observe(REFS[:2])
    fitting.observe(REFS[2:])
    parts = fitting.fitted()
    assert parts.fitted_state() == whole.fitted_state()
    copy = pickle.loads(pickle.dumps(parts))
    rows = whole.statistics(HYPS, REFS)
    assert copy.statistics(HYPS, REFS).tobytes() == rows.tobytes()
    plain = tertium.metric(f"bertscore:model={model}")
    assert plain.statistics(HYPS, REFS).tobytes() != rows.tobytes()
    with pytest.raises(InputError, match="call prepare"):
        metric.sums(metric.checked([HYPS], REFS))


def test_rescaling_puts_the_baseline_at_zero(model, tmp_path):
    path = tmp_path / "baseline.tsv"
    path.write_text("LAYER,P,R,F\n2,0.2,0.3,0.25\n3,0.5,0.6,0.55\n")
    for layer, measure, low in ((3, "f1", 0.55), (2, "recall", 0.3)):
        spec = f"bertscore:model={model},layer={layer},measure={measure}"
        plain = tertium.metric(spec).segment_scores(HYPS, REFS)
        metric = tertium.metric(f"{spec},rescale=yes,baseline={path}")
        scores = metric.segment_scores(HYPS, REFS)
        np.testing.assert_allclose(scores, (plain - low) / (1 - low), atol=1e-12)
        assert metric.bounds == (-math.inf, 1.0)
        assert f"rescale:{read_baseline(path).checksum}|" in metric.signature
    metric = tertium.metric(
        f"bertscore:model={model},layer=1,rescale=yes,baseline={path}"
    )
    with pytest.raises(InputError, match=r"no line for layer 1, but for 2, 3"):
        metric.segment_scores(HYPS, REFS)


def test_case_is_ignored_if_wanted(tmp_path):
    folder = tiny_bert(tmp_path / "cased")
    Path(folder, "tokenizer_config.json").write_text('{"do_lower_case": false}')
    pair = ["a CAT"], ["a cat"]
    plain, lower = (
        tertium.metric(f"bertscore:model={folder},lowercase={flag}").corpus_score(*pair)
        for flag in ("no", "yes")
    )
    assert plain < lower == 1.0


def test_a_long_text_is_cut_off(model):
    metric = tertium.metric(f"bertscore:model={model}")
    start = "a b a b c d a b"
    assert len(start.split()) == POSITIONS - 2
    assert metric.corpus_score([f"{start} cat"], [f"{start} dog !"]) == 1.0


def test_the_signature_names_model_layer_and_settings(model):
    metric = tertium.metric(f"bertscore:model={model}")
    checksum = find_model(model).checksum
    assert metric.signature.startswith(
        f"nrefs:1|model:tiny({checksum})|layer:3|measure:f1|idf:no|rescale:no|case:mixed|"
    )
    assert model not in metric.signature
    other = tertium.metric(f"bertscore:model={model},layer=1,idf=yes,lowercase=yes")
    assert "|layer:1|measure:f1|idf:yes|rescale:no|case:lc|" in other.signature


def test_an_explanation_names_the_pieces_that_match_least(model):
    parts = tertium.metric(f"bertscore:model={model}").score_parts(
        "cat!", ["dogs", "a!"]
    )
    assert len(parts.parts) == 4
    assert parts.parts[0].text.startswith("output: ")
    assert {part.text.split(",")[0] for part in parts.parts[:2]} == {
        "output: cat", "output: !",
    }  # fmt: skip
    one = tertium.metric(f"bertscore:model={model},measure=recall")
    assert [p.text for p in one.score_parts("", ["a"]).parts] == ["a text is empty"]


# ---------------------------------------------------------------------- ONNX by path


def test_a_graph_scores_as_the_weights_do(model, tmp_path):
    folder = graph_folder(tmp_path / "graph", layers=[1, 3], inputs="input_ids")
    for path in (folder, os.path.join(folder, "model.onnx")):
        for layer in ("", ",layer=1", ",layer=3"):
            ours, theirs = (
                tertium.metric(f"bertscore:model={which}{layer}").statistics(HYPS, REFS)
                for which in (model, path)
            )
            assert ours.tobytes() == theirs.tobytes()
    with pytest.raises(InputError, match=r"not give the states of layer 2, but layer1"):
        tertium.metric(f"bertscore:model={folder},layer=2").statistics(HYPS, REFS)


def test_key_and_signature_follow_every_file_of_a_model(tmp_path):
    folder = graph_folder(tmp_path / "graph", layers=[3])
    metric = tertium.metric(f"bertscore:model={folder}")
    states = []
    for name in ("", "config.json", "model.onnx_data", "model.onnx.data"):
        if name:
            with Path(folder, name).open("a") as file:
                file.write(" \n")
        states.append((metric_key(metric), metric.signature))
    assert len({key for key, _ in states}) == len(states)
    assert len({signature for _, signature in states}) == len(states)


def test_the_longest_input_of_a_model_is_part_of_the_key(tmp_path):
    model = tiny_bert(tmp_path / "tiny")
    metric = tertium.metric(f"bertscore:model={model}")
    before = metric_key(metric)
    path = Path(model, "config.json")
    config = json.loads(path.read_text())
    path.write_text(json.dumps(config | {"max_position_embeddings": 6}))
    assert metric_key(metric) != before


def test_a_tokenizer_json_of_word_pieces_needs_no_package(model, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    folder = graph_folder(tmp_path / "json", layers=[3])
    Path(folder, "vocab.txt").unlink()
    tokenizer = {
        "normalizer": {
            "type": "BertNormalizer",
            "lowercase": True,
            "strip_accents": None,
            "clean_text": True,
            "handle_chinese_chars": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {
            "type": "WordPiece",
            "continuing_subword_prefix": "##",
            "vocab": {piece: number for number, piece in enumerate(PIECES)},
        },
    }
    path = Path(folder, "tokenizer.json")
    path.write_text(json.dumps(tokenizer))
    ours, theirs = (
        tertium.metric(f"bertscore:model={which}").statistics(HYPS, REFS)
        for which in (model, folder)
    )
    assert ours.tobytes() == theirs.tobytes()
    tokenizer["model"]["type"] = "BPE"
    path.write_text(json.dumps(tokenizer))
    with pytest.raises(MissingExtraError, match="pip install tokenizers") as error:
        find_cutter(folder)
    assert "\n" not in str(error.value)


def test_other_tokenizers_are_those_of_the_package(tmp_path):
    if importlib.util.find_spec("tokenizers") is None:
        missing("no tokenizers; make .venv/.context")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

    folder = graph_folder(tmp_path / "bytes", layers=[3])
    Path(folder, "vocab.txt").unlink()
    pieces = ["<s>", "</s>", "<unk>", "a", "b", "\u0120", "\u0120a", "c"]
    numbers = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.BPE(numbers, [("\u0120", "a")], unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.RobertaProcessing(
        ("</s>", 1), ("<s>", 0), add_prefix_space=False
    )
    tokenizer.enable_padding()
    tokenizer.enable_truncation(3)
    tokenizer.save(os.path.join(folder, "tokenizer.json"))
    cutter = find_cutter(folder)
    assert cutter.ends == ("<s>", "</s>")
    # A space stands before the first word, too; nothing is padded or cut off.
    assert cutter.numbers_of("a ba  ") == [6, 5, 4, 3]
    assert cutter.numbers_of(" ") == []
    metric = tertium.metric(f"bertscore:model={folder}")
    assert 0 < metric.corpus_score(["a b"], ["a c"]) < 1
    assert metric.corpus_score(["a b"], [" a b"]) == 1.0


def test_wrong_graphs(tmp_path):
    graph_folder(tmp_path, layers=[3])
    (tmp_path / "model.onnx").write_bytes(b"no graph")
    with pytest.raises(FormatError, match="cannot be loaded"):
        tertium.metric(f"bertscore:model={tmp_path}").statistics(["a"], ["b"])
    with pytest.raises(FormatError, match=r"neither model.safetensors nor model.onnx"):
        tertium.metric(f"bertscore:model={tmp_path / 'nowhere'}").statistics(
            ["a"], ["b"]
        )
    folder = graph_folder(tmp_path / "strange", layers=[3], inputs="pixels")
    with pytest.raises(FormatError, match="takes pixels"):
        tertium.metric(f"bertscore:model={folder}").statistics(["a"], ["b"])
    folder = graph_folder(tmp_path / "mute", layers=[3])
    os.remove(os.path.join(folder, "vocab.txt"))
    with pytest.raises(FormatError, match=r"neither vocab.txt nor tokenizer.json"):
        tertium.metric(f"bertscore:model={folder}").statistics(["a"], ["b"])


# ------------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("layer=1.5", "layer is an integer, not 1.5"),
        ("layer=-1", "must be at least 0"),
        ("baseline=x.tsv", "add rescale=yes"),
        ("model=x,rescale=yes", r"baseline CORPUS --model x -o FILE"),
        ("measure=f2", "f2"),
    ],
)
def test_wrong_settings(spec, message):
    with pytest.raises(InputError, match=message):
        tertium.metric(f"bertscore:{spec}")


def test_a_missing_extra_is_one_line_with_the_command(monkeypatch):
    monkeypatch.setattr("tertium.encoders.files.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError) as error:
        tertium.metric("bertscore").corpus_score(["a"], ["b"])
    assert "pip install 'tertium[neural]'" in str(error.value)
    assert "\n" not in str(error.value)


# ------------------------------------------------------------------------ baselines

CORPUS = ["a cat", "dogs sit !", "b", "play a", "cat cat", ""]


def test_a_baseline_is_the_mean_of_random_pairs(model):
    made = make_baseline(CORPUS, model=model, pairs=40, seed=3)
    assert list(made.layers) == list(range(LAYERS + 1))
    assert made == make_baseline(CORPUS[::-1], model=model, pairs=40, seed=3)
    distinct = sorted(set(CORPUS) - {""})
    every = [(a, b) for a in distinct for b in distinct if a != b]
    for layer, (p, _, f1) in made.layers.items():
        scores = {
            measure: tertium.metric(
                f"bertscore:model={model},layer={layer},measure={measure}"
            ).segment_scores(*map(list, zip(*every, strict=True)))
            for measure in ("precision", "f1")
        }
        for value, measure in ((p, "precision"), (f1, "f1")):
            near = 5 * scores[measure].std() / math.sqrt(40) + 1e-6
            assert abs(value - scores[measure].mean()) < near


def test_the_program_writes_what_the_metric_reads(model, tmp_path, capsys):
    corpus, path = tmp_path / "corpus.txt", tmp_path / "baseline.tsv"
    corpus.write_text("\n".join(CORPUS) + "\n")
    words = [str(corpus), "--model", model, "--pairs", "10", "-o", str(path)]
    assert baselines.main(words) == 0
    assert "layer 3" in capsys.readouterr().err
    made = make_baseline(CORPUS, model=model, pairs=10)
    assert path.read_text() == made.to_text()
    spec = f"bertscore:model={model},rescale=yes,baseline={path}"
    assert tertium.metric(spec).corpus_score(["cat"], ["cat"]) == 1.0
    corpus.write_text("one\none\n")
    assert baselines.main(words) == 2
    assert "at least one pair" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "line"),
    [("", None), ("LAYER,P,R,F\n", None), ("1,0.1,0.1,0.1\n", 1),
     ("LAYER,P,R,F\n1,0.1,0.1\n", 2), ("LAYER,P,R,F\n1,0.1,0.1,1.0\n", 2),
     ("LAYER,P,R,F\nx,0.1,0.1,0.1\n", 2)],
)  # fmt: skip
def test_wrong_baselines(tmp_path, content, line):
    path = tmp_path / "baseline.tsv"
    path.write_text(content)
    with pytest.raises(FormatError, match="LAYER,P,R,F") as error:
        read_baseline(str(path))
    assert (
        line is None
        or f"line {line}" in str(error.value)
        or f":{line}" in str(error.value)
    )
