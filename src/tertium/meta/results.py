# SPDX-License-Identifier: Apache-2.0
"""Results of meta-evaluation: correlations, differences between metrics."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tertium._version import __version__
from tertium.engine.base import Result
from tertium.meta.agreement.coefficients import Coefficient
from tertium.stats import Hopeless, Ranking

if TYPE_CHECKING:
    from tertium.meta.evaluation import Evaluation
    from tertium.meta.families import FamilyTest
    from tertium.meta.gaps import Gap
    from tertium.meta.hypotheses import Hypothesis
    from tertium.meta.questions import CrossTable
    from tertium.notes import Note

__all__ = [
    "INCOMPLETE",
    "Average",
    "Correlation",
    "Correlations",
    "Difference",
    "Tally",
]

#: Marks metrics without a score for everything that was judged.
INCOMPLETE = "†"


@dataclass(frozen=True)
class Correlation:
    """How a metric correlates with human judgements on one language pair.

    Parameters
    ----------
    langpair, metric, coefficient : str
    value : float or None
        None where it is not defined.
    interval : tuple of float, optional
    n : int
        How many comparisons, segments or systems it rests on.
    probe : bool
        Whether the metric is a probe, which ignores quality.
    of : int, optional
        On how many it would rest if the metric had scored everything that was judged.
    over : {"judgements", "segments", "systems"}, optional
        What was resampled for the interval.
    p : float, optional
        Two-sided, of the value against 0, without correction; for correlations of
        systems, or of all outputs at once.
    undefined : int
        How many judged outputs the metric has no value for by its definition. They
        are left out of its scores of systems, too.
    """

    langpair: str
    metric: str
    coefficient: str
    value: float | None
    interval: tuple[float, float] | None
    n: int
    probe: bool = False
    of: int | None = None
    over: str | None = None
    p: float | None = None
    undefined: int = 0

    @property
    def complete(self) -> bool:
        """Whether the metric has scored everything that was judged."""
        return self.of is None or self.n == self.of

    @property
    def half_width(self) -> float | None:
        """Half of the interval, as WMT prints it."""
        if self.interval is None:
            return None
        return (self.interval[1] - self.interval[0]) / 2


@dataclass(frozen=True)
class Average:
    """The mean of a figure over language pairs.

    Parameters
    ----------
    value : float
    half_width : float, optional
        The mean of the half-widths, as WMT prints it.
    pairs, of : int
        How many language pairs have a value, of how many.
    partial : bool
        Whether the metric lacks scores of what was judged in one of them.
    """

    value: float
    half_width: float | None
    pairs: int
    of: int
    partial: bool = False

    @property
    def complete(self) -> bool:
        """Whether every language pair has a value, of everything that was judged."""
        return self.pairs == self.of and not self.partial


@dataclass(frozen=True)
class Difference:
    """Whether one metric correlates better with human judgements than another.

    Parameters
    ----------
    langpair, coefficient, a, b : str
    delta : float
        The value of a minus that of b.
    p, p_adjusted : float
    better : str, optional
        The metric that is significantly better.
    """

    langpair: str
    coefficient: str
    a: str
    b: str
    delta: float
    p: float
    p_adjusted: float
    better: str | None


@dataclass(frozen=True)
class Tally:
    """On how many language pairs each of two metrics is significantly better.

    Parameters
    ----------
    coefficient, a, b : str
    a_wins, b_wins, draws : int
        A draw is a language pair where neither is.
    view : str
        The kind of judgements and the unit, where several are compared.
    """

    coefficient: str
    a: str
    b: str
    a_wins: int = 0
    b_wins: int = 0
    draws: int = 0
    view: str = ""

    @property
    def pairs(self) -> int:
        """On how many language pairs the two were tested."""
        return self.a_wins + self.b_wins + self.draws

    def __str__(self) -> str:
        return f"{self.a_wins}-{self.b_wins}-{self.draws}"


@dataclass(frozen=True, repr=False)
class Correlations(Result):
    """Correlations of metrics with human judgements.

    Parameters
    ----------
    coefficients : tuple of Coefficient
    values : tuple of Correlation
    human : dict of str to str
        The kind of judgements, by language pair.
    notes : dict of str to list of Note
        What was left out, by language pair.
    run : dict
        Resamples, seed and the like.
    differences : tuple of Difference
    clusters : dict
        Coefficient to language pair to the clusters of metrics, best first.
    hopeless : dict of str to Hopeless
        Language pairs where no difference could be significant, and why; its units
        are outputs, or segments for calibrated ties.
    evaluations : tuple of Evaluation
        The judgements and scores that were compared.
    input_notes : tuple of Note
        What was left out when they were read, or may be mistaken.
    gaps : dict of str to tuple of Gap
        What differences between scores of a metric meant, by metric.
    families : tuple of FamilyTest, optional
        None if families of metrics were not compared.
    family_by : {"metric", "variant"}
        What metrics of a family share.
    hypotheses : tuple of Hypothesis, optional
        None unless families are variants.
    questions : tuple of CrossTable
        How answers to every two questions go together, if several were compared.
    average_without : tuple of str
        Language pairs that averages leave out.
    views : dict of str to str
        The kind of judgements and the unit behind every name in `human`, where
        several are compared. Averages and tallies never mix them.
    data : dict of str to str
        The hashes of the references by language pair, if they were asked for.
    """

    coefficients: tuple[Coefficient, ...]
    values: tuple[Correlation, ...]
    human: Mapping[str, str]
    notes: Mapping[str, list[Note]]
    run: Mapping[str, str | int | float | None]
    differences: tuple[Difference, ...] = ()
    clusters: Mapping[str, Mapping[str, list[Ranking]]] = field(default_factory=dict)
    hopeless: Mapping[str, Hopeless] = field(default_factory=dict)
    evaluations: tuple[Evaluation, ...] = ()
    input_notes: tuple[Note, ...] = ()
    gaps: Mapping[str, tuple[Gap, ...]] = field(default_factory=dict)
    families: tuple[FamilyTest, ...] | None = None
    family_by: str = "metric"
    hypotheses: tuple[Hypothesis, ...] | None = None
    questions: tuple[CrossTable, ...] = ()
    average_without: tuple[str, ...] = ()
    views: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)

    @property
    def langpairs(self) -> list[str]:
        """The language pairs, in the order they were given."""
        return list(self.human)

    @property
    def data_names(self) -> str:
        """The hashes of the references as signatures write them."""
        if len(self.data) == 1:
            return f"data:{next(iter(self.data.values()))}"
        return ", ".join(f"{pair} data:{value}" for pair, value in self.data.items())

    @property
    def metrics(self) -> list[str]:
        """The metrics, in the order they were given; probes last."""
        names = {value.metric: value.probe for value in self.values}
        return sorted(names, key=names.__getitem__)

    def get(self, langpair: str, metric: str, coefficient: str) -> Correlation | None:
        """Return one figure, if it was asked for and is possible."""
        return self._places.get((langpair, metric, coefficient))

    def pairs_by_view(
        self, *coefficients: str, exclude: Collection[str] = ()
    ) -> dict[str, list[str]]:
        """Return the language pairs with figures of a coefficient, by their view.

        Parameters
        ----------
        *coefficients : str
            Of which a language pair has one.
        exclude : collection of str
            Language pairs that do not count.
        """
        out: dict[str, list[str]] = {}
        for pair in self.langpairs:
            known = any((pair, name) in self._known for name in coefficients)
            if known and pair not in exclude:
                out.setdefault(self.views.get(pair, ""), []).append(pair)
        return out

    def averaged(self, coefficient: str) -> dict[str, str]:
        """Return the views with several language pairs, by the name of their average.

        Examples
        --------
        Of two language pairs and ``gold=["order", "adequacy"]``, these are
        ``{"average order": "order", "average adequacy": "adequacy"}``.
        """
        return {
            f"average {view}".strip(): view
            for view, pairs in self.pairs_by_view(coefficient).items()
            if len(pairs) > 1
        }

    def average(
        self,
        metric: str,
        coefficient: str,
        *,
        exclude: Collection[str] | None = None,
        view: str | None = None,
    ) -> Average | None:
        """Return the mean over the language pairs with a value; None without any.

        Language pairs where no metric has this figure do not count.

        Parameters
        ----------
        metric, coefficient : str
        exclude : collection of str, optional
            Language pairs that do not count; by default `average_without`.
        view : str, optional
            A value of `views`; by default the first that has the figure.
        """
        exclude = self.average_without if exclude is None else exclude
        by_view = self.pairs_by_view(coefficient, exclude=exclude)
        pairs = by_view.get(next(iter(by_view), "") if view is None else view, [])
        figures = [self.get(pair, metric, coefficient) for pair in pairs]
        known = [
            each for each in figures if each is not None and each.value is not None
        ]
        if not known:
            return None
        widths = [each.half_width for each in known]
        half = [width for width in widths if width is not None]
        return Average(
            sum(each.value or 0.0 for each in known) / len(known),
            sum(half) / len(half) if len(half) == len(known) else None,
            len(known),
            len(pairs),
            not all(each.complete for each in known),
        )

    def ranked(
        self,
        coefficient: str,
        *,
        exclude: Collection[str] | None = None,
        view: str | None = None,
    ) -> list[str]:
        """Return metrics by their average: incomplete ones after others, probes last.

        Parameters
        ----------
        coefficient : str
        exclude : collection of str, optional
        view : str, optional
            As in :meth:`average`.
        """
        probes = {
            v.metric: v.probe for v in self.values if v.coefficient == coefficient
        }
        averages = {
            metric: self.average(metric, coefficient, exclude=exclude, view=view)
            for metric in probes
        }

        def place(metric: str) -> tuple[bool, bool, float, str]:
            average = averages[metric]
            return (
                probes[metric],
                average is None or not average.complete,
                0.0 if average is None else -average.value,
                metric,
            )

        return sorted(averages, key=place)

    def tallies(self, *, exclude: Collection[str] = ()) -> list[Tally]:
        """Return wins and draws of every two tested metrics over language pairs.

        Parameters
        ----------
        exclude : collection of str
            Language pairs that do not count.
        """
        place = {metric: i for i, metric in enumerate(self.metrics)}
        winners: dict[tuple[str, str, str, str], list[str | None]] = {}
        for each in self.differences:
            if each.langpair not in exclude:
                # Language pairs may name the two in another order.
                a, b = sorted((each.a, each.b), key=place.__getitem__)
                view = self.views.get(each.langpair, "")
                key = each.coefficient, a, b, view
                winners.setdefault(key, []).append(each.better)
        return [
            Tally(
                name,
                a,
                b,
                better.count(a),
                better.count(b),
                better.count(None),
                view,
            )
            for (name, a, b, view), better in winners.items()
        ]

    def is_best(self, value: Correlation) -> bool:
        """Tell whether no metric has a higher value for the language pair.

        Never a probe; and never a metric that lacks scores of what was judged, unless
        all metrics do: it may have been spared the hard part.
        """
        return value in self._best

    def is_unbeaten(self, value: Correlation) -> bool:
        """Tell whether a metric was tested, and none is significantly better."""
        if value.langpair not in self.clusters.get(value.coefficient, {}):
            return False
        better = [
            each.better
            for each in self.differences
            if (each.coefficient, each.langpair) == (value.coefficient, value.langpair)
            and value.metric in (each.a, each.b)
        ]
        return bool(better) and all(name in (None, value.metric) for name in better)

    def resampled(self, coefficient: str) -> list[str]:
        """Return what was resampled for the intervals of a coefficient."""
        units = {
            each.over
            for each in self.values
            if each.coefficient == coefficient and each.over is not None
        }
        return sorted(units)

    @cached_property
    def _best(self) -> set[Correlation]:
        groups: dict[tuple[str, str], list[Correlation]] = {}
        for value in self.values:
            if value.value is not None and not value.probe:
                key = value.langpair, value.coefficient
                groups.setdefault(key, []).append(value)
        best = set()
        for values in groups.values():
            whole = [value for value in values if value.complete] or values
            top = max(value.value or 0.0 for value in whole)
            best |= {value for value in whole if value.value == top}
        return best

    @cached_property
    def _known(self) -> set[tuple[str, str]]:
        """The language pairs and coefficients that there are figures of."""
        return {(value.langpair, value.coefficient) for value in self.values}

    @cached_property
    def _places(self) -> dict[tuple[str, str, str], Correlation]:
        return {
            (value.langpair, value.metric, value.coefficient): value
            for value in self.values
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries, lists, texts and numbers."""
        out: dict[str, Any] = {
            "tertium": __version__,
            "run": dict(self.run),
            "human": dict(self.human),
            **({"data": dict(self.data)} if self.data else {}),
            "notes": {
                pair: [str(note) for note in notes]
                for pair, notes in self.notes.items()
            },
            "coefficients": {each.name: asdict(each) for each in self.coefficients},
            "correlations": [asdict(value) for value in self.values],
            "differences": [asdict(value) for value in self.differences],
            "tallies": [_tally_dict(value) for value in self.tallies()],
            "clusters": {
                name: {
                    pair: [asdict(place) for place in places]
                    for pair, places in by_pair.items()
                }
                for name, by_pair in self.clusters.items()
            },
        }
        if self.gaps:
            out["gaps"] = {
                name: [gap.to_dict() for gap in each]
                for name, each in self.gaps.items()
            }
        if self.families is not None:
            out["families"] = [asdict(test) for test in self.families]
        if self.hypotheses is not None:
            out["hypotheses"] = [asdict(each) for each in self.hypotheses]
        if self.questions:
            out["questions"] = [asdict(table) for table in self.questions]
        return out

    def _records(self) -> list[dict[str, Any]]:
        return [asdict(value) for value in self.values]

    def __repr__(self) -> str:
        lines = [
            f"{value.langpair}  {value.metric}  {value.coefficient}  "
            f"{'n/a' if value.value is None else format(value.value, '.4f')}"
            for value in self.values
        ]
        return "\n".join(lines)


def _tally_dict(tally: Tally) -> dict[str, Any]:
    """Return a tally as a dictionary, with its view where there are several."""
    out = asdict(tally)
    if not tally.view:
        del out["view"]
    return out
