# SPDX-License-Identifier: Apache-2.0
"""Tuning: all methods raise the score of lists, and say what is odd."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from oracles.tuning import mira_pass
from tertium import _core
from tertium.errors import InputError, UnknownNameError
from tertium.tuning.lists import NBestList
from tertium.tuning.logistic import fit_differences
from tertium.tuning.mira import gains
from tertium.tuning.pool import Objective, pool_of
from tertium.tuning.pro import Pro, sample_pairs, segment_values
from tertium.tuning.remarks import remarks_on
from tertium.tuning.results import Point, TuningInterrupted
from tertium.tuning.tune import tune

WORDS = ("the", "a", "red", "old", "cat", "dog", "house", "sees", "has", "near")
NAMES = ("good", "noise", "words", "constant")


def some_lists(count=12, size=10, *, scores=False, names=NAMES):
    """Return lists in which one feature counts correct words, with noise."""
    random = np.random.default_rng(5)
    lists = []
    for number in range(count):
        reference = random.choice(WORDS, size=8).tolist()
        texts, rows = [], []
        for _ in range(size):
            wrong = random.integers(0, 7)
            text = [*reference[wrong:], *random.choice(WORDS, size=wrong)]
            text = text[: random.integers(5, 9)]
            texts.append(" ".join(text))
            good = -float(wrong) + random.normal()
            rows.append([good, 3 * random.normal(), float(len(text)), 7.0])
        features = np.array(rows)
        total = features @ [-1.0, 0.5, 0.25, 0.0] + number if scores else None
        lists.append(
            NBestList(
                *(str(number), texts, names, features),
                scores=total,
                references=(" ".join(reference),),
            )
        )
    return lists


LISTS = some_lists()
START = {"good": -1.0, "noise": 1.0, "words": 0.0, "constant": 0.0}


@pytest.mark.parametrize("metric", ["bleu", "ter", "chrf", "mean:bleu*0.5+chrf*0.5"])
@pytest.mark.parametrize("method", ["mert", "pro", "mira"])
def test_every_method_beats_the_start_for_any_metric(method, metric):
    settings = {"restarts": 3} if method == "mert" else {}
    result = tune(LISTS, metric=metric, method=method, start=START, **settings)
    sign = 1 if tertium.metric(metric).higher_is_better else -1
    assert sign * result.final.score > sign * result.start.score
    assert result.final.weights["good"] > 0
    assert sum(map(abs, result.final.weights.values())) == pytest.approx(1)


def test_the_score_is_that_of_the_chosen_texts():
    result = tune(LISTS, method="mira", start=START)
    weights = np.array([result.final.weights[name] for name in NAMES])
    texts = [each.texts[int((each.features @ weights).argmax())] for each in LISTS]
    refs = [each.references for each in LISTS]
    score = tertium.metric("bleu").corpus_score(texts, refs)
    assert result.final.score == pytest.approx(score)
    words = sum(len(text.split()) for text in texts)
    assert result.final.length_ratio == pytest.approx(words / (8 * len(LISTS)))


@pytest.mark.parametrize("method", ["mert", "pro", "mira"])
def test_a_seed_gives_the_same_weights_on_any_number_of_threads(method):
    one = tune(LISTS, method=method, seed=3, threads=1)
    two = tune(LISTS, method=method, seed=3, threads=2)
    assert one == two


def test_the_best_of_several_seeds_is_the_result_and_the_spread_is_shown():
    result = tune(LISTS, method="pro", seeds=3, seed=0, samples=20, start=START)
    scores = [run.point.score for run in result.runs]
    assert [run.seed for run in result.runs] == [0, 1, 2]
    assert result.final.score == max(scores)
    made = json.loads(result.to_json())
    assert made["spread"]["deviation"] == pytest.approx(np.std(scores, ddof=1))
    assert made["spread"]["lowest"] == min(scores)
    assert set(made["start"]) == {"score", "weights", "length_ratio"}
    assert made["final"]["weights"].keys() == set(NAMES)
    assert tune(LISTS, restarts=0).to_dict()["spread"]["deviation"] is None


def test_the_start_is_taken_from_scores_in_the_lists():
    result = tune(some_lists(scores=True), restarts=0)
    assert result.notes[0].code == "start-from-scores"
    weights = np.array([result.start.weights[name] for name in NAMES])
    assert weights == pytest.approx(np.array([-1, 0.5, 0.25, 0]) / 1.75)


def test_without_scores_the_start_has_equal_weights():
    result = tune(LISTS, restarts=0)
    assert result.notes[0].code == "start-equal"
    assert set(result.start.weights.values()) == {0.25}


def codes(result):
    return [note.code for note in result.notes]


def test_constant_features_are_named_and_keep_their_weight():
    result = tune(LISTS, restarts=0, start={**START, "constant": 2.0})
    [note] = [note for note in result.notes if note.code == "features-constant"]
    assert "constant" in str(note)
    assert result.final.weights["constant"] == pytest.approx(1 / 3)


def test_weights_that_do_not_gain_are_remarked():
    best = tune(LISTS, restarts=10).final.weights
    assert "tuning-no-gain" in codes(tune(LISTS, method="pro", start=best))


def test_one_feature_that_decides_alone_is_remarked():
    lists = [
        NBestList(
            *("0", ["a b", "a"], ("x", "y"), np.array([[1.0, 0.0], [0.0, 1e-9]])),
            references=("a",),
        )
    ]
    start = {"x": 1.0, "y": 0.0}
    assert "weights-collapsed" in codes(tune(lists, start=start, restarts=0))


@pytest.mark.parametrize(
    ("before", "after", "remarked"),
    [(1.0, 1.1, True), (0.98, 0.9, True), (0.9, 0.91, False), (1.0, 1.02, False)],
)
def test_a_length_ratio_that_moves_away_from_one_is_remarked(before, after, remarked):
    weights = dict.fromkeys(NAMES, 0.25)
    start, final = Point(10.0, weights, before), Point(11.0, weights, after)
    notes = remarks_on(objective(), start, final)
    assert ("length-moved" in [note.code for note in notes]) == remarked


def test_smoothing_prefers_broad_peaks_and_still_gains():
    for smooth in ("mean", "minimum"):
        result = tune(LISTS, start=START, restarts=3, smooth=smooth)
        assert result.final.score > result.start.score
        assert result.settings["smooth"] == smooth


@pytest.mark.parametrize("method", ["mert", "pro", "mira"])
def test_ctrl_c_keeps_the_best_so_far(method):
    calls = []

    def stop(what, done, total):
        calls.append(what)
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(TuningInterrupted) as stopped:
        tune(LISTS, method=method, start=START, seeds=2, progress=stop)
    best = stopped.value.best
    assert best.interrupted
    assert len(best.runs) == 1
    assert best.final.score >= best.start.score
    if method != "pro":  # which has nothing before the end
        assert best.final.score > best.start.score


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seeds": 0}, "seeds is 0"),
        ({"restarts": -1}, "restarts is -1"),
        ({"patience": 0}, "patience is 0"),
        ({"method": "pro", "samples": 0}, "samples is 0"),
        ({"method": "pro", "strength": 0}, "above 0"),
        ({"method": "pro", "interpolation": 2}, "up to 1"),
        ({"method": "pro", "difference": 5}, "differ enough"),
        ({"method": "mira", "passes": 0}, "passes is 0"),
        ({"method": "mira", "aggressiveness": 0}, "above 0"),
        ({"start": {"good": 1.0}}, "no weight for noise, words, constant"),
        ({"start": dict.fromkeys(NAMES, np.nan)}, "finite"),
    ],
)
def test_wrong_arguments_are_rejected(arguments, message):
    with pytest.raises(InputError, match=message):
        tune(LISTS, **arguments)


def test_a_start_at_which_hypotheses_are_equal_is_left():
    features = np.array([[-1.0, -3.0], [-2.0, -2.0], [-3.0, -1.0]])
    texts = ["a dog sat", "the cat sat", "the cat sat here"]
    one = NBestList("0", texts, ("lm", "tm"), features, references=(texts[2],))
    result = tune([one], start={"lm": 0.7, "tm": 0.7}, restarts=0)
    assert result.start.score < 50
    assert result.final.score == pytest.approx(100)


def test_unknown_names_list_the_near_ones():
    with pytest.raises(UnknownNameError, match="mert"):
        tune(LISTS, method="mertt")
    with pytest.raises(UnknownNameError, match="restarts"):
        tune(LISTS, restart=3)
    with pytest.raises(UnknownNameError, match="noise"):
        tune(LISTS, start={**START, "nois": 1.0})


def test_lists_that_cannot_be_tuned_on_are_rejected():
    features = np.array([[1.0], [np.nan]])
    bad = NBestList("4", ["a", "b"], ("lm",), features, references=("a",))
    with pytest.raises(InputError, match=r"list 4 .* lm of hypothesis 2"):
        tune([bad])
    none = NBestList("4", ["a"], (), np.zeros((1, 0)), references=("a",))
    with pytest.raises(InputError, match="no features"):
        tune([none])


def objective(metric="bleu"):
    made = tertium.metric(metric)
    return Objective(pool_of(LISTS, made), made)


def test_pairs_of_pro_differ_enough_and_the_better_one_comes_first():
    tuned = objective()
    random = np.random.default_rng(1)
    pairs = sample_pairs(tuned, Pro(pairs=7), random, lambda *_: None)
    values = segment_values(tuned)
    gaps = values[pairs.better] - values[pairs.worse]
    assert gaps.min() >= 0.05
    numbers = tuned.pool.list_numbers
    assert np.array_equal(numbers[pairs.better], numbers[pairs.worse])
    assert np.bincount(numbers[pairs.better]).max() == 7


def test_interpolation_mixes_new_weights_with_the_start():
    new = tune(LISTS, method="pro", start=START).final.weights
    half = tune(LISTS, method="pro", start=START, interpolation=0.5).final.weights
    mixed = [0.5 * new[name] + 0.5 * START[name] / 2 for name in NAMES]
    total = sum(map(abs, mixed))
    assert [half[name] for name in NAMES] == pytest.approx([x / total for x in mixed])


def test_the_logistic_loss_is_at_its_minimum():
    random = np.random.default_rng(2)
    differences = random.normal([1.0, 0, 0.2, -0.5], size=(200, 4))
    weights = fit_differences(differences, strength=0.7)
    chance = 1 / (1 + np.exp(differences @ weights))
    gradient = 0.7 * weights - differences.T @ chance
    assert gradient == pytest.approx(np.zeros(4), abs=1e-4)


def test_gains_are_those_of_the_whole_output():
    tuned = objective("ter")
    chosen = tuned.pool.first[:-1]
    row = int(tuned.pool.first[3]) + 2
    changed = chosen.copy()
    changed[3] = row
    before, after = (
        tuned.metric.from_statistics(tuned.total(rows)) for rows in (chosen, changed)
    )
    expected = (before - after) * len(LISTS) / 100
    assert gains(tuned, chosen)[row] == pytest.approx(expected)


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from([0.001, 0.1, 10.0]))
def test_a_pass_of_mira_equals_the_plain_one(seed, aggressiveness):
    random = np.random.default_rng(seed)
    sizes = random.integers(1, 5, size=4)
    first = np.cumsum([0, *sizes])
    features = random.integers(-3, 4, size=(first[-1], 3)).astype(np.float64)
    rest = random.uniform(size=first[-1])
    weights = random.normal(size=3)
    order = random.permutation(4).astype(np.int32)
    made, _ = _core.mira_pass(features, rest, first, order, weights, aggressiveness)
    expected = mira_pass(features, rest, first, order, weights, aggressiveness)
    assert made == pytest.approx(np.stack(expected), abs=1e-9)


def test_mert_restarts_as_often_as_told_or_until_it_has_worked_enough(monkeypatch):
    monkeypatch.setattr("tertium.tuning.mert._WORK", 0)
    at_once = tune(LISTS, start=START)
    once, twice = (tune(LISTS, start=START, restarts=n) for n in (0, 1))
    assert at_once.runs[0].steps == once.runs[0].steps < twice.runs[0].steps
    assert at_once.to_dict()["settings"]["restarts"] is None
