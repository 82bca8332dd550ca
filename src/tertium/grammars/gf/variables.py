# SPDX-License-Identifier: Apache-2.0
"""Semantic variables: which values of meaning a tree holds.

The name of a function tells: ``SemVar2aCar`` is value *a* of variable 2. Functions
that share both are paraphrases of one value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from tertium.errors import InputError

__all__ = [
    "VariableSet",
    "code_of",
    "parse_set",
    "show_set",
    "split_code",
    "united",
]

#: The codes of a tree, such as ``{"1a", "2b"}``.
VariableSet: TypeAlias = frozenset[str]

_NAME = re.compile(r"SemVar(\d+)([a-z]+)[A-Z]\w*")
_CODE = re.compile(r"(\d+)([a-z]+)")


def code_of(function: str) -> str | None:
    """Return the code in the name of a function.

    Examples
    --------
    >>> code_of("SemVar2aCar"), code_of("XHasY")
    ('2a', None)
    """
    match = _NAME.fullmatch(function)
    return match[1] + match[2] if match else None


def united(sets: Iterable[VariableSet]) -> VariableSet | None:
    """Return all codes, or None if a variable would have two values."""
    codes = frozenset().union(*sets)
    variables = {code.rstrip("abcdefghijklmnopqrstuvwxyz") for code in codes}
    return codes if len(variables) == len(codes) else None


def show_set(codes: Iterable[str]) -> str:
    """Return the codes in order, with commas.

    Examples
    --------
    >>> show_set({"10a", "2b", "1a"})
    '1a,2b,10a'
    """
    return ",".join(sorted(codes, key=split_code))


def parse_set(text: str) -> VariableSet:
    """Return the set that a text such as ``1a,2b`` names.

    Raises
    ------
    InputError
        If a part is not a number followed by letters.
    """
    codes = [code.strip() for code in text.split(",") if code.strip()]
    for code in codes:
        if not _CODE.fullmatch(code):
            message = (
                f"{code!r} is not a value of a semantic variable; write a number "
                "and lower-case letters, such as 1a,2b"
            )
            raise InputError(message)
    return frozenset(codes)


def split_code(code: str) -> tuple[int, str]:
    """Return variable and value of a code.

    Examples
    --------
    >>> split_code("10ab")
    (10, 'ab')
    """
    match = _CODE.fullmatch(code)
    return (int(match[1]), match[2]) if match else (0, code)
