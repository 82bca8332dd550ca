# SPDX-License-Identifier: Apache-2.0
"""Judgements from stores and files, in one table.

Rows that cannot be read are left out with a note, or are an error.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from tertium._messages import count
from tertium.errors import FormatError, InputError
from tertium.judgements.formats import ImportOptions
from tertium.judgements.importing import Import, read_files
from tertium.judgements.selection import langpairs, select, select_langpairs
from tertium.judgements.sources import (
    check_distinct,
    recognise,
    shards_of,
    with_demo,
)
from tertium.judgements.store import is_store, read_store, temporary_store
from tertium.judgements.tables import Judgements, merge
from tertium.notes import Note

__all__ = ["Paths", "read", "reject_judgements"]

#: One path, or several.
Paths: TypeAlias = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]]"


def read(
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
    """Return judgements; see :meth:`tertium.Judgements.read`."""
    names = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if not names:
        raise InputError("no file of judgements; name at least one")
    check_distinct(names)
    pairs = [langpair] if isinstance(langpair, str) else list(langpair or ())
    tables: list[Judgements] = []
    done = 0

    def report(number: int) -> None:
        if progress:
            progress(done + number)

    for path in with_demo(names):
        if is_store(path):
            tables.append(read_store(path))
            continue
        result = read_files(
            [path],
            # Shards may be larger than memory: they become a store for the time being.
            out=None if shards_of(path) is None else temporary_store(),
            format=input_format,
            options=ImportOptions(campaign=campaign, scale=scale),
            progress=report,
        )
        done += result.number
        if strict:
            _reject_bad(result)
        table = replace(result.judgements, notes=tuple(_bad_notes(path, result)))
        if len(pairs) == 1 and not table.names("langpair"):
            table = _with_langpair(table, pairs[0])
        tables.append(table)
    judgements = select(tables[0] if len(tables) == 1 else merge(tables), only)
    if pairs:
        return select_langpairs(judgements, langpairs(judgements, pairs))
    return judgements


def reject_judgements(path: str) -> None:
    """Raise an error if a file that should hold texts holds judgements.

    Raises
    ------
    InputError
    """
    content = "a store of judgements" if is_store(path) else None
    if content is None:
        if not os.path.exists(path):
            return
        try:
            kind, _ = recognise(path)
        except InputError:
            return  # what is wrong with the file has been reported already
        content = f"judgements ({kind.name})" if kind else None
    if content is not None:
        message = (
            f"{path} holds {content}, not texts; pass it as judgements, and a test set "
            "in its place"
        )
        raise InputError(message, options=("judgements",))


def _bad_notes(path: str, result: Import) -> list[Note]:
    if not result.bad:
        return []
    file, first = result.bad[0]
    values = {
        "path": path,
        "rows": count(len(result.bad), "row"),
        "where": f"{file}:{first.line}",
        "reason": first.reason,
    }
    return [Note("rows-left-out", values)]


def _reject_bad(result: Import) -> None:
    for path, row in result.bad:
        if not row.skipped:
            what = (
                f"{row.reason}; correct it, or set bad rows aside with "
                "`tertium judgements import`"
            )
            raise FormatError(what, path=path, line=row.line)


def _with_langpair(judgements: Judgements, langpair: str) -> Judgements:
    import polars as pl

    value = pl.lit(langpair).cast(pl.Categorical).alias("langpair")
    tables = judgements.tables().items()
    return judgements.with_tables({k: t.with_columns(value) for k, t in tables})
