# SPDX-License-Identifier: Apache-2.0
"""Training data: who is matched with what, which pairs are taken, how it is split."""

from __future__ import annotations

import numpy as np
import pytest

from tertium.data.testset import Testset
from tertium.errors import InputError
from tertium.judgements import Judgements, Place, Ranking, Rating
from tertium.learn.data import Source, make_source, split
from tertium.learn.pairs import (
    corpora_of,
    fingerprint,
    judged_pairs,
    pairs_from,
    rated_from,
)


def ranking(segment: str, *ranks: tuple[str, int]) -> Ranking:
    places = tuple(Place(tuple(names.split(",")), rank) for names, rank in ranks)
    return Ranking(places, segment, judge="j", langpair="de-en")


def texts(segments: int = 2, references: int = 1) -> Testset:
    """Return systems A B C, where C is a copy of B."""
    return Testset.build(
        [[f"r{i} x{k}" for k in range(references)] for i in range(1, segments + 1)],
        {
            name: [f"{text} {i}" for i in range(1, segments + 1)]
            for name, text in (("A", "a"), ("B", "b"), ("C", "b"))
        },
        langpair="de-en",
    )


def source(*records, **kwargs) -> Source:
    testset = kwargs.pop("testset", texts())
    return make_source(testset, Judgements.from_iterable(records), **kwargs)


def shown(pairs) -> list[tuple[str, str]]:
    return [
        (pairs.hyps[b], pairs.hyps[w])
        for b, w in zip(pairs.better, pairs.worse, strict=True)
    ]


def test_every_untied_pair_counts_and_repeats_are_kept():
    result = pairs_from(
        source(
            ranking("1", ("A", 1), ("B", 2)),
            ranking("1", ("A", 1), ("B", 3)),
            ranking("1", ("A", 2), ("B", 1)),
            ranking("2", ("A", 1), ("B", 1)),
        )
    )
    assert shown(result) == [("a 1", "b 1"), ("a 1", "b 1"), ("b 1", "a 1")]
    assert result.comparisons == 4
    assert result.name == "de-en"


def test_one_judgement_of_two_texts_counts_once_whoever_produced_them():
    result = pairs_from(source(ranking("1", ("A", 1), ("B,C", 2))))
    assert shown(result) == [("a 1", "b 1")]


def test_equal_texts_make_no_pair_but_count_as_judged():
    result = source(ranking("1", ("B", 1), ("C", 2)), ranking("1", ("A", 1), ("B", 2)))
    assert shown(pairs_from(result)) == [("a 1", "b 1")]
    assert shown(judged_pairs(result)) == [("b 1", "b 1"), ("a 1", "b 1")]


@pytest.mark.parametrize(
    ("outcomes", "kept"),
    [
        ("<", 0),  # one judgement
        ("<<", 1),
        ("<>", 0),
        ("<<>", 1),  # 2/3
        ("<<=", 1),
        ("<<<>>", 0),  # exactly 0.6
        ("<=", 0),  # ties count
        ("==", 0),
    ],
)
def test_agreed_pairs_have_two_judgements_and_a_clear_majority(outcomes, kept):
    ranks = {"<": (1, 2), ">": (2, 1), "=": (1, 1)}
    records = [ranking("1", ("A", ranks[o][0]), ("B", ranks[o][1])) for o in outcomes]
    result = pairs_from(source(*records), filter="agreed")
    assert shown(result) == [("a 1", "b 1")] * kept


def test_agreed_pairs_are_grouped_by_texts_not_by_systems():
    records = [ranking("1", ("A", 1), ("B", 2)), ranking("1", ("A", 1), ("C", 2))]
    assert len(pairs_from(source(*records), filter="agreed")) == 1
    together = ranking("1", ("A", 1), ("B,C", 2))  # one judgement of two texts
    assert len(pairs_from(source(together), filter="agreed")) == 0


def rating(system: str, score: float, segment: str = "1", judge: str = "j") -> Rating:
    return Rating(system, score, "DA", segment, judge=judge, langpair="de-en")


def test_ratings_make_pairs_if_they_are_far_enough_apart():
    result = source(rating("A", 80), rating("B", 55), rating("A", 50, "2"),
                 rating("B", 60, "2"))  # fmt: skip
    assert shown(pairs_from(result)) == [("a 1", "b 1")]
    assert shown(pairs_from(result, gap=10)) == [("a 1", "b 1"), ("b 2", "a 2")]
    assert shown(pairs_from(result, gap=10, filter="agreed")) == shown(
        pairs_from(result, gap=10)
    )
    assert len(pairs_from(result, gap=25.1)) == 0
    with pytest.raises(InputError, match="gap of two ratings is 0; give one above 0"):
        pairs_from(result, gap=0)


def test_ratings_are_means_over_judges_and_can_be_relative_to_each():
    records = [rating("A", 90), rating("A", 70, judge="k"), rating("B", 60),
               rating("B", 20, judge="k"), rating("C", 60)]  # fmt: skip
    raw, z = source(*records), source(*records, method="z")
    assert rated_from(raw).human.tolist() == [80.0, 40.0, 60.0]
    assert rated_from(raw).hyps == ("a 1", "b 1", "b 1")
    assert rated_from(z).human[0] > 0.5 > rated_from(z).human[1]
    assert z.ratings.method == "z"  # and so the gap is one standard deviation
    assert len(pairs_from(z)) == 1


def test_both_kinds_may_be_there_and_rankings_come_first():
    result = source(ranking("1", ("A", 2), ("B", 1)), rating("A", 90), rating("B", 10))
    assert shown(pairs_from(result)) == [("b 1", "a 1")]
    assert shown(pairs_from(result, kind="ratings")) == [("a 1", "b 1")]
    assert rated_from(source(ranking("1", ("A", 1), ("B", 2)))) is None
    with pytest.raises(InputError, match="has no ratings; take its rankings"):
        pairs_from(source(ranking("1", ("A", 1), ("B", 2))), kind="ratings")


def test_empty_outputs_are_dropped_unless_they_are_translations():
    testset = Testset.build(["r"], {"A": ["a"], "B": [" "]}, langpair="de-en")
    record = ranking("1", ("A", 1), ("B", 2))
    with pytest.raises(InputError, match="judgements are of"):
        pairs_from(source(record, testset=testset))
    kept = pairs_from(source(record, testset=testset, empty="keep"))
    assert shown(kept) == [("a", " ")]


def test_judged_systems_without_texts_are_counted():
    result = pairs_from(
        source(
            ranking("1", ("A", 1), ("X", 2)),
            ranking("9", ("A", 1), ("B", 2)),
            ranking("2", ("A", 1), ("B", 2)),
        )
    )
    assert (len(result), result.lacking) == (1, 2)


def test_judgements_of_other_names_are_an_error_that_shows_both():
    with pytest.raises(InputError, match=r"systems X, Y, texts are of A, B, C"):
        pairs_from(source(ranking("1", ("X", 1), ("Y", 2))))
    with pytest.raises(InputError, match=r"segments such as 's1'.*called '1'"):
        pairs_from(source(ranking("s1", ("A", 1), ("B", 2))))
    with pytest.raises(InputError, match="has no references"):
        source(
            ranking("1", ("A", 1), ("B", 2)), testset=Testset.build(None, {"A": ["a"]})
        )
    other = Testset.build(["r"], {"A": ["a"]}, langpair="fr-en")
    with pytest.raises(InputError, match=r"no judgements of fr-en; .* de-en"):
        source(ranking("1", ("A", 1), ("B", 2)), testset=other)


def test_systems_are_scored_by_expected_wins_on_segments_that_all_translated():
    def wins(a, b, n):
        return [ranking(str(1 + i % 2), (a, 1), (b, 2)) for i in range(n)]

    records = [*wins("A", "B", 6), *wins("B", "A", 2), *wins("A", "C", 5),
               *wins("C", "A", 5), *wins("B", "C", 3), *wins("C", "B", 1)]  # fmt: skip
    result = corpora_of(source(*records))
    # Means over opponents: for A, (6 / 8 + 5 / 10) / 2.
    assert result.human == pytest.approx({"A": 0.625, "B": 0.5, "C": 0.375})
    assert result.systems["A"] == ("a 1", "a 2")
    few = corpora_of(source(*records), size=1)
    assert [len(few.refs), *map(len, few.systems.values())] == [1, 1, 1, 1]
    alone = source(ranking("1", ("A", 1), ("X", 2)))
    assert corpora_of(alone) is None


def many(segments: int = 40) -> Source:
    records = [
        ranking(str(i), ("A", 1 + i % 2), ("B", 2 - i % 2))
        for i in range(1, segments + 1)
    ]
    return source(*records, testset=texts(segments), name="2015/de-en")


def test_a_split_never_has_a_reference_on_both_sides():
    one, other = many(), many()
    train, valid = split([one, other], 0.25, seed=3)
    sides = [
        {refs for each in side for refs in judged_pairs(each).refs}
        for side in (train, valid)
    ]
    assert not sides[0] & sides[1]
    assert [len(side) for side in sides] == [30, 10]
    assert len(judged_pairs(train[0])) == 30
    assert judged_pairs(train[0]).lacking == 0
    again, _ = split([one, other], 0.25, seed=3)
    assert shown(judged_pairs(again[0])) == shown(judged_pairs(train[0]))
    others, _ = split([one, other], 0.25, seed=4)
    assert shown(judged_pairs(others[0])) != shown(judged_pairs(train[0]))


def test_a_split_keeps_ratings_with_their_segments():
    records = [rating(s, 10 * i, str(i)) for i in range(1, 5) for s in "AB"]
    train, valid = split([source(*records, testset=texts(4))], 0.5)
    for side in (*train, *valid):
        result = rated_from(side)
        assert len(result) == 4
        for hyp, score in zip(result.hyps, result.human, strict=True):
            assert score == 10 * int(hyp.split()[1])


@pytest.mark.parametrize("share", [0, 1, -0.5, 0.001])
def test_a_share_that_leaves_nothing_is_an_error(share):
    with pytest.raises(InputError, match="share"):
        split([many()], share)


def test_fingerprints_change_with_texts_and_judgements_and_nothing_else():
    def mark(one):
        return fingerprint([pairs_from(one), corpora_of(one)])

    assert mark(many()) == mark(many())
    assert mark(many()) != mark(many(39))
    other = source(
        ranking("1", ("A", 1), ("B", 2)), testset=texts(40), name="2015/de-en"
    )
    assert mark(many()) != mark(other)


def test_a_source_knows_its_campaign_and_language_pair():
    result = many()
    assert (result.campaign, result.langpair) == ("2015", "de-en")
    assert np.array_equal(pairs_from(result).better, pairs_from(many()).better)
