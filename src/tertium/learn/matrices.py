# SPDX-License-Identifier: Apache-2.0
"""From texts to matrices: every text with its reference becomes one row of features.

Equal texts with equal references share a row. A text with several references has a row
for each; its pairs are compared by each of them and share their weight, and a corpus
holds all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._executor import spread
from tertium.learn.examples import Examples, NBest, SystemPairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.cache import Cache
    from tertium.learn.pairs import Corpora, Pairs
    from tertium.learn.profile import Profile
    from tertium.stats.resample import Report

    Numbers: TypeAlias = NDArray[np.int64]
    Rows: TypeAlias = NDArray[np.float64]

__all__ = ["TextRows", "nbest_rows", "pair_features"]

_PART = 2000  # texts whose features are computed between two reports of progress


def _features(
    profile: Profile, threads: int | None, texts: Sequence[tuple[str, str]]
) -> Rows:
    """Return the features of texts, each with its reference."""
    hyps, refs = [hyp for hyp, _ in texts], [ref for _, ref in texts]
    return profile.features(hyps, refs, threads=threads)


def _cached_features(
    cache: Cache,
    key: bytes,
    profile: Profile,
    threads: int | None,
    texts: Sequence[tuple[str, str]],
) -> Rows:
    """Return the features of texts, computed where a cache does not have them."""
    from tertium.cache import NoKeyError, cached_rows, segment_digests

    try:
        _, (digests,) = segment_digests(
            [[t for t, _ in texts]], [[r] for _, r in texts]
        )
    except NoKeyError:
        return _features(profile, threads, texts)
    return cached_rows(
        cache,
        "features",
        key,
        digests,
        len(profile.names),
        lambda places: _features(profile, threads, [texts[i] for i in places]),
    )


def _feature_work(
    profile: Profile, threads: int | None
) -> Callable[[Sequence[tuple[str, str]]], Rows]:
    """Return what makes features of texts, with the cache that a user names."""
    from tertium.cache import named_cache

    cache = named_cache()
    if cache is not None:
        from tertium.learn.keys import profile_key

        if key := profile_key(profile):
            return partial(_cached_features, cache, key, profile, threads)
    return partial(_features, profile, threads)


def pair_features(
    texts: Sequence[tuple[str, str]],
    profile: Profile,
    *,
    threads: int | None = None,
    progress: Report | None = None,
) -> Rows:
    """Return the features of texts with one reference each, part after part."""
    starts = range(0, max(1, len(texts)), _PART)
    work = _feature_work(profile, threads)
    # One matrix, filled part by part: no second copy when all are there.
    matrix: Rows | None = None
    results = spread(work, (texts[i : i + _PART] for i in starts))
    for start, rows in zip(starts, results, strict=True):
        if matrix is None:
            matrix = np.empty((len(texts), rows.shape[1]))
        matrix[start : start + len(rows)] = rows
        if progress:
            progress("texts", min(start + _PART, len(texts)), len(texts))
    return np.empty((0, 0)) if matrix is None else matrix


class TextRows:
    """Numbers for texts with their references, and the features of all of them."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], int] = {}

    def __len__(self) -> int:
        return len(self._known)

    def add(
        self, hyps: Sequence[str], refs: Sequence[Sequence[str]]
    ) -> list[list[int]]:
        """Return the rows of every text, one for each reference."""
        known = self._known
        return [
            [known.setdefault((hyp, ref), len(known)) for ref in own_refs]
            for hyp, own_refs in zip(hyps, refs, strict=True)
        ]

    def features(
        self,
        profile: Profile,
        *,
        threads: int | None = None,
        progress: Report | None = None,
    ) -> Rows:
        """Return the features of all rows so far.

        Parameters
        ----------
        profile : Profile
        threads : int, optional
        progress : callable, optional
            Called with "texts", how many have features, and how many there are.

        Where ``TERTIUM_CACHE`` names a folder, features are kept there.
        """
        return pair_features(
            list(self._known), profile, threads=threads, progress=progress
        )

    def examples(self, parts: Sequence[Pairs]) -> Examples:
        """Return pairs of rows, with a group for every part and no features yet.

        The features are given with :meth:`Examples.with_features`.
        """
        better: list[int] = []
        worse: list[int] = []
        weights: list[float] = []
        group: list[int] = []
        for number, part in enumerate(parts):
            rows = self.add(part.hyps, part.refs)
            for b, w in zip(part.better.tolist(), part.worse.tolist(), strict=True):
                better += rows[b]
                worse += rows[w]
                weights += [1 / len(rows[b])] * len(rows[b])
                group += [number] * len(rows[b])
        return Examples(
            np.empty((len(self), 0)),
            np.array(better, dtype=np.int64),
            np.array(worse, dtype=np.int64),
            np.array(weights, dtype=np.float64),
            tuple(part.name for part in parts) or ("none",),
            np.array(group, dtype=np.int64),
        )

    def system_pairs(self, corpora: Sequence[Corpora]) -> SystemPairs:
        """Return every two systems of a source that judges distinguish."""
        better: list[Numbers] = []
        worse: list[Numbers] = []
        margin: list[float] = []
        for corpus in corpora:
            rows = {
                name: np.array([*chain(*self.add(hyps, corpus.refs))], dtype=np.int64)
                for name, hyps in corpus.systems.items()
            }
            for one in rows:
                for other in rows:
                    gap = corpus.human[one] - corpus.human[other]
                    if gap > 0:
                        better.append(rows[one])
                        worse.append(rows[other])
                        margin.append(gap)
        return SystemPairs(better, worse, np.array(margin))


def nbest_rows(
    lists: Sequence[tuple[Sequence[Sequence[str]], Sequence[str]]],
    profile: Profile,
    *,
    threads: int | None = None,
) -> NBest:
    """Return the features of n-best lists.

    Parameters
    ----------
    lists : sequence of (candidates, references)
        Of every file: the candidates of each sentence, and its reference.
    profile : Profile
    threads : int, optional
    """
    pairs: list[tuple[str, str]] = []
    starts: list[int] = []
    for candidates, references in lists:
        for texts, ref in zip(candidates, references, strict=True):
            if texts:
                starts.append(len(pairs))
                pairs += [(text, ref) for text in texts]
    return NBest(pair_features(pairs, profile, threads=threads), np.array(starts))
