# SPDX-License-Identifier: Apache-2.0
"""What names mean inside a module: parameters, constructors, operations, types."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from tertium.grammars.gf import syntax
from tertium.grammars.gf.problems import GrammarError, Position, Problems, did_you_mean
from tertium.grammars.gf.shapes import (
    MOST_VALUES,
    STR,
    FunctionType,
    ParamType,
    RecordType,
    TableType,
    Type,
)
from tertium.grammars.gf.terms import Oper

__all__ = ["Constructor", "Scope", "find_circle", "open_scopes"]


@dataclass(frozen=True, eq=False)
class Constructor:
    """A constructor of a parameter type."""

    name: str
    type: ParamType
    arguments: tuple[ParamType, ...]


Meaning: TypeAlias = Oper | Constructor


@dataclass(eq=False)
class Scope:
    """The names of a module and of those it opens."""

    name: str
    opened: dict[str, Scope]
    problems: Problems
    params: dict[str, ParamType] = field(default_factory=dict)
    values: dict[str, Meaning] = field(default_factory=dict)
    bodies: dict[Oper, syntax.Operation] = field(default_factory=dict)
    #: The linearisation types of categories; these are types, too.
    lincats: dict[str, Type] = field(default_factory=dict)

    # ------------------------------------------------------------------ looking

    def meaning(self, name: str, at: Position) -> Meaning | None:
        """Return what a name means; local names take precedence over opened ones."""
        if name in self.values:
            return self.values[name]
        meanings = {
            module: scope.values[name]
            for module, scope in self.opened.items()
            if name in scope.values
        }
        if len(set(map(id, meanings.values()))) > 1:
            raise _ambiguous(name, list(meanings), at)
        return next(iter(meanings.values()), None)

    def known(self) -> set[str]:
        """Return all names that mean something here."""
        return set(self.values).union(*(one.values for one in self.opened.values()))

    def constructor(self, name: str, at: Position) -> Constructor | None:
        """Return the constructor of a name, or None."""
        meaning = self.meaning(name, at)
        return meaning if isinstance(meaning, Constructor) else None

    # -------------------------------------------------------------------- types

    def named_type(self, name: str, at: Position) -> Type:
        """Return the type of a name."""
        if name == "Str":
            return STR
        if name in self.params:
            return self.params[name]
        types = {
            module: scope.params[name]
            for module, scope in self.opened.items()
            if name in scope.params
        }
        if len(types) > 1:
            raise _ambiguous(name, list(types), at)
        if types:
            return next(iter(types.values()))
        if name in self.lincats:
            return self.lincats[name]
        known = {"Str", *self.params, *self.lincats}
        known = known.union(*(scope.params for scope in self.opened.values()))
        cure = did_you_mean(name, known, f"define it: param {name} = ...")
        message = f"unknown type {name!r}"
        raise GrammarError(message, cure, at=at)

    def param(self, word: syntax.Word | syntax.NamedType) -> ParamType:
        """Return the parameter type of a name."""
        name = word.text if isinstance(word, syntax.Word) else word.name
        kind = self.named_type(name, word.at)
        if not isinstance(kind, ParamType):
            raise GrammarError(
                f"{name!r} is not a parameter type",
                "only these have a finite number of values; define one with param",
                at=word.at,
            )
        return kind

    def type(self, written: syntax.TypeExp) -> Type:
        """Return the type that is written."""
        if isinstance(written, syntax.NamedType):
            return self.named_type(written.name, written.at)
        if isinstance(written, syntax.TableTypeExp):
            if not isinstance(written.key, syntax.NamedType):
                raise GrammarError(
                    "the keys of a table are values of a parameter type",
                    "write a table as Param => Type",
                    at=written.key.at,
                )
            return TableType(self.param(written.key), self.type(written.value))
        if isinstance(written, syntax.FunctionTypeExp):
            result = self.type(written.result)
            argument, count = written.argument, 1
            if isinstance(argument, syntax.ArgumentType):
                count = len(argument.names)
                argument = argument.type
            kind = self.type(argument)
            for _ in range(count):
                result = FunctionType(kind, result)
            return result
        if isinstance(written, syntax.ArgumentType):
            raise GrammarError(
                "names of arguments stand before an arrow only",
                "write (x,y : Str) -> Str",
                at=written.at,
            )
        fields: dict[str, Type] = {}
        for label, of in written.fields:
            if label.text in fields:
                raise GrammarError(
                    f"there are two fields {label.text!r}", "rename one", at=label.at
                )
            fields[label.text] = self.type(of)
        return RecordType(tuple(sorted(fields.items())))


def _ambiguous(name: str, modules: list[str], at: Position) -> GrammarError:
    return GrammarError(
        f"{name!r} is defined in {' and in '.join(modules)}",
        f"say which: {modules[0]}.{name}",
        at=at,
    )


def open_scopes(
    module: syntax.Concrete | syntax.Resource,
    scopes: dict[str, Scope],
    problems: Problems,
) -> Scope:
    """Return the scope of a module; those that it opens are there already."""
    scope = Scope(
        module.name.text,
        {word.text: scopes[word.text] for word in module.opens},
        problems,
    )
    parameters = [
        one for one in module.definitions if isinstance(one, syntax.Parameter)
    ]
    first: dict[str, Position] = {}
    for one in parameters:
        if one.name.text == "Str":
            problems.error("'Str' is the type of text", "rename this type", one.name.at)
        elif _new(one.name.text, one.name.at, first, problems):
            scope.params[one.name.text] = ParamType(one.name.text)
    first.clear()
    for one in parameters:
        _constructors(one, scope, first, problems)
    _reject_infinite(parameters, scope, problems)
    for operation in module.definitions:
        if isinstance(operation, syntax.Operation):
            word = operation.name
            if word.text in ("BIND", "nonExist"):
                problems.error(
                    f"{word.text!r} has a meaning already", "rename this", word.at
                )
            elif _new(word.text, word.at, first, problems):
                oper = Oper(word.text)
                scope.values[word.text] = oper
                scope.bodies[oper] = operation
    return scope


def _constructors(
    parameter: syntax.Parameter,
    scope: Scope,
    first: dict[str, Position],
    problems: Problems,
) -> None:
    param = scope.params.get(parameter.name.text)
    if param is None:
        return
    for one in parameter.constructors:
        with problems.collected():
            arguments = tuple(scope.param(word) for word in one.arguments)
            if _new(one.name, one.at, first, problems):
                param.constructors[one.name] = arguments
                scope.values[one.name] = Constructor(one.name, param, arguments)


def _new(
    name: str, at: Position, first: dict[str, Position], problems: Problems
) -> bool:
    if name in first:
        problems.error(
            f"{name!r} is defined twice, first at line {first[name].line}",
            "rename or delete one",
            at,
        )
        return False
    first[name] = at
    return True


def _reject_infinite(
    parameters: list[syntax.Parameter], scope: Scope, problems: Problems
) -> None:
    places = {one.name.text: one.name.at for one in parameters}
    uses = {
        name: [arg.name for args in of.constructors.values() for arg in args]
        for name, of in scope.params.items()
    }
    circle = find_circle(uses)
    if circle:
        problems.error(
            f"parameter type {circle[0]!r} contains itself ({' > '.join(circle)})",
            "its values must be finite; take the circle apart",
            places[circle[0]],
        )
        problems.settle()  # tables over it cannot be checked
    for name, of in scope.params.items():
        if of.size > MOST_VALUES:
            problems.error(
                f"parameter type {name!r} has {of.size:,} values",
                f"at most {MOST_VALUES:,} are allowed; use smaller types",
                places[name],
            )
            problems.settle()


def find_circle(uses: dict[str, list[str]]) -> list[str]:
    """Return names that lead back to the first of them, or an empty list."""
    done: set[str] = set()
    for start in uses:
        path = {start: iter(uses[start])}
        while path and start not in done:
            name = next(reversed(path))
            for one in path[name]:
                if one in path:
                    names = list(path)
                    return [*names[names.index(one) :], one]
                if one in uses and one not in done:
                    path[one] = iter(uses[one])
                    break
            else:
                del path[name]
                done.add(name)
    return []
