# SPDX-License-Identifier: Apache-2.0
"""Training of reordering grammars."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from support.preordering import toy_corpus
from tertium.errors import FormatError, InputError
from tertium.preorder.grammar import UNKNOWN, Grammar, train_grammar

HERE = Path(__file__).parent
SMALL = {"splits": (3, 1), "iterations": 6, "unknown": 1}


def test_perplexity_falls_in_every_iteration():
    grammar = train_grammar(*toy_corpus(), **SMALL)
    log = grammar.settings["log"]
    values = [item["log_likelihood"] for item in log]
    assert values == sorted(values)
    assert [item["number"] for item in log] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("variant", ["left", "right", "itg", "pet"])
def test_slots_of_every_variant_are_distributions(variant):
    grammar = train_grammar(*toy_corpus(), variant=variant, **SMALL)
    mass = grammar.mass()
    assert grammar.root.sum() == pytest.approx(1)
    emitted = np.bincount(grammar.slot, grammar.value, len(mass))
    used = grammar.unary.sum(axis=1) + emitted > 0
    assert mass[used] == pytest.approx(1)
    assert used.sum() > 10


def test_rare_words_are_unknown_or_in_a_class_of_their_suffix():
    sentences, links = toy_corpus()
    plain = train_grammar(sentences, links, suffixes=0, **SMALL)
    assert plain.terminals[0] == UNKNOWN
    assert not any(t.startswith(" ") for t in plain.terminals[1:])
    assert plain.emissions("unheard").max() > 0
    classes = train_grammar(sentences, links, suffixes=3, **SMALL)
    assert " 0" in classes.terminals
    assert np.array_equal(classes.emissions("rare7"), classes.emissions("x2"))


def test_every_terminal_is_possible_in_every_slot():
    grammar = train_grammar(*toy_corpus(), **SMALL)
    assert grammar.emissions("books").min() > 0
    without = train_grammar(*toy_corpus(), floor=0.0, **SMALL)
    assert without.emissions("books").min() == 0


def test_the_seed_alone_decides():
    sentences, links = toy_corpus()
    one, same, other = (
        train_grammar(sentences, links, seed=seed, threads=threads, **SMALL)
        for seed, threads in ((1, 1), (1, 3), (2, 1))
    )
    assert np.array_equal(one.unary, same.unary)
    assert np.array_equal(one.value, same.value)
    assert not np.array_equal(one.unary, other.unary)


def test_training_stops_when_held_out_sentences_get_worse():
    sentences, links = toy_corpus()
    options = {**SMALL, "splits": (8, 1), "iterations": 200, "held_out": 4}
    grammar = train_grammar(sentences, links, patience=2, **options)
    values = [item["held_out"] for item in grammar.settings["log"]]
    assert len(values) < 200
    assert values.index(min(values)) == len(values) - 3


def test_a_checkpoint_continues_to_the_same_grammar(tmp_path):
    sentences, links = toy_corpus()
    options = {**SMALL, "held_out": 5, "patience": 9}
    straight = train_grammar(sentences, links, **options)
    file = tmp_path / "checkpoint"
    train_grammar(sentences, links, **{**options, "iterations": 2}, checkpoint=file)
    stages = []
    resumed = train_grammar(
        sentences,
        links,
        **options,
        checkpoint=file,
        progress=lambda what, done, total: stages.append((what, done, total)),
    )
    assert stages == [("iterations", i, 6) for i in range(2, 7)]
    straight.save(tmp_path / "straight")
    resumed.save(tmp_path / "resumed")
    assert (tmp_path / "straight").read_bytes() == (tmp_path / "resumed").read_bytes()


KILLED = """
import os, signal, sys
sys.path[:0] = {path!r}
from support.preordering import toy_corpus
from test_training import SMALL
from tertium.preorder.grammar import train_grammar

def die(what, done, total):
    if done == 3:
        os.kill(os.getpid(), signal.SIGKILL)

train_grammar(*toy_corpus(), **SMALL, checkpoint={file!r}, progress=die)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_killed_training_continues_to_the_same_grammar(tmp_path):
    file = str(tmp_path / "checkpoint")
    script = KILLED.format(path=[str(HERE), str(HERE.parents[1])], file=file)
    process = subprocess.run([sys.executable, "-c", script], check=False)
    assert process.returncode == -signal.SIGKILL
    resumed = train_grammar(*toy_corpus(), **SMALL, checkpoint=file)
    straight = train_grammar(*toy_corpus(), **SMALL)
    assert np.array_equal(resumed.unary, straight.unary)
    assert np.array_equal(resumed.value, straight.value)
    assert resumed.settings["log"] == straight.settings["log"]


def test_a_checkpoint_of_other_training_is_rejected(tmp_path):
    sentences, links = toy_corpus(20)
    file = tmp_path / "checkpoint"
    train_grammar(sentences, links, **SMALL, checkpoint=file)
    with pytest.raises(InputError, match="other sentences"):
        train_grammar(sentences, links, **SMALL, seed=1, checkpoint=file)
    file.write_bytes(b"nothing")
    with pytest.raises(FormatError, match="not a checkpoint"):
        train_grammar(sentences, links, **SMALL, checkpoint=file)


def test_sentences_that_cannot_be_used_are_counted():
    sentences = [s.split() for s in ("a b", "a b", "a", "", "a b c d", "a b c")]
    crossing = [(0, 1), (1, 3), (2, 0), (3, 2)]
    links = [[(0, 0), (1, 1)], [], [(0, 0)], [], crossing, [(0, 0), (2, 1)]]
    options = {**SMALL, "unknown": 0}  # d has no sentence left
    grammar = train_grammar(sentences, links, max_words=4, **options)
    assert grammar.terminals[-1] == "d"
    assert grammar.emissions("d").min() > 0
    assert grammar.settings["omitted"] == {"length": 2, "units": 1, "arity": 1}
    assert grammar.settings["sentences"] == 2


def test_a_trained_grammar_is_the_same_after_a_file(tmp_path):
    grammar = train_grammar(*toy_corpus(), **SMALL)
    grammar.save(tmp_path / "model")
    read = Grammar.load(tmp_path / "model")
    assert read.settings == grammar.settings
    assert np.array_equal(read.emissions("books"), grammar.emissions("books"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"splits": (0, 1)}, "splits"),
        ({"iterations": -1}, "iterations"),
        ({"held_out": 1}, "held_out"),
        ({"floor": 1.0}, "floor"),
        ({"variant": "tree"}, "variant"),
        ({"attach": "up"}, "attach"),
        ({"height": "middle"}, "height"),
        ({"prior": (0.1, 0.0)}, "prior"),
        ({"rounds": -1}, "rounds"),
        ({"max_words": 2}, "no sentence to learn from"),
    ],
)
def test_wrong_settings_are_rejected(options, message):
    with pytest.raises(InputError, match=message):
        train_grammar(*toy_corpus(10), **options)
