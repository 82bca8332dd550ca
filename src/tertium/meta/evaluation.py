# SPDX-License-Identifier: Apache-2.0
"""Metrics beside human judgements, on one language pair.

Systems and segments are matched by name. What one side lacks is said, never
guessed: a metric without a score for a judged output is an error, or
its comparisons are dropped if that is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.errors import InputError, UnknownNameError
from tertium.meta.answers import new_places
from tertium.meta.human import Human, scored
from tertium.meta.matrix import MISSING
from tertium.meta.scores import MetricScores
from tertium.notes import Note

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Evaluation", "Measured", "evaluation"]

Matrix: TypeAlias = "NDArray[np.float64]"

_ROUNDED = 1e-6  # of the largest score: scores in files are rounded


@dataclass(frozen=True, eq=False)
class Measured:
    """The scores of a metric in the order of the judgements; higher is better.

    Parameters
    ----------
    name : str
    system : array
        One score per system; NaN where there is none.
    segment : matrix, optional
        Systems x segments; NaN where there is none.
    probe : bool
        Whether it is a probe, which ignores quality.
    is_mean : bool
        Whether scores of systems are means of those of segments, judged or not. Those
        of corpus BLEU are not.
    undefined : matrix of bool, optional
        Judged outputs for which the metric has no value by its definition, systems x
        segments.
    """

    name: str
    system: NDArray[np.float64]
    segment: Matrix | None
    probe: bool = False
    is_mean: bool = False
    undefined: NDArray[np.bool_] | None = None


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Judgements of one language pair with the scores of metrics.

    Parameters
    ----------
    human : Human
    metrics : tuple of Measured
    notes : tuple of Note
        What was left out, in words.
    """

    human: Human
    metrics: tuple[Measured, ...]
    notes: tuple[Note, ...] = ()

    @property
    def human_scores(self) -> NDArray[np.float64]:
        """Human scores of the systems; NaN where there is none."""
        scores = [
            self.human.scores.get(name, float("nan")) for name in self.human.systems
        ]
        return np.array(scores)


def evaluation(
    human: Human,
    metrics: Sequence[MetricScores],
    *,
    exclude: Sequence[str] = (),
    references: Sequence[str] = (),
    missing: str = "error",
    least: int = 1,
    segments: bool = True,
) -> Evaluation:
    """Return judgements and scores of metrics side by side.

    Parameters
    ----------
    human : Human
    metrics : sequence of MetricScores
    exclude : sequence of str
        Systems to leave out.
    references : sequence of str
        References that metrics may have scored as systems, but that are none here;
        they are not reported as lacking judgements.
    missing : {"error", "drop"}
        What to do about outputs that were judged but not scored by a metric. Those
        for which a metric is undefined are dropped in any case, and a note says so.
    least : int
        With "drop", metrics that lack some and scored fewer judged outputs than this
        are left out, and a note says so.
    segments : bool
        Whether single outputs are compared. If systems alone are, a metric may lack
        scores of segments; a note then says so.

    Raises
    ------
    InputError
        When a metric lacks scores (see `missing`), when none fits, or when two
        metrics have one name.
    """
    if missing not in MISSING:
        raise InputError(f"missing is {missing!r}; choose {' or '.join(MISSING)}")
    names = [metric.name for metric in metrics]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"two metrics are called {twice[0]}; rename one")
    if not metrics:
        message = "no scores of metrics; give at least one metric"
        raise InputError(message, options=("metrics", "scores"))
    unknown = [name for name in exclude if name not in human.systems]
    # Probes score whatever there is: they do not show which systems are scored.
    real = [metric for metric in metrics if not metric.probe] or metrics
    known = {name for m in real for name in (*m.system, *m.segment)}
    if unknown and not set(unknown) <= known:
        raise UnknownNameError("system to exclude", unknown[0], human.systems)
    notes = list(human.notes)
    keep = [s for s in human.systems if s in known and s not in set(exclude)]
    if len(keep) < (2 if human.ratings is None else 1):
        many = {0: "no system has", 1: "only one system has"}
        less = f", without {', '.join(exclude)}" if exclude else ""
        message = (
            f"{many[len(keep)]} judgements and scores; judged: "
            f"{', '.join(human.systems)}, scored by metrics: "
            f"{', '.join(sorted(known))}{less}; use the same names"
        )
        raise InputError(message)
    unscored = [s for s in human.systems if s not in known and s not in exclude]
    if unscored:
        notes.append(Note("judged-without-scores", {"systems": unscored}))
    extra = known - set(human.systems) - set(exclude)
    if left_out := sorted(extra & set(references)):
        notes.append(Note("references-left-out", {"systems": left_out}))
    if unjudged := sorted(extra - set(references)):
        notes.append(Note("scored-without-judgements", {"systems": unjudged}))
    human = restrict(human, keep)
    measured = []
    dropped: dict[str, list[str]] = {}
    whole: list[str] = []
    for metric in metrics:
        aligned = _measured(metric.rising(), human)
        undefined = _undefined(metric, human)
        if not segments and len(_gaps(aligned, human, undefined)):
            aligned = replace(aligned, segment=None, is_mean=False)
            whole += [] if metric.probe else [metric.name]
        lacking = _lacking(aligned, human, undefined)
        if lacking and missing == "error" and human.are_parts:
            message = (
                f"{metric.name} has no scores of parts of segments, which were "
                "judged; compare systems alone, as Pearson's r does"
            )
            raise InputError(message)
        if lacking and missing == "error":
            message = (
                f"{metric.name} has no score for {lacking}, which was judged; "
                "score it, or drop such comparisons with missing='drop'"
            )
            raise InputError(message, options=("missing",))
        if count := int(np.count_nonzero(undefined)):
            aligned = replace(aligned, undefined=undefined)
            judged = int(np.count_nonzero(_judged(human)))
            values = {"metric": metric.name, "undefined": count, "judged": judged}
            notes.append(Note("metric-undefined", values))
        if lacking and not metric.probe and aligned.segment is not None:
            shared = int(np.count_nonzero(_judged(human) & ~np.isnan(aligned.segment)))
            if shared < least:
                values = {"metric": metric.name, "scored": shared, "least": least}
                notes.append(Note("metric-scores-few", values))
                continue
        if lacking and not metric.probe:
            dropped.setdefault(lacking, []).append(metric.name)
        measured.append(aligned)
    if whole:
        what = "parts of segments" if human.are_parts else "some judged segments"
        notes.append(Note("systems-alone", {"metrics": whole, "what": what}))
    for lacking, who in dropped.items():
        notes.append(Note("scores-dropped", {"metrics": who, "lacking": lacking}))
    if not measured:
        raise InputError(f"no metric has scores of {least:,} judged outputs; lower it")
    return Evaluation(human, tuple(measured), tuple(notes))


def restrict(human: Human, systems: Sequence[str]) -> Human:
    """Return the judgements of some systems only, scored by these alone."""
    if tuple(systems) == human.systems:
        return human
    places = [human.systems.index(name) for name in systems]
    ratings, raw, segments = human.ratings, human.raw, human.segments
    answers = human.answers
    if ratings is not None:
        ratings = ratings[places]
        judged: NDArray[np.bool_] = np.asarray(~np.isnan(ratings).all(axis=0))
        ratings = ratings[:, judged]
        raw = None if raw is None else raw[places][:, judged]
        segments = tuple(np.array(segments, dtype=object)[judged])
        if answers is not None:
            number = np.full(len(human.systems), -1)
            number[places] = np.arange(len(places))
            answers = answers.restricted(systems=number, segments=new_places(judged))
    comparisons = human.comparisons
    if comparisons is not None:
        number = np.full(len(human.systems), -1, dtype=np.int32)
        number[places] = np.arange(len(places), dtype=np.int32)
        chosen = (number[comparisons.first] >= 0) & (number[comparisons.second] >= 0)
        comparisons = comparisons.renumbered(tuple(systems), number).select(chosen)
    kept = replace(
        human,
        systems=tuple(systems),
        segments=segments,
        scores={name: human.scores[name] for name in systems if name in human.scores},
        comparisons=comparisons,
        ratings=ratings,
        raw=raw,
        answers=answers,
    )
    return scored(kept)


def _measured(metric: MetricScores, human: Human) -> Measured:
    nan = float("nan")
    scores = [metric.segment.get(name, {}) for name in human.systems]
    means = np.array([sum(s.values()) / len(s) if s else nan for s in scores])
    # A metric without scores of systems: the means of all its segments, as metrics that
    # are run here score all of them.
    system = means
    if metric.system:
        system = np.array([metric.system.get(name, nan) for name in human.systems])
    segment = None
    if metric.segment:
        segment = np.array([[s.get(g, nan) for g in human.segments] for s in scores])
    known = ~np.isnan(means) & ~np.isnan(system)
    limit = _ROUNDED * np.abs(system[known]).max(initial=0.0)
    return Measured(
        metric.name,
        system,
        segment,
        metric.probe,
        bool(known.any() and (np.abs(system - means)[known] <= limit).all()),
    )


def _undefined(metric: MetricScores, human: Human) -> NDArray[np.bool_]:
    """Return which judged outputs a metric has no value for by its definition."""
    rows = [metric.undefined.get(name, ()) for name in human.systems]
    if not any(rows):
        return np.zeros((len(human.systems), len(human.segments)), dtype=bool)
    undefined = np.array([[name in row for name in human.segments] for row in rows])
    return undefined & _judged(human)


def _lacking(metric: Measured, human: Human, undefined: NDArray[np.bool_]) -> str:
    """Return what a metric has no score for, in words; nothing if it has all."""
    lacking = [
        name
        for name, score in zip(human.systems, metric.system, strict=True)
        if np.isnan(score) and name in human.scores
    ]
    if lacking:
        return f"system{'s' if len(lacking) > 1 else ''} {', '.join(lacking)}"
    gaps = _gaps(metric, human, undefined)
    if not len(gaps):
        return ""
    system, segment = gaps[0]
    more = f" and {len(gaps) - 1:,} more" if len(gaps) > 1 else ""
    return f"segment {human.segments[segment]} of {human.systems[system]}{more}"


def _gaps(
    metric: Measured, human: Human, undefined: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Return system and segment of judged outputs without a score, one row each.

    Those for which the metric is undefined have none by right.
    """
    if metric.segment is None:
        return np.zeros((0, 2), dtype=np.intp)
    return np.argwhere(_judged(human) & np.isnan(metric.segment) & ~undefined)


def _judged(human: Human) -> NDArray[np.bool_]:
    """Return which outputs were judged, systems x segments."""
    judged = np.zeros((len(human.systems), len(human.segments)), dtype=bool)
    if human.ratings is not None:
        judged |= ~np.isnan(human.ratings)
    if human.comparisons is not None:
        judged[human.comparisons.first, human.comparisons.segment] = True
        judged[human.comparisons.second, human.comparisons.segment] = True
    return judged
