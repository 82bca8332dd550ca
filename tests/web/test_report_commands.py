# SPDX-License-Identifier: Apache-2.0
"""The commands in captions of reports run, and explain the output that is shown."""

from __future__ import annotations

import json
import os
import shlex
from types import SimpleNamespace

import pytest

import tertium
from support.report_systems import texts, trees
from tertium.analysis.report import report
from tertium.cli import main
from tertium.cli.report.commands import explain_commands
from tertium.cli.report.options import parse
from tertium.data import Testset
from tertium.data.annotated import Annotated

FEW = ("-m", "chrf", "--resamples", "50", "-q")


@pytest.fixture
def testset(tmp_path, monkeypatch, write_lines) -> Testset:
    """Write a test set into the current folder, and return it."""
    monkeypatch.chdir(tmp_path)
    made = texts()
    write_lines("ref.txt", [refs[0] for refs in made.references])
    write_lines("docs.txt", made.docs)
    for name, lines in made.systems.items():
        write_lines(f"{name}.txt", lines)
    return made


def captions(page, number: int, name: str) -> list[list[str]]:
    """Return the commands of the first caption of an output, as a shell reads them."""
    who = page.locator(".who").get_by_text(name, exact=True)
    row = page.locator(f"#segment-{number} .row", has=who)
    row.get_by_text("alignment", exact=True).click()
    row.locator("figcaption").wait_for()
    return [
        shlex.split(each.text_content())
        for each in row.locator("figcaption").first.locator("code").all()
    ]


def run(commands, capsys) -> dict:
    """Run commands and return what the last one explains."""
    for program, *arguments in commands[:-1]:
        assert program == "tertium"
        assert main(arguments) == 0
    capsys.readouterr()
    assert main([*commands[-1][1:], "-f", "json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["segments"]
    return one


def test_one_run_of_several_is_named(testset, visit_file, tmp_path, capsys):
    files = ["-r", "ref.txt", "-i", "A one=Alder.txt,Birch.txt", "B=Cedar.txt"]
    assert main(["report", *files, *FEW, "-o", "r.html"]) == 0
    page = visit_file(tmp_path / "r.html")
    shown = {"A one": "Alder", "B": "Cedar"}
    for number in (3, 7):
        for name, output in shown.items():
            (command,) = captions(page, number, name)
            assert f"{name}={output}.txt" in command
            one = run([command], capsys)
            assert one["hyp_text"] == testset.systems[output][number - 1]
            assert one["ref_text"] == testset.references[number - 1][0]
            assert (one["system"], one["segment"]) == (name, number)


def test_cut_outputs_are_cut_first(testset, visit_file, tmp_path, capsys, write_lines):
    lines = testset.systems["Alder"]
    write_lines("long.txt", [" ".join(lines[:5]), " ".join(lines[5:])])
    cut = ["--resegment", "--docs", "docs.txt"]
    files = ["-r", "ref.txt", "-i", "A=long.txt", "B=Birch.txt,Cedar.txt", *cut]
    assert main(["report", *files, *FEW, "-o", "r.html"]) == 0
    page = visit_file(tmp_path / "r.html")
    for number in (1, 7):
        first, second = captions(page, number, "A")
        assert first[:2] == ["tertium", "resegment"]
        assert run([first, second], capsys)["hyp_text"] == lines[number - 1]
        (command,) = captions(page, number, "B")
        one = run([command], capsys)
        assert one["hyp_text"] == testset.systems["Birch"][number - 1]


def test_cut_outputs_overwrite_nothing(testset, write_lines):
    made = [" ".join(lines) for lines in testset.systems.values()]
    names = ["A", "a", "../../B c", "D", "\u2026"]
    paths = ["one/out.txt", "two/out.txt", "three/out.txt", "D.cut.txt", "out.txt"]
    for path, line in zip(paths, [*made, *made], strict=False):
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        write_lines(path, [line])
    files = [f"{name}={path}" for name, path in zip(names, paths, strict=True)]
    options = parse(["-r", "ref.txt", "-i", *files, "--resegment", "-o", "A.cut.txt"])
    cut = {name: SimpleNamespace(unchanged=False) for name in names}
    commands = explain_commands(options, names, cut)
    targets = [shlex.split(commands[name].before)[-1] for name in names]
    assert targets == [
        "A-2.cut.txt",
        "a-3.cut.txt",
        "B-c.cut.txt",
        "D-2.cut.txt",
        "output.cut.txt",
    ]
    for name, target in zip(names, targets, strict=True):
        assert shlex.quote(f"{name}={target}") in commands[name].options[1]


def test_one_file_and_trees_are_named(testset, visit_file, tmp_path, capsys):
    tertium.write(testset, "all set.jsonl")
    assert main(["report", "all set.jsonl", *FEW, "-o", "r.html"]) == 0
    (command,) = captions(visit_file(tmp_path / "r.html"), 7, "Cedar")
    assert command[2] == "all set.jsonl"
    assert run([command], capsys)["hyp_text"] == testset.systems["Cedar"][6]
    names = ["Alder", "Birch"]
    parsed = trees()
    files = {name: parsed.systems[name][0].layers["tree"] for name in names}
    files["ref"] = parsed.references[0][0].layers["tree"]
    for name, tree in files.items():
        path = tmp_path / f"{name}.conllu"
        path.write_text(_conllu(tree), encoding="utf-8")
    named = [f"{name}={name}.conllu" for name in names]
    layers = ["--ref-trees", "ref.conllu", "--trees", *named]
    assert main(["report", *layers, "-m", "derp", "-q", "-o", "t.html"]) == 0
    (command,) = captions(visit_file(tmp_path / "t.html"), 1, "Birch")
    one = run([[*command, "-m", "derp"]], capsys)
    assert one["dependencies"]["hyp"]["words"] == list(files["Birch"].forms)
    assert one["dependencies"]["flat"] is False


def _conllu(tree) -> str:
    rows = zip(tree.forms, tree.heads, tree.deprels, strict=True)
    lines = [
        f"{number}\t{form}\t_\t_\t_\t_\t{head}\t{label}\t_\t_"
        for number, (form, head, label) in enumerate(rows, start=1)
    ]
    return "\n".join([*lines, "", ""])


def test_without_files_the_texts_are_copied(visit_file, tmp_path, capsys):
    odd = 'it\'s <b> "$HOME" `ls` ! b'
    testset = Testset.build([("a b", odd)], {"A one": [odd], "B": ["a"]})
    path = tmp_path / "odd.html"
    runs = {"A one": tertium.Runs([[odd], ["a"]]), "B": ["a"]}
    for systems in (testset.systems, runs):
        made = report(systems, testset.references, metrics=["chrf"], resamples=20)
        path.write_text(made.to_html(), encoding="utf-8")
        page = visit_file(path)
        (command,) = captions(page, 1, "A one")
        assert command[:4] == ["tertium", "explain", "--hyp", odd]
        assert run([command], capsys)["hyp_text"] == odd
        caption = page.locator("figcaption").first.text_content()
        assert "with the files" not in caption


def test_control_characters_are_not_copied(visit_file, tmp_path, monkeypatch):
    for odd in ("a\x15echo b\r", "a\x1b[201~b", "a\x7f", "a\x9bb"):
        made = report({"A": ["a"], odd: [odd]}, ["a b"], metrics=["chrf"], resamples=20)
        path = tmp_path / "control.html"
        path.write_text(made.to_html(), encoding="utf-8")
        page = visit_file(path)
        row = page.locator("#segment-1 .row").nth(
            [*made.comparison.scores.ranked()].index(odd) + 1
        )
        row.get_by_text("alignment", exact=True).click()
        assert row.locator("figcaption code").text_content() == (
            "tertium explain --segments 1"
        )
    monkeypatch.chdir(tmp_path)
    files = parse(["-r", "r.txt", "-i", "A=a\r.txt", "B\x15=b.txt", "C=c.txt"])
    assert [*explain_commands(files, ["A", "B\x15", "C"], None)] == ["C"]


def test_stems_are_aligned_as_in_the_report(visit_file, tmp_path, capsys, write_lines):
    testset = Testset.build(["walk houses"], {"A1": ["houses walked"], "B1": ["a"]})
    made = report(testset, metrics=["chrf", "derp:flat=yes"], language="en")
    path = tmp_path / "stems.html"
    path.write_text(made.to_html(), encoding="utf-8")
    page = visit_file(path)
    (command,) = captions(page, 1, "A1")
    assert shlex.join(command).endswith(" --match exact+stem --language en")
    assert len(run([command], capsys)["matches"]) == 2
    page.get_by_text("fDERP paths").first.click()
    paths = page.locator("figcaption", has_text="DERP").locator("code").text_content()
    assert "--match" not in paths  # which would be another metric
    write_lines(ref := str(tmp_path / "ref.txt"), ["walk houses"])
    write_lines(hyp := str(tmp_path / "hyp.txt"), ["houses walked"])
    files = ["-r", ref, "-i", f"A1={hyp}", f"B1={ref}", "--language", "en"]
    assert main(["report", *files, *FEW, "-o", str(path)]) == 0
    (command,) = captions(visit_file(path), 1, "A1")
    assert len(run([command], capsys)["matches"]) == 2


def test_texts_with_layers_are_not_copied(visit_file, tmp_path):
    linked = Annotated("b a", {"links": (((0, 0), (1, 1)),)})
    path = tmp_path / "layers.html"
    for hyp, words in ((linked, "--segments 1 --system A1"), ("b a", "--hyp")):
        made = report({"A1": [hyp], "B1": ["c"]}, ["a b"], metrics=["chrf"])
        path.write_text(made.to_html(), encoding="utf-8")
        (command,) = captions(visit_file(path), 1, "A1")
        assert shlex.join(command).startswith(f"tertium explain {words}")


def test_texts_and_systems_may_begin_with_a_dash(visit_file, tmp_path, capsys):
    path = tmp_path / "dash.html"
    for refs, copied in ((("-a b",), True), (("-a b", "a"), False)):
        made = report({"-x": ["-a"], "B": ["-"]}, [refs], metrics=["chrf"])
        path.write_text(made.to_html(), encoding="utf-8")
        (command,) = captions(visit_file(path), 1, "-x")
        if copied:
            one = run([command], capsys)
            assert (one["hyp_text"], one["ref_text"]) == ("-a", "-a b")
        else:
            assert command[2:5] == ["--segments", "1", "--system=-x"]


def test_files_may_have_any_names(testset, visit_file, tmp_path, capsys, write_lines):
    names = ["-b", "c=d,e", "f,g"]
    for name, lines in zip(names, testset.systems.values(), strict=True):
        write_lines(f"{name}.txt", lines)
    files = ["-r", "ref.txt", "-i", "./-b.txt", "c=d,e.txt", "f,g.txt"]
    assert main(["report", *files, *FEW, "-o", "r.html"]) == 0
    page = visit_file(tmp_path / "r.html")
    for name, lines in zip(names, testset.systems.values(), strict=True):
        (command,) = captions(page, 7, name)
        one = run([command], capsys)
        assert (one["system"], one["hyp_text"]) == (name, lines[6])
    tertium.write(
        Testset.build(testset.references, {"-x": lines, "B": lines}), "x.jsonl"
    )
    assert main(["report", "x.jsonl", *FEW, "-o", "x.html"]) == 0
    (command,) = captions(visit_file(tmp_path / "x.html"), 7, "-x")
    assert run([command], capsys)["system"] == "-x"


def test_blanks_of_copied_texts_are_kept(visit_file, tmp_path):
    text = "a   b"
    made = report({"A": [text], "B": ["a"]}, ["a b"], metrics=["chrf"], resamples=20)
    path = tmp_path / "blanks.html"
    path.write_text(made.to_html(), encoding="utf-8")
    row = visit_file(path).locator("#segment-1 .row", has_text=text)
    row.get_by_text("alignment", exact=True).click()
    assert f"--hyp '{text}'" in row.locator("figcaption code").inner_text()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_pipes_are_not_named(testset):
    os.mkfifo("pipe")
    options = parse(["-r", "pipe", "-i", "A=Alder.txt", "B=Birch.txt"])
    assert explain_commands(options, ["A", "B"], None) == {}


def test_files_that_explain_does_not_read_are_not_named(testset):
    unread = (
        ["-r", "ref.txt", "-i", "A=Alder.txt", "B=/dev/stdin"],
        ["-r", "ref.txt", "-i", "A=Alder.txt", "B=Birch.txt", "--trees", "A=-"],
        ["-r", "ref.txt", "-i", "A=Alder.txt", "--ref-trees", "/dev/fd/63"],
        ["-r", "ref.txt", "-i", "A=Alder.txt", "--sets", "-"],
        ["-r", "-", "-i", "A=Alder.txt", "B=Birch.txt"],
        ["-t", "wmt20", "-l", "en-de", "-i", "A=Alder.txt", "B=Birch.txt"],
        ["--mtme", "wmt", "-l", "en-de", "--reference", "refB"],
    )
    for arguments in unread:
        assert explain_commands(parse(arguments), ["A", "B"], None) == {}
    cut = parse(["-r", "ref.jsonl", "-i", "A=Alder.txt", "--resegment"])
    assert explain_commands(cut, ["A"], {"A": None}) == {}
    made = explain_commands(parse(["--mtme", "wmt", "-l", "en-de"]), ["A"], None)
    assert made["A"].options == ("wmt", "-l en-de", "--system A")
