# SPDX-License-Identifier: Apache-2.0
"""The log of the server: one line for a denial, and no secrets."""

from __future__ import annotations

import http.client
import io
import logging
import re

import pytest
from django.db import OperationalError

from support.campaign_server import Server
from support.campaign_world import write_pairs
from tertium.campaigns.site.logs import OncePerRequest, PlainFormatter

KEY = "k" * 32
SIGNED = "eyJpIjo3LCJ0IjoxNzAwMDAwMDAwfQ:1tAbCd:" + "s" * 43


@pytest.fixture
def log():
    """Return a logger, and what it wrote as the server writes it."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(PlainFormatter("{levelname} {message}", style="{"))
    handler.addFilter(OncePerRequest())
    result = logging.Logger("test")
    result.addHandler(handler)
    return result, stream.getvalue


def failing(error):
    try:
        raise error
    except type(error) as raised:
        return raised


def test_a_denial_has_no_traceback(log):
    logger, text = log
    error = failing(PermissionError("no"))
    logger.warning("Forbidden: /m/", exc_info=error, extra={"status_code": 403})
    assert text() == "WARNING Forbidden: /m/\n"


def test_a_failure_of_the_program_has_one(log):
    logger, text = log
    logger.error("failed", exc_info=failing(ZeroDivisionError(KEY)))
    assert text().startswith("ERROR failed\nTraceback")


def test_a_full_disk_takes_one_line(log):
    logger, text = log
    error = failing(OperationalError("database or disk is full"))
    logger.error("Service Unavailable: /x", exc_info=error, extra={"status_code": 503})
    assert text() == "ERROR Service Unavailable: /x (database or disk is full)\n"


def test_a_request_cannot_forge_lines(log):
    logger, text = log
    logger.warning("Not Found: %s", "/x\nERROR root: all is lost\u2028\x1b[31m")
    assert text().count("\n") == 1
    assert "\x1b" not in text()


def test_a_request_has_one_line(log):
    class Request:
        pass

    logger, text = log
    request = Request()
    for what in ("Invalid host", "Bad Request: /"):
        logger.error(what, extra={"request": request, "status_code": 400})
    logger.error("Bad Request: /", extra={"request": Request(), "status_code": 400})
    assert text() == "ERROR Invalid host\nERROR Bad Request: /\n"


@pytest.mark.parametrize(
    "secret",
    [
        f"Not Found: /me/{KEY}/",
        f"Not Found: /ME//{KEY}",
        f"Forbidden (Referer failed - https://x.example/join/{SIGNED} is not known)",
        f"token {SIGNED} was sent",
        f"Authorization: Bearer {KEY}",
    ],
)
def test_secrets_are_hidden(log, secret):
    logger, text = log
    logger.error("%s", secret)
    assert "[hidden]" in text()
    assert KEY not in text()
    assert SIGNED not in text()
    assert "s" * 43 not in text()


def test_secrets_are_hidden_in_tracebacks(log):
    logger, text = log
    logger.error("failed", exc_info=failing(ValueError(f"/me/{KEY}")))
    assert "Traceback" in text()
    assert KEY not in text()


def ask(server, method, path, *, body=None, **headers):
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    link.request(method, path, body, named)
    reply = link.getresponse()
    reply.read()
    link.close()
    return reply


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    result = Server(tmp_path_factory.mktemp("log"), ready=True)
    result.links = result.load(write_pairs(result.folder / "first", "first"))
    result.token = result.tertium("campaign", "token", "first", "-q").strip()
    result.start()
    yield result
    result.kill()


def test_every_denial_of_the_server_is_one_line_without_secrets(server):
    link = server.links["annotator"]
    other = link[:-2] + ("AA" if link[-2:] != "AA" else "BB")
    form = "application/x-www-form-urlencoded"
    asked = [
        (404, ask(server, "GET", f"/me/{KEY}/more")),
        (404, ask(server, "GET", "/no%0Asuch%0Dpage")),
        (403, ask(server, "GET", f"/me/{KEY}")),
        (403, ask(server, "GET", other)),
        (403, ask(server, "POST", link, body="x=1", Content_Type=form)),
        (403, ask(server, "POST", f"/me/{KEY}", body="x=1", Content_Type=form)),
        (400, ask(server, "GET", link, Host="evil.example")),
        (401, ask(server, "GET", "/api/v1/campaigns", Authorization=f"Bearer {KEY}")),
        (
            403,
            ask(
                server,
                "POST",
                "/sign-in",
                body="x=1",
                Content_Type=form,
                Origin="https://evil.example",
                Referer=f"http://127.0.0.1{link}",
                Cookie=f"csrftoken={KEY}",
            ),
        ),
    ]
    assert [reply.status for _, reply in asked] == [status for status, _ in asked]
    token = {"Authorization": f"Bearer {server.token}"}
    assert ask(server, "GET", "/api/v1/campaigns/none", **token).status >= 400
    text = (server.folder / "server.log").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("tertium:")]
    assert len(lines) == len(asked) + 1, text
    assert "Traceback" not in text
    for line in lines:
        assert re.match(r"(WARNING|ERROR) [\w.]+: ", line), text
    for secret in (KEY, link.partition("/join/")[2], other[6:], server.token):
        assert secret not in text


def test_pages_that_are_keys_send_no_referrer(server):
    for path in (server.links["annotator"], f"/me/{KEY}"):
        reply = ask(server, "GET", path)
        assert reply.headers["Referrer-Policy"] == "strict-origin"
    reply = ask(server, "GET", "/sign-in")
    assert reply.headers["Referrer-Policy"] == "same-origin"
