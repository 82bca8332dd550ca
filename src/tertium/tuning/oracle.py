# SPDX-License-Identifier: Apache-2.0
"""Oracles: the best and the worst that can be selected from n-best lists.

The gap between the first hypotheses and the best ones is what reranking and tuning
can gain at most.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium._version import __version__
from tertium.tuning.bounds import score_bound
from tertium.tuning.lists import (
    NBestList,
    need_lists,
    number_of_references,
    references_of,
    statistics,
)
from tertium.tuning.selection import Pool, climb, extreme_ratio, is_additive, ratio_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.metrics import Metric

__all__ = ["OnProgress", "Oracle", "Selection", "oracle"]

#: Called with what is counted, how many are done, and of how many.
OnProgress: TypeAlias = Callable[[str, int, int | None], None]


@dataclass(frozen=True)
class Selection:
    """One hypothesis per list.

    Parameters
    ----------
    score : float
        Of the selected hypotheses together.
    bound : float, optional
        What the score of no selection passes; None if there is no finite one. It is
        the score itself where the search is exact.
    places : tuple of int
        The place of the hypothesis in every list, counted from 0.
    """

    score: float
    bound: float | None
    places: tuple[int, ...]


@dataclass(frozen=True)
class Oracle:
    """The best and the worst of n-best lists.

    Parameters
    ----------
    metric : str
        The spec.
    signature : str
    higher_is_better : bool
    search : {"exact", "greedy"}
        Exact where the metric is a mean of segments or another ratio of sums, or an
        interpolation of means; otherwise the best that was found.
    lists, hypotheses : int
    first, best, worst : Selection
        The first hypotheses of the lists, and the oracles. The bound of `first` is
        that of `best`.
    restarts, seed : int
        Of the greedy search.
    interrupted : bool
        Whether Ctrl-C ended the search; the selections are the best until then.
    """

    metric: str
    signature: str
    higher_is_better: bool
    search: str
    lists: int
    hypotheses: int
    first: Selection
    best: Selection
    worst: Selection
    restarts: int
    seed: int
    interrupted: bool = False

    @property
    def loss(self) -> float:
        """What the first hypotheses lose against the best, never below 0."""
        return abs(self.best.score - self.first.score)

    def to_dict(self) -> dict[str, object]:
        """Return the oracle as plain data."""
        return {"tertium": __version__, **asdict(self), "loss": self.loss}

    def to_json(self) -> str:
        """Return the oracle as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


def oracle(
    lists: Sequence[NBestList],
    metric: str | Metric,
    *,
    restarts: int = 8,
    seed: int = SEED,
    threads: int | None = None,
    progress: OnProgress | None = None,
) -> Oracle:
    """Return the best and the worst selection of one hypothesis per list.

    Parameters
    ----------
    lists : sequence of NBestList
        With references.
    metric : str or Metric
    restarts : int
        Random starts of the greedy search, besides three others: the first hypotheses,
        those with the best scores of their own, and those that improve the first ones
        most. Metrics with an exact search need none.
    seed : int
        Of random starts.
    threads : int, optional
    progress : callable, optional

    Returns
    -------
    Oracle

    Notes
    -----
    The form of a metric is taken from its statistics, and checked on every hypothesis
    and on random selections. :mod:`tertium.tuning.bounds` describes the bounds.

    Examples
    --------
    >>> hyps = ["a", "a cat"]
    >>> made = NBestList("0", hyps, (), np.zeros((2, 0)), references=("a cat",))
    >>> result = oracle([made], "wer")
    >>> result.search, result.first.score, result.best.score, result.best.places
    ('exact', 0.5, 0.0, (1,))
    """
    from tertium.metrics import metric as make

    need_lists(lists)
    loaded = make(metric) if isinstance(metric, str) else metric
    references = references_of(lists)
    fitted = loaded.prepare(references)
    pool = Pool.of(statistics(lists, fitted, threads=threads))
    search = _Search(fitted, pool, restarts, seed, progress)
    up = 1 if fitted.higher_is_better else -1
    best, worst = search.selection(up), search.selection(-up)
    first = pool.score(fitted, pool.starts)
    return Oracle(
        loaded.spec,
        loaded.signature_for(nrefs=number_of_references(lists)),
        loaded.higher_is_better,
        "exact" if search.exact else "greedy",
        len(lists),
        len(pool.rows),
        Selection(first, best.bound, (0,) * len(lists)),
        best,
        worst,
        0 if search.exact else restarts,
        seed,
        search.interrupted,
    )


class _Search:
    """Find extreme selections of a pool, exactly if the form of the metric allows."""

    def __init__(
        self,
        metric: Metric,
        pool: Pool,
        restarts: int,
        seed: int,
        progress: OnProgress | None,
    ) -> None:
        self.metric = metric
        self.pool = pool
        self.restarts = restarts
        self.generator = np.random.default_rng(seed)
        self.progress = progress
        self.done = 0
        self.interrupted = False
        self.ratio = ratio_of(metric, pool, self.generator)
        self.swapped = pool.swapped(metric, pool.starts)
        self.exact = self.ratio is not None or is_additive(
            metric, pool, self.swapped, self.generator
        )

    def selection(self, sign: int) -> Selection:
        """Return the selection with the highest score, or with -1 the lowest."""
        chosen = self._exact(sign) if self.exact else self._greedy(sign)
        score = self.pool.score(self.metric, chosen)
        bound = score
        if not self.exact:
            bound = score_bound(self.metric, self.pool, sign=sign)
            bound = max(bound, score) if sign > 0 else min(bound, score)
        places = tuple(self.pool.places(chosen))
        return Selection(score, bound if np.isfinite(bound) else None, places)

    def _exact(self, sign: int) -> NDArray[np.intp]:
        if self.ratio is None:
            return self.pool.highest(sign * self.swapped)
        side = sign if self.ratio.scale > 0 else -sign
        over, under = (
            self.pool.rows[:, i] for i in (self.ratio.over, self.ratio.under)
        )
        return extreme_ratio(self.pool, over, under, sign=side)[1]

    def _greedy(self, sign: int) -> NDArray[np.intp]:
        scores = np.asarray(self.metric.from_statistics(self.pool.rows))
        starts = [
            self.pool.highest(sign * self.swapped),
            self.pool.highest(sign * scores),
            self.pool.starts,
            *(self.pool.random(self.generator) for _ in range(self.restarts)),
        ]
        climbed = []
        for start in starts[:1] if self.interrupted else starts:
            try:
                climbed.append(climb(self.metric, self.pool, start, sign=sign))
                self.done += 1
                if self.progress is not None:
                    self.progress("starts", self.done, 2 * len(starts))
            except KeyboardInterrupt:
                if not climbed:
                    raise
                self.interrupted = True
                break
        return max(climbed, key=lambda rows: sign * self.pool.score(self.metric, rows))
