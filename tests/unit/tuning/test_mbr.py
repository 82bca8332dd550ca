# SPDX-License-Identifier: Apache-2.0
"""Minimum Bayes risk: kernels against their twins, weights, references, pruning."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from oracles.mbr import aggregate_bleu, aggregate_chrf, pairwise
from tertium.errors import InputError, UnknownNameError
from tertium.tuning.lists import NBestList
from tertium.tuning.mbr import mbr
from tertium.tuning.mbr.pruning import prune_hypotheses, student_quantile
from tertium.tuning.mbr.utilities import expected_scores, pair_scores
from tertium.tuning.mbr.weighting import reference_weights

TEXT = st.lists(
    st.sampled_from(["a", "b", "ab", "ba", "cat.", "(", "é", "aaa", "b-a"]), max_size=9
).map(" ".join)
TEXTS = st.lists(TEXT, min_size=1, max_size=6)
SAMPLES = ["the red cat", "the red hat", "a red cat", "the rod cat", "the red cat"]


def made(texts, name="0", scores=None, features=None, names=("lm",)):
    if features is None:
        features = np.zeros((len(texts), len(names)))
    scores = None if scores is None else np.array(scores, dtype=float)
    return NBestList(name, texts, names, np.array(features, dtype=float), scores)


def weights_for(refs):
    weights = np.arange(1.0, len(refs) + 1)
    return weights / weights.sum()


@pytest.mark.parametrize(
    "spec",
    [
        "chrf",
        "chrf++",
        "chrf:char_order=0,word_order=2",
        "chrf:eps_smoothing=yes,whitespace=yes",
        "sentbleu",
        "sentbleu:tokenize=intl,lowercase=yes",
        "chrf:char_order=30",  # windows of this order do not fit into one key
        "ter",
        "bleu-nrc",
    ],
)
@settings(max_examples=12, deadline=None)
@given(hyps=TEXTS, refs=TEXTS)
def test_expected_scores_are_means_over_all_pairs(spec, hyps, refs):
    metric = tertium.metric(spec)
    for others in (hyps, refs):
        weights = weights_for(others)
        [scores] = expected_scores(metric, [hyps], [others], [weights])
        twin = pairwise(metric, hyps, others, weights)
        assert scores == pytest.approx(twin, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(hyps=TEXTS, refs=TEXTS)
def test_aggregates_score_against_expected_counts(hyps, refs):
    weights = weights_for(refs)
    cases = [
        ("sentbleu:tokenize=none", aggregate_bleu, {}),
        ("chrf", aggregate_chrf, {}),
        ("chrf++", aggregate_chrf, {"words": 2}),
    ]
    for spec, twin, orders in cases:
        metric = tertium.metric(spec)
        [scores] = expected_scores(metric, [hyps], [refs], [weights], aggregate=True)
        assert scores == pytest.approx(twin(metric, hyps, refs, weights, **orders))


def test_one_reference_makes_the_aggregate_exact():
    metric = tertium.metric("chrf")
    arguments = metric, [SAMPLES], [["the red cat sat"]], [np.ones(1)]
    [exact] = expected_scores(*arguments)
    [aggregate] = expected_scores(*arguments, aggregate=True)
    assert exact == pytest.approx(aggregate)


def test_any_metric_gives_expected_scores():
    metric = tertium.metric("meteor")
    weights = weights_for(SAMPLES)
    [scores] = expected_scores(metric, [SAMPLES], [SAMPLES], [weights])
    assert scores == pytest.approx(pairwise(metric, SAMPLES, SAMPLES, weights))


def test_threads_change_nothing():
    lists = [SAMPLES[i % 3 :] for i in range(40)]
    weights = [weights_for(texts) for texts in lists]
    metric = tertium.metric("chrf")
    one = expected_scores(metric, lists, lists, weights, threads=1)
    four = expected_scores(metric, lists, lists, weights, threads=4)
    assert all(np.array_equal(a, b) for a, b in zip(one, four, strict=True))


@pytest.mark.parametrize(
    "spec", ["chrf", "sentbleu", "ter", "ter:normalized=yes", "wer"]
)
def test_threads_share_a_long_list(spec):
    random = np.random.default_rng(1)
    words = np.array(["a", "red", "cat", "..1", "the", "hat,", "dog"])
    texts = [" ".join(words[random.integers(0, 7, size=6)]) for _ in range(200)]
    weights = weights_for(texts)
    metric = tertium.metric(spec)
    [one], [three] = (
        expected_scores(metric, [texts], [texts], [weights], threads=threads)
        for threads in (1, 3)
    )
    assert np.array_equal(one, three)
    few = [0, 65, 199]
    twin = pairwise(metric, [texts[i] for i in few], texts, weights)
    assert one[few] == pytest.approx(twin, abs=1e-9)


def test_the_text_most_like_the_others_wins():
    result = mbr([made(SAMPLES)], "chrf", top=3)
    assert result.texts == ["the red cat"]
    [best, *others] = result.lists[0].best
    assert best.index == 0
    assert best.utility == best.scores["chrf"]
    assert len({pick.text for pick in (best, *others)}) == 3  # equal texts count once
    assert best.utility > others[0].utility > others[1].utility


def test_an_error_rate_is_minimised():
    [picked] = mbr([made(SAMPLES)], "ter", top=2).lists
    assert picked.best[0].text == "the red cat"
    assert picked.best[0].utility < picked.best[1].utility


def test_several_metrics_are_averaged_on_one_scale():
    both = mbr([made(SAMPLES)], ["chrf", "ter"], top=9).lists[0].best
    for pick in both:
        assert pick.utility == pytest.approx(
            (pick.scores["chrf"] + 100 - pick.scores["ter"]) / 2
        )
    mean = mbr([made(SAMPLES)], "mean:chrf*3+ter*1", top=9)
    assert [used.weight for used in mean.metrics.values()] == [0.75, 0.25]
    table = pair_scores(tertium.metric("mean:chrf*3+ter*1"), ["the red hat"], SAMPLES)
    [hat] = [pick for pick in mean.lists[0].best if pick.text == "the red hat"]
    assert hat.utility == pytest.approx(table.mean())


def test_bleu_is_that_of_single_sentences():
    short = made(["no", "yes", "yes"])
    result = mbr([short], "bleu")
    assert list(result.metrics) == ["bleu:effective_order=yes"]
    assert result.texts == ["yes"]
    assert result.lists[0].best[0].utility == pytest.approx(200 / 3)


def test_pseudo_references_come_from_lists_with_the_same_id():
    lists = [made(["a b", "c d"], "x"), made(["a b", "c d"], "y")]
    others = [made(["c d e"], "y"), made(["a b e", "a b"], "x")]
    result = mbr(lists, "chrf", references=others)
    assert result.texts == ["a b", "c d"]
    assert [each.references for each in result.lists] == [2, 1]
    with pytest.raises(InputError, match="list y has no pseudo-references"):
        mbr(lists, "chrf", references=others[1:])
    with pytest.raises(InputError, match="two lists of references y"):
        mbr(lists, "chrf", references=[*others, others[0]])


def test_weights_come_from_scores_and_features():
    each = made(["a", "b"], scores=[0.0, np.log(3)], features=[[np.log(4)], [0]])
    assert reference_weights(each) == pytest.approx([0.5, 0.5])
    assert reference_weights(each, "logprob") == pytest.approx([0.25, 0.75])
    assert reference_weights(each, "lm") == pytest.approx([0.8, 0.2])
    assert reference_weights(each, "logprob", scale=0) == pytest.approx([0.5, 0.5])
    with pytest.raises(UnknownNameError, match="logprob"):
        reference_weights(each, "logprop")
    with pytest.raises(InputError, match="list 0 has no scores"):
        reference_weights(made(["a"]), "logprob")
    with pytest.raises(InputError, match="no finite logprob"):
        reference_weights(made(["a"], scores=[-np.inf]), "logprob")


def test_a_reference_with_all_the_weight_decides_and_is_noted():
    each = made(SAMPLES, scores=[-500, -400, -300, -200, -100])
    result = mbr([each], "chrf", utility_weights="logprob")
    assert result.texts == [SAMPLES[-1]]
    assert [note.code for note in result.notes] == ["mbr-one-reference"]
    assert not mbr([each], "chrf").notes


def test_an_empty_text_is_a_hypothesis_like_any_other():
    assert mbr([made(["", "a", "a b"])], "chrf").texts == ["a b"]
    assert mbr([made([""])], "bleu").texts == [""]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"top": 0}, "top is 0"),
        ({"prune": 2.0}, "not a chance"),
        ({"scale": -1.0}, "scale is -1"),
        ({"aggregate": True, "prune": 0.1}, "nothing to prune"),
    ],
)
def test_wrong_options_name_the_cure(options, message):
    with pytest.raises(InputError, match=message):
        mbr([made(["a"])], "chrf", **options)


def test_metrics_without_n_gram_counts_have_no_aggregate():
    with pytest.raises(InputError, match="ter has no expected n-gram counts"):
        mbr([made(["a"])], ["chrf", "ter"], aggregate=True)


def test_ids_must_differ_and_there_must_be_lists():
    with pytest.raises(InputError, match="two lists 0"):
        mbr([made(["a"]), made(["b"])])
    with pytest.raises(InputError, match="no n-best lists"):
        mbr([])


def test_progress_counts_lists():
    calls = []
    lists = [made(SAMPLES, str(i)) for i in range(40)]
    mbr(lists, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (40, 40)
    assert len(calls) > 1


def noisy_lists(count, size, seed):
    """Return lists in which one clearly better text hides among noise."""
    rng = np.random.default_rng(seed)
    words = [f"w{i}" for i in range(12)]
    lists = []
    for number in range(count):
        base = rng.choice(words, 10)
        texts = set()
        while len(texts) < size:
            text = base.copy()
            places = rng.choice(10, rng.integers(1, 7), replace=False)
            text[places] = rng.choice(words, len(places))
            texts.add(" ".join(text))
        lists.append(made(sorted(texts), str(number)))
    return lists


def test_pruning_keeps_the_winner_and_scores_fewer_pairs():
    lists = noisy_lists(12, 150, seed=7)
    exact = mbr(lists, "chrf", top=2)
    pruned = mbr(lists, "chrf", top=2, prune=0.01, seed=3)
    assert pruned.pairs < 0.6 * pruned.all_pairs == 0.6 * exact.pairs
    assert pruned.texts == exact.texts
    for one, other in zip(exact.lists, pruned.lists, strict=True):
        assert one.best[0].index == other.best[0].index
        assert one.best[0].utility == pytest.approx(other.best[0].utility)


def test_pruning_depends_on_the_seed_alone():
    lists = noisy_lists(2, 60, seed=1)
    first = mbr(lists, "chrf", prune=0.1, seed=5)
    assert first == mbr(lists, "chrf", prune=0.1, seed=5, threads=1)
    assert first.seed == 5


def test_the_stated_error_of_pruning_holds():
    # Hypotheses that differ by chance alone are the hardest case.
    error, dropped, runs = 0.1, 0, 200
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        table = rng.normal(size=(20, 200))
        kept = prune_hypotheses(
            lambda rows, columns, table=table: table[np.ix_(rows, columns)],
            20,
            np.full(200, 1 / 200),
            error=error,
            rng=rng,
        )
        dropped += int(table.mean(axis=1).argmax() not in kept.rows)
    assert dropped <= error * runs


def test_quantiles_of_student_are_those_of_tables():
    # Abramowitz and Stegun, table 26.10.
    assert student_quantile(0.025, 30) == pytest.approx(2.042, abs=0.001)
    assert student_quantile(0.005, 15) == pytest.approx(2.947, abs=0.002)
    assert student_quantile(0.0005, 15) == pytest.approx(4.073, rel=0.02)


def test_results_become_json():
    result = mbr([made(SAMPLES)], ["chrf", "bleu"], top=2)
    read = json.loads(result.to_json())
    assert read == result.to_dict()
    assert read["method"] == "pairwise"
    assert list(read["lists"][0]["best"][0]) == ["index", "text", "utility", "scores"]
