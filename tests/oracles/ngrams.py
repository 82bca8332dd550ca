# SPDX-License-Identifier: Apache-2.0
"""Twins of the n-gram kernels: BLEU, BLEU-NRC, chrF, NIST, ROUGE-S."""

from __future__ import annotations

import math
import string
from collections import Counter
from itertools import combinations


def ngrams(tokens, n: int) -> Counter:
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def bleu_row(hyp: str, refs: list[str], order: int = 4) -> list[float]:
    words = hyp.split()
    texts = [ref.split() for ref in refs]
    closest = min((abs(len(t) - len(words)), len(t)) for t in texts)[1]
    matches, totals = [], []
    for n in range(1, order + 1):
        most: Counter = Counter()
        for text in texts:
            most |= ngrams(text, n)
        hyp_ngrams = ngrams(words, n)
        matches.append((hyp_ngrams & most).total())
        totals.append(hyp_ngrams.total())
    return [len(words), closest, *matches, *totals]


def brevity(hyp: float, ref: float) -> float:
    if hyp >= ref:
        return 1.0
    return math.exp(1 - ref / hyp) if hyp else 0.0


def plus_one(row: list[float], order: int = 4) -> float:
    if row[0] == 0:
        return 0.0
    product = math.prod(
        (row[2 + n] + 1) / (row[2 + order + n] + 1) for n in range(order)
    )
    return 100 * brevity(row[0], row[1]) * product ** (1 / order)


def bleu_nrc(hyp: str, refs: list[str], k: float = 5.0) -> float:
    row = bleu_row(hyp, refs, 5)
    length = row[0]
    if length == 0:
        return 0.0
    smoothed, inverse = [], 1.0
    for match in row[2:7]:
        if match == 0:
            inverse *= k / math.log(max(2, length))
            smoothed.append(1 / inverse)
        else:
            smoothed.append(match)
    previous, logs = smoothed[0] + 1, []
    for n in range(1, 5):
        previous = (previous + smoothed[n - 1] + smoothed[n]) / 3
        if length >= n:
            logs.append(math.log(previous / (length - n + 1)))
    return 100 * brevity(length, row[1]) * math.exp(sum(logs) / len(logs))


def chrf_words(text: str) -> list[str]:
    words = []
    for word in text.split():
        if len(word) > 1 and word[-1] in string.punctuation:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in string.punctuation:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def chrf_row(hyp: str, ref: str, char_order: int, word_order: int) -> list[float]:
    row: list[float] = []
    parts = [(char_order, "".join(hyp.split()), "".join(ref.split()))]
    parts.append((word_order, chrf_words(hyp), chrf_words(ref)))  # type: ignore[arg-type]
    for order, ours, theirs in parts:
        for n in range(1, order + 1):
            h, r = ngrams(ours, n), ngrams(theirs, n)
            row += [h.total() if r else 0, r.total(), (h & r).total()]
    return row


def nist(hyps: list[str], refs: list[list[str]], order: int = 5) -> float:
    """One reference per segment only; the weights come from all of them."""
    counts: Counter = Counter()
    words = 0
    for ref in (ref[0].split() for ref in refs):
        words += len(ref)
        for n in range(1, order + 1):
            counts += ngrams(ref, n)
    counts[()] = words
    score = 0.0
    for n in range(1, order + 1):
        weight, total = 0.0, 0
        for hyp, ref in zip(hyps, refs, strict=True):
            hyp_ngrams = ngrams(hyp.split(), n)
            common = hyp_ngrams & ngrams(ref[0].split(), n)
            weight += sum(
                c * math.log2(counts[g[:-1]] / counts[g]) for g, c in common.items()
            )
            total += hyp_ngrams.total()
        score += weight / total if total else 0.0
    length = sum(len(hyp.split()) for hyp in hyps)
    if length == 0:
        return 0.0
    ratio = min(1.0, length / words) if words else 1.0
    return score * math.exp(math.log(0.5) / math.log(1.5) ** 2 * math.log(ratio) ** 2)


def rouge_s(hyp: str, ref: str, max_skip: int = -1, beta: float = 1.0) -> float:
    def pairs(text: str) -> Counter:
        words = list(enumerate(text.split()))
        return Counter(
            (a, b)
            for (i, a), (j, b) in combinations(words, 2)
            if max_skip < 0 or j - i - 1 <= max_skip
        )

    hyp_pairs, ref_pairs = pairs(hyp), pairs(ref)
    common = (hyp_pairs & ref_pairs).total()
    if common == 0:
        return 0.0
    p, r = common / hyp_pairs.total(), common / ref_pairs.total()
    return (1 + beta**2) * p * r / (r + beta**2 * p)
