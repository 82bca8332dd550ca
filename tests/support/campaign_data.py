# SPDX-License-Identifier: Apache-2.0
"""Campaigns for tests, straight into the database."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

from tertium.campaigns.config import CampaignConfig, Plan, read_config
from tertium.campaigns.models import (
    Assignment,
    Campaign,
    Item,
    Membership,
    Origin,
    Role,
)
from tertium.campaigns.people.accounts import invite, join

ANSWER = {"better": "a"}


def make_campaign(
    items: int = 10, *, twins: int = 0, lessons: int = 0, **plan: object
) -> Campaign:
    """Return a campaign of two-way comparisons; the last items are checks.

    Lessons, the training items, are numbered after the checks.
    """
    values = {"intra": 0.0, "inter": 0.0, "extra": 0, "order": "file", **plan}
    campaign = Campaign.objects.create(
        name=f"c-{uuid.uuid4().hex[:12]}",
        title="Which is better?",
        task="pairs",
        source="en",
        target="cs",
        plan=Plan.from_json(values).as_json(),
        options={"source": True, "reference": True},
    )
    made = Item.objects.bulk_create(
        Item(
            campaign=campaign,
            key=f"i{place}",
            segment=f"s{place}",
            content={"source": "x", "candidates": {"a": f"a{place}", "b": f"b{place}"}},
            position=place,
        )
        for place in range(items)
    )
    Origin.objects.bulk_create(
        Origin(item=item, candidate=candidate, system=f"{candidate}-system")
        for item in made
        for candidate in ("a", "b")
    )
    Item.objects.bulk_create(
        Item(
            campaign=campaign,
            key=f"check{place}",
            kind=Item.Kind.CHECK,
            base=made[place],
            segment=f"s{place}",
            content={"source": "x", "candidates": {"a": "a", "b": "b"}},
            position=items + place,
        )
        for place in range(twins)
    )
    Item.objects.bulk_create(
        Item(
            campaign=campaign,
            key=f"training:{place}",
            kind=Item.Kind.TRAINING,
            segment=f"t{place}",
            content={"source": "x", "candidates": {"a": "a", "b": "b"}},
            meta={"expected": ANSWER, "note": "A says more."},
            position=items + twins + place,
        )
        for place in range(lessons)
    )
    return campaign


def make_member(campaign: Campaign, role: Role = Role.ANNOTATOR) -> Membership:
    """Return somebody who joined."""
    return join(invite(campaign, role)).member


def taken_is_right(campaign: Campaign) -> bool:
    """Whether `taken` of every item counts first assignments leased or done."""
    held = list(
        Assignment.objects.filter(
            item__campaign=campaign, why="first", state__in=["leased", "done"]
        ).values_list("item", flat=True)
    )
    return all(item.taken == held.count(item.pk) for item in campaign.items.all())


def write_config(
    folder: Path, *, segments: int = 4, head: str = "", plan: str = ""
) -> CampaignConfig:
    """Write a campaign's files and return its configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    write_set(folder, segments)
    (folder / "how.md").write_text("Read both.\n", encoding="utf-8")
    text = (
        '[campaign]\nname = "small"\ntitle = "A small one"\ntask = "pairs"\n'
        'items = "set.jsonl"\nsource = "en"\ntarget = "cs"\n'
        f'instructions = "how.md"\n{head}\n[plan]\n{plan}\n'
    )
    (folder / "campaign.toml").write_text(text, encoding="utf-8")
    return read_config(folder / "campaign.toml")


def write_set(folder: Path, segments: int, *, suffix: str = "", **more: str) -> None:
    """Write a test set of two systems, and of others that say always the same."""
    lines = [
        {
            "id": f"s{number}",
            "src": f"source {number}",
            "ref": [f"reference {number}"],
            "tgt": {
                "alphasys": f"left {number}{suffix}",
                "betasys": f"right {number}",
                **{name: text.format(number) for name, text in more.items()},
            },
        }
        for number in range(segments)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "set.jsonl").write_text(text, encoding="utf-8")
