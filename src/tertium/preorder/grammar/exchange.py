# SPDX-License-Identifier: Apache-2.0
"""Grammars as text, in the format of Stanojević's ReorderingGrammar.

One line per rule, and one per operator with its states::

    NONTERMS ||| P12_0 P12_1 P21_0
    SPLIT ||| P12 ||| P12_0 P12_1
    RULE ||| ROOT -> P12_0 ||| 0.6
    RULE ||| P12_0 -> P12*1_0 P12*2_0 ||| 1.0
    RULE ||| P12*1_0 -> P21_0 ||| 0.1
    RULE ||| P12*1_0 -> 'word' ||| 0.2

The unknown word is ``'UNKNOWN'``. The back-off of a grammar is not a rule; lines that
other programs do not read keep it on request::

    BACKOFF ||| P12*1_0 ||| 0.001
    BACKOFF ||| 'word' ||| 0.01
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from tertium.data.lines import display, open_lines, write_lines
from tertium.errors import FormatError, InputError
from tertium.preorder.grammar.model import Grammar
from tertium.preorder.grammar.operators import OPERATORS, Operator
from tertium.preorder.grammar.terminals import UNKNOWN

__all__ = ["read_text", "write_text"]

_UNKNOWN = "UNKNOWN"
_STATE = re.compile(r"(P\d+)_(\d+)")
_SLOT = re.compile(r"(P\d+)\*(\d)_(\d+)")
_BAR = " ||| "
_NAMED = {operator.name: operator for operator in OPERATORS}


def write_text(
    grammar: Grammar, path: str | os.PathLike[str], *, backoff: bool = False
) -> None:
    """Write a grammar as text.

    Parameters
    ----------
    grammar : Grammar
    path : str or path
        Compressed as its extension says.
    backoff : bool
        Also write the back-off, which the format lacks.

    Raises
    ------
    InputError
        If a word of the grammar is ``UNKNOWN``.
    """
    if _UNKNOWN in grammar.terminals:
        raise InputError(
            "the grammar has a word UNKNOWN, which the text format cannot tell from "
            "the unknown word; lower-case the corpus"
        )
    write_lines(path, _lines(grammar, backoff=backoff))


def _lines(grammar: Grammar, *, backoff: bool) -> Iterator[str]:
    states, slots = grammar.states, grammar.slots
    names = [_quoted(terminal) for terminal in grammar.terminals]
    yield f"NONTERMS{_BAR}{' '.join(states)}"
    start = 0
    for operator, count in zip(grammar.operators, grammar.splits, strict=True):
        these = states[start : start + count]
        start += count
        yield f"SPLIT{_BAR}{operator.name}{_BAR}{' '.join(these)}"
        for k, state in enumerate(these):
            parts = (f"{operator.name}*{c + 1}_{k}" for c in range(operator.arity))
            yield _rule(state, " ".join(parts), 1.0)
    for state, value in zip(states, grammar.root.tolist(), strict=True):
        if value:
            yield _rule("ROOT", state, value)
    for row, column in np.argwhere(grammar.unary).tolist():
        yield _rule(slots[row], states[column], float(grammar.unary[row, column]))
    for number, name in enumerate(names):
        part = slice(int(grammar.first[number]), int(grammar.first[number + 1]))
        emitted = zip(
            grammar.slot[part].tolist(), grammar.value[part].tolist(), strict=True
        )
        for slot, value in emitted:
            if value:
                yield _rule(slots[slot], name, value)
    if backoff:
        pairs = [
            *zip(slots, grammar.slot_backoff.tolist(), strict=True),
            *zip(names, grammar.terminal_backoff.tolist(), strict=True),
        ]
        yield from (f"BACKOFF{_BAR}{name}{_BAR}{value!r}" for name, value in pairs)


def _rule(left: str, right: str, value: float) -> str:
    return f"RULE{_BAR}{left} -> {right}{_BAR}{value!r}"


def _quoted(terminal: str) -> str:
    return f"'{_UNKNOWN if terminal == UNKNOWN else terminal}'"


def read_text(path: str | os.PathLike[str]) -> Grammar:
    """Read a grammar that was written as text.

    Raises
    ------
    FormatError
        With the line that cannot be read.
    """
    rules = _Rules()
    for number, line in enumerate(open_lines(path), start=1):
        if not line.strip():
            continue
        try:
            rules.add(line)
        except (LookupError, ValueError):
            raise FormatError(
                f"{line[:60]!r} is not a rule of a reordering grammar; write lines "
                "such as RULE ||| P12*1_0 -> P21_0 ||| 0.1",
                path=display(path),
                line=number,
            ) from None
    if not rules.splits:
        message = "there is no SPLIT line; write the states of every operator"
        raise FormatError(message, path=display(path))
    try:
        return rules.grammar()
    except (LookupError, InputError) as error:
        message = f"the rules do not fit together ({error}); write the file again"
        raise FormatError(message, path=display(path)) from None


@dataclass
class _Rules:
    """The lines of a file by kind."""

    splits: dict[str, int] = field(default_factory=dict)
    root: dict[str, float] = field(default_factory=dict)
    unary: dict[tuple[str, str], float] = field(default_factory=dict)
    emitted: dict[str, dict[str, float]] = field(default_factory=dict)
    backoff: dict[str, float] = field(default_factory=dict)

    def add(self, line: str) -> None:
        kind, _, rest = line.partition(_BAR)
        if kind == "SPLIT":
            name, _, states = rest.partition(_BAR)
            self.splits[_NAMED[name.strip()].name] = len(states.split())
        elif kind == "RULE":
            self._add_rule(rest)
        elif kind == "BACKOFF":
            name, value = rest.rsplit(_BAR, 1)
            self.backoff[name] = float(value)
        elif kind != "NONTERMS":
            raise ValueError(kind)

    def _add_rule(self, text: str) -> None:
        rule, value = text.rsplit(_BAR, 1)
        left, right = rule.split(" -> ", 1)
        if right.startswith("'") and right.endswith("'") and len(right) > 2:
            if not _SLOT.fullmatch(left):
                raise ValueError(left)
            self.emitted.setdefault(right, {})[left] = float(value)
        elif left == "ROOT":
            self.root[_matched(_STATE, right)] = float(value)
        elif "*" in left:
            key = _matched(_SLOT, left), _matched(_STATE, right)
            self.unary[key] = float(value)
        else:  # a state and its slots, which have no choice
            _matched(_STATE, left)

    def grammar(self) -> Grammar:
        operators = tuple(item for item in OPERATORS if item.name in self.splits)
        splits = tuple(self.splits[operator.name] for operator in operators)
        shape = zip(operators, splits, strict=True)
        names = [f"{item.name}_{k}" for item, count in shape for k in range(count)]
        states = {name: i for i, name in enumerate(names)}
        blocks = _blocks(operators, splits)
        slots = {name: i for i, name in enumerate(chain.from_iterable(blocks))}
        root, unary = np.zeros(len(states)), np.zeros((len(slots), len(states)))
        for name, value in self.root.items():
            root[states[name]] = value
        for (slot, name), value in self.unary.items():
            unary[slots[slot], states[name]] = value
        first = [0]
        columns: list[int] = []
        values: list[float] = []
        for emitted in self.emitted.values():
            for block in blocks:  # whole blocks, as training needs them
                if any(slot in emitted for slot in block):
                    columns += [slots[slot] for slot in block]
                    values += [emitted.get(slot, 0.0) for slot in block]
            first.append(len(columns))
        return Grammar(
            operators,
            splits,
            tuple(_unquoted(name) for name in self.emitted),
            root=root,
            unary=unary,
            first=np.array(first, np.uint32),
            slot=np.array(columns, np.uint32),
            value=np.array(values, np.float64),
            slot_backoff=np.array([self.backoff.get(name, 0.0) for name in slots]),
            terminal_backoff=np.array(
                [self.backoff.get(name, 0.0) for name in self.emitted]
            ),
        )


def _blocks(
    operators: tuple[Operator, ...], splits: tuple[int, ...]
) -> list[list[str]]:
    """Return the slots of each child of the operators."""
    return [
        [f"{operator.name}*{child + 1}_{k}" for k in range(count)]
        for operator, count in zip(operators, splits, strict=True)
        for child in range(operator.arity)
    ]


def _matched(pattern: re.Pattern[str], text: str) -> str:
    if not pattern.fullmatch(text):
        raise ValueError(text)
    return text


def _unquoted(name: str) -> str:
    return UNKNOWN if name[1:-1] == _UNKNOWN else name[1:-1]
