# SPDX-License-Identifier: Apache-2.0
"""Pages for what went wrong, with the cure."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

__all__ = ["csrf", "denied", "missing", "refusal"]


def refusal(
    request: HttpRequest, *, title: str, text: str, status: int
) -> HttpResponse:
    """Return a page that says what is wrong and what to do."""
    context = {"title": title, "text": text}
    return render(request, "campaigns/error.html", context, status=status)


def csrf(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """Refuse a form that did not come from one of our pages."""
    return refusal(
        request,
        title=_("This form is too old"),
        text=_("Go back, reload the page and try again. Your answers were saved."),
        status=403,
    )


def denied(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """Refuse a page to a role that may not see it."""
    return refusal(
        request,
        title=_("Not for you"),
        text=_("Your role in this campaign does not include this page."),
        status=403,
    )


def missing(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """Say that there is no such page, or none that the person may know of."""
    if request.path.startswith("/api/"):
        message = "no such address; /api/v1/openapi.json lists them"
        return JsonResponse({"error": message}, status=404)
    return refusal(
        request,
        title=_("Nothing here"),
        text=_("There is no such page, or you have to sign in to see it."),
        status=404,
    )
