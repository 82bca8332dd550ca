# SPDX-License-Identifier: Apache-2.0
"""The REST API: what it says, takes and rejects."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from support.campaign_world import World, jsonl, make_world, write_starter
from tertium.campaigns.api.document import DOCUMENT
from tertium.campaigns.api.tokens import new_token, read_token, revoke
from tertium.campaigns.config import read_config
from tertium.campaigns.exchange.exporting import formats, raw_lines
from tertium.campaigns.loading import load
from tertium.campaigns.models import (
    ApiToken,
    Assignment,
    Event,
    Item,
    Judgement,
    Membership,
    Person,
    Role,
)

pytestmark = pytest.mark.django_db
LINES = "application/x-ndjson"


@pytest.fixture
def world(tmp_path):
    return make_world(tmp_path, "first")


@pytest.fixture
def api(world):
    """Return a function that asks the API as a program with a token."""
    headers = {role: world.bearer(role) for role in ("manager", "observer")}

    def ask(method, path, *, role="manager", body=b"", kind=LINES):
        return Client().generic(
            method, f"/api/v1/{path}", body, kind, headers=headers[role]
        )

    return ask


def answers(world) -> bytes:
    return "".join(f"{line}\n" for line in raw_lines(world.campaign)).encode()


def test_the_document_names_every_address():
    from tertium.campaigns.api.urls import urlpatterns

    routes = {
        "/api/v1/" + str(one.pattern).replace("<slug:", "{").replace("<str:", "{")
        .replace(">", "}")
        for one in urlpatterns
        if one.name
    }  # fmt: skip
    assert routes == set(DOCUMENT["paths"])
    assert Client().get("/api/v1/openapi.json").json() == json.loads(
        json.dumps(DOCUMENT)
    )


def test_a_token_lists_its_campaign_alone(api, tmp_path):
    make_world(tmp_path, "second")
    result = api("GET", "campaigns").json()["campaigns"]
    assert [one["name"] for one in result] == ["first"]
    assert api("GET", "campaigns/second").status_code == 404


def test_progress_and_participants_are_pseudonymous(api, world):
    world.judge(times=2)
    result = api("GET", "campaigns/first", role="observer").json()
    assert result["progress"]["judgements"] == 2
    reply = api("GET", "campaigns/first/participants", role="observer")
    assert world.joined["annotator"].member.code in reply.content.decode()
    assert "first annotator" not in reply.content.decode()


def test_items_come_in_pages_and_with_systems_for_managers_only(api, world):
    result = api("GET", "campaigns/first/items?size=3&page=2").json()
    assert (result["total"], len(result["items"])) == (4, 1)
    # Equal outputs would be one candidate; here each has one system.
    assert sorted(result["items"][0]["systems"].values()) == [["alphasys"], ["betasys"]]
    blind = api("GET", "campaigns/first/items", role="observer").content.decode()
    assert "alphasys" not in blind
    assert "meta" not in blind


@pytest.mark.parametrize("query", ["page=0", "page=x", "size=1001", "size=%D9%A1"])
def test_wrong_pages_are_rejected(api, query):
    assert api("GET", f"campaigns/first/items?{query}").status_code == 400


@pytest.mark.parametrize("name", list(formats()))
def test_every_format_can_be_downloaded(api, world, name):
    world.judge(times=3)
    reply = api("GET", f"campaigns/first/export?format={name}")
    # Of ratings, of spans, of segments in parts.
    others = "appraise esa mqm-tsv mtme mtme-ratings wmt25-humeval wmt26-predictions"
    fits = name not in (*others.split(), "likert-tsv", "legacy-json")
    assert reply.status_code == (200 if fits else 422), reply.json()
    if not fits:
        assert "; " in reply.json()["error"]  # what, and the cure
        assert "/tmp" not in reply.json()["error"]
        return
    data = b"".join(reply.streaming_content)
    assert reply["Content-Disposition"].startswith(
        f'attachment; filename="first.{name}.'
    )
    if name == "parquet":
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
        assert "first/rankings.parquet" in names
    elif name == "sqlite":
        assert data.startswith(b"SQLite format 3")
    elif name == "xlsx":
        assert "xl/workbook.xml" in zipfile.ZipFile(io.BytesIO(data)).namelist()
    else:
        assert data.count(b"\n") >= 1
    assert b"first annotator" not in data
    assert Event.objects.filter(action="export", detail={"format": name}).exists()


def test_what_is_downloaded_reads_back(api, world, tmp_path):
    from tertium.campaigns.exchange.exporting import tables
    from tertium.judgements import Judgements

    world.judge(times=3)
    reply = api("GET", "campaigns/first/export?format=tertium-jsonl")
    place = tmp_path / "down.jsonl"
    place.write_bytes(b"".join(reply.streaming_content))
    again = Judgements.read(place)
    assert list(again.iterate("rankings")) == list(
        tables(world.campaign).iterate("rankings")
    )


# ---------------------------------------------------------------------- import


def test_everything_goes_into_another_server_and_back(api, world, tmp_path):
    world.judge(times=3)
    world.judge("other")
    sent = answers(world)
    copy = make_world(tmp_path, "copy", title="Copy")
    Item.objects.filter(campaign=copy.campaign).delete()
    # Another server knows none of it: the ids are free there.
    ids = {json.loads(line)["id"]: None for line in sent.splitlines()}
    Judgement.objects.all().delete()
    Assignment.objects.all().delete()

    reply = Client().post(
        "/api/v1/campaigns/copy/import", sent, LINES, headers=copy.bearer()
    )
    assert reply.json() | {"bad": None} == {
        "added": 4, "known": 0, "items": 4, "judges": 2, "bad": None, "wrong": 0,
        "stored": True,
    }  # fmt: skip
    back = answers(copy).replace(b'"campaign": "copy"', b'"campaign": "first"')
    assert sorted(back.splitlines()) == sorted(sent.splitlines())
    assert set(ids) == {str(one.pk) for one in Assignment.objects.all()}
    # And nothing is added when it comes again, or when it goes back home.
    again = Client().post(
        "/api/v1/campaigns/copy/import", sent + sent, LINES, headers=copy.bearer()
    )
    assert (again.json()["added"], again.json()["known"]) == (0, 8)
    assert Judgement.objects.count() == 4


def test_a_server_knows_its_own_answers(api, world):
    world.judge(times=2)
    reply = api("POST", "campaigns/first/import", body=answers(world))
    assert (reply.json()["added"], reply.json()["known"]) == (0, 2)
    assert Judgement.objects.count() == 2


def test_a_copy_beside_the_campaign_has_ids_of_its_own(world, tmp_path):
    world.judge(times=2)
    copy = make_world(tmp_path, "copy")
    for added, known in ((2, 0), (0, 2)):
        reply = Client().post(
            "/api/v1/campaigns/copy/import",
            answers(world),
            LINES,
            headers=copy.bearer(),
        )
        assert (reply.json()["added"], reply.json()["known"]) == (added, known)
    assert Judgement.objects.count() == 4


def test_imported_first_judgements_take_their_items(api, world, tmp_path):
    world.judge(times=2)
    sent = answers(world)
    copy = make_world(tmp_path, "copy")
    Client().post("/api/v1/campaigns/copy/import", sent, LINES, headers=copy.bearer())
    assert copy.campaign.items.filter(taken=1).count() == 2
    code = world.joined["annotator"].member.code
    path = f"/api/v1/campaigns/copy/participants/{code}"
    assert Client().delete(path, headers=copy.bearer()).json()["judgements"] == 2
    assert copy.campaign.items.filter(taken=0).count() == 4


def broken(line: dict) -> list[tuple[bytes, str]]:
    """Return bad lines, and a word of the reason that must be told."""

    def but(**changes):
        return json.dumps({**line, **changes}).encode()

    lone = json.dumps({**line, "segment": "x"}).replace('"x"', '"\\ud800"').encode()
    return [
        (b"{", "JSON"),
        (b"[1]", "tertium-answers"),
        (b"\xff\xfe", "UTF-8"),
        (b'{"a":' * 5000, "JSON"),
        (b'{"a":' * 100 + b"1" + b"}" * 100, "levels"),
        (but(**{"tertium-answers": 2}), "tertium-answers"),
        (but(task="ranking"), "task"),
        (but(langpair="cs-fi"), "langpair"),
        (but(answer={"better": "c"}), "Choose"),
        (but(answer=None), "Choose"),
        (but(content={"candidates": 3}), "something else"),
        (but(item="new", content={"candidates": 3}), "content does not fit"),
        (but(item="new", content=[]), "content"),
        (but(item="new", systems={"a": "x"}), "systems"),
        (but(item="n" * 201), "item"),
        (but(item="new", segment="s" * 201), "segment"),
        (but(item="new", kind="odd"), "kind"),
        (but(judge="../../x"), "judge"),
        (but(judge="=cmd()"), "judge"),
        (but(judge="a" * 13), "judge"),
        (but(why="bored"), "why"),
        (but(time="yesterday"), "time"),
        (but(time="0001-01-01T00:00:00"), "age"),
        (but(seconds=-1), "seconds"),
        (but(seconds="1"), "seconds"),
        (but(seconds=float("nan")), "JSON"),
        (but(seconds=1).replace(b'"seconds": 1', b'"seconds": 1e999'), "finite"),
        (but(id="x"), "id"),
        (but(item="new", segment="a\0b"), "NUL"),
        (lone, "surrogate"),
        (but(answer={"better": "b"}), "never changed"),
        (json.dumps({**line, "x": "y" * 1_000_001}).encode(), "longer"),
    ]


def test_bad_lines_are_told_by_number_and_nothing_is_stored(api, world):
    world.judge()
    good = json.loads(answers(world))
    fresh = {**good, "id": None, "judge": "newone"}
    bad = broken(good)
    body = b"\n".join([json.dumps(fresh).encode(), b"", *(line for line, _ in bad)])
    reply = api("POST", "campaigns/first/import", body=body)
    assert reply.status_code == 422
    message = reply.json()
    assert not message["stored"]
    assert message["wrong"] == len(bad)
    for number, ((line, word), told) in enumerate(
        zip(bad, message["bad"], strict=True), 3
    ):
        assert told["line"] == number, line[:200]
        assert word in told["reason"], line[:200]
    assert Judgement.objects.count() == 1
    assert not Membership.objects.filter(code="newone").exists()

    reply = api("POST", "campaigns/first/import?skip_bad=true", body=body)
    assert reply.status_code == 200
    assert reply.json()["added"] == 1
    assert len(reply.json()["bad"]) == len(bad)
    assert Judgement.objects.count() == 2
    # Nobody can sign in as somebody who was imported.
    person = Person.objects.get(memberships__code="newone")
    assert not person.has_usable_password()
    assert person.link == ""


def test_the_command_line_shares_the_import(world, tmp_path):
    from tertium.campaigns.exchange.importing import import_raw

    world.judge(times=2)
    copy = make_world(tmp_path, "copy")
    done = import_raw(copy.campaign, answers(world).splitlines(keepends=True))
    assert (done.added, done.judges, done.stored) == (2, 1, True)
    assert Event.objects.filter(action="import", actor="cli").exists()


# ----------------------------------------------------------------------- items


def line(number: int, **more: object) -> dict[str, object]:
    return {
        "id": f"n{number}",
        "src": "s",
        "ref": ["r"],
        "tgt": {"gammasys": "g", "deltasys": "d"},
    } | more


@pytest.mark.parametrize("path", ["/etc/passwd", "systems.tsv", "/dev/zero"])
def test_no_file_of_the_server_is_read_as_systems(tmp_path, path):
    write_starter(tmp_path / "segranks", "segranks")
    campaign = load(read_config(tmp_path / "segranks" / "campaign.toml")).campaign
    body = (tmp_path / "segranks" / "candidates.jsonl").read_bytes()
    reply = Client().generic(
        "POST",
        f"/api/v1/campaigns/{campaign.name}/items?systems={path}",
        body,
        LINES,
        headers=World(campaign).bearer(),
    )
    assert reply.status_code == 400
    assert "take no systems here" in reply.json()["error"]


def test_items_are_added_once(api, world):
    body = jsonl([line(1), line(2)]).encode()
    assert api("POST", "campaigns/first/items", body=body).json() == {
        "added": 2,
        "known": 0,
    }
    assert api("POST", "campaigns/first/items", body=body).json() == {
        "added": 0,
        "known": 2,
    }
    assert world.campaign.items.count() == 6


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"\n", LINES, 422),
        (b"not json", LINES, 422),
        (b"\xff\xfe\x00", LINES, 422),
        (b"{" * 100_000, LINES, 422),
        (jsonl([line(1, id="x" * 300)]).encode(), LINES, 422),
        (jsonl([line(1, src="a\0b")]).encode(), LINES, 422),
        (jsonl([line(1, tgt={"a" * 201: "x", "b": "y"})]).encode(), LINES, 422),
        (jsonl([line(1)]).encode(), "multipart/form-data; boundary=x", 422),
        (jsonl([line(1)]).encode(), "application/octet-stream", 415),
        (b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", "application/xml", 422),
    ],
)
def test_bad_items_change_nothing(api, world, body, kind, status):
    reply = api("POST", "campaigns/first/items", body=body, kind=kind)
    assert reply.status_code == status
    assert "/tmp" not in reply.json()["error"]
    assert world.campaign.items.count() == 4


def test_an_upload_that_is_too_large_is_rejected(api, monkeypatch):
    monkeypatch.setattr("tertium.campaigns.api.replies.LARGEST", 1000)
    for path in ("items", "import"):
        reply = api("POST", f"campaigns/first/{path}", body=b"x" * 1001)
        assert reply.status_code == 413


# -------------------------------------------------------------------- deleting


def test_a_participant_is_deleted_with_their_judgements(api, world):
    world.judge(times=2)
    world.judge("other")
    member = world.joined["annotator"].member
    path = f"campaigns/first/participants/{member.code}"
    assert api("DELETE", path).json() == {"deleted": member.code, "judgements": 2}
    assert api("DELETE", path).status_code == 404
    assert Judgement.objects.count() == 1
    assert not Person.objects.filter(pk=member.person_id).exists()
    told = json.dumps(list(Event.objects.values_list("actor", "detail")))
    assert member.code not in told


def test_managers_are_not_deleted_from_here(api, world):
    code = world.joined["manager"].member.code
    assert api("DELETE", f"campaigns/first/participants/{code}").status_code == 409


# ---------------------------------------------------------------------- tokens


def ask(text: str, scheme: str = "Bearer"):
    return Client().get(
        "/api/v1/campaigns/first", headers={"Authorization": f"{scheme} {text}"}
    )


def test_tokens_expire_and_are_revoked(world):
    made, text = new_token(world.campaign, Role.MANAGER)
    assert ask(text).status_code == 200
    assert read_token(text).pk == made.pk
    ApiToken.objects.filter(pk=made.pk).update(
        expires=timezone.now() - timedelta(seconds=1)
    )
    assert ask(text).status_code == 401
    _, text = new_token(world.campaign, Role.MANAGER)
    revoke(world.campaign, read_token(text).short)
    reply = ask(text)
    assert reply.status_code == 401
    assert reply["WWW-Authenticate"].startswith("Bearer")
    assert "revoked" in reply.json()["error"]


def test_the_text_of_a_token_is_not_kept(world):
    text = world.token()
    rows = json.dumps(list(ApiToken.objects.values()), default=str)
    assert text not in rows
    assert text not in json.dumps(list(Event.objects.values("detail")))


def test_annotators_get_no_token(world):
    from tertium.errors import InputError

    with pytest.raises(InputError, match="manager or observer"):
        new_token(world.campaign, Role.ANNOTATOR)


def test_altered_tokens_are_rejected(world):
    text = world.token("observer")
    altered = [
        text[:-1] + ("A" if text[-1] != "A" else "B"),
        "A" + text[1:],
        text.replace(":", "", 1),
        text + "x",
        "",
        "null",
        "\x00",
        "é" * 40,
    ]
    for one in altered:
        assert ask(one).status_code == 401
    assert ask(text, "Basic").status_code == 401
    assert ask(text, "bearer").status_code == 200


def test_an_invitation_is_no_token(world):
    from tertium.campaigns.people.accounts import invite, token_of

    assert ask(token_of(invite(world.campaign, Role.MANAGER))).status_code == 401


def test_guesses_wait_and_good_tokens_do_not(world):
    good = world.token()
    seen = {ask("guess").status_code for _ in range(51)}
    assert seen == {401, 429}
    assert ask(good).status_code == 200
    reply = ask("guess")
    assert reply.status_code == 429
    assert int(reply["Retry-After"]) > 0
