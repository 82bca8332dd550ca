# SPDX-License-Identifier: Apache-2.0
"""Writing test sets in any format, and the bundled test set.

``write`` makes a file or folder that reads back the same; for reading see
:mod:`tertium.data.reading`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from tertium.data.formats import (
    FOLDERS,
    STREAMED,
    WHOLE,
    extension_of,
    format_names,
    format_of,
    load,
    load_streamed,
)
from tertium.data.lines import StrPath
from tertium.data.testset import Testset, join
from tertium.errors import InputError

__all__ = [
    "DEMO_LANGUAGE",
    "demo_path",
    "output_format",
    "wants_demo",
    "write",
    "write_stream",
]

#: Of the references and outputs of the bundled test set.
DEMO_LANGUAGE = "de"


def demo_path() -> str:
    """Return the path of the bundled test set."""
    import tertium

    return os.path.join(os.path.dirname(tertium.__file__), "demo", "demo.jsonl")


def wants_demo(path: StrPath) -> bool:
    """Return whether a path means the bundled test set."""
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
    >>> from tertium.data import read
    >>> testset = Testset.build(["a cat"], {"A": ["the cat"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "testset.jsonl.gz")
    ...     write(testset, file)
    ...     read(file) == testset
    True
    """
    name = os.fspath(path)
    load(output_format(name, format)).write(testset, name)


def write_stream(
    chunks: Iterable[Testset],
    path: StrPath,
    *,
    format: str | None = None,  # noqa: A002 (the name people know)
) -> None:
    """Write chunks of one test set as ``write`` writes the whole.

    Plain text, TSV, CSV, JSONL and Parquet are written chunk by chunk, so memory does
    not grow with the test set; Excel, SGML and WMT XML hold all of it.

    Parameters
    ----------
    chunks : iterable of Testset
        As ``stream`` yields them: at least one, all with the same columns.
    path, format
        As in ``write``.

    Raises
    ------
    InputError, OutputError
        As in ``write``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from tertium.data import read, stream
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "copy.tsv")
    ...     write_stream(stream("demo", size=7), file)
    ...     len(read(file))
    60
    """
    name = os.fspath(path)
    kind = output_format(name, format)
    if kind in STREAMED:
        load_streamed(kind).write_stream(chunks, name)
    else:
        load(kind).write(join(_grown(chunks)), name)


def _grown(chunks: Iterable[Testset]) -> Iterator[Testset]:
    """Yield chunks of which the first is a copy, which may grow."""
    for number, chunk in enumerate(chunks):
        yield chunk if number else chunk.select(range(len(chunk)))


def output_format(path: StrPath, chosen: str | None = None) -> str:
    """Return the format in which ``write`` would write there.

    Raises
    ------
    InputError
        When no format has the extension, or its format needs a folder.
    """
    name = os.fspath(path)
    kind = format_of(name, chosen=chosen)
    extension = extension_of(name)
    if kind is None:
        if extension and not os.path.isdir(name):
            known = ", ".join(f".{whole}" for whole in WHOLE)
            raise InputError(
                f"cannot write {name}: {extension} is not the extension of a format; "
                f"use one of {known} (also with .gz, .xz, .bz2 or .zst), or a name "
                f"without extension for a folder, or give format as one of "
                f"{', '.join(format_names())}"
            )
        kind = "plain"
    if chosen is None and kind in FOLDERS and extension and not os.path.isdir(name):
        raise InputError(
            f"cannot write {name}: {kind} keeps every column in a separate file; "
            f"give a folder and format={kind!r}, or a .tsv or .jsonl file"
        )
    return kind
