# SPDX-License-Identifier: Apache-2.0
"""Requests to a server that speaks the protocol of OpenAI's chat completions.

Time-outs, closed connections, answers that are not JSON, status 429 and server errors
are tried again, after a pause that doubles or that the server names (Retry-After).
Redirections are not followed: the key would go to a server that nobody named. The key
is removed from everything that comes back.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import IO, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from tertium._version import __version__
from tertium.errors import InputError

__all__ = [
    "Client",
    "MalformedError",
    "Reply",
    "RequestError",
    "StoppedError",
    "check_url",
    "is_exposed",
    "key_of",
    "reply_of",
]

_AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529}
#: Nothing that is asked with these settings will be answered.
_HOPELESS = {301, 302, 303, 307, 308, 401, 402, 403, 404, 405}
_LARGEST = 20_000_000  # bytes of a response
_LONGEST = 600.0  # seconds that a server may ask to wait
_BLOCK = 65_536
_SECRETS = {"key", "api_key", "api-key", "apikey", "token", "access_token"}
_LOCAL = {"localhost", "127.0.0.1", "::1"}
#: Causes of failed attempts that a server may charge for.
_CHARGED = {"time-out", "broken", "connection lost"}
_PATH = "/chat/completions"


class Reply(NamedTuple):
    """What a server answered.

    Parameters
    ----------
    text : str
        What the model wrote.
    finish : str
        Why it stopped: ``stop``, ``length``, ``content_filter`` or ``refusal``.
    tokens_in, tokens_out : int, optional
        What the server counted.
    """

    text: str
    finish: str
    tokens_in: int | None
    tokens_out: int | None


class RequestError(Exception):
    """A request that was not answered, however often it was tried.

    Parameters
    ----------
    message : str
    hopeless : bool
        Whether all other requests would fail as well.
    """

    def __init__(self, message: str, *, hopeless: bool = False) -> None:
        self.hopeless = hopeless
        super().__init__(message)


class StoppedError(Exception):
    """The run was stopped while a request waited for its next attempt."""


class MalformedError(ValueError):
    """A response without the message of a model."""


class _FailureError(Exception):
    """One attempt that failed, and how long the server wants to be left alone."""

    def __init__(self, cause: str, message: str, *, pause: float | None = None) -> None:
        self.cause = cause
        self.pause = pause
        super().__init__(message)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self,
        req: urllib.request.Request,  # noqa: ARG002
        fp: IO[bytes],  # noqa: ARG002
        code: int,  # noqa: ARG002
        msg: str,  # noqa: ARG002
        headers: http.client.HTTPMessage,  # noqa: ARG002
        newurl: str,  # noqa: ARG002
    ) -> None:
        return None


def check_url(url: str) -> str:
    """Return the address that requests go to.

    Raises
    ------
    InputError
        When it is not an address, or holds a secret: records have command lines.

    Examples
    --------
    >>> check_url("http://localhost:8000/v1/")
    'http://localhost:8000/v1/chat/completions'
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.scheme not in ("http", "https") or not host:
        what = "" if "@" in url else f" {url!r}"
        message = (
            f"the URL{what} is not the address of a server; give one such as "
            "http://localhost:8000/v1"
        )
        raise InputError(message, options=("url",))
    secret = {name.lower() for name, _ in parse_qsl(parts.query)} & _SECRETS
    if parts.username is not None or parts.password is not None or secret:
        message = (
            f"the URL of {host} holds a secret, which records would keep; put it into "
            "an environment variable and name that"
        )
        raise InputError(message, options=("key_variable",))
    if any(ord(char) <= 32 or ord(char) > 126 for char in url):
        raise InputError(f"the URL {url!r} has spaces or other characters; encode them")
    path = parts.path.rstrip("/")
    path = path if path.endswith(_PATH) else f"{path}{_PATH}"
    return parts._replace(path=path, fragment="").geturl()


def is_exposed(url: str) -> bool:
    """Return whether a key would cross the network in the clear."""
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname not in _LOCAL


def key_of(variable: str | None) -> str | None:
    """Return the key that an environment variable holds; None if none is named.

    Raises
    ------
    InputError
        When it is not set, or cannot be sent. The message does not show it.
    """
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        message = f"the environment variable {variable} is not set; put the key into it"
        raise InputError(message, options=("key_variable",))
    if not key.isascii() or not key.isprintable():
        message = (
            f"the key in {variable} has characters that HTTP cannot send; check it"
        )
        raise InputError(message)
    return key


class Client:
    """Asks one server; may be shared by threads.

    Parameters
    ----------
    url : str
        As :func:`check_url` returns it.
    key : str, optional
        Sent as bearer token.
    timeout : float
        Seconds to wait for an answer.
    retries : int
        Attempts after the first one.
    pause : float
        Seconds before the second attempt; doubled before every other.
    stop : threading.Event, optional
        Ends pauses.

    Attributes
    ----------
    retried : Counter
        Attempts that failed and were repeated, by cause.
    """

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        timeout: float = 120.0,
        retries: int = 5,
        pause: float = 1.0,
        stop: threading.Event | None = None,
    ) -> None:
        self._url = url
        self._key = key
        self._timeout = timeout
        self._retries = retries
        self._pause = pause
        self._stop = stop or threading.Event()
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._lock = threading.Lock()
        self._closed_until = 0.0
        self.retried: Counter[str] = Counter()

    def __repr__(self) -> str:
        return f"<Client of {self._url}>"

    def ask(
        self, body: Mapping[str, object], on_lost: Callable[[], None] | None = None
    ) -> dict[str, object]:
        """Return the response to a request, as the server wrote it.

        Parameters
        ----------
        body : mapping
        on_lost : callable, optional
            Called after an attempt that the server may have worked on, and charges
            for, in vain.

        Raises
        ------
        RequestError
            When all attempts failed, or none can succeed.
        StoppedError
            When the run was stopped meanwhile.
        """
        data = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        for attempt in range(self._retries + 1):
            self._wait_until_open()
            try:
                response = self._attempt(data)
                _check(response)
            except _FailureError as failure:
                if on_lost and failure.cause in _CHARGED:
                    on_lost()
                if attempt == self._retries:
                    tried = "" if not attempt else f" ({attempt + 1} attempts)"
                    raise RequestError(f"{failure}{tried}") from None
                self._back_off(failure, attempt)
            else:
                return response
        raise AssertionError  # The loop returns or raises.

    def _back_off(self, failure: _FailureError, attempt: int) -> None:
        with self._lock:
            self.retried[failure.cause] += 1
        # Jitter keeps requests that failed together from coming back together.
        pause = self._pause * 2**attempt * random.uniform(0.5, 1.0)  # noqa: S311
        if failure.pause is not None:
            pause = max(min(failure.pause, _LONGEST), 0.0)
            # The server is too busy for all, not only for this request.
            with self._lock:
                until = time.monotonic() + pause
                self._closed_until = max(self._closed_until, until)
        if self._stop.wait(pause):
            raise StoppedError

    def _wait_until_open(self) -> None:
        while (left := self._closed_until - time.monotonic()) > 0:
            if self._stop.wait(left):
                raise StoppedError
        if self._stop.is_set():
            raise StoppedError

    def _attempt(self, data: bytes) -> dict[str, object]:
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": f"tertium/{__version__}",
        }
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self._url, data, headers)  # noqa: S310
        deadline = time.monotonic() + self._timeout
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                text = _read(response, deadline)
        except urllib.error.HTTPError as error:
            with error:
                raise self._rejected(error, deadline) from None
        except TimeoutError:
            raise self._late() from None
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise self._late() from None
            message = f"no connection to {self._host()}: {error.reason}"
            raise _FailureError("connection", self._redacted(message)) from None
        except (OSError, http.client.HTTPException) as error:
            why = str(error) or type(error).__name__
            message = f"the connection to {self._host()} broke: {why}"
            raise _FailureError("connection lost", self._redacted(message)) from None
        try:
            content = json.loads(self._redacted(text))
        except (ValueError, RecursionError):
            content = None
        if not isinstance(content, dict):
            shown = self._redacted(text)[:200]
            message = f"{self._host()} answered with something else than JSON: {shown}"
            raise _FailureError("broken", message)
        return content

    def _late(self) -> _FailureError:
        message = f"no answer from {self._host()} within {self._timeout:g} s"
        return _FailureError("time-out", message)

    def _rejected(self, error: urllib.error.HTTPError, deadline: float) -> Exception:
        try:
            text = _read(error, deadline)
        except (OSError, http.client.HTTPException, _FailureError):
            text = ""
        detail = self._redacted(_error_text(text))
        message = f"{self._host()} answered {error.code} {error.reason}"
        message = self._redacted(f"{message}: {detail}" if detail else message)
        if error.code in _AGAIN:
            cause = str(error.code) if error.code == 429 else "server error"
            pause = _retry_after(error.headers.get("Retry-After"))
            return _FailureError(cause, message, pause=pause)
        if 300 <= error.code < 400 and (place := error.headers.get("Location")):
            message += f"; it redirects to {place[:200]}, so give the right URL"
            message = self._redacted(message)
        return RequestError(message, hopeless=error.code in _HOPELESS)

    def _host(self) -> str:
        return urlsplit(self._url).netloc

    def _redacted(self, text: str) -> str:
        if self._key is None:
            return text
        for secret in (self._key, json.dumps(self._key)[1:-1]):
            text = text.replace(secret, "[key]")
        return text


def _read(response: IO[bytes], deadline: float) -> str:
    """Return the body of a response that is neither endless nor endlessly slow."""
    blocks = []
    size = 0
    read = getattr(response, "read1", response.read)
    while block := read(_BLOCK):
        blocks.append(block)
        size += len(block)
        if size > _LARGEST:
            raise _FailureError(
                "broken", f"the answer has more than {_LARGEST:,} bytes"
            )
        if time.monotonic() > deadline:
            raise TimeoutError
    length = (
        response.headers.get("Content-Length") if hasattr(response, "headers") else None
    )
    if length is not None and length.isdigit() and size < int(length):
        raise http.client.IncompleteRead(b"", int(length) - size)
    return b"".join(blocks).decode("utf-8", "replace")


def _error_text(text: str) -> str:
    """Return the message of an error response, on one line."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    error = content.get("error", content) if isinstance(content, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    detail = message if isinstance(message, str) else text
    return " ".join(detail.split())[:300]


def _retry_after(value: str | None) -> float | None:
    """Return the seconds of a header, which may be a date.

    Examples
    --------
    >>> _retry_after("1.5"), _retry_after("Thu, 01 Jan 1970 00:00:00 GMT")
    (1.5, 0.0)
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            moment = parsedate_to_datetime(value)
        except ValueError:
            return None
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=timezone.utc)
        seconds = (moment - datetime.now(timezone.utc)).total_seconds()
    return max(seconds, 0.0) if seconds == seconds else None


def reply_of(response: Mapping[str, object]) -> Reply:
    """Return what is in a response.

    Raises
    ------
    MalformedError
        When it lacks the message of the model.

    Examples
    --------
    >>> message = {"role": "assistant", "content": "Fine."}
    >>> reply_of({"choices": [{"message": message, "finish_reason": "stop"}]})
    Reply(text='Fine.', finish='stop', tokens_in=None, tokens_out=None)
    """
    choices = response.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(first, dict) or not isinstance(message, dict):
        error = _error_text(json.dumps(response))
        raise MalformedError(f"the answer has no message: {error}")
    text, refusal = message.get("content"), message.get("refusal")
    finish = first.get("finish_reason")
    if isinstance(refusal, str) and refusal and not text:
        text, finish = refusal, "refusal"
    usage = response.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return Reply(
        _text(text),
        finish if isinstance(finish, str) else "stop",
        _count(counts.get("prompt_tokens")),
        _count(counts.get("completion_tokens")),
    )


def _check(response: Mapping[str, object]) -> None:
    """Have a request tried again whose response has no message."""
    try:
        reply_of(response)
    except MalformedError as error:
        raise _FailureError("broken", str(error)) from None


def _text(content: object) -> str:
    """Return a message's text, which may come in parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < 2**53 else None
