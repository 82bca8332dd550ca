# SPDX-License-Identifier: Apache-2.0
"""Single judgements: what each judge answered about an output, not means over judges.

McCaffery (2017, chapter 7) correlates metrics with the answers of participants, so
that an output with many judges counts often; most others correlate with the mean of
every output.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.judgements.segment_names import segment_names, with_names

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from tertium.meta.evaluation import Evaluation

__all__ = ["UNITS", "Answers", "answers_from", "new_places", "single_judgements"]

#: What a human score may belong to: an output, as a mean, or a single judgement.
UNITS = ("item", "judgement")


@dataclass(frozen=True, eq=False)
class Answers:
    """Single ratings of outputs, one place per rating.

    Parameters
    ----------
    systems, segments, judges : tuple of str
        Unknown judges are one of them, with an empty name.
    system, segment, judge : array of int
        Places among their names.
    score, raw : array
        Normalised as the ratings are, and as the judge gave it.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    judges: tuple[str, ...]
    system: NDArray[np.int64]
    segment: NDArray[np.int64]
    judge: NDArray[np.int64]
    score: NDArray[np.float64]
    raw: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.score)

    def restricted(
        self,
        *,
        systems: NDArray[np.int64] | None = None,
        segments: NDArray[np.int64] | None = None,
    ) -> Answers:
        """Return the answers on some systems or segments.

        Parameters
        ----------
        systems, segments : array of int, optional
            The new place of every system or segment; -1 for those to leave out.
        """
        system = self.system if systems is None else systems[self.system]
        segment = self.segment if segments is None else segments[self.segment]
        kept = (system >= 0) & (segment >= 0)
        return Answers(
            _kept(self.systems, systems),
            _kept(self.segments, segments),
            self.judges,
            system[kept],
            segment[kept],
            self.judge[kept],
            self.score[kept],
            self.raw[kept],
        )


def answers_from(
    ratings: pl.LazyFrame, systems: Sequence[str], segments: Sequence[str]
) -> Answers:
    """Return the answers in a table of ratings.

    Parameters
    ----------
    ratings : LazyFrame
        With system, segment, judge and score; with the scores that judges gave as
        ``raw`` if `score` is normalised.
    systems, segments : sequence of str
        Those of the judgements, which give places.
    """
    import polars as pl

    table = ratings.filter(pl.col("score").is_not_null())
    table = table.filter(pl.col("system").is_not_null())
    frame = with_names(table, segment_names(table)).collect()
    judge = frame["judge"].cast(pl.String).fill_null("")
    judges = sorted(judge.unique())
    raw = frame["raw"] if "raw" in frame.columns else frame["score"]
    return Answers(
        tuple(systems),
        tuple(segments),
        tuple(judges),
        _places(frame["system"], systems),
        _places(frame["name"], segments),
        _places(judge, judges),
        frame["score"].to_numpy().astype(np.float64),
        raw.to_numpy().astype(np.float64),
    )


def new_places(kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the places of what is kept among each other; -1 for the rest.

    Examples
    --------
    >>> new_places(np.array([True, False, True])).tolist()
    [0, -1, 1]
    """
    places: NDArray[np.int64] = np.where(kept, np.cumsum(kept) - 1, -1)
    return places


def _kept(names: tuple[str, ...], places: NDArray[np.int64] | None) -> tuple[str, ...]:
    """Return names by their new places, without those that have none."""
    if places is None:
        return names
    chosen = sorted(
        (int(place), name) for place, name in zip(places, names, strict=True)
    )
    return tuple(name for place, name in chosen if place >= 0)


def _places(names: pl.Series, known: Sequence[str]) -> NDArray[np.int64]:
    import polars as pl

    codes = names.cast(pl.String).cast(pl.Enum(list(known))).to_physical()
    return np.asarray(codes.to_numpy(), dtype=np.int64)


def single_judgements(both: Evaluation) -> Evaluation:
    """Return an evaluation whose columns are single judgements, not segments.

    A column holds the answers of one judge on one segment; metrics have the same
    score for a segment in all of its columns. Scores of systems stay as they are.

    Raises
    ------
    InputError
        If judgements are not known one by one.
    """
    human = both.human
    answers = human.answers
    if answers is None:
        message = (
            f"{human.kind}: single judgements are not known; only ratings and error "
            "spans from judgement files have them"
        )
        raise InputError(message, options=("unit",))
    column, segment, names = _columns(answers)
    shape = len(human.systems), len(names)
    scores, raw = np.full(shape, np.nan), np.full(shape, np.nan)
    scores[answers.system, column] = answers.score
    raw[answers.system, column] = answers.raw
    kind = human.kind.replace(" as means", "").replace("means ", "")
    single = replace(
        human,
        segments=names,
        kind=f"{kind}, single judgements",
        ratings=scores,
        raw=raw,
        clusters=segment,
    )
    metrics = tuple(
        replace(
            metric,
            segment=metric.segment[:, segment],
            undefined=None
            if metric.undefined is None
            else metric.undefined[:, segment] & ~np.isnan(scores),
        )
        for metric in both.metrics
        if metric.segment is not None
    )
    return replace(both, human=single, metrics=metrics)


def _columns(
    answers: Answers,
) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[str, ...]]:
    """Return the column of every answer; the segment and the name of every column.

    A judge who rated an output again has another column for every time.
    """
    key = np.stack([answers.segment, answers.judge, answers.system])
    order = np.lexsort(key[::-1])
    ordered = key[:, order]
    place = np.arange(len(answers))
    starts = np.ones(len(answers), dtype=bool)
    starts[1:] = (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)
    again = np.zeros(len(answers), dtype=np.int64)
    again[order] = place - np.maximum.accumulate(np.where(starts, place, 0))
    rows = np.stack([answers.segment, answers.judge, again], axis=1)
    columns, column = np.unique(rows, axis=0, return_inverse=True)
    names = tuple(
        f"{answers.segments[s]} {answers.judges[j]}".rstrip()
        + (f" ({n + 1})" if n else "")
        for s, j, n in columns
    )
    return column.reshape(-1), columns[:, 0], names
