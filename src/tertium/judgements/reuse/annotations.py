# SPDX-License-Identifier: Apache-2.0
"""Stored judgements with the texts they are about, one annotation after the other.

An annotation is what was judged together: of rankings, one ranking; of ratings and
error spans, one segment, where every output has the mean over its judges. Texts come
from the judgements where these have them (parts of segments), otherwise from the test
set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tertium.data.kept import Lazy
from tertium.data.segment_ids import full_ids
from tertium.data.segment_places import places_of
from tertium.errors import InputError
from tertium.judgements.ranking.defaults import MQM, default_method, kinds_of
from tertium.judgements.ranking.ratings import (
    SegmentScores,
    mqm_scores,
    rating_scores,
)
from tertium.judgements.segment_names import segment_names, with_names
from tertium.notes import Note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.data.testset import Testset
    from tertium.judgements.tables import Judgements

__all__ = ["Annotation", "Output", "Stored", "stored"]


class Output(NamedTuple):
    """One judged text, and what it got: a rank (lower is better) or a score."""

    systems: tuple[str, ...]
    text: str
    value: float


@dataclass(frozen=True)
class Annotation:
    """Outputs that were judged together.

    Parameters
    ----------
    segment : str
    outputs : tuple of Output
    line : int, optional
        Index of the segment in the test set.
    is_part : bool
        Whether only a part of the segment was judged.
    key : int
        Its number among all annotations.
    """

    segment: str
    outputs: tuple[Output, ...]
    line: int | None = None
    is_part: bool = False
    key: int = -1

    def of(self, system: str) -> Output | None:
        """Return the output of a system."""
        return next((each for each in self.outputs if system in each.systems), None)

    def without(self, system: str) -> tuple[Output, ...]:
        """Return the outputs that stay when a system is left out."""
        return tuple(
            each
            for each in self.outputs
            if any(name != system for name in each.systems)
        )


class Points(NamedTuple):
    """A share of a score: what was won, and how much it counts."""

    won: float
    weight: float

    def plus(self, other: Points) -> Points:
        """Return both together."""
        return Points(self.won + other.won, self.weight + other.weight)


@dataclass(frozen=True)
class Stored:
    """Judgements of one kind with their texts.

    Parameters
    ----------
    kind : {"rankings", "ratings", "spans"}
    scale : str or None
    annotations : sequence of Annotation
        Made when they are asked for, where they are many.
    testset : Testset
    judgements : Judgements
        All judgements of the language pair.
    langpair : str or None
    notes : tuple of Note
    """

    kind: str
    scale: str | None
    annotations: Sequence[Annotation]
    testset: Testset
    judgements: Judgements
    langpair: str | None = None
    notes: tuple[Note, ...] = ()
    systems: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """List the systems."""
        if isinstance(self.annotations, RatedAnnotations):
            names = set(self.annotations.systems)
        else:
            names = {
                name
                for annotation in self.annotations
                for output in annotation.outputs
                for name in output.systems
            }
        object.__setattr__(self, "systems", tuple(sorted(names)))

    def without(self, system: str) -> Stored:
        """Return the judgements of all other systems."""
        if system not in self.systems:
            return self
        if isinstance(self.annotations, RatedAnnotations):
            return replace(self, annotations=self.annotations.without(system))
        kept = []
        for annotation in self.annotations:
            outputs = tuple(
                output._replace(
                    systems=tuple(name for name in output.systems if name != system)
                )
                for output in annotation.without(system)
            )
            if outputs:
                kept.append(replace(annotation, outputs=outputs))
        return replace(self, annotations=tuple(kept))

    @property
    def ranked(self) -> bool:
        """Whether values are ranks."""
        return self.kind == "rankings"

    def points(self, value: float, annotation: Annotation, system: str) -> Points:
        """Return what a value is worth to a system in an annotation.

        A rating counts as it is. A rank wins against all worse ranks of other systems
        and loses against all better ones; ties are left out (Macháček 2014, section
        2.5.1).
        """
        if not self.ranked:
            return Points(value, 1.0)
        won = lost = 0
        for output in annotation.outputs:
            others = len(output.systems) - (system in output.systems)
            won += others * (value < output.value)
            lost += others * (value > output.value)
        return Points(won, won + lost)

    def scores(self) -> dict[str, float]:
        """Return the judged score of every system; those without one are missing."""
        sums = JudgedSums(self)
        for annotation in self.annotations:
            sums.add(annotation)
        return sums.scores()


class JudgedSums:
    """Judged scores of systems on some annotations, taken one after the other."""

    def __init__(self, stored: Stored) -> None:
        self._stored = stored
        self._sums = dict.fromkeys(stored.systems, Points(0.0, 0.0))

    def add(self, annotation: Annotation) -> None:
        """Take the judgements of an annotation."""
        for output in annotation.outputs:
            for name in output.systems:
                points = self._stored.points(output.value, annotation, name)
                self._sums[name] = self._sums[name].plus(points)

    def scores(self) -> dict[str, float]:
        """Return the score of every system; those without one are missing."""
        return {
            name: points.won / points.weight
            for name, points in self._sums.items()
            if points.weight
        }


def stored(
    judgements: Judgements,
    testset: Testset,
    *,
    scale: str | None = None,
    langpair: str | None = None,
) -> Stored:
    """Return judgements with the texts that they are about.

    Parameters
    ----------
    judgements : Judgements
    testset : Testset
        Holds the judged systems, unless the judgements have texts.
    scale : str, optional
        The scale of ratings where there are several, or ``MQM`` for error spans. Of
        several kinds of judgements rankings come first, then ratings; with a scale,
        ratings.
    langpair : str, optional
        Needed where there are several; by default that of the test set.

    Raises
    ------
    InputError
        When judgements and texts do not fit together.
    """
    langpair, judgements = _one_langpair(judgements, testset, langpair)
    _one_campaign(judgements)
    there = kinds_of(judgements)
    named = "ratings" if scale is not None and "ratings" in there else None
    if named and scale == MQM and scale not in judgements.names("scale"):
        named = None
    kind = default_method(judgements, kind=named, scale=scale).kind
    notes = []
    left_out = [each for each in there if each != kind]
    if left_out and scale is None:
        notes.append(Note("kinds-not-reused", {"kinds": left_out, "kind": kind}))
    annotations: Sequence[Annotation]
    if kind == "rankings":
        annotations = tuple(
            replace(each, key=number)
            for number, each in enumerate(_rankings(judgements, testset))
        )
    else:
        spans = kind == "spans"
        scores = (
            mqm_scores(judgements) if spans else rating_scores(judgements, scale=scale)
        )
        notes += scores.notes
        annotations = RatedAnnotations(scores, testset)
        scale = MQM if spans else scale or _only_scale(judgements)
    if not annotations:
        raise InputError(Note("no-judged-texts", {"systems": list(testset.systems)}))
    return Stored(kind, scale, annotations, testset, judgements, langpair, tuple(notes))


def _one_langpair(
    judgements: Judgements, testset: Testset, langpair: str | None
) -> tuple[str | None, Judgements]:
    known = judgements.names("langpair")
    if langpair is None and len(known) > 1 and testset.langpair in known:
        langpair = testset.langpair
    if langpair is None and len(known) > 1:
        note = Note("several-langpairs-reused", {"langpairs": known})
        raise InputError(note, options=("langpair",))
    if langpair is not None and known and langpair not in known:
        note = Note("langpair-not-judged", {"langpair": langpair, "langpairs": known})
        raise InputError(note, options=("langpair",))
    if langpair is not None and known:
        judgements = judgements.filter(langpair=langpair)
    return langpair or (known[0] if known else testset.langpair), judgements


def _one_campaign(judgements: Judgements) -> None:
    campaigns = judgements.names("campaign")
    if len(campaigns) > 1:
        note = Note("several-campaigns-reused", {"campaigns": campaigns})
        raise InputError(note, options=("only",))
    if len(judgements.levels()) > 1:
        raise InputError(Note("several-levels-reused"), options=("only",))


def _only_scale(judgements: Judgements) -> str | None:
    from tertium.judgements.scales import system_scales

    scales = system_scales(judgements.names("scale"))
    return scales[0] if scales else None


def _lines(testset: Testset) -> dict[str, int]:
    """Return the index of every segment by the name that judgements use."""
    if testset.ids is None:
        return {str(i + 1): i for i in range(len(testset))}
    names = full_ids(testset.ids, testset.docs)
    return {name: i for i, name in enumerate(names)}


class RatedAnnotations(Lazy[Annotation]):
    """Rated segments in the order of the test set, made when they are asked for.

    Parameters
    ----------
    scores : SegmentScores
    testset : Testset

    Raises
    ------
    InputError
        When the test set has none of the segments.
    """

    def __init__(self, scores: SegmentScores, testset: Testset) -> None:
        lines: NDArray[np.int64] = _rated_lines(scores.segments, testset)
        rows = [i for i, name in enumerate(scores.systems) if name in testset.systems]
        known: NDArray[np.bool_] = ~np.isnan(scores.scores[rows])
        order = np.argsort(lines, kind="stable")
        self._columns = order[(lines[order] >= 0) & np.any(known, axis=0)[order]]
        self._lines: NDArray[np.int64] = lines[self._columns]
        self._segments = scores.segments
        self._scores = scores.scores
        judged = [bool(each.any()) for each in known[:, self._columns]]
        # Only systems that have texts and scores count.
        self._rows = [row for row, there in zip(rows, judged, strict=True) if there]
        self.systems = tuple(scores.systems[row] for row in self._rows)
        self._texts = [testset.systems[name] for name in self.systems]
        self._keys = np.arange(len(self._columns))

    def __len__(self) -> int:
        """Return the number of segments that have a rating and a text."""
        return len(self._columns)

    def _get(self, place: int) -> Annotation:
        column, line = int(self._columns[place]), int(self._lines[place])
        values = self._scores[self._rows, column].tolist()
        outputs = tuple(
            Output((name,), texts[line], value)
            for name, texts, value in zip(
                self.systems, self._texts, values, strict=True
            )
            if not isnan(value)
        )
        key = int(self._keys[place])
        return Annotation(self._segments[column], outputs, line, key=key)

    def without(self, system: str) -> RatedAnnotations:
        """Return the ratings of all other systems."""
        rest = object.__new__(RatedAnnotations)
        vars(rest).update(vars(self))
        kept = [i for i, name in enumerate(self.systems) if name != system]
        rest._rows = [self._rows[i] for i in kept]
        rest.systems = tuple(self.systems[i] for i in kept)
        rest._texts = [self._texts[i] for i in kept]
        rated = ~np.isnan(self._scores[rest._rows][:, self._columns]).all(axis=0)
        rest._columns = self._columns[rated]
        rest._lines, rest._keys = self._lines[rated], self._keys[rated]
        return rest

    def of(self, system: str) -> NDArray[np.int64]:
        """Return the places of the annotations with an output of a system."""
        if system not in self.systems:
            return np.empty(0, np.int64)
        row = self._scores[self._rows[self.systems.index(system)]]
        return np.asarray(np.flatnonzero(~np.isnan(row[self._columns])), np.int64)

    @property
    def lines(self) -> NDArray[np.int64]:
        """The line of every annotation in the test set."""
        return self._lines


def _rated_lines(segments: Sequence[str], testset: Testset) -> NDArray[np.int64]:
    """Return the line of every judged segment, -1 for those that have none."""
    names: Sequence[str]
    if testset.ids is None:
        names = Lazy(len(testset), lambda line: str(line + 1))
    else:
        names = full_ids(testset.ids, testset.docs)
    lines = places_of(names, segments)
    if len(segments) and not (lines >= 0).any():
        values = {"judged": segments[0], "segment": names[0] if len(names) else ""}
        raise InputError(Note("no-common-segments", values))
    return lines


def _check_segments(segments: tuple[str, ...], lines: Mapping[str, int]) -> None:
    if segments and not any(segment in lines for segment in segments):
        values = {"judged": segments[0], "segment": next(iter(lines), "")}
        raise InputError(Note("no-common-segments", values))


def _rankings(judgements: Judgements, testset: Testset) -> Iterator[Annotation]:
    import polars as pl

    from tertium.judgements.tables import WORST, effective_rank

    lines = _lines(testset)
    table = judgements.rankings.filter(pl.col("system").is_not_null())
    names = segment_names(table)
    frame = (
        with_names(table, names)
        .select(
            "ranking",
            "candidate",
            "text",
            effective_rank(),
            "name",
            pl.col("segment", "system").cast(pl.String),
            pl.col("part").is_not_null(),
        )
        .group_by(
            "ranking",
            "candidate",
            "text",
            "rank",
            "name",
            "segment",
            "part",
            maintain_order=True,
        )
        .agg("system")
        .group_by("ranking", "name", "segment", "part", maintain_order=True)
        .agg("text", "rank", "system")
        .collect()
    )
    has_texts = bool(frame["text"].list.drop_nulls().list.len().sum())
    if not has_texts:
        _check_segments(tuple(frame["name"].unique()), lines)
    for _, name, segment, is_part, texts, ranks, systems in frame.iter_rows():
        line = lines.get(name, lines.get(segment))
        # Garbage comes right after the last candidate, so that means stay sensible.
        last = max((rank for rank in ranks if rank < WORST), default=0)
        outputs: list[Output] = []
        for text, rank, group in zip(texts, ranks, systems, strict=True):
            value = float(min(rank, last + 1))
            outputs += _ranked(tuple(group), text, value, testset, line)
        if outputs:
            yield Annotation(name, tuple(outputs), line, is_part)


def _ranked(
    systems: tuple[str, ...],
    text: str | None,
    value: float,
    testset: Testset,
    line: int | None,
) -> Iterator[Output]:
    """Yield a candidate, one per text: equal outputs may differ in white space.

    Tables of judged segments have empty cells where a system was not judged.
    """
    if text is not None:
        yield Output(systems, text, value)
        return
    by_text: dict[str, list[str]] = {}
    for name in systems:
        if line is not None and (known := testset.systems.get(name)) and known[line]:
            by_text.setdefault(known[line], []).append(name)
    for output, names in by_text.items():
        yield Output(tuple(names), output, value)
