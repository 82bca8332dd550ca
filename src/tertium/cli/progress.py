# SPDX-License-Identifier: Apache-2.0
"""Progress on stderr, for work that takes longer than two seconds."""

from __future__ import annotations

import sys
import time
from types import TracebackType

__all__ = ["Progress"]

_PATIENCE = 2.0  # seconds


class Progress:
    """Shows a count that changes in place; silent where nobody looks.

    Parameters
    ----------
    what : str
        What is counted, such as ``segments``.
    quiet : bool
    """

    def __init__(self, what: str, *, quiet: bool = False) -> None:
        self._what = what
        self._shown = False
        self._show = not quiet and sys.stderr.isatty()
        self._start = self._last = time.monotonic()

    def __call__(self, done: int) -> None:
        """Show how many are done, if it is time to."""
        now = time.monotonic()
        if not self._show or now - self._start < _PATIENCE or now - self._last < 0.1:
            return
        self._last = now
        rate = done / (now - self._start)
        sys.stderr.write(f"\r{done:,} {self._what} ({rate:,.0f}/s)\x1b[K")
        sys.stderr.flush()
        self._shown = True

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
