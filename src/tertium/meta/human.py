# SPDX-License-Identifier: Apache-2.0
"""What people said of the systems of one language pair, ready to be compared.

Rankings give comparisons of two systems on a segment; ratings and error spans give
every output a number. Both give systems a score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.errors import InputError
from tertium.judgements import Comparisons, Judgements

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

__all__ = ["Human", "human_judgements"]

Matrix: TypeAlias = "NDArray[np.float64]"


@dataclass(frozen=True, eq=False)
class Human:
    """Judgements of one language pair.

    Parameters
    ----------
    systems, segments : tuple of str
    kind : str
        Where the figures come from, in words: ``rankings``, ``DA ratings``.
    scores : dict of str to float
        How good people found whole systems; higher is better.
    comparisons : Comparisons, optional
        Numbers of systems and segments are places in `systems` and `segments`.
    ratings : matrix, optional
        Systems x segments; NaN where nobody judged.
    langpair : str, optional
    draw : callable, optional
        ``draw(resamples, seed)``: scores of the systems from resampled judgements,
        one row a resample, NaN where a system was not drawn.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    kind: str
    scores: Mapping[str, float] = field(default_factory=dict)
    comparisons: Comparisons | None = None
    ratings: Matrix | None = None
    langpair: str | None = None
    draw: Callable[[int, int], Matrix] | None = None


def human_judgements(
    judgements: Judgements,
    *,
    langpair: str | None = None,
    kind: str | None = None,
    scale: str | None = None,
    method: str | None = None,
) -> Human:
    """Return the judgements of one language pair.

    Parameters
    ----------
    judgements : Judgements
    langpair : str, optional
        Needed where there are several.
    kind : {"rankings", "ratings", "spans"}, optional
        Needed where there are several.
    scale : str, optional
        The scale of the ratings, where there are several.
    method : str, optional
        How systems get scores, as in :func:`tertium.judgements.rank_systems`;
        expected wins, means or MQM by default.

    Raises
    ------
    InputError
        When there are no judgements, or several kinds to choose from.
    """
    langpair = _only(judgements, "langpair", langpair, "language pair", "--langpair")
    if langpair is not None:
        judgements = judgements.filter(langpair=langpair)
    counts = {name: count for name, count in judgements.counts().items() if count}
    if not counts:
        where = f" of {langpair}" if langpair else ""
        raise InputError(f"no judgements{where}; import some first")
    if kind is None and len(counts) > 1:
        message = f"there are {' and '.join(counts)}; choose one with kind="
        raise InputError(message)
    kind = kind or next(iter(counts))
    if kind not in counts:
        raise InputError(f"no {kind} of {langpair}; there are {', '.join(counts)}")
    if kind == "rankings":
        return _from_rankings(judgements, langpair, method or "expected-wins")
    if kind == "ratings":
        scale = _only(judgements, "scale", scale, "scale", "--scale")
        if scale is not None:
            judgements = judgements.filter(scale=scale)
        means = judgements.ratings
        return _from_ratings(means, langpair, f"{scale or ''} ratings".strip())
    from tertium.judgements.ranking.ratings import mqm_scores

    return _from_ratings(mqm_scores(judgements), langpair, "MQM spans")


def _only(
    judgements: Judgements, column: str, value: str | None, what: str, option: str
) -> str | None:
    known = judgements.names(column)
    if value is not None:
        if known and value not in known:
            raise InputError(f"no {what} {value}; there are {', '.join(known)}")
        return value
    if len(known) > 1:
        message = f"more than one {what}: {', '.join(known)}; choose with {option}"
        raise InputError(message)
    return known[0] if known else None


def _from_rankings(judgements: Judgements, langpair: str | None, method: str) -> Human:
    from tertium.judgements.ranking import rank_systems

    comparisons = judgements.comparisons()
    ranking = rank_systems(judgements, method=method, resamples=0)
    return Human(
        comparisons.systems,
        comparisons.segments,
        f"rankings, systems by {method}",
        dict(ranking.scores),
        comparisons,
        langpair=langpair,
    )


def _from_ratings(table: pl.LazyFrame, langpair: str | None, kind: str) -> Human:
    import polars as pl

    frame = (
        table.select(
            pl.col("system").cast(pl.String), pl.col("segment").cast(pl.String), "score"
        )
        .group_by("system", "segment")
        .agg(pl.col("score").mean())
        .collect()
    )
    systems = frame["system"].unique().sort()
    segments = frame["segment"].unique()
    order = sorted(segments, key=_natural)
    place = {name: i for i, name in enumerate(order)}
    matrix = np.full((len(systems), len(order)), np.nan)
    row = frame["system"].cast(pl.Enum(systems)).to_physical().to_numpy()
    column = [place[name] for name in frame["segment"]]
    matrix[row, column] = frame["score"].to_numpy()
    return Human(
        tuple(systems),
        tuple(order),
        kind,
        means(tuple(systems), matrix),
        ratings=matrix,
        langpair=langpair,
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
