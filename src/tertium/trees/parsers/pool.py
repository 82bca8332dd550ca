# SPDX-License-Identifier: Apache-2.0
"""Parsing in several processes, each with the model loaded once.

Processes rather than threads: the bindings hold Python's lock while they parse.
Trees come back in the order of the texts, whatever the number of processes.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from tertium.errors import InputError, TertiumError
from tertium.trees.tree import DependencyTree

if TYPE_CHECKING:
    from tertium.trees.parsers.base import ModelParser, Parser

__all__ = ["ParserPool", "batches_in", "parser_pool"]

_Trees: TypeAlias = "list[DependencyTree]"
_Batches: TypeAlias = "Callable[[Sequence[Sequence[str]]], Iterable[_Trees]]"

#: The parser of a worker process.
_parser: Parser | None = None


@contextmanager
def parser_pool(parser: ModelParser, processes: int) -> Iterator[ParserPool]:
    """Start processes that parse; they end with the block.

    Processes are spawned, so a script that calls this must guard its own start with
    ``if __name__ == "__main__":``.
    """
    executor = ProcessPoolExecutor(
        processes,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start,
        initargs=(parser.name, parser.model, parser.tokenize),
    )
    try:
        yield ParserPool(executor, processes)
    except BaseException:
        with _undisturbed():
            _end(executor)
        raise
    executor.shutdown()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ignore Ctrl-C: a second one would leave parent and workers waiting."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # not the main thread, which alone gets the signal
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(executor: ProcessPoolExecutor) -> None:
    """End the workers without waiting for their batches."""
    workers = list((executor._processes or {}).values())
    executor.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join()


def batches_in(parser: ModelParser, processes: int) -> _Batches:
    """Return a function that parses batches, in processes where that pays.

    Starting a process and loading a model takes a second or two: a few batches are
    parsed right here.
    """

    def parse(many: Sequence[Sequence[str]]) -> Iterator[_Trees]:
        count = min(processes, len(many) // 2)
        if count < 2:
            yield from map(parser.parse, many)
            return
        with parser_pool(parser, count) as pool:
            yield from pool.batches(many)

    return parse


class ParserPool:
    """Running processes; see :func:`parser_pool`."""

    def __init__(self, executor: ProcessPoolExecutor, processes: int) -> None:
        self._executor = executor
        self._ahead = 2 * processes + 1

    def batches(self, many: Iterable[Sequence[str]]) -> Iterator[_Trees]:
        """Yield the trees of batches of texts, in order, few batches ahead."""
        waiting: deque[Future[_Trees]] = deque()
        try:
            for texts in many:
                waiting.append(self._executor.submit(_work, list(texts)))
                if len(waiting) >= self._ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            message = (
                "a process of the parser died, perhaps for want of memory; use fewer "
                "with -j"
            )
            raise InputError(message) from None


def _start(name: str, model: str, tokenize: str) -> None:
    """Load the model, in a worker."""
    from tertium.trees.parsers import load_parser

    # Ctrl-C is for the parent, who ends the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    global _parser
    _parser = load_parser(name, model, tokenize=tokenize)


def _work(texts: list[str]) -> _Trees:
    """Parse a batch, in a worker."""
    if _parser is None:
        raise InputError("the parser of this process was not loaded")
    try:
        return _parser.parse(texts)
    except TertiumError as error:
        # Some of our errors cannot be pickled: they take more than a message.
        raise InputError(str(error)) from None
