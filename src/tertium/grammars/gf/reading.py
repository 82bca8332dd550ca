# SPDX-License-Identifier: Apache-2.0
"""From the text of a file to the syntax trees of its modules."""

from __future__ import annotations

import re
from functools import cache, reduce
from typing import TYPE_CHECKING, TypeVar, cast

from tertium.errors import MissingExtraError
from tertium.grammars.gf import syntax
from tertium.grammars.gf.problems import GrammarError, Position, Source

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

__all__ = ["NESTED", "read_modules"]

T = TypeVar("T")

NESTED = "the grammar is nested too deeply", "give parts of it names with oper"


def read_modules(source: Source) -> list[syntax.Module]:
    """Return the modules of a file.

    Raises
    ------
    GrammarError
        If the text breaks the syntax; the message says what is missing.
    """
    import lark

    from tertium.grammars.gf import mistakes

    parser = _parser()
    try:
        tree = parser.parse(source.text)
        return _Builder(source).modules(tree)
    except lark.exceptions.UnexpectedInput as error:
        raise mistakes.explained(error, parser, source) from None
    except RecursionError:
        raise GrammarError(*NESTED, path=source.path) from None


@cache
def _parser() -> Lark:
    """Return the parser; its tables take 50 ms to make, once."""
    from importlib.resources import files

    try:
        import lark
    except ImportError:
        message = "reading grammars"
        raise MissingExtraError(message, extra="grammar") from None
    text = files(__package__).joinpath("grammar.lark").read_text("utf-8")
    return lark.Lark(text, parser="lalr", lexer="basic", propagate_positions=True)


class _Builder:
    """Makes typed syntax trees of the parser's."""

    def __init__(self, source: Source) -> None:
        self.source = source

    # ------------------------------------------------------------------ helpers

    def at(self, tree: Tree[Token] | Token) -> Position:
        place = tree if isinstance(tree, str) else tree.meta
        return Position(self.source, cast("int", place.line), cast("int", place.column))

    def word(self, token: Token) -> syntax.Word:
        return syntax.Word(self.at(token), str(token))

    def words(self, tree: Tree[Token]) -> tuple[syntax.Word, ...]:
        return tuple(self.word(cast("Token", child)) for child in tree.children)

    def binder(self, tree: Tree[Token]) -> syntax.Word:
        names = [str(child) for child in tree.children]
        return syntax.Word(self.at(tree), names[0] if names else "_")

    # ------------------------------------------------------------------ modules

    def modules(self, tree: Tree[Token]) -> list[syntax.Module]:
        return [self.module(child) for child in tree.children]  # type: ignore[arg-type]

    def module(self, tree: Tree[Token]) -> syntax.Module:
        at, kind = self.at(tree), tree.data
        parts = tree.children
        name = self.word(parts[0])  # type: ignore[arg-type]
        if kind == "abstract":
            return syntax.Abstract(at, name, self.definitions(parts[1:]))
        opened = parts[2 if kind == "concrete" else 1]
        opens = () if opened is None else self.words(opened.children[0])  # type: ignore[union-attr, arg-type]
        if kind == "concrete":
            of = self.word(parts[1])  # type: ignore[arg-type]
            return syntax.Concrete(at, name, of, opens, self.definitions(parts[3:]))
        return syntax.Resource(at, name, opens, self.definitions(parts[2:]))

    def definitions(self, sections: list[object]) -> tuple[syntax.Definition, ...]:
        return tuple(
            self.definition(tree)
            for section in cast("list[Tree[Token]]", sections)
            for tree in cast("list[Tree[Token]]", section.children)
        )

    def definition(self, tree: Tree[Token]) -> syntax.Definition:
        at = self.at(tree)
        kind, parts = str(tree.data), cast("list[Tree[Token]]", tree.children)
        tokens = cast("list[Token]", tree.children)
        if kind == "flag":
            return syntax.Flag(at, self.word(tokens[0]), self.word(tokens[1]))
        if kind == "category":
            return syntax.Category(at, self.words(parts[0]))
        if kind == "function":
            *arguments, result = map(self.word, tokens[1:])
            return syntax.Function(at, self.words(parts[0]), tuple(arguments), result)
        if kind == "parameter":
            constructors = []
            for part in parts[1:]:
                name, *rest = self.words(part)
                constructors.append(syntax.Constructor(name.at, name.text, tuple(rest)))
            return syntax.Parameter(at, self.word(tokens[0]), tuple(constructors))
        if kind == "operation":
            return syntax.Operation(
                at, self.word(tokens[0]), self.annotation(parts[1]), self.exp(parts[2])
            )
        if kind == "lincat":
            return syntax.Lincat(at, self.words(parts[0]), self.type(parts[1]))
        head = parts[0].children
        names = [self.word(child) for child in head if isinstance(child, str)]
        binders = [self.binder(child) for child in head if not isinstance(child, str)]  # type: ignore[arg-type]
        return syntax.Lin(at, tuple(names), tuple(binders), self.exp(parts[1]))

    # -------------------------------------------------------------------- types

    def annotation(self, tree: Tree[Token] | None) -> syntax.TypeExp | None:
        return None if tree is None else self.type(tree)

    def type(self, tree: Tree[Token]) -> syntax.TypeExp:
        at = self.at(tree)
        kind, parts = str(tree.data), cast("list[Tree[Token]]", tree.children)
        if kind == "named_type":
            return syntax.NamedType(at, str(parts[0]))
        if kind == "function_type":
            return syntax.FunctionTypeExp(at, self.type(parts[0]), self.type(parts[1]))
        if kind == "table_type":
            return syntax.TableTypeExp(at, self.type(parts[0]), self.type(parts[1]))
        if kind == "argument_type":
            return syntax.ArgumentType(at, self.words(parts[0]), self.type(parts[1]))
        fields = []
        for part in cast("list[Tree[Tree[Token]]]", parts):
            names, of = cast("list[Tree[Token]]", part.children)
            fields += [(name, self.type(of)) for name in self.words(names)]
        return syntax.RecordTypeExp(at, tuple(fields))

    # -------------------------------------------------------------- expressions

    def exp(self, tree: Tree[Token]) -> syntax.Exp:
        parts = cast("list[Tree[Token]]", tree.children)
        return cast("syntax.Exp", getattr(self, f"_{tree.data}")(self.at(tree), parts))

    def _string(self, at: Position, parts: list[Token]) -> syntax.Exp:
        return syntax.String(at, re.sub(r"\\(.)", _escaped, str(parts[0])[1:-1]))

    def _empty(self, at: Position, parts: object) -> syntax.Exp:
        return syntax.Empty(at)

    def _name(self, at: Position, parts: list[Token]) -> syntax.Exp:
        return syntax.Name(at, str(parts[0]))

    def _let(self, at: Position, parts: list[Tree[Token]]) -> syntax.Exp:
        *binds, body = parts

        def around(inner: syntax.Exp, bind: Tree[Token]) -> syntax.Exp:
            name, of, bound = cast("list[Tree[Token]]", bind.children)
            word = self.word(cast("Token", name))
            return syntax.Let(
                word.at, word, self.annotation(of), self.exp(bound), inner
            )

        return reduce(around, reversed(binds), self.exp(body))

    def _lambdas(
        self,
        kind: type[syntax.Lambda] | type[syntax.TableLambda],
        at: Position,
        parts: list[Tree[Token]],
    ) -> syntax.Exp:
        body = self.exp(parts[1])
        for child in reversed(cast("list[Tree[Token]]", parts[0].children)):
            body = kind(at, self.binder(child), body)
        return body

    def _function_lambda(self, at: Position, parts: list[Tree[Token]]) -> syntax.Exp:
        return self._lambdas(syntax.Lambda, at, parts)

    def _table_lambda(self, at: Position, parts: list[Tree[Token]]) -> syntax.Exp:
        return self._lambdas(syntax.TableLambda, at, parts)

    def _alternatives(self, at: Position, parts: list[Tree[Token]]) -> syntax.Exp:
        return syntax.Variants(at, tuple(map(self.exp, parts)))

    _variants = _alternatives

    def _join(self, at: Position, parts: list[Tree[Token]]) -> syntax.Exp:
        return syntax.Join(at, self.exp(parts[0]), self.exp(parts[1]), bind=False)

    def _bind_join(self, at: Position, parts: list[Tree[Token]]) -> syntax.Exp:
        return syntax.Join(at, self.exp(parts[0]), self.exp(parts[1]), bind=True)

    def _glued(self, at: Position, parts: list[Tree[Token]]) -> syntax.Exp:
        return syntax.Glue(self.at(parts[1]), self.exp(parts[0]), self.exp(parts[2]))

    def _select(self, at: Position, parts: list[Tree[Token]]) -> syntax.Exp:
        return syntax.Select(at, self.exp(parts[0]), self.exp(parts[1]))

    def _extend(self, at: Position, parts: list[Tree[Token]]) -> syntax.Exp:
        return syntax.Extend(at, self.exp(parts[0]), self.exp(parts[1]))

    def _apply(self, at: Position, parts: list[Tree[Token]]) -> syntax.Exp:
        head, *arguments = map(self.exp, parts)
        return reduce(lambda one, other: syntax.Apply(at, one, other), arguments, head)

    def _project(self, at: Position, parts: list[Tree[Token]]) -> syntax.Exp:
        label = self.word(cast("Token", parts[1]))
        return syntax.Project(at, self.exp(parts[0]), label)

    def _record(self, at: Position, parts: list[Tree[Token]]) -> syntax.Exp:
        fields = []
        for part in parts:
            name, value = cast("list[Tree[Token]]", part.children)
            fields.append((self.word(cast("Token", name)), self.exp(value)))
        return syntax.Record(at, tuple(fields))

    def _table(self, at: Position, parts: list[Tree[Token]]) -> syntax.Exp:
        return syntax.Table(at, tuple(map(self.branch, parts)))

    def _case(self, at: Position, parts: list[Tree[Token]]) -> syntax.Exp:
        scrutinee, *branches = parts
        return syntax.Case(at, self.exp(scrutinee), tuple(map(self.branch, branches)))

    def branch(self, tree: Tree[Token]) -> syntax.Branch:
        patterns, body = cast("list[Tree[Token]]", tree.children)
        children = cast("list[Tree[Token]]", patterns.children)
        return syntax.Branch(
            self.at(tree), tuple(map(self.pattern, children)), self.exp(body)
        )

    def pattern(self, tree: Tree[Token]) -> syntax.Pattern:
        if tree.data == "wildcard":
            return syntax.Wildcard(self.at(tree))
        name, *rest = cast("list[Tree[Token]]", tree.children)
        return syntax.Constructed(
            self.at(tree), str(name), tuple(map(self.pattern, rest))
        )


def _escaped(match: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t"}.get(match[1], match[1])
