# SPDX-License-Identifier: Apache-2.0
"""Who gets at what: roles, links, cookies, forged requests, headers."""

from __future__ import annotations

import json
import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client, RequestFactory, override_settings
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from support.campaign_world import make_world
from tertium.campaigns.models import (
    Assignment,
    Attempt,
    Invitation,
    Judgement,
    Membership,
    Person,
    Role,
    State,
)
from tertium.campaigns.people.accounts import (
    InvitationError,
    invite,
    join,
    new_link,
    new_ticket,
    read_invitation,
    token_of,
)
from tertium.campaigns.people.limits import Attempts
from tertium.campaigns.site import settings as site_settings
from tertium.campaigns.site.headers import POLICY, behind_proxy

pytestmark = pytest.mark.django_db
GOOD = "correct-horse-9"


@pytest.fixture
def world(tmp_path):
    return make_world(tmp_path, "first")


@pytest.fixture
def second(tmp_path):
    return make_world(tmp_path, "second")


def read(reply) -> bytes:
    """Return what came, and close the file that it came from."""
    if not reply.streaming:
        return reply.content
    return b"".join(reply.streaming_content)


def send(client, path, body):
    return client.post(path, json.dumps(body), content_type="application/json")


# ---------------------------------------------------------- others' work and data


@pytest.mark.parametrize("who", ["other", "manager", "observer", "nobody"])
def test_work_of_others_is_not_there(world, who):
    work = world.work()
    client = world.client(who)
    expected = 302 if who == "nobody" else 404
    assert client.get(f"/work/{work.pk}/").status_code == expected
    body = {"version": 1, "answer": {"better": "a"}}
    for page in ("draft", "submit"):
        assert send(client, f"/work/{work.pk}/{page}", body).status_code == expected
    assert client.post(f"/work/{work.pk}/skip", {"reason": "x"}).status_code == expected
    work.refresh_from_db()
    assert (work.state, work.draft, work.reason) == (State.LEASED, None, "")
    assert not Judgement.objects.exists()


def test_who_became_an_observer_has_no_more_work(world):
    work = world.work()
    member = world.joined["annotator"].member
    Membership.objects.filter(pk=member.pk).update(role=Role.OBSERVER)
    reply = send(
        world.client("annotator"),
        f"/work/{work.pk}/submit",
        {"answer": {"better": "a"}},
    )
    assert reply.status_code == 404


def campaign_pages(name: str) -> list[str]:
    return [
        f"/c/{name}/",
        f"/c/{name}/finished",
        f"/m/{name}/",
        f"/api/v1/campaigns/{name}",
        f"/api/v1/campaigns/{name}/items",
        f"/api/v1/campaigns/{name}/export",
        f"/api/v1/campaigns/{name}/participants",
    ]


def test_campaigns_of_others_are_not_there(world, second):
    for who in world.joined:
        client = world.client(who)
        for page in campaign_pages("second"):
            assert client.get(page).status_code == 404, (who, page)
        assert client.post("/c/second/start").status_code == 404
        # Just as if there were none.
        pages = [client.get(f"/c/{name}/").content for name in ("second", "third_")]
        assert plain(pages[0]) == plain(pages[1].replace(b"/third_/", b"/second/"))


def plain(page: bytes) -> bytes:
    """Return a page without tokens, which are new every time."""
    return re.sub(rb'value="\w{64}"', b"", page)


def test_annotators_see_no_dashboard_no_api_no_export(world):
    client = world.client("annotator")
    assert client.get("/m/first/").status_code == 403
    for page in campaign_pages("first")[3:]:
        assert client.get(page).status_code == 403
    assert client.get("/api/v1/campaigns").json() == {"campaigns": []}


def test_every_manager_page_is_closed_to_annotators(world):
    """Also pages that do not exist yet: whatever lies under /m/ is rejected."""
    annotator, nobody = world.client("annotator"), Client()
    pages = [route for route in routes() if route.startswith("/m/")]
    assert pages
    for page in pages:
        path = filled(page, world)
        for method in ("get", "post"):
            assert getattr(annotator, method)(path).status_code in (403, 404, 405), path
            assert getattr(nobody, method)(path).status_code in (302, 403, 404, 405)


def test_observers_read_and_change_nothing(world):
    client = world.client("observer")
    assert client.get("/m/first/").status_code == 200
    assert client.get("/api/v1/campaigns/first").status_code == 200
    assert client.post("/c/first/start").status_code == 403
    assert not Assignment.objects.exists()
    headers = world.bearer("observer")
    code = world.joined["annotator"].member.code
    path = "/api/v1/campaigns/first"
    for method, page in (
        ("post", "items"),
        ("post", "import"),
        ("delete", f"participants/{code}"),
        ("get", "export"),
    ):
        reply = getattr(client, method)(f"{path}/{page}", headers=headers)
        assert reply.status_code == 403, page


def test_cookies_change_nothing_through_the_api(world):
    client = world.client("manager")
    code = world.joined["annotator"].member.code
    path = "/api/v1/campaigns/first"
    reply = client.get(f"{path}/export")
    assert reply.status_code == 200
    read(reply)
    assert client.post(f"{path}/import").status_code == 401
    assert client.post(f"{path}/items").status_code == 401
    assert client.delete(f"{path}/participants/{code}").status_code == 401


def test_a_token_opens_no_pages(world):
    reply = Client().get("/m/first/", headers=world.bearer())
    assert reply.status_code == 302


# ------------------------------------------------------------------------- links


def test_altered_expired_revoked_and_used_up_invitations(world):
    good = invite(world.campaign, Role.ANNOTATOR, most=1)
    token = token_of(good)
    assert Client().get(f"/join/{token}").status_code == 200
    for bad in (token[:-1], token + "A", "A" + token[1:], "x", token.swapcase()):
        assert Client().get(f"/join/{bad}").status_code == 403
        assert Client().post(f"/join/{bad}").status_code == 403
    Invitation.objects.filter(pk=good.pk).update(uses=1)
    assert Client().get(f"/join/{token}").status_code == 403
    assert Client().post(f"/join/{token}").status_code == 403
    late = invite(world.campaign, Role.ANNOTATOR)
    late.expires -= timedelta(days=31)
    late.save()
    gone = invite(world.campaign, Role.ANNOTATOR)
    Invitation.objects.filter(pk=gone.pk).update(revoked=True)
    before = Person.objects.count()
    for one in (late, gone):
        assert Client().post(f"/join/{token_of(one)}").status_code == 403
        with pytest.raises(InvitationError):
            join(one)  # even if the page was open before
    assert Person.objects.count() == before


def test_a_role_cannot_be_written_into_an_invitation(world):
    from django.core import signing

    token = token_of(invite(world.campaign, Role.ANNOTATOR))
    reply = Client().post(f"/join/{token}", {"role": "manager", "name": "Sly"})
    assert reply.status_code == 302
    assert Person.objects.get(name="Sly").memberships.get().role == Role.ANNOTATOR
    # Signed by us, but for something else.
    with pytest.raises(InvitationError):
        read_invitation(signing.dumps({"i": 1, "t": 1}, salt="tertium.api"))


def test_an_invitation_of_an_older_database_is_void(world):
    """Numbers start again in a new database; the key beside it may have stayed."""
    old = invite(world.campaign, Role.ANNOTATOR)
    token = token_of(old)
    Invitation.objects.filter(pk=old.pk).update(
        role=Role.MANAGER, created=old.created + timedelta(days=1)
    )
    with pytest.raises(InvitationError):
        read_invitation(token)


def test_the_last_place_is_given_away_once(world):
    one = invite(world.campaign, Role.MANAGER, most=1)
    join(one)
    with pytest.raises(InvitationError):
        join(one)
    assert Membership.objects.filter(role=Role.MANAGER).count() == 2


def test_a_double_click_joins_once(world):
    link = f"/join/{token_of(invite(world.campaign, Role.MANAGER, most=1))}"
    page = Client().get(link).content.decode()
    ticket = re.search(r'name="ticket" value="([^"]+)"', page)[1]
    before = Person.objects.count()
    for client in (Client(), Client()):  # the second click ignores the first
        assert client.post(link, {"ticket": ticket}).status_code == 302
        assert client.get("/m/first/").status_code == 200
    assert Person.objects.count() == before + 1
    # A ticket of somebody else's making is none, nor is one kept for later.
    assert Client().post(link, {"ticket": "guess"}).status_code == 403
    assert Client().post(link, {"ticket": new_ticket()}).status_code == 403
    Membership.objects.update(joined=timezone.now() - timedelta(minutes=6))
    assert Client().post(link, {"ticket": ticket}).status_code == 403


def test_following_an_invitation_again_takes_no_place(world):
    one = invite(world.campaign, Role.ANNOTATOR, most=2)
    client = world.client("annotator")
    for _ in range(3):
        assert client.post(f"/join/{token_of(one)}").status_code == 302
    one.refresh_from_db()
    assert one.uses == 0


def test_an_invitation_gives_a_member_no_other_role(world):
    one = invite(world.campaign, Role.MANAGER)
    world.client("annotator").post(f"/join/{token_of(one)}")
    member = world.joined["annotator"].member
    member.refresh_from_db()
    assert member.role == Role.ANNOTATOR


def test_names_are_taken_whatever_their_letters(world):
    one = invite(world.campaign, Role.ANNOTATOR)
    join(one, name="Ada")
    for name in ("Ada", "ada", "Ａｄａ", " Ada "):
        with pytest.raises(InvitationError, match="taken"):
            join(one, name=name)
    reply = Client().post(f"/join/{token_of(one)}", {"name": "Ada"})
    assert reply.status_code == 200
    assert b"taken" in reply.content


def test_a_new_personal_link_voids_the_old_one(world):
    joined = world.joined["annotator"]
    assert Client().post(f"/me/{joined.key}").status_code == 302
    key = new_link(joined.member.person)
    assert Client().get(f"/me/{joined.key}").status_code == 403
    assert Client().post(f"/me/{joined.key}").status_code == 403
    assert Client().post(f"/me/{key}").status_code == 302
    Person.objects.update(is_active=False)
    assert Client().post(f"/me/{key}").status_code == 403


def test_a_personal_link_signs_in_after_a_click_only(world):
    """Programs that open links before people do are given no session."""
    joined = world.joined["annotator"]
    client = Client(enforce_csrf_checks=True)
    place = f"/me/{joined.key}"
    page = client.get(place)
    assert page.status_code == 200
    assert joined.member.person.name in page.content.decode()
    assert "tertium_session" not in page.cookies
    assert client.get("/c/first/").status_code == 302
    assert client.post(place).status_code == 403
    token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', page.content.decode())
    client.post(place, {"csrfmiddlewaretoken": token[1]})
    assert client.get("/c/first/").status_code == 200
    assert client.get(place)["Location"] == "/"  # they are in already


def test_a_hash_of_a_link_opens_nothing(world):
    kept = world.joined["annotator"].member.person.link
    assert Client().get(f"/me/{kept}").status_code == 403


# ------------------------------------------------------------------- cookies


def test_an_altered_session_is_nobodys(world):
    client = world.client("annotator")
    assert client.get("/c/first/").status_code == 200
    good = client.cookies["tertium_session"].value
    for bad in (good[:-1] + ("a" if good[-1] != "a" else "b"), "", "x" * 32, "../../x"):
        client.cookies["tertium_session"] = bad
        assert client.get("/c/first/").status_code == 302, bad


def test_signing_in_changes_the_session(world):
    join(invite(world.campaign, Role.ANNOTATOR), name="N", password=GOOD)
    client = Client()
    session = client.session  # an anonymous one, which somebody may have planted
    session["x"] = 1
    session.save()
    client.cookies["tertium_session"] = session.session_key
    sign = {"name": "N", "password": GOOD}
    assert client.post("/sign-in", sign).status_code == 302
    inside = client.cookies["tertium_session"].value
    assert inside != session.session_key
    client.post(f"/me/{world.joined['other'].key}")  # somebody else, same browser
    assert client.cookies["tertium_session"].value != inside
    client.post("/sign-out")
    assert client.get("/c/first/").status_code == 302


def test_cookies_are_kept_from_scripts_and_other_sites(world):
    reply = Client().post(f"/me/{world.joined['annotator'].key}")
    cookie = reply.cookies["tertium_session"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


# ------------------------------------------------------------ sign-in and limits


def test_passwords_are_argon2_and_not_weak(world):
    one = invite(world.campaign, Role.ANNOTATOR)
    link = f"/join/{token_of(one)}"
    for name, password in (
        ("Ann", "short"),
        ("Ann", "password123"),
        ("Annabella99", "annabella99"),
        ("", GOOD),
    ):
        reply = Client().post(link, {"name": name, "password": password})
        assert reply.status_code == 200, password  # the form again
        assert b'class="problem"' in reply.content
    with override_settings(PASSWORD_HASHERS=site_settings.PASSWORD_HASHERS):
        Client().post(link, {"name": "Ann", "password": GOOD})
    person = Person.objects.get(name="Ann")
    assert re.search(r"^argon2\$argon2id\$v=19\$m=\d{5,},", person.password)
    assert GOOD not in person.password


def sign_in(name, password="wrong-password", address="10.0.0.1"):
    return Client(REMOTE_ADDR=address).post(
        "/sign-in", {"name": name, "password": password}
    )


@pytest.fixture
def quick(settings):
    """Hash quickly: here it is counted, not measured."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def test_guessing_a_password_has_to_wait(world, quick):
    join(invite(world.campaign, Role.ANNOTATOR), name="N", password=GOOD)
    assert {sign_in("N").status_code for _ in range(10)} == {403}
    assert sign_in("N").status_code == 429
    assert sign_in("n").status_code == 429
    assert sign_in("N", GOOD).status_code == 429  # it says nothing, right or wrong
    # A bad neighbour locks nobody else out: not the owner elsewhere, nor others here.
    assert sign_in("N", GOOD, "10.0.0.2").status_code == 302
    assert sign_in("M").status_code == 403
    Attempt.objects.update(time=timezone.now() - timedelta(minutes=16))
    assert sign_in("N", GOOD).status_code == 302


def test_guessing_many_names_has_to_wait(world, quick):
    seen = [sign_in(f"name {n}").status_code for n in range(51)]
    assert seen == [403] * 50 + [429]
    assert sign_in("x", address="2001:db8::1").status_code == 403


def test_a_network_of_ipv6_is_one_address(world, quick):
    for n in range(50):
        sign_in(f"name {n}", address=f"2001:db8:0:1::{n:x}")
    assert sign_in("x", address="2001:db8:0:1:ffff::1").status_code == 429
    assert sign_in("x", address="2001:db8:0:2::1").status_code == 403


def test_guessing_from_everywhere_has_to_wait(world, quick):
    for n in range(100):
        sign_in("N", address=f"10.0.1.{n}")
    assert sign_in("N", address="10.0.2.1").status_code == 429


def test_success_is_not_counted(world, quick):
    join(invite(world.campaign, Role.ANNOTATOR), name="N", password=GOOD)
    for _ in range(12):
        assert sign_in("N", GOOD).status_code == 302
    assert not Attempt.objects.exists()


def test_personal_links_are_limited_but_good_ones_open(world):
    seen = {Client().get(f"/me/{n:032}").status_code for n in range(51)}
    assert seen == {403, 429}
    key = world.joined["annotator"].key
    assert Client().post(f"/me/{key}").status_code == 302


def test_an_open_invitation_makes_no_accounts_for_ever(world, monkeypatch):
    monkeypatch.setattr("tertium.campaigns.people.limits._JOIN", 3)
    place = f"/join/{token_of(invite(world.campaign, Role.ANNOTATOR))}"

    def join_from(address):
        return Client(REMOTE_ADDR=address).post(place).status_code

    assert [join_from("192.0.2.7") for _ in range(5)] == [302] * 3 + [429] * 2
    assert join_from("192.0.2.8") == 302
    assert Client(REMOTE_ADDR="192.0.2.7").get(place).status_code == 200
    # Joining is not a failure: the limit of passwords and links is not touched.
    assert not Attempts(RequestFactory(REMOTE_ADDR="192.0.2.7").get("/")).too_many()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.7", "192.0.2.8", False),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("0:0:0:0:0:FFFF:192.0.2.7", "::ffff:c000:207", True),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("unix", "unix", True),
    ],
)
def test_addresses_of_one_home_are_one(one, other, same):
    asking = [Attempts(RequestFactory(REMOTE_ADDR=a).get("/")) for a in (one, other)]
    assert (asking[0].limits == asking[1].limits) == same


@pytest.mark.parametrize(
    ("caller", "forwarded", "address"),
    [
        ("10.0.0.1", "203.0.113.5, 198.51.100.7", "198.51.100.7"),
        ("", "198.51.100.7", "198.51.100.7"),  # a Unix socket
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.2", "198.51.100.7", "10.0.0.2"),  # not the proxy
    ],
)
def test_only_the_proxy_says_who_is_asking(caller, forwarded, address):
    seen = []

    def application(environ, _start):
        seen.append(environ["REMOTE_ADDR"])
        return []

    environ = {"REMOTE_ADDR": caller, "HTTP_X_FORWARDED_FOR": forwarded}
    behind_proxy(application, "10.0.0.1")(dict(environ), None)
    assert seen == [address]
    assert behind_proxy(application, "") is application  # nobody is believed


def test_neither_addresses_nor_names_are_kept(world, quick):
    sign_in("A Name", address="192.0.2.77")
    Client(REMOTE_ADDR="192.0.2.77").get("/me/" + "x" * 30)
    client = Client(REMOTE_ADDR="192.0.2.77")
    client.get(f"/me/{world.joined['annotator'].key}")
    client.get("/c/first/")
    assert Attempt.objects.exists()
    dump = everything()
    assert "192.0.2.77" not in dump
    assert "A Name" not in dump
    names = {field.name for field in Person._meta.get_fields()}
    assert not {"email", "ip", "address"} & names


def everything() -> str:
    """Return all rows of all tables, sessions opened."""
    from django.apps import apps
    from django.contrib.sessions.models import Session

    rows = [list(model.objects.values()) for model in apps.get_models()]
    sessions = [one.get_decoded() for one in Session.objects.all()]
    return json.dumps([rows, sessions], default=str)


def test_the_limit_does_not_keep_the_secret_in_its_keys():
    attempts = Attempts(RequestFactory().get("/", REMOTE_ADDR="192.0.2.1"), "Name")
    assert all(re.fullmatch("[0-9a-f]{64}", key) for key in attempts.limits)


def test_unknown_names_take_as_long_as_known_ones(world, monkeypatch):
    """By counting hashes, which take the time; a clock would fail now and then."""
    from django.contrib.auth.hashers import Argon2PasswordHasher

    join(invite(world.campaign, Role.ANNOTATOR), name="N", password=GOOD)
    calls = []
    encode, verify = Argon2PasswordHasher.encode, Argon2PasswordHasher.verify
    monkeypatch.setattr(
        Argon2PasswordHasher,
        "encode",
        lambda *a, **k: calls.append(1) or encode(*a, **k),
    )
    monkeypatch.setattr(
        Argon2PasswordHasher,
        "verify",
        lambda *a, **k: calls.append(1) or verify(*a, **k),
    )
    counted = []
    for name in ("N", "nobody"):
        calls.clear()
        assert sign_in(name).status_code == 403
        counted.append(len(calls))
    assert counted == [1, 1]


@pytest.mark.parametrize(
    "bad",
    [
        "https://evil.example/",
        "//evil.example/",
        "///evil.example",
        "/\\evil.example",
        "https:evil.example",
        "javascript:alert(1)",
        "\thttps://evil.example",
        "http://testserver@evil.example/",
    ],
)
def test_no_way_out_through_next(world, bad, quick):
    join(invite(world.campaign, Role.ANNOTATOR), name="N", password=GOOD)
    sign = {"name": "N", "password": GOOD, "next": bad}
    for reply in (
        Client().post("/sign-in", sign),
        Client().post("/language", {"language": "de", "next": bad}),
    ):
        assert reply.status_code == 302
        assert reply["Location"] in ("/", "/c/first/")


# ---------------------------------------------------------------------- forgery


def routes(patterns=None, before="/") -> list[str]:
    """Return all addresses of the server, those of tasks included."""
    results = []
    for one in patterns or get_resolver().url_patterns:
        place = before + str(one.pattern)
        if isinstance(one, URLResolver):
            results += routes(one.url_patterns, place)
        elif isinstance(one, URLPattern):
            results.append(place)
    return results


def filled(route: str, world) -> str:
    """Return an address with something in every place."""
    values = {
        "slug:name": world.campaign.name,
        "uuid:key": str(world.work().pk),
        "str:token": token_of(invite(world.campaign, Role.ANNOTATOR)),
        "str:key": world.joined["annotator"].key,
        "str:code": world.joined["other"].member.code,
        "path:rest": "x",
    }

    def value(parameter):
        kind = parameter[1].rpartition(":")[0]
        made = {"int": "1", "uuid": str(uuid.uuid4()), "slug": "x"}
        return values.get(parameter[1], made.get(kind, "x"))

    return re.sub(r"<([^>]+)>", value, route)


def test_every_form_asks_for_a_token_of_its_page(world):
    """Every address, also of tasks and of pages that come later."""
    checked = 0
    clients = [world.client(who, csrf=True) for who in ("annotator", "manager")]
    for route in routes():
        path = filled(route, world)
        before = everything()
        for client in clients:
            reply = client.post(path, {"x": "y"})
            # Cookies change nothing in the API, so nothing can be forged there.
            codes = (401, 403, 404, 405) if path.startswith("/api/") else (403, 405)
            assert reply.status_code in codes, path
            checked += reply.status_code == 403
        assert everything() == before, path
    assert checked > 10


def test_only_the_api_is_exempt_from_csrf():
    exempt = []
    for one in flat(get_resolver().url_patterns):
        if getattr(one.callback, "csrf_exempt", False):
            exempt.append(one.callback.__module__)
    assert set(exempt) == {"tertium.campaigns.api.replies"}


def flat(patterns):
    for one in patterns:
        if isinstance(one, URLResolver):
            yield from flat(one.url_patterns)
        else:
            yield one


def test_a_token_of_the_page_is_enough(world):
    client = world.client("annotator", csrf=True)
    page = client.get("/c/first/").content.decode()
    token = re.search(r'csrfmiddlewaretoken" value="([^"]+)"', page)[1]
    sent = {"csrfmiddlewaretoken": token}
    assert client.post("/c/first/start", sent).status_code == 302
    reply = client.post(
        "/c/first/start", sent, headers={"Origin": "https://evil.example"}
    )
    assert reply.status_code == 403


# ---------------------------------------------------------------------- headers

WANTED = {
    "Content-Security-Policy": POLICY,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def test_headers_are_on_every_page(world, settings):
    client = world.client("manager")
    work = world.work()
    pages = {filled(route, world) for route in routes()}
    pages |= {
        "/no-such-page",
        f"/work/{uuid.uuid4()}/",
        "/static/campaigns/style.css",
        "/static/campaigns/icon.svg",
        "/static/no-such-file.css",
        "/sign-in?next=%00",
    }
    for path in sorted(pages):
        for who in (client, world.client("annotator"), Client()):
            reply = who.get(path)
            read(reply)
            # The address of some pages is a key: no other page may learn it.
            secret = path.startswith(("/join/", "/me/"))
            policy = {"Referrer-Policy": "strict-origin"} if secret else {}
            for name, value in {**WANTED, **policy}.items():
                got = reply.headers.get(name)
                if name == "Content-Security-Policy" and path.startswith("/m/"):
                    # Plots may need more, but never inline scripts or others' files.
                    assert "default-src 'none'" in got
                    assert "'unsafe-inline'" not in got.split("style-src")[0]
                    continue
                assert got == value, (path, name)
            if not path.startswith("/static/"):
                assert "no-store" in reply.headers["Cache-Control"], path
    assert "unsafe" not in POLICY
    assert work.state == State.LEASED


def test_a_failure_of_ours_has_headers_and_tells_nothing(world, monkeypatch):
    def fail(*_args, **_more):
        raise RuntimeError("alphasys and a secret")

    monkeypatch.setattr("tertium.campaigns.views.home.get_task", fail)
    client = world.client("annotator")
    client.raise_request_exception = False
    reply = client.get("/c/first/")
    assert reply.status_code == 500
    assert b"secret" not in reply.content
    assert reply.headers["Content-Security-Policy"] == POLICY


@pytest.mark.parametrize(
    "host", ["evil.example", "testserver.evil.example", "a b", "x" * 300]
)
def test_other_hosts_are_rejected(world, host):
    link = f"/join/{token_of(invite(world.campaign, Role.ANNOTATOR))}"
    for path in ("/sign-in", link, "/api/v1/openapi.json"):
        reply = Client().get(path, headers={"Host": host})
        assert reply.status_code == 400, path
        assert host.encode() not in reply.content
        assert reply.headers["Content-Security-Policy"] == POLICY
    sly = Client().get(link, headers={"X-Forwarded-Host": "evil.example"})
    assert b"evil.example" not in sly.content


def test_static_files_lead_nowhere_else():
    for path in (
        "/static/../settings.py",
        "/static/%2e%2e/%2e%2e/site/settings.py",
        "/static/campaigns/../../site/settings.py",
        "/static//etc/passwd",
        "/static/..%5c..%5csite%5csettings.py",
        "/static/campaigns/style.css%00.js",
    ):
        reply = Client().get(path)
        assert reply.status_code in (400, 404), path
        assert b"SECRET_KEY" not in reply.content


def test_names_of_campaigns_lead_nowhere_else(world):
    client = world.client("manager")
    for name in ("../first", "%2e%2e", "first%2f..%2ffirst", "..;"):
        assert client.get(f"/api/v1/campaigns/{name}/export").status_code == 404
    for value in ("../../etc/passwd", "answers/../parquet", "%00", ""):
        reply = client.get(f"/api/v1/campaigns/first/export?format={value}")
        assert reply.status_code == 400


def test_reverse_knows_the_document():
    assert reverse("api-document") == "/api/v1/openapi.json"
