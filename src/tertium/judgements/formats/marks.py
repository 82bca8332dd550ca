# SPDX-License-Identifier: Apache-2.0
"""Error spans as annotation tools in a browser write them.

Appraise and Pearmut give the first and the last character of a span, from 0. They count
UTF-16 units, in one of two ways (:data:`NUMBERINGS`):

- ``units``: of the whole text, line ends included (Pearmut from version 1.1.5, commit
  13e7a1f; Appraise, commit 17c319c, without white space around the text);
- ``clicks``: of what can be clicked, line ends left out (Pearmut before 1.1.5, commit
  dbe7643).

Behind the text comes a field for what is missing from it, so spans may say ``missing``
or start there. Pearmut from 1.1.5 may have other such fields after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeGuard

from tertium.errors import UnknownNameError

__all__ = ["NUMBERINGS", "Mark", "as_json", "marks", "numbering_votes", "places_of"]

#: What positions count.
NUMBERINGS = ("units", "clicks")
_WIDE = 0xFFFF
_LARGEST = 2**31
_ENDS = ("start_i", "end_i")


class Mark(NamedTuple):
    """An error that somebody marked, with code points from 0 and an exclusive end."""

    category: str
    severity: str
    start: int | None
    end: int | None
    text: str | None


def places_of(text: str, numbering: str = "units") -> list[int]:
    r"""Return for every number that a tool gives a character its place in the text.

    Raises
    ------
    UnknownNameError

    Examples
    --------
    >>> places_of("a😀\nb"), places_of("a😀\nb", "clicks")
    ([0, 1, 1, 2, 3], [0, 1, 1, 3])
    """
    if numbering not in NUMBERINGS:
        raise UnknownNameError("numbering", numbering, NUMBERINGS)
    return [
        place
        for place, char in enumerate(text)
        if char != "\n" or numbering == "units"
        for _ in range(2 if ord(char) > _WIDE else 1)
    ]


def numbering_votes(spans: object, text: str) -> int:
    r"""Return how many spans of a text tell how they are numbered.

    Numbers after the field for what is missing, which is the last one, speak for
    ``units`` (above 0); line ends, which nobody can click, for ``clicks`` (below 0).

    Examples
    --------
    >>> numbering_votes([{"start_i": 4, "end_i": 5}], "a\nb\n\nc")
    1
    >>> numbering_votes([{"start_i": 1, "end_i": 2}], "a\nb\n\nc")
    -1
    """
    if "\n" not in text or not isinstance(spans, list):
        return 0
    units, last = places_of(text), len(places_of(text, "clicks"))
    votes = 0
    for span in spans:
        ends = [span.get(name) for name in _ENDS] if isinstance(span, dict) else []
        numbers = [number for number in ends if _is_place(number)]
        if any(number > last for number in numbers):
            votes += 1
        elif any(text[units[number]] == "\n" for number in numbers):
            votes -= 1
    return votes


def marks(
    spans: object,
    *,
    text: str | None = None,
    category: str = "error_type",
    fields: Sequence[str] = ("missing",),
    numbering: str = "units",
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
        missing. Any place after that of the last counts as the last. A span that
        starts in the text ends with it.
    numbering : {"units", "clicks"}

    Raises
    ------
    ValueError
        When a span is not understood.
    """
    if not isinstance(spans, list):
        message = "the error spans are not a JSON list"
        raise ValueError(message)
    places = None if text is None else places_of(text, numbering)
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
    first, last = (span.get(name) for name in _ENDS)
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
    if last >= len(places) + len(fields):
        message = f"error span ends at {last}, after the text of {len(places)}"
        raise ValueError(message)
    start, end = places[first], places[min(last, len(places) - 1)] + 1
    return Mark(name, severity, start, end, text[start:end])


def _is_place(value: object) -> TypeGuard[int]:
    plain = isinstance(value, int) and not isinstance(value, bool)
    return plain and 0 <= value < _LARGEST  # type: ignore[operator]


def as_json(marks: Sequence[Mark]) -> list[dict[str, object]]:
    """Return errors as JSON, for the metadata of ratings that check a judge."""
    return [mark._asdict() for mark in marks]
