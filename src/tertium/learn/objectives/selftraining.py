# SPDX-License-Identifier: Apache-2.0
"""Self-training: pairs from n-best lists, labelled by the ranker itself.

People judge good, long outputs of finished systems; a tuner sees others. Two readings
(A15): the thesis adds the ranker's pairs to the human ones (``union``), both released
programs train on the ranker's pairs alone (``self``). Symmetric features are the surer
cure for a bias of length.

A ranker agrees with its own judgements whatever it learns from them, so only people can
tell whether a round did harm: on pairs of theirs that were held out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError, UnknownNameError
from tertium.learn.examples import Examples, NBest, join
from tertium.learn.objectives.linear import Fit
from tertium.learn.objectives.losses import tau
from tertium.learn.scalers import sigmoid

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.learn.rankers import Ranker

    Rows: TypeAlias = NDArray[np.float64]
    Numbers: TypeAlias = NDArray[np.int64]

__all__ = ["MODES", "SAMPLINGS", "sample_pairs", "self_train"]

MODES = ("union", "self")
SAMPLINGS = ("uniform", "weighted", "extremes")

# Rounds and pairs of the originals, by sampling.
_ROUNDS = {"uniform": 1, "weighted": 5, "extremes": 3}
_PAIRS = {"uniform": 60_000, "weighted": 1_500_000, "extremes": 60_000}
#: How much tau on held-out pairs may fall against the ranker of people's pairs alone.
TOLERANCE = 0.01


def self_train(
    human: Examples,
    nbest: NBest,
    fit: Callable[[Examples], Fit],
    *,
    mode: str = "union",
    sampling: str = "uniform",
    rounds: int | None = None,
    pairs: int | None = None,
    valid: Examples | None = None,
    seed: int = SEED,
) -> Fit:
    """Return the ranker after some rounds of training on its own judgements.

    Parameters
    ----------
    human : Examples
        The first ranker is trained on these.
    nbest : NBest
        The same features of unjudged candidates.
    fit : callable
        From examples to a fit: ``lambda e: fit_linear(e, loss="svm")``.
    mode : str
        ``union``: human pairs and the ranker's; ``self``: the ranker's alone.
    sampling : str
        See :func:`sample_pairs`.
    rounds : int, optional
        1 for uniform (thesis), 5 for weighted (1.x), 3 for extremes (2.0).
    pairs : int, optional
        How many pairs to draw; 60,000, or 1,500,000 for weighted.
    valid : Examples, optional
        Pairs of people that no round learns from. A round after which tau on them is
        over 0.01 lower than before the first one is undone, and is the last.
    seed : int
    """
    if mode not in MODES:
        raise UnknownNameError("mode of self-training", mode, MODES)
    if sampling not in SAMPLINGS:
        raise UnknownNameError("sampling of n-best pairs", sampling, SAMPLINGS)
    count = _ROUNDS[sampling] if rounds is None else rounds
    if count < 0:
        raise InputError(f"{count} rounds of self-training; give 0 or more")
    wanted = _PAIRS[sampling] if pairs is None else pairs
    best = fit(human)
    taus = [] if valid is None else [_tau(best.ranker, valid)]
    kept = 0
    for done in range(count):
        sampled = sample_pairs(
            best.ranker, nbest, sampling=sampling, pairs=wanted, seed=seed + done
        )
        later = fit(join(human, sampled) if mode == "union" else sampled)
        if valid is not None:
            taus.append(_tau(later.ranker, valid))
            if taus[-1] < taus[0] - TOLERANCE:
                break
        best, kept = later, done + 1
    record: dict[str, object] = {
        "mode": mode,
        "sampling": sampling,
        "rounds": count,
        "kept": kept,
        "pairs": wanted,
        "lists": len(nbest.starts),
        "seed": seed,
    }
    if valid is not None:
        record |= {"held_out_pairs": len(valid), "held_out_tau": taus}
    return Fit(best.ranker, best.record | {"self_training": record})


def _tau(ranker: Ranker, pairs: Examples) -> float:
    return tau(pairs.differences(ranker.raw(pairs.features)), pairs.weights)


def sample_pairs(
    ranker: Ranker,
    nbest: NBest,
    *,
    sampling: str = "uniform",
    pairs: int = 60_000,
    seed: int = SEED,
) -> Examples:
    """Return pairs from n-best lists, the higher raw number as the better one.

    Candidates with equal raw numbers make no pair.

    Parameters
    ----------
    ranker : Ranker
    nbest : NBest
    sampling : str
        ``uniform``: two candidates of a random list [T]. ``weighted``: as many pairs
        of every list, weighted by (p - p_min) / p_max, where p = σ(Δ) is how sure the
        ranker is [1.x]. ``extremes``: the K best and K worst of every list, all K²
        pairs, with K = ⌊√⌊pairs / lists⌋⌋ + 1 [2.0].
    pairs : int
    seed : int
    """
    if sampling not in SAMPLINGS:
        raise UnknownNameError("sampling of n-best pairs", sampling, SAMPLINGS)
    if pairs < 1:
        raise InputError(f"{pairs} pairs of n-best lists; draw 1 or more")
    raw = ranker.raw(nbest.features)
    if sampling == "extremes":
        first, second = _extremes(raw, nbest, pairs)
    else:
        first, second = _drawn(nbest, pairs, sampling == "uniform", seed)
    right = raw[first] > raw[second]
    better = np.where(right, first, second)
    worse = np.where(right, second, first)
    told = raw[better] > raw[worse]
    better, worse = better[told], worse[told]
    if not len(better):
        raise InputError(
            "the ranker tells no two candidates of any n-best list apart; give longer "
            "lists"
        )
    weights = np.ones(len(better))
    if sampling == "weighted":
        sure = sigmoid(raw[better] - raw[worse])
        # All equally sure: none is surer than the least sure one, so all count alike.
        if sure.max() > sure.min():
            weights = (sure - sure.min()) / sure.max()
    return Examples(nbest.features, better, worse, weights, ("n-best",))


def _drawn(
    nbest: NBest, pairs: int, uniform: bool, seed: int
) -> tuple[Numbers, Numbers]:
    """Return random pairs of distinct candidates, from random lists or all alike."""
    random = np.random.default_rng(seed)
    sizes = nbest.ends - nbest.starts
    usable = np.flatnonzero(sizes > 1)
    if not len(usable):
        raise InputError("every n-best list has one candidate; give longer lists")
    if uniform:
        lists = usable[random.integers(len(usable), size=pairs)]
    else:
        lists = np.repeat(usable, max(1, pairs // len(usable)))
    first = random.integers(sizes[lists])
    # one of the others: skip the first
    second = random.integers(sizes[lists] - 1)
    second += second >= first
    return nbest.starts[lists] + first, nbest.starts[lists] + second


def _extremes(raw: Rows, nbest: NBest, pairs: int) -> tuple[Numbers, Numbers]:
    """Return all pairs of one of the K best and one of the K worst of every list."""
    ends = math.isqrt(pairs // len(nbest.starts)) + 1
    first: list[Numbers] = []
    second: list[Numbers] = []
    for start, end in zip(nbest.starts.tolist(), nbest.ends.tolist(), strict=True):
        ranked = start + np.argsort(-raw[start:end], kind="stable")
        # In a short list the ends would overlap and every pair be there twice.
        size = min(ends, len(ranked) // 2)
        first.append(np.repeat(ranked[:size], size))
        second.append(np.tile(ranked[len(ranked) - size :], size))
    return np.concatenate(first), np.concatenate(second)
