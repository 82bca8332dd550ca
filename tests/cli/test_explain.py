# SPDX-License-Identifier: Apache-2.0
"""``tertium explain`` and ``tertium score --worst`` as a user meets them."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
import sys
import xml.etree.ElementTree as ET

import pytest

from tertium.cli import main
from tertium.cli.explain.verb import METRICS
from tertium.data import TestsetFiles, kept
from tertium.engine import worst
from tertium.engine.permutations import score_permutations
from tertium.order.files import stream_permutations
from tertium.report.explain.explanation import DEFAULT_METRICS

REF = ["the cat sat on the mat", "a dog barked at night", "it rained all day"]
GOOD = ["the cat sat on a mat", "a dog barked at night", "it rained all day"]
BAD = ["on the mat sat the cat", "at night a dog barked", "all day it rained"]

CONLLU = """\
# text = {text}
1\tcats\tcat\tNOUN\t_\t_\t2\t{relation}\t_\t_
2\tsleep\tsleep\tVERB\t_\t_\t0\troot\t_\t_

"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Run in an empty folder, so that `demo` is the bundled set."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def files(write_lines):
    """Write a reference and two systems."""
    write_lines("ref.txt", REF)
    write_lines("good.txt", GOOD)
    write_lines("bad.txt", BAD)


@pytest.fixture
def run(capsys):
    """Return a function that runs a command and returns what it wrote."""

    def call(command: str) -> str:
        code = main(shlex.split(command))
        captured = capsys.readouterr()
        assert code == 0, captured.err
        return captured.out

    return call


@pytest.fixture
def on_disk(monkeypatch):
    """Return a function after which test sets of more than two segments are on disk."""

    def shrink() -> None:
        for stream in (TestsetFiles.stream, stream_permutations):
            monkeypatch.setitem(stream.__kwdefaults__, "size", 2)
        monkeypatch.setattr(kept, "BLOCK", 2)
        monkeypatch.setattr(worst, "CHUNK", 2)

    return shrink


@pytest.fixture
def fails(capsys):
    """Return a function that runs a command that fails, and returns its message."""

    def call(command: str) -> str:
        assert main(shlex.split(command)) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        return captured.err

    return call


def test_texts_of_the_command_line(run):
    out = run("explain --hyp 'at noon we meet' --ref 'we meet at noon'")
    assert "• The block *at noon* moved before *we meet*." in out
    assert "\x1b" not in out
    assert "PEF" in out


def test_metrics_are_those_of_the_library():
    assert METRICS == DEFAULT_METRICS


def test_segment_of_the_demo(run):
    out = run("explain demo --system order --segment 3")
    assert out.startswith("Segment 3, system order\n")
    assert "*schmilzt* moved before *in einem großen Topf*" in out


def test_lists_of_segments(files, run):
    read = json.loads(
        run("explain -r ref.txt -i bad.txt good.txt --segments 3,1-2,3 -f json")
    )
    places = [(s["segment"], s["system"]) for s in read["segments"]]
    assert places == [(n, name) for n in (3, 1, 2) for name in ("bad", "good")]
    assert read["segments"][0]["findings"][0]["text"] == (
        "The block *all day* moved before *it rained*."
    )


def test_all_segments_of_a_small_set(files, run):
    read = json.loads(run("explain -r ref.txt -i bad.txt -f json"))
    assert [s["segment"] for s in read["segments"]] == [1, 2, 3]


def test_values_from_zero_hint_at_the_option(fails):
    assert "(--zero-based)" in fails('explain --permutation "1 0"')
    assert "(--zero-based)" in fails('explain --permutation "0,1"')


def test_permutations(run, write_lines):
    out = run('explain --permutation "2 4 5 6 1 3"')
    assert "⟨2 4 1 3⟩ prime  0.40" in out
    assert run('explain --permutation "1,3,4,5,0,2" --zero-based') == out
    write_lines("a.perm", ["1 2 3", "3 1 2"])
    read = json.loads(run("explain --permutations A=a.perm --segment 2 -f json"))
    assert read["segments"][0]["order"]["permutation"] == [3, 1, 2]
    assert read["segments"][0]["system"] == "A"


def test_permutations_have_the_scores_of_metrics(run, write_lines):
    specs = "recpef:beta=0.3 kendall mean:recpef+ulam"
    out = run(f"explain --permutation '2 4 5 6 1 3' -m {specs} -f json")
    only = json.loads(out)["segments"][0]
    write_lines("a.perm", ["1 2 3", "2 4 5 6 1 3"])
    files = f"--permutations a.perm -m {specs} --segment 2 -f json"
    (other,) = json.loads(run(f"explain {files}"))["segments"]
    assert only["scores"] == other["scores"]
    perm = [[2, 4, 5, 6, 1, 3]]
    for score in only["scores"]:
        table = score_permutations(perm, metrics=[score["spec"]])
        assert score["value"] == pytest.approx(table["system"][score["spec"]].score)
    assert only["order"]["metric"] == "recpef:beta=0.3"
    assert only["order"]["scores"]["recpef"] == only["scores"][0]["value"]
    assert only["order"]["forest"][0]["score"] == only["scores"][0]["value"]
    assert "RECPEF 0.7" in run("explain --permutation '2 4 5 6 1 3' -m recpef:beta=0.3")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("-m bleu", "bleu needs texts, and there are only permutations"),
        ("-m pef", "pef needs texts for its lexical part"),
        ("-m derp:flat=yes", "derp:flat=yes needs texts"),
        ("-m recpef:tokenize=13a", "tokenize=13a is about texts"),
        ("--match exact+stem", "--match is about texts"),
        ("--cased", "--cased is about texts"),
        ("--variant cl", "--variant is about texts"),
        ("-p udpipe", "--parser is about texts"),
        ("--reference 1", "--reference is about texts"),
    ],
)
def test_permutations_reject_what_needs_texts(fails, write_lines, more, message):
    write_lines("a.perm", ["2 1"])
    assert message in fails(f"explain --permutation '2 1' {more}")
    assert message in fails(f"explain --permutations a.perm {more}")


def test_one_diagram_goes_to_stdout(run):
    for name in ("alignment", "tree", "forest", "dependencies", "derp"):
        out = run(f"explain --hyp 'b a' --ref 'a b' -f svg --draw {name}")
        assert ET.fromstring(out).tag.endswith("svg")


def test_diagrams_go_to_a_folder(run, tmp_path):
    run("explain demo --system order --segments 3,12 -f svg -o out -q")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert len(names) == 10
    assert names[0] == "0003-order-alignment.svg"
    for path in (tmp_path / "out").iterdir():
        ET.parse(path)


def test_metrics_of_one_kind_have_a_diagram_each(run, fails, tmp_path):
    metrics = "-m dted:variant=b,flat=yes dted:variant=cl,flat=yes"
    command = f"explain --hyp 'b a' --ref 'a b' {metrics} -f svg --draw dependencies"
    run(f"{command} -o out -q")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [
        "dependencies-dted_variant=b_flat=yes.svg",
        "dependencies-dted_variant=cl_flat=yes.svg",
    ]
    assert "2 diagrams need a folder" in fails(command)


def test_page_is_written_to_a_file(run, tmp_path):
    assert run("explain demo --segment 3 -f html -o page.html") == ""
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<section") == 4
    assert page.endswith("</html>\n")


def test_draw_chooses_sections_of_the_text(run):
    out = run("explain --hyp 'b a' --ref 'a b' --draw forest")
    assert "Permutation forest" in out
    assert "Alignment" not in out
    assert "N-grams" not in out


def test_settings_of_the_alignment(run):
    command = "explain --hyp 'The cats' --ref 'the cat' -f json"
    plain = json.loads(run(command))["segments"][0]
    assert [m["matcher"] for m in plain["matches"]] == ["exact"]
    stems = json.loads(run(f"{command} --match exact+stem --language en"))
    assert [m["matcher"] for m in stems["segments"][0]["matches"]] == ["exact", "stem"]
    cased = json.loads(run(f"{command} --cased"))["segments"][0]
    assert cased["matches"] == []
    chars = json.loads(run(f"{command} --tokenize char"))["segments"][0]
    assert chars["hyp"] == list("Thecats")


def test_trees_of_files(run, tmp_path):
    for name, relation in (("a", "obj"), ("ref", "nsubj")):
        text = CONLLU.format(text="cats sleep", relation=relation)
        (tmp_path / f"{name}.conllu").write_text(text, encoding="utf-8")
        (tmp_path / f"{name}.txt").write_text("cats sleep\n", encoding="utf-8")
    out = run("explain -r ref.txt -i a.txt --trees a.conllu --ref-trees ref.conllu")
    sentence = "*cats* depends on *sleep* as nsubj in the reference, as obj in the"
    assert sentence in out
    assert run("explain --trees a.conllu --ref-trees ref.conllu") == out


def test_parser(run, tiny_model):
    out = run(
        f"explain --hyp 'cats sleep' --ref 'dogs sleep' -p udpipe --model {tiny_model}"
    )
    assert "Dependency trees" in out


def test_alignments_of_files(run, write_lines):
    write_lines("ref.txt", ["the cat."])
    write_lines("a.txt", ["chat. le"])
    write_lines("a.links", ["0-1 1-0"])
    read = json.loads(run("explain -r ref.txt -i a.txt --alignments a.links -f json"))
    assert read["segments"][0]["order"]["permutation"] == [2, 1]


@pytest.mark.parametrize(
    "command",
    [
        "explain demo --segments 60,3,8-9 -f json",
        "explain -r ref.txt -i bad.txt good.txt --list list.tsv",
        "explain -i bad.txt --sets sets.refs --segments 3 -m evalgen -f json",
        "explain -r ref.txt -i bad.txt --alignments bad.links --segments 3",
        "explain --trees a.conllu --ref-trees a.conllu --segments 3",
        "explain --permutations A=a.perm --segments 3",
        "score demo -m bleu chrf nist --worst 5 -f json",
        "score -r ref.txt -i bad.txt good.txt -m wer --worst 9",
        "score --permutations A=a.perm --worst 2 -f json",
    ],
)
def test_texts_on_disk_have_the_same_results(
    files, run, write_lines, tmp_path, on_disk, command
):
    write_lines("list.tsv", ["system\tsegment", "bad\t3", "good\t1"])
    write_lines("sets.refs", ["{the|a} cat", "a dog {barked|bayed}", "[all] day"])
    write_lines("bad.links", ["0-0", "1-1", "0-2 2-0"])
    write_lines("a.perm", ["1 2 3", "3 1 2", "2 4 1 3"])
    trees = CONLLU.format(text="cats sleep", relation="obj") * 3
    (tmp_path / "a.conllu").write_text(trees, encoding="utf-8")
    expected = run(command)
    on_disk()
    assert run(command) == expected


def test_errors_do_not_depend_on_where_texts_are(files, fails, write_lines, on_disk):
    write_lines("short.txt", GOOD[:2])
    on_disk()
    message = "there is no segment 4; the test set has 3 segments"
    assert message in fails("explain -r ref.txt -i bad.txt --segments 1,4")
    for command in ("explain --segments 1", "score --worst 1 -o list.tsv"):
        assert "short.txt has 2" in fails(f"{command} -r ref.txt -i short.txt")
    assert not os.path.exists("list.tsv")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("explain", "nothing to explain"),
        ("explain --hyp a", "give --hyp and --ref"),
        ("explain demo --hyp a --ref b", "only one of them"),
        ("explain demo", "are too many to explain; choose segments such as"),
        ("explain demo --segment 61", "there is no segment 61"),
        ("explain demo --segment 0", "there is no segment 0"),
        ("explain demo --segment x", "'x' is not a segment number"),
        ("explain demo --segment 5-3", "write 3-5"),
        ("explain demo --segment ,", "segments is empty"),
        ("explain demo --system goood --segment 1", "did you mean good"),
        ("explain demo --segment 1 -f svg", "20 diagrams need a folder"),
        ("explain demo --segment 1 --draw nothing", "invalid choice"),
        ("explain demo --segment 1 -f svg -o /dev/null", "cannot make the folder"),
        ("explain demo --segment 1 -f html -o no/where.html", "no"),
        ("explain --permutation '1 3'", "no permutation"),
        ("explain --permutation 'x'", "'x' is not a value of a permutation"),
        ("explain --hyp a --ref b --model x", "add -p udpipe"),
        ("explain --hyp a --ref b -p udpipe", "needs a model; give --model MODEL"),
        ("explain --hyp a --ref b -p malt --model x", "unknown parser"),
        ("explain --hyp a --ref b --reference 2", "reference 2 was requested"),
        ("explain demo --segment 1 --list x", "give one of them"),
        ("explain demo --list missing.tsv", "missing.tsv: no such file"),
        ("score demo --worst 3 --segments", "omit --segments"),
        ("score demo --worst 0", "give 1 or more"),
    ],
)
def test_wrong_use_says_what_where_and_cure(command, message, fails):
    assert message in fails(command)


# ------------------------------------------------------------------------------ worst


def test_worst_segments_come_first(files, run):
    out = run("score -r ref.txt -i bad.txt good.txt -m wer --worst 2 -f tsv")
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert [(r["system"], r["segment"]) for r in rows] == [
        ("bad", "3"), ("bad", "2"), ("good", "1"),
    ]  # fmt: skip
    assert float(rows[0]["score"]) >= float(rows[1]["score"])
    assert rows[0]["output"] == "all day it rained"
    assert rows[0]["reference"] == "it rained all day"


def test_worst_means_low_where_high_is_good(files, run):
    out = json.loads(run("score -r ref.txt -i bad.txt -m chrf wer --worst 1 -f json"))
    assert list(out) == ["tertium", "metrics", "worst"]
    by_metric = {item["metric"]: item for item in out["worst"]}
    scores = json.loads(
        run("score -r ref.txt -i bad.txt -m chrf wer --segments -f json")
    )["systems"]["bad"]
    assert by_metric["chrf"]["score"] == min(scores["chrf"]["segments"])
    assert by_metric["wer"]["score"] == max(scores["wer"]["segments"])
    assert by_metric["wer"]["references"] == ["it rained all day"]


def test_worst_table_ends_with_the_command_that_explains_it(files, run):
    out = run("score -r ref.txt -i bad.txt -m wer --worst 2")
    command = out.strip().splitlines()[-1]
    assert command == (
        "tertium explain -r ref.txt -i bad.txt --system bad --segments 3,2 -m wer"
    )
    assert "Segment 3, system bad" in run(command.removeprefix("tertium "))


@pytest.mark.parametrize("kind", ["tsv", "json"])
def test_explain_reads_the_list_of_worst_segments(files, run, kind, monkeypatch):
    run(f"score -r ref.txt -i bad.txt good.txt -m wer --worst 2 -f {kind} -o list")
    read = json.loads(run("explain -r ref.txt -i bad.txt good.txt --list list -f json"))
    places = [(s["segment"], s["system"]) for s in read["segments"]]
    assert places == [(3, "bad"), (2, "bad"), (1, "good")]
    # The metric of the list is the metric of the explanation.
    assert [s["spec"] for s in read["segments"][0]["scores"]] == ["wer"]
    with open("list", encoding="utf-8") as file:
        monkeypatch.setattr(sys, "stdin", file)
        piped = run("explain -r ref.txt -i bad.txt good.txt --list - -f json")
    assert json.loads(piped) == read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("segment\n3\n", "list:1: this is not a list of segments"),
        ("", "list:1: this is not a list of segments"),
        ("system\tsegment\nbad\tx\n", "list:2: 'x' is not a segment number"),
        ("system\tsegment\nbad\n", "list:2: 1 columns"),
        ("system\tsegment\nbad\t9\n", "list:2: there is no segment 9"),
        ("system\tsegment\nnobody\t1\n", "unknown system 'nobody'"),
        ('{"worst": 3}', "list: this JSON does not list segments"),
    ],
)
def test_wrong_lists_are_rejected_with_file_and_line(
    files, fails, tmp_path, text, message
):
    (tmp_path / "list").write_text(text, encoding="utf-8")
    assert message in fails("explain -r ref.txt -i bad.txt --list list")


def test_worst_of_permutations(run, write_lines):
    write_lines("a.perm", ["1 2 3", "3 2 1", "2 1 3"])
    out = run("score --permutations A=a.perm --worst 1")
    assert "3 2 1" in out
    command = out.strip().splitlines()[-1].removeprefix("tertium ")
    assert "Segment 2, system A" in run(command)


def test_perfect_segments_are_not_among_the_worst(files, run, capsys):
    out = run("score -r ref.txt -i good.txt -m chrf wer --worst 3")
    assert out.count("2 segments with the best value left out") == 2
    assert "--segments 1 -m chrf" in out
    out = run("score -r ref.txt -i ref.txt -m chrf wer --worst 3")
    assert "no segment is below the best value, 100.0" in out
    assert "no segment is above the best value, 0.0" in out
    assert main(shlex.split("score -r ref.txt -i ref.txt -m wer --worst 3 -f tsv")) == 0
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 1
    assert "ref, wer: no segment is above" in captured.err


@pytest.mark.parametrize(
    ("more", "option"),
    [
        ("--segment 2", "--segments"),
        ("--system A", "--system"),
        ("--list x", "--list"),
        ("--alignments x", "--alignments"),
        ("--ref-trees x", "--ref-trees"),
    ],
)
def test_one_segment_leaves_nothing_to_choose(fails, more, option):
    assert f"{option} is about a test set" in fails(f"explain --hyp a --ref a {more}")
    assert f"{option} is about a test set" in fails(f"explain --permutation 1 {more}")


def test_all_is_about_findings(fails, run):
    assert "--all is about findings" in fails("explain --permutation 1 --all -f svg")
    command = "explain --hyp a --ref b"
    assert run(f"{command} --all") == run(command)


def test_zero_based_is_about_permutations(fails):
    assert "--zero-based is about" in fails("explain --hyp a --ref a --zero-based")


def test_files_are_named_when_written(run, capsys):
    base = "explain --hyp 'b a' --ref 'a b'"
    for more, message in (
        ("-f svg --draw forest -o one.svg", "1 diagram in one.svg"),
        ("-f html -o page.html", "1 segment in page.html"),
    ):
        assert main(shlex.split(f"{base} {more}")) == 0
        assert message in capsys.readouterr().err
        assert main(shlex.split(f"{base} {more} -q")) == 0
        assert capsys.readouterr().err == ""
