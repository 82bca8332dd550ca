# SPDX-License-Identifier: Apache-2.0
"""Scores of systems on segments, by judges or by one metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MISSING", "ScoreMatrix", "align", "check_scores", "usable"]

#: What to do where there is a human score and a metric has none: an error, or leave
#: the entry out.
MISSING = ("error", "drop")


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """Scores of systems on segments; higher is better.

    Attributes
    ----------
    systems : tuple of str
    segments : tuple of str
        Names or numbers of segments.
    values : ndarray of shape (systems, segments)
        NaN where there is no score. Read only; leave it for calculations, use
        :meth:`get` for a score or None.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    values: NDArray[np.float64]

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float64)
        shape = (len(self.systems), len(self.segments))
        if values.shape != shape:
            message = (
                f"scores of shape {values.shape} for {shape[0]} systems and "
                f"{shape[1]} segments; give one row per system"
            )
            raise InputError(message)
        for kind, names in (("system", self.systems), ("segment", self.segments)):
            if len(set(names)) < len(names):
                twice = next(name for name in names if list(names).count(name) > 1)
                message = f"{kind} {twice!r} is there twice; names must differ"
                raise InputError(message)
        wrong = np.argwhere(np.isinf(values))
        if len(wrong):
            i, s = (int(k) for k in wrong[0])
            message = (
                f"the score of system {self.systems[i]!r}, segment "
                f"{self.segments[s]!r} is infinite; give numbers or nothing"
            )
            raise InputError(message)
        values.setflags(write=False)
        object.__setattr__(self, "systems", tuple(self.systems))
        object.__setattr__(self, "segments", tuple(self.segments))
        object.__setattr__(self, "values", values)

    @classmethod
    def from_scores(
        cls,
        scores: Mapping[str, Sequence[float | None]],
        segments: Iterable[str | int] | None = None,
    ) -> ScoreMatrix:
        """Return the matrix of a list of scores a system, None for a missing one.

        Examples
        --------
        >>> ScoreMatrix.from_scores({"A": [1, None], "B": [2, 3]}).get("A", "2") is None
        True
        """
        lengths = {name: len(row) for name, row in scores.items()}
        count = max(lengths.values(), default=0)
        for name, length in lengths.items():
            if length != count:
                message = (
                    f"system {name!r} has {length} scores, another has {count}; give "
                    "one per segment, None for a missing one"
                )
                raise InputError(message)
        names = range(1, count + 1) if segments is None else segments
        values = [[np.nan if v is None else v for v in row] for row in scores.values()]
        return cls(
            tuple(scores),
            tuple(str(name) for name in names),
            np.array(values, dtype=np.float64).reshape(len(scores), count),
        )

    @property
    def shape(self) -> tuple[int, int]:
        """How many systems and segments there are."""
        return len(self.systems), len(self.segments)

    def get(self, system: str, segment: str) -> float | None:
        """Return one score."""
        value = self.values[self.systems.index(system), self.segments.index(segment)]
        return None if np.isnan(value) else float(value)

    def select(
        self,
        systems: Sequence[str] | None = None,
        segments: Sequence[str] | None = None,
    ) -> ScoreMatrix:
        """Return the matrix of some systems and segments, in the order given."""
        rows = _places(self.systems, systems, "system")
        columns = _places(self.segments, segments, "segment")
        return ScoreMatrix(
            tuple(self.systems[i] for i in rows),
            tuple(self.segments[s] for s in columns),
            self.values[np.ix_(rows, columns)],
        )

    def system_scores(self) -> dict[str, float | None]:
        """Return the mean of every system, over the segments where it has scores."""
        return {
            system: None if np.isnan(row).all() else float(np.nanmean(row))
            for system, row in zip(self.systems, self.values, strict=True)
        }


def _places(
    names: tuple[str, ...], wanted: Sequence[str] | None, kind: str
) -> list[int]:
    if wanted is None:
        return list(range(len(names)))
    index = {name: place for place, name in enumerate(names)}
    absent = [name for name in wanted if name not in index]
    if absent:
        message = f"there is no {kind} {absent[0]!r}; there are {', '.join(names[:9])}"
        raise InputError(message)
    return [index[name] for name in wanted]


def align(human: ScoreMatrix, metric: ScoreMatrix) -> NDArray[np.float64]:
    """Return the metric's scores in the order of the human scores."""
    if human.systems == metric.systems and human.segments == metric.segments:
        return metric.values
    return metric.select(human.systems, human.segments).values


def usable(
    human: ScoreMatrix, metrics: Mapping[str, ScoreMatrix], *, missing: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return human scores and those of all metrics, as the core wants them.

    Returns
    -------
    human : ndarray of shape (segments, systems)
        NaN also where a metric has no score and `missing` is ``drop``.
    metrics : ndarray of shape (metrics, segments, systems)
        0 where there is no human score.
    """
    if missing not in MISSING:
        raise UnknownNameError("rule for missing scores", missing, MISSING)
    gold = np.array(human.values)
    values = [align(human, metric) for metric in metrics.values()]
    for name, scores in zip(metrics, values, strict=True):
        gap = np.argwhere(np.isnan(scores) & ~np.isnan(human.values))
        if len(gap) and missing == "error":
            i, s = (int(k) for k in gap[0])
            message = (
                f"metric {name!r} has no score for system {human.systems[i]!r}, "
                f"segment {human.segments[s]!r} ({len(gap)} in all), where judges have "
                "one; "
                "add it, or drop such entries (missing='drop')"
            )
            raise InputError(message)
        gold[np.isnan(scores)] = np.nan
    stacked = np.array(values).reshape(len(values), *human.shape)
    stacked[:, np.isnan(gold)] = 0.0
    return (
        np.ascontiguousarray(gold.T),
        np.ascontiguousarray(stacked.transpose(0, 2, 1)),
    )


def check_scores(human: NDArray[np.float64]) -> None:
    """Raise an error if there is nothing to resample."""
    if np.isnan(human).all():
        message = (
            "there is no segment with human scores and scores of all metrics; check "
            "the names of systems and segments, and missing scores"
        )
        raise InputError(message)
