# SPDX-License-Identifier: Apache-2.0
"""Workers that die, freeze or lack memory, and schedulers that vanish."""

from __future__ import annotations

import threading
import time

import pytest

pytest.importorskip("distributed")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tertium.cluster import Checkpointed, Cluster
from tertium.cluster.flow import SchedulerLostError, WorkersDiedError
from tests.support import cluster_work as work
from tests.support.clusters import kill, running

SQUARES = [number * number for number in range(30)]


@pytest.fixture
def cluster(tmp_path):
    with running(tmp_path) as started:
        yield started


def in_background(action):
    thread = threading.Thread(target=action, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("harm", [work.DieOnce, work.FreezeOnce])
def test_a_worker_that_dies_or_freezes_costs_no_result(cluster, tmp_path, harm):
    cluster.add_worker()
    cluster.add_worker()
    with Cluster(cluster.address) as there:
        function = harm(tmp_path, at=13)
        assert list(there.map(function, range(30))) == SQUARES
    assert (tmp_path / harm.__name__).exists()


@settings(max_examples=4, suppress_health_check=list(HealthCheck))
@given(deaths=st.sets(st.integers(0, 29), max_size=4), size=st.integers(1, 7))
def test_any_deaths_at_any_chunks_cost_no_result(cluster, tmp_path, deaths, size):
    while len(cluster.workers) < 2:
        cluster.add_worker()
    marks = tmp_path / f"marks-{time.monotonic_ns()}"
    marks.mkdir()
    chunks = [range(30)[start : start + size] for start in range(0, 30, size)]
    with Cluster(cluster.address) as there:
        function = work.DieAtEach(marks, frozenset(deaths))
        results = list(there.map(function, chunks))
    assert [square for each in results for square in each] == SQUARES
    assert {int(path.name) for path in marks.iterdir()} == deaths


def test_functions_are_sent_while_workers_come_and_go(cluster):
    workers = [cluster.add_worker() for _ in range(2)]
    with Cluster(cluster.address) as there:
        for _ in range(3):
            kill(workers.pop(0))
            workers.append(cluster.add_worker())
            assert list(there.map(work.square, range(30))) == SQUARES


def test_a_chunk_that_ends_every_worker_is_an_error(cluster, tmp_path):
    cluster.add_worker()
    with (
        Cluster(cluster.address) as there,
        pytest.raises(WorkersDiedError, match="more memory"),
    ):
        list(there.map(work.Poison(tmp_path, at=3), range(6)))


def test_a_chunk_too_large_for_one_worker_is_done_by_a_larger_one(cluster):
    cluster.add_worker("--memory-limit", "300MB")
    cluster.add_worker("--memory-limit", "3GB")
    with Cluster(cluster.address) as there:
        there._session.client.wait_for_workers(2)
        assert list(there.map(work.Greedy(5, 400), range(12))) == SQUARES[:12]


def test_a_lost_scheduler_that_comes_back_goes_on(cluster):
    cluster.add_worker()

    def replace():
        time.sleep(0.7)
        kill(cluster.scheduler)
        cluster.start_scheduler()
        cluster.add_worker()

    with Cluster(cluster.address) as there:
        helper = in_background(replace)
        assert list(there.map(work.slowly, range(30))) == SQUARES
        helper.join()


def test_a_run_goes_on_after_its_scheduler_was_lost(cluster, tmp_path):
    cluster.add_worker()
    marks, kept = tmp_path / "marks", tmp_path / "kept"
    marks.mkdir()
    function = work.Counted(marks, pause=0.05)
    with Cluster(cluster.address) as there:
        there._session.patience = 1.0
        results = Checkpointed(str(kept), there).map(function, range(30))
        first = [next(results) for _ in range(10)]
        kill(cluster.scheduler)
        with pytest.raises(SchedulerLostError, match="run the same command again"):
            list(results)
    assert first == SQUARES[:10]
    finished = len(list(kept.iterdir()))
    assert finished >= 10
    done = len(list(marks.iterdir()))
    assert list(Checkpointed(str(kept)).map(function, range(30))) == SQUARES
    assert len(list(marks.iterdir())) == done + 30 - finished
