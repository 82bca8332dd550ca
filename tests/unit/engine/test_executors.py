# SPDX-License-Identifier: Apache-2.0
"""Chunks are scored in any place, with the same result to the last bit."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

import tertium
from tertium._processes import WorkerDiedError
from tertium.engine import Processes, Threads
from tertium.metrics.bleu import Bleu

METRICS = ["bleu", "chrf", "nist", "ribes", "kendall", "mean:bleu+ter", "beer"]


def square(number):
    return number * number


def reject(number):
    raise tertium.InputError(f"{number} is rejected")


class DieOnce:
    """Ends its process, as for lack of memory, the first time that it is called."""

    def __init__(self, mark: Path, times: int = 1) -> None:
        self.mark, self.times = mark, times

    def __call__(self, number):
        if number == 3:
            tries = len(list(self.mark.iterdir()))
            if tries < self.times:
                (self.mark / str(tries)).touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return -number


@pytest.mark.parametrize("executor", [Threads(), Processes(2)])
def test_results_come_in_the_order_of_chunks(executor):
    assert list(executor.map(square, iter(range(20)))) == [n * n for n in range(20)]
    assert list(executor.map(square, [])) == []
    with pytest.raises(tertium.InputError, match=r"\d is rejected"):
        list(executor.map(reject, range(5)))


def slow_at_first(number):
    if number == 0:
        time.sleep(0.5)
    return number


def test_chunks_are_read_as_they_are_needed():
    read = []

    def chunks():
        for number in range(100):
            read.append(number)
            yield number

    results = Processes(2).map(slow_at_first, chunks())
    assert next(results) == 0
    assert len(read) <= 2 * 4 + 1  # four per process, and one after the result
    assert list(results) == list(range(1, 100))


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_a_chunk_is_done_again_if_its_process_dies(tmp_path):
    work = DieOnce(tmp_path)
    assert list(Processes(2).map(work, range(6))) == [-n for n in range(6)]
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_a_chunk_that_always_ends_its_process_is_an_error(tmp_path):
    work = DieOnce(tmp_path, times=9)
    with pytest.raises(tertium.InputError, match="died"):
        list(Processes(2, retries=1).map(work, range(6)))
    assert len(list(tmp_path.iterdir())) == 2


def test_scores_are_the_same_bits_in_processes(demo, monkeypatch):
    monkeypatch.setattr("tertium.engine.score._CHUNK", 7)
    here = tertium.score(demo, metrics=METRICS, segments=True, documents=True)
    there = tertium.score(
        demo, metrics=METRICS, segments=True, documents=True, executor=Processes(2)
    )
    assert there.to_dict() == here.to_dict()
    sums = tertium.score(demo, metrics=METRICS, executor=Processes(2))
    assert sums.to_dict() == tertium.score(demo, metrics=METRICS).to_dict()


def test_comparisons_are_the_same_bits_in_processes(demo, monkeypatch):
    monkeypatch.setattr("tertium.engine.compare._CHUNK", 25)
    here = tertium.compare(demo, metrics=METRICS[:4], resamples=50)
    there = tertium.compare(
        demo, metrics=METRICS[:4], resamples=50, executor=Processes(2)
    )
    assert there.to_dict() == here.to_dict()


def test_work_that_ended_a_process_is_not_done_again_in_this_one(demo, monkeypatch):
    class Dying:
        def map(self, function, chunks):
            raise WorkerDiedError

    scored = []
    monkeypatch.setattr(Bleu, "rows", lambda *_, **__: scored.append(1))
    with pytest.raises(WorkerDiedError):
        tertium.compare(demo, metrics=["bleu"], executor=Dying())
    assert not scored


def test_a_long_segment_is_placed_in_the_whole_test_set(monkeypatch):
    monkeypatch.setattr("tertium.engine.score._CHUNK", 2)
    texts = ["a b"] * 4 + ["a " * 100_001]
    with pytest.raises(tertium.InputError, match=r"segment 5 \(system"):
        tertium.score(texts, ["a b"] * 5, metrics=["kendall"], executor=Processes(2))
