# SPDX-License-Identifier: Apache-2.0
"""Which systems meet on a screen: every two about equally often."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb
from random import Random

__all__ = ["SystemSampler"]

_TRIES = 20
_ALL = 500  # sets that are looked through one by one


class SystemSampler:
    """Samples sets of systems so that all pairs meet about equally often.

    Parameters
    ----------
    systems : sequence of str
    size : int
        Systems per screen; all of them where there are fewer.
    seed : int

    Notes
    -----
    Greedy: from some first systems, the one is added that met the others least; the
    set whose pairs met least is taken. O(tries * systems * size) per sample.
    """

    def __init__(self, systems: Sequence[str], size: int, seed: int) -> None:
        self.systems = tuple(systems)
        self.size = min(size, len(self.systems))
        self.met = dict.fromkeys(combinations(range(len(self.systems)), 2), 0)
        self._rng = Random(f"{seed}:draws")

    def sample(
        self, number: int, fits: Callable[[tuple[str, ...]], bool] = lambda _: True
    ) -> Iterator[tuple[str, ...]]:
        """Yield different sets of systems for a segment; fewer if there are no more.

        Parameters
        ----------
        number : int
            Sets wanted.
        fits : callable, optional
            Whether a set can be shown.
        """
        taken: set[tuple[int, ...]] = set()
        for _ in range(number):
            chosen = self._best(lambda one: one not in taken and fits(self._names(one)))
            if chosen is None:
                return
            taken.add(chosen)
            for pair in combinations(chosen, 2):
                self.met[pair] += 1
            yield self._names(chosen)

    def _names(self, chosen: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(self.systems[i] for i in chosen)

    def _best(self, good: Callable[[tuple[int, ...]], bool]) -> tuple[int, ...] | None:
        everyone = range(len(self.systems))
        firsts = self._rng.sample(everyone, min(_TRIES, len(everyone)))
        sets = [one for one in map(self._grown, firsts) if good(one)]
        if sets:
            return min(sets, key=self._cost)
        # The fair ones were taken for this segment, or show one text only.
        if comb(len(everyone), self.size) <= _ALL:
            sets = [one for one in combinations(everyone, self.size) if good(one)]
            self._rng.shuffle(sets)
        else:
            samples = (self._rng.sample(everyone, self.size) for _ in range(_ALL))
            sets = [
                one
                for one in (tuple(sorted(sample)) for sample in samples)
                if good(one)
            ]
        return min(sets, key=self._cost, default=None)

    def _cost(self, chosen: tuple[int, ...]) -> int:
        return sum(self.met[pair] for pair in combinations(chosen, 2))

    def _grown(self, first: int) -> tuple[int, ...]:
        chosen = [first]
        while len(chosen) < self.size:
            rest = [i for i in range(len(self.systems)) if i not in chosen]
            self._rng.shuffle(rest)
            chosen.append(min(rest, key=lambda i: self._times(i, chosen)))
        return tuple(sorted(chosen))

    def _times(self, system: int, others: list[int]) -> int:
        return sum(self.met[min(system, i), max(system, i)] for i in others)
