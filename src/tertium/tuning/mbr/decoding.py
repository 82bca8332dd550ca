# SPDX-License-Identifier: Apache-2.0
"""Minimum Bayes risk over n-best lists: from lists to picks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError
from tertium.metrics import Metric
from tertium.notes import Note
from tertium.tuning.lists import NBestList
from tertium.tuning.mbr.pruning import prune_hypotheses
from tertium.tuning.mbr.results import MbrList, MbrResult, Pick, UsedMetric
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

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["mbr"]

# Lists that go to the core together: few enough to show progress.
_CHUNK = 16
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
    >>> texts = ["a red cat", "a red hat", "the red cat", "a red cat sat"]
    >>> made = NBestList("0", texts, (), np.zeros((4, 0)))
    >>> mbr([made], "chrf").texts
    ['a red cat']
    """
    distinct_lists(lists)
    utility = utility_of(metrics)
    _check(utility, aggregate=aggregate, prune=prune, top=top, scale=scale)
    others = matched_references(lists, references)
    weights = [reference_weights(each, utility_weights, scale=scale) for each in others]
    tasks = _tasks(lists, others, weights)
    fitted = utility.prepare([text for each in others for text in each.texts])
    chosen: list[MbrList] = []
    pairs = 0
    method = "pruned" if prune is not None else "aggregate" if aggregate else "pairwise"
    for start in range(0, len(tasks), _CHUNK):
        chunk = tasks[start : start + _CHUNK]
        if prune is None:
            done = _score(fitted, chunk, aggregate=aggregate, threads=threads)
        else:
            done = _prune(fitted, chunk, start, prune, top, seed, threads)
        for task, (rows, scores, used) in zip(chunk, done, strict=True):
            chosen.append(task.choose(utility, rows, scores, top))
            pairs += used
        if progress is not None:
            progress(len(chosen), len(tasks))
    return MbrResult(
        metrics=_used(utility),
        method=method,
        utility_weights=utility_weights,
        scale=scale,
        lists=tuple(chosen),
        pairs=pairs,
        all_pairs=sum(task.pairs for task in tasks),
        prune=prune,
        seed=None if prune is None else seed,
        notes=tuple(_notes(weights)),
    )


def _check(
    utility: Utility, *, aggregate: bool, prune: float | None, top: int, scale: float
) -> None:
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


class _Task:
    """One list with its pseudo-references and their weights."""

    def __init__(
        self, each: NBestList, refs: list[str] | None, weights: NDArray[np.float64]
    ) -> None:
        self.id = each.id
        self.hyps = list(each.texts)
        self.refs = self.hyps if refs is None else refs
        self.weights = weights
        self.distinct = list(dict.fromkeys(self.hyps))

    @property
    def pairs(self) -> int:
        """The pairs of distinct texts."""
        return len(self.distinct) * len(dict.fromkeys(self.refs))

    def choose(
        self,
        utility: Utility,
        rows: Sequence[int],
        scores: Sequence[NDArray[np.float64]],
        top: int,
    ) -> MbrList:
        """Return the best of the hypotheses `rows`, whose expected scores are known.

        Of equal utilities the first wins, which is the one the decoder prefers.
        """
        utilities = utility.combine(scores)
        ranked = np.argsort(-utility.sign * utilities, kind="stable")
        specs = [part.spec for part, _ in utility.parts]
        picks: dict[str, Pick] = {}
        for place in ranked:
            text = self.hyps[rows[place]]
            if text not in picks:
                by_spec = dict(
                    zip(specs, (float(s[place]) for s in scores), strict=True)
                )
                value = float(utilities[place])
                picks[text] = Pick(int(rows[place]), text, value, by_spec)
            if len(picks) == top:
                break
        best = tuple(picks.values())
        return MbrList(self.id, len(self.hyps), len(self.refs), best)


def _tasks(
    lists: Sequence[NBestList],
    others: Sequence[NBestList],
    weights: Sequence[NDArray[np.float64]],
) -> list[_Task]:
    return [
        _Task(each, None if other is each else list(other.texts), shares)
        for each, other, shares in zip(lists, others, weights, strict=True)
    ]


#: Hypotheses by number, their expected scores by metric, and pairs scored.
_Scored = tuple[Sequence[int], "list[NDArray[np.float64]]", int]


def _score(
    utility: Utility, tasks: Sequence[_Task], *, aggregate: bool, threads: int | None
) -> Iterator[_Scored]:
    """Yield the expected scores of all hypotheses of every list."""
    by_part = [
        expected_scores(
            part,
            [task.hyps for task in tasks],
            [task.refs for task in tasks],
            [task.weights for task in tasks],
            aggregate=aggregate,
            threads=threads,
        )
        for part, _ in utility.parts
    ]
    for number, task in enumerate(tasks):
        pairs = len(task.distinct) if aggregate else task.pairs
        yield range(len(task.hyps)), [scores[number] for scores in by_part], pairs


def _prune(
    utility: Utility,
    tasks: Sequence[_Task],
    first: int,
    error: float,
    top: int,
    seed: int,
    threads: int | None,
) -> Iterator[_Scored]:
    """Yield the expected scores of the hypotheses that were not dropped."""
    for number, task in enumerate(tasks, start=first):
        # Every list has its own samples, whatever other lists there are.
        yield _prune_list(
            utility, task, error, top, np.random.default_rng([seed, number]), threads
        )


def _prune_list(
    utility: Utility,
    task: _Task,
    error: float,
    top: int,
    rng: np.random.Generator,
    threads: int | None,
) -> _Scored:
    refs = list(dict.fromkeys(task.refs))
    place = {text: column for column, text in enumerate(refs)}
    weights = np.bincount([place[text] for text in task.refs], task.weights)
    shape = (len(task.distinct), len(refs))
    tables = [np.zeros(shape) for _ in utility.parts]

    def utilities(
        rows: NDArray[np.intp], columns: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        hyps = [task.distinct[row] for row in rows]
        some = [refs[column] for column in columns]
        for table, (part, _) in zip(tables, utility.parts, strict=True):
            scores = pair_scores(part, hyps, some, threads=threads)
            table[np.ix_(rows, columns)] = scores
        parts = [table[np.ix_(rows, columns)] for table in tables]
        return utility.sign * utility.combine(parts)

    kept = prune_hypotheses(
        utilities, len(task.distinct), weights, error=error, top=top, rng=rng
    )
    scores = [(table @ weights)[kept.rows] for table in tables]
    index = {text: task.hyps.index(text) for text in task.distinct}
    rows = [index[task.distinct[row]] for row in kept.rows]
    return rows, scores, kept.pairs


def _used(utility: Utility) -> dict[str, UsedMetric]:
    return {
        part.spec: UsedMetric(part.signature, part.higher_is_better, weight)
        for part, weight in utility.parts
    }


def _notes(weights: Sequence[NDArray[np.float64]]) -> Iterator[Note]:
    """Yield what to know about the result."""
    alone = sum(len(each) > 1 and float(each.max()) > _ALL for each in weights)
    if alone:
        yield Note("mbr-one-reference", {"count": alone, "all": len(weights)})
