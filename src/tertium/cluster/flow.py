# SPDX-License-Identifier: Apache-2.0
"""Chunks on their way to workers, and results put back in order.

Several chunks travel as one task, so many that the work in it takes 200 times as long
as sending it, and longer with many workers. A bounded number of tasks is under way, so
neither side holds more than a few chunks.

Faults: a task whose worker died is sent again, then in single chunks to the workers
with the most memory; a task that takes far longer than others gets a twin on an idle
worker, and the first of them counts; a lost scheduler is looked for again.
"""

from __future__ import annotations

import asyncio
import pickle
import queue
import statistics
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from concurrent.futures import Future as Fetch
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

from distributed import KilledWorker

from tertium._executor import Described
from tertium.cluster.worker import Done, Failure, apply, raised
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.cluster.session import Session

Arrival: TypeAlias = "Fetch[Done]"

__all__ = [
    "SchedulerLostError",
    "WorkersDiedError",
    "results_in_order",
    "task_seconds",
]

_TICK = 0.5  # seconds between two looks at what does not get done
_SHARE = 200  # how much longer a task should take than its overhead
_MOST = 256  # chunks in a task
_BYTES = 4_000_000  # of chunks in a task; Dask warns of 10 MB
_AHEAD = 2  # tasks per thread that are under way
_RETRIES = 2
_LATE = 4.0  # times the usual, after which a task gets a twin
_PATIENCE = 2.0  # seconds that a task may always take


class WorkersDiedError(InputError):
    """A chunk ended every worker that did it."""

    def __init__(self) -> None:
        super().__init__(
            "workers of the cluster died on the same chunk again and again, perhaps "
            "for lack of memory; give each worker more memory, or fewer threads"
        )


class SchedulerLostError(InputError):
    """The scheduler of the cluster does not answer any more."""

    def __init__(self) -> None:
        super().__init__(
            "the scheduler of the cluster was lost; start it and run the same command "
            "again (with a checkpoint, finished chunks are not done again)",
            options=("checkpoint",),
        )


def task_seconds(overhead: float, threads: int) -> float:
    """Return how long a task should take.

    Parameters
    ----------
    overhead : float
        The seconds that sending a task takes, most of them the scheduler's.
    threads : int
        Of all workers: the scheduler should be busy half of the time at most.
    """
    return overhead * max(_SHARE, 2 * threads)


@dataclass(eq=False)
class _Task:
    """Consecutive chunks that are done together."""

    first: int
    chunks: list[object]
    pickled: list[bytes]
    attempts: int = 0
    sent: float = field(default_factory=time.monotonic)
    futures: list[Any] = field(default_factory=list)
    done: bool = False


def results_in_order(
    session: Session, name: str, chunks: Iterator[object]
) -> Iterator[object]:
    """Yield the results of a published function for chunks, in their order.

    Parameters
    ----------
    session : Session
    name : str
        Of the function.
    chunks : iterator

    Raises
    ------
    InputError
        What the function raised, or that the cluster was lost.
    """
    flow = _Flow(session, name, chunks)
    try:
        yield from flow.run()
    finally:
        flow.cancel()


class _Flow:
    def __init__(self, session: Session, name: str, chunks: Iterator[object]) -> None:
        self.session = session
        self.name = name
        self.chunks = enumerate(chunks)
        self.more = True
        self.tasks: dict[str, _Task] = {}  # under way, by the key of a future
        self.twins = 0  # at most so many of them are there twice
        self.arrived: queue.SimpleQueue[tuple[str, Arrival]] = queue.SimpleQueue()
        self.results: dict[int, object] = {}
        self.failures: dict[int, Failure] = {}  # by chunk, like results
        self.keys = count()
        self.group = 1
        self.left = _MOST
        self.seconds: list[float] = []  # of the last tasks

    def run(self) -> Iterator[object]:
        turn = 0
        while True:
            self._fill()
            while turn in self.results:
                yield self.results.pop(turn)
                turn += 1
                self._fill()
            if turn in self.failures:
                raise raised(self.failures[turn])
            if not self.tasks:
                return
            try:
                key, arrival = self.arrived.get(timeout=_TICK)
            except queue.Empty:
                self._look()
            else:
                self._receive(key, arrival)

    def cancel(self) -> None:
        """Drop what is still under way."""
        futures = [each for task in self.tasks.values() for each in task.futures]
        self.tasks.clear()
        if futures and self.session.alive():
            self.session.client.cancel(futures, force=True)

    # Sending.

    def _fill(self) -> None:
        """Send tasks until enough are under way."""
        most = _AHEAD * self.session.threads() + 1
        if not self.more or len(self.tasks) - self.twins >= most:
            return  # Soon seen: with many workers, counting would take long.
        under_way = {id(task): task for task in self.tasks.values()}
        waiting = sum(len(task.chunks) for task in under_way.values())
        ready = len(under_way)
        # Results that wait for a slow one count as well: they fill our memory.
        while (
            self.more
            and ready < most
            and (waiting + len(self.results) < 2 * most * self.group)
        ):
            task = self._next()
            if task is None:
                return
            self._send(task)
            ready += 1
            waiting += len(task.chunks)

    def _next(self) -> _Task | None:
        task = None
        most = min(self.group, self.left)
        while task is None or (
            len(task.chunks) < most and sum(map(len, task.pickled)) < _BYTES
        ):
            number, chunk = next(self.chunks, (-1, None))
            if number < 0:
                self.more = False
                break
            if isinstance(chunk, Described) and not self._leaves_data(chunk):
                chunk = chunk.loaded()
            self._expect(number, getattr(chunk, "share", None))
            task = task or _Task(number, [], [])
            task.chunks.append(chunk)
            task.pickled.append(_pickled(chunk))
        return task

    def _leaves_data(self, chunk: Described) -> bool:
        """Return whether workers should read the data of a chunk.

        On this machine, data that we have read anyway are sooner sent than read again.
        """
        if self.session.place.kind == "local" and getattr(chunk, "at_hand", False):
            return False
        return self.session.shares(chunk.files())

    def _expect(self, number: int, share: float | None) -> None:
        """Make the last tasks small, so that workers end at the same time.

        A chunk may say which share of the work ends with it.
        """
        if share:
            left = (number + 1) / share - (number + 1)
            self.left = max(1, round(left / (2 * self.session.threads())))

    def _send(self, task: _Task, workers: Sequence[str] | None = None) -> None:
        key = f"{self.name}-{task.first}-{next(self.keys)}"
        client = self.session.client
        future = client.submit(
            apply,
            self.name,
            task.pickled,
            key=key,
            pure=False,
            priority=-task.first,
            workers=list(workers) if workers else None,
            allow_other_workers=False,
        )
        task.futures.append(future)
        task.sent = time.monotonic()
        self.tasks[key] = task
        # Fetched in the background: a worker that hangs may hold a finished result.
        arrival = asyncio.run_coroutine_threadsafe(
            _fetch(client, future), client.loop.asyncio_loop
        )
        arrival.add_done_callback(lambda done: self.arrived.put((key, done)))

    # Receiving.

    def _receive(self, key: str, arrival: Arrival) -> None:
        task = self.tasks.pop(key, None)
        if task is None or task.done:
            return
        try:
            done = arrival.result()
        except KilledWorker:
            self._again(task)
        except (asyncio.CancelledError, CancelledError, OSError):
            self._resume(task)
        else:
            if done.failure is None:
                self._finish(task, done)
            elif not self._load(task):
                self._fail(task, done, done.failure)

    def _finish(self, task: _Task, done: Done) -> None:
        task.done = True
        for number, result in enumerate(done.results, start=task.first):
            self.results[number] = result
        for each in task.futures:
            if self.tasks.pop(each.key, None) is not None:
                self.session.client.cancel([each], force=True)
        task.futures.clear()  # Lets workers forget the results.
        self.seconds = [*self.seconds[-99:], done.seconds]
        self._regroup(done.seconds / len(task.chunks))

    def _fail(self, task: _Task, done: Done, failure: Failure) -> None:
        """Keep a failure until its turn: the first in the order of chunks counts."""
        task.done = True
        self.results.update(enumerate(done.results, start=task.first))
        self.failures[task.first + len(done.results)] = failure
        self.more = False

    def _regroup(self, seconds: float) -> None:
        """Choose how many chunks travel together."""
        whole = task_seconds(self.session.overhead, self.session.threads())
        wanted = whole / max(seconds, 1e-6)
        # Step by step: the first chunks also load models.
        self.group = max(1, min(_MOST, 2 * self.group, round(wanted)))

    # Faults.

    def _again(self, task: _Task) -> None:
        """Send a task again, whose workers died."""
        task.attempts += 1
        if task.attempts > _RETRIES:
            raise WorkersDiedError
        strong = self.session.strongest()
        task.done = True
        for number, chunk in enumerate(task.chunks, start=task.first):
            one = _Task(number, [chunk], [_pickled(chunk)])
            one.attempts = task.attempts
            self._send(one, strong)

    def _load(self, task: _Task) -> bool:
        """Send a task with its data if a worker may have missed the files."""
        if not any(isinstance(chunk, Described) for chunk in task.chunks):
            return False
        task.chunks = [
            chunk.loaded() if isinstance(chunk, Described) else chunk
            for chunk in task.chunks
        ]
        task.pickled = [_pickled(chunk) for chunk in task.chunks]
        self._send(task)
        return True

    def _look(self) -> None:
        """Look after the cluster, and after tasks that take too long."""
        if not self.session.alive():
            self._resume(None)
            return
        usual = statistics.median(self.seconds) if self.seconds else float("inf")
        late = time.monotonic() - (_LATE * _AHEAD * usual + _PATIENCE)
        slow = [t for t in self.tasks.values() if t.sent < late and not t.done]
        if not slow:
            return
        idle = self.session.idle()
        for task, worker in zip(
            sorted(slow, key=lambda t: t.first), idle, strict=False
        ):
            if len(task.futures) == 1:
                self.twins += 1
                self._send(task, [worker])

    def _resume(self, task: _Task | None) -> None:
        """Connect again and send everything that was under way."""
        unfinished = {id(each): each for each in self.tasks.values()}
        if task is not None:
            unfinished[id(task)] = task
        self.tasks.clear()
        if not self.session.reconnect():
            raise SchedulerLostError
        for each in sorted(unfinished.values(), key=lambda t: t.first):
            each.futures.clear()
            self._send(each)


async def _fetch(client: Any, future: Any) -> Done:
    done: Done = await client.gather(future, asynchronous=True)
    return done


def _pickled(chunk: object) -> bytes:
    return pickle.dumps(chunk, protocol=5)
