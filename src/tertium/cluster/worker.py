# SPDX-License-Identifier: Apache-2.0
"""What runs in the workers of a cluster.

A function arrives once per worker, as a plug-in that late workers get as well, and is
unpickled once: a metric with its model and tables is then loaded for all chunks.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from distributed import WorkerPlugin, get_worker

from tertium._version import __version__
from tertium.errors import InputError, TertiumError

if TYPE_CHECKING:
    from distributed import Worker

_NAMES = 2000  # of tasks that Dask may remember
_CURE = "define metrics in a module, and install it there"

__all__ = [
    "Done",
    "Failure",
    "Published",
    "apply",
    "forget_names",
    "raised",
    "sees",
    "version",
]


class Published(WorkerPlugin):  # type: ignore[misc]  # which has no types
    """A function that every worker has.

    Parameters
    ----------
    name : str
    function : callable
    """

    idempotent = True

    def __init__(self, name: str, function: Callable[..., object]) -> None:
        self.name = name
        self.version = __version__
        # Bytes, so that the scheduler need not load what it does not use.
        self._pickled = pickle.dumps(function, protocol=5)

    def setup(self, worker: Worker) -> None:  # noqa: ARG002 (the protocol of Dask)
        """Prepare a worker; nothing is loaded before the first chunk."""
        self._lock = threading.Lock()
        self._function: Callable[..., object] | None = None

    def teardown(self, worker: Worker) -> None:  # noqa: ARG002
        """Let a worker forget the function, and what Dask knows about its tasks."""
        forget_names()

    def function(self) -> Callable[..., object]:
        """Return the function, loaded when it is first asked for."""
        with self._lock:
            if self._function is None:
                self._function = pickle.loads(self._pickled)  # noqa: S301 (from us)
        return self._function


class Failure(NamedTuple):
    """What a function raised, in a form that every version of Python can send."""

    message: str
    options: tuple[str, ...]


class Done(NamedTuple):
    """What became of some chunks, and how long it took."""

    results: list[object]
    seconds: float
    failure: Failure | None = None


def apply(name: str, pickled: Sequence[bytes]) -> Done:
    """Call a published function for every chunk of a list."""
    begin = time.perf_counter()
    results: list[object] = []
    failure = None
    try:
        published = get_worker().plugins[name]
        if published.version != __version__:  # a worker that came late
            return Done([], 0.0, Failure(_other_version(published.version), ()))
        try:
            function = published.function()
        except AttributeError as error:  # of a notebook, perhaps
            failure = Failure(
                f"workers of the cluster lack a name ({error}); {_CURE}", ()
            )
            return Done([], 0.0, failure)
        results += (function(pickle.loads(one)) for one in pickled)  # noqa: S301
    except ModuleNotFoundError as error:
        message = f"workers of the cluster lack the Python module {error.name}"
        failure = Failure(f"{message}; install there what is installed here", ())
    except TertiumError as error:
        failure = Failure(str(error), getattr(error, "options", ()))
    return Done(results, time.perf_counter() - begin, failure)


def _other_version(wanted: str) -> str:
    cure = f'pip install "tertium[cluster]=={wanted}"'
    return (
        f"a worker of the cluster has Tertium {__version__}, and this is {wanted}, so "
        f"results could differ; there: {cure}"
    )


def raised(failure: Failure) -> InputError:
    """Return the error that a failure stands for."""
    return InputError(failure.message, options=failure.options)


def forget_names() -> None:
    """Let Dask forget the names of tasks in this process, if there are many.

    It would keep a hundred thousand, which are 25 MB.
    """
    from dask.utils import key_split

    if key_split.cache_info().currsize > _NAMES:
        key_split.cache_clear()


def version() -> str:
    """Return the version of Tertium over there."""
    return __version__


def sees(files: Sequence[tuple[str, int, int]]) -> bool:
    """Return whether files are there with the same size and time of change."""
    import os

    try:
        there = [(path, os.stat(path)) for path, _, _ in files]
    except OSError:
        return False
    return all(
        (stat.st_size, stat.st_mtime_ns) == (size, changed)
        for (_, stat), (_, size, changed) in zip(there, files, strict=True)
    )
