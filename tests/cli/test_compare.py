# SPDX-License-Identifier: Apache-2.0
"""``tertium compare`` and ``score``: order of systems, matrix of pairs, doubts."""

from __future__ import annotations

import csv
import io
import json
from itertools import combinations

import pytest

from tertium.cli import main
from tertium.engine.comparison import Pair

REFS = [f"this is sentence number {i} of the set" for i in range(40)]


@pytest.fixture
def many(tmp_path, monkeypatch, write_lines):
    """Write a reference and seven systems: one clearly worse, five alike, one best."""
    monkeypatch.chdir(tmp_path)
    write_lines("ref.txt", REFS)
    outputs = {"worst": [ref.replace("is sentence", "are words") for ref in REFS]}
    for k in range(5):
        outputs[f"mid-{k}"] = [
            ref.replace("the", "a") if i % 7 == k else ref for i, ref in enumerate(REFS)
        ]
    outputs["best"] = REFS
    for name, lines in outputs.items():
        write_lines(f"{name}.txt", lines)
    return ["-r", "ref.txt", "-i", *(f"{name}.txt" for name in outputs)]


@pytest.fixture
def run(capsys):
    """Return a function that runs a command and returns what it writes."""

    def go(*arguments):
        assert main(list(arguments)) == 0
        return capsys.readouterr()

    return go


def first_column(text: str) -> list[str]:
    return [line.split()[0] for line in text.splitlines()[2:] if line.strip()]


def names_in_order(text: str, names) -> list[str]:
    return sorted(names, key=text.index)


# ------------------------------------------------------------------ order of systems


def test_score_shows_the_best_system_first(many, run):
    names = ["worst", "mid-0", "best"]
    out = run("score", *many, "-m", "bleu", "wer").out
    assert names_in_order(out, names) == ["best", "mid-0", "worst"]
    # Lower is better; mid-0 has one wrong word more than mid-4, and others are tied.
    lines = first_column(run("score", *many, "-m", "wer").out)
    assert lines[0] == "best"
    assert lines[6] == "worst"
    assert lines.index("mid-0") < lines.index("mid-1") < lines.index("mid-2")


def test_score_keeps_the_input_order_if_asked_to_and_in_json(many, run):
    out = run("score", *many, "-m", "wer", "--sort", "given").out
    assert first_column(out)[0] == "worst"
    assert first_column(out)[6] == "best"
    data = json.loads(run("score", *many, "-m", "wer", "-f", "json").out)
    assert next(iter(data["systems"])) == "worst"


def test_tables_for_programs_have_the_best_system_first(many, run):
    out = run("score", *many, "-m", "wer", "-f", "csv").out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert (rows[0]["system"], rows[-1]["system"]) == ("best", "worst")


def test_compare_with_a_baseline_shows_the_best_system_first(many, run):
    out = run("compare", *many, "-m", "wer", "--baseline", "mid-0").out
    table = out[: out.index("Pairs")]
    assert names_in_order(table, ["worst", "mid-3", "best"]) == [
        "best",
        "mid-3",
        "worst",
    ]


# ------------------------------------------------------------------- matrix of pairs


def test_more_than_six_systems_are_compared_in_a_matrix(many, run):
    out = run("compare", *many, "-m", "wer").out
    assert "Pairs" not in out
    matrix = out[out.index("WER: which systems differ") :].splitlines()
    assert matrix[1].split() == ["cluster", "system", *map(str, range(1, 8))]
    rows = [line.split() for line in matrix[3:10]]
    assert next(row[2] for row in rows) == "best"
    assert rows[-1] == ["2", "7", "worst", *["↑"] * 6]
    assert all(row[-1] == "←" for row in rows[:-1])
    assert "--pairs lists all pairs" in out


def test_pairs_are_listed_on_request_and_for_up_to_six_systems(many, run):
    listed = run("compare", *many, "-m", "wer", "--pairs").out
    assert listed.count("\nWER ") == 21
    assert "which systems differ" not in listed
    few = run("compare", *many[:-1], "-m", "wer").out
    assert few.count("\nWER ") == 15
    csv_rows = run("compare", *many, "-m", "wer", "-f", "csv").out.splitlines()
    assert len(csv_rows) == 22


def test_the_matrix_of_thirteen_systems_fits_a_hundred_columns(
    tmp_path, monkeypatch, write_lines, run
):
    monkeypatch.chdir(tmp_path)
    write_lines("ref.txt", REFS[:8])
    names = [f"a-long-system-name.{4000 + k}" for k in range(13)]
    for name in names:
        write_lines(f"{name}.txt", REFS[:8])
    files = [f"{name}.txt" for name in names]
    out = run("compare", "-r", "ref.txt", "-i", *files, "-m", "wer", "-q").out
    matrix = out[out.index("WER: which systems differ") :]
    assert max(map(len, matrix.splitlines())) <= 100
    assert matrix.count("1.0") == 13 * 12


# ---------------------------------------------------------------------------- doubts


@pytest.mark.parametrize(
    ("options", "note"),
    [
        (
            "--resamples 10",
            (
                "with 10 resamples the smallest possible p is 0.091, and 0.55 after "
                "Holm's correction over 6 pairs; give --resamples 1000, or omit it"
            ),
        ),
        (
            "--resamples 19 --correction none --alpha 0.05",
            (
                "with 19 resamples the smallest possible p is 0.05; "
                "give --resamples 1000, or omit it"
            ),
        ),
        (
            "--by-document --test randomisation --resamples 5000",
            (
                "with 6 documents the smallest possible p is 0.031, and 0.19 after "
                "Holm's correction over 6 pairs; test on more documents, or omit "
                "--by-document"
            ),
        ),
    ],
)
def test_a_hopeless_test_says_why_and_what_helps(options, note, run):
    err = run("compare", "demo", "-m", "bleu", *options.split()).err
    assert f"no difference can be significant: {note}\n" in err


def test_few_segments_are_the_reason_where_more_resamples_do_not_help(
    tmp_path, monkeypatch, write_lines, run
):
    monkeypatch.chdir(tmp_path)
    write_lines("ref.txt", REFS[:7])
    for name in "ABCD":
        write_lines(f"{name}.txt", [f"{name} {ref}" for ref in REFS[:7]])
    files = ["-r", "ref.txt", "-i", *(f"{name}.txt" for name in "ABCD"), "-m", "wer"]
    err = run("compare", *files, "--test", "randomisation").err
    assert "with 7 segments the smallest possible p is 0.016" in err
    assert "or compare with one system only (--baseline NAME)" in err
    fewer = run("compare", *files, "--test", "randomisation", "--baseline", "A").err
    assert "no difference can be significant" not in fewer


def test_eleven_systems_and_more_give_no_doubts(many, run):
    again = [f"copy-{k}=best.txt" for k in range(5)]
    result = run("compare", *many, *again, "-m", "wer", "-f", "json")
    data = json.loads(result.out)
    assert result.err == ""
    assert data["run"]["resamples"] == 6600
    assert data["ranking"]["wer"][-1] == {
        "system": "worst",
        "cluster": 2,
        "rank": [12, 12],
    }


@pytest.mark.wmt
def test_thirteen_systems_of_wmt15_fall_into_clusters(wmt_data, run):
    path = str(wmt_data / "wmt15" / "de-en.tsv.gz")
    data = json.loads(run("compare", path, "-m", "bleu", "-f", "json").out)
    clusters = [place["cluster"] for place in data["ranking"]["bleu"]]
    assert clusters[0] == 1
    assert clusters[-1] >= 5


# ------------------------------------------------------------------ order of pairs


def pairs_of(text: str) -> list[tuple[str, str]]:
    rows = text.partition("Pairs\n")[2].partition("\n\n")[0].splitlines()[2:]
    return [tuple(row.split()[1:3]) for row in rows]


def test_pairs_follow_the_order_of_the_systems(many, run):
    for metric in ("bleu", "wer"):
        out = run("compare", *many, "-m", metric, "--pairs").out
        table = out.partition("\n\n")[0]
        names = [line.split()[1] for line in table.splitlines()[3:]]
        assert (names[0], names[-1]) == ("best", "worst")
        assert pairs_of(out) == list(combinations(names, 2))
    unsorted = run("compare", *many, "-m", "bleu", "--pairs", "--sort", "given").out
    assert pairs_of(unsorted)[0] == ("worst", "mid-0")


def test_a_baseline_stays_on_one_side_of_its_pairs(many, run):
    out = run("compare", *many, "-m", "bleu", "--baseline", "mid-1").out
    pairs = pairs_of(out)
    assert {a for a, _ in pairs} == {"mid-1"}
    assert (pairs[0][1], pairs[-1][1]) == ("best", "worst")


def test_a_pair_that_is_turned_says_the_same():
    pair = Pair("bleu", "A", "B", 2.0, (-1.0, 3.0), 0.2, 0.4, 0.5, "A")
    turned = Pair("bleu", "B", "A", -2.0, (-3.0, 1.0), 0.2, 0.4, -0.5, "A")
    assert pair.turned() == turned
    assert turned.turned() == pair
    zero = Pair("bleu", "A", "B", 0.0, (0.0, 0.0), 1.0, 1.0, 0.0, None)
    assert str(zero.turned()) == str(zero).replace("'A', b='B'", "'B', b='A'")


def test_pages_list_pairs_in_the_order_of_the_ranking(many, run):
    page = run("compare", *many, "-m", "bleu", "-f", "html").out
    rows = page.partition("System pairs")[2]
    assert rows.index(">best<") < rows.index(">worst<")


@pytest.mark.parametrize(
    ("head", "options", "cure"),
    [
        ("ref\tone\ttwo", ["--systems-columns", "one"], "--systems-columns one two"),
        ("ref\tone", [], "add a column with another system to set.tsv"),
    ],
)
def test_a_lone_system_of_a_file_gets_advice_about_columns(
    head, options, cure, tmp_path, monkeypatch, write_lines, capsys
):
    monkeypatch.chdir(tmp_path)
    write_lines("set.tsv", [head, "\t".join("abc"[: head.count("\t") + 1])])
    assert main(["compare", "set.tsv", *options]) == 2
    err = capsys.readouterr().err
    assert cure in err
    assert "-i" not in err


def test_a_lone_system_in_files_gets_advice_about_files(many, capsys):
    assert main(["compare", "-r", "ref.txt", "-i", "best.txt"]) == 2
    assert "give each with -i NAME=FILE" in capsys.readouterr().err


# ------------------------------------------------------------- what differences mean


def test_gaps_say_how_often_judges_agreed(run):
    out = run("compare", "demo", "-m", "chrf", "nist", "--gaps", "-q").out
    _, _, table = out.partition("How often human judges agreed")
    (row,) = [line for line in table.splitlines() if "good   order" in line]
    assert row.split()[:4] == ["chrF2", "good", "order", "6.26"]
    assert " 98 %" in row
    assert "words  copy" not in table  # equal scores have nothing to agree with
    assert "Nothing is known about NIST" in table
    assert "WMT23" in table


def test_gaps_have_no_shares_where_a_difference_may_be_chance(run):
    words = ("compare", "demo", "-m", "bleu", "--gaps", "-q", "--alpha", "1e-9")
    out = run(*words).out
    _, _, table = out.partition("How often human judges agreed")
    (row,) = [line for line in table.splitlines() if "good   order" in line]
    assert row.split()[-1] == "n/a"
    assert "%" not in row
    assert "Here some segments have more references" in table
    rows = list(csv.DictReader(io.StringIO(run(*words, "-f", "csv").out)))
    assert not any(row["agreed"] for row in rows)
    data = json.loads(run(*words, "-f", "json").out)
    assert {gap["better"] for gap in data["gaps"]} == {None}


def test_gaps_are_columns_and_records_for_programs(run):
    words = ["compare", "demo", "-m", "chrf", "nist", "--gaps", "-q", "-f"]
    rows = list(csv.DictReader(io.StringIO(run(*words, "csv").out)))
    data = json.loads(run(*words, "json").out)
    assert len(data["gaps"]) == 5
    assert len(rows) == len(data["pairs"]) == 12
    by_pair = {(r["metric"], r["a"], r["b"]): r for r in rows if r["agreed"]}
    assert len(by_pair) == 5
    for gap in data["gaps"]:
        row = by_pair[gap["metric"], gap["a"], gap["b"]]
        assert float(row["agreed"]) == pytest.approx(gap["share"], abs=1e-5)
        assert int(row["agreed_pairs"]) == gap["pairs"]
        assert float(row["delta"]) == pytest.approx(gap["delta"])
    plain = json.loads(run(*words[:5], "-q", "-f", "json").out)
    assert "gaps" not in plain


def test_gaps_are_not_on_the_page(capsys):
    assert main(["compare", "demo", "--gaps", "-f", "html", "-q"]) == 2
    assert "--gaps is for tables and JSON" in capsys.readouterr().err
