# SPDX-License-Identifier: Apache-2.0
"""The first lines people type: habits from elsewhere, tables as they come."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tertium
from tertium.cli import main


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Run in an empty folder, so that `demo` is the bundled set."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def files(write_lines):
    """Write a reference and an output."""
    write_lines("ref.txt", ["the cat sat on the mat", "a dog barked at night"])
    write_lines("out.txt", ["the cat sat on a mat", "a dog barked"])


@pytest.fixture
def table(write_lines):
    """Write a table with columns that are not systems."""
    rows = [
        "LP source translation reference HUMAN_score sentBLEU",
        "cs-en jedna one one -1.8 0.14",
        "cs-en dva pair two 0.3 1e-3",
        "cs-en tři three three 0 1",
    ]
    return str(write_lines("da.tsv", [row.replace(" ", "\t") for row in rows]))


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def systems(capsys, *arguments: str) -> list[str]:
    code, out, err = run(capsys, *arguments, "-f", "json")
    assert code == 0, err
    return list(json.loads(out)["systems"])


# --------------------------------------------------- columns that are not systems


def test_score_leaves_out_columns_that_are_not_systems(table, capsys):
    code, out, err = run(capsys, "score", table, "-m", "bleu", "-f", "json")
    assert code == 0
    assert list(json.loads(out)["systems"]) == ["translation"]
    assert err == (
        "tertium: not read as systems: 'LP' (metadata by its name), 'HUMAN_score' "
        "(numbers only), 'sentBLEU' (numbers only); to read every column as a system, "
        "add --systems-columns translation LP HUMAN_score sentBLEU\n"
    )


def test_the_line_in_the_note_brings_all_columns_back(table, capsys):
    _, _, err = run(capsys, "score", table, "-m", "bleu")
    flags = err.split("add ")[1].split()
    result = systems(capsys, "score", table, "-m", "bleu", *flags)
    assert sorted(result) == ["HUMAN_score", "LP", "sentBLEU", "translation"]
    assert run(capsys, "score", table, *flags)[2] == ""


def test_systems_columns_may_be_followed_by_the_test_set(table, capsys):
    result = systems(capsys, "score", "--systems-columns", "translation", table)
    assert result == ["translation"]


def test_quiet_verbs_do_not_report_columns(table, capsys):
    assert run(capsys, "score", table, "-q")[2] == ""


@pytest.mark.parametrize("verb", ["check", "convert", "explain", "compare"])
def test_every_verb_reports_columns_once(table, capsys, verb):
    more = ["-o", "x.jsonl"] if verb == "convert" else []
    _, _, err = run(capsys, verb, table, *more)
    assert err.count("not read as systems: 'LP'") == 1


def test_metrics_that_read_twice_report_columns_once(table, capsys):
    _, _, err = run(capsys, "score", table, "-m", "nist")
    assert err.count("not read as systems") == 1


def test_correlate_and_train_report_columns(write_lines, capsys):
    demo = tertium.read("demo")
    rows = ["\t".join(["id", "ref", "LP", *demo.systems])]
    for i, refs in enumerate(demo.references):
        outputs = [system[i] for system in demo.systems.values()]
        rows.append("\t".join([demo.ids[i], refs[0], "en-de", *outputs]))
    write_lines("en-de.tsv", rows)
    files = ["en-de.tsv", "-J", "demo"]
    code, _, err = run(capsys, "correlate", *files, "--gold", "rankings", "-m", "bleu")
    assert (code, err.count("not read as systems: 'LP'")) == (0, 1)
    kept = ["--systems-columns", *demo.systems]
    _, _, err = run(capsys, "correlate", *files, "-m", "bleu", *kept)
    assert "not read" not in err
    _, _, err = run(capsys, "train", "-t", *files, "-o", "m.json", "--valid", "none")
    assert err.count("not read as systems: 'LP'") == 1


def test_converting_keeps_columns_as_layers(table, capsys):
    assert run(capsys, "convert", table, "-o", "x.tsv")[0] == 0
    head = Path("x.tsv").read_text().splitlines()[0]
    assert head.split("\t") == [
        "src",
        "ref",
        "layer:LP",
        "layer:HUMAN_score",
        "layer:sentBLEU",
        "translation",
    ]


@pytest.mark.wmt
def test_scores_of_wmt17_are_not_systems(wmt_data, capsys):
    file = wmt_data / "wmt17" / "daseg560.cs-en.tsv.gz"
    assert systems(capsys, "score", str(file), "-m", "bleu") == ["translation"]


@pytest.mark.wmt
def test_systems_of_wmt_are_all_systems(wmt_data):
    files = [*wmt_data.glob("wmt1[4-7]/??-??.tsv.gz")]
    assert len(files) >= 20
    for file in files:
        chunk = next(tertium.data.stream(file))
        assert chunk.notes == (), file


# -------------------------------------------------------------------- segment ids


@pytest.mark.parametrize("verb", ["score", "compare", "convert"])
def test_repeated_ids_are_reported(write_lines, capsys, verb):
    rows = ["id ref A B", "1 a b b", "1 b c c", "2 x x x", "1 q q q"]
    write_lines("a.tsv", [row.replace(" ", "\t") for row in rows])
    more = ["-o", "x.jsonl"] if verb == "convert" else []
    _, _, err = run(capsys, verb, "a.tsv", *more)
    assert "repeated segment ids: 2 (first: segment 2 has the id of segment 1)" in err


def test_ids_may_start_anew_in_every_document(write_lines, capsys):
    rows = ["id doc ref A", "1 x a b", "1 y b c"]
    write_lines("a.tsv", [row.replace(" ", "\t") for row in rows])
    assert run(capsys, "score", "a.tsv")[2] == ""
    assert "ids" not in run(capsys, "check", "a.tsv")[1]


def test_check_lists_repeated_ids(write_lines, capsys):
    rows = ["id ref A", "1 a b", "2 b c", "1 x x"]
    write_lines("a.tsv", [row.replace(" ", "\t") for row in rows])
    _, out, err = run(capsys, "check", "a.tsv", "--only", "ids", "-f", "json")
    (result,) = json.loads(out)["findings"]
    assert result["severity"] == "warning"
    assert result["examples"] == [3]
    assert "'1' of segment 1" in result["message"]
    assert "repeated segment ids" not in err


# ------------------------------------------------------------------------- habits


@pytest.mark.parametrize(
    ("habit", "meant"),
    [
        ("score -m bleu demo", "score demo -m bleu"),
        ("score -m bleu chrf demo -f json", "score demo -m bleu chrf -f json"),
        ("score ref.txt -i out.txt", "score -r ref.txt -i out.txt"),
        ("score out.txt -r ref.txt", "score -r ref.txt -i out.txt"),
        ("compare -m bleu demo -q", "compare demo -m bleu -q"),
        ("explain --segments 3 --all --system good demo",
         "explain demo --segments 3 --all --system good"),
        ("explain --segments 3 -m bleu demo", "explain demo --segments 3 -m bleu"),
        ("correlate -m bleu chrf demo", "correlate demo -m bleu chrf"),
        ("correlate -m bleu --coef pearson demo",
         "correlate demo -m bleu --coef pearson"),
        ("check --only duplicates demo", "check demo --only duplicates"),
    ],
)  # fmt: skip
def test_habits_are_understood(files, capsys, habit, meant):
    code, out, err = run(capsys, *habit.split())
    assert code == 0, err
    assert out == run(capsys, *meant.split())[1]


@pytest.mark.parametrize(
    ("habit", "line"),
    [
        ("score -r ref.txt out.txt", "tertium score -r ref.txt -i out.txt"),
        (
            "score -m bleu -r ref.txt out.txt -q",
            "tertium score -m bleu -r ref.txt -i out.txt -q",
        ),
        ("compare -r ref.txt out.txt", "tertium compare -r ref.txt -i out.txt"),
        ("explain -r ref.txt out.txt", "tertium explain -r ref.txt -i out.txt"),
        (
            "score ref.txt out.txt -m bleu",
            "tertium score -r ref.txt -i out.txt -m bleu",
        ),
        ("score ref.txt", "tertium score -r ref.txt -i OUTPUT"),
        ("score -m demo", "tertium score demo -m ..."),
        ("train demo -o m.json", "tertium train -t demo -o m.json"),
    ],
)
def test_the_line_to_type_is_shown(files, capsys, habit, line):
    code, _, err = run(capsys, *habit.split())
    assert code == 2
    assert err.endswith(f": {line}\n")


def test_a_text_among_metrics_is_reported(files, capsys):
    code, _, err = run(capsys, *["score", "-i", "out.txt", "-m", "bleu", "ref.txt"])
    assert (code, "ref.txt is a file, not a metric" in err) == (2, True)


def test_two_references_and_no_system_can_be_converted(files, capsys):
    assert run(capsys, "convert", "-r", "ref.txt", "out.txt", "-o", "x.jsonl")[0] == 0
    assert tertium.read("x.jsonl").references[0] == (
        "the cat sat on the mat",
        "the cat sat on a mat",
    )


def test_a_folder_named_like_a_metric_is_the_metric(files, capsys):
    Path("bleu").mkdir()
    code, _, err = run(capsys, "score", "-m", "chrf", "bleu")
    assert (code, "nothing to read" in err) == (2, True)


def test_unknown_options_are_still_reported(capsys):
    code, _, err = run(capsys, "score", "demo", "--nosuch")
    assert (code, "unrecognized arguments: --nosuch" in err) == (2, True)


# --------------------------------------------------------------------------- demo


def test_python_reads_the_demo():
    testset = tertium.read("demo")
    assert len(testset) == 60
    assert list(tertium.score(testset, metrics=["bleu"]).systems) == [*testset.systems]


def test_a_file_called_demo_comes_first(write_lines):
    Path("demo").mkdir()
    write_lines("demo/reference.txt", ["one"])
    assert tertium.read("demo").references == [("one",)]


# ------------------------------------------------------------------------ formats


@pytest.mark.parametrize("form", ["csv", "xlsx", "tsv"])
def test_convert_writes_what_the_name_says(capsys, form):
    assert run(capsys, "convert", "demo", "-o", f"x.{form}")[0] == 0
    assert tertium.read(f"x.{form}") == tertium.read("demo")
    start = Path(f"x.{form}").read_bytes()[:4]
    assert start == {"csv": b"id,d", "xlsx": b"PK\x03\x04", "tsv": b"id\td"}[form]
    result = systems(capsys, "score", f"x.{form}", "-m", "bleu")
    assert result == systems(capsys, "score", "demo", "-m", "bleu")


def test_an_unknown_extension_lists_the_known_ones(capsys):
    code, _, err = run(capsys, "convert", "demo", "-o", "x.foo")
    assert code == 2
    assert ".csv, .jsonl, .parquet, .tsv, .xlsx, .xml" in err
    assert not Path("x.foo").exists()


@pytest.mark.parametrize("name", ["a.xls", "a.ods"])
def test_other_spreadsheets_say_what_to_do(write_lines, capsys, name):
    write_lines(name, ["x"])
    code, _, err = run(capsys, "score", name)
    assert (code, "save it as .xlsx or .csv" in err) == (2, True)


def test_tables_come_through_pipes(table):
    command = [sys.executable, "-m", "tertium", "score", "-", "--input-format", "csv"]
    done = subprocess.run(
        [*command, "-m", "bleu", "-f", "tsv"],
        input=b"ref;A;score\none two three four;one two three four;1\na;b;2\n",
        capture_output=True,
        check=True,
        env=os.environ,
    )
    assert done.stdout.decode().split()[2] == "A"
    assert b"not read as systems: 'score'" in done.stderr


# ---------------------------------------------------------------- neural metrics


def test_neural_scores_come_the_way_the_message_says(capsys, write_lines):
    code, _, err = run(capsys, "score", "demo", "-m", "comet")
    assert code == 2
    assert "--scores FILE" in err
    demo = tertium.read("demo")
    rows = ["system,segment,score"]
    for name, hyps in demo.systems.items():
        rows += [f"{name},{demo.ids[i]},{len(hyp)}" for i, hyp in enumerate(hyps)]
    write_lines("comet.csv", rows)
    code, out, err = run(capsys, "compare", "demo", "--scores", "comet.csv")
    assert code == 0, err
    assert "comet" in out
    options = ["-J", "demo", "--gold", "rankings", "-m", "bleu", "--no-probes"]
    options += ["--coef", "tau-wmt14", "--scores", "comet.csv"]
    code, out, err = run(capsys, "correlate", "demo", *options)
    assert code == 0, err
    assert "comet" in out


@pytest.mark.parametrize(
    "words",
    [
        ["score", "b.json"],
        ["score", "-r", "out.txt", "-i", "b.json"],
        ["compare", "b.json"],
        ["rank", "b.json"],
        ["agree", "b.json"],
    ],
)
def test_appraise_batches_are_sent_to_the_verb_that_reads_them(files, words, capsys):
    Path("b.json").write_text('[\n {"items": [{"documentID": "d"}]}\n]')
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("tertium: b.json: Appraise batches")
    assert "`tertium judgements import EXPORT -o STORE --batches FILE`" in err
