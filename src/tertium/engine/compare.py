# SPDX-License-Identifier: Apache-2.0
"""Comparison of systems: all pairs, corrected, with effect sizes and clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from tertium._executor import current
from tertium._processes import WorkerDiedError
from tertium._seed import SEED
from tertium.engine.chunks import ChunkRows, place_of
from tertium.engine.comparison import Comparison, Pair
from tertium.engine.inputs import (
    Systems,
    as_cache,
    as_metrics,
    as_testset,
    layer_names,
    reference_count,
    references_to_fit,
)
from tertium.engine.results import MetricInfo, Score, ScoreTable
from tertium.errors import InputError, UnknownNameError
from tertium.stats.clusters import Ranking, rank_clusters
from tertium.stats.correction import CORRECTIONS, adjust
from tertium.stats.limits import enough_resamples
from tertium.stats.paired import TESTS, Resampling
from tertium.stats.resample import (
    block_sums,
    interval,
    interval_resamples,
    report_for,
)

if TYPE_CHECKING:
    from os import PathLike

    from tertium._executor import Executor
    from tertium.cache.store import Cache
    from tertium.data.testset import Testset
    from tertium.metrics import Metric, References
    from tertium.stats.resample import Report, Rows

__all__ = ["compare"]

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
    docs: Sequence[str] | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    cache: Cache | str | PathLike[str] | None = None,
    data_hash: bool = False,
    progress: Report | None = None,
) -> Comparison:
    """Compare two or more systems with a paired test.

    Parameters
    ----------
    systems : Testset, or mapping of name to texts
    references : sequence of str or of sequences of str
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
    docs : sequence of str, optional
        The document of every segment.
    threads : int, optional
    executor : Executor, optional
    cache : Cache or path, optional
        Where segments are scored and statistics kept, as in :func:`tertium.score`.
    data_hash : bool
        Whether signatures name the test set, as in :func:`tertium.score`.
    progress : callable, optional
        Called with what is being done, such as "resamples for bleu", how many are done,
        and how many there are.

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
    testset = as_testset(systems, references, docs=docs)
    by_spec = as_metrics(metrics)
    pairs = _pairs(testset, baseline)
    _check(testset, test, correction, alpha, by_document=by_document)
    if resamples is None:
        resamples = enough_resamples(
            len(pairs), alpha, correction=correction, least=LEAST_RESAMPLES[test]
        )
    groups = list(testset.documents().values()) if by_document else None
    scores: dict[str, dict[str, Score]] = {name: {} for name in testset.systems}
    results: list[Pair] = []
    ranking: dict[str, list[Ranking]] = {}
    exact = False
    refs = references_to_fit([testset], by_spec.values())
    fitted = {spec: m.prepare(refs) for spec, m in by_spec.items()}
    rows = _rows(testset, fitted, threads, executor, as_cache(cache), progress)
    for spec, metric in fitted.items():
        study = _Study(
            testset, metric, rows[spec], groups, threads, report_for(progress, spec)
        )
        exact = study.resample(test, resamples, seed, alpha)
        for name, one in zip(testset.systems, study.scores(alpha), strict=True):
            scores[name][spec] = one
        tested = study.pairs(spec, pairs, correction, alpha)
        results += tested
        ranking[spec] = [] if baseline else _rank(tested, scores, metric, spec)
    units = len(groups) if groups else len(testset)
    if exact:
        resamples = 2**units
    run = {"nrefs": reference_count(set(map(len, testset.references)))}
    run |= {"bs" if test == "bootstrap" else "ar": str(resamples), "seed": str(seed)}
    if data_hash:
        from tertium.data.data_hash import DataHash

        digest = DataHash()
        digest.add(testset.references)
        run["data"] = digest.value()
    layers = layer_names(testset)
    table = ScoreTable(
        metrics={
            spec: MetricInfo.of(m, layers=layers, **run) for spec, m in by_spec.items()
        },
        systems=scores,
        segments=len(testset),
    )
    how: dict[str, str | int | float | bool] = {
        "test": test,
        "resamples": resamples,
        "seed": seed,
        "correction": correction,
        "alpha": alpha,
        "units": "documents" if by_document else "segments",
        "number_of_units": units,
        "exact": exact,
    }
    return Comparison(scores=table, pairs=results, ranking=ranking, run=how)


def _rows(
    testset: Testset,
    metrics: Mapping[str, Metric],
    threads: int | None,
    executor: Executor | None,
    cache: Cache | None,
    progress: Report | None,
) -> dict[str, list[Rows]]:
    """Return the rows of all systems by metric, computed in parts.

    Metrics take turns on every part, so that they share its layers.
    """
    work = ChunkRows(metrics, threads=threads, cache=cache)
    whole = work.batch(0, testset)
    size = _CHUNK if cache is None else _CACHED
    places = map(place_of, testset.chunks(size), range(0, len(testset), size))
    parts: dict[str, list[list[Rows]]] = {spec: [] for spec in metrics}
    try:
        for number, result in enumerate((executor or current()).map(work, places), 1):
            for spec, rows in result.statistics.items():
                parts[spec].append(rows)
            if progress:
                progress("segments", min(number * size, len(testset)), len(testset))
    except InputError as error:
        if isinstance(error, WorkerDiedError):
            raise
        # Messages count segments from the start of what was scored.
        for metric in metrics.values():
            metric.rows(whole, threads=threads)
        raise
    return {
        spec: [np.concatenate(system) for system in zip(*chunks, strict=True)]
        for spec, chunks in parts.items()
    }


class _Study:
    """One metric: the rows of all systems and their resampled scores."""

    def __init__(
        self,
        testset: Testset,
        metric: Metric,
        rows: list[Rows],
        groups: list[list[int]] | None,
        threads: int | None,
        progress: Report,
    ) -> None:
        self.metric = metric
        self.names = list(testset.systems)
        self._threads = threads
        self._progress = progress
        self.rows = rows
        self.units = (
            self.rows if groups is None else [block_sums(r, groups) for r in self.rows]
        )

    def resample(self, test: str, resamples: int, seed: int, alpha: float) -> bool:
        """Run the test and a bootstrap for intervals; return whether it is exact."""
        enough = resamples if test == "bootstrap" else interval_resamples(1 - alpha)
        self.bootstrap = self._run("bootstrap", enough, seed)
        self.tested = self.bootstrap
        if test != "bootstrap":
            self.tested = self._run(test, resamples, seed)
        return self.tested.exact

    def _run(self, test: str, resamples: int, seed: int) -> Resampling:
        what = "resamples" if test == "bootstrap" else "assignments"
        return Resampling.run(
            self.units,
            self.metric.from_statistics,
            test=test,
            resamples=resamples,
            seed=seed,
            threads=self._threads,
            progress=lambda done, total: self._progress(what, done, total),
        )

    def scores(self, alpha: float) -> list[Score]:
        """Return the score of every system with its interval."""
        return [
            Score(
                score=self.bootstrap.observed[i],
                interval=interval(self.bootstrap.scores(i), confidence=1 - alpha),
                unproven=self.metric.unproven_segments(self.rows[i].sum(axis=0)),
            )
            for i in range(len(self.names))
        ]

    def pairs(
        self,
        spec: str,
        pairs: Sequence[tuple[int, int]],
        correction: str,
        alpha: float,
    ) -> list[Pair]:
        """Return the comparison of every pair."""
        p_values = self.tested.p_values(pairs)
        segments = [np.asarray(self.metric.from_statistics(one)) for one in self.rows]
        sign = 1.0 if self.metric.higher_is_better else -1.0
        out = []
        for (a, b), p, adjusted in zip(
            pairs, p_values, adjust(p_values, correction), strict=True
        ):
            delta = self.bootstrap.observed[a] - self.bootstrap.observed[b]
            winner = a if sign * delta > 0 else b
            significant = adjusted < alpha and delta != 0
            out.append(
                Pair(
                    metric=spec,
                    a=self.names[a],
                    b=self.names[b],
                    delta=delta,
                    interval=interval(
                        self.bootstrap.differences(a, b), confidence=1 - alpha
                    ),
                    p=p,
                    p_adjusted=adjusted,
                    effect=_cohen_d(sign * (segments[a] - segments[b])),
                    better=self.names[winner] if significant else None,
                )
            )
        return out


def _cohen_d(differences: Rows) -> float:
    if not differences.any():
        return 0.0
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    return float(differences.mean()) / spread if spread > 0 else float("nan")


def _rank(
    pairs: Sequence[Pair],
    scores: dict[str, dict[str, Score]],
    metric: Metric,
    spec: str,
) -> list[Ranking]:
    sign = -1.0 if metric.higher_is_better else 1.0
    order = sorted(scores, key=lambda name: sign * scores[name][spec].score)
    wins = {
        (pair.better, pair.b if pair.better == pair.a else pair.a)
        for pair in pairs
        if pair.better
    }
    return rank_clusters(order, lambda a, b: (a, b) in wins)


def _pairs(testset: Testset, baseline: str | None) -> list[tuple[int, int]]:
    names = list(testset.systems)
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
        message = "there are no segments to compare; check that files are not empty"
        raise InputError(message)
    if not any(testset.references):
        message = "there are no references to compare against; give them"
        raise InputError(message, options=("references",))
    if test not in TESTS:
        raise UnknownNameError("test", test, TESTS)
    if correction not in CORRECTIONS:
        raise UnknownNameError("correction", correction, CORRECTIONS)
    if not 0 < alpha < 1:
        message = f"alpha lies between 0 and 1, not {alpha}; 0.05 is usual"
        raise InputError(message)
    if by_document and not testset.docs:
        message = "there are no document ids; give one per segment as docs"
        raise InputError(message, options=("docs",))
