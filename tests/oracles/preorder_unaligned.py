# SPDX-License-Identifier: Apache-2.0
"""Unaligned words by dictionaries: relative frequencies with back-off."""

from __future__ import annotations

from collections import Counter

STRENGTH, RARE = 5, 3


def contexts(words, position):
    """Return the contexts of a word, from general to special."""
    padded = [None, *words, None]
    left, word, right = padded[position : position + 3]
    return [
        ("any",),
        ("suffix", word[-3:]),
        ("word", word),
        ("left", left, word),
        ("right", word, right),
        ("both", left, word, right),
    ]


def probability(training, words, position):
    """Return the probability that a word is unaligned.

    `training` has pairs of words and the positions of linked ones.
    """
    total, without = Counter(), Counter()
    for sentence, linked in training:
        for other in range(len(sentence)):
            for context in contexts(sentence, other):
                total[context] += 1
                without[context] += other not in linked

    def frequency(context, prior):
        if total[context] < RARE:
            return prior
        return (without[context] + STRENGTH * prior) / (total[context] + STRENGTH)

    everywhere, suffix, word, left, right, both = contexts(words, position)
    share = 0
    if total[everywhere] >= RARE:
        share = without[everywhere] / total[everywhere]
    of_word = frequency(word, frequency(suffix, share))
    pairs = frequency(left, of_word), frequency(right, of_word)
    return frequency(both, sum(pairs) / 2)
