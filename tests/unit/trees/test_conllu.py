# SPDX-License-Identifier: Apache-2.0
"""CoNLL-U: nothing is lost, and faults are named by file and line."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import FormatError, InputError
from tertium.trees import (
    DependencyTree,
    Sentence,
    parse_conllu,
    read_conllu,
    write_conllu,
)

TREEBANK = """\
# newdoc
# sent_id = s1
# text = Vámonos al mar.
# odd comment without a value
1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tVamos\tir\tVERB\t_\tMood=Imp|Number=Plur\t0\troot\t0:root\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t1:obj\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\t_\t_\t5\tcase\t5:case\t_
4\tel\tel\tDET\t_\t_\t5\tdet:art\t5:det\t_
5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t1:obl:a\tSpaceAfter=No|Gloss=sea
5.1\tfui\tir\tVERB\t_\t_\t_\t_\t1:conj\tCopyOf=1
6\t.\t.\tPUNCT\t_\t_\t1\tpunct\t1:punct\t_

0.1\tnada\t_\t_\t_\t_\t_\t_\t0:root\t_
1\t1 000\t1000\tNUM\t_\t_\t0\troot\t_\t_
2\tsí\t_\t_\t_\t_\t0\troot\t_\t_

# text =

"""


def lines_of(word: str, head: str = "0", form: str = "a") -> str:
    return f"{word}\t{form}\t_\t_\t_\t_\t{head}\tdep\t_\t_"


@pytest.fixture
def treebank(tmp_path):
    path = tmp_path / "t.conllu"
    path.write_bytes(TREEBANK.encode())
    return path


def test_reading_and_writing_gives_the_same_bytes(treebank, tmp_path):
    for name in ("copy.conllu", "copy.conllu.gz"):
        write_conllu(tmp_path / name, read_conllu(treebank))
    assert (tmp_path / "copy.conllu").read_bytes() == TREEBANK.encode()
    packed = (tmp_path / "copy.conllu.gz").read_bytes()
    assert gzip.decompress(packed) == TREEBANK.encode()
    assert list(read_conllu(tmp_path / "copy.conllu.gz")) == list(read_conllu(treebank))


def test_words_texts_and_trees(treebank):
    first, second, third = read_conllu(treebank)
    assert first.sent_id == "s1"
    assert first.text == first.surface == "Vámonos al mar."
    assert first.tokens == (("Vámonos", (1, 2)), ("al", (3, 4)), ("mar.", (5, 6)))
    assert first.tree.forms == ("Vamos", "nos", "a", "el", "mar", ".")
    assert first.tree.heads == (0, 1, 5, 5, 1, 1)
    assert first.tree.deprels[3] == "det:art"
    assert first.tree.upos[5] == "PUNCT"
    assert first.tree.feats[0] == "Mood=Imp|Number=Plur"
    assert second.sent_id is None
    assert second.text == "1 000 sí"
    assert second.tree.roots == (1, 2)
    assert third.text == ""
    assert len(third.tree) == 0
    assert [s.line for s in (first, second, third)] == [1, 15, 19]


def test_line_ends_byte_order_marks_and_a_missing_last_line(treebank, tmp_path):
    path = tmp_path / "crlf.conllu"
    text = "\ufeff" + TREEBANK.rstrip("\n").replace("\n", "\r\n")
    path.write_bytes(text.encode())
    sentences = list(read_conllu(path))
    assert sentences[:2] == list(read_conllu(treebank))[:2]
    assert len(sentences) == 3


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        (["1\ta"], 1, "2 columns instead of 10; separate them by single tabs"),
        (["A sentence."], 1, "1 column instead of 10; is this plain text"),
        (["1 a _ _ _ _ 0 root _ _"], 1, "by tabs, not spaces"),
        ([lines_of("1"), "# late"], 2, "comments come before the words"),
        ([lines_of("2")], 1, "id '2' should be 1; number words from 1"),
        ([lines_of("1"), lines_of("1")], 2, "put a blank line between sentences"),
        ([lines_of("x")], 1, "id 'x' should be 1"),
        ([lines_of("01")], 1, "id '01' should be 1"),
        ([lines_of("1", form="")], 1, "column 2 is empty; write _"),
        (["", "", lines_of("1", "_")], 3, "head '_' is not an integer; parse"),
        ([lines_of("1", "-1")], 1, "head '-1' is not an integer"),
        ([lines_of("1", "²")], 1, "head '²' is not an integer"),
        ([lines_of("1", "2")], 1, "word 1: head 2 is not a word"),
        (
            ["# x", lines_of("1"), lines_of("2", "3"), lines_of("3", "2")],
            3,
            r"word 2: heads form a cycle \(2 -> 3 -> 2\)",
        ),
        ([lines_of("2-3"), lines_of("1")], 1, "multiword token 2-3 does not start"),
        ([lines_of("1-2"), lines_of("1")], 1, "only 1 words; correct its range"),
        ([lines_of("2-1")], 1, "multiword token"),
        ([lines_of("1-2"), lines_of("1"), lines_of("2-3"), lines_of("2"),
          lines_of("3")], 3, "multiword token 2-3"),
        ([lines_of("1.1")], 1, "empty node 1.1 should be 0.1"),
        ([lines_of("1"), lines_of("1.2")], 2, "empty node 1.2 should be 1.1"),
        ([lines_of("0.1")], 1, "the block has no words"),
        (["# licence: none", "", lines_of("1")], 1, "join comments with the sentence"),
    ],
)  # fmt: skip
def test_errors_have_file_line_and_fix(lines, line, message):
    with pytest.raises(FormatError, match=message) as caught:
        list(parse_conllu(lines, name="x.conllu"))
    assert caught.value.line == line
    assert str(caught.value).startswith(f"x.conllu:{line}: ")


def test_a_missing_file_is_reported(tmp_path):
    with pytest.raises(FormatError, match=r"none\.conllu: no such file"):
        list(read_conllu(tmp_path / "none.conllu"))


def test_sentences_from_trees_mark_where_no_space_follows():
    tree = DependencyTree(("Hi", ",", "you", "."), (0, 1, 1, 1), ("a", "b", "c", "d"))
    sentence = Sentence.from_tree(tree, text="Hi, you.", sent_id="7")
    assert sentence.comments == ("# sent_id = 7", "# text = Hi, you.")
    assert [row[-1] for row in sentence.rows] == [
        "SpaceAfter=No",
        "_",
        "SpaceAfter=No",
        "_",
    ]
    assert sentence.surface == "Hi, you."
    again = list(parse_conllu(str(sentence).split("\n")))
    assert again == [sentence]
    assert again[0].tree.heads == tree.heads
    other = Sentence.from_tree(tree, text="Hi , she .")
    assert {row[-1] for row in other.rows} == {"_"}


def test_an_empty_tree_is_an_empty_segment():
    empty = Sentence.from_tree(DependencyTree((), (), ()), sent_id="1")
    assert list(parse_conllu(str(empty).split("\n"))) == [empty]
    with pytest.raises(InputError, match="has a tab or line end"):
        Sentence.from_tree(DependencyTree.flat(["a\tb"]))


def test_other_heads_keep_everything_else(treebank):
    first = next(read_conllu(treebank))
    flat = DependencyTree.flat(first.tree.forms)
    changed = first.with_tree(flat)
    assert changed.tree.heads == flat.heads
    assert changed.tree.lemmas == first.tree.lemmas
    assert changed.text == changed.surface == first.text
    with pytest.raises(InputError, match="6 words, the tree 1"):
        first.with_tree(DependencyTree.flat(["a"]))


WORDS = st.text(st.characters(exclude_characters="\t\n\r"), min_size=1, max_size=4)


@given(st.lists(WORDS, max_size=5), st.none() | st.text(max_size=12))
def test_any_words_and_text_come_back(words, text):
    tree = DependencyTree.flat(words)
    sentence = Sentence.from_tree(tree, text=text)
    if not words or text is not None:
        assert sentence.comment("text") == " ".join((text or "").split())
    again = list(parse_conllu([*sentence.lines(), ""]))
    assert again == [sentence]
    assert again[0].tree.forms == tuple(words)
    assert again[0].tree.heads == tree.heads


@given(
    st.lists(
        st.text("#19._-\tab=", max_size=30)
        | st.lists(st.sampled_from(["1", "2", "1-2", "0", "_", "a"]), min_size=10,
                   max_size=10).map("\t".join),
        max_size=6,
    )
)  # fmt: skip
def test_whatever_is_read_is_a_forest_or_refused(lines):
    fault = None
    try:
        sentences = list(parse_conllu(lines, name="f"))
    except FormatError as error:
        fault = error.line
    if fault is not None:
        assert 1 <= fault <= len(lines)
        return
    kept = [line for sentence in sentences for line in sentence.lines()]
    assert kept == [line for line in lines if line.strip()]
    assert all(len(s.tree) == len(s.words) for s in sentences)
