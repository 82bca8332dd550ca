# SPDX-License-Identifier: Apache-2.0
"""What people said, for charts: scores of systems and agreement, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.judgements import Agreement, Comparisons, pooled_agreement
from tertium.judgements.agreement.outcomes import outcomes_of
from tertium.meta.human import Human
from tertium.stats import interval
from tertium.stats.resample import Bootstrap, draw_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Agreed", "SystemScore", "judge_agreement", "judge_kappas", "system_scores"]

Floats: TypeAlias = "NDArray[np.float64]"


@dataclass(frozen=True)
class SystemScore:
    """How good people found a system."""

    system: str
    score: float
    interval: tuple[float, float] | None


@dataclass(frozen=True)
class Agreed:
    """How often two judges who both prefer one of two outputs prefer the same one.

    Parameters
    ----------
    agreed, compared : int
        Pairs of preferences by two judges.
    interval : tuple of float, optional
        Of the share, by bootstrap over segments.
    """

    agreed: int
    compared: int
    interval: tuple[float, float] | None

    @property
    def share(self) -> float:
        """How often they agree; 0.5 is chance."""
        return self.agreed / self.compared


def system_scores(
    human: Human, *, resamples: int, seed: int, confidence: float
) -> list[SystemScore]:
    """Return the systems, best first, with bootstrap intervals where there are any.

    Parameters
    ----------
    human : Human
    resamples : int
        0 for no intervals.
    seed : int
    confidence : float
    """
    drawn = human.draw(resamples, seed) if human.draw and resamples else None
    found = []
    for place, name in enumerate(human.systems):
        if name not in human.scores:
            continue
        bounds = None
        if drawn is not None:
            known = drawn[:, place][~np.isnan(drawn[:, place])]
            bounds = interval(known, confidence=confidence) if len(known) else None
        found.append(SystemScore(name, human.scores[name], bounds))
    return sorted(found, key=lambda each: (-each.score, each.system))


def judge_agreement(
    comparisons: Comparisons, *, resamples: int, seed: int, confidence: float
) -> Agreed | None:
    """Return how often judges agree; None if no two compared the same.

    Ties are left out: comparisons are of systems, and equal outputs, which judges
    saw once, tie in every ranking. ``tertium agree`` counts outputs, and ties.

    Parameters
    ----------
    comparisons : Comparisons
    resamples : int
        Of segments; 0 for no interval.
    seed : int
    confidence : float
    """
    own = comparisons.select((comparisons.judge >= 0) & (comparisons.outcome != 0))
    systems, segments = len(own.systems), len(own.segments)
    item = own.segment.astype(np.int64) * systems * systems
    item += own.first.astype(np.int64) * systems + own.second
    judged = item * max(1, len(own.judges)) + own.judge
    said = (own.outcome > 0).astype(np.int64)
    # Pairs of statements on an item, less those of one judge.
    agreed = _pairs(item * 2 + said, own.segment, segments)
    agreed -= _pairs(judged * 2 + said, own.segment, segments)
    compared = _pairs(item, own.segment, segments)
    compared -= _pairs(judged, own.segment, segments)
    if compared.sum() == 0:
        return None
    bounds = None
    if resamples:
        rows = np.stack([agreed, compared], axis=1)
        sums = draw_sums("bootstrap", rows, resamples, seed=seed, threads=None)
        known = sums[sums[:, 1] > 0]
        bounds = interval(known[:, 0] / known[:, 1], confidence=confidence)
    return Agreed(int(agreed.sum()), int(compared.sum()), bounds)


def judge_kappas(
    comparisons: Comparisons, *, resamples: int, seed: int, confidence: float
) -> Agreement | None:
    """Return the pooled kappa of rankings; None without comparisons.

    Outputs that are equal count once, and ties count, as in ``tertium agree``.

    Parameters
    ----------
    comparisons : Comparisons
    resamples : int
        Of segments; 0 for no intervals.
    seed : int
    confidence : float
    """
    if not len(comparisons):
        return None
    run = Bootstrap(resamples, seed, confidence) if resamples else None
    return pooled_agreement(outcomes_of(comparisons), bootstrap=run)


def _pairs(
    keys: NDArray[np.int64], segment: NDArray[np.int32], segments: int
) -> Floats:
    """Return, a segment, how many pairs of statements have the same key."""
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    pairs = counts * (counts - 1) / 2
    own = segment[first]
    return np.bincount(own, weights=pairs, minlength=segments).astype(np.float64)
