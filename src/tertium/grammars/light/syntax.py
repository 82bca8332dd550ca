# SPDX-License-Identifier: Apache-2.0
"""The syntax of the light notation: from a line to a tree, or an error with a caret.

What the marks mean is written down in ``light.py``.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tertium.automata.expressions import BIND
from tertium.errors import FormatError

__all__ = [
    "Alternatives",
    "LightError",
    "Line",
    "Node",
    "Row",
    "Shuffle",
    "Slot",
    "Word",
    "parse",
]

_NAME = re.compile(r"([^\W\d][\w-]*)(?:#(\w+))?>")
_WORD = re.compile(r"[^\s{}\[\]|<\\]+")
_CLOSERS = {"{": "}", "[": "]"}
#: Deeper nesting is a slip, and Python would run out of stack.
_DEEPEST = 50


class LightError(FormatError):
    """A line of the light notation is wrong; the message points at the place."""

    def __init__(
        self, what: str, *, line: Line, column: int, options: Sequence[str] = ()
    ) -> None:
        super().__init__(what, path=line.path, line=line.number, options=options)
        self.column = column
        room = "".join(map(_blank, line.text[: column - 1]))
        where = f"{line.path}:{line.number}:{column}"
        self.args = (f"{where}: {what}\n    {line.text}\n    {room}^",)


def _blank(char: str) -> str:
    """Return what is as wide as a character and cannot be seen."""
    if char == "\t":
        return char
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return ""
    return "  " if unicodedata.east_asian_width(char) in "WF" else " "


@dataclass(frozen=True, slots=True)
class Line:
    """A line and where it stands."""

    text: str
    path: str
    number: int

    def error(self, what: str, at: int, *, options: Sequence[str] = ()) -> LightError:
        """Return an error at a place in the line, counted from 0."""
        return LightError(what, line=self, column=at + 1, options=options)


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """Letters without a meaning of their own."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """A named slot, perhaps linked to others of its line."""

    name: str
    link: str | None
    line: Line
    at: int


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """Parts one after the other: runs of what touches, with space between runs."""

    runs: tuple[tuple[Node, ...], ...]
    line: Line
    at: int


@dataclass(frozen=True, slots=True, eq=False)
class Alternatives:
    """One of the parts."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Shuffle:
    """All parts, in any order."""

    parts: tuple[Node, ...]
    line: Line
    at: int


Node: TypeAlias = Word | Slot | Row | Alternatives | Shuffle


def parse(line: Line, at: int = 0) -> tuple[Node, ...]:
    """Return the alternatives of a pattern that begins somewhere in a line.

    Braces around everything say nothing: what is in them are the alternatives.

    Raises
    ------
    LightError
        With the column, the line and a caret below it.
    """
    reader = _Reader(line, at)
    group = reader.group("", at)
    parts = group.parts if isinstance(group, Alternatives) else (group,)
    if len(parts) == 1 and isinstance(parts[0], Row) and len(parts[0].runs) == 1:
        (run,) = parts[0].runs
        if len(run) == 1 and isinstance(run[0], Alternatives):
            return run[0].parts
    return parts


class _Reader:
    """Reads one line from left to right."""

    def __init__(self, line: Line, at: int) -> None:
        self.line = line
        self.text = line.text
        self.at = at
        self.depth = 0

    def group(self, opener: str, start: int) -> Alternatives | Shuffle:
        """Read up to the mark that closes the group, or to the end of the line."""
        closer = _CLOSERS.get(opener, "")
        self.depth += 1
        if self.depth > _DEEPEST:
            what = f"braces are nested more than {_DEEPEST} deep; name a part a slot"
            raise self.line.error(what, start)
        parts = [self.row(closer)]
        mark = ""
        while self.at < len(self.text) and self.text[self.at] in "|&":
            here = self.text[self.at]
            if mark not in ("", here):
                what = "'|' and '&' stand in one group; put braces around one of them"
                raise self.line.error(what, self.at)
            mark = here
            self.at += 1
            parts.append(self.row(closer))
        if closer:
            if self.at == len(self.text):
                what = (
                    f"{opener!r} is never closed; add {closer!r}, or write \\{opener}"
                )
                raise self.line.error(what, start)
            self.at += 1
        self.depth -= 1
        if mark != "&":
            empty = (Row((), self.line, start),) if opener == "[" else ()
            return Alternatives((*parts, *empty))
        shuffle = Shuffle(tuple(parts), self.line, start)
        if opener != "[":
            return shuffle
        return Alternatives((shuffle, Row((), self.line, start)))

    def row(self, closer: str) -> Row:
        """Read what stands between two bars."""
        runs: list[list[Node]] = []
        start, touching = self.at, False
        while self.at < len(self.text):
            char = self.text[self.at]
            if char.isspace():
                touching = False
                self.at += 1
                continue
            if char in ("|", closer) or (closer and self._lone_and()):
                break
            if char in "}]":
                what = f"{char!r} closes nothing; remove it, or write \\{char}"
                if closer:
                    what = f"{char!r} where {closer!r} must come; close in this order"
                raise self.line.error(what, self.at)
            part = self._part(char)
            if touching:
                runs[-1].append(part)
            else:
                runs.append([part])
            touching = True
        return Row(tuple(map(tuple, runs)), self.line, start)

    def _lone_and(self) -> bool:
        # R&D is a word; an '&' must stand alone to mean something.
        if self.text[self.at] != "&":
            return False
        before = self.text[self.at - 1]
        after = self.text[self.at + 1 : self.at + 2]
        return (before.isspace() or before in "{[") and (
            not after or after.isspace() or after in "}]"
        )

    def _part(self, char: str) -> Node:
        start = self.at
        if char in _CLOSERS:
            self.at += 1
            return self.group(char, start)
        if char == "<":
            return self._slot()
        text = ""
        while self.at < len(self.text):
            if self.text[self.at] == "\\":
                text += self._escaped()
            elif match := _WORD.match(self.text, self.at):
                text += match[0]
                self.at = match.end()
            else:
                break
        if text == BIND.text:
            what = f"the word {text!r} means glue in automata; write it another way"
            raise self.line.error(what, start)
        return Word(text)

    def _escaped(self) -> str:
        char = self.text[self.at + 1 : self.at + 2]
        if not char or char not in string.punctuation:
            what = "'\\' before what needs none; write \\\\ for a plain '\\'"
            raise self.line.error(what, self.at)
        self.at += 2
        return char

    def _slot(self) -> Slot:
        match = _NAME.match(self.text, self.at + 1)
        if match is None:
            what = "'<' begins no name such as <colour> or <colour#1>; "
            raise self.line.error(what + "write \\< for a plain '<'", self.at)
        slot = Slot(match[1], match[2], self.line, self.at)
        self.at = match.end()
        return slot
