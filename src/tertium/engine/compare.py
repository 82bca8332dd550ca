# SPDX-License-Identifier: Apache-2.0
"""Comparison of systems: all pairs, corrected, with effect sizes and clusters."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tertium._executor import current, expected_total
from tertium._processes import WorkerDiedError
from tertium._seed import SEED
from tertium.data.data_hash import DataHash
from tertium.data.segment_ids import full_ids
from tertium.engine.chunks import ChunkRows, Place, Scored, place_of, texts_of
from tertium.engine.comparison import Comparison, Pair
from tertium.engine.inputs import (
    Systems,
    as_cache,
    as_metrics,
    as_testset,
    fitted_metrics,
    reference_count,
)
from tertium.engine.results import MetricInfo, Score, ScoreTable
from tertium.engine.row_buffer import RowBuffer
from tertium.engine.run_study import RunStudy, check_runs
from tertium.engine.runs import RunGroups, split_runs
from tertium.engine.study import Study, rank
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.needs import check_references
from tertium.stats.clusters import Ranking
from tertium.stats.correction import CORRECTIONS
from tertium.stats.limits import enough_resamples
from tertium.stats.paired import TESTS
from tertium.stats.resample import report_for

if TYPE_CHECKING:
    from os import PathLike

    from tertium._executor import Executor
    from tertium.cache.store import Cache
    from tertium.data.testset import Testset
    from tertium.engine.chunks import Chunk
    from tertium.metrics import Metric, References
    from tertium.stats.resample import Report, Rows

    Observe: TypeAlias = Callable[[str, Metric, list[Rows]], None]

__all__ = ["compare", "compare_stream"]

#: As many as sacreBLEU takes; more where many pairs are corrected together.
LEAST_RESAMPLES = {"bootstrap": 1000, "randomisation": 10_000}

_CHUNK = 500  # segments that are scored between two calls of progress
_CACHED = 2000  # the same with a cache, whose blocks end with every chunk


def compare(
    systems: Systems,
    references: References | None = None,
    *,
    metrics: Sequence[str | Metric] | str | Metric = ("bleu",),
    test: str = "bootstrap",
    resamples: int | None = None,
    seed: int = SEED,
    correction: str = "holm",
    alpha: float = 0.05,
    baseline: str | None = None,
    by_document: bool = False,
    sources: Sequence[str] | None = None,
    docs: Sequence[str] | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    cache: Cache | str | PathLike[str] | None = None,
    data_hash: bool = False,
    progress: Report | None = None,
    observe: Observe | None = None,
    runs: Mapping[str, Sequence[str]] | None = None,
    segments: bool = False,
    facts: Mapping[str, str] | None = None,
) -> Comparison:
    """Compare two or more systems with a paired test.

    Parameters
    ----------
    systems : Testset, or mapping of name to texts
        Several runs of a system are :class:`tertium.Runs` instead of texts.
    references : sequence of str or of sequences of str
        None with a Testset, or if no metric needs them.
    metrics : sequence of str
    test : {"bootstrap", "randomisation"}
        See :mod:`tertium.stats.paired`.
    resamples : int, optional
        By default at least 1,000 for the bootstrap and 10,000 for randomisation, and
        so many that the smallest p-value after correction is at most ``alpha / 5``
        (see :func:`tertium.stats.enough_resamples`).
    seed : int
    correction : {"holm", "bh", "none"}
        Over all pairs of one metric.
    alpha : float
        The threshold for significance, and 1 - alpha the confidence of
        intervals.
    baseline : str, optional
        Compare this system with each other one instead of all pairs; the
        ranking then stays empty.
    by_document : bool
        Resample whole documents: right where segments of a document are alike.
    sources, docs : sequence of str, optional
        The source text and the document of every segment.
    threads : int, optional
    executor : Executor, optional
    cache : Cache or path, optional
        Where segments are scored and statistics kept, as in :func:`tertium.score`.
    data_hash : bool
        Whether signatures name the test set, as in :func:`tertium.score`.
    progress : callable, optional
        Called with what is being done, such as "resamples for bleu", how many are done,
        and how many there are.
    observe : callable, optional
        Called with the spec of every metric, the metric, and the rows of every system,
        which are not kept otherwise.
    runs : mapping of str to sequence of str, optional
        Which systems of a Testset are runs of one system, by its name. Their means are
        compared, by tests and intervals that allow for another choice of runs: see
        :mod:`tertium.stats.runs`.
    segments : bool
        Whether to return the score of every segment too.
    facts : mapping of str to str, optional
        What signatures say besides.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import tertium
    >>> refs = [f"sentence number {i} of the set" for i in range(50)]
    >>> worse = [ref.replace("the", "a") for ref in refs]
    >>> result = tertium.compare({"A": refs, "B": worse, "C": worse}, refs)
    >>> result.pair("B", "C").p, result.pair("A", "B").better
    (1.0, 'A')
    """
    systems, named = split_runs(systems)
    testset = as_testset(
        systems, references, sources=sources, docs=docs, metrics=metrics
    )
    store = as_cache(cache)
    size = _CHUNK if store is None else _CACHED
    return compare_stream(
        lambda: testset.chunks(size) if len(testset) else [testset],
        metrics=metrics,
        test=test,
        resamples=resamples,
        seed=seed,
        correction=correction,
        alpha=alpha,
        baseline=baseline,
        by_document=by_document,
        threads=threads,
        executor=executor,
        cache=store,
        data_hash=data_hash,
        progress=progress,
        observe=observe,
        whole=testset,
        runs={**named, **(runs or {})},
        segments=segments,
        facts=facts,
    )


def compare_stream(
    open_chunks: Callable[[], Iterable[Chunk]],
    *,
    metrics: Sequence[str | Metric] | str | Metric = ("bleu",),
    test: str = "bootstrap",
    resamples: int | None = None,
    seed: int = SEED,
    correction: str = "holm",
    alpha: float = 0.05,
    baseline: str | None = None,
    by_document: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    cache: Cache | str | PathLike[str] | None = None,
    data_hash: bool = False,
    progress: Report | None = None,
    observe: Observe | None = None,
    whole: Testset | None = None,
    runs: Mapping[str, Sequence[str]] | None = None,
    segments: bool = False,
    facts: Mapping[str, str] | None = None,
) -> Comparison:
    """Compare systems whose texts arrive in chunks; see :func:`compare`.

    Only statistics are kept, not the texts.

    Parameters
    ----------
    open_chunks : callable
        As in :func:`tertium.engine.score_stream`.
    progress : callable, optional
        As in :func:`compare`; None stands for an unknown number of segments.
    observe : callable, optional
        As in :func:`compare`.
    whole : Testset, optional
        The texts of all chunks, if they are known.
    runs : mapping of str to sequence of str, optional
    segments : bool
    facts : mapping of str to str, optional
        As in :func:`compare`.

    Examples
    --------
    >>> from tertium.data import TestsetFiles
    >>> from tertium.engine import open_testset
    >>> chunks = open_testset(TestsetFiles(path="demo"), metrics="bleu")
    >>> compare_stream(chunks, metrics="bleu").pair("words", "copy").p
    1.0
    """
    by_spec = as_metrics(metrics)
    chunks = iter(open_chunks())
    first = next(chunks, None)
    if first is None:
        raise _nothing()
    texts = texts_of(first)
    grouped = RunGroups.of(list(texts.systems), runs)
    pairs = _pairs(grouped.names, baseline)
    known = texts if whole is None else whole
    if len(known) and not any(known.references):
        check_references(by_spec.values(), "compare against")
    _check(known, test, correction, alpha, by_document=by_document)
    check_runs(grouped, test)
    if resamples is None:
        resamples = enough_resamples(
            len(pairs), alpha, correction=correction, least=LEAST_RESAMPLES[test]
        )
    chunks = chain([first], chunks)
    fitted = by_spec
    if any(metric.needs_corpus for metric in by_spec.values()):
        fitted = fitted_metrics(map(texts_of, chunks), by_spec)
        chunks = iter(open_chunks())
    gathered = _Gathered(
        fitted, by_document=by_document, segments=segments, lines=data_hash
    )
    gathered.score(chunks, threads, executor, as_cache(cache), progress, whole)
    tests = _Tests(
        grouped,
        pairs,
        test,
        resamples,
        seed,
        correction,
        alpha,
        ranked=baseline is None,
    )
    groups = gathered.groups()
    results = _results(
        tests,
        fitted,
        gathered,
        groups,
        segments=segments,
        threads=threads,
        progress=progress,
        observe=observe,
    )
    return _comparison(
        tests, results, gathered, groups, by_spec, segments=segments, facts=facts or {}
    )


def _comparison(
    tests: _Tests,
    results: _Results,
    gathered: _Gathered,
    groups: list[list[int]] | None,
    metrics: Mapping[str, Metric],
    *,
    segments: bool,
    facts: Mapping[str, str],
) -> Comparison:
    """Return the results with signatures, and with how the tests were made."""
    systems, seed = tests.systems, tests.seed
    units = len(groups) if groups else gathered.segments
    resamples = 2**units if results.exact else tests.resamples
    by_bootstrap = tests.test == "bootstrap"
    run = {"nrefs": reference_count(gathered.references)}
    run |= {"bs" if by_bootstrap else "ar": str(resamples), "seed": str(seed)}
    run |= {**systems.signature(), **facts}
    if gathered.digest is not None:
        run["data"] = gathered.digest.value()
    layers = gathered.layers
    table = ScoreTable(
        metrics={
            spec: MetricInfo.of(m, layers=layers, **run) for spec, m in metrics.items()
        },
        systems=results.scores,
        segments=gathered.segments,
        ids=gathered.full_ids() if segments else None,
    )
    how: dict[str, str | int | float | bool] = {
        "test": tests.test,
        "resamples": resamples,
        "seed": seed,
        "correction": tests.correction,
        "alpha": tests.alpha,
        "units": "segments" if groups is None else "documents",
        "number_of_units": units,
        "exact": results.exact,
    }
    if systems.several:
        how["sources"] = "runs and segments" if by_bootstrap else "segments"
    return Comparison(
        scores=table, pairs=results.pairs, ranking=results.ranking, run=how
    )


@dataclass(frozen=True)
class _Tests:
    """Which pairs of systems are tested, and how; whether systems are ranked."""

    systems: RunGroups
    pairs: list[tuple[int, int]]
    test: str
    resamples: int
    seed: int
    correction: str
    alpha: float
    ranked: bool


class _Results(NamedTuple):
    """Scores of systems by name and metric, tested pairs, and ranks by metric.

    `exact` is whether all assignments were enumerated, in place of some.
    """

    scores: dict[str, dict[str, Score]]
    pairs: list[Pair]
    ranking: dict[str, list[Ranking]]
    exact: bool


def _results(
    tests: _Tests,
    metrics: Mapping[str, Metric],
    gathered: _Gathered,
    groups: list[list[int]] | None,
    *,
    segments: bool,
    threads: int | None,
    progress: Report | None,
    observe: Observe | None,
) -> _Results:
    """Return the scores and tests of all metrics, whose rows are not kept longer."""
    for metric in metrics.values():
        metric.check_size(gathered.segments)
    systems, alpha = tests.systems, tests.alpha
    scores: dict[str, dict[str, Score]] = {name: {} for name in systems.names}
    pairs: list[Pair] = []
    ranking: dict[str, list[Ranking]] = {}
    exact = False
    for spec, metric in metrics.items():
        rows, report = gathered.rows(spec), report_for(progress, spec)
        if observe:
            observe(spec, metric, rows)
        study = (
            RunStudy(systems, metric, rows, groups, threads, report)
            if systems.several
            else Study(systems.names, metric, rows, groups, threads, report)
        )
        exact = study.resample(tests.test, tests.resamples, tests.seed, alpha)
        by_system = study.scores(alpha, segments=segments)
        for name, one in zip(systems.names, by_system, strict=True):
            scores[name][spec] = one
        tested = study.pairs(spec, tests.pairs, tests.correction, alpha)
        pairs += tested
        ranking[spec] = rank(tested, scores, metric, spec) if tests.ranked else []
    return _Results(scores, pairs, ranking, exact)


class _Gathered:
    """What is kept of all chunks: the rows of all systems, and facts on texts."""

    def __init__(
        self,
        metrics: Mapping[str, Metric],
        *,
        by_document: bool,
        segments: bool,
        lines: bool,
    ) -> None:
        self._metrics = metrics
        self._by_document = by_document
        docs = by_document or segments  # Ids are those of documents where these repeat.
        self._wanted = {"docs": docs, "ids": segments, "lines": lines}
        self._rows: dict[str, list[RowBuffer]] = {spec: [] for spec in metrics}
        self._docs: list[str] = []
        self._ids: list[str] = []
        self.segments = 0
        self.references: set[int] = set()
        self.layers: set[str] = set()
        self.digest = DataHash() if lines else None

    def score(
        self,
        chunks: Iterable[Chunk],
        threads: int | None,
        executor: Executor | None,
        cache: Cache | None,
        progress: Report | None,
        whole: Testset | None,
    ) -> None:
        """Score all chunks; metrics take turns on each, so that they share layers."""
        work = ChunkRows(self._metrics, threads=threads, cache=cache, **self._wanted)
        if whole is not None:
            batch = work.batch(0, whole)
        shares: deque[float] = deque()  # of the files that end with a chunk, if known

        def places() -> Iterator[Place]:
            start = 0
            for chunk in chunks:
                shares.append(getattr(chunk, "share", 0.0))
                yield place_of(chunk, start)
                start += len(chunk)

        try:
            for scored in (executor or current()).map(work, places()):
                self._add(scored)
                share = shares.popleft()
                if progress:
                    total = expected_total(self.segments, share)
                    total = total if whole is None else len(whole)
                    progress("segments", self.segments, total)
        except InputError as error:
            if whole is None or isinstance(error, WorkerDiedError):
                raise
            # Messages count segments from the start of what was scored.
            for metric in self._metrics.values():
                metric.rows(batch, threads=threads)
            raise

    def _add(self, scored: Scored) -> None:
        if self._by_document and scored.segments > len(scored.docs):
            raise _no_documents()
        for spec, by_system in scored.statistics.items():
            buffers = self._rows[spec]
            buffers += [RowBuffer() for _ in by_system[len(buffers) :]]
            for buffer, rows in zip(buffers, by_system, strict=True):
                buffer.add(rows)
        self._docs += scored.docs
        self._ids += scored.ids
        self.segments += scored.segments
        self.references |= scored.references
        self.layers |= scored.layers
        if self.digest is not None:
            self.digest.add_lines(scored.lines)

    def rows(self, spec: str) -> list[Rows]:
        """Return the rows of all systems, which are not kept any longer."""
        return [buffer.array() for buffer in self._rows.pop(spec)]

    def full_ids(self) -> Sequence[str] | None:
        """Return the ids of all segments, if each has one."""
        if len(self._ids) < self.segments:
            return None
        return full_ids(self._ids, self._docs or None)

    def groups(self) -> list[list[int]] | None:
        """Return the segments of every document, if documents are resampled."""
        if not self._by_document:
            return None
        members: dict[str, list[int]] = {}
        for index, doc in enumerate(self._docs):
            members.setdefault(doc, []).append(index)
        return list(members.values())


def _pairs(names: list[str], baseline: str | None) -> list[tuple[int, int]]:
    if len(names) < 2:
        message = (
            f"comparing needs two systems or more, not {len(names)}; give each by name"
        )
        raise InputError(message)
    if baseline is None:
        return list(combinations(range(len(names)), 2))
    if baseline not in names:
        raise UnknownNameError("baseline system", baseline, names)
    first = names.index(baseline)
    return [(first, other) for other in range(len(names)) if other != first]


def _check(
    testset: Testset, test: str, correction: str, alpha: float, *, by_document: bool
) -> None:
    if len(testset) == 0:
        raise _nothing()
    if test not in TESTS:
        raise UnknownNameError("test", test, TESTS)
    if correction not in CORRECTIONS:
        raise UnknownNameError("correction", correction, CORRECTIONS)
    if not 0 < alpha < 1:
        message = f"alpha lies between 0 and 1, not {alpha}; 0.05 is usual"
        raise InputError(message)
    if by_document and not testset.docs:
        raise _no_documents()


def _nothing() -> InputError:
    message = "there are no segments to compare; check that files are not empty"
    return InputError(message)


def _no_documents() -> InputError:
    message = "there are no document ids; give one per segment as docs"
    return InputError(message, options=("docs",))
