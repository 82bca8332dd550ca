# SPDX-License-Identifier: Apache-2.0
"""Splitting states step by step (after Petrov, Barrett, Thibaux and Klein 2006).

A round splits every state in two, iterates, and merges the half of the pairs whose
merging costs the least likelihood. Then it iterates again. So states go where they are
needed: an operator may end up with few of them.

The cost is estimated for every node of every forest by itself, and added up. Petrov et
al. approximate the inside value of a merged state by the mean of the two. Children of
ours share their parent's state, and what one child says about the other is lost by
merging; so the value is computed from the means of the slots, which is exact for one
node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tertium.preorder.grammar.estimates import Estimate
    from tertium.preorder.grammar.shards import ForestShards

__all__ = ["Schedule", "merge_half", "split_in_two"]

#: Iterations of a round with all pairs, and with those that remain.
_SPLIT, _MERGED = 5, 3
_ROUND = _SPLIT + _MERGED


@dataclass(frozen=True)
class Schedule:
    """Which iterations split and merge states.

    Parameters
    ----------
    rounds : int
        None of them if all states are split at once.
    seed : int

    Examples
    --------
    >>> schedule = Schedule(2, seed=1)
    >>> [number for number in range(1, 99) if schedule.splits_before(number)]
    [1, 9]
    >>> [number for number in range(1, 99) if schedule.merges_after(number)]
    [5, 13]
    """

    rounds: int
    seed: int

    @property
    def iterations(self) -> int:
        """The number of iterations of all rounds."""
        return self.rounds * _ROUND

    def splits_before(self, number: int) -> bool:
        """Whether states are split before an iteration, counted from 1."""
        return number <= self.iterations and number % _ROUND == 1

    def merges_after(self, number: int) -> bool:
        """Whether states are merged after an iteration."""
        return number <= self.iterations and number % _ROUND == _SPLIT

    def generator(self, number: int) -> np.random.Generator:
        """Return the noise of an iteration, the same if training was interrupted."""
        return np.random.default_rng([self.seed, number])


def split_in_two(
    estimate: Estimate, most: Sequence[int], generator: np.random.Generator
) -> Estimate:
    """Return the estimate with every state split, the most frequent ones first.

    Parameters
    ----------
    estimate : Estimate
    most : sequence of int
        At most so many states of each operator.
    generator : numpy.random.Generator
    """
    frequency = state_counts(estimate)
    copies = np.ones(len(frequency), int)
    start = 0
    for count, limit in zip(estimate.splits, most, strict=True):
        order = np.argsort(-frequency[start : start + count], kind="stable")
        copies[start + order[: max(limit - count, 0)]] = 2
        start += count
    firsts = (np.cumsum(copies) - copies)[copies == 2]
    return replace(
        estimate.split(copies.tolist(), generator), pairs=tuple(firsts.tolist())
    )


def merge_half(estimate: Estimate, forests: ForestShards) -> Estimate:
    """Return the estimate with half of its pairs merged, those that matter least."""
    if not estimate.pairs:
        return estimate
    pairs = np.array(estimate.pairs)
    counts = state_counts(estimate)
    both = np.stack([counts[pairs], counts[pairs + 1]], axis=1)
    both[both.sum(axis=1) == 0] = 1.0
    shares = both / both.sum(axis=1, keepdims=True)
    losses = forests.merge_losses(estimate, pairs.astype(np.uint32), shares.ravel())
    chosen = np.argsort(losses, kind="stable")[: len(pairs) // 2]
    return estimate.merged(sorted(pairs[chosen].tolist()))


def state_counts(estimate: Estimate) -> np.typing.NDArray[np.float64]:
    """Return how often each state was counted: as often as each of its slots."""
    states = estimate.slot_states
    _, first = np.unique(states, return_index=True)
    return estimate.totals[first]
