# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar``: test sets, and what is measured on them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.cli.grammar import demo as grammar_demo
from tertium.grammars import Automaton, load_template


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Write a template, a test set of it, and the outputs of two systems."""
    here = tmp_path_factory.mktemp("nap")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        for line in (
            "new nap",
            "testset nap -n 12 -o run",
            "testset nap --all -o near",
        ):
            assert main(["grammar", *line.split()]) == 0
        grammar = load_template("nap").grammar
        for folder in ("run", "near"):
            rows = segments(folder)
            # A reference that depends on the variable set alone.
            good = [
                " ".join(grammar.sentences("Fin", row["set"])[0]).capitalize() + "."
                for row in rows
            ]
            bad = [
                json.dumps({"id": row["id"], "translation": damaged(text, number)})
                for number, (row, text) in enumerate(zip(rows, good, strict=True))
            ]
            for name, lines in (("good.txt", good), ("bad.jsonl", bad[::-1])):
                text = "\n".join(lines) + "\n"
                Path(folder, name).write_text(text, encoding="utf-8")
    return here


@pytest.fixture(autouse=True)
def nap(made, tmp_path, monkeypatch, capsys):
    """Work in a copy."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()


def segments(folder: str) -> list[dict]:
    text = Path(folder, "testset.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def damaged(text: str, number: int) -> str:
    words = text.rstrip(".").split()
    return " ".join(words[::-1] if number % 2 else words[:-1])


BOTH = ["-i", "good=run/good.txt", "run/bad.jsonl"]
SET = ["-t", "run/testset.jsonl"]


def run(capsys, *arguments: str, code: int = 0) -> str:
    assert main(["grammar", *arguments]) == code
    out = capsys.readouterr()
    return out.out if code < 2 else out.err


def run_json(capsys, *arguments: str):
    return json.loads(run(capsys, *arguments, "-f", "json"))


# ------------------------------------------------------------------------- testset


def test_test_sets_have_files_for_systems(capsys):
    rows = segments("run")
    assert len(rows) == 12
    assert rows[0]["id"] == "nap.1a,2a.Eng.strings.0"
    lines = Path("run/sources.txt").read_text("utf-8").splitlines()
    assert lines == [row["source"] for row in rows]
    by_id = Path("run/sources.jsonl").read_text("utf-8").splitlines()
    assert json.loads(by_id[3]) == {"id": rows[3]["id"], "source": rows[3]["source"]}
    assert len(segments("near")) == 128
    run(capsys, "testset", "nap", "-n", "12", "-o", "again", "-q")
    assert segments("again") == rows
    run(capsys, "testset", "nap", "-n", "12", "--seed", "1", "-o", "other", "--plain")
    grammar = load_template("nap").grammar
    for row in segments("other"):
        assert row["source"] in grammar.sentences("Eng", row["set"])


def test_test_sets_of_all_sources_have_a_limit(capsys, monkeypatch):
    from tertium.grammars.sets import selection

    monkeypatch.setattr(selection, "WHOLE", 20)
    error = run(capsys, "testset", "nap", "--all", "-o", "more", code=2)
    assert "too many (at most 20)" in error
    assert "such as 100 (--all)" in error
    assert not Path("more").exists()
    monkeypatch.setattr(Automaton, "__iter__", lambda _: pytest.fail("listed"))
    run(capsys, "testset", "nap", "--all", "-o", "more", code=2)
    run(capsys, "testset", "nap", "--all", "1", "-o", "more")


def test_smaller_test_sets_than_requested_are_remarked(capsys):
    line = ["grammar", "testset", "nap", "-o", "few", "--threshold", "1", "--people"]
    assert main(line) == 0
    error = capsys.readouterr().err
    assert "lower --threshold" in error
    assert "standard language" in Path("few/instructions.txt").read_text("utf-8")
    out = run(capsys, "testset", "nap", "-o", "x", "--threshold", "3", code=2)
    assert "give 0 to 1" in out


# ------------------------------------------------------------------------ evaluate


def test_evaluate_finds_who_is_right_and_what_is_wrong(capsys):
    out = run(capsys, "evaluate", "nap", *SET, *BOTH, "--segments")
    assert out.startswith("good needs the least correction")
    assert "12 of 12" in out
    result = run_json(capsys, "evaluate", "nap", *SET, *BOTH, "--segments")
    assert result["ranking"] == ["good", "bad"]
    assert len(result["records"]) == 24
    by_name = {one["name"]: one for one in result["systems"]}
    assert by_name["good"]["score"] == 0
    first = next(one for one in result["records"] if one["system"] == "bad")
    assert [one["type"] for one in first["edits"]] == ["insert"]
    assert "records" not in run_json(capsys, "evaluate", "nap", *SET, *BOTH)


def test_evaluate_writes_tables_records_and_a_page(capsys):
    rows = run(capsys, "evaluate", "nap", *SET, *BOTH, "-f", "tsv").splitlines()
    assert [row.split("\t")[0] for row in rows] == ["system", "good", "bad"]
    more = ["--segments", "--save", "saved", "-q"]
    rows = run(capsys, "evaluate", "nap", *SET, *BOTH, "-f", "tsv", *more).splitlines()
    assert len(rows) == 25
    assert len(Path("saved/segments.jsonl").read_text("utf-8").splitlines()) == 24
    assert json.loads(Path("saved/system.json").read_text("utf-8"))["segments"] == 12
    page = ["-f", "html", "-o", "page.html", "--title", "My <test>"]
    run(capsys, "evaluate", "nap", *SET, *BOTH, *page)
    text = Path("page.html").read_text("utf-8")
    assert "My &lt;test&gt;" in text
    assert "good" in text


def test_evaluate_takes_costs_an_analyser_and_people(capsys):
    whole = run_json(capsys, "evaluate", "nap", *SET, *BOTH)
    cheap = run_json(
        capsys, "evaluate", "nap", *SET, *BOTH, "--costs", "default,insert=0.1,move=0.1"
    )
    assert cheap["costs"]["insert"] == 0.1
    assert cheap["systems"][1]["score"] < whole["systems"][1]["score"]
    Path("words.tsv").write_text("kissa\tkissa\tNOUN\tCase=Nom\n", encoding="utf-8")
    more = ["--analyser", "tsv:words.tsv", "--human", "good", "--resamples", "0"]
    read = run_json(capsys, "evaluate", "nap", *SET, *BOTH, *more)
    assert read["analyser"].startswith("tsv:words.tsv@")
    assert [one["human"] for one in read["systems"]] == [True, False]
    assert read["systems"][0]["interval"] is None


def test_ids_that_look_like_variable_sets_are_ids(capsys, write_lines):
    refs = write_lines("x.refs", ["1a,2b\tthe ball is red", "2b,1a\ta dog sleeps"])
    out = write_lines("x.txt", ["the ball is red", "a dog sleeps"])
    result = run_json(
        capsys, "evaluate", "--references", str(refs), "-i", f"A={out}", "--segments"
    )
    assert [one["id"] for one in result["records"]] == ["1a,2b", "2b,1a"]
    assert [one["score"] for one in result["records"]] == [0, 0]


def test_few_segments_prove_nothing(capsys):
    Path("two.refs").write_text("{the|a} ball\nit rained\n", encoding="utf-8")
    Path("A.txt").write_text("a ball\nit rained\n", encoding="utf-8")
    Path("B.txt").write_text("ball\nrained\n", encoding="utf-8")
    line = ["evaluate", "--references", "two.refs", "-i", "A.txt", "B.txt"]
    (result,) = run_json(capsys, *line)["differences"]
    assert (result["a"], result["p"]) == ("A", 0.5)  # both segments: heads, heads
    shown = run(capsys, *line)
    assert "but not significantly" in shown
    assert "caution: Intervals rest on 2 segments" in shown


def test_evaluate_works_without_a_grammar(capsys, write_lines):
    write_lines("r.refs", ["{the|a} ball is red", "it {rains|is raining}"])
    write_lines("o.txt", ["A ball is red.", "it rain"])
    result = run_json(
        capsys, "evaluate", "--references", "r.refs", "-i", "o.txt", "--segments"
    )
    assert [one["id"] for one in result["records"]] == ["1", "2"]
    assert result["systems"][0]["exact"] == 1
    # With a test set, by the ids in it or in its order.
    rows = [{"id": name, "source": f"say {name}"} for name in ("x", "y")]
    write_lines("t.jsonl", [json.dumps(row) for row in rows])
    line = ["--references", "r.refs", "-t", "t.jsonl", "-i", "o.txt", "--segments"]
    result = run_json(capsys, "evaluate", *line)
    assert [one["source"] for one in result["records"]] == ["say x", "say y"]
    write_lines("r.refs", ["y\tit {rains|is raining}", "x\t{the|a} ball is red"])
    again = run_json(capsys, "evaluate", *line)
    assert [one["score"] for one in again["records"]] == [
        one["score"] for one in result["records"]
    ]
    write_lines("r.refs", ["y\tit rains", "z\ta ball"])
    assert "first: 'x'" in run(capsys, "evaluate", *line, code=2)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("evaluate nap -i run/good.txt", "no test set"),
        ("evaluate -t run/testset.jsonl -i run/good.txt", "neither templates nor"),
        ("evaluate nap --references x -i run/good.txt", "both templates and"),
        (
            "evaluate nap -t run/sources.jsonl -i run/good.txt",
            "names no template; give testset.jsonl",
        ),
        ("evaluate nap -t run/testset.jsonl -i a=run/good.txt a=run/good.txt", "two"),
        ("evaluate nap -t run/testset.jsonl -i near/good.txt", "lines for 12 segments"),
        ("evaluate nap -t run/testset.jsonl -i run/good.txt --human x", "'x'"),
        ("evaluate nap -t run/testset.jsonl -i run/good.txt --target Swe", "'Swe'"),
        ("evaluate nap -t run/testset.jsonl -i run/good.txt --costs x", "'x'"),
    ],
)
def test_inputs_that_do_not_fit_are_rejected(capsys, line, what):
    assert what in run(capsys, *line.split(), code=2)


def test_test_sets_of_other_templates_are_rejected(capsys):
    run(capsys, "new", "nop")
    out = run(capsys, "evaluate", "nop", *SET, "-i", "run/good.txt", code=2)
    assert "unknown template 'nap'" in out


# ----------------------------------------------------------------- growth, sensitivity


def test_growth_rises_to_the_whole_set(capsys):
    result = run_json(capsys, "growth", "nap", *SET, *BOTH, "--sizes", "1", "10", "100")
    assert result["sizes"] == [1, 10, 100]
    assert result["drawn"] == [1, 10, 72]
    good = result["systems"]["good"]
    assert good == sorted(good)
    assert good[-1] == pytest.approx(100)
    out = run(capsys, "growth", "nap", *SET, *BOTH)
    assert "BLEU-1000" in out
    assert "on average for 100: 72.0" in out
    rows = run(capsys, "growth", "nap", *SET, *BOTH, "-f", "tsv").splitlines()
    assert len(rows) == 1 + 2 * 4


def test_sensitivity_separates_steady_from_fragile_systems(capsys):
    line = ["-t", "near/testset.jsonl", "-i", "near/good.txt", "near/bad.jsonl"]
    result = run_json(capsys, "sensitivity", *line)
    index = {one["system"]: one["index"] for one in result["systems"]}
    assert index["good"] == 0
    assert index["bad"] > 0.1
    assert len(result["jumps"]) == 10
    assert {one["system"] for one in result["jumps"]} == {"bad"}
    out = run(capsys, "sensitivity", *line, "--top", "1", "--across", "--edits", "2")
    assert "Largest jumps" in out
    rows = run(capsys, "sensitivity", *line, "-f", "tsv").splitlines()
    assert [row.split("\t")[:2] for row in rows[1:3]] == [["good", ""], ["good", "nap"]]


def test_diverse_test_sets_have_no_near_pairs(capsys):
    run(capsys, "testset", "nap", "-n", "4", "-o", "four")
    Path("four/o.txt").write_text("x\n" * 4, encoding="utf-8")
    out = run(
        capsys, "sensitivity", "-t", "four/testset.jsonl", "-i", "four/o.txt", code=2
    )
    assert "--all" in out


# ------------------------------------------------------------------------ coverage


def test_coverage_lists_what_is_rejected(capsys):
    result = run_json(capsys, "coverage", "nap", *SET, *BOTH)
    assert result["people"]["good"]["share"] == 1
    assert result["total"]["total"] == 24
    assert result["total"]["accepted"] < 24
    for one in result["rejected"]:
        sentences = load_template("nap").grammar.sentences("Fin", one["set"])
        assert one["nearest"] in sentences
        assert one["constructions"]
    for cause in result["causes"]:
        assert cause["proposal"]
        assert cause["rejected"]
    out = run(capsys, "coverage", "nap", *SET, *BOTH, "--top", "1")
    assert "by good" in out
    assert "more cause" in out
    rows = run(capsys, "coverage", "nap", *SET, *BOTH, "-f", "tsv").splitlines()
    assert len(rows) == 1 + len(result["causes"])


def test_coverage_takes_a_list_of_sentences(capsys, write_lines):
    write_lines(
        "heard.txt",
        ["1a,2a\tKissa nukkuu nyt sohvalla.", "Koira torkkuu nyt nojatuolilla", ""],
    )
    result = run_json(capsys, "coverage", "nap", "--sentences", "heard.txt")
    assert result["total"] == {"accepted": 1, "total": 2, "share": 0.5}
    (cause,) = result["causes"]
    assert (cause["hyp"], cause["ref"]) == ("torkkuu", "nukkuu")
    assert result["rejected"][0]["id"] == "heard.txt:2"
    both = ["coverage", "nap", "--sentences", "heard.txt"]
    assert "give either" in run(capsys, *both, "-i", "run/good.txt", code=2)
    assert "omit reference files" in run(capsys, *both, *SET, code=2)
    assert "give either" in run(capsys, "coverage", "nap", code=2)


# ---------------------------------------------------------------------------- demo


def test_demo_evaluates_what_is_bundled_and_opens_the_page(capsys, monkeypatch):
    grammar = Path("demo/grammar")
    grammar.mkdir(parents=True)
    for name in ("testset.jsonl", "good.txt", "bad.jsonl"):
        (grammar / name).write_bytes(Path("run", name).read_bytes())
    monkeypatch.setattr("tertium.data.io.demo_path", lambda: "demo/demo.jsonl")
    monkeypatch.setattr(
        "tertium.grammars.demo.bundled_templates", lambda: {"nap": Path("nap")}
    )
    out = run(capsys, "demo", "-f", "text")
    assert out.startswith("good needs the least correction")
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    run(capsys, "demo")
    assert not opened  # stdout is not a terminal
    assert "English to Finnish" in Path("grammar-demo.html").read_text("utf-8")
    monkeypatch.setattr(grammar_demo.sys.stdout, "isatty", lambda: True, raising=False)
    run(capsys, "demo", "-o", "page.html")
    assert opened == [Path("page.html").resolve().as_uri()]
    run(capsys, "demo", "-o", "page.html", "--no-browser")
    assert len(opened) == 1


def test_missing_demo_files_are_reported(capsys, monkeypatch):
    monkeypatch.setattr("tertium.data.io.demo_path", lambda: "nowhere/demo.jsonl")
    assert "install Tertium again" in run(capsys, "demo", code=2)


def test_templates_in_the_package_have_names(monkeypatch, capsys):
    monkeypatch.setattr(
        "tertium.grammars.authoring.catalogue.bundled_templates",
        lambda: {"snooze": Path("nap")},
    )
    assert "4 sets" in run(capsys, "check", "snooze")
    assert "4 sets" in run(capsys, "check", "bundled")
    assert run_json(capsys, "count", "snooze")["total"]["Eng"] == 128
