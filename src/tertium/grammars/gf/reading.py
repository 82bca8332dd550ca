# SPDX-License-Identifier: Apache-2.0
"""From the text of a file to the syntax trees of its modules."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from tertium.errors import MissingExtraError
from tertium.grammars.gf import syntax
from tertium.grammars.gf.building import Builder
from tertium.grammars.gf.problems import GrammarError, Source

if TYPE_CHECKING:
    from lark import Lark

__all__ = ["NESTED", "read_modules"]

NESTED = "the grammar is nested too deeply", "give parts of it names with oper"


def read_modules(source: Source) -> list[syntax.Module]:
    """Return the modules of a file.

    Raises
    ------
    GrammarError
        If the text breaks the syntax; the message says what is missing.
    """
    return list(_parsed(source))


# Grammars open the same modules again and again.
@lru_cache(maxsize=64)
def _parsed(source: Source) -> tuple[syntax.Module, ...]:
    parser = _parser()
    import lark

    from tertium.grammars.gf import mistakes

    try:
        tree = parser.parse(source.text)
        names = tree.scan_values(lambda leaf: getattr(leaf, "type", "") == "ID")
        mistakes.reject_reserved(names, source)
        return tuple(Builder(source).modules(tree))
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
