# SPDX-License-Identifier: Apache-2.0
"""Results of comparing predicted with human spans."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tertium._version import __version__
from tertium.meta.spans.inputs import Compared
from tertium.notes import Note

__all__ = ["SpanDifference", "SpanEvaluation", "SpanValue"]


class SpanValue(NamedTuple):
    """A measure of a metric; None where it is undefined or has no interval."""

    metric: str
    measure: str
    value: float | None
    interval: tuple[float, float] | None


class SpanDifference(NamedTuple):
    """By how much metric `a` is above metric `b`, and the p-value of that."""

    measure: str
    a: str
    b: str
    delta: float
    p: float
    p_adjusted: float


@dataclass(frozen=True)
class SpanEvaluation:
    """How well predicted spans fit human ones.

    Parameters
    ----------
    values : tuple of SpanValue
    differences : tuple of SpanDifference
    probes : tuple of str
        Which metrics are probes.
    outputs, judged, segments : int
        Outputs compared, outputs that people judged, and segments compared.
    scale : str, optional
        The human scale of ``score:pearson``; None if scores come from spans.
    run : mapping of str to object
        Seed, number of samples and the like.
    notes : tuple of Note
    compared : Compared, optional
        The annotations themselves; not part of the JSON.
    """

    values: tuple[SpanValue, ...]
    differences: tuple[SpanDifference, ...]
    probes: tuple[str, ...]
    outputs: int
    judged: int
    segments: int
    scale: str | None
    run: Mapping[str, object]
    notes: tuple[Note, ...] = ()
    compared: Compared | None = None

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics, in order."""
        return list(dict.fromkeys(value.metric for value in self.values))

    @property
    def measures(self) -> list[str]:
        """The names of the measures, in order."""
        return list(dict.fromkeys(value.measure for value in self.values))

    def get(self, metric: str, measure: str) -> SpanValue:
        """Return one value."""
        for value in self.values:
            if (value.metric, value.measure) == (metric, measure):
                return value
        raise KeyError((metric, measure))

    def to_json(self) -> str:
        """Return the results as a JSON object; see ``tertium correlate --help``."""
        content = {
            "tertium": __version__,
            "run": dict(self.run),
            "outputs": self.outputs,
            "judged": self.judged,
            "segments": self.segments,
            "scale": self.scale,
            "notes": [str(note) for note in self.notes],
            "spans": [
                {**value._asdict(), "probe": value.metric in self.probes}
                for value in self.values
            ],
            "differences": [each._asdict() for each in self.differences],
        }
        return json.dumps(content, ensure_ascii=False, indent=2)
