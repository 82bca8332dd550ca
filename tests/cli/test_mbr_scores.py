# SPDX-License-Identifier: Apache-2.0
"""``tertium mbr --scores``: shortlists by scores of another program."""

from __future__ import annotations

import json

import pytest

from tertium.cli import main

LISTS = [
    ("0", ["a b c", "a b d", "x y z", "a b"]),
    ("1", ["one two", "one", "three four"]),
]
SCORES = [0.1, 0.2, 0.9, 0.3, 0.5, 0.6, 0.7]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [
        json.dumps({"id": name, "hyps": [{"text": text} for text in texts]})
        for name, texts in LISTS
    ]
    (tmp_path / "list.jsonl").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "qe.txt").write_text("".join(f"{score}\n" for score in SCORES))


def run(capsys, *words):
    code = main(["mbr", "-n", "list.jsonl", "-m", "chrf", "-f", "json", *words])
    out = capsys.readouterr()
    return json.loads(out.out) if code == 0 else out.err


def best(result):
    return [
        (each["hypotheses"], [(p["index"], p["text"]) for p in each["best"]])
        for each in result["lists"]
    ]


def test_only_the_shortlist_is_chosen_from(capsys):
    result = run(capsys, "--scores", "qe.txt", "--keep", "1")
    assert best(result) == [(4, [(2, "x y z")]), (3, [(2, "three four")])]
    result = run(capsys, "--scores", "qe.txt", "--keep", "2", "--top", "2")
    assert [{i for i, _ in picks} for _, picks in best(result)] == [{2, 3}, {1, 2}]
    # All hypotheses stay pseudo-references, so the one near others wins.
    assert best(result)[0][1][0] == (3, "a b")


def test_a_shortlist_of_everything_changes_nothing(capsys):
    plain = run(capsys)
    assert run(capsys, "--scores", "qe.txt", "--keep", "9")["lists"] == plain["lists"]


def test_error_scores_keep_the_lowest(capsys):
    words = ["--scores", "qe.txt", "--keep", "1"]
    low = [(4, [(0, "a b c")]), (3, [(0, "one two")])]
    assert best(run(capsys, *words, "--lower-is-better", "qe")) == low
    error = ["--scores", "MetricX=qe.txt", "--keep", "1"]
    assert best(run(capsys, *error)) == low
    high = best(run(capsys, *words))
    assert best(run(capsys, *error, "--higher-is-better", "MetricX")) == high != low


def test_output_of_metricx_and_weights(capsys, tmp_path):
    lines = [json.dumps({"prediction": score}) + "\n" for score in SCORES]
    (tmp_path / "out.jsonl").write_text("".join(lines))
    result = run(capsys, "--scores", "p=out.jsonl", "--utility-weights", "p")
    assert result["utility_weights"] == "p"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--keep 2", "--keep is about --scores"),
        ("--scores qe.txt", "add --keep N, or --utility-weights qe"),
        ("--scores a=qe.txt b=qe.txt --keep 1", "--keep needs one file of scores"),
        ("--scores few.txt --keep 1", "few has 1 score, and the lists have 7"),
        ("--scores qe.txt --keep 1 --lower-is-better x", "no scores called x"),
        ("--scores qe.txt --keep 1 --higher-is-better x", "no scores called x"),
        (
            "--scores qe.txt --keep 1 --lower-is-better qe --higher-is-better qe",
            "qe cannot both fall and rise",
        ),
        ("--scores two.tsv --keep 1", "several metrics or systems"),
    ],
)
def test_wrong_options_say_so(capsys, tmp_path, words, message):
    (tmp_path / "few.txt").write_text("1\n")
    (tmp_path / "two.tsv").write_text("score\tsegment\tmetric\n1\t1\ta\n2\t1\tb\n")
    assert message in run(capsys, *words.split())
