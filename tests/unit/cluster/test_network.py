# SPDX-License-Identifier: Apache-2.0
"""A worker behind a cable that is cut, in a network of its own (Linux, root)."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from contextlib import contextmanager

import pytest

pytest.importorskip("distributed")

from conftest import missing
from tertium.cluster import Cluster
from tests.support import cluster_work as work
from tests.support.clusters import running

SPACE, HERE, THERE = "tertium-test", "10.213.7.1", "10.213.7.2"
NUMBERS = range(80)


def ip(*arguments):
    command = ["ip", *arguments]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@contextmanager
def another_network():
    """Make a network name space with a cable to ours; yield whether we may."""
    steps = [
        f"netns add {SPACE}",
        f"link add tertium0 type veth peer name tertium1 netns {SPACE}",
        f"addr add {HERE}/24 dev tertium0",
        "link set tertium0 up",
        f"-n {SPACE} addr add {THERE}/24 dev tertium1",
        f"-n {SPACE} link set tertium1 up",
        f"-n {SPACE} link set lo up",
    ]
    try:
        yield all(ip(*step.split()) for step in steps)
    finally:
        ip("link", "del", "tertium0")
        ip("netns", "del", SPACE)


def test_a_cut_cable_costs_no_result(tmp_path):
    if os.name != "posix" or os.geteuid() != 0 or shutil.which("ip") is None:
        missing("network name spaces need root and iproute2")
    with another_network() as made:
        if not made:
            missing("network name spaces are not allowed here")
        with running(tmp_path, host=HERE) as cluster:
            cluster.add_worker()
            cluster.add_worker(host=THERE, before=("ip", "netns", "exec", SPACE))
            with Cluster(cluster.address) as there:
                there._session.client.wait_for_workers(2, timeout=30)
                cut = threading.Timer(0.6, ip, ("link", "set", "tertium0", "down"))
                cut.start()
                begin = time.monotonic()
                results = list(there.map(work.slowly, NUMBERS))
                assert results == [number * number for number in NUMBERS]
                cut.join()
                # One worker alone would have taken twice as long before the cut.
                assert time.monotonic() - begin > 0.6
