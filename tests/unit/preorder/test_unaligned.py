# SPDX-License-Identifier: Apache-2.0
"""Words without a counterpart: learnt, kept in models, marked and dropped."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError, UnknownNameError
from tertium.preorder import Reordering, load, train
from tertium.preorder.application import apply_model, nbest_orders, order_lattices
from tertium.preorder.btg.model import Btg
from tertium.preorder.combination import Combined
from tertium.preorder.demo import demo_text
from tertium.preorder.parsing.ensemble import GrammarEnsemble, train_grammars
from tertium.preorder.parsing.model import GrammarPreorderer
from tertium.preorder.parsing.risk import expected_tau
from tertium.preorder.unaligned import (
    learn_unaligned,
    written_order,
    written_words,
)
from tests.oracles import preorder_unaligned as oracle
from tests.support.preordering import Reverser

#: Articles have no links: 6 sentences with one article each.
SENTENCES = [["the", "cat", "sleeps"], ["a", "dog", "barks"]] * 3
LINKS = [[(1, 0), (2, 1)]] * 6

words = st.lists(st.sampled_from(["the", "a", "cat", "scat", "old"]), max_size=6)


@st.composite
def linked_texts(draw):
    sentences = draw(st.lists(words, max_size=8))
    return sentences, [
        draw(st.lists(st.sampled_from(range(len(s))), unique=True)) if s else []
        for s in sentences
    ]


@given(linked_texts(), st.lists(words, max_size=3))
def test_probabilities_equal_counts_in_dictionaries(text, unseen):
    sentences, linked = text
    table = learn_unaligned(sentences, [[(i, 0) for i in item] for item in linked])
    training = list(zip(sentences, linked, strict=True))
    for sentence, row in zip(unseen, table.probabilities(unseen), strict=True):
        assert row.tolist() == pytest.approx(
            [oracle.probability(training, sentence, i) for i in range(len(sentence))]
        )


def test_held_out_sentences_are_not_counted():
    half = learn_unaligned(SENTENCES, LINKS, held_out=2)
    only = learn_unaligned(SENTENCES[::2], LINKS[::2])
    assert np.array_equal(half.contexts, only.contexts)
    assert np.array_equal(half.counts, only.counts)


class Articles(Reverser):
    """A model that knows that articles have no counterpart."""

    unaligned = learn_unaligned(SENTENCES, LINKS)


TEXT = [["the", "cat", "sleeps"], [], ["a", "dog"]]


def test_applied_models_list_unaligned_words():
    result = apply_model(Articles(), TEXT)
    assert [each.unaligned for each in result.reorderings] == [(0,), (), (0,)]
    assert result.to_dict()["sentences"][0]["unaligned"] == [0]
    none = apply_model(Articles(), TEXT, unaligned_above=1)
    assert [each.unaligned for each in none.reorderings] == [(), (), ()]
    unknown = apply_model(Reverser(), TEXT)
    assert [each.unaligned for each in unknown.reorderings] == [None, None, None]
    with pytest.raises(InputError, match="from 0 to 1"):
        apply_model(Articles(), TEXT, unaligned_above=2)


def test_unaligned_words_are_kept_marked_or_dropped():
    reordering = Reordering((2, 1, 0), unaligned=(0,))
    words = TEXT[0]
    assert reordering.write(words) == ["sleeps", "cat", "the"]
    marked = reordering.write(words, unaligned="mark")
    assert marked == ["sleeps", "cat", "the_null"]
    factors = reordering.write(words, unaligned="mark", marker="|null")
    assert factors == ["sleeps|-", "cat|-", "the|null"]
    assert reordering.write(words, unaligned="drop") == ["sleeps", "cat"]
    assert reordering.reorder([7, 8, 9], unaligned="drop") == [9, 8]
    assert reordering.ranks("drop") == (0, 2, 1)
    assert reordering.without("drop").order == (1, 0)
    assert reordering.without("mark") is reordering


def test_dropped_words_make_orders_equal_and_these_are_written_once():
    kept = list(nbest_orders(Articles(), TEXT, count=6))
    dropped = list(nbest_orders(Articles(), TEXT, count=6, unaligned="drop"))
    assert [len(each) for each in kept] == [6, 1, 2]
    assert [[each.order for each in orders] for orders in dropped] == [
        [(2, 1), (1, 2)],
        [()],
        [(1,)],
    ]


def test_lattices_mark_or_drop_unaligned_words():
    model = Articles()
    settings = {"count": 6, "unaligned": "mark"}
    marked = next(order_lattices(model, TEXT, **settings))
    assert "'the_null'" in marked.to_plf()
    settings = {"count": 6, "unaligned": "drop"}
    lattices = list(order_lattices(model, TEXT, **settings))
    first, empty, single = lattices
    matrix = model.expectations(TEXT)[0][1:, 1:]
    assert [order for order, _ in first.paths()] == [(1, 2), (2, 1)]
    assert first.best() == ((2, 1), pytest.approx(expected_tau((1, 0), matrix)))
    assert first.closest((1, 0, 2)) == ((1, 2), 1.0)
    assert first.to_dict()["unaligned"] == [0]
    assert list(empty.paths()) == [((), 1.0)]
    assert list(single.paths()) == [((1,), 1.0)]
    risks = [line.split() for line in first.to_openfst(weights="risk")]
    assert sorted(float(line[4]) for line in risks if len(line) > 4) == pytest.approx(
        [0, 0, 0.4, 0.6]
    )


def test_a_model_that_has_not_counted_them_cannot_drop_them():
    for way in ("mark", "drop"):
        with pytest.raises(InputError, match="train it again"):
            next(nbest_orders(Reverser(), TEXT, unaligned=way))
        with pytest.raises(InputError, match="train it again"):
            Reordering((0,)).write(["the"], unaligned=way)
    with pytest.raises(UnknownNameError, match="'hide'"):
        written_order((0,), (), "hide")
    with pytest.raises(InputError, match="give another one"):
        written_words(["the"], (0,), "mark", marker=" ")


@pytest.mark.parametrize(
    "settings",
    [
        {"model": "btg", "classes": (2, 3, 4), "iterations": 1},
        {"model": "grammar", "splits": (2, 1), "restarts": 1, "iterations": 1},
        {"model": "grammar", "splits": (2, 1), "restarts": 2, "iterations": 1},
        {"model": "combined", "iterations": 1, "restarts": 1, "splits": (2, 1)},
    ],
)
def test_every_kind_of_model_learns_and_keeps_them(tmp_path, settings):
    text, test = demo_text("train"), demo_text("test").sentences
    model = train(text.sentences, text.links, **settings)
    model.save(tmp_path / "model")
    again = load(tmp_path / "model")
    positions = again.unaligned.positions(test)
    assert positions == model.unaligned.positions(test)
    dropped = {
        sentence[i] for sentence, row in zip(test, positions, strict=True) for i in row
    }
    assert {"the", "a"} <= dropped


def test_files_without_the_table_are_read(tmp_path):
    grammars = train_grammars(SENTENCES, LINKS, restarts=2, unknown=0, splits=(2, 1))
    btg = train(SENTENCES, LINKS, classes=(2, 3, 4), iterations=1, slots=2**10)
    old = [
        GrammarPreorderer(grammars.grammars[0]),
        GrammarEnsemble(grammars.grammars),
        Btg(btg.lexicon, btg.weights, btg.settings),
    ]
    old.append(Combined(old, [1, 1, 1]))
    for model in old:
        model.save(tmp_path / "model")
        again = load(tmp_path / "model")
        assert again.unaligned is None
        assert again.apply(TEXT) == model.apply(TEXT)
        with pytest.raises(InputError, match="train it again"):
            next(order_lattices(again, TEXT, unaligned="drop"))
