# SPDX-License-Identifier: Apache-2.0
"""What stored judgements say about systems that nobody judged."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from tertium._notebook import Shown

if TYPE_CHECKING:
    from tertium.notes import Note

__all__ = [
    "Accuracy",
    "CarriedSpan",
    "DistanceBin",
    "Neighbour",
    "NextOutput",
    "Reuse",
    "SegmentEstimate",
    "SystemEstimate",
]


@dataclass(frozen=True)
class Neighbour:
    """A judged output that is as near as any to an unjudged one.

    Parameters
    ----------
    systems : tuple of str
        Who produced it.
    text : str
    distance : int
        Character edit distance to the unjudged output.
    value : float
        What it got: its rank (lower is better), or its score.
    """

    systems: tuple[str, ...]
    text: str
    distance: int
    value: float


@dataclass(frozen=True)
class CarriedSpan:
    """An error mark that the unjudged output inherits from a judged one.

    Parameters
    ----------
    start, end : int
        Code points of the unjudged output; the end is exclusive.
    category, severity : str
    system : str
        Where it was marked.
    """

    start: int
    end: int
    category: str
    severity: str
    system: str


@dataclass(frozen=True)
class SegmentEstimate:
    """The estimate for one output: of a segment, or in one ranking of it.

    Parameters
    ----------
    segment : str
    text : str
        The unjudged output.
    hit : bool
        Whether a judged output is the same text.
    distance : int or None
        Edit distance to the nearest judged output.
    predicted, true : float or None
        On the scale of the ratings; of rankings, the share of decided comparisons in
        this ranking that the output wins. `true` is known for systems left out.
    nearest : tuple of Neighbour
        The judged outputs at that distance.
    spans : tuple of CarriedSpan
        Error marks whose text and context the output shares.
    """

    segment: str
    text: str
    hit: bool
    distance: int | None
    predicted: float | None
    true: float | None = None
    nearest: tuple[Neighbour, ...] = ()
    spans: tuple[CarriedSpan, ...] = ()


@dataclass(frozen=True)
class DistanceBin:
    """Outputs at one edit distance, and how their values were guessed.

    Parameters
    ----------
    count : int
        Outputs.
    worse, equal, better : int
        Guesses worse than, equal to and better than the judge's; of systems left out.
    """

    count: int = 0
    worse: int = 0
    equal: int = 0
    better: int = 0

    def plus(self, other: DistanceBin) -> DistanceBin:
        """Return both together."""
        return DistanceBin(
            self.count + other.count,
            self.worse + other.worse,
            self.equal + other.equal,
            self.better + other.better,
        )


@dataclass(frozen=True)
class SystemEstimate:
    """A system scored from the judgements of others.

    Parameters
    ----------
    system : str
    predicted : float or None
        Its estimated score: mean rating, or ratio of wins.
    true : float or None
        Its judged score, if it was left out for a test.
    interval : tuple of float, optional
        Where the judged score is expected in 95 % of all cases.
    outputs, hits : int
        Outputs compared with judged ones, and those that equal one of them.
    mean_distance : float or None
        Mean edit distance to the nearest judged output (AED), hits included.
    by_distance : dict of int to DistanceBin
        By edit distance; guesses are compared with judgements on misses only.
    scores : dict of str to float
        All other systems' judged scores on the outputs that the estimate uses.
    segments : tuple of SegmentEstimate
    """

    system: str
    predicted: float | None
    true: float | None = None
    interval: tuple[float, float] | None = None
    outputs: int = 0
    hits: int = 0
    mean_distance: float | None = None
    by_distance: dict[int, DistanceBin] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)
    segments: tuple[SegmentEstimate, ...] = ()

    @property
    def hit_rate(self) -> float | None:
        """Share of outputs that equal a judged one."""
        return self.hits / self.outputs if self.outputs else None

    @property
    def misses(self) -> DistanceBin:
        """Guesses for all outputs that equal no judged one."""
        total = DistanceBin()
        for distance, each in self.by_distance.items():
            if distance:
                total = total.plus(each)
        return total

    def to_dict(self, *, segments: bool = True) -> dict[str, object]:
        """Return what JSON shows.

        Parameters
        ----------
        segments : bool
            With the estimates of single outputs.
        """
        misses = self.misses
        shown: dict[str, object] = {
            "system": self.system,
            "true": self.true,
            "predicted": self.predicted,
            "interval": None if self.interval is None else list(self.interval),
            "outputs": self.outputs,
            "hits": self.hits,
            "hit_rate": self.hit_rate,
            "mean_distance": self.mean_distance,
            "worse": misses.worse,
            "equal": misses.equal,
            "better": misses.better,
            "by_distance": {
                str(distance): asdict(each)
                for distance, each in self.by_distance.items()
            },
            "scores": self.scores,
        }
        if segments:
            shown["segments"] = [asdict(each) for each in self.segments]
        return shown


@dataclass(frozen=True)
class NextOutput:
    """An output to annotate next.

    Parameters
    ----------
    system, segment : str
    text : str
    gain : float
        By how much the variance of the system's estimate is expected to fall.
    interval : tuple of float
        The system's interval once this and all outputs before it are annotated, if
        the estimate stays what it is.
    """

    system: str
    segment: str
    text: str
    gain: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Accuracy:
    """How near the estimates of systems left out came to their judged scores.

    Parameters
    ----------
    systems : int
        Those with both.
    pearson : float or None
    mean_absolute_error : float
    bias : float
        Mean of predicted - true; above 0 the estimates flatter.
    covered : int or None
        Systems whose judged score is inside the interval, if there are intervals.
    """

    systems: int
    pearson: float | None
    mean_absolute_error: float
    bias: float
    covered: int | None = None


@dataclass(frozen=True)
class Reuse(Shown):
    """Systems scored from the judgements of others.

    Parameters
    ----------
    by : {"exact", "closest", "model"}
    kind : {"rankings", "ratings", "spans"}
        The judgements used.
    scale : str or None
        Of the ratings; ``MQM`` for error spans.
    systems : tuple of SystemEstimate
        One per new system, or per system left out.
    judged : dict of str to float
        Judged scores of all systems in the store.
    leave_one_out : bool
    accuracy : Accuracy, optional
        Of systems left out.
    next : tuple of NextOutput
        What to annotate next, if asked for.
    langpair : str or None
    notes : tuple of Note
        What a reader should know; the first is a caution.
    """

    by: str
    kind: str
    scale: str | None
    systems: tuple[SystemEstimate, ...]
    judged: dict[str, float]
    leave_one_out: bool = False
    accuracy: Accuracy | None = None
    next: tuple[NextOutput, ...] = ()
    langpair: str | None = None
    notes: tuple[Note, ...] = ()

    @property
    def all(self) -> SystemEstimate:
        """The row ``all``: every system's outputs together, without a score."""
        bins: dict[int, DistanceBin] = {}
        for system in self.systems:
            for distance, each in system.by_distance.items():
                bins[distance] = bins.get(distance, DistanceBin()).plus(each)
        measured = sum(each.count for each in bins.values())
        total = sum(distance * each.count for distance, each in bins.items())
        return SystemEstimate(
            "all",
            None,
            outputs=sum(each.outputs for each in self.systems),
            hits=sum(each.hits for each in self.systems),
            mean_distance=total / measured if measured else None,
            by_distance=dict(sorted(bins.items())),
        )

    def to_dict(self, *, segments: bool = True) -> dict[str, object]:
        """Return what JSON shows.

        Parameters
        ----------
        segments : bool
            With the estimates of single outputs.
        """
        return {
            "by": self.by,
            "kind": self.kind,
            "scale": self.scale,
            "langpair": self.langpair,
            "leave_one_out": self.leave_one_out,
            "systems": [each.to_dict(segments=segments) for each in self.systems],
            "all": self.all.to_dict(segments=False),
            "judged": self.judged,
            "accuracy": None if self.accuracy is None else asdict(self.accuracy),
            "next": [asdict(each) for each in self.next],
            "notes": [str(note) for note in self.notes],
        }

    def to_json(self, *, segments: bool = True) -> str:
        """Return the JSON that ``tertium reuse -f json`` writes."""
        return json.dumps(
            self.to_dict(segments=segments),
            ensure_ascii=False,
            indent=2,
            allow_nan=False,
        )
