# SPDX-License-Identifier: Apache-2.0
"""One judgement: a ranking, a rating or an error span.

Readers of files yield these, and rows that they could not read as :class:`Bad`.
Every field after ``segment`` may be unknown.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple, TypeAlias

__all__ = ["NO_ERROR", "Bad", "Judgement", "Place", "Ranking", "Rating", "Span"]

#: How files spell the severity of a segment without an error, in lower case.
NO_ERROR = frozenset({"no-error", "no error", "noerror", "none"})


class Place(NamedTuple):
    """A candidate of a ranking, and where a judge put it.

    Parameters
    ----------
    systems : tuple of str
        Who produced it: several systems where outputs are equal, none if unknown.
    rank : int
        Lower is better; gaps and ties are legal.
    garbage : bool
        Whether the judge threw it away. Garbage is the worst rank.
    text : str, optional
        The candidate itself.
    """

    systems: tuple[str, ...]
    rank: int
    garbage: bool = False
    text: str | None = None


class Ranking(NamedTuple):
    """A judge put candidates of one segment in order.

    Parameters
    ----------
    places : tuple of Place
    segment : str
        The name of the segment; in WMT files its line number, from 1.
    part : str, optional
        Which part of the segment was judged, where it was not all of it.
    meta : str, optional
        A JSON object with everything else in the file.
    """

    places: tuple[Place, ...]
    segment: str
    part: str | None = None
    judge: str | None = None
    document: str | None = None
    langpair: str | None = None
    campaign: str | None = None
    time: datetime | None = None
    duration: float | None = None  # seconds
    meta: str | None = None


class Rating(NamedTuple):
    """A judge gave one output a number on a named scale; higher is better."""

    system: str
    score: float
    scale: str
    segment: str
    judge: str | None = None
    document: str | None = None
    langpair: str | None = None
    campaign: str | None = None
    time: datetime | None = None
    duration: float | None = None
    meta: str | None = None


class Span(NamedTuple):
    """A judge marked an error in one output, or marked it as free of errors.

    Parameters
    ----------
    category, severity : str
        Such as ``Accuracy/Mistranslation`` and ``Major``, as the file spells them.
        A segment without an error has one span of severity ``no-error``.
    start, end : int, optional
        Code points of the side, from 0; the end is exclusive.
    side : {"target", "source"}
    """

    system: str
    category: str
    severity: str
    segment: str
    start: int | None = None
    end: int | None = None
    side: str = "target"
    text: str | None = None
    judge: str | None = None
    document: str | None = None
    langpair: str | None = None
    campaign: str | None = None
    time: datetime | None = None
    duration: float | None = None
    meta: str | None = None


class Bad(NamedTuple):
    """A row that gave no judgement: where, why, and the row itself.

    Parameters
    ----------
    skipped : bool
        Whether nothing is wrong with it, except that the judge ranked nothing. Such a
        row is set aside too, but it is not an error.
    """

    line: int
    reason: str
    text: str
    skipped: bool = False


#: Any kind of judgement.
Judgement: TypeAlias = "Ranking | Rating | Span"
