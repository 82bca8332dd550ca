# SPDX-License-Identifier: Apache-2.0
"""Judgements of segments against those of sentences, and unseen systems."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import rankings as oracle
from tertium.errors import InputError
from tertium.judgements import Judgements, Place, Ranking
from tertium.judgements.parts.against_sentences import compare_levels
from tertium.judgements.reuse.unseen import Guess, edit_distance, leave_one_out

NAMES = "ABC"


def ranking(ranks, sentence: str, part: str | None = None) -> Ranking:
    places = tuple(
        Place((name,), rank) for name, rank in zip(NAMES, ranks, strict=True)
    )
    return Ranking(places, sentence, part=part)


ranks = st.tuples(*[st.integers(1, 3)] * 3)
sentence = st.sampled_from(["1", "2"])
records = st.lists(st.tuples(ranks, sentence, st.sampled_from([None, "x", "y"])))


@given(records.filter(lambda r: {x[2] is None for x in r} == {True, False}))
@settings(max_examples=60)
def test_levels_equal_their_definitions(rows):
    levels = compare_levels(Judgements.from_iterable(ranking(*row) for row in rows))
    counts = {}
    for whole, number, part in rows:
        if part is not None:
            continue
        for fine, other, of in rows:
            if of is None or other != number:
                continue
            for b in range(3):
                for w in range(3):
                    if whole[b] < whole[w] and fine[b] != fine[w]:
                        agree = fine[b] < fine[w]
                        for key in (("better", b), ("worse", w), ("all", None)):
                            pair = counts.setdefault(key, [0, 0])
                            pair[not agree] += 1
    for i, each in enumerate(levels.systems):
        for kind, result in (("better", each.better), ("worse", each.worse)):
            expected = counts.get((kind, i), [0, 0])
            assert [result.concordant, result.discordant] == expected
        both = [each.all.concordant, each.all.discordant]
        assert both == [
            counts.get(("better", i), [0, 0])[k] + counts.get(("worse", i), [0, 0])[k]
            for k in (0, 1)
        ]
    expected = counts.get(("all", None), [0, 0])
    assert [levels.all.concordant, levels.all.discordant] == expected
    total = sum(expected)
    tau = (expected[0] - expected[1]) / total if total else None
    assert levels.all.tau == (None if tau is None else pytest.approx(tau))


def test_agreement_is_half_of_one_plus_tau():
    rows = [((1, 2, 3), "1", None), ((1, 2, 2), "1", "x"), ((2, 1, 3), "1", "y")]
    levels = compare_levels(Judgements.from_iterable(ranking(*row) for row in rows))
    assert (levels.all.concordant, levels.all.discordant) == (4, 1)
    assert levels.all.agreement == pytest.approx(0.8)


def test_disagreements_are_flagged_smoothed_and_sorted():
    # A loses as a sentence and wins as a segment; C the other way round.
    rows = [((3, 2, 1), "7", None), ((1, 2, 3), "7", "x")]
    rows += [((1, 2, 3), "8", None), ((1, 2, 3), "8", "x")]
    result = compare_levels(
        Judgements.from_iterable(ranking(*row) for row in rows)
    ).disagreements
    worst = {(d.system, d.sentence): d for d in result}
    assert worst["A", "7"].infinite
    assert worst["A", "7"].log_ratio == pytest.approx(math.log(2.5 / 0.5))
    assert worst["C", "7"].quotient == 0
    assert worst["B", "7"].quotient == 1
    assert worst["C", "8"].quotient is None
    assert [d.sentence for d in result[:2]] == ["7", "7"]
    assert worst["A", "8"].log_ratio == 0


def test_both_levels_are_needed():
    for part in (None, "x"):
        with pytest.raises(InputError, match="no rankings"):
            compare_levels(Judgements.from_iterable([ranking((1, 2, 3), "1", part)]))


# ----------------------------------------------------------------- unseen systems


@given(st.text("abč ", max_size=70), st.text("abč ", max_size=70))
@settings(max_examples=60)
def test_distances_equal_the_definition(a, b):
    assert edit_distance(a, b) == oracle.edit_distance(a, b)


def candidates(*places: tuple[str, int, str]) -> Ranking:
    return Ranking(
        tuple(Place(tuple(systems), rank, text=text) for text, rank, systems in places),
        "1",
        part="x",
    )


def test_a_left_out_system_is_scored_from_what_others_wrote():
    result = leave_one_out(
        Judgements.from_iterable(
            [
                candidates(("dobrý den", 1, "AB"), ("dobrá den", 2, "C")),
                candidates(("na zdar", 2, "A"), ("nazdar", 1, "B"), ("ahoj", 2, "C")),
            ]
        )
    )
    a, b, c = result
    assert [x.system for x in result] == ["A", "B", "C"]
    assert (a.annotations, a.hits, a.hit_rate) == (2, 1, 0.5)
    # Exact: the first ranking alone; A ties with B and beats C.
    assert a.exact == 1.0
    # Closest: "na zdar" takes the rank 1 of "nazdar", so it ties with B and beats C.
    assert a.closest == 1.0
    assert a.judged == 0.5
    assert a.mean_distance == 0.5
    assert a.guesses == Guess(worse=0, equal=0, better=1)
    assert a.by_distance == {1: Guess(better=1)}
    assert (c.hits, c.exact) == (0, None)
    assert c.by_distance == {1: Guess(better=1), 5: Guess(better=1)}
    assert b.by_distance == {1: Guess(worse=1)}


def test_the_mean_rank_of_all_nearest_candidates_is_taken():
    result = leave_one_out(
        Judgements.from_iterable(
            [candidates(("aa", 2, "A"), ("ab", 1, "B"), ("ba", 3, "C"))]
        )
    )
    assert result[0].guesses == Guess(equal=1)


def test_garbage_comes_right_behind_the_last_candidate():
    one = candidates(("aa", 3, "A"), ("ab", 1, "B"), ("ba", 1, "C"), ("zz", 2, "D"))
    places = [p._replace(garbage="C" in p.systems) for p in one.places]
    result = leave_one_out(
        Judgements.from_iterable([one._replace(places=tuple(places))])
    )
    # The mean of 1 and 4 is better than 3, and C lost against all.
    assert result[0].guesses == Guess(better=1)
    assert [each.judged for each in result] == [1 / 3, 1.0, 0.0, 2 / 3]


def test_a_segment_that_nobody_else_translated_is_skipped():
    alone = Judgements.from_iterable([candidates(("aa", 1, "A"))])
    (only,) = leave_one_out(alone)
    assert (only.annotations, only.hits, only.closest) == (1, 0, None)
    assert only.mean_distance is None


def test_texts_are_needed():
    with pytest.raises(InputError, match="no candidate"):
        leave_one_out(Judgements.from_iterable([ranking((1, 2, 3), "1", "x")]))


def test_exact_match_flatters_a_system_more_than_the_closest_candidate():
    """Systems agree on good translations and err each in its own way."""
    rng = np.random.default_rng(11)
    records = []
    for i in range(300):
        good = "".join(rng.choice(list("abcdefgh"), 12))
        texts: dict[str, list[str]] = {}
        for name in "ABCDE":
            text = list(good)
            for _ in range(rng.poisson(0.8)):
                text[rng.integers(12)] = str(rng.choice(list("uvwxyz")))
            texts.setdefault("".join(text), []).append(name)
        places = tuple(
            Place(tuple(names), 1 + edit_distance(text, good), text=text)
            for text, names in texts.items()
        )
        records.append(Ranking(places, str(i), part="x"))
    for each in leave_one_out(Judgements.from_iterable(records)):
        assert each.exact > each.closest > each.judged
        assert each.guesses.better > each.guesses.worse
        assert sum(g.total for g in each.by_distance.values()) == each.guesses.total
