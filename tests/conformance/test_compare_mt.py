# SPDX-License-Identifier: Apache-2.0
r"""Word accuracies, groups by length and n-grams equal compare-mt 0.2.10.

Texts are those of the bundled demo, split as the analysis splits them: the first
reference, the systems ``good`` and ``order``; ``train.txt`` is the second reference,
and the ``.tags`` are made by ``tag``. Numbers are printed by ::

    compare-mt ref.txt good.txt order.txt --decimals 8 \
      --compare_word_accuracies bucket_type=freq \
        bucket_type=freq,freq_corpus_file=train.txt \
        "bucket_type=label,ref_labels=ref.tags,out_labels=good.tags;order.tags,\
    label_set=CAP+LONG+NUM+PUNCT+SHORT" \
      --compare_sentence_buckets \
        bucket_type=length,statistic_type=score,score_measure=bleu \
      --compare_ngrams report_length=100000

compare-mt imports ``six`` without asking for it, so it does not start after a plain
installation: these values are recorded, not computed.
"""

from __future__ import annotations

from collections import Counter

import pytest

import tertium
from oracles.word_matches import ngram_matches
from tertium.analysis import report
from tertium.analysis.words import split
from tertium.data import Testset
from tertium.data.annotated import Annotated
from tertium.trees import DependencyTree

BLEU = "bleu:tokenize=none"
BY_REFERENCES = {
    "1": (0.88488211, 0.99353169),
    "2": (0.88888889, 0.99551570),
    "3": (0.84297521, 0.99248120),
    "4": (0.95081967, 1.00000000),
    "5 to 9": (0.88000000, 0.99447514),
    "10 to 99": (0.96137339, 1.00000000),
}
BY_TRAINING = {
    "never": (0.82293423, 0.98765432),
    "1": (0.81994460, 0.99378882),
    "2": (0.85981308, 0.99047619),
    "3": (0.78787879, 1.00000000),
    "4": (0.75000000, 1.00000000),
    "5 to 9": (0.92822967, 0.99526066),
    "10 to 99": (0.95327103, 1.00000000),
}
BY_LABEL = {
    "CAP": (0.85594990, 0.98739496),
    "LONG": (0.79532164, 0.99109792),
    "NUM": (1.00000000, 1.00000000),
    "PUNCT": (0.98168498, 1.00000000),
    "SHORT": (0.85048011, 0.99592944),
}
BY_LENGTH = {
    "under 10 words": (100.0, 100.0),
    "10 to 19 words": (70.04268038, 49.57092499),
    "20 to 29 words": (80.85674114, 42.50981682),
}
LENGTH_RATIOS = 0.9968, 1.0000
#: The n-grams farthest from one half, with the matches of both systems.
SALIENT = {
    "Sie die": (4, 0), "ist .": (3, 0), "Sie den": (2, 0), "auf und": (2, 0),
    "jetzt": (0, 3), "etwa": (0, 3), "sich vor": (0, 2), "bitte": (0, 2),
    "wollen": (0, 2),
}  # fmt: skip
#: How many n-grams have so many matches of both systems.
MATCHES = {
    (1, 1): 1031, (1, 0): 848, (0, 1): 314, (2, 2): 48, (1, 2): 17, (3, 3): 13,
    (2, 3): 12, (4, 4): 8, (2, 1): 4, (5, 5): 4, (3, 4): 3, (0, 2): 3, (2, 0): 2,
    (6, 6): 2, (7, 8): 2, (3, 5): 2, (0, 3): 2, (4, 0): 1, (3, 0): 1, (13, 13): 1,
    (59, 59): 1, (12, 12): 1, (25, 26): 1, (18, 19): 1, (17, 18): 1, (57, 61): 1,
    (8, 9): 1, (14, 16): 1, (6, 7): 1, (5, 6): 1, (4, 5): 1, (9, 11): 1, (2, 5): 1,
}  # fmt: skip


def tag(word):
    if not word[0].isalnum() or word[0].isdigit():
        return "NUM" if word[0].isdigit() else "PUNCT"
    return "CAP" if word[0].isupper() else "LONG" if len(word) > 5 else "SHORT"


def tagged(text):
    """Return the words of a text with a tree that only has tags."""
    words = split(text)
    flat = DependencyTree.flat(words)
    tags = tuple(map(tag, words))
    tree = DependencyTree(tuple(words), flat.heads, flat.deprels, upos=tags)
    return Annotated(" ".join(words), {"tree": tree})


@pytest.fixture(scope="module")
def texts():
    demo = tertium.read("demo")
    return Testset(
        [(tagged(refs[0]),) for refs in demo.references],
        {name: list(map(tagged, demo.systems[name])) for name in ("good", "order")},
    )


@pytest.fixture(scope="module")
def result(texts):
    return report(texts, metrics=BLEU, resamples=50)


def by_label(result, kind):
    return {
        each.label: pytest.approx(
            tuple(figure.value / 100 for figure in each.f.values()), abs=1e-8
        )
        for each in result.words
        if each.kind == kind
    }


def test_word_f_by_frequency_in_the_references(result):
    assert by_label(result, "frequency in the references") == BY_REFERENCES


def test_word_f_by_frequency_in_training(texts):
    training = [refs[1] for refs in tertium.read("demo").references]
    result = report(texts, metrics=BLEU, training=training, resamples=50)
    assert by_label(result, "frequency in training") == BY_TRAINING


def test_word_f_by_label(result):
    assert by_label(result, "part of speech") == BY_LABEL


def test_scores_by_length(result):
    scores = {
        bucket.group.label: tuple(f.value for f in bucket.scores[BLEU].values())
        for bucket in result.buckets
        if bucket.group.kind == "reference length"
    }
    assert scores == {
        label: pytest.approx(values, abs=1e-7) for label, values in BY_LENGTH.items()
    }


def test_length_ratios(result):
    ratios = [figure.value / 100 for figure in result.length_ratios.values()]
    assert ratios == pytest.approx(LENGTH_RATIOS, abs=5e-5)


def test_the_most_salient_ngrams_are_the_same(result):
    listed = {
        " ".join(gain.words): gain.matches
        for side in result.ngrams
        for gain in side
        if not 1 / 3 <= gain.share <= 2 / 3
    }
    assert listed == SALIENT


def test_matches_of_all_ngrams_are_the_same(texts):
    refs = [split(text) for (text,) in texts.references]
    counts: Counter[tuple[int, int]] = Counter()
    for n in range(1, 5):
        a, b = (
            ngram_matches(refs, map(split, outputs), n)
            for outputs in texts.systems.values()
        )
        counts.update((a[gram], b[gram]) for gram in a | b)
    assert counts == MATCHES
