# SPDX-License-Identifier: Apache-2.0
"""The Appraise batches of WMT23 en-de (Kocmi et al. 2024) as a campaign of ours.

Counts are compared with a reading of the file that shares no code with ours.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict

import pytest
from django.test import Client

from support.campaign_data import make_member
from tertium.campaigns.config import read_config
from tertium.campaigns.creating import create_campaign
from tertium.campaigns.loading import check, load
from tertium.campaigns.models import Item, Origin
from tertium.campaigns.work import leases as work

pytestmark = pytest.mark.wmt


@pytest.fixture(scope="module")
def batches(wmt_data):
    path = wmt_data / "esa" / "appraise-batches.en-de.esa.json.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


@pytest.fixture(scope="module")
def config(wmt_data, tmp_path_factory):
    path = wmt_data / "esa" / "appraise-batches.en-de.esa.json.gz"
    folder = tmp_path_factory.mktemp("foreign") / "wmt23"
    return read_config(create_campaign(folder, like=str(path)).config)


def stretches(batches):
    """Return items of a document in a batch, by batch and name."""
    groups = defaultdict(list)
    for number, batch in enumerate(batches):
        for item in batch["items"]:
            groups[number, item["documentID"]].append(item)
    return groups


def test_all_documents_systems_and_checks_are_kept(batches, config):
    groups = stretches(batches)
    plain = {key: some for key, some in groups.items() if key[1].count("#") == 1}
    damaged = {
        key: some
        for key, some in groups.items()
        if "#bad" in key[1] and "#duplicate" not in key[1]
    }
    lessons = {
        (item["sourceText"], item["targetText"], str(item["mqm"]))
        for some in groups.values()
        for item in some
        if isinstance(item["mqm"], dict)
    }
    checked = check(config)
    assert (checked.work, checked.checks) == (len(plain), len(damaged)) == (939, 174)
    assert checked.training == len(lessons) == 6
    theirs = {
        (
            key[1].split("#")[1],
            tuple(
                (str(int(item["_item"].split(" | ")[1]) + 1), item["sourceText"],
                 item["targetText"])
                for item in some
            ),
        )
        for key, some in plain.items()
    }  # fmt: skip
    ours = {
        (
            draft.origins["a"][0],
            tuple(
                (one["segment"], one["source"], one["outputs"]["a"])
                for one in draft.content["paragraphs"]
            ),
        )
        for draft in checked.drafts
        if draft.kind == "work"
    }
    assert ours == theirs


def test_damage_is_where_a_copy_differs(batches, config):
    drafts = {draft.key: draft for draft in check(config).drafts}
    checks = [draft for draft in drafts.values() if draft.kind == "check"]
    paragraphs = 0
    for draft in checks:
        damages = draft.meta["damages"]
        places = {place: (start, end) for _, place, start, end in damages}
        assert len(places) == len(damages)
        base = drafts[draft.base].content["paragraphs"]
        for place, (one, other) in enumerate(
            zip(base, draft.content["paragraphs"], strict=True)
        ):
            before, after = one["outputs"]["a"], other["outputs"]["a"]
            assert one["source"] == other["source"]
            if place not in places:
                assert before == after
                continue
            start, end = places[place]
            # Words outside of it are those of the original, in order.
            words = iter(before.split())
            assert all(word in words for word in after[:start].split())
            assert all(word in words for word in after[end:].split())
            assert end > start
            paragraphs += 1
    damaged = sum(
        "#bad" in item["documentID"] and "#duplicate" not in item["documentID"]
        for batch in batches
        for item in batch["items"]
    )
    # One paragraph of a copy is as it was.
    assert paragraphs == damaged - 1


@pytest.mark.django_db
def test_the_campaign_serves_its_first_pages(config):
    campaign = load(config).campaign
    assert Item.objects.filter(campaign=campaign).count() == 939 + 174 + 6
    systems = Origin.objects.filter(item__campaign=campaign).values("system")
    assert systems.distinct().count() == 13
    member = make_member(campaign)
    client = Client()
    client.force_login(member.person)
    assignment = work.next_assignment(member)
    assert assignment is not None
    page = client.get(f"/work/{assignment.pk}/")
    assert page.status_code == 200
    assert "spans/page.js" in page.content.decode()
