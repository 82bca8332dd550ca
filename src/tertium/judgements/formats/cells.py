# SPDX-License-Identifier: Apache-2.0
"""Cells, scores, times and metadata, as files of ratings spell them."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone

__all__ = [
    "NO_SCORE",
    "cut",
    "epoch",
    "from_json",
    "meta_of",
    "score",
    "sizes",
    "to_meta",
]

#: What stands for no score.
NO_SCORE = frozenset({"", "None", "NA", "n/a", "null"})

_START = datetime(1970, 1, 1, tzinfo=timezone.utc)


def cut(line: str, separator: str = ",") -> list[str]:
    """Return the cells of one line, some of which may be quoted.

    Line by line, since a quotation mark that nobody closed would swallow all rows
    after it.

    Raises
    ------
    ValueError
        When quotation marks do not match.

    Examples
    --------
    >>> cut('a,"b, ""c"" d"')
    ['a', 'b, "c" d']
    """
    if '"' not in line:
        return line.split(separator)
    try:
        return next(csv.reader([line], delimiter=separator, strict=True), [])
    except csv.Error:
        message = "quotation marks do not match"
        raise ValueError(message) from None


def from_json(text: str, what: str) -> object:
    r"""Return what JSON says.

    Raises
    ------
    ValueError
        When it is none, or has half a surrogate pair (``"\ud800"``), which no table
        can hold.
    """
    try:
        value: object = json.loads(text)
        if "\\ud" in text or "\\uD" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        message = f"{what} not JSON"
        raise ValueError(message) from None
    return value


def score(text: str) -> float:
    """Return a score.

    Raises
    ------
    ValueError
        When it is not a finite number.

    Examples
    --------
    >>> score("-0.5")
    -0.5
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        message = f"score {text!r} is not a number"
        raise ValueError(message)
    return value


def epoch(text: str) -> datetime | None:
    """Return the time so many seconds after 1970 began, in UTC without offset.

    Raises
    ------
    ValueError
        When it is not such a time. Empty text and ``None`` are an unknown one.

    Examples
    --------
    >>> epoch("86400.5")
    datetime.datetime(1970, 1, 2, 0, 0, 0, 500000)
    """
    if text in NO_SCORE:
        return None
    try:
        return (_START + timedelta(seconds=float(text))).replace(tzinfo=None)
    except (ValueError, OverflowError):
        message = f"time {text!r} is not a number of seconds since 1970"
        raise ValueError(message) from None


def sizes(text: str | None) -> dict[str, object]:
    """Return the size of an output, as metadata of its judgements have it.

    Examples
    --------
    >>> sizes("two words"), sizes(None)
    ({'length': 9, 'words': 2}, {})
    """
    return {} if text is None else {"length": len(text), "words": len(text.split())}


def to_meta(values: Mapping[str, object]) -> str | None:
    """Return values as a JSON object; nothing if there are none."""
    kept = {name: value for name, value in values.items() if value not in (None, "")}
    return json.dumps(kept, ensure_ascii=False) if kept else None


def meta_of(meta: str | None) -> dict[str, object]:
    """Return metadata as a dict, which is empty if they are not a JSON object.

    Examples
    --------
    >>> meta_of('{"length": 7}'), meta_of(None)
    ({'length': 7}, {})
    """
    try:
        content = from_json(meta, "meta is") if meta else {}
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}
