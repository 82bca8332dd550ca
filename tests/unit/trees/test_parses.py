# SPDX-License-Identifier: Apache-2.0
"""Several parses of one text, in memory and in CoNLL-U."""

from __future__ import annotations

import pytest

from tertium.errors import FormatError, InputError
from tertium.trees import DependencyTree
from tertium.trees.conllu import parse_conllu, write_conllu
from tertium.trees.files import texts_of, with_trees
from tertium.trees.parsers import load_parser
from tertium.trees.parses import group_parses, make_parses, sentences_of

ONE = DependencyTree(("cats", "sleep"), (2, 0), ("nsubj", "root"))
TWO = DependencyTree(("cats", "sleep"), (0, 1), ("root", "acl"))
OTHER = DependencyTree(("dogs",), (0,), ("root",))


def block(tree, *comments):
    lines = [*comments]
    for i, (form, head, name) in enumerate(
        zip(tree.forms, tree.heads, tree.deprels, strict=True), 1
    ):
        lines.append(f"{i}\t{form}\t_\t_\t_\t_\t{head}\t{name}\t_\t_")
    return [*lines, ""]


def test_blocks_with_numbers_are_parses_of_one_segment(write_lines):
    lines = [
        *block(ONE, "# parse = 1", "# probability = .6"),
        *block(TWO, "# parse = 2", "# probability = .2"),
        *block(OTHER),
        *block(TWO),
        *block(ONE, "# parse = 2"),
    ]
    first, second, third = texts_of(write_lines("a.conllu", lines))
    assert [p.tree.heads for p in first.layers["parses"]] == [ONE.heads, TWO.heads]
    assert [p.probability for p in first.layers["parses"]] == pytest.approx(
        [0.75, 0.25]
    )
    assert first.layers["tree"].heads == ONE.heads
    assert "parses" not in second.layers
    assert [p.probability for p in third.layers["parses"]] == [0.5, 0.5]
    assert [str(text) for text in (first, second, third)] == [
        "cats sleep", "dogs", "cats sleep",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (block(ONE, "# parse = 2"), ":1: this block is parse 2 .* follows no parse"),
        (
            [*block(ONE), *block(TWO, "# parse = 3")],
            ":4: this block is parse 3 .* follows parse 1; number the parses",
        ),
        (
            [*block(ONE), *block(OTHER, "# parse = 2")],
            ":4: parses of one text have different words, 'cats sleep' and 'dogs'",
        ),
        (block(ONE, "# parse = two"), ":1: '# parse = two' is not a number"),
        (block(ONE, "# parse = ²"), ":1: '# parse = ²' is not a number"),
        (block(ONE, "# parse = 0"), ":1: '# parse = 0' is not a number"),
        (block(ONE, f"# parse = {'9' * 5000}"), ":1: '# parse = 999"),
        (block(ONE, "# probability = 0"), ":1: '# probability = 0' is not a positive"),
        (block(ONE, "# probability = x"), ":1: '# probability = x' is not a positive"),
        (
            [*block(ONE, "# probability = 1"), *block(TWO, "# parse = 2")],
            ":1: some parses of this segment have '# probability'",
        ),
    ],
)
def test_mistakes_are_named_with_file_and_line(lines, message, write_lines):
    with pytest.raises(FormatError, match=message):
        texts_of(write_lines("a.conllu", lines))


def test_parses_do_not_count_as_segments(write_lines):
    lines = [*block(ONE), *block(TWO, "# parse = 2"), *block(OTHER)]
    path = write_lines("a.conllu", lines)
    assert len(with_trees(["cats sleep", "dogs"], path)) == 2
    with pytest.raises(InputError, match=r"trees for 2 segments.*line 8\)"):
        with_trees(["cats sleep"], path)


def test_equal_trees_are_one_parse_and_weights_are_checked():
    parses = make_parses([ONE, TWO, ONE], [1, 2, 1])
    assert [p.probability for p in parses] == [0.5, 0.5]
    for weight in (0, -1, float("inf"), float("nan")):
        with pytest.raises(InputError, match="not a positive number"):
            make_parses([ONE], [weight])
    with pytest.raises(InputError, match="different words"):
        make_parses([ONE, OTHER])
    with pytest.raises(InputError, match="at least one tree"):
        make_parses([])


def test_written_parses_are_read_again(tmp_path):
    parses = make_parses([ONE, TWO], [3, 1])
    path = tmp_path / "a.conllu"
    sentences = [*sentences_of(parses, text="cats sleep", sent_id="1")]
    write_conllu(path, [*sentences, *sentences_of(make_parses([OTHER]))])
    first, second = texts_of(path)
    read = first.layers["parses"]
    assert [(p.tree.heads, p.probability) for p in read] == [
        (ONE.heads, 0.75), (TWO.heads, 0.25),
    ]  # fmt: skip
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [len(g) for g in group_parses(parse_conllu(lines), name="a")] == [2, 1]
    assert "parses" not in second.layers


@pytest.mark.slow
def test_spacy_s_beam_gives_different_trees_in_order_of_probability(spacy_model):
    parser = load_parser("spacy", spacy_model)
    texts = ["The old man the boats quickly.", "Yes", "", "We saw her duck. It ran."]
    ambiguous, short, empty, double = parser.nbest(texts, 6)
    weights = [p.probability for p in ambiguous]
    assert len(ambiguous) > 1
    assert weights == sorted(weights, reverse=True)
    assert sum(weights) == pytest.approx(1)
    assert len({p.tree for p in ambiguous}) == len(ambiguous)
    assert [p.tree.heads for p in short] == [(0,)]
    assert short[0].tree.deprels == ("root",)
    assert [len(p.tree) for p in empty] == [0]
    assert parser.split(texts) == [list(p[0].tree.forms) for p in
                                   (ambiguous, short, empty, double)]  # fmt: skip
    assert all(p.tree.upos == ambiguous[0].tree.upos for p in ambiguous)


def test_words_are_split_as_they_are_parsed(tiny_model):
    for tokenize in ("own", "13a", "none"):
        parser = load_parser("udpipe", tiny_model, tokenize=tokenize)
        texts = ["The cat sees a dog. The dog, too!", "", "  "]
        assert parser.split(texts) == [list(t.forms) for t in parser.parse(texts)]
