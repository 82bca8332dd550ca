# SPDX-License-Identifier: Apache-2.0
"""The real server: cookies behind TLS, lies of proxies, large and broken requests."""

from __future__ import annotations

import http.client
import json
import re
import socket
from contextlib import suppress

import pytest

from support.campaign_server import Server
from support.campaign_world import write_pairs

pytestmark = pytest.mark.slow
HOST = "mt.example.org"
SECURE = {"Host": HOST, "X-Forwarded-Proto": "https"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Serve a campaign as behind a proxy on this machine that speaks TLS."""
    result = Server(tmp_path_factory.mktemp("server"), ready=True)
    config = write_pairs(result.folder / "first", "first")
    result.links = result.load(config)
    result.token = result.tertium("campaign", "token", "first", "-q").strip()
    result.start("--https", "--hosts", HOST)
    yield result
    result.kill()


def ask(server, method, path, body=None, headers=SECURE):
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    link.request(method, path, body, dict(headers))
    reply = link.getresponse()
    result = reply.status, reply.headers, reply.read()
    link.close()
    return result


def test_cookies_are_secure_behind_tls(server):
    status, headers, page = ask(server, "GET", server.links["annotator"])
    assert status == 200
    assert headers["Strict-Transport-Security"]
    csrf = headers["Set-Cookie"]
    assert "Secure" in csrf
    token = re.search(rb'csrfmiddlewaretoken" value="([^"]+)"', page)[1].decode()
    sent = {
        **SECURE,
        "Cookie": csrf.split(";")[0],
        "Origin": f"https://{HOST}",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    form = f"csrfmiddlewaretoken={token}"
    status, headers, _ = ask(server, "POST", server.links["annotator"], form, sent)
    assert status == 302
    for cookie in headers.get_all("Set-Cookie"):
        assert "Secure" in cookie
        assert "SameSite=Lax" in cookie
    session = next(c for c in headers.get_all("Set-Cookie") if "session" in c)
    assert "HttpOnly" in session
    # The personal link is of the address that people see.
    cookies = "; ".join(c.split(";")[0] for c in headers.get_all("Set-Cookie"))
    _, _, page = ask(
        server, "GET", "/c/first/welcome", headers={**SECURE, "Cookie": cookies}
    )
    assert f"https://{HOST}/me/".encode() in page
    # A page of another site cannot send the form, even with the cookie.
    evil = {**sent, "Origin": "https://evil.example"}
    assert ask(server, "POST", server.links["annotator"], form, evil)[0] == 403


def test_other_hosts_are_rejected(server):
    for host in ("evil.example", "127.0.0.1", f"{HOST}.evil.example"):
        status, headers, _ = ask(
            server, "GET", "/sign-in", headers={**SECURE, "Host": host}
        )
        assert status == 400
        assert "default-src 'none'" in headers["Content-Security-Policy"]
    lie = {**SECURE, "X-Forwarded-Host": "evil.example"}
    assert b"evil.example" not in ask(server, "GET", "/sign-in", headers=lie)[2]


def test_the_proxy_says_who_is_asking(server):
    """Of several addresses the last counts: the one that the proxy itself saw."""
    seen = []
    for n in range(52):
        lie = {**SECURE, "X-Forwarded-For": f"203.0.113.{n}, 198.51.100.7"}
        seen.append(ask(server, "GET", f"/me/{n:032}", headers=lie)[0])
    assert seen[:50] == [403] * 50
    assert seen[50:] == [429] * 2
    other = {**SECURE, "X-Forwarded-For": "198.51.100.8"}
    assert ask(server, "GET", f"/me/{0:032}", headers=other)[0] == 403


def test_static_files_have_headers_and_lead_nowhere(server):
    status, headers, _ = ask(server, "GET", "/static/campaigns/style.css")
    assert status == 200
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Access-Control-Allow-Origin"] is None
    for path in (
        "/static/../campaigns/site/settings.py",
        "/static/%2e%2e/%2e%2e/site/settings.py",
        "/static/campaigns/..%2f..%2fsite%2fsettings.py",
        "//etc/passwd",
    ):
        status, _, body = ask(server, "GET", path)
        assert status in (400, 404), path
        assert b"SECRET" not in body
        assert b"root:" not in body


def test_nobody_learns_what_answers(server):
    _, headers, _ = ask(server, "GET", "/sign-in")
    assert "Server" not in headers or "waitress" not in headers["Server"].lower()
    assert "X-Powered-By" not in headers


def raw(server, data: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as link:
        with suppress(OSError):  # the server may hang up before it has read all
            link.sendall(data)
            link.shutdown(socket.SHUT_WR)
        result = b""
        with suppress(ConnectionError):  # a server may hang up on nonsense
            while chunk := link.recv(65536):
                result += chunk
    return result


def request(line: str, *headers: str, body: str = "") -> bytes:
    lines = [f"{line} HTTP/1.1", f"Host: {HOST}", *headers, "", body]
    return "\r\n".join(lines).encode("latin-1")


@pytest.mark.parametrize(
    "data",
    [
        request("GET /\0"),
        request("GET /me/\xff\xfe"),
        request("GET /", "Cookie: tertium_session=\0\0\0\0\0\0\0\0\0"),
        request("GET /", 'Cookie: tertium_session="\\000aaaaaaaaa"'),
        request("GET /sign-in", f"X: {'a' * 300_000}"),
        request("POST /sign-in", "Content-Length: -5"),
        request(
            "POST /sign-in",
            "Content-Length: 5",
            "Transfer-Encoding: chunked",
            body="0\r\n\r\n",
        ),
        request("POST /sign-in", "Content-Length: 999999999999"),
        request("BREW /"),
        b"nonsense\r\n\r\n",
    ],
)
def test_broken_requests_do_not_fail(server, data):
    reply = raw(server, data)
    if reply:
        status = int(reply.split(b" ", 2)[1])
        assert status < 500 or status == 501, reply[:200]  # 501: no such coding
    assert ask(server, "GET", "/sign-in")[0] == 200


@pytest.mark.parametrize(
    "charset",
    ["=zlib", "=rot13", "=idna", "=undefined", "=utf-7", "=x", "*=unknown''z"],
)
def test_other_encodings_are_rejected(server, charset):
    """Django itself would fail on some of them, before any of our code runs."""
    kind = {**SECURE, "Content-Type": f"text/plain; charset{charset}"}
    for method in ("GET", "POST"):
        status, headers, _ = ask(server, method, "/sign-in?next=%C3%A9", "x", kind)
        assert status == 415
        assert "default-src 'none'" in headers["Content-Security-Policy"]
    good = {**SECURE, "Content-Type": "text/plain; charset=UTF-8"}
    assert ask(server, "GET", "/sign-in", "x", good)[0] == 200


def test_the_api_over_the_wire(server):
    """Upload, export and import by a program, as people do with curl."""
    token = {**SECURE, "Authorization": f"Bearer {server.token}"}
    item = {"id": "n1", "src": "s", "ref": ["r"], "tgt": {"a": "x", "b": "y"}}
    kind = {"Content-Type": "application/x-ndjson"}
    base = "/api/v1/campaigns/first"
    status, _, body = ask(
        server, "POST", f"{base}/items", json.dumps(item) + "\n", {**token, **kind}
    )
    assert (status, json.loads(body)) == (200, {"added": 1, "known": 0})
    status, headers, _ = ask(server, "GET", f"{base}/export", headers=token)
    assert status == 200
    assert (
        headers["Content-Disposition"] == 'attachment; filename="first.answers.jsonl"'
    )
    huge = request(f"POST {base}/import", "Content-Length: 1050000000")
    assert raw(server, huge).split(b" ", 2)[1] == b"413"


def test_the_command_line_makes_and_revokes_tokens(server):
    made = server.tertium("campaign", "token", "first", "--role", "observer", "-q")
    headers = {**SECURE, "Authorization": f"Bearer {made.strip()}"}
    assert ask(server, "GET", "/api/v1/campaigns/first", headers=headers)[0] == 200
    listed = server.tertium("campaign", "token", "first", "--list")
    short = re.search(r"^(\w{12})  observer", listed, re.M)[1]
    assert made.strip() not in listed
    server.tertium("campaign", "token", "first", "--revoke", short)
    assert ask(server, "GET", "/api/v1/campaigns/first", headers=headers)[0] == 401


def test_the_command_line_imports(server):
    answer = {
        "tertium-answers": 1, "task": "pairs", "langpair": "en-de", "item": "own",
        "kind": "work", "segment": "own", "document": "", "judge": "abcdef",
        "why": "first", "time": "2026-01-01T00:00:00+00:00", "seconds": 1.5,
        "answer": {"better": "a"},
        "content": {"source": "", "candidates": {"a": "x", "b": "y"}},
        "systems": {"a": ["one"], "b": ["two"]}, "meta": {},
    }  # fmt: skip
    place = server.folder / "answers.jsonl"
    place.write_text(json.dumps(answer) + "\n")
    message = server.tertium("campaign", "import", "first", place)
    assert "1 judgements added, 0 were there" in message
    assert "0 judgements added, 1 were" in server.tertium(
        "campaign", "import", "first", place
    )
    place.write_text(json.dumps(answer) + "\n{}\n")
    message = server.tertium("campaign", "import", "first", place, check=False)
    assert "answers.jsonl:2: not a raw judgement" in message
    assert "nothing was" in message


def test_headers_of_strangers_are_not_believed(tmp_path):
    """A server that is not behind the proxy it trusts drops what strangers claim."""
    strange = Server(tmp_path, ready=True)
    strange.load(write_pairs(tmp_path / "first", "first"))
    strange.start("--https", "--hosts", HOST, "--proxy", "192.0.2.1")
    try:
        seen = []
        for n in range(51):
            lie = {**SECURE, "X-Forwarded-For": f"203.0.113.{n}"}
            status, headers, _ = ask(strange, "GET", f"/me/{n:032}", headers=lie)
            seen.append(status)
            assert headers["Strict-Transport-Security"] is None
        assert seen[-1] == 429
    finally:
        strange.kill()
