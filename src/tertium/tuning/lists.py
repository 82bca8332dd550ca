# SPDX-License-Identifier: Apache-2.0
"""N-best lists: the hypotheses of a segment with features and scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from tertium._executor import elsewhere, spread
from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.tuning.placed import list_chunk, selected

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.data.line_places import TextChunk
    from tertium.metrics import Metric

__all__ = [
    "NBestList",
    "feature_names",
    "need_lists",
    "number_of_references",
    "references_of",
    "statistics",
]

_PART = 32  # lists that go elsewhere together


@dataclass(frozen=True, eq=False)
class NBestList:
    """The hypotheses of one segment, in the order of the file: the best first.

    Parameters
    ----------
    id : str
        As the file has it; Moses counts from 0.
    texts : sequence of str
        At least one.
    names : tuple of str
        Names of the features. Features with several values have one name per value:
        ``TranslationModel0_0``, ``TranslationModel0_1``.
    features : ndarray of shape (len(texts), len(names))
    scores : ndarray of shape (len(texts),), optional
        The total score of the model that made the list, such as a log-probability.
    source : str, optional
    references : tuple of str
        None where the file has none.

    Examples
    --------
    >>> made = NBestList("0", ["a b", "b a"], ("lm",), np.array([[-1.0], [-2.0]]))
    >>> len(made)
    2
    """

    id: str
    texts: Sequence[str]
    names: tuple[str, ...]
    features: NDArray[np.float64]
    scores: NDArray[np.float64] | None = None
    source: str | None = None
    references: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not len(self.texts):
            raise InputError(f"the list {self.id} has no hypotheses; remove it")
        shape = (len(self.texts), len(self.names))
        if self.features.shape != shape:
            message = (
                f"the list {self.id} has features of shape {self.features.shape}; "
                f"{shape} is wanted: one row per hypothesis, one column per name"
            )
            raise InputError(message)

    def __len__(self) -> int:
        """Return the number of hypotheses."""
        return len(self.texts)

    def select(self, rows: Sequence[int]) -> NBestList:
        """Return the list with some of its hypotheses, in the order of `rows`."""
        chosen = np.asarray(rows, dtype=np.intp)
        return replace(
            self,
            texts=selected(self.texts, chosen),
            features=self.features[chosen],
            scores=None if self.scores is None else self.scores[chosen],
        )


def need_lists(lists: Sequence[NBestList]) -> None:
    """Raise an error if there are none."""
    if not lists:
        raise InputError("no n-best lists; give at least one")


def feature_names(lists: Sequence[NBestList]) -> tuple[str, ...]:
    """Return the names of features, which all lists must share."""
    need_lists(lists)
    names = lists[0].names
    for each in lists:
        if each.names != names:
            message = (
                f"the list {each.id} has the features {' '.join(each.names)}, and the "
                f"list {lists[0].id} has {' '.join(names)}; all lists need the same"
            )
            raise InputError(message)
    return names


def references_of(lists: Sequence[NBestList]) -> list[tuple[str, ...]]:
    """Return the references of every list, or say which list has none."""
    for each in lists:
        if not each.references:
            message = f"the list {each.id} has no reference; give references"
            raise InputError(message)
    return [each.references for each in lists]


def number_of_references(lists: Sequence[NBestList]) -> str:
    """Return how many references every list has, as signatures say it."""
    sizes = {len(each.references) for each in lists}
    return str(sizes.pop()) if len(sizes) == 1 else "var"


def statistics(
    lists: Sequence[NBestList],
    metric: Metric,
    *,
    threads: int | None = None,
) -> list[NDArray[np.float64]]:
    """Return the statistics of every hypothesis, one array per list.

    References are tokenised and counted once per list, not once per hypothesis.

    Parameters
    ----------
    lists : sequence of NBestList
        With references.
    metric : Metric
        Fitted to the references, if it needs that (:meth:`Metric.prepare`).
    threads : int, optional

    Returns
    -------
    list of ndarray of shape (len(list), metric.width)
    """
    references = references_of(lists)
    size = _PART if elsewhere() else len(lists)
    parts = (
        list_chunk(
            [each.texts for each in lists[i : i + size]], references[i : i + size]
        )
        for i in range(0, len(lists), size)
    )
    work = partial(_statistics, metric, threads)
    return [rows for part in spread(work, parts) for rows in part]


def _statistics(
    metric: Metric,
    threads: int | None,
    part: TextChunk[Sequence[str], list[tuple[str, ...]]],
) -> list[NDArray[np.float64]]:
    lists = part.read()
    longest = max(map(len, lists))
    # A batch is a rectangle: short lists repeat their last hypothesis.
    systems = [
        [texts[min(row, len(texts) - 1)] for texts in lists] for row in range(longest)
    ]
    batch = Batch(systems, part.rest)
    metric.check(batch)
    table = np.stack(metric.rows(batch, threads=threads), axis=1)
    return [table[i, : len(each)] for i, each in enumerate(lists)]
