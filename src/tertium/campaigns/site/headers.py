# SPDX-License-Identifier: Apache-2.0
"""Headers that Django does not send by itself, and a look at what comes in.

Both stand before everything else, so that they hold for static files and errors too.
Sessions are here because a page must not fail when they cannot be written.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from django.contrib.sessions import middleware as sessions
from django.contrib.sessions.exceptions import SessionInterrupted
from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError
from django.http import (
    HttpRequest,
    HttpResponse,
    JsonResponse,
    UnreadablePostError,
)
from django.utils.http import parse_header_parameters

from tertium.campaigns.site.logs import unsaved

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

__all__ = [
    "POLICY",
    "CleanMiddleware",
    "HeadersMiddleware",
    "SessionMiddleware",
    "behind_proxy",
    "utf8_only",
]

_log = logging.getLogger(__name__)
#: Scripts and styles come from files of ours; nothing inline, nothing from outside.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",  # static files say something else themselves
}
# Pages whose address is a key: requests that follow from them name the host alone.
_KEYS = ("/join/", "/me/")
_CHARSETS = ("utf-8", "utf8", "us-ascii", "ascii")
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class HeadersMiddleware:
    """Add a content security policy, and keep personal pages out of caches."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response with headers."""
        response = self.get_response(request)
        if request.path.startswith(_KEYS):
            response.headers["Referrer-Policy"] = "strict-origin"
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        return response


class SessionMiddleware(sessions.SessionMiddleware):
    """Django's, which shows a page even if the session cannot be written."""

    def process_response(
        self, request: HttpRequest, response: HttpResponse
    ) -> HttpResponse:
        """Return the response; what a form changes must be written, or it fails."""
        try:
            return super().process_response(request, response)
        except (OperationalError, SessionInterrupted) as error:
            # Django takes a row that cannot be written for one that is not there.
            cause: BaseException | None = error
            while cause is not None and not unsaved(cause):
                cause = cause.__context__
            if cause is None:
                raise
            if request.method not in ("GET", "HEAD"):
                raise cause from None
            _log.error("cannot save a session: %s", cause)
            return response


class CleanMiddleware:
    r"""Reject NUL characters, which PostgreSQL cannot hold, before anybody asks it.

    They come in addresses, forms and cookies (there as ``\000``, which Django reads).
    Bodies of JSON are looked at where they are read.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response, or an error."""
        try:
            clean = "\0" not in "".join(_texts(request))
        except RequestDataTooBig:
            return _error(request, "This is too large.", 413)
        except UnreadablePostError:  # whoever sent it hung up
            return _error(request, "The request ended too early.", 400)
        if not clean:
            text = "A NUL character is in this request. Remove it."
            return _error(request, text, 400)
        return self.get_response(request)


def utf8_only(application: WSGIApplication) -> WSGIApplication:
    """Return the server behind a check of the encoding that a request names.

    Django decodes by whatever codec is named before any middleware is asked, and
    some (zlib, rot13) make no text at all: it would fail.
    """

    def checked(
        environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        try:
            _, values = parse_header_parameters(environ.get("CONTENT_TYPE") or "")
        except (ValueError, LookupError):  # an encoding inside of the header
            values = {"charset": ""}
        if values.get("charset", "utf-8").lower() in _CHARSETS:
            return application(environ, start_response)
        kind = [("Content-Type", "text/plain; charset=utf-8")]
        start_response("415 Unsupported Media Type", kind + list(_HEADERS.items()))
        return [b"Send texts in UTF-8.\n"]

    return checked


def behind_proxy(application: WSGIApplication, proxy: str) -> WSGIApplication:
    """Return the server as it stands behind a proxy that says who is asking.

    Waitress does this by itself; other WSGI servers take everybody for the proxy,
    and limits would count all people together.

    Parameters
    ----------
    proxy : str
        The address that it calls from; from elsewhere ``X-Forwarded-For`` is a lie.
        Through a Unix socket, which has no address, only this machine calls. Empty
        believes nobody.
    """
    if not proxy:
        return application

    def wrapped(
        environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        # The last is what the proxy itself saw; what stands before it was sent in.
        address = environ.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip()
        if address and environ.get("REMOTE_ADDR", "") in (proxy, ""):
            environ["REMOTE_ADDR"] = address
        return application(environ, start_response)

    return wrapped


def _error(request: HttpRequest, text: str, status: int) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse({"error": text}, status=status)
    return HttpResponse(
        f"{text}\n", status=status, content_type="text/plain; charset=utf-8"
    )


def _texts(request: HttpRequest) -> list[str]:
    """Return every text of a request that a view could take to the database."""
    texts = [request.path, *request.COOKIES.values()]
    forms = [request.GET]
    # What is a form is read here as the check of CSRF would; other bodies are not.
    if request.method == "POST" and request.content_type in _FORMS:
        forms.append(request.POST)
    for form in forms:
        for name, values in form.lists():
            texts += [name, *values]
    return texts
