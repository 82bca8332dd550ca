# SPDX-License-Identifier: Apache-2.0
"""Metrics over stored rankings in the verbs that score texts and n-best lists."""

from __future__ import annotations

import pytest

from tertium.cli import main
from tertium.judgements import Judgements, Place, Ranking, write_store

REFS = ["the old man left", "we met"]
LISTS = [
    "0 ||| the old man left ||| lm= -1 w= 3 ||| -1",
    "0 ||| an elderly man left ||| lm= -2 w= 4 ||| -2",
    "1 ||| us met ||| lm= -1 w= 2 ||| -1",
    "1 ||| we met ||| lm= -3 w= 3 ||| -3",
]


@pytest.fixture
def files(tmp_path, write_lines, monkeypatch):
    """Write a store, references, an output and n-best lists, and go there."""
    monkeypatch.chdir(tmp_path)

    def ranking(segment, part, best, other):
        places = Place(("A", "B"), 1, text=best), Place(("C",), 2, text=other)
        return Ranking(places, segment, part)

    judged = [
        ranking("1", "der alte Mann", "an elderly man", "the old man"),
        ranking("2", "wir", "we met", "us"),
    ]
    write_store(Judgements.from_iterable(judged), tmp_path / "store")
    write_lines("ref.txt", REFS)
    write_lines("out.txt", ["an elderly man left", "us met"])
    write_lines("list.nbest", LISTS)


def test_scores_have_bleu_beside_segranksbleu(files, run_json):
    spec = "segranksbleu:judgements=store"
    result = run_json("score", "-r", "ref.txt", "-i", "A=out.txt", "-m", spec)
    scores = {name: each["score"] for name, each in result["systems"]["A"].items()}
    assert list(scores) == [spec, "bleu"]
    assert scores[spec] > scores["bleu"]


def test_oracles_of_n_best_lists_follow_the_judgements(files, run_json):
    spec = "exactmatch:judgements=store"
    words = ["-n", "list.nbest", "-r", "ref.txt", "-m", spec]
    result = run_json("nbest", "oracle", *words)
    assert result["best"]["score"] == 1
    assert result["worst"]["score"] == 0


def test_weights_are_tuned_for_a_mean_with_bleu(files, run_json):
    spec = "mean:bleu*0.5+(exactmatch:judgements=store)*0.5"
    words = ["-n", "list.nbest", "-r", "ref.txt", "-m", spec, "--seed", "1"]
    result = run_json("tune", "batch", *words)
    assert result["final"]["score"] > result["start"]["score"]


def test_a_forgotten_store_is_named(files, capsys):
    words = ["score", "-r", "ref.txt", "-i", "out.txt", "-m", "exactmatch"]
    assert main(words) == 2
    assert "exactmatch:judgements=STORE" in capsys.readouterr().err
