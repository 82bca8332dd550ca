# SPDX-License-Identifier: Apache-2.0
"""Which files a run reads and writes, and which programs it starts.

Python announces both as audit events (PEP 578), whoever opens the file: our readers,
NumPy or a parser. Code that opens files by itself (Polars, UDPipe) is announced by
:func:`announce_read`. Without a watch, nothing is installed and nothing is slower.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

TYPE_CHECKING = False  # Not from typing, whose import takes as long as all of this.
if TYPE_CHECKING:
    from typing import TypeAlias

    #: Size and time of the last change, in nanoseconds.
    Stamp: TypeAlias = "tuple[int, int]"

__all__ = [
    "Watch",
    "announce_input",
    "announce_read",
    "join_watch",
    "opens_to_write",
    "stamp",
    "watching",
]

#: Names the folder where processes that work for a watched one say what they read.
_VARIABLE = "TERTIUM_WATCH"
_PROGRAMS = ("subprocess.Popen", "tertium.run_file")
_INPUT = "tertium.input"
_EVENTS = ("open", "os.mkdir", "os.rename", _INPUT, *_PROGRAMS)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CODE = (".py", ".pyc", ".pyi", ".so", ".pyd", ".dll", ".dylib", ".pth", ".egg-link")
_DEVICES = tuple(f"{os.sep}{name}{os.sep}" for name in ("proc", "sys", "etc"))


class Watch:
    """What was seen, by absolute path, in the order of the first time.

    Attributes
    ----------
    reads : dict of str to tuple of int, optional
        Files that were opened for reading, with size and time of change at that moment;
        None for what is not a regular file, such as a pipe.
    writes : dict of str to bool
        Files and folders that were written; the values are True.
    folders : dict of str to bool
        Folders that were made.
    programs : list of str
    """

    def __init__(self) -> None:
        self.reads: dict[str, Stamp | None] = {}
        self.writes: dict[str, bool] = {}
        self.folders: dict[str, bool] = {}
        self.programs: list[str] = []

    def see(self, event: str, arguments: tuple[object, ...]) -> None:
        """Take note of an audit event."""
        if event == "open":
            path, mode, flags = arguments[:3]
            name = _name(path)
            if name is None or name.endswith(_CODE) or name.startswith(_DEVICES):
                return
            if opens_to_write(mode, flags):
                self.writes[name] = True
            else:
                self._see_read(name)
        elif event == _INPUT:
            name = _name(arguments[0])
            if name is not None:
                self._see_read(name)
        elif event in ("os.rename", "os.mkdir"):
            name = _name(arguments[event == "os.rename"])
            if name is not None and event == "os.mkdir":
                self.folders[name] = True
            elif name is not None:
                self.writes[name] = True
        elif event in _PROGRAMS:
            self.programs.append(_program(arguments))

    def _see_read(self, name: str) -> None:
        if name not in self.reads and name not in self.writes:
            with_stamp = stamp(name)
            if with_stamp is not None or os.path.exists(name):
                self.reads[name] = with_stamp

    def read_elsewhere(self, folder: str) -> None:
        """Add what processes that joined the watch have read."""
        for entry in sorted(os.listdir(folder)):
            with open(os.path.join(folder, entry), encoding="utf-8") as file:
                for line in file:
                    name = line.rstrip("\n")
                    if os.path.exists(name):
                        self.reads.setdefault(name, stamp(name))


_watches: list[Watch] = []
_installed: list[bool] = []


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if _watches and event in _EVENTS:
        _watches[-1].see(event, arguments)


@contextmanager
def watching() -> Iterator[Watch]:
    """Watch this process, and those that work for it, during a block.

    Only the innermost block sees what happens in it.
    """
    import tempfile

    if not _installed:  # A hook cannot be removed again.
        sys.addaudithook(_hook)
        _installed.append(True)
    watch = Watch()
    with tempfile.TemporaryDirectory(prefix="tertium-watch-") as folder:
        before = os.environ.get(_VARIABLE)
        os.environ[_VARIABLE] = folder
        _watches.append(watch)
        try:
            yield watch
        finally:
            _watches.pop()
            if before is None:
                del os.environ[_VARIABLE]
            else:
                os.environ[_VARIABLE] = before
            watch.read_elsewhere(folder)


def join_watch() -> None:
    """Tell the process that this one works for what it reads, if that is wanted."""
    folder = os.environ.get(_VARIABLE, "")
    if not os.path.isdir(folder):
        return
    place = os.path.join(folder, str(os.getpid()))
    log = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    watch = Watch()

    def tell(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            known = len(watch.reads)
            watch.see(event, arguments)
            for name in list(watch.reads)[known:]:
                os.write(log, f"{name}\n".encode("utf-8", "replace"))

    sys.addaudithook(tell)


def announce_read(path: str | os.PathLike[str]) -> None:
    """Say that a library is about to open a file without Python's help."""
    sys.audit("open", os.fspath(path), "rb", os.O_RDONLY)


def announce_input(path: str | os.PathLike[str]) -> None:
    """Say that a program of the user's reads a file, which may be code."""
    sys.audit(_INPUT, os.fspath(path))


def stamp(path: str) -> Stamp | None:
    """Return size and time of change of a regular file, or None."""
    try:
        facts = os.stat(path)
    except OSError:
        return None
    return (facts.st_size, facts.st_mtime_ns) if os.path.isfile(path) else None


def _name(path: object) -> str | None:
    """Return an absolute path; None for a descriptor."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        return None
    try:
        return os.path.abspath(os.fsdecode(path))
    except (OSError, ValueError):  # no current folder; a name that cannot be one
        return None


def opens_to_write(mode: object, flags: object) -> bool:
    """Return whether the arguments of an "open" event ask for writing."""
    if isinstance(mode, str):
        return any(letter in mode for letter in "wxa+")
    return isinstance(flags, int) and bool(flags & _WRITING)


def _program(arguments: tuple[object, ...]) -> str:
    """Return the command that a process was started with."""
    command = arguments[1] if len(arguments) > 1 else arguments[0]
    if isinstance(command, (list, tuple)):
        return " ".join(os.fsdecode(word) for word in command)
    return str(command)
