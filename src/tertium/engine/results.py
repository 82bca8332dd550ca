# SPDX-License-Identifier: Apache-2.0
"""Scores of systems, as frozen results."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium._version import __version__
from tertium.engine.base import Result, text_table
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.segmentation import Resegmentation
    from tertium.engine.base import Sheet
    from tertium.metrics.base import Metric
    from tertium.notes import Note

__all__ = ["MetricInfo", "Score", "ScoreTable"]


_LISTED = 3  # names in a note


@dataclass(frozen=True)
class MetricInfo:
    """What a table must know about a metric."""

    label: str
    signature: str
    higher_is_better: bool
    unit: float
    #: Whether the metric should have told a model the languages, which are unknown.
    languages_unknown: bool = False
    #: Systems that files have scores of, and the test set lacks.
    unused_systems: tuple[str, ...] = ()

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
            languages_unknown=metric.names_languages and "langpair:" in layers,
            unused_systems=tuple(metric.unused_systems()),
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
    """The score of one system under one metric.

    With several runs, `score` is their mean; `sd_runs` is the standard deviation
    between them (s_opt), and `sd_segments` that of a run over resampled test sets
    (s_sel). See :mod:`tertium.stats.runs`.
    """

    score: float
    interval: tuple[float, float] | None = None
    segments: Sequence[float | None] | None = None
    documents: dict[str, float] | None = None
    degenerate: int = 0
    unproven: int = 0
    undefined: int = 0
    runs: list[float] | None = None
    sd_runs: float | None = None
    sd_segments: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures.

        A segment that a metric leaves out has None for a score. ``documents`` only
        where they were asked for, ``degenerate`` (segments with
        nothing to measure), ``unproven`` (segments whose search was cut short) and
        ``undefined`` (segments that have no score but should) only where there are
        any, ``runs``, ``sd_runs`` and ``sd_segments`` only where a system of the table
        has several runs.
        """
        out: dict[str, Any] = {
            "score": self.score,
            "interval": None if self.interval is None else list(self.interval),
            "segments": None if self.segments is None else list(self.segments),
        }
        if self.documents is not None:
            out["documents"] = self.documents
        if self.degenerate:
            out["degenerate"] = self.degenerate
        if self.unproven:
            out["unproven"] = self.unproven
        if self.undefined:
            out["undefined"] = self.undefined
        if self.runs is not None:
            out["runs"] = self.runs
            out["sd_runs"] = self.sd_runs
            out["sd_segments"] = self.sd_segments
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
    joined : ScoreTable, optional
        The scores of documents as one text each, if asked for.
    resegmented : mapping of system to Resegmentation, optional
        How outputs were cut, if their lines were not those of the references.
    """

    metrics: Mapping[str, MetricInfo]
    systems: Mapping[str, Mapping[str, Score]]
    segments: int
    ids: Sequence[str] | None = None
    joined: ScoreTable | None = None
    resegmented: Mapping[str, Resegmentation] | None = None

    def __getitem__(self, system: str) -> Mapping[str, Score]:
        """Return the scores of one system by spec."""
        return self.systems[system]

    @property
    def notes(self) -> list[Note]:
        """What a user should know before trusting the scores."""
        return [
            *self._mixed_links(),
            *self._unknown_languages(),
            *self._unused_systems(),
            *self._counted("undefined"),
            *self._counted("unproven"),
            *self._counted("degenerate"),
            *self._same_runs(),
        ]

    def _same_runs(self) -> Iterator[Note]:
        """Yield a note for runs of a system with equal scores by all metrics."""
        for name, scores in self.systems.items():
            alike: dict[tuple[float, ...], list[str]] = {}
            by_run = zip(*(score.runs or () for score in scores.values()), strict=True)
            for number, values in enumerate(by_run, start=1):
                alike.setdefault(values, []).append(str(number))
            for numbers in alike.values():
                if len(numbers) > 1:
                    from tertium.notes import Note

                    listed = f"{', '.join(numbers[:-1])} and {numbers[-1]}"
                    yield Note("same-runs", {"system": name, "runs": listed})

    def _mixed_links(self) -> Iterator[Note]:
        for spec, info in self.metrics.items():
            if "some-links" in info.signature:
                from tertium.notes import Note

                yield Note("mixed-links", {"metric": spec})

    def _unknown_languages(self) -> Iterator[Note]:
        if any(info.languages_unknown for info in self.metrics.values()):
            from tertium.notes import Note

            yield Note("languages-unknown")

    def _unused_systems(self) -> Iterator[Note]:
        for spec, info in self.metrics.items():
            if names := info.unused_systems:
                from tertium.notes import Note

                listed = ", ".join(names[:_LISTED])
                listed += ", ..." if len(names) > _LISTED else ""
                values = {"metric": spec, "count": len(names), "names": listed}
                yield Note("unused-systems", values)

    def _counted(self, code: str) -> Iterator[Note]:
        """Yield a note for every metric with segments of a kind, by system."""
        for spec in self.metrics:
            counts = {
                name: getattr(scores[spec], code)
                for name, scores in self.systems.items()
            }
            if any(counts.values()):
                listed = [
                    f"{name} {number:,} of {self._outputs(name):,}"
                    for name, number in counts.items()
                    if number
                ]
                values = {
                    "metric": spec,
                    "name": spec.partition(":")[0],
                    "systems": ", ".join(listed),
                }
                from tertium.notes import Note

                yield Note(code, values)

    def _outputs(self, system: str) -> int:
        """Return how many outputs the runs of a system have."""
        runs = next(iter(self.systems[system].values())).runs
        return self.segments * max(1, len(runs or ()))

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

    @property
    def has_runs(self) -> bool:
        """Whether a system has several runs."""
        return any(
            score.runs is not None
            for scores in self.systems.values()
            for score in scores.values()
        )

    @property
    def most_runs(self) -> int:
        """How many runs the system with the most has."""
        return max(
            len(score.runs or ("the only one",))
            for scores in self.systems.values()
            for score in scores.values()
        )

    def order(self, sort: str = "quality", metric: str | None = None) -> list[str]:
        """Return the systems best first ("quality"), or in their order ("given")."""
        return list(self.systems) if sort == "given" else self.ranked(metric)

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``tertium score -f json`` prints.

        Systems are in the order of the test set.
        """
        out = {
            "tertium": __version__,
            "metrics": {spec: info.to_dict() for spec, info in self.metrics.items()},
            "systems": {
                name: {spec: score.to_dict() for spec, score in scores.items()}
                for name, scores in self.systems.items()
            },
        }
        if self.joined is not None:
            out["joined"] = {
                name: {
                    spec: {"score": score.score, "documents": score.documents}
                    for spec, score in scores.items()
                }
                for name, scores in self.joined.systems.items()
            }
        if self.resegmented is not None:
            out["resegmented"] = {
                name: result.summary() for name, result in self.resegmented.items()
            }
        return out

    def _records(self) -> list[dict[str, Any]]:
        runs = self.has_runs
        return [
            {
                "system": name,
                "metric": spec,
                "score": score.score,
                "low": score.interval[0] if score.interval else None,
                "high": score.interval[1] if score.interval else None,
                **(_spread(score) if runs else {}),
            }
            for name, scores in self.systems.items()
            for spec, score in scores.items()
        ]

    def _segment_records(self) -> list[dict[str, Any]]:
        if any(
            s.segments is None
            for scores in self.systems.values()
            for s in scores.values()
        ):
            message = "segments were not scored; ask for them with segments=True"
            raise InputError(message)
        return [
            {
                "segment": index + 1,
                **({"id": self.ids[index]} if self.ids else {}),
                "system": name,
                "metric": spec,
                "score": (score.segments or [])[index],
            }
            for index in range(self.segments)
            for name, scores in self.systems.items()
            for spec, score in scores.items()
        ]

    def _sheets(self) -> Mapping[str, Sheet]:
        from tertium.engine.sheets import score_sheets

        return score_sheets(self)

    def __repr__(self) -> str:
        head = ["system", *(info.label for info in self.metrics.values())]
        body = [
            [name, *(self.metrics[spec].show(s.score) for spec, s in scores.items())]
            for name, scores in self.systems.items()
        ]
        return text_table([head, *body])


def _spread(score: Score) -> dict[str, Any]:
    return {
        "runs": len(score.runs or ()),
        "sd_runs": score.sd_runs,
        "sd_segments": score.sd_segments,
    }
