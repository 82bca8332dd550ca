# SPDX-License-Identifier: Apache-2.0
"""What a survey with simulated judges gives: known effects, estimates, correlations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from tertium.judgements.adjustment.effects import Effect

__all__ = [
    "Adjusted",
    "Curve",
    "MetricCorrelation",
    "Recovered",
    "Recovery",
    "SurveyResults",
]


@dataclass(frozen=True)
class Recovered:
    """A known effect and its estimate."""

    name: str
    known: float
    estimate: Effect

    @property
    def inside(self) -> bool:
        """Whether the interval of the estimate contains the known effect."""
        return self.estimate.covers(self.known)


@dataclass(frozen=True)
class Recovery:
    """The effects of one question.

    Parameters
    ----------
    question, scale : str
    ratings, items : int
        How many answers there are, and to how many items.
    effects : tuple of Recovered
        Intercept, slopes and standard deviations.
    severities : tuple of Recovered
        Of each judge; above 0 for one who is lenient.
    """

    question: str
    scale: str
    ratings: int
    items: int
    effects: tuple[Recovered, ...]
    severities: tuple[Recovered, ...]


@dataclass(frozen=True)
class Adjusted:
    """What the adjustment for judges did to the scores of one question.

    Parameters
    ----------
    raw_error, adjusted_error : float
        Root mean square difference of item means from the known scores.
    t_test : float, optional
        p-value of the paired t-test of adjusted and raw scores.
    """

    question: str
    raw_error: float
    adjusted_error: float
    t_test: float | None


@dataclass(frozen=True)
class MetricCorrelation:
    """Spearman's rho of a metric with item means.

    Parameters
    ----------
    question, metric : str
    part : str
        All items, or those of one kind.
    items : int
    raw, adjusted : Effect, optional
        With the means of raw and adjusted answers; None where not defined.
    known : float, optional
        With the known scores, which no judge sees.
    """

    question: str
    metric: str
    part: str
    items: int
    raw: Effect | None
    adjusted: Effect | None
    known: float | None


@dataclass(frozen=True)
class Curve:
    """Mean scores by degree: known for all judges, and observed."""

    question: str
    kind: str
    degrees: tuple[int, ...]
    known: tuple[float, ...]
    observed: tuple[float, ...]
    items: tuple[int, ...]


@dataclass(frozen=True)
class SurveyResults:
    """All results of a survey with simulated judges.

    Parameters
    ----------
    name : str
        The campaign.
    seed, judges : int
    references : str
        Where the sentences come from.
    kinds : mapping of str to int
        Items of every kind.
    """

    name: str
    seed: int
    judges: int
    references: str
    kinds: Mapping[str, int]
    recoveries: Sequence[Recovery]
    adjusted: Sequence[Adjusted]
    correlations: Sequence[MetricCorrelation]
    curves: Sequence[Curve]
    notes: Sequence[str] = ()

    def recovered(self, *, severities: bool = False) -> tuple[int, int]:
        """Return how many known effects their intervals contain, of how many."""
        effects = [
            effect
            for one in self.recoveries
            for effect in (one.severities if severities else one.effects)
        ]
        return sum(effect.inside for effect in effects), len(effects)

    def to_dict(self) -> dict[str, object]:
        """Return all figures for JSON."""
        return {
            "name": self.name,
            "seed": self.seed,
            "judges": self.judges,
            "references": self.references,
            "kinds": dict(self.kinds),
            "recovered": [asdict(one) for one in self.recoveries],
            "adjusted": [asdict(one) for one in self.adjusted],
            "correlations": [asdict(one) for one in self.correlations],
            "curves": [asdict(one) for one in self.curves],
            "notes": list(self.notes),
        }
