# SPDX-License-Identifier: Apache-2.0
"""Dependency trees as columns of characters, read again as the script reads them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from support.report_systems import small_report, tree_report
from tertium.analysis.words import split
from tertium.data.annotated import Annotated
from tertium.report.analysis.data import segment_data
from tertium.report.analysis.dependencies import MOST, tree_columns
from tertium.trees import DependencyTree


def heads_of(line: str) -> list[int | None]:
    """Return heads counted from 1, 0 for roots, None for those that are not stored."""
    heads: list[int | None] = []
    for number, char in enumerate(line, start=1):
        code = ord(char) - 0x23
        if code < 0:
            heads.append(0 if char == "!" else None)
            continue
        step = code // 2 + 1
        heads.append(number + step if code % 2 else number - step)
    return heads


def forms_of(text: str, line: str) -> list[str]:
    if not line:
        return split(text)[:MOST]
    if line[0] == "\t":
        return line[1:].split("\t")
    forms = []
    for char in line:
        text = text.lstrip(" \t\u00a0\u3000")
        size = ord(char) - 0x21
        forms.append(text[:size])
        text = text[size:]
    return forms


def annotated(forms, heads, relations, *, text=None):
    tree = DependencyTree(tuple(forms), tuple(heads), tuple(relations))
    return Annotated(" ".join(forms) if text is None else text, {"tree": tree})


def words(size):
    letters = st.sampled_from("aé,'-𝔘9")
    return st.lists(st.text(letters, min_size=1, max_size=4), min_size=1, max_size=size)


@st.composite
def texts(draw):
    """Return a text with a tree, of which words may be joined or changed."""
    forms = draw(words(9))
    heads = [draw(st.integers(0, number)) for number in range(len(forms))]
    relations = draw(
        st.lists(
            st.sampled_from(["obj", "nsubj:pass", "\n"]),
            min_size=len(forms),
            max_size=len(forms),
        )
    )
    text = draw(st.sampled_from([" ", "", "\u00a0", "x "])).join(forms)
    return annotated(forms, heads, relations, text=text)


@given(st.lists(st.one_of(texts(), st.sampled_from(["", "plain"])), max_size=6))
def test_trees_survive_their_encoding(some):
    columns = tree_columns(some)
    if not any(isinstance(text, Annotated) for text in some):
        assert columns is None
        return
    lines = [columns[name].split("\n") for name in ("heads", "labels", "forms")]
    for text, heads, labels, forms in zip(some, *lines, strict=True):
        if not isinstance(text, Annotated):
            assert heads == labels == forms == ""
            continue
        tree = text.layers["tree"]
        assert heads_of(heads) == list(tree.heads)
        names = [columns["relations"][ord(char) - 0x21] for char in labels]
        assert names == list(tree.deprels)
        assert forms_of(text, forms) == list(tree.forms)


def test_words_cost_nothing_where_the_report_has_the_same():
    one = annotated(["Cats", "sleep", "."], (2, 0, 2), ("nsubj", "root", "punct"))
    split_ = annotated(["ca", "n't"], (0, 1), ("root", "advmod"), text="can't")
    columns = tree_columns([one, split_, annotated(["a"], (0,), ("x",), text="b")])
    assert columns["forms"] == "\n#$\n\ta"
    assert columns["heads"] == "$!#\n!#\n!"


def test_only_words_of_a_drawing_are_stored():
    size = MOST + 30
    heads = [number + 2 for number in range(size - 1)]  # every word on the next one
    long = annotated(["w"] * size, [*heads, 0], ["x"] * size)
    columns = tree_columns([long])
    assert [len(columns[name]) for name in ("heads", "labels")] == [MOST, MOST]
    assert heads_of(columns["heads"])[-3:] == [MOST - 1, MOST, None]


def test_reports_have_trees_only_where_texts_have():
    assert segment_data(small_report())["trees"] is None
    columns = segment_data(tree_report())["trees"]
    lines = columns["heads"].split("\n")
    assert [bool(line) for line in lines] == [
        True, True, True, True, False, True, True, True, False, False, False, False,
    ]  # fmt: skip
