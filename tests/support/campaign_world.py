# SPDX-License-Identifier: Apache-2.0
"""Two campaigns with people of every role, for tests of who may do what."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from django.test import Client

from tertium.campaigns.api.tokens import new_token
from tertium.campaigns.config import read_config
from tertium.campaigns.loading import load
from tertium.campaigns.models import Assignment, Campaign, Role
from tertium.campaigns.people.accounts import Joined, invite, join
from tertium.campaigns.tasks import get_task
from tertium.campaigns.work.leases import next_assignment

#: Names that no annotator may ever see.
SYSTEMS = ("alphasys", "betasys")


def write_pairs(folder: Path, name: str, *, segments: int = 4, **head: str) -> Path:
    """Write the files of a two-way comparison and return its configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        {
            "id": f"s{n}",
            "src": f"source {n}",
            "ref": [f"reference {n}"],
            "tgt": {"alphasys": f"one text {n}", "betasys": f"other words {n}"},
        }
        for n in range(segments)
    ]
    (folder / "set.jsonl").write_text(jsonl(lines), encoding="utf-8")
    message = {"title": f"Campaign {name}", "source": "en", "target": "de", **head}
    values = "".join(f"{key} = {json.dumps(value)}\n" for key, value in message.items())
    config = folder / "campaign.toml"
    config.write_text(
        f'[campaign]\nname = "{name}"\ntask = "pairs"\nitems = "set.jsonl"\n{values}'
    )
    return config


def jsonl(lines) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def write_starter(folder: Path, task: str) -> Path:
    """Write the starter files of a task and return its configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in get_task(task).starter_files().items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "campaign.toml"


@dataclass
class World:
    """A campaign, and clients of its people by role; ``other`` is an annotator too."""

    campaign: Campaign
    joined: dict[str, Joined] = field(default_factory=dict)

    def client(self, who: str, *, csrf: bool = False) -> Client:
        """Return a browser of somebody; of nobody for an unknown name."""
        result = Client(enforce_csrf_checks=csrf)
        if who in self.joined:
            result.force_login(self.joined[who].member.person)
        return result

    def token(self, role: str = "manager", **options: float) -> str:
        return new_token(self.campaign, Role(role), **options)[1]

    def bearer(self, role: str = "manager") -> dict[str, str]:
        """Return the headers of a program."""
        return {"Authorization": f"Bearer {self.token(role)}"}

    def work(self, who: str = "annotator") -> Assignment:
        """Return the open item of somebody."""
        result = next_assignment(self.joined[who].member)
        assert result is not None
        return result

    def judge(self, who: str = "annotator", times: int = 1) -> None:
        """Answer items of a two-way comparison."""
        from tertium.campaigns.work.leases import submit

        for _ in range(times):
            submit(self.work(who), {"better": "a"})


def make_world(folder: Path, name: str, *, segments: int = 4, **head: str) -> World:
    """Load a two-way comparison, and let people of every role join."""
    config = write_pairs(folder / name, name, segments=segments, **head)
    campaign = load(read_config(config)).campaign
    world = World(campaign)
    for who, role in {
        "manager": Role.MANAGER,
        "annotator": Role.ANNOTATOR,
        "other": Role.ANNOTATOR,
        "observer": Role.OBSERVER,
    }.items():
        world.joined[who] = join(invite(campaign, role), name=f"{name} {who}")
    return world
