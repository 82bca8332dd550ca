# SPDX-License-Identifier: Apache-2.0
"""The results of scoring orders."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from tertium._version import __version__
from tertium.preorder.operator_counts import OperatorCounts

__all__ = ["Oracle", "OrderScore", "OrderScores", "PairTest"]


@dataclass(frozen=True)
class OrderScore:
    """The score of one system under one measure.

    Parameters
    ----------
    score : float
        The mean over all sentences.
    interval : pair of float, optional
        Its bootstrap interval.
    segments : list of float, optional
        The score of each sentence.
    """

    score: float
    interval: tuple[float, float] | None = None
    segments: list[float] | None = None


@dataclass(frozen=True)
class PairTest:
    """A paired bootstrap test of two systems.

    Parameters
    ----------
    measure, a, b : str
        The measure, and the names of the systems.
    delta : float
        The score of a minus the score of b.
    interval : pair of float
        The bootstrap interval of the difference.
    p, p_adjusted : float
        Before and after correction for several pairs.
    better : str, optional
        The system that is significantly better; None if neither is.
    """

    measure: str
    a: str
    b: str
    delta: float
    interval: tuple[float, float]
    p: float
    p_adjusted: float
    better: str | None


@dataclass(frozen=True)
class Oracle:
    """A system that has, of several orders, the one closest to the gold order.

    Parameters
    ----------
    system : str
        Whose orders these are.
    orders : float
        The mean number per sentence.
    """

    system: str
    orders: float


@dataclass(frozen=True)
class OrderScores:
    """The scores of several systems, and tests of their differences.

    Parameters
    ----------
    sentences : int
        How many were scored.
    measures : tuple of str
    systems : mapping of name to mapping of measure to OrderScore
    pairs : tuple of PairTest
        Empty without resamples.
    settings : mapping
        How gold orders were made, and how scores were resampled.
    oracles : mapping of name to Oracle
        The systems that have the best of several orders; they are in no pair.
    operators : mapping of name to OperatorCounts
        Of the gold orders, under ``gold``, and of every system.
    """

    sentences: int
    measures: tuple[str, ...]
    systems: Mapping[str, Mapping[str, OrderScore]]
    pairs: tuple[PairTest, ...]
    settings: Mapping[str, object]
    oracles: Mapping[str, Oracle] = field(default_factory=dict)
    operators: Mapping[str, OperatorCounts] = field(default_factory=dict)

    def __getitem__(self, system: str) -> Mapping[str, OrderScore]:
        """Return the scores of one system by measure."""
        return self.systems[system]

    def to_dict(self) -> dict[str, object]:
        """Return the object that ``tertium preorder score -f json`` prints."""
        return {
            "tertium": __version__,
            "sentences": self.sentences,
            "settings": dict(self.settings),
            "systems": {
                name: {measure: asdict(score) for measure, score in scores.items()}
                for name, scores in self.systems.items()
            },
            "oracles": {name: asdict(item) for name, item in self.oracles.items()},
            "operators": {name: c.to_dict() for name, c in self.operators.items()},
            "pairs": [asdict(pair) for pair in self.pairs],
        }

    def to_json(self) -> str:
        """Return the same as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)
