# SPDX-License-Identifier: Apache-2.0
"""``tertium judgements stats --composition`` and ``--people``."""

from __future__ import annotations

import json

import pytest

from tertium.cli import main
from tertium.judgements import read_store

TABLE = """\
system\tsegment\tjudge\tscore\tlangpair\tposition\tquestionnaire
A\t1\tada\t5\tde-en\t1\ta
A\t2\tada\t4\tde-en\t2\ta
A\t3\tbob\t2\tcs-en\t3\tb
A\t4\tbob\t1\tcs-en\t4\tb
"""
JUDGES = "judge\tage\tlanguages\nada\t34\tEnglish:native; German:fluent\n"


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Return a function that counts judgements: exit code, output, errors."""
    (tmp_path / "answers.tsv").write_text(TABLE)
    (tmp_path / "judges.tsv").write_text(JUDGES)
    monkeypatch.chdir(tmp_path)

    def runner(*arguments):
        try:
            code = main(["judgements", "stats", *arguments])
        except SystemExit as stop:
            code = stop.code
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return runner


def test_composition(run):
    code, out, _ = run("answers.tsv", "--composition")
    rows = [line.split() for line in out.splitlines()]
    assert code == 0
    assert ["score", "position", "1", "1", "5.00", "n/a"] in rows
    assert ["score", "questionnaire", "a", "2", "4.50", "0.71"] in rows
    assert ["score", "source", "cs", "2", "1.50", "0.71"] in rows
    assert ["score", "position", "rho", "4", "-1.000", "0.000"] in rows
    assert ["score", "questionnaire", "H", "4", "2.400", "0.121"] in rows


def test_composition_for_programs(run):
    _, out, _ = run("answers.tsv", "--composition", "-f", "tsv")
    rows = [line.split("\t") for line in out.splitlines()]
    assert {len(row) for row in rows} == {8}
    assert rows[0] == ["scale", "by", "part", "n", "mean", "deviation", "value", "p"]
    _, out, _ = run("answers.tsv", "--composition", "-f", "json")
    [result] = json.loads(out)["composition"]
    assert result["trend"] == {"statistic": -1.0, "p": 0.0, "n": 4}
    assert result["lengths"] is None


def test_lengths_of_a_test_set(run):
    code, out, _ = run("demo", "--composition", "--texts", "demo", "-f", "json")
    [result] = json.loads(out)["composition"]
    assert code == 0
    assert result["lengths"]["outputs"] == 46 * 4
    assert 0.5 < result["lengths"]["pearson"] < 1


def test_texts_are_of_one_language_pair(run):
    code, _, err = run("answers.tsv", "--composition", "--texts", "demo")
    assert code == 2
    assert "--only langpair=NAME" in err
    code, _, err = run("demo", "--texts", "demo")
    assert code == 2
    assert "--texts goes with --composition" in err


def test_people(run):
    code, out, _ = run("answers.tsv", "--people", "judges.tsv")
    rows = [line.split() for line in out.splitlines()]
    assert code == 0
    assert "ada    30-39  -          English (native), German (fluent)      11" in out
    assert ["bob", "-", "-", "-", "n/a"] in rows
    assert ["points", "11", "or", "more", "1", "2"] in rows
    _, out, _ = run("answers.tsv", "--people", "judges.tsv", "-f", "json")
    data = json.loads(out)
    assert data["judges"][0]["languages"] == {"English": "native", "German": "fluent"}
    assert data["judges"][0]["age"] == "30-39"  # never the age itself
    _, out, _ = run("answers.tsv", "--people", "judges.tsv", "-f", "csv")
    assert out.splitlines()[0] == "question,answer,judges,judgements"


def test_people_and_composition_are_apart(run):
    code, _, err = run("demo", "--composition", "--people", "judges.tsv")
    assert code == 2
    assert "not allowed with" in err


def test_export_on_one_scale(run, capsys):
    def export(how):
        arguments = ["judgements", "export", "answers.tsv", "-o", "-", "-q"]
        code = main([*arguments, "--format", "likert-tsv", "--normalise", how])
        return code, *capsys.readouterr()

    code, out, _ = export("likert")
    assert code == 0
    assert [row.split("\t")[3] for row in out.splitlines()[1:]] == (
        ["1.0", "0.75", "0.25", "0.0"]
    )
    for how, message in (
        ("likert=3", "not an integer from 1 to 3"),
        ("likert=x", "'x' is not an integer"),
        ("rank", "rank does not apply to 4 ratings"),
        ("stars", "normaliser"),
    ):
        code, _, err = export(how)
        assert code == 2
        assert message in err


def test_import_on_one_scale_is_what_export_gives(tmp_path, capsys):
    def run(*arguments):
        code = main(["judgements", *map(str, arguments)])
        return code, capsys.readouterr().err

    straight, around = tmp_path / "straight", tmp_path / "around"
    code, err = run("import", "demo", "-o", straight, "--normalise", "rank")
    assert code == 0
    assert "400 ratings left out: rank applies to rankings only" in err
    table = tmp_path / "scores.tsv"
    export = ["--format", "likert-tsv", "--normalise", "rank"]
    assert run("export", "demo", "-o", table, *export)[0] == 0
    assert run("import", table, "-o", around)[0] == 0
    results = [sorted(map(repr, read_store(s).iterate())) for s in (straight, around)]
    assert results[0] == results[1]
    assert len(results[0]) == 4 * 202
    assert 0 < min(r.score for r in read_store(straight).iterate()) < 1


def test_import_on_a_scale_that_does_not_fit_writes_nothing(
    tmp_path, capsys, write_lines
):
    path = write_lines("a.tsv", ["system\tsegment\tscore", "A\t1\t6", "B\t1\t2"])
    store = tmp_path / "store"
    for how, message in (
        ("likert", "not an integer from 1 to 5"),
        ("rank", "rank does not apply to 2 ratings"),
        ("stars", "normaliser"),
        ("likert=x", "'x' is not an integer"),
    ):
        call = ["judgements", "import", str(path), "-o", str(store)]
        assert main([*call, "--normalise", how]) == 2
        assert message in capsys.readouterr().err
        assert not store.exists()
    assert main([*call, "--normalise", "likert=6"]) == 0
    assert [r.score for r in read_store(store).iterate()] == [1.0, 0.2]
