# SPDX-License-Identifier: Apache-2.0
"""Layers beside a test set: given alignments."""

from __future__ import annotations

import io
import sys

import pytest

import tertium
from tertium.cli import main
from tertium.cli.shared import flags
from tertium.cli.shared.layers import named_files

METRIC = "aligned-percentage"


@pytest.fixture(autouse=True)
def files(write_lines, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lines("ref.txt", ["the cat sat", "a dog"])
    write_lines("A.txt", ["x y z", "dog a"])
    write_lines("B.txt", ["the cat sat", "a dog"])
    write_lines("a.links", ["0-0 1-1 2-2", ""])


def base(*more: str) -> list[str]:
    return ["-r", "ref.txt", "-i", "A.txt", "B.txt", "-m", METRIC, *more]


def complaint(capsys, *arguments: str) -> str:
    assert main(list(arguments)) == 2
    return capsys.readouterr().err


def scores(result) -> list[float]:
    return [result["systems"][name][METRIC]["score"] for name in ("A", "B")]


def test_given_links_replace_the_aligner_of_one_system(run_json):
    assert scores(run_json("score", *base())) == [pytest.approx(0.4), 1]
    given = run_json("score", *base("--alignments", "A=a.links", "--segments"))
    assert scores(given) == [pytest.approx(0.6), 1]
    assert given["systems"]["A"][METRIC]["segments"] == [1, 0]


def test_links_may_count_from_one(run_json, write_lines):
    write_lines("b.links", ["1-1 2-2 3-3", ""])
    given = run_json("score", *base("--alignments", "A=b.links", "--one-based"))
    assert scores(given)[0] == pytest.approx(0.6)


def test_several_references_take_several_files(run_json, write_lines):
    write_lines("b.links", ["0-0", "0-0 1-1"])
    two = ["-r", "ref.txt", "ref.txt", "-i", "A.txt", "B.txt", "-m", METRIC]
    for spelling in (["A=a.links,b.links"], ["A=a.links", "A=b.links"]):
        given = run_json("score", *two, "--alignments", *spelling, "--segments")
        assert given["systems"]["A"][METRIC]["segments"] == [1, 1]


def test_one_system_needs_no_name(run_json, write_lines):
    one = ["-r", "ref.txt", "-i", "A.txt", "-m", METRIC]
    given = run_json("score", *one, "--alignments", "a.links")
    assert given["systems"]["A"][METRIC]["score"] == pytest.approx(0.6)


def test_compare_takes_links_too(run_json):
    more = ("--alignments", "A=a.links", "--test", "randomisation", "-q")
    assert scores(run_json("compare", *base(*more))) == [pytest.approx(0.6), 1]


def test_links_join_texts_chunk_by_chunk(tmp_path, monkeypatch, write_lines):
    from tertium.data import stream

    lines = 7
    write_lines("ref.txt", ["a b"] * lines)
    write_lines("A.txt", ["c d"] * lines)
    write_lines("a.links", [f"0-{i % 2}" for i in range(lines)])
    monkeypatch.setattr("tertium.data.stream", lambda *a, **k: stream(*a, **k, size=3))
    parser = flags.parser("score", "", "")
    flags.add_input(parser)
    from tertium.cli.shared.layers import add_layers

    add_layers(parser)
    args = parser.parse_args(
        ["-r", "ref.txt", "-i", "A.txt", "--alignments", "a.links"]
    )
    chunks = list(flags.chunks(args)())
    assert [len(chunk) for chunk in chunks] == [3, 3, 1]
    refs = [text.layers["links"][0][0].ref for c in chunks for text in c.systems["A"]]
    assert refs == [0, 1, 0, 1, 0, 1, 0]


def test_links_from_standard_input(monkeypatch, run_json):
    stdin = io.TextIOWrapper(io.BytesIO(b"0-0 1-1 2-2\n\n"))
    monkeypatch.setattr(sys, "stdin", stdin)
    given = run_json("score", *base("--alignments", "A=-"))
    assert scores(given)[0] == pytest.approx(0.6)


def test_links_from_standard_input_for_a_metric_that_reads_twice(monkeypatch, run_json):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"0-0 1-1 2-2\n\n")))
    given = run_json("score", *base("nist", "--alignments", "A=-"))
    assert scores(given)[0] == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("links", "part"),
    [
        (["0-0", "0-5"], "a.links:2: link 0-5 (counted from 0) points outside the sec"),
        (["3-0", ""], "a.links:1: link 3-0 (counted from 0) points outside the first"),
        (["0-0", "0-0 zero"], "a.links:2: 'zero' is not a link"),
        (["0-0"], "a.links: the links end after 1 line"),
        (["0-0", "", ""], "a.links:3: there are links beyond the 2 segments"),
    ],
)
def test_links_that_do_not_fit_are_named_with_file_and_line(
    links, part, capsys, write_lines
):
    write_lines("a.links", links)
    assert part in complaint(capsys, "score", *base("--alignments", "A=a.links"))


@pytest.mark.parametrize(
    ("given", "part"),
    [
        (["C=a.links"], "names system 'C', which is not there; choose from A, B"),
        (["a.links"], "does not say of which system; give NAME=a.links"),
        (["A=none.links"], "none.links: no such file"),
        (["A="], "names no file; give NAME=FILE"),
        (["A=a.links,"], "names no file; give NAME=FILE"),
        (
            ["A=a.links,a.links"],
            "2 files for system 'A', and segment 1 has 1 reference;",
        ),
        (["A=-", "B=-"], "standard input (-) is given more than once"),
    ],
)
def test_mistakes_in_the_option_are_explained(given, part, capsys):
    assert part in complaint(capsys, "score", *base("--alignments", *given))


def test_one_system_named_in_two_ways_is_refused(capsys):
    one = ["-r", "ref.txt", "-i", "A.txt", "-m", METRIC]
    said = complaint(capsys, "score", *one, "--alignments", "a.links", "A=a.links")
    assert "names system 'A' in two ways" in said


def test_metrics_that_cut_other_words_are_refused(capsys):
    given = ["-r", "ref.txt", "-i", "A.txt", "--alignments", "a.links"]
    spec = f"{METRIC}:tokenize=13a"
    for verb in ("score", "compare"):
        said = complaint(capsys, verb, *given, "-m", spec)
        assert "cuts by 13a; tokenise the texts first" in said


def test_links_count_the_words_of_trees_where_there_are_some(run_json, write_lines):
    """The text has two words at white space, and its tree has three."""
    rows = [("b", 2), ("a", 0), (".", 2)]
    block = [
        "# text = b a.",
        *(
            f"{i}\t{form}\t_\t_\t_\t_\t{head}\tdep\t_\t_"
            for i, (form, head) in enumerate(rows, 1)
        ),
        "",
    ]
    write_lines("t.conllu", block)
    write_lines("one.txt", ["b a."])
    write_lines("one.links", ["0-1 1-0 2-2"])
    specs = ["dted:variant=c", "dted:variant=fc", "kendall", METRIC]
    given = run_json(
        "score", "-r", "one.txt", "-i", "S=one.txt", "-m", *specs, "--trees",
        "t.conllu", "--ref-trees", "t.conllu", "--alignments", "one.links",
    )  # fmt: skip
    found = {spec: own["score"] for spec, own in given["systems"]["S"].items()}
    assert found[METRIC] == 1
    assert found["kendall"] == pytest.approx(2 / 3)
    assert found["dted:variant=fc"] == pytest.approx(found["dted:variant=c"])


def test_the_output_is_never_an_input(capsys):
    more = ("--alignments", "A=a.links", "-o", "a.links")
    assert "is one of the inputs" in complaint(capsys, "score", *base(*more))


def test_files_with_an_equals_sign_or_a_comma_are_meant_as_they_stand(write_lines):
    write_lines("x=1,2.links", [""])
    assert named_files(["x=1,2.links"], "--x") == {"": ["x=1,2.links"]}
    assert named_files(["A=x=1,2.links"], "--x") == {"A": ["x=1,2.links"]}
    assert named_files(["A=b,c", "A=d"], "--x") == {"A": ["b", "c", "d"]}
    assert named_files(None, "--x") == {}


def test_texts_with_links_are_texts_in_a_test_set():
    testset = tertium.Testset.build(["a"], {"A": ["a"]})
    given = tertium.align.with_links(testset.systems["A"], [[(0, 0)]])
    assert tertium.Testset.build(["a"], {"A": given}) == testset


@pytest.mark.parametrize("verb", ["score", "compare"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-m", "bleu", "--alignments", "A=a.links"], "none of bleu reads links"),
        (["-m", "bleu", "--trees", "A=a.conllu"], "reads trees; leave out --trees"),
        (["-m", "chrf", "--ref-trees", "r"], "leave out --ref-trees"),
        (["-m", "mean:bleu+chrf", "--alignments", "A=a.links"], "reads links"),
        (["-m", "pef", "--one-based"], "--one-based is about --alignments"),
        (["-m", "pef", "--sure-only"], "--sure-only is about --alignments"),
    ],
)
def test_layers_that_nothing_reads_are_refused(capsys, verb, options, message):
    texts = ["-r", "ref.txt", "-i", "A.txt", "B.txt"]
    assert message in complaint(capsys, verb, *texts, *options)


def test_parts_of_a_mean_read_links(run_json):
    spec = f"mean:{METRIC}+chrf"
    texts = ["-r", "ref.txt", "-i", "A.txt", "B.txt", "-m", spec]
    plain = run_json("score", *texts)["systems"]["A"][spec]["score"]
    given = run_json("score", *texts, "--alignments", "A=a.links")
    assert given["systems"]["A"][spec]["score"] > plain


def test_possible_links_may_be_left_out(run_json, write_lines):
    write_lines("p.links", ["0-0 1p1 2?2", "0p1 1-0"])
    every = run_json("score", *base("--alignments", "A=p.links"))
    assert scores(every)[0] == 1
    sure = run_json("score", *base("--alignments", "A=p.links", "--sure-only"))
    assert scores(sure)[0] == pytest.approx(4 / 10)
    both = ("--alignments", "A=p.links", "B=p.links")
    for more, said in ([], "links"), (["--sure-only"], "sure-links"):
        for files, some in (both, ""), (both[:2], "some-"):
            found = run_json("score", *base(*files, *more))["metrics"][METRIC]
            fields = found["signature"].split("|")
            assert f"given:{some}{said}" in fields
            assert any(field.startswith("match:") for field in fields) == bool(some)


def test_links_from_zero_need_no_one_based(capsys):
    said = complaint(capsys, "score", *base("--alignments", "A=a.links", "--one-based"))
    assert "a.links:1" in said
    assert "correct one of the two (--one-based)" in said
