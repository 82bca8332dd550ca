# SPDX-License-Identifier: Apache-2.0
"""Reading and writing test sets in any format.

``read`` gives the whole test set; ``stream`` gives it in chunks and holds no more
than one; ``write`` makes a file or folder that reads back the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from tertium.data.columns import Systems, columns, stream_columns
from tertium.data.formats import FOLDERS, extension_of, format_names, format_of, load
from tertium.data.lines import StrPath, display
from tertium.data.testset import Testset, check_size, join
from tertium.errors import InputError

__all__ = ["read", "stream", "write"]

_CHUNK = 10_000


def read(
    path: StrPath | None = None,
    *,
    references: StrPath | Sequence[StrPath] | None = None,
    systems: Systems | StrPath | None = None,
    sources: StrPath | None = None,
    docs: StrPath | None = None,
    format: str | None = None,  # noqa: A002 (the name people know)
    langpair: str | None = None,
) -> Testset:
    r"""Return the test set of one file, one folder, or separate files.

    Parameters
    ----------
    path : str or path, optional
        A file that holds everything (TSV, JSONL, Parquet, WMT XML), or a folder as
        ``write`` makes it.
    references : path or sequence of paths, optional
        One file per reference: plain text, or WMT SGML.
    systems : mapping of name to path, or sequence, optional
        The system outputs. In a sequence, an item is a path, named after the file, or
        a pair of name and path.
    sources, docs : path, optional
        Files with the source and the document id of every segment.
    format : str, optional
        A format that overrules the extension.
    langpair : str, optional
        The language pair; overrules what the file says.

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
    format: str | None = None,  # noqa: A002 (the name people know)
    langpair: str | None = None,
    size: int = _CHUNK,
) -> Iterator[Testset]:
    """Yield the test set in chunks of at most ``size`` segments.

    Plain text, TSV and JSONL are never in memory as a whole. There is always one
    chunk, without segments when the files are empty.

    Parameters
    ----------
    path, references, systems, sources, docs, format, langpair
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
        found = columns(references, systems, sources=sources, docs=docs)
        yield from stream_columns(found, size=size, kind=format, langpair=langpair)
        return
    if any(column is not None for column in separate):
        raise InputError(
            f"{display(path)} is given and separate files too; "
            "give one file, or references, systems, sources and docs"
        )
    for chunk in load(_whole_format(path, format)).stream(os.fspath(path), size=size):
        yield chunk if langpair is None else _relabel(chunk, langpair)


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
        When the format cannot hold the test set exactly, or writing fails.

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
    kind = format_of(name, chosen=format)
    extension = extension_of(name)
    if kind is None:
        if extension and not os.path.isdir(name):
            raise InputError(
                f"cannot write {name}: the extension {extension} is of no format; "
                f"give format as one of {', '.join(format_names())}"
            )
        kind = "plain"
    if format is None and kind in FOLDERS and extension and not os.path.isdir(name):
        raise InputError(
            f"cannot write {name}: {kind} keeps every column in a file of its own; "
            f"give a folder and format={kind!r}, or a .tsv or .jsonl file"
        )
    load(kind).write(testset, name)


def _whole_format(path: StrPath, chosen: str | None) -> str:
    """Return the format of a file that must hold a whole test set."""
    kind = format_of(path, chosen=chosen)
    if os.path.isdir(path):
        return kind if kind in FOLDERS else "plain"
    if kind is not None and kind not in FOLDERS:
        return kind
    if os.fspath(path) == "-" and chosen is None:
        raise InputError(
            "standard input does not say its format; give format as tsv, jsonl, "
            "parquet or xml, or use - for one of references and systems"
        )
    if not os.path.exists(path) and os.fspath(path) != "-":
        raise InputError(f"{display(path)}: no such file or folder; check the path")
    raise InputError(
        f"{display(path)}: this file holds one column, as far as its name says; give "
        "references and systems, or format as tsv, jsonl, parquet or xml"
    )


def _relabel(testset: Testset, langpair: str) -> Testset:
    from dataclasses import replace

    return replace(testset, langpair=langpair)
