# SPDX-License-Identifier: Apache-2.0
"""Grammars as written: syntax trees of modules, types, expressions, patterns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tertium.grammars.gf.problems import Position

__all__ = [
    "Abstract",
    "Apply",
    "ArgumentType",
    "Branch",
    "Case",
    "Category",
    "Concrete",
    "Constructed",
    "Constructor",
    "Definition",
    "Empty",
    "Exp",
    "Extend",
    "Flag",
    "Function",
    "FunctionTypeExp",
    "Glue",
    "Join",
    "Lambda",
    "Let",
    "Lin",
    "Lincat",
    "Module",
    "Name",
    "NamedType",
    "Operation",
    "Parameter",
    "Pattern",
    "Project",
    "Record",
    "RecordTypeExp",
    "Resource",
    "Select",
    "String",
    "Table",
    "TableLambda",
    "TableTypeExp",
    "TypeExp",
    "Variants",
    "Wildcard",
    "Word",
]


@dataclass(frozen=True)
class Node:
    """Anything that stands somewhere."""

    at: Position


@dataclass(frozen=True)
class Word(Node):
    """An identifier."""

    text: str


# ------------------------------------------------------------------------- types


@dataclass(frozen=True)
class NamedType(Node):
    """``Str``, a parameter type or a category."""

    name: str


@dataclass(frozen=True)
class FunctionTypeExp(Node):
    """``A -> B``."""

    argument: TypeExp
    result: TypeExp


@dataclass(frozen=True)
class TableTypeExp(Node):
    """``P => T``."""

    key: TypeExp
    value: TypeExp


@dataclass(frozen=True)
class RecordTypeExp(Node):
    """``{s : Str ; g : Gender}``."""

    fields: tuple[tuple[Word, TypeExp], ...]


@dataclass(frozen=True)
class ArgumentType(Node):
    """``(x,y : T)``, as many arguments as names."""

    names: tuple[Word, ...]
    type: TypeExp


TypeExp: TypeAlias = (
    NamedType | FunctionTypeExp | TableTypeExp | RecordTypeExp | ArgumentType
)


# ---------------------------------------------------------------------- patterns


@dataclass(frozen=True)
class Wildcard(Node):
    """``_``."""


@dataclass(frozen=True)
class Constructed(Node):
    """``NF Sg c``; without arguments a constructor or a variable."""

    name: str
    arguments: tuple[Pattern, ...]


Pattern: TypeAlias = Wildcard | Constructed


@dataclass(frozen=True)
class Branch(Node):
    """``Nom | Gen => e``."""

    patterns: tuple[Pattern, ...]
    body: Exp


# ------------------------------------------------------------------- expressions


@dataclass(frozen=True)
class String(Node):
    """``"the owner of"``."""

    text: str


@dataclass(frozen=True)
class Empty(Node):
    """``[]``."""


@dataclass(frozen=True)
class Name(Node):
    """A variable, an operation, a constructor, ``BIND`` or ``nonExist``."""

    name: str


@dataclass(frozen=True)
class Let(Node):
    """``let x : T = e in b``, one binding."""

    name: Word
    type: TypeExp | None
    bound: Exp
    body: Exp


@dataclass(frozen=True)
class Lambda(Node):
    r"""``\x -> e``, one variable."""

    name: Word
    body: Exp


@dataclass(frozen=True)
class TableLambda(Node):
    r"""``\\x => e``, one variable."""

    name: Word
    body: Exp


@dataclass(frozen=True)
class Join(Node):
    """``a ++ b``; with `bind` ``a &+ b``."""

    left: Exp
    right: Exp
    bind: bool


@dataclass(frozen=True)
class Glue(Node):
    """``a + b``; the position is that of the plus."""

    left: Exp
    right: Exp


@dataclass(frozen=True)
class Select(Node):
    """``t ! p``."""

    table: Exp
    key: Exp


@dataclass(frozen=True)
class Extend(Node):
    """``r ** s``."""

    left: Exp
    right: Exp


@dataclass(frozen=True)
class Apply(Node):
    """``f x``, one argument."""

    function: Exp
    argument: Exp


@dataclass(frozen=True)
class Project(Node):
    """``r.f``."""

    record: Exp
    label: Word


@dataclass(frozen=True)
class Record(Node):
    """``{s = e ; g = Fem}``."""

    fields: tuple[tuple[Word, Exp], ...]


@dataclass(frozen=True)
class Variants(Node):
    """``variants {a ; b}`` or ``a | b``."""

    parts: tuple[Exp, ...]


@dataclass(frozen=True)
class Table(Node):
    """``table {Nom => e ; _ => f}``."""

    branches: tuple[Branch, ...]


@dataclass(frozen=True)
class Case(Node):
    """``case e of {Nom => f ; _ => g}``."""

    scrutinee: Exp
    branches: tuple[Branch, ...]


Exp: TypeAlias = (
    String
    | Empty
    | Name
    | Let
    | Lambda
    | TableLambda
    | Join
    | Glue
    | Select
    | Extend
    | Apply
    | Project
    | Record
    | Variants
    | Table
    | Case
)


# ------------------------------------------------------------------- definitions


@dataclass(frozen=True)
class Flag(Node):
    """``startcat = S``."""

    name: Word
    value: Word


@dataclass(frozen=True)
class Category(Node):
    """``cat A, B``."""

    names: tuple[Word, ...]


@dataclass(frozen=True)
class Function(Node):
    """``fun f, g : A -> B -> C``."""

    names: tuple[Word, ...]
    arguments: tuple[Word, ...]
    result: Word


@dataclass(frozen=True)
class Constructor(Node):
    """One of the values of a parameter type, with the types of its arguments."""

    name: str
    arguments: tuple[Word, ...]


@dataclass(frozen=True)
class Parameter(Node):
    """``param P = A | B Q``."""

    name: Word
    constructors: tuple[Constructor, ...]


@dataclass(frozen=True)
class Operation(Node):
    """``oper f : T = e``."""

    name: Word
    type: TypeExp | None
    body: Exp


@dataclass(frozen=True)
class Lincat(Node):
    """``lincat A, B = T``."""

    names: tuple[Word, ...]
    type: TypeExp


@dataclass(frozen=True)
class Lin(Node):
    """``lin f, g x y = e``."""

    names: tuple[Word, ...]
    variables: tuple[Word, ...]
    body: Exp


Definition: TypeAlias = (
    Flag | Category | Function | Parameter | Operation | Lincat | Lin
)


# ----------------------------------------------------------------------- modules


@dataclass(frozen=True)
class Abstract(Node):
    """``abstract A = {...}``."""

    name: Word
    definitions: tuple[Definition, ...]


@dataclass(frozen=True)
class Concrete(Node):
    """``concrete C of A = open R in {...}``."""

    name: Word
    of: Word
    opens: tuple[Word, ...]
    definitions: tuple[Definition, ...]


@dataclass(frozen=True)
class Resource(Node):
    """``resource R = open S in {...}``."""

    name: Word
    opens: tuple[Word, ...]
    definitions: tuple[Definition, ...]


Module: TypeAlias = Abstract | Concrete | Resource
