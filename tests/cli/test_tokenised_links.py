# SPDX-License-Identifier: Apache-2.0
"""Links between tokenised words: made by ``align``, read by ``score``."""

from __future__ import annotations

import pytest

from tertium.cli import main
from tertium.data import read
from tertium.errors import UnknownNameError

REFS = ['He said: "no, thanks", and left.', "The (old) cat sat, it seems, down."] * 6
HYPS = ['And he left, he said "no, thanks".', "It seems, the old cat sat down."] * 6


@pytest.fixture(autouse=True)
def files(write_lines, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lines("ref.txt", REFS)
    write_lines("A.txt", HYPS)


def make_links(*arguments: str) -> None:
    command = ["align", "-i", "A.txt", "-r", "ref.txt", "-o", "a.links", "-q"]
    assert main([*command, *arguments]) == 0


def complaint(capsys, *arguments: str) -> str:
    capsys.readouterr()
    assert main(list(arguments)) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("name", ["none", "13a", "intl", "words", "char"])
def test_links_of_a_tokeniser_give_the_score_of_the_metric_with_it(name, run_json):
    """The aligner of the verb is that of the metric, so scores are equal."""
    make_links("--tokenize", name)
    metrics = ("kendall", "link-tau", "aligned-percentage", "dted:flat=yes", "pef")
    specs = [f"{m}{',' if ':' in m else ':'}tokenize={name}" for m in metrics]
    command = ["score", "-r", "ref.txt", "-i", "A.txt", "-m", *specs]
    without = run_json(*command)["systems"]["A"]
    linked = run_json(*command, "--alignments", "a.links")["systems"]["A"]
    assert {spec: score["score"] for spec, score in linked.items()} == {
        spec: score["score"] for spec, score in without.items()
    }
    assert len({score["score"] for score in linked.values()}) > 2


def test_a_remark_names_the_tokeniser_of_links_once_they_are_made(capsys):
    command = ["align", "-i", "A.txt", "-r", "ref.txt", "-o", "a.links"]
    assert main([*command, "--tokenize", "13a"]) == 0
    assert "kendall:tokenize=13a" in capsys.readouterr().err
    message = complaint(capsys, *command, "--tokenize", "foo")
    assert "unknown" in message
    assert "these links count words" not in message


def test_the_signature_names_the_tokeniser_of_links(run_json):
    make_links("--tokenize", "13a")
    command = ["score", "-r", "ref.txt", "-i", "A.txt", "--alignments", "a.links"]
    result = str(run_json(*command, "-m", "kendall:tokenize=13a"))
    assert "tok:13a" in result
    assert "given:links" in result


def test_links_that_point_outside_name_file_line_and_cure(capsys):
    make_links("--tokenize", "13a")
    command = ["score", "-r", "ref.txt", "-i", "A.txt", "--alignments", "a.links"]
    message = complaint(capsys, *command, "-m", "kendall")
    assert "a.links:1: link " in message
    assert "read as counting words separated by white space" in message
    assert "set tokenize=NAME on the metric" in message
    explained = ["explain", *command[1:], "--segments", "1", "-m", "kendall"]
    assert "a.links:1: link " in complaint(capsys, *explained)


def test_links_of_another_tokeniser_are_known_by_the_words_they_join(capsys):
    """No link lies outside: there are fewer words at white space than tokens."""
    make_links()
    command = ["score", "-r", "ref.txt", "-i", "A.txt", "--alignments", "a.links"]
    message = complaint(capsys, *command, "-m", "kendall:tokenize=13a")
    assert "a.links:1: these links count words split by none" in message
    assert "make them with `tertium align --tokenize 13a`" in message


def test_links_between_different_words_are_not_suspected(run_json, write_lines):
    """Synonyms and paraphrases: by no tokeniser are the words equal."""
    write_lines("ref.txt", ["one, two three"] * 12)
    write_lines("A.txt", ["eins zwei, drei"] * 12)
    write_lines("a.links", ["0-0 1-2 3-3"] * 12)
    command = ["score", "-r", "ref.txt", "-i", "A.txt", "--alignments", "a.links"]
    spec = "aligned-percentage:tokenize=13a"
    score = run_json(*command, "-m", spec)["systems"]["A"][spec]["score"]
    assert score == 6 / 8


def test_explain_reads_links_of_the_metric_tokeniser(capsys):
    make_links("--tokenize", "13a")
    command = ["explain", "-r", "ref.txt", "-i", "A.txt", "--alignments", "a.links"]
    spec = "kendall:tokenize=13a"
    assert main([*command, "--segments", "2", "-m", spec, "-q"]) == 0
    assert "{+(+}" in capsys.readouterr().out


def test_readers_take_the_tokeniser_of_links():
    make_links("--tokenize", "13a")
    files = {"references": "ref.txt", "systems": {"A": "A.txt"}}
    testset = read(**files, alignments="a.links", link_tokenize="13a")
    (links,) = testset.systems["A"][0].layers["links"]
    assert max(link.hyp for link in links) > len(HYPS[0].split())
    with pytest.raises(UnknownNameError, match="did you mean 13a"):
        read(**files, alignments="a.links", link_tokenize="14a")


def test_texts_are_tokenised_by_convert(run_json, tmp_path, capsys):
    texts = ["-r", "ref.txt", "-s", "ref.txt", "-i", "A.txt"]
    command = ["convert", *texts, "-o", "all.tsv", "--tokenize", "13a", "-q"]
    assert main(command) == 0
    testset = read("all.tsv")
    assert testset.references[1] == ("The ( old ) cat sat , it seems , down .",)
    assert testset.systems["A"][1] == "It seems , the old cat sat down ."
    assert testset.sources == REFS
    command[-2] = "14a"
    assert "did you mean 13a" in complaint(capsys, *command)


def test_tokenised_texts_and_their_links_score_as_one_step(run_json):
    """Tokenise, align at white space, score: as align and score with the tokeniser."""
    command = ["convert", "-r", "ref.txt", "-i", "A.txt", "-o", "t", "--to", "plain"]
    assert main([*command, "--tokenize", "13a", "-q"]) == 0
    make_links("--tokenize", "13a")
    names = ["kendall:tokenize=none", "kendall:tokenize=13a"]
    scores = [
        run_json("score", *texts, "--alignments", "A=a.links", "-m", name)
        for texts, name in zip(
            (["t"], ["-r", "ref.txt", "-i", "A.txt"]), names, strict=True
        )
    ]
    one, other = (
        score["systems"]["A"][name]["score"]
        for score, name in zip(scores, names, strict=True)
    )
    assert one == other
