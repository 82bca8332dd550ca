# SPDX-License-Identifier: Apache-2.0
"""The aligner against exhaustive search, and its limits."""

from __future__ import annotations

import random
from collections import Counter
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import alignment as oracle
from oracles import ranks
from tertium import _core
from tertium.align import (
    Aligner,
    ExactMatcher,
    Link,
    ParaphraseMatcher,
    align,
)
from tertium.data.annotated import Annotated
from tertium.errors import InputError

WIDE = 1_000_000  # a beam that never overflows here

words = st.lists(st.sampled_from("abcde"), max_size=6)
phrases = st.lists(st.sampled_from("abcde"), min_size=1, max_size=3).map(" ".join)
tables = st.lists(st.tuples(phrases, phrases), max_size=10)


class Pairs:
    """A matcher of words with several keys: a-b-c form a chain, d stands alone."""

    name = "chain"
    table: ClassVar = {"a": {1}, "b": {1, 2}, "c": {2}}

    def keys(self, words):
        return [tuple(sorted(self.table.get(word, ()))) for word in words]


def shape(alignment, *names):
    return [(*match[:4], names.index(match.matcher)) for match in alignment]


@given(hyp=words, ref=words, table=tables)
def test_the_alignment_is_the_best_of_all(hyp, ref, table):
    keys = [{word: {word} for word in "abcde"}, Pairs.table]
    candidates = oracle.word_candidates(hyp, ref, keys)
    candidates += oracle.phrase_candidates(hyp, ref, set(table), 2)
    candidates = oracle.first_of_each(candidates)
    matchers = [ExactMatcher(), Pairs(), ParaphraseMatcher(table)]
    alignment = shape(
        align(hyp, ref, matchers=matchers, beam=WIDE), "exact", "chain", "paraphrase"
    )
    assert set(alignment) <= set(candidates)
    assert alignment == sorted(alignment)
    assert oracle.objective(alignment) == oracle.best_objective(candidates)


@given(
    hyp=st.lists(st.sampled_from("abc"), max_size=7),
    ref=st.lists(st.sampled_from("abc"), max_size=7),
)
def test_repeated_words_are_aligned_best(hyp, ref):
    candidates = oracle.word_candidates(hyp, ref, [{w: {w} for w in "abc"}])
    alignment = shape(align(hyp, ref, beam=WIDE), "exact")
    assert oracle.objective(alignment) == oracle.best_objective(candidates)


class TwoKeys:
    """Equal words, but found by two keys each: what the core's sets cannot hold."""

    name = "exact"

    def keys(self, words):
        return [(word, word.upper()) for word in words]


@settings(max_examples=40)  # sixteen texts each
@given(seed=st.integers(0, 10_000), types=st.integers(2, 40), beam=st.integers(1, 40))
def test_short_pairs_are_aligned_as_all_others(seed, types, beam):
    """Texts of up to 64 words go through sets of bits, longer ones do not."""
    draw = random.Random(seed)
    kinds = [f"w{i}" for i in range(types)]
    texts = []
    for _ in range(16):
        text = draw.choices(kinds, k=draw.choice([0, 1, 5, 20, 63, 64, 65]))
        other = [*text]  # as outputs are: some words away, others moved
        for _ in range(len(text) // 3):
            other.insert(draw.randrange(len(other)), other.pop())
            other[draw.randrange(len(other))] = draw.choice(kinds)
        texts.append((" ".join(text), " ".join(other)))
    outcomes = []
    for matchers in ([ExactMatcher()], [TwoKeys()]):
        made = Aligner(matchers=matchers, beam=beam)
        pairs = made.pairs([[hyp for hyp, _ in texts]], [[ref] for _, ref in texts])
        matches = [pairs.matches(0, i, 0) for i in range(len(texts))]
        outcomes.append((made.unsure, matches))
    assert outcomes[0] == outcomes[1]


def test_the_gap_of_the_default_beam_on_repetitive_text():
    """Of 120 pairs of 6 to 8 words over 2 to 4 types, a beam of 40 misses none.

    Narrow beams show that the test can fail, and keep the most covered words.
    """
    source = random.Random(3)
    missed: Counter[int] = Counter()
    for _ in range(120):
        types = "abcd"[: source.choice((2, 3, 4))]
        hyp = source.choices(types, k=source.randint(6, 8))
        ref = source.choices(types, k=source.randint(6, 7))
        candidates = oracle.word_candidates(hyp, ref, [{w: {w} for w in types}])
        best = oracle.best_objective(candidates)
        for beam in (1, 8, 40):
            got = oracle.objective(shape(align(hyp, ref, beam=beam), "exact"))
            assert got[0] == best[0]
            missed[beam] += got != best
    assert missed[40] == 0
    assert 0 < missed[8] < 30 < missed[1]


@pytest.mark.wmt
def test_the_gap_of_the_default_beam_on_real_text(wmt15):
    """Under 1 % of the pairs have a better alignment, under 0.1 % fewer chunks."""
    systems = [[hyp.lower() for hyp in hyps] for hyps in wmt15.systems.values()][:4]
    refs = [[ref.lower() for ref in refs] for refs in wmt15.references]

    def run(beam):
        pairs, matchers = _core.Pairs(systems, refs, "13a"), _core.Matchers()
        matchers.add_exact()
        unsure = _core.align(pairs, matchers, [], beam, 0)
        return unsure, [
            oracle.objective([(*m[:4], 0) for m in pairs.matches(s, i, 0)])
            for s in range(pairs.systems)
            for i in range(pairs.segments)
        ]

    unsure, default = run(40)
    _, wide = run(5000)
    worse = [(a, b) for a, b in zip(default, wide, strict=True) if a > b]
    assert all(a >= b for a, b in zip(default, wide, strict=True))
    assert len(worse) <= unsure < 0.03 * len(wide)
    assert len(worse) < 0.01 * len(wide)
    assert sum(a[:2] > b[:2] for a, b in worse) < 0.001 * len(wide)


@given(hyp=words, ref=words)
def test_the_context_aligner_is_that_of_ribes(hyp, ref):
    order = [match.ref for match in align(hyp, ref, aligner="context")]
    # RIBES may use a word twice; an alignment keeps the first.
    assert order == list(dict.fromkeys(ranks.order(hyp, ref)))


def test_spec_order_of_the_objective():
    # Coverage before chunks: two words in two chunks beat one in one.
    assert len(align("a b", "b a")) == 2
    # Chunks before displacement: "a" goes with its neighbour, not to its place.
    assert shape(align("a x", "a y a x"), "exact")[0][2] == 2
    # Displacement: of equal words the nearest.
    assert shape(align("y a", "a a a z"), "exact")[0][2] == 1


def test_a_phrase_match_covers_several_words():
    table = ParaphraseMatcher([("in spite of", "despite")])
    hyp, ref = "despite the rain", "in spite of the rain"
    alignment = align(hyp, ref, matchers=[ExactMatcher(), table])
    assert [(*m[:4], m.matcher) for m in alignment] == [
        (0, 1, 0, 3, "paraphrase"),
        (1, 1, 3, 1, "exact"),
        (2, 1, 4, 1, "exact"),
    ]
    assert alignment.chunks == 1
    assert alignment.covered == (3, 5)
    assert alignment.permutation() == (1, 2, 3, 4, 5)


def test_the_number_of_threads_changes_nothing(demo):
    systems = list(demo.systems.values())
    outcomes = []
    for threads in (1, 3, 8):
        made = Aligner(match="exact+stem", beam=2)
        pairs = made.pairs(systems, demo.references, threads=threads)
        outcomes.append(
            (made.unsure, [pairs.matches(s, i, 0) for s in range(3) for i in range(60)])
        )
    assert outcomes[0] == outcomes[1] == outcomes[2]


def test_long_repetitive_texts_are_fast_and_covered():
    made = Aligner()
    pairs = made.pairs([["a " * 3000, "a b " * 700]], [["a " * 2000], ["b a " * 800]])
    assert len(pairs.matches(0, 0, 0)) == 2000
    assert len(pairs.matches(0, 1, 0)) == 1400
    assert made.unsure == 2


def test_more_than_64_contested_words_are_exact_where_the_beam_suffices():
    text = " ".join(f"{word} and" for word in "abcdefghijklmnopqrstuvwxyz" * 2)
    made = Aligner()
    pairs = made.pairs([[text]], [[text]])
    assert [m[0] - m[2] for m in pairs.matches(0, 0, 0)] == [0] * 104


def test_given_links_replace_the_alignment():
    made = Aligner()
    hyp = Annotated("a b", {"links": ((Link(0, 1, 0.5), Link(1, 1)), ())})
    pairs = made.pairs([[hyp, "a b"]], [["a b", "a b"], ["a b"]])
    assert pairs.matches(0, 0, 0) == [(0, 1, 1, 1, 0, 0.5), (1, 1, 1, 1, 0, 1.0)]
    assert pairs.matches(0, 0, 1) == []
    assert len(pairs.matches(0, 1, 0)) == 2


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ([(Link(0, 2),)], "links of output 0 name words"),
        ([(Link(-1, 0),)], "links of output 0 name words"),
        ([(), ()], "has links with 2 references, but has 1"),
    ],
)
def test_wrong_links_are_reported(links, message):
    hyp = Annotated("a b", {"links": links})
    with pytest.raises(InputError, match=message):
        Aligner().pairs([[hyp]], [["a b"]])


def test_empty_texts_have_no_matches():
    for hyp, ref in ("", ""), ("a", ""), ("", "a"):
        alignment = align(hyp, ref, match="exact+stem")
        assert (len(alignment), alignment.chunks, alignment.permutation()) == (0, 0, ())


def test_half_a_surrogate_pair_is_an_input_error():
    with pytest.raises(InputError, match="surrogate"):
        align(["\ud800"], ["a"])


def test_wrong_settings_are_reported():
    with pytest.raises(InputError, match="unknown aligner 'beem'; did you mean beam"):
        Aligner(aligner="beem")
    with pytest.raises(InputError, match="unknown matcher 'steem'"):
        Aligner(match="exact+steem")
    with pytest.raises(InputError, match="twice"):
        Aligner(match="exact+exact")
    with pytest.raises(InputError, match="equal words only"):
        Aligner(aligner="context", match="exact+stem")
    with pytest.raises(InputError, match="synonyms=PATH"):
        Aligner(match="synonym", language="de")
    with pytest.raises(InputError, match="paraphrases=PATH"):
        Aligner(match="paraphrase")
    with pytest.raises(InputError, match="beam must be at least 1"):
        Aligner(beam=0)
    with pytest.raises(InputError, match="unknown tokeniser"):
        Aligner(tokenize="ja-mecab")
    with pytest.raises(InputError, match="is not a matcher"):
        Aligner(matchers=[object()])  # type: ignore[list-item]
