# SPDX-License-Identifier: Apache-2.0
"""Reading n-best lists of any format, with the references beside them.

Moses and JSONL are told apart by the first character of the file: a JSONL line is an
object. Several files are merged: the hypotheses of a segment follow each other in the
order of the files, duplicates included.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar

from tertium._messages import count, quote
from tertium.data.files import OnNote
from tertium.data.formats.nbest import BAR
from tertium.data.line_places import PlacedLines
from tertium.data.lines import Paths, StrPath, display, open_lines, path_list
from tertium.data.partitions import Partitions, is_partitioned, open_partitions
from tertium.data.slices import is_plain
from tertium.errors import FormatError, InputError
from tertium.tuning.formats import jsonl, moses, zmert
from tertium.tuning.lists import NBestList
from tertium.tuning.merging import merge_streams

__all__ = [
    "attach_references",
    "attach_sources",
    "read_nbest",
    "read_texts",
    "stream_nbest",
]

_Text = TypeVar("_Text")


def read_nbest(
    paths: Paths,
    *,
    references: Paths | None = None,
    source: StrPath | None = None,
    params: StrPath | None = None,
    on_note: OnNote | None = None,
) -> list[NBestList]:
    r"""Return the n-best lists of one file or several, merged by segment.

    Parameters
    ----------
    paths : path or sequence of paths
        Lists of Moses, Z-MERT or JSONL; may be compressed; ``-`` is standard input.
        A folder of JSONL shards (see :mod:`tertium.data.partitions`) is one such file.
    references : path or sequence of paths, optional
        One file per reference, one line per segment. They replace those of the lists.
    source : path, optional
        The source, one line per segment.
    params : path, optional
        The parameter file of Z-MERT, which names features without labels.
    on_note : callable, optional
        Called with what was ignored in a file, at its end.

    Returns
    -------
    list of NBestList
        In the order of the files; all with the same features.

    Raises
    ------
    FormatError
        When a file cannot be read, with its name and line.
    InputError
        When lists and references do not go together.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "a.nbest")
    ...     size = file.write_text("0 ||| a cat ||| lm= -1 ||| -2\n")
    ...     [made] = read_nbest(file)
    >>> made.texts, made.names, made.scores.tolist()
    (['a cat'], ('lm',), [-2.0])
    """
    lists = stream_nbest(
        paths, references=references, source=source, params=params, on_note=on_note
    )
    return list(lists)


def stream_nbest(
    paths: Paths,
    *,
    references: Paths | None = None,
    source: StrPath | None = None,
    params: StrPath | None = None,
    on_note: OnNote | None = None,
) -> Iterator[NBestList]:
    """Yield the n-best lists of one file or several, merged by segment.

    A list is in memory no longer than its caller needs it. The exception are several
    files whose ids are not numbers: they are read as a whole.

    Parameters
    ----------
    paths, references, source, params, on_note
        As in :func:`read_nbest`.

    Raises
    ------
    FormatError, InputError
        As :func:`read_nbest`, where the lists concerned are reached.
    """
    files = path_list(paths)
    if not files:
        raise InputError("no n-best lists; give at least one file")
    names = None
    if params is not None:
        names = [each.name for each in zmert.read_parameters(params)]
    streams = [_stream(path, names, on_note) for path in files]
    lists = streams[0] if len(streams) == 1 else merge_streams(streams, files)
    if references is not None:
        lists = _with_references(lists, read_texts(references))
    if source is not None:
        lists = _with_sources(lists, [text for (text,) in read_texts(source)])
    return lists


def _stream(
    path: StrPath, names: Sequence[str] | None, on_note: OnNote | None
) -> Iterator[NBestList]:
    if os.path.isdir(path) and is_partitioned(path):
        yield from _stream_shards(open_partitions(path, "nbest"), names, on_note)
        return
    places = PlacedLines(path) if is_plain(os.fspath(path)) else None
    lines = open_lines(path) if places is None else places
    first = next(lines, None)
    if first is None:
        what = "the file is empty; give a list with at least one hypothesis"
        raise FormatError(what, path=display(path))
    lines = chain([first], lines)
    if first.lstrip().startswith("{"):
        if names is not None:
            what = "features have names in JSONL; omit params"
            raise FormatError(what, path=display(path), options=("params",))
        yield from jsonl.stream(lines, path=path, places=places, on_note=on_note)
    elif BAR in first:
        yield from moses.stream(
            lines, path=path, names=names, places=places, on_note=on_note
        )
    else:
        what = (
            f"{quote(first)} is not a line of an n-best list; write "
            'NUMBER ||| TEXT ||| FEATURES ||| SCORE, or {"id": .., "hyps": [..]}'
        )
        raise FormatError(what, path=display(path), line=1)


def _stream_shards(
    shards: Partitions, names: Sequence[str] | None, on_note: OnNote | None
) -> Iterator[NBestList]:
    for number, path in enumerate(shards.paths):
        rows = 0
        for each in _stream(path, names, on_note):
            rows += 1
            yield each
        if shards.manifest is not None:
            shards.manifest.check_rows(number, rows, path)


def read_texts(paths: Paths) -> list[tuple[str, ...]]:
    """Return the lines of files, one tuple per line with the text of every file."""
    from tertium.data.reading import read

    return read(references=paths).references


def attach_references(
    lists: Iterable[NBestList], references: Sequence[str | Sequence[str]]
) -> list[NBestList]:
    """Return lists with references, which replace those that they have.

    Parameters
    ----------
    lists : iterable of NBestList
        Ids that are numbers from 0 on, as in Moses, name the reference; other lists
        have references in their order.
    references : sequence of str, or of sequences of str
        One or several for every list.

    Raises
    ------
    InputError
        When a list has no reference, or a reference has no list.

    Examples
    --------
    >>> import numpy as np
    >>> made = NBestList("0", ["a b", "b a"], (), np.zeros((2, 0)))
    >>> attach_references([made], ["a b"])[0].references
    ('a b',)
    """
    return list(_with_references(lists, references))


def attach_sources(
    lists: Iterable[NBestList], sources: Sequence[str]
) -> list[NBestList]:
    """Return lists with sources, matched as :func:`attach_references` does."""
    return list(_with_sources(lists, sources))


def _with_references(
    lists: Iterable[NBestList], references: Sequence[str | Sequence[str]]
) -> Iterator[NBestList]:
    for each, refs in _matched(lists, references, "reference"):
        local = (refs,) if isinstance(refs, str) else tuple(refs)
        yield replace(each, references=local)


def _with_sources(
    lists: Iterable[NBestList], sources: Sequence[str]
) -> Iterator[NBestList]:
    for each, source in _matched(lists, sources, "source"):
        yield replace(each, source=source)


def _matched(
    lists: Iterable[NBestList], texts: Sequence[_Text], what: str
) -> Iterator[tuple[NBestList, _Text]]:
    """Yield every list with its text; every line must have a list and vice versa."""
    pending = iter(lists)
    counted, size = False, 0
    for place, each in enumerate(pending):
        counted = counted or (place == 0 and each.id == "0")
        if counted and each.id != str(place):
            message = (
                f"there is no list {place}: {each.id} follows {place - 1}, and line "
                f"{place + 1} of the {what} has no hypotheses; give lists of all "
                f"segments, or remove that line and count again from 0"
            )
            raise InputError(message)
        size = place + 1
        if size > len(texts):
            size += sum(1 for _ in pending)
            break
        yield each, texts[place]
    if size != len(texts):
        message = (
            f"there are {count(size, 'list')} and {count(len(texts), what)}; "
            f"give one {what} per list"
        )
        options = ("references",) if what == "reference" else ("source",)
        raise InputError(message, options=options)
