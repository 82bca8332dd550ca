# SPDX-License-Identifier: Apache-2.0
"""The concrete parts of a grammar, checked: operations, lincats, lins."""

from __future__ import annotations

from dataclasses import dataclass, field

from tertium.grammars.gf import syntax, terms
from tertium.grammars.gf.abstracts import AbstractGrammar, TreeFunction, check_abstract
from tertium.grammars.gf.inference import Elaborator
from tertium.grammars.gf.modules import Modules
from tertium.grammars.gf.problems import GrammarError, Position, Problems, did_you_mean
from tertium.grammars.gf.scopes import Scope, find_circle, open_scopes
from tertium.grammars.gf.shapes import (
    STR,
    FunctionType,
    Type,
    has_function,
    leaf_count,
)

__all__ = ["ConcreteGrammar", "Linearisation", "check_modules"]

#: A linearisation type with more texts and parameters than this is a mistake.
MOST_LEAVES = 10_000


@dataclass(frozen=True)
class Linearisation:
    """The linearisation of a function: argument names, and what is made of them."""

    variables: tuple[str, ...]
    body: terms.Term
    at: Position


@dataclass
class ConcreteGrammar:
    """One language: the types of categories, and what functions look like."""

    name: str
    language: str
    at: Position
    lincats: dict[str, Type] = field(default_factory=dict)
    lins: dict[str, Linearisation] = field(default_factory=dict)


def check_modules(modules: Modules) -> tuple[AbstractGrammar, list[ConcreteGrammar]]:
    """Return the parts of a grammar; all errors of all modules are raised at once."""
    problems = modules.problems
    abstract = check_abstract(modules.abstract, problems)
    checker = _Checker(problems)
    scopes: dict[str, Scope] = {}
    for name, resource in modules.resources.items():
        scopes[name] = open_scopes(resource, scopes, problems)
        checker.add(scopes[name])
    concretes = []
    for module in modules.concretes:
        scope = open_scopes(module, scopes, problems)
        checker.add(scope)
        concretes.append(_Concrete(module, scope, abstract, checker).checked())
    checker.check_all()
    problems.settle()
    for function in abstract.functions.values():
        if not any(function.name in one.lins for one in concretes):
            problems.warn(
                f"no language has a lin for {function.name!r}",
                "write one, or delete the function",
                function.at,
            )
    return abstract, concretes


class _Checker:
    """Knows the operations of all modules, and checks each once."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.homes: dict[terms.Oper, Scope] = {}
        self.failed: dict[terms.Oper, GrammarError] = {}
        self.uses: dict[terms.Oper, list[terms.Oper]] = {}
        self.path: list[terms.Oper] = []

    def add(self, scope: Scope) -> None:
        for oper in scope.bodies:
            self.homes[oper] = scope

    def elaborator(self, scope: Scope) -> Elaborator:
        return Elaborator(scope, self.oper_type)

    def oper_type(self, oper: terms.Oper, at: Position) -> Type:
        """Return the type of an operation used somewhere."""
        if self.path:
            self.uses.setdefault(self.path[-1], []).append(oper)
        written = self.homes[oper].bodies[oper].type
        if oper.type is None and written is not None:
            oper.type = self.homes[oper].type(written)
        if oper.type is None:
            if oper in self.path:
                raise _recursive([oper.name, oper.name], at)
            self.check(oper)
        if oper.type is None:  # its own error is noted already
            raise self.failed[oper]
        return oper.type

    def check(self, oper: terms.Oper) -> None:
        if oper.term is not None or oper in self.failed:
            return
        scope = self.homes[oper]
        operation = scope.bodies[oper]
        elaborator = self.elaborator(scope)
        self.path.append(oper)
        try:
            if operation.type is None:
                oper.term, oper.type = elaborator.infer(operation.body, {})
            else:
                of = scope.type(operation.type)
                oper.term, oper.type = elaborator.check(operation.body, of, {}), of
        except GrammarError as error:
            self.failed[oper] = error
        finally:
            self.path.pop()

    def check_all(self) -> None:
        for oper in self.homes:
            self.check(oper)
        for error in self.failed.values():
            with self.problems.collected():
                raise error
        names = {
            oper: f"{scope.name}.{oper.name}" for oper, scope in self.homes.items()
        }
        circle = find_circle(
            {
                names[oper]: [names[one] for one in self.uses.get(oper, ())]
                for oper in self.homes
            }
        )
        if circle:
            oper = next(one for one, name in names.items() if name == circle[0])
            at = self.homes[oper].bodies[oper].name.at
            short = [name.partition(".")[2] for name in circle]
            with self.problems.collected():
                raise _recursive(short, at)


def _recursive(names: list[str], at: Position) -> GrammarError:
    return GrammarError(
        f"operation {names[0]!r} uses itself ({' > '.join(names)})",
        "operations are not recursive; write the cases out",
        at=at,
    )


class _Concrete:
    """Checks one concrete module."""

    def __init__(
        self,
        module: syntax.Concrete,
        scope: Scope,
        abstract: AbstractGrammar,
        checker: _Checker,
    ) -> None:
        self.module = module
        self.scope = scope
        self.abstract = abstract
        self.checker = checker
        self.problems = checker.problems
        name = module.name.text
        language = name.removeprefix(abstract.name) or name
        self.grammar = ConcreteGrammar(name, language, module.name.at)

    def checked(self) -> ConcreteGrammar:
        lincats = [
            one for one in self.module.definitions if isinstance(one, syntax.Lincat)
        ]
        places: dict[str, Position] = {}
        broken: set[str] = set()
        for lincat in lincats:
            for word in lincat.names:
                before = len(self.problems.errors)
                with self.problems.collected():
                    self._lincat(word, lincat.type, places)
                if len(self.problems.errors) > before:
                    broken.add(word.text)
        places.clear()
        for lin in self.module.definitions:
            if isinstance(lin, syntax.Lin):
                for word in lin.names:
                    with self.problems.collected():
                        self._lin(word, lin, places, broken)
        return self.grammar

    def _lincat(
        self, word: syntax.Word, written: syntax.TypeExp, places: dict[str, Position]
    ) -> None:
        name = word.text
        known = self.abstract.all_categories
        if name not in known:
            cure = did_you_mean(name, known, f"add it to {self.abstract.name}")
            raise GrammarError(f"unknown category {name!r}", cure, at=word.at)
        _reject_second(word, places)
        of = self.scope.type(written)
        if has_function(of):
            raise GrammarError(
                f"the type of {name!r} holds a function",
                "categories are text, parameters, records and tables of these",
                at=written.at,
            )
        if leaf_count(of) > MOST_LEAVES:
            raise GrammarError(
                f"the type of {name!r} has {leaf_count(of):,} forms",
                f"at most {MOST_LEAVES:,} are allowed; use smaller tables",
                at=written.at,
            )
        if name == self.abstract.start and of is not STR:
            raise GrammarError(
                f"the start category {name!r} has the type {of}",
                "sentences are text: write lincat " + f"{name} = Str",
                at=word.at,
            )
        self.grammar.lincats[name] = self.scope.lincats[name] = of

    def _lin(
        self,
        word: syntax.Word,
        lin: syntax.Lin,
        places: dict[str, Position],
        broken: set[str],
    ) -> None:
        name = word.text
        known = self.abstract.all_functions
        if name not in known:
            cure = did_you_mean(name, known, f"add it to {self.abstract.name}")
            raise GrammarError(f"unknown function {name!r}", cure, at=word.at)
        _reject_second(word, places)
        function = known[name]
        if broken.intersection((*function.arguments, function.result)):
            return  # the type is wrong, and that is noted
        for category in (*function.arguments, function.result):
            if category not in self.grammar.lincats:
                raise GrammarError(
                    f"category {category!r} has no lincat in {self.grammar.name}",
                    f"write lincat {category} = Str, or another type",
                    at=word.at,
                )
        variables = self._variables(function, lin)
        types = [self.grammar.lincats[category] for category in function.arguments]
        named = len(lin.variables)
        wanted = self.grammar.lincats[function.result]
        for of in reversed(types[named:]):
            wanted = FunctionType(of, wanted)
        names = dict(zip(variables[:named], types[:named], strict=True))
        elaborator = self.checker.elaborator(self.scope)
        if named < len(types):
            self._reject_few(function, lin, names, elaborator)
        body = elaborator.check(lin.body, wanted, names)
        for variable in variables[named:]:
            body = terms.Application(body, terms.Local(variable))
        self.grammar.lins[name] = Linearisation(variables, body, word.at)

    def _reject_few(
        self,
        function: TreeFunction,
        lin: syntax.Lin,
        names: dict[str, Type],
        elaborator: Elaborator,
    ) -> None:
        """Say that variables are missing, unless the body is itself a function."""
        try:
            _, of = elaborator.infer(lin.body, names)
            few = not isinstance(of, FunctionType)
        except GrammarError as error:
            # A name that resembles no other is likely one of those variables.
            few = error.what.startswith("unknown name") and "oper" in error.cure
        if few:
            arity = len(function.arguments)
            raise GrammarError(
                f"{function.name!r} has {arity} arguments, not {len(lin.variables)}",
                f"name them all: lin {function.name} "
                + " ".join(f"x{number + 1}" for number in range(arity))
                + " = ...",
                at=lin.at,
            )

    def _variables(self, function: TreeFunction, lin: syntax.Lin) -> tuple[str, ...]:
        arity = len(function.arguments)
        if len(lin.variables) > arity:
            of = " -> ".join([*function.arguments, function.result])
            raise GrammarError(
                f"{function.name!r} has {arity} arguments, not {len(lin.variables)}",
                f"its type is {of}; take away variables",
                at=lin.variables[arity].at,
            )
        names: list[str] = []
        for number, word in enumerate(lin.variables):
            if word.text in names:
                raise GrammarError(
                    f"there are two variables {word.text!r}", "rename one", at=word.at
                )
            # An unused argument gets a name that cannot be written.
            names.append(f"{number}" if word.text == "_" else word.text)
        return (*names, *(f"{number}" for number in range(len(names), arity)))


def _reject_second(word: syntax.Word, places: dict[str, Position]) -> None:
    first = places.setdefault(word.text, word.at)
    if first is not word.at:
        raise GrammarError(
            f"{word.text!r} is defined twice, first at line {first.line}",
            "delete one, or join them with variants {... ; ...}",
            at=word.at,
        )
