# SPDX-License-Identifier: Apache-2.0
"""What people said, for charts: scores of systems and agreement, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.judgements import Comparisons
from tertium.meta.human import Human
from tertium.stats import interval
from tertium.stats.resample import draw_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Agreed", "SystemScore", "judge_agreement", "system_scores"]

Floats: TypeAlias = "NDArray[np.float64]"


@dataclass(frozen=True)
class SystemScore:
    """How good people found a system."""

    system: str
    score: float
    interval: tuple[float, float] | None


@dataclass(frozen=True)
class Agreed:
    """How far two judges agree who compared the same two outputs.

    Parameters
    ----------
    agreed, compared : int
        Pairs of comparisons by two judges.
    kappa : float or None
        (P(A) - P(E)) / (1 - P(E)), where P(E) is from the share of ties in all
        comparisons, as WMT computed it.
    interval : tuple of float, optional
        Of kappa, by bootstrap over segments.
    """

    agreed: int
    compared: int
    kappa: float | None
    interval: tuple[float, float] | None


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
    """Return how far different judges agree; None if no two judged the same.

    Parameters
    ----------
    comparisons : Comparisons
    resamples : int
        Of segments; 0 for no interval.
    seed : int
    confidence : float
    """
    known = comparisons.judge >= 0
    if not known.any():
        return None
    own = comparisons.select(known)
    systems = len(own.systems)
    item = own.segment.astype(np.int64) * systems * systems
    item += own.first.astype(np.int64) * systems + own.second
    judged = item * len(own.judges) + own.judge
    said = own.outcome.astype(np.int64) + 1
    # Statements of a kind, by item, and by item and judge: pairs of statements that
    # are the same, less those of one judge.
    agreed = _pairs(item * 3 + said, own.segment, len(own.segments))
    agreed -= _pairs(judged * 3 + said, own.segment, len(own.segments))
    compared = _pairs(item, own.segment, len(own.segments))
    compared -= _pairs(judged, own.segment, len(own.segments))
    if compared.sum() == 0:
        return None
    ties = np.bincount(own.segment[own.outcome == 0], minlength=len(own.segments))
    count = np.bincount(own.segment, minlength=len(own.segments))
    rows = np.stack([agreed, compared, ties, count], axis=1).astype(np.float64)
    kappa = _kappas(rows.sum(axis=0)[None])[0]
    bounds = None
    if resamples:
        sums = draw_sums("bootstrap", rows, resamples, seed=seed, threads=None)
        drawn = _kappas(sums)
        drawn = drawn[~np.isnan(drawn)]
        bounds = interval(drawn, confidence=confidence) if len(drawn) else None
    return Agreed(
        int(agreed.sum()),
        int(compared.sum()),
        None if np.isnan(kappa) else float(kappa),
        bounds,
    )


def _pairs(
    keys: NDArray[np.int64], segment: Sequence[int] | NDArray[np.int32], segments: int
) -> Floats:
    """Return, a segment, how many pairs of statements have the same key."""
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    pairs = counts * (counts - 1) / 2
    own = np.asarray(segment)[first]
    return np.bincount(own, weights=pairs, minlength=segments)


def _kappas(sums: Floats) -> Floats:
    agreed, compared, ties, count = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        tied = ties / count
        # One of three answers: a tie, and both orders equally often.
        chance = (1 - tied) ** 2 / 2 + tied**2
        kappa: Floats = (agreed / compared - chance) / (1 - chance)
    return np.where((compared > 0) & (chance < 1), kappa, np.nan)
