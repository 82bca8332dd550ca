# SPDX-License-Identifier: Apache-2.0
"""A session with a cluster: found or started, asked, and ended."""

from __future__ import annotations

import logging
import os
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from tertium._processes import held_back
from tertium._version import __version__
from tertium.cluster.places import Place, scheduler_address
from tertium.cluster.starting import JOBS, start, submit_again
from tertium.errors import InputError, MissingExtraError
from tertium.notes import Note

if TYPE_CHECKING:
    Client: TypeAlias = Any  # Most of Dask has no types.

__all__ = ["OnNote", "Session", "connect", "task_name"]

OnNote: TypeAlias = Callable[[Note], None]

# Settings of Dask while there is a session.
_SETTINGS = {
    # Both sides would keep the last thousand messages, with all texts in them.
    "distributed.admin.low-level-log-length": 0,
    # Workers would keep the last ten thousand, two for every function they are given.
    "distributed.admin.log-length": 0,
    # Nobody looks at the profile that workers draw a hundred times a second.
    "distributed.worker.profile.enabled": False,
    # Nor at the load of machines that processes look up twice a second, and how late
    # their loops are every 20 ms.
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "1s",
    # Workers would give memory back after every chunk, and take a tenth longer.
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 256 << 20,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 32 << 20,
}

_PROBES = 50  # tasks that do nothing, from which the overhead of a task is known
_TRIES, _PAUSE = 20, 0.25  # seconds between two tries to reach all workers
_PATIENCE = 2.0  # seconds to wait for workers whose answer does not matter
_REFRESH = 2.0  # seconds between two counts of workers
_WAIT = 60.0  # seconds to wait for the first worker, unless a queue decides
_QUEUE = 10.0  # seconds to wait for a queue without a word
_LOST = 10.0  # seconds without a worker, after which jobs are submitted again


def task_name() -> str:
    """Return a new name for tasks, with the start that all names of ours have."""
    # Dask takes letters up to the first number as the start.
    return f"tertium-0{uuid.uuid4().hex[:12]}"


class Session:
    """A connection to a cluster, which was started for it or ran before.

    Made by :func:`connect`.
    """

    def __init__(
        self, described: Place, cluster: Any, client: Client, settings: Any
    ) -> None:
        self._settings = settings
        self.place = described
        self.client = client
        self._cluster = cluster
        self._published: dict[str, Callable[..., object]] = {}
        self._shared: dict[tuple[str, ...], bool] = {}
        self._threads = (float("-inf"), 1)
        self._seen = float("inf")  # when there were workers
        self.patience = _WAIT  # seconds to look for a lost scheduler
        self.overhead = 0.0  # seconds that a task takes beyond its work
        self._anchor: Any = None

    def hold(self) -> None:
        """Keep one task of ours on the cluster as long as the session lasts.

        Dask sums up tasks by the start of their names, and begins anew when all of
        them are gone. It keeps what it began, with statistics on all sides: without
        this task, for every call of `map`.
        """
        self._anchor = self.client.submit(int, key=task_name(), pure=False)

    def measure(self) -> None:
        """Find out how long tasks take that do nothing."""
        pids = [self.client.submit(os.getpid, pure=False) for _ in range(2)]
        self.client.gather(pids)  # Connections are opened now.
        begin = time.perf_counter()
        tasks = [self.client.submit(os.getpid, pure=False) for _ in range(_PROBES)]
        self.client.gather(tasks)
        self.overhead = (time.perf_counter() - begin) / _PROBES

    def publish(self, name: str, function: Callable[..., object]) -> None:
        """Give a function to all workers, also to those that come later."""
        from tertium.cluster.worker import Published

        self._published[name] = function
        plugin = Published(name, function)
        _persist(lambda: self.client.register_plugin(plugin))

    def withdraw(self, name: str) -> None:
        """Take a function back."""
        from tertium.cluster.worker import forget_names

        self._published.pop(name, None)
        forget_names()
        if not self.alive():
            return

        def ask() -> None:
            with suppress(Exception):  # A worker that is gone has nothing to forget.
                self.client.unregister_worker_plugin(name)

        # All workers are asked, and one that hangs must not hold up the others.
        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        asking.join(_PATIENCE)

    def threads(self) -> int:
        """Return how many tasks can run at the same time, at least 1."""
        counted, threads = self._threads
        now = time.monotonic()
        if now - counted > _REFRESH and self.alive():
            present = sum(self.client.nthreads().values())
            self._refill(present, now)
            threads = max(1, present)
            self._threads = now, threads
        return threads

    def _refill(self, present: int, now: float) -> None:
        """Submit jobs again if all have ended, as they do when their time is up."""
        if present:
            self._seen = now
        elif self.place.kind in JOBS and now - self._seen > _LOST:
            self._seen = float("inf")  # Once: the queue decides when they start.
            submit_again(self.place.kind, self._cluster, self.place.workers)

    def shares(self, files: Sequence[str]) -> bool:
        """Return whether all workers see the same files as we do."""
        from tertium.cluster.worker import sees

        key = tuple(files)
        if key not in self._shared:
            stats = [(path, os.stat(path)) for path in files]
            known = [(path, stat.st_size, stat.st_mtime_ns) for path, stat in stats]
            answers = _persist(lambda: self.client.run(sees, known))
            self._shared[key] = all(answers.values())
        return self._shared[key]

    def strongest(self) -> list[str]:
        """Return the workers with the most memory per thread."""
        workers = self.client.scheduler_info(n_workers=-1)["workers"]
        memory = {
            address: about["memory_limit"] / max(1, about["nthreads"])
            for address, about in workers.items()
        }
        most = max(memory.values(), default=0.0)
        return [address for address, limit in memory.items() if limit == most]

    def idle(self) -> list[str]:
        """Return the workers that have nothing to do."""
        return [worker for worker, keys in self.client.processing().items() if not keys]

    def alive(self) -> bool:
        """Return whether the scheduler answers."""
        return bool(self.client.status == "running")

    def reconnect(self) -> bool:
        """Look for the scheduler again, and return whether it is there."""
        if self.place.kind != "address":
            return False  # It was ours, and went with us or with its machine.
        with suppress(Exception):  # There may be nobody left to take leave of.
            self.client.close(timeout=1)
        try:
            self.client = _client(self.place.address, timeout=self.patience)
            _check_workers(self.client, self.patience)
        except InputError:
            return False
        self.hold()
        for name, function in self._published.items():
            self.publish(name, function)
        return True

    def close(self) -> None:
        """End the session, and the cluster if it was started for it."""
        with held_back():  # A second Ctrl-C must not leave workers behind.
            with suppress(Exception):  # Whatever is lost already cannot be closed.
                self.client.close(timeout=5)
            if self._cluster is not None:
                with suppress(Exception):
                    self._cluster.close(timeout=10)
            self._settings.__exit__(None, None, None)


def _persist(ask: Callable[[], Any]) -> Any:
    """Ask all workers for something, again if one of them dies meanwhile."""
    for _ in range(_TRIES - 1):
        try:
            return ask()
        except OSError:  # as all errors of connections are
            time.sleep(_PAUSE)
    return ask()


def connect(described: Place, *, on_note: OnNote | None = None) -> Session:
    """Start or find a cluster, and wait until it has a worker.

    Parameters
    ----------
    described : Place
    on_note : callable, optional
        Called with a note if a queue keeps the first worker waiting.

    Raises
    ------
    MissingExtraError
        Without the extra ``cluster``.
    InputError
        When nobody answers, or its workers have another version of Tertium.
    """
    try:
        import_module("distributed")
    except ImportError as error:
        raise MissingExtraError("a cluster", extra="cluster") from error
    # What goes wrong is said by us, once; Dask tells it worker by worker.
    for name in ("distributed", "asyncssh", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    import dask

    cluster = session = None
    settings = dask.config.set(_SETTINGS)
    try:
        if described.kind != "address":
            # Workers that start hold back what we hold back: Ctrl-C reaches them too,
            # but it is for us, who end them.
            with held_back():
                cluster = start(described.kind, described.workers, described.options)
        address = described.address if cluster is None else cluster
        session = Session(described, cluster, _client(address), settings)
        if described.kind in JOBS:
            _wait_in_queue(session.client, on_note)
        _check_workers(session.client, _WAIT)
        session.hold()
        session.measure()
    except BaseException:
        if session is not None:
            session.close()
        elif cluster is not None:
            with held_back(), suppress(Exception):
                cluster.close(timeout=10)
        if session is None:
            settings.__exit__(None, None, None)
        raise
    return session


def _client(address: Any, *, timeout: float = 20) -> Client:
    from tertium.cluster.client import Connection

    try:
        if isinstance(address, str):
            _check_certificate(address)
        if isinstance(address, str) and address.endswith(".json"):
            return Connection(
                scheduler_file=address, timeout=timeout, set_as_default=False
            )
        return Connection(address, timeout=timeout, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(
            f"no scheduler answers at {address} ({error}); start one with `dask "
            "scheduler`, and workers with `dask worker ADDRESS`"
        ) from None


def _check_certificate(address: str) -> None:
    """Raise an error if a scheduler wants a certificate, and Dask knows of none."""
    from distributed.security import Security

    if address.endswith(".json"):
        address = scheduler_address(address)
    if (
        address.startswith("tls://")
        and Security().get_connection_args("client")["ssl_context"] is None
    ):
        raise InputError(
            f"the scheduler at {address} wants a certificate; set ca-file, client.cert "
            "and client.key of distributed.comm.tls in the configuration of Dask"
        )


def _wait_in_queue(client: Client, on_note: OnNote | None) -> None:
    """Wait for the first worker as long as it takes, but not without a word."""
    try:
        client.wait_for_workers(1, timeout=_QUEUE)
    except (TimeoutError, OSError):
        if on_note is not None:
            on_note(Note("cluster-queued"))
        client.wait_for_workers(1)


def _check_workers(client: Client, wait: float) -> None:
    """Wait for a worker, and check that all compute with our version."""
    from tertium.cluster.worker import version

    try:
        client.wait_for_workers(1, timeout=wait)
    except (TimeoutError, OSError):
        raise InputError(
            f"the cluster has no worker after {wait:.0f} s; start some with `dask "
            "worker ADDRESS`"
        ) from None
    cure = f'pip install "tertium[cluster]=={__version__}"'
    try:
        versions = set(_persist(lambda: client.run(version)).values())
    except ModuleNotFoundError:
        message = f"workers of the cluster do not have Tertium; there: {cure}"
        raise InputError(message) from None
    if others := sorted(versions - {__version__}):
        raise InputError(
            f"workers of the cluster have Tertium {', '.join(others)}, and this is "
            f"{__version__}, so results could differ; there: {cure}"
        )
