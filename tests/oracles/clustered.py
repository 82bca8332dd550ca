# SPDX-License-Identifier: Apache-2.0
"""The two-stage bootstrap, sentence by sentence."""

from __future__ import annotations

import random
from collections.abc import Sequence


def clustered_scores(
    templates: Sequence[str],
    costs: Sequence[float],
    lengths: Sequence[int],
    *,
    resamples: int,
    seed: int,
) -> list[float]:
    """Return scores of test sets drawn template by template, segment by segment."""
    draw = random.Random(seed)
    names = sorted(set(templates))
    segments = {
        name: [place for place, template in enumerate(templates) if template == name]
        for name in names
    }
    scores = []
    for _ in range(resamples):
        chosen = []
        for _ in names:
            members = segments[draw.choice(names)]
            chosen += [draw.choice(members) for _ in members]
        scores.append(sum(costs[p] for p in chosen) / sum(lengths[p] for p in chosen))
    return scores
