# SPDX-License-Identifier: Apache-2.0
"""Long texts are explained, and what cannot be drawn is said."""

from __future__ import annotations

import json

import pytest

import tertium
from tertium.data.annotated import Annotated
from tertium.errors import InputError
from tertium.report.explain import explain, explain_permutation, render_page
from tertium.report.explain.diagrams.blocks import count_text
from tertium.report.explain.explained import LONGEST
from tertium.report.explain.surface import word_edits

WORDS = [f"w{i}" for i in range(LONGEST + 1)]


def test_long_texts_are_not_drawn_and_say_so():
    result = explain(" ".join(WORDS[::-1]), " ".join(WORDS))
    note = f"{LONGEST + 1} output words and {LONGEST + 1} reference words"
    text = " ".join(result.to_text().split())
    assert f"No diagrams: {note} are too many" in text
    assert "Alignment" not in text
    # What is linear in the length stays, n-grams as counts.
    assert "Word edits" in text
    assert f"{LONGEST + 1}/{LONGEST + 1}" in text
    page = render_page([result])
    assert note in page
    assert "<svg" not in page
    with pytest.raises(InputError, match="too many"):
        result.to_svg("alignment")
    assert len(result.to_dict()["matches"]) == LONGEST + 1


def test_texts_up_to_the_limit_are_drawn():
    result = explain(" ".join(WORDS[1:][::-1]), " ".join(WORDS[1:]), metrics=["wer"])
    assert "No diagrams" not in result.to_text()
    assert result.to_svg("alignment").startswith("<svg")


def test_an_exact_match_is_one_sentence_without_diagrams():
    result = explain("The cat sat.", "The cat sat.")
    assert [finding.text for finding in result.findings] == [
        "The output equals the reference."
    ]
    text = result.to_text()
    for title in ("Alignment", "forest", "trees", "DERP", "N-grams", "Word edits"):
        assert title not in text
    assert "PEF 1.0000" in text
    page = result.to_html()
    assert "<svg" not in page
    assert "<h3>" not in page
    # Whoever asks for a diagram gets it.
    assert result.to_svg("alignment").startswith("<svg")
    assert "<svg" in render_page([result], diagrams=["forest"])


def test_equal_words_in_other_trees_are_drawn():
    one = tertium.trees.DependencyTree(("a", "b"), (0, 1), ("root", "x"))
    other = tertium.trees.DependencyTree(("a", "b"), (2, 0), ("x", "root"))
    texts = [Annotated("a b", {"tree": each}) for each in (one, other)]
    result = explain(*texts, metrics=["dted"])
    assert result.findings[0].kind == "same"
    assert "Dependency trees" in result.to_text()


@pytest.mark.parametrize("size", [19, 4301, 5000])
def test_a_value_with_too_many_digits_is_rejected(size):
    with pytest.raises(InputError, match="value 2 is too large") as error:
        tertium.order.Permutation.parse(f"1 {'9' * size}")
    assert len(str(error.value)) < 200


def test_a_long_permutation_has_more_trees_than_json_has_digits():
    result = explain_permutation(range(8000, 0, -1))
    trees = json.loads(result.to_json())["order"]["trees"]
    assert trees.endswith(" × 10^4809")
    assert "No diagrams" in result.to_text()


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (999_999_999_999, "999,999,999,999"),
        (10**12, "1.0 × 10^12"),
        (10**15 - 1, "9.9 × 10^14"),
    ],
)
def test_huge_numbers_of_trees_are_powers_of_ten(number, text):
    assert count_text(number) == text
    # pytest cannot name a case of 5,000 digits.
    assert count_text(123 * 10**5000) == "1.2 × 10^5002"


def test_word_edits_are_fewest_and_replace_first():
    hyp, ref = ["a", "b", "c", "d", "e", "f"], ["b", "x", "d", "f", "g"]
    edits = word_edits(hyp, ref)
    assert [edit.operation for edit in edits] == [
        "delete", "keep", "replace", "keep", "replace", "replace",
    ]  # fmt: skip
    assert word_edits([], []) == ()
    assert [edit.operation for edit in word_edits([], ref)] == ["insert"] * 5


def test_texts_are_shown_with_punctuation_that_is_not_among_the_words():
    result = explain("“We meet”, at midnight.", "We meet at noon!", metrics=["recpef"])
    assert result.hyp == ("We", "meet", "at", "midnight")
    assert "output      “We meet”, at midnight.\n" in result.to_text()
    page = result.to_html()
    assert '“We meet”, at <mark class="replaced">midnight</mark>.' in page
    assert 'We meet at <mark class="replaced">noon</mark>!' in page
