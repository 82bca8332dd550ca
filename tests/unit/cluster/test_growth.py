# SPDX-License-Identifier: Apache-2.0
"""Neither side keeps anything of work that is done."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from dask.utils import key_split

from tertium.cluster import Cluster
from tertium.cluster.worker import forget_names
from tests.support import cluster_work as work

_MAPS = 60  # as many again must leave nothing


def _find_tests(folder):
    import sys

    sys.path.insert(0, folder)


def _kept_by_scheduler(dask_scheduler):
    """Count what Dask keeps for ever about tasks that are done."""
    spans = dask_scheduler.extensions["spans"]
    return {
        "spans": len(spans.spans),
        "groups of spans": sum(len(span.groups) for span in spans.spans.values()),
        "notes of spans": sum(
            len((span._metadata or {"collections": ()})["collections"])
            for span in spans.spans.values()
        ),
        "groups": len(dask_scheduler.task_groups),
        "prefixes": len(dask_scheduler.task_prefixes),
        "plug-ins": len(dask_scheduler.worker_plugins),
        "events": sum(map(len, dask_scheduler.get_events().values())),
        "transitions": len(dask_scheduler.transition_log),
    }


def _kept_by_worker(dask_worker):
    return {
        "logs": len(dask_worker._deque_handler.deque),
        "plug-ins": len(dask_worker.plugins),
        "results": len(dask_worker.data),
        "digests": len(dask_worker.digests_total),
    }


def _map_often(cluster):
    for number in range(_MAPS):
        assert list(cluster.map(work.square, [number, 2])) == [number * number, 4]


def _counts(answer):
    """Return the counts of the scheduler, or those of the only worker."""
    first = next(iter(answer.values()))
    return first if isinstance(first, dict) else answer


def _check(cluster, kept, ask):
    _map_often(cluster)
    before = _counts(ask(kept))
    _map_often(cluster)
    # What ended a moment ago may still be on its way out.
    for _ in range(50):
        after = _counts(ask(kept))
        grown = {name for name in after if after[name] > before[name] + 3}
        if not grown:
            return
        time.sleep(0.2)
    pytest.fail(f"grown: {grown}, from {before} to {after}")


@pytest.fixture(scope="module")
def there():
    with Cluster("local:1") as cluster:
        cluster._session.client.run(_find_tests, str(Path(__file__).parents[3]))
        yield cluster


def test_a_scheduler_keeps_nothing_of_calls_that_ended(there):
    _check(there, _kept_by_scheduler, there._session.client.run_on_scheduler)


def test_a_worker_keeps_nothing_of_calls_that_ended(there):
    _check(there, _kept_by_worker, there._session.client.run)


def test_names_of_tasks_are_forgotten():
    for number in range(3000):
        key_split(f"tertium-0-{number}")
    forget_names()
    assert key_split.cache_info().currsize == 0
