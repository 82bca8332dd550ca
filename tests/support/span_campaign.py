# SPDX-License-Identifier: Apache-2.0
"""Small campaigns with error spans, and people who answer them by a rule."""

from __future__ import annotations

import json
from pathlib import Path

from support.campaign_world import jsonl
from tertium.campaigns.config import read_config
from tertium.campaigns.loading import load
from tertium.campaigns.models import Campaign, Role
from tertium.campaigns.people.accounts import invite, join
from tertium.campaigns.work.leases import next_assignment, submit

WORDS = ["boat", "night", "letter", "bridge", "garden", "winter", "music", "stone"]
SYSTEMS = ("alphasys", "betasys", "gammasys")


def text(system: str, number: int) -> str:
    """Return a sentence that only this system writes for a segment."""
    at = SYSTEMS.index(system)
    words = [WORDS[(number + at * 3 + k * (at + 1)) % len(WORDS)] for k in range(6)]
    return f"{' '.join(words)} {system[0]}{number}."


def write_spans(
    folder: Path,
    task: str = "esa",
    *,
    documents: int = 2,
    length: int = 4,
    lines: list[dict[str, object]] | None = None,
    plan: str = "",
    **settings: object,
) -> Path:
    """Write a test set with documents and a campaign, and return its configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = range(documents * length)
    lines = lines or [
        {
            "id": f"s{n}",
            "doc": f"doc{n // length}",
            "src": f"source {n}",
            "ref": [f"reference {n}"],
            "tgt": {name: text(name, n) for name in SYSTEMS},
        }
        for n in numbers
    ]
    (folder / "set.jsonl").write_text(jsonl(lines), encoding="utf-8")
    values = "".join(f"{name} = {json.dumps(one)}\n" for name, one in settings.items())
    config = folder / "campaign.toml"
    config.write_text(
        f'[campaign]\nname = "spans"\ntitle = "Spans"\ntask = "{task}"\n'
        'items = "set.jsonl"\nsource = "en"\ntarget = "de"\n'
        f"[plan]\n{plan}\n[task]\n{values}",
        encoding="utf-8",
    )
    return config


def load_spans(folder: Path, task: str = "esa", **settings: object) -> Campaign:
    """Load such a campaign."""
    return load(read_config(write_spans(folder, task, **settings))).campaign


def people(campaign: Campaign, number: int = 1):
    """Let annotators join, and return their memberships."""
    link = invite(campaign, Role.ANNOTATOR)
    return [join(link, name=f"person {n}").member for n in range(number)]


def answer_of(content, judge, options):
    """Return an answer: ``judge(key, paragraph)`` gives marks and a score."""
    texts = content["paragraphs"]
    outputs = {}
    for key in texts[0]["outputs"]:
        entries = []
        for one in texts:
            marks, score = judge(key, one)
            entry = {"marks": marks}
            if options["score"]:
                entry["score"] = score
                entry |= {} if marks else {"clean": True}
            else:
                entry["clean"] = not marks
            entries.append(entry)
        outputs[key] = entries
    answer = {"outputs": outputs}
    if options["document_score"] and len(texts) > 1:
        answer["document"] = dict.fromkeys(outputs, 50)
    return answer


def work_through(campaign: Campaign, member, judge, most: int = 1000):
    """Answer all that somebody gets, and return the assignments."""
    done = []
    while len(done) < most and (one := next_assignment(member)) is not None:
        submit(one, answer_of(one.item.content, judge, campaign.options))
        done.append(one)
    return done
