# SPDX-License-Identifier: Apache-2.0
"""Rankings of systems the slow and obvious way, from the definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence

Game = tuple[str, str, int]  # first, second, outcome: 1, 0, -1 for the first


def ratio_of_wins(games: Sequence[Game], system: str) -> float | None:
    won = sum(_view(game, system) == 1 for game in games)
    lost = sum(_view(game, system) == -1 for game in games)
    return won / (won + lost) if won + lost else None


def wins_or_ties(games: Sequence[Game], system: str) -> float | None:
    views = [_view(game, system) for game in games]
    known = [view for view in views if view is not None]
    return sum(view >= 0 for view in known) / len(known) if known else None


def expected_wins(games: Sequence[Game], system: str) -> float | None:
    opponents = {name for a, b, _ in games for name in (a, b)} - {system}
    ratios = []
    for opponent in opponents:
        ratio = ratio_of_wins([g for g in games if opponent in g[:2]], system)
        if ratio is not None:
            ratios.append(ratio)
    return sum(ratios) / len(ratios) if ratios else None


def _view(game: Game, system: str) -> int | None:
    first, second, outcome = game
    if system == first:
        return outcome
    return -outcome if system == second else None


def davidson_likelihood(
    games: Sequence[Game], abilities: dict[str, float], tie: float
) -> float:
    total = 0.0
    for first, second, outcome in games:
        a, b = math.exp(abilities[first]), math.exp(abilities[second])
        draw = tie * math.sqrt(a * b)
        chance = {1: a, -1: b, 0: draw}[outcome] / (a + b + draw)
        total += math.log(chance)
    return total


def hopkins_may_posterior(
    games: Sequence[Game], abilities: dict[str, float], radius: float
) -> float:
    def below(x: float) -> float:
        return math.erfc(-x / math.sqrt(2)) / 2

    total = -sum(a * a for a in abilities.values()) / 2
    for first, second, outcome in games:
        gap = abilities[first] - abilities[second]
        win, loss = below(gap - radius), below(-gap - radius)
        total += math.log({1: win, -1: loss, 0: 1 - win - loss}[outcome])
    return total


def edit_distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, start=1):
            last, row[j] = row[j], min(last + (x != y), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def trueskill(
    games: Sequence[Game], sigma: float, beta: float, tau: float, margin: float
) -> dict[str, tuple[float, float]]:
    """Return mean and deviation of every skill, by moments of a truncated normal.

    What is seen of a game is that the difference of two performances is above the
    margin, below it, or in between.
    """
    from scipy.stats import truncnorm

    skills: dict[str, tuple[float, float]] = {}
    for first, second, outcome in games:
        (m1, s1), (m2, s2) = (skills.get(x, (0.0, sigma)) for x in (first, second))
        v1, v2 = s1**2 + tau**2, s2**2 + tau**2
        spread = math.sqrt(v1 + v2 + 2 * beta**2)
        gap = (m1 - m2) / spread
        low = {1: margin, 0: -margin, -1: -math.inf}[outcome] / spread - gap
        high = {1: math.inf, 0: margin, -1: -margin}[outcome] / spread - gap
        mean, variance = map(float, truncnorm.stats(low, high, moments="mv"))
        less = (1 - variance) / spread**2
        skills[first] = (m1 + v1 / spread * mean, math.sqrt(v1 * (1 - v1 * less)))
        skills[second] = (m2 - v2 / spread * mean, math.sqrt(v2 * (1 - v2 * less)))
    return skills
