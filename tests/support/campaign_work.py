# SPDX-License-Identifier: Apache-2.0
"""Campaigns of two-way comparison with people who judge, without a browser."""

from __future__ import annotations

import itertools
import json
from datetime import datetime, timedelta, timezone
from random import Random

from tertium.campaigns.config import read_config
from tertium.campaigns.loading import load
from tertium.campaigns.models import Campaign, Membership, Origin, Role
from tertium.campaigns.people.accounts import invite, join
from tertium.campaigns.work import leases as work

#: Invented systems, from good to bad.
SYSTEMS = ("alphasys", "betasys", "gammasys")
START = datetime(2026, 3, 2, 8, 0, tzinfo=timezone.utc)
_names = itertools.count(1)


def new_campaign(
    folder, name="news", *, segments=4, systems=SYSTEMS, plan=""
) -> Campaign:
    """Load a campaign: an item for every segment and every two systems."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        {
            "id": f"s{n}",
            "src": f"source {n}",
            "ref": [f"reference {n}"],
            "tgt": {
                system: f"text {n} of {'xyz'[i]}" for i, system in enumerate(systems)
            },
        }
        for n in range(segments)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / f"{name}.jsonl").write_text(text)
    config = folder / f"{name}.toml"
    config.write_text(
        f'[campaign]\nname = "{name}"\ntitle = "News {name}"\ntask = "pairs"\n'
        f'source = "en"\ntarget = "cs"\nitems = "{name}.jsonl"\n[plan]\n{plan}\n'
    )
    return load(read_config(config)).campaign


def new_member(campaign: Campaign, role: Role = Role.ANNOTATOR) -> Membership:
    """Return a new member of a campaign."""
    joined = join(invite(campaign, role), name=f"account-{next(_names)}")
    return Membership.objects.select_related("campaign", "person").get(
        pk=joined.member.pk
    )


def answer(item, rng: Random, noise: float = 0.0) -> dict[str, str]:
    """Prefer the better system, but for some noise."""
    by = dict(Origin.objects.filter(item=item).values_list("candidate", "system"))
    best = min(("a", "b"), key=lambda key: SYSTEMS.index(by[key]))
    return {"better": rng.choice(["a", "b", "equal"]) if rng.random() < noise else best}


def judge(
    member: Membership,
    number: int = 1000,
    *,
    start: datetime = START,
    seconds: float = 20.0,
    noise: float = 0.0,
    seed: int = 1,
) -> int:
    """Let somebody judge; return how many items they did."""
    rng = Random(f"{seed}:{member.pk}")
    now = start
    for done in range(number):
        assignment = work.next_assignment(member, now=now)
        if assignment is None:
            return done
        work.look(assignment, now=now)
        now += timedelta(seconds=seconds * rng.uniform(0.5, 1.5))
        work.submit(assignment, answer(assignment.item, rng, noise), now=now)
        now += timedelta(seconds=1)
    return number
