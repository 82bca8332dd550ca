# SPDX-License-Identifier: Apache-2.0
"""Reads the tables of a profile, with errors that name table, key and cure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from tertium.errors import InputError, UnknownNameError

__all__ = ["FUNCTION_WORDS_FILE", "TableReader"]

#: The key of a profile that names a file, from the profile's folder; models hold the
#: words themselves.
FUNCTION_WORDS_FILE = "function_words_file"


class TableReader:
    """One table of a profile; every key is read once, and none is left over.

    Parameters
    ----------
    table : mapping
        As TOML or JSON gave it.
    where : str
        File and table, for messages.
    """

    def __init__(self, table: Mapping[str, object], where: str) -> None:
        self.table = table
        self.where = where
        self._read = {"kind"}

    def text(
        self, key: str, default: str | None = None, *, choices: Sequence[str] = ()
    ) -> str:
        """Return a text; without a default the key must be there."""
        value = self._value(key, default)
        if not isinstance(value, str):
            raise self.wrong(key, value, "a text")
        self._check(key, value, choices)
        return value

    def flag(self, key: str, default: bool | None = None) -> bool:
        """Return true or false."""
        value = self._value(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, value, "true or false")
        return value

    def number(self, key: str, default: float | None = None) -> float:
        """Return a finite number."""
        value = self._value(key, default)
        whole = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not whole or not math.isfinite(value):  # type: ignore[arg-type]
            raise self.wrong(key, value, "a number")
        return float(value)  # type: ignore[arg-type]

    def texts(
        self,
        key: str,
        default: Sequence[str] | None = None,
        *,
        choices: Sequence[str] = (),
        repeated: bool = False,
    ) -> tuple[str, ...]:
        """Return a list of texts, none of them twice unless that is allowed."""
        value = self._value(key, default)
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise self.wrong(key, value, "a list of texts")
        for item in value:
            if not isinstance(item, str):
                raise self.wrong(key, item, "a list of texts")
            self._check(key, item, choices)
        if not repeated and len(set(value)) != len(value):
            twice = next(item for item in value if list(value).count(item) > 1)
            message = f"{self.where}: {key} has {twice!r} twice; keep one"
            raise InputError(message)
        return tuple(value)

    def value(self, key: str, default: object = None) -> object:
        """Return whatever is there, to be checked by the caller."""
        self._read.add(key)
        return self.table.get(key, default)

    def done(self) -> None:
        """Raise if a key was not read: nobody knows it."""
        for key in self.table:
            if key not in self._read:
                raise UnknownNameError(f"key in {self.where}", key, self._read)

    def wrong(self, key: str, value: object, wanted: str) -> InputError:
        """Return the error for a value of a wrong kind."""
        return InputError(f"{self.where}: {key} is {wanted}, not {value!r}; change it")

    def _value(self, key: str, default: object) -> object:
        self._read.add(key)
        value = self.table.get(key, default)
        if value is None:
            message = f"{self.where}: {key} is missing; add {key} = ..."
            raise InputError(message)
        return value

    def _check(self, key: str, value: str, choices: Sequence[str]) -> None:
        if choices and value not in choices:
            raise UnknownNameError(f"value of {key} in {self.where}", value, choices)
