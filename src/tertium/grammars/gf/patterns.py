# SPDX-License-Identifier: Apache-2.0
"""Patterns of tables: which values each matches, and what it binds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tertium.grammars.gf.problems import GrammarError, did_you_mean
from tertium.grammars.gf.scopes import Scope
from tertium.grammars.gf.shapes import ParamType, ParamValue, Type, show_value
from tertium.grammars.gf.syntax import Branch, Pattern, Wildcard
from tertium.grammars.gf.terms import TableTerm, Term

__all__ = ["key_of", "table_term"]


def key_of(branches: Sequence[Branch], scope: Scope) -> ParamType | None:
    """Return the type of the keys if the patterns determine it."""
    for branch in branches:
        for pattern in branch.patterns:
            if not isinstance(pattern, Wildcard):
                constructor = scope.constructor(pattern.name, pattern.at)
                if constructor:
                    return constructor.type
    return None


def table_term(
    branches: Sequence[Branch],
    key: ParamType,
    names: Mapping[str, Type],
    scope: Scope,
    checked: Callable[[int, Mapping[str, Type]], Term],
) -> TableTerm:
    """Return the table of some branches.

    Parameters
    ----------
    branches : sequence of Branch
        What is written.
    key : ParamType
        The type of the keys.
    names : mapping
        The types of variables around the table.
    scope : Scope
        What other names mean.
    checked : callable
        Gives the term of a branch, from its number and the types of variables.
    """
    chosen = _chosen(branches, key, scope)
    bodies = []
    for number, branch in enumerate(branches):
        inner = dict(names)
        for pattern in branch.patterns:
            inner.update(_types(pattern, key))
        bodies.append(checked(number, inner))
    return TableTerm(
        {value: (bound, bodies[number]) for value, (number, bound) in chosen.items()}
    )


def _types(pattern: Pattern, key: ParamType) -> dict[str, Type]:
    """Return the types of the variables in a pattern."""
    if isinstance(pattern, Wildcard):
        return {}
    if pattern.name not in key.constructors:
        return {pattern.name: key}
    variables: dict[str, Type] = {}
    types = key.constructors[pattern.name]
    for inner, of in zip(pattern.arguments, types, strict=True):
        variables.update(_types(inner, of))
    return variables


def _chosen(
    branches: Sequence[Branch], key: ParamType, scope: Scope
) -> dict[ParamValue, tuple[int, dict[str, ParamValue]]]:
    """Return for each key the branch it takes, the first that matches.

    Raises
    ------
    GrammarError
        If a pattern is wrong, or a key has no branch.
    """
    chosen: dict[ParamValue, tuple[int, dict[str, ParamValue]]] = {}
    for number, branch in enumerate(branches):
        for pattern in branch.patterns:
            names = _check(pattern, key, scope)
            if len(branch.patterns) > 1 and names:
                raise GrammarError(
                    f"the variable {names[0]!r} stands in one of several patterns",
                    "write a branch for each, or _ for the variable",
                    at=pattern.at,
                )
            matched = False
            for value in key.values:
                bound: dict[str, ParamValue] = {}
                if value not in chosen and _match(pattern, value, key, scope, bound):
                    chosen[value] = (number, bound)
                    matched = True
            if not matched:
                scope.problems.warn(
                    "this pattern is never reached",
                    "those before it match all its values; delete it or move it up",
                    pattern.at,
                )
    missing = [show_value(value) for value in key.values if value not in chosen]
    if missing:
        shown = ", ".join(missing[:4]) + (", ..." if missing[4:] else "")
        raise GrammarError(
            f"the table has no branch for {shown}",
            f"add what is missing of {key}, or a last branch _ => ...",
            at=branches[0].at,
        )
    return chosen


def _check(pattern: Pattern, key: ParamType, scope: Scope) -> list[str]:
    """Reject a pattern that does not fit the type; return the names it binds."""
    if isinstance(pattern, Wildcard):
        return []
    name = pattern.name
    if name in key.constructors:
        arguments = key.constructors[name]
        if len(arguments) != len(pattern.arguments):
            raise GrammarError(
                f"{name!r} has {len(arguments)} arguments, not "
                f"{len(pattern.arguments)}",
                f"write {' '.join([name, *(f'({a})' for a in map(str, arguments))])}"
                " with patterns for the types",
                at=pattern.at,
            )
        names: list[str] = []
        for inner, of in zip(pattern.arguments, arguments, strict=True):
            for one in _check(inner, of, scope):
                if one in names:
                    raise GrammarError(
                        f"the pattern binds {one!r} twice", "rename one", at=inner.at
                    )
                names.append(one)
        return names
    other = scope.constructor(name, pattern.at)
    if other:
        raise GrammarError(
            f"{name!r} is a value of {other.type}, not of {key}",
            f"values of {key} are {_some(key)}",
            at=pattern.at,
        )
    # Constructors begin with a capital and variables do not: without this rule of
    # ours a misspelt constructor would be a variable and match everything.
    if name[0].isupper() or pattern.arguments:
        raise GrammarError(
            f"{name!r} is not a value of {key}",
            did_you_mean(name, key.constructors, f"values of {key} are {_some(key)}"),
            at=pattern.at,
        )
    return [name]


def _match(
    pattern: Pattern,
    value: ParamValue,
    key: ParamType,
    scope: Scope,
    bound: dict[str, ParamValue],
) -> bool:
    if isinstance(pattern, Wildcard):
        return True
    if pattern.name not in key.constructors:
        bound[pattern.name] = value
        return True
    if value[0] != pattern.name:
        return False
    types = key.constructors[pattern.name]
    return all(
        _match(inner, part, of, scope, bound)  # type: ignore[arg-type]
        for inner, part, of in zip(pattern.arguments, value[1:], types, strict=True)
    )


def _some(key: ParamType) -> str:
    names = list(key.constructors)
    return ", ".join(names[:6]) + (", ..." if names[6:] else "")
