# SPDX-License-Identifier: Apache-2.0
"""The parsers of all verbs, and a way to see one without running its verb."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

from tertium.cli.shared.habits import settle, unrecognised
from tertium.errors import InputError

if TYPE_CHECKING:
    from typing import Protocol

    class Notebook(Protocol):
        """Takes note of a run that is recorded."""

        def note_options(self, options: Mapping[str, object]) -> None:
            """Take note of the options as they were understood."""

        def note_result(self, content: object) -> None:
            """Take note of a result."""

        def note_facts(self, facts: Mapping[str, object]) -> None:
            """Take note of facts about the data and the methods."""


__all__ = [
    "current_parsers",
    "note_facts",
    "note_result",
    "notebooks",
    "parser",
    "parser_of",
]

#: The parser of the verb at hand, as soon as it parses.
current_parsers: list[argparse.ArgumentParser] = []

#: Of the run at hand, if it is recorded; the innermost is the last.
notebooks: list[Notebook] = []

_capturing: list[bool] = []


_RECORD = (
    "also write a record of the run: command, versions, hashes of all files, results; "
    "see `tertium repeat` and `tertium cite`"
)


_CONFIG = (
    "more options from a TOML file: a table per verb with the long names of options, "
    "which are replaced by those typed (default: tertium.toml, if there is one; it may "
    "not write files, start programs or open connections unless it is named here)"
)
_NO_CONFIG = "ignore tertium.toml"


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
        if "--record" not in self._option_string_actions:
            # Here, so that it is the last one in the help of every verb.
            self.add_argument("--record", metavar="FILE", help=_RECORD)
            if "--config" not in self._option_string_actions:
                # The dispatcher takes these out of the command line.
                self.add_argument("--config", metavar="FILE", help=_CONFIG)
                self.add_argument("--no-config", action="store_true", help=_NO_CONFIG)
        if _capturing:
            raise _ParserFound(self)
        current_parsers[:] = [self]
        options, extra = self.parse_known_args(args, namespace)
        if extra:
            if error := unrecognised(self, options, extra, args):
                raise error
            self.error(f"unrecognized arguments: {' '.join(extra)}")
        settle(self, options, args)
        if options.record is not None:
            _note_options(options)
        return options

    def error(self, message: str) -> NoReturn:
        hint = f"see {self.prog} --help"
        text = f"{message}; {hint}"
        raise InputError(text)


def note_result(content: Callable[[], object], **facts: object) -> None:
    """Take note of a result if the run is recorded, with all its digits.

    Parameters
    ----------
    content : callable
        Returns what JSON shows, as an object or a text.
    **facts
        About the data, for `tertium cite`.
    """
    if notebooks:
        notebooks[-1].note_result(content())
        note_facts(**facts)


def note_facts(**facts: object) -> None:
    """Take note of facts if the run is recorded, for `tertium cite`.

    Sizes by name; ``metrics`` are objects with the signature by spec, and ``methods``
    keys of :data:`tertium.metrics.papers.METHODS`.
    """
    if notebooks:
        notebooks[-1].note_facts(facts)


def _note_options(options: argparse.Namespace) -> None:
    if not notebooks:
        # The dispatcher looks for the whole word; sacreBLEU's parser takes less.
        raise InputError("write --record in full, after `tertium VERB`")
    notebooks[-1].note_options(vars(options))


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
