# SPDX-License-Identifier: Apache-2.0
"""Messages about types that do not match."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.grammars.gf.problems import GrammarError, Position
from tertium.grammars.gf.shapes import FunctionType, RecordType, TableType, Type, fits

__all__ = ["common", "described", "mismatch", "untyped"]


def common(types: Sequence[tuple[Type, Position]]) -> Type:
    """Return the type that all the types fit."""
    for candidate, _ in types:
        if all(fits(of, candidate) for of, _ in types):
            return candidate
    first = types[0][0]
    strangers = [
        (of, at) for of, at in types if not (fits(of, first) or fits(first, of))
    ]
    other, at = strangers[0] if strangers else types[-1]
    raise GrammarError(
        f"{described(other)} stands beside {described(first)}",
        "all alternatives must be of one type",
        at=at,
    )


def described(of: Type) -> str:
    """Return a value of a type in words."""
    if isinstance(of, FunctionType):
        return f"a function of type {of}"
    return f"a value of type {of}"


def mismatch(
    shown: str, wanted: Type, at: Position, actual: Type | None = None
) -> GrammarError:
    """Return the error that one thing stands where another should."""
    cure = f"a value of type {wanted} is expected here"
    if isinstance(actual, FunctionType) and fits(_result(actual), wanted):
        cure += "; give it its arguments"
    elif isinstance(actual, TableType) and fits(actual.value, wanted):
        cure += f"; choose from the table with ! and a value of {actual.key}"
    elif isinstance(actual, RecordType):
        fields = [name for name, of in actual.fields if fits(of, wanted)]
        if fields:
            cure += f"; take its field with .{fields[0]}"
        elif isinstance(wanted, RecordType):
            lost = [name for name in wanted.by_label if name not in actual.by_label]
            cure += f"; the field {lost[0]!r} is missing" if lost else ""
    return GrammarError(f"this is {shown}", cure, at=at)


def _result(of: Type) -> Type:
    while isinstance(of, FunctionType):
        of = of.result
    return of


def untyped(what: str, example: str, at: Position) -> GrammarError:
    """Return the error that a type must be written."""
    return GrammarError(
        f"the type of {what} cannot be inferred",
        f"write it where it gets its name, such as {example} = ...",
        at=at,
    )
