# SPDX-License-Identifier: Apache-2.0
"""Judgements of several kinds on one scale from 0 to 1 (McCaffery 2017, chapter 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tertium.errors import InputError, UnknownNameError

__all__ = [
    "LANGUAGE_POINTS",
    "degree_score",
    "language_points",
    "likert_score",
    "rank_score",
]

#: Points of a language by how well it is spoken; levels in between are not stated.
LANGUAGE_POINTS: Mapping[str, int] = {"native": 7, "fluent": 4, "a few words": 1}


def rank_score(rank: int, candidates: int, *, lowest: str = "share") -> float:
    """Return the score of a rank, 1 for the best.

    Parameters
    ----------
    rank : int
        From 1.
    candidates : int
        How many were ranked; equal outputs count once.
    lowest : {"share", "zero"}
        What the last rank gets: 1 / candidates, as Equation 6.1 has it, or 0.

    Examples
    --------
    >>> [round(rank_score(rank, 5), 1) for rank in range(1, 6)]
    [1.0, 0.8, 0.6, 0.4, 0.2]
    >>> rank_score(5, 5, lowest="zero")
    0.0
    """
    if lowest not in ("share", "zero"):
        raise UnknownNameError("choice for lowest", lowest, ("share", "zero"))
    if not 1 <= rank <= candidates:
        message = f"rank {rank} is not between 1 and {candidates}"
        raise InputError(message)
    if lowest == "share":
        return 1 - (rank - 1) / candidates
    return 1 - (rank - 1) / (candidates - 1) if candidates > 1 else 1.0


def degree_score(degree: int, *, largest: int = 18) -> float:
    """Return the score of a permutation: 1 for degree 1, 0 for the largest degree.

    Examples
    --------
    >>> degree_score(1), degree_score(18)
    (1.0, 0.0)
    """
    if largest < 2 or not 1 <= degree <= largest:
        message = f"degree {degree} is not between 1 and {largest}"
        raise InputError(message)
    return (largest - degree) / (largest - 1)


def likert_score(box: int, *, boxes: int = 5) -> float:
    """Return the score of a box, counted from 1 at the worst end.

    Examples
    --------
    >>> likert_score(2)
    0.25
    """
    if boxes < 2 or not 1 <= box <= boxes:
        message = f"box {box} is not between 1 and {boxes}"
        raise InputError(message)
    return (box - 1) / (boxes - 1)


def language_points(
    levels: Iterable[str], *, points: Mapping[str, int] = LANGUAGE_POINTS
) -> int:
    """Return the points of somebody's languages, by how well each is spoken.

    Examples
    --------
    >>> language_points(["native", "fluent", "a few words"])
    12
    """
    total = 0
    for level in levels:
        if level not in points:
            raise UnknownNameError("level of a language", level, points)
        total += points[level]
    return total
