# SPDX-License-Identifier: Apache-2.0
"""Scores from ratings and error spans: means, z-scores, MQM.

A segment counts once for a system, with the mean over its judges, and a system has
the mean over its segments. *z* takes every judge's ratings relative to that judge's
own mean and standard deviation (all systems together), as WMT does with direct
assessment; judges without a deviation are left out, and named. *mqm* subtracts a
weight for every error; by default those of Freitag et al. (2021): 5 for a major error,
1 for a minor one, 0.1 for minor punctuation, 25 for a non-translation; as in the WMT
2023 scores, source issues and creative reinterpretation cost nothing. So Marot has it
(marot.js in google-research, commit 015dbd9), but ``score_mqm.py`` of mt-metrics-eval
(555c6f4) does not know the last two, gives 25 to major non-translations only, and 0 to
critical errors. An error whose severity has no weight costs as much as a minor one, and
a note says so. Segments without an error count with 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.judgements.adjustment.standardise import standardise
from tertium.judgements.agreement.outcomes import judge_codes
from tertium.judgements.judgement import NO_ERROR
from tertium.judgements.ranking.wins import Array
from tertium.judgements.scales import system_scales
from tertium.judgements.segment_names import SEGMENT, segment_names, with_names
from tertium.judgements.spans.repeats import annotation_column
from tertium.notes import Note

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from tertium.judgements.tables import Judgements

__all__ = [
    "WEIGHTS",
    "MqmWeights",
    "SegmentScores",
    "mqm_scores",
    "normalised_ratings",
    "rating_scores",
    "segment_means",
    "span_ratings",
]


#: Names of :meth:`MqmWeights.named`.
WEIGHTS = ("wmt-mqm", "esa")


@dataclass(frozen=True)
class MqmWeights:
    """What errors cost; by default as in WMT's MQM (``wmt-mqm``).

    Parameters
    ----------
    severities : mapping of str to float
        By severity, in lower case.
    special : mapping of (str, str) to float
        By start of the category and severity, in lower case; these come first. An
        empty severity stands for any but neutral and no error.
    """

    severities: Mapping[str, float] = field(
        default_factory=lambda: {
            "critical": 5.0,
            "major": 5.0,
            "minor": 1.0,
            "trivial": 0.1,
            "edit": 1.0,  # marks of edit positions, of which nobody says how bad
            "undecided": 1.0,  # marked in Appraise without a choice of severity
            "neutral": 0.0,
            "no-error": 0.0,
        }
    )
    special: Mapping[tuple[str, str], float] = field(
        default_factory=lambda: {
            ("non-translation", ""): 25.0,
            ("fluency/punctuation", "minor"): 0.1,
            ("linguistic conventions/punctuation", "minor"): 0.1,
            ("source issue", ""): 0.0,
            ("accuracy/creative reinterpretation", ""): 0.0,
        }
    )

    @classmethod
    def named(cls, text: str) -> MqmWeights:
        """Return weights by name, or by severities.

        Parameters
        ----------
        text : str
            ``wmt-mqm``; ``esa``, which has the same severities but ignores categories;
            or ``SEVERITY=NUMBER,...``, which changes severities of ``wmt-mqm``.

        Raises
        ------
        InputError
            When it is none of these.

        Examples
        --------
        >>> MqmWeights.named("esa").weight("Fluency/Punctuation", "minor")
        1.0
        >>> MqmWeights.named("critical=25,minor=0.5").weight("style", "minor")
        0.5
        """
        if text in WEIGHTS:
            return cls() if text == "wmt-mqm" else cls(special={})
        changed = {}
        for part in text.split(","):
            name, _, number = part.partition("=")
            try:
                changed[name.strip().lower()] = float(number)
            except ValueError:
                changed[""] = 0.0
        if "" in changed or not all(0 <= one < inf for one in changed.values()):
            message = (
                f"no weights {text!r}; give {', '.join(WEIGHTS)} or numbers of "
                "severities such as major=5,minor=1"
            )
            raise InputError(message, options=("weights",))
        return cls(severities={**cls().severities, **changed})

    def weight(self, category: str | None, severity: str | None) -> float:
        """Return what one error costs.

        Examples
        --------
        >>> weights = MqmWeights()
        >>> weights.weight("Fluency/Punctuation", "Minor")
        0.1
        >>> weights.weight("Non-translation!", "Major")
        25.0
        """
        kind, grade = (category or "").lower(), (severity or "").lower()
        grade = _SAME.get(grade, grade)
        if grade not in self.severities:
            known = ", ".join(self.severities)
            message = (
                f"no weight for severity {severity!r}; known are {known}: give weights "
                "that name it"
            )
            raise InputError(message)
        if self.severities[grade] > 0:
            for (start, wanted), weight in self.special.items():
                if kind.startswith(start) and wanted in ("", grade):
                    return weight
        return self.severities[grade]

    def knows(self, severity: str | None) -> bool:
        """Return whether a severity has a weight."""
        grade = (severity or "").lower()
        return _SAME.get(grade, grade) in self.severities

    def cost(self, category: str | None, severity: str | None) -> float:
        """Return what one error costs; as a minor one if its severity has no weight."""
        counts_as_minor = not self.knows(severity) and self.knows(_MINOR)
        return self.weight(category, _MINOR if counts_as_minor else severity)


_ADJUSTED = ("judge", "judge+segment")  # by a mixed model
_MINOR = "minor"
_SAME = dict.fromkeys(NO_ERROR, "no-error")


@dataclass(frozen=True, eq=False)
class SegmentScores:
    """The score of every system on every segment; NaN where it was not judged.

    Parameters
    ----------
    systems, segments : tuple of str
    scores : array of shape (systems, segments)
    judgements : int
        How many ratings, or judged outputs, the scores rest on.
    notes : tuple of Note
        What was left out.
    documents : array of int, optional
        The number of every segment's document, where any is known. A segment without
        one is its own.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    scores: Array
    judgements: int
    notes: tuple[Note, ...] = ()
    documents: NDArray[np.int64] | None = None

    def means(self) -> Array:
        """Return the mean of every system over its segments."""
        judged = ~np.isnan(self.scores)
        total = np.where(judged, self.scores, 0.0).sum(axis=1)
        number = judged.sum(axis=1)
        return np.asarray(
            np.divide(total, number, out=np.full(len(total), np.nan), where=number > 0)
        )

    def rows(self) -> Array:
        """Return sums and numbers of judged segments, one row per segment."""
        judged = ~np.isnan(self.scores)
        rows = np.concatenate([np.where(judged, self.scores, 0.0), judged])
        return np.ascontiguousarray(rows.T, dtype=np.float64)

    def document_rows(self) -> Array:
        """Return the rows summed by document; those of segments if none is known."""
        rows = self.rows()
        if self.documents is None or not len(rows):
            return rows
        sums = np.zeros((int(self.documents.max()) + 1, rows.shape[1]))
        np.add.at(sums, self.documents, rows)
        return sums


def means_of_rows(rows: Array) -> Array:
    """Return the means of summed rows (see :meth:`SegmentScores.rows`)."""
    total, number = np.split(rows, 2, axis=-1)
    out = np.full(total.shape, np.nan)
    return np.asarray(np.divide(total, number, out=out, where=number > 0))


def rating_scores(
    judgements: Judgements,
    *,
    normalise: str = "none",
    scale: str | None = None,
    documents: bool = False,
) -> SegmentScores:
    """Return segment scores from ratings.

    Parameters
    ----------
    judgements : Judgements
    normalise : {"none", "z", "judge", "judge+segment"}
        ``z`` for scores relative to each judge. Judges with one rating, or equal
        ones only, are left out, which the notes say; so are ratings without a judge,
        unless no judge is known: they are then taken as those of one. ``judge`` and
        ``judge+segment`` as in :func:`tertium.judgements.adjust_ratings`, without
        ratings that have no judge.
    scale : str, optional
        Which scale, where there are several besides those of documents and those
        that check judges.
    documents : bool
        Whether to number the documents of segments.

    Raises
    ------
    InputError
        When the scale is not clear, or no judge has a z-score.
    """
    table, notes = normalised_ratings(judgements, normalise=normalise, scale=scale)
    return replace(segment_means(table, documents=documents), notes=notes)


def normalised_ratings(
    judgements: Judgements, *, normalise: str = "none", scale: str | None = None
) -> tuple[pl.LazyFrame, tuple[Note, ...]]:
    """Return ratings with normalised scores, and notes on those that have none.

    Parameters and errors are those of :func:`rating_scores`. The column ``raw`` holds
    the scores that judges gave; `score` is null where there is none.
    """
    import polars as pl

    table = judgements.ratings
    names = table.select(pl.col("scale").cast(pl.String).unique()).collect()["scale"]
    if scale is None and len(names) > 1:
        scales = system_scales(names.drop_nulls())
        if len(scales) > 1:
            note = Note("several-scales", {"scales": scales})
            raise InputError(note, options=("scale",))
        scale = scales[0]
    if scale is not None:
        table = table.filter(pl.col("scale").cast(pl.String) == scale)
    table = table.filter(pl.col("score").is_finite())
    table = table.with_columns(pl.col("score").alias("raw"))
    if normalise == "none":
        return table, ()
    if normalise in _ADJUSTED:
        from tertium.judgements.adjustment.models import adjusted_frame

        return adjusted_frame(judgements, normalise, scale=scale).lazy(), ()
    if normalise != "z":
        choices = ", ".join(("none", "z", *_ADJUSTED))
        raise InputError(f"normalise is {normalise!r}; choose one of {choices}")
    frame = table.collect()
    z, notes = _standardised(frame)
    return frame.with_columns(z).lazy(), notes


def _standardised(frame: pl.DataFrame) -> tuple[pl.Series, tuple[Note, ...]]:
    """Return z-scores, null where there are none, and who was left out."""
    import polars as pl

    judges, judge = judge_codes(frame["judge"])
    pooled = not judges
    if pooled:
        judges, judge = ("unknown",), np.zeros(len(frame), np.int64)
    score = frame["score"].to_numpy()
    standardised = standardise(judges, judge, score)
    if len(frame) and not standardised.kept.any():
        raise InputError(Note("no-z"), options=("method",))
    counts = dict(
        zip(judges, np.bincount(judge[judge >= 0], minlength=len(judges)), strict=True)
    )
    notes = [
        Note("z-one-score" if counts[name] < 2 else "z-equal-scores", {"judge": name})
        for name in standardised.left_out
    ]
    if unknown := int(np.count_nonzero(judge < 0)):
        notes.append(Note("z-no-judge", {"count": unknown}))
    if pooled and len(frame):
        notes.append(Note("z-pooled"))
    z = np.full(len(score), np.nan)
    z[standardised.kept] = standardised.scores
    return pl.Series("score", z).fill_nan(None), tuple(notes)


def mqm_scores(
    judgements: Judgements,
    *,
    weights: MqmWeights | None = None,
    documents: bool = False,
) -> SegmentScores:
    """Return segment scores from error spans: 0, less the weights of the errors."""
    ratings, notes = span_ratings(judgements, weights=weights)
    return replace(segment_means(ratings, documents=documents), notes=notes)


def span_ratings(
    judgements: Judgements, *, weights: MqmWeights | None = None
) -> tuple[pl.LazyFrame, tuple[Note, ...]]:
    """Return error spans as ratings, and what a reader should know about them.

    One row per judge and output on the scale ``MQM``: 0, less the weights of the
    errors. An output that a judge annotated again, in a second round or as a duplicate,
    has another row.
    """
    import polars as pl

    cost = weights or MqmWeights()
    table = judgements.spans
    # Every kind of error is looked up once.
    kinds = (
        table.group_by(pl.col("category", "severity").cast(pl.String))
        .agg(pl.len().alias("spans"))
        .collect()
    )
    odd: dict[str, int] = {}
    scores = []
    for category, severity, spans in kinds.iter_rows():
        scores.append(-cost.cost(category, severity))
        if not cost.knows(severity):
            odd[severity or ""] = odd.get(severity or "", 0) + spans
    known = kinds.select("category", "severity", pl.Series("score", scores, pl.Float64))
    columns = ("category", "severity", "judge", "langpair")
    ratings = (
        table.with_columns(pl.col(columns).cast(pl.String))
        .join(known.lazy(), on=["category", "severity"], nulls_equal=True)
        .with_columns(annotation_column().alias("again"))
        .group_by("system", *SEGMENT, "langpair", "judge", "again", maintain_order=True)
        .agg(pl.col("score").sum(), pl.col("time").max(), pl.col("duration").max())
        .with_columns(pl.lit("MQM").alias("scale"))
    )
    notes = (
        Note("unknown-severity", {"count": count, "severity": name})
        for name, count in sorted(odd.items())
    )
    return ratings, tuple(notes)


def segment_means(table: pl.LazyFrame, *, documents: bool = False) -> SegmentScores:
    """Return the mean over judges of every system and segment."""
    import polars as pl

    systems = sorted(
        table.select(pl.col("system").cast(pl.String).unique())
        .collect()["system"]
        .drop_nulls()
    )
    # Without a score there is nothing to be said on a segment.
    table = table.filter(pl.col("score").is_not_null())
    names = segment_names(table)
    named = with_names(table, names).select(
        pl.col("system").cast(pl.String), pl.col("name").alias("segment"), "score"
    )
    segments = sorted(named.select(pl.col("segment").unique()).collect()["segment"])
    frame = (
        # Numbers, not names, while rows are sorted: many rows have few names.
        named.with_columns(
            pl.col("system").cast(pl.Enum(systems)).to_physical(),
            pl.col("segment").cast(pl.Enum(segments)).to_physical(),
        )
        # Sums depend on the order in the last digit: equal ratings in any order must
        # give equal means, or ranks would not be the same in every run.
        .sort("score")
        .collect()
    )
    row, column = frame["system"].to_numpy(), frame["segment"].to_numpy()
    shape = len(systems), len(segments)
    cell = np.ravel_multi_index((row.astype(np.int64), column.astype(np.int64)), shape)
    size = shape[0] * shape[1]
    number = np.bincount(cell, minlength=size)
    total = np.bincount(cell, frame["score"].to_numpy(), minlength=size)
    scores = np.full(size, np.nan)
    np.divide(total, number, out=scores, where=number > 0)
    return SegmentScores(
        tuple(systems),
        tuple(segments),
        scores.reshape(shape),
        len(frame),
        documents=_document_numbers(names, segments) if documents else None,
    )


def _document_numbers(
    names: pl.DataFrame, segments: Sequence[str]
) -> NDArray[np.int64] | None:
    """Return the number of every segment's document, from 0; None if none is known."""
    import polars as pl

    if names["document"].is_null().all():
        return None
    places = pl.col("campaign", "document").cast(pl.String)
    document = pl.concat_str(places, separator="/", ignore_nulls=True)
    document = pl.when(pl.col("document").is_not_null()).then(document)
    known = names.select("name", document.otherwise("name").alias("of"))
    ordered = pl.DataFrame({"name": segments}, schema={"name": pl.String}).join(
        known, on="name", how="left", maintain_order="left"
    )
    return np.asarray(ordered["of"].rank("dense").to_numpy() - 1, np.int64)
