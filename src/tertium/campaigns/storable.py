# SPDX-License-Identifier: Apache-2.0
"""What every database keeps and every export can write."""

from __future__ import annotations

import json
import re

__all__ = ["as_kept"]

# The character 0 as JSON writes it; with a backslash before it, it is text.
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


def as_kept(value: object) -> str:
    r"""Return a value as JSON.

    PostgreSQL keeps no character 0, no file of UTF-8 holds half of a character that
    is written as two, and JSON has no NaN.

    Raises
    ------
    ValueError
        When something in it cannot be kept.

    Examples
    --------
    >>> as_kept({"text": "é"})
    '{"text": "é"}'
    >>> as_kept("\ud83d")
    Traceback (most recent call last):
        ...
    ValueError: the character 0, half a character or no number
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (TypeError, ValueError, RecursionError):
        text = r"\u0000"
    if _NUL.search(text):
        message = "the character 0, half a character or no number"
        raise ValueError(message)
    return text
