# SPDX-License-Identifier: Apache-2.0
"""Whether metrics read the layers of a test set, before it is read."""

from __future__ import annotations

import pytest

from tertium.data import TestsetFiles
from tertium.engine import check_layers, open_testset, score_stream
from tertium.engine.inputs import as_metrics
from tertium.engine.layers import check_sets, metric_parts
from tertium.errors import InputError

TEXTS = {"references": "ref.txt", "systems": {"A": "a.txt"}}


@pytest.mark.parametrize(
    ("layers", "metric", "message", "argument"),
    [
        ({"alignments": "a.links"}, "bleu", "none of bleu reads word", "alignments"),
        ({"trees": "a.conllu"}, "chrf", "reads trees; omit trees", "trees"),
        ({"ref_trees": "r.conllu"}, "chrf", "omit ref_trees", "ref_trees"),
        ({"sets": "a.refs"}, "bleu", "reads reference sets; omit sets", "sets"),
    ],
)
def test_a_layer_that_no_metric_reads_is_rejected(layers, metric, message, argument):
    files = TestsetFiles(**TEXTS, **layers)
    with pytest.raises(InputError, match=message) as caught:
        check_layers(files, as_metrics(metric))
    assert caught.value.options == (argument,)


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ({}, "splits texts by 13a and link-tau by none; set the same tokenize"),
        ({"trees": "a.conllu"}, "does not read; score it in a run without trees"),
    ],
)
def test_links_count_the_words_of_the_metric(layers, message):
    files = TestsetFiles(**TEXTS, alignments="a.links", **layers)
    specs = ["meteor", "dted"] if layers else ["link-tau:tokenize=13a", "link-tau"]
    with pytest.raises(InputError, match=message):
        check_layers(files, as_metrics(specs))


def test_trees_that_bring_the_texts_need_no_metric_that_reads_them():
    files = TestsetFiles(trees={"A": "a.conllu"}, ref_trees="r.conllu")
    assert check_layers(files, as_metrics("bleu")) == []


def test_sets_that_bring_the_references_are_noted():
    files = TestsetFiles(systems={"A": "a.txt"}, sets="a.refs")
    (note,) = check_layers(files, as_metrics(["bleu", "chrf"]))
    assert note.code == "unread-sets"
    assert "none of bleu, chrf reads reference sets" in str(note)
    assert check_sets(as_metrics("evalgen").values(), has_references=True) == []


def test_a_mean_reads_what_its_parts_read():
    (mean,) = as_metrics("mean:pef+chrf").values()
    assert [part.spec for part in metric_parts(mean)] == ["pef", "chrf"]


def test_a_test_set_is_opened_for_metrics_and_its_notes_are_passed_on(
    write_lines, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    write_lines("a.txt", ["a cat"])
    write_lines("a.refs", ["{a|the} cat"])
    notes = []
    files = TestsetFiles(systems={"A": "a.txt"}, sets="a.refs")
    chunks = open_testset(files, metrics="wer", on_note=notes.append)
    assert score_stream(chunks, metrics="wer")["A"]["wer"].score == 0
    assert [note.code for note in notes] == ["unread-sets"]
