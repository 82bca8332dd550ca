# SPDX-License-Identifier: Apache-2.0
"""Weights of pseudo-references: how probable each one is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError, UnknownNameError
from tertium.tuning.lists import NBestList, need_lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["distinct_lists", "matched_references", "reference_weights"]


def reference_weights(
    each: NBestList, utility_weights: str = "uniform", *, scale: float = 1.0
) -> NDArray[np.float64]:
    """Return the weight of every hypothesis as a reference; they add up to 1.

    Parameters
    ----------
    each : NBestList
    utility_weights : str
        ``uniform``, the right choice for samples, which are as frequent as they are
        probable; ``logprob``, from the scores of the list; or the name of a feature.
        Scores and features are taken as logarithms of probabilities.
    scale : float
        By which the logarithms are multiplied: below 1 makes weights more equal, as
        lists of phrase-based decoders need (Kumar and Byrne 2004).

    Examples
    --------
    >>> made = NBestList("0", ["a", "b"], ("lm",), np.array([[0.0], [np.log(3)]]))
    >>> reference_weights(made, "lm").round(2).tolist()
    [0.25, 0.75]
    """
    if utility_weights == "uniform":
        return np.full(len(each), 1.0 / len(each))
    logs = scale * _logarithms(each, utility_weights)
    highest = logs.max()
    if not np.isfinite(highest):
        message = (
            f"the list {each.id} has no finite {utility_weights}; give finite numbers, "
            f"or use utility_weights=uniform"
        )
        raise InputError(message, options=("utility_weights",))
    weights = np.exp(logs - highest)
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def _logarithms(each: NBestList, name: str) -> NDArray[np.float64]:
    if name in each.names:
        return each.features[:, each.names.index(name)]
    if name != "logprob":
        choices = ("uniform", "logprob", *each.names)
        raise UnknownNameError("weighting", name, choices)
    if each.scores is None:
        message = (
            f"the list {each.id} has no scores, which utility_weights=logprob needs; "
            "add scores, name a feature, or use uniform"
        )
        raise InputError(message, options=("utility_weights",))
    return each.scores


def matched_references(
    lists: Sequence[NBestList], references: Sequence[NBestList] | None
) -> Sequence[NBestList]:
    """Return the list of pseudo-references of every list, matched by id.

    Raises
    ------
    InputError
        When a list has none, or an id comes twice.
    """
    if references is None:
        return lists
    by_id: dict[str, NBestList] = {}
    for each in references:
        if each.id in by_id:
            message = f"there are two lists of references {each.id}; merge them"
            raise InputError(message, options=("references",))
        by_id[each.id] = each
    missing = [each.id for each in lists if each.id not in by_id]
    if missing:
        message = (
            f"the list {missing[0]} has no pseudo-references ({len(missing):,} of "
            f"{len(lists):,} lists have none); give a list with the same id"
        )
        raise InputError(message, options=("references",))
    return [by_id[each.id] for each in lists]


def distinct_lists(lists: Sequence[NBestList]) -> None:
    """Check that there are lists, and that no id comes twice."""
    need_lists(lists)
    seen: set[str] = set()
    for each in lists:
        if each.id in seen:
            message = f"there are two lists {each.id}; merge them (tertium nbest merge)"
            raise InputError(message)
        seen.add(each.id)
