# SPDX-License-Identifier: Apache-2.0
"""Human judgements for charts: system scores and agreement, with intervals."""

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
    """The human score of a system."""

    system: str
    score: float
    interval: tuple[float, float] | None


@dataclass(frozen=True)
class Agreed:
    """How often two judges who both prefer one of two outputs prefer the same one.

    Parameters
    ----------
    agreed, compared : int
        Preference pairs: two judges each.
    interval : tuple of float, optional
        Of the share, from a bootstrap over segments.
    """

    agreed: int
    compared: int
    interval: tuple[float, float] | None

    @property
    def share(self) -> float:
        """How often they agree; 0.5 is chance level."""
        return self.agreed / self.compared


def system_scores(
    human: Human, *, resamples: int, seed: int, confidence: float
) -> list[SystemScore]:
    """Return the human scores, best first, with bootstrap intervals if available.

    Parameters
    ----------
    human : Human
    resamples : int
        0 for no intervals.
    seed : int
    confidence : float
    """
    samples = human.draw(resamples, seed) if human.draw and resamples else None
    scores = []
    for place, name in enumerate(human.systems):
        if name not in human.scores:
            continue
        bounds = None
        if samples is not None:
            known = samples[:, place][~np.isnan(samples[:, place])]
            bounds = interval(known, confidence=confidence) if len(known) else None
        scores.append(SystemScore(name, human.scores[name], bounds))
    return sorted(scores, key=lambda each: (-each.score, each.system))


def judge_agreement(
    comparisons: Comparisons, *, resamples: int, seed: int, confidence: float
) -> Agreed | None:
    """Return how often judges agree; None if no two judged the same comparison.

    Ties are excluded: comparisons are between systems, and equal outputs, which judges
    saw once, tie in every ranking. ``tertium agree`` counts outputs and includes ties.

    Parameters
    ----------
    comparisons : Comparisons
    resamples : int
        Bootstrap samples of segments; 0 for no interval.
    seed : int
    confidence : float
    """
    kept = comparisons.select((comparisons.judge >= 0) & (comparisons.outcome != 0))
    systems, segments = len(kept.systems), len(kept.segments)
    item = kept.segment.astype(np.int64) * systems * systems
    item += kept.first.astype(np.int64) * systems + kept.second
    judged = item * max(1, len(kept.judges)) + kept.judge
    preferred = (kept.outcome > 0).astype(np.int64)
    # All pairs of judgements of an item, minus those of the same judge.
    agreed = _pairs(item * 2 + preferred, kept.segment, segments)
    agreed -= _pairs(judged * 2 + preferred, kept.segment, segments)
    compared = _pairs(item, kept.segment, segments)
    compared -= _pairs(judged, kept.segment, segments)
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

    Equal outputs count once, and ties count, as in ``tertium agree``.

    Parameters
    ----------
    comparisons : Comparisons
    resamples : int
        Bootstrap samples of segments; 0 for no intervals.
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
    """Return per segment how many pairs of judgements have the same key."""
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    pairs = counts * (counts - 1) / 2
    return np.bincount(segment[first], weights=pairs, minlength=segments).astype(
        np.float64
    )
