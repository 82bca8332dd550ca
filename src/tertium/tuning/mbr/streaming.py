# SPDX-License-Identifier: Apache-2.0
"""Minimum Bayes risk over lists that are read one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tertium._executor import current
from tertium._seed import SEED
from tertium.errors import InputError
from tertium.metrics import Metric
from tertium.tuning.lists import NBestList
from tertium.tuning.mbr.decoding import (
    Run,
    check_settings,
    is_alone,
    mbr_notes,
    used_metrics,
)
from tertium.tuning.mbr.results import MbrList, MbrResult
from tertium.tuning.mbr.tasks import Task, in_chunks
from tertium.tuning.mbr.utilities import utility_of
from tertium.tuning.mbr.weighting import reference_weights

__all__ = ["MbrStream"]


class MbrStream:
    """The choices of :func:`~tertium.tuning.mbr.mbr`, one after the other.

    Of lists that were done only a hash of the id is kept, some 60 bytes, to recognise
    ids that come twice.

    Parameters
    ----------
    lists : iterable of NBestList
    metrics, utility_weights, scale, top, aggregate, prune, seed, threads
        As in :func:`~tertium.tuning.mbr.mbr`.
    references : iterable of NBestList, optional
        Lists of pseudo-references with the same ids, best in the same order: those that
        come too early are kept.

    Raises
    ------
    InputError
        As :func:`~tertium.tuning.mbr.mbr`, where the lists concerned are reached; also
        for a metric that must see all texts first.

    Examples
    --------
    >>> import numpy as np
    >>> texts = ["a red cat", "the red cat", "the red hat", "the rod cat"]
    >>> stream = MbrStream(iter([NBestList("0", texts, (), np.zeros((4, 0)))]))
    >>> [each.best[0].text for each in stream], stream.result.all_pairs
    (['the red cat'], 16)
    """

    def __init__(
        self,
        lists: Iterable[NBestList],
        metrics: str | Metric | Sequence[str | Metric] = "chrf",
        *,
        references: Iterable[NBestList] | None = None,
        utility_weights: str = "uniform",
        scale: float = 1.0,
        top: int = 1,
        aggregate: bool = False,
        prune: float | None = None,
        seed: int = SEED,
        threads: int | None = None,
    ) -> None:
        self._utility = utility_of(metrics)
        check_settings(
            self._utility, aggregate=aggregate, prune=prune, top=top, scale=scale
        )
        for part, _ in self._utility.parts:
            if part.needs_corpus:
                message = (
                    f"{part.spec} must see all lists before the first choice, so they "
                    "cannot be read one by one; use another metric, or one file"
                )
                raise InputError(message, options=("metrics",))
        self._lists, self._references = lists, references
        self._run = Run(
            self._utility, top, seed, threads, aggregate=aggregate, prune=prune
        )
        self._weighting, self._scale = utility_weights, scale
        self._pairs = self._all_pairs = self._alone = self._done = 0

    def __iter__(self) -> Iterator[MbrList]:
        """Yield the choice from each list; to be used once."""
        for part in current().map(self._run, in_chunks(self._tasks())):
            for picks, scored in part:
                self._pairs += scored
                self._done += 1
                yield picks
        if not self._done:
            raise InputError("no n-best lists; give at least one")

    @property
    def done(self) -> int:
        """How many lists were done."""
        return self._done

    @property
    def result(self) -> MbrResult:
        """How choices were made, without the choices themselves."""
        return MbrResult(
            metrics=used_metrics(self._utility),
            method=self._run.method,
            utility_weights=self._weighting,
            scale=self._scale,
            lists=(),
            pairs=self._pairs,
            all_pairs=self._all_pairs,
            prune=self._run.prune,
            seed=None if self._run.prune is None else self._run.seed,
            notes=mbr_notes(self._alone, self._done),
        )

    def _tasks(self) -> Iterator[Task]:
        seen: set[int] = set()
        for each, other in self._matched():
            if hash(each.id) in seen:
                message = f"there are two lists {each.id}; merge them"
                raise InputError(f"{message} (tertium nbest merge)")
            seen.add(hash(each.id))
            weights = reference_weights(
                each if other is None else other, self._weighting, scale=self._scale
            )
            self._alone += is_alone(weights)
            refs = None if other is None else other.texts
            task = Task(each.id, each.texts, refs, weights)
            self._all_pairs += task.pairs
            yield task

    def _matched(self) -> Iterator[tuple[NBestList, NBestList | None]]:
        if self._references is None:
            for each in self._lists:
                yield each, None
            return
        early: dict[str, NBestList] = {}
        pending = iter(self._references)
        for each in self._lists:
            while each.id not in early:
                other = next(pending, None)
                if other is None:
                    message = (
                        f"the list {each.id} has no pseudo-references; give a list "
                        "with the same id"
                    )
                    raise InputError(message, options=("references",))
                if other.id in early:
                    message = f"there are two lists of references {other.id}"
                    raise InputError(f"{message}; merge them", options=("references",))
                early[other.id] = other
            yield each, early.pop(each.id)
