# SPDX-License-Identifier: Apache-2.0
"""Expressions after checking: names resolved, patterns matched, types gone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from tertium.automata.expressions import Expression
from tertium.grammars.gf.problems import Position
from tertium.grammars.gf.shapes import ParamValue, Type

__all__ = [
    "Application",
    "Concatenation",
    "Construction",
    "Extension",
    "Function",
    "Global",
    "Gluing",
    "Literal",
    "Local",
    "Oper",
    "Projection",
    "RecordTerm",
    "Selection",
    "TableTerm",
    "Term",
    "Variation",
    "With",
]


@dataclass(frozen=True, eq=False)
class Literal:
    """Text known when the grammar is read."""

    text: Expression


@dataclass(frozen=True, eq=False)
class Local:
    """A variable."""

    name: str


@dataclass(eq=False)
class Oper:
    """An operation of a module; type and term are determined on first use."""

    name: str
    type: Type | None = field(default=None, repr=False)
    term: Term | None = field(default=None, repr=False)


@dataclass(frozen=True, eq=False)
class Global:
    """The use of an operation."""

    oper: Oper


@dataclass(frozen=True, eq=False)
class Function:
    """A function of one variable."""

    name: str
    body: Term


@dataclass(frozen=True, eq=False)
class Application:
    """A function and its argument."""

    function: Term
    argument: Term


@dataclass(frozen=True, eq=False)
class Construction:
    """A value of a parameter type."""

    name: str
    arguments: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class RecordTerm:
    """Fields by label."""

    fields: dict[str, Term]


@dataclass(frozen=True, eq=False)
class Projection:
    """A field of a record."""

    record: Term
    label: str


@dataclass(frozen=True, eq=False)
class Extension:
    """A record with fields of another one added."""

    left: Term
    right: Term


@dataclass(frozen=True, eq=False)
class TableTerm:
    """Of each key: what its pattern binds, and the branch."""

    entries: dict[ParamValue, tuple[dict[str, ParamValue], Term]]


@dataclass(frozen=True, eq=False)
class Selection:
    """An entry of a table."""

    table: Term
    key: Term


@dataclass(frozen=True, eq=False)
class With:
    """A variable bound by ``let``."""

    name: str
    bound: Term
    body: Term


@dataclass(frozen=True, eq=False)
class Variation:
    """One of the parts."""

    parts: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class Concatenation:
    """Text after text."""

    parts: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class Gluing:
    """Text joined to text within one token."""

    left: Term
    right: Term
    at: Position


Term: TypeAlias = (
    Literal
    | Local
    | Global
    | Function
    | Application
    | Construction
    | RecordTerm
    | Projection
    | Extension
    | TableTerm
    | Selection
    | With
    | Variation
    | Concatenation
    | Gluing
)
