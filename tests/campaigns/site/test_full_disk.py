# SPDX-License-Identifier: Apache-2.0
"""Pages while the database cannot be written."""

from __future__ import annotations

import re
from contextlib import contextmanager

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse

from support.campaign_world import make_world
from tertium.campaigns.models import Assignment, Judgement, Role
from tertium.campaigns.people.accounts import invite, token_of

pytestmark = pytest.mark.django_db
_WRITES = re.compile(r"\s*(INSERT|UPDATE|DELETE)", re.IGNORECASE)


@contextmanager
def full_disk():
    """Let every statement that writes fail as SQLite fails on a full disk."""

    def fail(execute, sql, params, many, context):
        if _WRITES.match(sql):
            raise OperationalError("database or disk is full")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(fail):
        yield


@pytest.fixture
def world(tmp_path):
    return make_world(tmp_path, "first")


def client_of(world, who):
    """Return a browser that gets answers where the test client would raise."""
    result = world.client(who)
    result.raise_request_exception = False
    return result


def test_pages_are_shown(world):
    client, held = client_of(world, "annotator"), world.work()
    manager = client_of(world, "manager")
    with full_disk():
        for path in ("/c/first/", "/c/first/finished"):
            assert client.get(path).status_code == 200
        for path in ("/m/first/", "/m/first/people/", "/m/first/items/"):
            assert manager.get(path).status_code == 200
        page = client.get(reverse("work", args=[held.pk]))
    assert page.status_code == 200
    message = page.content.decode()
    assert "Nothing that was saved is lost" in message
    assert "kept in this browser" in message
    assert 'id="work"' in message


def test_a_page_that_changes_the_session_is_shown(world):
    client = Client(raise_request_exception=False)
    client.post(f"/join/{token_of(invite(world.campaign, Role.ANNOTATOR))}")
    with full_disk():
        first = client.get("/c/first/welcome")
    assert first.status_code == 200
    # The personal link is shown once, and that was not noted: it is shown again.
    assert (
        re.findall(r"/me/[\w-]+", client.get("/c/first/welcome").content.decode())
        == re.findall(r"/me/[\w-]+", first.content.decode())
        != []
    )


def test_a_form_that_changes_a_session_says_that_it_was_not_saved(world):
    """Django itself would say that the session is gone, and sign people out."""
    client = client_of(world, "manager")
    client.get("/m/first/")
    session = re.compile(r"\s*UPDATE.*django_session", re.DOTALL)

    def fail(execute, sql, params, many, context):
        if session.match(sql):
            raise OperationalError("database or disk is full")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(fail):  # after the deed a message is put there
        reply = client.post("/m/first/phase", {"phase": "paused"})
    assert reply.status_code == 503
    assert client.get("/m/first/").status_code == 200


@pytest.mark.parametrize("name", ["draft", "submit"])
def test_answers_are_asked_for_again(world, name):
    client, held = client_of(world, "annotator"), world.work()
    body = {"answer": {"better": "a"}, "version": 1}
    address = reverse(name, args=[held.pk])
    with full_disk():
        reply = client.post(address, body, content_type="application/json")
    assert reply.status_code == 503
    assert "Nothing that was saved is lost" in reply.json()["error"]
    assert Assignment.objects.get(pk=held.pk).state == "leased"
    assert not Judgement.objects.exists()
    reply = client.post(address, body, content_type="application/json")
    assert reply.status_code == 200


@pytest.mark.parametrize("path", ["start", "join", "sign-in", "skip"])
def test_forms_are_answered_by_a_page_that_says_so(world, path):
    client, held = client_of(world, "annotator"), world.work()
    address = {
        "start": "/c/first/start",
        "join": f"/join/{token_of(invite(world.campaign, Role.ANNOTATOR))}",
        "sign-in": "/sign-in",
        "skip": reverse("skip", args=[held.pk]),
    }[path]
    if path in ("join", "sign-in"):
        client = Client(raise_request_exception=False)
    if path == "start":
        Assignment.objects.all().delete()
    with full_disk():
        reply = client.post(address, {"name": "Ada", "password": "long enough, this"})
    assert reply.status_code == 503
    message = reply.content.decode()
    assert "Nothing that was saved is lost" in message
    assert "<h1>Not saved</h1>" in message


def test_the_api_says_so(world):
    client = Client(raise_request_exception=False)
    headers = world.bearer()
    body = '{"id": "n", "src": "s", "ref": "r", "tgt": {"A": "x", "B": "y"}}\n'
    with full_disk():
        reply = client.post(
            "/api/v1/campaigns/first/items",
            body,
            content_type="application/x-ndjson",
            headers=headers,
        )
    assert reply.status_code == 503
    assert "Nothing that was saved is lost" in reply.json()["error"]


def test_other_failures_have_a_page_too(world, monkeypatch):
    from tertium.campaigns.work import leases as work

    def fail(*_arguments):
        raise RuntimeError

    monkeypatch.setattr(work, "look", fail)
    client, held = client_of(world, "annotator"), world.work()
    reply = client.get(reverse("work", args=[held.pk]))
    assert reply.status_code == 500
    assert "Saved answers are not lost" in reply.content.decode()
