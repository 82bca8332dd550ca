# SPDX-License-Identifier: Apache-2.0
"""Scores of new systems from stored judgements."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tertium import Judgements, Testset
from tertium.errors import InputError
from tertium.judgements import Place, Ranking, Rating, Span
from tertium.judgements.reuse.estimation import reuse

pytest.importorskip("scipy")

TEXT = "the cat sat on a mat and saw two dogs run by an old red house at noon"
WORDS = TEXT.split()


def simulated(
    systems: int = 8, segments: int = 40, seed: int = 1, *, ranked: bool = False
):
    """Return judgements and texts of systems that break more and more words."""
    rng = np.random.default_rng(seed)
    rates = rng.uniform(0.05, 0.5, systems)
    references, outputs = [], {f"S{i}": [] for i in range(systems)}
    judged = []
    for segment in range(1, segments + 1):
        words = list(rng.permutation(WORDS)[:8])
        references.append((" ".join(words),))
        scores = {}
        for rate, (name, texts) in zip(rates, outputs.items(), strict=True):
            broken = rng.random(8) < rate
            texts.append(
                " ".join(
                    f"{w}{rng.integers(100)}x" if b else w
                    for w, b in zip(words, broken, strict=True)
                )
            )
            scores[name] = 100 - 10 * broken.sum() + rng.normal(0, 3)
        if ranked:
            order = sorted(scores, key=scores.__getitem__, reverse=True)
            places = tuple(Place((name,), rank) for rank, name in enumerate(order, 1))
            judged.append(Ranking(places, str(segment)))
        else:
            judged += [
                Rating(name, float(score), "DA", str(segment))
                for name, score in scores.items()
            ]
    return Judgements.from_iterable(judged), Testset(references, outputs)


def small():
    """Return ratings of three systems on two segments."""
    scores = {"A": (90, 80), "B": (70, 60), "C": (50, 40)}
    judged = [
        Rating(name, score, "DA", str(segment))
        for name, values in scores.items()
        for segment, score in enumerate(values, 1)
    ]
    systems = {
        "A": ["a cat sat", "two dogs run"],
        "B": ["a cat sits", "two dogs run"],
        "C": ["cats", "dogs"],
    }
    testset = Testset([("a cat sat",), ("two dogs ran",)], systems)
    return Judgements.from_iterable(judged), testset


def test_exact_uses_equal_outputs_only():
    judgements, testset = small()
    result = reuse(
        judgements, testset, {"N": ["a cat sat", "no dogs at all"]}, by="exact"
    )
    (new,) = result.systems
    assert (new.predicted, new.hits, new.hit_rate) == (90, 1, 0.5)
    assert new.scores == {"A": 90, "B": 70, "C": 50}
    assert [each.hit for each in new.segments] == [True, False]


def test_several_equal_outputs_give_their_mean():
    judgements, testset = small()
    result = reuse(judgements, testset, {"N": ["x", "two dogs run"]}, by="exact")
    assert result.systems[0].predicted == 70
    assert [n.systems for n in result.systems[0].segments[1].nearest] == [
        ("A",),
        ("B",),
    ]


def test_closest_takes_what_the_nearest_output_got():
    judgements, testset = small()
    new = reuse(judgements, testset, {"N": ["a cat sitz", "dog"]}).systems[0]
    assert new.predicted == (70 + 40) / 2
    assert [each.distance for each in new.segments] == [1, 1]
    assert new.mean_distance == 1
    assert new.by_distance[1].count == 2


def test_a_system_left_out_is_compared_with_its_judgements():
    judgements, testset = small()
    result = reuse(judgements, testset, leave_one_out=True)
    left = {each.system: each for each in result.systems}
    assert left["A"].true == 85
    assert left["A"].predicted == (70 + 60) / 2
    # One miss, guessed as 70 instead of 90.
    assert (left["A"].misses.worse, left["A"].misses.better) == (1, 0)
    assert left["A"].hit_rate == 0.5
    assert result.all.outputs == 6
    assert result.accuracy.systems == 3


def test_rankings_give_ratios_of_wins():
    ranking = Ranking((Place(("A",), 1), Place(("B",), 2), Place(("C",), 3)), "1")
    testset = Testset([("x",)], {"A": ["aaaa"], "B": ["aaab"], "C": ["cccc"]})
    result = reuse(
        Judgements.from_iterable([ranking]), testset, leave_one_out=True, by="closest"
    )
    scores = {each.system: (each.true, each.predicted) for each in result.systems}
    assert scores["A"] == (1.0, 1.0)  # takes B's rank, and ties with B
    assert scores["B"] == (0.5, 1.0)
    assert scores["C"][0] == 0.0


def test_json_has_one_entry_per_system():
    judgements, testset = small()
    shown = json.loads(reuse(judgements, testset, leave_one_out=True).to_json())
    assert [each["system"] for each in shown["systems"]] == ["A", "B", "C"]
    assert {"true", "predicted", "hit_rate", "interval"} <= set(shown["systems"][0])
    assert shown["all"]["outputs"] == 6
    assert shown["notes"]


def test_a_caution_with_the_hit_rate_comes_first():
    judgements, testset = small()
    note = reuse(judgements, testset, {"N": ["a cat sat", "y"]}).notes[0]
    assert str(note).startswith("50 % of outputs equal a judged one")


@pytest.mark.parametrize("ranked", [False, True])
def test_the_model_is_nearer_and_less_flattering_than_the_closest_output(ranked):
    judgements, testset = simulated(ranked=ranked)
    closest = reuse(judgements, testset, leave_one_out=True).accuracy
    model = reuse(judgements, testset, leave_one_out=True, by="model").accuracy
    assert model.mean_absolute_error < closest.mean_absolute_error
    assert model.pearson > 0.9
    assert abs(model.bias) < abs(closest.bias)


def test_intervals_cover_systems_left_out():
    covered = systems = 0
    for seed in range(3):
        judgements, testset = simulated(seed=seed, segments=15)
        accuracy = reuse(
            judgements, testset, leave_one_out=True, by="model", intervals=True
        ).accuracy
        covered += accuracy.covered
        systems += accuracy.systems
    assert covered / systems >= 0.9


@pytest.mark.parametrize("by", ["exact", "closest", "model"])
def test_a_copy_of_a_judged_system_gets_its_score(by):
    judgements, testset = simulated()
    result = reuse(judgements, testset, {"N": testset.systems["S0"]}, by=by)
    assert result.systems[0].hit_rate == 1
    assert result.systems[0].predicted == pytest.approx(result.judged["S0"], abs=3)


def test_a_better_output_is_not_predicted_to_be_worse():
    judgements, testset = simulated()
    good = [" ".join(refs) for refs in testset.references]
    bad = ["nonsense " * 6] * len(good)
    result = reuse(judgements, testset, {"good": good, "bad": bad}, by="model")
    first, second = result.systems
    assert first.predicted > second.predicted


def test_threads_change_nothing():
    judgements, testset = simulated(segments=10)
    new = {"N": testset.systems["S1"][::-1]}
    one, two = (
        reuse(judgements, testset, new, by="model", next=3, threads=threads).to_json()
        for threads in (1, 2)
    )
    assert one == two


def test_next_outputs_shrink_the_interval():
    judgements, testset = simulated()
    texts = [" ".join(refs[0].split()[::-1]) for refs in testset.references]
    result = reuse(judgements, testset, {"N": texts}, by="model", next=5)
    low, high = result.systems[0].interval
    widths = [b - a for a, b in (each.interval for each in result.next)]
    assert len({each.segment for each in result.next}) == 5
    assert [high - low, *widths] == sorted([high - low, *widths], reverse=True)


def test_another_seed_draws_another_sample_to_annotate():
    judgements, testset = simulated()
    texts = [" ".join(refs[0].split()[::-1]) for refs in testset.references]
    first, again, other = (
        reuse(judgements, testset, {"N": texts}, by="model", next=8, seed=seed).next
        for seed in (1, 1, 2)
    )
    assert first == again
    assert {each.segment for each in first} != {each.segment for each in other}


def test_outputs_to_annotate_are_shared_out_among_systems():
    result = reuse(*simulated(), by="model", next=12, leave_one_out=True)
    outputs = {(each.system, each.segment) for each in result.next}
    assert len(result.next) == len(outputs) == 12
    assert len({each.system for each in result.next}) > 1


def test_annotated_outputs_move_the_estimate_and_shrink_the_interval():
    judgements, testset = simulated()
    texts = [" ".join(refs[0].split()[::-1]) for refs in testset.references]
    before = reuse(judgements, testset, {"N": texts}, by="model", intervals=True)
    known = [Rating("N", 5.0, "DA", str(i)) for i in range(1, 11)]
    more = Judgements.from_iterable([*judgements.iterate(), *known])
    systems = {**testset.systems, "N": texts}
    after = reuse(
        more,
        Testset(testset.references, systems),
        {"N": texts},
        by="model",
        intervals=True,
    )
    first, second = before.systems[0], after.systems[0]
    assert second.predicted < first.predicted
    assert np.ptp(second.interval) < np.ptp(first.interval)


def test_error_marks_are_carried_over_with_their_context():
    spans = [
        Span("A", "Accuracy", "Major", "1", 2, 5),
        Span("B", "Fluency", "no-error", "1"),
    ]
    testset = Testset([("a cat sat",)], {"A": ["a cat sat"], "B": ["a dog sat"]})
    judgements = Judgements.from_iterable(spans)
    result = reuse(judgements, testset, {"N": ["a cat sat down"], "M": ["a cat ran"]})
    assert (result.kind, result.scale) == ("spans", "MQM")
    assert [s.start for s in result.systems[0].segments[0].spans] == [2]
    assert result.systems[1].segments[0].spans == ()
    assert result.systems[0].predicted == -5


def test_parts_of_segments_can_be_left_out_but_not_matched_with_whole_outputs():
    places = (Place(("A",), 1, False, "a cat"), Place(("B",), 2, False, "a hat"))
    judgements = Judgements.from_iterable([Ranking(places, "1", "2")])
    testset = Testset([("x",)], {"A": ["so a cat"], "B": ["so a hat"]})
    result = reuse(judgements, testset, leave_one_out=True)
    assert result.systems[0].segments[0].text == "a cat"
    with pytest.raises(InputError, match="whole segments"):
        reuse(judgements, testset, {"N": ["so a bat"]})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "no system to score"),
        ({"systems": {"N": ["x"]}}, "N has 1 outputs, the test set 2 segments"),
        ({"systems": {"N": ["x", "y"]}, "by": "near"}, "near"),
        ({"leave_one_out": True, "next": 2}, "next needs the intervals"),
        ({"leave_one_out": True, "next": 0, "by": "model"}, "give 1 or more"),
        ({"leave_one_out": True, "langpair": "de-fr"}, None),
    ],
)
def test_wrong_options_are_named(options, message):
    judgements, testset = small()
    options = dict(options)
    systems = options.pop("systems", None)
    if message is None:
        # Judgements without a language pair may be of any.
        assert reuse(judgements, testset, systems, **options).langpair == "de-fr"
        return
    with pytest.raises(InputError, match=message):
        reuse(judgements, testset, systems, **options)


def test_judgements_of_other_texts_are_rejected():
    judgements, _ = small()
    other = Testset([("x",)], {"A": ["x"]}, ids=["doc-1"])
    with pytest.raises(InputError, match="no judged segment is in the test set"):
        reuse(judgements, other, {"N": ["y"]})
    other = Testset([("x",), ("y",)], {"Z": ["x", "y"]})
    with pytest.raises(InputError, match="no judged system has texts"):
        reuse(judgements, other, {"N": ["y", "z"]})


@pytest.mark.parametrize("by", ["exact", "closest", "model"])
@pytest.mark.parametrize("leave_one_out", [False, True])
@pytest.mark.parametrize("scale", [None, "DA"])
def test_texts_on_disk_give_the_same_estimates(by, leave_one_out, scale):
    """Chunks and blocks of any size, and forgotten distances, change nothing."""
    from unittest.mock import patch

    from tertium.data import read
    from tertium.data.kept import keep_on_disk

    judged, testset = Judgements.read("demo"), read("demo")
    new = [f"{text} indeed" for text in testset.systems["good"]]
    how = {"by": by, "leave_one_out": leave_one_out, "scale": scale, "intervals": True}
    systems = {} if leave_one_out else {"N": new, "words": testset.systems["words"]}
    held = reuse(judged, testset, systems, **how)
    with (
        patch("tertium.data.kept.BLOCK", 5),
        patch("tertium.judgements.reuse.nearest._BLOCK", 7),
        patch("tertium.judgements.reuse.run._REMEMBERED", 3),
    ):
        kept = keep_on_disk(testset.chunks(9))
        assert reuse(judged, kept, systems, **how) == held
        short = reuse(judged, kept, systems, segments=False, **how)
    assert not any(each.segments for each in short.systems)
    assert short.to_dict(segments=False) == held.to_dict(segments=False)
