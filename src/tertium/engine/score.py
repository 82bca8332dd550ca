# SPDX-License-Identifier: Apache-2.0
"""Scores of systems, from lists in memory or from a stream of chunks.

Without intervals, segment or document scores only sums are kept, so memory
does not grow with the test set, and NumPy is not even imported.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

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
from tertium.engine.tally import Bootstrap, Tally
from tertium.errors import InputError

if TYPE_CHECKING:
    from os import PathLike

    from tertium._executor import Executor
    from tertium.cache.store import Cache
    from tertium.engine.chunks import Chunk, Scored
    from tertium.engine.runs import RunGroups
    from tertium.metrics import Metric, References

__all__ = ["Progress", "score", "score_stream"]

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
    bootstrap = Bootstrap.of(confidence, resamples, seed, threads)
    by_spec = _fit(as_metrics(metrics), open_chunks)
    gathered = _Gathered(
        by_spec,
        rows=documents or confidence is not None or bool(runs),
        documents=documents,
        segments=segments,
        hold=hold,
        data_hash=data_hash,
    )
    gathered.score(open_chunks, threads, executor, as_cache(cache), progress)
    if gathered.size == 0:
        message = "there are no segments to score; check that the files are not empty"
        raise InputError(message)
    for metric in by_spec.values():
        metric.check_size(gathered.size)
    groups = _group(gathered.docs) if documents else None
    grouped = None
    if runs:
        from tertium.engine.runs import RunGroups

        grouped = RunGroups.of(gathered.names, runs)
    run = {"nrefs": reference_count(gathered.references)}
    if confidence is not None or (grouped is not None and grouped.several):
        run |= {"bs": str(bootstrap.resamples), "seed": str(seed)}
        run |= grouped.signature() if grouped else {}
    if gathered.digest is not None:
        run["data"] = gathered.digest.value()
    run |= facts or {}
    layers = gathered.layers
    return ScoreTable(
        metrics={
            spec: MetricInfo.of(m, layers=layers, **run) for spec, m in by_spec.items()
        },
        systems=_scores(gathered, grouped, bootstrap, groups),
        segments=gathered.size,
        ids=gathered.full_ids(),
    )


class _Gathered:
    """What is kept of all chunks: statistics of all systems, and facts on texts.

    Parameters
    ----------
    metrics : mapping of str to Metric
    rows : bool
        Whether to keep all rows, not only their sums.
    documents, segments : bool
        Whether scores of documents, and of segments, are wanted.
    hold : callable
        As in :func:`score_stream`.
    data_hash : bool
    """

    def __init__(
        self,
        metrics: Mapping[str, Metric],
        *,
        rows: bool,
        documents: bool,
        segments: bool,
        hold: Callable[[], Any],
        data_hash: bool,
    ) -> None:
        self._metrics = metrics
        self._rows = rows
        self._documents, self._segments = documents, segments
        self._hold = hold
        self.docs, self._ids = hold(), hold()
        self.names: tuple[str, ...] = ()
        self.tallies: dict[str, Tally] = {}
        self.size = 0
        self.references: set[int] = set()
        self.layers: set[str] = set()
        self.digest = None
        if data_hash:
            from tertium.data.data_hash import DataHash

            self.digest = DataHash()

    def score(
        self,
        open_chunks: Callable[[], Iterable[Chunk]],
        threads: int | None,
        executor: Executor | None,
        cache: Cache | None,
        progress: Progress | None,
    ) -> None:
        """Score all chunks; metrics take turns on each, so that they share layers."""
        work = (ChunkRows if self._rows or self._segments else ChunkSums)(
            self._metrics,
            threads=threads,
            docs=self._documents or self._segments,
            ids=self._segments,
            cache=cache,
            lines=self.digest is not None,
        )
        shares: deque[float] = deque()  # of the files that end with a chunk, if known

        def places() -> Iterator[Place]:
            start = 0
            for chunk in open_chunks():
                shares.append(getattr(chunk, "share", 0.0))
                yield place_of(chunk, start)
                start += len(chunk)

        for scored in (executor or current()).map(work, places()):
            self._add(scored)
            share = shares.popleft()
            if progress:
                progress(self.size, expected_total(self.size, share))

    def _add(self, scored: Scored) -> None:
        if self._documents and scored.segments > len(scored.docs):
            message = "there are no document ids; give one per segment as docs"
            raise InputError(message, options=("docs",))
        self.names = self.names or scored.systems
        self.references |= scored.references
        self.layers |= scored.layers
        self.docs.extend(scored.docs)
        self._ids.extend(scored.ids)
        if self.digest is not None:
            self.digest.add_lines(scored.lines)
        for spec, by_system in scored.statistics.items():
            if spec not in self.tallies:
                self.tallies[spec] = Tally(
                    self._metrics[spec],
                    len(self.names),
                    keep=self._rows,
                    hold=self._hold if self._segments else None,
                )
            self.tallies[spec].add(by_system)
        self.size += scored.segments

    def full_ids(self) -> Sequence[str] | None:
        """Return the ids of all segments, if each has one."""
        if len(self._ids) < self.size:
            return None
        return full_ids(self._ids, self.docs or None)


def _scores(
    gathered: _Gathered,
    runs: RunGroups | None,
    bootstrap: Bootstrap,
    groups: dict[str, list[int]] | None,
) -> dict[str, dict[str, Score]]:
    """Return the scores of systems by name and metric; of several runs their means."""

    def of_run(tally: Tally, system: int) -> Score:
        return Score(
            score=tally.score(system),
            interval=tally.interval(system, bootstrap, groups),
            segments=tally.segments[system] if tally.segments else None,
            documents=tally.documents(system, groups) if groups else None,
            degenerate=tally.metric.degenerate_segments(tally.total(system)),
            unproven=tally.metric.unproven_segments(tally.total(system)),
            undefined=tally.undefined(system, gathered.names[system], gathered.size),
        )

    def of_system(tally: Tally, places: list[int]) -> Score:
        if runs is None or not runs.several:
            return of_run(tally, places[0])
        from tertium.engine.run_scores import run_scores

        return run_scores(
            [of_run(tally, place) for place in places],
            [tally.bootstrap(place, bootstrap, groups) for place in places],
            units=len(groups) if groups else gathered.size,
            confidence=bootstrap.confidence,
            bounds=tally.metric.bounds,
        )

    alone = ((name, [place]) for place, name in enumerate(gathered.names))
    return {
        name: {spec: of_system(tally, at) for spec, tally in gathered.tallies.items()}
        for name, at in runs or alone
    }


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
