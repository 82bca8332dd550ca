# SPDX-License-Identifier: Apache-2.0
"""Tables of scores with a header."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tertium.errors import FormatError
from tertium.meta.files.choice import ScoreRow
from tertium.meta.files.direction import is_error_metric
from tertium.meta.files.metric_names import file_stem
from tertium.meta.files.score_fields import UNDEFINED, score_number
from tertium.meta.files.score_places import Places

__all__ = ["check_header", "is_table", "read_table"]

#: Columns of tables that are not scores of a metric by its name.
_COLUMNS = {
    "system", "segment", "seg", "id", "langpair", "lp", "metric", "score",
    "testset", "reference", "ref", "domain",
}  # fmt: skip


def is_table(header: Sequence[str], system: str | None) -> bool:
    """Return whether these are the columns of a table; `system` is given with it."""
    names = {name.lower() for name in header}
    return "system" in names or (system is not None and "score" in names)


def read_table(
    path: str,
    system: str | None,
    header: Sequence[str],
    rows: Iterable[tuple[int, list[str]]],
    place: Places,
) -> Iterator[ScoreRow]:
    """Yield the scores of a table, metric by metric in every row."""
    names = [name.lower() for name in header]
    for column, name in enumerate(names, start=1):
        if (meant := _near(name)) is not None:
            what = (
                f"column {column} is called {header[column - 1]!r}; did you mean "
                f"{meant}? Otherwise rename it"
            )
            raise FormatError(what, path=path, line=1)
    values = [i for i, name in enumerate(names) if name == "score"] or [
        i for i, name in enumerate(names) if name not in _COLUMNS
    ]

    def at(row: Sequence[str], *wanted: str) -> str | None:
        for name in wanted:
            if name in names:
                return row[names.index(name)] or None
        return None

    if not values:
        what = (
            f"the header has no scores, only {', '.join(header)}; add a column "
            "`score`, or one per metric"
        )
        raise FormatError(what, path=path, line=1)
    default = file_stem(path)
    number = 1
    for number, row in rows:
        if len(row) != len(header):
            what = f"{len(row)} fields where the header names {len(header)}"
            raise FormatError(what, path=path, line=number)
        named = at(row, "system") or system
        segment = at(row, "id", "segment", "seg")
        if segment is None and system is not None and "system" not in names:
            segment = place(system, number - 2, number)
        if named is None:
            raise FormatError("a row without a system", path=path, line=number)
        for i in values:
            metric = at(row, "metric") or (None if names[i] == "score" else header[i])
            value = score_number(row[i], path, number)
            undefined = row[i] == UNDEFINED
            if value is not None or undefined:
                yield ScoreRow(
                    metric or default,
                    at(row, "langpair", "lp"),
                    named,
                    segment,
                    float("nan") if value is None else value,
                    number,
                    at(row, "testset"),
                    at(row, "reference", "ref"),
                    at(row, "domain"),
                    undefined=undefined,
                    by_stem=metric is None,
                )
    if number == 1:
        what = "there is a header, and no scores below it; give some"
        raise FormatError(what, path=path)


def check_header(path: str, fields: Sequence[str]) -> None:
    """Raise an error if this is a header without the column `system`.

    Raises
    ------
    FormatError
        With the columns that there are, and those that may be meant.
    """
    names = [field.strip().lower() for field in fields]
    near = [field for field, name in zip(fields, names, strict=True) if _near(name)]
    if not near and not set(names) & _COLUMNS:
        return
    meant = [field for field in near if _near(field.strip().lower()) == "system"]
    cure = f"is {meant[0]!r} meant?" if meant else "add it"
    what = f"the header has no column `system`, only {', '.join(fields)}; {cure}"
    raise FormatError(what, path=path, line=1)


def _near(name: str) -> str | None:
    """Return the known column that an unknown one is spelt like, if there is one."""
    import difflib

    if name in _COLUMNS or is_error_metric(name):
        return None
    if name in ("sys", "systems", "system_id", "systemid"):
        return "system"
    close = difflib.get_close_matches(name, sorted(_COLUMNS), n=1, cutoff=0.8)
    return close[0] if close else None
