# SPDX-License-Identifier: Apache-2.0
"""Tab-separated test sets: a header, then one segment a line.

Columns: ``id`` or ``seg``; ``src`` or ``source``; ``ref`` or ``reference``, with a
number (``ref2``) or name (``ref:B``) when there are several; ``doc``; ``langpair``;
``layer:NAME``. Every other column is a system. There is no quoting: a tab or line end
cannot be part of a text, and quotation marks are just text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from tertium.data._messages import count, quote
from tertium.data.columns import reference_columns
from tertium.data.lines import display, open_lines, write_lines
from tertium.data.testset import Testset
from tertium.errors import FormatError, InputError

__all__ = ["stream", "write"]

_ROLES = {
    "id": "id",
    "seg": "id",
    "src": "source",
    "source": "source",
    "doc": "doc",
    "langpair": "langpair",
}
_REFERENCE = re.compile(r"ref(erence)?([0-9]+|:.*)?", re.DOTALL)
_LAYER = "layer:"


def stream(path: str, *, size: int) -> Iterator[Testset]:
    """Yield the test set of a TSV file in chunks."""
    lines = open_lines(path)
    header = next(lines, None)
    if header is None:
        yield Testset([])
        return
    names = header.split("\t")
    _check_header(names, path)
    done = 0
    langpair: str | None = None
    while True:
        rows = [line.split("\t") for line in islice(lines, size)]
        for number, row in enumerate(rows, start=done + 2):
            if len(row) != len(names):
                raise FormatError(
                    f"{count(len(row), 'field')} where the header has {len(names)}; "
                    "put one tab between fields, or use jsonl",
                    path=display(path),
                    line=number,
                )
        if done and not rows:
            return
        columns = [list(c) for c in zip(*rows, strict=True)] or [[] for _ in names]
        named = list(zip(names, columns, strict=True))
        for name, column in named:
            if name == "langpair":
                langpair = _only(column, langpair, path, done + 2)
        yield _testset(named, len(rows), langpair)
        done += len(rows)
        if len(rows) < size:
            return


def write(testset: Testset, path: str) -> None:
    """Write a TSV file; refuse texts with tabs or line ends."""
    columns = _columns(testset, path)
    names = list(columns)
    if not names:
        raise InputError(
            f"cannot write {path}: the test set has no columns; give it some text"
        )

    def rows() -> Iterator[str]:
        yield _row(names, "the header", path)
        for number, row in enumerate(zip(*columns.values(), strict=True), start=1):
            yield _row(row, f"segment {number}", path)

    write_lines(path, rows())


def _role(name: str) -> str:
    if _REFERENCE.fullmatch(name):
        return "reference"
    if name.startswith(_LAYER):
        return "layer"
    return _ROLES.get(name, "system")


def _check_header(names: list[str], path: str) -> None:
    seen: dict[str, str] = {}
    for number, name in enumerate(names, start=1):
        if not name.removeprefix(_LAYER):
            what = f"column {number} has no name; name every column in the first line"
            raise FormatError(what, path=display(path), line=1)
        role = _role(name)
        key = role if role in _ROLES.values() else name
        if key in seen:
            what = (
                f"columns {seen[key]!r} and {name!r} are the same; rename or drop one"
            )
            raise FormatError(what, path=display(path), line=1)
        seen[key] = name


def _testset(
    named: list[tuple[str, list[str]]], length: int, langpair: str | None
) -> Testset:
    single = {_role(name): column for name, column in named if name in _ROLES}
    references = [column for name, column in named if _role(name) == "reference"]
    return Testset(
        list(zip(*references, strict=True)) if references else [()] * length,
        {name: column for name, column in named if _role(name) == "system"},
        sources=single.get("source"),
        docs=single.get("doc"),
        ids=single.get("id"),
        langpair=langpair,
        layers={
            name.removeprefix(_LAYER): column
            for name, column in named
            if _role(name) == "layer"
        },
    )


def _only(column: list[str], before: str | None, path: str, line: int) -> str | None:
    """Return the one value of a column that may not change."""
    for number, value in enumerate(column, start=line):
        if before is None:
            before = value
        elif value != before:
            raise FormatError(
                f"language pair {value!r} after {before!r}; "
                "keep every language pair in a file of its own",
                path=display(path),
                line=number,
            )
    return before


def _columns(testset: Testset, path: str) -> dict[str, list[str]]:
    columns: dict[str, list[str]] = {}
    if testset.ids is not None:
        columns["id"] = testset.ids
    if testset.docs is not None:
        columns["doc"] = testset.docs
    if testset.langpair is not None:
        columns["langpair"] = [testset.langpair] * len(testset)
    if testset.sources is not None:
        columns["src"] = testset.sources
    references = reference_columns(testset)
    for number, column in enumerate(references, start=1):
        columns["ref" if len(references) == 1 else f"ref{number}"] = column
    for name, column in testset.layers.items():
        columns[_LAYER + name] = column
    for name, column in testset.systems.items():
        if _role(name) != "system":
            raise InputError(
                f"cannot write {path}: a TSV column {name!r} is not a system; "
                "rename the system, or write another format such as jsonl"
            )
        columns[name] = column
    return columns


def _row(fields: list[str] | tuple[str, ...], where: str, path: str) -> str:
    line = "\t".join(fields)
    if line.count("\t") >= len(fields) or "\n" in line or line.endswith("\r"):
        bad = next((f for f in fields if "\t" in f or "\n" in f), fields[-1])
        raise InputError(
            f"cannot write {path}: {where} has a tab or line end in {quote(bad)}; "
            "write another format such as jsonl"
        )
    return line
