# SPDX-License-Identifier: Apache-2.0
"""Exchange by REST, the dashboard and the command line."""

from __future__ import annotations

import csv
import json
from random import Random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from support.campaign_world import World, make_world, write_starter
from tertium.campaigns.config import read_config
from tertium.campaigns.exchange.exporting import tables
from tertium.campaigns.exchange.formats import SIDES, formats, losses
from tertium.campaigns.loading import load
from tertium.campaigns.models import Event, Judgement, Origin, Role
from tertium.campaigns.people.accounts import invite, join
from tertium.campaigns.tasks.survey.participants import take_part
from tertium.cli.campaign.verb import command

pytestmark = pytest.mark.django_db
LINES = "application/x-ndjson"
SENT = {
    "answers": LINES,
    "tertium-jsonl": "application/jsonl",
    "parquet": "application/zip",
    "sqlite": "application/vnd.sqlite3",
    "wmt-csv": "text/csv",
    "wmt-pairs-csv": "text/csv",
    "judged-tsv": "text/tab-separated-values",
}
AGREED = {"adult": True, "read": True, "voluntary": True, "archive": True}


def of_starter(folder, task: str) -> World:
    """Load the starter of a task; a manager and an observer join."""
    world = World(load(read_config(write_starter(folder / task, task))).campaign)
    for who in (Role.MANAGER, Role.OBSERVER):
        world.joined[who] = join(invite(world.campaign, who), name=f"{task} {who}")
    return world


def post(world: World, path: str, body: bytes, kind: str = LINES, role="manager"):
    where = f"/api/v1/campaigns/{world.campaign.name}/{path}"
    return Client().generic("POST", where, body, kind, headers=world.bearer(role))


def get(world: World, path: str, role: str = "manager"):
    where = f"/api/v1/campaigns/{world.campaign.name}/{path}"
    return Client().get(where, headers=world.bearer(role))


def body_of(reply) -> bytes:
    return b"".join(reply.streaming_content)


# ---------------------------------------------------------------------- imports


@pytest.mark.parametrize("name", list(SENT))
def test_what_one_server_sends_another_takes(tmp_path, name):
    world, copy = make_world(tmp_path, "first"), make_world(tmp_path, "copy")
    world.judge(times=3)
    world.judge("other")
    reply = get(world, f"export?format={name}")
    kind = SENT[name]
    data = body_of(reply)
    for path, added, known in (
        ("import", 4, 0),
        (f"import?format={name}", 0, 4),
        ("import?skip_bad=true", 0, 4),
    ):
        done = post(copy, path, data, kind)
        assert done.status_code == 200, done.content
        assert (done.json()["added"], done.json()["known"]) == (added, known)
    ranked = [
        [(one.segment, one.judge, [(p.systems, p.rank) for p in one.places])
         for one in tables(campaign).iterate()]
        for campaign in (world.campaign, copy.campaign)
    ]  # fmt: skip
    assert ranked[0] == ranked[1]
    assert post(copy, "import", data, kind, role="observer").status_code == 403
    told = Event.objects.filter(campaign=copy.campaign, action="import").first()
    assert told.actor.startswith("api:")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\n", LINES),
        (b"\x00" * 100, LINES),
        (b'{"kind": "ranking"}\n', LINES),
        (b'{"tertium": "judgements", "version": 9}\n', LINES),
        (b'{"1,a": [{"x": 1}]}', "application/json"),
        (b"PK\x05\x06" + b"\x00" * 18, "application/zip"),
        (b"PK\x03\x04 and so on", "application/zip"),
        (b"SQLite format 3\x00" + b"x" * 200, "application/vnd.sqlite3"),
        (b"srclang,system1id,system2rank\n1\n", "text/csv"),
        (b'a,"b\n', "text/csv"),
        (b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", "application/xml"),
    ],
)
def test_files_that_say_nothing_are_rejected(tmp_path, data, kind):
    world = make_world(tmp_path, "first")
    reply = post(world, "import", data, kind)
    assert reply.status_code == 422, reply.content
    assert "; " in reply.json()["error"]
    assert "/tmp" not in reply.content.decode()
    assert reply.json()["stored"] is False
    assert Judgement.objects.count() == 0


def test_unknown_formats_and_types_are_rejected(tmp_path):
    world = make_world(tmp_path, "first")
    assert post(world, "import?format=odd", b"x").status_code == 400
    assert post(world, "import", b"x", "image/png").status_code == 415


# ------------------------------------------------------------------------- items


def test_a_survey_takes_no_items_and_says_how(tmp_path):
    world = of_starter(tmp_path, "survey")
    before = world.campaign.items.count()
    reply = post(world, "items", b'{"id": "1", "src": "s", "ref": ["r"]}\n')
    assert reply.status_code == 422
    assert "tertium campaign load" in reply.json()["error"]
    assert world.campaign.items.count() == before


def test_segments_come_with_their_systems(tmp_path):
    world = of_starter(tmp_path, "segranks")
    folder = tmp_path / "segranks"
    lines = (folder / "candidates.jsonl").read_text().splitlines()
    sentence = json.loads(lines[0])
    old, sentence["sentence"] = sentence["sentence"], "another"
    table = (folder / "systems.tsv").read_text().splitlines()
    results = [
        row.replace(f"{old}\t", "another\t", 1)
        for row in table[1:]
        if row.startswith(f"{old}\t")
    ]
    assert results

    def send(**files: str):
        return Client().post(
            f"/api/v1/campaigns/{world.campaign.name}/items",
            {
                name: SimpleUploadedFile(name, text.encode())
                for name, text in files.items()
            },
            headers=world.bearer(),
        )

    items, systems = json.dumps(sentence) + "\n", "\n".join([table[0], *results]) + "\n"
    reply = send(items=items, systems=systems)
    assert reply.json() == {"added": 1, "known": 0}
    result = set(
        Origin.objects.filter(item__key="another").values_list("system", flat=True)
    )
    column = table[0].split("\t").index("system")
    assert result <= {row.split("\t")[column] for row in results}
    assert result
    for wrong in (
        {"items": items},
        {"items": items, "systems": systems, "more": "x"},
        {"items": "{", "systems": systems},
        {"items": items.replace("another", "third"), "systems": systems},
    ):
        reply = send(**wrong)
        assert reply.status_code == 422, wrong
        assert "/tmp" not in reply.json()["error"]
    broken = post(world, "items", b"--x", "multipart/form-data; boundary=x")
    assert broken.status_code in (400, 422)


# --------------------------------------------------------------- beside judgements


@pytest.fixture
def survey(tmp_path):
    world = of_starter(tmp_path, "survey")
    for archive in (True, False):
        invitation = invite(world.campaign, Role.ANNOTATOR)
        joined = take_part(invitation, {**AGREED, "archive": archive})
        world.joined["yes" if archive else "no"] = joined
    return world


def table(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(data.decode().splitlines(), delimiter="\t"))


def test_participants_are_for_managers_and_only_those_who_agreed(survey):
    yes, no = (survey.joined[who].member.code for who in ("yes", "no"))
    for query, codes in (
        ("", {yes}),
        ("&archive=true", {yes}),
        ("&archive=false", {yes, no}),
    ):
        reply = get(survey, f"export?format=participants{query}")
        assert {row["judge"] for row in table(body_of(reply))} == codes
    assert reply["Content-Type"].startswith("text/tab-separated-values")
    assert get(survey, "export?format=participants", "observer").status_code == 403
    assert get(survey, "export?format=participants&archive=x").status_code == 400
    logged = Event.objects.filter(action="export").values_list("detail", flat=True)
    assert list(logged) == [
        {"format": "participants"},
        {"format": "participants", "archive": True},
        {"format": "participants", "archive": False},
    ]


def test_items_and_codebook_are_exports_too(survey):
    lines = body_of(get(survey, "export?format=items")).decode().splitlines()
    assert len(lines) >= survey.campaign.items.count()
    reply = get(survey, "export?format=codebook")
    assert reply["Content-Type"].startswith("text/markdown")
    assert b"| nationality |" in body_of(reply)


def test_tasks_without_them_say_so(tmp_path):
    world = make_world(tmp_path, "first")
    for name in SIDES:
        reply = get(world, f"export?format={name}")
        assert reply.status_code == 422
        assert f"have no {name}" in reply.json()["error"]
    reply = get(world, "export?archive=true")
    assert "nobody in first was asked" in reply.json()["error"]
    assert not Event.objects.filter(action="export").exists()


def test_the_dashboard_offers_them_and_tells_what_is_lost(survey, tmp_path):
    client = survey.client("manager")
    name = survey.campaign.name
    page = client.get(f"/m/{name}/exports")
    text = page.content.decode()
    for one in (*formats(), *SIDES):
        assert f'value="{one}"' in text
    for loss in losses("wmt-csv"):
        assert str(loss) in text
    yes = survey.joined["yes"].member.code
    where = f"/m/{name}/exports/download"
    for form in ({"archive": "yes"}, {}):
        reply = client.post(where, {"format": "participants", **form})
        assert {row["judge"] for row in table(body_of(reply))} == {yes}
    for form, archived in (({"archive": "yes"}, True), ({}, None)):
        body_of(client.post(where, {"format": "answers", **form}))
        logged = Event.objects.filter(action="export").latest("pk")
        assert logged.detail.get("archive") is archived
    assert survey.client("observer").post(
        where, {"format": "participants"}
    ).status_code in (403, 404)
    other = make_world(tmp_path, "first")
    page = other.client("manager").get("/m/first/exports").content.decode()
    assert 'value="participants"' not in page
    assert 'name="archive"' not in page


# ------------------------------------------------------------------ command line


@pytest.fixture
def run(monkeypatch, capsys):
    """Return a function that runs `tertium campaign` on the tests' database."""
    monkeypatch.setattr("tertium.cli.campaign.database.start", lambda *_, **__: None)

    def tertium(*argv: str) -> str:
        assert command(list(argv)) == 0
        return capsys.readouterr().out

    return tertium


def test_the_command_line_is_in_the_log(run, survey, tmp_path):
    name = survey.campaign.name
    Event.objects.all().delete()
    run("invite", name, "--role", "observer", "--days", "7", "--group", "g")
    place = tmp_path / "a.jsonl"
    run("export", name, "-o", str(place), "--archive")
    run("export", name, "--participants", str(tmp_path / "p.tsv"), "--all")
    run("load", str(tmp_path / "survey" / "campaign.toml"))
    place.write_text("\n")
    run("import", name, str(place), "--format", "answers")
    result = Event.objects.order_by("pk").values_list("actor", "action", "detail")
    assert [(actor, action) for actor, action, _ in result] == [
        ("cli", "invite"),
        ("cli", "export"),
        ("cli", "export"),
        ("cli", "load"),
        ("cli", "import"),
    ]
    details = [detail for *_, detail in result]
    assert details[0] | {"invitation": 0} == {
        "invitation": 0, "role": "observer", "days": 7.0, "most": None, "group": "g",
    }  # fmt: skip
    assert details[1] == {"format": "answers", "archive": True}
    assert details[2] == {"format": "participants", "archive": False}


def test_files_of_others_come_by_the_command_line(run, tmp_path, capsys):
    from tertium.errors import InputError

    world, copy = make_world(tmp_path, "first"), make_world(tmp_path, "copy")
    world.judge(times=2)
    place = str(tmp_path / "out.csv")
    run("export", "first", "-o", place, "--format", "wmt-csv")
    message = run("import", "copy", place)
    assert message.startswith(
        "campaign copy: 2 judgements added, 0 were there, 0 left out"
    )
    with open(place, "a") as file:
        file.write(
            "en,de,nine,-1,nine,j,1,alphasys,2,betasys,-1,,-1,,-1,,1,2,-1,-1,-1\n"
        )
    with pytest.raises(InputError, match="1 lines cannot be stored"):
        run("import", "copy", place)
    assert f"{place}:4: no item of campaign 'copy'" in capsys.readouterr().err
    assert "1 left out" in run("import", "copy", place, "--skip-bad")
    assert copy.campaign.members.filter(group="imported").count() == 1


def test_help_tells_what_formats_lose(capsys):
    for action in ("export", "import"):
        with pytest.raises(SystemExit):
            command([action, "--help"])
    message = " ".join(capsys.readouterr().out.split())
    assert f"without {', '.join(map(str, losses('wmt-csv')))}" in message
    for name in formats():
        assert name in message


@pytest.mark.parametrize("name", ["parquet", "sqlite"])
def test_damaged_tables_never_fail(tmp_path, name):
    """Whatever the bytes are: taken, or rejected with a reason."""
    world, copy = make_world(tmp_path, "first"), make_world(tmp_path, "copy")
    world.judge(times=3)
    data = body_of(get(world, f"export?format={name}"))
    rng = Random(name)
    seen = set()
    for _ in range(12):
        broken = bytearray(data)
        for _ in range(rng.randint(1, 40)):
            broken[rng.randrange(len(broken))] = rng.randrange(256)
        reply = post(copy, "import", bytes(broken[: rng.randint(50, 2 * len(data))]),
                     SENT[name])  # fmt: skip
        assert reply.status_code in (200, 422)
        assert "/tmp" not in reply.content.decode()
        seen.add(reply.status_code)
    assert 422 in seen
