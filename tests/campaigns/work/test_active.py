# SPDX-License-Identifier: Apache-2.0
"""``order = "active"``: the next item is the one that tells systems apart best."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime, timedelta, timezone

import pytest

from support.campaign_data import make_member
from tertium.campaigns.config import read_config
from tertium.campaigns.loading import load
from tertium.campaigns.models import Assignment, Judgement, Origin
from tertium.campaigns.tasks import get_task
from tertium.campaigns.work import active
from tertium.campaigns.work import leases as work
from tertium.campaigns.work.active import scores_so_far
from tertium.errors import FormatError

pytestmark = pytest.mark.django_db

START = datetime(2026, 3, 2, 8, 0, tzinfo=timezone.utc)
#: Two that are nearly the same, and one far behind.
QUALITY = {"heron": 80, "wren": 79, "magpie": 20}


def write(folder, *, task="esa", documents=30, plan="", more=""):
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        {
            "id": f"s{n}",
            "doc": f"d{n}",
            "src": f"source {n}",
            "tgt": {name: f"text {n} {'xyz'[i]}" for i, name in enumerate(QUALITY)},
        }
        for n in range(documents)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "items.jsonl").write_text(text)
    path = folder / "campaign.toml"
    path.write_text(
        f'[campaign]\nname = "active"\ntitle = "t"\ntask = "{task}"\nsource = "en"\n'
        'target = "de"\nitems = "items.jsonl"\n[plan]\norder = "active"\nintra = 0.0\n'
        f"inter = 0.0\nextra = 0\n{plan}\n[task]\nbad = false\n{more}\n"
    )
    return read_config(path)


def systems(item):
    origins = Origin.objects.filter(item=item)
    return dict(origins.values_list("candidate", "system"))


def answer(item, task="esa"):
    """Answer as the quality of a system says, but for what differs by segment."""
    noise = sum(map(ord, item.segment)) * 7 % 13
    outputs = {}
    for key, name in systems(item).items():
        score = QUALITY[name] - noise + len(item.segment + name) * 3 % 5
        if task == "mqm":
            mark = {"start": 0, "end": 4, "severity": "minor"}
            mark |= {"category": "Accuracy/Mistranslation"}
            marks = [] if score > 60 else [mark]
            outputs[key] = [{"marks": marks, "clean": not marks}]
        else:
            outputs[key] = [{"marks": [], "score": score, "clean": True}]
    return {"outputs": outputs}


def judge(member, number, *, task="esa", start=START):
    """Let somebody judge, and return the systems of every item."""
    seen = []
    for minute in range(number):
        now = start + timedelta(minutes=minute)
        assignment = work.next_assignment(member, now=now)
        if assignment is None:
            break
        seen.append(sorted(systems(assignment.item).values()))
        work.submit(assignment, answer(assignment.item, task), now=now)
    return seen


def test_near_systems_are_judged_more_often_after_the_floor(tmp_path):
    campaign = load(write(tmp_path, plan="floor = 5")).campaign
    seen = judge(make_member(campaign), 50)
    first = Counter(name for one in seen[:15] for name in one)
    assert set(first.values()) == {5}
    later = Counter(name for one in seen[15:] for name in one)
    assert later["magpie"] <= 2
    assert min(later["heron"], later["wren"]) >= 15


def test_rivals_are_judged_on_the_same_texts(tmp_path):
    campaign = load(write(tmp_path, plan="floor = 5")).campaign
    judge(make_member(campaign), 15)
    done = Assignment.objects.filter(state="done").select_related("item")
    assert set(Counter(one.item.segment for one in done).values()) == {3}


def test_everything_is_judged_in_the_end(tmp_path):
    campaign = load(write(tmp_path, documents=6, plan="floor = 2")).campaign
    seen = judge(make_member(campaign), 100)
    assert Counter(name for one in seen for name in one) == dict.fromkeys(QUALITY, 6)


def test_the_same_state_and_seed_give_the_same_order(tmp_path):
    orders = []
    for name in "ab":
        config = write(tmp_path / name, plan="floor = 3")
        text = config.path.read_text().replace('"active"\nt', f'"active-{name}"\nt')
        config.path.write_text(text)
        campaign = load(read_config(config.path)).campaign
        orders.append(judge(make_member(campaign), 30))
    assert orders[0] == orders[1]


def test_leases_are_respected_and_count(tmp_path):
    campaign = load(write(tmp_path, plan="floor = 2")).campaign
    held = [work.next_assignment(make_member(campaign)) for _ in range(6)]
    assert len({one.item_id for one in held}) == 6
    names = Counter(name for one in held for name in systems(one.item).values())
    assert set(names.values()) == {2}


def test_scores_are_those_of_the_judgements_also_after_a_deletion(tmp_path):
    campaign = load(write(tmp_path, plan="floor = 2")).campaign
    one, other = make_member(campaign), make_member(campaign)
    judge(one, 6)
    judge(other, 6)
    both = scores_so_far(campaign)
    assert sum(tally.number for tally in both.values()) == 12
    assert both == scores_so_far(campaign)
    other.delete()
    alone = scores_so_far(campaign)
    assert sum(tally.number for tally in alone.values()) == 6
    judge(one, 3, start=START + timedelta(days=1))
    assert sum(tally.number for tally in scores_so_far(campaign).values()) == 9


def test_a_request_reads_new_answers_only(tmp_path, monkeypatch):
    campaign = load(write(tmp_path, plan="floor = 2")).campaign
    member = make_member(campaign)
    judge(member, 20)
    scores_so_far(campaign)
    read = []
    task = type(get_task("esa"))
    value = task.value
    monkeypatch.setattr(task, "value", lambda *a: read.append(a) or value(*a))
    judge(member, 3, start=START + timedelta(days=1))
    scores_so_far(campaign)
    assert len(read) == 3


def test_an_answer_that_is_seen_late_counts(tmp_path, monkeypatch):
    # PostgreSQL numbers answers when they are written, not when they can be seen.
    campaign = load(write(tmp_path, plan="floor = 2")).campaign
    judge(make_member(campaign), 4)
    late = Judgement.objects.order_by("pk")[1]
    held = late.assignment
    Assignment.objects.filter(pk=held.pk).update(state="expired")
    active._remembered.clear()
    assert sum(tally.number for tally in scores_so_far(campaign).values()) == 3
    Assignment.objects.filter(pk=held.pk).update(state="done")
    assert sum(tally.number for tally in scores_so_far(campaign).values()) == 4


def test_what_is_handed_back_is_offered_though_nothing_was_left(tmp_path):
    campaign = load(write(tmp_path, documents=2, plan="floor = 2")).campaign
    one, other = make_member(campaign), make_member(campaign)
    held = work.next_assignment(one, now=START)
    assert len(judge(other, 10)) == 5
    work.skip(held, "I do not know the words", now=START)
    assert work.next_assignment(other, now=START).item_id == held.item_id


def test_systems_that_are_added_later_are_judged(tmp_path, monkeypatch):
    config = write(tmp_path, documents=2, plan="floor = 2")
    campaign = load(config).campaign
    member = make_member(campaign)
    assert len(judge(member, 10)) == 6
    monkeypatch.setitem(QUALITY, "owl", 50)
    items = tmp_path / "items.jsonl"
    lines = [json.loads(line) for line in items.read_text().splitlines()]
    for line in lines:
        line["tgt"]["owl"] = f"owl of {line['id']}"
    items.write_text("".join(json.dumps(line) + "\n" for line in lines))
    load(read_config(config.path))
    assert judge(member, 10, start=START + timedelta(days=1)) == [["owl"], ["owl"]]


def test_errors_are_scores_of_mqm(tmp_path):
    campaign = load(write(tmp_path, task="mqm", plan="floor = 3")).campaign
    judge(make_member(campaign), 12, task="mqm")
    tallies = scores_so_far(campaign)
    assert tallies["magpie"].mean < tallies["heron"].mean


def test_items_with_several_systems_are_chosen(tmp_path):
    more = "systems = 2\n"
    config = write(tmp_path, task="cesa", plan="floor = 3", more=more)
    campaign = load(config).campaign
    seen = judge(make_member(campaign), 200)
    assert len(seen) == 60
    assert {len(one) for one in seen} == {1, 2}


def test_tasks_without_scores_reject_it(tmp_path):
    with pytest.raises(FormatError, match="needs scores, which edits"):
        load(write(tmp_path, task="edits"))
    config = write(tmp_path / "b")
    config.path.write_text(config.path.read_text().replace('"active"\ni', '"best"\ni'))
    with pytest.raises(FormatError, match="'random', 'file' or 'active'"):
        read_config(config.path)
