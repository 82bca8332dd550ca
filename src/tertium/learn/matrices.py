# SPDX-License-Identifier: Apache-2.0
"""From texts to matrices: every text with its reference becomes one row of features.

Equal texts with equal references share a row. A text with several references has a row
for each; its pairs are compared by each of them and share their weight, and a corpus
holds all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._executor import elsewhere, spread
from tertium.data.kept import Lazy, large_matrix
from tertium.learn.distinct import Distinct, digests, first_places
from tertium.learn.examples import Examples, NBest, SystemPairs
from tertium.learn.keys import profile_key, profile_resources
from tertium.metrics.origin import check_resources

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


def _sent_features(
    profile: Profile,
    resources: Mapping[str, str],
    work: Callable[[Sequence[tuple[str, str]]], Rows],
    texts: Sequence[tuple[str, str]],
) -> Rows:
    """Return the features of texts, which may be computed on another machine."""
    check_resources(resources, profile_resources(profile) or {}, profile.name)
    return work(texts)


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
    work = partial(_features, profile, threads)
    if cache is not None and (key := profile_key(profile)):
        work = partial(_cached_features, cache, key, profile, threads)
    if elsewhere() and (resources := profile_resources(profile)):
        return partial(_sent_features, profile, dict(resources), work)
    return work


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
            matrix = large_matrix(len(texts), rows.shape[1])
        matrix[start : start + len(rows)] = rows
        if progress:
            progress("texts", min(start + _PART, len(texts)), len(texts))
    return np.empty((0, 0)) if matrix is None else matrix


class TextRows:
    """Numbers for texts with their references, and the features of all of them.

    Only places of texts are kept, and 16 bytes to tell each from others.
    """

    def __init__(self) -> None:
        self._known = Distinct()
        self._texts: list[Sequence[tuple[str, str]]] = []

    def __len__(self) -> int:
        return len(self._known)

    def add(
        self, hyps: Sequence[str], refs: Sequence[Sequence[str]]
    ) -> tuple[Numbers, Numbers]:
        """Return the rows of all texts, one for each reference, and how many each has.

        Rows of a text are next to each other, in the order of its references.
        """
        counts = np.fromiter(map(len, refs), np.int64, len(refs))
        flat = (
            (hyp, ref)
            for hyp, own_refs in zip(hyps, refs, strict=True)
            for ref in own_refs
        )
        before = len(self._known)
        rows = self._known.add(digests(flat))
        new = first_places(rows, before)
        text = np.repeat(np.arange(len(counts)), counts)[new]
        number = new - (np.cumsum(counts) - counts)[text]

        def pair(place: int) -> tuple[str, str]:
            return hyps[int(text[place])], refs[int(text[place])][int(number[place])]

        self._texts.append(Lazy(len(new), pair))
        return rows, counts

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
        texts = self._texts[0] if len(self._texts) == 1 else self._joined()
        return pair_features(texts, profile, threads=threads, progress=progress)

    def _joined(self) -> Sequence[tuple[str, str]]:
        """Return the texts of all parts as one sequence."""
        ends = np.cumsum([len(texts) for texts in self._texts])

        def text(row: int) -> tuple[str, str]:
            part = int(np.searchsorted(ends, row, side="right"))
            return self._texts[part][row - int(ends[part])]

        return Lazy(len(self), text)

    def examples(self, parts: Sequence[Pairs]) -> Examples:
        """Return pairs of rows, with a group for every part and no features yet.

        The features are given with :meth:`Examples.with_features`.
        """
        columns: list[tuple[Numbers, Numbers, Rows, Numbers]] = []
        for number, part in enumerate(parts):
            rows, counts = self.add(part.hyps, part.refs)
            starts = np.cumsum(counts) - counts
            # Both sides of a pair have the same references.
            size = counts[part.better]
            inside = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
            columns.append(
                (
                    rows[np.repeat(starts[part.better], size) + inside],
                    rows[np.repeat(starts[part.worse], size) + inside],
                    np.repeat(1 / size, size),
                    np.full(len(inside), number),
                )
            )
        none = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
        better, worse, weights, group = map(
            np.concatenate, zip(*(columns or [(*none, none[0])]), strict=True)
        )
        return Examples(
            np.empty((len(self), 0)),
            better,
            worse,
            weights,
            tuple(part.name for part in parts) or ("none",),
            group,
        )

    def system_pairs(self, corpora: Sequence[Corpora]) -> SystemPairs:
        """Return every two systems of a source that judges distinguish."""
        better: list[Numbers] = []
        worse: list[Numbers] = []
        margin: list[float] = []
        for corpus in corpora:
            rows = {
                name: self.add(hyps, corpus.refs)[0]
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
