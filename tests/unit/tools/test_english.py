# SPDX-License-Identifier: Apache-2.0
"""``tools/english``: what it flags and what it leaves alone."""

from __future__ import annotations

import pytest

from support.tools import load_tool

english = load_tool("english")


def rules(text: str, path: str = "page.md") -> list[str]:
    return [finding.rule for finding in english.check(path, text)]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("'x' is no whole number", "is no"),
        ("these are no drafts", "is no"),
        ("one row a segment", "per"),
        ("a line a segment", "per"),
        ("40,000 segments a second", "per"),
        ("time: 3 seconds an item", "per"),
        ("digits behind the point", "behind"),
        ("leave --segments away", "away"),
        ("it tells of an error", "of"),
        ("knows nothing of quality", "of"),
        ("mend the file", "archaic"),
        ("fields parted by tabs", "archaic"),
        ("metrics against people", "people"),
        ("COMET agrees best with people", "people"),
        ("## In short", "heading"),
        ("overlapping intervals do not tell.", "heading"),
        ("an extra word is of no use", "no use"),
        ("sets of references", "sets of references"),
        ("wrong input is refused", "refuse"),
        ("segments drawn with replacement", "draw"),
    ],
)
def test_a_phrase_is_flagged(text, rule):
    assert rules(text) == [rule]


@pytest.mark.parametrize(
    "text",
    [
        "there is no such file",
        "there\nare no ties",
        "this is no longer true",
        "'x' is not an integer",
        "one row per segment",
        "to score a segment twice",
        "systems share a reference",
        "the name of a file",
        "how many words a segment may have",
        "omit --segments",
        "they refer to the data",
        "diagrams are drawn in SVG",
        "charts are drawn again",
        "a metric that scores a segment",
    ],
)
def test_natural_english_is_left_alone(text):
    assert rules(text) == []


def test_a_phrase_may_go_on_in_the_next_line_of_a_comment():
    text = "x = 1  # one row\n    # a segment\n"
    [finding] = english.check("module.py", text)
    assert (finding.line, finding.phrase) == (1, "one row a segment")


def test_paragraphs_are_not_joined():
    assert rules("There is one\n\na line follows") == []


def test_citations_of_specifications_are_flagged_in_comments_only():
    assert rules("x = 1  # spec 2.12\n", "module.py") == ["citation"]
    assert rules("// as F13 says\n", "kernel.cpp") == ["citation"]
    assert rules("x = 'F13'\n", "module.py") == []
    assert rules("x = 1  # Graham et al., W13-2305\n", "module.py") == []
    assert rules("x = eval(y)  # noqa: S30\n", "module.py") == []


def test_variables_are_nouns():
    text = "def f(own):\n    found = own\n    return found\n"
    phrases = [finding.phrase for finding in english.check("module.py", text)]
    assert phrases == ["found in f", "own in f"]


def test_variables_of_inner_functions_belong_to_them():
    text = (
        "def f():\n    def g():\n        said = 1\n        return said\n    return g\n"
    )
    phrases = [finding.phrase for finding in english.check("module.py", text)]
    assert phrases == ["said in g"]


def test_exceptions_are_files_or_phrases():
    text = "# comment\na.py  # all of it\nb.md: is no man's\n"
    assert english.exceptions(text) == {("a.py", ""), ("b.md", "is no man's")}


def test_findings_name_file_line_and_suggestion(tmp_path, monkeypatch, capsys):
    (tmp_path / "page.md").write_text("fine\n'x' is no number\n")
    monkeypatch.setattr(english, "ROOT", tmp_path)
    assert english.main(["page.md"]) == 1
    assert capsys.readouterr().out == "page.md:2: 'is no number' -> is not a\n"
    assert english.main(["page.md", "--skip", "is no"]) == 0


def test_counts_are_printed_by_pattern(tmp_path, monkeypatch, capsys):
    (tmp_path / "page.md").write_text("one row a segment, a line a segment\n")
    monkeypatch.setattr(english, "ROOT", tmp_path)
    assert english.main(["--count", "page.md"]) == 0
    out = capsys.readouterr().out
    assert "     2  per\n" in out
    assert out.endswith("     2  in all\n")
