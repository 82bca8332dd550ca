# SPDX-License-Identifier: Apache-2.0
"""Measures of predicted orders against gold orders.

Every measure is 1 for the gold order, and the score of a corpus is the mean of its
sentences. Most compare permutations: position t of the predicted order has the rank of
its word in the gold order.

========== ====================================================================
tau        share of pairs of words in the gold order (Stanojević 2017, 3.4.1)
tau-linked the same over words with links; words with equal target positions count
           as correct in either order (Lader, Neubig et al. 2012)
fuzzy      1 - (chunks - 1) / (n - 1), chunks in the gold order (thesis)
frs        1 - breaks / (n + 1), with the ends of the sentence (Talbot et al. 2011
           as Lader computes it)
exact      whether the order is the gold order
hamming    share of words in their place
spearman   (rho + 1) / 2
ulam       (longest common subsequence - 1) / (n - 1)
========== ====================================================================

A sentence of fewer than two words scores 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium import _core
from tertium.errors import InputError, UnknownNameError
from tertium.preorder.gold import Gold
from tertium.preorder.model import check_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Integers: TypeAlias = NDArray[np.int64]

__all__ = ["MEASURES", "measure_orders"]

#: Measures of permutations that the core computes.
_KERNELS = {
    "tau": "kendall",
    "fuzzy": "fuzzy",
    "hamming": "hamming",
    "spearman": "spearman",
    "ulam": "ulam",
}
MEASURES = (
    "tau",
    "tau-linked",
    "fuzzy",
    "frs",
    "exact",
    "hamming",
    "spearman",
    "ulam",
)

_PAIRS = 1 << 24  # pairs of words that are compared at a time


def measure_orders(
    orders: Sequence[Sequence[int]],
    gold: Sequence[Gold],
    *,
    measures: Sequence[str] = MEASURES,
    threads: int | None = None,
    name: str = "",
) -> Floats:
    """Return the scores of each sentence.

    Parameters
    ----------
    orders : sequence of sequences of int
    gold : sequence of Gold
    measures : sequence of str
    threads : int, optional
    name : str
        The system's name, for messages.

    Returns
    -------
    ndarray of shape (sentences, measures)

    Examples
    --------
    >>> measure_orders([(1, 0, 2)], [Gold((0, 1, 2), (0.0, 0.0, 1.0))],
    ...                measures=["tau", "tau-linked", "exact"]).round(3).tolist()
    [[0.667, 1.0, 0.0]]
    """
    for measure in measures:
        if measure not in MEASURES:
            raise UnknownNameError("measure", measure, MEASURES)
    flat, starts = _flat(orders, gold, name)
    ranks = np.empty_like(flat)
    gold_flat = np.fromiter((i for g in gold for i in g.order), np.int64, len(flat))
    offsets = np.repeat(starts[:-1], np.diff(starts))
    place = np.arange(len(flat)) - offsets
    ranks[gold_flat + offsets] = place
    relative = ranks[flat + offsets]
    perms = None
    out = np.empty((len(gold), len(measures)))
    for column, measure in enumerate(measures):
        if measure == "frs":
            out[:, column] = _frs(relative, place, starts)
        elif measure == "exact":
            out[:, column] = _share(relative == place, starts) == 1.0
        elif measure == "tau-linked":
            out[:, column] = _tau_linked(flat + offsets, gold, starts)
        else:
            perms = perms or _permutations(relative, starts)
            kernel = _core.order(_KERNELS[measure])
            out[:, column] = kernel.permutation_rows(perms, threads or 0)[:, 0]
    out[np.diff(starts) < 2] = 1.0
    return out


def _flat(
    orders: Sequence[Sequence[int]], gold: Sequence[Gold], name: str
) -> tuple[Integers, Integers]:
    """Return all orders in one array, and where each begins."""
    whose = f"system {name!r}" if name else "the system"
    if len(orders) != len(gold):
        raise InputError(
            f"{whose} has orders of {len(orders):,} sentences, there are "
            f"{len(gold):,}; give one order per sentence"
        )
    checked = []
    for index, (order, right) in enumerate(zip(orders, gold, strict=True)):
        try:
            checked.append(check_order(order, len(right.order)))
        except (InputError, TypeError) as error:
            raise InputError(f"{whose}, sentence {index}: {error}") from None
    starts = np.fromiter(
        accumulate(map(len, checked), initial=0), np.int64, len(gold) + 1
    )
    flat = np.fromiter((i for order in checked for i in order), np.int64, starts[-1])
    return flat, starts


def _permutations(relative: Integers, starts: Integers) -> _core.Permutations:
    values, ends = relative.tolist(), starts.tolist()
    return _core.Permutations([values[a:b] for a, b in pairwise(ends)], 0)


def _share(hits: NDArray[np.bool_], starts: Integers) -> Floats:
    """Return the share of hits in every sentence; 1 without words."""
    sums = np.concatenate([[0], np.cumsum(hits)])
    sizes = np.diff(starts)
    share: Floats = np.where(
        sizes > 0, (sums[starts[1:]] - sums[starts[:-1]]) / np.maximum(sizes, 1), 1.0
    )
    return share


def _frs(relative: Integers, place: Integers, starts: Integers) -> Floats:
    """Return 1 - breaks / (n + 1); both ends of a sentence can be breaks."""
    sizes = np.diff(starts)
    before = np.concatenate([[-1], relative[:-1]])
    before[place == 0] = -1
    breaks = np.bincount(
        np.repeat(np.arange(len(sizes)), sizes),
        relative - before != 1,
        minlength=len(sizes),
    )
    full = sizes > 0
    breaks[full] += relative[starts[1:][full] - 1] != sizes[full] - 1
    score: Floats = 1 - breaks / (sizes + 1)
    return score


def _tau_linked(words: Integers, gold: Sequence[Gold], starts: Integers) -> Floats:
    """Return tau over linked words, ties correct; O(n²), all lengths in batches."""
    positions = np.fromiter(
        (np.nan if p is None else p for g in gold for p in g.positions),
        np.float64,
        len(words),
    )
    ordered = positions[words]
    linked = ~np.isnan(ordered)
    ordered = ordered[linked]
    sums = np.concatenate([[0], np.cumsum(linked)])
    starts = sums[starts]
    sizes = np.diff(starts)
    score = np.ones(len(gold))
    for size in np.unique(sizes[sizes > 1]).tolist():
        first, second = np.triu_indices(size, 1)
        which = np.flatnonzero(sizes == size)
        for part in np.array_split(which, 1 + len(which) * len(first) // _PAIRS):
            values = ordered[starts[part][:, None] + np.arange(size)]
            score[part] = np.mean(values[:, first] <= values[:, second], axis=1)
    return score
