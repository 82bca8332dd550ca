# SPDX-License-Identifier: Apache-2.0
"""``tertium align`` as a user meets it."""

from __future__ import annotations

import gzip
import json
import sys

import pytest

from tertium.cli import main

DIAGONAL = "sed 's/.*/0-0 1-1/'"


@pytest.fixture(autouse=True)
def files(write_lines, tmp_path, monkeypatch):
    """Write texts and links, and run among them."""
    monkeypatch.chdir(tmp_path)
    write_lines("ref.txt", ["the cat sat", "a dog"])
    write_lines("out.txt", ["sat The cat", "dog"])
    write_lines("src.txt", ["le chat assis", "un chien"])
    write_lines("gold.links", ["1-3 2p1", "1-2"])


def run(capsys, *arguments: str) -> list[str]:
    assert main(["align", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def error(capsys, *arguments: str) -> str:
    assert main(["align", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def test_outputs_are_aligned_with_references(capsys):
    assert run(capsys, "-i", "out.txt", "-r", "ref.txt") == ["0-2 1-0 2-1", "0-1"]
    lines = run(capsys, "-i", "out.txt", "-r", "ref.txt", "--case")
    assert lines == ["0-2 2-1", "0-1"]


def test_matchers_and_aligners_can_be_chosen(capsys, write_lines):
    write_lines("a.txt", ["sie tanzten"])
    write_lines("b.txt", ["tanzte sie"])
    texts = ("-i", "a.txt", "-r", "b.txt")
    assert run(capsys, *texts) == ["0-1"]
    lines = run(capsys, *texts, "--match", "exact+stem", "--language", "de")
    assert lines == ["0-1 1-0"]
    assert run(capsys, *texts, "--aligner", "context") == ["0-1"]
    message = error(capsys, *texts, "--match", "exact+steem")
    assert "unknown matcher 'steem'; did you mean stem" in message


def test_texts_are_tokenised_as_requested(capsys, write_lines):
    write_lines("a.txt", ["a, b."])
    assert run(capsys, "-i", "a.txt", "-r", "a.txt") == ["0-0 1-1"]
    lines = run(capsys, "-i", "a.txt", "-r", "a.txt", "--tokenize", "13a")
    assert lines == ["0-0 1-1 2-2 3-3"]
    message = error(capsys, "-i", "a.txt", "-r", "a.txt", "--tokenize", "14a")
    assert "did you mean 13a" in message


def test_formats_and_files(capsys, tmp_path):
    pair = ("-i", "out.txt", "-r", "ref.txt")
    lines = run(capsys, *pair, "-f", "naacl")
    assert lines == ["1 1 3 S", "1 2 1 S", "1 3 2 S", "2 1 2 S"]
    document = json.loads(run(capsys, *pair, "-f", "json")[0])
    assert document["links"][1] == [{"hyp": 0, "ref": 1, "weight": 1.0, "sure": True}]
    assert run(capsys, *pair, "--one-based", "output", "-o", "out.links.gz") == []
    text = gzip.decompress((tmp_path / "out.links.gz").read_bytes())
    assert text == b"1-3 2-1 3-2\n1-2\n"


def test_links_are_evaluated(capsys):
    pair = ("-i", "out.txt", "-r", "ref.txt", "--gold", "gold.links")
    lines = run(capsys, *pair, "--one-based", "gold", "-o", "out.links")
    assert lines[0].split() == [
        *("links", "sure", "possible", "precision", "recall", "F1", "AER", "↓")
    ]
    assert lines[2].split() == ["4", "2", "3", "0.7500", "1.0000", "0.8571", "0.1667"]
    document = json.loads(run(capsys, *pair, "--one-based", "gold", "-f", "json")[0])
    assert document["quality"]["aer"] == pytest.approx(1 / 6)
    assert run(capsys, "--links", "out.links") == ["0-2 1-0 2-1", "0-1"]


def test_gold_may_be_naacl(capsys, write_lines):
    write_lines("given.naacl", ["1 1 1 S"])
    write_lines("gold.naacl", ["1 1 1 S", "1 2 2 P"])
    naacl = ("--links", "given.naacl", "--input-format", "naacl")
    lines = run(capsys, *naacl, "--gold", "gold.naacl")
    assert lines[2].split()[-1] == "0.0000"
    assert run(capsys, *naacl) == ["0-0"]


def test_links_are_converted_symmetrised_and_checked(capsys, write_lines):
    assert run(capsys, "--links", "gold.links", "--one-based") == ["1-3 2p1", "1-2"]
    lines = run(capsys, "--links", "gold.links", "--one-based", "links")
    assert lines == ["0-2 1p0", "0-1"]
    write_lines("back.links", ["1-3", "2-2"])
    two = ("--links", "gold.links", "back.links", "--one-based")
    assert run(capsys, *two, "--symmetrise", "intersection") == ["1-3", ""]
    assert run(capsys, *two, "--symmetrise", "union") == ["1-3 2p1", "1-2 2-2"]
    message = error(capsys, "--links", "gold.links", "-i", "out.txt", "-r", "ref.txt")
    assert (
        "gold.links:1: link 1-3 (counted from 0) points outside the second" in message
    )
    fits = ("-i", "out.txt", "-r", "ref.txt", "--one-based")
    assert run(capsys, "--links", "gold.links", *fits)


def test_links_are_composed_over_the_source(capsys, write_lines):
    write_lines("src-out.links", ["0-1:0.5 1-2", "1-0"])
    write_lines("src-ref.links", ["0-0:0.5 1-1", "0-0"])
    pivot = ("--pivot", "src-out.links", "src-ref.links")
    assert run(capsys, *pivot) == ["1-0:0.25 2-1", ""]
    texts = ("-s", "src.txt", "-i", "out.txt", "-r", "ref.txt")
    assert run(capsys, *pivot, *texts, "--combine", "sum") == ["1-0:0.25 2-1", ""]
    write_lines("src-out.links", ["0-1:0.5 1-2", "1-1"])
    message = error(capsys, *pivot, *texts)
    assert (
        "src-out.links:2: link 1-1 (counted from 0) points outside the second"
        in message
    )


def test_translations_are_aligned_by_a_command(capsys):
    texts = ("--bilingual", "-s", "src.txt", "-t", "ref.txt")
    lines = run(capsys, *texts, "--command", DIAGONAL, "-q")
    assert lines == ["0-0 1-1", "0-0 1-1"]
    message = error(capsys, *texts, "--command", f"{sys.executable} -c 1/0")
    assert "ended with code 1: ZeroDivisionError" in message


def test_translations_are_aligned_without_a_program(capsys, write_lines):
    write_lines("a.txt", ["das haus", "das buch", "ein buch", "", "ein haus"])
    write_lines("b.txt", ["the house", "the book", "a book", "", "a house"])
    texts = ("--bilingual", "-s", "a.txt", "-t", "b.txt")
    lines = ["0-0 1-1", "0-0 1-1", "0-0 1-1", "", "0-0 1-1"]
    assert run(capsys, *texts) == lines
    assert run(capsys, *texts, "--aligner", "builtin", "-j", "1") == lines
    soft = run(capsys, *texts, "--soft", "0.5", "-f", "json")
    weights = [link["weight"] for line in json.loads(soft[0])["links"] for link in line]
    assert len(weights) == 8
    assert all(0.5 <= weight <= 1 for weight in weights)


def test_a_model_aligns_other_translations(capsys, tmp_path, write_lines):
    write_lines("a.txt", ["das haus", "das buch", "ein buch"])
    write_lines("b.txt", ["the house", "the book", "a book"])
    write_lines("new.a", ["haus ein"])
    write_lines("new.b", ["a house"])
    texts = ("--bilingual", "-s", "a.txt", "-t", "b.txt")
    run(capsys, *texts, "--save-model", "ab.model")
    new = ("--bilingual", "-s", "new.a", "-t", "new.b", "--model", "ab.model")
    assert run(capsys, *new) == ["0-1 1-0"]
    assert "--model" not in error(capsys, *texts, "--save-model", "none/ab.model")
    (tmp_path / "ab.model").write_text("0-0")
    assert "ab.model: this is not a model of the built-in" in error(capsys, *new)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "nothing to align; give outputs and references"),
        ("-i out.txt", "nothing to align"),
        (
            "-i out.txt -r ref.txt -s src.txt",
            "source and target are read with bilingual",
        ),
        ("--bilingual -s src.txt", "--bilingual needs two texts"),
        ("--bilingual -s src.txt -t ref.txt --links gold.links", "give only one of"),
        ("--links a b c", "one file, or forward and backward"),
        ("--links none.links", "none.links: no such file"),
        ("--links gold.links --command x", "need --bilingual; add it"),
        (
            "--bilingual -s a -t b --command x --priors y",
            "omit one of the two (--priors, --command)",
        ),
        ("--bilingual -s src.txt -t ref.txt --command none", "no program 'none'"),
        ("--bilingual -s src.txt -t ref.txt --priors none", "no file none"),
        ("--links gold.links --soft 0.5", "soft need --bilingual; add it"),
        ("-i out.txt -r ref.txt --aligner eflomal", "eflomal needs --bilingual"),
        ("--bilingual -s a -t b --aligner builtin --priors y", "are for eflomal"),
        ("--bilingual -s a -t b --aligner builtin --command x", "omit one of the two"),
        ("--bilingual -s a -t b --command x --soft 0.5", "need the built-in aligner"),
        ("--bilingual -s a -t b --model x --save-model y", "nothing is learnt that"),
        ("--bilingual -s a -t b --soft 0.5 --symmetrise union", "omit symmetrise"),
        ("--bilingual -s a -t b --soft 2", "soft must be above 0 and at most 1"),
        ("--bilingual -s src.txt -t ref.txt --model none", "none: this does not exist"),
        ("--links gold.links -o gold.links", "is one of the inputs"),
        ("--pivot - -", "standard input (-) is given more than once"),
        ("--links gold.links --gold out.txt", "out.txt:1: 'sat' is not a link"),
        ("-i out.txt -r none.txt", "none.txt: no such file"),
        ("-i out.txt -r gold.links --gold one.links", "one.links: no such file"),
        ("--links gold.links --one-based some", "invalid choice"),
        ("--links gold.links --input-format naacl", "gold.links:1: '1-3 2p1' is no"),
    ],
)
def test_wrong_usage_is_reported(capsys, arguments, message):
    assert message in error(capsys, *arguments.split())


def test_a_text_that_is_too_long_is_reported(capsys, write_lines):
    write_lines("long.txt", ["a", "b", "c"])
    message = error(capsys, "-i", "long.txt", "-r", "ref.txt", "-o", "out.links")
    assert "ref.txt has 2 segments, long.txt has 3 (first extra line 3: 'c')" in message


def test_a_failure_leaves_no_file(capsys, tmp_path, write_lines):
    write_lines("bad.links", ["0-0", "x"])
    error(capsys, "--links", "bad.links", "-o", "new.links")
    assert not (tmp_path / "new.links").exists()


def test_score_accepts_the_links(capsys):
    run(capsys, "-i", "out.txt", "-r", "ref.txt", "-o", "out.links")
    score = ("score", "-r", "ref.txt", "-i", "out.txt", "-m", "aligned-percentage")
    assert main([*score, "-f", "tsv"]) == 0
    without = capsys.readouterr().out
    assert main([*score, "-f", "tsv", "--alignments", "out.links"]) == 0
    assert capsys.readouterr().out == without


def test_options_without_effect_are_rejected(capsys):
    texts = ("-i", "out.txt", "-r", "ref.txt")
    message = error(capsys, *texts, "--symmetrise", "union")
    assert "give --bilingual or two link files (--symmetrise)" in message
    one = error(capsys, "--links", "gold.links", "--symmetrise", "union")
    assert "there is only one" in one
    assert "combine has an effect with pivot only; omit it (--combine)" in error(
        capsys, *texts, "--combine", "sum"
    )
    message = error(capsys, *texts, "--synonyms", "nowhere")
    assert "--synonyms nowhere is read by the matcher synonym only" in message
    assert "write --match exact+synonym" in message
    message = error(capsys, *texts, "--match", "exact+paraphrase")
    assert "set --paraphrases PATH" in message


@pytest.mark.parametrize(
    ("way", "option"),
    [
        ("--bilingual -s src.txt -t ref.txt", "--bilingual"),
        ("--pivot gold.links gold.links", "--pivot"),
        ("--links gold.links", "--links"),
    ],
)
@pytest.mark.parametrize(
    "settings",
    [
        "--match exact",
        "--language de",
        "--tokenize none",
        "--case",
        "--synonyms x",
        "--paraphrases x",
        "--aligner beam",
        "--tokenize 13a --match exact+stem",
    ],
)
def test_settings_of_an_unused_aligner_are_rejected(capsys, way, option, settings):
    message = error(capsys, *way.split(), *settings.split())
    names = [word for word in settings.split() if word.startswith("--")]
    assert f"with {option[2:]}, outputs are not aligned with references" in message
    assert message.endswith(f"({', '.join(names)})\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--bilingual -s a -t b -i out.txt", "--bilingual aligns source with target"),
        ("--pivot a b -t src.txt", "omit target (--target)"),
        ("--links a -s a -i b", "omit one (--source, --systems)"),
        ("--links a -t a -r b", "omit one (--target, --references)"),
        ("-i out.txt -r ref.txt --language de", "as --match exact+stem"),
        ("-i out.txt -r ref.txt --input-format naacl", "none is read"),
        ("-i out.txt -r ref.txt --one-based gold", "--one-based gold: there is no"),
        ("-i out.txt -r ref.txt --one-based links", "--one-based links: there is no"),
        ("-i out.txt -r ref.txt --one-based output -f json", "on Pharaoh files only"),
    ],
)
def test_files_that_would_not_be_read_are_rejected(capsys, arguments, message):
    assert message in error(capsys, *arguments.split())


def test_a_tokeniser_other_than_that_of_score_gives_a_remark(capsys):
    texts = ["align", "-i", "out.txt", "-r", "ref.txt"]
    assert main([*texts, "--tokenize", "13a"]) == 0
    assert "-m kendall:tokenize=13a`" in capsys.readouterr().err
    assert main([*texts, "--tokenize", "13a", "-q"]) == 0
    assert capsys.readouterr().err == ""
    assert main(texts) == 0
    assert "white space" not in capsys.readouterr().err
