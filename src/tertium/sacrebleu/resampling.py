# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's samples, and scores of resampled test sets in single precision.

sacreBLEU samples with NumPy's default generator, adds statistics as 32-bit floats,
segment after segment, and (with NumPy 2) also computes most of the score in 32
bits. The scores here have the same bits, but come from matrix products.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.metrics.bleu import Bleu
from tertium.metrics.chrf import Chrf
from tertium.sacrebleu.scores import brevity_penalty, geometric_mean

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.metrics import Metric

    Rows: TypeAlias = NDArray[np.float64]
    Singles: TypeAlias = NDArray[np.float32]
    #: With 32 or 64 bits.
    Floats: TypeAlias = NDArray[np.floating]

__all__ = [
    "bleu_scores",
    "coins",
    "exact_interval",
    "interval",
    "resampled_sums",
    "single_scores",
    "whole_numbers",
]

_CELLS = 1 << 22  # sampled at a time: 32 MB of indices
_EXACT = 1 << 24  # up to here 32-bit floats add integers without error


def resampled_sums(
    tables: Sequence[Rows], *, resamples: int, generator: np.random.Generator
) -> list[Singles]:
    """Return the sums of resampled statistics, with the same samples for all tables.

    Parameters
    ----------
    tables : sequence of ndarray of shape (segments, statistics)
    resamples : int
    generator : numpy.random.Generator

    Returns
    -------
    list of ndarray of shape (resamples, statistics)
    """
    size = len(tables[0])
    exact = [whole_numbers(one) and size * one.max() < _EXACT for one in tables]
    sums = [np.empty((resamples, one.shape[1]), np.float32) for one in tables]
    step = max(1, _CELLS // size)
    for start in range(0, resamples, step):
        count = min(step, resamples - start)
        drawn = generator.choice(size, size=(count, size), replace=True)
        weights = _weights(drawn)
        for table, total, sure in zip(tables, sums, exact, strict=True):
            block = weights @ table if sure else _add_singly(table, drawn)
            total[start : start + count] = block
    return sums


def coins(
    trials: int, size: int, *, generator: np.random.Generator, at_once: bool
) -> Iterator[NDArray[np.bool_]]:
    """Yield the tosses that swap segments, in blocks of trials or all at once."""
    step = trials
    if not at_once:
        # The generator makes 32 tosses from one number and drops the rest, so only
        # blocks of 32 rows continue the stream like a single call.
        step = max(32, _CELLS // size // 32 * 32)
    for start in range(0, trials, step):
        shape = (min(step, trials - start), size)
        yield generator.integers(2, size=shape, dtype=np.bool_)


def whole_numbers(table: Rows) -> bool:
    """Return whether all statistics are integers (TER's mean lengths may not be)."""
    return bool((table == np.rint(table)).all())


def _weights(drawn: NDArray[np.int64]) -> Rows:
    """Return how often each segment is in each resample."""
    count, size = drawn.shape
    cells = drawn + np.arange(count)[:, None] * size
    weights = np.bincount(cells.ravel(), minlength=count * size)
    return weights.reshape(count, size).astype(np.float64)


def _add_singly(table: Rows, drawn: NDArray[np.int64]) -> Singles:
    """Return the sums with sacreBLEU's rounding after each segment."""
    singles = table.astype(np.float32)
    step = max(1, _CELLS // (drawn.shape[1] * table.shape[1]))
    blocks = range(0, len(drawn), step)
    return np.concatenate([singles[drawn[i : i + step]].sum(axis=1) for i in blocks])


def single_scores(metric: Metric, sums: Singles) -> Floats:
    """Return the scores of sums of statistics, computed in 32 bits."""
    if isinstance(metric, Bleu):
        return bleu_scores(sums, metric)
    if isinstance(metric, Chrf):
        return _chrf_scores(sums, metric)
    return _ter_scores(sums)


def bleu_scores(sums: Floats, metric: Bleu) -> Rows:
    """Return BLEU of each row; see :func:`tertium.sacrebleu.scores.bleu_parts`.

    The precisions have as many bits as the sums, the logarithms always 64. They
    come from `math`, as NumPy's differ in the last bit between machines.
    """
    order = metric.max_ngram_order
    matches, totals = sums[:, 2 : 2 + order].copy(), sums[:, 2 + order :].copy()
    some = matches.any(axis=1)
    if metric.smooth_method == "add-k":
        matches[:, 1:] += metric.smooth_value or 0.0
        totals[:, 1:] += metric.smooth_value or 0.0
    precisions = np.where(some[:, None], _precisions(matches, totals, metric), 0.0)
    lengths = sums[:, :2].tolist()
    return np.array(
        [
            brevity_penalty(*pair) * geometric_mean(row)
            for pair, row in zip(lengths, precisions.tolist(), strict=True)
        ]
    )


def _precisions(matches: Floats, totals: Floats, metric: Bleu) -> Floats:
    smoothed = np.zeros_like(totals)
    with np.errstate(divide="ignore", invalid="ignore"):
        precisions = 100.0 * matches / totals
        if metric.smooth_method == "exp":
            missed = np.cumsum(matches == 0, axis=1)
            smoothed = 100.0 / ((2.0**missed).astype(totals.dtype) * totals)
        elif metric.smooth_method == "floor":
            smoothed = (100.0 * (metric.smooth_value or 0.0)) / totals
    reached = np.logical_and.accumulate(totals != 0, axis=1)
    chosen: Floats = np.where(matches == 0, smoothed, precisions)
    return np.where(reached, chosen, np.zeros_like(chosen))


def _chrf_scores(sums: Singles, metric: Chrf) -> Floats:
    hyp, ref, match = (sums[:, i::3].T for i in range(3))
    factor = np.float32(metric.beta**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision, recall = match / hyp, match / ref
        if metric.eps_smoothing:
            return _chrf_with_epsilon(hyp, ref, precision, recall, factor)
        used = (hyp > 0) & (ref > 0)
        count = used.sum(axis=0).astype(np.float32)
        p, r = (_add(np.where(used, x, 0)) / count for x in (precision, recall))
        score = 100 * ((1 + factor) * p * r / (factor * p + r))
    # Zeros are Python's floats there, and turn all scores into 64 bits.
    none = ~(p + r > 0)
    return np.where(none, 0.0, score.astype(np.float64)) if none.any() else score


def _chrf_with_epsilon(
    hyp: Singles, ref: Singles, precision: Singles, recall: Singles, factor: np.float32
) -> Floats:
    epsilon = np.float32(1e-16)
    precision = np.where(hyp > 0, precision, epsilon)
    recall = np.where(ref > 0, recall, epsilon)
    below = factor * precision + recall
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = (1 + factor) * precision * recall / below
    total = 100 * _add(np.where(below > 0, terms, epsilon))
    score: Singles = total / np.float32(len(hyp))
    # A score of epsilons only is Python's, and again turns all into 64 bits.
    known = (below > 0) & ((hyp > 0) | (ref > 0))
    return score if known.any(axis=0).all() else score.astype(np.float64)


def _add(terms: Singles) -> Singles:
    """Return the sum over orders, rounded after each."""
    total: Singles = np.zeros_like(terms[0])
    for term in terms:
        total += term
    return total


def _ter_scores(sums: Singles) -> Floats:
    edits, length = sums[:, 0], sums[:, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        score = 100 * (edits / length)
    empty = length <= 0
    if not empty.any():
        return score
    return np.where(empty, np.where(edits > 0, 100.0, 0.0), score.astype(np.float64))


def interval(scores: Floats) -> tuple[float, float]:
    """Return the mean and half the width of the 95 % interval, as in the tests.

    The mean is that of the sorted scores, which affects its last digit.
    """
    ordered = np.sort(scores)
    cut = len(ordered) // 40
    half = 0.5 * (ordered[len(ordered) - cut - 1] - ordered[cut])
    return float(ordered.mean()), float(half)


def exact_interval(scores: Floats) -> tuple[float, float]:
    """Return the same as for ``-ci``, with a mean that is rounded only once."""
    mean = math.fsum(scores.tolist()) / len(scores)
    return float(scores.dtype.type(mean)), interval(scores)[1]
