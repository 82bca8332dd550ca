# SPDX-License-Identifier: Apache-2.0
"""The comparison of systems, as a frozen result."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tertium.engine.base import Result, text_table
from tertium.engine.results import ScoreTable
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.engine.base import Sheet
    from tertium.stats.clusters import Ranking
    from tertium.stats.limits import Hopeless

__all__ = ["Comparison", "Pair"]

_FEW_UNITS = 20  # the bootstrap needs more


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
        Before and after the correction for many pairs; NaN where they were not tested.
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
        How it was done: test, resamples, seed, correction, alpha, units, exact; with
        several runs ``sources``, what the test allows for.
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
        values = {"units": self.run["number_of_units"], "kind": self.run["units"]}
        code = "few-units-runs" if self.scores.has_runs else "few-units"
        few = self.has_few_units and int(self.run["number_of_units"]) > 1
        return [*self.scores.notes, *([Note(code, values)] if few else [])]

    @property
    def has_few_units(self) -> bool:
        """Whether there are too few segments or documents for the bootstrap.

        Its p-values are too small then; randomisation is exact.
        """
        few = int(self.run["number_of_units"]) < _FEW_UNITS
        return few and self.run["test"] == "bootstrap"

    def untested(self) -> Comparison:
        """Return the same scores and differences without p-values and clusters."""
        nan = float("nan")
        return replace(
            self,
            pairs=[replace(p, p=nan, p_adjusted=nan, better=None) for p in self.pairs],
            ranking={spec: [] for spec in self.ranking},
        )

    def hopeless(self) -> Hopeless | None:
        """Return why no difference could be significant; None if one could."""
        from tertium.stats.limits import hopeless

        units = int(self.run["number_of_units"])
        if self.scores.has_runs and self.run["test"] == "bootstrap":
            return None  # t has no smallest p-value.
        if self.scores.has_runs and units > 1:
            units *= self.scores.most_runs  # A coin for every run and unit.
        return hopeless(
            len(self.pairs) // max(1, len(self.scores.metrics)),
            float(self.run["alpha"]),
            correction=str(self.run["correction"]),
            resamples=int(self.run["resamples"]),
            units=units,
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

    def _segment_records(self) -> list[dict[str, Any]]:
        return self.scores.records(segments=True)

    def _sheets(self) -> Mapping[str, Sheet]:
        from tertium.engine.base import record_sheet
        from tertium.engine.sheets import score_sheets

        sheets = score_sheets(self.scores)
        places = [
            {
                "metric": spec,
                "system": place.system,
                "cluster": place.cluster,
                "best rank": place.rank[0],
                "worst rank": place.rank[1],
            }
            for spec, ranking in self.ranking.items()
            for place in ranking
        ]
        return {
            "systems": sheets.pop("systems"),
            "pairs": record_sheet(self._records()),
            **({"ranking": record_sheet(places)} if places else {}),
            **sheets,
            "run": [["setting", "value"], *([k, str(v)] for k, v in self.run.items())],
        }

    def __repr__(self) -> str:
        body = [
            [
                p.metric,
                p.a,
                p.b,
                self.scores.metrics[p.metric].show(p.delta),
                "n/a" if math.isnan(p.p_adjusted) else f"{p.p_adjusted:.4f}",
                p.better or "-",
            ]
            for p in self.pairs
        ]
        return text_table([["metric", "a", "b", "delta", "p", "better"], *body])
