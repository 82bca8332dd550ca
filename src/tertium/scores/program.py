# SPDX-License-Identifier: Apache-2.0
"""A program that answers lines: started, fed, watched and ended.

What it writes to stderr is read all the time, so that it never waits, and its last
lines are shown if it fails.
"""

from __future__ import annotations

import atexit
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType
from typing import NoReturn

from tertium._programs import end_program
from tertium.errors import ProgramError
from tertium.scores.config import ProgramConfig

__all__ = ["Program", "running", "stop_programs"]

_GRACE = 0.02  # seconds: answers would be those of other segments if one came late
_LAST = 12  # lines of stderr that are shown


class Program:
    """A process that answers one batch after another.

    Parameters
    ----------
    config : ProgramConfig

    Raises
    ------
    ProgramError
        If it cannot be started.
    """

    def __init__(self, config: ProgramConfig) -> None:
        self._config = config
        self._errors: deque[str] = deque(maxlen=_LAST)
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        try:
            self._process = subprocess.Popen(  # noqa: S603 (no shell; the user's command)
                config.command,
                cwd=config.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # What it starts is ended with it.
            )
        except OSError as error:
            message = (
                f"cannot start {config.name}: {config.command[0]!r} "
                f"({error.strerror}); give a program that is on the path"
            )
            raise ProgramError(message) from None
        self._readers = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        _live.add(self)
        _heed_sigterm()

    def answer(self, lines: Sequence[str], *, last: bool) -> list[str]:
        """Return one line of output for every line of input.

        Parameters
        ----------
        lines : sequence of str
        last : bool
            Whether to end the input after them, and to wait until the program ends.

        Raises
        ------
        ProgramError
            If it fails, is silent for too long, or writes fewer or more lines.
        """
        with self._lock:
            try:
                return self._answer(lines, last=last)
            except BaseException:  # Ctrl-C leaves no program behind.
                self.stop()
                raise

    def _answer(self, lines: Sequence[str], *, last: bool) -> list[str]:
        self._check_unread()
        content = "".join(f"{line}\n" for line in lines) + ("" if last else "\n")
        # In a thread: a program may answer before it has read everything.
        writer = threading.Thread(
            target=self._write, args=(content.encode(), last), daemon=True
        )
        writer.start()
        deadline = time.monotonic() + self._config.timeout
        answers: list[str] = []
        while len(answers) < len(lines):
            line = self._next(deadline, len(answers), len(lines))
            if line is None:
                raise self._failed(deadline, len(answers), len(lines))
            if line.strip():
                answers.append(line)
        if not last:
            self._check_unread(_GRACE)
        else:
            rest: str | None = ""
            while rest is not None:
                rest = self._next(deadline, len(answers), len(lines))
                if rest is not None and rest.strip():
                    raise self._error(
                        f"wrote more than one line per segment: {len(lines)} segments, "
                        f"then {rest.strip()[:60]!r}"
                    )
            if self._exit_code(deadline, len(answers), len(lines)):
                raise self._failed(deadline, len(answers), len(lines))
        return answers

    def stop(self) -> None:
        """End the program and all it started."""
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        end_program(self._process)
        for reader in self._readers:
            reader.join(timeout=1)
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        _live.discard(self)
        if not _live:
            _restore_sigterm()

    @property
    def ended(self) -> bool:
        """Whether the program has ended."""
        return self._process.poll() is not None

    def _check_unread(self, grace: float = 0.0) -> None:
        """Raise an error if there is output that nobody asked for, or comes soon."""
        with suppress(queue.Empty):
            while True:
                line = self._lines.get(timeout=grace)
                if line is None:
                    self._lines.put(None)  # It ended, which is seen later.
                    return
                if text := line.decode(errors="replace").strip():
                    raise self._error(
                        f"wrote more than one line per segment: {text[:60]!r}"
                    )

    def _next(self, deadline: float, done: int, total: int) -> str | None:
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise self._error(
                f"did not answer within {self._config.timeout:g} s ({done} of {total} "
                "lines of a batch); set a longer timeout, or a smaller batch_size. It "
                "must answer after each empty line, and flush its output"
            ) from None
        return None if line is None else line.decode(errors="replace")

    def _exit_code(self, deadline: float, done: int, total: int) -> int:
        """Wait until a program that has closed its output ends."""
        try:
            return self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise self._error(
                f"closed its output after {done} of {total} answers of a batch, but "
                f"did not end within {self._config.timeout:g} s; it must end when its "
                "input does, or keep its output open"
            ) from None

    def _failed(self, deadline: float, done: int, total: int) -> ProgramError:
        code = self._exit_code(deadline, done, total)
        how = f"failed with code {code}" if code else "ended"
        return self._error(f"{how} after {done} of {total} answers of a batch")

    def _error(self, what: str) -> ProgramError:
        if self.ended:
            self._readers[1].join(timeout=1)
        shown = "".join(f"\n  {line}" for line in self._errors)
        where = f"; its last lines:{shown}" if shown else "; it wrote nothing to stderr"
        return ProgramError(f"{self._config.name} {what}{where}")

    def _write(self, content: bytes, last: bool) -> None:
        stream = self._process.stdin
        # A program that ends early closes the pipe, and its exit code says why.
        with suppress(OSError, ValueError):
            if stream is not None:
                stream.write(content)
                stream.flush()
                if last:
                    stream.close()

    def _read_output(self) -> None:
        with suppress(OSError, ValueError):
            for line in self._process.stdout or ():
                self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self) -> None:
        with suppress(OSError, ValueError):
            for line in self._process.stderr or ():
                self._errors.append(line.decode(errors="replace").rstrip())


_live: set[Program] = set()


def _end(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
    raise SystemExit(128 + number)


def _heed_sigterm() -> None:
    """Let SIGTERM end this process as an exception does, so that programs end first.

    They have a session of their own, and would go on for nobody.
    """
    with suppress(ValueError):  # Only the main thread may.
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, _end)


def _restore_sigterm() -> None:
    """Let SIGTERM do what it did before."""
    with suppress(ValueError):
        if signal.getsignal(signal.SIGTERM) is _end:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


_running: dict[ProgramConfig, Program] = {}


def running(config: ProgramConfig) -> Program:
    """Return the program of a configuration, started unless it runs already."""
    known = _running.get(config)
    if known is not None and not known.ended:
        return known
    if known is not None:
        known.stop()
    _running[config] = Program(config)
    return _running[config]


def stop_programs() -> None:
    """End all programs that are kept running; they start again when they are needed."""
    while _running:
        _, program = _running.popitem()
        program.stop()


atexit.register(stop_programs)
