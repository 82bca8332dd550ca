# SPDX-License-Identifier: Apache-2.0
"""Training: items whose answer is known, before the work."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from support.campaign_data import make_campaign, make_member, write_config
from support.campaign_world import write_starter
from tertium.campaigns.config import read_config
from tertium.campaigns.dashboard import statistics
from tertium.campaigns.dashboard.activity import activity
from tertium.campaigns.dashboard.progress import members, progress
from tertium.campaigns.exchange.exporting import raw_lines, records, tables
from tertium.campaigns.exchange.importing import import_raw
from tertium.campaigns.loading import check, load
from tertium.campaigns.models import Item, Judgement, Role
from tertium.campaigns.tasks import TASKS, get_task
from tertium.campaigns.work import leases as work
from tertium.errors import FormatError, InputError, UnknownNameError

pytestmark = pytest.mark.django_db

RIGHT = {"better": "a"}
LINES = [
    {
        "item": f"lesson-{number}",
        "content": {
            "source": f"lesson source {number}",
            "candidates": {"a": f"good {number}", "b": f"bad {number}"},
        },
        "answer": RIGHT,
        "systems": {"a": ["secretsys"], "b": ["othersys"]},
        "meta": {"origin": "secretsys"},
        "note": f"note of {number}",
    }
    for number in range(3)
]


def write(folder, lines=LINES, section='[training]\nitems = "training.jsonl"\n'):
    """Write a campaign with training, and return its configuration."""
    config = write_config(folder, plan="intra = 0.5\ninter = 0.5")
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "training.jsonl").write_text(text, encoding="utf-8")
    with config.path.open("a", encoding="utf-8") as file:
        file.write(section)
    return read_config(config.path)


@pytest.fixture
def campaign(tmp_path):
    return load(write(tmp_path)).campaign


@pytest.fixture
def one(campaign):
    return make_member(campaign)


def client_of(member):
    client = Client()
    client.force_login(member.person)
    return client


def submit(client, held, answer=RIGHT):
    body = json.dumps({"answer": answer})
    reply = client.post(f"/work/{held.pk}/submit", body, "application/json")
    assert reply.status_code == 200, reply.content
    return reply.json()["next"]


def test_loading_counts_and_names_them(tmp_path):
    config = write(tmp_path)
    checked = check(config)
    assert (checked.work, checked.training) == (4, 3)
    loaded = load(config)
    assert (loaded.added, loaded.training) == (7, 3)
    assert load(config).added == 0
    item = loaded.campaign.items.get(key="training:lesson-1")
    assert item.kind == Item.Kind.TRAINING
    assert not item.origins.exists()
    assert "secretsys" not in json.dumps([item.content, item.meta])


def test_everybody_gets_them_first_in_the_order_of_the_file(campaign):
    for _person in range(2):
        member = make_member(campaign)
        seen = []
        while (held := work.next_assignment(member)) is not None and len(seen) < 5:
            seen.append((held.why, held.item.key))
            work.submit(held, RIGHT)
        lessons = [("training", f"training:lesson-{n}") for n in range(3)]
        assert seen[:3] == lessons
        assert all(why != "training" for why, _key in seen[3:])
    assert not campaign.items.filter(kind="training", taken__gt=0).exists()


def test_new_training_comes_before_the_next_item(tmp_path):
    config = write(tmp_path, LINES[:1])
    member = make_member(load(config).campaign)
    for why in ("training", "first"):
        held = work.next_assignment(member)
        assert held.why == why
        work.submit(held, RIGHT)
    load(write(tmp_path, LINES[:2]))
    assert work.next_assignment(member).item.key == "training:lesson-1"


def test_a_lesson_that_ran_out_comes_back_with_its_draft():
    campaign = make_campaign(3, lessons=2, lease=10)
    member = make_member(campaign)
    held = work.next_assignment(member)
    work.save_draft(held, {"better": "b"}, 1)
    work.release(held)
    again = work.next_assignment(member)
    assert (again.pk, again.why, again.draft) == (held.pk, "training", {"better": "b"})
    work.skip(again, "")
    assert work.next_assignment(member).item.key == "training:1"  # not forced upon


def test_feedback_comes_after_the_answer_and_never_before(one):
    client = client_of(one)
    assert "3 items come first to practise" in client.get("/c/small/").content.decode()
    held = work.next_assignment(one)
    page = client.get(f"/work/{held.pk}/").content.decode()
    assert "Training 1 of 3" in page
    assert "note of 0" not in page
    assert "expected" not in page
    early = client.get(f"/work/{held.pk}/feedback")
    assert early["Location"] == "/c/small/"
    where = submit(client, held, {"better": "b"})
    assert where == f"/work/{held.pk}/feedback"
    page = client.get(where).content.decode()
    assert "Not quite. This is what was expected." in page
    assert "note of 0" in page
    assert '"answer": {"better": "a"}' in page
    mine = client.get(f"{where}?show=mine").content.decode()
    assert '"answer": {"better": "b"}' in mine
    assert "data-submit" not in page + mine
    assert submit(client, held, {"better": "b"}) == where  # a second click
    reply = client.post("/c/small/start")
    held = one.assignments.get(state="leased")
    assert reply["Location"] == f"/work/{held.pk}/"
    page = client.get(submit(client, held)).content.decode()
    assert "Right. This is what was expected." in page
    assert "secretsys" not in page
    # Nobody sees the lessons of others.
    other = client_of(make_member(one.campaign))
    assert other.get(where).status_code == 404


def test_work_has_no_feedback(one):
    client = client_of(one)
    for _lesson in range(3):
        submit(client, work.next_assignment(one))
    held = work.next_assignment(one)
    assert "Item 1" in client.get(f"/work/{held.pk}/").content.decode()
    assert "/feedback" not in submit(client, held)
    assert client.get(f"/work/{held.pk}/feedback")["Location"] == "/c/small/"
    assert "You have judged 1 item." in client.get("/c/small/").content.decode()


def test_training_counts_nowhere(campaign, one):
    for _lesson in range(3):
        work.submit(work.next_assignment(one), RIGHT)
    assert (progress(campaign).judgements, progress(campaign).seconds) == (0, None)
    assert (members(campaign)[0].done, members(campaign)[0].seconds) == (0, None)
    assert work.counts(one).mine == 0
    assert activity(campaign).days == []
    assert list(records(campaign)) == []
    result = statistics.findings(campaign)
    assert (result.judgements, set(result.records.values()), result.judges) == (
        0,
        {0},
        {},
    )
    work.submit(work.next_assignment(one), RIGHT)
    assert progress(campaign).judgements == progress(campaign).first == 1
    assert tables(campaign).counts()["rankings"] == 1
    assert statistics.compute(campaign).judgements == 1
    manager = client_of(make_member(campaign, Role.MANAGER))
    assert "note of 0" in manager.get(
        f"/m/small/items/{campaign.items.get(key='training:lesson-0').pk}/"
    ).content.decode()  # fmt: skip


def test_raw_answers_mark_them_and_come_in_again(campaign, one, tmp_path):
    for _item in range(4):
        work.submit(work.next_assignment(one), RIGHT)
    lines = list(raw_lines(campaign))
    marks = [(json.loads(line)["kind"], json.loads(line)["why"]) for line in lines]
    assert marks == [("training", "training")] * 3 + [("work", "first")]
    config = write_config(tmp_path / "other", head="seed = 3\n")
    text = config.path.read_text().replace('"small"', '"other"')
    config.path.write_text(text)
    other = load(read_config(config.path)).campaign
    done = import_raw(other, [line.encode() for line in lines])
    assert (done.added, done.bad) == (4, [])
    assert progress(other).judgements == 1
    bad = json.loads(lines[0])
    bad |= {"item": "training:bad", "id": None, "meta": {"expected": {"better": 3}}}
    assert import_raw(other, [json.dumps(bad).encode()]).wrong == 1
    # They are training there too, for whoever comes.
    assert work.next_assignment(make_member(other)).why == "training"


@pytest.mark.parametrize("name", [name for name in TASKS if name != "survey"])
def test_answers_of_one_campaign_are_training_of_the_next(name, tmp_path):
    """Make training as the guide says: judge, export, pick lines."""
    config = read_config(write_starter(tmp_path, name))
    campaign = load(config).campaign
    member = make_member(campaign)
    held = work.next_assignment(member)
    answer = answer_to(name, held.item.content)
    work.submit(held, answer)
    lines = list(raw_lines(campaign))
    (config.path.parent / "training.jsonl").write_text("\n".join(lines) + "\n")
    text = config.path.read_text().replace(f'"{config.name}"', '"next"', 1)
    config.path.write_text(text + '\n[training]\nitems = "training.jsonl"\n')
    second = load(read_config(config.path)).campaign
    member = make_member(second)
    client, held = client_of(member), work.next_assignment(member)
    assert held.why == "training"
    assert held.item.content == Judgement.objects.get().assignment.item.content
    assert not held.item.origins.exists()
    page = client.get(submit(client, held, answer)).content.decode()
    assert "Right. This is what was expected." in page


def answer_to(name, content):
    if name == "pairs":
        return RIGHT
    if name == "direct":
        return {"score": 70}
    if name == "edits":
        return {"tokens": [0], "gaps": [], "none": False}
    if name in ("esa", "mqm", "cesa"):
        return span_answer(name, content["paragraphs"])
    panels = content.get("panels") or [content]
    keys = [key for panel in panels for key in panel["candidates"]]
    return {"ranks": dict.fromkeys(keys, 1)}


def span_answer(name, paragraphs):
    mark = {"start": 0, "end": 3, "severity": "minor"}
    entry = {"marks": [mark], "score": 70}
    if name == "mqm":
        mark["category"] = "Fluency/Grammar"
        entry = {"marks": [mark], "clean": False}
    keys = list(paragraphs[0]["outputs"])
    answer = {"outputs": {key: [entry] * len(paragraphs) for key in keys}}
    if name != "mqm":
        answer["document"] = dict.fromkeys(keys, 65)
    return answer


def test_what_agrees_with_the_expected():
    direct = get_task("direct")
    assert direct.agrees({}, {"score": 70}, {"score": 80})
    assert not direct.agrees({}, {"score": 70}, {"score": 81})
    ranking = get_task("ranking")
    content = {"candidates": {"x": "", "y": "", "z": ""}}

    def agrees(one, other):
        ranks = [dict(zip("xyz", rows, strict=True)) for rows in (one, other)]
        return ranking.agrees(content, *({"ranks": one} for one in ranks))

    assert agrees([1, 2, 3], [1, 2, 3])
    assert agrees([1, 2, 2], [1, 3, 3])  # rows may be left empty
    assert not agrees([1, 2, 2], [1, 2, 3])
    assert not agrees([1, 2, 3], [2, 1, 3])
    assert not agrees([1, 2, "garbage"], [1, 2, 3])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[]", "no content"),
        ('{"content": {"candidates": {"a": "x", "b": "y"}}}', "answer does not fit"),
        ('{"content": {}, "answer": {"better": "a"}}', "content does not fit"),
        (json.dumps({**LINES[0], "note": 3}), "note"),
        (json.dumps({**LINES[0], "item": 3}), "item"),
        (json.dumps({**LINES[0], "note": "x" * 2001}), "note"),
        (json.dumps({**LINES[0], "note": "\0"}), "NUL"),
    ],
)
def test_wrong_lines_are_named(tmp_path, line, message):
    config = write(tmp_path, LINES[:1])
    place = tmp_path / "training.jsonl"
    place.write_text(f"{json.dumps(LINES[1])}\n\n{line}\n")
    with pytest.raises(FormatError, match=rf"training\.jsonl:3: .*{message}"):
        check(config)


def test_wrong_files_and_sections_are_named(tmp_path):
    with pytest.raises(FormatError, match="second item is called 'lesson-0'"):
        check(write(tmp_path, [LINES[0], LINES[0]]))
    with pytest.raises(FormatError, match="it has no item"):
        check(write(tmp_path, []))
    config = write(tmp_path)
    (tmp_path / "training.jsonl").unlink()
    with pytest.raises(InputError, match="cannot read the training"):
        check(config)
    with pytest.raises(FormatError, match=r"\[training\] has no items"):
        write(tmp_path, section="[training]\n")
    with pytest.raises(FormatError, match="a text in quotes"):
        write(tmp_path, section="[training]\nitems = 3\n")
    with pytest.raises(UnknownNameError):
        write(tmp_path, section='[training]\nitem = "x"\n')


def test_a_survey_has_its_sample_instead(tmp_path):
    place = write_starter(tmp_path, "survey")
    place.write_text(place.read_text() + '\n[training]\nitems = "training.jsonl"\n')
    with pytest.raises(FormatError, match="worked sample"):
        check(read_config(place))
