# SPDX-License-Identifier: Apache-2.0
"""A folder of plain text files, one column each, one segment per line.

``source.txt``, ``reference.txt`` or ``reference.1.txt`` and so on, ``docs.txt``,
``ids.txt``, ``langpair.txt``, ``systems/NAME.txt`` and ``layers/NAME.txt``. Every file
may be missing or compressed; other files are left alone. Systems come in the order
of their names. The layout serves SGML as well, with ``.sgm`` for text columns.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack

from tertium._files import replace_folder
from tertium.data.formats import strip_extensions
from tertium.data.formats.columns import Column, reference_columns, stream_columns
from tertium.data.lines import line_writer, open_lines, write_lines
from tertium.data.testset import Testset
from tertium.errors import FormatError, InputError

__all__ = [
    "columns_of",
    "read_rows",
    "stream",
    "text_columns",
    "write",
    "write_files",
    "write_stream",
]

_ROLES = {"source": "source", "docs": "doc", "ids": "id"}
_FOLDERS = {"systems": "system", "layers": "layer"}


def stream(path: str, *, size: int) -> Iterator[Testset]:
    """Yield the test set of a folder in chunks."""
    return _stream(path, size=size)


def read_rows(path: str, start: int, stop: int) -> Testset:
    """Return the segments from ``start`` to before ``stop``, counted from 0."""
    return next(_stream(path, size=max(1, stop - start), skip=start))


def _stream(path: str, *, size: int, skip: int = 0) -> Iterator[Testset]:
    columns = columns_of(path)
    if not columns:
        raise FormatError(
            "no source.txt, reference.txt or systems/NAME.txt in this folder; "
            "give the files themselves as references and systems",
            path=path,
        )
    langpair = None
    if label := _files(path).get("langpair"):
        langpair = next(open_lines(label), None)
    yield from stream_columns(
        columns, size=size, kind=None, langpair=langpair, skip=skip
    )


def write(testset: Testset, path: str) -> None:
    """Write a folder of plain text files."""
    write_stream([testset], path)


def write_stream(chunks: Iterable[Testset], path: str) -> None:
    """Write a folder of plain text files from chunks of one test set."""
    with replace_folder(path) as folder:
        write_files(chunks, folder, path)


def write_files(
    chunks: Iterable[Testset], folder: str, path: str, *, ending: str = ""
) -> int:
    """Fill an existing folder with plain text files, and return how many segments.

    Parameters
    ----------
    chunks : iterable of Testset
    folder : str
    path : str
        What messages call the folder.
    ending : str
        Added to the names of files: ``.zst``, say.
    """
    done, width = 0, None
    with ExitStack() as files:
        writers: list[Callable[[Iterable[str]], None]] = []
        for chunk in chunks:
            references = reference_columns(chunk, width=width, start=done)
            if width is None:
                _check_columns(chunk, path)
                width = len(references)
                writers = [
                    files.enter_context(line_writer(f"{file}.txt{ending}"))
                    for file in _places(chunk, folder, width)
                ]
            texts = [*_texts(chunk, references)]
            for add, column in zip(writers, texts, strict=True):
                add(column)
            if chunk.langpair is not None and not done:
                label = os.path.join(folder, f"langpair.txt{ending}")
                write_lines(label, [chunk.langpair])
            done += len(chunk)
    return done


def _check_columns(testset: Testset, path: str) -> None:
    if testset and testset == Testset([()] * len(testset), langpair=testset.langpair):
        raise InputError(
            f"cannot write {path}: the test set has no columns; give it some text"
        )


def _places(testset: Testset, folder: str, width: int) -> Iterator[str]:
    """Yield the file of every column, without extension."""
    if testset.sources is not None:
        yield os.path.join(folder, "source")
    for number in range(1, width + 1):
        stem = "reference" if width == 1 else f"reference.{number}"
        yield os.path.join(folder, stem)
    yield from (file for _, file in _named(testset.systems, folder, "systems"))
    for stem, items in (("docs", testset.docs), ("ids", testset.ids)):
        if items is not None:
            yield os.path.join(folder, stem)
    yield from (file for _, file in _named(testset.layers, folder, "layers"))


def _texts(testset: Testset, references: list[list[str]]) -> Iterator[list[str]]:
    """Yield every column, in the order of their files."""
    columns = [testset.sources, *references, *testset.systems.values()]
    columns += [testset.docs, testset.ids, *testset.layers.values()]
    yield from (column for column in columns if column is not None)


def text_columns(
    testset: Testset, folder: str
) -> Iterator[tuple[str, str, str, list[str]]]:
    """Yield file without extension, role, name and texts of every text column.

    The folder for the systems is made on the way.
    """
    if testset.sources is not None:
        yield os.path.join(folder, "source"), "source", "source", testset.sources
    references = reference_columns(testset)
    for number, texts in enumerate(references, start=1):
        stem = "reference" if len(references) == 1 else f"reference.{number}"
        yield os.path.join(folder, stem), "reference", stem, texts
    for name, file in _named(testset.systems, folder, "systems"):
        yield file, "system", name, testset.systems[name]


def columns_of(path: str) -> list[Column]:
    """Return the files of a folder and what they hold."""
    files = _files(path)
    numbered = {
        int(stem.removeprefix("reference.")): file
        for stem, file in files.items()
        if re.fullmatch(r"reference\.[1-9][0-9]*", stem)
    }
    references = [files["reference"]] if "reference" in files else []
    if references and numbered:
        raise FormatError(
            f"both {os.path.basename(references[0])} and numbered references are "
            "here; keep one or the other",
            path=path,
        )
    references += [numbered[number] for number in sorted(numbered)]
    columns = [Column("reference", file) for file in references]
    for stem, role in _ROLES.items():
        if stem in files:
            columns.append(Column(role, files[stem]))
    for folder, role in _FOLDERS.items():
        inner = os.path.join(path, folder)
        if os.path.isdir(inner):
            named = sorted(_files(inner).items())
            columns += [Column(role, file, name) for name, file in named]
    return columns


def _files(path: str) -> dict[str, str]:
    """Return the files of a folder by name without extension."""
    files: dict[str, str] = {}
    try:
        entries = sorted(os.listdir(path))
    except OSError as error:
        what = f"the folder cannot be read ({error.strerror}); check its mode"
        raise FormatError(what, path=path) from None
    for entry in entries:
        file = os.path.join(path, entry)
        if entry.startswith(".") or not os.path.isfile(file):
            continue
        stem = strip_extensions(entry)
        if stem in files:
            both = f"{os.path.basename(files[stem])} and {entry}"
            what = f"{both} are the same column {stem!r}; keep one"
            raise FormatError(what, path=path)
        files[stem] = file
    return files


def _named(
    columns: dict[str, list[str]], folder: str, inner: str
) -> Iterator[tuple[str, str]]:
    """Make the inner folder and yield every column with its file."""
    if columns:
        os.mkdir(os.path.join(folder, inner))
    seen: dict[str, str] = {}
    for name in columns:
        if name.startswith(".") or re.search(r"[/\\\0\n]", name):
            raise InputError(
                f"{name!r} in {inner} cannot be a file name; "
                "rename it, or write another format such as jsonl"
            )
        # Two names that only differ in case are one file on macOS and Windows.
        if (other := seen.setdefault(name.casefold(), name)) != name:
            raise InputError(
                f"{other!r} and {name!r} in {inner} can be the same file; "
                "rename one, or write another format such as jsonl"
            )
        yield name, os.path.join(folder, inner, name)
