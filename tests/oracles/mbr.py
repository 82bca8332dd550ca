# SPDX-License-Identifier: Apache-2.0
"""Twins of the MBR kernels: every pair scored, and expected counts added up."""

from __future__ import annotations

from collections import Counter

from oracles.ngrams import bleu_row, chrf_row, chrf_words, ngrams


def pairwise(metric, hyps, refs, weights):
    """Return the expected score of every hypothesis, one pair after the other."""
    return [
        sum(
            weight * float(metric.segment_scores([hyp], [ref])[0])
            for ref, weight in zip(refs, weights, strict=True)
        )
        for hyp in hyps
    ]


def expected_counts(texts, weights, n):
    """Return the expected count of every n-gram of sequences of symbols."""
    counts: Counter = Counter()
    for text, weight in zip(texts, weights, strict=True):
        for gram, count in ngrams(text, n).items():
            counts[gram] += weight * count
    return counts


def clipped(hyp, counts, n):
    """Return the matches of a text with expected counts."""
    return sum(min(c, counts[gram]) for gram, c in ngrams(hyp, n).items())


def aggregate_bleu(metric, hyps, refs, weights):
    """Return BLEU against expected counts and the expected length."""
    words = [ref.split() for ref in refs]
    length = sum(w * len(text) for w, text in zip(weights, words, strict=True))
    scores = []
    for hyp in hyps:
        row = bleu_row(hyp, [hyp])
        matches = [
            clipped(hyp.split(), expected_counts(words, weights, n), n)
            for n in range(1, 5)
        ]
        scores.append(metric.from_statistics([row[0], length, *matches, *row[6:]]))
    return scores


def aggregate_chrf(metric, hyps, refs, weights, chars=6, words=0):
    """Return chrF against expected counts."""
    scores = []
    streams = [(chars, lambda text: "".join(text.split())), (words, chrf_words)]
    for hyp in hyps:
        totals = chrf_row(hyp, hyp, chars, words)[::3]
        row = []
        for orders, cut in streams:
            texts = [cut(ref) for ref in refs]
            for n in range(1, orders + 1):
                counts = expected_counts(texts, weights, n)
                total = counts.total()
                size = totals[len(row) // 3] if total > 0 else 0
                row += [size, total, clipped(cut(hyp), counts, n)]
        scores.append(metric.from_statistics([float(x) for x in row]))
    return scores
