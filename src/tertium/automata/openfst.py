# SPDX-License-Identifier: Apache-2.0
"""Reference automata in the text format of AT&T and OpenFst.

Files are written with one line per arc, ``source target in out weight`` separated by
tabs, and one line ``state weight`` per final state, the start state first. Tokens are
written as they are, and ``symbols.txt`` numbers them, with ``<eps>`` as 0, so that
``fstcompile --isymbols=symbols.txt --osymbols=symbols.txt`` can compile them.

The output of ``fstprint`` can be read, with or without symbols, weights and output
side, deterministic or not. Weights are dropped, and only one side of a transducer is
used; notes report both.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tertium.automata.automaton import Automaton
from tertium.automata.graph import Graph
from tertium.automata.segment import Segment
from tertium.data.lines import StrPath, display, open_lines, write_lines
from tertium.errors import FormatError, InputError

__all__ = [
    "FstFile",
    "fst_lines",
    "read_fst",
    "symbol_lines",
    "symbol_table",
    "weighted_lines",
    "write_fsts",
]

EPSILON = "<eps>"
SUFFIX = ".fst.txt"
SYMBOLS = "symbols.txt"

_GAP = re.compile("[ \t]+")
_STATE = re.compile("[0-9]+")
_INFINITE = math.inf


@dataclass(frozen=True, slots=True)
class FstFile:
    """The content of a file.

    Attributes
    ----------
    automaton : Automaton
        The set of sentences.
    notes : tuple of str
        Information of the file that the set lacks.
    """

    automaton: Automaton
    notes: tuple[str, ...]


# ------------------------------------------------------------------------- writing


def fst_lines(automaton: Automaton) -> list[str]:
    r"""Return the lines of an automaton; none for the empty set.

    Examples
    --------
    >>> fst_lines(Automaton.from_sentences(["so", "so be"]))
    ['0\t1\tso\tso\t0', '1\t2\tbe\tbe\t0', '1\t0', '2\t0']
    """
    if not automaton:
        return []
    names = automaton.symbols
    return weighted_lines(
        (
            (state, to, names[symbol], names[symbol], 0)
            for state, outgoing in enumerate(automaton.arcs)
            for symbol, to in outgoing
        ),
        (state for state, final in enumerate(automaton.finals) if final),
    )


def weighted_lines(
    arcs: Iterable[tuple[int, int, str, str, float]], finals: Iterable[int]
) -> list[str]:
    r"""Return the lines of a transducer.

    Parameters
    ----------
    arcs : iterable of (source, target, input, output, weight)
        Those of the start state first.
    finals : iterable of int
        The final states.

    Examples
    --------
    >>> weighted_lines([(0, 1, "a", "b", 0.5)], [1])
    ['0\t1\ta\tb\t0.5', '1\t0']
    """
    lines = [
        f"{source}\t{to}\t{_safe(token)}\t{_safe(output)}\t{weight:.9g}"
        for source, to, token, output, weight in arcs
    ]
    return lines + [f"{state}\t0" for state in finals]


def symbol_lines(automata: Iterable[Automaton]) -> list[str]:
    r"""Return the lines of a symbol table with the tokens of all automata.

    Examples
    --------
    >>> symbol_lines([Automaton.from_sentences(["so be"])])
    ['<eps>\t0', 'be\t1', 'so\t2']
    """
    return symbol_table(token for one in automata for token in one.symbols)


def symbol_table(tokens: Iterable[str]) -> list[str]:
    r"""Return the lines of a symbol table with these tokens.

    Examples
    --------
    >>> symbol_table(["so", "be", "so"])
    ['<eps>\t0', 'be\t1', 'so\t2']
    """
    tokens = sorted({_safe(token) for token in tokens})
    return [f"{token}\t{code}" for code, token in enumerate([EPSILON, *tokens])]


def write_fsts(segments: Iterable[Segment], folder: StrPath) -> list[str]:
    """Write ``ID.fst.txt`` for each segment and one ``symbols.txt`` to a folder.

    Returns
    -------
    list of str
        The paths of all written files, the symbols last.

    Raises
    ------
    InputError
        When an id cannot name a file, or a file cannot be written.
    """
    some = list(segments)
    taken: set[str] = set()
    for segment in some:
        if segment.id in taken or not re.fullmatch(r"[\w.,+-]+", segment.id):
            message = (
                f"the id {segment.id!r} cannot be a unique file name; use letters, "
                "digits and '.,+-_', each id once"
            )
            raise InputError(message)
        taken.add(segment.id)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        message = f"cannot create the folder {os.fspath(folder)} ({error.strerror}); "
        raise InputError(message + "give another one") from None
    paths = []
    for segment in some:
        paths.append(os.path.join(folder, segment.id + SUFFIX))
        write_lines(paths[-1], fst_lines(segment.automaton))
    paths.append(os.path.join(folder, SYMBOLS))
    write_lines(paths[-1], symbol_lines(segment.automaton for segment in some))
    return paths


def _safe(token: str) -> str:
    if token == EPSILON:
        message = "a reference has the token '<eps>', which is empty in OpenFst; "
        raise InputError(message + "write it another way")
    return token


# ------------------------------------------------------------------------- reading


def read_fst(
    path: StrPath, symbols: StrPath | None = None, *, side: str = "input"
) -> FstFile:
    """Read a set of sentences from the text of an automaton.

    Parameters
    ----------
    path : str or path
        The file.
    symbols : str or path, optional
        The symbol table, for files with numbers instead of tokens; by default
        ``symbols.txt`` in the same folder, if it exists.
    side : str
        ``input`` or ``output``: which side of a transducer.

    Raises
    ------
    FormatError
        With the line; also for a cycle, as the set must be finite.
    """
    if side not in ("input", "output"):
        message = f"there is no side {side!r}; choose input or output"
        raise InputError(message)
    shown = display(path)
    if symbols is None:
        near = os.path.join(os.path.dirname(os.fspath(path)), SYMBOLS)
        symbols = near if os.path.isfile(near) else None
    table = {} if symbols is None else read_symbols(symbols)
    rows = [
        _Row(number, _GAP.split(line.strip(" \t")))
        for number, line in enumerate(open_lines(path), start=1)
        if line.strip(" \t")
    ]
    for row in rows:
        _check(row, shown)
    arcs = _arcs([row for row in rows if len(row.cells) > 2])
    ends = [
        (row.cells[0], _weight(row.cells[1:])) for row in rows if len(row.cells) < 3
    ]
    labels = [(arc.sides[side == "output"], arc.line) for arc in arcs]
    tokens = _tokens(labels, table, shown)
    graph = Graph(rows[0].cells[0] if rows else "0")
    # An infinite weight means that there is no such arc or end.
    for arc, (label, _) in zip(arcs, labels, strict=True):
        if arc.weight < _INFINITE:
            graph.add(arc.source, tokens[label], arc.target)
    graph.finals.update(state for state, weight in ends if weight < _INFINITE)
    notes = []
    if any(one != two for one, two in (arc.sides for arc in arcs)):
        notes.append(f"{shown}: this is a transducer; its {side} side was taken")
    weights = [arc.weight for arc in arcs] + [weight for _, weight in ends]
    if any(weight not in (0.0, _INFINITE) for weight in weights):
        notes.append(f"{shown}: weights were dropped; a reference set has none")
    try:
        return FstFile(graph.automaton(), tuple(notes))
    except InputError as error:
        raise FormatError(str(error), path=shown) from None


def read_symbols(path: StrPath) -> dict[str, str]:
    """Return the symbols of a table by their numbers, as text."""
    table: dict[str, str] = {}
    for number, line in enumerate(open_lines(path), start=1):
        cells = _GAP.split(line.strip(" \t"))
        if cells == [""]:
            continue
        if len(cells) != 2 or not _STATE.fullmatch(cells[1]):
            what = "not a symbol and its number; write SYMBOL<TAB>NUMBER"
            raise FormatError(what, path=display(path), line=number)
        if cells[1] in table:
            what = f"the number {cells[1]} occurs twice; number symbols again"
            raise FormatError(what, path=display(path), line=number)
        table[cells[1]] = cells[0]
    return table


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    cells: list[str]


@dataclass(frozen=True, slots=True)
class _Arc:
    line: int
    source: str
    target: str
    sides: tuple[str, str]
    weight: float


def _check(row: _Row, path: str) -> None:
    cells = row.cells
    states = cells[:2] if len(cells) > 2 else cells[:1]
    if len(cells) > 5 or not all(map(_STATE.fullmatch, states)):
        what = (
            "not a line of OpenFst text; write SOURCE TARGET IN [OUT] [WEIGHT] for an "
            "arc or STATE [WEIGHT] for a final state, states as numbers"
        )
        raise FormatError(what, path=path, line=row.line)
    weight = cells[4:] if len(cells) > 2 else cells[1:]
    if weight and not _is_weight(weight[0]):
        what = f"the weight {weight[0]!r} is not a number; give one, or omit it"
        raise FormatError(what, path=path, line=row.line)


def _is_weight(text: str) -> bool:
    try:
        return not math.isnan(float(text))
    except ValueError:
        return False


def _weight(cells: list[str]) -> float:
    return float(cells[0]) if cells else 0.0


def _arcs(rows: list[_Row]) -> list[_Arc]:
    """Return the arcs, according to the columns of all lines.

    Four columns are input and output, or an acceptor's label and weight: the latter
    if no line has five, the columns differ and the last is always a number.
    """
    cells = [row.cells for row in rows]
    fours = [columns for columns in cells if len(columns) == 4]
    acceptor = (
        all(len(columns) < 5 for columns in cells)
        and any(columns[2] != columns[3] for columns in fours)
        and all(_is_weight(columns[3]) for columns in fours)
    )
    arcs = []
    for row in rows:
        source, target, label, *rest = row.cells
        output = label if acceptor or not rest else rest.pop(0)
        arcs.append(_Arc(row.line, source, target, (label, output), _weight(rest)))
    return arcs


def _tokens(
    labels: list[tuple[str, int]], table: Mapping[str, str], path: str
) -> dict[str, str | None]:
    """Return the symbol of each label of a file.

    Labels are symbols if all are in the table, else its numbers.
    """
    used = {label for label, _ in labels}
    numbers = bool(table) and not used <= {*table.values(), EPSILON}
    if not table and used and all(map(_STATE.fullmatch, used)):
        what = "all labels are numbers; give their symbol table"
        raise FormatError(what, path=path)
    # The number 0 is empty, whatever the table calls it.
    quiet = {EPSILON, table.get("0", EPSILON)}
    tokens: dict[str, str | None] = {}
    for label, line in labels:
        if numbers and label not in table:
            what = f"{label!r} is neither a symbol nor a number of the symbols; "
            what += "give the table that belongs to the file"
            raise FormatError(what, path=path, line=line)
        token = table[label] if numbers else label
        if len(token.split()) != 1:
            what = f"the token {token!r} has white space in it; replace it by '_'"
            raise FormatError(what, path=path, line=line)
        tokens[label] = None if token in quiet else token
    return tokens
