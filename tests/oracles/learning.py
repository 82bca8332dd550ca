# SPDX-License-Identifier: Apache-2.0
"""Twins of what training computes, number by number."""

from __future__ import annotations

import math


def product(a, b):
    return [
        [sum(row[j] * b[j][c] for j in range(len(b))) for c in range(len(b[0]))]
        for row in a
    ]


def transposed_product(a, b):
    return product([list(column) for column in zip(*a, strict=True)], b)


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def joint_loss(weights, bias, pairs, corpora):
    """Return (L_sent, L_corp, L_joint) of section 2.12.

    Pairs are (features of the better, of the worse); corpora are (rows of the better,
    rows of the worse, margin).
    """

    def forward(features):
        return sum(w * x for w, x in zip(weights, features, strict=True)) + bias

    def corpus(rows):
        return sum(sigmoid(forward(row)) for row in rows) / len(rows)

    sent = [max(0, 1 - (forward(win) - forward(lose))) for win, lose in pairs]
    corp = [max(0, m - (corpus(win) - corpus(lose))) for win, lose, m in corpora]
    both = sum(sent) / len(sent), sum(corp) / len(corp)
    return *both, sum(both) / 2


def polynomial_kernel(x, y, gamma, degree):
    return (gamma * sum(a * b for a, b in zip(x, y, strict=True)) + 1) ** degree


def isotonic(targets):
    """Return the nearest non-falling values: max over starts of min over ends."""
    n = len(targets)

    def mean(i, j):
        return sum(targets[i : j + 1]) / (j - i + 1)

    return [
        max(min(mean(i, j) for j in range(k, n)) for i in range(k + 1))
        for k in range(n)
    ]
