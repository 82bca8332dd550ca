# SPDX-License-Identifier: Apache-2.0
"""Ranks and clusters from significant wins, for metrics and judges alike.

A cluster ends where every system above beats every system below (as in the WMT
findings). A rank range counts who is surely above and who is surely below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Ranking", "rank_clusters"]


@dataclass(frozen=True)
class Ranking:
    """The place of one system.

    Attributes
    ----------
    system : str
    cluster : int
        1 for the best cluster.
    rank : tuple of int
        Best and worst place the tests leave possible.
    """

    system: str
    cluster: int
    rank: tuple[int, int]


def rank_clusters(
    systems: Sequence[str], beats: Callable[[str, str], bool]
) -> list[Ranking]:
    """Return the ranking of systems given best first.

    Parameters
    ----------
    systems : sequence of str
        In order of their scores, best first.
    beats : callable
        ``beats(a, b)``: whether a is significantly better than b.

    Notes
    -----
    O(n²) calls of `beats` for n systems.

    Examples
    --------
    >>> [r.cluster for r in rank_clusters("ABC", lambda a, b: b == "C" != a)]
    [1, 1, 2]
    """
    count = len(systems)
    wins = [[a != b and beats(a, b) for b in systems] for a in systems]
    ranking, cluster = [], 1
    for i, system in enumerate(systems):
        if i > 0 and all(wins[a][b] for a in range(i) for b in range(i, count)):
            cluster += 1
        above = sum(wins[other][i] for other in range(count))
        below = sum(wins[i])
        ranking.append(Ranking(system, cluster, (1 + above, count - below)))
    return ranking
