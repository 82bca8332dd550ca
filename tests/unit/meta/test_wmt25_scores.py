# SPDX-License-Identifier: Apache-2.0
"""Automatic scores of WMT 2025."""

from __future__ import annotations

import gzip
import json

import pytest

from tertium.cli import main
from tertium.data import read
from tertium.errors import FormatError
from tertium.meta.files.scores import read_scores


def line(document, scores, *, domain="news"):
    return {
        "language_pair": "en-is_IS",
        "domain": domain,
        "document_id": document,
        "metric_scores": scores,
    }


def write(path, *rows):
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_paragraphs_are_segments_of_the_document(tmp_path):
    path = write(
        tmp_path / "wmt25.automatic-scores.Sys-1.jsonl",
        line("a", {"X": [1, 2.5], "Y": [0.25, 0.5]}),
        line("b", {"X": [3], "Y": [0.75]}, domain="speech"),
    )
    x, y = sorted(read_scores([path]), key=lambda scores: scores.name)
    assert (x.name, y.name, x.langpair) == ("X", "Y", "en-is")
    assert x.segment == {
        "Sys-1": {
            "en-is_IS_#_news_#_a:1": 1,
            "en-is_IS_#_news_#_a:2": 2.5,
            "en-is_IS_#_speech_#_vid_b:1": 3,
        }
    }
    (only,) = {*read_scores([f"B={path}"])[0].segment}
    assert only == "B"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (line("a", {"X": [1], "Y": [1, 2]}), "X has 1 scores and Y 2"),
        (line("a", {"X": 1}), "metric_scores is not an object of lists"),
        (line("a", {}), "metric_scores is not an object of lists"),
        (line("a", {"X": ["?"]}), "is not a score"),
        (line("", {"X": [1]}), "no document_id"),
        (line("z", {"X": [1]}), "is on line 1 already"),
    ],
)
def test_wrong_lines_are_named(row, message, tmp_path):
    path = write(tmp_path / "A.jsonl", line("z", {"X": [1]}), row)
    with pytest.raises(FormatError, match=message) as caught:
        read_scores([path])
    assert "A.jsonl:2" in str(caught.value)


def humeval(document, scores):
    texts = dict.fromkeys(scores, "Eitt.")
    values = {name: {"human1": score, "errors1": []} for name, score in scores.items()}
    return {"doc_id": document, "src_text": "a", "tgt_text": texts, "scores": values}


def test_they_correlate_with_judgements_of_wmt25(tmp_path, capsys):
    points = {"A": [10, 20, 90], "B": [50, 60, 70], "C": [80, 95, 99]}
    files = [
        write(
            tmp_path / f"automatic-scores.{name}.jsonl",
            line("d", {"X": [value / 100 for value in values]}),
        )
        for name, values in points.items()
    ]
    human = write(
        tmp_path / "humeval.jsonl",
        *(
            humeval("en-is_IS_#_news_#_d", {name: points[name][k] for name in points})
            for k in range(3)
        ),
    )
    command = ["correlate", "-q", "--judgements", str(human), "-f", "json"]
    assert main([*command, "--scores", *map(str, files)]) == 0
    result = json.loads(capsys.readouterr().out)
    values = {
        one["coefficient"]: (one["value"], one["n"])
        for one in result["correlations"]
        if one["metric"] == "X"
    }
    assert values["pearson:none"] == (pytest.approx(1), 9)


@pytest.mark.wmt
@pytest.mark.parametrize("system", ["AMI", "Erlendur"])
def test_published_scores_fit_the_paragraphs_of_outputs(system, wmt_data):
    path = wmt_data / "formats" / f"wmt25.automatic-scores.{system}.jsonl.gz"
    scores = read_scores([path])
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(row) for row in file]
    assert {one.name for one in scores} == set(rows[0]["metric_scores"])
    output = wmt_data / "formats" / f"wmt25.system.{system}.jsonl.gz"
    testset = read(systems={system: output})
    for one in scores:
        assert one.langpair == "en-is"
        assert set(one.segment) == {system}
        assert set(one.segment[system]) == set(testset.ids)
        total = sum(sum(row["metric_scores"][one.name]) for row in rows)
        assert sum(one.segment[system].values()) == pytest.approx(total)


@pytest.mark.wmt
def test_published_scores_stand_beside_our_metrics(wmt_data, capsys):
    folder = wmt_data / "formats"
    command = ["score", "-r", str(folder / "wmt25.system.AMI.jsonl.gz"), "-q"]
    command += ["-i", f"Erlendur={folder / 'wmt25.system.Erlendur.jsonl.gz'}"]
    path = folder / "wmt25.automatic-scores.Erlendur.jsonl.gz"
    assert main([*command, "--scores", str(path), "-m", "chrf", "-f", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)["systems"]["Erlendur"]
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(row) for row in file]
    values = [score for row in rows for score in row["metric_scores"]["XCOMET-XL"]]
    (xcomet,) = [one for spec, one in shown.items() if "XCOMET-XL" in spec]
    assert xcomet["score"] == pytest.approx(sum(values) / len(values))
