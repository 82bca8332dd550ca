# SPDX-License-Identifier: Apache-2.0
"""The parsers of all verbs, and a way to see one without running its verb."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import NoReturn

from tertium.cli.shared.habits import settle, unrecognised
from tertium.errors import InputError

__all__ = ["current_parsers", "parser", "parser_of"]

#: The parser of the verb at hand, as soon as it parses.
current_parsers: list[argparse.ArgumentParser] = []

_capturing: list[bool] = []


class _ParserFound(Exception):  # noqa: N818 (not an error)
    """Carries a parser to `parser_of`, from the place where it would parse."""


class _Parser(argparse.ArgumentParser):
    """A parser that raises exceptions like all others, and understands habits."""

    _helping = False

    def _get_formatter(self) -> argparse.HelpFormatter:
        if self._helping:
            return super()._get_formatter()
        # argparse asks for one with every option, to check its metavar: no need to
        # measure the terminal for that, nor to import what does.
        return argparse.HelpFormatter(self.prog, width=80)

    def format_help(self) -> str:
        """Return the help, as wide as the terminal."""
        self._helping = True
        return super().format_help()

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str], namespace: None = None
    ) -> argparse.Namespace:
        """Return the options, or raise an error for what cannot be understood."""
        if _capturing:
            raise _ParserFound(self)
        current_parsers[:] = [self]
        options, extra = self.parse_known_args(args, namespace)
        if extra:
            if error := unrecognised(self, options, extra, args):
                raise error
            self.error(f"unrecognized arguments: {' '.join(extra)}")
        settle(self, options, args)
        return options

    def error(self, message: str) -> NoReturn:
        hint = f"see {self.prog} --help"
        text = f"{message}; {hint}"
        raise InputError(text)


def parser(verb: str, about: str, examples: str) -> argparse.ArgumentParser:
    """Return the parser of a verb, with examples at the end of its help."""
    return _Parser(
        prog=f"tertium {verb}",
        description=about,
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def parser_of(
    command: Callable[[Sequence[str]], int], argv: Sequence[str]
) -> argparse.ArgumentParser:
    """Return the parser that a command would parse with, without running it.

    Raises
    ------
    TertiumError
        What the command raises before it parses.
    """
    _capturing.append(True)
    try:
        command(argv)
    except _ParserFound as caught:
        parser: argparse.ArgumentParser = caught.args[0]
        return parser
    finally:
        _capturing.pop()
    message = f"{command.__module__} has no parser for {argv}"
    raise InputError(message)
