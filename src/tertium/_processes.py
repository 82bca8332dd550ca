# SPDX-License-Identifier: Apache-2.0
"""Processes that call functions for us, and that can be ended at any time.

Libraries in C++ neither give Python's lock back nor heed Ctrl-C. A process can be
ended whatever it does. It writes nothing, so nothing is lost with it.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import TypeAlias, cast

from tertium._watching import join_watch
from tertium.errors import InputError, TertiumError

__all__ = [
    "Call",
    "Worker",
    "WorkerDiedError",
    "held_back",
    "in_order",
    "workers",
]

#: A function and its arguments.
Call: TypeAlias = "tuple[Callable[..., object], tuple[object, ...]]"


class WorkerDiedError(InputError):
    """A process ended before it had done its call."""

    def __init__(self) -> None:
        super().__init__(
            "a process that was to work for us died, perhaps for lack of memory; use "
            "fewer with -j, or give it less at a time"
        )


class Worker:
    """A process that does one call at a time; see :func:`workers`."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other,), daemon=True)
        self._process.start()
        other.close()  # So that the end of the process is the end of the pipe.

    def call(self, function: Callable[..., object], *args: object) -> None:
        """Start a call; the result of the last one must have been fetched.

        The process finds the function by its name; arguments are pickled.
        """
        try:
            self._pipe.send((function, args))
        except OSError:
            raise WorkerDiedError from None

    def result(self) -> object:
        """Wait for the call and return its result.

        Raises
        ------
        InputError
            What the call raised, or that the process died.
        """
        try:
            done, value = self._pipe.recv()
        except (EOFError, OSError):
            raise WorkerDiedError from None
        if not done:
            raise InputError(cast("str", value))
        return cast("object", value)

    @staticmethod
    def done(busy: Iterable[Worker]) -> list[Worker]:
        """Wait until some processes are done, and return them."""
        by_pipe = {worker._pipe: worker for worker in busy}
        return [by_pipe[cast("Connection", pipe)] for pipe in wait(by_pipe)]

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.terminate()
        self._process.join()
        self._pipe.close()


@contextmanager
def workers(count: int) -> Iterator[list[Worker]]:
    """Start processes; they end with the block, at once.

    They are spawned, so a script that calls this must guard its own start with
    ``if __name__ == "__main__":``.
    """
    started: list[Worker] = []
    try:
        # Those who start hold back what we hold back, and never let it come: Ctrl-C
        # reaches them too, but it is for us, who end them.
        with held_back():
            for _ in range(count):
                started.append(Worker())
        yield started
    finally:
        with held_back():  # A second Ctrl-C must not leave them behind.
            for worker in started:
                worker.end()


#: Calls per process that may be begun before the oldest one is done.
_AHEAD = 4


def in_order(
    team: list[Worker],
    calls: Iterable[Call],
    *,
    retries: int = 0,
    prepare: Callable[[Worker], None] | None = None,
) -> Iterator[object]:
    """Yield the results of calls in their order, whoever is done first.

    Who is done gets the next call before a result is handed out, unless many results
    wait for a slow call.

    Parameters
    ----------
    team : list of Worker
        A process that dies is replaced in it.
    calls : iterable of Call
    retries : int
        How often a call is tried again whose process died.
    prepare : callable, optional
        Called with every process that takes the place of a dead one.
    """
    rest = enumerate(calls)
    idle = list(team)
    busy: dict[Worker, tuple[int, Call, int]] = {}
    results: dict[int, object] = {}
    turn, more = 0, True
    while True:
        # Results would pile up while one slow call runs.
        while idle and more and len(busy) + len(results) < _AHEAD * len(team):
            number, call = next(rest, (-1, None))
            if call is None:
                more = False
                break
            worker = idle.pop()
            function, args = call
            worker.call(function, *args)
            busy[worker] = number, call, 0
        while turn in results:
            yield results.pop(turn)
            turn += 1
        if not busy:
            if not more:
                return
            continue
        for worker in Worker.done(busy):
            number, call, tries = busy.pop(worker)
            try:
                results[number] = worker.result()
                idle.append(worker)
            except WorkerDiedError:
                if tries == retries:
                    raise
                other = _replace(team, worker)
                if prepare is not None:
                    prepare(other)
                function, args = call
                other.call(function, *args)
                busy[other] = number, call, tries + 1


def _replace(team: list[Worker], dead: Worker) -> Worker:
    """Return a new process in the place of a dead one."""
    dead.end()
    with held_back():
        team[team.index(dead)] = other = Worker()
    return other


@contextmanager
def held_back() -> Iterator[None]:
    """Hold Ctrl-C back: it comes at the end of the block, if it came."""
    if sys.platform == "win32":
        yield
        return
    # A helper of `multiprocessing`; starting it would let Ctrl-C through again.
    resource_tracker.ensure_running()
    # Processes that start inherit the mask. It is that of one thread, though: a signal
    # can reach another one, and Python would raise here all the same. So the handler
    # waits too, where it can be changed: in the main thread.
    pressed: list[int] = []
    main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT)
    if main:
        signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if main:
            signal.signal(signal.SIGINT, handler)
        if pressed and callable(handler):
            handler(signal.SIGINT, None)


def _serve(pipe: Connection) -> None:
    """Do calls until nobody wants more, in the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Windows holds nothing back.
    join_watch()
    while True:
        try:
            function, args = pipe.recv()
        except EOFError:
            return
        try:
            answer = True, function(*args)
        except TertiumError as error:
            # Some of our errors cannot be pickled: they take more than a message.
            answer = False, str(error)
        try:
            pipe.send(answer)
        except OSError:  # Who asked is gone.
            return
