# SPDX-License-Identifier: Apache-2.0
"""What all addresses of the API share: methods, errors as JSON, uploads."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping
from typing import IO, cast

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.views.decorators.csrf import csrf_exempt

__all__ = [
    "LARGEST",
    "ApiError",
    "View",
    "endpoint",
    "reply",
    "takes",
    "upload",
    "upload_with_images",
    "uploads",
]

#: Bytes of an upload.
LARGEST = 32_000_000
_CHUNK = 1 << 16
_PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")
_TOO_LARGE = f"more than {LARGEST} bytes; send it in parts"

View = Callable[..., HttpResponseBase]


class ApiError(Exception):
    """An error: a status, what is wrong, and the cure."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers or {}
        self.body = {"error": message, **(more or {})}


def reply(
    body: Mapping[str, object],
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> JsonResponse:
    """Return JSON as people can read it."""
    return JsonResponse(
        body,
        status=status,
        headers=dict(headers or {}),
        json_dumps_params={"ensure_ascii": False},
    )


def endpoint(**handlers: View) -> View:
    """Return a view that has a function for every method it knows.

    No check of CSRF: what changes anything takes a token, never a cookie, and a
    browser does not send tokens by itself.
    """
    known = dict(handlers)
    if "GET" in known:
        known.setdefault("HEAD", known["GET"])
    allow = ", ".join(sorted(known))

    @csrf_exempt
    def view(request: HttpRequest, **arguments: str) -> HttpResponseBase:
        handler = known.get(request.method or "")
        if handler is None:
            message = f"{request.method} does nothing here; use {allow}"
            return reply({"error": message}, 405, {"Allow": allow})
        takes = getattr(handler, "takes", ())
        if any(name not in takes for name in request.GET):
            what = ", ".join(takes) or "no parameters"
            message = f"a parameter is unknown; this address takes {what}"
            return reply({"error": message}, 400)
        try:
            return handler(request, **arguments)
        except ApiError as error:
            return reply(error.body, error.status, error.headers)

    return view


def takes(*names: str) -> Callable[[View], View]:
    """Return a decorator that names the parameters which a view knows.

    An unknown parameter is rejected: it would be a typing error that changes
    what comes out.
    """

    def mark(view: View) -> View:
        view.takes = names  # type: ignore[attr-defined]
        return view

    return mark


def upload(request: HttpRequest, types: Mapping[str, str]) -> tuple[IO[bytes], str]:
    """Return the body of a request in a nameless file, and what its type stands for.

    Parameters
    ----------
    types : dict of str to str
        The media types that are taken.

    Raises
    ------
    ApiError
        When it is of another type, or too large.
    """
    kind = types.get((request.content_type or "").lower())
    if kind is None:
        message = f"send Content-Type {' or '.join(types)}"
        raise ApiError(415, message)
    _check_size(request)
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    size = 0
    while chunk := request.read(_CHUNK):
        size += len(chunk)
        if size > LARGEST:
            file.close()
            raise ApiError(413, _TOO_LARGE)
        file.write(chunk)
    file.seek(0)
    return file, kind


def uploads(request: HttpRequest, *names: str) -> list[IO[bytes]]:
    """Return the files of a form (``multipart/form-data``) by the names of its fields.

    Raises
    ------
    ApiError
        When one is missing, there is something else, or they are too large.
    """
    _check_size(request)
    try:
        files, rest = request.FILES, request.POST
    except (MultiPartParserError, SuspiciousOperation):
        raise ApiError(400, "this is not a form with files; use curl -F") from None
    if rest or sorted(files) != sorted(names):
        message = f"a form must have the files {' and '.join(names)}, and nothing else"
        raise ApiError(422, message)
    return [cast("IO[bytes]", files[name]) for name in names]


def upload_with_images(
    request: HttpRequest, types: Mapping[str, str]
) -> tuple[IO[bytes], str, dict[str, IO[bytes]]]:
    """Return the items of a form, what their type stands for, and images by name.

    Raises
    ------
    ApiError
        When it has anything else, or is too large.
    """
    _check_size(request)
    try:
        files, rest = request.FILES, request.POST
    except (MultiPartParserError, SuspiciousOperation):
        raise ApiError(400, "this is not a form with files; use curl -F") from None
    items, images = files.getlist("items"), files.getlist("images")
    if rest or len(items) != 1 or set(files) - {"items", "images"}:
        message = "a form must have one file of items, perhaps images, and nothing else"
        raise ApiError(422, message)
    named = {str(one.name): one for one in images}
    if len(named) < len(images) or not all(map(_PLAIN.fullmatch, named)):
        message = (
            "images must have different names of at most 100 letters, digits, dots, "
            "hyphens and underscores; rename them"
        )
        raise ApiError(422, message)
    ending = str(items[0].name).rpartition(".")[2].lower()
    kind = ending if ending in types.values() else "jsonl"
    return cast("IO[bytes]", items[0]), kind, cast("dict[str, IO[bytes]]", named)


def _check_size(request: HttpRequest) -> None:
    try:
        declared = int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        declared = 0
    if declared > LARGEST:
        raise ApiError(413, _TOO_LARGE)
