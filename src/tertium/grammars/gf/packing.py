# SPDX-License-Identifier: Apache-2.0
"""All sentences of a language, packed: no tree and no sentence is enumerated.

For each category and set of semantic variables there are values: texts that are
expressions, and parameters that are constants; values with equal parameters are
one. A function takes the packed texts of its arguments into its own, as long as a
sentence takes no more than one text of an argument. Two texts belong together (the
genitive of *kuula* goes with its nominative, not with that of *pallo*), so there,
and only there, the argument is taken apart into what it was made of, and that
again where it must be. A sentence with a verb in two pieces is made from all verbs,
but not from all their objects.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import cast

from tertium.automata.expressions import (
    NOTHING,
    Expression,
    choice,
)
from tertium.grammars.gf.abstracts import AbstractGrammar, TreeFunction, chosen
from tertium.grammars.gf.checking import ConcreteGrammar
from tertium.grammars.gf.evaluating import (
    Evaluator,
    Slot,
    Table,
    TooManyError,
    Value,
)
from tertium.grammars.gf.filling import Filling, Packed, Parameters, Texts
from tertium.grammars.gf.problems import GrammarError
from tertium.grammars.gf.reading import NESTED
from tertium.grammars.gf.shapes import (
    Path,
    RecordType,
    StrType,
    TableType,
    Type,
    leaves,
)
from tertium.grammars.gf.variables import VariableSet

__all__ = ["Packing"]

#: A value for which more alternatives must be looked at alone is a mistake.
MOST_APART = 50_000


class Shape:
    """Where the texts and the parameters of a category are."""

    def __init__(self, of: Type) -> None:
        self.type = of
        places = list(leaves(of))
        self.texts = [path for path, leaf in places if isinstance(leaf, StrType)]
        self.parameters = [
            path for path, leaf in places if not isinstance(leaf, StrType)
        ]

    @cached_property
    def numbers(self) -> dict[Path, int]:
        return {path: number for number, path in enumerate(self.texts)}

    def argument(self, number: int, parameters: Parameters) -> Value:
        """Return the value of an argument, with slots for its texts."""
        known = dict(zip(self.parameters, parameters, strict=True))

        def made(of: Type, path: Path) -> Value:
            if isinstance(of, RecordType):
                return {name: made(inner, (*path, name)) for name, inner in of.fields}
            if isinstance(of, TableType):
                return Table(
                    {key: made(of.value, (*path, key)) for key in of.key.values}
                )
            if isinstance(of, StrType):
                return Slot.of(number, self.numbers[path])
            return known[path]

        return made(self.type, ())

    def split(self, value: Value) -> tuple[Parameters, Texts]:
        """Return the parameters and the texts of a value."""
        parameters = tuple(_at(value, path) for path in self.parameters)
        texts = tuple(_at(value, path) for path in self.texts)
        return cast("Parameters", parameters), cast("Texts", texts)


def _at(value: Value, path: Path) -> Value:
    for step in path:
        value = cast("dict[object, Value]", value)[step]
    return value


class Packing:
    """The packed values of one language.

    Attributes
    ----------
    constructions : dict
        For each variable set, the sentences of each function of the start category.
    """

    def __init__(self, abstract: AbstractGrammar, concrete: ConcreteGrammar) -> None:
        self.abstract = abstract
        self.concrete = concrete
        self._shapes = {name: Shape(of) for name, of in concrete.lincats.items()}
        self._packing = Evaluator(merging=True)
        self._splitting = Evaluator(merging=False)
        self._evaluated: dict[object, list[tuple[Parameters, Texts]]] = {}
        self._texts: dict[Packed, Texts] = {}
        self._made: dict[tuple[str, VariableSet], list[Packed]] = {}
        self._sets: dict[str, list[VariableSet]] = {}
        #: How the values of a category came about: function and arguments.
        self._origins: dict[
            tuple[str, VariableSet], list[tuple[TreeFunction, tuple[Packed, ...]]]
        ] = {}
        self._taken_apart: dict[Packed, list[tuple[tuple[Packed, ...], Texts]]] = {}
        self._fresh = itertools.count(1000)
        self._spent = 0
        self.constructions: dict[VariableSet, dict[str, Expression]] = {}
        for category in abstract.categories:
            self._pack(category)

    # ------------------------------------------------------------------ packing

    def _pack(self, category: str) -> None:
        by_packed: dict[Packed, list[Texts]] = {}
        sets: dict[VariableSet, None] = {}
        for function in self.abstract.of(category):
            if function.name not in self.concrete.lins:
                continue
            choices = [self._sets[argument] for argument in function.arguments]
            for arguments, codes in chosen(function, choices):
                sets[codes] = None
                parts: list[Expression] = []
                for packed, texts in self._applied(function, codes, arguments):
                    by_packed.setdefault(packed, []).append(texts)
                    parts += texts
                if category == self.abstract.start:
                    by_name = self.constructions.setdefault(codes, {})
                    before = by_name.get(function.name, NOTHING)
                    by_name[function.name] = choice([before, *parts])
        self._sets[category] = list(sets)
        for packed, alternatives in by_packed.items():
            self._texts[packed] = tuple(map(choice, zip(*alternatives, strict=True)))
            self._made.setdefault((category, packed.codes), []).append(packed)

    def _applied(
        self,
        function: TreeFunction,
        codes: VariableSet,
        sets: tuple[VariableSet, ...],
    ) -> list[tuple[Packed, Texts]]:
        """Return the values that a function makes of arguments with these sets."""
        results = []
        choices = [
            self._made.get((category, chosen), [])
            for category, chosen in zip(function.arguments, sets, strict=True)
        ]
        for arguments in itertools.product(*choices):
            origins = self._origins.setdefault((function.result, codes), [])
            origins.append((function, arguments))
            known = dict(enumerate(arguments))
            for parameters, texts in self._alternatives(function, arguments):
                packed = Packed(function.result, codes, parameters)
                self._spent = 0
                with _explained(self.concrete, function):
                    filled = Filling(self, known)
                    results.append((packed, tuple(map(filled.filled, texts))))
        return results

    def _alternatives(
        self,
        function: TreeFunction,
        arguments: tuple[Packed, ...],
        *,
        merging: bool = True,
    ) -> list[tuple[Parameters, Texts]]:
        """Evaluate a linearisation; only the parameters of arguments matter."""
        key = (function.name, tuple(one.parameters for one in arguments), merging)
        parts = self._evaluated.get(key)
        if parts is None:
            lin = self.concrete.lins[function.name]
            names: dict[str, list[Value]] = {
                name: [self._shapes[one.category].argument(number, one.parameters)]
                for number, (name, one) in enumerate(
                    zip(lin.variables, arguments, strict=True)
                )
            }
            evaluator = self._packing if merging else self._splitting
            shape = self._shapes[function.result]
            with _explained(self.concrete, function):
                values = evaluator.values(lin.body, names)
            parts = self._evaluated[key] = [shape.split(value) for value in values]
        return parts

    def sayings(self, code: str) -> list[Expression]:
        """Return what functions with a code say, for each place of their values."""
        places: dict[tuple[str, int], list[Expression]] = {}
        for (category, _), origins in self._origins.items():
            for function, arguments in origins:
                if function.code == code:
                    filling = Filling(self, dict(enumerate(arguments)))
                    for _, texts in self._alternatives(function, arguments):
                        for number, text in enumerate(map(filling.filled, texts)):
                            places.setdefault((category, number), []).append(text)
        return [choice(texts) for texts in places.values()]

    # ------------------------------------------------------------- taking apart

    def texts(self, packed: Packed) -> Texts:
        """Return the packed texts of a value."""
        return self._texts[packed]

    def taken_apart(self, packed: Packed) -> list[tuple[tuple[Packed, ...], Texts]]:
        """Return what a value was made of: arguments, and texts with their slots."""
        parts = self._taken_apart.get(packed)
        if parts is None:
            parts = [
                (arguments, texts)
                for function, arguments in self._origins[packed.category, packed.codes]
                for parameters, texts in self._alternatives(
                    function, arguments, merging=False
                )
                if parameters == packed.parameters
            ]
            self._taken_apart[packed] = parts
        return parts

    def fresh(self) -> int:
        """Return a number that no argument has."""
        return next(self._fresh)

    def spend(self) -> None:
        """Count an alternative that is looked at alone; reject too many."""
        self._spent += 1
        if self._spent > MOST_APART:
            raise TooManyError


@contextmanager
def _explained(concrete: ConcreteGrammar, function: TreeFunction) -> Iterator[None]:
    """Turn exhaustion inside a linearisation into an error about it."""
    at = concrete.lins[function.name].at
    try:
        yield
    except TooManyError:
        raise GrammarError(
            f"{function.name!r} has too many alternatives to tell apart",
            "use fewer forms of one argument in a sentence, or fewer variants "
            "of parameters",
            at=at,
        ) from None
    except RecursionError:
        raise GrammarError(*NESTED, at=at) from None
