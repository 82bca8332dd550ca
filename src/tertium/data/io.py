# SPDX-License-Identifier: Apache-2.0
"""Reading and writing test sets in any format.

``read`` gives the whole test set; ``stream`` gives it in chunks and holds no more
than one; ``write`` makes a file or folder that reads back the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tertium.data.formats import (
    FOLDERS,
    TABLES,
    UNREADABLE,
    WHOLE,
    extension_of,
    format_names,
    format_of,
    load,
    load_table,
)
from tertium.data.formats.columns import Systems, columns, stream_columns
from tertium.data.lines import StrPath, display
from tertium.data.testset import Testset, check_size, join
from tertium.errors import InputError, UnknownNameError

__all__ = ["demo_path", "output_format", "read", "stream", "wants_demo", "write"]

_CHUNK = 10_000


def read(
    path: StrPath | None = None,
    *,
    references: StrPath | Sequence[StrPath] | None = None,
    systems: Systems | StrPath | None = None,
    sources: StrPath | None = None,
    docs: StrPath | None = None,
    systems_columns: Sequence[str] | None = None,
    format: str | None = None,  # noqa: A002 (the name people know)
    langpair: str | None = None,
) -> Testset:
    r"""Return the test set of one file, one folder, or separate files.

    Parameters
    ----------
    path : str or path, optional
        A file that holds everything (TSV, CSV, Excel, JSONL, Parquet, WMT XML), a
        folder as ``write`` makes it, a folder of mt-metrics-eval (with its first
        reference, and without references among the systems), or ``"demo"``, the test
        set that comes along (unless there is such a file).
    references : path or sequence of paths, optional
        One file per reference: plain text, or WMT SGML.
    systems : mapping of name to path, or sequence, optional
        The system outputs. In a sequence, an item is a path, named after the file, or
        a pair of name and path.
    sources, docs : path, optional
        Files with the source and the document id of every segment.
    systems_columns : sequence of str, optional
        The columns of the file that are systems; all others are layers. Without it,
        columns of a table that do not look like systems are layers: those with
        numbers only, with the same text throughout, or with a name such as ``LP``.
        They are in the ``notes`` of the test set.
    format : str, optional
        A format that overrules the extension.
    langpair : str, optional
        The language pair; overrules what the file says, and chooses from a folder of
        mt-metrics-eval.

    Returns
    -------
    Testset
        The test set.

    Raises
    ------
    InputError
        When files differ in length, and for anything wrong with the arguments.
    FormatError
        When a file cannot be read, with its name and line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ref, hyp = pathlib.Path(folder, "ref.txt"), pathlib.Path(folder, "A.txt")
    ...     sizes = ref.write_text("a cat\n"), hyp.write_text("the cat\n")
    ...     testset = read(references=ref, systems=[hyp])
    >>> testset.references, testset.systems
    ([('a cat',)], {'A': ['the cat']})
    """
    return join(
        stream(
            path,
            references=references,
            systems=systems,
            sources=sources,
            docs=docs,
            systems_columns=systems_columns,
            format=format,
            langpair=langpair,
        )
    )


def stream(
    path: StrPath | None = None,
    *,
    references: StrPath | Sequence[StrPath] | None = None,
    systems: Systems | StrPath | None = None,
    sources: StrPath | None = None,
    docs: StrPath | None = None,
    systems_columns: Sequence[str] | None = None,
    format: str | None = None,  # noqa: A002 (the name people know)
    langpair: str | None = None,
    size: int = _CHUNK,
) -> Iterator[Testset]:
    """Yield the test set in chunks of at most ``size`` segments.

    Plain text, TSV, CSV and JSONL are never in memory as a whole. There is always one
    chunk, without segments when the files are empty.

    Parameters
    ----------
    path, references, systems, sources, docs, systems_columns, format, langpair
        As in ``read``.
    size : int
        Segments per chunk.

    Yields
    ------
    Testset
        The next segments.

    Raises
    ------
    InputError, FormatError
        As in ``read``, when the chunk with the fault is asked for.
    """
    check_size(size)
    separate = (references, systems, sources, docs)
    if path is None:
        if systems_columns is not None:
            raise InputError(
                "systems_columns are columns of one file, and there are separate "
                "files; choose systems among these"
            )
        found = columns(references, systems, sources=sources, docs=docs)
        yield from stream_columns(found, size=size, kind=format, langpair=langpair)
        return
    if any(column is not None for column in separate):
        raise InputError(
            f"{display(path)} is given and separate files too; "
            "give one file, or references, systems, sources and docs"
        )
    if format is None and os.path.isdir(path):
        from tertium.data.formats import mtme

        if mtme.is_mtme(path):
            texts = mtme.stream(os.fspath(path), size=size, langpair=langpair)
            yield from _choose(texts, systems_columns)
            return
    whole = demo_path() if wants_demo(path) else os.fspath(path)
    kind = _whole_format(whole, format)
    if kind in TABLES:
        chunks = load_table(kind).stream(whole, size=size, systems=systems_columns)
    else:
        chunks = _choose(load(kind).stream(whole, size=size), systems_columns)
    for chunk in chunks:
        yield chunk if langpair is None else replace(chunk, langpair=langpair)


def demo_path() -> str:
    """Return the path of the test set that comes along."""
    import tertium

    return os.path.join(os.path.dirname(tertium.__file__), "demo", "demo.jsonl")


def wants_demo(path: StrPath) -> bool:
    """Return whether a path means the test set that comes along."""
    return path == "demo" and not os.path.exists(path)


def write(
    testset: Testset,
    path: StrPath,
    *,
    format: str | None = None,  # noqa: A002 (the name people know)
) -> None:
    """Write a test set to a file, or to a folder for plain text and SGML.

    The file or folder appears when it is complete, or not at all. A folder has
    ``source.txt``, ``reference.txt`` (or ``reference.1.txt`` and so on), ``docs.txt``
    and ``systems/NAME.txt``; with SGML, the same as ``.sgm``.

    Parameters
    ----------
    testset : Testset
        The test set.
    path : str or path
        The file, whose extension chooses format and compression, or the folder.
    format : str, optional
        A format that overrules the extension.

    Raises
    ------
    InputError
        When the format cannot hold the test set exactly, or the file cannot be made.
    OutputError
        When the disk is full.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> testset = Testset.build(["a cat"], {"A": ["the cat"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "testset.jsonl.gz")
    ...     write(testset, file)
    ...     read(file) == testset
    True
    """
    name = os.fspath(path)
    load(output_format(name, format)).write(testset, name)


def output_format(path: StrPath, chosen: str | None = None) -> str:
    """Return the format in which ``write`` would write there.

    Raises
    ------
    InputError
        When the extension is of no format, or of one that needs a folder.
    """
    name = os.fspath(path)
    kind = format_of(name, chosen=chosen)
    extension = extension_of(name)
    if kind is None:
        if extension and not os.path.isdir(name):
            known = ", ".join(f".{whole}" for whole in WHOLE)
            raise InputError(
                f"cannot write {name}: the extension {extension} is of no format; use "
                f"one of {known} (also with .gz, .xz, .bz2 or .zst), or a name without "
                f"extension for a folder, or give format as one of "
                f"{', '.join(format_names())}"
            )
        kind = "plain"
    if chosen is None and kind in FOLDERS and extension and not os.path.isdir(name):
        raise InputError(
            f"cannot write {name}: {kind} keeps every column in a file of its own; "
            f"give a folder and format={kind!r}, or a .tsv or .jsonl file"
        )
    return kind


def _choose(
    chunks: Iterator[Testset], systems: Sequence[str] | None
) -> Iterator[Testset]:
    """Yield chunks with these systems, taken from systems and layers."""
    for chunk in chunks:
        if systems is None:
            yield chunk
            continue
        named = {**chunk.layers, **chunk.systems}
        for name in systems:
            if name not in named:
                raise UnknownNameError("column", name, named)
        layers = {name: c for name, c in named.items() if name not in systems}
        chosen = {name: named[name] for name in systems}
        yield replace(chunk, systems=chosen, layers=layers)


def _whole_format(path: StrPath, chosen: str | None) -> str:
    """Return the format of a file that must hold a whole test set."""
    kind = format_of(path, chosen=chosen)
    known = f"{', '.join(WHOLE[:-1])} or {WHOLE[-1]}"
    if os.path.isdir(path):
        return kind if kind in FOLDERS else "plain"
    if kind is not None and kind not in FOLDERS:
        return kind
    if os.fspath(path) == "-" and chosen is None:
        raise InputError(
            f"standard input does not say its format; give format as {known}, or use "
            "- for one of references and systems"
        )
    if not os.path.exists(path) and os.fspath(path) != "-":
        raise InputError(f"{display(path)}: no such file or folder; check the path")
    if extension_of(path) in UNREADABLE:
        raise InputError(
            f"{display(path)}: {extension_of(path)} files are not read; save it as "
            ".xlsx or .csv"
        )
    raise InputError(
        f"{display(path)}: this file holds one column, as far as its name says; give "
        f"references and systems, or format as {known}"
    )
