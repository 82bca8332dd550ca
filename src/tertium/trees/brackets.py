# SPDX-License-Identifier: Apache-2.0
"""Constituency trees in Penn brackets: ``(S (NP (PRP We)) (VP (VBP sing)))``.

A tree may span several lines, and several trees may share one. Conventions of the Penn
Treebank are undone: ``-LRB-`` and the like become brackets, and empty elements
(``-NONE-``) are dropped. ``()`` and ``(())``, which parsers write for sentences they
could not parse, are trees without words.

Trees are stored as spans, not as nested nodes, so they may be arbitrarily deep.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tertium._messages import quote
from tertium.data.lines import StrPath, display, open_lines
from tertium.errors import FormatError, InputError

__all__ = ["ConstituencyTree", "Constituent", "parse_brackets", "read_brackets"]

_PIECE = re.compile(r"[()]|[^\s()]+")
_ESCAPES = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}
_EMPTY = "-NONE-"


class Constituent(NamedTuple):
    """A node of a tree, with the words below it.

    Parameters
    ----------
    label : str
        Its category; empty for a word.
    start, end : int
        Its first word and the one after its last word, counted from 0.
    """

    label: str
    start: int
    end: int


@dataclass(frozen=True)
class ConstituencyTree:
    """Words, and the phrases they form.

    Parameters
    ----------
    words : tuple of str
    nodes : tuple of Constituent
        All nodes, parents before children, from left to right. Words are nodes with
        empty labels.

    Raises
    ------
    InputError
        When nodes cross, have no words, or leave their parents.

    Examples
    --------
    >>> tree = ConstituencyTree.parse("(S (NP (PRP We)) (VP (VBP sing)))")
    >>> tree.words
    ('We', 'sing')
    >>> [(node.label, node.start, node.end) for node in tree.nodes[:3]]
    [('S', 0, 2), ('NP', 0, 1), ('PRP', 0, 1)]
    """

    words: tuple[str, ...]
    nodes: tuple[Constituent, ...]
    #: The line where the tree starts, if it comes from a file.
    line: int | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        path: list[int] = []  # the ends of open nodes, the innermost last
        last = 0
        for node in self.nodes:
            while path and path[-1] <= node.start:
                path.pop()
            limit = path[-1] if path else len(self.words)
            if not last <= node.start < node.end <= limit:
                message = (
                    f"node {node.label!r} of words {node.start} to {node.end - 1} does "
                    "not fit into the tree; give parents before children, from left "
                    "to right"
                )
                raise InputError(message)
            path.append(node.end)
            last = node.start

    @classmethod
    def parse(cls, text: str) -> ConstituencyTree:
        """Return the one tree of a text in brackets.

        Raises
        ------
        InputError
            When there is no tree, more than one, or an error in it.
        """
        trees = list(parse_brackets(text.split("\n")))
        if len(trees) != 1:
            raise InputError(f"the text has {len(trees)} trees; give one")
        return trees[0]

    def __len__(self) -> int:
        return len(self.words)


def read_brackets(path: StrPath) -> Iterator[ConstituencyTree]:
    """Yield the trees of a file, which may be compressed.

    Parameters
    ----------
    path : str or path
        The file; ``-`` for standard input.

    Raises
    ------
    FormatError
        With file and line, when iteration reaches an invalid tree.
    """
    return parse_brackets(open_lines(path), name=display(path))


def parse_brackets(
    lines: Iterable[str], *, name: str = "<text>"
) -> Iterator[ConstituencyTree]:
    """Yield the trees in lines of brackets; `name` is for messages.

    Examples
    --------
    >>> lines = ["( (S (NP (DT a) (NN cat))", "  (VP (VBZ sleeps))))", "(X -LRB-)"]
    >>> [tree.words for tree in parse_brackets(lines)]
    [('a', 'cat', 'sleeps'), ('(',)]
    """
    growing: _Growing | None = None
    for number, line in enumerate(lines, start=1):
        for piece in _PIECE.findall(line):
            if piece == "(":
                if growing is None:
                    growing = _Growing(number)
                growing.open()
            elif growing is None:
                what, options = _stray(piece, line)
                raise FormatError(what, path=name, line=number, options=options)
            elif piece != ")":
                growing.atom(piece)
            elif (fault := growing.close()) is not None:
                raise FormatError(fault, path=name, line=number)
            elif growing.complete:
                yield growing.tree()
                growing = None
    if growing is not None:
        what = (
            f"the tree that starts here lacks {growing.depth} closing bracket"
            f"{'s' * (growing.depth != 1)} at the end of the file; add them"
        )
        raise FormatError(what, path=name, line=growing.line)


def _stray(piece: str, line: str) -> tuple[str, tuple[str, ...]]:
    """Return the error for text outside all trees, and options that may help."""
    if piece == ")":
        return "a closing bracket has no opening one; remove it", ()
    what = f"{quote(piece)} is outside all brackets"
    if line.startswith("#") or line.count("\t") >= 7:
        return f"{what}; this looks like CoNLL-U, so read it as such", ("conllu",)
    example = "(S (NP (PRP We)) (VP (VBP sing)))"
    cure = f"give trees such as {example}, as constituency parsers write them"
    return f"{what}; {cure}", ()


class _Growing:
    """A tree that is being read."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.words: list[str] = []
        self._nodes: list[Constituent] = []
        # For each open node: its place among nodes, its label (None before it is
        # known) and whether it has content.
        self._path: list[tuple[int, str | None, bool]] = []

    @property
    def depth(self) -> int:
        return len(self._path)

    @property
    def complete(self) -> bool:
        return not self._path

    def open(self) -> None:
        if self._path:
            at, label, _ = self._path[-1]
            self._path[-1] = at, label or "", True
        self._path.append((len(self._nodes), None, False))
        start = len(self.words)
        self._nodes.append(Constituent("", start, start))

    def atom(self, token: str) -> None:
        at, label, _ = self._path[-1]
        if label is None:
            self._path[-1] = at, token, False
            return
        self._path[-1] = at, label, True
        if label != _EMPTY:
            start = len(self.words)
            self._nodes.append(Constituent("", start, start + 1))
            self.words.append(_unescape(token))

    def close(self) -> str | None:
        """End the innermost node; return its error, if any."""
        at, label, filled = self._path.pop()
        if label and not filled:
            return f"({label}) has a label but no word; write (LABEL word)"
        end = len(self.words)
        start = self._nodes[at].start
        if end == start:
            del self._nodes[at:]  # Only empty elements below it.
        else:
            self._nodes[at] = Constituent(label or "", start, end)
        return None

    def tree(self) -> ConstituencyTree:
        return ConstituencyTree(tuple(self.words), tuple(self._nodes), self.line)


def _unescape(word: str) -> str:
    return _ESCAPES.get(word) or word.replace(r"\/", "/").replace(r"\*", "*")
