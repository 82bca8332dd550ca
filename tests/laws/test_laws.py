# SPDX-License-Identifier: Apache-2.0
"""The laws that every metric obeys, built in or plugged in.

A plug-in runs the same suite: it is in ``metric_names()`` once it is installed.
"""

from __future__ import annotations

import math
import pickle
import random
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

import tertium
from support.strategies import lines, plain_lines, segments
from tertium import _core
from tertium.cache import Cache
from tertium.data.annotated import Annotated
from tertium.data.batch import Batch
from tertium.data.testset import Testset
from tertium.engine.chunks import ChunkRows, place_of
from tertium.errors import MissingExtraError
from tertium.metrics import metric_class
from tertium.metrics.resources import metric_key
from tertium.trees import DependencyTree
from tertium.trees.parses import make_parses

VARIANTS = [
    "amber:tokenize=none,forms=pieces+stems,language=de,max_ngram_order=2,kendall=0",
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


#: Metrics that are tried on the same examples, which take longer to make up than to
#: score. Every metric still sees all examples of its test.
together = pytest.mark.parametrize(
    "specs",
    [SPECS[start : start + 9] for start in range(0, len(SPECS), 9)],
    ids=lambda specs: f"{specs[0]}...{specs[-1]}",
)


def metrics(specs):
    """Yield metrics; what Hypothesis prints last is the one that failed."""
    for spec in specs:
        note(spec)
        yield tertium.metric(spec)


def split(data):
    return [h for h, _ in data], [r for _, r in data]


@dataclass
class Example:
    """A test set, the same in another order, and its parts with an order of these."""

    hyps: list[str]
    refs: list[tuple[str, ...]]
    shuffled: list[tuple[str, tuple[str, ...]]]
    parts: list[list[int]]


@st.composite
def examples(draw):
    test_set = draw(segments(max_size=6))
    size = len(test_set)
    places = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    parts = [[i for i in range(size) if places[i] == k] for k in sorted(set(places))]
    return Example(
        *split(test_set), draw(st.permutations(test_set)), draw(st.permutations(parts))
    )


# Laws of any test set; every example is tried on all of them.


def bounds_hold(metric, test):
    low, high = metric.bounds
    segment_scores = metric.segment_scores(test.hyps, test.refs)
    scores = [*segment_scores, metric.corpus_score(test.hyps, test.refs)]
    assert all(low - 1e-9 <= x <= high + 1e-9 for x in scores), scores


def the_order_of_segments_does_not_matter(metric, test):
    score = metric.corpus_score(test.hyps, test.refs)
    assert metric.corpus_score(*split(test.shuffled)) == score


def the_sum_of_rows_gives_the_corpus_score(metric, test):
    metric = metric.prepare(test.refs)
    rows = metric.statistics(test.hyps, test.refs)
    assert rows.shape == (len(test.hyps), metric.width)
    summed = metric.from_statistics(rows.sum(axis=0))
    assert summed == pytest.approx(metric.corpus_score(test.hyps, test.refs), abs=1e-9)


def any_partition_gives_the_same_score(metric, test):
    """Parts of any segments, scored by pickled metrics, merged in any order."""
    metric = metric.prepare(test.refs)
    total = _core.Sums(metric.width)
    for part in test.parts:
        worker = pickle.loads(pickle.dumps(metric))
        texts, lists = [test.hyps[i] for i in part], [test.refs[i] for i in part]
        total.merge(pickle.loads(pickle.dumps(worker.sums(Batch([texts], lists))[0])))
    score = metric.corpus_score(test.hyps, test.refs)
    assert metric.from_statistics(total.values()) == score


def several_systems_at_once_score_as_each_on_its_own(metric, test):
    metric = metric.prepare(test.refs)
    systems = [test.hyps, [r[0] for r in test.refs], test.hyps[::-1]]
    many = metric.rows(Batch(systems, test.refs))
    for system, rows in zip(systems, many, strict=True):
        assert np.array_equal(rows, metric.statistics(system, test.refs))


LAWS = (
    bounds_hold,
    the_order_of_segments_does_not_matter,
    the_sum_of_rows_gives_the_corpus_score,
    any_partition_gives_the_same_score,
    several_systems_at_once_score_as_each_on_its_own,
)


@together
@settings(max_examples=30)
@given(test=examples())
def test_laws_of_test_sets_hold(specs, test):
    for metric in metrics(specs):
        for law in LAWS:
            law(metric, test)


#: Metrics over trees that texts bring, some of them several.
TREE_SPECS = [
    "dted:structure=projected",
    "dted:structure=projective,variant=cl,parses=mean",
    "dted:variant=co,parses=best,ignore_punct=yes",
    "dted:parses=mean,degenerate=zero",
    "derp:structure=projected,parses=best",
    "derp:structure=projective,degenerate=drop",
    "derp:parses=best",
    "derp:parses=mean,labels=none",
]


def parsed(text):
    """Return a text with one to three trees, which depend on it alone."""
    chance = random.Random(text)
    words = tuple(text.split())
    trees = []
    for _ in range(chance.randint(1, 3)):
        order = chance.sample(range(len(words)), len(words))
        heads = [0] * len(words)
        for i, word in enumerate(order):
            at = chance.randint(0, i)
            heads[word] = 0 if at == i else order[at] + 1
        names = tuple(chance.choice(["nsubj", "obj", "punct"]) for _ in words)
        trees.append(DependencyTree(words, tuple(heads), names))
    parses = make_parses(trees, [chance.random() + 0.1 for _ in trees])
    return Annotated(text, {"tree": parses[0].tree, "parses": parses})


@settings(max_examples=10)
@given(test=examples())
def test_laws_of_test_sets_hold_for_texts_with_trees(test):
    test = Example(
        [parsed(hyp) for hyp in test.hyps],
        [tuple(map(parsed, refs)) for refs in test.refs],
        [(parsed(hyp), tuple(map(parsed, refs))) for hyp, refs in test.shuffled],
        test.parts,
    )
    for metric in metrics(TREE_SPECS):
        for law in LAWS:
            law(metric, test)


@settings(max_examples=20)
@given(st.lists(plain_lines, min_size=1, max_size=4))
def test_copies_with_trees_get_the_best_value_unless_the_mean_counts(refs):
    """Words are unique, as repeated ones may be aligned crosswise."""
    texts = [parsed(" ".join(dict.fromkeys(ref.lower().split()))) for ref in refs]
    for metric in metrics(TREE_SPECS):
        if metric.parses != "mean" and metric.degenerate == "keep":
            assert metric.segment_scores(texts, texts) == pytest.approx(1.0)


@together
@settings(max_examples=30)
@given(refs=st.lists(plain_lines, min_size=1, max_size=4))
def test_a_copy_of_the_reference_gets_the_best_value_or_the_metric_says_why(
    specs, refs
):
    for metric in metrics(specs):
        best = metric.bounds[1] if metric.higher_is_better else metric.bounds[0]
        scores = metric.segment_scores(refs, refs)
        for ref, score in zip(refs, scores, strict=True):
            poor = not math.isfinite(best) or score < best - 1e-9
            if not (metric.copy_exception and poor):
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


@given(hyp=lines, ref=lines)
def test_stated_symmetry_holds(hyp, ref):
    for metric in metrics(SYMMETRIC):
        forward = metric.corpus_score([hyp], [ref])
        assert metric.corpus_score([ref], [hyp]) == pytest.approx(forward)


def test_at_least_one_metric_states_symmetry():
    assert SYMMETRIC


@every_metric
def test_the_number_of_threads_changes_nothing(spec, demo):
    metric = tertium.metric(spec).prepare(demo.references * 5)
    hyps, refs = demo.systems["order"] * 5, demo.references * 5
    one = metric.statistics(hyps, refs, threads=1)
    score = metric.corpus_score(hyps, refs, threads=1)
    for threads in (3, None):
        assert np.array_equal(one, metric.statistics(hyps, refs, threads=threads))
        assert metric.corpus_score(hyps, refs, threads=threads) == score


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


# Laws of caches: keys tell metrics apart, and rows come back to the last bit.


@every_metric
def test_rows_from_a_cache_are_those_computed(spec, demo, tmp_path):
    """With one system at first, so that others are found and missing."""
    metric = tertium.metric(spec).prepare(demo.references)
    first = Testset(demo.references, {"good": demo.systems["good"]})
    plain = ChunkRows({spec: metric})(place_of(demo, 0)).statistics[spec]
    for testset, wanted in ((first, plain[:1]), (demo, plain), (demo, plain)):
        work = ChunkRows({spec: metric}, cache=Cache(tmp_path))
        cached = work(place_of(testset, 0)).statistics[spec]
        for rows, expected in zip(cached, wanted, strict=True):
            assert rows.dtype == expected.dtype
            assert rows.tobytes() == expected.tobytes()
    assert metric_key(metric) is None or Cache(tmp_path).usage()


def test_different_metrics_have_different_keys():
    keys = [key for spec in SPECS if (key := metric_key(tertium.metric(spec)))]
    assert len(set(keys)) == len(keys) > 0.9 * len(SPECS)


def changed(declared, value):
    """Yield other values of a setting."""
    if declared.choices:
        yield from (choice for choice in declared.choices if choice != value)
    elif isinstance(declared.default, bool):
        yield not value
    elif not isinstance(declared.default, str):
        numbers = (0, 1, 2, 3, 0.25, 0.5, (value or 0) + 1)
        yield from (number for number in numbers if number != value)
    elif not declared.external:
        yield from ("de", "exact+stem", "none", "a")


@every_metric
def test_every_setting_is_part_of_the_key(spec):
    metric = tertium.metric(spec)
    values = {name: getattr(metric, name) for name in metric.settings}
    keys = {metric.spec: metric_key(metric)}
    for name, declared in metric.settings.items():
        for value in changed(declared, values[name]):
            try:
                other = type(metric)(**{**values, name: value})
                keys[other.spec] = metric_key(other)
            except (tertium.InputError, MissingExtraError):
                continue  # not a value, or not with the others, or not installed
    known = [key for key in keys.values() if key is not None]
    assert len(set(known)) == len(known)
    assert len(keys) > 1 or not metric.settings
