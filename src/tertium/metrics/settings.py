# SPDX-License-Identifier: Apache-2.0
"""Settings of metrics: declared once, read from text or from Python.

A metric class declares ``order: int = setting(4, "...", minimum=1)``; the base
class collects the declarations, checks the values and fills the attributes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

from tertium.errors import InputError, UnknownNameError

__all__ = [
    "YES",
    "ResolvedPath",
    "Setting",
    "Value",
    "as_typed",
    "from_a_file",
    "setting",
    "with_paths",
]

Value: TypeAlias = "bool | int | float | str | None"

#: Words that switch a setting on, in any case.
YES = ("yes", "true", "on", "1")
_NO = ("no", "false", "off", "0")

_in_a_file: ContextVar[bool] = ContextVar("in_a_file", default=False)


@contextmanager
def from_a_file() -> Iterator[None]:
    """Reject external settings while metrics are made whose specs a file holds.

    A profile or a model may come from someone else: it must neither start a program
    (``evalgen:analyser=command:...``) nor read files of whoever uses it.
    """
    token = _in_a_file.set(True)
    try:
        yield
    finally:
        _in_a_file.reset(token)


class ResolvedPath(str):
    """The absolute path of a file that a user typed in another way."""

    __slots__ = ("typed",)

    typed: str

    def __new__(cls, path: str, typed: str) -> ResolvedPath:
        """Return the path, which remembers what was typed."""
        made = super().__new__(cls, path)
        made.typed = typed
        return made

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        """Return what a copy is made of."""
        return str(self), self.typed


def as_typed(value: Value) -> Value:
    """Return a value as the user wrote it."""
    return value.typed if isinstance(value, ResolvedPath) else value


_paths: ContextVar[Mapping[str, ResolvedPath] | None] = ContextVar(
    "paths", default=None
)


@contextmanager
def with_paths(paths: Mapping[str, ResolvedPath]) -> Iterator[None]:
    """Read values of external settings as these paths, by what was typed."""
    token = _paths.set(paths)
    try:
        yield
    finally:
        _paths.reset(token)


class Setting:
    """One setting of a metric.

    Parameters
    ----------
    default : bool, int, float, str or None
        Its type is the type of the setting; None stands for a number that the
        metric chooses itself.
    about : str
        What it does, in one line.
    choices : tuple of str
        The allowed values of a text.
    minimum, maximum : float, optional
        The smallest and the largest allowed number.
    external : bool
        Whether it names a file, a model or a program; see :func:`from_a_file`.
    names : tuple of str
        Values of an external setting that never are paths.
    """

    __slots__ = (
        "about",
        "choices",
        "default",
        "external",
        "maximum",
        "minimum",
        "name",
        "names",
    )

    def __init__(
        self,
        default: Value,
        about: str,
        *,
        choices: tuple[str, ...] = (),
        minimum: float | None = None,
        maximum: float | None = None,
        external: bool = False,
        names: tuple[str, ...] = (),
    ) -> None:
        self.name = ""
        self.default = default
        self.about = about
        self.choices = choices
        self.minimum = minimum
        self.maximum = maximum
        self.external = external
        self.names = names

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type) -> Any:
        return self if instance is None else instance.__dict__[self.name]

    def __set__(self, instance: object, value: Value) -> None:
        # The kernel was made for the settings, so they cannot change later.
        if self.name in instance.__dict__:
            message = f"{self.name} is set for good; make a new metric"
            raise AttributeError(message)
        instance.__dict__[self.name] = value

    @property
    def kind(self) -> str:
        """The type in words: yes/no, an integer, a number or a text."""
        if isinstance(self.default, bool):
            return "yes/no"
        if isinstance(self.default, int):
            return "an integer"
        if isinstance(self.default, float) or self.default is None:
            return "a number"
        return "|".join(self.choices) if self.choices else "a text"

    def read(self, value: Value, metric: str) -> Value:
        """Return a checked value from Python or from the text of a spec."""
        where = f"{metric}: {self.name}"
        if self.external and value != self.default and _in_a_file.get():
            message = (
                f"{where}={value} names a file or a program, which only a command line "
                "or Python may do; leave it out"
            )
            raise InputError(message)
        if self.kind == "yes/no":
            return self._read_flag(value, where)
        if isinstance(self.default, str):
            return self._read_text(value, where)
        if value is None or (value == "" and self.default is None):
            return self.default
        return self._read_number(value, where)

    def show(self, value: Value) -> str:
        """Return a value as it stands in a spec string."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, float):
            short = f"{value:g}"
            return short if float(short) == value else repr(value)
        return str(as_typed(value))

    def _read_flag(self, value: Value, where: str) -> bool:
        if isinstance(value, bool):
            return value
        text = str(value).lower()
        if text in YES or text in _NO:
            return text in YES
        message = f"{where} is yes or no, not {value!r}"
        raise InputError(message)

    def _read_text(self, value: Value, where: str) -> str:
        if isinstance(value, ResolvedPath):
            return value
        text = str(value)
        if text in self.names:
            return text
        if self.external and (paths := _paths.get()):
            return paths.get(text, text)
        if self.choices and text not in self.choices:
            raise UnknownNameError(f"value of {where}", text, self.choices)
        return text

    def _read_number(self, value: Value, where: str) -> int | float:
        whole = isinstance(self.default, int)
        try:
            number = int(value) if whole else float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            message = f"{where} is {self.kind}, not {value!r}"
            raise InputError(message) from None
        if whole and isinstance(value, float) and value != number:
            message = f"{where} is an integer, not {value!r}"
            raise InputError(message)
        if not math.isfinite(number):
            message = f"{where} must be finite, not {value!r}"
            raise InputError(message)
        if self.minimum is not None and number < self.minimum:
            message = f"{where} must be at least {self.minimum:g}, not {value!r}"
            raise InputError(message)
        if self.maximum is not None and number > self.maximum:
            message = f"{where} must be at most {self.maximum:g}, not {value!r}"
            raise InputError(message)
        return number


def setting(
    default: Value,
    about: str,
    *,
    choices: tuple[str, ...] = (),
    minimum: float | None = None,
    maximum: float | None = None,
    external: bool = False,
    names: tuple[str, ...] = (),
) -> Any:  # like dataclasses.field: the annotation has the type
    """Declare a setting of a metric; see :class:`Setting`."""
    return Setting(
        default,
        about,
        choices=choices,
        minimum=minimum,
        maximum=maximum,
        external=external,
        names=names,
    )
