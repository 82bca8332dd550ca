# SPDX-License-Identifier: Apache-2.0
"""Line search by trying values of gamma, and a pass of MIRA, step by step."""

from __future__ import annotations

from itertools import pairwise

import numpy as np


def winners_at(gammas, offsets, slopes, first):
    """Return the row of the best hypothesis for every gamma and list.

    Of equal ones it is the first.
    """
    scores = offsets + gammas[:, None] * slopes
    best = [
        begin + scores[:, begin:end].argmax(axis=1) for begin, end in pairwise(first)
    ]
    return np.stack(best, axis=1)


def mira_pass(features, gains, first, order, weights, aggressiveness):
    """Return new weights and the sum of those after every list."""
    weights = np.array(weights)
    total = np.zeros_like(weights)
    for number in order:
        rows = range(first[number], first[number + 1])
        model = {i: sum(weights * features[i]) for i in rows}
        hope = max(rows, key=lambda i: model[i] + gains[i])
        fear = max(rows, key=lambda i: model[i] - gains[i])
        cost = gains[hope] - gains[fear]
        loss = cost - (model[hope] - model[fear])
        difference = features[hope] - features[fear]
        if cost > 0 and loss > 0 and any(difference):
            step = min(aggressiveness, loss / sum(difference**2))
            weights = weights + step * difference
        total = total + weights
    return weights, total
