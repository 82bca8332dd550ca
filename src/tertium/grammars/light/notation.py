# SPDX-License-Identifier: Apache-2.0
r"""The light notation: many references on one line, without a grammar.

============================  ==================================================
``{the|a} ball``              one of several; nested as deep as you like
``[in colour]``               optional: the same as ``{in colour|}``
``{now & in Rome}``           all of them, in any order
``colo[u]r``, ``{un|dis}able``  what touches is one token
``<colour> = red|green``      a line that defines a slot; used as ``<colour>``
``<colour#1> ... <colour#1>``   the same alternative in both places
``@include slots.refs``       the slots of another file, from the same folder or below
``# ...``                     a line that is a comment
``\{`` ``\<`` ``\\`` ...      the sign itself
``id<TAB>pattern``            a pattern for the segment of this id
============================  ==================================================

One line is one segment. With ids, several lines may be about one segment: their
references are united. Without ids, segments are numbered from 1 in the order of
their lines; empty lines and comments do not count.

Every use of a slot chooses anew. What bears the same link chooses together: the
alternative with the same number, in one slot or in several of the same length.
That is done by writing the line out once per alternative of every link (at most
10,000 times), not per sentence. Real agreement of many words wants a grammar.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from tertium.automata.automaton import Automaton
from tertium.automata.expressions import Expression, Token, choice
from tertium.automata.segment import Segment
from tertium.data.containment import is_inside
from tertium.data.lines import StrPath, display, open_lines
from tertium.errors import FormatError, InputError
from tertium.grammars.light.parts import EMPTY_PART, Part, either, glued, spaced
from tertium.grammars.light.syntax import (
    Alternatives,
    LightError,
    Line,
    Node,
    Row,
    Shuffle,
    Slot,
    Word,
    parse,
)

__all__ = ["LightError", "parse_light", "read_light"]

_DEFINITION = re.compile(r"\s*<([^<>]*)>\s*=")
_SLOT_NAME = re.compile(r"[^\W\d][\w-]*")
_INCLUDE = re.compile(r"\s*@include(?:\s+(.*?))?\s*$")

#: Limits on what is written out: forms of one token, links of a line, free order.
_FORMS = 100_000
_BINDINGS = 10_000
_SHUFFLED = 8
_DEEPEST = 50


def parse_light(text: str, slots: Mapping[str, str] | None = None) -> Expression:
    """Return the expression of one pattern.

    Parameters
    ----------
    text : str
        The pattern, such as ``{the|a} ball``.
    slots : mapping of str to str, optional
        The patterns of the slots it uses, by name.

    Raises
    ------
    LightError
        With the column, the line and a caret below it.

    Examples
    --------
    >>> from tertium.grammars import Automaton
    >>> balls = parse_light("{the|a} <colour> ball", {"colour": "red|navy blue"})
    >>> Automaton.from_expression(balls).count
    4
    """
    builder = _Builder()
    for name, pattern in (slots or {}).items():
        builder.define(name, Line(_one_line(pattern), f"<slot {name}>", 1), 0)
    line = Line(_one_line(text), "<pattern>", 1)
    return builder.pattern(line, 0)


def read_light(path: StrPath, *, allow_outside: bool = False) -> list[Segment]:
    """Return the segments of a file in the light notation.

    Parameters
    ----------
    path : str or path
        The file.
    allow_outside : bool
        Whether it may include files from outside its folder.

    Raises
    ------
    FormatError
        When the file cannot be read; a LightError points at the place.
    """
    builder = _Builder(None if allow_outside else os.path.dirname(os.fspath(path)))
    patterns = builder.read(os.fspath(path), set())
    builder.check()
    lines: dict[str, list[tuple[Line, int]]] = {}
    first = next((at for _, at in patterns), 0)
    for number, (line, at) in enumerate(patterns, start=1):
        if bool(at) != bool(first):
            had = "none" if at else "one"
            what = f"this line has {'an' if at else 'no'} id, those above have {had}; "
            raise line.error(what + "write ID<TAB>PATTERN on all lines or none", 0)
        name = line.text[: at - 1].strip() if at else str(number)
        if not name:
            raise line.error("the id is empty; write ID<TAB>PATTERN", 0)
        lines.setdefault(name, []).append((line, at))
    return [_segment(builder, name, patterns) for name, patterns in lines.items()]


def _segment(builder: _Builder, name: str, lines: list[tuple[Line, int]]) -> Segment:
    expression = choice([builder.pattern(line, at) for line, at in lines])
    try:
        return Segment(name, Automaton.from_expression(expression))
    except FormatError:
        raise
    except InputError as error:
        line = lines[-1][0]
        raise FormatError(str(error), path=line.path, line=line.number) from None


def _one_line(text: str) -> str:
    return re.sub(r"[\r\n]+", " ", text)


class _Builder:
    """Slots by name, and what has been made of them.

    Parameters
    ----------
    root : str, optional
        The folder that included files must lie in.
    """

    def __init__(self, root: str | None = None) -> None:
        self._root = root
        self._slots: dict[str, tuple[Line, int, tuple[Node, ...]]] = {}
        self._values: dict[str, tuple[Part, ...]] = {}
        self._free: dict[str, Part] = {}
        self._open: list[str] = []

    # ------------------------------------------------------------------ lines

    def read(
        self, path: str, seen: set[str], *, included: bool = False
    ) -> list[tuple[Line, int]]:
        """Take the slots of a file; return its patterns and where they begin."""
        seen.add(os.path.realpath(path))
        patterns = []
        for number, text in enumerate(open_lines(path), start=1):
            line = Line(text, display(path), number)
            if not text.strip() or text.lstrip().startswith("#"):
                continue
            if match := _INCLUDE.match(text):
                self._include(line, match, path, seen)
            elif match := _DEFINITION.match(text):
                if not _SLOT_NAME.fullmatch(match[1]):
                    what = f"{match[1]!r} is not a slot name; use letters, then "
                    raise line.error(what + "letters, digits, '-', '_'", match.start(1))
                self.define(match[1], line, match.end())
            elif included:
                what = "an included file holds slots only; write <NAME> = PATTERN"
                raise line.error(what, 0)
            else:
                patterns.append((line, text.find("\t") + 1))
        return patterns

    def _include(
        self, line: Line, match: re.Match[str], path: str, seen: set[str]
    ) -> None:
        if not match[1]:
            raise line.error("@include names no file; write @include FILE", 0)
        other = os.path.join(os.path.dirname(path), match[1])
        if self._root is not None and not is_inside(other, self._root or "."):
            what = (
                f"{match[1]!r} lies outside the folder of this file; move it there, or "
                "allow it with allow_outside=True"
            )
            raise line.error(what, match.start(1), options=("allow_outside",))
        if os.path.realpath(other) in seen:
            return
        try:
            self.read(other, seen, included=True)
        except LightError:
            raise
        except FormatError as error:
            if error.line is None:
                raise line.error(f"cannot include {error}", match.start(1)) from None
            raise

    def define(self, name: str, line: Line, at: int) -> None:
        """Take the definition of a slot."""
        if name in self._slots:
            there = self._slots[name][0]
            what = f"the slot <{name}> is defined at {there.path}:{there.number} too; "
            raise line.error(what + "rename one of them", 0)
        self._slots[name] = (line, at, parse(line, at))

    def check(self) -> None:
        """Find what is wrong with slots that nobody uses, too."""
        for name, (line, _, _) in self._slots.items():
            self._alternatives(Slot(name, None, line, 0))

    def pattern(self, line: Line, at: int) -> Expression:
        """Return the expression of a line."""
        return either([self._expanded(node) for node in parse(line, at)]).expression

    # ------------------------------------------------------------------ slots

    def _expanded(self, node: Node) -> Part:
        """Return a pattern with its links written out, one copy per alternative."""
        sizes: dict[str, tuple[int, str]] = {}
        copies = 1
        for slot in _linked(node):
            size, link = len(self._alternatives(slot)), slot.link or ""
            if link not in sizes:
                copies *= size
                sizes[link] = (size, slot.name)
            if copies > _BINDINGS:
                what = f"the links up to here make more than {_BINDINGS:,} copies; "
                what += "link fewer slots, or write a grammar"
                raise slot.line.error(what, slot.at)
            known, name = sizes[link]
            if known != size:
                what = (
                    f"#{link} links <{slot.name}> with {size} alternatives to "
                    f"<{name}> with {known}; give both as many, or another link"
                )
                raise slot.line.error(what, slot.at)
        return either(
            self._build(node, dict(zip(sizes, numbers, strict=True)))
            for numbers in itertools.product(*(range(n) for n, _ in sizes.values()))
        )

    def _alternatives(self, slot: Slot) -> tuple[Part, ...]:
        name = slot.name
        if name not in self._slots:
            known = ", ".join(f"<{other}>" for other in sorted(self._slots))
            what = f"no slot is called <{name}>; write a line <{name}> = ..., "
            what += f"or use {known}" if known else "or \\< for a plain '<'"
            raise slot.line.error(what, slot.at)
        if name in self._open:
            way = " -> ".join([*self._open[self._open.index(name) :], name])
            what = f"a slot is inside itself ({way}); a reference set must be "
            raise slot.line.error(what + "finite: take it out", slot.at)
        if len(self._open) > _DEEPEST:
            what = f"slots are inside slots more than {_DEEPEST} deep; name fewer"
            raise slot.line.error(what, slot.at)
        if name not in self._values:
            self._open.append(name)
            parts = self._slots[name][2]
            self._values[name] = tuple(map(self._expanded, parts))
            self._open.pop()
        return self._values[name]

    # ------------------------------------------------------------------ parts

    def _build(self, node: Node, chosen: Mapping[str, int]) -> Part:
        if isinstance(node, Word):
            return Part(Token(node.text), hollow=False, single=1)
        if isinstance(node, Alternatives):
            return either([self._build(part, chosen) for part in node.parts])
        if isinstance(node, Slot):
            values = self._alternatives(node)
            if node.link is not None:
                return values[chosen[node.link]]
            if node.name not in self._free:
                self._free[node.name] = either(values)
            return self._free[node.name]
        if isinstance(node, Shuffle):
            return self._shuffled(node, chosen)
        whole = EMPTY_PART
        for run in reversed(node.runs):
            touching = [self._build(part, chosen) for part in run]
            word = touching.pop()
            while touching:
                before = touching.pop()
                forms = before.last * word.first
                word = glued(before, word)
                if max(word.single, word.first, word.last, forms) > _FORMS:
                    what = f"parts that touch make more than {_FORMS:,} forms of one "
                    raise node.line.error(
                        what + "token; put spaces between them, or list the forms",
                        node.at,
                    )
            whole = word if whole is EMPTY_PART else spaced(word, whole)
        return whole

    def _shuffled(self, node: Shuffle, chosen: Mapping[str, int]) -> Part:
        # One set for every subset of the parts, each made of smaller ones.
        size = len(node.parts)
        if size > _SHUFFLED:
            what = f"{size} parts in any order are too many; at most {_SHUFFLED}"
            raise node.line.error(what, node.at)
        parts = [self._build(part, chosen) for part in node.parts]
        orders = {0: EMPTY_PART}
        for subset in range(1, 1 << size):
            members = [i for i in range(size) if subset >> i & 1]
            orders[subset] = either(
                [spaced(parts[i], orders[subset ^ 1 << i]) for i in members]
            )
        # Whatever the order, a sentence begins and ends with one of the parts.
        first = sum(part.single + part.first for part in parts)
        last = sum(part.single + part.last for part in parts)
        return replace(orders[(1 << size) - 1], first=first, last=last)


def _linked(node: Node) -> Iterable[Slot]:
    """Yield the linked slots of a pattern, from left to right."""
    if isinstance(node, Slot):
        if node.link is not None:
            yield node
    elif isinstance(node, Row):
        for run in node.runs:
            for part in run:
                yield from _linked(part)
    elif not isinstance(node, Word):
        for part in node.parts:
            yield from _linked(part)
