# SPDX-License-Identifier: Apache-2.0
"""``tertium report``: one page or one JSON object on all systems."""

from __future__ import annotations

import json
import os
import re
import sys
import webbrowser
import zipfile
from pathlib import Path

import pytest

import tertium
from support.html_pages import ParsedPage
from support.report_systems import texts
from tertium.cli import main

GOLDEN = Path(__file__).parent / "golden" / "report.json"


@pytest.fixture
def files(tmp_path, monkeypatch, write_lines):
    """Write the test set as text files, and return the arguments that name it."""
    monkeypatch.chdir(tmp_path)
    testset = texts()
    write_lines("src.txt", testset.sources)
    write_lines("ref.txt", [refs[0] for refs in testset.references])
    write_lines("docs.txt", testset.docs)
    for name, lines in testset.systems.items():
        write_lines(f"{name}.txt", lines)
    names = [f"{name}={name}.txt" for name in testset.systems]
    texts_named = ["-s", "src.txt", "-r", "ref.txt", "-i", *names]
    few = ["-m", "chrf", "ter", "--resamples", "200", "-q"]
    return ["report", *texts_named, "--docs", "docs.txt", "-l", "de-en", *few]


def read_json(capsys, *arguments: str) -> dict:
    assert main([*arguments, "-f", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def rounded(value):
    """Return a value with six digits after the point, as far as machines agree."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return [rounded(item) for item in value] if isinstance(value, list) else value


def test_json_is_as_it_was(files, capsys):
    """A golden file; TERTIUM_UPDATE_GOLDEN=1 writes it anew: then look at it."""
    result = read_json(capsys, *files, "-j", "1")
    text = json.dumps(rounded(result), ensure_ascii=False, indent=1)
    text = f"{text.replace(tertium.__version__, 'VERSION')}\n"
    if os.environ.get("TERTIUM_UPDATE_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert json.loads(text) == json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_json_is_that_of_the_library_and_starts_like_compare(files, capsys):
    exact = ("--test", "randomisation")  # The bootstrap has too few segments.
    result = read_json(capsys, *files, *exact)
    library = tertium.report(
        texts(), metrics=["chrf", "ter"], resamples=200, test="randomisation"
    )
    assert result == json.loads(library.to_json())
    compared = read_json(capsys, "compare", *files[1:], *exact)
    scored = tertium.score(texts(), metrics=["chrf", "ter"], segments=True)
    for name, scores in result["systems"].items():
        for spec, score in scores.items():
            segments = score.pop("segments")
            assert segments == pytest.approx(scored[name][spec].segments)
            assert compared["systems"][name][spec].pop("segments") is None
    assert {key: result[key] for key in compared} == compared


def test_the_demo_becomes_a_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["report", "demo", "-o", "report.html"]) == 0
    message = capsys.readouterr().err
    assert "the report is in report.html" in message
    assert "language" not in message
    page = ParsedPage(Path("report.html").read_text(encoding="utf-8"))
    assert "good is significantly better than every other system" in page.words
    assert page.tables["Scores and clusters"][1][0] == "good"
    headings = ["systems", "where", "differences", "outputs", "metrics", "how"]
    assert [a["id"] for tag, a in page.elements if tag == "section"] == headings


@pytest.mark.parametrize("by", ["extension", "option"])
def test_files_have_the_format_of_their_extension_or_the_chosen_one(files, by):
    def written(kind):
        path = f"x.{kind}" if by == "extension" else "x"
        options = [] if by == "extension" else ["-f", kind]
        assert main([*files, "-o", path, *options]) == 0
        return Path(path)

    assert json.loads(written("json").read_text(encoding="utf-8"))["focus"]
    assert written("html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    rows = written("csv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "kind,label,segments,metric,system,score,low,high"
    assert any(row.startswith("document,travel,5,ter,Birch,") for row in rows)
    book = zipfile.ZipFile(written("xlsx")).read("xl/workbook.xml").decode()
    names = re.findall('<sheet name="([^"]*)"', book)
    assert names == ["systems", "pairs", "metrics", "run", "groups", "outputs"]


def test_a_page_may_have_any_name_that_promises_nothing_else(files):
    for name in ("report.2026-11-19", "page.html.old", "page"):
        assert main([*files, "-o", name]) == 0
        assert Path(name).read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_page_is_never_written_to_a_file_of_another_kind(files, capsys):
    assert main([*files, "-o", "report.txt"]) == 2
    message = capsys.readouterr().err
    assert "not written as .txt; name a file that ends in .html, .json, .csv" in message
    assert not Path("report.txt").exists()
    assert main([*files, "-f", "xlsx"]) == 2
    assert "an Excel workbook needs a file" in capsys.readouterr().err
    assert main([*files, "-f", "csv"]) == 0
    assert capsys.readouterr().out.startswith("kind,label,segments")


@pytest.mark.parametrize(
    ("options", "language"),
    [([], "de"), (["--language", "en"], "en"), (["-l", "de-en"], "en")],
)
def test_the_demo_is_german_unless_a_language_is_named(capsys, options, language):
    result = read_json(capsys, "report", "demo", "--resamples", "20", *options)
    assert result["language"] == language


def test_a_hopeless_test_is_a_caution(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert (
        main(["report", "demo", "-o", "report.html", "--resamples", "100", "-q"]) == 0
    )
    page = ParsedPage(Path("report.html").read_text(encoding="utf-8"))
    assert "No metric separates good from words, copy and order" in page.words
    assert "100 resamples" in page.words


def test_focus_tags_training_and_language_are_used(files, capsys, write_lines):
    write_lines("genre.txt", ["home"] * 7 + ["away"] * 7)
    rows = [f"{'abc'[number % 3]},{number % 2}" for number in range(14)]
    write_lines("more.csv", ["letter,parity", *rows])
    write_lines("train.txt", [refs[0] for refs in texts().references[:6]])
    options = ["--focus", "Birch", "Cedar", "--training", "train.txt"]
    tags = ["--tags", "topic=genre.txt", "more.csv", "--language", "en"]
    result = read_json(capsys, *files, *options, *tags)
    assert result["focus"] == ["Birch", "Cedar"]
    kinds = {bucket["kind"] for bucket in result["buckets"]}
    assert {"topic", "letter", "parity", "document", "unseen words"} <= kinds
    sizes = [b["segments"] for b in result["buckets"] if b["kind"] == "letter"]
    assert sizes == [5, 5, 4]
    assert sum(e["counts"]["Birch"] for e in result["errors"][:1]) > 0


def test_a_page_is_opened_on_request(files, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    assert main([*files, "-o", "report.html", "--open"]) == 0
    assert opened == [Path("report.html").resolve().as_uri()]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--open"], "--open needs a file; write it to one with -o report.html"),
        (["-f", "json", "--open"], "--open shows a page; omit it with -f json"),
        (["--focus", "Alder", "Elm"], "unknown system 'Elm'"),
        (["--focus", "Alder", "Alder"], "the systems in focus are the same"),
        (["--tags", "src.txt", "src=ref.txt"], "two kinds of tags are called 'src'"),
        (["--tags", "short.txt"], "short.txt has 1 tags for 14 segments"),
        (["--tags", "bad.tsv"], "bad.tsv:2: 1 values for 2 columns"),
        (["--tags", "twice.csv"], "twice.csv:1: the header is incomplete"),
        (["--tags", "none.txt"], "none.txt"),
        (["--training", "none.txt"], "none.txt"),
        (["-o", "missing/report.html"], "missing"),
    ],
)
def test_mistakes_are_named(files, options, message, capsys, write_lines):
    write_lines("short.txt", ["a"])
    write_lines("bad.tsv", ["one\ttwo", "x"])
    write_lines("twice.csv", ["one,one", "x,y"])
    output = [] if "-o" in options or "--open" in options else ["-o", "report.html"]
    assert main([*files, *options, *output]) == 2
    assert message in capsys.readouterr().err
    assert not Path("report.html").exists()


def test_a_terminal_gets_no_page(files, monkeypatch, capsys):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(files) == 2
    assert "a page is not for a terminal" in capsys.readouterr().err


def test_one_system_is_not_enough(files, capsys):
    command = ["report", "-r", "ref.txt", "-i", "A=Alder.txt", "-o", "report.html"]
    assert main(command) == 2
    assert "needs two systems or more, not 1" in capsys.readouterr().err


def test_scores_of_a_file_do_not_replace_references(files, capsys, write_lines):
    rows = [f"{name}\t{n}\t0.5" for name in ("A", "B") for n in range(1, 15)]
    write_lines("m.tsv", ["system\tsegment\tscore", *rows])
    command = ["report", "-s", "src.txt", "-i", "A=Alder.txt", "B=Birch.txt"]
    assert main([*command, "-m", "scores:file=m.tsv", "-f", "json"]) == 2
    error = capsys.readouterr().err
    assert "there are no references, and a report counts errors" in error
    assert "`tertium compare`" in error
