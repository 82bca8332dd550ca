# SPDX-License-Identifier: Apache-2.0
"""Stored judgements with the texts they are about, one annotation after the other.

An annotation is what was judged together: of rankings, one ranking; of ratings and
error spans, one segment, where every output has the mean over its judges. Texts come
from the judgements where these have them (parts of segments), otherwise from the test
set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tertium.data.segment_ids import full_ids
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


@dataclass(frozen=True)
class Stored:
    """Judgements of one kind with their texts.

    Parameters
    ----------
    kind : {"rankings", "ratings", "spans"}
    scale : str or None
    annotations : tuple of Annotation
    testset : Testset
    judgements : Judgements
        All judgements of the language pair.
    langpair : str or None
    notes : tuple of Note
    """

    kind: str
    scale: str | None
    annotations: tuple[Annotation, ...]
    testset: Testset
    judgements: Judgements
    langpair: str | None = None
    notes: tuple[Note, ...] = ()
    systems: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """List the systems."""
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

    def scores(
        self, annotations: tuple[Annotation, ...] | None = None
    ) -> dict[str, float]:
        """Return the judged score of every system; those without one are missing."""
        chosen = self.annotations if annotations is None else annotations
        sums: dict[str, tuple[float, float]] = dict.fromkeys(self.systems, (0.0, 0.0))
        for annotation in chosen:
            for output in annotation.outputs:
                for name in output.systems:
                    won, weight = self.points(output.value, annotation, name)
                    total = sums[name]
                    sums[name] = total[0] + won, total[1] + weight
        return {name: won / weight for name, (won, weight) in sums.items() if weight}


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
    if kind == "rankings":
        annotations = tuple(_rankings(judgements, testset))
    else:
        spans = kind == "spans"
        scores = (
            mqm_scores(judgements) if spans else rating_scores(judgements, scale=scale)
        )
        notes += scores.notes
        annotations = tuple(_rated(scores, testset))
        scale = MQM if spans else scale or _only_scale(judgements)
    annotations = tuple(
        replace(each, key=number) for number, each in enumerate(annotations)
    )
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


def _rated(scores: SegmentScores, testset: Testset) -> Iterator[Annotation]:
    lines = _lines(testset)
    _check_segments(scores.segments, lines)
    texts = [testset.systems.get(name) for name in scores.systems]
    for column in sorted(
        range(len(scores.segments)), key=lambda i: lines.get(scores.segments[i], -1)
    ):
        segment = scores.segments[column]
        if segment not in lines:
            continue
        line = lines[segment]
        outputs = tuple(
            Output((name,), lines_of[line], float(value))
            for name, lines_of, value in zip(
                scores.systems, texts, scores.scores[:, column], strict=True
            )
            if lines_of is not None and not np.isnan(value)
        )
        if outputs:
            yield Annotation(segment, outputs, line)


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
