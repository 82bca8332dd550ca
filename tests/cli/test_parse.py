# SPDX-License-Identifier: Apache-2.0
"""``tertium parse`` and trees as input of ``tertium score``."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from support.treebank import treebank
from tertium import _core
from tertium.cli import main
from tertium.data import TestsetFiles
from tertium.metrics.registry import register
from tertium.metrics.structured import TreeMetric
from tertium.trees import read_conllu
from tertium.trees.cache import TreeCache

REF = ["The dog likes a cat.", "", "The cat sees a dog. The dog hears a child."]
OUT = ["The dog sees a cat.", "The cat", "The cat hears a dog."]


class TreeCoverage(TreeMetric):
    """The share of aligned words, over trees: a stand-in for metrics over trees."""

    name = "tree-coverage"
    example = "tree-coverage:flat=yes"
    summary = formula = paper = equal_to = cost = empty = "for tests"

    def make_kernel(self) -> _core.PairKernel:
        return _core.aligned_percentage()


@pytest.fixture(scope="module", autouse=True)
def coverage():
    """Register the metric for these tests only."""
    from tertium.metrics import registry

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_registered", dict(registry._registered))
        register(TreeCoverage)
        yield


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch, write_lines):
    monkeypatch.chdir(tmp_path)
    write_lines("ref.txt", REF)
    write_lines("A.txt", OUT)


@pytest.fixture
def parse(tiny_model):
    """Return a function that parses files with the tiny model."""

    def run(*arguments: str) -> int:
        return main(["parse", "-p", "udpipe", "--model", tiny_model, *arguments])

    return run


@pytest.fixture
def trees(parse):
    """Parse both files into the folder `trees`."""
    assert parse("ref.txt", "A.txt", "-o", "trees", "-q") == 0


def test_block_k_is_segment_k(parse, capsys):
    assert parse("ref.txt") == 0
    out = capsys.readouterr().out
    Path("out.conllu").write_text(out)
    blocks = list(read_conllu("out.conllu"))
    assert [block.text for block in blocks] == REF
    assert [block.sent_id for block in blocks] == ["1", "2", "3"]
    assert [len(block.tree.roots) for block in blocks] == [1, 0, 2]
    assert blocks[0].comment("parser").startswith("udpipe-")
    assert blocks[0].surface == REF[0]


def test_output_goes_to_files_and_folders(parse, capsys):
    assert parse("ref.txt", "-o", "r.conllu.gz") == 0
    assert "wrote 3 segments to r.conllu.gz" in capsys.readouterr().err
    assert parse("ref.txt", "A.txt", "-o", "both", "--no-cache", "-j", "2") == 0
    assert sorted(p.name for p in Path("both").iterdir()) == ["A.conllu", "ref.conllu"]
    assert list(read_conllu("both/ref.conllu")) == list(read_conllu("r.conllu.gz"))


def test_test_sets_become_folders(parse):
    assert parse("demo", "-o", "demo-trees", "-q", "--tokenize", "13a") == 0
    names = {p.relative_to("demo-trees").as_posix() for p in Path().rglob("*.conllu")}
    assert {"reference.1.conllu", "systems/good.conllu"} <= names
    assert sum(1 for _ in read_conllu("demo-trees/systems/good.conllu")) == 60


def test_a_second_run_parses_nothing(parse, monkeypatch):
    from tertium.trees.parsers.udpipe import UDPipeParser

    assert parse("ref.txt", "-o", "a.conllu", "--cache", "own.sqlite", "-q") == 0
    with monkeypatch.context() as patch:
        patch.setattr(UDPipeParser, "parse", None)
        assert parse("ref.txt", "-o", "b.conllu", "--cache", "own.sqlite", "-q") == 0
    assert Path("a.conllu").read_bytes() == Path("b.conllu").read_bytes()


def test_a_model_without_tokeniser_gives_a_remark(tiny_model, capsys):
    Path("t.conllu").write_text(treebank())
    train = ["parse", "train", "t.conllu", "-p", "udpipe", "-o", "m.udpipe", "--epochs"]
    details = ["tokenizer=none", "tagger=iterations=1",
               "parser=hidden_layer=5;embedding_form=3"]  # fmt: skip
    assert main([*train, "1", "-q", "-f", "json", "--detail", *details]) == 0
    scores = json.loads(capsys.readouterr().out)
    assert scores["sentences"] == 3
    assert 0 <= scores["las"] <= scores["uas"] <= 100
    assert scores["parser"].startswith("udpipe-")
    assert main(["parse", "-p", "udpipe", "--model", "m.udpipe", "A.txt"]) == 0
    captured = capsys.readouterr()
    assert "split at white space" in captured.err
    assert "1\tThe\t" in captured.out


def test_eval_scores_models_and_trees(tiny_model, capsys):
    Path("t.conllu").write_text(treebank())
    evaluate = ["parse", "eval", "t.conllu", "-f", "json"]
    assert main([*evaluate, "-p", "udpipe", "--model", tiny_model]) == 0
    learned = json.loads(capsys.readouterr().out)
    assert learned["uas"] == learned["las"] == 100
    assert (learned["sentences"], learned["words"]) == (27, 162)
    other = treebank().replace("\t3\tobj\t", "\t3\tiobj\t")
    Path("o.conllu").write_text(other)
    assert main([*evaluate, "--trees", "o.conllu"]) == 0
    assert json.loads(capsys.readouterr().out)["las"] == 100 * 5 / 6


SCORE = ["score", "-m", "tree-coverage", "bleu", "--segments"]


def test_trees_join_the_texts_they_belong_to(trees, run_json, capsys):
    table = run_json(*SCORE, "-r", "ref.txt", "-i", "A=A.txt", "--trees",
                     "A=trees/A.conllu", "--ref-trees", "trees/ref.conllu")  # fmt: skip
    scores = table["systems"]["A"]["tree-coverage"]
    assert scores["segments"][0] == 10 / 12
    signature = table["metrics"]["tree-coverage"]["signature"]
    parser = next(read_conllu("trees/A.conllu")).comment("parser")
    assert f"|trees:given({parser})|" in signature
    plain = run_json("score", "-r", "ref.txt", "-i", "A.txt", "-m", "bleu")
    assert (
        table["systems"]["A"]["bleu"]["score"] == plain["systems"]["A"]["bleu"]["score"]
    )


@pytest.mark.parametrize(
    "files",
    [
        [],
        ["-r", "ref.txt"],
        ["-i", "A=A.txt"],
    ],
)
def test_trees_can_replace_texts(files, trees, run_json):
    trees_of_both = ["--trees", "A=trees/A.conllu", "--ref-trees", "trees/ref.conllu"]
    full = run_json(*SCORE, "-r", "ref.txt", "-i", "A=A.txt", *trees_of_both)
    assert run_json(*SCORE, *files, *trees_of_both) == full


@pytest.mark.parametrize("other", ["", "# parser = other-1|x\n"])
def test_trees_of_several_parsers_are_labelled_given(other, trees, run_json):
    path = Path("trees/ref.conllu")
    first, _, rest = path.read_text().partition("\n")
    assert first.startswith("# parser = ")
    path.write_text(other + rest)
    trees_of_both = ["--trees", "A=trees/A.conllu", "--ref-trees", "trees/ref.conllu"]
    for verb in ("score", "compare"):
        more = ["B=trees/A.conllu"] if verb == "compare" else []
        table = run_json(
            verb, "-m", "tree-coverage", *trees_of_both[:2], *more, *trees_of_both[2:]
        )
        assert "|trees:given|" in table["metrics"]["tree-coverage"]["signature"]


def test_one_system_needs_no_name(trees, run_json):
    table = run_json(*SCORE, "--trees", "trees/A.conllu", "--ref-trees",
                     "trees/ref.conllu")  # fmt: skip
    assert list(table["systems"]) == ["A"]


def test_trees_and_a_parser_may_be_mixed(trees, tiny_model, run_json):
    spec = f"tree-coverage:parser=udpipe,model={tiny_model}"
    table = run_json("score", "-r", "ref.txt", "-i", "A.txt", "-m", spec)
    mixed = run_json("score", "-r", "ref.txt", "-i", "A.txt", "-m", spec,
                     "--ref-trees", "trees/ref.conllu")  # fmt: skip
    assert table == mixed


def test_trees_are_kept_over_chunks(trees, run_json, monkeypatch):
    trees_of_both = ["--trees", "A=trees/A.conllu", "--ref-trees", "trees/ref.conllu"]
    whole = run_json(*SCORE, *trees_of_both)
    monkeypatch.setitem(TestsetFiles.stream.__kwdefaults__, "size", 2)
    assert run_json(*SCORE, *trees_of_both) == whole


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("parse -p udpip --model m A.txt", "did you mean udpipe"),
        ("parse -p udpipe A.txt", "needs a model; give --model MODEL (get one"),
        ("parse eval trees/A.conllu -p spacy", "needs a model; give --model MODEL"),
        ("parse -p udpipe --model none A.txt", "there is no such file; get one from"),
        ("parse -p udpipe --model MODEL none.txt", "none.txt: no such file"),
        ("parse -p udpipe --model MODEL A.txt ref.txt", "give a folder for the trees"),
        ("parse -p udpipe --model MODEL A.txt A.txt -o x", "would both be x/A.conllu"),
        ("parse -p udpipe --model MODEL demo", "give a folder for the trees with -o"),
        ("parse -p udpipe --model MODEL demo A.txt -o x", "give it as the only file"),
        ("parse -p udpipe --model MODEL trees/A.conllu", "holds trees already"),
        ("parse -p udpipe --model MODEL A.txt -o A.txt", "A.txt is the input"),
        ("parse -p udpipe --model MODEL --tokenize x A.txt", "unknown tokeniser 'x'"),
        ("parse -p udpipe --model MODEL --cache A.txt A.txt", "cannot use the cache"),
        ("parse -p udpipe --model MODEL --cache A.txt/c A.txt", "off (--no-cache)"),
        ("parse -p udpipe --model MODEL A.txt -o no/a.conllu", "no folder"),
        ("parse -p udpipe --model MODEL A.txt ref.txt -o no/trees", "no folder"),
        ("parse -p udpipe --model MODEL A.txt ref.txt -o A.txt", "A.txt is a file; gi"),
        ("parse train ref.txt -p udpipe -o m", "ref.txt:1: 1 column instead of 10"),
        ("parse train trees/A.conllu -p stanza -o m", "choose udpipe or spacy"),
        ("parse train trees/A.conllu -p udpipe -o m --detail x", "is not a setting"),
        ("parse train trees/A.conllu -p udpipe -o m --language en", "is for spaCy"),
        ("parse train trees/A.conllu -p spacy -o m --detail x=y", "is for udpipe"),
        ("parse eval trees/A.conllu --trees x --model m", "--model, --trees)"),
        ("parse eval trees/A.conllu", "give either a parser with its model, or trees"),
        ("parse eval trees/A.conllu --trees none", "none: no such file"),
        ("score --trees A=trees/A.conllu", "no references"),
        ("TREES --trees B=trees/A.conllu", "there is no system 'B'"),
        ("TREES --trees trees/ref.conllu", "block 1 is"),
        ("TREES --ref-trees trees/A.conllu", "block 1 is"),
        ("TREES --ref-trees trees/ref.conllu trees/ref.conllu",
         "ref_trees has 2 files, but segment 1 has 1 references"),
        ("score --docs A.txt --trees trees/A.conllu", "and docs belong to texts"),
        ("TREES --trees A.txt", "A.txt:1: 1 column instead of 10"),
        ("score -r ref.txt -i A.txt -m tree-coverage", "has no dependency tree"),
        ("score -r ref.txt -i A.txt -m tree-coverage:parser=x,model=y",
         "unknown parser 'x'"),
    ],
)  # fmt: skip
def test_wrong_usage_exits_with_2_and_says_how_to_fix_it(
    arguments, message, trees, tiny_model, capsys
):
    arguments = arguments.replace("MODEL", tiny_model)
    arguments = arguments.replace("TREES", "score -m tree-coverage -r ref.txt -i A.txt")
    assert main(arguments.split()) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_outputs_are_checked_before_texts_are_parsed(tiny_model, monkeypatch):
    def parse(*_: object, **__: object) -> None:
        raise AssertionError("parsed")

    monkeypatch.setattr("tertium.trees.cache.CachedParser.parse", parse)
    command = ["parse", "-p", "udpipe", "--model", tiny_model, "A.txt"]
    assert main([*command, "-o", "no/a.conllu"]) == 2
    assert main([*command, "ref.txt", "-o", "no/trees"]) == 2
    assert main([*command, "--cache", "A.txt/c"]) == 2
    for target in ("-", "/dev/stdout", os.devnull):
        with pytest.raises(AssertionError, match="parsed"):
            main([*command, "-o", target])


def test_the_cache_makes_its_folder(tiny_model):
    command = ["parse", "-p", "udpipe", "--model", tiny_model, "A.txt", "-q"]
    assert main([*command, "--cache", "new/folder/c", "-o", "a.conllu"]) == 0
    assert len(TreeCache.within("new/folder/c")) == len(set(OUT))


def test_too_few_or_too_many_blocks_are_reported(trees, write_lines, capsys):
    write_lines("long.txt", [*OUT, "one more"])
    write_lines("longref.txt", [*REF, "one more"])
    score = ["score", "-m", "tree-coverage", "--trees", "trees/A.conllu"]
    assert main([*score, "-r", "longref.txt", "-i", "long.txt"]) == 2
    assert "trees/A.conllu has trees for 3 segments, but there are more" in (
        capsys.readouterr().err
    )
    write_lines("short.txt", OUT[:2])
    write_lines("shortref.txt", REF[:2])
    score += ["--ref-trees", "trees/ref.conllu"]
    assert main([*score, "-r", "shortref.txt", "-i", "short.txt"]) == 2
    assert "there are only 2 segments" in capsys.readouterr().err


def test_help_explains_how_to_get_a_model(capsys):
    for verb in (["parse"], ["parse", "train"], ["parse", "eval"]):
        with pytest.raises(SystemExit):
            main([*verb, "--help"])
        out = capsys.readouterr().out
        assert "examples:" in out
        assert "tertium parse" in out
        if verb == ["parse"]:
            assert "https://universaldependencies.org" in out
            assert "pip install 'tertium[parse-udpipe]'" in out
