# SPDX-License-Identifier: Apache-2.0
"""The laws that every metric obeys, built in or plugged in.

The laws themselves are in :mod:`tertium.metrics.laws`, and ``tertium metrics --check``
tries them on a plug-in; here Hypothesis makes the examples up. A plug-in runs this
suite too: it is in ``metric_names()`` once it is installed.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

import tertium
from conftest import missing
from support.specs import lacking, metric_specs
from support.strategies import lines, plain_lines, segments
from tertium.cache import Cache
from tertium.data.annotated import Annotated
from tertium.engine.chunks import ChunkRows, place_of
from tertium.errors import MissingExtraError
from tertium.metrics.laws import METRIC_LAWS, PAIR_LAWS, TEXT_LAWS, Example
from tertium.metrics.laws.of_texts import COPY_LAW
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
SPECS = metric_specs() + VARIANTS
if "bertscore" in SPECS:
    SPECS.append("bertscore:idf=yes,rescale=yes,measure=recall,layer=1")

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


@st.composite
def examples(draw):
    test_set = draw(segments(max_size=6))
    size = len(test_set)
    places = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    parts = [[i for i in range(size) if places[i] == k] for k in sorted(set(places))]
    return Example(
        *split(test_set), draw(st.permutations(test_set)), draw(st.permutations(parts))
    )


def test_every_metric_is_tried():
    """Skip if metrics are left out, or fail where nothing may be missing."""
    for name, package in lacking().items():
        missing(f"no {package} for {name}; make .venv/.context")


def check(law, *arguments):
    """Raise an error with the counterexample if a law does not hold."""
    assert law(*arguments) is None


@together
@settings(max_examples=30)
@given(test=examples())
def test_laws_of_test_sets_hold(specs, test):
    for metric in metrics(specs):
        for law in TEXT_LAWS.values():
            check(law, metric, test)


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
        for law in TEXT_LAWS.values():
            check(law, metric, test)


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
        check(COPY_LAW, metric, refs)


@pytest.mark.parametrize("law", METRIC_LAWS)
@every_metric
def test_laws_of_metrics_hold(spec, law):
    check(METRIC_LAWS[law], tertium.metric(spec))


SYMMETRIC = [
    spec
    for spec, metric in ((spec, tertium.metric(spec)) for spec in SPECS)
    if metric.symmetric and getattr(metric, "beta", 1.0) == 1.0
]


@given(hyp=lines, ref=lines)
def test_stated_symmetry_holds(hyp, ref):
    for metric in metrics(SYMMETRIC):
        check(PAIR_LAWS["symmetry"], metric, hyp, ref)


def test_at_least_one_metric_states_symmetry():
    assert SYMMETRIC


# Laws of caches: keys tell metrics apart, and rows come back to the last bit.


@every_metric
def test_rows_from_a_cache_are_those_computed(spec, demo, tmp_path):
    """With one system at first, so that others are found and missing."""
    metric = tertium.metric(spec).prepare(demo.references)
    first = replace(demo, systems={"good": demo.systems["good"]})
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
    assert len(keys) > 1 or all(s.external for s in metric.settings.values())
