# SPDX-License-Identifier: Apache-2.0
"""What tuning with a decoder returns: one row per iteration, and the best of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from tertium._version import __version__

__all__ = ["STOPPED", "DecoderRun", "Iteration"]

#: Why a run ended, in words.
STOPPED = {
    "running": "not finished",
    "no-new-hypotheses": "the decoder found no new hypotheses",
    "converged": "the weights no longer change",
    "patience": "the score no longer rises",
    "iterations": "all iterations are done",
}


@dataclass(frozen=True, kw_only=True)
class Iteration:
    """One run of the decoder, and the weights that tuning made of its lists.

    Parameters
    ----------
    number : int
        From 0, the start weights, on.
    weights : mapping of str to float
        Those the decoder used.
    score : float
        Of the first hypotheses of the decoder's lists.
    length_ratio : float
        Words of the first hypotheses per word of the references, of several
        references the one nearest in length.
    hit_rate : float, optional
        The share of first hypotheses that the metric has judgements of.
    hypotheses : int
        How many distinct ones there are up to this iteration.
    new : int
        How many of them this iteration added.
    predicted : float, optional
        The score of the tuned weights on all lists up to this iteration. None where
        nothing was tuned: after the last run of the decoder.
    tuned : mapping of str to float, optional
        The weights of the next iteration.
    change : float, optional
        The largest difference between a weight and its tuned value, where the absolute
        values of all weights add up to 1.
    """

    number: int
    weights: Mapping[str, float]
    score: float
    length_ratio: float
    hit_rate: float | None
    hypotheses: int
    new: int
    predicted: float | None = None
    tuned: Mapping[str, float] | None = None
    change: float | None = None

    def to_dict(self) -> dict[str, object]:
        """Return a line of ``log.jsonl`` as an object."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class DecoderRun:
    """Tuning with a decoder in the loop, finished or not.

    Parameters
    ----------
    settings : mapping of str to object
        What the weights depend on: decoder, metric, method, seed, start.
    higher_is_better : bool
        Whether high scores of the metric are good.
    iterations : tuple of Iteration
    stopped : str
        A key of :data:`STOPPED`.
    """

    settings: Mapping[str, object]
    higher_is_better: bool
    iterations: tuple[Iteration, ...]
    stopped: str

    @property
    def start(self) -> Iteration:
        """The decoder under the start weights."""
        return self.iterations[0]

    @property
    def final(self) -> Iteration:
        """The iteration whose decoder output scores best; of equal ones the first."""
        sign = 1 if self.higher_is_better else -1
        return max(self.iterations, key=lambda each: sign * each.score)

    def to_dict(self) -> dict[str, object]:
        """Return the object of JSON that ``tertium tune run -f json`` writes."""
        return {
            "tertium": __version__,
            "settings": dict(self.settings),
            "higher_is_better": self.higher_is_better,
            "start": _point(self.start),
            "final": _point(self.final),
            "stopped": self.stopped,
            "iterations": [each.to_dict() for each in self.iterations],
        }

    def to_json(self) -> str:
        """Return the JSON that ``tertium tune run -f json`` writes."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)


def _point(row: Iteration) -> dict[str, object]:
    return {
        "iteration": row.number,
        "score": row.score,
        "length_ratio": row.length_ratio,
        "weights": dict(row.weights),
    }
