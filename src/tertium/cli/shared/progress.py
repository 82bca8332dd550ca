# SPDX-License-Identifier: Apache-2.0
"""Progress on stderr, for work that takes longer than two seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType

from tertium._executor import Estimate, reporting

__all__ = ["Progress", "clear_line"]

_PATIENCE = 2.0  # seconds
_PAUSE = 0.1  # seconds between two lines

_CLEAR = "\r\x1b[K"
_written: list[bool] = []  # whether a line of progress stands on the terminal


def clear_line() -> None:
    """Remove a line of progress from the terminal, so that a message can be written."""
    if _written:
        _written.clear()
        sys.stderr.write(_CLEAR)


class Progress:
    """A count that changes in place, with its rate, and the time left if it is known.

    Nothing is shown if stderr is not a terminal, or if `quiet`.

    Parameters
    ----------
    what : str
        What is counted, such as ``segments``.
    quiet : bool
    total : callable, optional
        Tells how many segments there are if so many are done, where the work does not.
    """

    def __init__(
        self,
        what: str = "",
        *,
        quiet: bool = False,
        total: Callable[[int], int | None] | None = None,
    ) -> None:
        self._what = what
        self._total = total
        self._show = not quiet and sys.stderr.isatty()
        now = time.monotonic()
        self._start = self._phase = self._called = now
        self._last = float("-inf")

    def __call__(self, done: int, total: int | None = None) -> None:
        """Show how many are done, of how many, if it is time to."""
        self.phase(self._what, done, total)

    def phase(self, what: str, done: int, total: int | None = None) -> None:
        """Do the same for work in phases, each with its own rate and time left.

        Parameters
        ----------
        what : str
            What is counted in this phase.
        done, total : int
        """
        if not self._show:
            return
        now = time.monotonic()
        if what != self._what:
            self._what, self._phase = what, self._called
        self._called = now
        if now - self._start < _PATIENCE or now - self._last < _PAUSE:
            return
        self._last = now
        if total is None and what == "segments" and self._total is not None:
            total = self._total(done)
        sys.stderr.write(f"\r{_line(what, done, total, now - self._phase)}\x1b[K")
        sys.stderr.flush()
        _written[:] = [True]

    def __enter__(self) -> Progress:
        self._inside = reporting(self.phase)
        self._inside.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._inside.__exit__(kind, error, trace)
        clear_line()


def _line(what: str, done: int, total: int | None, seconds: float) -> str:
    """Return what is shown.

    Examples
    --------
    >>> _line("segments", 500, 2000, 10.0)
    '500 of 2,000 segments (50/s, 30 s left)'
    >>> _line("segments", 500, Estimate(2004), 10.0)
    '500 of about 2,000 segments (50/s, 30 s left)'
    """
    rate = done / seconds if seconds > 0 else 0.0
    speed = f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2g}/s"
    if total is None:
        return f"{done:,} {what} ({speed})"
    left = f", {_duration((total - done) / rate)} left" if rate else ""
    shown = f"{total:,}"
    if isinstance(total, Estimate):
        # Its last digits would change from line to line.
        shown = f"about {max(done, int(float(f'{total:.2g}'))):,}"
    return f"{done:,} of {shown} {what} ({speed}{left})"


def _duration(seconds: float) -> str:
    """Return a time in its two largest units.

    Examples
    --------
    >>> _duration(4.2), _duration(125), _duration(7300)
    ('4 s', '2 min 5 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
