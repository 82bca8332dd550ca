# SPDX-License-Identifier: Apache-2.0
"""The types of values: text, parameters, records, tables, functions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

__all__ = [
    "STR",
    "FunctionType",
    "ParamType",
    "ParamValue",
    "Path",
    "RecordType",
    "StrType",
    "TableType",
    "Type",
    "fits",
    "has_function",
    "leaf_count",
    "leaves",
    "show_value",
]

#: A value of a parameter type: the constructor, then the values of its arguments.
ParamValue: TypeAlias = tuple[object, ...]
#: The way from a value to a part of it: labels of records and keys of tables.
Path: TypeAlias = tuple["str | ParamValue", ...]

#: A parameter type with more values than this is a mistake.
MOST_VALUES = 10_000


@dataclass(frozen=True)
class StrType:
    """Text."""

    def __str__(self) -> str:
        return "Str"


STR = StrType()


class ParamType:
    """A parameter type; there is one object for each.

    Attributes
    ----------
    constructors : dict of str to tuple of ParamType
        The types of each constructor's arguments.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.constructors: dict[str, tuple[ParamType, ...]] = {}

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"ParamType({self.name!r})"

    @cached_property
    def size(self) -> int:
        """The number of values; recursive types must have been rejected before."""
        total = 0
        for arguments in self.constructors.values():
            product = 1
            for argument in arguments:
                product *= argument.size
            total += product
        return total

    @cached_property
    def values(self) -> tuple[ParamValue, ...]:
        """All values, in the order of the definition."""
        return tuple(
            (name, *chosen)
            for name, arguments in self.constructors.items()
            for chosen in itertools.product(*(one.values for one in arguments))
        )


@dataclass(frozen=True)
class RecordType:
    """Fields by label, sorted."""

    fields: tuple[tuple[str, Type], ...]

    @cached_property
    def by_label(self) -> dict[str, Type]:
        """The fields as a dictionary."""
        return dict(self.fields)

    def __str__(self) -> str:
        return "{" + " ; ".join(f"{name} : {of}" for name, of in self.fields) + "}"


@dataclass(frozen=True)
class TableType:
    """A value for each value of a parameter type."""

    key: ParamType
    value: Type

    def __str__(self) -> str:
        return f"{self.key} => {_inner(self.value)}"


@dataclass(frozen=True)
class FunctionType:
    """A function of one argument."""

    argument: Type
    result: Type

    def __str__(self) -> str:
        left = self.argument
        compound = isinstance(left, FunctionType | TableType)
        return f"{f'({left})' if compound else left} -> {self.result}"


Type: TypeAlias = StrType | ParamType | RecordType | TableType | FunctionType


def _inner(of: Type) -> str:
    return f"({of})" if isinstance(of, FunctionType) else str(of)


def fits(actual: Type, wanted: Type) -> bool:
    """Return whether a value may stand where another type is wanted.

    A record may have more fields than wanted, as in GF.
    """
    if isinstance(actual, RecordType) and isinstance(wanted, RecordType):
        fields = actual.by_label
        return all(
            name in fields and fits(fields[name], of) for name, of in wanted.fields
        )
    if isinstance(actual, TableType) and isinstance(wanted, TableType):
        return actual.key is wanted.key and fits(actual.value, wanted.value)
    if isinstance(actual, FunctionType) and isinstance(wanted, FunctionType):
        return fits(wanted.argument, actual.argument) and fits(
            actual.result, wanted.result
        )
    return actual is wanted


def leaves(of: Type, path: Path = ()) -> Iterator[tuple[Path, StrType | ParamType]]:
    """Yield the texts and parameters in a value of a type, with the way to each."""
    if isinstance(of, RecordType):
        for name, inner in of.fields:
            yield from leaves(inner, (*path, name))
    elif isinstance(of, TableType):
        for value in of.key.values:
            yield from leaves(of.value, (*path, value))
    elif isinstance(of, StrType | ParamType):
        yield path, of


def leaf_count(of: Type) -> int:
    """Return the number of texts and parameters in a value of a type."""
    if isinstance(of, RecordType):
        return sum(leaf_count(inner) for _, inner in of.fields)
    if isinstance(of, TableType):
        return of.key.size * leaf_count(of.value)
    return 1


def has_function(of: Type) -> bool:
    """Return whether there is a function in values of a type."""
    if isinstance(of, RecordType):
        return any(has_function(inner) for _, inner in of.fields)
    if isinstance(of, TableType):
        return has_function(of.value)
    return isinstance(of, FunctionType)


def show_value(value: ParamValue) -> str:
    """Return a value of a parameter type as it is written."""
    name, *rest = value
    words = [show_value(one) for one in rest]  # type: ignore[arg-type]
    return " ".join([str(name), *(f"({w})" if " " in w else w for w in words)])
