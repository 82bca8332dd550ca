# SPDX-License-Identifier: Apache-2.0
"""Scores of predicted orders against gold orders.

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

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, combinations, pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium import _core
from tertium._seed import SEED
from tertium.align.links import Links
from tertium.errors import InputError, UnknownNameError
from tertium.preorder.baselines import BASELINES, baseline_orders
from tertium.preorder.gold import Gold, gold_orders
from tertium.preorder.model import check_order
from tertium.preorder.results import OrderScore, OrderScores, PairTest
from tertium.stats.correction import CORRECTIONS, adjust
from tertium.stats.paired import p_value
from tertium.stats.resample import check_run, draw_parts, interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.trees.tree import DependencyTree

    Floats: TypeAlias = NDArray[np.float64]
    Progress: TypeAlias = Callable[[int, int], None]

__all__ = ["MEASURES", "measure_orders", "score_orders"]

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


def score_orders(
    systems: Mapping[str, Sequence[Sequence[int]]],
    sentences: Sequence[Sequence[str]],
    links: Sequence[Links],
    *,
    reduction: str = "mean",
    attach: str = "right",
    backward: Sequence[Links] | None = None,
    measures: Sequence[str] = MEASURES,
    baselines: Sequence[str] = ("identity",),
    trees: Sequence[DependencyTree] | None = None,
    segments: bool = False,
    resamples: int = 1000,
    confidence: float = 0.95,
    correction: str = "holm",
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> OrderScores:
    """Score the orders of systems against the gold orders of word links.

    Parameters
    ----------
    systems : mapping of name to orders
        One order per sentence: source positions, counted from 0, in their new order.
    sentences : sequence of sequences of str
        The source words.
    links : sequence of Links
        Between source and target words, counted from 0.
    reduction, attach, backward
        How links become gold orders; see :func:`tertium.preorder.gold_orders`.
    measures : sequence of str
        Those of the module.
    baselines : sequence of str
        Of ``identity``, ``reverse`` and ``head-final``; scored after the systems, under
        these names.
    trees : sequence of DependencyTree, optional
        Of the sentences, for ``head-final``.
    segments : bool
        Whether to keep the score of each sentence.
    resamples : int
        Of the bootstrap, for intervals and tests; 0 for neither.
    confidence : float
        Of the intervals; 1 minus it is the threshold of the tests.
    correction : {"holm", "bh", "none"}
        For the pairs of systems under one measure.
    seed : int
    threads : int, optional
    progress : callable, optional
        Called with the number of resamples so far, and of all.

    Raises
    ------
    InputError
        If an order does not fit its sentence, with system and index, or settings are
        wrong.

    Examples
    --------
    >>> from tertium.align.pharaoh import parse_pharaoh
    >>> scores = score_orders(
    ...     {"model": [(0, 2, 1)]},
    ...     ["she reads books".split()],
    ...     [parse_pharaoh("0-0 1-2 2-1")],
    ... )
    >>> scores["model"]["tau"].score, round(scores["identity"]["tau"].score, 4)
    (1.0, 0.6667)
    """
    _check_settings(measures, baselines, correction, resamples, confidence, seed)
    gold = gold_orders(
        sentences, links, reduction=reduction, attach=attach, backward=backward
    )
    orders = dict(systems)
    for name in baselines:
        orders.setdefault(name, baseline_orders(sentences, name, trees=trees))
    if not sentences or not orders:
        message = "there is nothing to score; give at least one sentence and one system"
        raise InputError(message)
    table = np.stack(
        [
            measure_orders(
                orders[name], gold, measures=measures, threads=threads, name=name
            )
            for name in orders
        ]
    )
    drawn = None
    if resamples:
        drawn = _resample(table, resamples, seed, threads, progress)
    return OrderScores(
        sentences=len(sentences),
        measures=tuple(measures),
        systems=_scores(orders, measures, table, drawn, confidence, segments),
        pairs=_pairs(list(orders), measures, table, drawn, confidence, correction),
        settings={
            "reduction": reduction,
            "attach": attach,
            "resamples": resamples,
            "confidence": confidence,
            "correction": correction,
            "seed": seed,
        },
    )


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
    flat, starts = _flat(orders, gold, name)
    ranks = np.empty_like(flat)
    gold_flat = np.fromiter((i for g in gold for i in g.order), np.int64, len(flat))
    offsets = np.repeat(starts[:-1], np.diff(starts))
    place = np.arange(len(flat)) - offsets
    ranks[gold_flat + offsets] = place
    relative = ranks[flat + offsets]
    columns = {
        "frs": lambda: _frs(relative, place, starts),
        "exact": lambda: _share(relative == place, starts) == 1.0,
        "tau-linked": lambda: _tau_linked(flat + offsets, gold, starts),
    }
    perms = None
    out = np.empty((len(gold), len(measures)))
    for column, measure in enumerate(measures):
        if measure in columns:
            out[:, column] = columns[measure]()
            continue
        if perms is None:
            values, ends = relative.tolist(), starts.tolist()
            parts = pairwise(ends)
            perms = _core.Permutations([values[a:b] for a, b in parts], 0)
        kernel = _core.order(_KERNELS[measure])
        out[:, column] = kernel.permutation_rows(perms, threads or 0)[:, 0]
    out[np.diff(starts) < 2] = 1.0
    return out


def _flat(
    orders: Sequence[Sequence[int]], gold: Sequence[Gold], name: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
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


def _share(hits: NDArray[np.bool_], starts: NDArray[np.int64]) -> Floats:
    """Return the share of hits in every sentence; 1 without words."""
    sums = np.concatenate([[0], np.cumsum(hits)])
    sizes = np.diff(starts)
    share: Floats = np.where(
        sizes > 0, (sums[starts[1:]] - sums[starts[:-1]]) / np.maximum(sizes, 1), 1.0
    )
    return share


def _frs(
    relative: NDArray[np.int64], place: NDArray[np.int64], starts: NDArray[np.int64]
) -> Floats:
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


def _tau_linked(
    words: NDArray[np.int64], gold: Sequence[Gold], starts: NDArray[np.int64]
) -> Floats:
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


def _resample(
    table: Floats,
    resamples: int,
    seed: int,
    threads: int | None,
    progress: Progress | None,
) -> Floats:
    """Return the mean scores of resampled corpora, (resamples, systems, measures)."""
    systems, sentences, measures = table.shape
    rows = table.transpose(1, 0, 2).reshape(sentences, systems * measures)
    parts = []
    for sums in draw_parts("bootstrap", rows, resamples, seed=seed, threads=threads):
        parts.append(sums.reshape(-1, systems, measures) / sentences)
        if progress:
            progress(sum(map(len, parts)), resamples)
    return np.concatenate(parts)


def _scores(
    names: Mapping[str, object],
    measures: Sequence[str],
    table: Floats,
    drawn: Floats | None,
    confidence: float,
    segments: bool,
) -> dict[str, dict[str, OrderScore]]:
    return {
        name: {
            measure: OrderScore(
                float(table[row, :, column].mean()),
                None
                if drawn is None
                else interval(drawn[:, row, column], confidence=confidence),
                table[row, :, column].tolist() if segments else None,
            )
            for column, measure in enumerate(measures)
        }
        for row, name in enumerate(names)
    }


def _pairs(
    names: Sequence[str],
    measures: Sequence[str],
    table: Floats,
    drawn: Floats | None,
    confidence: float,
    correction: str,
) -> tuple[PairTest, ...]:
    """Return the paired tests of all systems, corrected within each measure."""
    if drawn is None:
        return ()
    tests: list[PairTest] = []
    rows = list(combinations(range(len(names)), 2))
    for column, measure in enumerate(measures):
        results = []
        for a, b in rows:
            observed = float((table[a, :, column] - table[b, :, column]).mean())
            differences = drawn[:, a, column] - drawn[:, b, column]
            p = p_value(differences - observed, observed) if table.shape[1] > 1 else 1.0
            ends = interval(differences, confidence=confidence)
            results.append((observed, ends, p))
        adjusted = adjust([p for *_, p in results], correction)
        for (a, b), (difference, ends, p), corrected in zip(
            rows, results, adjusted, strict=True
        ):
            better = None
            if corrected < 1 - confidence - 1e-12 and difference:
                better = names[a] if difference > 0 else names[b]
            pair = names[a], names[b]
            tests.append(
                PairTest(measure, *pair, difference, ends, p, corrected, better)
            )
    return tuple(tests)


def _check_settings(
    measures: Sequence[str],
    baselines: Sequence[str],
    correction: str,
    resamples: int,
    confidence: float,
    seed: int,
) -> None:
    for kind, names, known in (
        ("measure", measures, MEASURES),
        ("baseline", baselines, BASELINES),
        ("correction", (correction,), CORRECTIONS),
    ):
        for name in names:
            if name not in known:
                raise UnknownNameError(kind, name, known)
    if not measures:
        raise InputError("there is no measure; give at least one")
    check_run(resamples or 1, seed)
    if not 0 < confidence < 1:
        message = f"confidence must be between 0 and 1, not {confidence}"
        raise InputError(message)
