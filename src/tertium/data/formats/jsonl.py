# SPDX-License-Identifier: Apache-2.0
"""JSON Lines test sets: one object per segment.

``{"id": "1", "src": "...", "ref": ["..."], "tgt": {"A": "..."}, "doc": "x"}``. Every
key may be missing, but then on every line; ``ref`` may be a single text; ``id`` and
``doc`` may be integers; ``langpair`` is the same on every line. Other keys must be
text and become layers. An empty file has no segments and no systems.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice

from tertium._messages import quote
from tertium.data.lines import display, line_writer, open_lines
from tertium.data.testset import Testset
from tertium.errors import FormatError, InputError

__all__ = [
    "KNOWN",
    "check_layers",
    "from_lines",
    "json_kind",
    "json_object",
    "read_rows",
    "stream",
    "write",
    "write_stream",
]

KNOWN = ("id", "src", "ref", "tgt", "doc", "langpair")

Row = dict[str, object]


def stream(path: str, *, size: int) -> Iterator[Testset]:
    """Yield the test set of a JSONL file in chunks."""
    lines = enumerate(open_lines(path), start=1)
    reader = _Reader(path)
    done = 0
    while True:
        rows = [reader.row(line, number) for number, line in islice(lines, size)]
        if done and not rows:
            return
        yield reader.testset(rows)
        done += len(rows)
        if len(rows) < size:
            return


def read_rows(path: str, start: int, stop: int) -> Testset:
    """Return the segments from ``start`` to before ``stop``, counted from 0."""
    reader = _Reader(path)
    lines = islice(enumerate(open_lines(path), start=1), start, stop)
    return reader.testset([reader.row(line, number) for number, line in lines])


def from_lines(lines: Iterable[str], path: str) -> Testset:
    """Return the segments of some lines of a file, which is named in messages."""
    reader = _Reader(path)
    return reader.testset([reader.row(line, n) for n, line in enumerate(lines, 1)])


def write(testset: Testset, path: str) -> None:
    """Write a JSONL file."""
    write_stream([testset], path)


def write_stream(chunks: Iterable[Testset], path: str) -> None:
    """Write a JSONL file from chunks of one test set."""
    encode = json.JSONEncoder(ensure_ascii=False).encode
    with line_writer(path) as add:
        for chunk in chunks:
            check_layers(chunk, path)
            add(encode(row) for row in _rows(chunk))


def check_layers(testset: Testset, path: str) -> None:
    """Reject layers whose names mean something else in the file."""
    for name in testset.layers:
        if name in KNOWN:
            raise InputError(
                f"cannot write {path}: a layer cannot be called {name!r}; rename it"
            )


def _rows(testset: Testset) -> Iterator[Row]:
    for index, refs in enumerate(testset.references):
        row: Row = {}
        if testset.ids is not None:
            row["id"] = testset.ids[index]
        if testset.sources is not None:
            row["src"] = testset.sources[index]
        if refs:
            row["ref"] = refs
        if testset.systems:
            row["tgt"] = {name: hyps[index] for name, hyps in testset.systems.items()}
        if testset.docs is not None:
            row["doc"] = testset.docs[index]
        if testset.langpair is not None:
            row["langpair"] = testset.langpair
        for name, layer in testset.layers.items():
            row[name] = layer[index]
        yield row


class _Reader:
    """Turn lines into rows, all of the same shape as the first."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.first: Row | None = None
        self.number = 0

    def row(self, line: str, number: int) -> Row:
        """Return one line as an object of texts, ``ref`` a tuple, ``tgt`` a dict."""
        self.number = number
        row = self._object(line)
        for name, value in row.items():
            if name == "ref":
                row[name] = self._references(value)
            elif name == "tgt":
                self._systems(value)
            elif name in ("id", "doc") and type(value) is int:
                row[name] = str(value)
            elif not isinstance(value, str):
                raise self._error(
                    f"{quote(name)} is {json_kind(value)}; make it text on every line, "
                    "or drop it"
                )
        # No references and an empty list of them are the same, and so are systems.
        for name in ("ref", "tgt"):
            if not row.get(name, True):
                del row[name]
        if self.first is None:
            self.first = row
        else:
            self._compare(row, self.first)
        return row

    def testset(self, rows: list[Row]) -> Testset:
        """Return checked rows as a test set."""
        first: Row = self.first or {}

        def column(name: str) -> list[str] | None:
            return [row[name] for row in rows] if name in first else None  # type: ignore[misc]

        systems: dict[str, str] = first.get("tgt", {})  # type: ignore[assignment]
        return Testset(
            [row.get("ref", ()) for row in rows],  # type: ignore[misc]
            {name: [row["tgt"][name] for row in rows] for name in systems},  # type: ignore[index]
            sources=column("src"),
            docs=column("doc"),
            ids=column("id"),
            langpair=first.get("langpair"),  # type: ignore[arg-type]
            layers={name: column(name) or [] for name in first if name not in KNOWN},
        )

    def _object(self, line: str) -> Row:
        row = json_object(line, path=self.path, number=self.number)
        if "" in row:
            raise self._error("a key has no name; name it or drop it")
        return row

    def _references(self, value: object) -> tuple[str, ...]:
        refs = (value,) if isinstance(value, str) else value
        if isinstance(refs, list):
            refs = tuple(refs)
        if not isinstance(refs, tuple) or not all(isinstance(r, str) for r in refs):
            raise self._error("'ref' is not text; give a text or a list of texts")
        return refs

    def _systems(self, value: object) -> None:
        if not isinstance(value, dict):
            raise self._error(
                f"'tgt' is {json_kind(value)}; give an object of system names and texts"
            )
        for name, hyp in value.items():
            if not isinstance(hyp, str) or not name:
                raise self._error(
                    f"system {quote(name)} has {json_kind(hyp)}; give name and text"
                )

    def _compare(self, row: Row, first: Row) -> None:
        mine, theirs = row.get("tgt", {}), first.get("tgt", {})
        if isinstance(mine, dict) and isinstance(theirs, dict):
            self._same_names("system", mine, theirs)
        self._same_names("key", row, first)
        if row.get("langpair") != first.get("langpair"):
            raise self._error(
                f"language pair {row['langpair']!r} after {first['langpair']!r}; "
                "keep every language pair in a separate file"
            )

    def _same_names(self, kind: str, mine: Row, theirs: Row) -> None:
        if mine.keys() == theirs.keys():
            return
        for name in theirs:
            if name not in mine:
                raise self._error(
                    f"{kind} {quote(name)} is missing, line 1 has it; "
                    "give it on every line or none"
                )
        name = next(name for name in mine if name not in theirs)
        raise self._error(
            f"{kind} {quote(name)} is new, line 1 lacks it; "
            "give it on every line or none"
        )

    def _error(self, what: str) -> FormatError:
        return FormatError(what, path=display(self.path), line=self.number)


def json_object(line: str, *, path: str, number: int) -> Row:
    """Return the object of a line of JSONL.

    Parameters
    ----------
    line : str
    path : str
        The file, for messages.
    number : int
        The number of the line, counted from 1.

    Raises
    ------
    FormatError
        When it is not JSON or not an object, a key occurs twice, or a text has half a
        surrogate pair.
    """
    try:
        row = _decode(line)
        if "\\u" in line:
            json.dumps(row, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        what = (
            f"not JSON at column {error.colno} ({error.msg}); "
            "write one complete object per line"
        )
    except UnicodeEncodeError:
        what = "half a surrogate pair is not a character; replace the \\ud8.. escape"
    except (ValueError, RecursionError) as error:
        what = f"not usable JSON ({error}); simplify it"
    else:
        if isinstance(row, dict):
            return row
        what = f"{json_kind(row)}; write one object per line"
    raise FormatError(what, path=display(path), line=number)


def _unique(pairs: list[tuple[str, object]]) -> Row:
    row = dict(pairs)
    if len(row) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise ValueError(f"{quote(name)} is there twice")
            seen.add(name)
    return row


_decode = json.JSONDecoder(object_pairs_hook=_unique).decode


def json_kind(value: object) -> str:
    """Return what JSON calls a value."""
    names: dict[type, str] = {
        dict: "an object",
        list: "a list",
        tuple: "a list",
        str: "a text",
        bool: "true or false",
        type(None): "null",
    }
    return names.get(type(value), "a number")
