# SPDX-License-Identifier: Apache-2.0
"""Twin of the bilingual aligner: every alignment of a sentence is written down."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import product

import numpy as np

NULL = -1


def jump(jumps, distance):
    window = len(jumps) // 2
    return jumps[max(-window, min(window, distance)) + window]


def chain_posteriors(emission, null, jumps, null_probability):
    """Return the log-likelihood, the posteriors, and the new weights of jumps."""
    words, states = np.shape(emission)
    posterior, nulls = np.zeros((words, states)), np.zeros(words)
    counts, shares = np.zeros(len(jumps)), np.zeros(len(jumps))
    total = 0.0
    window = len(jumps) // 2
    for alignment in product(range(NULL, states), repeat=words):
        weight, last = 1.0, -1
        steps = []
        for word, state in enumerate(alignment):
            if state == NULL:
                weight *= null_probability * null[word]
                continue
            reach = [jump(jumps, other - last) for other in range(states)]
            weight *= (1 - null_probability) * reach[state] / sum(reach)
            weight *= emission[word][state]
            steps.append((last, state, sum(reach)))
            last = state
        total += weight
        for word, state in enumerate(alignment):
            if state == NULL:
                nulls[word] += weight
            else:
                posterior[word, state] += weight
        for start, end, norm in steps:
            counts[max(-window, min(window, end - start)) + window] += weight
            for other in range(states):
                distance = max(-window, min(window, other - start))
                shares[distance + window] += weight / norm
    weights = np.array(jumps, float)
    reached = shares > 0
    weights[reached] = counts[reached] / shares[reached]
    return (
        math.log(total),
        posterior / total,
        nulls / total,
        weights / weights.sum(),
    )


def model1_posteriors(emission, null, null_probability):
    states = np.shape(emission)[1]
    joint = np.array(emission) * (1 - null_probability) / states
    nulls = np.array(null) * null_probability
    total = joint.sum(1) + nulls
    return joint / total[:, None], nulls / total


def alike(one, other):
    common = 0
    while common < min(len(one), len(other)) and one[common] == other[common]:
        common += 1
    return one == other or (common >= 3 and 4 * common >= len(one) + len(other))


def stem(word, length):
    return word.lower()[:length]


def iterate_model1(pairs, settings, *, iterations, stem_length):
    """Return the expected counts of pairs of words in the direction source-target."""
    prior, likeness, back_off, held_out, null_probability, null_prior, _ = settings
    stems = {stem(word, stem_length) for _, target in pairs for word in target}
    occurrences = defaultdict(int)
    for _, target in pairs:
        for word in target:
            occurrences[word] += 1
            occurrences["stem", stem(word, stem_length)] += 1
    types = len({word for _, target in pairs for word in target})
    counts, nulls, last = defaultdict(float), defaultdict(float), defaultdict(float)
    for _ in range(iterations):
        rows, by_stem, stem_rows = (defaultdict(float) for _ in range(3))
        for (f, e), count in counts.items():
            rows[f] += count
            by_stem[stem(f, stem_length), stem(e, stem_length)] += count
            stem_rows[stem(f, stem_length)] += count
        new, new_nulls, new_last = (defaultdict(float) for _ in range(3))
        for number, (source, target) in enumerate(pairs):
            emission = np.zeros((len(target), len(source)))
            for (i, f), (j, e) in product(enumerate(source), enumerate(target)):
                held = held_out * last[number, i, j]
                left, right = stem(f, stem_length), stem(e, stem_length)
                base = prior + (likeness if alike(left, right) else 0)
                mean = max(0, by_stem[left, right] - held) + base
                mean /= max(0, stem_rows[left] - held) + prior * (len(stems) - 1) + base
                mean *= occurrences[e] / occurrences["stem", right]
                emission[j, i] = max(0, counts[f, e] - held) + back_off * mean
                emission[j, i] /= max(0, rows[f] - held) + back_off
            null = [
                (nulls[e] + null_prior)
                / (sum(nulls.values()) + null_prior * (types + 1))
                for e in target
            ]
            posterior, empty = model1_posteriors(emission, null, null_probability)
            for (i, f), (j, e) in product(enumerate(source), enumerate(target)):
                new[f, e] += posterior[j, i]
                new_last[number, i, j] = posterior[j, i]
            for j, e in enumerate(target):
                new_nulls[e] += empty[j]
        counts, nulls, last = new, new_nulls, new_last
    return counts
