# SPDX-License-Identifier: Apache-2.0
"""METEOR: kernel and search against slow twins, settings, parameters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from oracles import meteor as oracle
from tertium import _core
from tertium.align import Aligner, Link, align
from tertium.align.matchers import ExactMatcher, ParaphraseMatcher
from tertium.data.annotated import Annotated
from tertium.metrics.meteor_parameters import LANGUAGES, TASKS, parameters

words = st.lists(st.sampled_from(["a", "b", "c", "the", "of"]), max_size=9)


@st.composite
def alignments(draw):
    """Return two texts and matches that share no word."""
    hyp, ref = draw(words), draw(words)
    spans = []
    for text in (hyp, ref):
        cuts, at = [], 0
        while at < len(text):
            length = min(draw(st.integers(1, 3)), len(text) - at)
            cuts.append((at, length))
            at += length
        spans.append(draw(st.permutations(cuts)))
    count = draw(st.integers(0, min(map(len, spans))))
    matches = [
        (*h, *r, draw(st.integers(0, 2)))
        for h, r in zip(spans[0][:count], spans[1][:count], strict=True)
    ]
    return hyp, ref, matches


@given(
    alignments(),
    st.floats(0, 1),
    st.floats(0.1, 4),
    st.floats(0, 1),
    st.floats(0.05, 0.95),
)
def test_the_kernel_scores_as_the_oracle(data, alpha, beta, gamma, delta):
    hyp, ref, matches = data
    pairs = _core.Pairs([[hyp]], [[ref]], "none")
    pairs.set_matches(0, 0, 0, [(*match, 1.0) for match in matches])
    pairs.set_function_words({"the", "of"})
    weights = [1.0, 0.6, 0.8]
    kernel = _core.meteor(weights, alpha, beta, gamma, delta, True, False)
    row = kernel.rows(pairs, 1)[0][0].tolist()
    wanted = oracle.score(
        hyp,
        ref,
        matches,
        weights=weights,
        alpha=alpha,
        beta=beta,
        gamma=gamma,
        delta=delta,
        function={"the", "of"},
    )
    assert kernel.score(row) == pytest.approx(wanted, abs=1e-12)


class Given:
    """A matcher that names the candidates it was made with."""

    def __init__(self, name, candidates):
        self.name = name
        self.candidates = candidates

    def matches(self, hyp, ref):
        return [
            match
            for match in self.candidates
            if match[0] + match[1] <= len(hyp) and match[2] + match[3] <= len(ref)
        ]


spans = st.tuples(
    st.integers(0, 5), st.integers(1, 3), st.integers(0, 5), st.integers(1, 3)
)


@given(
    words,
    words,
    st.lists(spans, max_size=5, unique=True),
    st.lists(spans, max_size=4, unique=True),
    st.sampled_from([1, 3, 40]),
)
def test_the_search_chooses_as_the_oracle(hyp, ref, first, second, beam):
    matchers = [ExactMatcher(), Given("one", first), Given("two", second)]
    aligner = Aligner(aligner="meteor", beam=beam, matchers=matchers)
    pairs = aligner.token_pairs([[hyp]], [[ref]], systems=[[""]])
    candidates = [
        (h, 1, r, 1, 0)
        for h, word in enumerate(hyp)
        for r, other in enumerate(ref)
        if word == other
    ]
    for number, matcher in enumerate(matchers[1:], 1):
        candidates += [
            (*match, number)
            for match in matcher.matches(hyp, ref)
            if match[1] > 1 or match[3] > 1 or hyp[match[0]] != ref[match[2]]
        ]
    results = sorted(match[:5] for match in pairs.matches(0, 0, 0))
    assert results == oracle.choose(len(ref), candidates, beam=beam)


@pytest.mark.parametrize(
    ("table", "count"),
    [
        ([("x", "y")], 1),
        ([("x", "y"), ("y", "x")], 0),
        ([("x", "y"), ("x", "y")], 0),
        ([("x q", "y"), ("y", "x q")], 1),
    ],
)
def test_a_paraphrase_of_both_directions_contests_itself(table, count):
    # Printed by Meteor 1.5 with tables like these (-new): a single word that is
    # found twice is worth nothing and costs a chunk.
    matchers = [ExactMatcher(), ParaphraseMatcher(table)]
    result = align("x q", "y z", aligner="meteor", matchers=matchers)
    assert len(list(result)) == count


def test_links_from_a_file_that_share_words_stay_within_bounds():
    links = tuple(Link(h, r) for h in range(3) for r in range(3))
    hyp = Annotated("a b c", {"links": (links,)})
    metric = tertium.metric("meteor:normalize=no")
    assert 0 <= metric.corpus_score([hyp], ["x y z"]) <= 1


def test_links_and_normalising_exclude_each_other():
    hyp = Annotated("a b", {"links": ((Link(0, 0),),)})
    with pytest.raises(tertium.InputError, match="normalize=no"):
        tertium.metric("meteor").corpus_score([hyp], ["a b"])


def test_normalising_cuts_and_the_signature_says_so():
    plain, whole = (tertium.metric(f"meteor:normalize={x}") for x in ("no", "yes"))
    assert whole.corpus_score(["Well-spent, yes."], ["well spent , yes ."]) == 1
    assert plain.corpus_score(["Well-spent."], ["well spent ."]) == 0
    assert "tok:meteor-en" in whole.signature
    assert "match:exact+stem" in whole.signature
    assert "tok:none" in plain.signature


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("task", TASKS)
def test_parameters_are_within_bounds_or_refused(language, task):
    if task in ("adq", "hter") and language != "en":
        with pytest.raises(tertium.InputError, match="no parameters"):
            parameters(language, task)
        return
    result = parameters(language, task)
    assert all(0 <= x <= 1 for x in (result.alpha, result.gamma, result.delta))
    assert result.weights["exact"] == 1


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("meteor:language=xx", "language of meteor"),
        ("meteor:task=adq,language=de", "no parameters of task adq"),
        ("meteor:weights=1", "one number from 0 to 1"),
        ("meteor:weights=1+2", "one number from 0 to 1"),
        ("meteor:weights=1+x", "one number from 0 to 1"),
        ("meteor:tokenize=13a", "tokeniser of its own"),
        ("meteor:function_words=/nowhere/words", "/nowhere/words"),
        ("meteor:alpha=2", "at most 1"),
    ],
)
def test_wrong_settings_are_named(spec, message):
    with pytest.raises(tertium.InputError, match=message):
        tertium.metric(spec)


def test_a_line_of_several_function_words_is_refused(write_lines):
    path = write_lines("words", ["the", "of the"])
    with pytest.raises(tertium.FormatError, match="words:2: has several words"):
        tertium.metric(f"meteor:function_words={path}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_works_without_resources(language):
    metric = tertium.metric(f"meteor:language={language}")
    assert metric.corpus_score(["aa bb"], ["aa bb"]) == 1
    assert tertium.metric(metric.spec).signature == metric.signature


def test_parameters_can_be_set():
    text = ["b a"], ["a b"]
    metric = tertium.metric("meteor:gamma=0.5,beta=1,weights=0.5+0.5")
    assert metric.corpus_score(*text) == pytest.approx(0.25)
    assert "weights:0.5+0.5" in metric.signature


def test_two_metrics_may_share_an_alignment_but_not_function_words(write_lines):
    path = write_lines("words", ["the"])
    marked = tertium.metric(f"meteor:match=exact,function_words={path}")
    plain = tertium.metric("meteor:match=exact")
    hyps, refs = ["the black dog"], ["the dog"]
    first = marked.corpus_score(hyps, refs)
    assert plain.corpus_score(hyps, refs) != first
    assert marked.corpus_score(hyps, refs) == first
