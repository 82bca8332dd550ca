# SPDX-License-Identifier: Apache-2.0
"""Word lattices: read as reference automata, written with weights.

``read_plf``
    Word lattices of Moses, one line per segment: each node lists its arcs as
    ``('word',weight,distance)``, with any number of weights.
``plf_line``
    One such line.
``read_slf``
    A word lattice of HTK, one file per segment, with words on nodes or on links.

Readers ignore scores. Empty words (``<eps>``, ``*DELETE*``, ``!NULL``, marks of
sentence ends ...) are left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from tertium.automata.automaton import Automaton
from tertium.automata.graph import Graph
from tertium.automata.segment import Segment
from tertium.data.lines import StrPath, display, open_lines
from tertium.errors import FormatError, InputError

__all__ = ["LatticeFile", "plf_line", "read_plf", "read_slf", "word_token"]

_Item = TypeVar("_Item")

_NOTHING = {
    "", "<eps>", "<epsilon>", "*EPS*", "*DELETE*", "!NULL", "!ENTER", "!EXIT",
    "!SENT_START", "!SENT_END", "<s>", "</s>",
}  # fmt: skip


def word_token(word: str) -> str | None:
    """Return the token of a word, or None for an empty word."""
    return None if word in _NOTHING else word


class LatticeFile:
    """The lines of a file, and errors with their numbers."""

    def __init__(self, path: StrPath) -> None:
        self.path = display(path)
        self.line = 0
        self._lines = open_lines(path)

    def __iter__(self) -> Iterator[str]:
        for number, line in enumerate(self._lines, start=1):
            self.line = number
            yield line

    def error(self, what: str) -> FormatError:
        """Return an error in the current line."""
        return FormatError(what, path=self.path, line=self.line or None)

    def word(self, text: str) -> str | None:
        """Return the token of a word; it must be one."""
        if len(text.split()) > 1 or text != text.strip():
            raise self.error(f"the word {text!r} has white space in it; split it")
        return word_token(text)

    def compiled(self, graph: Graph) -> Automaton:
        """Return the sentences of a graph."""
        try:
            return graph.automaton()
        except InputError as error:
            raise self.error(str(error)) from None


# ------------------------------------------------------------------------ of Moses

_PLF = re.compile(
    r"""\s*(?: (?P<mark>[(),])
      | (?P<quote>['"])(?P<word>(?:\\.|(?!(?P=quote))[^\\])*)(?P=quote)
      | (?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?) )""",
    re.VERBOSE,
)


def read_plf(path: StrPath) -> list[Segment]:
    """Return the lattices of a Moses file, one per line, numbered from 1."""
    file = LatticeFile(path)
    return [
        Segment(str(number), file.compiled(_Plf(file, line).graph()))
        for number, line in enumerate(file, start=1)
    ]


def plf_line(nodes: Sequence[Sequence[tuple[str, float, int]]]) -> str:
    r"""Return a lattice as a line for Moses.

    Parameters
    ----------
    nodes : sequence of sequences of (word, weight, distance)
        The arcs of every node but the last; `distance` nodes lie between the ends.

    Examples
    --------
    >>> plf_line([[("it's", 1, 1)], [("so", 0.5, 1), ("so", 0.25, 1)]])
    "((('it\\'s',1.000000,1),),(('so',0.500000,1),('so',0.250000,1),),)"
    """
    rows = []
    for arcs in nodes:
        cells = []
        for word, weight, distance in arcs:
            escaped = re.sub(r"([\\'])", r"\\\1", word)
            cells.append(f"('{escaped}',{weight:.6f},{distance}),")
        rows.append(f"({''.join(cells)}),")
    return f"({''.join(rows)})"


class _Plf:
    """One line of a PLF file."""

    def __init__(self, file: LatticeFile, line: str) -> None:
        self.file, self.line = file, line
        self.at = 0
        self.kind = self.text = ""
        self._step()

    def graph(self) -> Graph:
        nodes = list(self._tuple(self._node))
        if self.kind:
            raise self._error("nothing more")
        graph = Graph("0")
        graph.finals.add(str(len(nodes)))
        for source, arcs in enumerate(nodes):
            for word, distance in arcs:
                if not 1 <= distance <= len(nodes) - source:
                    what = (
                        f"the arc {word!r} of node {source} skips {distance} nodes; "
                        f"it must lead 1 to {len(nodes) - source} nodes ahead"
                    )
                    raise self.file.error(what)
                graph.add(str(source), self.file.word(word), str(source + distance))
        return graph

    def _node(self) -> list[tuple[str, int]]:
        return list(self._tuple(self._arc))

    def _arc(self) -> tuple[str, int]:
        self._take("mark", "(")
        word = re.sub(r"\\(.)", r"\1", self._take("word"))
        numbers = []
        while self.text == "," and self.kind == "mark":
            self._step()
            if self.kind == "number":
                numbers.append(self._take("number"))
        self._take("mark", ")")
        if not numbers or not re.fullmatch(r"\d{1,9}", numbers[-1]):
            raise self._error("an integer as the distance of an arc")
        return word, int(numbers[-1])

    def _tuple(self, item: Callable[[], _Item]) -> Iterator[_Item]:
        self._take("mark", "(")
        while not (self.kind == "mark" and self.text == ")"):
            yield item()
            if not (self.kind == "mark" and self.text == ","):
                break
            self._step()
        self._take("mark", ")")

    def _take(self, kind: str, text: str | None = None) -> str:
        if self.kind != kind or text not in (None, self.text):
            raise self._error(f"{text!r}" if text else f"a {kind}")
        taken = self.text
        self._step()
        return taken

    def _step(self) -> None:
        self.start = self.at
        match = _PLF.match(self.line, self.at)
        if match is None:
            if self.line[self.at :].strip():
                raise self._error("a bracket, comma, 'word' or number")
            self.kind = self.text = ""
            return
        self.kind = next(k for k in ("mark", "word", "number") if match[k] is not None)
        self.text, self.at = match[self.kind], match.end()

    def _error(self, wanted: str) -> FormatError:
        return self.file.error(
            f"column {self.start + 1} is not PLF, {wanted} is expected; write "
            "((('word',1.0,1),('other',1.0,1),),)"
        )


# -------------------------------------------------------------------------- of HTK

_FIELD = re.compile(
    r"""(\w+)=("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?:\\.|[^\s\\])*)(?=\s|$)"""
)
_LONG = {"WORD": "W", "START": "S", "END": "E", "NODES": "N", "LINKS": "L",
         "UTTERANCE": "U"}  # fmt: skip


def read_slf(path: StrPath) -> list[Segment]:
    """Return the lattice of an HTK file; its id is the utterance or the file name."""
    file = LatticeFile(path)
    head: dict[str, str] = {}
    nodes: dict[str, str | None] = {}
    links: list[tuple[str, str, str | None, int]] = []
    for line in file:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        fields = _fields(file, line)
        if "I" in fields:
            nodes[fields["I"]] = file.word(fields.get("W", ""))
        elif "J" in fields:
            if "S" not in fields or "E" not in fields:
                raise file.error("a link needs two nodes; write J=0 S=0 E=1")
            word = file.word(fields["W"]) if "W" in fields else None
            links.append((fields["S"], fields["E"], word, file.line))
        else:
            head.update(fields)
    for name, count in (("N", len(nodes)), ("L", len(links))):
        # Nodes need not have lines.
        if head.get(name, str(count)) != str(count) and (name == "L" or nodes):
            what = f"{name}={head[name]}, but there are {count}; is the file truncated?"
            raise FormatError(what, path=file.path)
    graph = _slf_graph(file, head, nodes, links)
    name = head.get("U") or os.path.basename(os.fspath(path)).split(".")[0]
    return [Segment(name, file.compiled(graph))]


def _fields(file: LatticeFile, line: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    at = 0
    for match in _FIELD.finditer(line):
        if line[at : match.start()].strip():
            break
        value = match[2]
        if value[:1] in ("'", '"') and len(value) > 1:
            value = value[1:-1]
        value = re.sub(r"\\(.)", r"\1", value)
        fields[_LONG.get(match[1], match[1])] = value
        at = match.end()
    if line[at:].strip():
        raise file.error(f"column {at + 1} is not a field of SLF; write NAME=VALUE")
    if "SUBLAT" in fields:
        raise file.error("sub-lattices are not read; expand them with HTK first")
    return fields


def _slf_graph(
    file: LatticeFile,
    head: dict[str, str],
    nodes: dict[str, str | None],
    links: list[tuple[str, str, str | None, int]],
) -> Graph:
    entered = {target for _, target, _, _ in links}
    left = {source for source, _, _, _ in links}
    if not nodes:
        nodes = dict.fromkeys(sorted(entered | left))
    starts = (
        [head["start"]] if "start" in head else [n for n in nodes if n not in entered]
    )
    ends = [head["end"]] if "end" in head else [n for n in nodes if n not in left]
    for name in (*starts, *ends):
        if name not in nodes:
            what = f"there is no node {name!r}; correct start= or end="
            raise FormatError(what, path=file.path)
    # Node names have no spaces.
    graph = Graph("the start")
    for start in starts:
        graph.add("the start", nodes[start], start)
    graph.finals.update(ends)
    for source, target, word, line in links:
        for name in (source, target):
            if name not in nodes:
                what = f"there is no node {name!r}; add a line I={name}"
                raise FormatError(what, path=file.path, line=line)
        # A word is on the link or on the node it leads to.
        graph.add(source, word or nodes[target], target)
    return graph
