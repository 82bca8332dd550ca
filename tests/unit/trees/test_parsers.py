# SPDX-License-Identifier: Apache-2.0
"""Parsers: models are checked first, words are cut as asked, order is kept."""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from support.treebank import treebank
from tertium._processes import Worker, in_order, workers
from tertium.errors import InputError, MissingExtraError, UnknownNameError
from tertium.trees import DependencyTree, parse_conllu
from tertium.trees.parsers import PARSERS, load_parser
from tertium.trees.parsers.base import ModelParser
from tertium.trees.parsers.models import content_hash
from tertium.trees.parsers.pool import batches_in, parse_batches
from tertium.trees.scores import attachment
from tertium.trees.training import split_treebank, train_spacy, train_udpipe

pytestmark = pytest.mark.slow

EMPTY = DependencyTree((), (), ())


class Chains(ModelParser):
    """A parser that flattens, and cuts texts at commas."""

    name = "chains"
    version = "1"
    model_signature = "a|b:c@0"

    def parse_words(self, texts):
        assert all(texts)
        return [DependencyTree.flat(words) for words in texts]

    def parse_text(self, texts):
        assert all(map(str.strip, texts))
        return [
            DependencyTree.join([DependencyTree.flat(p.split()) for p in t.split(",")])
            for t in texts
        ]


@pytest.mark.parametrize(
    ("tokenize", "forms", "words"),
    [
        ("own", ("a", "b.", "c"), "chains"),
        ("none", ("a", "b.,", "c"), "none"),
        ("13a", ("a", "b", ".", ",", "c"), "13a"),
    ],
)
def test_words_are_cut_by_the_model_or_as_asked(tokenize, forms, words):
    parser = Chains("m", tokenize=tokenize)
    empty, tree, blank = parser.parse(["", "a b., c", " \u3000"])
    assert empty == blank == EMPTY
    assert tree.forms == forms
    assert parser.signature == f"chains-1/a_b_c@0/{words}"


def test_a_model_that_cannot_cut_leaves_it_to_white_space():
    class Blunt(Chains):
        splits = False

    assert Blunt("m").parse(["a b., c"])[0].forms == ("a", "b.,", "c")
    assert Blunt("m").signature.endswith("/none")


def test_unknown_names_list_the_near_ones():
    with pytest.raises(UnknownNameError, match="did you mean udpipe"):
        load_parser("udpip", "x")
    with pytest.raises(UnknownNameError, match="unknown tokeniser '13b'"):
        Chains("m", tokenize="13b")


@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_without_a_model_says_how_to_get_one(name):
    with pytest.raises(InputError, match="needs a model; give model=MODEL"):
        load_parser(name, "")


@pytest.mark.parametrize(
    ("name", "module"), [("udpipe", "ufal.udpipe"), ("spacy", "spacy"),
                         ("stanza", "stanza")]
)  # fmt: skip
def test_a_missing_package_is_named_with_its_extra(name, module, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, module, None)
    model = tmp_path / "model"
    model.touch()
    with pytest.raises(MissingExtraError, match=rf"tertium\[parse-{name}\]"):
        load_parser(name, str(model))


def test_hashes_tell_content_not_place(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "inner" / "f").write_text("x")
    first = content_hash(str(tmp_path / "a"))
    assert first == content_hash(str(tmp_path / "b"))
    assert len(first) == 8
    (tmp_path / "b" / "inner" / "f").write_text("y")
    assert first != content_hash(str(tmp_path / "b"))


# ------------------------------------------------------------------------ UDPipe


def test_udpipe_cuts_tags_and_parses(tiny_model):
    parser = load_parser("udpipe", tiny_model)
    assert parser.splits
    assert parser.signature.startswith(f"udpipe-{parser.version}/tiny.udpipe@")
    tree, empty, two = parser.parse(
        ["The dog likes a cat.", "", "The cat sees a dog. The dog hears a child."]
    )
    assert tree.forms == ("The", "dog", "likes", "a", "cat", ".")
    assert tree.heads == (2, 3, 0, 5, 3, 3)
    assert tree.deprels == ("det", "nsubj", "root", "det", "obj", "punct")
    assert tree.upos == ("DET", "NOUN", "VERB", "DET", "NOUN", "PUNCT")
    assert empty == EMPTY
    assert len(two.roots) == 2  # two sentences of one segment
    assert len(two) == 12


def test_udpipe_takes_words_as_they_are(tiny_model):
    parser = load_parser("udpipe", tiny_model, tokenize="none")
    (tree,) = parser.parse(["The dog likes a cat. ?"])
    assert tree.forms == ("The", "dog", "likes", "a", "cat.", "?")


def test_udpipe_models_are_checked_before_work_starts(tiny_model, tmp_path):
    with pytest.raises(InputError, match="no such file; get one from https") as caught:
        load_parser("udpipe", str(tmp_path / "none"))
    assert "tertium parse train" in str(caught.value)
    with pytest.raises(InputError, match="this is a folder"):
        load_parser("udpipe", str(tmp_path))
    wrong = tmp_path / "wrong.udpipe"
    wrong.write_bytes(b"nothing")
    with pytest.raises(InputError, match="this is not a UDPipe 1 model"):
        load_parser("udpipe", str(wrong))


def outcome_of_loading(paths):
    """Return exit code and complaints of a process that loads models."""
    code = (
        "import sys\n"
        "from tertium.errors import InputError\n"
        "from tertium.trees.parsers import load_parser\n"
        "for path in sys.argv[1:]:\n"
        "    try:\n"
        "        load_parser('udpipe', path)\n"
        "    except InputError as error:\n"
        "        print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, paths)], capture_output=True, text=True
    )
    return done.returncode, done.stdout.splitlines()


def test_files_of_other_kinds_do_not_end_the_process(tmp_path):
    """UDPipe aborts on a first byte beyond 127: the length of a name, below zero."""
    pytest.importorskip("ufal.udpipe")
    files = []
    for start in (b"\x80", b"\xff\xfe", b"\xfd7zXZ\x00", "é".encode(), b"", b"text\n"):
        files.append(tmp_path / f"{len(files)}.udpipe")
        files[-1].write_bytes(start * 50)
    code, lines = outcome_of_loading(files)
    assert code == 0
    assert len(lines) == len(files)
    assert all("this is not a UDPipe 1 model" in line for line in lines)


def test_models_that_are_cut_short_or_damaged_are_rejected(tiny_model, tmp_path):
    whole = Path(tiny_model).read_bytes()
    draw = random.Random(1)
    files = []
    for size in (1, 18, 19, 20, 25, 40, *draw.sample(range(50, len(whole)), 20)):
        files.append(tmp_path / f"cut{size}.udpipe")
        files[-1].write_bytes(whole[:size])
    for place in draw.sample(range(200, len(whole)), 20):
        damaged = bytearray(whole)
        damaged[place] ^= 0x10
        files.append(tmp_path / f"flipped{place}.udpipe")
        files[-1].write_bytes(damaged)
    code, lines = outcome_of_loading(files)
    assert code == 0
    assert len(lines) == len(files)
    assert all("; get one from https" in line for line in lines)


def test_a_udpipe_model_without_parser_is_rejected(tiny_model, tmp_path):
    path = str(tmp_path / "tagger.udpipe")
    sentences = list(parse_conllu(treebank().split("\n")))
    details = {"tokenizer": "none", "tagger": "iterations=1", "parser": "none"}
    train_udpipe(path, sentences, sentences[:2], details=details)
    with pytest.raises(InputError, match="UDPipe cannot parse with it"):
        load_parser("udpipe", path)


def test_training_twice_gives_the_same_model(tiny_model, tmp_path):
    sentences = list(parse_conllu(treebank().split("\n")))
    for name in ("a", "b"):
        details = {"tokenizer": "none", "tagger": "iterations=1",
                   "parser": "hidden_layer=5;embedding_form=3"}  # fmt: skip
        path = str(tmp_path / name)
        train_udpipe(path, sentences, sentences[:3], epochs=1, details=details)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    with pytest.raises(InputError, match="no part 'tager'"):
        train_udpipe(path, sentences, sentences[:3], details={"tager": ""})


def test_processes_keep_the_order_and_change_nothing(tiny_model):
    parser = load_parser("udpipe", tiny_model)
    texts = ["The dog likes a cat.", "a cat", "", "The child sees ."] * 3
    texts = [f"{text} {i}" for i, text in enumerate(texts)]
    many = [texts[i : i + 3] for i in range(0, len(texts), 3)]
    expected = [parser.parse(batch) for batch in many]
    assert list(parse_batches(parser, many, processes=3)) == expected
    assert list(batches_in(parser, 2)(many)) == expected
    assert list(batches_in(parser, 1)(many)) == expected


def test_errors_come_back_from_processes_and_their_end_is_noticed():
    with workers(2) as (first, second):
        first.call(load_parser, "udpip", "")
        second.call(os._exit, 3)
        with pytest.raises(InputError, match="did you mean udpipe"):
            first.result()
        first.call(len, "abc")
        assert first.result() == 3
        with pytest.raises(InputError, match="died, perhaps for lack of memory"):
            second.result()
    assert not multiprocessing.active_children()


@pytest.mark.skipif(os.name != "posix", reason="signals can be held back on POSIX")
def test_ctrl_c_at_the_start_or_end_of_processes_is_not_lost(monkeypatch, request):
    # Signals that the main thread holds back reach another one.
    rest = threading.Event()
    threading.Thread(target=rest.wait, daemon=True).start()
    request.addfinalizer(rest.set)
    # That thread may be late on a busy machine: wait until it has the signal.
    arrived, wakeup = socket.socketpair()
    request.addfinalizer(arrived.close)
    request.addfinalizer(wakeup.close)
    wakeup.setblocking(False)
    arrived.settimeout(60)
    before = signal.set_wakeup_fd(wakeup.fileno())
    request.addfinalizer(partial(signal.set_wakeup_fd, before))

    def press():
        os.kill(os.getpid(), signal.SIGINT)
        assert arrived.recv(1) == bytes([signal.SIGINT])

    def start(worker, original=Worker.__init__):
        press()
        original(worker)

    with monkeypatch.context() as patched:
        patched.setattr(Worker, "__init__", start)
        with pytest.raises(KeyboardInterrupt), workers(2):
            pytest.fail("interrupted before the block")
    assert not multiprocessing.active_children()

    def end(worker, original=Worker.end):
        press()
        original(worker)

    monkeypatch.setattr(Worker, "end", end)
    done = []
    with pytest.raises(KeyboardInterrupt), workers(2) as team:
        done += in_order(team, [(len, ("abc",))])
    assert done == [3]
    assert not multiprocessing.active_children()


def test_results_come_in_order_whoever_is_done_first():
    naps = [0.5, 0, 0, 0]
    calls = [(time.sleep, (nap,)) for nap in naps] + [(pow, (2, i)) for i in range(9)]
    with workers(3) as team:
        results = list(in_order(team, calls))
        assert results == [None] * 4 + [2**i for i in range(9)]
        assert list(in_order(team, [])) == []


# ------------------------------------------------------------------------- spaCy


def test_spacy_cuts_tags_and_parses(spacy_model):
    parser = load_parser("spacy", spacy_model)
    tree, empty, two = parser.parse(["The cat  sat.", " ", "He left. She stayed."])
    assert tree.forms == ("The", "cat", "sat", ".")  # spaces are not words
    assert tree.deprels[2] == "root"
    assert tree.heads[2] == 0
    assert tree.upos[3] == "PUNCT"
    assert empty == EMPTY
    assert len(two.roots) == 2
    plain = load_parser("spacy", spacy_model, tokenize="none")
    assert plain.parse(["The cat sat."])[0].forms == ("The", "cat", "sat.")
    assert parser.signature.rpartition("/")[2] == "spacy"
    assert plain.signature.rpartition("/")[2] == "none"


def test_spacy_models_are_checked_before_work_starts(spacy_model, tmp_path):
    with pytest.raises(InputError, match="no such folder or package; install one as"):
        load_parser("spacy", "no_such_model")
    with pytest.raises(InputError, match="spaCy cannot load it"):
        load_parser("spacy", str(tmp_path))
    import spacy

    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="the pipeline has no dependency parser"):
        load_parser("spacy", str(tmp_path / "blank"))


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("vocab/vectors", b""),
        ("vocab/key2row", b"\xa1a"),
        ("tagger/cfg", None),
        ("trainable_lemmatizer/trees", None),
        ("parser/model", b"\x00"),
        ("config.cfg", b"[nlp"),
        ("meta.json", b"\xff"),
    ],
)
def test_damaged_spacy_models_are_rejected(spacy_model, tmp_path, file, content):
    folder = tmp_path / "model"
    shutil.copytree(spacy_model, folder, copy_function=shutil.copyfile)
    for place in (folder, *folder.rglob("*")):
        place.chmod(0o755)
    (folder / file).unlink()
    if content is not None:
        (folder / file).write_bytes(content)
    with pytest.raises(InputError, match=r"model .* of spacy: spaCy cannot"):
        load_parser("spacy", str(folder)).parse(["The cat sat on a mat."])


@pytest.mark.slow
def test_spacy_learns_a_treebank(spacy_model, tmp_path):
    train, dev = split_treebank(list(parse_conllu(treebank().split("\n"))))
    assert (len(train), len(dev)) == (24, 3)
    path = str(tmp_path / "model")
    train_spacy(path, train, dev, language="en", epochs=10)
    parser = load_parser("spacy", path)
    trees = parser.parse_words([sentence.tree.forms for sentence in dev])
    gold = [sentence.tree for sentence in dev]
    assert attachment(zip(trees, gold, strict=True)).uas > 60
    with pytest.raises(InputError, match="spaCy does not have the language 'qq'"):
        train_spacy(str(tmp_path / "other"), train, dev, language="qq")


# ------------------------------------------------------------------------ Stanza


class FakePipeline:
    """Stands for Stanza's pipeline, which needs PyTorch: the same calls and fields.

    So only our side of the edge is tested.
    """

    def __init__(self, lang, **options):
        if lang == "xx":
            raise RuntimeError("no such model\nmore")
        self.options = {"lang": lang, **options}

    def __call__(self, plain):
        if self.options["tokenize_pretokenized"]:
            return SimpleNamespace(sentences=[self._sentence(w) for w in plain])
        for document in plain:
            parts = filter(None, document.text.split("."))
            document.sentences = [self._sentence(part.split()) for part in parts]
        return plain

    def _sentence(self, words):
        return SimpleNamespace(
            words=[
                SimpleNamespace(text=word, head=i, deprel="root" if i == 0 else "dep",
                                upos="X", xpos=None, lemma=word, feats=None)
                for i, word in enumerate(words)
            ]
        )  # fmt: skip


@pytest.fixture
def stanza(monkeypatch, tmp_path):
    for part in ("tokenize", "mwt", "pos", "lemma", "depparse"):
        (tmp_path / "en" / part).mkdir(parents=True)
        (tmp_path / "xx" / part).mkdir(parents=True)
    fake = ModuleType("stanza")
    fake.__version__ = "1.0"
    fake.Pipeline = FakePipeline
    fake.Document = lambda sentences, text: SimpleNamespace(text=text)
    common = ModuleType("stanza.resources.common")
    common.DEFAULT_MODEL_DIR = str(tmp_path)
    monkeypatch.setitem(sys.modules, "stanza", fake)
    monkeypatch.setitem(sys.modules, "stanza.resources", ModuleType("resources"))
    monkeypatch.setitem(sys.modules, "stanza.resources.common", common)
    return tmp_path


def test_stanza_is_called_as_documented(stanza):
    parser = load_parser("stanza", str(stanza / "en"))
    tree, empty, two = parser.parse(["a b", "", "c. d e."])
    assert tree.heads == (0, 1)
    assert tree.xpos == ("_", "_")
    assert empty == EMPTY
    assert two.heads == (0, 0, 2)
    options = parser._pipeline.options
    assert options["processors"] == "tokenize,mwt,pos,lemma,depparse"
    assert options["download_method"] is None
    assert (options["lang"], options["dir"]) == ("en", str(stanza))
    assert parser.signature.startswith("stanza-1.0/en-default@")
    assert parser.parse_words([["a.", "b"]])[0].forms == ("a.", "b")


def test_stanza_takes_names_and_words(stanza):
    parser = load_parser("stanza", "en/ewt", tokenize="none")
    assert parser.parse(["a. b"])[0].forms == ("a.", "b")
    assert parser._pipeline.options["processors"] == "tokenize,pos,lemma,depparse"
    assert parser._pipeline.options["package"] == "ewt"
    with pytest.raises(InputError, match=r"there is no folder .*depparse; fetch one"):
        load_parser("stanza", "de")
    with pytest.raises(InputError, match=r"Stanza cannot load it \(no such model\)"):
        load_parser("stanza", "xx")


def test_attachment_needs_the_same_words():
    flat = DependencyTree.flat
    with pytest.raises(
        InputError, match="sentence 1 has 2 words in the treebank but 1"
    ):
        attachment([(flat(["a"]), flat(["a", "b"]))])
    with pytest.raises(InputError, match="no words to compare"):
        attachment([])
    with pytest.raises(InputError, match="1 sentences; give at least two"):
        split_treebank(list(parse_conllu(treebank().split("\n")))[:1])
