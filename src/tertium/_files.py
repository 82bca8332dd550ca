# SPDX-License-Identifier: Apache-2.0
"""Files and folders that appear when they are complete, or not at all.

Both are made under a temporary name beside the target and then renamed, so an
error or Ctrl-C leaves what was there before.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress

from tertium.data._codecs import codec_of, compressed
from tertium.errors import InputError, OutputError, TertiumError

TYPE_CHECKING = False  # Not from typing, whose import takes as long as all of this.
if TYPE_CHECKING:
    from typing import IO

__all__ = [
    "check_folder",
    "check_not_read",
    "check_place",
    "check_places",
    "replace_file",
    "replace_folder",
]

#: What the disk says when the file was all right and the disk was not.
_FULL = {errno.ENOSPC, errno.EFBIG, errno.EIO} | (
    {errno.EDQUOT} if hasattr(errno, "EDQUOT") else set()
)


@contextmanager
def replace_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file for writing bytes, compressed as its extension says.

    A device or pipe is written directly; ``-`` and ``/dev/stdout`` are standard output.

    Raises
    ------
    InputError
        When the folder is missing, the target is a folder, or it cannot be opened.
    OutputError
        When the disk is full.
    """
    name = os.fspath(path)
    if name in ("-", "/dev/stdout"):
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = _target(name)
    if os.path.isdir(target):
        raise InputError(f"cannot write {name}: it is a folder; give a file name")
    direct = os.path.exists(target) and not os.path.isfile(target)
    place = target if direct else _beside(target)
    codec = codec_of(name)
    try:
        with (
            open(place, "wb" if direct else "xb") as raw,
            compressed(raw, codec) if codec else nullcontext(raw) as stream,
        ):
            yield stream
        if not direct:
            os.replace(place, target)
    except BaseException as error:
        if not direct:
            with _undisturbed(), suppress(OSError):
                os.unlink(place)
        if isinstance(error, OSError):
            raise _cannot(name, error) from None
        raise


@contextmanager
def replace_folder(path: str | os.PathLike[str]) -> Iterator[str]:
    """Make a folder; the block gets its temporary name and fills it.

    Raises
    ------
    InputError
        When the parent is missing, the target holds something already, or it cannot
        be made.
    OutputError
        When the disk is full.
    """
    check_folder(path)
    name = os.fspath(path)
    target = _target(name)
    place = _beside(target)
    try:
        os.mkdir(place)
        yield place
        if os.path.isdir(target):
            os.rmdir(target)  # Windows renames onto no folder, not even an empty one.
        os.rename(place, target)
    except BaseException as error:
        import shutil

        with _undisturbed():
            shutil.rmtree(place, ignore_errors=True)
        if isinstance(error, (InputError, OutputError)):
            # People know the folder by its own name, not by the temporary one.
            kind = OutputError if isinstance(error, OutputError) else InputError
            raise kind(str(error).replace(place, name)) from None
        if isinstance(error, OSError):
            raise _cannot(name, error) from None
        raise


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ignore Ctrl-C while tidying up: a second one must not leave half a file."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        # None: a handler that is not Python's, which we cannot put back.
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)


def check_place(path: str | os.PathLike[str]) -> None:
    """Raise an error if a file could not be written there, before long work."""
    name = os.fspath(path)
    if name in ("-", "/dev/stdout"):
        return
    target = _target(name)
    if os.path.isdir(target):
        raise InputError(f"cannot write {name}: it is a folder; name a file")
    if os.path.exists(target) and not os.path.isfile(target):
        return  # A device or pipe is written directly.
    if not os.access(os.path.dirname(target), os.W_OK):
        raise InputError(f"cannot write {name}: its folder is read-only; name another")


def check_folder(path: str | os.PathLike[str]) -> None:
    """Raise an error if a folder could not be made there, before long work."""
    name = os.fspath(path)
    target = _target(name)
    if os.path.lexists(target) and not os.path.isdir(target):
        raise InputError(f"cannot write folder {name}: it is a file; give a folder")
    try:
        filled = os.path.isdir(target) and os.listdir(target)
    except OSError as error:
        raise _cannot(name, error) from None
    if filled:
        raise InputError(
            f"cannot write folder {name}: it is not empty; "
            "empty it or give another name"
        )


def check_places(
    inputs: Sequence[str | None], outputs: Sequence[str | None] = ()
) -> None:
    """Reject files that would be read or written twice, or cannot be written.

    Parameters
    ----------
    inputs, outputs : sequence of str or None
        Paths; ``-`` is standard input or output, None stands for no file.
    """
    sources = [path for path in inputs if path is not None]
    targets = [path for path in outputs if path is not None]
    if sources.count("-") > 1:
        message = "standard input (-) is given more than once; use files for the others"
        raise InputError(message)
    for target in targets:
        check_not_read(target, sources)
    places = [path if path == "-" else os.path.realpath(path) for path in targets]
    for place in places:
        if places.count(place) > 1 and place != os.devnull:
            raise InputError(f"two outputs go to {place}; give each its own file")
    for target in targets:
        check_place(target)


def check_not_read(output: str, inputs: Iterable[str]) -> None:
    """Raise an error if an output is one of the inputs."""
    # Devices such as /dev/null may be both.
    if any(
        os.path.isfile(path)
        and os.path.isfile(output)
        and os.path.samefile(path, output)
        for path in inputs
    ):
        raise InputError(f"{output} is one of the inputs; write to another file")


def _target(name: str) -> str:
    try:
        os.fsencode(name)
        usable = "\0" not in name
    except ValueError:
        usable = False
    if not usable:
        raise InputError(f"cannot write {name!r}: it cannot be a file name; rename it")
    target = os.path.realpath(name)  # A link stays a link.
    parent = os.path.dirname(target)
    if not os.path.isdir(parent):
        raise InputError(
            f"cannot write {name}: there is no folder {parent}; create it first"
        )
    return target


def _beside(target: str) -> str:
    unique = f".tertium-{os.getpid()}-{os.urandom(4).hex()}.tmp"
    return os.path.join(os.path.dirname(target), unique)


def _cannot(name: str, error: OSError) -> TertiumError:
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        return OutputError(f"cannot write {name}: {reason}; free some space")
    return InputError(f"cannot write {name}: {reason}; check the path")
