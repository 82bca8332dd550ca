# SPDX-License-Identifier: Apache-2.0
"""Annotators who cannot have read what they judge: on the dashboard, and in exports."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from support.campaign_world import make_world, write_starter
from tertium.campaigns.config import read_config
from tertium.campaigns.dashboard import statistics
from tertium.campaigns.exchange import exporting
from tertium.campaigns.loading import load
from tertium.campaigns.models import Role
from tertium.campaigns.people.accounts import invite, join
from tertium.campaigns.tasks import get_task
from tertium.campaigns.work import leases as work
from tertium.judgements import read_store
from tertium.judgements.agreement.overview import agree

pytestmark = pytest.mark.django_db
REASON = "judgements showed more than 10 words per second, too many to read"


def any_answer(task, content):
    if task == "segranks":
        panels = content["panels"]
        return {"ranks": {key: 1 for one in panels for key in one["candidates"]}}
    if task == "ranking":
        return {"ranks": dict.fromkeys(content["candidates"], 1)}
    return {
        "direct": {"score": 50},
        "edits": {"tokens": [0], "gaps": [], "none": False},
        "pairs": {"better": "a"},
    }[task]


def judge(member, seconds, number=8):
    """Judge items, each in so many seconds of every segment."""
    for _ in range(number):
        if (held := work.next_assignment(member)) is None:
            return
        start = timezone.now()
        work.look(held, now=start)
        took = timedelta(seconds=seconds * held.item.parts)
        answer = any_answer(member.campaign.task, held.item.content)
        work.submit(held, answer, now=start + took)


def reasons(campaign, code):
    statistics.forget(campaign)
    result = statistics.findings(campaign).judges
    return [flag.reason for flag in result[code].flags if flag.kind == "rushed"]


@pytest.mark.parametrize(
    ("task", "seconds"),
    [
        ("pairs", 0.7),
        ("direct", 0.7),
        ("edits", 0.7),
        ("ranking", 0.7),
        ("segranks", 0.7),
    ],
)
def test_rushing_is_seen_though_nobody_else_judges(task, seconds, tmp_path):
    campaign = load(read_config(write_starter(tmp_path, task))).campaign
    hasty = join(invite(campaign, Role.ANNOTATOR)).member
    judge(hasty, seconds)
    (reason,) = reasons(campaign, hasty.code)
    assert reason.endswith(REASON)


def test_whoever_takes_their_time_is_not_flagged(tmp_path):
    campaign = load(read_config(write_starter(tmp_path, "pairs"))).campaign
    calm = join(invite(campaign, Role.ANNOTATOR)).member
    judge(calm, 20.0)
    assert reasons(campaign, calm.code) == []


def test_the_dashboard_shows_it(tmp_path):
    world = make_world(tmp_path, "first", segments=8)
    hasty = world.joined["annotator"].member
    judge(hasty, 0.3)
    client = world.client("manager")
    for path in ("/m/first/", f"/m/first/people/{hasty.code}/"):
        assert REASON in client.get(path).content.decode()


def test_an_export_says_how_many_words_were_shown(tmp_path):
    """So that `tertium agree` flags the same people as the dashboard."""
    campaign = load(read_config(write_starter(tmp_path, "segranks"))).campaign
    hasty = join(invite(campaign, Role.ANNOTATOR)).member
    judge(hasty, 1.4, number=8)
    for one in exporting.item_judgements(campaign):
        parts = [
            json.loads(record.meta) for record in get_task("segranks").records(one)
        ]
        assert sum(part["words"] for part in parts) == pytest.approx(one.words, abs=0.5)
        assert all(part["seconds"] == pytest.approx(1.4) for part in parts)
    exporting.write_export(campaign, str(tmp_path / "store"), "parquet")
    (profile,) = agree(read_store(str(tmp_path / "store"))).judges
    assert profile.speed == statistics.findings(campaign).judges[hasty.code].speed
    assert profile.speed.worded > 10


def test_texts_that_are_hidden_are_not_counted():
    task = get_task("pairs")
    content = {
        "source": "one two",
        "reference": "three",
        "before": "not counted",
        "candidates": {"a": "four five", "b": "six"},
    }
    assert task.words(content, {"source": True, "reference": True}) == 6
    assert task.words(content, {"source": False, "reference": True}) == 4
    assert task.words(content, {"source": False, "reference": False}) == 3
