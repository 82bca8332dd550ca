# SPDX-License-Identifier: Apache-2.0
"""Where work on chunks is done: in this process, in several, or on a cluster.

All long work that comes in chunks goes through one protocol, and results never depend
on where it is done. :func:`use` sets the place for everything inside a block, so that
functions need not hand it down to each other.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain, islice
from typing import TYPE_CHECKING, Protocol, TypeVar, cast, runtime_checkable

from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium._processes import Worker

__all__ = [
    "Described",
    "Estimate",
    "Executor",
    "Processes",
    "Threads",
    "current",
    "elsewhere",
    "expected_total",
    "report",
    "reporting",
    "spans",
    "spread",
    "use",
]

_Chunk = TypeVar("_Chunk")
_Result = TypeVar("_Result")


class Executor(Protocol):
    """Maps a function over chunks.

    The function and the chunks can be pickled. What the function raises is raised here.
    """

    def map(
        self, function: Callable[[_Chunk], _Result], chunks: Iterable[_Chunk]
    ) -> Iterator[_Result]:
        """Yield the results in the order of the chunks.

        Chunks are read as they are needed; a chunk that was lost with its process is
        done again.
        """


@runtime_checkable
class Described(Protocol):
    """A chunk that says where its data lie instead of holding them.

    The function that gets it reads them. Where that is done on a machine without the
    files, :meth:`loaded` is sent instead, and likewise by a cluster on this machine if
    the chunk has an attribute `at_hand` that is true: its data are in memory.
    """

    def files(self) -> Sequence[str]:
        """Return the absolute paths of the files that are read."""

    def loaded(self) -> object:
        """Return the same chunk with its data."""


class Threads:
    """One chunk after the other in this process; kernels use threads on each."""

    def map(
        self, function: Callable[[_Chunk], _Result], chunks: Iterable[_Chunk]
    ) -> Iterator[_Result]:
        """Yield the results in the order of the chunks."""
        return map(function, chunks)


class Processes:
    """Several processes, each with its own copy of the function.

    They are spawned, so a script that uses this must guard its own start with
    ``if __name__ == "__main__":``.

    Parameters
    ----------
    count : int, optional
        One for every core by default.
    retries : int
        How often a chunk is done again whose process died.
    """

    def __init__(self, count: int | None = None, *, retries: int = 2) -> None:
        self.count = count or os.cpu_count() or 1
        self.retries = retries
        if self.count < 1:
            raise InputError(f"processes must be at least 1, not {count}")

    def map(
        self, function: Callable[[_Chunk], _Result], chunks: Iterable[_Chunk]
    ) -> Iterator[_Result]:
        """Yield the results in the order of the chunks."""
        from tertium._processes import in_order, workers

        def prepare(worker: Worker) -> None:
            # A fitted metric may be large: every process gets it once.
            worker.call(_remember, function)
            worker.result()

        calls = ((_apply, (chunk,)) for chunk in chunks)
        with workers(self.count) as team:
            for worker in team:
                prepare(worker)
            results = in_order(team, calls, retries=self.retries, prepare=prepare)
            for result in results:
                yield cast("_Result", result)


_current: ContextVar[Executor | None] = ContextVar("tertium_executor", default=None)


def current() -> Executor:
    """Return where chunks are done here: as :func:`use` says, or in this process."""
    return _current.get() or Threads()


@contextmanager
def use(executor: Executor | None) -> Iterator[None]:
    """Do all chunks inside the block there; None changes nothing.

    Examples
    --------
    >>> import tertium
    >>> with use(Threads()):
    ...     tertium.score(["the cat sat down"], ["the cat sat up"], metrics="wer")
    system     WER
    system  0.2500
    """
    token = _current.set(executor or _current.get())
    try:
        yield
    finally:
        _current.reset(token)


_report: ContextVar[Callable[[str, int, int], None] | None] = ContextVar(
    "tertium_report", default=None
)


@contextmanager
def reporting(callback: Callable[[str, int, int], None]) -> Iterator[None]:
    """Call a function with the progress of long work inside a chunk; see `report`."""
    token = _report.set(callback)
    try:
        yield
    finally:
        _report.reset(token)


class Estimate(int):
    """A total that is not known exactly."""


def expected_total(done: int, share: float) -> int | None:
    """Return how many there will be if so many are a share of them.

    Examples
    --------
    >>> expected_total(50, 0.5), expected_total(100, 1.0), expected_total(50, 0.0)
    (100, 100, None)
    """
    if share <= 0:
        return None
    return done if share == 1 else Estimate(round(done / share))


def report(what: str, done: int, total: int) -> None:
    """Report the progress of work inside a chunk, such as that of a program.

    Examples
    --------
    >>> with reporting(print):
    ...     report("answers of COMET", 3, 10)
    answers of COMET 3 10
    """
    callback = _report.get()
    if callback is not None:
        callback(what, done, total)


#: Chunks elsewhere are so much smaller than here: there are more hands.
_HANDS = 16


def elsewhere() -> bool:
    """Return whether chunks may be done in other processes, or kept on disk."""
    return not isinstance(current(), Threads)


def spans(total: int, size: int) -> list[tuple[int, int]]:
    """Return the chunks of numbered work: the first number, and how many.

    Parameters
    ----------
    total : int
    size : int
        What takes about a second, which is a chunk in this process. Results must not
        depend on it.

    Examples
    --------
    >>> spans(5, 2)
    [(0, 2), (2, 2), (4, 1)]
    """
    step = max(1, size // _HANDS if elsewhere() else size)
    return [(first, min(step, total - first)) for first in range(0, total, step)]


def spread(
    function: Callable[[_Chunk], _Result], chunks: Iterable[_Chunk]
) -> Iterator[_Result]:
    """Yield the results of chunks, done as :func:`use` says.

    A single chunk is done here: it would take as long anywhere, and must not travel.
    """
    rest = iter(chunks)
    head = list(islice(rest, 2))
    executor = current() if len(head) > 1 else Threads()
    return executor.map(function, chain(head, rest))


_remembered: list[Callable[..., object]] = []


def _remember(function: Callable[..., object]) -> None:
    """Keep the function, in a process."""
    _remembered[:] = [function]


def _apply(chunk: object) -> object:
    """Call the function, in a process."""
    return _remembered[0](chunk)
