# SPDX-License-Identifier: Apache-2.0
"""Errors that no verb handles: one line for the user, or a bug report."""

from __future__ import annotations

import errno
import sys

__all__ = ["describe", "report_bug"]


def describe(error: BaseException) -> tuple[str, int]:
    """Return a message and the exit code for an error of the machine or a file.

    The readers in :mod:`tertium.data` name file and line themselves; this is for
    errors from elsewhere.
    """
    if isinstance(error, MemoryError):
        message = (
            "out of memory; give shorter segments or fewer systems at a time, or use "
            "fewer threads with -j"
        )
        return message, 1
    if isinstance(error, RecursionError):
        return "an input is nested too deeply to be read; flatten it", 2
    if isinstance(error, UnicodeDecodeError):
        byte = error.object[error.start]
        message = f"an input is not UTF-8 (byte 0x{byte:02x} at {error.start:,})"
        return f"{message}; save it as UTF-8", 2
    if not isinstance(error, OSError):
        raise TypeError(type(error))
    name = error.filename
    what = "a file cannot be read or written" if name is None else f"cannot use {name}"
    why = error.strerror or str(error)
    full = error.errno in (errno.ENOSPC, errno.EIO)
    cure = "check the disk" if full else "check the path and its permissions"
    return f"{what}: {why}; {cure}", 1 if full else 2


def report_bug() -> int:
    """Show the traceback of the exception being handled, and ask for a report."""
    import traceback

    from tertium._version import __version__

    sys.stderr.write(
        f"{traceback.format_exc()}"
        f"tertium: this is a bug in tertium {__version__}; please report it with the "
        "command and the lines above\n"
    )
    return 1
