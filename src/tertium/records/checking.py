# SPDX-License-Identifier: Apache-2.0
"""Fields of JSON that nobody vouches for."""

from __future__ import annotations

import math
from typing import cast

from tertium._messages import quote
from tertium.errors import FormatError

__all__ = ["Fields"]

_MOST = 2**63


class Fields:
    """The fields of a JSON object, each read as what it must be.

    Parameters
    ----------
    content : object
        What was read from JSON.
    path : str
        The file, for messages.
    place : str
        Where in the file the object is, such as ``results.files[2].``.

    Raises
    ------
    FormatError
        If `content` is not an object; and from every method, if a field is missing or
        holds something else.

    Examples
    --------
    >>> Fields({"seed": 12345}, "run.json").count("seed")
    12345
    >>> Fields({"seed": "many"}, "run.json").count("seed")
    Traceback (most recent call last):
        ...
    tertium.errors.FormatError: run.json: "seed" is 'many', not an integer from 0; \
record the run again
    """

    def __init__(self, content: object, path: str, place: str = "") -> None:
        self._path = path
        self._place = place
        if not isinstance(content, dict):
            where = f'"{place[:-1]}"' if place else "the file"
            raise self._error(f"{where} is not a JSON object")
        self.content = cast("dict[str, object]", content)

    def wrong(self, name: str, what: str) -> FormatError:
        """Return an error about a field."""
        return self._error(f'"{self._place}{name}" {what}')

    def any(self, name: str) -> object:
        """Return a field."""
        if name not in self.content:
            raise self.wrong(name, "is missing")
        return self.content[name]

    def text(self, name: str, *, optional: bool = False) -> str | None:
        """Return a text; None if it is missing or null and may be."""
        if optional and self.content.get(name) is None:
            return None
        return self._text(name, self.any(name))

    def count(self, name: str, *, optional: bool = False) -> int | None:
        """Return an integer from 0; None if it is missing or null and may be."""
        if optional and self.content.get(name) is None:
            return None
        value = self.any(name)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(name, f"is {_shown(value)}, not an integer from 0")
        if not 0 <= value < _MOST:
            raise self.wrong(name, "is not an integer from 0")
        return value

    def number(self, name: str) -> float:
        """Return a number from 0."""
        value = self.any(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.wrong(name, f"is {_shown(value)}, not a number")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not 0 <= number < math.inf:
            raise self.wrong(name, "is not a number from 0")
        return number

    def texts(self, name: str) -> list[str]:
        """Return a list of texts."""
        return [self._text(name, item) for item in self._list(name)]

    def path(self, name: str) -> str:
        """Return a path."""
        return self._path_of(name, self.any(name))

    def paths(self, name: str) -> list[str]:
        """Return a list of paths."""
        return [self._path_of(name, item) for item in self._list(name)]

    def inner(self, name: str) -> Fields:
        """Return an object within this one."""
        return Fields(self.any(name), self._path, f"{self._place}{name}.")

    def several(self, name: str) -> list[Fields]:
        """Return a list of objects."""
        return [
            Fields(item, self._path, f"{self._place}{name}[{number}].")
            for number, item in enumerate(self._list(name))
        ]

    def all_texts(self) -> dict[str, str]:
        """Return all fields, which are texts."""
        return {name: self._text(name, item) for name, item in self.content.items()}

    def texts_or_counts(self) -> dict[str, str | int]:
        """Return all fields, which are texts or integers."""
        return {
            name: item
            if isinstance(item, int) and not isinstance(item, bool)
            else self._text(name, item)
            for name, item in self.content.items()
        }

    def _list(self, name: str) -> list[object]:
        value = self.any(name)
        if not isinstance(value, list):
            raise self.wrong(name, f"is {_shown(value)}, not a list")
        return value

    def _path_of(self, name: str, value: object) -> str:
        path = self._text(name, value)
        if not path or "\0" in path:
            raise self.wrong(name, "is not a path")
        return path

    def _text(self, name: str, value: object) -> str:
        if not isinstance(value, str):
            raise self.wrong(name, f"is {_shown(value)}, not a text")
        if any("\ud800" <= char <= "\udfff" for char in value):
            raise self.wrong(name, "has half a surrogate pair in it")
        return value

    def _error(self, what: str) -> FormatError:
        return FormatError(f"{what}; record the run again", path=self._path)


def _shown(value: object) -> str:
    return quote(value) if isinstance(value, str) else type(value).__name__
