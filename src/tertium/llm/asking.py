# SPDX-License-Identifier: Apache-2.0
"""All requests of a run: several at a time, within a budget, every answer kept."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from tertium.errors import InputError
from tertium.llm.answer_log import AnswerLog
from tertium.llm.client import RequestError, StoppedError, reply_of
from tertium.llm.cost import Budget, estimate_tokens
from tertium.llm.demonstration import Asker

__all__ = ["InterruptedAsking", "Outcome", "Request", "ask_all"]

#: Called with how many are done, of how many.
Progress: TypeAlias = "Callable[[int, int], None]"

_TICK = 0.1  # seconds between two looks at the threads
_GRACE = 10.0  # seconds for answers that are under way after Ctrl-C
_MANY = 8  # requests that fail one after the other


class Request(NamedTuple):
    """Something to ask.

    Parameters
    ----------
    key : str
        The hash of the body.
    body : mapping
    tokens : int
        The estimate for its messages.
    about : mapping
        What the log says about it.
    """

    key: str
    body: Mapping[str, object]
    tokens: int
    about: Mapping[str, object]


@dataclass
class Outcome:
    """What came of the requests.

    Attributes
    ----------
    answered : int
    failed : dict of str to str
        Messages by key.
    left : int
        Requests that were not sent, as there was not enough money.
    tokens_in, tokens_out : int
    estimated : int
        Answers whose tokens the server did not count.
    spent : float
        What it cost, as far as prices are known.
    retried : Counter
        Repeated attempts by cause.
    """

    answered: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    left: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: int = 0
    spent: float = 0.0
    retried: Counter[str] = field(default_factory=Counter)


class InterruptedAsking(KeyboardInterrupt):
    """Ctrl-C during a run; all answers so far are kept.

    Parameters
    ----------
    answered, left : int
    """

    def __init__(self, answered: int, left: int) -> None:
        self.answered = answered
        self.left = left
        super().__init__()


class _NoMoneyError(Exception):
    pass


def ask_all(
    requests: Sequence[Request],
    client: Asker,
    log: AnswerLog,
    *,
    budget: Budget,
    concurrency: int,
    stop: threading.Event,
    progress: Progress | None = None,
) -> Outcome:
    """Ask everything, and keep the answers in the log.

    Parameters
    ----------
    requests : sequence of Request
    client : Asker
    log : AnswerLog
        Opened here, and closed by the caller.
    budget : Budget
    concurrency : int
    stop : threading.Event
        The one that the client looks at.
    progress : callable, optional

    Raises
    ------
    InputError
        When the server accepts no request at all.
    OutputError
        When an answer cannot be kept.
    InterruptedAsking
        After Ctrl-C.
    """
    if not requests:
        return Outcome()
    log.open()
    number = min(concurrency, len(requests))
    run = _Run(requests, client, log, budget, stop, number)
    # Daemons: after a second Ctrl-C nobody waits for a server.
    threads = [threading.Thread(target=run.work, daemon=True) for _ in range(number)]
    try:
        for thread in threads:
            thread.start()
        # Not `join`, which takes a thread for ended if Ctrl-C interrupts it (Python up
        # to 3.12): nobody would wait for its answer.
        ended = False
        while not ended:
            ended = run.finished.wait(_TICK)
            if progress is not None:
                progress(run.done, len(requests))
    except KeyboardInterrupt:
        stop.set()
        _wait(threads)
        raise InterruptedAsking(run.outcome.answered, run.left) from None
    except BaseException:
        stop.set()
        raise
    if run.error is not None:
        raise run.error
    run.outcome.left = run.left
    run.outcome.spent = budget.spent
    run.outcome.retried = client.retried
    return run.outcome


def _wait(threads: Sequence[threading.Thread]) -> None:
    """Let answers arrive that are under way, unless somebody is in a hurry."""
    deadline = time.monotonic() + _GRACE
    try:
        for thread in threads:
            thread.join(max(deadline - time.monotonic(), 0))
    except KeyboardInterrupt:
        return


class _Run:
    """What the threads share."""

    def __init__(
        self,
        requests: Sequence[Request],
        client: Asker,
        log: AnswerLog,
        budget: Budget,
        stop: threading.Event,
        threads: int,
    ) -> None:
        self.outcome = Outcome()
        self.finished = threading.Event()
        self._working = threads
        self.error: BaseException | None = None
        self._requests = requests
        self._queue = iter(requests)
        self._client = client
        self._log = log
        self._budget = budget
        self._stop = stop
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._is_broke = False

    @property
    def done(self) -> int:
        """How many requests have an answer, or none for good."""
        return self.outcome.answered + len(self.outcome.failed)

    @property
    def left(self) -> int:
        """How many requests have neither."""
        return len(self._requests) - self.done

    def work(self) -> None:
        """Ask until there is nothing left, no money, or a reason to stop."""
        try:
            while (request := self._next()) is not None:
                self._ask(request)
        except (StoppedError, _NoMoneyError):
            pass
        except BaseException as error:
            with self._lock:
                self.error = self.error or error
            self._stop.set()
        finally:
            with self._lock:
                self._working -= 1
                if self._working == 0:
                    self.finished.set()

    def _next(self) -> Request | None:
        with self._lock:
            if self._stop.is_set() or self._is_broke:
                return None
            return next(self._queue, None)

    def _ask(self, request: Request) -> None:
        held = self._budget.take(request.tokens)
        if held is None:
            self._is_broke = True
            raise _NoMoneyError

        def lost() -> None:
            if not self._budget.lose(held):
                self._is_broke = True
                raise _NoMoneyError

        begun = time.monotonic()
        try:
            response = self._client.ask(request.body, lost)
        except RequestError as error:
            self._budget.give_back(held)
            self._fail(request, error)
            return
        except BaseException:
            self._budget.give_back(held)
            raise
        reply = reply_of(response)
        written = [{"content": reply.text}]
        tokens_in, tokens_out = reply.tokens_in, reply.tokens_out
        is_estimated = tokens_in is None or tokens_out is None
        tokens_in = request.tokens if tokens_in is None else tokens_in
        tokens_out = estimate_tokens(written) if tokens_out is None else tokens_out
        self._budget.settle(held, request.tokens, tokens_in, tokens_out)
        seconds = time.monotonic() - begun
        self._log.add(request.key, response, seconds=seconds, about=request.about)
        with self._lock:
            outcome = self.outcome
            outcome.answered += 1
            outcome.tokens_in += tokens_in
            outcome.tokens_out += tokens_out
            outcome.estimated += is_estimated
            self._in_a_row = 0

    def _fail(self, request: Request, error: RequestError) -> None:
        with self._lock:
            self.outcome.failed[request.key] = str(error)
            self._in_a_row += 1
            if not error.hopeless and self._in_a_row < _MANY:
                return
            if self.error is None:
                kept = f"; {self.outcome.answered:,} answers are kept"
                cure = "check URL, model and key" if error.hopeless else "try later"
                what = f"{error}{kept if self.outcome.answered else ''}; {cure}"
                self.error = InputError(what)
        self._stop.set()
