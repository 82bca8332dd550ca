# SPDX-License-Identifier: Apache-2.0
"""Scores of systems and their comparison, as frozen results."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tertium._version import __version__
from tertium.engine.base import Result, text_table
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.metrics.base import Metric
    from tertium.stats.clusters import Ranking
    from tertium.stats.limits import Hopeless

_FEW_UNITS = 20  # the bootstrap needs more

__all__ = ["Comparison", "MetricInfo", "Pair", "Score", "ScoreTable"]


@dataclass(frozen=True)
class MetricInfo:
    """What a table must know about a metric."""

    label: str
    signature: str
    higher_is_better: bool
    unit: float

    @classmethod
    def of(
        cls, metric: Metric, *, layers: Collection[str] = (), **run: str
    ) -> MetricInfo:
        """Return the facts about a metric in a run, with the layers of the texts."""
        plain = sorted(name for name in layers if ":" not in name)
        used = [n for n in plain if n.rpartition("-")[2] in metric.layers]
        if used:
            run["given"] = "+".join(used)
        parsers = {name[5:] for name in layers if name.startswith("tree:")}
        if "tree" in used and len(parsers) == 1 and "" not in parsers:
            run["parser"] = re.sub("[|:]", "_", parsers.pop())
        return cls(
            label=metric.label,
            signature=metric.signature_for(**run),
            higher_is_better=metric.higher_is_better,
            unit=metric.unit,
        )

    def show(self, value: float | None, digits: int | None = None) -> str:
        """Return a score with two digits for percentages, four otherwise.

        A negative number of digits asks for all of them.
        """
        if value is None or math.isnan(value):
            return "n/a"
        if digits is not None and digits < 0:
            return repr(value)
        return f"{value:.{self.digits if digits is None else digits}f}"

    @property
    def digits(self) -> int:
        """The usual number of decimal places."""
        return 2 if self.unit == 100.0 else 4

    def to_dict(self) -> dict[str, Any]:
        """Return how the JSON of every verb describes a metric."""
        return {"signature": self.signature, "higher_is_better": self.higher_is_better}


@dataclass(frozen=True)
class Score:
    """The score of one system under one metric."""

    score: float
    interval: tuple[float, float] | None = None
    segments: list[float | None] | None = None
    documents: dict[str, float] | None = None
    degenerate: int = 0
    unproven: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the figures.

        A segment that a metric leaves out has None for a score. ``documents`` only
        where they were asked for, ``degenerate`` (segments with
        nothing to measure) and ``unproven`` (segments whose search was cut short)
        only where there are any.
        """
        out: dict[str, Any] = {
            "score": self.score,
            "interval": None if self.interval is None else list(self.interval),
            "segments": self.segments,
        }
        if self.documents is not None:
            out["documents"] = self.documents
        if self.degenerate:
            out["degenerate"] = self.degenerate
        if self.unproven:
            out["unproven"] = self.unproven
        return out


@dataclass(frozen=True, repr=False)
class ScoreTable(Result):
    """The scores of systems under metrics.

    Attributes
    ----------
    metrics : mapping of spec to MetricInfo
    systems : mapping of name to mapping of spec to Score
    segments : int
        How many segments were scored.
    ids : sequence of str, optional
        Of the segments, where they were scored one by one and the test set has ids.
    """

    metrics: Mapping[str, MetricInfo]
    systems: Mapping[str, Mapping[str, Score]]
    segments: int
    ids: Sequence[str] | None = None

    def __getitem__(self, system: str) -> Mapping[str, Score]:
        """Return the scores of one system by spec."""
        return self.systems[system]

    @property
    def notes(self) -> list[Note]:
        """What a user should know before trusting the scores."""
        return [
            *self._mixed_links(),
            *self._counted("unproven"),
            *self._counted("degenerate"),
        ]

    def _mixed_links(self) -> Iterator[Note]:
        for spec, info in self.metrics.items():
            if "some-links" in info.signature:
                yield Note("mixed-links", {"metric": spec})

    def _counted(self, code: str) -> Iterator[Note]:
        """Yield a note for every metric with segments of a kind, by system."""
        for spec in self.metrics:
            counts = {
                name: getattr(scores[spec], code)
                for name, scores in self.systems.items()
            }
            if any(counts.values()):
                listed = [
                    f"{name} {number:,} of {self.segments:,}"
                    for name, number in counts.items()
                    if number
                ]
                values = {
                    "metric": spec,
                    "name": spec.partition(":")[0],
                    "systems": ", ".join(listed),
                }
                yield Note(code, values)

    def ranked(self, metric: str | None = None) -> list[str]:
        """Return the systems, best first by a metric (the first unless one is named).

        Systems with equal scores keep their order; those without a score come last.
        """
        spec = next(iter(self.metrics)) if metric is None else metric
        sign = -1.0 if self.metrics[spec].higher_is_better else 1.0

        def place(name: str) -> float:
            score = self.systems[name][spec].score
            return math.inf if math.isnan(score) else sign * score

        return sorted(self.systems, key=place)

    @property
    def labels(self) -> dict[str, str]:
        """The label of every metric, or its spec where two labels are the same."""
        names = [info.label for info in self.metrics.values()]
        return {
            spec: spec if names.count(info.label) > 1 else info.label
            for spec, info in self.metrics.items()
        }

    def order(self, sort: str = "quality", metric: str | None = None) -> list[str]:
        """Return the systems best first ("quality"), or in their order ("given")."""
        return list(self.systems) if sort == "given" else self.ranked(metric)

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``tertium score -f json`` prints.

        Systems are in the order of the test set.
        """
        return {
            "tertium": __version__,
            "metrics": {spec: info.to_dict() for spec, info in self.metrics.items()},
            "systems": {
                name: {spec: score.to_dict() for spec, score in scores.items()}
                for name, scores in self.systems.items()
            },
        }

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "system": name,
                "metric": spec,
                "score": score.score,
                "low": score.interval[0] if score.interval else None,
                "high": score.interval[1] if score.interval else None,
            }
            for name, scores in self.systems.items()
            for spec, score in scores.items()
        ]

    def __repr__(self) -> str:
        head = ["system", *(info.label for info in self.metrics.values())]
        body = [
            [name, *(self.metrics[spec].show(s.score) for spec, s in scores.items())]
            for name, scores in self.systems.items()
        ]
        return text_table([head, *body])


@dataclass(frozen=True)
class Pair:
    """The comparison of two systems under one metric.

    Attributes
    ----------
    delta : float
        score(a) - score(b).
    interval : tuple of float
        Bootstrap interval of the difference.
    p, p_adjusted : float
        Before and after the correction for many pairs.
    effect : float
        Mean of the segments' differences over their standard deviation
        (paired Cohen's d), positive where a is better; NaN where all
        differences are equal but not zero.
    better : str or None
        The system that is significantly better.
    """

    metric: str
    a: str
    b: str
    delta: float
    interval: tuple[float, float]
    p: float
    p_adjusted: float
    effect: float
    better: str | None

    def turned(self) -> Pair:
        """Return the same comparison with a and b exchanged."""
        low, high = self.interval
        return replace(
            self,
            a=self.b,
            b=self.a,
            delta=0.0 - self.delta,  # not -delta: that would make 0 a -0
            interval=(0.0 - high, 0.0 - low),
            effect=0.0 - self.effect,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the figures."""
        return {
            "metric": self.metric,
            "a": self.a,
            "b": self.b,
            "delta": self.delta,
            "interval": list(self.interval),
            "p": self.p,
            "p_adjusted": self.p_adjusted,
            "effect": self.effect,
            "better": self.better,
        }


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """All pairs of systems under metrics, and the ranking that follows.

    Attributes
    ----------
    scores : ScoreTable
    pairs : list of Pair
    ranking : mapping of spec to list of Ranking, best first
    run : mapping
        How it was done: test, resamples, seed, correction, alpha, units, exact.
    """

    scores: ScoreTable
    pairs: list[Pair]
    ranking: Mapping[str, list[Ranking]]
    run: Mapping[str, str | int | float | bool]

    def pair(self, a: str, b: str, metric: str | None = None) -> Pair:
        """Return one pair in either order (delta is that of the stored order)."""
        for pair in self.pairs:
            if {pair.a, pair.b} == {a, b} and metric in (None, pair.metric):
                return pair
        message = f"no comparison of {a!r} and {b!r}"
        raise KeyError(message)

    def pairs_in(self, order: Sequence[str], metric: str) -> list[Pair]:
        """Return the pairs of a metric, sorted and turned to follow an order.

        A baseline, with which every other system is compared, always stays `a`.
        """
        place = {name: number for number, name in enumerate(order)}
        pairs = [pair for pair in self.pairs if pair.metric == metric]
        if self.ranking[metric]:
            pairs = [p if place[p.a] < place[p.b] else p.turned() for p in pairs]
        return sorted(pairs, key=lambda pair: (place[pair.a], place[pair.b]))

    @property
    def notes(self) -> list[Note]:
        """What a user should know before trusting scores and p-values."""
        units = int(self.run["number_of_units"])
        few = self.run["test"] == "bootstrap" and 1 < units < _FEW_UNITS
        values = {"units": units, "kind": self.run["units"]}
        return [*self.scores.notes, *([Note("few-units", values)] if few else [])]

    def hopeless(self) -> Hopeless | None:
        """Return why no difference could be significant; None if one could."""
        from tertium.stats.limits import hopeless

        return hopeless(
            len(self.pairs) // max(1, len(self.scores.metrics)),
            float(self.run["alpha"]),
            correction=str(self.run["correction"]),
            resamples=int(self.run["resamples"]),
            units=int(self.run["number_of_units"]),
            swapped=self.run["test"] == "randomisation",
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``tertium compare -f json`` prints."""
        return {
            **self.scores.to_dict(),
            "run": dict(self.run),
            "pairs": [pair.to_dict() for pair in self.pairs],
            "ranking": {
                spec: [
                    {"system": r.system, "cluster": r.cluster, "rank": list(r.rank)}
                    for r in ranking
                ]
                for spec, ranking in self.ranking.items()
            },
        }

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                **{k: v for k, v in pair.to_dict().items() if k != "interval"},
                "low": pair.interval[0],
                "high": pair.interval[1],
            }
            for pair in self.pairs
        ]

    def __repr__(self) -> str:
        body = [
            [
                p.metric,
                p.a,
                p.b,
                self.scores.metrics[p.metric].show(p.delta),
                f"{p.p_adjusted:.4f}",
                p.better or "-",
            ]
            for p in self.pairs
        ]
        return text_table([["metric", "a", "b", "delta", "p", "better"], *body])
