# SPDX-License-Identifier: Apache-2.0
"""Methods paragraphs and BibTeX: everyone who is mentioned is in the bibliography."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import tertium
from tertium.cli import main
from tertium.metrics import metric_class
from tertium.metrics.papers import METHODS, PAPERS, papers
from tertium.records import cite, read_run


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def citation(*words):
    assert main([*words, "-q", "--record", "run.json"]) == 0
    return cite(read_run("run.json"))


def test_every_metric_has_papers_and_every_paper_a_use():
    assert set(PAPERS) == set(tertium.metric_names())
    assert {name for name, keys in PAPERS.items() if not keys} == {"external", "scores"}
    used = {key for keys in (*PAPERS.values(), *METHODS.values()) for key in keys}
    assert used == set(papers())


@pytest.mark.parametrize("name", [name for name, keys in PAPERS.items() if keys])
def test_papers_are_those_that_the_metric_names(name):
    """The fact `paper` is for people; a surname and a year of it must be cited."""
    fact = metric_class(name).paper
    first = papers()[PAPERS[name][0]]
    surname = first.fields["author"].partition(",")[0]
    assert surname in fact or surname in metric_class(name).equal_to, fact


@pytest.mark.parametrize("paper", papers().values(), ids=papers())
def test_entries_are_complete(paper):
    assert {"author", "title", "year"} <= set(paper.fields)
    assert set(paper.fields) & {"booktitle", "journal", "school"}
    assert re.fullmatch(r"\d{4}", paper.fields["year"])
    assert paper.fields["year"] in paper.key
    assert paper.bibtex.count("{") == paper.bibtex.count("}")
    for name in paper.fields["author"].split(" and "):
        assert ", " in name, name


def test_a_scored_test_set_is_described(capsys):
    result = citation(
        "score", "demo", "-m", "bleu", "chrf++", "--interval", "--data-hash"
    )
    assert result.text.startswith("We scored 4 systems on 60 segments (data hash ")
    for part in (
        "against 2 references per segment with Tertium",
        "using BLEU (Papineni et al., 2002; Post, 2018) and chrF2++ (Popović, 2017).",
        (
            "Confidence intervals (95 %) are percentiles of 1,000 bootstrap resamples "
            "of segments (Koehn, 2004). The seed of the random number generator was "
            "12345."
        ),
        "Signatures are BLEU: nrefs:2|bs:1000|seed:12345|data:",
        "The run is recorded in run.json",
    ):
        assert part in result.text, part
    assert list(result.bibtex) == [
        "tertium",
        "papineni-2002-bleu",
        "post-2018-call",
        "popovic-2017-chrf",
        "koehn-2004-statistical",
    ]
    assert f"version = {{{tertium.__version__}}}" in result.bibtex["tertium"]


def test_a_comparison_is_described(capsys):
    result = citation(
        "compare", "demo", "-m", "wer", "--test", "randomisation", "--correction", "bh",
        "--resamples", "100",
    )  # fmt: skip
    assert (
        "tested by paired approximate randomisation (Riezler and Maxwell, 2005) with "
        "100 random assignments; p-values were corrected for multiple comparisons by "
        "the Benjamini-Hochberg procedure (Benjamini and Hochberg, 1995). We call a "
        "difference significant if its p-value is below 0.05."
    ) in result.text
    assert "benjamini-1995-controlling" in result.bibtex


def test_a_correlation_names_its_test_set(capsys):
    words = ["correlate", "demo", "-m", "chrf", "--coef", "pearson", "--resamples", "0"]
    named = citation(*words, "--data-hash").text
    expected = "We correlated chrF2 (Popović, 2015) with human judgements (data hash "
    assert named.startswith(expected)
    assert "hash" not in citation(*words).text.partition("Tertium")[0]


def test_settings_bring_their_own_papers(capsys):
    Path("a.txt").write_text("a b\n")
    Path("a.conllu").write_text(
        "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n2\tb\tb\tX\t_\t_\t1\tdep\t_\t_\n\n"
    )
    result = citation(
        "score",
        "--ref-trees",
        "a.conllu",
        "-i",
        "a.txt",
        "-m",
        "dted:structure=projected",
    )
    assert "(McCaffery, 2017; Hwa et al., 2005)" in result.text


def test_other_verbs_are_described_by_their_command(capsys):
    Path("a.txt").write_text("a b c\n")
    result = citation("permute", "a.txt", "-d", "1")
    assert "with the command `tertium permute a.txt -d 1 -q`." in result.text


def test_formats(capsys):
    assert main(["score", "demo", "-m", "bleu", "--record", "run.json"]) == 0
    capsys.readouterr()
    assert main(["cite", "run.json"]) == 0
    both = capsys.readouterr().out
    assert main(["cite", "run.json", "-f", "text"]) == 0
    text = capsys.readouterr().out
    assert main(["cite", "run.json", "-f", "bibtex"]) == 0
    bibtex = capsys.readouterr().out
    assert both == f"{text}\n{bibtex}"
    assert main(["cite", "run.json", "-f", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["text"].split() == text.split()
    assert "\n\n".join(data["bibtex"].values()) + "\n" == bibtex


def test_records_of_strangers_are_cited_without_surprise(capsys):
    main(["score", "demo", "-m", "bleu", "--record", "run.json"])
    content = json.loads(Path("run.json").read_text())
    for data in (None, [], {}, {"metrics": []}, {"metrics": {"x": 1}, "systems": 3}):
        content["results"]["data"] = data
        content["options"] = {"metrics": 3, "coef": 1}
        for verb in ("score", "compare", "correlate", "other"):
            content["command"][0] = verb
            Path("run.json").write_text(json.dumps(content))
            assert main(["cite", "run.json"]) == 0
