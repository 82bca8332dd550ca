# SPDX-License-Identifier: Apache-2.0
"""Test sets as tables: a header, then one segment per row, in TSV, CSV or Excel.

Columns: ``id`` or ``seg``; ``src`` or ``source``; ``ref`` or ``reference``, with a
number (``ref2``) or name (``ref:B``) when there are several; ``doc``; ``langpair``;
``layer:NAME``; ``system:NAME``. These names ignore case. Every other column is a
system if it looks like one, and a layer otherwise: tables often bring scores and
language codes along. What does not look like a system is in
:mod:`tertium.data.formats.lookalikes`; the names of such columns are in the notes of
the test set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from tertium._messages import count
from tertium.data.formats.columns import reference_columns
from tertium.data.formats.lookalikes import PEEK, Doubt, contradiction, doubts
from tertium.data.lines import display
from tertium.data.testset import CHUNK, Testset, rechunk
from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.notes import Note

__all__ = ["Row", "TableFormat"]

Row = tuple[int, list[str]]
"""The line where a row starts, and its cells."""

_ROLES = {
    "id": "id",
    "seg": "id",
    "src": "source",
    "source": "source",
    "doc": "doc",
    "langpair": "langpair",
}
_REFERENCE = re.compile(r"ref(erence)?([0-9]+|:.*)?", re.DOTALL | re.IGNORECASE)
_LAYER = "layer:"
_SYSTEM = "system:"


@dataclass(frozen=True)
class TableFormat:
    """A file format for tables, which reads and writes test sets.

    Parameters
    ----------
    rows : function
        Yields the rows of a file, the header first.
    write_rows : function
        Writes a file; the rows are the header and the segments.
    cure : str
        What to do about a row of the wrong length.
    """

    rows: Callable[[str], Iterator[Row]]
    write_rows: Callable[[str, Iterable[Sequence[str]]], None]
    cure: str

    def stream(
        self, path: str, *, size: int, systems: Sequence[str] | None = None
    ) -> Iterator[Testset]:
        """Yield the test set of a file in chunks; `systems` are these columns."""
        rows = self.rows(path)
        header = next(rows, None)
        if header is None:
            yield Testset([])
            return
        line, names = header
        first = list(islice(rows, PEEK))
        self._check_widths(first, len(names), path)
        plan = _plan(names, [cells for _, cells in first], systems, path, line)
        following = chain(first, rows)
        done = 0
        while True:
            chunk = list(islice(following, size))
            self._check_widths(chunk, len(names), path)
            if done and not chunk:
                return
            yield plan.testset(chunk)
            done += len(chunk)
            if len(chunk) < size:
                return

    def write(self, testset: Testset, path: str) -> None:
        """Write a file; reject what would not read back the same."""
        self.write_stream([testset], path)

    def write_stream(self, chunks: Iterable[Testset], path: str) -> None:
        """Write a file from chunks of one test set."""
        self.write_rows(path, _written_rows(chunks, path))

    def _check_widths(self, rows: list[Row], width: int, path: str) -> None:
        for line, cells in rows:
            if len(cells) != width:
                raise FormatError(
                    f"{count(len(cells), 'field')} where the header has {width}; "
                    f"{self.cure}",
                    path=display(path),
                    line=line,
                )


class _Plan:
    """Which column of a table is what."""

    def __init__(
        self, names: list[str], roles: list[str], left_out: dict[int, Doubt], path: str
    ) -> None:
        self.names = names
        self.roles = roles
        self.left_out = left_out
        self.path = path
        self.langpair: str | None = None
        self.notes = _notes(names, roles, left_out)

    def testset(self, rows: list[Row]) -> Testset:
        """Return rows as a test set."""
        cells = [row for _, row in rows]
        columns = [list(c) for c in zip(*cells, strict=True)] or [
            [] for _ in self.names
        ]
        named: dict[str, dict[str, list[str]]] = {}
        for place, (role, name) in enumerate(zip(self.roles, self.names, strict=True)):
            if place in self.left_out:
                self._check_doubt(place, columns[place], rows)
            named.setdefault(role, {})[_bare(name, role)] = columns[place]
        self._check_langpair(named.get("langpair", {}), rows)
        references = list(named.get("reference", {}).values())
        single = {
            role: next(iter(named.get(role, {}).values()), None)
            for role in ("source", "doc", "id")
        }
        return Testset(
            list(zip(*references, strict=True)) if references else [()] * len(rows),
            named.get("system", {}),
            sources=single["source"],
            docs=single["doc"],
            ids=single["id"],
            langpair=self.langpair,
            layers=named.get("layer", {}),
            notes=self.notes,
        )

    def _check_langpair(self, named: dict[str, list[str]], rows: list[Row]) -> None:
        for column in named.values():
            for (line, _), value in zip(rows, column, strict=True):
                if self.langpair is None:
                    self.langpair = value
                elif value != self.langpair:
                    raise FormatError(
                        f"language pair {value!r} after {self.langpair!r}; "
                        "keep every language pair in a separate file",
                        path=display(self.path),
                        line=line,
                    )

    def _check_doubt(self, place: int, column: list[str], rows: list[Row]) -> None:
        """Reject a column that only later looks like a system."""
        wrong = contradiction(self.left_out[place], column)
        if wrong is not None:
            raise FormatError(
                f"column {self.names[place]!r} is {self.left_out[place].reason} before "
                "this line and not here; name the columns to score as systems_columns",
                path=display(self.path),
                line=rows[wrong][0],
            )


def _plan(
    names: list[str],
    cells: list[list[str]],
    systems: Sequence[str] | None,
    path: str,
    line: int,
) -> _Plan:
    for name in systems or ():
        if name not in names:
            raise UnknownNameError("column", name, names)
    roles = [
        "system" if systems is not None and name in systems else _role(name)
        for name in names
    ]
    open_places = [
        place
        for place, name in enumerate(names)
        if roles[place] == "system" and _prefix(name) != _SYSTEM
    ]
    left_out: dict[int, Doubt] = {}
    if systems is not None:
        for place in open_places:
            if names[place] not in systems:
                roles[place] = "layer"
    else:
        columns = list(zip(*cells, strict=True)) or [()] * len(names)
        texts = [
            columns[place]
            for place, role in enumerate(roles)
            if role in ("reference", "source")
        ]
        doubtful = doubts([(names[k], columns[k]) for k in open_places], texts)
        left_out = {k: doubtful[names[k]] for k in open_places if names[k] in doubtful}
        for place in left_out:
            roles[place] = "layer"
    _check_header(names, roles, path, line)
    return _Plan(names, roles, left_out, path)


def _role(name: str) -> str:
    if _REFERENCE.fullmatch(name):
        return "reference"
    if prefix := _prefix(name):
        return prefix.removesuffix(":")
    return _ROLES.get(name.lower(), "system")


def _prefix(name: str) -> str:
    head = name[: name.find(":") + 1].lower()
    return head if head in (_LAYER, _SYSTEM) else ""


def _bare(name: str, role: str) -> str:
    """Return the name of a layer or system without what marks it as one."""
    prefix = _prefix(name)
    return name[len(prefix) :] if prefix == f"{role}:" else name


def _check_header(names: list[str], roles: list[str], path: str, line: int) -> None:
    seen: dict[tuple[str, str], str] = {}
    for number, (name, role) in enumerate(zip(names, roles, strict=True), start=1):
        bare = _bare(name, role)
        if not bare:
            what = f"column {number} has no name; name every column in the header"
            raise FormatError(what, path=display(path), line=line)
        key = (role, "" if role in _ROLES.values() else bare)
        if key in seen:
            what = (
                f"columns {seen[key]!r} and {name!r} are the same; rename or drop one"
            )
            raise FormatError(what, path=display(path), line=line)
        seen[key] = name


def _notes(
    names: list[str], roles: list[str], left_out: dict[int, Doubt]
) -> tuple[Note, ...]:
    if not left_out:
        return ()
    columns = {names[place]: doubt.reason for place, doubt in left_out.items()}
    kept = [name for name, role in zip(names, roles, strict=True) if role == "system"]
    listed = ", ".join(f"{name!r} ({reason})" for name, reason in columns.items())
    return (
        Note("not-systems", {"columns": columns, "systems": kept, "listed": listed}),
    )


def _written_rows(chunks: Iterable[Testset], path: str) -> Iterator[Sequence[str]]:
    """Yield the header and the segments."""
    done, width, doubted = 0, None, None
    # What looks like a system is decided by the first segments, whatever the chunks.
    for chunk in rechunk(chunks, CHUNK):
        references = reference_columns(chunk, width=width, start=done)
        if doubted is None:
            width, doubted = len(references), _doubted(chunk, references)
            head = _columns(chunk, references, doubted)
            if not head:
                raise InputError(
                    f"cannot write {path}: the test set has no columns; give it some "
                    "text"
                )
            yield list(head)
        columns = _columns(chunk, references, doubted)
        yield from zip(*columns.values(), strict=True)
        done += len(chunk)


def _doubted(testset: Testset, references: list[list[str]]) -> Collection[str]:
    """Return the systems that would be read as something else."""
    head = {name: column[:PEEK] for name, column in testset.systems.items()}
    texts = [column[:PEEK] for column in (*references, testset.sources) if column]
    return doubts(list(head.items()), texts)


def _columns(
    testset: Testset, references: list[list[str]], doubted: Collection[str]
) -> dict[str, Sequence[str]]:
    """Return the columns of a test set by their names in a header."""
    columns: dict[str, Sequence[str]] = {}
    if testset.ids is not None:
        columns["id"] = testset.ids
    if testset.docs is not None:
        columns["doc"] = testset.docs
    if testset.langpair is not None:
        columns["langpair"] = [testset.langpair] * len(testset)
    if testset.sources is not None:
        columns["src"] = testset.sources
    for number, column in enumerate(references, start=1):
        columns["ref" if len(references) == 1 else f"ref{number}"] = column
    for name, column in testset.layers.items():
        columns[_LAYER + name] = column
    for name, column in testset.systems.items():
        # The mark keeps a system that would be read as something else.
        marked = _role(name) != "system" or bool(_prefix(name)) or name in doubted
        columns[_SYSTEM + name if marked else name] = column
    return columns
