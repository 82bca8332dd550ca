# SPDX-License-Identifier: Apache-2.0
"""Flags in what library errors advise: instead of arguments, or added.

The library names arguments (:attr:`tertium.errors.InputError.options`); only the verb
at hand knows whether it has a flag for one, and what it is called.
"""

from __future__ import annotations

import argparse
import re

from tertium.errors import InputError, TertiumError

__all__ = ["parsing", "with_flags"]

_current: list[argparse.ArgumentParser] = []


def parsing(parser: argparse.ArgumentParser) -> None:
    """Remember the parser of the verb at hand."""
    _current[:] = [parser]


def with_flags(error: TertiumError) -> str:
    """Return the message of an error, with the flags that this verb has for it.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> _ = parser.add_argument("--ref-trees")
    >>> parsing(parser)
    >>> with_flags(InputError("give trees", options=("trees", "ref_trees")))
    'give trees (--ref-trees)'
    >>> with_flags(InputError("set ref_trees=True", options=("ref_trees",)))
    'set --ref-trees'
    >>> with_flags(InputError("write ref_trees=a.conllu", options=("ref_trees",)))
    'write --ref-trees a.conllu'
    """
    names = error.options if isinstance(error, InputError) else ()
    flags = {
        action.dest: max(action.option_strings, key=len)
        for parser in _current
        for action in parser._actions  # argparse has no other way
        if action.option_strings
    }
    first, line_break, rest = str(error).partition("\n")  # then what was read, perhaps
    added = []
    for name in names:
        if name in flags and f"{name}=True" in first:
            first = first.replace(f"{name}=True", flags[name])
        elif name in flags and re.search(rf"\b{name}=", first):
            first = re.sub(rf"\b{name}=", f"{flags[name]} ", first)
        elif name in flags:
            added.append(flags[name])
    flagged = f"{first} ({', '.join(added)})" if added else first
    return f"{flagged}{line_break}{rest}"
