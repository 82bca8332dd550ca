# SPDX-License-Identifier: Apache-2.0
"""Estimates of a grammar: from the charts, from expected counts, and smoothed.

The unsplit grammar counts every rule once in every chart that has it. Its states are
then split, with noise to break the symmetry, and trained by expectation maximisation
(Stanojević 2017, section 3.3.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tertium import _core
from tertium.preorder.grammar.model import Grammar, shape_arguments
from tertium.preorder.grammar.operators import Operator
from tertium.preorder.grammar.priors import variational

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.preorder.grammar.shards import ForestShards

    Vector = NDArray[np.float64]

__all__ = ["Estimate", "chart_estimate", "smoothed"]

_NEGLIGIBLE = 1e-40


@dataclass(frozen=True, eq=False)
class Estimate:
    """The probabilities of a grammar in training, without back-off.

    Parameters
    ----------
    operators, splits, root, unary, first, slot, value
        As in :class:`tertium.preorder.grammar.Grammar`.
    totals : ndarray
        How often each slot was counted.
    pairs : tuple of int
        The first of two neighbouring states that were one, if they may be merged.
    """

    operators: tuple[Operator, ...]
    splits: tuple[int, ...]
    root: Vector
    unary: Vector
    first: NDArray[np.uint32]
    slot: NDArray[np.uint32]
    value: Vector
    totals: Vector
    pairs: tuple[int, ...] = ()

    def kernel(self) -> _core.ReorderingGrammar:
        """Return the grammar in the core."""
        return _core.ReorderingGrammar(
            *shape_arguments(self.operators, self.splits),
            self.root,
            self.unary.ravel(),
            self.first,
            self.slot,
            self.value,
            np.zeros(len(self.unary)),
            np.zeros(len(self.first) - 1),
        )

    def normalised(
        self,
        root: Vector,
        unary: Vector,
        value: Vector,
        *,
        prior: tuple[float, float] | None = None,
    ) -> Estimate:
        """Return the estimate from counts; what was never counted stays as it is.

        Probabilities that do not matter any longer become 0, before they become
        denormal numbers, which are slow. With a prior for expansions and one for
        emissions, counts are weighted first; those of impossible rules remain 0.
        """
        counts = unary.reshape(self.unary.shape)
        totals = counts.sum(axis=1) + np.bincount(self.slot, value, len(counts))
        sums = totals
        if prior is not None:
            counts = np.where(self.unary > 0, variational(counts, prior[0]), 0.0)
            value = np.where(self.value > 0, variational(value, prior[1]), 0.0)
            sums = counts.sum(axis=1) + np.bincount(self.slot, value, len(counts))
        seen = (totals > 0) & (sums > 0)
        scale = np.where(seen, sums, 1.0)
        rules = np.where(seen[:, None], counts / scale[:, None], self.unary)
        emitted = np.where(seen[self.slot], value / scale[self.slot], self.value)
        rules[rules < _NEGLIGIBLE] = 0
        emitted[emitted < _NEGLIGIBLE] = 0
        return replace(
            self, root=root / root.sum(), unary=rules, value=emitted, totals=totals
        )

    @cached_property
    def slot_states(self) -> NDArray[np.int64]:
        """The state of each slot."""
        starts = np.concatenate([[0], np.cumsum(self.splits)])
        return np.concatenate(
            [
                np.arange(starts[op], starts[op + 1])
                for op, operator in enumerate(self.operators)
                for _ in range(operator.arity)
            ]
        )

    def split(self, copies: Sequence[int], generator: np.random.Generator) -> Estimate:
        """Return the estimate with every state split into so many.

        Every probability is multiplied by its own factor from 0.5 to 1.5. Copies of a
        state share the probability of expanding into it.
        """
        counts = np.asarray(copies)
        states = np.repeat(np.arange(len(counts)), counts)
        sizes = counts[self.slot_states]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        source = np.repeat(np.arange(len(sizes)), sizes)
        share = 1.0 / counts.astype(float)[states]
        unary = self.unary[source][:, states] * share
        # Blocks of emissions are widened in place.
        widths = sizes[self.slot]
        ends = np.cumsum(widths)
        inner = np.arange(ends[-1]) - np.repeat(ends - widths, widths)
        slot = np.repeat(starts[self.slot], widths) + inner
        first = np.concatenate([[0], ends])[self.first]
        value = np.repeat(self.value, widths)
        root = self.root[states] * share
        totals = self.totals[source] / np.repeat(sizes, sizes)
        noisy = Estimate(
            self.operators,
            self._splits(counts),
            root,
            unary,
            first.astype(np.uint32),
            slot.astype(np.uint32),
            value,
            totals,
        ).normalised(
            *(
                array * generator.uniform(0.5, 1.5, array.shape)
                for array in (root, unary, value)
            )
        )
        return replace(noisy, totals=totals)

    def merged(self, pairs: Sequence[int]) -> Estimate:
        """Return the estimate with states s and s + 1 as one, for each s of `pairs`.

        A merged slot has the mean of the two, weighted by how often they were counted.
        """
        kept = np.ones(len(self.root), bool)
        kept[np.asarray(pairs, int) + 1] = False
        states = np.cumsum(kept) - 1
        slots = np.cumsum(kept[self.slot_states]) - 1
        totals = _sums(slots, self.totals)
        # Slots that were never counted have equal shares.
        counts = np.where(totals[slots] > 0, self.totals, 1.0)
        shares = counts / _sums(slots, counts)[slots]
        rows = np.zeros((len(totals), len(self.root)))
        np.add.at(rows, slots, shares[:, None] * self.unary)
        unary = np.zeros((len(totals), int(kept.sum())))
        np.add.at(unary.T, states, rows.T)
        sizes = self.first[1:].astype(np.int64) - self.first[:-1]
        terminal = np.repeat(np.arange(len(sizes)), sizes)
        is_new = np.concatenate(
            [[True], (np.diff(terminal) > 0) | (np.diff(slots[self.slot]) != 0)]
        )
        value = _sums(np.cumsum(is_new) - 1, shares[self.slot] * self.value)
        first = np.searchsorted(terminal[is_new], np.arange(len(self.first)))
        return replace(
            self,
            splits=self._splits(kept),
            root=_sums(states, self.root),
            unary=unary,
            first=first.astype(np.uint32),
            slot=slots[self.slot][is_new].astype(np.uint32),
            value=value,
            totals=totals,
            pairs=(),
        )

    def unary_row(self, op: int, child: int) -> int:
        """Return the first slot of a child of an operator."""
        before = zip(self.operators[:op], self.splits[:op], strict=True)
        return sum(o.arity * s for o, s in before) + child * self.splits[op]

    def _splits(self, states: NDArray[np.generic]) -> tuple[int, ...]:
        """Return the states of each operator, from numbers for each state now."""
        starts = np.concatenate([[0], np.cumsum(self.splits)[:-1]])
        return tuple(np.add.reduceat(states, starts, dtype=int).tolist())

    def backed_off(self, classes: NDArray[np.int64], weight: float) -> Estimate:
        """Return the estimate with emissions that also depend on word classes.

        Every word is counted `weight` times more, with the slots of the words of its
        class, so that rare words behave like others of their kind.

        Parameters
        ----------
        classes : ndarray
            The class of each terminal; -1 for those without.
        weight : float
        """
        slots = len(self.unary)
        counts = self.value * self.totals[self.slot]
        sizes = self.first[1:].astype(np.int64) - self.first[:-1]
        words = np.flatnonzero(classes >= 0)
        of_word = np.repeat(classes >= 0, sizes)
        rows = np.repeat(np.cumsum(classes >= 0) - 1, sizes)
        dense = np.zeros((len(words), slots))
        dense[rows[of_word], self.slot[of_word]] = counts[of_word]
        profiles = np.zeros((classes.max(initial=0) + 1, slots))
        np.add.at(profiles, classes[words], dense)
        overall = profiles.sum(axis=0)
        overall /= max(overall.sum(), 1.0)
        # A class without counts behaves like all words.
        profiles = (profiles + overall) / (profiles.sum(axis=1, keepdims=True) + 1)
        dense += weight * profiles[classes[words]]
        sizes[words] = slots
        wide = np.repeat(classes >= 0, sizes)
        slot = np.empty(len(wide), np.uint32)
        value = np.empty(len(wide))
        slot[wide] = np.tile(np.arange(slots, dtype=np.uint32), len(words))
        value[wide] = dense.ravel()
        slot[~wide], value[~wide] = self.slot[~of_word], counts[~of_word]
        first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32)
        return replace(self, first=first, slot=slot, value=value).normalised(
            self.root, self.unary * self.totals[:, None], value
        )


def _sums(groups: NDArray[np.int64], values: Vector) -> Vector:
    return np.asarray(np.bincount(groups, values), np.float64)


def chart_estimate(
    operators: tuple[Operator, ...],
    forests: _core.ForestCorpus | ForestShards,
    terminals: int,
) -> Estimate:
    """Return the unsplit estimate from the charts."""
    root, unary, terminal, child, count = forests.chart_counts()
    first = np.searchsorted(terminal, np.arange(terminals + 1)).astype(np.uint32)
    start = Estimate(
        operators,
        (1,) * len(operators),
        root,
        unary.reshape(-1, len(operators)),
        first,
        child,
        count,
        np.zeros(len(count)),
    )
    return start.normalised(root, unary, count)


def smoothed(
    estimate: Estimate,
    terminals: tuple[str, ...],
    counts: Vector,
    *,
    alpha: float,
    floor: float,
    settings: dict[str, object],
) -> Grammar:
    """Return the grammar of an estimate.

    Parameters
    ----------
    estimate : Estimate
    terminals : tuple of str
    counts : ndarray
        How often each terminal occurs.
    alpha : float
        The share of the mean over all states of the same operator in every probability.
    floor : float
        The share of the terminals' relative frequencies in a slot's emissions. It
        makes every terminal possible everywhere.
    settings : dict
        For the grammar.
    """
    unary, value = estimate.unary.copy(), estimate.value
    start = 0
    block_of = np.empty(len(unary), np.int64)
    for operator, count in zip(estimate.operators, estimate.splits, strict=True):
        for _ in range(operator.arity):
            rows = slice(start, start + count)
            unary[rows] += alpha * (unary[rows].mean(axis=0) - unary[rows])
            block_of[rows] = start
            start += count
    # Emissions of a terminal come in whole blocks, one value per state.
    new_block = np.concatenate([[True], np.diff(block_of[estimate.slot]) != 0])
    new_block[estimate.first[estimate.first < len(value)]] = True
    groups = np.cumsum(new_block) - 1
    means = np.bincount(groups, value) / np.bincount(groups)
    value = value + alpha * (means[groups] - value)
    emitted = np.bincount(estimate.slot, value, len(unary))
    # Slots that never emit need a little of it as well, which everything else gives.
    rest = 1 - floor**2
    backoff = np.asarray(rest * floor * emitted + floor**2, np.float64)
    return Grammar(
        estimate.operators,
        estimate.splits,
        terminals,
        estimate.root,
        unary * rest,
        estimate.first,
        estimate.slot,
        value * (1 - floor) * rest,
        backoff,
        counts / counts.sum(),
        settings,
    )
