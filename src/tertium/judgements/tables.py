# SPDX-License-Identifier: Apache-2.0
"""Judgements as three typed tables: rankings, ratings and error spans.

The tables are lazy Polars frames: a file is read when something is asked for, and
only the columns that the answer needs. A ranking takes one row a system; rows of
one judgement share the number ``ranking``, rows of one candidate (outputs that
were equal) the number ``candidate`` in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError, MissingExtraError
from tertium.judgements.records import Place, Ranking, Rating, Record, Span

if TYPE_CHECKING:
    import polars as pl

    from tertium.judgements.comparisons import Comparisons
    from tertium.judgements.reading import Paths
    from tertium.notes import Note

__all__ = ["Judgements", "Rows", "merge", "need_polars", "schemas", "table_columns"]

_SLICE = 500_000
_ENDLESS = (float("inf"), -float("inf"))
_TABLES = ("rankings", "ratings", "spans")
_NAMES = ("judge", "document", "langpair", "campaign")


def need_polars() -> None:
    """Say how to install Polars where it is missing."""
    try:
        import polars as pl  # noqa: F401
    except ImportError:
        raise MissingExtraError("tables of judgements", extra="meta") from None


def schemas() -> dict[str, dict[str, pl.DataType]]:
    """Return the columns of every table with their types."""
    need_polars()
    import polars as pl

    name = pl.Categorical()
    common: dict[str, pl.DataType] = dict.fromkeys(_NAMES, name)
    common |= {
        "time": pl.Datetime("us"),
        "duration": pl.Float64(),
        "meta": pl.String(),
    }
    rankings = {
        "ranking": pl.UInt32(),
        "system": name,
        "candidate": pl.UInt16(),
        "rank": pl.Int16(),
        "garbage": pl.Boolean(),
        "text": pl.String(),
        "segment": name,
        "part": name,
    }
    ratings = {"system": name, "score": pl.Float64(), "scale": name, "segment": name}
    spans = {
        "system": name,
        "category": name,
        "severity": name,
        "segment": name,
        "start": pl.UInt32(),
        "end": pl.UInt32(),
        "side": name,
        "text": pl.String(),
    }
    return {
        "rankings": rankings | common,
        "ratings": ratings | common,
        "spans": spans | common,
    }


class Rows:
    """The rows of the three tables, collected record by record.

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

    def add(self, record: Record) -> None:
        """Add a record.

        Raises
        ------
        InputError
            When it says nothing: no candidates, or a rating that is no number.
        """
        if isinstance(record, Ranking):
            places = record[0]
            if not places:
                message = (
                    f"the ranking of segment {record.segment!r} has no candidates; "
                    "leave it out"
                )
                raise InputError(message)
            number = self._known.get(id(places))
            if number is None:
                number = self._known[id(places)] = len(self._different)
                self._different.append(places)  # lives on, so its id stays its own
            self._places.append(number)
            self._rankings.append(record)
            self._size += len(places)
        elif isinstance(record, Rating):
            if record.score in _ENDLESS or record.score != record.score:
                message = (
                    f"the rating of {record.system!r} on segment {record.segment!r} is "
                    f"{record.score}, which is no number; leave it out"
                )
                raise InputError(message)
            self._ratings.append(record)
            self._size += 1
        else:
            self._spans.append(record)
            self._size += 1

    def take(self) -> dict[str, pl.DataFrame]:
        """Return the rows as frames, and start again behind them."""
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
        behind = starts - (np.cumsum(lengths) - lengths)
        of_ranking = np.repeat(np.arange(len(numbers)), lengths)
        of_place = np.arange(len(of_ranking)) + behind[of_ranking]
        number = pl.Series("ranking", of_ranking + self._next).cast(pl.UInt32)
        parts = [number.to_frame(), different[of_place], heads[of_ranking]]
        found: pl.DataFrame = pl.concat(parts, how="horizontal")
        return found


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

    found = []
    for place, (name, dtype) in enumerate(columns.items(), start=skip):
        values = [row[place] for row in rows]  # zip(*rows) takes four times as long
        if values.count(None) == len(values):
            found.append(pl.Series(name, [None], dtype).new_from_index(0, len(values)))
            continue
        try:
            found.append(pl.Series(name, values, dtype))
        except (TypeError, OverflowError, pl.exceptions.PolarsError) as error:
            why = str(error).partition("\n")[0]
            message = f"a value of the column {name!r} does not fit: {why}"
            raise InputError(message) from None
        if dtype == pl.Datetime("us") and found[-1].dtype != dtype:
            # A time with an offset becomes UTC.
            utc = found[-1].dt.convert_time_zone("UTC").dt.replace_time_zone(None)
            found[-1] = utc.cast(dtype)
    return pl.DataFrame(found)


@dataclass(frozen=True, eq=False, repr=False)
class Judgements:
    """Judgements of any kind and number; see the module for the columns.

    Parameters
    ----------
    rankings, ratings, spans : polars.LazyFrame
    notes : tuple of Note
        What a reader of files has to report, such as rows left out.

    Examples
    --------
    >>> from tertium.judgements import Judgements, Place, Ranking
    >>> ranking = Ranking((Place(("A",), 1), Place(("B", "C"), 2)), segment="7")
    >>> Judgements.from_records([ranking])
    <Judgements: 1 ranking, 0 ratings, 0 spans>
    """

    rankings: pl.LazyFrame
    ratings: pl.LazyFrame
    spans: pl.LazyFrame
    notes: tuple[Note, ...] = ()

    @classmethod
    def read(
        cls,
        paths: Paths,
        *,
        only: Sequence[str] = (),
        langpair: str | Sequence[str] | None = None,
        campaign: str | None = None,
        scale: str | None = None,
        input_format: str | None = None,
        strict: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> Judgements:
        """Return the judgements of stores, or of files in any known format.

        Rows that cannot be read are left out; `notes` of the result says how many.

        Parameters
        ----------
        paths : path or sequence of paths
            ``demo`` stands for the bundled judgements, unless there is such a file.
        only : sequence of str
            Keep judgements with these values, each ``COLUMN=VALUE`` such as
            ``judge=anna``. A column named twice may have either value; ``COLUMN=``
            keeps judgements without a value, ``COLUMN=*`` those with one.
        langpair : str or sequence of str, optional
            Keep these language pairs. A single one also applies to files that name
            none.
        campaign : str, optional
            Overrules the campaign that files name; stores keep theirs.
        scale : str, optional
            The scale of ratings whose file does not name one.
        input_format : str, optional
            The format of the files (a key of ``tertium.judgements.FORMATS``); detected
            by default.
        strict : bool
            Raise an error at the first row that cannot be read.
        progress : callable, optional
            Called with the number of judgements read so far.

        Raises
        ------
        FormatError
            When a file has no known format or, if `strict`, a bad row.
        InputError
            When a file is named twice, or nothing matches `only` or `langpair`.

        Examples
        --------
        >>> from tertium import Judgements
        >>> Judgements.read("demo")
        <Judgements: 202 rankings, 400 ratings, 0 spans>
        >>> Judgements.read("demo", only=["system=good"]).names("system")
        ['good']
        """
        from tertium.judgements.reading import read

        return read(
            paths,
            only=only,
            langpair=langpair,
            campaign=campaign,
            scale=scale,
            input_format=input_format,
            strict=strict,
            progress=progress,
        )

    @classmethod
    def from_records(cls, records: Iterable[Record]) -> Judgements:
        """Return the tables of some records."""
        need_polars()
        rows = Rows()
        for record in records:
            rows.add(record)
        return cls(**{name: frame.lazy() for name, frame in rows.take().items()})

    def __repr__(self) -> str:
        shown = [
            f"{number:,} {name[:-1] if number == 1 else name}"
            for name, number in self.counts().items()
        ]
        return f"<Judgements: {', '.join(shown)}>"

    def counts(self) -> dict[str, int]:
        """Return how many judgements of each kind there are."""
        import polars as pl

        rankings = self.rankings.select(pl.col("ranking").n_unique()).collect().item()
        return {
            "rankings": int(rankings),
            "ratings": int(self.ratings.select(pl.len()).collect().item()),
            "spans": int(self.spans.select(pl.len()).collect().item()),
        }

    def names(self, column: str) -> list[str]:
        """Return the different values of a column, sorted, over all tables."""
        import polars as pl

        found: set[str] = set()
        for table in self.tables().values():
            if column in table.collect_schema():
                values = table.select(pl.col(column).cast(pl.String).unique())
                found.update(v for v in values.collect()[column] if v is not None)
        return sorted(found)

    def tables(self) -> dict[str, pl.LazyFrame]:
        """Return the tables by name."""
        return {name: getattr(self, name) for name in _TABLES}

    def records(self, *kinds: str) -> Iterator[Record]:
        """Yield the judgements one by one: rankings, then ratings, then spans.

        Parameters
        ----------
        *kinds : {"rankings", "ratings", "spans"}
            Tables to take; all if none is named.
        """
        for name, table in self.tables().items():
            if kinds and name not in kinds:
                continue
            if name == "rankings":
                yield from _rankings(in_order(table))
            else:
                make = Rating if name == "ratings" else Span
                for row in _rows(table):
                    yield make(*row)

    def nameless(self, column: str) -> int:
        """Return how many judgements have no value in a column."""
        return sum(self.filter(**{column: None}).counts().values())

    def filter(self, **wanted: str | Sequence[str | None] | None) -> Judgements:
        """Return the judgements whose columns have one of some values.

        Parameters
        ----------
        **wanted
            Column and value or values: ``langpair="de-en"``, ``judge=["a", "b"]``;
            None stands for no value.
            Of rankings, all rows of a judgement stay together unless systems are
            chosen. A table that lacks the column stays as it is.

        Raises
        ------
        InputError
            When no table has such a column.
        """
        import polars as pl

        tables = self.tables()
        for column, values in wanted.items():
            names = (
                [values] if values is None or isinstance(values, str) else list(values)
            )
            if not any(column in t.collect_schema() for t in tables.values()):
                message = (
                    f"no table has a column {column!r}; there are "
                    f"{', '.join(table_columns())}"
                )
                raise InputError(message)
            chosen = (
                pl.col(column)
                .cast(pl.String)
                .is_in([name for name in names if name is not None])
            )
            if None in names:
                chosen = chosen | pl.col(column).is_null()
            tables = {
                name: table.filter(chosen)
                if column in table.collect_schema()
                else table
                for name, table in tables.items()
            }
        return replace(self, **tables)

    def levels(self) -> dict[str, Judgements]:
        """Return rankings of whole segments and of parts of them apart.

        Returns
        -------
        dict of str to Judgements
            ``segments`` and ``parts``, if there are rankings of both; ratings and
            spans, which are of whole segments, stay with the former. Otherwise all
            judgements under the level of the rankings.
        """
        import polars as pl

        is_part = pl.col("part").is_not_null()
        kinds = self.rankings.select(is_part.unique().alias("part")).collect()["part"]
        if len(kinds) < 2:
            return {"parts" if kinds.any() else "segments": self}
        return {
            "segments": replace(self, rankings=self.rankings.filter(~is_part)),
            "parts": replace(
                self,
                rankings=self.rankings.filter(is_part),
                ratings=self.ratings.clear(),
                spans=self.spans.clear(),
            ),
        }

    def comparisons(self) -> Comparisons:
        """Return who was put before whom, from all rankings."""
        from tertium.judgements.comparisons import from_rankings

        return from_rankings(self.rankings)


def table_columns() -> list[str]:
    """Return the names of the columns of all tables."""
    return sorted({column for table in schemas().values() for column in table})


def slices(table: pl.LazyFrame) -> Iterator[pl.DataFrame]:
    """Yield a table in pieces, so that memory does not grow with it."""
    import polars as pl

    rows = table.select(pl.len()).collect().item()
    for start in range(0, rows, _SLICE):
        yield table.slice(start, _SLICE).collect()


def _rows(table: pl.LazyFrame) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table with plain values."""
    for part in slices(table):
        yield from part.iter_rows()


def _rankings(table: pl.LazyFrame) -> Iterator[Ranking]:
    """Yield the rankings of a table whose rows of a ranking stand together."""
    for _, rows in groupby(_rows(table), key=itemgetter(0)):
        places: dict[int, Place] = {}
        head: tuple[Any, ...] = ()
        for _, system, candidate, rank, garbage, text, *rest in rows:
            known = places.get(candidate)
            systems = () if known is None else known.systems
            if system is not None:
                systems = (*systems, system)
            places[candidate] = Place(systems, rank, garbage, text)
            head = tuple(rest)
        yield Ranking(tuple(places.values()), *head)


WORST = 2**15 - 1


def effective_rank() -> pl.Expr:
    """Return the rank that counts: garbage is worst, whatever number it has."""
    import polars as pl

    rank = pl.when("garbage").then(WORST).otherwise(pl.col("rank"))
    return rank.cast(pl.Int16).alias("rank")


def in_order(table: pl.LazyFrame) -> pl.LazyFrame:
    """Return rankings with the rows of each together, as they nearly always are."""
    import polars as pl

    number = table.select(pl.col("ranking")).collect()["ranking"]
    if number.is_sorted():
        return table
    return table.sort("ranking", maintain_order=True).collect().lazy()


def merge(parts: Sequence[Judgements]) -> Judgements:
    """Return all judgements of several tables; rankings are numbered anew.

    Raises
    ------
    InputError
        When there is nothing to merge.
    """
    need_polars()
    import polars as pl

    if not parts:
        raise InputError("nothing to merge; give one table of judgements at least")
    rankings, start = [], 0
    for part in parts:
        shifted = (pl.col("ranking") + start).cast(pl.UInt32)
        rankings.append(part.rankings.with_columns(shifted))
        last = part.rankings.select(pl.col("ranking").max()).collect().item()
        start += 0 if last is None else int(last) + 1
    return Judgements(
        pl.concat(rankings),
        pl.concat([part.ratings for part in parts]),
        pl.concat([part.spans for part in parts]),
        tuple(note for part in parts for note in part.notes),
    )
