# SPDX-License-Identifier: Apache-2.0
"""Status, export, dashboard and API count the same things."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from support.campaign_data import ANSWER, make_campaign, make_member
from tertium.campaigns.dashboard import statistics
from tertium.campaigns.dashboard.progress import progress
from tertium.campaigns.exchange.exporting import tally
from tertium.campaigns.models import Role
from tertium.campaigns.work import leases as work
from tertium.cli import main

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    """Return a campaign with training, checks, repeats, and a manager who judges."""
    result = make_campaign(9, twins=9, lessons=2, intra=0.3, checks=0.3)
    result.name = "counted"
    result.save()
    people = [make_member(result), make_member(result, Role.MANAGER)]
    make_member(result)  # who does nothing
    for member in people:
        for _ in range(8):
            if (held := work.next_assignment(member)) is not None:
                work.submit(held, ANSWER)
    work.next_assignment(people[1])
    statistics.forget(result)
    return result


def status(capsys):
    assert main(["campaign", "status", "-f", "json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["campaigns"]
    return result


def board(campaign):
    """Return the words of the dashboard."""
    manager = campaign.members.get(role=Role.MANAGER)
    client = Client()
    client.force_login(manager.person)
    html = client.get(f"/m/{campaign.name}/").content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_all_places_agree(campaign, capsys, tmp_path):
    told = status(capsys)
    kinds = tally(campaign)
    assert all(kinds.values()), "the example must have every kind"
    assert told["judgements"] == kinds["work"] + kinds["check"]
    assert told["judges"] == 2  # the manager judged, one annotator did not
    assert told["annotators"] == 2
    message = board(campaign)
    assert f"All judgements {told['judgements']} by 2 people" in message
    assert f"{told['under_way']} under way" in message
    assert f"First judgements {told['first']} / {told['wanted']}" in message
    assert f"{told['judged']} of {told['items']} items complete" in message
    assert f"from {told['judgements']} judgements ({kinds['work']} rankings" in message

    main(["campaign", "export", "counted", "-o", str(tmp_path / "a.jsonl")])
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    assert len(lines) == sum(kinds.values())
    training = sum(json.loads(line)["kind"] == "training" for line in lines)
    assert len(lines) - training == told["judgements"]
    assert capsys.readouterr().err == (
        f"tertium: wrote {len(lines)} answers to {tmp_path}/a.jsonl: "
        f"{kinds['work']} judgements, {kinds['check']} attention checks and "
        f"{kinds['training']} training judgements\n"
    )
    main(["campaign", "export", "counted", "-o", str(tmp_path / "a.csv")])
    assert capsys.readouterr().err == (
        f"tertium: wrote {kinds['work']} rankings to {tmp_path}/a.csv, from "
        f"{kinds['work']} judgements; without {kinds['check']} attention checks and "
        f"{kinds['training']} training judgements\n"
    )


def test_numbers_are_explained_where_they_stand(campaign, capsys):
    main(["campaign", "status"])
    message = capsys.readouterr().out
    assert "items: pages to judge" in message
    assert "agreement compares candidates two by two" in " ".join(message.split())
    page = board(campaign)
    assert "An item is one page that an annotator judges." in page
    assert "n (n − 1) / 2" in page
    # What the ranking of systems counts is not called judgements.
    head = page[page.index("Systems so far") :]
    assert "comparisons" in head[: head.index("a-system")]


def test_progress_counts_a_judge_once(campaign):
    result = progress(campaign)
    assert (result.judges, result.annotators) == (2, 2)
