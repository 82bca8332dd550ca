# SPDX-License-Identifier: Apache-2.0
"""Where links lead, and which address they begin with."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from support.campaign_data import write_config
from support.campaign_server import Server
from support.campaign_world import make_world
from tertium.campaigns.models import Membership, Role
from tertium.campaigns.people.accounts import invite, token_of
from tertium.campaigns.site.addresses import host_names, public_url, served_url
from tertium.errors import InputError


@pytest.fixture
def world(tmp_path, db):
    return make_world(tmp_path, "first")


def link(world, role, **options):
    return f"/join/{token_of(invite(world.campaign, role, **options))}"


def follow(client, address):
    """Join by a link; return the address that the page after it leads on to."""
    welcome = client.post(address, follow=True)
    assert b"/me/" in welcome.content  # the personal link
    return re.search(r'class="button main" href="([^"]+)"', welcome.content.decode())[1]


@pytest.mark.parametrize(
    ("role", "page"),
    [
        (Role.MANAGER, "/m/first/"),
        (Role.OBSERVER, "/m/first/"),
        (Role.ANNOTATOR, "/c/first/"),
    ],
)
def test_an_invitation_leads_to_the_page_of_its_role(world, role, page):
    client = Client()
    onward = follow(client, link(world, role))
    assert onward == page
    assert client.get(onward).status_code == 200


def test_a_used_link_still_leads_its_owner_to_the_dashboard(world):
    address = link(world, Role.MANAGER, most=1)
    client = Client()
    follow(client, address)
    reply = client.get(address)
    assert (reply.status_code, reply["Location"]) == (302, "/m/first/")
    stranger = Client().get(address)
    assert stranger.status_code == 403
    assert "open your personal link" in stranger.content.decode()


def test_an_annotator_gets_to_the_dashboard_by_another_account(world):
    """As who opens both links of the demo in one browser."""
    client = world.client("annotator")
    address = link(world, Role.MANAGER, most=1)
    page = client.get(address).content.decode()
    assert "a separate account" in page
    ticket = re.search(r'name="ticket" value="([^"]+)"', page)[1]
    welcome = client.post(address, {"another": "yes", "ticket": ticket}, follow=True)
    assert b'href="/m/first/"' in welcome.content
    assert client.get("/m/first/").status_code == 200
    old = world.joined["annotator"].member
    old.refresh_from_db()
    assert old.role == Role.ANNOTATOR
    assert Membership.objects.filter(role=Role.MANAGER).count() == 2


def test_a_manager_judges_by_the_annotators_link(world):
    reply = world.client("manager").get(link(world, Role.ANNOTATOR))
    assert (reply.status_code, reply["Location"]) == (302, "/c/first/")


def test_links_begin_with_the_address_that_was_given(monkeypatch):
    monkeypatch.delenv("TERTIUM_URL", raising=False)
    assert public_url() == "http://127.0.0.1:8000"
    assert public_url(port=9000) == "http://127.0.0.1:9000"
    assert public_url("https://mt.example.org/") == "https://mt.example.org"
    monkeypatch.setenv("TERTIUM_URL", "https://there.example")
    assert public_url() == "https://there.example"
    assert public_url("http://here.example") == "http://here.example"


@pytest.mark.parametrize("url", ["mt.example.org", "ftp://x", "http://", "http://[::"])
def test_what_is_no_address_is_rejected(url, monkeypatch):
    monkeypatch.delenv("TERTIUM_URL", raising=False)
    with pytest.raises(InputError, match="is not the address of a server"):
        public_url(url)


@pytest.mark.parametrize(
    ("where", "hosts", "url"),
    [
        ({}, None, "http://127.0.0.1:81"),
        ({"host": "0.0.0.0"}, None, "http://127.0.0.1:81"),
        ({"host": "::1"}, None, "http://[::1]:81"),
        ({"host": "10.0.0.7"}, None, "http://10.0.0.7:81"),
        ({"host": "0.0.0.0"}, "a.example,b.example", "http://a.example:81"),
        ({"https": True}, "*,.a.example", "https://a.example"),
        ({"url": "https://x.example/mt/"}, "a.example", "https://x.example/mt"),
    ],
)
def test_a_server_knows_where_it_is_reached(where, hosts, url, monkeypatch):
    monkeypatch.delenv("TERTIUM_URL", raising=False)
    assert served_url(**{"host": "127.0.0.1", **where}, port=81, hosts=hosts) == url


def test_a_server_answers_at_the_address_of_its_links(monkeypatch):
    monkeypatch.delenv("TERTIUM_URL", raising=False)
    local = "localhost,127.0.0.1,[::1]"
    assert host_names(host="127.0.0.1") == local
    assert host_names(host="0.0.0.0") == local
    assert host_names(host="10.0.0.7") == f"{local},10.0.0.7"
    names = host_names("https://x.example:81/", host="127.0.0.1")
    assert names == f"{local},x.example"


def test_commands_print_links_for_the_address_of_the_server(tmp_path):
    server = Server(tmp_path, ready=True)
    config = write_config(tmp_path / "small", segments=2)
    words = ["campaign", "load", str(config.path), "--port", "8123"]
    done = server.run(*words)
    assert done.stdout.count("http://127.0.0.1:8123/join/") == 2
    assert "--url" in done.stderr
    assert "TERTIUM_URL" in done.stderr
    try:
        message = server.start("--url", "http://localhost:8123/")
    finally:
        server.kill()
    assert "small: the dashboard is http://localhost:8123/m/small/" in message
    assert "nobody manages it yet" in message
    assert "/join/" not in message  # the output of a service ends up in a log
