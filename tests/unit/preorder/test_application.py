# SPDX-License-Identifier: Apache-2.0
"""Models applied to texts: constraints, doubts, sentences without a parse, n-best."""

from __future__ import annotations

import pytest

from tertium.errors import FormatError, InputError
from tertium.preorder import Reordering
from tertium.preorder.application import apply_model, nbest_orders, order_lattices
from tertium.preorder.brackets import bracketed
from tertium.preorder.corpus import read_constraints
from tertium.preorder.model import Preorderer
from tertium.preorder.parsing.constraints import Constraints
from tests.support.preordering import Reverser

SENTENCES = [["a", "b", "c"], ["d"], [], ["e", "f"]] * 100


def test_sentences_are_reordered_and_missing_parses_are_counted():
    assert isinstance(Reverser(), Preorderer)
    done = []
    result = apply_model(
        Reverser(), SENTENCES, progress=lambda *counts: done.append(counts)
    )
    assert [each.order for each in result.reorderings[:4]] == [
        (2, 1, 0),
        (0,),
        (),
        (1, 0),
    ]
    assert (result.moved, result.doubtful) == (200, 0)
    assert str(result.notes[0]) == "100 sentences have no parse (identity 100)"
    assert done == [(200, 400), (400, 400)]
    assert result.to_dict()["fallbacks"] == {"identity": 100}


def test_doubtful_sentences_can_be_left_alone():
    result = apply_model(Reverser(), SENTENCES, unless_sure=0.7)
    assert (result.moved, result.doubtful) == (0, 200)
    assert str(result.notes[1]).startswith("200 sentences kept the source order")
    assert apply_model(Reverser(), SENTENCES, unless_sure=0.6).doubtful == 0
    with pytest.raises(InputError, match="from 0 to 1"):
        apply_model(Reverser(), SENTENCES, unless_sure=7)


def test_constraints_hold_for_all_or_for_each():
    model = Reverser()
    both = [Constraints(max_displacement=0), *[None] * 399]
    assert apply_model(model, SENTENCES, constraints=both).moved == 199
    assert apply_model(model, SENTENCES, constraints=both[0]).moved == 0
    with pytest.raises(InputError, match="constraints of 1"):
        apply_model(model, SENTENCES, constraints=both[:1])


def test_nbest_lists_start_with_the_best_order():
    lists = list(nbest_orders(Reverser(), SENTENCES, count=3))
    assert [len(each) for each in lists[:4]] == [3, 1, 1, 2]
    assert lists[0][0].order == (2, 1, 0)
    assert lists[3][1].order == (0, 1)


def test_lattices_have_the_nbest_orders():
    lattice = next(order_lattices(Reverser(), SENTENCES, count=3))
    orders = [each.order for each in next(nbest_orders(Reverser(), SENTENCES, count=3))]
    assert {*orders} <= {order for order, _ in lattice.paths()}


def test_trees_are_written_in_brackets():
    words = "a ( b d".split()  # noqa: SIM905
    assert bracketed(words, Reordering((2, 0, 3, 1))) == "(2413 a -LRB- b d)"
    assert bracketed([], Reordering(())) == ""
    assert bracketed(["a"], Reordering((0,))) == "a"


def test_constraints_are_read_from_json_lines(write_lines):
    path = write_lines("c", ['{"walls": [1], "frozen": [[1, 3]]}', "{}"])
    first, second = read_constraints(path, [["a"] * 3, []], max_displacement=4)
    assert first == Constraints((1,), ((1, 3),), 4)
    assert second == Constraints(max_displacement=4)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"wall": [1]}', "c:1: these are not constraints; write an object"),
        ("[1]", "c:1: these are not constraints"),
        ("{", "c:1: these are not constraints"),
        ('{"frozen": [1]}', "c:1: these are not constraints"),
        ('{"before": [[0, 5]]}', "c:1: there is no word 5"),
    ],
)
def test_wrong_constraints_are_rejected_with_file_and_line(write_lines, line, message):
    with pytest.raises(FormatError, match=message):
        read_constraints(write_lines("c", [line]), [["a", "b"]])


def test_results_are_held_as_they_are_made():
    parts = []

    class Asked(Reverser):
        def apply(self, sentences, **settings):
            parts.append(len(sentences))
            return super().apply(sentences, **settings)

    def hold(results):
        known = []
        for each in results:
            known.append(each)
            under_way.append(len(parts))
        return known

    under_way = []
    result = apply_model(Asked(), SENTENCES, unless_sure=0.7, hold=hold)
    whole = apply_model(Reverser(), SENTENCES, unless_sure=0.7)
    assert tuple(result.reorderings) == whole.reorderings
    assert (result.doubtful, result.fallbacks) == (whole.doubtful, whole.fallbacks)
    assert under_way == [1] * 200 + [2] * 200
