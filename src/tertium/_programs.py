# SPDX-License-Identifier: Apache-2.0
"""Programs that users name: reading their command line, ending them with all theirs.

What differs between POSIX and Windows is here and in :mod:`tertium._locks`, so that
nothing else has to know about it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress

__all__ = ["end_program", "quote_argument", "split_command"]

_NAME = os.name  # A name of its own, so that tests can be on another system.


def split_command(command: str) -> list[str]:
    r"""Return the words of a command line, as the system's shell would cut it.

    On Windows a backslash separates folders, and double quotes alone quote.

    Raises
    ------
    ValueError
        When a quotation mark is not closed.

    Examples
    --------
    >>> split_command("analyse --words 'two words'")
    ['analyse', '--words', 'two words']
    """
    import shlex

    if _NAME != "nt":
        return shlex.split(command)
    words = shlex.shlex(command, posix=True, punctuation_chars=False)
    words.whitespace_split = True
    words.commenters = words.escape = ""
    words.quotes = '"'
    return list(words)


def quote_argument(value: str) -> str:
    """Return a word as it is typed in the system's shell."""
    import shlex

    return subprocess.list2cmdline([value]) if _NAME == "nt" else shlex.quote(value)


def end_program(process: subprocess.Popen[bytes], *, patience: float = 0) -> None:
    """End a program and the processes that it started, and wait for it.

    Parameters
    ----------
    process : subprocess.Popen
        Started with ``start_new_session=True``, so that its processes form a group.
    patience : float
        Seconds to let it tidy up first. Windows cannot ask, and ends it at once.
    """
    if sys.platform == "win32":
        taskkill = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        with suppress(OSError):
            subprocess.run(taskkill, check=False, capture_output=True)  # noqa: S603
        process.kill()
    else:
        import signal

        with suppress(OSError):
            if patience:
                os.killpg(process.pid, signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(patience)
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
