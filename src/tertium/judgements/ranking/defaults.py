# SPDX-License-Identifier: Apache-2.0
"""The default ranking method: one rule for everything that ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tertium.errors import InputError
from tertium.judgements.scales import is_rating
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.judgements.tables import Judgements

__all__ = ["DefaultMethod", "default_method", "kinds_of"]


#: Names the scale of scores from error spans; no rating has it.
MQM = "MQM"


class DefaultMethod(NamedTuple):
    """The method for some judgements.

    Parameters
    ----------
    kind : {"rankings", "ratings", "spans"}
        The judgements that it uses.
    method : str
    reason : Note, optional
        Why it is not the usual one of its kind.
    """

    kind: str
    method: str
    reason: Note | None = None


def default_method(
    judgements: Judgements, *, kind: str | None = None, scale: str | None = None
) -> DefaultMethod:
    """Return how systems are scored by default.

    Rankings give expected wins. Ratings give z-scores, or means where no judge is
    known or none gave two different scores. Error spans give MQM scores. Of several
    kinds, rankings come first, then ratings: who marks errors and then gives a score
    gives the score last.

    Parameters
    ----------
    judgements : Judgements
    kind : {"rankings", "ratings", "spans"}, optional
        Look at these only.
    scale : str, optional
        The scale of ratings; all that are about systems by default.

    Raises
    ------
    InputError
        When there are no judgements.
    """
    there = kinds_of(judgements)
    if kind is None and scale == MQM and scale not in _scales(judgements):
        kind = "spans" if judgements.counts()["spans"] else None
    if kind is None and not there:
        raise InputError(Note("no-judgements"))
    kind = kind or there[0]
    if kind == "rankings":
        return DefaultMethod(kind, "expected-wins")
    if kind == "spans":
        return DefaultMethod(kind, "mqm")
    reason = _why_no_z(judgements, scale)
    return DefaultMethod(kind, "mean" if reason else "z", reason)


def kinds_of(judgements: Judgements) -> list[str]:
    """Return the kinds of judgements of systems, those that count first.

    Ratings that only check judges, and rankings without two systems to compare, count
    where there is nothing else.
    """
    counts = judgements.counts()
    there = [kind for kind in ("rankings", "ratings", "spans") if counts[kind]]
    if len(there) < 2:
        return there
    idle = set()
    if not any(is_rating(scale) for scale in _scales(judgements)):
        idle.add("ratings")
    if "rankings" in there and not _compares(judgements):
        idle.add("rankings")
    return [kind for kind in there if kind not in idle] or there


def _compares(judgements: Judgements) -> bool:
    """Return whether any ranking names two systems."""
    import polars as pl

    named = judgements.rankings.filter(pl.col("system").is_not_null())
    sizes = named.group_by("ranking").len().select(pl.col("len").max())
    most = sizes.collect().item()
    return most is not None and most > 1


def _scales(judgements: Judgements) -> list[str]:
    import polars as pl

    names = judgements.ratings.select(pl.col("scale").cast(pl.String).unique())
    return [name for name in names.collect()["scale"] if name is not None]


def _why_no_z(judgements: Judgements, scale: str | None) -> Note | None:
    """Return why ratings have no z-scores; None if they have."""
    import polars as pl

    chosen = [scale] if scale else [s for s in _scales(judgements) if is_rating(s)]
    name = pl.col("scale").cast(pl.String)
    table = judgements.ratings
    if chosen:
        table = table.filter(name.is_in(chosen))
    known = table.filter(
        pl.col("judge").is_not_null() & pl.col("score").is_finite()
    ).select(pl.col("judge").cast(pl.String), name.alias("scale"), "score")
    judges = (
        known.group_by("judge", "scale")
        .agg(pl.col("score").n_unique().alias("values"))
        .collect()
    )
    if not len(judges):
        return Note("unknown-judges")
    if not (judges["values"] > 1).any():
        return Note("equal-scores")
    return None
