# SPDX-License-Identifier: Apache-2.0
"""Ratings that check judges do not count unless somebody asks for them."""

from __future__ import annotations

import pytest

from tertium.errors import InputError
from tertium.judgements import Judgements, Rating
from tertium.judgements.ranking import rating_scores
from tertium.meta import human_judgements

RATINGS = [
    Rating("A", 1.0, "DA", "1", "j", langpair="a-b"),
    Rating("A", 9.0, "DA-control", "1", "j", langpair="a-b"),
    Rating("A", 9.0, "DA-document", "d", "j", "d", langpair="a-b"),
]


def test_controls_do_not_count():
    table = Judgements.from_iterable(RATINGS)
    assert rating_scores(table).scores.tolist() == [[1.0]]
    assert rating_scores(table, scale="DA-control").scores.tolist() == [[9.0]]
    human = human_judgements(table)
    assert human.scores == {"A": 1.0}
    assert human.kind == "DA ratings as means"
    only = Judgements.from_iterable(RATINGS[1:2])
    assert rating_scores(only).scores.tolist() == [[9.0]]


def test_two_scales_need_a_choice():
    table = Judgements.from_iterable([*RATINGS, Rating("A", 1.0, "order", "1", "j")])
    with pytest.raises(InputError, match=r"several scales \(DA, order\)"):
        rating_scores(table)
