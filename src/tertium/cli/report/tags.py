# SPDX-License-Identifier: Apache-2.0
"""Files of ``tertium report``: tags of segments, the training corpus."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence

from tertium.cli.shared import flags
from tertium.errors import FormatError, InputError

__all__ = ["read_tags", "training_lines"]

_TABLES = {".tsv": "\t", ".csv": ","}


def read_tags(items: Sequence[str], segments: int) -> dict[str, list[str]]:
    """Return the tags of all segments by name.

    Parameters
    ----------
    items : sequence of str
        ``NAME=FILE`` or ``FILE``: lines of text, named after the file, or a table with
        a header.
    segments : int
    """
    tags: dict[str, list[str]] = {}
    for name, path in flags.named_files(items):
        separator = _TABLES.get(path[-4:].lower())
        columns = _table(path, separator) if separator else {name: _lines(path)}
        for column, values in columns.items():
            if column in tags:
                message = f"two kinds of tags are called {column!r}; rename one of them"
                raise InputError(message, options=("tags",))
            if len(values) != segments:
                message = (
                    f"{path} has {len(values):,} tags for {segments:,} segments; give "
                    "one per segment"
                )
                raise InputError(message, options=("tags",))
            tags[column] = values
    return tags


def training_lines(path: str | None) -> Iterator[str] | None:
    """Return the sentences of a training corpus, one per line."""
    if path is None:
        return None
    from tertium.data.lines import open_lines

    return open_lines(path)


def _lines(path: str) -> list[str]:
    from tertium.data.lines import open_lines

    return [line.strip() for line in open_lines(path)]


def _table(path: str, separator: str) -> dict[str, list[str]]:
    from tertium.data.lines import open_lines

    rows = csv.reader(open_lines(path), delimiter=separator)
    names = next(rows, [])
    columns: dict[str, list[str]] = {name.strip(): [] for name in names}
    if not names or "" in columns or len(columns) < len(names):
        what = "the header is incomplete; give every column a name of its own"
        raise FormatError(what, path=path, line=1)
    for number, row in enumerate(rows, start=2):
        if len(row) != len(names):
            what = f"{len(row)} values for {len(names)} columns; give one per column"
            raise FormatError(what, path=path, line=number)
        for column, value in zip(columns.values(), row, strict=True):
            column.append(value.strip())
    return columns
