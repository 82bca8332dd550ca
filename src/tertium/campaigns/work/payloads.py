# SPDX-License-Identifier: Apache-2.0
"""What comes over the wire: JSON and texts that every database can hold.

PostgreSQL rejects a NUL and half a surrogate pair, in texts and in JSON; neither
JSON nor PostgreSQL knows NaN. SQLite takes all of them, and they would come out again
in an export. So they are rejected on arrival.
"""

from __future__ import annotations

import json
import math
import re
from typing import NoReturn

from tertium.errors import InputError

__all__ = ["PayloadError", "flaw", "read_json"]

_DEEPEST = 40  # levels; answers have five
_SURROGATE = re.compile("[\ud800-\udfff]")


class PayloadError(InputError):
    """Bytes that are not JSON, or hold what no database keeps."""


def read_json(data: bytes | str) -> object:
    """Return what JSON says.

    Raises
    ------
    PayloadError
        When it is not JSON in UTF-8, too deep, or holds what cannot be kept.
    """
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        value: object = json.loads(text, parse_constant=_no_number)
    except UnicodeDecodeError:
        message = "this is not UTF-8; send texts in UTF-8"
        raise PayloadError(message) from None
    except (ValueError, RecursionError):
        raise PayloadError("this is not JSON; check quotes and brackets") from None
    if problem := flaw(value):
        raise PayloadError(problem)
    return value


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def flaw(value: object) -> str | None:
    r"""Return what in a value cannot be kept, or None.

    Examples
    --------
    >>> flaw({"a": [1, "b"]})
    >>> flaw({"a": ["b\0"]})
    'a text holds a NUL character; remove it'
    """
    # A stack, not recursion: depth is what is measured.
    waiting: list[tuple[object, int]] = [(value, 0)]
    while waiting:
        one, depth = waiting.pop()
        if depth > _DEEPEST:
            return f"more than {_DEEPEST} levels of brackets; make it flatter"
        if isinstance(one, str):
            if problem := _text_flaw(one):
                return problem
        elif isinstance(one, dict):
            for key, inner in one.items():
                waiting += [(key, depth), (inner, depth + 1)]
        elif isinstance(one, list | tuple):
            waiting += [(inner, depth + 1) for inner in one]
        elif isinstance(one, float) and not math.isfinite(one):
            return "a number is not finite; give a smaller one"
        elif type(one) is int and abs(one) >= 2**63:
            return "a whole number has more than 64 bits; give a smaller one"
    return None


def _text_flaw(text: str) -> str | None:
    if "\0" in text:
        return "a text holds a NUL character; remove it"
    if _SURROGATE.search(text):
        return "a text holds half a character (a lone surrogate); remove it"
    return None
