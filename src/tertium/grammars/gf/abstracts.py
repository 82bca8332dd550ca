# SPDX-License-Identifier: Apache-2.0
"""The abstract part of a grammar: categories, functions, how many trees."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tertium.grammars.gf import syntax
from tertium.grammars.gf.families import count_sets
from tertium.grammars.gf.problems import Position, Problems, did_you_mean
from tertium.grammars.gf.scopes import find_circle
from tertium.grammars.gf.variables import VariableSet, code_of, united

__all__ = ["MOST_SETS", "AbstractGrammar", "TreeFunction", "check_abstract", "chosen"]

#: Every set has its own automata; more sets than this are a mistake.
MOST_SETS = 20_000


@dataclass(frozen=True)
class TreeFunction:
    """A constructor of trees."""

    name: str
    arguments: tuple[str, ...]
    result: str
    code: str | None
    at: Position


@dataclass(frozen=True)
class AbstractGrammar:
    """Categories, each after those that its trees are made of, and functions."""

    name: str
    start: str
    categories: tuple[str, ...]
    functions: dict[str, TreeFunction]
    at: Position
    #: With those that are in no tree of the start category.
    all_categories: frozenset[str]
    all_functions: dict[str, TreeFunction]

    def of(self, category: str) -> list[TreeFunction]:
        """Return the functions that make a category."""
        return [one for one in self.functions.values() if one.result == category]

    def tree_counts(self) -> dict[VariableSet, int]:
        """Return how many trees of the start category each variable set has."""
        counts: dict[str, dict[VariableSet, int]] = {}
        for category in self.categories:
            by_codes = counts[category] = {}
            for function in self.of(category):
                tables = [counts[argument] for argument in function.arguments]
                for sets, codes in chosen(function, tables):
                    trees = 1
                    for table, part in zip(tables, sets, strict=True):
                        trees *= table[part]
                    by_codes[codes] = by_codes.get(codes, 0) + trees
        return counts[self.start]


def chosen(
    function: TreeFunction, choices: Sequence[Collection[VariableSet]]
) -> Iterator[tuple[tuple[VariableSet, ...], VariableSet]]:
    """Yield a set for each argument, and their union with the function's own value.

    What gives a variable two values is left out as soon as it does: there may be very
    many ways to choose, and few that fit.
    """
    value = frozenset[str]() if function.code is None else frozenset({function.code})
    ways: list[tuple[tuple[VariableSet, ...], VariableSet]] = [((), value)]
    for choice in choices:
        ways = [
            ((*sets, part), codes)
            for sets, before in ways
            for part in choice
            if (codes := united([before, part])) is not None
        ]
    yield from ways


def check_abstract(module: syntax.Abstract, problems: Problems) -> AbstractGrammar:
    """Return the abstract part, after checking names and that trees are finite."""
    places: dict[str, Position] = {}
    flags: list[syntax.Flag] = []
    written: list[syntax.Function] = []
    for one in module.definitions:
        if isinstance(one, syntax.Category):
            for word in one.names:
                _new(word, places, problems)
        elif isinstance(one, syntax.Flag):
            flags.append(one)
        elif isinstance(one, syntax.Function):
            written.append(one)
    functions = _functions(written, places, problems)
    start = _start(module, flags, places, problems)
    uses: dict[str, list[str]] = {name: [] for name in places}
    for function in functions.values():
        uses[function.result] += function.arguments
    circle = find_circle(uses)
    if circle:
        problems.error(
            f"category {circle[0]!r} contains itself ({' > '.join(circle)})",
            "sentences must be finite; make a category for each level",
            places[circle[0]],
        )
    problems.settle()
    made = {function.result for function in functions.values()}
    for name, at in places.items():
        if name not in made:
            problems.warn(
                f"category {name!r} has no function",
                f"write one, such as fun Some{name} : {name}",
                at,
            )
    order = _ordered(uses, start)
    for name in places:
        if name in made and name not in order:
            problems.warn(
                f"category {name!r} is in no tree of {start!r}",
                "use it in a function, or delete it",
                places[name],
            )
    grammar = AbstractGrammar(
        module.name.text,
        start,
        tuple(order),
        {name: one for name, one in functions.items() if one.result in order},
        module.name.at,
        frozenset(places),
        functions,
    )
    sets = count_sets(grammar)
    if sets > MOST_SETS:
        problems.error(
            f"the grammar has {sets:,} variable sets, more than {MOST_SETS:,}",
            "give it fewer variables or values, or divide it into several templates",
            places[start],
        )
        problems.settle()
    if not sets:
        problems.error(
            f"there is no tree of the start category {start!r}",
            "give every category that its functions need a function, and "
            "no function two values of one variable",
            places[start],
        )
    return grammar


def _functions(
    written: list[syntax.Function], categories: dict[str, Position], problems: Problems
) -> dict[str, TreeFunction]:
    functions: dict[str, TreeFunction] = {}
    places: dict[str, Position] = {}
    for one in written:
        unknown = [w for w in (*one.arguments, one.result) if w.text not in categories]
        for word in unknown:
            problems.error(
                f"unknown category {word.text!r}",
                did_you_mean(word.text, categories, f"define it: cat {word.text} ;"),
                word.at,
            )
        for word in one.names:
            if not _new(word, places, problems) or unknown:
                continue
            code = code_of(word.text)
            if word.text.startswith("SemVar") and code is None:
                problems.warn(
                    f"{word.text!r} is not the name of a semantic variable",
                    "write SemVar, a number, small letters and a capitalised name, "
                    "such as SemVar1aAnna",
                    word.at,
                )
            functions[word.text] = TreeFunction(
                word.text,
                tuple(argument.text for argument in one.arguments),
                one.result.text,
                code,
                word.at,
            )
    return functions


def _start(
    module: syntax.Abstract,
    flags: list[syntax.Flag],
    categories: dict[str, Position],
    problems: Problems,
) -> str:
    starts = [flag for flag in flags if flag.name.text == "startcat"]
    if not starts:
        problems.error(
            "there is no start category",
            "write flags startcat = ... ; with the category of whole sentences",
            module.name.at,
        )
    for flag in starts[1:]:
        problems.error("there are two start categories", "delete one", flag.at)
    for flag in starts[:1]:
        if flag.value.text not in categories:
            problems.error(
                f"unknown category {flag.value.text!r}",
                did_you_mean(
                    flag.value.text, categories, f"define it: cat {flag.value.text} ;"
                ),
                flag.value.at,
            )
    return starts[0].value.text if starts else ""


def _new(word: syntax.Word, places: dict[str, Position], problems: Problems) -> bool:
    if word.text in places:
        problems.error(
            f"{word.text!r} is defined twice, first at line {places[word.text].line}",
            "rename or delete one",
            word.at,
        )
        return False
    places[word.text] = word.at
    return True


def _ordered(uses: dict[str, list[str]], start: str) -> list[str]:
    """Return the categories below the start, every one after those it needs."""
    order: dict[str, None] = {}
    waiting = [(start, iter(uses[start]))]
    while waiting:
        name, inner = waiting[-1]
        for one in inner:
            if one not in order:
                waiting.append((one, iter(uses[one])))
                break
        else:
            order[name] = None
            waiting.pop()
    return list(order)
