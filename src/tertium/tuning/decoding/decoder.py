# SPDX-License-Identifier: Apache-2.0
"""A decoder as a command: it reads weights and writes an n-best list.

The command runs in a shell, so it may redirect and pipe. Paths are quoted for it. What
the decoder prints goes to a log; if it fails, the last lines are part of the error.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tertium._programs import end_program, quote_argument
from tertium.errors import InputError

__all__ = ["Decoder"]

_REQUIRED = ("{weights}", "{nbest}")
_LAST_LINES = 5
_LINE = 200  # characters of a line in an error
_PAUSE = 1.0  # seconds between two reports
_PATIENCE = 5.0  # seconds that an interrupted decoder has to end


@dataclass(frozen=True)
class Decoder:
    """A command with places for its files.

    Parameters
    ----------
    command : str
        A shell command with ``{weights}``, the file it reads, and ``{nbest}``, the
        file it writes; also ``{iteration}``, a number from 0 on, and ``{source}``,
        the file with the source, if there is one. Other braces stay as they are.
    source : str, optional
        The file for ``{source}``.

    Raises
    ------
    InputError
        When a place is missing.

    Examples
    --------
    >>> moses = Decoder("decode -w {weights} -n {nbest} < dev.de")
    >>> moses.line(weights="a b.json", nbest="out", iteration=0)
    "decode -w 'a b.json' -n out < dev.de"
    """

    command: str
    source: str | None = None

    def __post_init__(self) -> None:
        missing = [place for place in _REQUIRED if place not in self.command]
        if missing:
            places = " and no ".join(missing)
            message = (
                f"the decoder command {self.command!r} has no {places}"
                "; write {weights} where the decoder reads weights and {nbest} where "
                "it writes the list"
            )
            raise InputError(message, options=("decoder",))
        if "{source}" in self.command and self.source is None:
            message = (
                "the decoder command has {source}, but there is no source; give it"
            )
            raise InputError(message, options=("source",))

    def line(
        self,
        *,
        weights: str | os.PathLike[str],
        nbest: str | os.PathLike[str],
        iteration: int,
    ) -> str:
        """Return the command with its places filled."""
        places = {
            "{weights}": os.fspath(weights),
            "{nbest}": os.fspath(nbest),
            "{iteration}": str(iteration),
            "{source}": self.source or "",
        }
        line = self.command
        for place, value in places.items():
            line = line.replace(place, quote_argument(value))
        return line

    def run(
        self,
        *,
        weights: Path,
        nbest: Path,
        iteration: int,
        log: Path,
        progress: Callable[[str, int, int | None], None] | None = None,
    ) -> None:
        """Run the decoder and wait for its list.

        Parameters
        ----------
        weights, nbest : path
        iteration : int
        log : path
            Gets what the decoder prints.
        progress : callable, optional
            Called every second with the size of the list so far.

        Raises
        ------
        InputError
            When it fails, or writes no list. The message has its last lines.
        """
        line = self.line(weights=weights, nbest=nbest, iteration=iteration)
        with log.open("wb") as out:
            # A session of its own: what the shell starts ends with it.
            process = subprocess.Popen(  # noqa: S602 - the user's command, with pipes
                line,
                shell=True,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                code = _wait(process, nbest, progress)
            except BaseException:
                end_program(process, patience=_PATIENCE)
                raise
        if code:
            raise InputError(f"{_failure(line, code)}{_tail(log)}")
        if not nbest.is_file() or not nbest.stat().st_size:
            message = (
                f"the decoder wrote no n-best list to {nbest}; make it write there "
                f"({line})"
            )
            raise InputError(f"{message}{_tail(log)}")


def _wait(
    process: subprocess.Popen[bytes],
    nbest: Path,
    progress: Callable[[str, int, int | None], None] | None,
) -> int:
    """Return the exit code of a process, and report what it has written meanwhile."""
    while True:
        try:
            return process.wait(_PAUSE if progress else None)
        except subprocess.TimeoutExpired:
            size = nbest.stat().st_size if nbest.is_file() else 0
            if progress is not None:
                progress("kB of the n-best list", size // 1000, None)


def _failure(line: str, code: int) -> str:
    if code < 0:
        how = f"was ended by signal {-code}"
    else:
        how = f"failed with exit code {code}"
    return f"the decoder {how}; fix the command, then run the same again ({line})"


def _tail(log: Path) -> str:
    """Return the last lines of a log, each on a line of its own."""
    text = log.read_bytes().decode("utf-8", "replace")
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return "".join(f"\n  {line[:_LINE]}" for line in lines[-_LAST_LINES:])
