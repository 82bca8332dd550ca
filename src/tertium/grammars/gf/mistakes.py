# SPDX-License-Identifier: Apache-2.0
"""What a mistake of syntax is, in plain words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tertium.grammars.gf.problems import GrammarError, Position, Problems, Source

if TYPE_CHECKING:
    from lark import Lark, Token
    from lark.exceptions import UnexpectedInput, UnexpectedToken
    from lark.parsers.lalr_interactive_parser import InteractiveParser

__all__ = ["RESERVED", "explained", "reject_reserved"]

#: Words of GF that are not names there and that the subset does not use: what Tertium
#: reads must be good for GF too.
RESERVED = frozenset({
    "PType", "Strs", "Tok", "Type", "coercions", "data", "def", "incomplete",
    "instance", "interface", "lindef", "linref", "nonempty", "overload", "pre",
    "printname", "reuse", "separator", "strs", "terminator", "transfer", "union",
    "where", "with",
})  # fmt: skip

_ENDS = {"LBRACE": ("{", "RBRACE"), "LPAR": ("(", "RPAR"), "LSQB": ("[", "RSQB")}
#: What may be missing, the likely first.
_MISSING = (";", "=", "}", ")", ":", "=>", "->", "in", "of", "{", "(", ",", "++")
_WORDS = {
    "ID": "a name",
    "STRING": "a string in double quotes",
    "$END": "the end of the file",
}


def explained(error: UnexpectedInput, parser: Lark, source: Source) -> GrammarError:
    """Return the error of the parser as one that people understand."""
    from lark.exceptions import UnexpectedToken

    if isinstance(error, UnexpectedToken):
        return _token(error, parser, source)
    return _character(error.pos_in_stream or 0, source)


def reject_reserved(tokens: Iterable[Token], source: Source) -> None:
    """Raise an error for every name that is a reserved word of GF."""
    problems = Problems()
    reserved = [one for one in tokens if one in RESERVED and one.type == "ID"]
    for token in sorted(reserved, key=lambda one: one.start_pos or 0):
        problems.error(
            f"'{token}' is a reserved word of GF, and not part of what is read here",
            "names for types are not read; write the type out"
            if token in ("Type", "PType")
            else f"if it is a name, take another, such as {token}_",
            _start(source, token),
        )
    problems.settle()


def _character(offset: int, source: Source) -> GrammarError:
    text = source.text
    at = _position(source, offset)
    character = text[offset : offset + 1]
    if character == '"':
        return GrammarError(
            "a string is not closed on its line", 'write the closing "', at=at
        )
    if text[offset - 1 : offset + 1] == "{-":
        return GrammarError(
            "a comment is not closed",
            "write -} at its end",
            at=_position(source, offset - 1),
        )
    if character in "“”„«»'‘’`":
        cure = 'strings stand in "double quotes"'
    elif character.isdigit():
        cure = "names begin with a letter"
    else:
        cure = "delete it, or put it into a string"
    return GrammarError(f"{character!r} has no meaning here", cure, at=at)


def _token(error: UnexpectedToken, parser: Lark, source: Source) -> GrammarError:
    token = error.token
    before = _tokens_before(parser, source, token)
    # A word such as pre or where brings a syntax that is not read here.
    reject_reserved([*before, token], source)
    ended = token.type == "$END"
    shown = "the end of the file" if ended else f"'{token}'"
    at = _after(source, before) if ended else _start(source, token)
    if not before and ended:
        return GrammarError("there is no module", "write one", at=at)
    brackets = _open(before)
    if ended and brackets:
        opening = brackets[-1]
        return GrammarError(
            f"the '{opening}' is never closed",
            f"write '{_closing(parser, opening)}' where its content ends",
            at=_start(source, opening),
        )
    if source.text[token.start_pos or 0 :].startswith("{-"):
        return GrammarError("a comment is not closed", "write -} at its end", at=at)
    late = _next_definition(parser, token, before)
    if late:
        return GrammarError(
            f"a ';' is missing before '{before[late]}'",
            "write ';' there",
            at=_after(source, before[:late]),
        )
    state = error.interactive_parser
    if token.type == "ID" and state and _accepted(state) == {"COLON", "EQUAL"}:
        name = before[-1]
        return GrammarError(
            f"{name!s} has a variable before its '='",
            f"write {name} : Str -> Str = \\{token} -> ..., with the type it has",
            at=at,
        )
    missing = _missing(error, parser)
    if missing:
        return GrammarError(
            f"a '{missing}' is missing before {shown}",
            f"write '{missing}' there",
            at=_after(source, before) if before else at,
        )
    if token.type == "RBRACE" and before and before[-1].type == "LBRACE":
        empty = len(before) > 1 and before[-2].type == "VARIANTS"
        cure = "write nonExist" if empty else "put something into them"
        return GrammarError("there is nothing between the braces", cure, at=at)
    wanted = _expected(error, parser)
    if len(brackets) > 1:  # the first is that of the module
        wanted += f" (the '{brackets[-1]}' of line {brackets[-1].line} is still open)"
    return GrammarError(f"{shown} cannot stand here", f"expected {wanted}", at=at)


def _next_definition(parser: Lark, token: Token, before: list[Token]) -> int:
    """Return where a new definition or branch begins whose ``;`` is missing; or 0.

    Names are read as arguments of what stands before them, so that only the mark
    after them cannot stand where it is.
    """
    if str(token) not in ("=", ":", "=>"):
        return 0
    first = len(before)
    while first and before[first - 1].type in ("ID", "COMMA"):
        first -= 1
    names = [n for n in range(first, len(before)) if before[n].type == "ID"]
    # The name that begins its line, or else the last one.
    heads = [n for n in names if n and before[n].line != before[n - 1].line]
    candidates = [*reversed(heads), *reversed(names)]
    for place in candidates:
        state = parser.parse_interactive()
        for one in before[:place]:
            state.feed_token(one)
        if "SEMICOLON" in _accepted(state):
            return place
    return 0


def _missing(error: UnexpectedToken, parser: Lark) -> str | None:
    """Return the mark after which the text would go on well, if there is one."""
    from lark import Token

    state = error.interactive_parser
    if state is None:
        return None
    patterns = {_text(parser, name): name for name in _accepted(state)}
    for text in _MISSING:
        name = patterns.get(text)
        if name is None:
            continue
        trial: InteractiveParser = state.copy()  # type: ignore[no-untyped-call]
        trial.feed_token(Token(name, text))
        if error.token.type in _accepted(trial):
            return text
    return None


def _expected(error: UnexpectedToken, parser: Lark) -> str:
    state = error.interactive_parser
    names = _accepted(state) if state is not None else error.expected
    words = sorted({_WORDS.get(name) or f"'{_text(parser, name)}'" for name in names})
    # Names and strings say more than the list of all that may begin a phrase.
    words.sort(key=lambda word: not word.startswith("a"))
    if len(words) > 6:
        words = [*words[:5], "the like"]
    return " or ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def _accepted(state: InteractiveParser) -> set[str]:
    accepted: set[str] = state.accepts()  # type: ignore[no-untyped-call]
    return accepted


def _text(parser: Lark, name: str) -> str:
    for terminal in parser.terminals:
        if terminal.name == name:
            return str(terminal.pattern.value)
    return name


def _tokens_before(parser: Lark, source: Source, token: Token) -> list[Token]:
    before = []
    for one in parser.lex(source.text):
        if token.type != "$END" and one.start_pos == token.start_pos:
            break
        before.append(one)
    return before


def _open(tokens: list[Token]) -> list[Token]:
    """Return the brackets that are open after these tokens."""
    brackets: list[Token] = []
    for token in tokens:
        if token.type in _ENDS:
            brackets.append(token)
        elif brackets and token.type == _ENDS[brackets[-1].type][1]:
            brackets.pop()
    return brackets


def _closing(parser: Lark, opening: Token) -> str:
    return _text(parser, _ENDS[opening.type][1])


def _start(source: Source, token: Token) -> Position:
    return Position(source, token.line or 1, token.column or 1)


def _after(source: Source, tokens: list[Token]) -> Position:
    if not tokens:
        return Position(source, 1, 1)
    last = tokens[-1]
    return Position(source, last.end_line or 1, last.end_column or 1)


def _position(source: Source, offset: int) -> Position:
    before = source.text[:offset]
    line = before.count("\n") + 1
    return Position(source, line, offset - before.rfind("\n"))
