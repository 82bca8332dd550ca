# SPDX-License-Identifier: Apache-2.0
"""Error spans as annotation tools in a browser write them.

Appraise and Pearmut number the characters that can be clicked, from 0, with the end
*included*: UTF-16 units of the text, line ends left out. Behind the text comes a
field for what is missing from it, so spans may say ``missing`` or start there. Pearmut
may have other such fields after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeGuard

__all__ = ["Mark", "as_json", "clickable", "marks"]

_WIDE = 0xFFFF
_LARGEST = 2**31


class Mark(NamedTuple):
    """An error that somebody marked, with code points from 0 and an exclusive end."""

    category: str
    severity: str
    start: int | None
    end: int | None
    text: str | None


def clickable(text: str) -> list[int]:
    """Return for every character that a browser shows its place in the text.

    Examples
    --------
    >>> clickable("a😀b")
    [0, 1, 1, 2]
    """
    return [
        place
        for place, char in enumerate(text)
        if char != "\n"
        for _ in range(2 if ord(char) > _WIDE else 1)
    ]


def marks(
    spans: object,
    *,
    text: str | None = None,
    category: str = "error_type",
    fields: Sequence[str] = ("missing",),
) -> list[Mark]:
    """Return the errors of a list of JSON objects.

    Parameters
    ----------
    spans : list of dict
        Objects with ``start_i``, ``end_i``, ``severity`` and perhaps a category.
    text : str, optional
        What was marked. Without it, places are those of the file: they differ from
        code points after a character outside the basic plane.
    category : str
        The key of the category.
    fields : sequence of str
        What the fields behind the text stand for, in order; the first is for what is
        missing. Any place after that of the last counts as the last.

    Raises
    ------
    ValueError
        When a span is not understood.
    """
    if not isinstance(spans, list):
        message = "the error spans are not a JSON list"
        raise ValueError(message)
    places = None if text is None else clickable(text)
    return [_mark(span, text, places, category, fields) for span in spans]


def _mark(
    span: object,
    text: str | None,
    places: Sequence[int] | None,
    category: str,
    fields: Sequence[str],
) -> Mark:
    if not isinstance(span, dict):
        message = f"error span {span!r} is not a JSON object"
        raise ValueError(message)
    kind = span.get(category)
    name = "/".join(map(str, kind)) if isinstance(kind, list) else str(kind or "")
    severity = str(span.get("severity") or "undecided")
    first, last = span.get("start_i"), span.get("end_i")
    if "missing" in (first, last):
        return Mark(name or "missing", severity, None, None, None)
    if not _is_place(first) or not _is_place(last) or first > last:
        message = f"error span from {first!r} to {last!r} has no place in the text"
        raise ValueError(message)
    if text is None or places is None:
        return Mark(name, severity, first, last + 1, None)
    if first >= len(places):
        number = min(first - len(places), len(fields) - 1)
        # A category does not tell the other fields from what is missing.
        parts = [name] if number == 0 and name else [fields[number], name]
        return Mark("/".join(filter(None, parts)), severity, None, None, None)
    if last >= len(places):
        message = f"error span ends at {last}, after the text of {len(places)}"
        raise ValueError(message)
    start, end = places[first], places[last] + 1
    return Mark(name, severity, start, end, text[start:end])


def _is_place(value: object) -> TypeGuard[int]:
    plain = isinstance(value, int) and not isinstance(value, bool)
    return plain and 0 <= value < _LARGEST  # type: ignore[operator]


def as_json(marks: Sequence[Mark]) -> list[dict[str, object]]:
    """Return errors as JSON, for the metadata of ratings that check a judge."""
    return [mark._asdict() for mark in marks]
