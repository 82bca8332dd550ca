# SPDX-License-Identifier: Apache-2.0
"""Records of runs, made while they run."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING, cast

from tertium.records.files import RunFiles
from tertium.records.machine import environment, imported_versions, machine
from tertium.records.run import Json, Results, Run, Text

if TYPE_CHECKING:
    from tertium._watching import Watch

__all__ = ["Recorder", "as_json"]

#: Characters of a result as JSON; a larger one is known by its hash alone.
_MOST = 20_000_000


class Recorder:
    """Collects what becomes the record of one run.

    Parameters
    ----------
    path : str
        Where the record goes.
    command : sequence of str
        The words after ``tertium``.
    """

    def __init__(self, path: str, command: Sequence[str]) -> None:
        self.path = path
        self._command = [_clean(word) for word in command]
        self._files = RunFiles(command, path)
        self._begun = time.monotonic()
        self._started = datetime.now(timezone.utc).isoformat(timespec="seconds")
        self._environment = environment()  # Before Dask writes into it.
        self._options: dict[str, Json] = {}
        self._data: list[Json] = []
        self._facts: dict[str, Json] = {}

    def note_options(self, options: Mapping[str, object]) -> None:
        """Take note of the options as they were understood."""
        self._options = {
            name: as_json(value) for name, value in options.items() if name != "record"
        }
        for name in ("cache", "checkpoint"):
            if isinstance(scratch := options.get(name), str):
                self._files.ignore(scratch)

    def note_result(self, content: object) -> None:
        """Take note of a result: an object for JSON, or JSON."""
        if isinstance(content, str):
            try:
                content = json.loads(content)
            except ValueError:
                return
        self._data.append(as_json(content))

    def note_facts(self, facts: Mapping[str, object]) -> None:
        """Take note of facts about the data and the methods."""
        self._facts |= {name: as_json(value) for name, value in facts.items()}

    def finish(
        self, watch: Watch, *, code: int, output: Text, input_text: Text | None
    ) -> Run:
        """Return the record; files are hashed now."""
        seconds = round(time.monotonic() - self._begun, 3)
        seed, threads = self._options.get("seed"), self._options.get("threads")
        return Run(
            command=self._command,
            folder=self._files.folder,
            options=self._options,
            seed=seed if isinstance(seed, int) else None,
            threads=threads if isinstance(threads, int) else None,
            versions=imported_versions(),
            environment=self._environment,
            inputs=self._files.inputs(watch),
            resources=self._files.resources(watch),
            input_text=input_text,
            programs=[_impersonal(program) for program in watch.programs],
            machine=machine(),
            started=self._started,
            seconds=seconds,
            facts=self._facts,
            results=Results(
                exit=code,
                output=output,
                data=self._result(),
                files=self._files.results(watch),
                folders=self._files.folders(watch),
            ),
        )

    def _result(self) -> Json:
        if not self._data:
            return None
        data = self._data[0] if len(self._data) == 1 else self._data
        text = json.dumps(data)
        if len(text) <= _MOST:
            return data
        import hashlib

        return {"sha256": hashlib.sha256(text.encode()).hexdigest()}


def as_json(value: object) -> Json:
    """Return a value as JSON can hold it, numbers that are not finite as texts.

    Examples
    --------
    >>> as_json({"a": (1, float("nan"))})
    {'a': [1, 'nan']}
    """
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, str):
        return _clean(value)
    if isinstance(value, Mapping):
        return {_clean(str(key)): as_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [as_json(item) for item in value]
    if isinstance(value, os.PathLike):
        return _clean(os.fspath(value))
    if hasattr(value, "item"):  # a number of NumPy's
        return as_json(cast("Callable[[], object]", value.item)())
    return _clean(str(value))


def _impersonal(command: str) -> str:
    """Return a command without the folders of the user who ran it."""
    home = os.path.expanduser("~")
    command = _clean(command).replace(sys.executable, "python")
    return command.replace(home, "~") if len(home) > 1 else command


def _clean(text: str) -> str:
    """Return a text that UTF-8 can hold: names of files may be any bytes."""
    return text.encode("utf-8", "backslashreplace").decode()
