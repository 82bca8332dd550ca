# SPDX-License-Identifier: Apache-2.0
"""Typed syntax trees from those of the parser."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, cast

from tertium.grammars.gf import syntax
from tertium.grammars.gf.problems import Position, Source
from tertium.grammars.gf.syntax import Word

if TYPE_CHECKING:
    from lark import Token
    from lark import Tree as ParseTree

    Tree = ParseTree[Token]

__all__ = ["Builder"]


class Builder:
    """Makes the syntax trees of a file; methods are named for what they return."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def modules(self, tree: Tree) -> list[syntax.Module]:
        """Return all modules."""
        return [self._module(child) for child in _trees(tree)]

    def _at(self, tree: Tree | Token) -> Position:
        place = tree if isinstance(tree, str) else tree.meta
        return Position(self.source, cast("int", place.line), cast("int", place.column))

    def _word(self, token: object) -> Word:
        return Word(self._at(cast("Token", token)), str(token))

    def _words(self, tree: Tree) -> tuple[Word, ...]:
        return tuple(map(self._word, tree.children))

    def _binder(self, tree: Tree) -> Word:
        # The mark _ is punctuation to the parser, which leaves it out.
        names = [str(child) for child in tree.children]
        return Word(self._at(tree), names[0] if names else "_")

    # ------------------------------------------------------------------ modules

    def _module(self, tree: Tree) -> syntax.Module:
        at, parts = self._at(tree), _trees(tree)
        name = self._word(parts[0])
        if tree.data == "abstract":
            return syntax.Abstract(at, name, self._definitions(parts[1:]))
        *head, opened = parts[1 : 3 if tree.data == "concrete" else 2]
        opens = self._words(_trees(opened)[0]) if opened else ()
        definitions = self._definitions(parts[len(head) + 2 :])
        if head:
            return syntax.Concrete(at, name, self._word(head[0]), opens, definitions)
        return syntax.Resource(at, name, opens, definitions)

    def _definitions(self, sections: Sequence[Tree]) -> tuple[syntax.Definition, ...]:
        return tuple(
            self._definition(tree) for section in sections for tree in _trees(section)
        )

    def _definition(self, tree: Tree) -> syntax.Definition:
        at, parts = self._at(tree), _trees(tree)
        match tree.data:
            case "flag":
                return syntax.Flag(at, self._word(parts[0]), self._word(parts[1]))
            case "category":
                return syntax.Category(at, self._words(parts[0]))
            case "function":
                names = self._words(parts[0])
                *arguments, result = map(self._word, parts[1:])
                return syntax.Function(at, names, tuple(arguments), result)
            case "parameter":
                constructors = tuple(map(self._constructor, parts[1:]))
                return syntax.Parameter(at, self._word(parts[0]), constructors)
            case "operation":
                name, of, body = parts
                return syntax.Operation(
                    at, self._word(name), self._annotation(of), self._exp(body)
                )
            case "lincat":
                return syntax.Lincat(at, self._words(parts[0]), self._type(parts[1]))
        head = _trees(parts[0])
        names = tuple(self._word(child) for child in head if isinstance(child, str))
        binders = [child for child in head if not isinstance(child, str)]
        value = self._exp(parts[1])
        return syntax.Lin(at, names, tuple(map(self._binder, binders)), value)

    def _constructor(self, tree: Tree) -> syntax.Constructor:
        name, *arguments = self._words(tree)
        return syntax.Constructor(name.at, name.text, tuple(arguments))

    # -------------------------------------------------------------------- types

    def _annotation(self, tree: Tree | None) -> syntax.TypeExp | None:
        return None if tree is None else self._type(tree)

    def _type(self, tree: Tree) -> syntax.TypeExp:
        at, parts = self._at(tree), _trees(tree)
        match tree.data:
            case "named_type":
                return syntax.NamedType(at, str(parts[0]))
            case "function_type":
                argument, result = map(self._type, parts)
                return syntax.FunctionTypeExp(at, argument, result)
            case "table_type":
                key, value = map(self._type, parts)
                return syntax.TableTypeExp(at, key, value)
            case "argument_type":
                names, of = parts
                return syntax.ArgumentType(at, self._words(names), self._type(of))
        fields: list[tuple[Word, syntax.TypeExp]] = []
        for names, of in map(_trees, parts):
            fields += [(name, self._type(of)) for name in self._words(names)]
        return syntax.RecordTypeExp(at, tuple(fields))

    # -------------------------------------------------------------- expressions

    def _exp(self, tree: Tree) -> syntax.Exp:
        at, parts = self._at(tree), _trees(tree)
        match tree.data:
            case "string":
                text = re.sub(r"\\(.)", _escaped, str(parts[0])[1:-1])
                return syntax.String(at, text)
            case "empty":
                return syntax.Empty(at)
            case "name":
                return syntax.Name(at, str(parts[0]))
            case "let":
                return self._let(parts)
            case "function_lambda" | "table_lambda":
                body = self._exp(parts[1])
                kind = (
                    syntax.Lambda
                    if tree.data == "function_lambda"
                    else syntax.TableLambda
                )
                for child in reversed(_trees(parts[0])):
                    body = kind(at, self._binder(child), body)
                return body
            case "alternatives" | "variants":
                return syntax.Variants(at, tuple(map(self._exp, parts)))
            case "join" | "bind_join":
                left, right = map(self._exp, parts)
                return syntax.Join(at, left, right, bind=tree.data == "bind_join")
            case "glued":
                left, right = self._exp(parts[0]), self._exp(parts[2])
                return syntax.Glue(self._at(parts[1]), left, right)
            case "select":
                table, key = map(self._exp, parts)
                return syntax.Select(at, table, key)
            case "extend":
                left, right = map(self._exp, parts)
                return syntax.Extend(at, left, right)
            case "apply":
                head, *arguments = map(self._exp, parts)
                return reduce(lambda f, x: syntax.Apply(at, f, x), arguments, head)
            case "project":
                return syntax.Project(at, self._exp(parts[0]), self._word(parts[1]))
            case "record":
                fields = [(self._word(a), self._exp(b)) for a, b in map(_trees, parts)]
                return syntax.Record(at, tuple(fields))
            case "table":
                return syntax.Table(at, tuple(map(self._branch, parts)))
        scrutinee, *branches = parts
        return syntax.Case(at, self._exp(scrutinee), tuple(map(self._branch, branches)))

    def _let(self, parts: Sequence[Tree]) -> syntax.Exp:
        *binds, inner = parts
        body = self._exp(inner)
        for bind in reversed(binds):
            name, of, bound = _trees(bind)
            word = self._word(name)
            of_name = self._annotation(of)
            body = syntax.Let(word.at, word, of_name, self._exp(bound), body)
        return body

    def _branch(self, tree: Tree) -> syntax.Branch:
        patterns, body = _trees(tree)
        return syntax.Branch(
            self._at(tree),
            tuple(map(self._pattern, _trees(patterns))),
            self._exp(body),
        )

    def _pattern(self, tree: Tree) -> syntax.Pattern:
        if tree.data == "wildcard":
            return syntax.Wildcard(self._at(tree))
        name, *rest = _trees(tree)
        return syntax.Constructed(
            self._at(tree), str(name), tuple(map(self._pattern, rest))
        )


def _trees(parent: Tree) -> list[Tree]:
    """Return the children; where a rule has tokens or nothing, it is known."""
    return cast("list[Tree]", parent.children)


def _escaped(match: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t"}.get(match[1], match[1])
