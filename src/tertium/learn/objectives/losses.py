# SPDX-License-Identifier: Apache-2.0
"""Losses on values: of pairs of candidates, and of pairs of corpora.

Each returns the loss and its exact derivative, never that of parameters (see
:mod:`tertium.learn.objectives.forms`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.errors import InputError, UnknownNameError
from tertium.learn.scalers import sigmoid

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.learn.examples import Examples, SystemPairs

    Rows: TypeAlias = NDArray[np.float64]
    Numbers: TypeAlias = NDArray[np.int64]

__all__ = ["PAIR_LOSSES", "Corpora", "accuracy", "pair_loss", "scatter", "tau"]

#: By name: of a difference Δ = value of the better - value of the worse.
PAIR_LOSSES = ("logistic", "svm", "margin")


def pair_loss(kind: str, differences: Rows) -> tuple[Rows, Rows]:
    """Return the loss of every difference, and its derivative.

    Parameters
    ----------
    kind : str
        ``logistic``: log(1 + e^-Δ), also that of RankNet; ``svm``: max(0, 1 - Δ)²;
        ``margin``: max(0, 1 - Δ).
    differences : ndarray
    """
    if kind == "logistic":
        return np.logaddexp(0.0, -differences), -sigmoid(-differences)
    short = np.maximum(0.0, 1.0 - differences)
    if kind == "svm":
        return short * short, -2.0 * short
    if kind == "margin":
        return short, np.where(short > 0, -1.0, 0.0)
    raise UnknownNameError("loss of pairs", kind, PAIR_LOSSES)


def scatter(examples: Examples, slopes: Rows) -> Rows:
    """Return the derivative by the value of every candidate, given that by Δ."""
    size = len(examples.features)
    up = np.bincount(examples.better, weights=slopes, minlength=size)
    down = np.bincount(examples.worse, weights=slopes, minlength=size)
    slope: Rows = np.asarray(up - down, dtype=np.float64)
    return slope


def tau(differences: Rows, weights: Rows | None = None) -> float:
    """Return (concordant - discordant) / pairs; ties are neither, but pairs (WMT14)."""
    if not len(differences):
        raise InputError("tau needs at least one pair; give held-out pairs")
    share = np.ones(len(differences)) if weights is None else weights
    return float((np.sign(differences) * share).sum() / share.sum())


def accuracy(differences: Rows, weights: Rows | None = None) -> float:
    """Return the share of pairs in the right order; a tie is wrong."""
    if not len(differences):
        raise InputError("accuracy needs at least one pair; give held-out pairs")
    share = np.ones(len(differences)) if weights is None else weights
    return float(((differences > 0) * share).sum() / share.sum())


class Corpora:
    """Pairs of corpora, whose score is the mean of σ(value).

    L = mean over pairs of max(0, Δ_human - Δ_corp). A corpus in many pairs is averaged
    once.
    """

    def __init__(self, systems: SystemPairs, candidates: int) -> None:
        places: dict[bytes, int] = {}
        distinct: list[Numbers] = []

        def place(rows: Numbers) -> int:
            numbers = np.ascontiguousarray(rows, dtype=np.int64)
            if numbers.min() < 0 or numbers.max() >= candidates:
                raise InputError(
                    f"a corpus of the system pairs names a row outside 0 to "
                    f"{candidates - 1}; give features of all its segments"
                )
            if numbers.tobytes() not in places:
                places[numbers.tobytes()] = len(distinct)
                distinct.append(numbers)
            return places[numbers.tobytes()]

        self._better = np.array([place(rows) for rows in systems.better], np.int64)
        self._worse = np.array([place(rows) for rows in systems.worse], np.int64)
        self._margin = systems.margin
        self._sizes = np.array([len(rows) for rows in distinct])
        self._rows = np.concatenate(distinct) if distinct else np.zeros(0, np.int64)
        self._starts = np.concatenate([[0], np.cumsum(self._sizes)[:-1]]).astype(int)
        self._candidates = candidates

    def scores(self, values: Rows) -> Rows:
        """Return the score of every distinct corpus."""
        scores = sigmoid(values)[self._rows]
        means: Rows = np.add.reduceat(scores, self._starts) / self._sizes
        return means

    def differences(self, values: Rows) -> Rows:
        """Return the difference in score of every pair."""
        scores = self.scores(values)
        return scores[self._better] - scores[self._worse]

    def loss(self, values: Rows) -> tuple[float, Rows]:
        """Return the loss, and its derivative by the value of every candidate."""
        short = self._margin - self.differences(values)
        active = (short > 0).astype(np.float64)
        pairs = len(short)
        # by the score of a corpus, then of a segment, then of its value: s (1 - s)
        count = len(self._sizes)
        by_corpus = np.bincount(self._worse, weights=active, minlength=count)
        by_corpus -= np.bincount(self._better, weights=active, minlength=count)
        by_segment = np.repeat(by_corpus / (self._sizes * pairs), self._sizes)
        scores = sigmoid(values)
        by_row = np.bincount(self._rows, weights=by_segment, minlength=self._candidates)
        return float(np.maximum(short, 0).sum() / pairs), by_row * scores * (1 - scores)

    @property
    def rows(self) -> Numbers:
        """The rows of all distinct corpora, one after the other."""
        return self._rows
