# SPDX-License-Identifier: Apache-2.0
"""Workers that die, freeze or lack memory, and schedulers that vanish."""

from __future__ import annotations

import threading
import time

import pytest

pytest.importorskip("distributed")

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tertium
from tertium.cluster import Checkpointed, Cluster
from tertium.cluster.flow import SchedulerLostError, WorkersDiedError
from tertium.data.testset import join
from tertium.engine import score_stream
from tertium.tuning.lists import NBestList
from tertium.tuning.mbr import mbr
from tests.support import cluster_work as work
from tests.support.clusters import kill, running, slowed

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


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Return a cluster whose workers are replaced when they are killed."""
    with running(tmp_path_factory.mktemp("shared")) as started:
        for _ in range(2):
            started.add_worker()
        yield started


def texts():
    """Return a test set in chunks so small that workers die between them."""
    return join([tertium.read("demo")] * 4).chunks(4)


def killer(cluster, moments):
    """Return a progress callback that kills the oldest worker at some moments."""
    left = sorted(moments)

    def look(done, total=None):
        while left and done >= left[0]:
            left.pop(0)
            kill(cluster.workers.pop(0))
            cluster.add_worker()

    return look, left


SPECS = ["bleu", "nist", "ter", "meteor", "beer"]


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(moments=st.lists(st.integers(4, 200), min_size=1, max_size=3))
def test_scores_are_the_same_bits_however_workers_die(shared, moments):
    expected = score_stream(texts, metrics=SPECS, segments=True, threads=1)
    look, left = killer(shared, moments)
    with Cluster(shared.address) as there, tertium.use(there):
        table = score_stream(
            texts, metrics=SPECS, segments=True, threads=1, progress=look
        )
    assert not left
    assert table.to_json() == expected.to_json()


def test_mbr_choices_are_the_same_however_workers_die(shared):
    demo = tertium.read("demo")
    lists = [
        NBestList(str(number), list(outputs), (), np.zeros((len(outputs), 0)))
        for number, outputs in enumerate(zip(*demo.systems.values(), strict=True))
    ]
    expected = mbr(lists, "chrf", threads=1)
    look, left = killer(shared, [1])
    with Cluster(shared.address) as there, tertium.use(there):
        result = mbr(lists, "chrf", threads=1, progress=look)
    assert not left
    assert result == expected


def test_a_slow_worker_changes_no_score(shared):
    expected = score_stream(texts, metrics=SPECS, segments=True, threads=1)
    with (
        Cluster(shared.address) as there,
        tertium.use(there),
        slowed(shared.workers[0]),
    ):
        table = score_stream(texts, metrics=SPECS, segments=True, threads=1)
    assert table.to_json() == expected.to_json()


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
