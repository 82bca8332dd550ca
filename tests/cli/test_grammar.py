# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar``: writing, checking and looking at templates."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.cli.grammar.verb import ACTIONS
from tertium.grammars import load_template, read_reference_sets
from tertium.grammars.authoring import checks, template_files
from tertium.grammars.sets.exchange import read_sources


@pytest.fixture(autouse=True)
def nap(tmp_path, monkeypatch, capsys):
    """Write the starter as a template, and a file of the light notation."""
    monkeypatch.chdir(tmp_path)
    assert main(["grammar", "new", "nap"]) == 0
    assert main(["grammar", "new", "a.refs", "--light"]) == 0
    capsys.readouterr()


def run(capsys, *arguments: str, code: int = 0) -> str:
    assert main(["grammar", *arguments]) == code
    out = capsys.readouterr()
    return out.out if code < 2 else out.err


def run_json(capsys, *arguments: str, code: int = 0):
    return json.loads(run(capsys, *arguments, "-f", "json", code=code))


# --------------------------------------------------------------------------- verb


def test_help_lists_every_action_and_each_has_examples(capsys):
    with pytest.raises(SystemExit):
        main(["grammar", "--help"])
    listed = capsys.readouterr().out
    for action in ACTIONS:
        assert f"\n  {action} " in listed
        with pytest.raises(SystemExit) as caught:
            main(["grammar", action, "--help"])
        assert caught.value.code == 0
        out = capsys.readouterr().out
        assert f"usage: tertium grammar {action}" in out
        assert f"\n  tertium grammar {action}" in out


def test_unknown_actions_and_templates_are_rejected(capsys):
    assert main(["grammar"]) == 2
    assert "did you mean check?" in run(capsys, "chek", code=2)
    assert "unknown template 'nop'" in run(capsys, "check", "nop", code=2)
    os.mkdir("empty")
    assert "has no template.toml" in run(capsys, "check", "empty", code=2)
    assert "is a file" in run(capsys, "show", "a.refs", code=2)


# ------------------------------------------------------------------------ new, check


def test_what_new_writes_passes_the_check(capsys):
    assert "4 sets" in run(capsys, "check", "nap")
    assert "nothing wrong" in run(capsys, "check", "nap", "--strict")
    out = run(capsys, "new", "x/other", "--source", "Ger", "--target", "Cze", "Swe")
    assert f"wrote {Path('x/other/OtherSwe.gf')}" in out
    assert "nothing wrong" in run(capsys, "check", "x/other", "--strict")


def test_new_overwrites_nothing(capsys):
    before = Path("nap/Nap.gf").read_text("utf-8")
    assert "exists already" in run(capsys, "new", "nap", code=2)
    assert "exists already" in run(capsys, "new", "a.refs", "--light", code=2)
    assert Path("nap/Nap.gf").read_text("utf-8") == before


@pytest.mark.parametrize("name", ["", " "])
@pytest.mark.parametrize("more", [[], ["--light"]])
def test_new_needs_a_name(capsys, name, more):
    before = sorted(Path().rglob("*"))
    assert "the name is empty" in run(capsys, "new", name, *more, code=2)
    assert sorted(Path().rglob("*")) == before


def change(name: str, old: str, new: str) -> None:
    path = Path("nap", name)
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_check_ends_with_1_on_errors_and_shows_them(capsys):
    change("positive.fin.txt", "sohvalla.", "sohvassa.")
    out = run(capsys, "check", "nap", code=1)
    assert "1 error" in out
    assert f"{Path('nap/positive.fin.txt')}:2" in out
    result = run_json(capsys, "check", "nap", code=1)
    (finding,) = result["templates"][0]["findings"]
    assert finding["severity"] == "error"
    assert finding["code"] == "sample-rejected"
    row = run(capsys, "check", "nap", "-f", "tsv", code=1).splitlines()[1]
    assert row.split("\t")[:3] == ["nap", "error", "sample-rejected"]


def test_syntax_errors_are_findings_with_a_caret(capsys):
    change("NapEng.gf", "now ++ x", "now + + x")
    out = run(capsys, "check", "nap", "a.refs", code=1)
    assert "nap: cannot be read; 1 error" in out
    caret = next(line for line in out.splitlines() if line.strip() == "^")
    line = out.splitlines()[out.splitlines().index(caret) - 1]
    assert line[caret.index("^")] == "+"
    # The other names are checked all the same.
    assert "a.refs: 3 segments, 46 references; nothing wrong" in out
    result = run_json(capsys, "check", "nap", code=1)["templates"][0]["findings"]
    assert result[0]["code"] == "grammar"
    assert "NapEng.gf:" in result[0]["where"]


def test_warnings_count_if_the_check_is_strict(capsys):
    change("template.toml", "minimum = 10", "minimum = 1000")
    assert "4 warnings" in run(capsys, "check", "nap")
    run(capsys, "check", "nap", "--strict", code=1)


def test_a_template_file_stands_for_its_template(capsys):
    whole = run(capsys, "check", "nap")
    for name in ("nap/NapFin.gf", "nap/template.toml"):
        assert run(capsys, "check", name) == whole
        assert run(capsys, "count", name) == run(capsys, "count", "nap")
    out = run(capsys, "check", "nap/Missing.gf", code=2)
    assert "unknown template 'nap/Missing.gf'" in out


def test_references_with_mistakes_are_findings(capsys):
    Path("bad.refs").write_text("a {b|c\n", encoding="utf-8")
    out = run(capsys, "check", "bad.refs", code=1)
    assert "bad.refs:1" in out
    assert "^" in out


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "<a> = b|c\n"])
def test_references_without_a_segment_are_rejected(capsys, text):
    Path("none.refs").write_text(text, encoding="utf-8")
    for line in ("sample", "count", "draw", "compile"):
        more = {"draw": ["-o", "x.svg"], "compile": ["-o", "x"]}.get(line, [])
        out = run(capsys, line, "none.refs", *more, code=2)
        assert "none.refs: no segment in this file; write at least one" in out
    assert "no segment" in run(capsys, "check", "none.refs", code=1)


def test_what_sets_lack_of_a_transducer_is_remarked(capsys):
    Path("a.fst.txt").write_text("0 1 a b 0.5\n1\n", encoding="utf-8")
    Path("a.txt").write_text("a\n", encoding="utf-8")
    for line in ("sample a.fst.txt", "count a.fst.txt", "compile a.fst.txt -o x",
                 "evaluate --references a.fst.txt -i a.txt --resamples 0"):  # fmt: skip
        assert main(["grammar", *line.split()]) == 0
        remarks = capsys.readouterr().err
        assert "a.fst.txt: this is a transducer; its input side was taken" in remarks
        assert "a.fst.txt: weights were dropped" in remarks
        assert main(["grammar", *line.split(), "-q"]) == 0
        assert capsys.readouterr().err == ""
    out = run(capsys, "check", "a.fst.txt")
    assert "2 warnings" in out
    assert "warning: a.fst.txt: weights were dropped" in out
    run(capsys, "check", "a.fst.txt", "--strict", code=1)


def test_words_are_looked_up(capsys):
    Path("nap/words.tsv").write_text("kissa\tkissa\tNOUN\n", encoding="utf-8")
    change(
        "template.toml",
        '# [analysers]\n# Fin = "voikko"',
        '[analysers]\nFin = "tsv:words.tsv"',
    )
    out = run(capsys, "check", "nap")
    assert "does not know 'koira'" in out
    assert "does not know 'kissa'" not in out
    assert "nothing wrong" in run(capsys, "check", "nap", "--analyser", "none")
    change("template.toml", "words.tsv", "nowhere.tsv")
    assert main(["grammar", "check", "nap"]) == 0
    assert "words of Fin are not looked up" in capsys.readouterr().err


def test_watch_checks_again_on_save_and_ends_on_interrupt():
    # It reads sys.argv, whose first entry is then -c.
    program = "import sys, tertium.cli; sys.exit(tertium.cli.main())"
    with subprocess.Popen(
        [sys.executable, "-c", program, "grammar", "watch", "nap", "--every", "0.05"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as watch:
        try:
            assert watch.stdout is not None

            def wait_for(text: str) -> None:
                assert any(text in line for line in iter(watch.stdout.readline, ""))

            wait_for("nothing wrong")
            change("NapEng.gf", "now ++ x", "nou ++ x")
            wait_for("NapEng.gf changed")
            wait_for("did you mean now?")
            Path("nap").rename("elsewhere")
            wait_for("unknown template 'nap'")
            Path("elsewhere").rename("nap")
            wait_for("did you mean now?")
            watch.send_signal(signal.SIGINT)
            _, err = watch.communicate(timeout=20)
            assert "stopped watching" in err
            assert watch.returncode == 0
        finally:
            watch.kill()


@pytest.mark.parametrize(
    ("modules", "name"),
    [([template_files, checks], "find_templates"), ([checks], "is_template")],
)
def test_watch_continues_if_a_folder_vanishes(capsys, monkeypatch, modules, name):
    """It can vanish after it was found, before file times or the check."""
    rounds = iter([False, True, False])
    usual = getattr(checks, name)
    gone = False

    def maybe(*arguments):
        if gone:
            raise FileNotFoundError(2, "No such file or directory", "nap")
        return usual(*arguments)

    def sleep(_):
        nonlocal gone
        gone = next(rounds, None)
        if gone is None:
            raise KeyboardInterrupt
        with Path("nap/NapEng.gf").open("a", encoding="utf-8") as file:
            file.write("-- saved\n")

    for module in modules:
        monkeypatch.setattr(module, name, maybe)
    monkeypatch.setattr(time, "sleep", sleep)
    out = run(capsys, "watch", "nap", "nap/template.toml")
    assert "No such file" in out
    assert out.rindex("nothing wrong") > out.index("No such file")


def test_watch_rejects_a_pause_of_zero(capsys):
    assert "is not a time" in run(capsys, "watch", "nap", "--every", "0", code=2)


# ------------------------------------------------------------------ show, sample, count


def test_show_puts_languages_side_by_side(capsys):
    out = run(capsys, "show", "nap", "--construction", "OnYSleepsX", "--limit", "2")
    assert "OnYSleepsX {1a,2a}: Eng has no such construction, Fin 16" in out
    assert out.count("divaanilla") == 2
    result = run_json(capsys, "show", "nap", "--set", "1b,2b", "--limit", "1000")
    sets = result["constructions"]
    assert set(sets) == {"XSleepsOnY", "XIsAsleepOnY", "OnYSleepsX"}
    grammar = load_template("nap").grammar
    for language in ("Eng", "Fin"):
        shown = {text for one in sets.values() for text in one[language]["sentences"]}
        assert shown == {" ".join(t) for t in grammar.sentences(language, "1b,2b")}
    lines = run(capsys, "show", "nap", "-f", "tsv").splitlines()
    assert lines[0].split("\t") == ["construction", "Eng", "Fin"]


def test_show_rejects_unknown_names(capsys):
    assert "unknown variable set" in run(capsys, "show", "nap", "--set", "9z", code=2)
    out = run(capsys, "show", "nap", "--construction", "XSleepsOnZ", code=2)
    assert "unknown construction" in out
    assert "unknown language" in run(capsys, "show", "nap", "--language", "X", code=2)
    run(capsys, "new", "nop")
    assert "several templates (nap, nop)" in run(capsys, "show", ".", code=2)


def test_sample_takes_templates_and_references(capsys):
    result = run_json(capsys, "sample", "nap", "a.refs", "-n", "2")["sample"]
    grammar = load_template("nap").grammar
    refs = {segment.id: segment.automaton for segment in read_reference_sets("a.refs")}
    assert len(result) == 2 * (4 + 4 + 3)
    for row in result:
        if row["template"]:
            sentences = grammar.sentences(row["language"], row["set"])
        else:
            sentences = refs[row["set"]]
        assert row["sentence"] in sentences
    few = run(capsys, "sample", "nap", "-n", "2", "--language", "Fin", "-f", "tsv")
    many = run(capsys, "sample", "nap", "-n", "4", "--language", "Fin", "-f", "tsv")
    assert set(few.splitlines()) < set(many.splitlines())
    one = run(capsys, "sample", "a.refs", "--set", "2", "-n", "9")
    assert one.count("The dog slept") == 2


def test_unknown_sets_list_the_nearest_few(capsys):
    lines = "".join(f"s{n}\tthe ball {n}\n" for n in range(500))
    Path("many.refs").write_text(lines, encoding="utf-8")
    for name in ("??????", "7"):
        error = run(capsys, "count", "many.refs", "--set", name, code=2)
        assert f"unknown set '{name}'; choose one of 500, such as" in error
        assert len(error) < 150
    error = run(capsys, "count", "many.refs", "--set", "s49x", code=2)
    assert "did you mean" in error
    for line in ("show nap --set 99zz", "count nap --set 99zz"):
        error = run(capsys, *line.split(), code=2)
        assert error.count(",") <= 16


def test_count_is_exact(capsys):
    result = run_json(capsys, "count", "nap", "a.refs")
    assert result["total"] == {"Eng": 128, "Fin": 288, "references": 46}
    assert result["sets"][0]["sentences"] == 32
    Path("huge.refs").write_text("{a|b} " * 100, encoding="utf-8")
    assert str(2**100) in run(capsys, "count", "huge.refs", "-f", "tsv")
    assert f"{2**100:,}" in run(capsys, "count", "huge.refs")
    assert "unknown set '9'" in run(capsys, "count", "huge.refs", "--set", "9", code=2)
    out = run(capsys, "count", "huge.refs", "--language", "Fin", code=2)
    assert "is not a template" in out


def test_count_unites_sets_of_one_id_as_evaluate_does(capsys):
    Path("one.refs").write_text("x\t{a|b}\ny\tc\n", encoding="utf-8")
    Path("two.refs").write_text("x\t{b|d}\n", encoding="utf-8")
    result = run_json(capsys, "count", "one.refs", "two.refs")
    assert [(one["set"], one["sentences"]) for one in result["sets"]] == [
        ("x", 3),
        ("y", 1),
    ]
    assert result["total"] == {"references": 4}
    Path("out.txt").write_text("d\nc\n", encoding="utf-8")
    files = ("--references", "one.refs", "two.refs", "-i", "out.txt")
    evaluated = run_json(capsys, "evaluate", *files)
    assert evaluated["systems"][0]["exact"] == 2


# ---------------------------------------------------------------------- compile, draw


def test_compiled_automata_come_back(capsys):
    run(capsys, "compile", "nap", "-o", "automata")
    names = sorted(os.listdir("automata"))
    assert len(names) == 9
    assert "nap.1a,2b.Fin.fst.txt" in names
    grammar = load_template("nap").grammar
    back = {one.id: one.automaton for one in read_reference_sets("automata")}
    assert back["nap.1a,2b.Fin"] == grammar.sentences("Fin", "1a,2b")
    total = run_json(capsys, "count", "automata")["total"]
    assert total == {"references": 128 + 288}


def test_sets_of_a_test_set_are_for_the_metric(capsys):
    run(capsys, "testset", "nap", "-n", "12", "-o", "small")
    test = ["nap", "-t", "small/testset.jsonl"]
    run(capsys, "compile", *test, "-o", "sets.jsonl")
    grammar = load_template("nap").grammar
    sources = read_sources("small/testset.jsonl")
    back = read_reference_sets("sets.jsonl")
    assert [source.id for source in back] == [source.id for source in sources]
    for source, one in zip(sources, back, strict=True):
        assert one.automaton == grammar.sentences("Fin", source.set)
    out = run(capsys, "compile", *test, "-o", "x.jsonl", "--language", "Eng", code=2)
    assert "unknown target language of nap 'Eng'" in out
    out = run(capsys, "compile", *test, "-o", "sets", code=2)
    assert "end its name in .jsonl" in out
    out = run(capsys, "compile", *test, "-o", "x.jsonl", "--set", "1a,2a", code=2)
    assert "omit --set" in out


def test_draw_writes_svg_and_png(capsys):
    one = ["draw", "nap", "--set", "1a,2a", "--language", "Fin"]
    assert run(capsys, *one).startswith("<svg")
    run(capsys, *one, "--construction", "OnYSleepsX", "-o", "few.svg")
    few = Path("few.svg").read_text("utf-8")
    assert "16 sentences" in few
    assert "unessa" not in few
    run(capsys, *one, "-o", "nap.png")
    assert Path("nap.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in run(capsys, "draw", "a.refs", "--set", "2")


def test_draw_finds_the_one_set_among_several_templates(capsys):
    run(capsys, "new", "nop")
    text = Path("nop/Nop.gf").read_text("utf-8").replace("1a", "3a").replace("1b", "3b")
    Path("nop/Nop.gf").write_text(text, encoding="utf-8")
    for language in ("Eng", "Fin"):
        path = Path(f"nop/Nop{language}.gf")
        text = (
            path.read_text("utf-8").replace("Var1a", "Var3a").replace("Var1b", "Var3b")
        )
        path.write_text(text, encoding="utf-8")
    one = ["draw", "nap", "nop", "--set", "2a,3a", "--language", "Fin"]
    assert "nop.2a,3a.Fin" in run(capsys, *one, "--construction", "OnYSleepsX")


def test_draw_needs_one_set(capsys):
    assert "there are 8 sets" in run(capsys, "draw", "nap", code=2)
    one = ["draw", "nap", "--set", "1a,2a", "--language", "Fin"]
    out = run(capsys, *one, "--construction", "Nothing", code=2)
    assert "unknown construction" in out
    out = run(capsys, "draw", "a.refs", "--set", "1", "--construction", "F", code=2)
    assert "only templates have constructions" in out


def test_attest_looks_pairs_up(capsys, tmp_path):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("Vanha kaivinkone on valtava.\n", encoding="utf-8")
    wanted = ("attest", "size", "--corpus", str(corpus))
    result = run_json(capsys, *wanted)["constructions"]
    assert {one["template"] for one in result} == {"size"}
    assert all(0 <= one["found"] < one["pairs"] for one in result)
    assert sum(one["found"] for one in result) > 0
    pairs = [pair for one in result for pair in one["least"]]
    assert all(" ".join(pair["words"]) in pair["example"] for pair in pairs)
    assert "Unattested word pairs" in run(capsys, *wanted, "--top", "1")


def test_attest_needs_text(capsys, tmp_path):
    empty = tmp_path / "empty.txt"
    empty.write_text("", encoding="utf-8")
    error = run(capsys, "attest", "size", "--corpus", str(empty), code=2)
    assert "has no text; give a corpus" in error
