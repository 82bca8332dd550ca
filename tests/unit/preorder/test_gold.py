# SPDX-License-Identifier: Apache-2.0
"""Gold orders from links, and files of links and orders."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.align import as_links, parse_pharaoh
from tertium.errors import FormatError, InputError
from tertium.preorder import gold_orders
from tertium.preorder.corpus import read_links, read_orders, write_orders
from tertium.preorder.gold import REDUCTIONS as ALL_REDUCTIONS
from tertium.preorder.gold import stream_gold_orders
from tests.oracles import preorder_orders as oracle

REDUCTIONS = ("mean", "leftmost", "rightmost", "best")


def order(words: int, links: str, **settings) -> tuple[int, ...]:
    return gold_orders([["w"] * words], [parse_pharaoh(links)], **settings)[0].order


@pytest.mark.parametrize(
    ("words", "links", "expected"),
    [
        # Stanojević 2017, section 2.5.2; words without links move with the next one.
        (5, "0-0 1-3 3-2 4-4", (0, 2, 3, 1, 4)),
        (4, "0-1 1-1 2-0 3-2", (2, 0, 1, 3)),
        (4, "0-1 1-3 2-0 3-2", (2, 0, 3, 1)),
        (3, "0-0 1-2 2-0", (0, 2, 1)),
        (4, "0-0 0-3 2-1 3-2", (1, 2, 0, 3)),
        (5, "1-1 2-0", (2, 3, 4, 0, 1)),
        (3, "", (0, 1, 2)),
    ],
)
def test_words_are_sorted_by_their_mean_target_position(words, links, expected):
    assert order(words, links) == expected


def test_words_without_links_can_move_with_the_word_before_them():
    assert order(5, "0-0 1-3 3-2 4-4", attach="left") == (0, 3, 1, 2, 4)


@pytest.mark.parametrize(
    ("words", "links", "expected"),
    [
        (5, "1-1 2-0", (2, 3, 4, 0, 1)),
        (4, "0-1 1-1 2-0 3-2", (2, 0, 1, 3)),
        (4, "0-1 1-3 2-0 3-2", (2, 0, 3, 1)),
        (3, "0-0 1-2 2-0", (0, 1, 2)),  # one phrase
        (4, "0-0 0-3 2-1 3-2", (0, 1, 2, 3)),
        (2, "", (0, 1)),
    ],
)
def test_minimal_phrases_move_as_a_whole(words, links, expected):
    assert order(words, links, reduction="minphrase") == expected


def test_words_of_a_phrase_share_a_position():
    links = [parse_pharaoh("0-1 1-1 3-0")]
    gold = gold_orders([["w"] * 4], links, reduction="minphrase")[0]
    assert gold.positions == (2.0, 2.0, None, 1.0)


def test_the_most_probable_link_can_decide():
    links = "0-0:0.1 0-5:0.9 1-2"
    assert order(2, links, reduction="best") == (1, 0)
    assert order(2, links, reduction="leftmost") == (0, 1)


def test_the_intersection_keeps_links_of_both_directions():
    sentence, forward = [["a", "b"]], [parse_pharaoh("0-0 0-4 1-2")]
    backward = [parse_pharaoh("0-4 1-2")]
    gold = gold_orders(sentence, forward, reduction="intersection", backward=backward)
    assert gold[0].order == (1, 0)
    with pytest.raises(InputError, match="both directions"):
        gold_orders(sentence, forward, reduction="intersection")


@st.composite
def corpora(draw):
    lengths = draw(st.lists(st.integers(0, 6), min_size=1, max_size=5))
    links = [
        draw(
            st.lists(
                st.tuples(
                    st.integers(0, n - 1), st.integers(0, 5), st.sampled_from([0.5, 1])
                ),
                max_size=8,
            )
        )
        if n
        else []
        for n in lengths
    ]
    return [["w"] * n for n in lengths], [as_links(pairs) for pairs in links]


@given(corpora(), st.sampled_from(REDUCTIONS), st.sampled_from(["right", "left"]))
def test_a_corpus_has_the_orders_of_its_sentences(corpus, reduction, attach):
    sentences, links = corpus
    golds = gold_orders(sentences, links, reduction=reduction, attach=attach)
    for sentence, segment, gold in zip(sentences, links, golds, strict=True):
        words = len(sentence)
        assert gold.order == oracle.gold_order(words, segment, reduction, attach)
        assert list(gold.positions) == oracle.positions(words, segment, reduction)


def test_links_outside_a_sentence_are_rejected():
    with pytest.raises(InputError, match=r"sentence 1: link 2-0 .* has 2 words"):
        gold_orders([["a"], ["b", "c"]], [(), parse_pharaoh("2-0")])
    with pytest.raises(InputError, match="1 sentences and links of 2"):
        gold_orders([["a"]], [(), ()])
    with pytest.raises(InputError, match="did you mean mean"):
        gold_orders([], [], reduction="means")


SENTENCES = [["a", "b"], [], ["c"]]


def test_link_files_are_pharaohs_or_laders(write_lines):
    pharaoh = write_lines("p", ["0-1 1p0", "", "0-0"])
    lader = write_lines("l", ["2-2 ||| 0-1 1-0", "0-3 |||", "1-1 ||| 0-0"])
    links = read_links(pharaoh, SENTENCES)
    assert [[tuple(link[:2]) for link in s] for s in links] == [
        [(0, 1), (1, 0)],
        [],
        [(0, 0)],
    ]
    assert len(read_links(pharaoh, SENTENCES, sure_only=True)[0]) == 1
    assert [len(s) for s in read_links(lader, SENTENCES)] == [2, 0, 1]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["0-1", "", "1-0"], r"f:3: link 1-0 .* has 1 word"),
        (["0-1", "0-0", "0-0"], r"f:2: link 0-0 .* has 0 words"),
        (["0-1", "", "x"], r"f:3: 'x' is not a link"),
        (["0-1", ""], r"f: there are 2 lines for 3 sentences"),
        (["", "", "", ""], r"f:4: the text has only 3 sentences"),
        (["3-2 ||| 0-1", "", ""], r"f:1: the line states 3 source words, .* has 2"),
        (["2-2 ||| 0-2", "", ""], r"f:1: link 0-2 .* second text"),
        (["2 ||| 0-1", "", ""], r"f:1: '2' is not a pair of lengths"),
    ],
)
def test_wrong_link_files_are_rejected_with_file_and_line(write_lines, lines, message):
    with pytest.raises(FormatError, match=message):
        read_links(write_lines("f", lines), SENTENCES)


def test_orders_are_written_and_read(tmp_path):
    orders = [(1, 0), (), (0,)]
    write_orders(tmp_path / "o", orders)
    assert (tmp_path / "o").read_text() == "1 0\n\n0\n"
    assert read_orders(tmp_path / "o", SENTENCES) == orders


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["2 1", "", "0"], "f:1: the order counts words from 1"),
        (["0 1 2", "", "0"], "f:1: the order has 3 positions, the sentence 2 words"),
        (["0 0", "", "0"], "f:1: "),
        (["0 x", "", "0"], "f:1: 'x' is not a value"),
        (["0 1"], "f: there is 1 line|f: there are 1 line"),
    ],
)
def test_wrong_order_files_are_rejected_with_file_and_line(write_lines, lines, message):
    with pytest.raises(FormatError, match=message):
        read_orders(write_lines("f", lines), SENTENCES)


@pytest.mark.parametrize("reduction", ALL_REDUCTIONS)
def test_orders_do_not_depend_on_blocks(reduction, monkeypatch):
    monkeypatch.setattr("tertium.preorder.gold._BLOCK", 2)
    lines = ["0-0 1-3 2-1 3-2", "", "0-1 1-0", "1-1 2-0", "0-2 2-0 2-1"]
    links = [parse_pharaoh(line) for line in lines]
    sentences = [["w"] * 4] * 5
    settings = {"reduction": reduction, "backward": links[1:] + links[:1]}
    expected = gold_orders(sentences, links, **settings)
    stream = stream_gold_orders(sentences, links, **settings)
    assert next(stream) == expected[0]
    assert [expected[0], *stream] == expected


def test_settings_are_checked_without_sentences():
    with pytest.raises(InputError, match="links of both directions"):
        next(stream_gold_orders([], [], reduction="intersection"))
