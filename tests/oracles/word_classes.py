# SPDX-License-Identifier: Apache-2.0
"""The likelihood of a class bigram model, counted from the text."""

from __future__ import annotations

from collections import Counter
from math import log


def log_likelihood(sentences, classes):
    """Return the log-likelihood of all words and sentence ends.

    P(word | previous) = P(class of word | class of previous) · P(word | its class).
    """
    words, sides, pairs, members = Counter(), Counter(), Counter(), Counter()
    events = []
    for sentence in filter(None, sentences):
        ends = [None, *sentence, None]
        numbers = [classes[word] if word is not None else "end" for word in ends]
        for k in range(1, len(ends)):
            events.append((numbers[k - 1], numbers[k], ends[k]))
            sides[numbers[k - 1]] += 1
            pairs[numbers[k - 1], numbers[k]] += 1
            words[ends[k]] += 1
            members[numbers[k]] += 1
    return sum(
        log(pairs[a, b] / sides[a] * words[word] / members[b]) for a, b, word in events
    )


def best_move(sentences, classes, word, number):
    """Return the highest log-likelihood with one word in any of `number` classes."""
    return max(
        log_likelihood(sentences, {**classes, word: choice}) for choice in range(number)
    )
