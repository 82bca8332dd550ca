# SPDX-License-Identifier: Apache-2.0
"""Separate files, one column of a test set each, read side by side.

Columns are read in step, a chunk at a time, so memory does not grow with the
files. A column that ends early is counted against the others to the very end.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from tertium._messages import count, mismatch
from tertium.data.formats import extension_of, format_of, strip_extensions
from tertium.data.lines import Paths, StrPath, display, open_lines, path_list
from tertium.data.testset import Testset, check_size
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.slices import LineSlice
    from tertium.notes import Note

__all__ = [
    "Column",
    "Systems",
    "columns",
    "cut_columns",
    "holds_lines",
    "named_systems",
    "open_docs",
    "reference_columns",
    "stream_columns",
    "system_name",
    "testset_of",
]

Systems = Mapping[str, StrPath] | Sequence[StrPath | tuple[str, StrPath]]


class Column(NamedTuple):
    """One file and what it holds.

    Parameters
    ----------
    role : str
        ``source``, ``reference``, ``system``, ``doc``, ``id`` or ``layer``.
    path : str
        The file.
    name : str
        The name of a system or layer.
    """

    role: str
    path: str
    name: str = ""


def system_name(path: StrPath) -> str:
    """Return the name of the system whose output is in a file.

    It is the name of the file without folder, compression and known extension.

    Examples
    --------
    >>> system_name("wmt15/online-A.de.txt.gz")
    'online-A.de'
    """
    name = display(path)
    return strip_extensions(os.path.basename(name)) or name


def columns(
    references: Paths | None = None,
    systems: Systems | StrPath | None = None,
    *,
    sources: StrPath | None = None,
    docs: StrPath | None = None,
) -> list[Column]:
    """Return the columns of separate files, references first.

    Raises
    ------
    InputError
        When there are none, two systems have one name, or two files are ``-``.
    """
    listed = [Column("reference", path) for path in path_list(references)]
    if sources is not None:
        listed.append(Column("source", os.fspath(sources)))
    listed += [Column("system", path, name) for name, path in named_systems(systems)]
    if docs is not None:
        listed.append(Column("doc", os.fspath(docs)))
    if not listed:
        raise InputError("nothing to read; give a file, or references and systems")
    if sum(column.path == "-" for column in listed) > 1:
        raise InputError(
            "standard input (-) is given more than once; "
            "use it for one column and files for the others"
        )
    return listed


def stream_columns(
    listed: list[Column],
    *,
    size: int,
    kind: str | None,
    langpair: str | None,
    skip: int = 0,
) -> Iterator[Testset]:
    """Yield the test set of separate files in chunks; see ``tertium.data.stream``.

    With `skip`, as many lines of each file are left out.
    """
    check_size(size)
    formats = [_column_format(column, kind) for column in listed]
    notes: tuple[Note, ...] = ()
    if "sgml" in formats:
        from tertium.data.formats.sgml import expand

        streams, pair = expand(list(zip(listed, formats, strict=True)))
        langpair = langpair or pair
    elif "documents" in formats:
        from tertium.data.formats import wmt_columns

        streams, langpair, notes = wmt_columns.expand(
            list(zip(listed, formats, strict=True)), langpair
        )
    else:
        streams = [
            (column, open_docs(column.path))
            if column.role == "doc"
            else (column, open_lines(column.path))
            for column in listed
        ]
    if skip:
        streams = [(column, islice(items, skip, None)) for column, items in streams]
    for chunk in _chunks(streams, size=size, langpair=langpair):
        yield replace(chunk, notes=notes) if notes else chunk


def cut_columns(
    listed: list[Column], *, size: int, kind: str | None, langpair: str | None
) -> Iterator[LineSlice] | None:
    """Return slices of separate files, or None where they must be read to be cut."""
    from tertium.data.slices import cut_lines

    if not holds_lines(listed, kind):
        return None
    return cut_lines(listed, size=size, langpair=langpair)


def holds_lines(listed: list[Column], kind: str | None) -> bool:
    """Return whether the lines of files are the segments, compressed or not."""
    return all(
        _column_format(column, kind) == "plain"
        and not (column.role == "doc" and _has_domains(column.path))
        for column in listed
    )


def open_docs(path: StrPath) -> Iterator[str]:
    """Return the document of every segment: the lines of a file.

    Those of mt-metrics-eval have the domain before it.
    """
    lines = open_lines(path)
    if not _has_domains(path):
        return lines
    from tertium.data.formats.mtme import mtme_document

    return (mtme_document(line)[1] for line in lines)


def _has_domains(path: StrPath) -> bool:
    if ".docs" not in os.fspath(path):
        return False
    from tertium.data.formats.mtme import is_mtme_documents

    return is_mtme_documents(path)


def reference_columns(
    testset: Testset, *, width: int | None = None, start: int = 0
) -> list[list[str]]:
    """Return references by column; every segment must have equally many.

    A test set without segments gives one empty column, which marks its length.

    Parameters
    ----------
    testset : Testset
    width : int, optional
        Of a later chunk: how many references the first segment of all has.
    start : int
        The number of segments before this chunk.

    Raises
    ------
    InputError
        When segments differ in their number of references.
    """
    if not testset.references:
        return [[]]
    width = len(testset.references[0]) if width is None else width
    for number, refs in enumerate(testset.references, start=start + 1):
        if len(refs) != width:
            raise InputError(
                f"segment 1 has {count(width, 'reference')} and segment {number} has "
                f"{len(refs)}, which this format cannot hold; write jsonl instead"
            )
    return [[refs[k] for refs in testset.references] for k in range(width)]


def _chunks(
    streams: list[tuple[Column, Iterator[str]]], *, size: int, langpair: str | None
) -> Iterator[Testset]:
    done = 0
    while True:
        chunk = [list(islice(items, size)) for _, items in streams]
        if len({len(items) for items in chunk}) > 1:
            raise _uneven(streams, chunk, done)
        if done and not chunk[0]:
            return
        yield testset_of([column for column, _ in streams], chunk, langpair)
        done += len(chunk[0])
        if len(chunk[0]) < size:
            return


def testset_of(
    listed: Sequence[Column], chunk: Sequence[list[str]], langpair: str | None
) -> Testset:
    """Return the test set whose columns have these lines."""
    by_role: dict[str, dict[str, list[str]]] = {}
    references = []
    for column, items in zip(listed, chunk, strict=True):
        if column.role == "reference":
            references.append(items)
        else:
            by_role.setdefault(column.role, {})[column.name] = items
    return Testset(
        list(zip(*references, strict=True)) if references else [()] * len(chunk[0]),
        by_role.get("system", {}),
        sources=by_role.get("source", {}).get(""),
        docs=by_role.get("doc", {}).get(""),
        ids=by_role.get("id", {}).get(""),
        langpair=langpair,
        layers=by_role.get("layer", {}),
    )


def _uneven(
    streams: list[tuple[Column, Iterator[str]]], chunk: list[list[str]], done: int
) -> InputError:
    """Count to the end and compare the first shortest column with a longer one."""
    least = min(map(len, chunk))
    short = next(k for k, items in enumerate(chunk) if len(items) == least)
    long = next(k for k, items in enumerate(chunk) if len(items) > least)
    extra = chunk[long][least]
    totals = {
        k: done + len(chunk[k]) + sum(1 for _ in streams[k][1]) for k in (short, long)
    }
    first, second = (
        (display(streams[k][0].path), totals[k]) for k in sorted((short, long))
    )
    message = mismatch(first, second, extra=extra, unit="line")
    if any(_holds_documents(streams[k][0].path) for k in (short, long)):
        message += ", with the paragraphs of documents as lines"
    if "system" not in {streams[k][0].role for k in (short, long)}:
        return InputError(message)
    message += (
        ", or cut the output into the lines of the reference: `tertium resegment`"
    )
    return InputError(message, options=("resegment",))


def _column_format(column: Column, chosen: str | None) -> str:
    """Return ``plain``, ``sgml`` or ``documents``; reject files with more columns."""
    kind = format_of(column.path, chosen=chosen)
    if kind is None or kind in ("plain", "sgml"):
        return kind or "plain"
    if kind == "jsonl" and _holds_documents(column.path):
        return "documents"
    if chosen is None:
        raise InputError(
            f"{display(column.path)}: a {extension_of(column.path)} file holds a whole "
            "test set; give it as the only file, or say format='plain'"
        )
    raise InputError(
        f"{display(column.path)}: format {chosen!r} holds a whole test set; "
        "give one such file and nothing else, or use plain or sgml"
    )


def _holds_documents(path: str) -> bool:
    if format_of(path) != "jsonl":
        return False
    from tertium.data.formats.wmtjson import is_documents

    return is_documents(path)


def named_systems(systems: Systems | StrPath | None) -> list[tuple[str, str]]:
    """Return name and path of every system.

    Raises
    ------
    InputError
        When two have the same name.
    """
    pairs: list[tuple[str, str]] = []
    if isinstance(systems, Mapping):
        pairs = [(name, os.fspath(path)) for name, path in systems.items()]
    elif isinstance(systems, str | os.PathLike):
        pairs = [(system_name(systems), os.fspath(systems))]
    else:
        for item in systems or ():
            name, path = item if isinstance(item, tuple) else (system_name(item), item)
            pairs.append((name, os.fspath(path)))
    seen: dict[str, str] = {}
    for name, path in pairs:
        if name in seen:
            raise InputError(
                f"two systems are called {name!r}: {display(seen[name])} and "
                f"{display(path)}; give each its own name"
            )
        seen[name] = path
    return pairs
