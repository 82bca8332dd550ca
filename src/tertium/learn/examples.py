# SPDX-License-Identifier: Apache-2.0
"""What rankers learn from: pairs of candidates, pairs of corpora, n-best lists.

Candidates are rows of one matrix of features and pairs are numbers of rows, so a
candidate judged in twenty pairs is stored and computed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows: TypeAlias = NDArray[np.float64]
    Numbers: TypeAlias = NDArray[np.int64]

__all__ = ["Examples", "NBest", "SystemPairs", "join"]


@dataclass(frozen=True, eq=False)
class Examples:
    """Candidates, and which of two was preferred.

    Attributes
    ----------
    features : ndarray of shape (candidates, features)
    better, worse : ndarray of int
        Rows of `features`, one element a pair.
    weights : ndarray, optional
        One per pair, 1 by default.
    groups : tuple of str
        Where pairs may come from, such as ``2015/de-en``.
    group : ndarray of int, optional
        One per pair: its place in `groups`.
    """

    features: Rows
    better: Numbers
    worse: Numbers
    weights: Rows = None  # type: ignore[assignment]
    groups: tuple[str, ...] = ("all",)
    group: Numbers = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        pairs = len(self.better)
        settle = object.__setattr__
        settle(self, "features", _matrix(self.features))
        settle(self, "better", _rows(self.better, len(self.features), "better"))
        settle(self, "worse", _rows(self.worse, len(self.features), "worse"))
        weights = np.ones(pairs) if self.weights is None else self.weights
        settle(self, "weights", np.ascontiguousarray(weights, dtype=np.float64))
        group = np.zeros(pairs, dtype=np.int64) if self.group is None else self.group
        settle(self, "group", _rows(group, len(self.groups), "group"))
        for name in ("worse", "weights", "group"):
            if getattr(self, name).shape != (pairs,):
                raise InputError(
                    f"{pairs} pairs have a better row and {len(getattr(self, name))} "
                    f"a value of {name}; give one each"
                )
        if not (np.isfinite(self.weights).all() and (self.weights >= 0).all()):
            raise InputError("weights of pairs must be finite and 0 or more")

    def __len__(self) -> int:
        return len(self.better)

    def differences(self, raw: Rows) -> Rows:
        """Return raw of the better minus raw of the worse candidate of every pair."""
        return raw[self.better] - raw[self.worse]

    def with_features(self, features: Rows) -> Examples:
        """Return the same pairs over other features of the same candidates."""
        return replace(self, features=features)

    def balanced(self) -> Examples:
        """Return the same pairs, weighted so that all groups have the same total.

        The mean weight stays what it was, and so does what regularisation means.
        """
        totals = np.bincount(self.group, self.weights, minlength=len(self.groups))
        share = totals.sum() / max(1, np.count_nonzero(totals))
        factors = np.divide(share, totals, out=np.zeros_like(totals), where=totals > 0)
        return replace(self, weights=self.weights * factors[self.group])

    def take(self, pairs: NDArray[np.int64] | NDArray[np.bool_]) -> Examples:
        """Return some of the pairs, with all candidates."""
        return replace(
            self,
            better=self.better[pairs],
            worse=self.worse[pairs],
            weights=self.weights[pairs],
            group=self.group[pairs],
        )


@dataclass(frozen=True, eq=False)
class SystemPairs:
    """Pairs of corpora, and the margin by which judges preferred the better one.

    Attributes
    ----------
    better, worse : sequence of ndarray of int
        The rows of features of every segment of the corpus, one array a pair.
    margin : ndarray
        Difference in human score, such as expected wins; above 0.
    """

    better: Sequence[Numbers]
    worse: Sequence[Numbers]
    margin: Rows

    def __post_init__(self) -> None:
        margin = np.ascontiguousarray(self.margin, dtype=np.float64)
        object.__setattr__(self, "margin", margin)
        if not len(self.better) == len(self.worse) == len(margin):
            raise InputError(
                f"{len(self.better)} better corpora, {len(self.worse)} worse ones and "
                f"{len(margin)} margins; give as many of each"
            )
        if not (np.isfinite(margin).all() and (margin > 0).all()):
            raise InputError(
                "margins of system pairs must be finite and above 0; leave out pairs "
                "judges did not distinguish"
            )
        for index, rows in enumerate([*self.better, *self.worse]):
            if not len(rows):
                raise InputError(
                    f"corpus {index % len(margin)} of the system pairs has no segment; "
                    f"leave it out"
                )

    def __len__(self) -> int:
        return len(self.margin)


@dataclass(frozen=True, eq=False)
class NBest:
    """Candidates of a translation system that nobody judged.

    Attributes
    ----------
    features : ndarray of shape (candidates, features)
    starts : ndarray of int
        The first row of every list, rising, the first one 0.
    """

    features: Rows
    starts: Numbers

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", _matrix(self.features))
        starts = _rows(self.starts, max(len(self.features), 1), "starts")
        object.__setattr__(self, "starts", starts)
        rising = len(starts) and starts[0] == 0 and bool((np.diff(starts) > 0).all())
        if not rising:
            raise InputError(
                "starts of n-best lists must rise from 0; no list is empty"
            )

    @property
    def ends(self) -> Numbers:
        """The row after the end of every list."""
        return np.append(self.starts[1:], len(self.features))


def join(first: Examples, second: Examples) -> Examples:
    """Return the pairs of both, over the candidates of both."""
    offset = len(first.features)
    names = tuple(dict.fromkeys(first.groups + second.groups))
    place = np.array([names.index(name) for name in second.groups], dtype=np.int64)
    old = np.array([names.index(name) for name in first.groups], dtype=np.int64)
    return Examples(
        np.vstack([first.features, second.features]),
        np.concatenate([first.better, second.better + offset]),
        np.concatenate([first.worse, second.worse + offset]),
        np.concatenate([first.weights, second.weights]),
        names,
        np.concatenate([old[first.group], place[second.group]]),
    )


def _matrix(features: Rows) -> Rows:
    """Return features as the core takes them; reject what is not finite."""
    rows = np.ascontiguousarray(features, dtype=np.float64)
    if rows.ndim != 2:
        raise InputError(f"features have {rows.ndim} dimensions; give a matrix")
    if not np.isfinite(rows).all():
        row, column = np.argwhere(~np.isfinite(rows))[0]
        raise InputError(
            f"feature {column} of candidate {row} is {rows[row, column]}; all features "
            f"must be finite"
        )
    return rows


def _rows(rows: Numbers, count: int, name: str) -> Numbers:
    """Return row numbers as the core takes them; reject what is outside."""
    numbers = np.ascontiguousarray(rows, dtype=np.int64)
    if numbers.ndim != 1:
        raise InputError(f"{name} has {numbers.ndim} dimensions; give a vector")
    if numbers.size and not (numbers.min() >= 0 and numbers.max() < count):
        raise InputError(f"{name} names a row outside 0 to {count - 1}")
    return numbers
