# SPDX-License-Identifier: Apache-2.0
"""Raw answers on disk: a log, a cache, and where the next run goes on.

One JSON object per line, added as soon as an answer arrives, in one write: whatever
ends the program, answers that were paid for are kept. A line that is not complete, as
a full disk leaves it, is ignored. An answer is found again by the hash of what was
asked: model, messages and parameters. Keys and addresses are not in it.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from datetime import datetime, timezone
from types import TracebackType
from typing import NamedTuple

from tertium._files import check_place
from tertium._locks import LockedError, lock_file
from tertium.errors import FormatError, InputError, OutputError

__all__ = ["AnswerLog", "Answered", "request_key"]

_START = {"tertium": "answers", "version": 1}


class Answered(NamedTuple):
    """A response, and when it came."""

    response: Mapping[str, object]
    time: datetime
    seconds: float


def request_key(body: Mapping[str, object]) -> str:
    """Return the hash of all that an answer depends on.

    Examples
    --------
    >>> request_key({"a": 1, "b": 2}) == request_key({"b": 2, "a": 1})
    True
    """
    text = json.dumps(body, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class AnswerLog:
    """The answers in a file.

    Nothing is written, or locked, before the first answer is added: a run that finds
    all its answers only reads.

    Parameters
    ----------
    path : path, optional
        Without one, answers are kept in memory only.

    Attributes
    ----------
    answers : dict of str to Answered
        By the key of the request; of several, the last one.
    broken : int
        Lines that are not complete.

    Raises
    ------
    FormatError
        When the file is something else.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = "" if path is None else os.fspath(path)
        self.answers: dict[str, Answered] = {}
        self.broken = 0
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._file: int | None = None
        self._needs_break = False
        self._state: tuple[int, int] | None = None
        self.refresh()

    def refresh(self) -> None:
        """Read the file if it is not as this log has read or left it."""
        state = self._stat()
        if not self.path or state == self._state:
            return
        self.answers.clear()
        self.broken = 0
        self._needs_break = False
        if state is not None:
            self._load()
        self._state = state

    def _stat(self) -> tuple[int, int] | None:
        """Return size and time of change of the file, None if there is none."""
        if not self.path or not os.path.exists(self.path):
            return None
        status = os.stat(self.path)
        return status.st_size, status.st_mtime_ns

    def __enter__(self) -> AnswerLog:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _load(self) -> None:
        try:
            with open(self.path, "rb") as file:
                lines = file.read().split(b"\n")
        except OSError as error:
            what = f"cannot be read ({error.strerror}); check the path"
            raise FormatError(what, path=self.path) from None
        self._needs_break = bool(lines[-1])
        for number, line in enumerate(lines, start=1):
            if not line:
                continue
            content = _content(line)
            if (
                number == 1
                and content != _START
                and line != json.dumps(_START).encode()
            ):
                what = "not a log of answers; name another file, or remove this one"
                raise FormatError(what, path=self.path, line=1)
            if number > 1:
                self._take(content)

    def _take(self, content: object) -> None:
        try:
            key, answered = _answered(content)
        except (KeyError, TypeError, ValueError):
            self.broken += 1
        else:
            self.answers[key] = answered

    def open(self) -> None:
        """Get ready to add answers.

        Raises
        ------
        InputError
            When another process adds answers, or the file cannot be written.
        """
        if not self.path:
            return
        check_place(self.path)
        lock = f"{self.path}.lock"
        try:
            self._stack.enter_context(lock_file(lock))
            self._stack.callback(_remove, lock)  # before it is released
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
            is_new = not os.path.exists(self.path) or not os.path.getsize(self.path)
            self._file = os.open(self.path, flags, 0o666)
        except LockedError:
            message = (
                f"another run adds answers to {self.path}; wait for it, or name "
                "another file"
            )
            raise InputError(message, options=("answers",)) from None
        except OSError as error:
            self._stack.close()
            what = f"cannot write {self.path}: {error.strerror}; check the path"
            raise InputError(what) from None
        if is_new:
            self._write(_START)
        elif self._needs_break:
            os.write(self._file, b"\n")
        self._needs_break = False

    def close(self) -> None:
        """Make sure that all answers are on disk."""
        with self._lock:
            if self._file is not None:
                os.fsync(self._file)
                os.close(self._file)
                self._file = None
                self._state = self._stat()  # Nobody else wrote while it was locked.
            self._stack.close()

    def add(
        self,
        key: str,
        response: Mapping[str, object],
        *,
        seconds: float,
        about: Mapping[str, object],
    ) -> None:
        """Keep a response.

        Parameters
        ----------
        key : str
        response : mapping
        seconds : float
            How long it took.
        about : mapping
            What a reader of the file wants to know about the request.

        Raises
        ------
        OutputError
            When the disk is full.
        """
        now = datetime.now(timezone.utc).replace(tzinfo=None, microsecond=0)
        entry = {
            "key": key,
            **about,
            "time": now.isoformat(),
            "seconds": round(seconds, 3),
            "response": response,
        }
        with self._lock:
            if self._file is not None:
                self._write(entry)
            elif self.path:
                return  # It was closed after Ctrl-C.
            self.answers[key] = Answered(response, now, seconds)

    def _write(self, content: Mapping[str, object]) -> None:
        line = json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")
        line += b"\n"
        try:
            written = os.write(self._file or 0, line)
        except OSError as error:
            message = f"cannot write {self.path}: {error.strerror}; free some space"
            raise OutputError(message) from None
        if written < len(line):
            raise OutputError(f"cannot write {self.path}: it is full; free some space")


def _remove(path: str) -> None:
    with suppress(OSError):  # Windows removes no open file.
        os.unlink(path)


def _content(line: bytes) -> object:
    try:
        content: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return content


def _answered(content: object) -> tuple[str, Answered]:
    if not isinstance(content, dict):
        raise TypeError
    response, key = content["response"], content["key"]
    if not isinstance(response, dict) or not isinstance(key, str):
        raise TypeError
    moment = datetime.fromisoformat(content["time"])
    return key, Answered(response, moment, float(content["seconds"]))
