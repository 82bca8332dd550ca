# SPDX-License-Identifier: Apache-2.0
"""Many annotators at once, and a server that is killed under them."""

from __future__ import annotations

import pytest

from support.campaign_server import Server
from support.simulated_annotators import simulate


@pytest.fixture
def server(tmp_path):
    result = Server(tmp_path, ready=True)
    yield result
    result.kill()


@pytest.mark.parametrize("task", ["esa", "mqm", "cesa"])
def test_no_mark_of_many_annotators_is_lost(task, server):
    result = simulate(
        server, annotators=10, seconds=120, enough=30, think=0.1, items=40, task=task
    )
    assert result.problems() == []
    assert len(result.acknowledged) >= 30
    marks = [
        mark
        for line in result.exported
        for entries in line["answer"]["outputs"].values()
        for entry in entries
        for mark in entry["marks"]
    ]
    assert marks


def test_nothing_is_lost_or_doubled_when_the_server_is_killed(server):
    result = simulate(
        server,
        annotators=20,
        seconds=240,
        enough=80,
        think=0.2,
        kill=True,
        items=1000,
    )
    assert result.problems() == []
    assert len(result.acknowledged) >= 80
    assert result.broken  # it was killed under them
