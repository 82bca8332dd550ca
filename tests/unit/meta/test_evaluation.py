# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from tertium.errors import InputError
from tertium.judgements import Judgements, Place, Ranking, Rating
from tertium.meta.evaluation import evaluation
from tertium.meta.human import Human, human_judgements
from tertium.meta.scores import MetricScores


def ratings(*rows):
    return Judgements.from_iterable(
        Rating(system, score, "DA", segment, judge, langpair="de-en")
        for system, segment, judge, score in rows
    )


def test_ratings_are_means_over_judges():
    human = human_judgements(
        ratings(("B", "10", "j", 4), ("A", "2", "j", 1), ("A", "2", "k", 2)),
        method="mean",
    )
    assert (human.systems, human.segments) == (("A", "B"), ("2", "10"))
    np.testing.assert_array_equal(human.ratings, [[1.5, np.nan], [np.nan, 4]])
    assert human.scores == {"A": 1.5, "B": 4.0}
    assert human.kind == "DA ratings as means"


def test_several_language_pairs_or_kinds_must_be_chosen_from():
    both = Judgements.from_iterable(
        [
            Rating("A", 1, "DA", "1", langpair="de-en"),
            Rating("A", 1, "DA", "1", langpair="fr-en"),
            Ranking((Place(("A",), 1), Place(("B",), 2)), "1", langpair="de-en"),
        ]
    )
    with pytest.raises(InputError, match="more than one language pair: de-en, fr-en"):
        human_judgements(both)
    with pytest.raises(InputError, match="no language pair xx-en"):
        human_judgements(both, langpair="xx-en")
    with pytest.raises(InputError, match="rankings and ratings; choose one"):
        human_judgements(both, langpair="de-en")
    chosen = human_judgements(both, langpair="de-en", kind="ratings")
    assert chosen.ratings is not None
    with pytest.raises(InputError, match="no judgements"):
        human_judgements(Judgements.from_iterable([]))


def rated(values, systems="ABC"):
    return Human(
        tuple(systems),
        tuple(map(str, range(1, len(values[0]) + 1))),
        "test",
        dict(zip(systems, np.nanmean(values, axis=1), strict=True)),
        ratings=np.array(values, dtype=float),
    )


def metric(name="m", *, systems="ABC", segments=2, rising=True):
    return MetricScores(
        name,
        {s: float(i) for i, s in enumerate(systems)},
        {s: {str(g + 1): float(i + g) for g in range(segments)}
         for i, s in enumerate(systems)},
        rising,
    )  # fmt: skip


def test_metrics_take_the_order_of_the_judgements():
    both = evaluation(rated([[1, 2], [3, 4], [5, 6]]), [metric(systems="CAB")])
    (one,) = both.metrics
    assert one.system.tolist() == [1, 2, 0]
    assert one.segment.tolist() == [[1, 2], [2, 3], [0, 1]]
    falling = evaluation(rated([[1, 2], [3, 4], [5, 6]]), [metric(rising=False)])
    assert falling.metrics[0].system.tolist() == [0, -1, -2]


def test_what_only_one_side_has_is_left_out_with_a_note():
    human = rated([[1, 2], [3, 4], [5, 6]])
    both = evaluation(human, [metric(systems="ABXY")], exclude=["Y"])
    assert both.human.systems == ("A", "B")
    assert both.human.ratings.tolist() == [[1, 2], [3, 4]]
    assert tuple(map(str, both.notes)) == (
        "judged, but without scores: C",
        "scored, but not judged: X",
    )


def test_references_among_the_systems_are_not_called_unjudged():
    human = rated([[1, 2], [3, 4]], "AB")
    both = evaluation(human, [metric(systems="ABRX")], references=["R", "S"])
    assert tuple(map(str, both.notes)) == (
        "left out of the systems, as references: R",
        "scored, but not judged: X",
    )


def test_missing_scores_are_an_error_unless_dropped():
    human = rated([[1, 2], [3, np.nan]], "AB")
    lacking = MetricScores("m", {}, {"A": {"1": 1.0}, "B": {"1": 2.0}})
    with pytest.raises(InputError, match="m has no score for segment 2 of A"):
        evaluation(human, [lacking])
    both = evaluation(human, [lacking], missing="drop")
    assert tuple(map(str, both.notes)) == ("no score of m for segment 2 of A; dropped",)
    assert both.metrics[0].system.tolist() == [1.0, 2.0]  # means of segments


def test_undefined_scores_are_left_out_and_counted():
    """A metric without a value by its definition has not failed to score."""
    human = rated([[1, 2], [3, 4]], "AB")
    scores = {"A": {"1": 1.0, "2": 3.0}, "B": {"1": 2.0}}
    one = MetricScores("m", {}, scores, undefined={"B": {"2"}})
    both = evaluation(human, [one])
    assert tuple(map(str, both.notes)) == (
        "m is undefined for 1 of 4 judged outputs; they are left out of its figures",
    )
    assert np.isnan(both.metrics[0].segment[1, 1])
    # What is missing otherwise is an error as before.
    gone = MetricScores("m", {}, {"A": {"1": 1.0}, "B": {"1": 2.0}}, undefined={})
    with pytest.raises(InputError, match="m has no score for segment 2 of A and 1"):
        evaluation(human, [gone])


def test_comparisons_of_systems_without_scores_go():
    records = [Ranking((Place(("A",), 1), Place(("B",), 2), Place(("C",), 3)), "1")]
    comparisons = Judgements.from_iterable(records).comparisons()
    human = Human(("A", "B", "C"), ("1",), "test", {}, comparisons)
    both = evaluation(human, [metric(systems="CB", segments=1)])
    kept = both.human.comparisons
    assert both.human.systems == ("B", "C")
    assert (kept.first.tolist(), kept.second.tolist()) == ([0], [1])
    assert kept.outcome.tolist() == [1]


def test_wrong_calls_are_explained():
    human = rated([[1, 2], [3, 4], [5, 6]])
    with pytest.raises(InputError, match="two metrics are called m"):
        evaluation(human, [metric(), metric()])
    with pytest.raises(InputError, match="no system has judgements and scores"):
        evaluation(human, [metric(systems="XYZ")])
    with pytest.raises(InputError, match="missing is 'x'; choose error or drop"):
        evaluation(human, [metric()], missing="x")
    with pytest.raises(InputError, match="no scores of metrics"):
        evaluation(human, [])
