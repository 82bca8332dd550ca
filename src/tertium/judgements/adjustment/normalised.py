# SPDX-License-Identifier: Apache-2.0
"""Whole tables of judgements on one scale from 0 to 1, see :mod:`.normalise`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tertium.errors import InputError, UnknownNameError
from tertium.judgements.tables import Judgements, schemas

if TYPE_CHECKING:
    import polars as pl

__all__ = ["NORMALISERS", "normalised", "normaliser"]

#: What may be put on the scale, with what its number says and is by default.
NORMALISERS: Mapping[str, tuple[str, int | None]] = {
    "likert": ("boxes", 5),
    "degree": ("largest degree", 18),
    "rank": ("", None),
    "rank-zero": ("", None),
}


def normaliser(text: str) -> tuple[str, int | None]:
    """Return a normaliser and its number from a text such as ``likert=5``.

    Raises
    ------
    InputError
        When there is no such normaliser, or its number is not an integer.

    Examples
    --------
    >>> normaliser("likert=7"), normaliser("rank")
    (('likert', 7), ('rank', None))
    """
    how, equals, size = text.partition("=")
    if how not in NORMALISERS:
        raise UnknownNameError("normaliser", how, NORMALISERS)
    if equals and not (size.isascii() and size.isdigit() and len(size) < 7):
        message = f"normaliser {text!r}: {size!r} is not an integer"
        raise InputError(message, options=("normalise",))
    return how, int(size) if equals else None


def normalised(judgements: Judgements, how: str, size: int | None = None) -> Judgements:
    """Return judgements with scores from 0 to 1.

    Parameters
    ----------
    judgements : Judgements
    how : {"likert", "degree", "rank", "rank-zero"}
        ``likert``: ratings are boxes from 1, the worst. ``degree``: ratings are degrees
        of permutation from 1, the least. ``rank``: every ranked output becomes a
        rating on the scale ``rank``; the rankings themselves, and other ratings, are
        left out. ``rank-zero`` gives the last rank 0.
    size : int, optional
        How many boxes, or the largest degree; 5 and 18 by default.

    Raises
    ------
    InputError
        When a score does not fit the scale, or a ranked output has no system.

    Notes
    -----
    Of r among n different candidates a rank gives 1 - (r - 1) / n (Equation 6.1), or
    1 - (r - 1) / (n - 1) where the last one is to get 0.
    Garbage, and ranks above n, count as n: judges may leave gaps, and equal outputs
    count once.

    Examples
    --------
    >>> from tertium.judgements import Judgements, Place, Ranking
    >>> ranking = Ranking((Place(("A",), 1), Place(("B", "C"), 2)), segment="7")
    >>> found = normalised(Judgements.from_iterable([ranking]), "rank")
    >>> [(rating.system, rating.score) for rating in found.iterate("ratings")]
    [('A', 1.0), ('B', 0.5), ('C', 0.5)]
    """
    if how not in NORMALISERS:
        raise UnknownNameError("normaliser", how, NORMALISERS)
    what, usual = NORMALISERS[how]
    if usual is None:
        if size is not None:
            raise InputError(f"{how} takes no number; omit it")
        return Judgements(
            judgements.rankings.clear(), _ranked(judgements, how), judgements.spans
        )
    top = usual if size is None else size
    if top < 2:
        raise InputError(f"{how} has {top} as {what}; give 2 or more")
    return Judgements(
        judgements.rankings, _rated(judgements.ratings, how, top), judgements.spans
    )


def _rated(ratings: pl.LazyFrame, how: str, top: int) -> pl.LazyFrame:
    """Return ratings with scores as by ``likert_score`` or ``degree_score``."""
    import polars as pl

    score = pl.col("score")
    fits = score.is_between(1, top) & (score == score.floor())
    wrong = ratings.filter(~fits).head(1).collect()
    if not wrong.is_empty():
        row = wrong.row(0, named=True)
        message = (
            f"score {row['score']:g} of {row['system']!r} on segment "
            f"{row['segment']!r} is not an integer from 1 to {top}; choose ratings "
            f"of one scale, or say {how}=NUMBER"
        )
        raise InputError(message, options=("only",))
    above = score - 1 if how == "likert" else top - score
    return ratings.with_columns(score=above / (top - 1))


def _ranked(judgements: Judgements, how: str) -> pl.LazyFrame:
    """Return ranked outputs as ratings, as by ``rank_score``."""
    import polars as pl

    table = judgements.rankings
    odd = table.filter(pl.col("system").is_null() | (pl.col("rank") < 1))
    wrong = odd.head(1).collect()
    if not wrong.is_empty():
        row = wrong.row(0, named=True)
        message = f"rank {row['rank']} on segment {row['segment']!r} is below 1"
        if row["system"] is None:
            message = (
                f"a candidate on segment {row['segment']!r} has no system; "
                "import it with the systems of the texts"
            )
        raise InputError(message)
    columns = schemas()["ratings"]
    many = pl.col("candidate").n_unique().over("ranking").cast(pl.Int64)
    rank = pl.when("garbage").then(many).otherwise(pl.min_horizontal("rank", many))
    steps = many if how == "rank" else pl.max_horizontal(many - 1, 1)
    return table.with_columns(
        score=1 - (rank - 1) / steps, scale=pl.lit("rank").cast(columns["scale"])
    ).select(pl.col(name).cast(dtype) for name, dtype in columns.items())
