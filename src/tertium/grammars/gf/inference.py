# SPDX-License-Identifier: Apache-2.0
"""Types of expressions: what is written becomes a term, or an error.

Types are pushed inwards where they are known and inferred where they are not, so
that only functions and tables with variables need an annotation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from tertium.automata.expressions import BIND, EMPTY, NOTHING, literal
from tertium.grammars.gf import syntax, terms
from tertium.grammars.gf.mismatches import common, described, mismatch, untyped
from tertium.grammars.gf.patterns import key_of, table_term
from tertium.grammars.gf.problems import GrammarError, Position, did_you_mean
from tertium.grammars.gf.scopes import Constructor, Scope
from tertium.grammars.gf.shapes import (
    STR,
    FunctionType,
    ParamType,
    RecordType,
    TableType,
    Type,
    fits,
)

__all__ = ["Elaborator"]

Locals: TypeAlias = Mapping[str, Type]
Typed: TypeAlias = tuple[terms.Term, Type]


class Elaborator:
    """Checks the expressions of a module.

    Parameters
    ----------
    scope : Scope
        What names mean.
    oper_type : callable
        Gives the type of an operation, which may have to be inferred first.
    """

    def __init__(
        self, scope: Scope, oper_type: Callable[[terms.Oper, Position], Type]
    ) -> None:
        self.scope = scope
        self.oper_type = oper_type

    # ----------------------------------------------------------------- checking

    def check(self, exp: syntax.Exp, wanted: Type, names: Locals) -> terms.Term:
        """Return the term of an expression that must have a type."""
        if isinstance(exp, syntax.Let):
            bound, of = self._bound(exp, names)
            body = self.check(exp.body, wanted, {**names, exp.name.text: of})
            return terms.With(exp.name.text, bound, body)
        if isinstance(exp, syntax.Variants):
            return terms.Variation(
                tuple(self.check(part, wanted, names) for part in exp.parts)
            )
        if isinstance(exp, syntax.Lambda):
            if not isinstance(wanted, FunctionType):
                raise mismatch("a function", wanted, exp.at)
            inner = {**names, exp.name.text: wanted.argument}
            body = self.check(exp.body, wanted.result, inner)
            return terms.Function(exp.name.text, body)
        if isinstance(exp, syntax.TableLambda | syntax.Table):
            if not isinstance(wanted, TableType):
                raise mismatch("a table", wanted, exp.at)
            return self._table(exp, wanted, names)
        if isinstance(exp, syntax.Case):
            scrutinee, key = self._param(exp.scrutinee, names)
            branches = [branch.body for branch in exp.branches]

            def checked(number: int, inner: Locals) -> terms.Term:
                return self.check(branches[number], wanted, inner)

            cases = table_term(exp.branches, key, names, self.scope, checked)
            return terms.Selection(cases, scrutinee)
        if isinstance(exp, syntax.Select) and isinstance(
            exp.table, syntax.Table | syntax.TableLambda
        ):
            selector, key = self._param(exp.key, names)
            table = self.check(exp.table, TableType(key, wanted), names)
            return terms.Selection(table, selector)
        if isinstance(exp, syntax.Record) and isinstance(wanted, RecordType):
            return self._record(exp, wanted, names)
        term, actual = (
            self._extended(exp, wanted, names)
            if isinstance(exp, syntax.Extend) and isinstance(wanted, RecordType)
            else self.infer(exp, names)
        )
        if not fits(actual, wanted):
            raise mismatch(described(actual), wanted, exp.at, actual)
        return term

    def _record(
        self, exp: syntax.Record, wanted: RecordType, names: Locals
    ) -> terms.Term:
        term, actual = self._typed_record(exp, wanted, names)
        missing = [name for name in wanted.by_label if name not in actual.by_label]
        if missing:
            known = [name for name in actual.by_label if name not in wanted.by_label]
            raise GrammarError(
                f"the record has no field {missing[0]!r}",
                did_you_mean(missing[0], known, f"{wanted} is expected here"),
                at=exp.at,
            )
        return term

    def _typed_record(
        self, exp: syntax.Record, known: RecordType, names: Locals
    ) -> tuple[terms.Term, RecordType]:
        """Return a record; types of some fields may be known already."""
        fields: dict[str, terms.Term] = {}
        types: dict[str, Type] = {}
        for label, value in self._fields(exp):
            of = known.by_label.get(label.text)
            if of is None:
                fields[label.text], types[label.text] = self.infer(value, names)
            else:
                fields[label.text] = self.check(value, of, names)
                types[label.text] = of
        return terms.RecordTerm(fields), RecordType(tuple(sorted(types.items())))

    def _fields(self, exp: syntax.Record) -> Sequence[tuple[syntax.Word, syntax.Exp]]:
        seen: set[str] = set()
        for label, _ in exp.fields:
            if label.text in seen:
                raise GrammarError(
                    f"there are two fields {label.text!r}", "rename one", at=label.at
                )
            seen.add(label.text)
        return exp.fields

    def _bound(self, exp: syntax.Let, names: Locals) -> Typed:
        if exp.type is None:
            return self.infer(exp.bound, names)
        of = self.scope.type(exp.type)
        return self.check(exp.bound, of, names), of

    def _param(self, exp: syntax.Exp, names: Locals) -> tuple[terms.Term, ParamType]:
        term, of = self.infer(exp, names)
        if not isinstance(of, ParamType):
            raise GrammarError(
                f"{described(of)} cannot choose from a table",
                "a value of a parameter type is needed",
                at=exp.at,
            )
        return term, of

    # ------------------------------------------------------------------- tables

    def _table(
        self, exp: syntax.Table | syntax.TableLambda, wanted: TableType, names: Locals
    ) -> terms.Term:
        if isinstance(exp, syntax.TableLambda):
            name = exp.name.text
            body = self.check(exp.body, wanted.value, {**names, name: wanted.key})
            return terms.TableTerm(
                {value: ({name: value}, body) for value in wanted.key.values}
            )

        def checked(number: int, inner: Locals) -> terms.Term:
            return self.check(exp.branches[number].body, wanted.value, inner)

        return table_term(exp.branches, wanted.key, names, self.scope, checked)

    # ---------------------------------------------------------------- inferring

    def infer(self, exp: syntax.Exp, names: Locals) -> Typed:
        """Return the term of an expression and its type."""
        match exp:
            case syntax.String():
                return terms.Literal(literal(exp.text)), STR
            case syntax.Empty():
                return terms.Literal(EMPTY), STR
            case syntax.Name():
                return self._infer_name(exp, names)
            case syntax.Project():
                return self._infer_project(exp, names)
            case syntax.Apply():
                return self._infer_apply(exp, names)
            case syntax.Select():
                return self._infer_select(exp, names)
            case syntax.Table():
                return self._infer_table(exp, names)
            case syntax.Case():
                return self._infer_case(exp, names)
            case syntax.Let():
                return self._infer_let(exp, names)
            case syntax.Variants():
                return self._infer_variants(exp, names)
            case syntax.Record():
                return self._typed_record(exp, RecordType(()), names)
            case syntax.Extend():
                return self._extended(exp, RecordType(()), names)
            case syntax.Join():
                return self._infer_join(exp, names)
            case syntax.Glue():
                left = self.check(exp.left, STR, names)
                right = self.check(exp.right, STR, names)
                return terms.Gluing(left, right, exp.at), STR
            case syntax.Lambda():
                raise untyped("the function", "f : Str -> Str", exp.at)
            case syntax.TableLambda():
                raise untyped("the table", "t : Case => Str", exp.at)

    def _infer_name(self, exp: syntax.Name, names: Locals) -> Typed:
        name = exp.name
        if name in names:
            return terms.Local(name), names[name]
        if name == "BIND":
            return terms.Literal(BIND), STR
        if name == "nonExist":
            return terms.Literal(NOTHING), STR
        return self._global(name, exp.at, self.scope, names)

    def _global(self, name: str, at: Position, scope: Scope, names: Locals) -> Typed:
        meaning = scope.meaning(name, at)
        if isinstance(meaning, terms.Oper):
            return terms.Global(meaning), self.oper_type(meaning, at)
        if isinstance(meaning, Constructor):
            return _construction(meaning)
        known = {*names, *scope.known(), "BIND", "nonExist"}
        raise GrammarError(
            f"unknown name {name!r}",
            did_you_mean(name, known - {"_"}, "define it with oper or let"),
            at=at,
        )

    def _infer_project(self, exp: syntax.Project, names: Locals) -> Typed:
        module, label = exp.record, exp.label
        if (
            isinstance(module, syntax.Name)
            and module.name not in names
            and module.name in self.scope.opened
            and self.scope.meaning(module.name, module.at) is None
        ):
            if label.text in ("BIND", "nonExist"):
                return self._infer_name(syntax.Name(label.at, label.text), {})
            inner = self.scope.opened[module.name]
            qualified = Scope(inner.name, {}, inner.problems, values=inner.values)
            return self._global(label.text, label.at, qualified, {})
        record, of = self.infer(exp.record, names)
        if not isinstance(of, RecordType):
            raise GrammarError(
                f"{described(of)} has no fields",
                f"'.{label.text}' needs a record before it",
                at=exp.at,
            )
        if label.text not in of.by_label:
            raise GrammarError(
                f"there is no field {label.text!r} in {of}",
                did_you_mean(
                    label.text, of.by_label, f"fields are {', '.join(of.by_label)}"
                ),
                at=label.at,
            )
        return terms.Projection(record, label.text), of.by_label[label.text]

    def _infer_apply(self, exp: syntax.Apply, names: Locals) -> Typed:
        function, of = self.infer(exp.function, names)
        if not isinstance(of, FunctionType):
            what = f"{described(of)} takes no argument"
            head: syntax.Exp = exp
            while isinstance(head, syntax.Apply):
                head = head.function
            if isinstance(head, syntax.Name) and head is not exp.function:
                what = f"{head.name!r} has too many arguments"
            cure = "delete this one, or join with ++"
            if exp.argument.at.line > exp.function.at.line:
                # Two lines with nothing between them are one expression.
                cure = "end the line before with ;, or join with ++"
            raise GrammarError(what, cure, at=exp.argument.at)
        argument = self.check(exp.argument, of.argument, names)
        return terms.Application(function, argument), of.result

    def _infer_select(self, exp: syntax.Select, names: Locals) -> Typed:
        if isinstance(exp.table, syntax.TableLambda):
            key, of = self._param(exp.key, names)
            name = exp.table.name.text
            body, value = self.infer(exp.table.body, {**names, name: of})
            entries = {one: ({name: one}, body) for one in of.values}
            return terms.Selection(terms.TableTerm(entries), key), value
        if isinstance(exp.table, syntax.Table):
            key, of = self._param(exp.key, names)
            table, value = self._infer_branches(exp.table.branches, of, names)
            return terms.Selection(table, key), value
        table, kind = self.infer(exp.table, names)
        if not isinstance(kind, TableType):
            raise GrammarError(
                f"{described(kind)} is not a table",
                "only from a table can ! choose",
                at=exp.table.at,
            )
        return terms.Selection(table, self.check(exp.key, kind.key, names)), kind.value

    def _infer_branches(
        self, branches: Sequence[syntax.Branch], key: ParamType, names: Locals
    ) -> Typed:
        types: list[tuple[Type, Position]] = []

        def inferred(number: int, inner: Locals) -> terms.Term:
            term, of = self.infer(branches[number].body, inner)
            types.append((of, branches[number].body.at))
            return term

        table = table_term(branches, key, names, self.scope, inferred)
        return table, common(types)

    def _infer_table(self, exp: syntax.Table, names: Locals) -> Typed:
        key = key_of(exp.branches, self.scope)
        if key is None:
            raise untyped("the table", "t : Case => Str", exp.at)
        table, value = self._infer_branches(exp.branches, key, names)
        return table, TableType(key, value)

    def _infer_case(self, exp: syntax.Case, names: Locals) -> Typed:
        scrutinee, key = self._param(exp.scrutinee, names)
        table, value = self._infer_branches(exp.branches, key, names)
        return terms.Selection(table, scrutinee), value

    def _infer_let(self, exp: syntax.Let, names: Locals) -> Typed:
        bound, of = self._bound(exp, names)
        body, result = self.infer(exp.body, {**names, exp.name.text: of})
        return terms.With(exp.name.text, bound, body), result

    def _infer_variants(self, exp: syntax.Variants, names: Locals) -> Typed:
        parts = [self.infer(part, names) for part in exp.parts]
        places = [part.at for part in exp.parts]
        of = common(list(zip([of for _, of in parts], places, strict=True)))
        return terms.Variation(tuple(term for term, _ in parts)), of

    def _extended(self, exp: syntax.Extend, known: RecordType, names: Locals) -> Typed:
        """Return ``r ** s``; types of some fields may be known already."""
        sides: list[terms.Term] = []
        fields: dict[str, Type] = {}
        for side in (exp.left, exp.right):
            term, kind = (
                self._typed_record(side, known, names)
                if isinstance(side, syntax.Record)
                else self.infer(side, names)
            )
            if not isinstance(kind, RecordType):
                raise GrammarError(
                    f"{described(kind)} is not a record", "** joins records", at=side.at
                )
            sides.append(term)
            fields.update(kind.by_label)
        return terms.Extension(*sides), RecordType(tuple(sorted(fields.items())))

    def _infer_join(self, exp: syntax.Join, names: Locals) -> Typed:
        parts = [self.check(exp.left, STR, names), self.check(exp.right, STR, names)]
        if exp.bind:
            parts.insert(1, terms.Literal(BIND))
        return terms.Concatenation(tuple(parts)), STR


def _construction(constructor: Constructor) -> Typed:
    """Return a constructor as a function of its arguments."""
    variables = [f"{number}" for number in range(len(constructor.arguments))]
    term: terms.Term = terms.Construction(
        constructor.name, tuple(terms.Local(name) for name in variables)
    )
    of: Type = constructor.type
    for name, argument in zip(
        reversed(variables), reversed(constructor.arguments), strict=True
    ):
        term, of = terms.Function(name, term), FunctionType(argument, of)
    return term, of
