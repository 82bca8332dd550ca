# SPDX-License-Identifier: Apache-2.0
"""Twin of the AMBER kernel: one form at a time, one reference per segment."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from oracles import ranks

WEIGHTS = (0.3, 0.1, 0.15, 0.05, 0.1, 0.2, 1.0, 0.8, 0.5, 2.0)
ORDERS = range(1, 5)


def tokens(form: str, words: Sequence[str]) -> list[str]:
    """Return the tokens of a form."""
    return [token for word in words for token in _tokens(form, word)]


def _tokens(form: str, word: str) -> list[str]:
    if len(word) <= 4:
        return [word]
    return {
        "words": [word],
        "prefixes": [word[:4]],
        "suffixes": [word[-4:]],
        "prefix-split": [word[:4], word[4:]],
        "suffix-split": [word[:-4], word[-4:]],
        "pieces": [word[i : i + 4] for i in range(0, len(word), 4)],
        "windows": [word[i : i + 4] for i in range(len(word) - 3)],
    }[form]


def grams(text: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1))


def amber(hyps: Sequence[list[str]], refs: Sequence[list[str]]) -> float:
    """Return the score of a corpus of tokens."""
    pairs = list(zip(hyps, refs, strict=True))
    matches = {
        n: [(grams(h, n) & grams(r, n)).total() for h, r in pairs] for n in ORDERS
    }
    if sum(matches[1]) == 0:
        return 0.0
    return similarity(pairs, matches) * penalty(pairs, matches)


def similarity(pairs, matches):
    precisions, recalls, logs = [], [], []
    for n in ORDERS:
        match = sum(matches[n])
        of_hyp = sum(grams(h, n).total() for h, _ in pairs)
        of_ref = sum(grams(r, n).total() for _, r in pairs)
        if of_hyp == of_ref == 0:
            break
        more = n > 1
        logs.append(math.log((match + more) / (of_hyp + more)))
        precisions.append(match / of_hyp if of_hyp else 0.0)
        recalls.append(match / of_ref if of_ref else 0.0)
    avg_p = math.exp(fmean(logs))
    avg_f = fmean(map(f_measure, precisions, recalls))
    return (
        0.3 * avg_p + 0.5 * f_measure(fmean(precisions), fmean(recalls)) + 0.2 * avg_f
    )


def f_measure(p, r):
    return p * r / (0.9 * p + 0.1 * r) if p * r else 0.0


def penalty(pairs, matches):
    words = sum(len(r) for _, r in pairs)
    factors = [
        *lengths([(len(h), len(r)) for h, r in pairs]),
        *lengths([(len("".join(h)), len("".join(r))) for h, r in pairs]),
        *(
            math.exp(-sum(abs(count(h, s) - count(r, s)) for h, r in pairs) / words)
            for s in (True, False)
        ),
        1 - 0.1 * (sum(map(chunks, pairs, *counts(matches))) / sum(matches[1])) ** 3,
        math.exp(continuity(matches) - 1),
        *order(pairs),
    ]
    return math.prod(f**w for f, w in zip(factors, WEIGHTS, strict=True))


def lengths(pairs):
    ref = sum(r for _, r in pairs)
    shorter, longer = sum(map(min, pairs)), sum(map(max, pairs))
    return math.exp(1 - ref / shorter), math.exp(1 - longer / ref)


def count(text, short):
    return sum((len(token) <= 3) == short for token in text)


def counts(matches):
    return matches[1], matches[2]


def chunks(pair, words, of_two):
    hyp, ref = pair
    if words == 0:
        return 0
    number = max(1, words - of_two)
    return 0 if number == 1 and words == len(hyp) == len(ref) else number


def continuity(matches):
    shares = []
    for n in ORDERS[1:]:
        possible = sum(max(0, match - 1) for match in matches[n - 1])
        if possible:
            shares.append(min(1.0, sum(matches[n]) / possible))
    return fmean(shares) if shares else 1.0


def order(pairs):
    """Return Spearman's and Kendall's share, weighted by the aligned words."""
    sums, weights = [0.0, 0.0], 0
    for hyp, ref in pairs:
        places = ranks.order(hyp, ref)
        n = len(places)
        if n < 2:
            continue
        ranked = [
            sorted(range(n), key=lambda i: (places[i], i)).index(i) for i in range(n)
        ]
        squares = sum((i - rank) ** 2 for i, rank in enumerate(ranked))
        ascending = sum(
            places[i] < places[j] for i in range(n) for j in range(i + 1, n)
        )
        sums[0] += n * (2 - 6 * squares / (n * (n * n - 1))) / 2
        sums[1] += n * ascending / math.comb(n, 2)
        weights += n
    return [total / weights if weights else 1.0 for total in sums]
