# SPDX-License-Identifier: Apache-2.0
"""Weights of a decoder tuned on n-best lists, for any metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._executor import current, elsewhere
from tertium._seed import SEED
from tertium.errors import InputError, UnknownNameError
from tertium.tuning.mert import Mert
from tertium.tuning.mira import Mira
from tertium.tuning.pool import Objective, pool_of
from tertium.tuning.pro import Pro
from tertium.tuning.remarks import remarks_on
from tertium.tuning.results import Point, Run, Tuned, TuningInterrupted
from tertium.tuning.space import Best, Report, Space
from tertium.tuning.start import start_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.metrics import Metric
    from tertium.tuning.lists import NBestList

Method: TypeAlias = "Mert | Pro | Mira"

__all__ = ["METHODS", "Method", "tune", "tune_pool"]

#: Methods by name.
METHODS: dict[str, type[Method]] = {"mert": Mert, "pro": Pro, "mira": Mira}


def tune(
    lists: Sequence[NBestList],
    *,
    metric: str | Metric = "bleu",
    method: str = "mert",
    start: Mapping[str, float] | None = None,
    seeds: int = 1,
    seed: int = SEED,
    threads: int | None = None,
    progress: Report | None = None,
    **settings: float | str,
) -> Tuned:
    """Return weights of features under which the lists' best hypotheses score high.

    Parameters
    ----------
    lists : sequence of NBestList
        With references, and the same features in all. Hypotheses with the same text
        and features count once.
    metric : str or Metric
        What to tune for. Errors are minimised.
    method : {"mert", "pro", "mira"}
        Minimum error rate training, pairwise ranking optimisation, or batch MIRA.
    start : mapping of str to float, optional
        Weights by feature. By default those that reproduce the scores in the lists, or
        equal ones where lists have no scores.
    seeds : int
        How many runs, with the seeds ``seed``, ``seed + 1`` and so on. The best one on
        the lists is the result; the spread shows how much is chance.
    seed : int
    threads : int, optional
        All cores by default; the result does not depend on it.
    progress : callable, optional
        Called with what is counted, how many are done, and of how many.
    **settings
        Those of the method: see `Mert`, `Pro` and `Mira`.

    Returns
    -------
    Tuned

    Raises
    ------
    InputError
        When lists have no references or features, or a setting is wrong.
    TuningInterrupted
        On Ctrl-C; it has the best so far.

    Examples
    --------
    >>> from tertium.tuning.lists import NBestList
    >>> features = np.array([[-1.0, 3.0], [-2.0, 4.0]])
    >>> one = NBestList("0", ["a b c", "a b"], ("lm", "words"), features,
    ...                 references=("a b",))
    >>> start = {"lm": 1.0, "words": 0.5}
    >>> result = tune([one], metric="ter", start=start, restarts=2)
    >>> result.start.score, result.final.score
    (50.0, 0.0)
    """
    from tertium.metrics import metric as named
    from tertium.tuning.lists import references_of
    from tertium.tuning.merging import deduplicate

    chosen = named(metric) if isinstance(metric, str) else metric
    options = _method(method, settings)
    if seeds < 1:
        raise InputError(f"seeds is {seeds}; give 1 or more", options=("seeds",))
    fitted = chosen.prepare(references_of(lists))
    pool = pool_of(deduplicate(lists), fitted, threads=threads)
    objective = Objective(pool, fitted, threads)
    return tune_pool(
        objective, options, start=start, seeds=seeds, seed=seed, progress=progress
    )


def tune_pool(
    objective: Objective,
    options: Method,
    *,
    start: Mapping[str, float] | None = None,
    seeds: int = 1,
    seed: int = SEED,
    progress: Report | None = None,
) -> Tuned:
    """Do the same for features and statistics as arrays, and the method's settings."""
    weights, notes = start_weights(objective.pool, start)
    space = Space(objective, weights)
    first = _point(objective, weights)
    report = progress or _silent
    # PRO leaves sums to NumPy, whose last bits depend on its threads.
    if seeds > 1 and not isinstance(options, Pro) and elsewhere():
        runs, interrupted = _runs_elsewhere(space, options, seed, seeds, report)
    else:
        runs, interrupted = _runs(space, options, seed, seeds, report)
    sign = 1 if objective.metric.higher_is_better else -1
    final = max(runs, key=lambda run: sign * run.point.score).point
    result = Tuned(
        method=_name(options),
        metric=objective.metric.spec,
        higher_is_better=objective.metric.higher_is_better,
        settings=asdict(options),
        lists=objective.pool.lists,
        hypotheses=len(objective.pool.features),
        start=first,
        final=final,
        runs=tuple(runs),
        notes=(*notes, *remarks_on(objective, first, final)),
        interrupted=interrupted,
    )
    if interrupted:
        raise TuningInterrupted(result)
    return result


def _runs(
    space: Space, options: Method, seed: int, seeds: int, report: Report
) -> tuple[list[Run], bool]:
    """Return the runs of all seeds, one after the other, and whether Ctrl-C came."""
    runs: list[Run] = []
    for number in range(seed, seed + seeds):
        best = Best(space.scaled(space.start))
        interrupted = False
        try:
            options.run(space, best, np.random.default_rng(number), report)
        except KeyboardInterrupt:
            interrupted = True
            if np.isinf(best.value) and runs:
                return runs, True
        tuned = _point(space.objective, space.weights(best.point))
        runs.append(Run(number, tuned, best.steps))
        if interrupted:
            return runs, True
    return runs, False


def _runs_elsewhere(
    space: Space, options: Method, seed: int, seeds: int, report: Report
) -> tuple[list[Run], bool]:
    """Return the same of runs that are done at the same time."""
    runs: list[Run] = []
    report("runs", 0, seeds)
    try:
        for run in current().map(
            partial(_run, space, options), range(seed, seed + seeds)
        ):
            runs.append(run)
            report("runs", len(runs), seeds)
    except KeyboardInterrupt:
        if not runs:
            raise
        return runs, True
    return runs, False


def _run(space: Space, options: Method, seed: int) -> Run:
    [run], _ = _runs(space, options, seed, 1, _silent)
    return run


def _method(name: str, settings: Mapping[str, float | str]) -> Method:
    if name not in METHODS:
        raise UnknownNameError("method", name, METHODS)
    kind = METHODS[name]
    known = [field.name for field in fields(kind)]
    for key in settings:
        if key not in known:
            raise UnknownNameError(f"setting of {name}", key, known)
    return kind(**settings)  # type: ignore[arg-type]


def _name(options: Method) -> str:
    return next(name for name, kind in METHODS.items() if isinstance(options, kind))


def _point(objective: Objective, weights: NDArray[np.float64]) -> Point:
    pool = objective.pool
    return Point(
        objective.score(weights),
        dict(zip(pool.names, weights.tolist(), strict=True)),
        pool.length_ratio(pool.choose(weights)),
    )


def _silent(what: str, done: int, total: int | None) -> None:
    """Report nothing."""
