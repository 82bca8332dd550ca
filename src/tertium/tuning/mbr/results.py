# SPDX-License-Identifier: Apache-2.0
"""What minimum Bayes risk chose, as frozen results."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from tertium._version import __version__
from tertium.notes import Note

__all__ = ["MbrList", "MbrResult", "Pick", "UsedMetric"]


@dataclass(frozen=True)
class UsedMetric:
    """A metric, and its share in the utility."""

    signature: str
    higher_is_better: bool
    weight: float

    def to_dict(self) -> dict[str, object]:
        """Return the facts for JSON."""
        return {
            "signature": self.signature,
            "higher_is_better": self.higher_is_better,
            "weight": self.weight,
        }


@dataclass(frozen=True)
class Pick:
    """A hypothesis that was chosen.

    Parameters
    ----------
    index : int
        Its place in the list, from 0; the first of equal texts.
    text : str
    utility : float
        Its expected score: that of the metric, or where there are several the weighted
        mean of their scores on a scale from 0 to 100, on which more is better.
    scores : mapping of str to float
        The expected score of every metric by its spec.
    """

    index: int
    text: str
    utility: float
    scores: Mapping[str, float]

    def to_dict(self) -> dict[str, object]:
        """Return the pick for JSON."""
        return {
            "index": self.index,
            "text": self.text,
            "utility": self.utility,
            "scores": dict(self.scores),
        }


@dataclass(frozen=True)
class MbrList:
    """What was chosen from one list, the best first."""

    id: str
    hypotheses: int
    references: int
    best: tuple[Pick, ...]

    def to_dict(self) -> dict[str, object]:
        """Return the list for JSON."""
        return {
            "id": self.id,
            "hypotheses": self.hypotheses,
            "references": self.references,
            "best": [pick.to_dict() for pick in self.best],
        }


@dataclass(frozen=True)
class MbrResult:
    """The choice from every list, and how it was made.

    Parameters
    ----------
    metrics : mapping of str to UsedMetric
        By spec.
    method : {"pairwise", "aggregate", "pruned"}
    utility_weights : str
    scale : float
    lists : tuple of MbrList
        In the order of the lists.
    pairs : int
        Pairs of different texts that were scored by each metric; with "aggregate" the
        hypotheses.
    all_pairs : int
        How many pairs there are.
    prune, seed
        The accepted error of pruning and the seed of its samples, or None.
    notes : tuple of Note
    """

    metrics: Mapping[str, UsedMetric]
    method: str
    utility_weights: str
    scale: float
    lists: tuple[MbrList, ...]
    pairs: int
    all_pairs: int
    prune: float | None = None
    seed: int | None = None
    notes: tuple[Note, ...] = field(default=())

    @property
    def texts(self) -> list[str]:
        """The best hypothesis of every list."""
        return [each.best[0].text for each in self.lists]

    def to_dict(self) -> dict[str, object]:
        """Return the result for JSON, as ``tertium mbr -f json`` prints it."""
        return {
            "tertium": __version__,
            "metrics": {spec: used.to_dict() for spec, used in self.metrics.items()},
            "method": self.method,
            "utility_weights": self.utility_weights,
            "scale": self.scale,
            "prune": self.prune,
            "seed": self.seed,
            "pairs": self.pairs,
            "all_pairs": self.all_pairs,
            "lists": [each.to_dict() for each in self.lists],
            "notes": [str(note) for note in self.notes],
        }

    def to_json(self) -> str:
        """Return the result as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)
