# SPDX-License-Identifier: Apache-2.0
"""Finished chunks on disk, so that an interrupted run goes on where it stopped.

A file per chunk, named by a hash of the version, the function and the chunk, and
written under another name first. A file that is cut off or changed does not have the
checksum it starts with: the chunk is done again.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar, cast

from tertium._executor import Described, Executor, current
from tertium._version import __version__
from tertium.errors import InputError, OutputError

__all__ = ["Checkpointed"]

_Chunk = TypeVar("_Chunk")
_Result = TypeVar("_Result")

_CHECK = 16  # bytes of a checksum


class Checkpointed:
    """An executor that keeps what is finished.

    Only a folder of one's own should be given: results are unpickled from it.

    Parameters
    ----------
    folder : str
        Made if it is not there; delete it when the run is done.
    executor : Executor, optional
        Where chunks are done that are not in it; by default where they are done now.

    Raises
    ------
    InputError
        If the folder cannot be made.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     list(Checkpointed(folder).map(abs, [-1, -2]))
    ...     list(Checkpointed(folder).map(abs, [-1, -2, -3]))
    [1, 2]
    [1, 2, 3]
    """

    def __init__(self, folder: str, executor: Executor | None = None) -> None:
        self._folder = folder
        self._executor = executor or current()
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            if os.path.exists(folder):
                message = f"{folder} is not a folder; give another name"
            else:
                reason = f"({error.strerror}); give another folder"
                message = f"{folder}: cannot be made {reason}"
            raise InputError(message, options=("checkpoint",)) from None

    def map(
        self, function: Callable[[_Chunk], _Result], chunks: Iterable[_Chunk]
    ) -> Iterator[_Result]:
        """Yield the results in the order of the chunks."""
        start = hashlib.sha256(__version__.encode())
        start.update(pickle.dumps(function, protocol=5))
        order: deque[tuple[str, bool]] = deque()

        def missing() -> Iterator[_Chunk]:
            for number, chunk in enumerate(chunks):
                path = self._path(start, number, chunk)
                known = _intact(path)
                order.append((path, known))
                if not known:
                    yield chunk

        results = self._executor.map(function, missing())
        for result in results:
            while order[0][1]:
                yield cast("_Result", _read(order.popleft()[0]))
            _write(order.popleft()[0], result)
            yield result
        for path, _ in order:
            yield cast("_Result", _read(path))

    def _path(self, start: hashlib._Hash, number: int, chunk: object) -> str:
        key = start.copy()
        key.update(number.to_bytes(8, "little"))
        if isinstance(chunk, Described) and getattr(chunk, "at_hand", False):
            chunk = chunk.loaded()  # Its texts are a better key than a path and a time.
        key.update(pickle.dumps(chunk, protocol=5))
        if isinstance(chunk, Described):
            for file in chunk.files():
                stat = os.stat(file)
                key.update(f"{file}\0{stat.st_size}\0{stat.st_mtime_ns}".encode())
        return os.path.join(self._folder, f"{key.hexdigest()[:32]}.chunk")


def _write(path: str, result: object) -> None:
    data = pickle.dumps(result, protocol=5)
    temporary = f"{path}.{os.getpid()}"
    try:
        with open(temporary, "wb") as stream:
            stream.write(hashlib.sha256(data).digest()[:_CHECK] + data)
        os.replace(temporary, path)
    except OSError as error:
        message = f"{path}: cannot be written ({error.strerror}); give another folder"
        raise OutputError(message) from None


def _intact(path: str) -> bool:
    return _data(path) is not None


def _data(path: str) -> bytes | None:
    try:
        with open(path, "rb") as stream:
            check, data = stream.read(_CHECK), stream.read()
    except FileNotFoundError:
        return None
    return data if hashlib.sha256(data).digest()[:_CHECK] == check else None


def _read(path: str) -> object:
    data = _data(path)
    if data is None:
        message = f"{path}: was removed or changed during the run; run it again"
        raise OutputError(message)
    return cast("object", pickle.loads(data))  # noqa: S301 (a folder of the user's)
