# SPDX-License-Identifier: Apache-2.0
"""Requests to a local server that fails in every way that servers fail."""

from __future__ import annotations

import json
import threading
import time
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.chat_server import (
    chat_server,
    completion,
    cut,
    dribble,
    echo,
    first,
    raw,
    reset,
    says,
    slow,
    status,
)
from tertium.errors import InputError
from tertium.llm.client import (
    Client,
    MalformedError,
    RequestError,
    StoppedError,
    check_url,
    key_of,
    reply_of,
)

BODY = {"model": "m", "messages": [{"role": "user", "content": "Ä 😀 \ud800"}]}
KEY = 'sk-"secret"-1234'


def client(server, **options):
    options = {"timeout": 5, "pause": 0.01, **options}
    return Client(check_url(server.url), **options)


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        (status(429, Retry_After="0.01"), "429"),
        (status(429), "429"),
        (status(500), "server error"),
        (status(503, Retry_After="soon"), "server error"),
        (status(529), "server error"),
        (reset, "connection lost"),
        (cut, "connection lost"),
        (raw(b""), "broken"),
        (raw(b"<html>busy</html>"), "broken"),
        (raw(b'{"choices": [{"mess'), "broken"),
        (raw(b"[1]"), "broken"),
        (raw(b'{"choices": []}'), "broken"),
        (raw(b'{"error": {"message": "overloaded"}}'), "broken"),
        (raw(b"\xff\xfe"), "broken"),
    ],
)
def test_what_may_pass_is_tried_again(fault, cause):
    with chat_server(first(fault, fault)) as server:
        asking = client(server)
        assert reply_of(asking.ask(BODY)).text
    assert asking.retried == {cause: 2}
    assert len(server.seen) == 3


@pytest.mark.parametrize("fault", [slow(2), dribble])
def test_an_answer_that_takes_too_long_is_a_time_out(fault):
    lost = []
    with chat_server(first(fault)) as server:
        asking = client(server, timeout=0.3)
        asking.ask(BODY, lambda: lost.append(1))
    assert asking.retried == {"time-out": 1}
    assert lost == [1]


def test_attempts_that_cost_nothing_are_not_reported_as_lost():
    lost = []
    with chat_server(first(status(429), status(503))) as server:
        client(server).ask(BODY, lambda: lost.append(1))
    assert lost == []


def test_a_request_fails_after_the_last_attempt():
    with (
        chat_server(lambda body, number: status(503, text="down")) as server,
        pytest.raises(RequestError, match=r"503.*down \(3 attempts\)") as caught,
    ):
        client(server, retries=2).ask(BODY)
    assert not caught.value.hopeless
    assert len(server.seen) == 3


@pytest.mark.parametrize("code", [401, 403, 404])
def test_wrong_keys_and_addresses_are_hopeless_at_once(code):
    with (
        chat_server(lambda body, number: status(code, text="no")) as server,
        pytest.raises(RequestError, match=str(code)) as caught,
    ):
        client(server).ask(BODY)
    assert caught.value.hopeless
    assert len(server.seen) == 1


def test_a_request_that_is_refused_alone_is_not_hopeless():
    with (
        chat_server(lambda body, number: status(400, text="too long")) as server,
        pytest.raises(RequestError, match=r"400.*too long") as caught,
    ):
        client(server).ask(BODY)
    assert not caught.value.hopeless


def test_nobody_is_there():
    with chat_server() as server:
        asking = client(server, retries=1)
    with pytest.raises(RequestError, match=r"no connection to 127\.0\.0\.1"):
        asking.ask(BODY)


def test_retry_after_keeps_all_requests_waiting():
    with chat_server(first(status(429, Retry_After="0.5"))) as server:
        asking = client(server)
        begun = time.monotonic()
        thread = threading.Thread(target=asking.ask, args=(BODY,))
        thread.start()
        while not asking.retried:
            time.sleep(0.01)
        asking.ask({**BODY, "model": "other"})
        thread.join()
    assert time.monotonic() - begun >= 0.5


def test_retry_after_may_be_a_date():
    soon = datetime.now(timezone.utc) + timedelta(seconds=1.5)
    date = format_datetime(soon, usegmt=True)  # whole seconds
    begun = time.monotonic()
    with chat_server(first(status(503, Retry_After=date))) as server:
        client(server).ask(BODY)
    assert 0.2 < time.monotonic() - begun < 3


def test_stopping_ends_a_pause():
    stop = threading.Event()
    with chat_server(first(status(429, Retry_After="60"))) as server:
        asking = client(server, stop=stop)
        threading.Timer(0.2, stop.set).start()
        begun = time.monotonic()
        with pytest.raises(StoppedError):
            asking.ask(BODY)
    assert time.monotonic() - begun < 5


def test_redirections_are_not_followed_with_the_key():
    with chat_server() as elsewhere:
        there = f"{elsewhere.url}/chat/completions"
        with (
            chat_server(lambda *_: status(307, Location=there)) as server,
            pytest.raises(RequestError, match="it redirects to") as caught,
        ):
            client(server, key=KEY).ask(BODY)
    assert caught.value.hopeless
    assert elsewhere.seen == []


def test_the_key_is_sent_and_removed_from_all_that_comes_back():
    escaped = json.dumps(KEY)[1:-1]
    for fault in (echo, says(KEY), raw(f"{escaped} {KEY}".encode())):
        with chat_server(lambda body, number, fault=fault: fault) as server:
            asking = client(server, key=KEY, retries=0)
            try:
                shown = json.dumps(asking.ask(BODY))
            except RequestError as error:
                shown = str(error)
        assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
        assert "[key]" in shown
        assert "secret" not in shown
        assert "secret" not in repr(asking)


def test_without_a_key_no_header_is_sent():
    with chat_server() as server:
        client(server).ask(BODY)
    assert "Authorization" not in server.headers[0]


@pytest.mark.parametrize(
    "url",
    ["", "localhost:8000", "ftp://a/b", "http://", "file:///etc/passwd", "http://a:b/"],
)
def test_an_address_is_checked(url):
    with pytest.raises(InputError, match="not the address of a server"):
        check_url(url)


@pytest.mark.parametrize(
    "url", ["https://me:secret@host/v1", "https://host/v1?api_key=secret"]
)
def test_an_address_with_a_secret_is_rejected_without_showing_it(url):
    with pytest.raises(InputError, match="holds a secret") as caught:
        check_url(url)
    assert "me" not in str(caught.value).split()
    assert "=secret" not in str(caught.value)


def test_addresses_get_the_path_once():
    whole = "http://h/v1/chat/completions"
    assert check_url("http://h/v1") == check_url("http://h/v1/") == whole
    assert check_url(whole) == whole
    assert (
        check_url("https://h/x?version=2") == "https://h/x/chat/completions?version=2"
    )


def test_keys_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", " abc\n")
    assert key_of("JUDGE_KEY") == "abc"
    assert key_of(None) is None
    monkeypatch.setenv("JUDGE_KEY", "")
    with pytest.raises(InputError, match="JUDGE_KEY is not set"):
        key_of("JUDGE_KEY")
    monkeypatch.setenv("JUDGE_KEY", "geheim\u00e4")
    with pytest.raises(InputError) as caught:
        key_of("JUDGE_KEY")
    assert "geheim" not in str(caught.value)


def test_parts_of_a_message_are_joined():
    content = completion([{"type": "text", "text": "a"}, {"text": "b"}, 3])
    assert reply_of(content).text == "ab"


def test_a_refusal_is_recognised():
    reply = reply_of(completion(None, refusal="I cannot."))
    assert (reply.text, reply.finish) == ("I cannot.", "refusal")


@pytest.mark.parametrize("usage", [None, [], {}, {"prompt_tokens": "7"}])
def test_tokens_that_nobody_counted_are_unknown(usage):
    content = {**completion("a"), "usage": usage}
    assert reply_of(content)[2:] == (None, None)


@pytest.mark.parametrize(
    "content", [{}, {"choices": None}, {"choices": [3]}, {"choices": [{"message": 1}]}]
)
def test_a_response_without_message_is_malformed(content):
    with pytest.raises(MalformedError, match="no message"):
        reply_of(content)


def _json():
    keys = st.sampled_from(
        ["choices", "message", "content", "refusal", "usage", "finish_reason", "text"]
    )
    plain = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
    return st.recursive(
        plain,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4)
        ),
        max_leaves=12,
    )


@given(st.dictionaries(st.sampled_from(["choices", "usage", "error"]), _json()))
def test_any_response_is_a_reply_or_malformed(response):
    try:
        reply = reply_of(response)
    except MalformedError:
        return
    assert isinstance(reply.text, str)
    assert isinstance(reply.finish, str)
