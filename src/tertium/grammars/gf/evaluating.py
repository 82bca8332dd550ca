# SPDX-License-Identifier: Apache-2.0
"""What a linearisation makes of its arguments, without looking into their texts.

A text of an argument is a :class:`Slot`, to be filled later: only parameters decide
what a body does, so a body is evaluated once for all texts (3.5, step 2). The value
of a term is a list of alternatives. Texts never need more than one, a choice; of
records and tables there are several if free variation changes more than a text.

Names stand for terms, not for values: what ``let`` binds varies anew with each use.
So inside a body alternatives with equal parameters may be merged, text by text, and
are if `merging`. Where an argument's texts must stay together, they are not.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

from tertium.automata.expressions import (
    BIND,
    Choice,
    Expression,
    Sequence,
    Token,
    choice,
    sequence,
)
from tertium.grammars.gf import terms
from tertium.grammars.gf.problems import GrammarError
from tertium.grammars.gf.shapes import ParamValue

__all__ = ["Evaluator", "Slot", "TooManyError", "Value", "expanded"]

#: No value may have more alternatives than this.
MOST = 20_000


class TooManyError(Exception):
    """There are more alternatives than anyone can have meant."""


@dataclass(frozen=True, slots=True, eq=False)
class Slot(Token):
    """A text of an argument: the number of the argument and of its text."""

    argument: int
    leaf: int

    @classmethod
    def of(cls, argument: int, leaf: int) -> Slot:
        """Return the slot of a text of an argument."""
        # No token holds a space, so this is the text of no other.
        return cls(f"{argument} {leaf}", argument, leaf)


@dataclass(frozen=True, eq=False)
class Closure:
    """A function with the variables around it."""

    name: str
    body: terms.Term
    names: Names


class Later:
    """A term to be evaluated when it is asked for."""

    __slots__ = ("names", "term", "values")

    def __init__(self, term: terms.Term, names: Names) -> None:
        self.term = term
        self.names = names
        self.values: list[Value] | None = None


Value: TypeAlias = "Expression | ParamValue | Closure | dict[str, Value] | Table"
Names: TypeAlias = "Mapping[str, Later | list[Value]]"


class Table(dict[ParamValue, "Value"]):
    """A value for each key."""


class Evaluator:
    """Evaluates terms.

    Parameters
    ----------
    merging : bool
        Whether alternatives with equal parameters become one.
    """

    def __init__(self, *, merging: bool) -> None:
        self.merging = merging
        self._opers: dict[terms.Oper, list[Value]] = {}

    def values(self, term: terms.Term, names: Names) -> list[Value]:
        """Return the alternatives of a term."""
        match term:
            case terms.Literal():
                return [term.text]
            case terms.Local():
                return self._local(term, names)
            case terms.Global():
                return self._oper(term.oper)
            case terms.Function():
                return [Closure(term.name, term.body, names)]
            case terms.Application():
                return self._application(term, names)
            case terms.Construction():
                return self._construction(term, names)
            case terms.RecordTerm():
                return self._record(term, names)
            case terms.Projection():
                records = self.values(term.record, names)
                return self._merged(
                    cast("dict[str, Value]", record)[term.label] for record in records
                )
            case terms.Extension():
                return self._extension(term, names)
            case terms.TableTerm():
                return self._table(term, names)
            case terms.Selection():
                return self._selection(term, names)
            case terms.With():
                inner = {**names, term.name: Later(term.bound, names)}
                return self.values(term.body, inner)
            case terms.Variation():
                return self._merged(
                    value for part in term.parts for value in self.values(part, names)
                )
            case terms.Concatenation():
                return [sequence(self._text(part, names) for part in term.parts)]
            case terms.Gluing():
                return self._gluing(term, names)

    def _text(self, term: terms.Term, names: Names) -> Expression:
        """Return the text of a term that has one."""
        return cast("Expression", self.values(term, names)[0])

    # -------------------------------------------------------------------- terms

    def _local(self, term: terms.Local, names: Names) -> list[Value]:
        value = names[term.name]
        if not isinstance(value, Later):
            return value
        if value.values is None:
            value.values = self.values(value.term, value.names)
        return value.values

    def _oper(self, oper: terms.Oper) -> list[Value]:
        result = self._opers.get(oper)
        if result is None:
            body = cast("terms.Term", oper.term)
            result = self._opers[oper] = self.values(body, {})
        return result

    def _application(self, term: terms.Application, names: Names) -> list[Value]:
        argument = Later(term.argument, names)
        return self._merged(
            value
            for closure in cast("list[Closure]", self.values(term.function, names))
            for value in self.values(
                closure.body, {**closure.names, closure.name: argument}
            )
        )

    def _construction(self, term: terms.Construction, names: Names) -> list[Value]:
        arguments = [self.values(argument, names) for argument in term.arguments]
        return [(term.name, *chosen) for chosen in _product(arguments)]

    def _record(self, term: terms.RecordTerm, names: Names) -> list[Value]:
        fields = [self.values(field, names) for field in term.fields.values()]
        return [
            dict(zip(term.fields, chosen, strict=True)) for chosen in _product(fields)
        ]

    def _extension(self, term: terms.Extension, names: Names) -> list[Value]:
        sides = [self.values(term.left, names), self.values(term.right, names)]
        return [
            {**cast("dict[str, Value]", one), **cast("dict[str, Value]", other)}
            for one, other in _product(sides)
        ]

    def _table(self, term: terms.TableTerm, names: Names) -> list[Value]:
        entries = [self._entry(term, key, names) for key in term.entries]
        return [
            Table(zip(term.entries, chosen, strict=True))
            for chosen in _product(entries)
        ]

    def _entry(
        self, term: terms.TableTerm, key: ParamValue, names: Names
    ) -> list[Value]:
        bound, body = term.entries[key]
        return self.values(body, {**names, **{name: [bound[name]] for name in bound}})

    def _selection(self, term: terms.Selection, names: Names) -> list[Value]:
        keys = cast("list[ParamValue]", self.values(term.key, names))
        if isinstance(term.table, terms.TableTerm):
            # The other entries need not be known.
            table = term.table
            return self._merged(
                value for key in keys for value in self._entry(table, key, names)
            )
        tables = cast("list[Table]", self.values(term.table, names))
        return self._merged(table[key] for table in tables for key in keys)

    def _gluing(self, term: terms.Gluing, names: Names) -> list[Value]:
        sides = [self._text(term.left, names), self._text(term.right, names)]
        for tokens in [list(_tokens(side)) for side in sides]:
            if any(isinstance(token, Slot) for token in tokens):
                raise GrammarError(
                    "the text of an argument is not known when the grammar is read, "
                    "so '+' cannot glue it",
                    "write ++ BIND ++ (or &+ for short) instead of +",
                    at=term.at,
                )
            if any(token.text == BIND.text for token in tokens):
                raise GrammarError(
                    "BIND is not a word, so '+' cannot glue it",
                    "write ++ before and after BIND",
                    at=term.at,
                )
        left, right = map(expanded, sides)
        if len(left) * len(right) > MOST:
            raise TooManyError
        return [choice(_glued(one, other) for one in left for other in right)]

    # ------------------------------------------------------------- alternatives

    def _merged(self, values: Iterable[Value]) -> list[Value]:
        """Return alternatives: of texts one, of others each once."""
        alternatives = list(values)
        if len(alternatives) < 2:
            return alternatives
        if isinstance(alternatives[0], Token | Sequence | Choice):
            return [choice(cast("list[Expression]", alternatives))]
        if len(alternatives) > MOST:
            raise TooManyError
        if isinstance(alternatives[0], tuple):
            return list(dict.fromkeys(cast("list[ParamValue]", alternatives)))
        if not self.merging:
            return alternatives
        alike: dict[object, list[Value]] = {}
        for value in alternatives:
            alike.setdefault(_parameters(value), []).append(value)
        return [_united(group) for group in alike.values()]


def _product(alternatives: list[list[Value]]) -> Iterable[tuple[Value, ...]]:
    size = 1
    for one in alternatives:
        size *= len(one)
    if size > MOST:
        raise TooManyError
    return itertools.product(*alternatives)


def _parameters(value: Value) -> object:
    """Return what must be equal in values that merge: all but the texts."""
    if isinstance(value, dict):
        return tuple((key, _parameters(part)) for key, part in sorted(value.items()))
    if isinstance(value, Token | Sequence | Choice):
        return None
    return value


def _united(values: list[Value]) -> Value:
    first = values[0]
    if len(values) == 1:
        return first
    if isinstance(first, dict):
        tables = cast("list[Table]", values)
        parts = {
            key: _united([table[key] for table in tables])
            for key in cast("Table", first)
        }
        return Table(parts) if isinstance(first, Table) else cast("Value", parts)
    if isinstance(first, Token | Sequence | Choice):
        return choice(cast("list[Expression]", values))
    return first


def _tokens(expression: Expression) -> Iterable[Token]:
    if isinstance(expression, Token):
        yield expression
    else:
        for part in expression.parts:
            yield from _tokens(part)


def expanded(expression: Expression) -> list[tuple[Token, ...]]:
    """Return the sentences of an expression one by one."""
    if isinstance(expression, Token):
        return [(expression,)]
    parts = [expanded(part) for part in expression.parts]
    if isinstance(expression, Choice):
        every = [tokens for part in parts for tokens in part]
    else:
        size = 1
        for part in parts:
            size *= len(part)
        if size > MOST:
            raise TooManyError
        every = [sum(chosen, ()) for chosen in itertools.product(*parts)]
    unique = {tuple(token.text for token in tokens): tokens for tokens in every}
    if len(unique) > MOST:
        raise TooManyError
    return list(unique.values())


def _glued(left: tuple[Token, ...], right: tuple[Token, ...]) -> Expression:
    if not left or not right:
        return sequence([*left, *right])
    glued = Token(left[-1].text + right[0].text)
    return sequence([*left[:-1], glued, *right[1:]])
