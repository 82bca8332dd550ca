# SPDX-License-Identifier: Apache-2.0
"""Human judgements of one language pair's systems, ready to be compared.

Rankings give comparisons of two systems on a segment; ratings and error spans give
every output a number. Both give systems a score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.errors import InputError
from tertium.judgements import Comparisons, Judgements
from tertium.judgements.ranking import (
    METHODS,
    SegmentScores,
    default_method,
    rank_systems,
    rating_scores,
    resampled_scores,
)
from tertium.judgements.ranking.defaults import kinds_of
from tertium.judgements.ranking.ratings import (
    means_of_rows,
    normalised_ratings,
    segment_means,
    span_ratings,
)
from tertium.judgements.scales import system_scales
from tertium.meta.answers import Answers, answers_from
from tertium.meta.scores import MetricScores
from tertium.notes import Note
from tertium.stats.resample import draw_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Human", "from_table", "human_judgements", "means", "official", "scored"]

Matrix: TypeAlias = "NDArray[np.float64]"

# How systems can get scores, by kind of judgement.
_METHODS = {
    "rankings": tuple(m for m in METHODS if m not in ("mean", "z", "mqm")),
    "ratings": ("mean", "z", "judge", "judge+segment"),
    "spans": ("mqm",),
}
_WORDS = {  # what the figures of ratings are
    "mean": "means",
    "z": "z-scores",
    "judge": "means adjusted for judges",
    "judge+segment": "means adjusted for judges and segments",
}


@dataclass(frozen=True, eq=False)
class Human:
    """Judgements of one language pair.

    Parameters
    ----------
    systems, segments : tuple of str
    kind : str
        Where the figures come from, in words: ``rankings``, ``DA ratings as means``.
    scores : dict of str to float
        Human scores of whole systems; higher is better.
    comparisons : Comparisons, optional
        Numbers of systems and segments are places in `systems` and `segments`.
    ratings : matrix, optional
        Systems x segments; NaN where nobody judged.
    langpair : str, optional
    method : str, optional
        How systems get their scores: a method of
        :func:`tertium.judgements.ranking.rank_systems`, or ``official``.
    draw : callable, optional
        ``draw(resamples, seed)``: scores of the systems from resampled judgements,
        one row per resample, NaN where a system was not sampled. Of ratings, segments
        are resampled.
    draw_segments : callable, optional
        The same from resampled segments.
    notes : tuple of Note
        What was left out.
    are_parts : bool
        Whether parts of segments were judged, which metrics do not score.
    raw : matrix, optional
        The ratings as judges gave them, where `ratings` are z-scores or adjusted.
    answers : Answers, optional
        The single judgements behind `ratings`, where they are known.
    clusters : array of int, optional
        Where columns of `ratings` are single judgements: the number of the segment
        that each is about.
    is_adjusted : bool
        Whether a mixed model adjusted the ratings; p-values then test `raw`.
    question, base : str, optional
        Where several kinds of judgements, or units, are compared: which kind this is,
        and the language pair or slice without the names of both.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    kind: str
    scores: Mapping[str, float] = field(default_factory=dict)
    comparisons: Comparisons | None = None
    ratings: Matrix | None = None
    langpair: str | None = None
    method: str | None = None
    draw: Callable[[int, int], Matrix] | None = None
    draw_segments: Callable[[int, int], Matrix] | None = None
    notes: tuple[Note, ...] = ()
    are_parts: bool = False
    raw: Matrix | None = None
    answers: Answers | None = None
    clusters: NDArray[np.int64] | None = None
    is_adjusted: bool = False
    question: str | None = None
    base: str | None = None

    @property
    def view(self) -> str:
        """The kind of judgements and the unit, where several are compared; or empty.

        Examples
        --------
        >>> Human((), (), "", langpair="en-de DA judgements", base="en-de").view
        'DA judgements'
        """
        if self.base is None:
            return ""
        return (self.langpair or "").removeprefix(self.base).strip()

    @property
    def points(self) -> Matrix | None:
        """The ratings on the scale that judges used."""
        return self.ratings if self.raw is None else self.raw


def human_judgements(
    judgements: Judgements,
    *,
    langpair: str | None = None,
    kind: str | None = None,
    scale: str | None = None,
    method: str | None = None,
    answers: bool = True,
) -> Human:
    """Return the judgements of one language pair.

    Parameters
    ----------
    judgements : Judgements
    langpair : str, optional
        Needed where there are several.
    kind : {"rankings", "ratings", "spans"}, optional
        Needed where there are rankings and others. Of ratings and spans, ratings are
        taken, and a note says so.
    scale : str, optional
        The scale of the ratings, where there are several.
    method : str, optional
        How systems get scores: of rankings as in
        :func:`tertium.judgements.ranking.rank_systems`; of ratings ``mean``,
        ``z``, or adjusted by a mixed model as in
        :func:`tertium.judgements.adjust_ratings`: ``judge``, ``judge+segment``; of
        spans ``mqm``. By default that of
        :func:`tertium.judgements.ranking.default_method`.
    answers : bool
        Whether to keep the single judgements behind ratings.

    Raises
    ------
    InputError
        When there are no judgements, several kinds to choose from, or the method is
        for another kind.
    """
    langpair = _only(judgements, "langpair", langpair, "language pair", "langpair")
    notes: list[Note] = []
    if langpair is not None:
        unknown = judgements.nameless("langpair")
        if unknown and judgements.names("langpair"):
            values = {"count": unknown, "langpair": langpair}
            notes.append(Note("judgements-without-pair", values))
        judgements = judgements.filter(langpair=langpair)
    counts = {name: count for name, count in judgements.counts().items() if count}
    if not counts:
        where = f" of {langpair}" if langpair else ""
        raise InputError(f"no judgements{where}; import some first")
    there = kinds_of(judgements)
    if kind is None and there == ["ratings", "spans"]:
        kind = "ratings"
        notes.append(Note("spans-beside-ratings"))
    if kind is None and len(there) > 1:
        message = f"there are {' and '.join(there)}; choose one, such as {there[0]}"
        raise InputError(message, options=("gold",))
    kind = kind or there[0]
    if kind not in counts:
        raise InputError(f"no {kind} of {langpair}; there are {', '.join(counts)}")
    if kind == "ratings":
        scale = _only(judgements, "scale", scale, "scale", "gold")
    if method is None:
        default = default_method(judgements, kind=kind, scale=scale)
        method = default.method
        if default.reason:
            values = {"method": method, "reason": default.reason}
            notes.append(Note("systems-scored-by", values))
    if method not in _METHODS[kind]:
        message = f"{kind} cannot be scored by {method}; by {', '.join(_METHODS[kind])}"
        raise InputError(message)
    if kind == "rankings":
        human = _from_rankings(judgements, langpair, method)
    elif kind == "ratings":
        human = _from_ratings(judgements, langpair, scale, method, answers=answers)
    else:
        ratings, remarks = span_ratings(judgements)
        human = from_table(segment_means(ratings), langpair, "MQM spans")
        human = replace(human, notes=remarks)
        if answers:
            single = answers_from(ratings, human.systems, human.segments)
            human = replace(human, answers=single)
    notes += human.notes
    return replace(human, notes=tuple(notes))


def official(human: Human, scores: Sequence[MetricScores]) -> Human:
    """Return judgements with scores of systems from elsewhere.

    Raises
    ------
    InputError
        Unless there is one set of scores, and it has the judged systems.
    """
    tables = [each for each in scores if each.system]
    if len(tables) != 1:
        names = ", ".join(each.name for each in tables) or "none"
        raise InputError(f"official scores of systems: {names}; give one set")
    known = {
        name: value
        for name, value in tables[0].system.items()
        if not human.systems or name in human.systems
    }
    if len(known) < 2:
        message = (
            f"official scores are of {', '.join(tables[0].system)}, judgements of "
            f"{', '.join(human.systems)}; use the same names"
        )
        raise InputError(message)
    kind = f"{human.kind.partition(',')[0]}, official scores of systems"
    return replace(
        human,
        systems=human.systems or tuple(known),
        scores=known,
        kind=kind,
        method="official",
        draw=None,
        draw_segments=None,
    )


def _only(
    judgements: Judgements, column: str, value: str | None, what: str, option: str
) -> str | None:
    known = judgements.names(column)
    if value is not None:
        if known and value not in known:
            raise InputError(f"no {what} {value}; there are {', '.join(known)}")
        return value
    if column == "scale":
        known = system_scales(known)
    elif known and judgements.nameless(column):
        known.append("unknown")
    if len(known) > 1:
        message = f"more than one {what}: {', '.join(known)}; choose one of them"
        raise InputError(message, options=(option,))
    return known[0] if known else None


def _from_rankings(judgements: Judgements, langpair: str | None, method: str) -> Human:
    comparisons = judgements.comparisons()
    human = Human(
        comparisons.systems,
        comparisons.segments,
        f"rankings, systems by {method}",
        comparisons=comparisons,
        langpair=langpair,
        method=method,
        are_parts="parts" in judgements.levels(),
    )
    return scored(human)


def _from_ratings(
    judgements: Judgements,
    langpair: str | None,
    scale: str | None,
    method: str,
    *,
    answers: bool,
) -> Human:
    """Return the ratings on a scale, with those that judges gave beside others."""
    normalise = "none" if method == "mean" else method
    ratings, notes = normalised_ratings(judgements, normalise=normalise, scale=scale)
    table = segment_means(ratings)
    human = from_table(table, langpair, f"{scale or ''} ratings as {_WORDS[method]}")
    human = replace(human, kind=human.kind.strip())
    if method == "z":
        raw = rating_scores(judgements, scale=scale)
        # Without the judges that z leaves out, segments may have shorter names.
        if set(human.segments) <= set(raw.segments):
            human = replace(human, raw=_cells(raw, human.systems, human.segments))
    elif method != "mean":
        raw = segment_means(ratings.with_columns(score="raw"))
        as_given = _cells(raw, human.systems, human.segments)
        human = replace(human, raw=as_given, is_adjusted=True)
        rated = rating_scores(judgements, scale=scale).judgements
        if without_judge := rated - table.judgements:
            notes += (Note("adjusted-without-judge", {"count": without_judge}),)
        notes += (Note("p-values-unadjusted"),)
    human = replace(human, notes=notes)
    if not answers:
        return human
    single = answers_from(ratings, human.systems, human.segments)
    return replace(human, answers=single)


def from_table(table: SegmentScores, langpair: str | None, kind: str) -> Human:
    """Return the judgements, segments in the order of their numbers."""
    names = table.segments
    order = sorted(range(len(names)), key=lambda i: _natural(names[i]))
    ratings = table.scores[:, order]

    names_in_order = tuple(names[i] for i in order)
    human = Human(
        table.systems, names_in_order, kind, ratings=ratings, langpair=langpair
    )
    return scored(human)


def _cells(
    table: SegmentScores, systems: Sequence[str], segments: Sequence[str]
) -> Matrix:
    """Return the scores of some systems and segments in this order."""
    rows = {name: place for place, name in enumerate(table.systems)}
    columns = {name: place for place, name in enumerate(table.segments)}
    chosen = [rows[name] for name in systems], [columns[name] for name in segments]
    return table.scores[np.ix_(*chosen)]


def scored(human: Human) -> Human:
    """Return judgements with the scores that they give systems, by their method.

    Official scores stay, whatever the judgements.
    """
    comparisons, ratings = human.comparisons, human.ratings
    method = human.method or "expected-wins"
    if method == "official":
        return human
    if ratings is not None:
        known = ~np.isnan(ratings)
        rows = np.concatenate([np.where(known, ratings, 0.0), known]).T.copy()

        def from_ratings(resamples: int, seed: int) -> Matrix:
            sums = draw_sums("bootstrap", rows, resamples, seed=seed, threads=None)
            return means_of_rows(sums)

        return replace(
            human,
            scores=means(human.systems, ratings),
            draw=from_ratings,
            draw_segments=from_ratings,
        )
    if comparisons is None or len(comparisons) == 0:
        return replace(human, scores={}, draw=None, draw_segments=None)
    ranked = rank_systems(comparisons, method=method, resamples=0).scores()

    def from_rankings(units: Comparisons, resamples: int, seed: int) -> Matrix:
        names, drawn = resampled_scores(
            units, method=method, resamples=resamples, seed=seed
        )
        return drawn[:, [names.index(name) for name in human.systems]]

    def from_segments(resamples: int, seed: int) -> Matrix:
        # All comparisons of a segment stand together, as if they were one ranking.
        order = np.argsort(comparisons.segment, kind="stable")
        units = comparisons.select(order)
        return from_rankings(replace(units, ranking=units.segment), resamples, seed)

    scores = {name: score for name, score in ranked.items() if score is not None}
    return replace(
        human,
        scores=scores,
        draw=partial(from_rankings, comparisons),
        draw_segments=from_segments,
    )


def means(systems: Sequence[str], matrix: Matrix) -> dict[str, float]:
    """Return the mean of the values that each system has."""
    return {
        name: float(row[~np.isnan(row)].mean())
        for name, row in zip(systems, matrix, strict=True)
        if not np.isnan(row).all()
    }


def _natural(name: str) -> tuple[int, int, str]:
    """Numbers in their order, before names."""
    return (0, int(name), name) if name.isdecimal() else (1, 0, name)
