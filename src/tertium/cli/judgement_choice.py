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
        "twice, either value",
    )


def choose(found: Judgements, only: Sequence[str]) -> Judgements:
    """Return the judgements that the option leaves.

    Raises
    ------
    InputError
        When a choice is not COLUMN=VALUE, or no judgement has such a value.
    """
    wanted: dict[str, list[str]] = {}
    for choice in only:
        column, equals, value = choice.partition("=")
        if not equals:
            message = f"--only {choice!r} is not COLUMN=VALUE, such as langpair=de-en"
            raise InputError(message)
        wanted.setdefault(column, []).append(value)
    chosen = found.filter(**wanted)
    for column, values in wanted.items():
        known = found.names(column)
        for value in values:
            if value not in known:
                if len(known) <= _FEW:
                    raise UnknownNameError(column, value, known)
                message = f"no judgement has {column} {value!r}; check its spelling"
                raise InputError(message)
    return chosen
