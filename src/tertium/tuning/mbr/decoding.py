# SPDX-License-Identifier: Apache-2.0
"""Minimum Bayes risk over n-best lists: from lists to picks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from tertium._executor import current
from tertium._seed import SEED
from tertium.errors import InputError
from tertium.metrics import Metric
from tertium.notes import Note
from tertium.tuning.lists import NBestList
from tertium.tuning.mbr.pruning import prune_hypotheses
from tertium.tuning.mbr.results import MbrList, MbrResult, UsedMetric
from tertium.tuning.mbr.tasks import Chunk, SentChunk, Task, in_chunks, received
from tertium.tuning.mbr.utilities import (
    Utility,
    expected_scores,
    has_aggregate,
    pair_scores,
    utility_of,
)
from tertium.tuning.mbr.weighting import (
    distinct_lists,
    matched_references,
    reference_weights,
)
from tertium.tuning.pool import model_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "Run",
    "check_settings",
    "is_alone",
    "mbr",
    "mbr_notes",
    "used_metrics",
]

# A reference with more weight than this decides alone.
_ALL = 0.99

#: Called with the lists done and all lists.
OnProgress = Callable[[int, int], None]


def mbr(
    lists: Sequence[NBestList],
    metrics: str | Metric | Sequence[str | Metric] = "chrf",
    *,
    references: Sequence[NBestList] | None = None,
    utility_weights: str = "uniform",
    scale: float = 1.0,
    top: int = 1,
    aggregate: bool = False,
    prune: float | None = None,
    seed: int = SEED,
    threads: int | None = None,
    progress: OnProgress | None = None,
    on_list: Callable[[MbrList], None] | None = None,
) -> MbrResult:
    """Choose the hypotheses with the best expected score: minimum Bayes risk.

    Parameters
    ----------
    lists : sequence of NBestList
    metrics : spec or metric, or several
        Several are averaged on a scale from 0 to 100; ``mean:chrf*2+bleu`` sets
        weights. BLEU is that of single sentences (``effective_order=yes``).
    references : sequence of NBestList, optional
        Lists of pseudo-references with the same ids; by default the lists themselves.
    utility_weights : str
        How probable pseudo-references are: ``uniform``, ``logprob`` (from the scores
        of their list) or the name of a feature.
    scale : float
        By which log-probabilities are multiplied.
    top : int
        How many hypotheses to choose from a list; equal texts count once.
    aggregate : bool
        Score against expected n-gram counts, in time linear in the list, instead of
        every reference: BLEU and chrF only. An approximation.
    prune : float, optional
        Drop hypotheses early that will not win, with this accepted chance of dropping
        the winner of a list: for metrics that take long.
    seed : int
        Of the samples of `prune`.
    threads : int, optional
    progress : callable, optional
        Called with the lists done and all lists.
    on_list : callable, optional
        Called with the choice from each list as soon as it is made.

    Returns
    -------
    MbrResult

    Raises
    ------
    InputError
        When lists, references and weights do not go together, or a metric has no
        aggregate form.

    Examples
    --------
    >>> texts = ["a red cat", "the red cat", "the red hat", "the rod cat"]
    >>> made = NBestList("0", texts, (), np.zeros((4, 0)))
    >>> mbr([made], "chrf").texts
    ['the red cat']
    """
    distinct_lists(lists)
    utility = utility_of(metrics)
    check_settings(utility, aggregate=aggregate, prune=prune, top=top, scale=scale)
    others = matched_references(lists, references)
    weights = [reference_weights(each, utility_weights, scale=scale) for each in others]
    fitted = utility.prepare([text for each in others for text in each.texts])
    run = Run(fitted, top, seed, threads, aggregate=aggregate, prune=prune)
    tasks = _tasks(lists, others, weights)
    chosen: list[MbrList] = []
    pairs = 0
    for part in current().map(run, in_chunks(tasks)):
        for picks, scored in part:
            chosen.append(picks)
            pairs += scored
            if on_list is not None:
                on_list(picks)
        if progress is not None:
            progress(len(chosen), len(tasks))
    return MbrResult(
        metrics=used_metrics(utility),
        method=run.method,
        utility_weights=utility_weights,
        scale=scale,
        lists=tuple(chosen),
        pairs=pairs,
        all_pairs=sum(task.pairs for task in tasks),
        prune=prune,
        seed=None if prune is None else seed,
        notes=mbr_notes(sum(map(is_alone, weights)), len(weights)),
    )


def check_settings(
    utility: Utility, *, aggregate: bool, prune: float | None, top: int, scale: float
) -> None:
    """Reject settings that have no meaning, or that metrics cannot meet."""
    if top < 1:
        raise InputError(f"top is {top}; give 1 or more", options=("top",))
    if not np.isfinite(scale) or scale < 0:
        raise InputError(f"scale is {scale}; give 0 or more", options=("scale",))
    if prune is not None and not 0 < prune < 1:
        message = f"prune is {prune}, not a chance; give a number such as 0.01"
        raise InputError(message, options=("prune",))
    if aggregate and prune is not None:
        message = "aggregate scores every hypothesis once, so there is nothing to prune"
        raise InputError(f"{message}; give one of the two", options=("prune",))
    for part, _ in utility.parts:
        if aggregate and not has_aggregate(part):
            message = (
                f"{part.spec} has no expected n-gram counts, as bleu and chrf have; "
                "omit aggregate"
            )
            raise InputError(message, options=("aggregate",))


def _tasks(
    lists: Sequence[NBestList],
    others: Sequence[NBestList],
    weights: Sequence[NDArray[np.float64]],
) -> list[Task]:
    return [
        Task(each.id, each.texts, None if other is each else other.texts, shares)
        for each, other, shares in zip(lists, others, weights, strict=True)
    ]


#: Hypotheses by number, their expected scores by metric, and pairs scored.
_Scored = tuple[Sequence[int], "list[NDArray[np.float64]]", int]


@dataclass(frozen=True)
class Run:
    """How hypotheses are chosen."""

    utility: Utility
    top: int
    seed: int
    threads: int | None
    aggregate: bool = field(kw_only=True)
    prune: float | None = field(kw_only=True)

    @property
    def method(self) -> str:
        """The name of the method."""
        if self.prune is not None:
            return "pruned"
        return "aggregate" if self.aggregate else "pairwise"

    def __call__(self, chunk: Chunk | SentChunk) -> list[tuple[MbrList, int]]:
        """Return what is chosen from every list, and the pairs that were scored."""
        first, tasks = chunk if isinstance(chunk, Chunk) else received(chunk)
        done = (
            self._score_all(tasks) if self.prune is None else self._drop(tasks, first)
        )
        return [
            (task.choose(self.utility, rows, scores, self.top), pairs)
            for task, (rows, scores, pairs) in zip(tasks, done, strict=True)
        ]

    def _score_all(self, tasks: Sequence[Task]) -> Iterator[_Scored]:
        """Yield the expected scores of all hypotheses of every list."""
        by_part = [
            expected_scores(
                part,
                [task.hyps for task in tasks],
                [task.refs for task in tasks],
                [task.weights for task in tasks],
                aggregate=self.aggregate,
                threads=self.threads,
            )
            for part, _ in self.utility.parts
        ]
        for number, task in enumerate(tasks):
            pairs = len(task.distinct) if self.aggregate else task.pairs
            yield range(len(task.hyps)), [scores[number] for scores in by_part], pairs

    def _drop(self, tasks: Sequence[Task], first: int) -> Iterator[_Scored]:
        """Yield the expected scores of the hypotheses that were not dropped."""
        for number, task in enumerate(tasks, start=first):
            # Every list has its own samples, whatever other lists there are.
            yield self._drop_from(task, np.random.default_rng([self.seed, number]))

    def _drop_from(self, task: Task, rng: np.random.Generator) -> _Scored:
        refs = list(dict.fromkeys(task.refs))
        place = {text: column for column, text in enumerate(refs)}
        weights = np.zeros(len(refs))
        np.add.at(weights, [place[text] for text in task.refs], task.weights)
        tables = [np.zeros((len(task.distinct), len(refs))) for _ in self.utility.parts]

        def utilities(
            rows: NDArray[np.intp], columns: NDArray[np.intp]
        ) -> NDArray[np.float64]:
            hyps = [task.distinct[row] for row in rows]
            some = [refs[column] for column in columns]
            parts = []
            for table, (part, _) in zip(tables, self.utility.parts, strict=True):
                parts.append(pair_scores(part, hyps, some, threads=self.threads))
                table[np.ix_(rows, columns)] = parts[-1]
            return self.utility.sign * self.utility.combine(parts)

        kept = prune_hypotheses(
            utilities,
            len(task.distinct),
            weights,
            error=self.prune or 0.0,
            top=self.top,
            rng=rng,
        )
        # Not a product of NumPy, whose last bits depend on its threads.
        scores = [model_scores(table, weights)[kept.rows] for table in tables]
        rows = [task.hyps.index(task.distinct[row]) for row in kept.rows]
        return rows, scores, kept.pairs


def used_metrics(utility: Utility) -> dict[str, UsedMetric]:
    """Return metrics and their weights by spec."""
    return {
        part.spec: UsedMetric(part.signature, part.higher_is_better, weight)
        for part, weight in utility.parts
    }


def is_alone(weights: NDArray[np.float64]) -> bool:
    """Return whether one of several references decides alone."""
    return len(weights) > 1 and float(weights.max()) > _ALL


def mbr_notes(alone: int, lists: int) -> tuple[Note, ...]:
    """Return what to know about a result with so many lists, `alone` of them odd."""
    if not alone:
        return ()
    return (Note("mbr-one-reference", {"count": alone, "all": lists}),)
