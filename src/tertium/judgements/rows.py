# SPDX-License-Identifier: Apache-2.0
"""Single judgements collected into the three tables of judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tertium.errors import InputError
from tertium.judgements.judgement import Judgement, Place, Ranking, Rating, Span
from tertium.judgements.tables import schemas

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Rows"]

_ENDLESS = (float("inf"), -float("inf"))


class Rows:
    """The rows of the three tables, collected judgement by judgement.

    What all rows of a ranking share is kept once and repeated by NumPy. So are
    places that several rankings have as one object: readers of pairs share them.
    """

    def __init__(self) -> None:
        self._next = 0
        self._size = 0
        self._rankings: list[Ranking] = []
        self._places: list[int] = []  # of every ranking, a number of those below
        self._different: list[tuple[Place, ...]] = []
        self._known: dict[int, int] = {}
        self._ratings: list[Rating] = []
        self._spans: list[Span] = []

    def __len__(self) -> int:
        return self._size

    def add(self, judgement: Judgement) -> None:
        """Add a judgement.

        Raises
        ------
        InputError
            When it is empty: no candidates, or a rating that is not a number.
        """
        if isinstance(judgement, Ranking):
            places = judgement[0]
            if not places:
                message = (
                    f"the ranking of segment {judgement.segment!r} has no candidates; "
                    "leave it out"
                )
                raise InputError(message)
            number = self._known.get(id(places))
            if number is None:
                number = self._known[id(places)] = len(self._different)
                self._different.append(places)  # lives on, so its id stays its own
            self._places.append(number)
            self._rankings.append(judgement)
            self._size += len(places)
        elif isinstance(judgement, Rating):
            if judgement.score in _ENDLESS or judgement.score != judgement.score:
                message = (
                    f"the rating of {judgement.system!r} on segment "
                    f"{judgement.segment!r} is {judgement.score}, which is not a "
                    "number; leave it out"
                )
                raise InputError(message)
            self._ratings.append(judgement)
            self._size += 1
        else:
            self._spans.append(judgement)
            self._size += 1

    def take(self) -> dict[str, pl.DataFrame]:
        """Return the rows as frames, and continue numbering after them."""
        columns = schemas()
        frames = {
            "rankings": self._ranking_rows(list(columns["rankings"].items())),
            "ratings": _frame(self._ratings, columns["ratings"]),
            "spans": _frame(self._spans, columns["spans"]),
        }
        self._next += len(self._rankings)
        self._size = 0
        for kept in (self._rankings, self._places, self._different, self._known):
            kept.clear()
        self._ratings.clear()
        self._spans.clear()
        return frames

    def _ranking_rows(self, columns: list[tuple[str, pl.DataType]]) -> pl.DataFrame:
        import numpy as np
        import polars as pl

        rows: list[tuple[object, ...]] = []
        sizes = []
        for places in self._different:
            before = len(rows)
            for candidate, (systems, rank, garbage, text) in enumerate(places):
                for system in systems or (None,):
                    rows.append((system, candidate, rank, garbage, text))
            sizes.append(len(rows) - before)
        different = _frame(rows, dict(columns[1:_HEAD]))
        heads = _frame(self._rankings, dict(columns[_HEAD:]), skip=1)
        # Row k of a ranking is row k of its places.
        numbers = np.array(self._places, np.int64)
        lengths = np.array(sizes, np.int64)
        starts = (np.cumsum(lengths) - lengths)[numbers]
        lengths = lengths[numbers]
        shift = starts - (np.cumsum(lengths) - lengths)
        of_ranking = np.repeat(np.arange(len(numbers)), lengths)
        of_place = np.arange(len(of_ranking)) + shift[of_ranking]
        number = pl.Series("ranking", of_ranking + self._next).cast(pl.UInt32)
        parts = [number.to_frame(), different[of_place], heads[of_ranking]]
        frame: pl.DataFrame = pl.concat(parts, how="horizontal")
        return frame


_HEAD = 6  # Columns of rankings from here on belong to the ranking, not to a place.


def _frame(
    rows: Sequence[tuple[object, ...]],
    columns: Mapping[str, pl.DataType],
    *,
    skip: int = 0,
) -> pl.DataFrame:
    """Return rows as a frame, without the first columns.

    Raises
    ------
    InputError
        When a value does not fit its column.
    """
    import polars as pl

    series = []
    for place, (name, dtype) in enumerate(columns.items(), start=skip):
        values = [row[place] for row in rows]  # zip(*rows) takes four times as long
        if values.count(None) == len(values):
            series.append(pl.Series(name, [None], dtype).new_from_index(0, len(values)))
            continue
        try:
            series.append(pl.Series(name, values, dtype))
        except (TypeError, OverflowError, pl.exceptions.PolarsError) as error:
            why = str(error).partition("\n")[0]
            message = f"a value of the column {name!r} does not fit: {why}"
            raise InputError(message) from None
        if dtype == pl.Datetime("us") and series[-1].dtype != dtype:
            # A time with an offset becomes UTC.
            utc = series[-1].dt.convert_time_zone("UTC").dt.replace_time_zone(None)
            series[-1] = utc.cast(dtype)
    return pl.DataFrame(series)
