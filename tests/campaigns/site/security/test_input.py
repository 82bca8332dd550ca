# SPDX-License-Identifier: Apache-2.0
"""Whatever comes in: it is stored, shown as text, or rejected; never a failure."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

import pytest
from django.test import Client

from support.campaign_world import make_world
from tertium.campaigns.models import Assignment, Judgement, Person, Role
from tertium.campaigns.people.accounts import invite, join, token_of
from tertium.campaigns.work.payloads import PayloadError, read_json

pytestmark = pytest.mark.django_db

#: What has broken servers before.
PAYLOADS = [
    "' OR '1'='1",
    "'; DROP TABLE campaigns_person; --",
    '" OR ""="',
    "1) UNION SELECT password FROM campaigns_person--",
    "%' AND 1=CAST((SELECT version()) AS int)--",
    "\\'; SELECT pg_sleep(9)--",
    "{{7*7}}{% debug %}",
    "${jndi:ldap://x}",
    "../../../../etc/passwd",
    "%s%s%n",
    "a\0b",
    "\ud800",
    "\u202e\ufeff",
    "𝔘" * 300,
    "x" * 5000,
    "",
    "-1",
    "99999999999999999999999",
    "1e999",
    "NaN",
    "null",
    "[]",
    "\r\nSet-Cookie: a=b",
    "<script>alert(1)</script>",
]


@pytest.fixture
def world(tmp_path):
    return make_world(tmp_path, "first")


def url(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


def send(client, path, text: str | bytes):
    return client.post(path, text, content_type="application/json")


@pytest.fixture
def counted(world):
    """Check afterwards that everybody and everything is still there."""
    before = Person.objects.count()
    yield
    assert Person.objects.count() >= before
    assert world.campaign.items.count() == 4


@pytest.mark.parametrize("text", PAYLOADS)
def test_addresses_and_queries_never_fail(world, counted, text):
    client, manager = world.client("annotator"), world.client("manager")
    part = url(text)
    headers = world.bearer()
    paths = [
        f"/{part}",
        f"/sign-in?next={part}&{part}={part}",
        f"/join/{part}",
        f"/me/{part}",
        f"/c/{part}/",
        f"/m/{part}/",
        f"/work/{part}/",
        f"/static/{part}",
        f"/c/first/?{part}={part}",
        f"/m/first/?page={part}&order={part}&member={part}",
    ]
    for path in paths:
        for who in (Client(), client, manager):
            reply = who.get(path)
            assert reply.status_code < 500, path
            assert "a" not in reply.cookies  # no header was split
    for path in (
        f"campaigns/{part}",
        f"campaigns/first/items?page={part}",
        f"campaigns/first/items?size={part}",
        f"campaigns/first/export?format={part}",
        f"campaigns/first/export?cells={part}",
        f"campaigns/first/participants/{part}",
    ):
        for method in ("get", "delete"):
            reply = getattr(client, method)(f"/api/v1/{path}", headers=headers)
            assert 400 <= reply.status_code < 500, path
    for path in (
        f"campaigns/first/items?systems={part}",
        f"campaigns/first/import?skip_bad={part}",
    ):
        reply = client.post(
            f"/api/v1/{path}", b"{}\n", "application/x-ndjson", headers=headers
        )
        assert 400 <= reply.status_code < 500, path


@pytest.mark.parametrize("text", PAYLOADS)
def test_forms_and_headers_never_fail(world, counted, text, settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    sendable = text.encode("utf-8", "replace").decode()
    client = world.client("annotator")
    link = f"/join/{token_of(invite(world.campaign, Role.ANNOTATOR))}"
    for path, form in (
        ("/sign-in", {"name": sendable, "password": sendable, "next": sendable}),
        ("/language", {"language": sendable, "next": sendable}),
        (link, {"name": sendable, "password": sendable, "ticket": sendable}),
        ("/c/first/start", {sendable: sendable}),
    ):
        assert Client().post(path, form).status_code < 500, path
    work = world.work()
    reply = client.post(f"/work/{work.pk}/skip", {"reason": sendable})
    assert reply.status_code == (400 if "\0" in text else 302)
    raw = text.encode("utf-8", "surrogatepass").decode("latin-1").replace("\r\n", " ")
    for header in ("Authorization", "Accept-Language", "Referer", "Origin", "Cookie"):
        reply = client.get("/api/v1/campaigns", headers={header: f"Bearer {raw}"})
        assert reply.status_code < 500, header
    cookies = Client()
    octal = "".join(f"\\{byte:03o}" for byte in text.encode("utf-8", "replace")[:300])
    for name in ("tertium_session", "csrftoken", "tertium_language", "messages"):
        reply = cookies.get("/sign-in", headers={"Cookie": f'{name}="{octal}"'})
        assert reply.status_code < 500, name


def test_a_nul_in_a_cookie_is_rejected(world):
    # Django reads \000 in quotes as a NUL, and would ask the database for it.
    cookie = {"Cookie": 'tertium_session="\\000aaaaaaaaaaaaaaaa"'}
    assert Client().get("/", headers=cookie).status_code == 400


def test_odd_parts_of_forms_never_fail(world):
    client = world.client("annotator")
    kind = "multipart/form-data; boundary=B"
    head = b'--B\r\nContent-Disposition: form-data; name="name"'
    for inner in (
        b"",
        b'; filename="../../x"\r\nContent-Type: text/plain; charset=zlib',
        b'; filename="a\0b"',
        b"\r\nContent-Transfer-Encoding: base64",
        b"; filename*=zlib'en'x",
    ):
        body = head + inner + b"\r\n\r\n\xc3\xa9\r\n--B--\r\n"
        assert client.generic("POST", "/sign-in", body, kind).status_code < 500, inner
    for body in (b"x", head):
        assert client.generic("POST", "/sign-in", body, kind).status_code < 500
    reply = client.generic("POST", "/sign-in", b"x", "multipart/form-data")
    assert reply.status_code == 400


BODIES = [
    b"",
    b"null",
    b"[]",
    b"1",
    b'"x"',
    b"{",
    b"\xff\xfe{}",
    b'{"version": 1, "answer": {"better": "a\\u0000"}}',
    b'{"version": 1, "answer": {"better": "\\ud800"}}',
    b'{"version": 1, "answer": {"\\u0000": 1}}',
    b'{"version": 1, "answer": {"better": NaN}}',
    b'{"version": 1, "answer": {"better": 1e999}}',
    b'{"version": 1, "answer": {"better": -Infinity}}',
    b'{"version": 1, "answer": ' + b"[" * 100_000,
    b'{"version": 1, "answer": ' + b'{"a":' * 900 + b"1" + b"}" * 901,
    b'{"version": 1, "answer": {"a": ' + b"9" * 5000 + b"}}",
    b'{"version": 99999999999999999999, "answer": {}}',
    b'{"version": -1, "answer": {}}',
    b'{"version": true, "answer": {}}',
    b'{"version": 1.5, "answer": {}}',
    b'{"version": "1", "answer": {}}',
    b'{"version": 1, "answer": []}',
    b'{"version": 1, "answer": "' + b"x" * 2_100_000 + b'"}',
]


@pytest.mark.parametrize("number", range(len(BODIES)))
def test_bodies_of_drafts_and_answers_never_fail(world, number):
    body = BODIES[number]
    work = world.work()
    client = world.client("annotator")
    for page in ("draft", "submit"):
        reply = send(client, f"/work/{work.pk}/{page}", body)
        assert 400 <= reply.status_code < 500, page
    assert not Judgement.objects.exists()
    work.refresh_from_db()
    assert work.draft is None


def test_long_drafts_are_rejected(world):
    work = world.work()
    body = {"version": 1, "answer": {"better": "x" * 150_000}}
    path = f"/work/{work.pk}/draft"
    assert send(world.client("annotator"), path, json.dumps(body)).status_code == 413


def test_forms_that_are_too_large_are_rejected(world):
    client = world.client("annotator")
    path = f"/work/{world.work().pk}/skip"
    assert client.post(path, {"reason": "x" * 3_000_000}).status_code in (400, 413)
    many = {f"f{n}": "x" for n in range(2000)}
    assert client.post(path, many).status_code == 400


def test_an_unknown_task_setting_or_version_shows_no_trace(world):
    reply = world.client("annotator").get("/work/not-a-uuid/")
    assert reply.status_code == 404
    assert b"Traceback" not in reply.content
    assert b"urlpatterns" not in reply.content


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"\xff", "UTF-8"),
        (b"{", "JSON"),
        (b"NaN", "JSON"),
        (b"1e999", "finite"),
        (b'"\\u0000"', "NUL"),
        (b'{"\\u0000": 1}', "NUL"),
        (b'"\\udc00"', "surrogate"),
        (b"[" * 60 + b"]" * 60, "levels"),
        (b"18446744073709551616", "64 bits"),
    ],
)
def test_json_that_no_database_keeps(data, word):
    with pytest.raises(PayloadError, match=word):
        read_json(data)


def test_ordinary_json_is_read():
    assert read_json('{"a": ["\U0001f600", 1.5, null]}'.encode()) == {
        "a": ["\U0001f600", 1.5, None]
    }


# -------------------------------------------------------------------- scripts

ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(2)>'


def test_everything_is_shown_as_text(tmp_path):
    """Candidates, titles, languages, instructions, names and reasons."""
    from support.campaign_world import jsonl, write_pairs
    from tertium.campaigns.config import read_config
    from tertium.campaigns.loading import load

    config = write_pairs(
        tmp_path / "x", "first", title=ATTACK, instructions="guide.md", target='de"><b>'
    )
    guide = (
        f"{ATTACK}\n\n[link](javascript:alert(3)) ![x](data:text/html,y) <b>bold</b>"
    )
    config.with_name("guide.md").write_text(guide)
    line = {
        "id": ATTACK,
        "src": ATTACK,
        "ref": [ATTACK],
        "tgt": {"alphasys": ATTACK + "1", "betasys": ATTACK + "2"},
    }
    config.with_name("set.jsonl").write_text(jsonl([line]))
    campaign = load(read_config(config)).campaign
    invitation = invite(campaign, Role.ANNOTATOR)
    link = f"/join/{token_of(invitation)}"
    client, manager = Client(), Client()
    name = '"><script>x</script>'
    pages = [client.get(link), client.post(link, {"name": name, "password": "short"})]
    pages.append(client.post(link, {"name": name}, follow=True))
    pages.append(client.get(link))
    pages.append(client.get("/c/first/"))
    pages.append(client.post("/c/first/start", follow=True))
    work = Assignment.objects.get()
    body = {"version": 1, "answer": {"x": "</script>" + ATTACK}}
    send(client, f"/work/{work.pk}/draft", json.dumps(body))
    pages.append(client.get(f"/work/{work.pk}/"))
    reply = send(
        client, f"/work/{work.pk}/submit", json.dumps({"answer": {"x": ATTACK}})
    )
    assert reply["Content-Type"] == "application/json"
    pages.append(client.post(f"/work/{work.pk}/skip", {"reason": ATTACK}, follow=True))
    pages.append(client.get(f"/sign-in?next={url(ATTACK)}"))
    pages.append(client.get(f"/{url(ATTACK)}"))
    manager.force_login(join(invite(campaign, Role.MANAGER)).member.person)
    pages.append(manager.get("/m/first/"))
    for link in set(re.findall(r'href="(/m/[^"#]*)', pages[-1].content.decode())):
        page = manager.get(link)
        if not page.streaming:
            pages.append(page)
    for number, page in enumerate(pages):
        text = page.content.decode()
        assert "<script>" not in text, number
        assert "<img" not in text, number
        assert "<b>" not in text, number
        assert 'href="javascript:' not in text, number
        assert "onerror=alert(2)>" not in text, number
    shown = pages[5].content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
