# SPDX-License-Identifier: Apache-2.0
"""Explained orders: statistics, diagrams, pages."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from tertium.preorder import Reordering
from tertium.preorder.explanation import explain_orders
from tertium.preorder.typology import describe_orders
from tertium.report.preorder.diagrams import draw_blocks, draw_expectations, draw_tree
from tertium.report.preorder.page import explanation_page
from tests.support.preordering import Reverser

SENTENCES = [["she", "reads", "<b>"], ["x"], [], ["in", "Rome"]]


def test_operators_and_triggers_are_counted():
    orders = [(0, 2, 1), (0,), (), (1, 0)]
    typology = describe_orders(SENTENCES, [Reordering(order) for order in orders])
    assert (typology.sentences, typology.moved) == (4, 2)
    assert typology.operators == {"21": 2, "12": 1}
    assert typology.arities == {2: 2}
    assert [(t.word, t.share) for t in typology.triggers] == [("reads", 1), ("in", 1)]


def test_sentences_that_move_are_shown_unless_others_are_named():
    explanation = explain_orders(Reverser(), SENTENCES)
    assert [each.number for each in explanation.sentences] == [1, 4]
    assert explanation.sentences[0].reordered == "<b> reads she"
    named = explain_orders(Reverser(), SENTENCES, numbers=[3, 2])
    assert [each.number for each in named.sentences] == [3, 2]
    assert json.loads(named.to_json())["sentences"][1]["order"] == [0]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (2, 0, 3, 1), (3, 2, 1, 0), (0,), ()])
def test_diagrams_are_valid_and_have_every_word(order):
    words = ["<a>", "b&", "c", "d"][: len(order)]
    reordering = Reordering(order)
    matrix = np.full((len(words), len(words)), 0.5)
    for canvas, times in (
        (draw_blocks(words, reordering), 2),
        (draw_tree(words, reordering), 2),
        (draw_expectations(words, matrix, order), 2),
    ):
        root = ET.fromstring(canvas.to_svg())
        texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
        texts += [
            node[0].tail
            for node in root.iter("{http://www.w3.org/2000/svg}text")
            if len(node)
        ]
        for word in words:
            assert texts.count(word) >= times, (canvas.title, word)


def test_a_page_escapes_words_and_lists_triggers():
    page = explanation_page(explain_orders(Reverser(), SENTENCES))
    assert "&lt;b&gt;" in page
    assert "<b>" not in page.partition("<main")[2]
    assert "Words that trigger inversions" in page
    assert "66.7 %" not in page
    assert "50.0 % of the sentences get a new order" in page


def test_a_text_without_moves_has_a_page():
    page = explanation_page(explain_orders(Reverser(), [["x"], []]))
    assert "No word triggers an inversion" in page
