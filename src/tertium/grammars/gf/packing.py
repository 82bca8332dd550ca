# SPDX-License-Identifier: Apache-2.0
"""All sentences of a language, packed: no tree and no sentence is enumerated (3.5).

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
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, cast

from tertium.grammars.expressions import (
    NOTHING,
    Choice,
    Expression,
    Sequence,
    Token,
    choice,
    sequence,
)
from tertium.grammars.gf.abstracts import AbstractGrammar, TreeFunction, joined
from tertium.grammars.gf.checking import ConcreteGrammar
from tertium.grammars.gf.evaluating import (
    Evaluator,
    Slot,
    Table,
    TooManyError,
    Value,
    expanded,
)
from tertium.grammars.gf.problems import GrammarError
from tertium.grammars.gf.reading import NESTED
from tertium.grammars.gf.shapes import (
    ParamValue,
    Path,
    RecordType,
    StrType,
    TableType,
    Type,
    leaves,
)
from tertium.grammars.gf.variables import VariableSet

__all__ = ["Packing"]

#: The parameters of a value, in the order of their places in its type.
Parameters: TypeAlias = tuple[ParamValue, ...]
Texts: TypeAlias = tuple[Expression, ...]


@dataclass(frozen=True)
class Packed:
    """The trees of a category with one variable set and equal parameters."""

    category: str
    codes: VariableSet
    parameters: Parameters


Arguments: TypeAlias = Mapping[int, Packed]


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
        self.constructions: dict[VariableSet, dict[str, Expression]] = {}
        for category in abstract.categories:
            self._pack(category)

    # ------------------------------------------------------------------ packing

    def _pack(self, category: str) -> None:
        found: dict[Packed, list[Texts]] = {}
        sets: dict[VariableSet, None] = {}
        for function in self.abstract.of(category):
            if function.name not in self.concrete.lins:
                continue
            choices = [self._sets[argument] for argument in function.arguments]
            for chosen in itertools.product(*choices):
                codes = joined(function, list(chosen))
                if codes is None:
                    continue
                sets[codes] = None
                parts: list[Expression] = []
                for packed, texts in self._applied(function, codes, chosen):
                    found.setdefault(packed, []).append(texts)
                    parts += texts
                if category == self.abstract.start:
                    own = self.constructions.setdefault(codes, {})
                    before = own.get(function.name, NOTHING)
                    own[function.name] = choice([before, *parts])
        self._sets[category] = list(sets)
        for packed, alternatives in found.items():
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
            self._made.get((category, own), [])
            for category, own in zip(function.arguments, sets, strict=True)
        ]
        for arguments in itertools.product(*choices):
            origins = self._origins.setdefault((function.result, codes), [])
            origins.append((function, arguments))
            known = dict(enumerate(arguments))
            for parameters, texts in self._alternatives(function, arguments):
                packed = Packed(function.result, codes, parameters)
                with _explained(self.concrete, function):
                    filled = _Filling(self, known)
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
        found = self._evaluated.get(key)
        if found is None:
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
            found = self._evaluated[key] = [shape.split(value) for value in values]
        return found

    def sayings(self, code: str) -> list[Expression]:
        """Return what functions with a code say, for each place of their values."""
        places: dict[tuple[str, int], list[Expression]] = {}
        for (category, _), origins in self._origins.items():
            for function, arguments in origins:
                if function.code == code:
                    filling = _Filling(self, dict(enumerate(arguments)))
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
        found = self._taken_apart.get(packed)
        if found is None:
            found = [
                (arguments, texts)
                for function, arguments in self._origins[packed.category, packed.codes]
                for parameters, texts in self._alternatives(
                    function, arguments, merging=False
                )
                if parameters == packed.parameters
            ]
            self._taken_apart[packed] = found
        return found

    def fresh(self) -> int:
        """Return a number that no argument has."""
        return next(self._fresh)


class _explained:  # noqa: N801
    """Turns exhaustion inside a linearisation into an error about it."""

    def __init__(self, concrete: ConcreteGrammar, function: TreeFunction) -> None:
        self.at = concrete.lins[function.name].at
        self.name = function.name

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, TooManyError):
            raise GrammarError(
                f"{self.name!r} has too many alternatives to tell apart",
                "use fewer forms of one argument in a sentence, or fewer variants "
                "of parameters",
                at=self.at,
            ) from None
        if isinstance(error, RecursionError):
            raise GrammarError(*NESTED, at=self.at) from None


class _Filling:
    """Fills the slots of expressions with the texts of arguments."""

    def __init__(self, packing: Packing, arguments: Arguments) -> None:
        self.packing = packing
        self.arguments = arguments
        # With the expressions, so that their identities stay theirs.
        self._filled: dict[int, tuple[Expression, Expression]] = {}
        self._members: dict[int, tuple[Expression, frozenset[int]]] = {}

    def filled(self, expression: Expression) -> Expression:
        """Return the expression with packed texts for its slots."""
        if isinstance(expression, Slot):
            packed = self.arguments[expression.argument]
            return self.packing.texts(packed)[expression.leaf]
        if isinstance(expression, Token):
            return expression
        known = self._filled.get(id(expression))
        if known is None:
            made = (
                choice(map(self.filled, expression.parts))
                if isinstance(expression, Choice)
                else self._sequence(expression.parts)
            )
            known = self._filled[id(expression)] = (expression, made)
        return known[1]

    def members(self, expression: Expression) -> frozenset[int]:
        """Return the arguments with a slot in an expression."""
        if isinstance(expression, Slot):
            return frozenset({expression.argument})
        if isinstance(expression, Token):
            return frozenset()
        known = self._members.get(id(expression))
        if known is None:
            every = frozenset[int]().union(*map(self.members, expression.parts))
            known = self._members[id(expression)] = (expression, every)
        return known[1]

    def _sequence(self, parts: tuple[Expression, ...]) -> Expression:
        """Fill a sequence; arguments in several of its parts are taken apart."""
        spans: dict[int, tuple[int, int]] = {}
        for place, part in enumerate(parts):
            for member in self.members(part):
                spans[member] = (spans.get(member, (place, place))[0], place)
        shared = sorted(
            (low, high, member) for member, (low, high) in spans.items() if low < high
        )
        done: list[Expression] = []
        place = 0
        while shared:
            low, high, member = shared.pop(0)
            # What overlaps must be filled together.
            while shared and shared[0][0] <= high:
                high = max(high, shared.pop(0)[1])
            done += map(self.filled, parts[place:low])
            done.append(self._apart(sequence(parts[low : high + 1]), member))
            place = high + 1
        return sequence([*done, *map(self.filled, parts[place:])])

    def _apart(self, expression: Expression, member: int) -> Expression:
        """Fill an expression after taking one of its arguments apart."""
        slots = _slots(expression, member)
        alternatives = []
        for inner, texts in self.packing.taken_apart(self.arguments[member]):
            numbers = [self.packing.fresh() for _ in inner]
            renamed = {
                leaf: _substituted(
                    texts[leaf],
                    lambda slot, numbers=numbers: Slot.of(  # type: ignore[misc]
                        numbers[slot.argument], slot.leaf
                    ),
                )
                for leaf in slots
            }
            arguments = {**self.arguments, **dict(zip(numbers, inner, strict=True))}
            # A text that a sentence takes twice is one and the same there.
            options = [
                [sequence(tokens) for tokens in expanded(renamed[leaf])] or [NOTHING]
                if times > 1
                else [renamed[leaf]]
                for leaf, times in slots.items()
            ]
            for chosen in itertools.product(*options):
                fixed = dict(zip(slots, chosen, strict=True))
                whole = _substituted(
                    expression,
                    lambda slot, fixed=fixed: (  # type: ignore[misc]
                        fixed[slot.leaf] if slot.argument == member else slot
                    ),
                )
                alternatives.append(_Filling(self.packing, arguments).filled(whole))
        return choice(alternatives)


def _slots(expression: Expression, member: int) -> dict[int, int]:
    """Return how often one sentence may take each text of an argument."""
    if isinstance(expression, Slot):
        return {expression.leaf: 1} if expression.argument == member else {}
    if isinstance(expression, Token):
        return {}
    total: dict[int, int] = {}
    for part in expression.parts:
        for leaf, times in _slots(part, member).items():
            before = total.get(leaf, 0)
            total[leaf] = (
                max(before, times) if isinstance(expression, Choice) else before + times
            )
    return total


def _substituted(
    expression: Expression, change: Callable[[Slot], Expression]
) -> Expression:
    """Return the expression with other expressions for its slots."""
    known: dict[int, Expression] = {}

    def made(one: Expression) -> Expression:
        if isinstance(one, Slot):
            return change(one)
        if isinstance(one, Token):
            return one
        if id(one) not in known:
            parts = [made(part) for part in one.parts]
            known[id(one)] = (
                choice(parts) if isinstance(one, Choice) else sequence(parts)
            )
        return known[id(one)]

    return made(expression)
