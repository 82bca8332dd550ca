# SPDX-License-Identifier: Apache-2.0
"""What tuning returns: points in the space of weights, runs, and their spread."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Mapping
from dataclasses import dataclass

from tertium._version import __version__
from tertium.notes import Note

__all__ = ["Point", "Run", "Tuned", "TuningInterrupted"]

# A value of a feature function that has several.
_NUMBERED = re.compile(r"(.+)_(\d+)")


@dataclass(frozen=True)
class Point:
    """Weights, and what the hypotheses they choose score.

    Parameters
    ----------
    score : float
        By the metric, over all lists.
    weights : mapping of str to float
        By feature.
    length_ratio : float, optional
        Words of the chosen hypotheses per word of the references.
    """

    score: float
    weights: Mapping[str, float]
    length_ratio: float | None = None

    def to_dict(self) -> dict[str, object]:
        """Return the point as an object of JSON."""
        return {
            "score": self.score,
            "weights": dict(self.weights),
            "length_ratio": self.length_ratio,
        }

    def to_moses(self) -> str:
        """Return the weights as the section of ``moses.ini``.

        Examples
        --------
        >>> print(Point(1.0, {"LM0": 0.5, "TM0_0": 0.2, "TM0_1": -0.3}).to_moses())
        [weight]
        LM0= 0.5
        TM0= 0.2 -0.3
        """
        functions: dict[str, list[str]] = {}
        for name, weight in self.weights.items():
            split = _NUMBERED.fullmatch(name)
            # A number that does not continue the count is a part of the name.
            if split and int(split[2]) == len(functions.get(split[1], ())):
                functions.setdefault(split[1], []).append(repr(weight))
            else:
                functions[name] = [repr(weight)]
        lines = [f"{name}= {' '.join(values)}" for name, values in functions.items()]
        return "\n".join(["[weight]", *lines])


@dataclass(frozen=True)
class Run:
    """One run of a method.

    Parameters
    ----------
    seed : int
    point : Point
    steps : int
        Line searches of MERT, passes of MIRA, sampled pairs of PRO.
    """

    seed: int
    point: Point
    steps: int

    def to_dict(self) -> dict[str, object]:
        """Return the run as an object of JSON."""
        return {"seed": self.seed, "steps": self.steps, **self.point.to_dict()}


@dataclass(frozen=True)
class Tuned:
    """The result of :func:`tertium.tuning.tune.tune`.

    Parameters
    ----------
    method : str
    metric : str
        The spec of the metric.
    higher_is_better : bool
    settings : mapping of str to number, text or None
        Those of the method; None where it chooses.
    lists, hypotheses : int
    start : Point
    final : Point
        The run with the best score on the lists it was tuned on.
    runs : tuple of Run
        One per seed.
    notes : tuple of Note
    interrupted : bool
        Whether Ctrl-C ended it.
    """

    method: str
    metric: str
    higher_is_better: bool
    settings: Mapping[str, float | str | None]
    lists: int
    hypotheses: int
    start: Point
    final: Point
    runs: tuple[Run, ...]
    notes: tuple[Note, ...] = ()
    interrupted: bool = False

    @property
    def mean(self) -> float:
        """The mean score of the runs."""
        return statistics.fmean(run.point.score for run in self.runs)

    @property
    def deviation(self) -> float | None:
        """The standard deviation of scores over seeds; None for a single run."""
        if len(self.runs) < 2:
            return None
        return statistics.stdev(run.point.score for run in self.runs)

    def to_dict(self) -> dict[str, object]:
        """Return the object of JSON that ``tertium tune batch -f json`` writes."""
        scores = [run.point.score for run in self.runs]
        return {
            "tertium": __version__,
            "method": self.method,
            "metric": self.metric,
            "higher_is_better": self.higher_is_better,
            "settings": dict(self.settings),
            "lists": self.lists,
            "hypotheses": self.hypotheses,
            "start": self.start.to_dict(),
            "final": self.final.to_dict(),
            "runs": [run.to_dict() for run in self.runs],
            "spread": {
                "mean": self.mean,
                "deviation": self.deviation,
                "lowest": min(scores),
                "highest": max(scores),
            },
            "interrupted": self.interrupted,
            "notes": [{"code": note.code, "text": str(note)} for note in self.notes],
        }

    def to_json(self) -> str:
        """Return the JSON that ``tertium tune batch -f json`` writes."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2, allow_nan=False)


class TuningInterrupted(KeyboardInterrupt):
    """Ctrl-C during tuning; `best` is what was reached until then."""

    def __init__(self, best: Tuned) -> None:
        super().__init__("tuning was interrupted")
        self.best = best
