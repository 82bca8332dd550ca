# SPDX-License-Identifier: Apache-2.0
"""How many judgements are enough, and which ones to ask for next.

*How many*: judgements of a larger campaign are sampled from those at hand, which stand
for what judges would say, and the test is made on every sample; power is the share of
samples in which it finds the right system better. A pilot overstates some differences
and understates others, so a plan is a guide, not a promise.

*Which next*: the model of Hopkins and May says how sure the order of every two
systems is, and how much one more comparison would tell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError
from tertium.judgements.estimates import need_scipy
from tertium.judgements.ranking.hopkins_may import hopkins_may, information
from tertium.judgements.ranking.ranks import sign_test
from tertium.judgements.ranking.resampling import ranking_starts, resampled_wins
from tertium.judgements.ranking.systems import one_langpair
from tertium.judgements.ranking.wins import Array

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.judgements.comparisons import Comparisons, Wins
    from tertium.judgements.tables import Judgements
    from tertium.stats.resample import Report

__all__ = [
    "CampaignSize",
    "Item",
    "PairPlan",
    "Plan",
    "judge_next",
    "plan_judgements",
]

_MOST = 10_000_000  # comparisons or segments; beyond, two systems are equal


@dataclass(frozen=True)
class PairPlan:
    """What it takes to tell two systems apart.

    Parameters
    ----------
    better, worse : str
        As the judgements at hand have it.
    share : float
        Share of decided comparisons that the better one wins.
    ties : float
        Share of ties.
    comparisons : int
        How many there are.
    power : float
        Of a campaign of the same size.
    needed : int or None
        Comparisons for the power asked for; None if they are equally good, or more
        than ten million would be needed.
    """

    better: str
    worse: str
    share: float
    ties: float
    comparisons: int
    power: float
    needed: int | None


@dataclass(frozen=True)
class CampaignSize:
    """What a campaign with so many rankings would find.

    Parameters
    ----------
    rankings : int
    separated : float
        Mean share of pairs of systems that it finds to differ.
    power : float
        Share of campaigns that separate every pair.
    """

    rankings: int
    separated: float
    power: float


@dataclass(frozen=True)
class Plan:
    """How many judgements are needed.

    Parameters
    ----------
    power, alpha : float
    pairs : tuple of PairPlan
        Hardest first.
    sizes : tuple of CampaignSize
        Campaigns of a half to sixteen times the rankings at hand.
    seed, simulations : int
    """

    power: float
    alpha: float
    pairs: tuple[PairPlan, ...]
    sizes: tuple[CampaignSize, ...]
    seed: int
    simulations: int


@dataclass(frozen=True)
class Item:
    """Two systems to compare on a segment.

    Parameters
    ----------
    segment, a, b : str
    gain : float
        What the comparison is expected to tell about the order of the two, in bits.
    """

    segment: str
    a: str
    b: str
    gain: float


def plan_judgements(
    judgements: Judgements | Comparisons,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    systems: Sequence[str] | None = None,
    simulations: int = 1000,
    seed: int = SEED,
    progress: Report | None = None,
) -> Plan:
    """Return how many judgements it takes to tell systems apart.

    Parameters
    ----------
    judgements : Judgements or Comparisons
        A pilot: rankings of one language pair.
    power : float
        Chance to find a difference that is there.
    alpha : float
        Threshold of the two-sided sign test.
    systems : sequence of str, optional
        Those to tell apart (two for one pair); all by default.
    simulations : int
        Campaigns sampled for every size.
    seed : int
    progress : callable, optional
        Called with what is simulated, how many are done, and of how many.

    Raises
    ------
    InputError
        When there are no comparisons, or numbers are out of range.
    """
    need_scipy("ranking systems")
    if not (0 < power < 1 and 0 < alpha < 1):
        message = f"power and alpha must be between 0 and 1, not {power} and {alpha}"
        raise InputError(message)
    if simulations < 1:
        raise InputError(f"simulations must be 1 or more, not {simulations}")
    comparisons = _comparisons(judgements)
    wins = comparisons.wins()
    chosen = _chosen(wins, systems)
    rng_pairs, rng_sizes = np.random.default_rng(seed).spawn(2)
    pairs = []
    for (i, j), rng in zip(chosen, rng_pairs.spawn(len(chosen)), strict=True):
        pairs.append(_pair_plan(wins, i, j, power, alpha, simulations, rng))
        if progress:
            progress("pairs of systems", len(pairs), len(chosen))
    hardest = sorted(
        pairs, key=lambda p: (p.needed is not None, -(p.needed or 0), p.better, p.worse)
    )
    number = len(ranking_starts(comparisons)) - 1
    sizes = []
    factors = (0.5, 1, 2, 4, 8, 16)
    for factor, rng in zip(factors, rng_sizes.spawn(len(factors)), strict=True):
        size = max(1, round(factor * number))
        sizes.append(
            _campaign(comparisons, size, chosen, alpha, simulations // 5 or 1, rng)
        )
        if progress:
            progress("campaign sizes", len(sizes), len(factors))
    return Plan(power, alpha, tuple(hardest), tuple(sizes), seed, simulations)


def _comparisons(judgements: Judgements | Comparisons) -> Comparisons:
    from tertium.judgements.comparisons import Comparisons

    one_langpair(judgements)
    comparisons = (
        judgements if isinstance(judgements, Comparisons) else judgements.comparisons()
    )
    if len(comparisons) == 0:
        message = "no comparisons to plan from; give rankings of two systems or more"
        raise InputError(message)
    return comparisons


def _chosen(wins: Wins, systems: Sequence[str] | None) -> list[tuple[int, int]]:
    """Return the pairs that were compared, of all systems or of some."""
    for name in systems or ():
        if name not in wins.systems:
            message = f"no system {name!r}; there are {', '.join(wins.systems)}"
            raise InputError(message)
    names = set(wins.systems if systems is None else systems)
    met = wins.wins + wins.wins.T + wins.ties > 0
    pairs = [
        (i, j)
        for i, a in enumerate(wins.systems)
        for j, b in enumerate(wins.systems)
        if i < j and met[i, j] and {a, b} <= names
    ]
    if not pairs:
        message = "no two of the systems were compared with each other"
        raise InputError(message)
    return pairs


def smallest_size(
    reach: Callable[[int], float], power: float, *, above: int
) -> int | None:
    """Return the smallest size of a sample that reaches a power, None if none does.

    Parameters
    ----------
    reach : callable
        The power of a size; it grows with the size, but for noise.
    power : float
    above : int
        A size that is too small.
    """
    low, high = above, above + 1
    while high <= _MOST and reach(high) < power:
        low, high = high, 2 * high
    if high > _MOST:
        return None
    # Finer steps than a hundredth are lost in the noise of the samples.
    while high - low > max(1, high // 100):
        middle = (low + high) // 2
        low, high = (low, middle) if reach(middle) >= power else (middle, high)
    return high


def _pair_plan(
    wins: Wins,
    i: int,
    j: int,
    power: float,
    alpha: float,
    simulations: int,
    rng: np.random.Generator,
) -> PairPlan:
    if wins.wins[j, i] > wins.wins[i, j]:
        i, j = j, i
    won, lost, tied = wins.wins[i, j], wins.wins[j, i], wins.ties[i, j]
    number = won + lost + tied
    shares = np.array([won, lost, tied]) / number

    def reach(size: int) -> float:
        """Return the power of a test on so many comparisons."""
        sampled = rng.multinomial(size, shares, size=simulations)
        p = sign_test(sampled[:, 0].astype(float), sampled[:, 1].astype(float))
        return float(np.mean((p < alpha) & (sampled[:, 0] > sampled[:, 1])))

    needed = smallest_size(reach, power, above=0) if won > lost else None
    return PairPlan(
        wins.systems[i],
        wins.systems[j],
        float(won / (won + lost)) if won + lost else 0.5,
        float(tied / number),
        int(number),
        reach(int(number)),
        needed,
    )


def _campaign(
    comparisons: Comparisons,
    size: int,
    pairs: Sequence[tuple[int, int]],
    alpha: float,
    simulations: int,
    rng: np.random.Generator,
) -> CampaignSize:
    first, second = np.array(pairs).T
    separated = np.concatenate(
        [
            sign_test(won[:, first, second], won[:, second, first]) < alpha
            for won, _ in resampled_wins(
                comparisons, resamples=simulations, rng=rng, rankings=size
            )
        ]
    )
    return CampaignSize(
        size, float(separated.mean()), float(separated.all(axis=1).mean())
    )


def judge_next(
    judgements: Judgements | Comparisons,
    count: int = 10,
    *,
    systems: Sequence[str] | None = None,
    segments: Sequence[str] | None = None,
    seed: int = SEED,
) -> list[Item]:
    """Return the comparisons that would tell most about the order of systems.

    Parameters
    ----------
    judgements : Judgements or Comparisons
        Rankings of one language pair so far.
    count : int
    systems : sequence of str, optional
        Those to tell apart; all by default.
    segments : sequence of str, optional
        Which ones can be judged; those judged before by default.
    seed : int
        Chooses among segments that are equally good.

    Notes
    -----
    With p the probability that a is better than b, and v the variance of their
    difference, a comparison of information I is worth H(p) I v / (1 + I v): the
    entropy of the order times the share of the variance that it takes away; times the
    chance that it is not a tie, as far as the pair's own comparisons show it (systems
    with equal outputs always tie). Pairs are chosen one after the other, each as if the
    ones before had been judged. A pair goes to the segment on which it was compared
    least often, then to the one that was judged least often.
    O(count (systems^2 + segments)).
    """
    if count < 0:
        raise InputError(f"count must be 0 or more, not {count}")
    comparisons = _comparisons(judgements)
    wins = comparisons.wins()
    names = list(wins.systems) if systems is None else list(systems)
    for name in names:
        if name not in wins.systems:
            message = f"no system {name!r}; there are {', '.join(wins.systems)}"
            raise InputError(message)
    fitted = hopkins_may(wins)
    ability = np.array([fitted.abilities[name] or 0.0 for name in wins.systems])
    covariance = fitted.covariance.copy()
    place = {name: i for i, name in enumerate(wins.systems)}
    pairs = np.array(
        [(place[a], place[b]) for i, a in enumerate(names) for b in names[i + 1 :]]
    ).reshape(-1, 2)
    if len(pairs) == 0:
        raise InputError("give two systems at least")
    chooser = _SegmentChooser(comparisons, segments, np.random.default_rng(seed))
    first, second = pairs.T
    gap = ability[first] - ability[second]
    tells = information(gap, fitted.radius)
    decided = (wins.wins + wins.wins.T)[first, second]
    decisive = (decided + 1) / (decided + wins.ties[first, second] + 2)
    items = []
    for _ in range(count):
        variance = (
            covariance[first, first]
            + covariance[second, second]
            - 2 * covariance[first, second]
        )
        gains = order_entropy(gap, variance) * decisive
        gains *= tells * variance / (1 + tells * variance)
        best = int(np.argmax(gains))
        a, b = int(first[best]), int(second[best])
        # The covariance after one more comparison of this pair.
        toward = covariance[:, a] - covariance[:, b]
        covariance -= np.outer(toward, toward) * (
            tells[best] / (1 + tells[best] * variance[best])
        )
        items.append(
            Item(
                chooser.take(a, b),
                wins.systems[a],
                wins.systems[b],
                float(gains[best]),
            )
        )
    return items


def order_entropy(gap: Array, variance: Array) -> Array:
    """Return how uncertain it is which of two is better, in bits."""
    from scipy.special import entr, ndtr

    p = ndtr(gap / np.sqrt(np.maximum(variance, 1e-12)))
    return np.asarray((entr(p) + entr(1 - p)) / np.log(2))


class _SegmentChooser:
    """Finds the segment on which a pair was compared least often."""

    def __init__(
        self,
        comparisons: Comparisons,
        segments: Sequence[str] | None,
        rng: np.random.Generator,
    ) -> None:
        self._names = list(comparisons.segments if segments is None else segments)
        if not self._names:
            raise InputError("no segments to judge; name some")
        place = {name: i for i, name in enumerate(self._names)}
        self._place = np.array([place.get(name, -1) for name in comparisons.segments])
        self._found = comparisons
        self._rng = rng
        known = self._place[comparisons.segment]
        self._judged = np.bincount(known[known >= 0], minlength=len(self._names))
        self._of_pair: dict[tuple[int, int], NDArray[np.int64]] = {}

    def take(self, a: int, b: int) -> str:
        """Return a segment for two systems, and count it as judged."""
        pair = (min(a, b), max(a, b))
        if pair not in self._of_pair:
            of_pair = (self._found.first == pair[0]) & (self._found.second == pair[1])
            known = self._place[self._found.segment[of_pair]]
            self._of_pair[pair] = np.bincount(
                known[known >= 0], minlength=len(self._names)
            )
        compared = self._of_pair[pair]
        load = np.where(
            compared == compared.min(), self._judged, self._judged.max() + 1
        )
        free = np.flatnonzero(load == load.min())
        chosen = int(free[self._rng.integers(len(free))])
        compared[chosen] += 1
        self._judged[chosen] += 1
        return self._names[chosen]
