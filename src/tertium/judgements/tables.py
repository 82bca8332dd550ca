# SPDX-License-Identifier: Apache-2.0
"""Judgements as three typed tables: rankings, ratings and error spans.

The tables are lazy Polars frames: a file is read when something is asked for, and
only the columns that the answer needs. A ranking takes one row a system; rows of
one judgement share the number ``ranking``, rows of one candidate (outputs that
were equal) the number ``candidate`` in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from tertium.errors import InputError, MissingExtraError
from tertium.judgements.records import Ranking, Rating, Record

if TYPE_CHECKING:
    import polars as pl

    from tertium.judgements.comparisons import Comparisons

__all__ = ["Judgements", "need_polars", "schemas", "table_columns"]

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
        "time": pl.Datetime("ms"),
        "duration": pl.Float32(),
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
    """The rows of the three tables, collected record by record."""

    def __init__(self, *, first_ranking: int = 0) -> None:
        self._next = first_ranking
        self.tables: dict[str, list[tuple[object, ...]]] = {
            "rankings": [],
            "ratings": [],
            "spans": [],
        }

    def __len__(self) -> int:
        return sum(map(len, self.tables.values()))

    def add(self, record: Record) -> None:
        """Add a record."""
        if isinstance(record, Ranking):
            rest = record[1:]
            rows = self.tables["rankings"]
            for candidate, (systems, rank, garbage, text) in enumerate(record.places):
                for system in systems or (None,):
                    row = (self._next, system, candidate, rank, garbage, text)
                    rows.append(row + rest)
            self._next += 1
        elif isinstance(record, Rating):
            self.tables["ratings"].append(tuple(record))
        else:
            self.tables["spans"].append(tuple(record))

    def take(self) -> dict[str, pl.DataFrame]:
        """Return the rows as frames, and start again behind them."""
        import polars as pl

        frames = {}
        for name, columns in schemas().items():
            rows = self.tables[name]
            data = list(zip(*rows, strict=True)) or [()] * len(columns)
            frames[name] = pl.DataFrame(
                [
                    pl.Series(column, values, dtype=dtype)
                    for (column, dtype), values in zip(
                        columns.items(), data, strict=True
                    )
                ]
            )
            rows.clear()
        return frames


@dataclass(frozen=True, eq=False, repr=False)
class Judgements:
    """Judgements of any kind and number; see the module for the columns.

    Parameters
    ----------
    rankings, ratings, spans : polars.LazyFrame

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
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def filter(self, **wanted: str | Sequence[str]) -> Judgements:
        """Return the judgements whose columns have one of some values.

        Parameters
        ----------
        **wanted
            Column and value or values: ``langpair="de-en"``, ``judge=["a", "b"]``.
            Of rankings, all rows of a judgement stay together unless systems are
            chosen.

        Raises
        ------
        InputError
            When no table has such a column.
        """
        import polars as pl

        tables = self.tables()
        for column, values in wanted.items():
            names = [values] if isinstance(values, str) else list(values)
            if not any(column in t.collect_schema() for t in tables.values()):
                message = (
                    f"no table has a column {column!r}; there are "
                    f"{', '.join(table_columns())}"
                )
                raise InputError(message)
            tables = {
                name: table.filter(pl.col(column).cast(pl.String).is_in(names))
                if column in table.collect_schema()
                else table
                for name, table in tables.items()
            }
        return Judgements(**tables)

    def comparisons(self) -> Comparisons:
        """Return who was put before whom, from all rankings."""
        from tertium.judgements.comparisons import from_rankings

        return from_rankings(self.rankings)


def table_columns() -> list[str]:
    """Return the names of the columns of all tables."""
    return sorted({column for table in schemas().values() for column in table})


def merge(parts: Sequence[Judgements]) -> Judgements:
    """Return all judgements of several tables; rankings are numbered anew."""
    import polars as pl

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
    )
