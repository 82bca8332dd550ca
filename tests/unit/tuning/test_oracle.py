# SPDX-License-Identifier: Apache-2.0
"""The best and the worst of n-best lists, against all selections of small lists."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.errors import InputError
from tertium.tuning.lists import NBestList
from tertium.tuning.oracle import oracle
from tertium.tuning.selection import Pool, extreme_ratio

SENTENCES = st.lists(st.sampled_from("abcd"), min_size=1, max_size=9).map(" ".join)

EXACT = ["wer", "ter", "per", "ribes", "bleu-nrc", "mean:wer*2+per", "kendall"]
GREEDY = [
    "bleu",
    "bleu:smooth_method=none",
    "bleu:smooth_method=floor",
    "bleu:max_ngram_order=2",
    "sentbleu",
    "sentbleu-plus1",
    "chrf",
    "chrf:eps_smoothing=yes",
    "chrf++",
    "mean:bleu+chrf*2+wer",
]


@st.composite
def small_lists(draw, *, refs=1):
    made = []
    for number in range(draw(st.integers(1, 3))):
        hyps = draw(st.lists(SENTENCES, min_size=1, max_size=4))
        references = draw(st.lists(SENTENCES, min_size=1, max_size=refs))
        made.append(listed(str(number), hyps, references))
    return made


def listed(name, hyps, references):
    features = np.zeros((len(hyps), 0))
    return NBestList(name, hyps, (), features, references=tuple(references))


def all_scores(lists, spec):
    """Return the score of every selection: slow, obvious."""
    refs = [each.references for each in lists]
    metric = tertium.metric(spec)
    return [
        metric.corpus_score(list(hyps), refs)
        for hyps in product(*(each.texts for each in lists))
    ]


@pytest.mark.parametrize("spec", EXACT)
@settings(max_examples=6)
@given(lists=small_lists(refs=2))
def test_exact_searches_find_the_best_of_all_selections(spec, lists):
    scores = all_scores(lists, spec)
    result = oracle(lists, spec)
    ends = (max(scores), min(scores))
    best, worst = ends if result.higher_is_better else ends[::-1]
    assert result.best.score == pytest.approx(best, abs=1e-9)
    assert result.worst.score == pytest.approx(worst, abs=1e-9)


@pytest.mark.parametrize("spec", EXACT)
def test_metrics_that_are_means_are_searched_exactly(spec):
    assert oracle(SOME, spec).search == "exact"


@pytest.mark.parametrize("spec", GREEDY)
@settings(max_examples=8)
@given(lists=small_lists(refs=2))
def test_no_selection_passes_the_bounds(spec, lists):
    scores = all_scores(lists, spec)
    result = oracle(lists, spec, restarts=1)
    tolerance = 1e-9 * (1 + max(map(abs, scores)))
    assert result.best.score in [pytest.approx(score, abs=1e-9) for score in scores]
    for bound in (result.best.bound, result.worst.bound):
        assert bound is not None
    assert result.best.score <= max(scores) + tolerance
    assert max(scores) <= result.best.bound + tolerance
    assert min(scores) >= result.worst.bound - tolerance
    assert result.worst.score >= min(scores) - tolerance
    assert result.worst.score <= result.first.score <= result.best.score


SOME = [
    listed("0", ["a b d c", "a b c d", "b", "a a b c d"], ["a b c d"]),
    listed("1", ["c c c c", "c d a d d", "c d a b a b"], ["c d a b a", "d d"]),
    listed("2", ["b a d a b c d", "b b a d d"], ["b a d d a b c d"]),
]


def test_scores_that_are_0_almost_everywhere_do_not_look_additive():
    refs = ["a b c d"]
    lists = [listed(str(i), ["x y z w v", *["x x x x"] * 50], refs) for i in range(60)]
    lists[30] = listed("30", ["x y z w", *["w x y z"] * 200, "a b c d"], refs)
    result = oracle(lists, "bleu:smooth_method=none", restarts=0)
    assert result.search == "greedy"
    assert result.first.score == 0 < result.best.score <= result.best.bound


def test_places_are_those_of_the_scores():
    result = oracle(SOME, "bleu")
    assert result.search == "greedy"
    metric = tertium.metric("bleu")
    for each in (result.first, result.best, result.worst):
        hyps = [made.texts[i] for made, i in zip(SOME, each.places, strict=True)]
        refs = [made.references for made in SOME]
        assert each.score == metric.corpus_score(hyps, refs)
    assert result.first.places == (0, 0, 0)
    assert result.loss == result.best.score - result.first.score > 0


def test_error_rates_are_best_when_low():
    result = oracle(SOME, "wer")
    assert result.best.score < result.first.score <= result.worst.score
    assert result.best.bound == result.best.score
    assert result.restarts == 0


def test_results_depend_on_the_seed_alone():
    results = [oracle(SOME, "chrf", seed=5, threads=n) for n in (1, 2)]
    assert results[0] == results[1]
    assert json.loads(results[0].to_json())["seed"] == 5


def test_ctrl_c_keeps_the_best_so_far():
    def interrupt(what, done, total):
        assert (what, total) == ("starts", 22)
        raise KeyboardInterrupt

    result = oracle(SOME, "bleu", progress=interrupt)
    assert result.interrupted
    assert result.worst.score <= result.first.score <= result.best.score
    assert not oracle(SOME, "bleu").interrupted


def test_scales_without_an_end_have_no_bound():
    assert oracle(SOME, "nist").best.bound is None


def test_metrics_fitted_to_a_corpus_see_all_references():
    refs = [made.references for made in SOME]
    first = [made.texts[0] for made in SOME]
    assert oracle(SOME, "nist").first.score == tertium.metric("nist").corpus_score(
        first, refs
    )


def test_lists_and_references_are_needed():
    with pytest.raises(InputError, match="no n-best lists"):
        oracle([], "bleu")
    with pytest.raises(InputError, match="list 7 has no reference"):
        oracle([listed("7", ["a"], [])], "bleu")


@settings(max_examples=30)
@given(
    st.lists(
        st.lists(
            st.tuples(st.integers(-5, 5), st.integers(1, 5)), min_size=1, max_size=4
        ),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from([1, -1]),
    st.integers(0, 2),
)
def test_extreme_ratios_are_those_of_all_selections(pairs, sign, added):
    pool = Pool.of([np.array(rows, dtype=float) for rows in pairs])
    ratio, chosen = extreme_ratio(
        pool, pool.rows[:, 0], pool.rows[:, 1], sign=sign, added=(added, added)
    )
    values = [
        (sum(a for a, _ in rows) + added) / (sum(b for _, b in rows) + added)
        for rows in product(*pairs)
    ]
    assert ratio == pytest.approx(max(sign * value for value in values) * sign)
    over, under = pool.rows[chosen].sum(axis=0) + added
    assert over / under == pytest.approx(ratio)
