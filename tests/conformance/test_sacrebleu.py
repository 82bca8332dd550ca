# SPDX-License-Identifier: Apache-2.0
"""BLEU, chrF and TER equal sacreBLEU 2.6.0: scores to 1e-9, and signatures."""

from __future__ import annotations

import itertools
import logging
import random
import re
from importlib.metadata import version

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF, TER

import tertium
from support.strategies import lines, segments

logging.getLogger("sacrebleu").setLevel(logging.ERROR)

SMOOTHINGS = [("none", None), ("floor", None), ("floor", 0.3), ("add-k", None)]
SMOOTHINGS += [("add-k", 2.0), ("exp", None)]
TOKENIZERS = ["none", "13a", "intl", "zh", "char"]


def spec(name: str, options: dict) -> str:
    shown = {
        key: ("yes" if value else "no") if isinstance(value, bool) else value
        for key, value in options.items()
        if value is not None
    }
    return (
        f"{name}:" + ",".join(f"{k}={v}" for k, v in shown.items()) if shown else name
    )


def bleu_settings() -> list[dict]:
    rows = []
    for tokenize, (method, value) in itertools.product(TOKENIZERS, SMOOTHINGS):
        rows.append(
            {"tokenize": tokenize, "smooth_method": method, "smooth_value": value}
        )
    for effective, order in itertools.product([False, True], [1, 2, 6]):
        rows.append(
            {"tokenize": "13a", "effective_order": effective, "max_ngram_order": order}
        )
    return [{**row, "lowercase": i % 2 == 1} for i, row in enumerate(rows)]


def chrf_settings() -> list[dict]:
    flags = itertools.product([False, True], repeat=3)
    return [
        {
            "char_order": char,
            "word_order": word,
            "beta": beta,
            "lowercase": lower,
            "whitespace": space,
            "eps_smoothing": eps,
        }
        for (char, word, beta), (lower, space, eps) in itertools.product(
            [(6, 0, 2), (6, 2, 2), (3, 1, 1), (1, 3, 3)], flags
        )
    ]


def ter_settings() -> list[dict]:
    keys = ("normalized", "no_punct", "asian_support", "case_sensitive")
    return [
        dict(zip(keys, flags, strict=True))
        for flags in itertools.product([False, True], repeat=4)
    ]


CASES = [("bleu", BLEU, s) for s in bleu_settings()]
CASES += [("chrf", CHRF, s) for s in chrf_settings()]
CASES += [("ter", TER, s) for s in ter_settings()]
IDS = [f"{spec(name, options)}" for name, _, options in CASES]


def unversioned(signature) -> str:
    return re.sub(r"version:.*", "version", str(signature))


def check(name, peer_class, options, hyps, refs):
    """Compare statistics, corpus and segment scores, and the signature."""
    ours = tertium.metric(spec(name, options))
    peer = peer_class(**options)
    # sacreBLEU wants references by number, None where a segment has fewer.
    streams = [list(column) for column in itertools.zip_longest(*refs)]
    # What corpus_score and sentence_score do; TER takes its time, so only once.
    stats = peer._extract_corpus_statistics(hyps, streams)
    expected = peer._aggregate_and_compute(stats)
    assert ours.corpus_score(hyps, refs) == pytest.approx(expected.score, abs=1e-9)
    counts = {len(r) for r in refs}
    nrefs = str(counts.pop()) if len(counts) == 1 else "var"
    assert unversioned(ours.signature_for(nrefs=nrefs)) == unversioned(
        peer.get_signature()
    )
    assert ours.label == expected.name or name == "bleu"
    scores = ours.segment_scores(hyps, refs)
    for row, score in zip(stats, scores, strict=True):
        result = peer._aggregate_and_compute([row])
        assert score == pytest.approx(result.score, abs=1e-9)


def test_the_peer_has_the_version_we_claim():
    assert version("sacrebleu") == "2.6.0"


# Texts take longer to make up than to score: each is scored with a group of settings.
GROUPS = [CASES[start : start + 4] for start in range(0, len(CASES), 4)]


@pytest.mark.parametrize("group", GROUPS, ids=IDS[::4])
def test_equal_on_generated_text(group):
    # Hundreds of texts for every metric, some dozens for each of its settings.
    @settings(max_examples=30)
    @given(segments(max_size=3))
    def run(data):
        for name, peer_class, options in group:
            note(spec(name, options))
            check(name, peer_class, options, [h for h, _ in data], [r for _, r in data])

    run()


@pytest.mark.wmt
@pytest.mark.parametrize(("name", "peer_class", "options"), CASES, ids=IDS)
def test_equal_on_news_text(name, peer_class, options, wmt15):
    # Every setting on some segments; defaults on the whole set below.
    chosen = range(0, len(wmt15), 120 if name == "ter" else 40)
    part = wmt15.select(list(chosen))
    for system in ("online-B.0", "RWTH.4023"):
        check(name, peer_class, options, part.systems[system], part.references)


@pytest.mark.wmt
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "peer_class", "options"),
    [("bleu", BLEU, {}), ("chrf", CHRF, {"word_order": 2}), ("ter", TER, {})],
    ids=["bleu", "chrf++", "ter"],
)
def test_equal_on_a_whole_test_set(name, peer_class, options, wmt15):
    """All rows of statistics, not just the sums, on 2169 segments (TER: 241)."""
    # sacreBLEU's TER takes ten seconds for all of them.
    part = wmt15.select(range(0, len(wmt15), 9)) if name == "ter" else wmt15
    hyps = part.systems["uedin-syntax.4027"]
    ours = tertium.metric(spec(name, options))
    rows = ours.statistics(hyps, part.references)
    streams = [[refs[0] for refs in part.references]]
    peer = peer_class(**options)
    assert rows.tolist() == peer._extract_corpus_statistics(hyps, streams)


@pytest.mark.parametrize(
    ("name", "peer_class"), [("bleu", BLEU), ("chrf", CHRF), ("ter", TER)]
)
def test_equal_on_very_long_segments(name, peer_class):
    """Long enough for Tercom's beam and for its limits on shifts to matter."""
    generator = random.Random(7)
    for length, other, words in [
        (110, 100, 40),
        (40, 110, 30),
        (60, 60, 6),
        (70, 3, 3),
    ]:
        ref = [f"w{generator.randrange(words)}" for _ in range(length)]
        hyp = ref[length // 2 :] + ref[: length // 2]
        hyp = (hyp * 5)[:other]
        for _ in range(other // 5):
            hyp[generator.randrange(other)] = f"w{generator.randrange(words)}"
        check(name, peer_class, {}, [" ".join(hyp)], [[" ".join(ref)]])


@pytest.mark.parametrize(("name", "peer_class"), [("bleu", BLEU), ("chrf", CHRF)])
def test_equal_on_long_segments_with_several_references(name, peer_class):
    """Beyond 512 symbols and with several references the trie takes over."""
    generator = random.Random(11)
    hyps, refs = [], []
    for length, words in [(60, 9), (130, 50), (700, 30), (2500, 1500)]:
        text = [f"w{generator.randrange(words)}" for _ in range(length)]

        def noisy(text=text, words=words):
            other = list(text)
            for _ in range(len(other) // 3):
                other[generator.randrange(len(other))] = (
                    f"w{generator.randrange(words)}"
                )
            return " ".join(other)

        hyps.append(noisy())
        refs.append([noisy(), noisy(), " ".join(text)])
    for options in (
        {},
        {"word_order": 2} if name == "chrf" else {"max_ngram_order": 6},
    ):
        check(name, peer_class, options, hyps, refs)
        check(name, peer_class, options, hyps, [one[:1] for one in refs])


@given(st.lists(lines, min_size=1, max_size=4))
def test_transposed_and_short_references_are_refused_not_zipped(hyps):
    """sacreBLEU #220: nine hypotheses and one reference line give 100."""
    bleu = tertium.metric("bleu")
    with pytest.raises(tertium.InputError, match="hypotheses but"):
        bleu.corpus_score([*hyps, "one more"], hyps)
    assert BLEU().corpus_score(["a b c d e"] * 9, [["a b c d e"]]).score > 99


def test_ter_of_long_segments_equals_sacrebleus_beam():
    """Around the width of the beam, with other slopes of its diagonal, and beyond
    1,024 words, where only the beam is computed."""
    draw = random.Random(5)
    pairs = []
    for size, vocabulary, moves in (
        *((n, v, 3) for n in (24, 25, 26, 51, 80) for v in (4, 40, 400)),
        *((130, v, 3) for v in (40, 400)),  # of four words sacreBLEU takes seconds
        (1_030, 10_000, 2),
        (1_500, 10_000, 1),
    ):
        ref = [str(draw.randrange(vocabulary)) for _ in range(size)]
        hyp = list(ref)
        for _ in range(moves):
            start, length = draw.randrange(len(hyp)), draw.randrange(1, 9)
            phrase, hyp[start : start + length] = hyp[start : start + length], []
            place = max(0, start + draw.randrange(-40, 40))
            hyp[place:place] = phrase
        for _ in range(min(size, 300) // 12):
            hyp[draw.randrange(len(hyp))] = str(draw.randrange(vocabulary))
        shorter = [word for word in hyp if draw.random() < 0.6]
        pairs += [(hyp, ref), (shorter, ref)] if size < 100 else [(hyp, ref)]
        if size < 60:
            pairs += [(hyp[:5], ref * 12), (hyp * 12, ref[:5]), (hyp[:1], ref * 2)]
    theirs = TER()
    texts = [(" ".join(hyp), " ".join(ref)) for hyp, ref in pairs]
    expected = [theirs.sentence_score(hyp, [ref]).num_edits for hyp, ref in texts]
    hyps, refs = map(list, zip(*texts, strict=True))
    rows = tertium.metric("ter").statistics(hyps, refs)
    assert rows[:, 0].tolist() == expected
