# SPDX-License-Identifier: Apache-2.0
"""Folders of mt-metrics-eval in ``tertium score`` and ``tertium compare``."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

import tertium
from tertium.cli import main
from tertium.meta import MetricScores, read_mtme, write_mtme

REFS = [[f"this is sentence {i}", f"sentence {i} it is"] for i in range(30)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Write a folder with two references, which are also systems, and two systems."""
    monkeypatch.chdir(tmp_path)
    testset = tertium.Testset.build(
        REFS,
        {
            "bad": [f"these are words {i}" for i in range(30)],
            "good": [f"this is phrase {i}" for i in range(30)],
            "refA": [refs[0] for refs in REFS],
            "refB": [refs[1] for refs in REFS],
        },
        sources=[f"source {i}" for i in range(30)],
        docs=[f"doc {i // 10}" for i in range(30)],
        langpair="en-de",
        layers={"domain": ["news"] * 30},
    )
    write_mtme("mtme", testset)
    return "mtme"


@pytest.fixture
def judged(tmp_path, folder):
    """Write a folder with judgements and scores of systems, references included."""
    texts = read_mtme(folder)
    worth = {"bad": 1.0, "good": 2.0, "refA": 4.0, "refB": 3.0}
    segment = {s: {str(i + 1): x + i % 7 for i in range(30)} for s, x in worth.items()}
    human = MetricScores("mqm", {}, segment, langpair="en-de")
    write_mtme(
        "judged",
        texts.testset,
        scores=[replace(human, name="m-refA")],
        human={"mqm": human},
        references=texts.references,
    )
    return "judged"


@pytest.fixture
def run(capsys):
    def go(*arguments):
        code = main(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return go


@pytest.mark.parametrize("place", [["--mtme", "mtme"], ["mtme"]])
@pytest.mark.parametrize("langpair", [["-l", "en-de"], []])
def test_a_folder_is_scored_against_its_first_reference(place, langpair, folder, run):
    _, out, err = run("score", *place, *langpair, "-m", "wer", "-f", "json")
    data = json.loads(out)
    wer = tertium.metric("wer")
    first = [refs[0] for refs in REFS]
    good = [f"this is phrase {i}" for i in range(30)]
    assert data["systems"]["good"]["wer"]["score"] == wer.corpus_score(good, first)
    assert data["metrics"]["wer"]["signature"].startswith("nrefs:1|")
    assert "metrics use the reference refA; others are refB (--reference)" in err


def test_references_are_not_compared_as_systems(folder, run):
    _, out, err = run("compare", "--mtme", folder, "-l", "en-de", "-m", "wer")
    assert "refA" not in out
    assert out.index("good") < out.index("bad")
    assert "left out of the systems, as references: refA, refB" in err


def test_another_reference_can_be_chosen(folder, run):
    scores = [
        json.loads(run("score", folder, "-m", "wer", "-f", "json", *choice)[1])
        for choice in (["--reference", "refA"], ["--reference", "refB"])
    ]
    first, second = (one["systems"]["good"]["wer"]["score"] for one in scores)
    assert first < second


def test_documents_of_a_folder_are_known(folder, run):
    _, out, _ = run("score", folder, "-m", "wer", "--documents", "-f", "json")
    documents = json.loads(out)["systems"]["good"]["wer"]["documents"]
    assert list(documents) == ["doc 0", "doc 1", "doc 2"]


def test_missing_translations_are_empty_and_counted(folder, run):
    """mt-metrics-eval has a line for them in place of a translation."""
    for path, numbers in (
        ("system-outputs/en-de/good.txt", (0, 7)),
        ("references/en-de.refB.txt", (3,)),
    ):
        file = Path(folder, path)
        lines = file.read_text(encoding="utf-8").splitlines()
        for number in numbers:
            lines[number] = "[No translation supplied]"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    testset = tertium.read(folder, langpair="en-de")
    good = testset.systems["good"]
    assert [good[0], good[1], good[7]] == ["", "this is phrase 1", ""]
    _, _, err = run("score", folder, "-m", "wer")
    assert "translations are missing, and empty here: good (2), refB (1)" in err


def test_a_folder_is_read_by_the_library(folder):
    testset = tertium.read(folder, langpair="en-de")
    assert list(testset.systems) == ["bad", "good"]
    assert testset.references[0] == (REFS[0][0],)
    assert testset.langpair == "en-de"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--mtme mtme -l de-en", "no language pair de-en; there are en-de"),
        ("--mtme mtme -i a.txt", "--mtme brings everything; omit -i"),
        ("--mtme elsewhere", "elsewhere is not a folder of mt-metrics-eval"),
        ("demo --reference refA", "demo is not a folder of mt-metrics-eval"),
        ("mtme --reference refC", "no reference refC; there are refA, refB"),
    ],
)
def test_wrong_choices_are_named(arguments, message, folder, run):
    code, _, err = run("score", *arguments.split(), "-m", "wer")
    assert code == 2
    assert message in err


def test_several_language_pairs_must_be_chosen_from(folder, run, tmp_path):
    (tmp_path / "mtme" / "sources" / "en-ru.txt").write_text("x\n")
    code, _, err = run("score", folder, "-m", "wer")
    assert code == 2
    assert "more than one language pair: en-de, en-ru; name one" in err
    assert "such as en-de (--langpair)" in err


def test_files_of_different_length_are_named(folder, run, tmp_path):
    (tmp_path / "mtme" / "system-outputs" / "en-de" / "bad.txt").write_text("x\n")
    code, _, err = run("score", folder, "-m", "wer")
    assert code == 2
    assert "bad" in err
    assert "30" in err


@pytest.mark.wmt
def test_scores_of_wmt23_are_the_official_ones(wmt_data, run):
    folder = wmt_data / "wmt23-mtme"
    _, out, _ = run("score", str(folder), "-l", "en-de", "-m", "chrf", "-f", "json")
    ours = json.loads(out)["systems"]
    path = folder / "metric-scores" / "en-de" / "chrF-refA.sys.score.gz"
    rows = gzip.decompress(path.read_bytes()).decode().splitlines()
    official = dict(row.split("\t") for row in rows)
    assert set(ours) == set(official) - {"refA", "synthetic_ref"}
    for name, scores in ours.items():
        assert scores["chrf"]["score"] == pytest.approx(float(official[name]), abs=1e-4)


def test_references_of_a_folder_are_not_called_unjudged(judged, run):
    arguments = ["-l", "en-de", "--resamples", "0", "--no-probes"]
    code, _, err = run("correlate", "--mtme", judged, *arguments)
    assert code == 0
    assert "left out of the systems, as references: refA, refB" in err
    assert "not judged" not in err


def test_directions_of_a_folder_are_those_that_are_named(judged, run):
    """Scores of a folder rise, whatever their metric is called."""
    folder = read_mtme(judged)
    human = folder.human["mqm"]
    write_mtme(
        "named",
        folder.testset,
        scores=[replace(human, name="TER-refA")],
        human={"mqm": human},
        references=folder.references,
    )

    def pearson(*flags):
        arguments = ["-l", "en-de", "--resamples", "0", "--no-probes", "-f", "json"]
        arguments += ["--coef", "pearson", *flags]
        code, out, err = run("correlate", "--mtme", "named", *arguments)
        assert code == 0
        assert "taken to fall" not in err
        (row,) = json.loads(out)["correlations"]
        return row["value"]

    assert pearson() == pytest.approx(1)
    assert pearson("--higher-is-better", "TER-refA") == pytest.approx(1)
    assert pearson("--lower-is-better", "TER-refA") == pytest.approx(-1)
    both = ["--higher-is-better", "TER-refA", "--lower-is-better", "TER-refA"]
    code, _, err = run("correlate", "--mtme", "named", "-l", "en-de", *both)
    assert code == 2
    assert "TER-refA cannot both fall and rise" in err
    code, _, err = run(
        "correlate", "--mtme", "named", "-l", "en-de", "--higher-is-better", "x"
    )
    assert code == 2
    assert "x" in err
