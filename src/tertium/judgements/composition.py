# SPDX-License-Identifier: Apache-2.0
"""How ratings are composed: place in the questionnaire, lengths, source languages.

Ratings should not depend on where an output stood in the questionnaire, nor on which
questionnaire it was in (McCaffery 2017, section 6.3.5). Both are read from the
metadata of ratings: ``position``, ``questionnaire``, ``source_language`` (otherwise the
language pair says it), ``hypothesis`` and ``reference``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tertium.errors import InputError
from tertium.judgements.estimates import need_scipy
from tertium.judgements.segment_names import segment_names, with_names
from tertium.judgements.tables import Judgements

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Composition", "Lengths", "Part", "Statistic", "Texts", "compose"]

#: (segment, system) to the reference and the hypothesis.
Texts: TypeAlias = Mapping[tuple[str, str], tuple[str, str]]

_KEYS = ("position", "questionnaire", "source_language", "hypothesis", "reference")


@dataclass(frozen=True)
class Part:
    """Ratings that share a position, a questionnaire or a source language.

    Parameters
    ----------
    name : str
    ratings : int
    mean : float
    deviation : float, optional
        The sample standard deviation; None of a single rating.
    """

    name: str
    ratings: int
    mean: float
    deviation: float | None


@dataclass(frozen=True)
class Statistic:
    """A statistic and its p-value; p is None where it is not defined.

    Parameters
    ----------
    statistic : float
        Spearman's rho of positions and scores, or H of Kruskal and Wallis.
    p : float, optional
        Two-sided. It takes ratings as independent, though those of one judge or one
        output are alike: read it as a hint.
    n : int
        Ratings.
    """

    statistic: float
    p: float | None
    n: int


@dataclass(frozen=True)
class Lengths:
    """Lengths in words of the different outputs that were rated.

    Parameters
    ----------
    outputs : int
    reference, hypothesis : float
        Means.
    pearson : float, optional
        Pearson's r of both lengths; None where it is not defined.
    """

    outputs: int
    reference: float
    hypothesis: float
    pearson: float | None


@dataclass(frozen=True)
class Composition:
    """How the ratings on one scale are composed.

    Parameters
    ----------
    scale : str
    ratings : int
    positions, questionnaires, languages : tuple of Part
        In order; empty where nothing is known.
    trend : Statistic, optional
        Spearman's rho of position and score; None where it is not defined.
    between : Statistic, optional
        H of Kruskal and Wallis over questionnaires; None with fewer than two.
    lengths : Lengths, optional
        None where no texts are known.
    """

    scale: str
    ratings: int
    positions: tuple[Part, ...]
    trend: Statistic | None
    questionnaires: tuple[Part, ...]
    between: Statistic | None
    languages: tuple[Part, ...]
    lengths: Lengths | None


def compose(judgements: Judgements, texts: Texts | None = None) -> list[Composition]:
    """Return how the ratings on every scale are composed.

    Parameters
    ----------
    judgements : Judgements
        Rankings and spans are not looked at.
    texts : mapping, optional
        (segment, system) to reference and hypothesis, where the metadata of ratings
        do not have them. Outputs it lacks are left out of the lengths.

    Raises
    ------
    InputError
        When there are no ratings, or a position is not a number.

    Notes
    -----
    O(n log n) for n ratings.

    Examples
    --------
    >>> from tertium.judgements import Judgements, Rating
    >>> scores = [5.0, 4.0, 3.0, 1.0]
    >>> ratings = [
    ...     Rating("A", score, "adequacy", str(i), meta=f'{{"position": {i}}}')
    ...     for i, score in enumerate(scores, start=1)
    ... ]
    >>> compose(Judgements.from_iterable(ratings))[0].trend.statistic
    -1.0
    """
    import polars as pl

    need_scipy("composition of ratings")
    known = [pl.col("meta").str.json_path_match(f"$.{key}").alias(key) for key in _KEYS]
    names = [pl.col(n).cast(pl.String) for n in ("scale", "system")]
    source = pl.col("langpair").cast(pl.String).str.split("-").list.first()
    named = with_names(judgements.ratings, segment_names(judgements.ratings))
    segment = pl.col("name").alias("segment")
    table = (
        named.select(*names, segment, "score", *known, source.alias("source"))
        .with_columns(language=pl.coalesce("source_language", "source"))
        .with_columns(place=pl.col("position").cast(pl.Float64, strict=False))
        .collect()
    )
    if table.is_empty():
        raise InputError("no ratings, and composition is of ratings; give some")
    wrong = table.filter(
        pl.col("position").is_not_null()
        & ~pl.col("place").is_finite().fill_null(value=False)
    )
    if not wrong.is_empty():
        row = wrong.row(0, named=True)
        message = (
            f"position {row['position']!r} of {row['system']!r} on segment "
            f"{row['segment']!r} is not a number; correct it"
        )
        raise InputError(message)
    return [
        _composition(str(scale), ratings, texts or {})
        for (scale,), ratings in table.sort("scale", maintain_order=True).group_by(
            "scale", maintain_order=True
        )
    ]


def _composition(scale: str, table: pl.DataFrame, texts: Texts) -> Composition:
    placed = table.drop_nulls("place").sort("place", maintain_order=True)
    return Composition(
        scale,
        len(table),
        _parts(placed, "place"),
        _trend(placed["place"].to_list(), placed["score"].to_list()),
        _parts(table, "questionnaire"),
        _between(table),
        _parts(table, "language"),
        _lengths(table, texts),
    )


def _parts(table: pl.DataFrame, column: str) -> tuple[Part, ...]:
    import polars as pl

    groups = (
        table.drop_nulls(column)
        .group_by(column)
        .agg(n=pl.len(), mean=pl.col("score").mean(), sd=pl.col("score").std())
    )
    rows = list(groups.iter_rows())
    rows.sort(key=lambda row: _order(row[0]))
    return tuple(Part(_name(value), n, mean, sd) for value, n, mean, sd in rows)


def _order(value: str | float) -> tuple[float, str]:
    """Return a key that puts numbers before names, and 10 after 9."""
    try:
        number = float(value)
    except ValueError:
        number = math.inf
    return (number if math.isfinite(number) else math.inf, str(value))


def _name(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _trend(places: Sequence[float], scores: Sequence[float]) -> Statistic | None:
    """Return Spearman's rho with the p-value of Student's t at n - 2 degrees."""
    from scipy.special import stdtr

    from tertium.stats.correlation import spearman

    n = len(places)
    rho = spearman(places, scores) if n > 1 else None
    if rho is None:
        return None
    p = None
    if n > 2:
        rest = 1 - rho * rho
        t = abs(rho) * math.sqrt((n - 2) / rest) if rest > 0 else math.inf
        p = min(1.0, 2 * float(stdtr(n - 2, -t)))
    return Statistic(rho, p, n)


def _between(table: pl.DataFrame) -> Statistic | None:
    known = table.drop_nulls("questionnaire")
    groups = [
        part["score"].to_numpy()
        for part in known.partition_by("questionnaire", maintain_order=True)
    ]
    # H divides by zero where all scores are equal.
    if len(groups) < 2 or known["score"].n_unique() < 2:
        return None
    from scipy.stats import kruskal

    result = kruskal(*groups)
    return Statistic(float(result.statistic), float(result.pvalue), len(known))


def _lengths(table: pl.DataFrame, texts: Texts) -> Lengths | None:
    """Return lengths of different outputs: one that many rated counts once."""
    from tertium.stats.correlation import pearson

    columns = ["segment", "system", "reference", "hypothesis"]
    lengths: dict[tuple[str, ...], tuple[int, int]] = {}
    for segment, system, reference, hypothesis in table.select(columns).iter_rows():
        if reference is None or hypothesis is None:
            if (segment, system) not in texts:
                continue
            reference, hypothesis = texts[segment, system]
        key = segment, system, reference, hypothesis
        lengths[key] = len(reference.split()), len(hypothesis.split())
    if not lengths:
        return None
    ours = [float(reference) for reference, _ in lengths.values()]
    theirs = [float(hypothesis) for _, hypothesis in lengths.values()]
    n = len(lengths)
    both = pearson(ours, theirs) if n > 1 else None
    return Lengths(n, math.fsum(ours) / n, math.fsum(theirs) / n, both)
