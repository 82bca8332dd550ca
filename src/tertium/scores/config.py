# SPDX-License-Identifier: Apache-2.0
"""The configuration of a program that scores segments: one TOML file."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tertium._programs import split_command
from tertium._toml import read_toml
from tertium._watching import announce_input
from tertium.errors import FormatError, InputError

__all__ = ["NEEDS", "ProgramConfig", "read_config"]

#: What a program may ask for besides the hypothesis.
NEEDS = ("source", "reference", "references", "doc")

#: How names of files end that a program writes to while it answers.
_LOGS = (".log", ".lock", ".pid", ".tmp")

_KEYS: dict[str, type | tuple[type, ...]] = {
    "name": str,
    "command": (str, list),
    "needs": list,
    "higher_is_better": bool,
    "bounds": list,
    "batch_size": int,
    "keep_running": bool,
    "timeout": (int, float),
    "version": str,
    "files": list,
    "cache": bool,
}
_TYPES: dict[type | tuple[type, ...], str] = {
    str: "a text",
    (str, list): "a text or a list of texts",
    list: "a list",
    bool: "true or false",
    int: "an integer",
    (int, float): "a number",
}


@dataclass(frozen=True)
class ProgramConfig:
    """A program, what it needs, and what its scores mean.

    Parameters
    ----------
    name : str
        The metric's name in tables.
    command : tuple of str
        The program and its arguments; no shell runs.
    folder : str
        Where it runs: the folder of the configuration.
    needs : tuple of str
        Some of `NEEDS`.
    higher_is_better : bool
    bounds : (float, float)
    batch_size : int
        How many lines it gets at once.
    keep_running : bool
        Whether one process answers all batches, each ended by an empty line; else each
        batch has a process of its own, which reads until its input ends.
    timeout : float
        Seconds that it may take for a batch, its start included.
    version : str
        Any text; answers of another version are not used.
    files : tuple of str
        Files whose content decides whether old answers are used, besides those that
        the command names.
    cache : bool
        Whether answers are kept on disk.
    """

    name: str
    command: tuple[str, ...]
    folder: str
    needs: tuple[str, ...] = ("source", "reference")
    higher_is_better: bool = True
    bounds: tuple[float, float] = (-math.inf, math.inf)
    batch_size: int = 64
    keep_running: bool = True
    timeout: float = 600.0
    version: str = ""
    files: tuple[str, ...] = ()
    cache: bool = True

    @property
    def needs_references(self) -> bool:
        """Whether it reads references."""
        return "reference" in self.needs or "references" in self.needs

    def paths(self) -> list[str]:
        """Return the files that answers depend on, those in the command too.

        Words count that are files, or name one after ``=``; but no logs (``.log``).
        """
        named = [os.path.join(self.folder, path) for path in self.files]
        words = [
            os.path.join(self.folder, path)
            for number, word in enumerate(self.command)
            for path in (word, word.partition("=")[2])
            if path and not path.endswith(_LOGS) and (number or _is_in_folder(path))
        ]
        files = [*named, *(word for word in words if os.path.isfile(word))]
        return list(dict.fromkeys(files))


def _is_in_folder(program: str) -> bool:
    """Return whether a program is named relative to the folder it runs in."""
    return bool(os.path.dirname(program)) and not os.path.isabs(program)


def read_config(path: str) -> ProgramConfig:
    """Return the configuration in a file; ``demo`` is a small program of Tertium.

    Raises
    ------
    FormatError
        When the file cannot be read, or a key is unknown or has a wrong value.

    Examples
    --------
    >>> read_config("demo").needs
    ('reference',)
    """
    if path == "demo":
        command = (sys.executable, "-m", "tertium.scores.demo_program")
        return ProgramConfig(
            "demo",
            command,
            os.getcwd(),
            needs=("reference",),
            bounds=(0.0, 1.0),
            cache=False,
        )
    values = read_toml(path)
    _check(values, path)
    folder = os.path.dirname(os.path.abspath(path))
    stem = os.path.splitext(os.path.basename(path))[0]
    config = {**values, "name": values.get("name", stem), "folder": folder}
    config["command"] = _command(values["command"], path)
    for key in ("needs", "files", "bounds"):
        if key in config:
            config[key] = tuple(config[key])
    made = ProgramConfig(**config)
    for file in made.paths():
        announce_input(file)
    return made


def _check(values: Mapping[str, Any], path: str) -> None:
    for key, value in values.items():
        if key not in _KEYS:
            known = ", ".join(_KEYS)
            raise FormatError(f"unknown key {key!r}; known are {known}", path=path)
        kind = _KEYS[key]
        wrong = isinstance(value, bool) and kind is not bool
        if wrong or not isinstance(value, kind):
            what = f"{key} is {_TYPES[kind]}, not {value!r}"
            raise FormatError(what, path=path)
    if not values.get("command"):
        what = 'no command; write command = ["program", "argument"]'
        raise FormatError(what, path=path)
    for need in values.get("needs", ()):
        if need not in NEEDS:
            what = f"needs has {need!r}; choose from {', '.join(NEEDS)}"
            raise FormatError(what, path=path)
    for key, least in (("batch_size", 1), ("timeout", 0.001)):
        if values.get(key, least) < least:
            raise FormatError(f"{key} must be at least {least}", path=path)
    for key in ("files", "command"):
        value = values.get(key, "")
        if isinstance(value, list) and not all(isinstance(x, str) for x in value):
            raise FormatError(f"{key} is a list of texts, not {value!r}", path=path)
    _check_bounds(values.get("bounds"), path)


def _check_bounds(bounds: list[Any] | None, path: str) -> None:
    if bounds is None:
        return
    numbers = [x for x in bounds if isinstance(x, (int, float))]
    if len(bounds) != 2 or len(numbers) != 2 or not numbers[0] < numbers[1]:
        what = (
            f"bounds are the lowest and the highest score, such as [0, 1], not {bounds}"
        )
        raise FormatError(what, path=path)


def _command(command: str | list[str], path: str) -> tuple[str, ...]:
    if isinstance(command, list):
        return tuple(command)
    try:
        words = split_command(command)
    except ValueError as error:
        what = f"command {command!r} cannot be split ({error}); check the quotes"
        raise FormatError(what, path=path) from None
    if not words:
        raise InputError(f"{path}: the command is empty")
    return tuple(words)
