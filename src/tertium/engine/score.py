# SPDX-License-Identifier: Apache-2.0
"""Scores of systems, from lists in memory or from a stream of chunks.

Without intervals, segment or document scores only sums are kept, so memory
does not grow with the test set, and NumPy is not even imported.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from tertium import _core
from tertium._executor import Threads, current, expected_total
from tertium._seed import SEED
from tertium.data.segment_ids import full_ids
from tertium.engine.chunks import ChunkRows, ChunkSums, Place, place_of, texts_of
from tertium.engine.inputs import (
    Systems,
    as_cache,
    as_metrics,
    as_testset,
    fitted_metrics,
    reference_count,
)
from tertium.engine.results import MetricInfo, Score, ScoreTable
from tertium.errors import InputError

if TYPE_CHECKING:
    from os import PathLike

    from tertium._executor import Executor
    from tertium.cache.store import Cache
    from tertium.engine.chunks import Chunk
    from tertium.engine.row_buffer import RowBuffer
    from tertium.metrics import Metric, References

__all__ = ["Progress", "score", "score_stream"]

_RESAMPLES = 1000  # for standard deviations of runs
_CHUNK = 2000  # segments of a test set in memory that go to a process at a time

#: Called with the number of segments done so far, and about how many there are.
Progress: TypeAlias = Callable[[int, "int | None"], None]


def score(
    systems: Systems,
    references: References | None = None,
    *,
    metrics: Sequence[str | Metric] | str | Metric = ("bleu",),
    segments: bool = False,
    documents: bool = False,
    sources: Sequence[str] | None = None,
    docs: Sequence[str] | None = None,
    confidence: float | None = None,
    resamples: int | None = None,
    seed: int = SEED,
    threads: int | None = None,
    executor: Executor | None = None,
    cache: Cache | str | PathLike[str] | None = None,
    data_hash: bool = False,
    runs: Mapping[str, Sequence[str]] | None = None,
) -> ScoreTable:
    """Score one or more systems.

    Parameters
    ----------
    systems : Testset, mapping of name to texts, or list of texts
        One list is one system, called ``system``. Several runs of a system are
        :class:`tertium.Runs` instead of texts.
    references : sequence of str or of sequences of str
        One reference, or several, for every segment; none with a Testset, or if no
        metric needs them.
    metrics : sequence of str
        Spec strings such as ``"bleu"`` or ``"chrf:word_order=2"``.
    segments : bool
        Whether to return the score of every segment too.
    documents : bool
        Whether to return the score of every document too.
    sources, docs : sequence of str, optional
        The source text and the document of every segment.
    confidence : float, optional
        Return bootstrap intervals with this confidence, such as 0.95; whole
        documents are resampled if `documents` is true.
    resamples : int, optional
        For the intervals. By default 1,000, and more for a confidence above 0.99: so
        many that five scores lie beyond each end.
    seed : int
    threads : int, optional
        All cores by default; scores do not depend on it.
    executor : Executor, optional
        Where chunks are scored: :class:`~tertium.engine.Threads` (the default),
        :class:`~tertium.engine.Processes` or :class:`~tertium.cluster.Cluster`; scores
        do not depend on it. By default as :func:`tertium.use` says.
    cache : Cache or path, optional
        Where statistics of segments are kept for the next time; scores do not depend on
        it. By default the folder that ``TERTIUM_CACHE`` names, if any. See
        :class:`tertium.cache.Cache`.
    data_hash : bool
        Whether signatures name the test set by the hash of its references, as
        ``data:8hex``: see :mod:`tertium.data.data_hash`.
    runs : mapping of str to sequence of str, optional
        Which systems of a Testset are runs of one system, by its name. Its score is
        their mean, with standard deviations: see :mod:`tertium.stats.runs`.

    Returns
    -------
    ScoreTable

    Examples
    --------
    >>> import tertium
    >>> tertium.score(["the cat sat down"], ["the cat sat up"], metrics=["wer"])
    system     WER
    system  0.2500
    """
    from tertium.engine.runs import split_runs

    systems, named = split_runs(systems)
    testset = as_testset(
        systems, references, sources=sources, docs=docs, metrics=metrics
    )
    whole = isinstance(executor or current(), Threads)
    return score_stream(
        lambda: [testset] if whole else testset.chunks(_CHUNK),
        metrics=metrics,
        segments=segments,
        documents=documents,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        threads=threads,
        executor=executor,
        cache=cache,
        data_hash=data_hash,
        runs={**named, **(runs or {})},
    )


def score_stream(
    open_chunks: Callable[[], Iterable[Chunk]],
    *,
    metrics: Sequence[str | Metric] | str | Metric,
    segments: bool = False,
    documents: bool = False,
    confidence: float | None = None,
    resamples: int | None = None,
    seed: int = SEED,
    threads: int | None = None,
    executor: Executor | None = None,
    cache: Cache | str | PathLike[str] | None = None,
    data_hash: bool = False,
    progress: Progress | None = None,
    runs: Mapping[str, Sequence[str]] | None = None,
    facts: Mapping[str, str] | None = None,
    hold: Callable[[], Any] = list,
) -> ScoreTable:
    """Score systems whose texts arrive in chunks; see :func:`score`.

    Parameters
    ----------
    open_chunks : callable
        Returns the chunks from the start, as test sets or as slices of files; called
        twice where a metric must see all references first.
    executor, cache, data_hash
        As in :func:`score`.
    progress : callable, optional
        Called after every chunk.
    runs : mapping of str to sequence of str, optional
        As in :func:`score`.
    facts : mapping of str to str, optional
        What signatures say about how the texts were made, such as ``reseg:words``.
    hold : callable
        Returns an empty column for scores, documents and ids of segments: a list, or
        :class:`tertium.data.kept.Kept` on disk.
    """
    if confidence is not None and not 0 < confidence < 1:
        message = f"confidence lies between 0 and 1, not {confidence}; 0.95 is usual"
        raise InputError(message)
    if confidence is not None and resamples is None:
        from tertium.stats.resample import interval_resamples

        resamples = interval_resamples(confidence)
    by_spec = _fit(as_metrics(metrics), open_chunks)
    keep = documents or confidence is not None or bool(runs)
    tallies: dict[str, _Tally] = {}
    counts: set[int] = set()
    layers: set[str] = set()
    names: tuple[str, ...] = ()
    shares: deque[float] = deque()  # of the files that end with a chunk, if known
    docs, ids = hold(), hold()
    digest = None
    if data_hash:
        from tertium.data.data_hash import DataHash

        digest = DataHash()

    def places() -> Iterator[Place]:
        start = 0
        for chunk in open_chunks():
            shares.append(getattr(chunk, "share", 0.0))
            yield place_of(chunk, start)
            start += len(chunk)

    work = (ChunkRows if keep or segments else ChunkSums)(
        by_spec,
        threads=threads,
        docs=documents or segments,
        ids=segments,
        cache=as_cache(cache),
        lines=data_hash,
    )
    done = 0
    for scored in (executor or current()).map(work, places()):
        if documents and scored.segments > len(scored.docs):
            message = "there are no document ids; give one per segment as docs"
            raise InputError(message, options=("docs",))
        names = names or scored.systems
        counts |= scored.references
        layers |= scored.layers
        docs.extend(scored.docs)
        ids.extend(scored.ids)
        if digest is not None:
            digest.add_lines(scored.lines)
        for spec, by_system in scored.statistics.items():
            if spec not in tallies:
                tallies[spec] = _Tally(
                    by_spec[spec],
                    len(names),
                    keep=keep,
                    hold=hold if segments else None,
                )
            tallies[spec].add(by_system)
        done += scored.segments
        share = shares.popleft()
        if progress:
            progress(done, expected_total(done, share))
    if done == 0:
        message = "there are no segments to score; check that the files are not empty"
        raise InputError(message)
    for metric in by_spec.values():
        metric.check_size(done)
    groups = _group(docs) if documents else None
    grouped = None
    if runs:
        from tertium.engine.runs import RunGroups

        grouped = RunGroups.of(names, runs)
    several = grouped is not None and grouped.several
    run = {"nrefs": reference_count(counts)}
    if several and resamples is None:
        resamples = _RESAMPLES
    if confidence is not None or several:
        run |= {"bs": str(resamples), "seed": str(seed)}
        run |= grouped.signature() if grouped else {}
    if digest is not None:
        run["data"] = digest.value()
    run |= facts or {}

    def finish(tally: _Tally, system: int) -> Score:
        return Score(
            score=tally.score(system),
            interval=tally.interval(
                system, confidence, resamples, seed, groups, threads
            ),
            segments=tally.segments[system] if tally.segments else None,
            documents=tally.documents(system, groups) if groups else None,
            degenerate=tally.metric.degenerate_segments(tally.total(system)),
            unproven=tally.metric.unproven_segments(tally.total(system)),
            undefined=tally.undefined(system, names[system], done),
        )

    def finish_runs(tally: _Tally, places: list[int]) -> Score:
        if not several:
            return finish(tally, places[0])
        from tertium.engine.run_scores import run_scores

        return run_scores(
            [finish(tally, place) for place in places],
            [tally.bootstrap(p, resamples, seed, groups, threads) for p in places],
            units=len(groups) if groups else done,
            confidence=confidence,
            bounds=tally.metric.bounds,
        )

    alone = ((name, [place]) for place, name in enumerate(names))
    members = grouped or alone
    return ScoreTable(
        metrics={
            spec: MetricInfo.of(m, layers=layers, **run) for spec, m in by_spec.items()
        },
        systems={
            name: {spec: finish_runs(tally, places) for spec, tally in tallies.items()}
            for name, places in members
        },
        segments=done,
        ids=full_ids(ids, docs or None) if len(ids) == done else None,
    )


class _Tally:
    """The statistics of all systems under one metric, added up.

    Parameters
    ----------
    metric : Metric
    systems : int
    keep : bool
        Whether to keep all rows as well.
    hold : callable, optional
        Returns an empty column for the scores of segments, if these are wanted.
    """

    def __init__(
        self,
        metric: Metric,
        systems: int,
        *,
        keep: bool,
        hold: Callable[[], Any] | None = None,
    ) -> None:
        self.metric = metric
        self.segments = [] if hold is None else [hold() for _ in range(systems)]
        self.sums = [_core.Sums(metric.width) for _ in range(systems)]
        self.rows: list[RowBuffer] | None = None
        if keep:
            from tertium.engine.row_buffer import RowBuffer  # imports NumPy

            self.rows = [RowBuffer() for _ in self.sums]

    def add(self, by_system: Sequence[Any]) -> None:
        for system, statistics in enumerate(by_system):
            if self.rows is None and not self.segments:
                self.sums[system].merge(statistics)
                continue
            self.sums[system].add(statistics)
            if self.rows is not None:
                self.rows[system].add(statistics)
            if self.segments:
                from tertium.engine.segment_scores import segment_scores

                scores = segment_scores(self.metric, statistics)
                self.segments[system].extend(scores)

    def array(self, system: int) -> Any:  # NumPy must not be imported here
        return self.rows[system].array() if self.rows is not None else None

    def total(self, system: int) -> list[float]:
        return self.sums[system].values()

    def score(self, system: int) -> float:
        return self.metric.from_statistics(self.total(system))

    def undefined(self, system: int, name: str, segments: int) -> int:
        if not self.metric.weights_count_segments:
            return 0
        from tertium.engine.segment_scores import count_undefined

        return count_undefined(self.metric, self.total(system), segments, name)

    def documents(self, system: int, groups: dict[str, list[int]]) -> dict[str, float]:
        from tertium.engine.segment_scores import segment_scores
        from tertium.stats.resample import block_sums

        sums = block_sums(self.array(system), list(groups.values()))
        scores = segment_scores(self.metric, sums)
        return {
            doc: math.nan if score is None else score
            for doc, score in zip(groups, scores, strict=True)
        }

    def interval(
        self,
        system: int,
        confidence: float | None,
        resamples: int | None,
        seed: int,
        groups: dict[str, list[int]] | None,
        threads: int | None,
    ) -> tuple[float, float] | None:
        if confidence is None or resamples is None:
            return None
        from tertium.stats.resample import interval

        scores = self.bootstrap(system, resamples, seed, groups, threads)
        return interval(scores, confidence=confidence)

    def bootstrap(
        self,
        system: int,
        resamples: int | None,
        seed: int,
        groups: dict[str, list[int]] | None,
        threads: int | None,
    ) -> Any:
        """Return the scores of a system on resampled test sets."""
        from tertium.engine.segment_scores import defined_scorer
        from tertium.stats.resample import block_sums, bootstrap_scores

        rows = self.array(system)
        if groups:
            rows = block_sums(rows, list(groups.values()))
        return bootstrap_scores(
            rows,
            defined_scorer(self.metric),
            resamples=resamples or _RESAMPLES,
            seed=seed,
            threads=threads,
        )


def _fit(
    by_spec: dict[str, Metric], open_chunks: Callable[[], Iterable[Chunk]]
) -> dict[str, Metric]:
    """Let metrics that need it see all references first."""
    if not any(metric.needs_corpus for metric in by_spec.values()):
        return by_spec
    return fitted_metrics(map(texts_of, open_chunks()), by_spec)


def _group(docs: Sequence[str]) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for index, doc in enumerate(docs):
        groups.setdefault(doc, []).append(index)
    return groups
