# SPDX-License-Identifier: Apache-2.0
"""The laws that every metric obeys, built in or plugged in.

A plug-in runs the same suite: it is in ``metric_names()`` once it is installed.
"""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from support.strategies import lines, plain_lines, segments
from tertium import _core
from tertium.data.batch import Batch
from tertium.metrics import metric_class

VARIANTS = [
    "bleu:tokenize=intl,smooth_method=floor,lowercase=yes",
    "bleu:tokenize=char,ref_length=average,smooth_method=add-k",
    "dted:flat=yes,variant=cl,weighting=inverse,ignore_punct=yes",
    "chrf:whitespace=yes,eps_smoothing=yes,beta=1",
    "dependency-f:flat=yes,score=mean,arcs=unlabelled",
    "derp:flat=yes,ordinality=exact,ignore_punct=yes,degenerate=zero",
    "derp:flat=yes,normalise=spanning,degenerate=drop",
    "mean:bleu*0.4+(chrf:word_order=2)*0.3+wer*0.3",
    "mean:ribes+ter",
    "nist:tokenize=13a,max_ngram_order=3",
    "recpef:alpha=0.3,lexical=f1,unaligned=right,forest=max,child_weight=span",
    "rouge-s:max_skip=4,beta=2",
    "ter:normalized=yes,no_punct=yes,asian_support=yes",
    "wer:tokenize=zh,lowercase=yes",
]
SPECS = [
    metric_class(name).example or name
    for name in tertium.metric_names()
    if name != "mean"
] + VARIANTS

every_metric = pytest.mark.parametrize("spec", SPECS)


def split(data):
    return [h for h, _ in data], [r for _, r in data]


# Laws of any test set; every example is tried on all of them.


def bounds_hold(metric, hyps, refs, draw):
    low, high = metric.bounds
    scores = [*metric.segment_scores(hyps, refs), metric.corpus_score(hyps, refs)]
    assert all(low - 1e-9 <= x <= high + 1e-9 for x in scores), scores


def the_order_of_segments_does_not_matter(metric, hyps, refs, draw):
    shuffled = draw(st.permutations(list(zip(hyps, refs, strict=True))))
    score = metric.corpus_score(hyps, refs)
    assert metric.corpus_score(*split(shuffled)) == score


def the_sum_of_rows_gives_the_corpus_score(metric, hyps, refs, draw):
    metric = metric.prepare(refs)
    rows = metric.statistics(hyps, refs)
    assert rows.shape == (len(hyps), metric.width)
    summed = metric.from_statistics(rows.sum(axis=0))
    assert summed == pytest.approx(metric.corpus_score(hyps, refs), abs=1e-9)


def any_partition_gives_the_same_score(metric, hyps, refs, draw):
    """Parts of any segments, scored by pickled metrics, merged in any order."""
    metric = metric.prepare(refs)
    places = draw(st.lists(st.integers(0, 3), min_size=len(hyps), max_size=len(hyps)))
    total = _core.Sums(metric.width)
    for place in draw(st.permutations(sorted(set(places)))):
        part = [i for i, part_number in enumerate(places) if part_number == place]
        worker = pickle.loads(pickle.dumps(metric))
        texts, lists = [hyps[i] for i in part], [refs[i] for i in part]
        total.merge(pickle.loads(pickle.dumps(worker.sums(Batch([texts], lists))[0])))
    assert metric.from_statistics(total.values()) == metric.corpus_score(hyps, refs)


def several_systems_at_once_score_as_each_on_its_own(metric, hyps, refs, draw):
    metric = metric.prepare(refs)
    systems = [hyps, [r[0] for r in refs], hyps[::-1]]
    many = metric.rows(Batch(systems, refs))
    for system, rows in zip(systems, many, strict=True):
        assert np.array_equal(rows, metric.statistics(system, refs))


LAWS = (
    bounds_hold,
    the_order_of_segments_does_not_matter,
    the_sum_of_rows_gives_the_corpus_score,
    any_partition_gives_the_same_score,
    several_systems_at_once_score_as_each_on_its_own,
)


# Texts take longer to make up than to score, and all metrics share what they run on:
# a few for each are many for all.
@every_metric
@settings(max_examples=30)
@given(test_set=segments(max_size=6), data=st.data())
def test_laws_of_test_sets_hold(spec, test_set, data):
    metric = tertium.metric(spec)
    for law in LAWS:
        law(metric, *split(test_set), data.draw)


@every_metric
@settings(max_examples=30)
@given(refs=st.lists(plain_lines, min_size=1, max_size=4))
def test_a_copy_of_the_reference_gets_the_best_value_or_the_metric_says_why(spec, refs):
    metric = tertium.metric(spec)
    best = metric.bounds[1] if metric.higher_is_better else metric.bounds[0]
    for ref, score in zip(refs, metric.segment_scores(refs, refs), strict=True):
        if metric.copy_exception and (not math.isfinite(best) or score < best - 1e-9):
            continue
        assert score == pytest.approx(best), ref


@every_metric
def test_a_copy_of_a_long_plain_reference_gets_the_best_value(spec):
    """Exceptions are for short or repetitive text; this one is neither."""
    metric = tertium.metric(spec)
    best = metric.bounds[1] if metric.higher_is_better else metric.bounds[0]
    if not math.isfinite(best) or not metric.uses_references:
        assert metric.copy_exception
        return
    text = "the quick brown fox jumps over a lazy dog behind our house"
    assert metric.corpus_score([text], [text]) == pytest.approx(best)


SYMMETRIC = [
    spec
    for spec, metric in ((spec, tertium.metric(spec)) for spec in SPECS)
    if metric.symmetric and getattr(metric, "beta", 1.0) == 1.0
]


@pytest.mark.parametrize("spec", SYMMETRIC)
@given(hyp=lines, ref=lines)
def test_stated_symmetry_holds(spec, hyp, ref):
    metric = tertium.metric(spec)
    forward = metric.corpus_score([hyp], [ref])
    assert metric.corpus_score([ref], [hyp]) == pytest.approx(forward)


def test_at_least_one_metric_states_symmetry():
    assert SYMMETRIC


@every_metric
def test_the_number_of_threads_changes_nothing(spec, demo):
    metric = tertium.metric(spec).prepare(demo.references * 5)
    hyps, refs = demo.systems["order"] * 5, demo.references * 5
    one = metric.statistics(hyps, refs, threads=1)
    for threads in (3, None):
        assert np.array_equal(one, metric.statistics(hyps, refs, threads=threads))
        score = metric.corpus_score(hyps, refs, threads=threads)
        assert score == metric.corpus_score(hyps, refs, threads=1)


@every_metric
def test_empty_input_is_defined(spec):
    metric = tertium.metric(spec)
    for hyps, refs in ([], []), ([""], [""]), (["a b c"], [""]), ([""], ["a b c"]):
        assert math.isfinite(metric.corpus_score(hyps, refs))
    assert metric.statistics([], []).shape == (0, metric.width)
    assert metric_class(metric.name).empty, "the metric must say what empty text gets"


@every_metric
def test_scores_of_rows_are_vectorised_over_leading_axes(spec, demo):
    metric = tertium.metric(spec).prepare(demo.references)
    rows = metric.statistics(demo.systems["good"], demo.references)
    cube = rows.reshape(3, 20, metric.width)
    scores = metric.from_statistics(cube)
    assert scores.shape == (3, 20)
    assert scores[1, 4] == metric.from_statistics(rows[24])
    assert isinstance(metric.from_statistics(rows[24]), float)


@every_metric
def test_the_spec_string_makes_the_same_metric_again(spec):
    metric = tertium.metric(spec)
    assert tertium.metric(metric.spec) == metric
    assert tertium.metric(metric.spec).signature == metric.signature


@every_metric
def test_facts_are_complete(spec):
    cls = metric_class(spec.partition(":")[0])
    for fact in ("summary", "formula", "paper", "equal_to", "cost", "empty"):
        assert getattr(cls, fact), fact
    assert cls.__doc__
    assert tertium.metric(spec).label


@every_metric
def test_every_reference_is_looked_at(spec):
    """xnmt #377, lm-evaluation-harness #1125: later references silently ignored."""
    metric = tertium.metric(spec)
    text = "the quick brown fox jumps over a lazy dog behind our house"
    # Five words are shared, in an order (3 5 2 4 1) with an exchange and no other
    # block: with none, order is not defined.
    wrong = "house is nothing like dog in the form our way or lazy"
    alone = metric.corpus_score([text], [[wrong]])
    both = metric.corpus_score([text], [[wrong, text]])
    if not metric.uses_references:
        assert both == alone
        return
    assert both > alone if metric.higher_is_better else both < alone
