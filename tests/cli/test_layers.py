# SPDX-License-Identifier: Apache-2.0
"""Layers beside a test set: given alignments."""

from __future__ import annotations

import io
import sys

import pytest

import tertium
from tertium.cli import main
from tertium.cli.shared.inputs import files_by_name

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


def test_links_from_a_file_replace_the_aligner_of_one_system(run_json):
    assert scores(run_json("score", *base())) == [pytest.approx(0.4), 1]
    result = run_json("score", *base("--alignments", "A=a.links", "--segments"))
    assert scores(result) == [pytest.approx(0.6), 1]
    assert result["systems"]["A"][METRIC]["segments"] == [1, 0]


def test_links_may_count_from_one(run_json, write_lines):
    write_lines("b.links", ["1-1 2-2 3-3", ""])
    result = run_json("score", *base("--alignments", "A=b.links", "--one-based"))
    assert scores(result)[0] == pytest.approx(0.6)


def test_several_references_take_several_files(run_json, write_lines):
    write_lines("b.links", ["0-0", "0-0 1-1"])
    two = ["-r", "ref.txt", "ref.txt", "-i", "A.txt", "B.txt", "-m", METRIC]
    for spelling in (["A=a.links,b.links"], ["A=a.links", "A=b.links"]):
        result = run_json("score", *two, "--alignments", *spelling, "--segments")
        assert result["systems"]["A"][METRIC]["segments"] == [1, 1]


def test_one_system_needs_no_name(run_json, write_lines):
    one = ["-r", "ref.txt", "-i", "A.txt", "-m", METRIC]
    result = run_json("score", *one, "--alignments", "a.links")
    assert result["systems"]["A"][METRIC]["score"] == pytest.approx(0.6)


def test_compare_takes_links_too(run_json):
    more = ("--alignments", "A=a.links", "--test", "randomisation", "-q")
    assert scores(run_json("compare", *base(*more))) == [pytest.approx(0.6), 1]


def test_links_from_standard_input(monkeypatch, run_json):
    stdin = io.TextIOWrapper(io.BytesIO(b"0-0 1-1 2-2\n\n"))
    monkeypatch.setattr(sys, "stdin", stdin)
    result = run_json("score", *base("--alignments", "A=-"))
    assert scores(result)[0] == pytest.approx(0.6)


def test_links_from_standard_input_for_a_metric_that_reads_twice(monkeypatch, run_json):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"0-0 1-1 2-2\n\n")))
    result = run_json("score", *base("nist", "--alignments", "A=-"))
    assert scores(result)[0] == pytest.approx(0.6)


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
    ("links", "part"),
    [
        (["C=a.links"], "there is no system 'C'; choose from A, B (--alignments)"),
        (["a.links"], "does not name its system; give NAME=a.links"),
        (["A=none.links"], "none.links: no such file"),
        (["A="], "does not name a file; give NAME=FILE (--alignments)"),
        (["A=a.links,"], "does not name a file; give NAME=FILE (--alignments)"),
        (
            ["A=a.links,a.links"],
            "2 files for system 'A', and segment 1 has 1 reference;",
        ),
        (["A=-", "B=-"], "standard input (-) is given more than once"),
    ],
)
def test_mistakes_in_the_option_are_explained(links, part, capsys):
    assert part in complaint(capsys, "score", *base("--alignments", *links))


def test_one_system_named_in_two_ways_is_rejected(capsys):
    one = ["-r", "ref.txt", "-i", "A.txt", "-m", METRIC]
    message = complaint(capsys, "score", *one, "--alignments", "a.links", "A=a.links")
    assert "system 'A' is named in two ways" in message


def test_metrics_that_split_words_differently_are_rejected(capsys):
    texts = ["-r", "ref.txt", "-i", "A.txt", "--alignments", "a.links"]
    specs = [f"{METRIC}:tokenize=13a", "kendall"]
    for verb in ("score", "compare"):
        message = complaint(capsys, verb, *texts, "-m", *specs)
        assert "alignments count the words of one tokeniser" in message
        assert "kendall by none; set the same tokenize" in message


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
    result = run_json(
        "score", "-r", "one.txt", "-i", "S=one.txt", "-m", *specs, "--trees",
        "t.conllu", "--ref-trees", "t.conllu", "--alignments", "one.links",
    )  # fmt: skip
    by_spec = {spec: score["score"] for spec, score in result["systems"]["S"].items()}
    assert by_spec[METRIC] == 1
    assert by_spec["kendall"] == pytest.approx(2 / 3)
    assert by_spec["dted:variant=fc"] == pytest.approx(by_spec["dted:variant=c"])


def test_the_output_is_never_an_input(capsys):
    more = ("--alignments", "A=a.links", "-o", "a.links")
    assert "is one of the inputs" in complaint(capsys, "score", *base(*more))


def test_files_with_an_equals_sign_or_a_comma_are_meant_as_they_stand(write_lines):
    write_lines("x=1,2.links", [""])
    assert files_by_name(["x=1,2.links"], "x") == {"": ["x=1,2.links"]}
    assert files_by_name(["A=x=1,2.links"], "x") == {"A": ["x=1,2.links"]}
    assert files_by_name(["A=b,c", "A=d"], "x") == {"A": ["b", "c", "d"]}
    assert files_by_name(None, "x") is None


def test_texts_with_links_are_texts_in_a_test_set():
    testset = tertium.Testset.build(["a"], {"A": ["a"]})
    linked = tertium.align.with_links(testset.systems["A"], [[(0, 0)]])
    assert tertium.Testset.build(["a"], {"A": linked}) == testset


@pytest.mark.parametrize("verb", ["score", "compare"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-m", "bleu", "--alignments", "A=a.links"], "none of bleu reads word links"),
        (["-m", "bleu", "--trees", "A=a.conllu"], "reads trees; omit trees, or use"),
        (["-m", "chrf", "--ref-trees", "r"], "omit ref_trees, or use"),
        (["-m", "mean:bleu+chrf", "--alignments", "A=a.links"], "reads word links"),
        (["-m", "pef", "--one-based"], "--one-based is about alignments"),
        (["-m", "pef", "--sure-only"], "--sure-only is about alignments"),
    ],
)
def test_layers_that_no_metric_reads_are_rejected(capsys, verb, options, message):
    texts = ["-r", "ref.txt", "-i", "A.txt", "B.txt"]
    assert message in complaint(capsys, verb, *texts, *options)


def test_parts_of_a_mean_read_links(run_json):
    spec = f"mean:{METRIC}+chrf"
    texts = ["-r", "ref.txt", "-i", "A.txt", "B.txt", "-m", spec]
    plain = run_json("score", *texts)["systems"]["A"][spec]["score"]
    result = run_json("score", *texts, "--alignments", "A=a.links")
    assert result["systems"]["A"][spec]["score"] > plain


def test_possible_links_may_be_left_out(run_json, write_lines):
    write_lines("p.links", ["0-0 1p1 2?2", "0p1 1-0"])
    every = run_json("score", *base("--alignments", "A=p.links"))
    assert scores(every)[0] == 1
    sure = run_json("score", *base("--alignments", "A=p.links", "--sure-only"))
    assert scores(sure)[0] == pytest.approx(4 / 10)
    both = ("--alignments", "A=p.links", "B=p.links")
    for more, links in ([], "links"), (["--sure-only"], "sure-links"):
        for files, some in (both, ""), (both[:2], "some-"):
            info = run_json("score", *base(*files, *more))["metrics"][METRIC]
            fields = info["signature"].split("|")
            assert f"given:{some}{links}" in fields
            assert any(field.startswith("match:") for field in fields) == bool(some)


def test_links_from_zero_need_no_one_based(capsys):
    message = complaint(
        capsys, "score", *base("--alignments", "A=a.links", "--one-based")
    )
    assert "a.links:1" in message
    assert "correct one of the two (--one-based)" in message
