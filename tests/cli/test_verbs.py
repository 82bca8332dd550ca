# SPDX-License-Identifier: Apache-2.0
"""The verbs as a user meets them: output, exit codes, error messages."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tertium
from tertium.cli import VERBS, main

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Run in an empty folder, so that `demo` is the bundled set."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def files(write_lines):
    """Write a reference and two systems."""
    ref = ["the cat sat on the mat", "a dog barked at night", "it rained all day"]
    write_lines("ref.txt", ref)
    write_lines("A.txt", ["the cat sat on a mat", "a dog barked at night", "it rained"])
    write_lines(
        "B.txt", ["cat the mat on sat", "night barked dog", "day all it rained"]
    )


@pytest.mark.parametrize(
    "arguments",
    [
        "score demo",
        "score demo -m bleu chrf++ ter ribes --interval",
        "score demo -m bleu --documents -f md",
        "score demo -m wer nist -f latex -w 3",
        "score demo -m sentbleu --segments -f tsv -w 4",
        "compare demo -m bleu ter",
        "compare demo -m chrf --test randomisation --correction bh -f csv -w 4",
        "compare demo -m bleu --baseline good --by-document --test randomisation",
        "correlate demo -m bleu chrf ter --coef pearson tau-wmt14 --over systems",
        "correlate demo -m bleu chrf --coef tau-wmt14 --test bootstrap -f csv -w 3",
        "correlate demo -m bleu chrf --coef tau-wmt14 --over segments -f latex",
        "explain demo --system words --segment 30 -m beer:language=de --draw tree",
        "metrics",
        "metrics chrf",
        "--help",
    ],
)
def test_output_is_as_it_was(arguments, capsys):
    """Golden files; TERTIUM_UPDATE_GOLDEN=1 writes them anew: then look at them."""
    assert main(arguments.split()) == 0
    output = capsys.readouterr().out.replace(tertium.__version__, "VERSION")
    name = re.sub(r"[^a-z0-9+]+", "-", arguments.lower()).strip("-")
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("TERTIUM_UPDATE_GOLDEN"):
        path.write_text(output, encoding="utf-8")
    assert output == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_examples(verb, capsys):
    with pytest.raises(SystemExit) as caught:
        main([verb, "--help"])
    assert caught.value.code == 0
    out = capsys.readouterr().out
    assert f"usage: tertium {verb}" in out
    assert "examples:" in out
    assert f"\n  tertium {verb}" in out or f"| tertium {verb}" in out


def test_version_and_bare_call(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"tertium {tertium.__version__}\n"
    assert main([]) == 2
    assert "verbs:" in capsys.readouterr().out


def test_json_of_score_has_the_promised_shape(files, run_json):
    data = run_json("score", "-r", "ref.txt", "-i", "A.txt", "sys=B.txt", "-m", "bleu")
    assert data["tertium"] == tertium.__version__
    assert list(data["systems"]) == ["A", "sys"]
    info = data["metrics"]["bleu"]
    assert info["higher_is_better"] is True
    assert info["signature"].startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp")
    score = data["systems"]["A"]["bleu"]
    assert score["interval"] is None
    assert score["segments"] is None
    ref = Path("ref.txt").read_text().splitlines()
    hyp = Path("A.txt").read_text().splitlines()
    assert score["score"] == tertium.metric("bleu").corpus_score(hyp, ref)


def test_json_of_score_with_everything(files, run_json):
    Path("docs.txt").write_text("x\nx\ny\n")
    data = run_json(
        *[
            "score",
            "-r",
            "ref.txt",
            "ref.txt",
            "-i",
            "A.txt",
            "--docs",
            "docs.txt",
            "-m",
            "chrf",
            "--segments",
        ],
        *["--documents", "--interval", "0.9", "--seed", "0", "-j", "1"],
    )
    score = data["systems"]["A"]["chrf"]
    assert len(score["segments"]) == 3
    assert set(score["documents"]) == {"x", "y"}
    low, high = score["interval"]
    assert low <= score["score"] <= high
    assert "nrefs:2|bs:1000|seed:0" in data["metrics"]["chrf"]["signature"]


def test_json_of_compare_holds_plain_numbers(files, run_json):
    """sacreBLEU 2.6 ends in `float32 is not JSON serializable` here."""
    data = run_json(
        *[
            "compare",
            "-r",
            "ref.txt",
            "-i",
            "A.txt",
            "B.txt",
            "-m",
            "bleu",
            "chrf",
            "ter",
        ]
    )
    assert {pair["metric"] for pair in data["pairs"]} == {"bleu", "chrf", "ter"}
    assert data["run"]["seed"] == 12345
    assert {"system", "cluster", "rank"} == set(data["ranking"]["bleu"][0])


def test_seed_zero_gives_the_same_result_again(files, run_json):
    command = [
        "compare",
        "-r",
        "ref.txt",
        "-i",
        "A.txt",
        "B.txt",
        "-m",
        "bleu",
        "--seed",
        "0",
    ]
    assert run_json(*command) == run_json(*command)


def test_few_units_are_remarked_on(files, capsys):
    main(["compare", "demo", "-m", "bleu", "--by-document"])
    assert "only 6 documents were resampled" in capsys.readouterr().err
    main(["compare", "demo", "-m", "bleu"])
    assert capsys.readouterr().err == ""


def test_intervals_have_enough_resamples_or_a_remark(capsys, run_json):
    data = run_json("score", "demo", "-m", "wer", "--interval", "0.999")
    assert "bs:10000|" in data["metrics"]["wer"]["signature"]
    command = ["score", "demo", "-m", "wer", "--interval", "0.999"]
    assert main([*command, "--resamples", "1000"]) == 0
    assert "give --resamples 10000\n" in capsys.readouterr().err
    assert main([*command[:-1], "--resamples", "1000"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_standard_output_is_a_place_to_write(name, files):
    for verb in (["score", "demo", "-m", "bleu"], ["convert", "demo", "--to", "jsonl"]):
        done = tertium_process(*verb, "-o", name, "-q")
        assert done.returncode == 0, done.stderr
        assert "good" in done.stdout


def test_an_input_is_never_overwritten(files, capsys):
    before = Path("A.txt").read_text()
    assert main(["score", "-r", "ref.txt", "-i", "A.txt", "-o", "A.txt"]) == 2
    assert "is one of the inputs" in capsys.readouterr().err
    assert Path("A.txt").read_text() == before


def test_a_repeated_option_adds_and_drops_nothing(files, run_json):
    data = run_json(
        "score", "-r", "ref.txt", "-r", "A.txt", "-i", "A.txt", "-i", "B.txt",
        "-m", "bleu", "-m", "wer",
    )  # fmt: skip
    assert list(data["systems"]) == ["A", "B"]
    assert list(data["metrics"]) == ["bleu", "wer"]
    assert data["metrics"]["wer"]["signature"].startswith("nrefs:2|")


def test_programs_get_specs_and_all_digits(files, capsys):
    specs = ["bleu", "bleu:tokenize=char"]
    main(["score", "-r", "ref.txt", "-i", "A.txt", "-m", *specs, "-f", "tsv"])
    head, row = (line.split("\t") for line in capsys.readouterr().out.splitlines())
    assert head == ["system", *specs]
    ref = Path("ref.txt").read_text().splitlines()
    hyp = Path("A.txt").read_text().splitlines()
    assert float(row[2]) == tertium.metric(specs[1]).corpus_score(hyp, ref)
    files = ["-r", "ref.txt", "-i", "A.txt", "B.txt"]
    main(["compare", *files, "-m", *specs, "-f", "csv"])
    table = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [line["metric"] for line in table] == specs
    assert 0 < float(table[0]["p"]) <= 1


def test_output_is_utf8_in_every_locale(files):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "tertium", "score", "demo", "-m", "ter"],
        capture_output=True,
        env=environment,
    )
    assert done.returncode == 0
    assert "TER ↓" in done.stdout.decode("utf-8")


def test_pipes_are_read_once_even_if_a_metric_needs_two_passes(files):
    command = f"{sys.executable} -m tertium score -r <(cat ref.txt) -i A=<(cat A.txt)"
    outputs = [
        subprocess.run(["bash", "-c", c], capture_output=True, text=True).stdout
        for c in (f"{command} -m nist", command.replace("<(cat ", "").replace(")", "")
                  + " -m nist")
    ]  # fmt: skip
    assert outputs[0] == outputs[1] != ""
    main(["convert", "demo", "-o", "demo.jsonl", "-q"])
    command = (
        f"{sys.executable} -m tertium score <(cat demo.jsonl) --input-format jsonl "
        "-m nist"
    )
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert "60 segments" in done.stdout, done.stderr


def test_csv_reads_back(files, capsys):
    main(
        [
            "score",
            "-r",
            "ref.txt",
            "-i",
            "A.txt",
            "B.txt",
            "-m",
            "wer",
            "--segments",
            "-f",
            "csv",
        ]
    )
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert rows[0] == ["segment", "system", "wer"]
    assert len(rows) == 1 + 3 * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("scroe", "unknown verb 'scroe'; did you mean score"),
        ("segments extract a.trees", "the verb segments is now called parts"),
        ("score", "nothing to read"),
        ("score -r ref.txt", "no system to score; give outputs by name"),
        ("score -i A.txt", "no references"),
        ("score -r none.txt -i A.txt", "none.txt"),
        ("score -r . -i A.txt", "folder"),
        ("score -r ref.txt -i A.txt A.txt", "A"),
        ("score -r ref.txt -i A.txt -m blue", "did you mean bleu"),
        ("score -r ref.txt -i A.txt -m bleu,chrf", "put spaces between metrics"),
        ("score -r ref.txt -i A.txt --wrong", "see tertium score --help"),
        ("score -r ref.txt -i A.txt -f xml", "invalid choice"),
        ("score -r ref.txt -i A.txt --worst 0", "0 is too small; give 1 or more"),
        ("score -r ref.txt -i A.txt -j 0", "not between 1 and 1024"),
        ("score -r ref.txt -i A.txt -w -1", "-1 is not between 0 and 30"),
        ("score -r ref.txt -i A.txt --seed x", "'x' is not an integer"),
        ("score -r ref.txt -i A.txt --resamples 99999999999", "not between"),
        ("score -r ref.txt -i A.txt -m bleu BLEU", "same metric as 'bleu'"),
        ("score -m bleu -r ref.txt -i A.txt -o no/where.txt", "no folder"),
        ("score -i A.txt -m bleu ref.txt", "is a file, not a metric"),
        ("compare -r ref.txt -i A.txt", "two systems or more"),
        ("score ref.txt", "ref.txt"),
        ("convert demo -o out.unknown", "out.unknown"),
        ("metrics xyz", "unknown metric 'xyz'"),
    ],
)
def test_wrong_use_exits_2_and_names_the_cure(arguments, message, files, capsys):
    assert main(arguments.split()) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.startswith("tertium: ")
    assert captured.out == ""


def test_length_mismatch_names_both_counts_and_the_first_extra_line(files, capsys):
    with Path("A.txt").open("a") as file:
        file.write("one line too many\n")
    assert main(["score", "-r", "ref.txt", "-i", "A.txt"]) == 2
    error = capsys.readouterr().err
    assert "3" in error
    assert "4" in error
    assert "one line too many" in error


def test_empty_files_are_named_not_scored(write_lines, capsys):
    write_lines("a.txt", [])
    assert main(["score", "-r", "a.txt", "-i", "a.txt"]) == 2
    assert "no segments" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["tsv", "jsonl", "parquet", "xml"])
def test_convert_keeps_everything(kind, capsys, demo):
    assert main(["convert", "demo", "-o", f"out.{kind}"]) == 0
    assert "60 segments and 4 systems" in capsys.readouterr().err
    again = tertium.read(f"out.{kind}")
    assert again.references == demo.references
    assert again.systems == demo.systems
    assert again.docs == demo.docs


@pytest.mark.parametrize("kind", ["plain", "sgml"])
def test_convert_names_the_folder_that_was_asked_for(kind, capsys):
    line = {"ref": ["two\nlines"], "tgt": {"A": "x"}}
    Path("bad.jsonl").write_text(json.dumps(line))
    assert main(["convert", "bad.jsonl", "-o", "out", "--to", kind]) == 2
    error = capsys.readouterr().err
    assert ".tmp" not in error
    assert sorted(path.name for path in Path().iterdir()) == ["bad.jsonl"]


def test_output_goes_to_a_file(files):
    main(["score", "-r", "ref.txt", "-i", "A.txt", "-f", "json", "-o", "out.json"])
    assert json.loads(Path("out.json").read_text())["systems"]["A"]


def tertium_process(*arguments: str, **options) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "tertium", *arguments]
    return subprocess.run(command, capture_output=True, text=True, **options)


def test_stdin_is_a_file_too(files):
    text = Path("A.txt").read_text()
    done = tertium_process(
        *["score", "-r", "ref.txt", "-i", "-", "-m", "bleu", "nist"], input=text
    )
    direct = tertium_process(
        *["score", "-r", "ref.txt", "-i", "A.txt", "-m", "bleu", "nist"]
    )
    assert done.returncode == 0, done.stderr
    figures = [d.stdout.splitlines()[2].split()[1:] for d in (done, direct)]
    assert figures[0] == figures[1]


def test_a_closed_pipe_is_not_an_error(files):
    command = f"{sys.executable} -m tertium score demo -m bleu --segments | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.split() == ["system", "BLEU"]


def test_a_terminal_gets_a_rich_table(files):
    """A real pseudo-terminal, through Python's own pty module."""
    code = (
        "import pty, sys; sys.exit(pty.spawn([sys.executable, '-m', 'tertium', "
        "'score', '-r', 'ref.txt', '-i', 'A.txt']) >> 8)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    assert done.returncode == 0
    assert "───" in done.stdout
    assert "chrF2" in done.stdout
