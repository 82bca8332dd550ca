# SPDX-License-Identifier: Apache-2.0
"""Advice names flags that the verb has; the library names none."""

from __future__ import annotations

import argparse
import ast
import re
from pathlib import Path

import pytest

import tertium
from tertium.cli import main
from tertium.cli.shared.advice import note_text
from tertium.cli.shared.parsers import current_parsers
from tertium.notes import Note

PACKAGE = Path(tertium.__file__).parent

#: Where a flag is not advice: of other programs, or part of a whole command.
ELSEWHERE = {
    "align/bilingual.py",  # eflomal's own options
    "align/word_counts.py",  # a whole command in two texts
    "data/downloads.py",  # commands of sacreBLEU and mt-metrics-eval
    "encoders/files.py",  # pip's
    "llm/metric.py",  # a whole command in two texts
    "learn/vectors_maker.py",  # a program of its own
    "metrics/bertscore/baseline.py",  # a program of its own
    "metrics/bertscore/metric.py",  # how to run it
    "metrics/bleu.py",  # sacreBLEU's, as a fact
    "metrics/registry.py",  # of neural metrics, which most people know by their scores
    "records/citing.py",  # words of a recorded command
    "records/repeating.py",  # likewise
    "reproductions/recipes/beer/features.py",  # pip's
    "reproductions/recipes/beer/translation.py",  # likewise
    "reproductions/recipes/beer/thot.py",  # a program of its own
    "sacrebleu/arguments.py",  # sacreBLEU's command line, which we have too
    "sacrebleu/remarks.py",  # likewise
}
#: Reports and messages of one verb alone.
ONE_VERB = {
    "report/analysis/words.py",  # tertium report
    "report/meta/summary.py",  # tertium correlate
}


def texts_of(path: Path) -> list[str]:
    """Return the texts in a module, without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in told
    ]


def test_the_library_names_no_flags():
    result = []
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if name.startswith(("cli/", "campaigns/")) or name in ELSEWHERE | ONE_VERB:
            continue
        for text in texts_of(path):
            # A whole command says which verb it means; style sheets have variables.
            plain = re.sub(r"`(tertium|dask) [^`]*`|var\(--|--[a-z-]+:", "", text)
            if re.search(r"(?<![\w<!-])--[a-z]{2,}", plain):
                result.append(f"{name}: {text!r}")
    assert result == []


@pytest.fixture
def texts(tmp_path, monkeypatch, write_lines):
    monkeypatch.chdir(tmp_path)
    rows = [f"{i}\tthe cat {i}\tthe cat {i}\ta cat {i}" for i in range(1, 10)]
    write_lines("de-en.tsv", ["seg\treference\tA\tB", *rows])
    judged = [f"{i}\tA\tB" for i in range(1, 10)]
    write_lines("de-en.pairs.tsv", ["seg\tbetter\tworse", *judged])


@pytest.mark.usefixtures("texts")
def test_missing_trees_are_advised_by_what_the_verb_has(capsys, write_lines):
    assert main(["score", "de-en.tsv", "-m", "dted"]) == 2
    message = capsys.readouterr().err
    assert "has no dependency tree" in message
    assert message.endswith("(--trees, --ref-trees)\n")
    lists = ["0 ||| the cat ||| lm= 1 ||| 1", "0 ||| a cat ||| lm= 0 ||| 0"]
    write_lines("a.nbest", lists)
    assert main(["mbr", "-n", "a.nbest", "-m", "dted"]) == 2
    message = capsys.readouterr().err
    assert "has no dependency tree" in message
    assert "parser=udpipe" in message
    assert "--" not in message


def test_missing_document_ids_are_advised_by_each_verb(capsys, tmp_path):
    text = tmp_path / "a.txt"
    text.write_text("a b\n", encoding="utf-8")
    files = ["-r", str(text), "-i", f"A={text}", f"B={text}"]
    assert main(["score", *files, "--documents"]) == 2
    assert capsys.readouterr().err.endswith("give one per segment as docs (--docs)\n")
    with pytest.raises(tertium.InputError) as error:
        tertium.score({"A": ["a"]}, ["a"], documents=True)
    assert "--" not in str(error.value)
    assert error.value.options == ("docs",)


def test_correlate_leaves_out_segments_where_a_metric_is_undefined(
    run_json, tmp_path, monkeypatch, write_lines
):
    """link-tau needs two links; an answer of one word has none to compare."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{i}\ta b c d {i}\ta b c d {i}\tb a d c {i}" for i in range(1, 12)]
    rows += ["12\tYes.\tYes.\tNo."]
    write_lines("de-en.tsv", ["seg\treference\tA\tB", *rows])
    judged = [f"{i}\tA\tB" for i in range(1, 13)]
    write_lines("de-en.pairs.tsv", ["seg\tbetter\tworse", *judged])
    result = run_json(
        "correlate", "de-en.tsv", "-J", "de-en.pairs.tsv", "-m", "link-tau", "kendall",
        "--coef", "tau-wmt14", "--resamples", "20", "--test", "bootstrap",
    )  # fmt: skip
    assert "link-tau is undefined for 2 of 24 judged outputs" in str(result)


def test_notes_name_the_flags_of_the_verb():
    note = Note("several-references", {"reference": "refA", "others": "refB"})
    parser = argparse.ArgumentParser()
    parser.add_argument("--reference", "--ref-name")
    current_parsers[:] = [parser]
    assert note_text(note).endswith("others are refB")
    parser.add_argument("--mtme")
    assert note_text(note).endswith("others are refB (--reference)")


def test_differing_documents_are_cured_by_those_of_the_reference(monkeypatch):
    note = Note("documents-disagree", {"system": "A", "other": "B", "line": 2})
    parser = argparse.ArgumentParser()
    parser.add_argument("--docs")
    monkeypatch.setattr("tertium.cli.shared.advice.current_parsers", [parser])
    assert note_text(note) == (
        "A and B name different documents from line 2 on, so none are used; give those "
        "of the reference (--docs)"
    )


def test_columns_that_are_not_systems_are_named_as_typed_or_configured():
    columns = {"LP": "a name", "x y": "numbers only"}
    values = {"columns": columns, "systems": ["A"], "listed": "'LP', 'x y'"}
    note = Note("not-systems", values)
    assert note_text(note).endswith("add --systems-columns A LP 'x y'")
    configured = note_text(note, config="c.toml")
    assert configured.endswith('set systems = "A, LP, x y" in c.toml')
