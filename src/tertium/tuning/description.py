# SPDX-License-Identifier: Apache-2.0
"""What n-best lists are like: sizes, lengths, diversity, features."""

from __future__ import annotations

import json
import statistics
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from tertium._seed import SEED
from tertium._version import __version__
from tertium.errors import InputError
from tertium.tuning.lists import NBestList
from tertium.tuning.merging import repeated
from tertium.tuning.oracle import OnProgress, Oracle

__all__ = ["Description", "Feature", "describe"]

_ORDERS = 4  # of n-grams
_BATCH = 10_000  # pairs that are compared at once


@dataclass(frozen=True)
class Feature:
    """The values of a feature over all hypotheses.

    Parameters
    ----------
    name : str
    mean, deviation, low, high : float
    varying : float
        The share of lists in which the feature tells hypotheses apart. A feature that
        never does cannot be tuned.
    """

    name: str
    mean: float
    deviation: float
    low: float
    high: float
    varying: float


@dataclass(frozen=True)
class Description:
    """A summary of n-best lists.

    Parameters
    ----------
    lists, hypotheses : int
    distinct : int
        Different texts, counted list by list.
    duplicates : int
        Hypotheses with the text and the features of an earlier one in their list.
    size_min, size_median, size_mean, size_max : float
        Hypotheses per list.
    words : float
        Per hypothesis, separated by white space.
    references : int
        Lists that have any.
    length_ratio, first_length_ratio : float, optional
        Words of all hypotheses, and of the first ones, per word of the references
        (their mean where there are several). None without references.
    distinct_ngrams : tuple of float
        Different n-grams per n-gram of a list for n from 1 to 4, the mean of lists (Li
        et al. 2016, A Diversity-Promoting Objective Function). 0 where there are none.
    similarity : float, optional
        The mean chrF of two hypotheses of a list, of `pairs` pairs sampled with `seed`.
        None if no list has two hypotheses.
    pairs, seed : int
    scored : int
        Lists with scores.
    features : tuple of Feature
    oracle : Oracle, optional
    """

    lists: int
    hypotheses: int
    distinct: int
    duplicates: int
    size_min: int
    size_median: float
    size_mean: float
    size_max: int
    words: float
    references: int
    length_ratio: float | None
    first_length_ratio: float | None
    distinct_ngrams: tuple[float, ...]
    similarity: float | None
    pairs: int
    seed: int
    scored: int
    features: tuple[Feature, ...]
    oracle: Oracle | None = None

    def to_dict(self) -> dict[str, object]:
        """Return the description as plain data."""
        whole = {"tertium": __version__, **asdict(replace(self, oracle=None))}
        whole["oracle"] = None if self.oracle is None else self.oracle.to_dict()
        return whole

    def to_json(self) -> str:
        """Return the description as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)


def describe(
    lists: Iterable[NBestList],
    *,
    pairs: int = 10,
    seed: int = SEED,
    threads: int | None = None,
    progress: OnProgress | None = None,
) -> Description:
    """Return a summary of n-best lists.

    Parameters
    ----------
    lists : iterable of NBestList
        May be a stream; texts are not kept.
    pairs : int
        How many pairs of hypotheses to sample per list, for their similarity.
    seed : int
        Of that sample.
    threads : int, optional
    progress : callable, optional

    Returns
    -------
    Description
        Without an oracle; see :func:`tertium.tuning.oracle.oracle`.

    Examples
    --------
    >>> made = NBestList("0", ["a b", "a c", "a b"], (), np.zeros((3, 0)))
    >>> result = describe([made])
    >>> result.hypotheses, result.distinct, result.distinct_ngrams[:2]
    (3, 2, (0.5, 0.6666666666666666))
    """
    counts = _Counts(pairs, seed, threads)
    for each in lists:
        counts.add(each)
        if progress is not None:
            progress("lists", len(counts.sizes), None)
    if not counts.sizes:
        raise InputError("no n-best lists; give at least one")
    return counts.description()


class _Counts:
    """Everything that is counted, list by list."""

    def __init__(self, pairs: int, seed: int, threads: int | None) -> None:
        self.sizes: list[int] = []
        self.distinct = self.duplicates = self.referenced = self.scored = 0
        self.words = 0
        # Where there are references: words of all hypotheses and as many references,
        # words of first hypotheses and of references.
        self.lengths = np.zeros(4)
        self.ngrams = np.zeros(_ORDERS)
        self.similarity = _Similarity(pairs, seed, threads)
        self.seed = seed
        self.features = _Features()

    def add(self, made: NBestList) -> None:
        """Count a list."""
        self.sizes.append(len(made))
        self.distinct += len(set(made.texts))
        self.duplicates += repeated(made)
        self.scored += made.scores is not None
        words = [text.split() for text in made.texts]
        lengths = [len(each) for each in words]
        self.words += sum(lengths)
        if made.references:
            self.referenced += 1
            ref = statistics.mean(len(text.split()) for text in made.references)
            self.lengths += (sum(lengths), ref * len(made), lengths[0], ref)
        self.ngrams += _distinct_ngrams(words)
        self.similarity.add(made.texts)
        self.features.add(made)

    def description(self) -> Description:
        """Return what was counted."""
        hypotheses = sum(self.sizes)
        similarity, pairs = self.similarity.mean()
        return Description(
            lists=len(self.sizes),
            hypotheses=hypotheses,
            distinct=self.distinct,
            duplicates=self.duplicates,
            size_min=min(self.sizes),
            size_median=float(statistics.median(self.sizes)),
            size_mean=hypotheses / len(self.sizes),
            size_max=max(self.sizes),
            words=self.words / hypotheses,
            references=self.referenced,
            length_ratio=_ratio(*self.lengths[:2]),
            first_length_ratio=_ratio(*self.lengths[2:]),
            distinct_ngrams=tuple((self.ngrams / len(self.sizes)).tolist()),
            similarity=similarity,
            pairs=pairs,
            seed=self.seed,
            scored=self.scored,
            features=self.features.all(),
        )


class _Similarity:
    """The mean chrF of sampled pairs of hypotheses."""

    def __init__(self, pairs: int, seed: int, threads: int | None) -> None:
        self.size = pairs
        self.generator = np.random.default_rng(seed)
        self.threads = threads
        self.pending: list[tuple[str, str]] = []
        self.scores = array("d")

    def add(self, texts: Sequence[str]) -> None:
        """Sample pairs of different places in a list; the same pair may come again."""
        if len(texts) < 2:
            return
        first = self.generator.integers(len(texts), size=self.size)
        # One of the other places, each with the same chance.
        second = (first + self.generator.integers(1, len(texts), size=self.size)) % len(
            texts
        )
        self.pending += [
            (texts[i], texts[j]) for i, j in zip(first, second, strict=True)
        ]
        if len(self.pending) >= _BATCH:
            self._score()

    def mean(self) -> tuple[float | None, int]:
        """Return the mean similarity, and of how many pairs."""
        self._score()
        if not self.scores:
            return None, 0
        return statistics.fmean(self.scores), len(self.scores)

    def _score(self) -> None:
        from tertium.metrics import metric

        if self.pending:
            hyps, refs = zip(*self.pending, strict=True)
            scores = metric("chrf").segment_scores(hyps, refs, threads=self.threads)
            self.scores.extend(scores.tolist())
            self.pending = []


class _Features:
    """Moments and ranges of features."""

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()
        self.lists = self.count = 0

    def add(self, made: NBestList) -> None:
        """Count the values of a list."""
        table = made.features
        if not self.lists:
            self.names = made.names
            self.shift = table[0].copy()  # Squares of large values would lose digits.
            self.sums = np.zeros((2, len(self.names)))
            self.low, self.high = self.shift.copy(), self.shift.copy()
            self.varying = np.zeros(len(self.names))
        centred = table - self.shift
        self.sums += (centred.sum(axis=0), (centred**2).sum(axis=0))
        low, high = table.min(axis=0), table.max(axis=0)
        self.varying += low < high
        self.low, self.high = np.minimum(self.low, low), np.maximum(self.high, high)
        self.lists += 1
        self.count += len(made)

    def all(self) -> tuple[Feature, ...]:
        """Return every feature."""
        mean = self.sums[0] / self.count
        deviation = np.sqrt(np.maximum(self.sums[1] / self.count - mean**2, 0.0))
        columns = (mean + self.shift, deviation, self.low, self.high)
        shares = self.varying / self.lists
        values = zip(*(each.tolist() for each in (*columns, shares)), strict=True)
        return tuple(
            Feature(name, *row) for name, row in zip(self.names, values, strict=True)
        )


def _distinct_ngrams(texts: Sequence[Sequence[str]]) -> list[float]:
    """Return the different n-grams per n-gram of texts, for every order."""
    shares = []
    for order in range(1, _ORDERS + 1):
        ngrams = [
            each
            for words in texts
            for each in zip(*(words[start:] for start in range(order)), strict=False)
        ]
        shares.append(len(set(ngrams)) / len(ngrams) if ngrams else 0.0)
    return shares


def _ratio(over: float, under: float) -> float | None:
    return float(over / under) if under else None
