# SPDX-License-Identifier: Apache-2.0
"""``--record FILE``, which every verb has: the run as a file that can be repeated.

Nothing of this is imported unless the option is on the command line.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from tertium._files import check_place, replace_file
from tertium._watching import Watch, watching
from tertium.cli.shared.parsers import notebooks
from tertium.errors import InputError
from tertium.records.files import paths_in
from tertium.records.recording import Recorder
from tertium.records.streams import InputCopy, OutputCopy
from tertium.records.unrecorded import why_unrecorded

__all__ = ["record_place", "run_recorded"]


def record_place(arguments: Sequence[str]) -> str | None:
    """Return the file that ``--record`` names on a command line, or None.

    Examples
    --------
    >>> record_place(["demo", "--record", "run.json"])
    'run.json'
    >>> record_place(["demo", "--", "--record", "run.json"]) is None
    True
    """
    place = None
    for number, word in enumerate(arguments):
        if word == "--":
            break
        if word == "--record" and number + 1 < len(arguments):
            place = arguments[number + 1]
        elif word.startswith("--record="):
            place = word.partition("=")[2]
    return place


def run_recorded(
    place: str, command: Sequence[str], run: Callable[[Sequence[str]], int]
) -> int:
    """Run a verb, write its record and return its exit code.

    A run that ends with an error, or shows help, has no record.

    Parameters
    ----------
    place : str
        The file of the record.
    command : sequence of str
        The verb and the words after it.
    run : callable
        Called with the words after the verb.
    """
    if unrecorded := why_unrecorded(command):
        name, why = unrecorded
        raise InputError(f"{name} has no --record: {why}")
    if place in ("", "-", "/dev/stdout"):
        raise InputError("--record needs a file, as results go to standard output")
    check_place(place)
    _check_words(place, command)
    recorder = Recorder(place, command)
    notebooks.append(recorder)
    try:
        with _copied() as (output, source), watching() as watch:
            code = run(command[1:])
            sys.stdout.flush()
    finally:
        notebooks.remove(recorder)
    _check_place(place, watch)
    record = recorder.finish(
        watch,
        code=code,
        output=output.finish(),
        input_text=None if source is None else source.finish(),
    )
    with replace_file(place) as file:
        file.write(record.to_json().encode())
    return code


def _check_words(place: str, command: Sequence[str]) -> None:
    """Reject a place that the command names for something else, before long work."""
    path = os.path.realpath(place)
    is_input = os.path.isfile(path) and not _is_record(path)
    words = list(command)
    for number, word in enumerate(words):
        before = words[number - 1] if number else ""
        if before == "--record" or word.startswith("--record="):
            continue
        if before in ("-o", "--output") and os.path.realpath(word) == path:
            raise InputError(f"{place} is one of the results; record to another file")
        if is_input and any(os.path.realpath(each) == path for each in paths_in(word)):
            raise InputError(f"{place} is one of the inputs; record to another file")


def _is_record(path: str) -> bool:
    """Return whether an earlier run recorded to this file, which may be replaced."""
    with open(path, "rb") as file:
        return b'"tertium-record"' in file.read(200)


def _check_place(place: str, watch: Watch) -> None:
    """Reject a place that the run has read or written, whoever named it."""
    path = os.path.abspath(place)
    if path in watch.reads:
        raise InputError(f"{place} is one of the inputs; record to another file")
    if path in watch.writes:
        raise InputError(f"{place} is one of the results; record to another file")


@contextmanager
def _copied() -> Iterator[tuple[OutputCopy, InputCopy | None]]:
    """Put streams in the place of the standard ones that take note of what passes."""
    before, source_before = sys.stdout, sys.stdin
    output = OutputCopy(_writer(before))
    raw = getattr(source_before, "buffer", None)
    source = InputCopy(raw) if isinstance(raw, io.BufferedIOBase) else None
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(output),
        encoding="utf-8",
        errors=before.errors or "strict",
        newline=None if sys.platform == "win32" else "\n",
    )
    if source is not None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(source), encoding="utf-8")
    try:
        yield output, source
    finally:
        copy = sys.stdout
        sys.stdout, sys.stdin = before, source_before
        try:
            copy.flush()
        finally:
            # Neither must close what it stands for when it is collected.
            _let_go(copy)


def _let_go(copy: io.TextIOBase) -> None:
    buffer = copy.detach()
    if isinstance(buffer, io.BufferedWriter):
        buffer.detach()


def _writer(stream: object) -> Callable[[bytes], None]:
    """Return a function that writes bytes to a text stream at once."""
    buffer = getattr(stream, "buffer", None)

    def write(data: bytes) -> None:
        if buffer is None:
            stream.write(data.decode(errors="replace"))  # type: ignore[attr-defined]
        else:
            buffer.write(data)
            buffer.flush()

    return write
