# SPDX-License-Identifier: Apache-2.0
"""Some of the judgements: the option ``--only COLUMN=VALUE``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.judgements import Judgements

__all__ = ["add_choice", "choose"]

_FEW = 30  # names that a message can list


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--only",
        nargs="+",
        action="extend",
        default=[],
        metavar="COLUMN=VALUE",
        help="judgements with this value, such as langpair=de-en; of one column given "
        "twice, either value; COLUMN= for those without a value and COLUMN=* for those "
        "with one, so part= chooses whole segments and part=* parts of them",
    )


def choose(found: Judgements, only: Sequence[str]) -> Judgements:
    """Return the judgements that the option leaves.

    Raises
    ------
    InputError
        When a choice is not COLUMN=VALUE, or no judgement has such a value.
    """
    wanted: dict[str, list[str | None]] = {}
    for choice in only:
        column, equals, value = choice.partition("=")
        if not equals:
            message = f"--only {choice!r} is not COLUMN=VALUE, such as langpair=de-en"
            raise InputError(message)
        values = wanted.setdefault(column, [])
        if value in ("", "*"):
            lacking, names = found.nameless(column), found.names(column)
            if not (names if value else lacking):
                which = "with" if value else "without"
                raise InputError(f"--only {choice}: no judgement is {which} a {column}")
            values += names if value else [None]
        else:
            values.append(value)
    chosen = found.filter(**wanted)
    for column, values in wanted.items():
        known = found.names(column)
        for name in values:
            if name is not None and name not in known:
                if len(known) <= _FEW:
                    raise UnknownNameError(column, name, known)
                message = f"no judgement has {column} {name!r}; check its spelling"
                raise InputError(message)
    return chosen
